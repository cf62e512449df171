"""Tests in Python: pytest as it is installed beside the grader, or a script of the course's, in a cage that shows no more of either.

A program sees only those packages of the folder around pytest that pytest needs, each by its place. The others may be
anything, and a cage that cannot list the folder would still find them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from grader.build.apart import loading
from grader.build.python import ISOLATED, PREPARED, RECIPE
from grader.errors import JudgeError

_NEEDED = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging")
_PACKAGES = (*_NEEDED, "py", "pygments", "exceptiongroup", "tomli", "typing_extensions")

# Pytest is imported before the folder of the run is looked into: a file there may have the name of one of its modules.
_WITH_PYTEST = """\
import builtins, site, sys
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


def command(words: Sequence[str], cpu: float) -> tuple[str, ...]:
    """The command for ``pytest …`` or ``python SCRIPT …``, which may compute for so long. Raises JudgeError where there is no pytest."""
    if _calls_pytest(words):
        return probe(f"{_tests()}sys.exit(tests.run_pytest({[*words[1:]]}, {cpu}))\n", (), words)
    return (*RECIPE.command(words[1]), *words[2:])


def apart(
    words: Sequence[str], cpu: float, names: Iterable[str], equality: Iterable[str], own: Iterable[str]
) -> tuple[str, ...]:
    """The command of the same tests in a process of their own, in which modules with these ``names`` are those of the program.

    The others are as ``apart.handles.Tests`` takes them. Raises JudgeError as ``command`` does.
    """
    text = f"{_tests()}end = tests.end({[*names]}, {[*equality]}, {[*own]})\n"
    if _calls_pytest(words):
        return probe(f"{text}sys.exit(tests.run_pytest({[*words[1:]]}, {cpu}, end.begin))\n", (), words)
    return probe(f"sys.path[:0] = ['']\n{text}tests.run_script({[*words[1:]]})\n", (), words)


def _tests() -> str:
    return f"{loading('line', 'operators', 'handles', 'tests')}tests = sys.modules['grader.build.apart.tests']\n"


def program(cpu: float) -> tuple[str, ...]:
    """The command of the process that such tests call: it may compute for ``cpu`` seconds."""
    text = PREPARED + loading("line", "operators", "program")
    return (*ISOLATED, "-c", f"{text}sys.modules['grader.build.apart.program'].run({cpu})\n")


def probe(program: str, given: Sequence[str], words: Sequence[str]) -> tuple[str, ...]:
    """The command for a program of ours, given such arguments, that finds what the tests of the command ``words`` find.

    Raises JudgeError as ``command`` does.
    """
    places = _found() if _calls_pytest(words) else {}
    start = _WITH_PYTEST.format(places={name: str(place) for name, place in places.items()})
    return (*ISOLATED, "-c", start + program, *given)


def readable(words: Sequence[str]) -> tuple[Path, ...]:
    """Paths that a cage must show for this command besides the interpreter. Raises JudgeError where there is no pytest."""
    places = _found().values() if _calls_pytest(words) else ()
    return tuple(place.parent if place.name == "__init__.py" else place for place in places)


def _calls_pytest(words: Sequence[str]) -> bool:
    return [*words[:1]] == ["pytest"]


def _found() -> Mapping[str, Path]:
    """The place of the packages of pytest that are installed beside the grader."""
    specs = {name: find_spec(name) for name in _PACKAGES}
    places = {name: Path(spec.origin).resolve() for name, spec in specs.items() if spec is not None and spec.origin}
    # The others of them are needed by some versions of pytest alone.
    lacking = [name for name in _NEEDED if name not in places]
    if lacking:
        raise JudgeError("pytest is not installed beside the grader", hint="pip install pytest, where the grader is")
    return places
