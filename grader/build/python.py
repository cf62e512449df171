"""Python programs: looked at by the interpreter that will run them, in the cage, before anything is run."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

from grader.bounded import number
from grader.build.recipe import Recipe, Task
from grader.build.tool import TOOL_LIMITS, Product, run_tool
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


# Names that `site` gives to programs: many end by `exit()`, and a course may let them import the installed packages. `runpy` would run a
# program as a module, too, but takes longer to load than an interpreter takes to start. Who draws random numbers draws the same ones
# in each run; to load `random` takes a third of a start, so that only those wait for it who use it.
PREPARED = """\
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
sys.meta_path.insert(0, Drawn())
"""
_START = """\
sys.argv = [__file__ := {main!r}, *sys.argv[1:]]
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


def _explain(status: Status, errors: str) -> Ending | None:
    """An exception that nothing caught, with the student's lines of its trace."""
    lines = errors.rstrip().splitlines()
    # A program may print a traceback itself and go on.
    if status.exit_code != 1 or not lines or "Traceback (most recent call last):" not in errors:
        return None
    # Lines of the library, and of what we start programs by, tell a student nothing.
    own = [place for line in lines if (place := _PLACE.match(line)) and place["file"][:1] not in "/<"]
    where = f"{own[-1]['file']}:{own[-1]['line']}" if own else ""
    kind = EndingKind.MEMORY_LIMIT if lines[-1].startswith("MemoryError") else EndingKind.EXCEPTION
    steps = tuple(f"{place['file']}, line {place['line']}" for place in own[-_TRACE:])
    return Ending(kind, f"uncaught exception: {lines[-1][:_SHOWN]}", place=where, last_steps=steps)


RECIPE = Recipe(
    name="ast",
    version=lambda workshop: workshop.version((INTERPRETER, "--version"), _readable()),
    make=_make,
    read=_read,
    readable=_readable,
    environment=ENVIRONMENT,
    command=lambda main: (*ISOLATED, "-c", PREPARED + _START.format(main=main)),
    explain=_explain,
)
"""How Python programs are made: by the interpreter that runs the grader."""
