"""Tests in Python have a process of their own: they do with a program what they could do in its process, and it cannot reach its results."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from grader.build import python_tests
from grader.grading import Grading
from grader.results import CaseResult, Grade
from grader.spec.kinds.divided import reaches
from grader.spec.loader import load_assignment
from grader.submission import Form
from tests.graded import handed_in

LAB = Path(__file__).parents[2] / "fixtures" / "apart" / "lab"

SPEC = """\
assignment: apart
title: Apart
submission: {required: [work.py]}
program: {language: python, sources: [work.py]}
limits: {cpu: 4 s, wall: 20 s, memory: 128 MiB}
rubric: [{id: all, title: All, points: 4, counts: each}]
cases:
  - id: all
    title: All
    criterion: all
    tests:
      files: [test_work.py]
      run: [pytest, -q, --junitxml=report.xml, test_work.py]
      junit: report.xml
      expects: [test_first, test_given, test_taken, test_last]
"""

TESTS = """\
import work
import pytest
from work import double


def test_first():
    assert double(2) == 4


def test_given():
    assert work.applied(lambda value: value + 1, 3) == 4


def test_taken():
    with pytest.raises(ValueError):
        double("x")


def test_last():
    assert double(5) == 10
"""

RIGHT = """\
def double(number):
    if isinstance(number, str):
        raise ValueError("a text")
    return 2 * number


def applied(function, value):
    return function(value)
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """A folder with a spec and its tests."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "apart.yaml").write_text(SPEC)
    (folder / "test_work.py").write_text(TESTS)
    return folder / "apart.yaml"


def grade(spec: Path, text: str, name: str = "work.py") -> Grade:
    """The grade of a program with this text."""
    with Grading(load_assignment(spec)) as grading:
        return grading.grade(handed_in({name: text}, Form.FILE))


def results(grade: Grade) -> dict[str, CaseResult]:
    """The results of its tests, by the last word of their names."""
    return {case.id.rpartition("-")[2]: case for case in grade.cases if case.id.startswith("all-")}


def verdicts(grade: Grade) -> dict[str, str]:
    """The verdicts of its tests."""
    return {name: str(case.verdict) for name, case in results(grade).items()}


def test_a_test_does_with_a_program_what_it_could_do_in_its_process():
    """Values, containers that change, classes, exceptions, operators, functions of the test, what is typed and printed."""
    got = grade(LAB / "shapes.yaml", (LAB / "shapes.py").read_text(), "shapes.py")
    assert {case.id: case.findings for case in got.cases if str(case.verdict) != "accepted"} == {}
    assert got.score == got.max_points


def test_a_right_program_passes(course):
    """Nothing is lost by two processes."""
    assert set(verdicts(grade(course, RIGHT)).values()) == {"accepted"}


ALL = {"first", "given", "taken", "last"}


@pytest.mark.parametrize(
    ("more", "passing"),
    [
        ("class Any(int):\n    __eq__ = lambda *_: True\n    __hash__ = None\ndef double(_):\n    return Any(0)\n", {"given"}),
        ("class Any:\n    def __getattribute__(self, name): return lambda *_: True\n    __eq__ = __lt__ = __rsub__ = lambda *_: True\ndef double(_):\n    return Any()\n", {"given"}),
        ("import sys\nfor name in [*sys.modules]:\n    assert not name.startswith(('pytest', '_pytest', 'test_'))\n", ALL),
        ("import os\nassert not [name for name in os.listdir('.') if name != 'work.py']\n", ALL),
    ],
    ids=["equal to all", "whatever is asked", "no runner is there", "no test is there"],
)  # fmt: skip
def test_a_program_does_not_reach_its_results(course, more, passing):
    """It has neither the runner nor the tests, and whatever it gives is compared where it is not."""
    assert {name for name, verdict in verdicts(grade(course, RIGHT + more)).items() if verdict == "accepted"} == passing


ENDS = {
    "exits": ("import os; os._exit(0)", "runtime-error"),
    "leaves": ("exit()", "runtime-error"),
    "breaks": ("import os; os.kill(os.getpid(), 11)", "runtime-error"),
    "computes": ("while True: pass", "time-limit"),
    "interrupts": ("raise KeyboardInterrupt", "wrong-answer"),
    "announces": ("import os; os.write(3, b'\\0\\0\\0\\x0a!ended:nix')", "runtime-error"),
    "chatters": ("import os; os.write(3, b'x' * 100)", "runtime-error"),
    "answers": ("import os; os.write(3, b'\\0\\0\\0\\x03m{}')", "runtime-error"),
    "closes": ("import os; os.close(3)", "runtime-error"),
    "recurses": ("return ends(name)", "runtime-error"),
    "gives": ("return eval", "runtime-error"),
}


def test_a_test_in_which_the_program_ends_is_lost_alone(tmp_path):
    """The program is started again for the next test; what it writes to the line makes no result of its own."""
    names = [name for one in ENDS for name in (one, f"after_{one}")]
    tests = "".join(f"def test_{name}():\n    assert work.ends('{name}') == 7\n" for name in names)
    (tmp_path / "test_work.py").write_text(f"import work\n{tests}")
    expected = ", ".join(f"test_{name}" for name in names)
    (tmp_path / "apart.yaml").write_text(
        SPEC.replace("test_first, test_given, test_taken, test_last", expected).replace("cpu: 4 s", "cpu: 2 s")
    )
    cases = "".join(f"    if name == '{name}':\n        {body}\n" for name, (body, _) in ENDS.items())
    found = grade(tmp_path / "apart.yaml", f"def ends(name):\n{cases}    return 7\n")
    verdicts = {case.id: str(case.verdict) for case in found.cases if case.id.startswith("all-")}
    assert {name: verdicts[f"all-test-{name}"] for name in ENDS} == {
        name: verdict for name, (_, verdict) in ENDS.items()
    }
    assert {verdicts[f"all-test-after-{name}"] for name in ENDS} == {"accepted"}


FORGING = LAB.parents[1] / "hostile" / "unit-tests"
MEASURES = LAB.parents[2] / "specs" / "examples" / "python-pytest" / "python-pytest.yaml"


@pytest.mark.parametrize("deed", sorted(path.stem for path in (FORGING / "python").glob("*.py")))
def test_a_program_that_forges_results_earns_nothing(deed):
    """Nothing of it is right but that it leaves a list alone."""
    text = (FORGING / "python" / f"{deed}.py").read_text() + (FORGING / "wrong.py").read_text()
    found = grade(MEASURES, text, "measures.py")
    passed = {case.id for case in found.cases if case.kind == "tests" and str(case.verdict) == "accepted"}
    assert passed <= {"median-test-median-leaves-its-list"}


def test_a_large_result_costs_the_test_that_got_it_alone(course):
    """Its text and its values take room in the tests, which the limit of the program does not give."""
    found = verdicts(grade(course, f"{RIGHT}\ndef applied(function, value):\n    return [0] * 3_000_000\n"))
    assert found == {**dict.fromkeys(ALL, "accepted"), "given": "wrong-answer"}


NEAR = "import work\ndef test_first():\n    assert abs(work.double(2) - 4.0) < 1e-6\n"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("class Near:\n    __sub__ = lambda *_: 0.0\ndef double(_):\n    return Near()\n", "runtime-error"),
        ("class double:\n    def __init__(self, _): pass\n    __sub__ = lambda *_: 0.0\n", "judge-error"),
        ("def double(n):\n    return 2.0 * n\n", "accepted"),
    ],
    ids=["an object", "a class in place of the function", "right"],
)
def test_a_program_does_not_calculate_with_the_numbers_of_a_test(tmp_path, text, verdict):
    """An object that is 0.0 away from everything earns nothing; where a test took its class by name a person looks."""
    (tmp_path / "test_work.py").write_text(NEAR)
    (tmp_path / "apart.yaml").write_text(SPEC.replace("test_first, test_given, test_taken, test_last", "test_first"))
    grade_ = grade(tmp_path / "apart.yaml", text)
    assert str(grade_.cases[-1].verdict) == verdict


def test_a_program_makes_nothing_in_the_process_of_its_tests(course):
    """It calls what was handed over, and not ``type``: that would make a class equal to everything."""
    forging = """
def applied(function, value):
    end = function.grader_end
    equal = lambda *_: True
    return end.request("__call__", end.request("__call__", type, ("X", (), {"__eq__": equal, "__hash__": equal}), {}), (), {})
"""
    assert verdicts(grade(course, RIGHT + forging))["given"] == "runtime-error"


def test_a_program_that_ends_is_told_how(course):
    """The finding names what happened, in the test in which it did."""
    program = f"{RIGHT}\ndef double(number):\n    import os; os._exit(3)\n"
    assert (
        "the program ended with exit code 3 while a test called it"
        in results(grade(course, program))["first"].findings[0].message
    )


def test_an_exception_of_the_program_has_its_line(course):
    """The student's own line is told, with its text."""
    finding = results(grade(course, RIGHT.replace("return 2 * number", "return 2 / 0")))["first"].findings[0]
    assert (finding.place, "ZeroDivisionError" in finding.message) == ("work.py:4", True)


def test_an_object_of_a_test_gives_only_what_is_public(course):
    """A function that a test hands over leads nowhere else."""
    reaching = "def applied(function, value):\n    return function.__globals__['double'].__code__ and 4\n"
    assert verdicts(grade(course, RIGHT + reaching))["given"] == "runtime-error"
    reaching = "def applied(function, value):\n    return function.func_globals and 4\n"
    assert verdicts(grade(course, RIGHT + reaching))["given"] == "runtime-error"


@pytest.mark.parametrize(
    ("test", "what"),
    [
        ("class Mine(work.Account):\n    pass\n", "inherits from a class of the program"),
        ("def test_file(tmp_path):\n    pass\n", "tmp_path is not seen by the program"),
        ("def test_draw(monkeypatch):\n    monkeypatch.setattr('random.randint', len)\n", "random.randint is replaced"),
        ("import random\nrandom.seed(1)\n", "random.seed"),
        ("import subprocess\n", "it starts the program by itself"),
        ("def test_folder(monkeypatch):\n    monkeypatch.chdir('/')\n", "monkeypatch.chdir changes nothing"),
    ],
)
def test_a_test_that_reaches_into_the_process_of_the_program_is_named(test, what):
    """The spec must say `inside: true`."""
    found = [*reaches(f"import work\n{test}", {"test_work"})]
    assert [what in one.what for one in found] == [True]


@pytest.mark.parametrize(
    "test",
    [
        "class Mine(list):\n    pass\n",
        "def test_typed(monkeypatch):\n    monkeypatch.setattr('builtins.input', len)\n    monkeypatch.setattr(work, 'LIMIT', 3)\n",
        "def test_printed(capsys):\n    pass\n",
        "from helpers import Base\nclass Mine(Base):\n    pass\n",
    ],
)
def test_a_test_that_goes_by_values_needs_nothing(test):
    """Typed and printed text, and the contents of a module of the program, go from one process to the other."""
    assert not [*reaches(f"import work\n{test}", {"test_work", "helpers"})]


def run_alone(folder: Path, command: tuple[str, ...]) -> int:
    """The exit code of a command of tests, without a sandbox."""
    (folder / "test_work.py").write_text("def test_first():\n    pass\n")
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode


def test_pytest_looks_at_no_folder_above_the_tests(tmp_path):
    """Landlock lets nobody list /tmp: every test was lost in Docker and on Ubuntu 24.04, and a conftest.py there would be run."""
    (tmp_path / "conftest.py").write_text("raise SystemExit(9)\n")
    (tmp_path / "inner").mkdir()
    assert run_alone(tmp_path / "inner", python_tests.command(("pytest", "test_work.py"), 5)) == 0


def test_pytest_is_found_where_the_interpreter_has_none(tmp_path):
    """It may be installed in a virtual environment alone: all of its modules are given by their places."""
    *words, text = python_tests.command(("pytest", "test_work.py"), 5)
    line = "sys.path += site.getsitepackages()\n"
    assert line in text
    assert run_alone(tmp_path, (*words, text.replace(line, ""))) == 0
