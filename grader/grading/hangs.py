"""Runs that took too long, so that nobody waits for the same again; and runs that were killed, so that no student pays for it.

A program that was given the same inputs does the same. Where it has twice passed its limit of time after the same inputs, a
third run that comes there ends there, with what it had printed: that is shown already. A program that hangs at one input
loses nothing by it at any other. Where a program was killed, and by no limit of ours, it is run once more with the same inputs:
a program that kills itself does so again, and a run that somebody else killed goes on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from grader.errors import DisturbedError
from grader.sessions.session import END_OF_INPUT, Session, WithErrors, WithFiles
from grader.transcript import Ending, EndingKind

TOO_LONG = frozenset({EndingKind.TIME_LIMIT, EndingKind.MEMORY_LIMIT})
"""Endings that are slow to reproduce: nobody looks for a smaller run that ends in the same way."""

SURE = 2
"""After so many time-outs behind the same inputs no other is waited for: one alone may be a busy machine."""

AGAIN = 2
"""A program that was killed is run so often again before that is its own doing: one more kill may be a machine without memory."""

_KILLED_ELSEWHERE = "somebody killed the program, and run again it does not do the same"
_GRADE_AGAIN = "grade this submission again"

Place = tuple[object, ...]


@dataclass
class Hangs:
    """The time-outs of one submission, by profile, seed and inputs: how each ended, and what it had printed since the last."""

    seen: defaultdict[Place, list[tuple[Ending, bytes]]] = field(default_factory=lambda: defaultdict(list))

    def under(self, profile: str) -> bool:
        """Whether any run has taken too long under this profile."""
        return any(place[0] == profile for place, endings in self.seen.items() if endings)


class Watched:
    """A session that does not wait for what has timed out before behind the same inputs, and begins again where it was killed.

    ``start`` begins a run of the program; it ends the run before.
    """

    def __init__(self, start: Callable[[], Session], hangs: Hangs, *key: object) -> None:
        self._start = start
        self._session = start()
        self._history: list[str | bytes] = []  # what was typed, as text, and what each turn printed
        self._hangs = hangs
        self._place: Place = key
        self._over: tuple[Ending, bytes] | None = None
        self._hung: Ending | None = None

    def advance(self) -> Ending | None:
        """Run until the program waits for input (None) or has ended."""
        known = self._hangs.seen.get(self._place, [])
        if len(known) >= SURE:
            self._over = known[0]
            return self._over[0]
        ending = self._session.advance()
        if ending is not None and ending.killed:
            ending = self._begun_again()
        if ending is not None and ending.kind is EndingKind.TIME_LIMIT:
            self._hung = ending
        self._history.append(b"")
        return ending

    def _begun_again(self) -> Ending | None:
        """How another run goes on behind the same inputs; it takes the place of the one that was killed.

        Raises DisturbedError where it cannot stand for the first, or the kernel killed it for lack of memory.
        """
        from grader.sandbox import MORE_MEMORY, memory_kills  # the sandbox is for Linux alone

        kills, killed_at, ending = memory_kills(), self._session.take_output(), None
        for _ in range(AGAIN):
            self._session = self._repeated()
            ending = self._session.advance()
            if ending is None or not ending.killed:
                return ending
            if memory_kills() > kills:
                raise DisturbedError("the kernel killed the program again for lack of memory", hint=MORE_MEMORY)
            if self._session.take_output() != killed_at:
                raise DisturbedError(_KILLED_ELSEWHERE, hint=_GRADE_AGAIN)
        return ending

    def _repeated(self) -> Session:
        """Another run, behind the same inputs."""
        session = self._start()
        for step in self._history:
            if isinstance(step, str):
                _give(session, step)
            elif session.advance() is not None or session.take_output() != step:
                raise DisturbedError(_KILLED_ELSEWHERE, hint=_GRADE_AGAIN)
        return session

    def take_output(self) -> bytes:
        """What was printed since last taken."""
        if self._over is not None:
            return self._over[1]
        printed = self._session.take_output()
        if self._hung is not None:
            self._hangs.seen[self._place].append((self._hung, printed))
            self._hung = None
        if self._history and isinstance(before := self._history[-1], bytes):
            self._history[-1] = before + printed
        return printed

    def take_errors(self) -> bytes:
        """What was written to the error stream since last taken, where there is one."""
        session = self._session
        return session.take_errors() if self._over is None and isinstance(session, WithErrors) else b""

    @property
    def left(self) -> Mapping[str, bytes | None]:
        """The files that were wanted, as the program left them."""
        return self._session.left if isinstance(self._session, WithFiles) else {}

    def send(self, text: str) -> None:
        """Give it what was typed."""
        self._place = (*self._place, text)
        self._history.append(text)
        _give(self._session, text)

    def close_input(self) -> None:
        """Nothing more will be typed."""
        self.send(END_OF_INPUT)

    @property
    def wants(self) -> str:
        """What the program that waits asks for."""
        return self._session.wants

    @property
    def how_waits(self) -> str:
        """How it is known that the program asks for input."""
        return self._session.how_waits

    @property
    def instructions(self) -> int:
        """How many instructions were executed since the start."""
        return self._session.instructions


def _give(session: Session, typed: str) -> None:
    if typed == END_OF_INPUT:
        session.close_input()
    else:
        session.send(typed)
