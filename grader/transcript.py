"""The ordered account of a dialogue, in turns, and how the run behind it ended.

A turn is what a program printed up to a marked input (or to the end), and that input. The echo of an input belongs to
the output of the *next* turn, since the program prints it after the input.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from grader.values import dataclass


class EndingKind(StrEnum):
    """How a run ended. Which verdict follows stands in one table, ``checks.ending.VERDICTS``."""

    ENDED = "ended"  # normally: HALT, exit
    STILL_WAITING = "still-waiting"  # waits after the last input of its case
    INPUT_ENDED = "input-ended"  # read past the end of input
    OFF_END = "off-end"
    DATA_EXECUTED = "data-executed"
    ILLEGAL_INSTRUCTION = "illegal-instruction"
    UNDEFINED_TRAP = "undefined-trap"
    ACCESS_VIOLATION = "access-violation"
    PRIVILEGE_VIOLATION = "privilege-violation"
    RETURNED = "returned"  # the main program returned to where it was not called from, as `jr $ra` does under MARS
    DROPPED_OFF = "dropped-off"  # ran past its last instruction on a machine where that is a normal end
    RUNTIME_EXCEPTION = "runtime-exception"
    BAD_INPUT = "bad-input"  # read an answer that it cannot take, such as letters for a number
    BUDGET = "budget"
    NEVER_ENDS = "never-ends"
    OUTPUT_LIMIT = "output-limit"
    EXIT_CODE = "exit-code"  # ended by itself, with a code other than 0
    SIGNAL = "signal"
    EXCEPTION = "exception"  # one of the language, which nothing caught
    TIME_LIMIT = "time-limit"
    MEMORY_LIMIT = "memory-limit"
    PROCESS_LIMIT = "process-limit"
    FILE_LIMIT = "file-limit"
    UNDEFINED = "undefined-behaviour"  # broke a rule of its language, and was compiled with checks that tell


@dataclass(frozen=True, slots=True)
class Usage:
    """The use of resources by a run, in units that are the same on every machine."""

    instructions: int = 0
    turns: int = 0
    output_bytes: int = 0

    def __add__(self, other: Usage) -> Usage:
        instructions, turns = self.instructions + other.instructions, self.turns + other.turns
        return Usage(instructions, turns, self.output_bytes + other.output_bytes)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended: one sentence for the student, the place ``file:line:column``, the excerpt, the last steps.

    ``code`` is the exit code of a program that ended by itself; None if there is no such thing.
    ``errors`` is what the program wrote to standard error, which tells runs of one another in nothing. ``killed`` says that it
    was ended by a signal that no program gets for a mistake.
    """

    kind: EndingKind
    message: str
    place: str = ""
    excerpt: str = ""
    last_steps: tuple[str, ...] = ()
    code: int | None = field(default=None, compare=False)
    errors: str = field(default="", compare=False)
    killed: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Turn:
    """The output up to an input, and that input; ``typed`` is None in the last turn, which no input follows."""

    output: str
    typed: str | None = None


@dataclass(frozen=True, slots=True)
class Transcript:
    """All turns of one run, and its ending. ``turns`` has one element more than there were inputs."""

    turns: tuple[Turn, ...]
    ending: Ending
    usage: Usage

    @property
    def inputs(self) -> tuple[str, ...]:
        """The inputs that the run was given."""
        return self.inputs_before(len(self.turns) + 1)

    def inputs_before(self, turn: int) -> tuple[str, ...]:
        """The inputs that led to turn number ``turn`` (from 1)."""
        return tuple(t.typed for t in self.turns[: turn - 1] if t.typed is not None)


def decode(output: bytes) -> str:
    r"""Student output as text, in the one place that decodes it: UTF-8, and ``\xNN`` for what is not."""
    return output.decode("utf-8", "backslashreplace")


_SYMBOLS = {"\n": "⏎\n", "\r": "␍", "\t": "⇥", "\x7f": "␡"}


def garbled(text: str) -> bool:
    """Whether a text in UTF-8 was printed byte by byte, as one character each: ``Ã¼`` for ``ü``."""
    if text.isascii():
        return False
    try:
        return text.encode("latin-1").decode("utf-8") != text
    except UnicodeError:
        return False


def visible(text: str) -> str:
    """The text with blanks as ``·``, line ends as ``⏎`` and control characters as their symbols."""
    return "".join(_SYMBOLS.get(c) or ("·" if c == " " else chr(0x2400 + ord(c)) if c < " " else c) for c in text)
