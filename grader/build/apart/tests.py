"""The process of the tests: pytest, or a script of the course's, with the modules of the program as handles."""

from __future__ import annotations

import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from grader.build.apart.handles import TIMED_OUT, Finder, Tests

if TYPE_CHECKING:
    from types import FrameType

    import pytest


class TimeLimitError(BaseException):
    """A test computes for too long: it, or the program that it calls."""

    __module__ = "builtins"  # shown without it


def end(names: Sequence[str], equality: Sequence[str], own: Sequence[str]) -> Tests:
    """The end of the tests, in which modules of the program can be imported."""
    tests = Tests(3, equality, own)
    tests.too_long = TimeLimitError
    sys.meta_path.insert(0, Finder(tests, names))
    return tests


def run_pytest(words: Sequence[str], cpu: float, begin: Callable[[], None] = lambda: None) -> int:
    """The exit code of pytest, which tells with ``begin`` that a test begins.

    A test may compute for half of what is left of ``cpu`` seconds, so that one that never ends leaves something to others.
    """
    import pytest

    def too_long(_number: int, _frame: FrameType | None) -> None:
        raise TimeLimitError(TIMED_OUT)

    class Shares:
        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_call(self, item: pytest.Item) -> Iterator[Any]:  # noqa: ARG002
            begin()
            left = (cpu - time.process_time()) / 2
            signal.setitimer(signal.ITIMER_PROF, max(left, 0.01), 0.05)
            try:
                return (yield)
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)

    signal.signal(signal.SIGPROF, too_long)
    # Without `--confcutdir` pytest lists all folders above, which Landlock forbids. The header has the version of pluggy, which is
    # found only where it was installed.
    options = ["-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir=.", "--confcutdir=.", "--no-header", "-s"]
    return int(pytest.main([*options, *words], [Shares()]))


def run_script(words: Sequence[str]) -> None:
    """Run a script of the course's as Python runs one."""
    sys.argv[:] = words
    space = {"__name__": "__main__", "__file__": words[0]}
    try:
        with open(words[0], "rb") as file:  # noqa: PTH123 -- loads faster
            exec(compile(file.read(), words[0], "exec"), space)  # noqa: S102 -- the course's own
    except Exception as error:  # noqa: BLE001 -- shown as Python shows it
        sys.stderr.write(_shown(error))
        sys.exit(1)


def _shown(error: Exception) -> str:
    """An exception as if tests and program were one: the lines of the program stand behind those of the tests."""
    frames = [one for one in traceback.extract_tb(error.__traceback__) if not one.filename.startswith("<")]
    places = [(one.filename, str(one.lineno), one.name) for one in frames]
    places += [
        (file, line, name) for file, line, name in (note.split(":", 2) for note in getattr(error, "__notes__", ()))
    ]
    lines = [f'  File "{file}", line {line}, in {name.strip().removeprefix("in ")}' for file, line, name in places]
    if hasattr(error, "__notes__"):
        del error.__notes__
    return "\n".join(["Traceback (most recent call last):", *lines, *traceback.format_exception_only(error)])
