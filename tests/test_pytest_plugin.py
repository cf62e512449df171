"""``pytest --grader-spec SPEC --grader-submission PATH``, as a course's CI calls it."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from grader.bundled import spec_path
from grader.spec.loader import load_assignment
from tests import imported  # noqa: F401 -- what a run in this process imports first would be forgotten after it, and imported again

pytest_plugins = "pytester"

ROOT = Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "fixtures/lc3-nim"
GOOD = FIXTURES / "accepted/stack-in-r6/submission/nim.asm"
LAB = ROOT / "specs/examples/lc3-lines"
BACKWARDS = LAB / "fixtures/accepted/stack/submission/lines.asm"
NOT_REVERSED = LAB / "fixtures/wrong-answer/not-reversed/submission/lines.asm"
CASES = [case.id for case in load_assignment(spec_path("lc3-nim")).spec.cases]
LINES = [case.id for case in load_assignment(LAB / "lc3-lines.yaml").spec.cases]


@pytest.fixture
def apart(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Callable[..., pytest.RunResult]:
    """``apart(argument, …)`` starts pytest in a process of its own, in an empty folder; the plugin is there as installed."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
    monkeypatch.setenv("COLUMNS", "160")
    return lambda *arguments: pytester.runpytest_subprocess(*_load(), "-p", "no:cacheprovider", *arguments)


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Callable[..., pytest.RunResult]:
    """``run(argument, …)`` is the same in this process, which has imported all that a start imports."""
    monkeypatch.setenv("COLUMNS", "160")
    plugins = (*_load(), "-p", "no:cacheprovider", "-p", "no:hypothesispytest")
    return lambda *arguments: pytester.runpytest_inprocess(*plugins, *arguments)


def _load() -> list[str]:
    """The option that loads the plugin where it is not installed."""
    installed = any(point.value == "grader.pytest_plugin" for point in entry_points(group="pytest11"))
    return [] if installed else ["-p", "grader.pytest_plugin"]


@pytest.fixture
def grade(run):
    """``grade(submission, argument, …)`` runs the bundled spec on a submission."""
    return lambda submission, *arguments: run("--grader-spec=lc3-nim", f"--grader-submission={submission}", *arguments)


@pytest.fixture
def graded(run):
    """``graded(submission, argument, …)`` runs the spec of a small lab on a submission, which takes no time."""
    lab = f"--grader-spec={LAB / 'lc3-lines.yaml'}"
    return lambda submission, *arguments: run(lab, f"--grader-submission={submission}", *arguments)


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """A program that takes any other character for row C, and goes on where the example ends."""
    path = tmp_path / "bad" / "nim.asm"
    path.parent.mkdir()
    path.write_bytes((FIXTURES / "wrong-answer/any-other-character-is-row-c/submission/nim.asm").read_bytes())
    return path


def test_each_case_is_an_item(grade) -> None:
    """Node ids are assignment and case, in the order of the spec, whatever the path of the spec."""
    done = grade(GOOD, "--collect-only", "-q")
    assert [line for line in done.outlines if "::" in line] == [f"lc3-nim::{case}" for case in CASES]


def test_a_correct_program_passes(grade, graded) -> None:
    """Nothing fails; what only a folder or an archive can have is skipped."""
    done = graded(BACKWARDS)
    assert done.ret == 0
    assert done.parseoutcomes().keys() == {"passed"}
    done.stdout.fnmatch_lines(["grader: lc3-lines, lines*"])
    grade(GOOD, "lc3-nim::opening", "lc3-nim::report-pdf").assert_outcomes(passed=1, skipped=1)


def test_a_failure_reads_as_a_report(grade, bad: Path) -> None:
    """The verdict, the turn, what was typed, both texts, and how to see it again; nothing of this plugin."""
    done = grade(bad, "lc3-nim::sample-run")
    assert done.ret == 1
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        [
            "wrong answer: *",
            "*turn 12: *",
            "  expected │ *Wins*",
            "  actual   │ *",
            "see it again: grader run nim.asm*",
        ]
    )
    assert "pytest_plugin.py" not in done.stdout.str().partition("short test summary")[0]


def test_a_program_that_does_not_build_says_why(grade, tmp_path: Path) -> None:
    """The case that builds it fails with the assembler's message; those that need it are skipped."""
    path = tmp_path / "nim.asm"
    path.write_text(".ORIG x3000\nADD R0, R0\n.END\n", encoding="utf-8")
    done = grade(path)
    assert done.parseoutcomes()["failed"] == 1
    assert "passed" not in done.parseoutcomes()
    done.stdout.fnmatch_lines(["does not build: *", "*nim.asm:2:*"])


def test_cases_are_chosen_by_name_and_by_criterion(grade) -> None:
    """``-k`` knows both; what a chosen case requires runs silently."""
    by_criterion = [case.id for case in load_assignment(spec_path("lc3-nim")).spec.cases if case.criterion == "traps"]
    grade(GOOD, "-k", "traps").assert_outcomes(passed=len(by_criterion), deselected=len(CASES) - len(by_criterion))
    grade(GOOD, "-k", "sample-run").assert_outcomes(passed=1, deselected=len(CASES) - 1)


def test_node_ids_can_be_given_back(grade) -> None:
    """An id that pytest printed selects the case again, by the name of the assignment or by the path of the spec."""
    grade(GOOD, "lc3-nim::opening", "lc3-nim::halts").assert_outcomes(passed=2)
    grade(GOOD, f"{spec_path('lc3-nim')}::opening").assert_outcomes(passed=1)
    assert grade(GOOD, "lc3-nim::no-such-case").ret == pytest.ExitCode.USAGE_ERROR


def test_the_first_failure_can_stop_it(graded) -> None:
    """``-x`` leaves the rest."""
    outcomes = graded(NOT_REVERSED, "-x").parseoutcomes()
    assert outcomes["failed"] == 1
    assert sum(outcomes.values()) < len(LINES)


def test_xdist_gives_the_same(run, apart) -> None:
    """Two processes find the same failures as one."""
    words = (f"--grader-spec={LAB / 'lc3-lines.yaml'}", f"--grader-submission={NOT_REVERSED}")

    def failures(done: pytest.RunResult) -> list[str]:
        return sorted(line.split(" - ")[0] for line in done.outlines if line.startswith("FAILED"))

    shared = apart(*words, "-n", "2")
    assert "2 workers" in shared.stdout.str()
    assert failures(shared) == failures(run(*words))
    assert failures(shared)


def test_junit_has_a_case_each(grade, bad: Path, tmp_path: Path) -> None:
    """Failures of the student are failures there, and what is skipped is skipped."""
    target, looked_at = tmp_path / "out.xml", ["sample-run", "report-pdf"]
    done = grade(bad, f"--junitxml={target}", *(f"lc3-nim::{name}" for name in looked_at))
    cases = ET.parse(target).getroot().findall(".//testcase")
    assert [case.get("name") for case in cases] == looked_at
    assert {case.get("classname") for case in cases} == {"lc3-nim"}
    told = done.parseoutcomes()
    assert sum(case.find("failure") is not None for case in cases) == told["failed"]
    assert sum(case.find("skipped") is not None for case in cases) == told["skipped"]
    assert not any(case.find("error") is not None for case in cases)


def test_our_own_fault_is_an_error(run, tmp_path: Path) -> None:
    """A reference that crashes fails no student; what a person must answer is skipped."""
    (tmp_path / "broken.py").write_text("def play():\n    yield 5\n", encoding="utf-8")
    spec = tmp_path / "mine.yaml"
    spec.write_text(
        "assignment: mine\ntitle: Mine\nsubmission: {required: [nim.asm]}\nprogram: {language: lc3, sources: [nim.asm]}\n"
        "reference: broken.py\nrubric: [{id: a, points: 1, title: A}, {id: b, points: 1, title: B, manual: true}]\n"
        "cases:\n  - {id: told, title: Told, criterion: a, play: A1}\n"
        "  - {id: ask, title: Ask, criterion: b, manual: Is it readable}\n",
        encoding="utf-8",
    )
    done = run(f"--grader-spec={spec}", f"--grader-submission={GOOD}", "mine::told", "mine::ask")
    done.assert_outcomes(errors=1, skipped=1)
    done.stdout.fnmatch_lines(["*the reference failed: TypeError*"])


def test_tests_beside_it_run_when_they_are_named(grade, pytester: pytest.Pytester) -> None:
    """Without arguments the cases are all; with a path they come after what it holds."""
    pytester.makepyfile(test_own="def test_own():\n    pass\n")
    grade(GOOD, "-k", "opening or own").assert_outcomes(passed=1, deselected=len(CASES) - 1)
    grade(GOOD, "-k", "opening or own", "test_own.py").assert_outcomes(passed=2, deselected=len(CASES) - 1)


def test_without_the_options_it_does_nothing(apart, pytester: pytest.Pytester) -> None:
    """A spec in a folder of tests is not collected, and nothing of the grader is imported."""
    pytester.makefile(".yaml", spec=spec_path("lc3-nim").read_text(encoding="utf-8"))
    pytester.makepyfile(
        "import sys\n\ndef test_it():\n    assert not {'grader.spec', 'pydantic', 'yaml'} & set(sys.modules)\n"
    )
    done = apart("-p", "no:hypothesispytest")
    done.assert_outcomes(passed=1)
    assert "grader:" not in done.stdout.str()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--grader-spec=lc3-nim"], "--grader-submission is missing"),
        ([f"--grader-submission={GOOD}"], "--grader-spec is missing"),
        (["--grader-spec=lc3-nmi", f"--grader-submission={GOOD}"], "did you mean lc3-nim?"),
        (["--grader-spec=lc3-nim", "--grader-submission=no/such/file"], "no/such/file"),
        (["--grader-spec=bad.yaml", f"--grader-submission={GOOD}"], "bad.yaml:1:13: `assignment` cannot be 'Bad'"),
    ],
)
def test_wrong_usage_exits_with_4(run, pytester: pytest.Pytester, arguments: list[str], said: str) -> None:
    """One option without the other, no such spec or submission, a wrong spec: told before anything runs."""
    (pytester.path / "bad.yaml").write_text("assignment: Bad\n", encoding="utf-8")
    done = run(*arguments)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    assert said in done.stderr.str()


@pytest.mark.parametrize("separate", [True, False])
def test_a_submission_configures_nothing(run, tmp_path: Path, separate: bool) -> None:
    """A student's pytest.ini and conftest.py are not obeyed: refused where pytest would, ignored where it would not."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "nim.asm").write_bytes(GOOD.read_bytes())
    (folder / "pytest.ini").write_text(f"[pytest]\naddopts = {folder}/conftest.py\n", encoding="utf-8")
    marker = tmp_path / "marker"
    (folder / "conftest.py").write_text(f"open({str(marker)!r}, 'w')\n", encoding="utf-8")
    given = ["--grader-submission", folder] if separate else [f"--grader-submission={folder}"]
    done = run("--grader-spec", "lc3-nim", *given, "-k", "opening")
    if separate:
        assert done.ret == pytest.ExitCode.USAGE_ERROR
        assert "with an equals sign" in done.stderr.str()
    else:
        done.assert_outcomes(passed=1, deselected=len(CASES) - 1)
    assert not marker.exists()
