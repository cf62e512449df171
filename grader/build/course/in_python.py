"""The files of a course in Python: read, and its tests collected, with nothing in the modules that a student hands in.

Theory of operation. A module that a student may hand in is an empty stand-in. What is taken from it is a stand-in as well.
A use of one (a call, a comparison, a class that inherits from it) ends the run there: everything later depends on the student.
An exception before that, in a file of the course, is the course's mistake: it would come with any submission. Scripts
that run tests by themselves are run as far as that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Final, cast

from grader.build import python, python_tests
from grader.build.course.lot import Lot, mistake, student_names
from grader.build.tool import TOOL_LIMITS, Product, run_tool
from grader.sandbox import Command
from grader.source import Diagnostic
from grader.spec.problem import near

_ERROR: Final = re.compile(r"E |ERROR: (?!usage)|(?<!\S)\S{1,200}: error: ")
_SEEN: Final = "grader_seen.json"
_LARGEST: Final = 4 << 20
_MODULE: Final = ".py"
_SHOWN: Final = 300

# Python itself asks for names with underscores; only `__all__` tells that all names are taken, and `__name__` that a test is called by one.
_SOURCE: Final = r'''
import ast, builtins, json, os, sys, traceback
from importlib.machinery import ModuleSpec
seen = {"errors": [], "tests": None, "used": False, "named": False, "refused": False}
HERE = os.getcwd() + os.sep

class Used(BaseException):
    pass

def use(*_, **__):
    seen["used"] = True
    raise Used

class Thing:
    def __getattr__(self, name):
        if name.startswith("_"):
            if name == "__name__":
                seen["named"] = True
            raise AttributeError(name)
        return Thing()
    def __init__(self, *given):
        if given:
            use()

for name in """call mro_entries iter next len bool eq ne lt le gt ge hash add radd sub rsub mul rmul truediv rtruediv floordiv mod
        pow neg pos abs invert and or xor getitem setitem contains enter exit int float index str format await""".split():
    setattr(Thing, f"__{name}__", use)

class Loader:
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        def of(name):
            if name == "__all__":
                seen["used"] = True
            if name.startswith("_"):
                raise AttributeError(name)
            return Thing()
        module.__getattr__ = of
        module.__path__ = []

class Students:
    def __init__(self, names):
        self.names = names
    def find_spec(self, name, path=None, target=None):
        known = self.names is None or name.partition(".")[0] in self.names
        return ModuleSpec(name, Loader()) if known else None

def blame(error):
    """The line of the course at which it failed."""
    if seen["used"]:
        return
    error = getattr(error, "__cause__", None) if type(error).__name__ == "CollectError" and error.__cause__ else error
    if isinstance(error, (Used, SystemExit, KeyboardInterrupt)):
        return
    frames = [f for f in traceback.extract_tb(error.__traceback__) if os.path.abspath(f.filename).startswith(HERE)]
    ours = [f for f in frames if os.path.basename(f.filename) in given["files"]]
    place = (os.path.basename(ours[-1].filename), ours[-1].lineno) if ours else ("", 0)
    if isinstance(error, SyntaxError) and error.filename and os.path.basename(error.filename) in given["files"]:
        place = (os.path.basename(error.filename), error.lineno or 1)
    said = f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}"
    if place[0]:
        seen["errors"].append((*place, said))

def read():
    for name in given["files"]:
        try:
            compile(open(name, "rb").read(), name, "exec", ast.PyCF_ONLY_AST)
        except (SyntaxError, ValueError) as error:
            seen["errors"].append((name, getattr(error, "lineno", 1) or 1, f"{type(error).__name__}: {getattr(error, 'msg', error)}"))

def collect():
    import pytest
    from _pytest.junitxml import mangle_test_address
    names = []
    class Watch:
        def pytest_exception_interact(self, node, call, report):
            blame(call.excinfo.value)
        def pytest_collection_modifyitems(self, items):
            names.extend(".".join(mangle_test_address(item.nodeid)) for item in items)
    code = pytest.main(["-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir=.", "--confcutdir=.", "--collect-only", "-q", *given["words"]], [Watch()])
    if not seen["used"] and not seen["errors"]:
        seen["tests"] = names if int(code) in (0, 5) and not seen["named"] else None
        seen["refused"] = int(code) == 4

def run():
    sys.argv = given["words"]
    sys.path[:0] = [""]
    try:
        exec(compile(open(sys.argv[0], "rb").read(), HERE + sys.argv[0], "exec"), {"__name__": "__main__", "__file__": sys.argv[0]})
    except BaseException as error:
        blame(error)

given = json.loads(sys.argv[1])
read()
if given["words"] is not None and not seen["errors"]:
    sys.meta_path.insert(0, Students(given["students"]))
    if given["open"]:
        sys.meta_path.append(Students(None))
    try:
        (collect if given["pytest"] else run)()
    except BaseException as error:
        blame(error)
with open(sys.argv[2], "w") as file:
    json.dump(seen, file)
os._exit(0)
'''


def mistakes(lot: Lot) -> tuple[Diagnostic, ...]:
    """Mistakes in the course's modules, whatever is handed in. Raises JudgeError where a tool of ours fails."""
    if not lot.ending(_MODULE):
        return ()
    words = lot.tests.run if lot.tests else ()
    depends_on = (python.RECIPE.version(lot.workshop), _SOURCE, *words, "--", *_wanted(lot))
    product = lot.seen(depends_on, lambda: _look(lot, words))
    return tuple(_told(json.loads(product.said), lot)) if product.said else ()


def _look(lot: Lot, words: tuple[str, ...]) -> Product:
    readable = (*python.RECIPE.readable(), *python_tests.readable(words))
    names = student_names(lot.spec)
    given = {
        "files": lot.ending(_MODULE),
        "words": list(words[1:]) if words else None,
        "pytest": words[:1] == ("pytest",),
        "students": [PurePosixPath(name).stem for name in names if name.endswith(_MODULE) and name not in lot.contents],
        "open": any("*" in name and fnmatchcase(f"x{_MODULE}", name) for name in names),
    }
    with lot.workshop.cage(readable).furnish(lot.contents) as cage:
        command = python_tests.probe(_SOURCE, (json.dumps(given), _SEEN), words)
        run = run_tool(cage, Command(command, TOOL_LIMITS, python.ENVIRONMENT))
        report = cage.take(_SEEN, _LARGEST)
    seen = json.loads(report) if report is not None else dict.fromkeys(("errors", "tests", "refused"))
    seen["said"] = run.errors[-_LARGEST:] if seen["refused"] else ""
    return Product({}, json.dumps(seen) if any(_told(seen, lot)) else "")


def _told(seen: dict[str, object], lot: Lot) -> Iterator[Diagnostic]:
    texts = lot.texts
    errors = cast("list[tuple[str, int, str]]", seen["errors"] or [])
    for name, line, message in errors:
        yield mistake(message[:_SHOWN], texts[name].span(line, 1))
    if seen["refused"] and not errors:
        lines = [line.removeprefix("E ").strip() for line in str(seen["said"]).splitlines() if _ERROR.match(line)]
        reason = lines[-1][:_SHOWN] if lines else "it does not say why"
        command = " ".join(lot.tests.run) if lot.tests else ""
        yield mistake(f"pytest does not begin with `{command}`: {reason}")
    if seen["tests"] is not None:
        yield from _differing(lot, cast("list[str]", seen["tests"]))


def _wanted(lot: Lot) -> tuple[str, ...]:
    """The tests that there must be: those of all cases that share the run, and its guards."""
    if lot.tests is None:
        return ()
    sharing = [case.tests for case in lot.spec.cases if case.tests and case.tests.same_run == lot.tests.same_run]
    return (*(name for tests in sharing for name in tests.expects), *lot.tests.guards)


def _differing(lot: Lot, collected: list[str]) -> Iterator[Diagnostic]:
    """Tests that are expected and not there, and those that are there and that nobody expects."""
    wanted = _wanted(lot)
    there = {name: [one for one in collected if one == name or one.endswith(f".{name}")] for name in wanted}
    for name in (name for name in wanted if not there[name]):
        hint = near(name, [one.rpartition(".")[2] for one in collected], "they have")
        yield mistake(f"the files of its tests have no test `{name}`", hint=hint)
    taken = {one for names in there.values() for one in names}
    for one in (one for one in collected if one not in taken):
        message = f"the files of its tests have a test `{one}`, and no case expects it: a person would have to look at each run"
        yield mistake(message, hint="add it to `expects`, or to `guards` where it is written to fail")
