"""What a referee is: the rules of a game, and of talking it over, as pure functions on immutable states.

A referee module (``reference/<game>.py``) offers, besides the pure rules of its game (``moves(state)``, ``result(state,
move)``, ``outcome(state)``):

- ``START``, the state before the program has said anything;
- ``FAULTS``, every kind of fault that it may find, but for ``unread`` and ``crash``: cases choose from them;
- ``hear(state, heard)``, which takes what the program said in one turn and rules on it;
- ``answers(state, question)``, what may be typed now, and what must be refused;
- ``answer(state, question, text)``, the state after that was typed;
- where a program that breaks leaves something undone that was due, ``due(state)``, the kind of fault that this is, or "";
- where games should not all begin alike, ``STARTS``, states of which game after game takes the next instead of ``START``;
- where something shows in many games alone, ``across(states)``, the faults of all games of a case, from their last states.

A state holds all that the referee must remember: the position, whose move it is, whether a refusal is due. States are
hashable, so that later a search can tell which it has seen.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol, TypeVar

from grader.errors import JudgeError

S = TypeVar("S", bound=Hashable)

UNREAD = "unread"
"""The kind of fault that says: the program may be right, but we could not read it. A person decides."""

CRASH = "crash"
"""The kind of fault that says: the program broke, ran out of time or printed without end. It is found without a referee."""


@dataclass(frozen=True, slots=True)
class Said:
    """One fact that a program states: the name of the spec's fact, and its named groups, lower case, lengths as numbers.

    A group that took no part in the match is an empty string.
    """

    fact: str
    groups: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def number(self, group: str) -> int | None:
        """The value of a group as a number; None where it is none."""
        text = self.groups.get(group, "")
        return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


@dataclass(frozen=True, slots=True)
class Heard:
    """What a program said in one turn: its facts in the order of the text, and the question with which it waits.

    ``question`` is None where the program ended (``ended``), or where none of the spec's questions was found. ``wants`` is
    what it waits for: a ``line``, a ``key``, an ``integer`` or another number.
    """

    facts: tuple[Said, ...]
    question: str | None = None
    ended: bool = False
    wants: str = "line"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that a program did wrong: a kind, by which cases choose what they judge, and a sentence for the student.

    ``stops`` says that the referee cannot follow the game any further.
    """

    kind: str
    message: str
    stops: bool = False


@dataclass(frozen=True, slots=True)
class Ruling:
    """The state after a turn, and the faults in it."""

    state: Hashable
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class Answers:
    """What may be typed at a question: ``legal`` answers, and ``illegal`` ones, which the program must refuse."""

    legal: tuple[str, ...]
    illegal: tuple[str, ...] = ()


class Referee(Protocol):
    """The functions of a referee module. None of them changes anything."""

    START: Hashable
    FAULTS: tuple[str, ...]

    def hear(self, state: Hashable, heard: Heard) -> Ruling:
        """Rule on what the program said up to its question, or to its end."""

    def answers(self, state: Hashable, question: str) -> Answers:
        """What may be typed; no legal answers where the question makes no sense now."""

    def answer(self, state: Hashable, question: str, text: str) -> Hashable:
        """The state after ``text`` was typed, legal or not."""


def of_module(module: object, place: str) -> Referee:
    """The referee that a reference module is. Raises JudgeError where it lacks a part."""
    missing = [name for name in ("START", "FAULTS", "hear", "answers", "answer") if not hasattr(module, name)]
    if missing:
        hint = "grader.games.referee says what a referee offers"
        raise JudgeError(f"the reference is no referee: it has no {', '.join(missing)}", place=place, hint=hint)
    return module  # type: ignore[return-value]
