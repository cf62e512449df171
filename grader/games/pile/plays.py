"""Games played with one program, and the questions in them other than for a move: pauses that any answer passes, and those behind the end.

A program that plays by chance does not bring the same again behind the same answers. Each of its games is a run of its own, and all that
is known of the stones is told in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from grader.games.hear.runs import Answers, Run, Runs, SpentError
from grader.games.hear.slots import key
from grader.games.hear.truth import Future, Likeness, alike, future
from grader.games.pile.opening import asks_again, falling, pairs
from grader.games.pile.rounds import Play
from grader.games.pile.rules import Rules
from grader.games.pile.talk import LARGER, MIDDLE, PROGRAM, TRIED, USER, Part, Talk, ones, single_forms

MOST_PLAYS = 400
"""Maximum games that one player begins."""

SAMPLES = (2, 3, 5, 8)
"""Piles of the games that serve to compare questions."""

MOVES = ((), ("2",), ("1", "2"), ("2", "2"), ("1", "1", "2"), ("2", "1", "2"), ("2", "2", "2"))
"""The first moves of the user in games with a pile that is always the same; then he takes one stone each time."""

SPARE = 4
"""Answers that are typed beyond the number of stones, before a program is taken to ask for ever."""


def _another(stones: str) -> str:
    """Another number of stones, which may be refused as little as any."""
    return str(next(number for number in TRIED if str(number) != stones))


class Player:
    """Plays games with one program, each once, and tells how many stones there were."""

    def __init__(self, runs: Runs, talk: Talk, rules: Rules) -> None:
        self.runs = runs
        self.talk = talk
        self.rules = rules
        self.largest = rules.game.plan.user_begins if talk.pile is None else 0
        self.filler = "1"
        """The answer to each question for a move for which nothing else was chosen."""
        self._number = 0
        self._plays: dict[tuple[object, ...], Play] = {}
        self._typed: dict[tuple[Answers, Answers], Play] = {}

    def with_talk(self, **changes: Any) -> Player:
        """A player with what was found of the talk, by its fields."""
        return Player(self.runs, replace(self.talk, **changes), self.rules)

    def told(self, *, chance: bool = False) -> Player | None:
        """A player who follows the same program by what it tells; None if it does not tell what is left, or he does so already."""
        if self.talk.slot is not None:
            return None
        answers = self.talk.answers(LARGER, USER)
        # “We begin with 20 stones.” may stand before the first question only, and “Now there are 19 stones.” behind each move
        slot = falling(self.runs, self.rules, answers) or falling(self.runs, self.rules, answers, (str(LARGER),))
        if slot is None:
            return None
        games = (self.runs.run((*self.talk.answers(size, USER), *ones(size))) for size in (*SAMPLES, MIDDLE, LARGER))
        texts = [wait.output for run in games for wait in run.waits]
        return self.with_talk(slot=slot, single=single_forms(texts, slot), chance=chance)

    @property
    def plays(self) -> tuple[Play, ...]:
        """All games that were played."""
        return tuple(self._plays.values())

    # ---------------------------------------------------------------------------------------------- games

    def play(self, stones: int, mover: int, takes: Sequence[str] = ()) -> Play:
        """A game with these answers to the question for a move, and then 1 to the end."""
        if self.talk.pile is not None:
            stones = self.talk.pile
        return self.typed(self.talk.answers(stones, mover), stones, mover, takes)

    def typed(self, opening: Answers, stones: int, mover: int, takes: Sequence[str] = ()) -> Play:
        """The same after these answers before the game."""
        name = (opening, tuple(takes))
        if name not in self._typed:
            rest = iter(takes)
            self._typed[name] = self._play(opening, stones, mover, lambda _output: next(rest, self.filler))
        return self._typed[name]

    def chosen(self, stones: int, mover: int, choose: Callable[[str], str]) -> Play:
        """A game in which each move is chosen by what was said since the last."""
        return self._play(self.talk.answers(stones, mover), stones, mover, choose)

    @property
    def movers(self) -> tuple[int, ...]:
        """The players who can be let begin."""
        return (USER, PROGRAM) if self.talk.firsts else (USER,)

    @property
    def usual(self) -> Play:
        """A game that is long enough for every question in it to come again."""
        return self.play(MIDDLE, USER)

    def samples(self) -> list[Play]:
        """A few games of different lengths, or with different moves of the user."""
        if self.talk.pile is None:
            return [self.play(stones, mover) for stones in SAMPLES for mover in self.movers]
        return [self.play(self.talk.pile, mover, takes) for takes in MOVES[:3] for mover in self.movers]

    def plan(self) -> list[tuple[int, int, tuple[str, ...]]]:
        """The stones, who begins, and the first moves of the user."""
        plan, most = self.rules.game.plan, self.rules.most
        if self.talk.pile is not None:
            return [(self.talk.pile, mover, takes) for mover in self.movers for takes in MOVES]
        games: list[tuple[int, int, tuple[str, ...]]] = [(n, USER, ()) for n in range(1, plan.user_begins + 1)]
        games += [(n, PROGRAM, ()) for n in range(1, plan.program_begins + 1)] if self.talk.firsts else []
        return games + [(n, USER, (str(most),)) for n in range(most, plan.most_first + 1)]

    def _play(self, opening: Answers, stones: int, mover: int, choose: Callable[[str], str]) -> Play:
        if self._number == MOST_PLAYS:
            raise SpentError(f"the limit of {MOST_PLAYS} games is reached")
        self._number += 1
        seed = (
            self.runs.number if self.talk.chance else None
        )  # each game makes a run, so that no other one has this seed
        refusal = self._refusal(opening, self.runs.run(opening, seed))
        answers = list(opening)
        places: list[int] = []
        while True:
            run = self.runs.run(answers, seed)
            question = key(run.output, self.talk.level)
            over = run.ending is not None or question in (self.talk.after | {self.talk.anew})
            if over or len(answers) == len(opening) + stones + SPARE:
                break
            if question in self.talk.pauses:
                answers.append("")
            else:
                recent = run.waits[places[-1] + 1 if places else 0 :]
                places.append(len(answers))
                answers.append(choose("\n".join(wait.output for wait in recent)))
        play = Play(
            run,
            seed,
            stones=stones,
            mover=mover,
            opening=len(opening),
            move_waits=tuple(places),
            over=len(run.waits) - 1 if over else None,
            refused=refusal,
            lists=self.talk.lists,
        )
        # A game that is over before all of its moves were typed is the same one with other moves.
        return self._plays.setdefault((run.answers, seed, play.opening, stones, mover), play)

    # ------------------------------------------------------------------------------- answers before the game

    def _refusal(self, opening: Answers, run: Run) -> int | None:
        """The first of the answers before the game that is asked for again."""
        if len(opening) != len(self.talk.parts):
            return None
        numbers = (
            number for number, part in enumerate(self.talk.parts[: len(run.waits) - 1]) if isinstance(part, Part)
        )
        return next((number for number in numbers if self._is_refused(opening, run, number)), None)

    def _is_refused(self, opening: Answers, run: Run, number: int) -> bool:
        output = run.waits[number + 1].output
        again = asks_again(run.waits[number].output, output)
        if self.talk.chance:
            return again and self.talk.left(output) is None
        if not again:
            return self._is_unusual(output, number, opening)
        # The next question may have the same words: a move, or any, where all questions are “Enter: ”.
        next_alike = number + 1 == len(opening) or self._asks_alike(number)
        return not next_alike or self._as_if_not_typed(opening, number)

    def _asks_alike(self, number: int) -> bool:
        """Whether the question of this answer and the next one end in the same words behind a usual answer."""
        usual = self.runs.run(self.talk.answers(TRIED[0], USER)).waits
        return number + 1 < len(usual) and asks_again(usual[number].output, usual[number + 1].output)

    def _is_unusual(self, output: str, number: int, opening: Answers) -> bool:
        """Whether the program asks for something else behind this answer than in other games, before they begin."""
        if self.talk.parts[number] is Part.FIRST and number + 1 == len(opening) and not self.talk.proved:
            mine = next((mover for mover in (PROGRAM, USER) if self.talk.firsts[mover] == opening[-1]), USER)
            return self._comes_again(1 - mine) and not self._comes_again(mine)
        if self.talk.parts[number] is not Part.STONES:
            return False
        # Where the stones are asked for last no question comes again behind a refusal: a game of one stone that was
        # refused was judged as if it had been played.
        if number + 1 == len(opening):
            usual = self.runs.run((*opening[:number], _another(opening[number]))).output
            return key(output) != key(usual) and self._as_if_not_typed(opening, number)
        waits = self.runs.run(self.talk.answers(TRIED[0], USER)).waits
        return number + 1 < len(waits) and key(output) != key(waits[number + 1].output)

    def _as_if_not_typed(self, opening: Answers, number: int) -> bool:
        """Whether the game goes on behind another answer to the same question as if this one had not been typed."""
        answer = opening[number]
        others = [text for text in self.talk.firsts if text != answer]
        other = _another(answer) if self.talk.parts[number] is Part.STONES else others[0] if others else answer
        rest = (*opening[number + 1 :], *ones(MIDDLE))

        def behind(*texts: str) -> Future:
            run = self.runs.run((*opening[:number], *texts, other, *rest))
            return future(run.turns[number + len(texts) + 1 :], ended=run.ending is not None)

        # If all questions are alike, 1 and then 0 may be the user who begins and takes no stone: the same as the program that begins.
        least = Likeness.EXACT if self._asks_alike(number) else Likeness.WORDS
        return all(alike(behind(), behind(*texts)) >= least for texts in ((answer,), (answer, answer)))

    def _comes_again(self, mover: int) -> bool:
        """Whether the question behind all answers before the game is asked again and again, as that for a move is."""
        opening = self.talk.answers(TRIED[1], mover)
        run = self.runs.run((*opening, *ones(MIDDLE)))
        keys = [key(wait.output) for wait in run.waits[len(opening) :]]
        return keys.count(keys[0]) > 1


# ------------------------------------------------------------------------------------------------------ other questions


LONG = 5
"""A game with so many stones has a move of the user, and its first question is no end."""


def with_pauses(player: Player, plays: Sequence[Play] = ()) -> Player:
    """A player who knows what is asked behind the end of every game, and the pauses in it; ``plays`` are games that end, where samples do not."""
    talk = player.talk
    plays = plays or player.samples()
    games = [_keys(play, talk) for play in plays]
    moves = {keys[0] for keys, play in zip(games, plays, strict=True) if keys and play.stones >= LONG}
    ends = [keys for keys, play in zip(games, plays, strict=True) if play.over is not None]
    after = _behind(ends or games) - moves  # a program that plays on has no end in those games
    within = {name for keys in games for name in keys if keys.count(name) > 1} - after
    pauses = {name for name in within if _is_pause(player, name)} if len(within) > 1 else ()
    return player.with_talk(after=after, pauses=frozenset(pauses))


def _keys(play: Play, talk: Talk) -> list[str]:
    """The keys of the waits of a game; where it says the same for ever the last one once."""
    outputs = [wait.output for wait in play.run.waits[play.opening : play.end + (play.over is None)]]
    keys = [key(output, talk.level) for output in outputs]
    while play.over is None and len(keys) > 1 and keys[-1] == keys[-2]:
        keys.pop()
    return keys


def _behind(games: Sequence[Sequence[str]]) -> frozenset[str]:
    """The questions that come in every game, once each, with none behind them that does not."""
    common = {name for name in games[0] if all(keys.count(name) == 1 for keys in games)}
    behind: set[str] = set()
    for name in reversed(games[0]):
        if name not in common or any(set(keys[keys.index(name) + 1 :]) - behind for keys in games):
            break
        behind.add(name)
    return frozenset(behind)


def _is_pause(player: Player, name: str) -> bool:
    """Whether any answer at this question brings the same, and the program goes on."""
    play, level = player.usual, player.talk.level
    answers, turns = play.run.answers, play.run.turns
    at = next((n for n in range(play.opening, len(turns)) if key(turns[n], level) == name), len(turns))
    if at >= len(answers) or at + 1 >= len(turns) or key(turns[at + 1], level) == name:
        return False
    others = (player.runs.run((*answers[:at], text, *answers[at + 1 :])) for text in ("2", ""))
    return all(other.turns[at + 1 :] == turns[at + 1 :] for other in others)


def behind_refusals(player: Player, plain: Play, wrong: Mapping[Part | None, str]) -> Mapping[Part | None, str]:
    """The keys of pauses that come behind wrong answers alone, by the question; None stands for that for a move.

    There any answer is swallowed, and then the question comes again: "Must be positive! Press Enter".
    """
    runs, talk = player.runs, player.talk
    usual = {key(wait.output, talk.level) for wait in plain.run.waits}
    pauses: dict[Part | None, str] = {}
    for part, text in wrong.items():
        at = plain.move_waits[0] if part is None else talk.place(part)
        lead = plain.run.answers[:at]
        question = key(plain.run.waits[at].output, talk.level)
        refusal = runs.run((*lead, text))
        name = key(refusal.output, talk.level)
        if refusal.ending is None and name not in (*usual, question):
            went = runs.run((*lead, text, "", *plain.run.answers[at:]))
            outputs = [wait.output for wait in went.waits]
            again = len(outputs) > at + 2 and key(outputs[at + 2], talk.level) == question
            last = len(plain.run.waits) - 1 - plain.end
            later = future(outputs[at + 3 : len(outputs) - last], ended=plain.over is not None)
            if again and alike(plain.future(at), later) is not Likeness.NONE:
                pauses[part] = name
    return pauses


# ----------------------------------------------------------------------------------------- programs that play by chance


PLAYS_BY_CHANCE = (
    "the program plays by chance: the same answers bring another game; each game was judged by what it says itself"
)


def by_chance(player: Player) -> Player | None:
    """The same program, each game followed for itself; None if it does not tell how many stones are left."""
    one = player.told(chance=True)
    if one is None:
        return None
    firsts = (one.with_talk(parts=talk.parts, firsts=talk.firsts) for talk in _firsts(player.runs, player.talk))
    first = next((each for each in firsts if _lets_begin(each)), None)
    return (first or one).with_talk(proved=first is not None)


def _firsts(runs: Runs, talk: Talk) -> Iterator[Talk]:
    """The talk with each pair of answers that may choose who begins."""
    for at, part in enumerate(talk.parts):
        if part is Part.STONES:
            continue
        trial = replace(talk, parts=(*talk.parts[:at], Part.FIRST, *talk.parts[at + 1 :]))
        question = runs.run(talk.answers(TRIED[0], USER)[:at]).output
        if talk.firsts:
            yield trial
        yield from (replace(trial, firsts=pair) for pair in pairs(question))


def _lets_begin(player: Player) -> bool:
    """Whether the program has moved before the first question after the one answer, and has not after the other."""
    for stones in TRIED:
        ours, users = (player.play(stones, mover) for mover in (PROGRAM, USER))
        counts = [
            player.talk.left(play.said(play.opening - 1, play.move_waits[0])) if play.move_waits else None
            for play in (ours, users)
        ]
        if counts[1] != stones or counts[0] not in [stones - move for move in player.rules.moves(stones)]:
            return False
    return True
