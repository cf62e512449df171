"""Python programs, looked at in the cage by the interpreter that will run them, before anything is run; and tests in Python.

Tests are those of pytest as it is installed beside the grader, or a script of the course's, in a cage that shows no more of either.
Of the folder in which pytest is installed a program sees what pytest needs, each package by its place: the others may be
anything, and a cage that cannot list the folder finds them all the same.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from grader.bounded import number
from grader.build.recipe import Recipe, Task
from grader.build.tool import TOOL_LIMITS, Product, run_tool
from grader.errors import JudgeError
from grader.sandbox import Command, Status
from grader.source import Diagnostic, Severity, SourceFile
from grader.spec.kinds.tests import UnitTests
from grader.transcript import Ending, EndingKind

# A virtual environment made with --copies holds an interpreter of its own, in a folder that no program sees.
INTERPRETER = str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
# Isolated as by -I, which would pass over PYTHONHASHSEED: with it sets have the same order in each run. Without `site`, which
# takes most of the time of a start, since it runs what the `.pth` files of this interpreter say.
ISOLATED = (INTERPRETER, "-P", "-s", "-S", "-B", "-u", "-X", "utf8")
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}
# In the cage: to parse what is nested deeply enough ends an interpreter, and this must not be ours.
_CHECK = "import ast, sys\nfor name in sys.argv[1:]: ast.parse(open(name, 'rb').read(), name)\n"
_PLACE = re.compile(r'  File "(?P<file>[^"]+)", line (?P<line>\d+)')
_SHOWN, _TRACE = 300, 8
_ERROR = re.compile(r"^(?:(?:Syntax|Indentation|Tab|Value|Recursion|Memory)Error): ?(?P<message>.*)$")


# What `site` gives to programs: many end by `exit()`, and a course may let them import what is installed. `runpy` would run a
# program as a module, too, but takes longer to load than an interpreter takes to start. Who draws random numbers draws the same ones
# in each run; to load `random` takes a third of a start, so that only those wait for it who use it.
_START = """\
import builtins, site, sys
class Drawn:
    def find_spec(self, name, path=None, target=None):
        if name == 'random':
            import os, sys
            from importlib.machinery import PathFinder
            sys.meta_path.remove(self)
            found = PathFinder.find_spec(name)
            load, seed = found.loader.exec_module, os.environ.get('GRADER_SEED', '0')
            found.loader.exec_module = lambda module: (load(module), getattr(module, 'seed', id)(seed))
            return found
from _sitebuiltins import Quitter, _Helper
builtins.exit, builtins.quit, builtins.help = Quitter('exit', 'Ctrl-D'), Quitter('quit', 'Ctrl-D'), _Helper()
sys.path = ['', *sys.path, *site.getsitepackages()]
sys.argv = [__file__ := {main!r}, *sys.argv[1:]]
sys.meta_path.insert(0, Drawn())
del Drawn, builtins, site, sys, Quitter, _Helper
exec(compile(open(__file__, 'rb').read(), __file__, 'exec'))
"""


def _make(task: Task, _: UnitTests | None) -> Product:
    """The files themselves where the interpreter can read them all, else none and what it said."""
    files = task.files
    with task.workshop.cage(_readable()).furnish(files) as cage:
        run = run_tool(cage, Command((*ISOLATED, "-c", _CHECK, *task.names), TOOL_LIMITS, ENVIRONMENT))
    return Product(files) if run.succeeded else Product({}, run.errors, run.stopped)


def _readable() -> tuple[Path, ...]:
    return (Path(sys.base_prefix),)


def _read(product: Product, sources: Mapping[str, SourceFile]) -> tuple[Diagnostic, ...]:
    """The error that the interpreter told, with its place."""
    if product.files or product.stopped:
        return product.stop()
    lines = product.said.splitlines()
    message = next((m["message"] for line in reversed(lines) if (m := _ERROR.match(line))), lines[-1] if lines else "")
    places = [m for line in lines if (m := _PLACE.match(line)) and m["file"] in sources]
    line = number(places[-1]["line"]) if places else None
    # A caret stands under the line that is shown, which is indented by four.
    caret = next((line for line in lines if line.strip().startswith("^")), "")
    span = None if line is None else sources[places[-1]["file"]].span(line, max(1, caret.find("^") - 3))
    return (Diagnostic(Severity.ERROR, "syntax", message, span, ""),)


def _explain(status: Status, said: str) -> Ending | None:
    """An exception that nothing caught, with the student's lines of its trace."""
    lines = said.rstrip().splitlines()
    # A program may print a traceback itself and go on.
    if status.exit_code != 1 or not lines or "Traceback (most recent call last):" not in said:
        return None
    # Lines of the library, and of what we start programs by, tell a student nothing.
    own = [place for line in lines if (place := _PLACE.match(line)) and place["file"][:1] not in "/<"]
    where = f"{own[-1]['file']}:{own[-1]['line']}" if own else ""
    kind = EndingKind.MEMORY_LIMIT if lines[-1].startswith("MemoryError") else EndingKind.EXCEPTION
    steps = tuple(f"{place['file']}, line {place['line']}" for place in own[-_TRACE:])
    return Ending(kind, f"an exception that nothing caught: {lines[-1][:_SHOWN]}", place=where, last_steps=steps)


RECIPE = Recipe(
    name="ast",
    version=lambda workshop: workshop.version((INTERPRETER, "--version"), _readable()),
    make=_make,
    read=_read,
    readable=_readable,
    environment=ENVIRONMENT,
    command=lambda main: (*ISOLATED, "-c", _START.format(main=main)),
    explain=_explain,
)
"""How Python programs are made: by the interpreter that runs the grader."""


# --------------------------------------------------------------------------------------------------------------- tests

_NEEDED = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging")
_PACKAGES = (*_NEEDED, "pygments", "exceptiongroup", "tomli", "typing_extensions")

TOO_LONG = "TimeLimitError"
"""What a test is ended by that computes for too long."""

# A test may compute for half of what its run has left, so that one that never ends leaves something to the others.
# Pytest is imported before the folder of the run is looked into: a file there may have the name of one of its modules.
_WITH_PYTEST = """\
import builtins, signal, site, sys, time
from _sitebuiltins import Quitter, _Helper
builtins.exit, builtins.quit, builtins.help = Quitter('exit', 'Ctrl-D'), Quitter('quit', 'Ctrl-D'), _Helper()
from importlib.util import spec_from_file_location
places = {places!r}
class Given:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return spec_from_file_location(name, places[name]) if name in places else None
sys.meta_path.insert(0, Given)
sys.path += site.getsitepackages()
"""
_PYTEST = """\
import pytest
class {error}(BaseException):
    pass
class Shares:
    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        signal.setitimer(signal.ITIMER_PROF, max(({cpu} - time.process_time()) / 2, 0.01), 0.05)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
def end(*_):
    raise {error}('it computed for too long')
signal.signal(signal.SIGPROF, end)
sys.exit(pytest.main(['-p', 'no:cacheprovider', '-c', '/dev/null', '--rootdir=.', '-s', *{words!r}], [Shares()]))
"""


def test_command(words: Sequence[str], cpu: float) -> tuple[str, ...]:
    """The command for ``pytest …`` or ``python SCRIPT …``, which may compute for so long. Raises JudgeError where there is no pytest."""
    if _calls_pytest(words):
        return probe(_PYTEST.format(words=[*words[1:]], cpu=cpu, error=TOO_LONG), (), words)
    return (*RECIPE.command(words[1]), *words[2:])


def probe(program: str, given: Sequence[str], words: Sequence[str]) -> tuple[str, ...]:
    """The command for a program of ours, given such arguments, that finds what the tests of the command ``words`` find.

    Raises JudgeError as ``test_command`` does.
    """
    found = _pytest_places() if _calls_pytest(words) else {}
    start = _WITH_PYTEST.format(places={name: str(place) for name, place in found.items()})
    return (*ISOLATED, "-c", start + program, *given)


def shown_to_tests(words: Sequence[str]) -> tuple[Path, ...]:
    """What a cage must show for this command of tests besides the interpreter. Raises JudgeError where there is no pytest."""
    places = _pytest_places().values() if _calls_pytest(words) else ()
    return tuple(place.parent if place.name == "__init__.py" else place for place in places)


def _calls_pytest(words: Sequence[str]) -> bool:
    return [*words[:1]] == ["pytest"]


def _pytest_places() -> Mapping[str, Path]:
    """Where the packages of pytest lie that are installed beside the grader."""
    specs = {name: find_spec(name) for name in _PACKAGES}
    found = {name: Path(spec.origin).resolve() for name, spec in specs.items() if spec is not None and spec.origin}
    # The others of them are needed by some versions of pytest alone.
    lacking = [name for name in _NEEDED if name not in found]
    if lacking:
        raise JudgeError("pytest is not installed beside the grader", hint="pip install pytest, where the grader is")
    return found
