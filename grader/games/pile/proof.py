"""Whether the computer plays optimally from every number of stones, in as few games as can show it.

In one long game the computer moves from twenty numbers. The user's moves lead to numbers not tried yet. The program tells the
stones on the way. It is believed if the numbers add up, and the end equals that of a fresh game with the told number of stones. An end
that is only as long is enough where all numbers were told. A silent program is believed to play well until that end. Counting proves
its moves if only the greatest or the least legal moves lead to an end there.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from grader.games.hear.runs import SpentError
from grader.games.hear.truth import alike
from grader.games.pile.fitting import Explained
from grader.games.pile.rounds import Play, Round
from grader.games.pile.talk import PROGRAM, USER
from grader.games.pile.telling import Telling
from grader.values import dataclass

MOST_GAMES = 8
"""In so many games at most."""


@dataclass(frozen=True)
class Proof:
    """Long games with the rounds whose numbers are sure, and the piles from which the computer's move was seen."""

    games: dict[Play, tuple[Round, ...]]
    piles: frozenset[int]
    poor: tuple[Round, ...]
    """The rounds in which the computer moves otherwise than the strategy."""


def prove(player: Explained, telling: Telling, earlier: frozenset[int]) -> Proof:
    """Try all piles from which no move was seen yet, unless the program departs from the rules: it would be charged for that again."""
    games: dict[Play, tuple[Round, ...]] = {}
    plan, rules = player.rules.game.plan, player.rules
    piles = frozenset(range(1, plan.proved_to + 1))
    missing = set(piles - earlier)
    try:
        for _ in range(0 if player.explanation.departures or player.largest < plan.user_begins else MOST_GAMES):
            if not missing:
                break
            play, rounds = _long_game(player, telling, missing)
            games[play] = rounds
            new = {one.between for one in rounds if one.ours}
            if not new & missing:
                break
            missing -= new
    except SpentError:
        pass
    sure = (one for some in games.values() for one in some)
    poor = (one for one in sure if one.ours and one.ours != rules.best(one.between))
    return Proof(games, piles - missing, tuple(poor))


def shortest(player: Explained, telling: Telling, poor: Sequence[Round]) -> dict[Play, tuple[Round, ...]]:
    """Games that begin with the positions of these rounds, where the program tells that it moves there as it did: easier to see."""
    games: dict[Play, tuple[Round, ...]] = {}
    for one in {(one.between) % 3: one for one in poor}.values() if player.talk.proved else ():
        play = player.play(one.between, PROGRAM)
        if play.move_waits and telling.left(play.said(play.opening - 1, play.move_waits[0])) == one.after:
            games[play] = (
                replace(one, play=play, start=play.opening - 1, stop=play.move_waits[0], before=one.between, yours=0),
            )
    return games


def _long_game(player: Explained, telling: Telling, missing: Set[int]) -> tuple[Play, tuple[Round, ...]]:
    """A game in which the program finds the most stones that are missing, then as many of the others as can be; its sure rounds."""
    rules, begins = player.rules, player.talk.proved
    between = max(missing)
    still = set(missing)
    lefts: list[int] = []
    counts: list[int | None] = []

    def move(output: str) -> str:
        """The move after which the program finds a number that is missing, as the game is believed to stand."""
        nonlocal between
        if lefts or begins:
            number = telling.left(output)
            rest = between - rules.best(between)
            if number is not None and 0 < between - number <= rules.most + 1:
                rest = number
            still.discard(between)
        else:
            number = rest = between + 1
        counts.append(number)
        lefts.append(rest)
        good = [take for take in rules.moves(rest) if rest - take in still]
        take = good[0] if good and rest > player.largest else 1
        between = rest - take
        return str(take)

    play = player.chosen(between if begins else between + 1, PROGRAM if begins else USER, move)
    return play, player.rounds(play) if player.talk.slot else _sure(player, play, lefts, counts)


def _sure(player: Explained, play: Play, lefts: Sequence[int], counts: Sequence[int | None]) -> tuple[Round, ...]:
    """The rounds with sure numbers: all up to a wait that is known by its future, if they add up."""
    joint = next((number for number, rest in enumerate(lefts) if rest <= player.largest), None)
    if joint is None or play.refused is not None:
        return ()
    fresh = player.play(lefts[joint], USER)
    if not fresh.move_waits:
        return ()
    adds_up = counts[: joint + 1] == lefts[: joint + 1]
    rest, plain = play.future(play.move_waits[joint]), fresh.future(fresh.move_waits[0])
    # A program that lists its moves at the end ends no two games alike: a strategy that failed above ten stones had all points.
    if not alike(rest, plain) and not (adds_up and len(rest) == len(plain)):
        return ()
    rounds: list[Round] = []
    if play.mover == PROGRAM:
        first, pile = play.move_waits[0], play.stones
        rounds.append(Round(play, play.opening - 1, first, pile, 0, pile, pile - lefts[0], lefts[0]))
    for number in range(joint):
        start, stop = play.move_waits[number : number + 2]
        take, after = int(play.typed(start)), lefts[number + 1]
        between = lefts[number] - take
        rounds.append(Round(play, start, stop, lefts[number], take, between, between - after, after))
    # If the program took two each time, or one each time, no other legal moves would have led as far.
    is_extreme = len({one.ours for one in rounds}) == 1
    return tuple(rounds) if is_extreme or adds_up else ()
