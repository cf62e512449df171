"""One game followed: the program talks, the referee hears, and answers are drawn until the game is over."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from random import Random

from grader.checks.ending import faulty
from grader.errors import JudgeError
from grader.games.reading import Reader
from grader.games.referee import CRASH, UNREAD, Answers, Fault, Heard, Referee
from grader.sessions.session import Account, Session
from grader.spec.expectations import ENTER
from grader.spec.model import Game
from grader.transcript import Transcript

Draw = Callable[[Answers], str | None]
"""Chooses what to type, or None to leave the game."""


@dataclass(frozen=True, slots=True)
class Followed:
    """A game that was followed: what was said, each fault with the number of its turn, and the referee's last state.

    ``seed`` is that of the program's own random numbers, where it was given one.
    """

    transcript: Transcript
    faults: tuple[tuple[int, Fault], ...]
    state: Hashable = None
    seed: int | None = None

    @property
    def broke(self) -> bool:
        """Whether the program broke, which is then the last of the faults."""
        return faulty(self.transcript.ending)


def follow(
    session: Session, referee: Referee, reader: Reader, draw: Draw, *, start: Hashable | None = None
) -> Followed:
    """Play one game to its end, to a fault that stops it, or until nothing more is drawn.

    What a program says in the turn in which it breaks is not ruled on: it was cut short. It is a crash, or where something
    was due of it, such as a refusal, the fault of not doing that.

    ``start`` is the state to begin with, where it is not the referee's ``START``.
    """
    state = referee.START if start is None else start
    account = Account(session)
    faults: list[tuple[int, Fault]] = []
    while True:
        ending = account.listen()
        if ending is not None and faulty(ending):
            faults.append((account.turn, Fault(_due(referee, state) or CRASH, ending.message, stops=True)))
            return Followed(account.closed(ending), tuple(faults), state)
        heard = reader.read(account.output, ended=ending is not None, wants="" if ending else session.wants)
        state, found = _ruled(referee, state, heard)
        faults += [(account.turn, fault) for fault in found]
        typed = None
        if ending is None and not any(fault.stops for fault in found):
            typed, state = _typed(referee, state, heard, draw)
            typed = typed if typed is None or session.wants == "key" else typed + ENTER
        if typed is None:
            return Followed(account.closed(ending), tuple(faults), state)
        account.say(typed)


def _ruled(referee: Referee, state: Hashable, heard: Heard) -> tuple[Hashable, tuple[Fault, ...]]:
    ruling = referee.hear(state, heard)
    unknown = {fault.kind for fault in ruling.faults} - {UNREAD, *referee.FAULTS}
    if unknown:
        raise JudgeError(f"the referee finds {', '.join(sorted(unknown))}, which its FAULTS do not list")
    if heard.question is None and not heard.ended and not any(fault.stops for fault in ruling.faults):
        unread = Fault(UNREAD, "it waits for input, and what it asks for could not be read", stops=True)
        return ruling.state, (*ruling.faults, unread)
    return ruling.state, ruling.faults


def _typed(referee: Referee, state: Hashable, heard: Heard, draw: Draw) -> tuple[str | None, Hashable]:
    question = heard.question or ""
    answers = referee.answers(state, question)
    if not answers.legal:
        raise JudgeError(f"the referee lets the program ask “{question}” and knows no answer to it")
    text = draw(answers)
    return (None, state) if text is None else (text, referee.answer(state, question, text))


def _due(referee: Referee, state: Hashable) -> str:
    due: Callable[[Hashable], str] | None = getattr(referee, "due", None)
    return "" if due is None else due(state)


def starting(referee: Referee, number: int) -> Hashable:
    """The state with which game ``number`` (from 0) begins: the next of the referee's ``STARTS``, or its ``START``."""
    starts: tuple[Hashable, ...] = getattr(referee, "STARTS", ()) or (referee.START,)
    return starts[number % len(starts)]


def together(referee: Referee, states: Sequence[Hashable]) -> tuple[Fault, ...]:
    """What the referee finds in games taken together, from their last states."""
    across: Callable[[Sequence[Hashable]], tuple[Fault, ...]] | None = getattr(referee, "across", None)
    return () if across is None else across(states)


def drawing(game: Game, number: int) -> Draw:
    """Answers for game ``number`` (from 0), drawn by the case's seed: the same on every machine."""
    random = Random(f"{game.seed}/{number}")
    left = game.inputs

    def draw(answers: Answers) -> str | None:
        nonlocal left
        left -= 1
        if left < 0:
            return None
        wrong = bool(answers.illegal) and random.random() < game.illegal
        among = answers.illegal if wrong else answers.legal
        return among[int(random.random() * len(among))]

    return draw


def repeating(inputs: tuple[str, ...]) -> Draw:
    """The given answers in their order, as long as each is one that may be typed where it comes."""
    rest = iter(inputs)

    def draw(answers: Answers) -> str | None:
        text = next(rest, "").removesuffix(ENTER)
        return text if text in answers.legal or text in answers.illegal else None

    return draw
