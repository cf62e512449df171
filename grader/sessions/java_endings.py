"""How Java programs end, in words: exit codes, and exceptions that nothing caught, with the student's own lines."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from grader.sandbox import Status
from grader.source import SourceFile
from grader.transcript import Ending, EndingKind
from grader.values import dataclass

_SHOWN: Final = 300  # characters shown of an exception's message
_STEPS: Final = 8  # innermost calls shown of its trace
_HEAD: Final = re.compile(
    r'Exception in thread "main" (?P<what>\S.*?)(?=\n\tat |\nCaused by: |\Z)', re.MULTILINE | re.DOTALL
)
_CAUSE: Final = re.compile(
    r"^Caused by: (?P<what>\S.*?)(?=\n\tat |\nCaused by: |\n\t\.\.\. |\Z)", re.MULTILINE | re.DOTALL
)
_FRAME: Final = re.compile(
    r"^\tat (?:[^\s(]*/)?(?P<method>[^\s(/]+)\((?P<file>[^:()\n]+):(?P<line>\d{1,9})\)$", re.MULTILINE
)
_NO_MEMORY: Final = re.compile(r"^Exception.*java\.lang\.OutOfMemoryError", re.MULTILINE)
_NO_THREAD: Final = "unable to create native thread"
_PLATFORM: Final = re.compile(r"^(?:java|javax|jdk|sun)\.(?:\w+\.)*")
_WRAPPER: Final = "java.lang.ExceptionInInitializerError"
_ENDLESS: Final = "java.lang.StackOverflowError"


@dataclass(frozen=True, slots=True)
class Endings:
    """How runs of one program end; ``classes`` are the names of its classes, ``sources`` the student's files."""

    classes: frozenset[str]
    sources: tuple[SourceFile, ...] = ()

    def explain(self, status: Status, written: str) -> Ending | None:
        """The end of a JVM, or of a run in one: an exception that nothing catches in the main thread makes the exit code 1."""
        if status.signal is not None:
            message = f"the Java machine was ended by signal {status.signal}"
            return Ending(EndingKind.SIGNAL, message, killed=status.killed)
        return self._thrown(written.replace("\r\n", "\n")) if status.exit_code == 1 else None

    def _thrown(self, errors: str) -> Ending | None:
        """The ending that standard error tells of; None if it tells of none."""
        # Of several exceptions the last one counts: a program may have printed the earlier ones itself.
        heads = tuple(_HEAD.finditer(errors))
        if not heads:
            # If even the trace of the exception does not fit into memory, a JVM prints one line.
            return Ending(EndingKind.MEMORY_LIMIT, _out_of_memory("")) if _NO_MEMORY.search(errors) else None
        trace = errors[heads[-1].start() :]
        what = heads[-1]["what"]
        causes = tuple(_CAUSE.finditer(trace))
        # An exception in a static initializer hides behind an error of the JVM’s own.
        if causes and what.startswith(_WRAPPER):
            what, trace, causes = causes[0]["what"], trace[causes[0].start() :], causes[1:]
        kind, message = _in_words(what)
        if causes:
            message += f", caused by {_named(causes[-1]['what'])}"
        steps = tuple(step for step in _FRAME.finditer(trace) if step["method"].rpartition(".")[0] in self.classes)
        place, excerpt = self._shown(steps)
        shown = tuple(f"{step['method']} ({step['file']}:{step['line']})" for step in steps[:_STEPS])
        return Ending(kind, message, place, excerpt, shown)

    def _shown(self, steps: tuple[re.Match[str], ...]) -> tuple[str, str]:
        """The place: the innermost line of a source, or else of any class of the program; and that line."""
        by_name = {PurePosixPath(source.name).name: source for source in self.sources}
        for step in steps:
            source, line = by_name.get(step["file"]), int(step["line"])
            if source is not None and 0 < line <= len(source.lines):
                return f"{source.name}:{line}", source.line_span(line).excerpt()
        return (f"{steps[0]['file']}:{steps[0]['line']}", "") if steps else ("", "")


def _in_words(what: str) -> tuple[EndingKind, str]:
    """The thrown exception, as ``java.lang.X: message``."""
    if what.startswith(_ENDLESS):
        return EndingKind.EXCEPTION, "a method calls itself without end (StackOverflowError)"
    if _NO_THREAD in what:
        return EndingKind.PROCESS_LIMIT, "it started more threads than it may"
    if what.startswith("java.lang.OutOfMemoryError"):
        return EndingKind.MEMORY_LIMIT, _out_of_memory(what)
    return EndingKind.EXCEPTION, f"uncaught exception: {_named(what)}"


def _out_of_memory(what: str) -> str:
    detail = _named(what.partition(": ")[2])
    return f"it used more memory than it may (OutOfMemoryError{': ' if detail else ''}{detail})"


def _named(what: str) -> str:
    """On one line, and without the package where it is one of the platform."""
    return " ".join(_PLATFORM.sub("", what[: 2 * _SHOWN]).split())[:_SHOWN]
