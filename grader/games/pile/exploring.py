"""The exploration of one program that plays with a pile: what is played, and what is made of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from types import MappingProxyType

from grader.checks.ending import faulty
from grader.games.following import Followed
from grader.games.pile.fixed import CountedPlayer, find_fixed, told_player
from grader.games.pile.pauses import with_pauses
from grader.games.pile.plays import Play, Player
from grader.games.pile.proof import prove, shortest
from grader.games.pile.refusing import Refusals
from grader.games.pile.rounds import AFTER, OURS, as_it_takes, rounds
from grader.games.pile.rules import Rules
from grader.games.pile.ruling import Games, Ledger, rule, rule_moves, settled
from grader.games.pile.talk import PROGRAM, USER, Part, Talk, find, ones
from grader.games.pile.telling import Telling, telling
from grader.games.pile.winning import winners
from grader.games.referee import ANSWERS, CRASH, Fault
from grader.games.study import Study
from grader.reading.keys import key
from grader.reading.learned import Learned, Lesson
from grader.reading.opening import USUAL, offered
from grader.reading.runs import Run, Runs, SpentError
from grader.reading.slots import FIRM, segments

UNDERSTOOD = 0.5
"""In so large a share of the rounds the number of stones must be known."""

QUESTIONS = 5
"""So many questions a program that has no game may ask and ask again."""

UNREAD_PROGRAM = "no answer was found after which it plays a game that is longer the more stones there are"
UNKNOWN = "how many stones there are could not be found out: games do not go on as others with so many stones"
UNSTEADY = "the program does not do the same when the same is typed"


def explored(runs: Runs, rules: Rules) -> Study:
    """The study of one program."""
    talk = find(runs)
    if _unsteady(runs):
        return Study(obstacle=UNSTEADY)
    player = _player(runs, talk, rules)
    if player is None:
        return _idle(runs)
    player = player.with_talk(runs, with_pauses(runs, player))
    ledger = Ledger(rules)
    legal = _legal(player)
    games: Games = {play: rounds(player, play) for play in legal}
    if not games or not _understood(games):
        other = told_player(runs, player)
        if other is None or type(player) is not Player:
            return Study(obstacle=UNKNOWN)
        player, legal = other, _legal(other)
        games = {play: rounds(player, play) for play in legal}
        if not games or not _understood(games):
            return Study(obstacle=UNKNOWN)
    learned, games = _model(games)
    games = settled(games, learned)
    rule(ledger, games, learned)
    before = [wait.output for play in legal for wait in play.run.waits[: play.opening]]
    said = winners(ledger, games, before, player.talk.firsts)
    shown = frozenset(one.between for played in games.values() for one in played if one.ours and one.between)
    proof = prove(player, learned, shown)
    rule_moves(ledger, proof.games, learned)
    poor = [
        one
        for played in proof.games.values()
        for one in played
        if one.ours and one.ours != rules.best(one.between or 0)
    ]
    try:
        rule_moves(ledger, shortest(player, learned, poor), learned)
        Refusals(player, learned, ledger, _said(games, over=False), _said(games, over=True)).judge()
        _demanded(player, ledger)
    except SpentError:
        pass  # what was not tried has no occasions
    if _unsteady(runs):
        return Study(obstacle=UNSTEADY)
    followed = (
        _followed(play, ledger) for play in dict.fromkeys((*legal, *proof.games, *ledger.faults, *ledger.occasions))
    )
    return Study(tuple(followed), _learned(player.talk, learned, said, proof.tried, rules.game.plan.proved_to))


def _player(runs: Runs, talk: Talk | None, rules: Rules) -> Player | None:
    if talk is not None:
        return Player(runs, talk, rules)
    counted = find_fixed(runs, rules)
    return None if counted is None else CountedPlayer(runs, counted, rules)


def _unsteady(runs: Runs) -> bool:
    return not runs.steady


def _legal(player: Player) -> tuple[Play, ...]:
    """Games in which nothing is wrong with what is typed, as far as the answers before the game are accepted."""
    played: list[Play] = []
    try:
        for stones, mover, takes in player.plan():
            if not stones or stones <= player.largest:
                played.append(player.play(stones, mover, takes))
                player.note(played[-1])
    except SpentError:
        pass
    return tuple(play for play in played if play.refused is None)


def _understood(games: Games) -> bool:
    """Whether the numbers of stones are known in most rounds: else another game is played, or nothing comes again."""
    moved = [one for played in games.values() for one in played if one.yours and not one.over]
    return not moved or sum(one.after is not None for one in moved) >= UNDERSTOOD * len(moved)


def _model(games: Games) -> tuple[Telling, Games]:
    """What is told, and the games; as they are where the user's stones stay in the pile, if what is told fits that alone."""
    learned = telling([one for played in games.values() for one in played])
    idle = sum(one.ours == 0 and one.yours > 0 for played in games.values() for one in played)
    if idle < 2 or _tells_moves(learned):
        return learned, games
    staying: Games = {play: as_it_takes(played) for play, played in games.items()}
    other = telling([one for played in staying.values() for one in played])
    return (other, staying) if _tells_moves(other) else (learned, games)


def _tells_moves(learned: Telling) -> bool:
    return any(fit.meaning == OURS and fit.share >= FIRM for fit in learned.slots.values())


def _said(games: Games, *, over: bool) -> frozenset[str]:
    """What is said in ordinary rounds, or at the ends of games."""
    texts = (one.text for played in games.values() for one in played[1:] if one.over is over and (over or one.ours))
    return frozenset(segment.skeleton for text in texts for segment in segments(text))


def _demanded(player: Player, ledger: Ledger) -> None:
    """What the program must ask for, and accept."""
    talk = player.talk
    usual = player.play(8, USER)
    if Part.STONES not in talk.parts:
        ledger.fault(usual, 1, "unasked-stones", "it does not ask how many stones the game begins with")
    one = player.play(1, USER)
    if Part.STONES in talk.parts and one.refused == talk.place(Part.STONES):
        message = "1 is not accepted as the number of stones: any number greater than zero is allowed"
        ledger.fault(one, talk.place(Part.STONES) + 2, "refused-stones", message)
    if not talk.firsts:
        ledger.fault(usual, usual.opening + 1, "unasked-first", "it does not ask who moves first")
        return
    place = talk.place(Part.FIRST)
    first = player.rules.game.first
    for mover, text in ((PROGRAM, str(first.program)), (USER, str(first.user))):
        typed = talk.answers(8, mover)
        play = player.typed((*typed[:place], text, *typed[place + 1 :]), 8, mover)
        if text == talk.firsts[mover] and play.refused != place:
            continue
        who = "the program" if mover == PROGRAM else "the user"
        kind = "refused-first"
        message = (
            f"{text} is not accepted as the answer to who moves first ({first.program} = program, {first.user} = user)"
        )
        if text in talk.firsts and text != talk.firsts[mover]:
            kind, message = "wrong-begin", f"{text} was typed, so that {who} moves first, and the other one does"
        ledger.fault(play, place + 2, kind, message)


def _followed(play: Play, ledger: Ledger) -> Followed:
    faults = sorted(ledger.faults.get(play, ()), key=lambda pair: pair[0])
    ending = play.run.ending
    last = len(play.run.waits)
    if ending is not None and faulty(ending) and not any(fault.message == ending.message for _, fault in faults):
        faults = [*faults, (last, Fault(CRASH, ending.message, stops=True))]
    occasions = {ANSWERS: len(play.run.taken), **ledger.occasions.get(play, {})}
    return Followed(
        play.run.transcript(),
        tuple(faults),
        occasions=MappingProxyType(occasions),
        readings=ledger.readings.get(play, {}),
        positions=ledger.positions.get(play, {}),
    )


# ------------------------------------------------------------------------------------------- programs that play no game


def _idle(runs: Runs) -> Study:
    """The study of a program in which no game was found: one that ends, or whose game nothing brings on, shows nothing.

    Any other may want an answer of which we did not think.
    """
    tried = [runs.run((*lead, *ones(10))) for lead in (("7", "1"), ("7", "0"), ("1", "7"))]
    if not all(_ends_soon(run) or _stands_still(runs, run) for run in tried):
        return Study(obstacle=UNREAD_PROGRAM)
    return Study(tuple(_shown(run) for run in tried))


def _shown(run: Run) -> Followed:
    broke = run.ending is not None and faulty(run.ending)
    crash = ((len(run.waits), Fault(CRASH, run.ending.message, stops=True)),) if run.ending and broke else ()
    return Followed(run.transcript(), crash, occasions=MappingProxyType({ANSWERS: len(run.taken)}))


def _ends_soon(run: Run) -> bool:
    """Whether it ends behind its first questions."""
    return run.ending is not None and len(run.taken) <= QUESTIONS


def _stands_still(runs: Runs, run: Run) -> bool:
    """Whether it takes the answers to its first questions, and then says the same after any answer."""
    turns = run.turns
    last = len(turns) - 1
    while last > 0 and turns[last] == turns[last - 1]:
        last -= 1
    if run.ending is not None or not 1 < last <= QUESTIONS or key(turns[0]) == key(turns[1]):
        return False
    texts = dict.fromkeys((*USUAL, "3", *offered(turns[last])))
    later = [runs.run((*run.answers[:last], text, "1", "1", "1")) for text in texts]
    return all(one.output == run.output or (one.ending is not None and faulty(one.ending)) for one in later)


def _learned(talk: Talk, learned: Telling, said: Mapping[str, str], tried: frozenset[int], most: int) -> Learned:
    wording = sha256("\n".join([talk.anew, *sorted(slot.skeleton for slot in learned.slots), *said.values()]).encode())
    return Learned(tuple(_lessons(talk, learned, said, tried, most)), wording.hexdigest()[:16])


def _lessons(
    talk: Talk, learned: Telling, said: Mapping[str, str], tried: frozenset[int], most: int
) -> Iterator[Lesson]:
    lead = ", ".join(part or "Enter" for part in talk.parts if isinstance(part, str))
    yield Lesson(
        "opening", lead, f"what is typed before the game: {lead}" if lead else "nothing comes before its questions"
    )
    if talk.firsts:
        program, user = talk.firsts
        yield Lesson("first", f"{program} {user}", f"{program} lets the program begin, {user} the user")
    for meaning, what in ((AFTER, "how many stones are left"), (OURS, "how many stones the program takes")):
        slots = [slot for slot, fit in learned.slots.items() if fit.meaning == meaning]
        if slots:
            yield Lesson(f"told-{meaning}", slots[0].skeleton, f"it tells {what}", slots[0].skeleton)
    for winner, quote in said.items():
        yield Lesson(f"wins-{winner}", winner, f"this says that the {winner} wins", quote)
    yield Lesson("moves", str(len(tried)), _tried(tried, most))


def _tried(tried: frozenset[int], most: int) -> str:
    if len(tried) == most:
        return f"the move of the program was seen from all piles from 1 to {most}"
    return f"the move of the program was seen from {len(tried)} piles of {most}"
