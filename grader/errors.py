"""The exception tree, and the exit code that each branch means to a shell.

    GraderError
    ├── UsageError          2    the command cannot be carried out as it was given
    ├── SpecError           3    the spec is wrong; carries every problem with its place
    └── JudgeError          4    our own fault: never a lost point
        └── DisturbedError  4    the machine's fault: it killed or held up a program; once more, alone, may help

A fault in a *submission* is never an exception: it is a verdict, a finding or a diagnostic. Exceptions travel up to
``grading``, where whatever is not a GraderError becomes the verdict ``judge-error`` as well.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from grader.source import Diagnostic

EXIT_OK = 0
EXIT_POINTS_LOST = 1
EXIT_USAGE = 2
EXIT_SPEC = 3
EXIT_JUDGE = 4
# Something that was asked for stays open: no point could be judged, or grades were left out of an export.
EXIT_OPEN = 5
EXIT_INTERRUPTED = 130  # as shells have it for Ctrl-C: 128 and the number of the signal


class GraderError(Exception):
    """The root of all errors that the grader raises on purpose.

    ``place`` is a file, ``file:line:column`` or an archive member; ``hint`` says what to try. Either may be empty.
    """

    exit_code: ClassVar[int] = EXIT_JUDGE

    def __init__(self, message: str, *, place: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.hint = hint

    def __str__(self) -> str:
        located = f"{self.place}: {self.message}" if self.place else self.message
        return f"{located} ({self.hint})" if self.hint else located


class UsageError(GraderError):
    """The command cannot be carried out as given: a missing file, clashing options, a folder of another batch."""

    exit_code: ClassVar[int] = EXIT_USAGE


class SpecError(GraderError):
    """A spec is wrong. ``diagnostics`` holds every problem that was found, in the order of the file."""

    exit_code: ClassVar[int] = EXIT_SPEC

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__("\n".join(problem.one_line() for problem in diagnostics))
        self.diagnostics = diagnostics


class JudgeError(GraderError):
    """The grader's own fault, or that of what the course supplied (a crashing reference, an unreadable fixture)."""

    exit_code: ClassVar[int] = EXIT_JUDGE


class DisturbedError(JudgeError):
    """Something that we ran did not end as it would alone on a machine with room for it.

    A batch grades such a submission once more, at its end and with nothing beside it.
    """


@contextmanager
def refusals(what: str, place: object, hint: str = "", kind: type[GraderError] = UsageError) -> Iterator[None]:
    """Raises such an error where the system refuses something: ``what``, with the reason of the system in the place of ``{}``."""
    try:
        yield
    except OSError as fault:
        raise kind(what.format(fault.strerror or fault), place=str(place), hint=hint) from fault


def lack_of(error: BaseException) -> JudgeError | None:
    """The shortcoming of the machine that caused this, with advice; None if we know of none."""
    number = error.errno if isinstance(error, OSError) else None
    # The exit code says that it is the machine's fault, and a batch grades such a submission again.
    if isinstance(error, MemoryError) or number == errno.ENOMEM:
        return JudgeError("this machine has not enough memory", hint="close other programs, or use one worker: -j 1")
    if number in (errno.EMFILE, errno.ENFILE):
        return JudgeError("this machine lets us open no more files", hint="allow more: ulimit -n 1024")
    # Python has no error of its own for a thread that the system refuses.
    if number == errno.EAGAIN or (isinstance(error, RuntimeError) and "start new thread" in str(error)):
        hint = "allow more, ulimit -u 4096, or use one worker: -j 1"
        return JudgeError("this machine lets us start no more processes or threads", hint=hint)
    return None
