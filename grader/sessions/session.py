"""The few verbs that everything which talks offers, and the drivers: one plays a list of inputs, one gives all input as a file does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from types import MappingProxyType
from typing import Protocol, Self, runtime_checkable

from grader.spec.expectations import ENTER
from grader.spec.kinds.beginning import Beginning
from grader.spec.things import Thing, read_thing
from grader.transcript import Ending, EndingKind, Transcript, Turn, Usage, decode
from grader.values import dataclass

END_OF_INPUT = "\x04"
"""The sign for Ctrl-D among inputs."""


class Session(Protocol):
    """One live run of a program."""

    def advance(self) -> Ending | None:
        """Run until the program waits for input (None) or has ended."""

    def take_output(self) -> bytes:
        """The output since the last call."""

    def send(self, text: str) -> None:
        """Give it what was typed."""

    def close_input(self) -> None:
        """Nothing more will be typed."""

    @property
    def wants(self) -> str:
        """The kind of input that a waiting program asks for: a ``key``, a ``line``, an ``integer`` or another number."""

    @property
    def how_waits(self) -> str:
        """The evidence for a wait for input: ``exact`` for an event, otherwise ``proc`` or ``timeout``."""

    @property
    def instructions(self) -> int:
        """The number of instructions executed since the start; 0 if nobody counts."""


@runtime_checkable
class Forking(Session, Protocol):
    """A session that can be taken up twice: of a simulated machine. A native program must be started anew for that."""

    def fork(self) -> Self:
        """An independent session in the same state."""

    @property
    def place(self) -> tuple[int, ...]:
        """The place in its code where the program waits, and the address to which that code returns."""


@runtime_checkable
class WithErrors(Session, Protocol):
    """A session of a program that also has an error stream; a terminal shows both."""

    def take_errors(self) -> bytes:
        """The error stream since the last call."""


@runtime_checkable
class WithFiles(Session, Protocol):
    """A session of a program that has a folder."""

    @property
    def left(self) -> Mapping[str, bytes | None]:
        """The files that were ``wanted``, as the program left them when it ended; None for one that is not there."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The setup of a run besides its input: ``arguments`` of its command, and ``files`` in its folder.

    A simulated machine is ``given`` things in registers and memory, and gets ``keys`` after so many instructions, or as soon as its
    program waits for one. ``wanted`` are the files that are looked at when it has ended.
    """

    arguments: tuple[str, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))
    wanted: tuple[str, ...] = ()
    given: Mapping[str, Thing] = field(default_factory=lambda: MappingProxyType({}))
    keys: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(cls, beginning: Beginning | None, wanted: tuple[str, ...] = ()) -> Setup:
        """The setup of a run by a spec."""
        if beginning is None:
            return cls(wanted=wanted)
        files = {name: content.data for name, content in beginning.files.items()}
        things = {place: read_thing(thing) for place, thing in beginning.given.items()}
        return cls(beginning.arguments, files, wanted, things, beginning.keys)

    @property
    def plain(self) -> bool:
        """Whether nothing is set up, as for most runs."""
        return not (self.has_folder or self.given or self.keys)

    @property
    def has_folder(self) -> bool:
        """Whether the run has arguments or files of its own, or leaves files."""
        return bool(self.arguments or self.files or self.wanted)


USUAL = Setup()


class Program(Protocol):
    """A built program that can be started again and again; starting it ends the session before."""

    def start(self, profile: str, *, seed: int | None = None, setup: Setup = USUAL) -> Session:
        """A session at the first instruction, under one of the profiles for which the program was built."""


WAITS_ON = Ending(EndingKind.STILL_WAITING, "the program waits for more input")


def give(session: Session, answer: str) -> None:
    """Type an answer at a wait: a line with its Enter, a key without."""
    session.send(answer if session.wants == "key" else answer + ENTER)


class Account:
    """A live session written down turn by turn.

    ``output`` is what the current turn has printed, and ``silent`` says that nothing but white space was printed in any turn so far.
    ``aside`` is what it has written to the error stream, while the program lives.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._turns: list[Turn] = []
        self._size = 0
        self._take_errors = session.take_errors if isinstance(session, WithErrors) else bytes
        self._errors = ""
        self.output = self.aside = ""
        self.silent = True

    @property
    def turn(self) -> int:
        """The number of the current turn, from 1."""
        return len(self._turns) + 1

    def listen(self) -> Ending | None:
        """Run until the program waits (None) or has ended."""
        ending = self._session.advance()
        printed = self._session.take_output()
        self._size += len(printed)
        self.output = decode(printed)
        self.silent = self.silent and not self.output.strip()
        self.aside = "" if ending else decode(self._take_errors())
        self._errors += self.aside
        return ending

    def say(self, typed: str) -> None:
        """Type something, which closes the turn; ``END_OF_INPUT`` ends the input."""
        self._turns.append(Turn(self.output, typed))
        if typed == END_OF_INPUT:
            self._session.close_input()
        else:
            self._session.send(typed)

    def closed(self, ending: Ending | None) -> Transcript:
        """The whole account; None for the ending of a program that is left waiting."""
        usage = Usage(self._session.instructions, self.turn, self._size)
        # A text on the error stream of a waiting program is often a question or a debugging print: a report shows it.
        last = ending or WAITS_ON
        return Transcript((*self._turns, Turn(self.output)), replace(last, errors=self._errors + last.errors), usage)


def play(session: Session, inputs: Iterable[str], *, enter: bool = False) -> Transcript:
    """Give each input when the program waits for it, until it ends or the inputs are used up.

    With ``enter`` Enter is typed after an input wherever more than a key is asked for, and it does not end with one. A program that
    waits after the last input is left waiting: its input is not closed.
    """
    account = Account(session)
    for text in inputs:
        ending = account.listen()
        if ending is not None:
            return account.closed(ending)
        account.say(text + ENTER if enter and session.wants != "key" and not text.endswith(ENTER) else text)
    return account.closed(account.listen())


@dataclass(frozen=True, slots=True)
class Piped:
    """The result of one run: its output, its error stream, the files that it left in its folder, and how it ended.

    ``reads`` is how often it waited for input and got some.
    """

    output: bytes
    errors: bytes
    left: Mapping[str, bytes | None]
    ending: Ending
    usage: Usage = field(default_factory=Usage)
    reads: int = 0


def pipe(session: Session, text: str, *, bit_by_bit: bool) -> Piped:
    """Run a program to its end on this input. It need not read it.

    A simulated machine gets its input ``bit_by_bit``: a key or a line whenever it waits for one, as from somebody who types. A
    program that looks whether a key was pressed would else find all of them there at once.
    """
    output, errors, reads = b"", b"", 0
    # To look for it takes longer than a key.
    take_errors = session.take_errors if isinstance(session, WithErrors) else bytes
    at, closed = 0, False
    while True:
        ending = session.advance()
        output += session.take_output()
        errors += take_errors()
        if ending is not None or closed:
            break
        end = len(text)
        if bit_by_bit:
            # Without Enter at its end a last line comes as it is.
            end = at + 1 if session.wants == "key" else text.find(ENTER, at) + 1 or end
        part, at = text[at:end], end
        if part:
            session.send(part)
            reads += 1
        # One that reads a line more than there is must find the end of the input, and not wait.
        if not part or not bit_by_bit:
            session.close_input()
            closed = True
    left = session.left if isinstance(session, WithFiles) else {}
    usage = Usage(session.instructions, reads + 1, len(output))
    return Piped(output, errors, left, ending or WAITS_ON, usage, reads)
