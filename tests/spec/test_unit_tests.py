"""Unit tests in a spec: one case for each, and what is wrong with how they are run."""

from __future__ import annotations

from fractions import Fraction

import pytest

from grader.spec.loader import load_assignment, read_assignment
from grader.spec.parts import for_judging

SPEC = """assignment: x
title: X
submission: {required: [heaps.py]}
program: {language: python, sources: [heaps.py]}
rubric: [{id: a, title: A, points: 6, counts: each}, {id: b, title: B, points: 1}]
cases:
  - id: unit
    title: Units
    criterion: a
    tests:
      files: [tests/test_heaps.py]
      run: [pytest, --junitxml=report.xml, test_heaps.py]
      junit: report.xml
      expects: {test_zero: 1, TestBig.test_two: 2}
  - {id: more, title: More, criterion: b, requires: [unit], tests: {run_of: unit, expects: [test_more]}}
  - id: kept
    title: Kept
    criterion: a
    visibility: hidden
    tests:
      files: [tests/test_kept.py]
      run: [python, test_kept.py]
      prints: tap
      expects: [it holds, it works]
"""


@pytest.fixture
def spec(tmp_path):
    """Writes a spec and its tests."""

    def write(before: str = "", after: str = "", text: str = SPEC):
        (tmp_path / "tests").mkdir(exist_ok=True)
        for name in ("test_heaps.py", "test_kept.py"):
            (tmp_path / "tests" / name).write_text("def test_zero(): pass\n")
        assert before in text
        (tmp_path / "x.yaml").write_text(text.replace(before, after) if before else text)
        return tmp_path / "x.yaml"

    return write


def test_each_expected_test_is_a_case(spec):
    """It is called by its case and its name; where it is hidden its name would tell what it tries, and it has a number."""
    cases = load_assignment(spec()).spec.cases
    assert [case.id for case in cases] == [
        "unit-test-zero",
        "unit-test-big-test-two",
        "more",
        "kept-test-1",
        "kept-test-2",
    ]
    assert [case.title for case in cases][1:4] == ["Units: TestBig.test_two", "More", "Kept: test 1"]
    assert [case.weight for case in cases[:2]] == [1, 2]
    assert [list(case.tests.expects) for case in cases[:3]] == [["test_zero"], ["TestBig.test_two"], ["test_more"]]


def test_who_rests_on_many_tests_rests_on_each(spec):
    """And cases that share a run have the same command."""
    cases = load_assignment(spec()).spec.cases
    assert cases[2].requires == ("unit-test-zero", "unit-test-big-test-two")
    assert cases[2].tests.same_run == cases[0].tests.same_run != cases[3].tests.same_run


def test_what_a_test_counts_is_nothing_to_a_judge(spec):
    """Points can be changed without a run."""
    other = for_judging(load_assignment(spec("TestBig.test_two: 2", "TestBig.test_two: 5"))).fingerprint
    assert other == for_judging(load_assignment(spec())).fingerprint


def test_the_files_of_tests_belong_to_what_a_verdict_rests_on(spec):
    """A changed test is another assignment."""
    path = spec()
    before = load_assignment(path).fingerprint
    (path.parent / "tests/test_kept.py").write_text("def test_zero(): assert 0\n")
    assert load_assignment(path).fingerprint != before


@pytest.mark.parametrize(
    ("before", "after", "code", "said"),
    [
        ("[pytest,", "[pytets,", "runner", "`pytets` is no command that runs tests in this language"),
        ("[python, test_kept.py]", "[java, -jar, x.jar]", "runner", "`java` is no command"),
        ("--junitxml=report.xml, ", "", "report", "the command does not name `report.xml`"),
        ("junit: report.xml", "junit: ../report.xml", "report", "a file in the folder of the run"),
        ("      junit: report.xml\n", "", "no-results", "nothing tells the results"),
        ("prints: tap", "prints: tap\n      junit: x", "no-results", "not from both"),
        ("prints: tap", "prints: tape", "value", ""),
        ("report.xml, test_heaps.py", "report.xml, test_heap.py", "runner-file", "there is no file `test_heap.py`"),
        ("[tests/test_heaps.py]", "[tests/heaps.py]", "support", "there is no file"),
        ("[tests/test_kept.py]", "[tests/test_kept.py, tests/../tests/test_kept.py]", "duplicate-file", "already"),
        ("      expects: [it holds, it works]\n", "", "missing", ""),
        ("[it holds, it works]", "[]", "value", ""),
        ("[it holds, it works]", "[it holds, it holds]", "value", "is listed twice"),
        ("[it holds, it works]", "[1]", "value", "names of tests are expected"),
        ("[test_more]", "[test_zero]", "test-name", "the test `test_zero` is expected by two cases"),
        ("[test_more]", "[test_two]", "test-name", "could also be the test `TestBig.test_two`"),
        ("[it holds, it works]", "[it holds]\n      guards: [it holds]", "contradiction", "written to fail"),
        ("run_of: unit", "run_of: units", "unknown-case", "no case `units` runs tests"),
        ("run_of: unit", "run_of: unit, junit: a", "idle-key", "the case `unit` says how its tests are run"),
        ("run_of: unit", "run_of: kept", "visibility", "its run shows the tests of `more`"),
        ("[tests/test_kept.py]", "[tests/test_heaps.py]", "visibility", "students are given `tests/test_heaps.py`"),
        ("test_zero: 1", "test_zero: 0", "worthless", "counts nothing"),
        ("counts: each}, {id: b", "counts: all}, {id: b", "idle-key", "does not count each of its cases"),
        ("criterion: b,", "criterion: b, weight: 2,", "idle-key", "does not count each of its cases"),
        ("visibility: hidden", "visibility: hidden\n    reveals: turn", "reveals", "nothing is typed in a unit test"),
        ("sources: [heaps.py]}", "sources: [heaps.py], sanitize: true}", "foreign-key", "only programs in C and C++"),
        ("language: python", "language: [python, java]", "languages", "tests are written in one language"),
        ("language: python", "language: lc3", "foreign-kind", "only programs in C, C++, Java or Python"),
    ],
)
def test_a_mistake_of_a_spec_is_told_with_its_place(before, after, code, said, spec):
    """The command, its report, its files, the names and who may share a run."""
    problems = [(d.code, d.message) for d in read_assignment(spec(before, after)).diagnostics if d.span is not None]
    assert any(said in message and (code in {found, "value", "missing"}) for found, message in problems), problems


def test_a_weight_is_a_part_of_its_criterion(spec):
    """If three count 1, 2 and 1, the second is worth half."""
    from grader.results import CaseResult, Verdict
    from grader.scoring import score

    loaded = load_assignment(spec()).spec

    def result(case):
        met = case.id != "unit-test-big-test-two"
        verdict = Verdict.ACCEPTED if met else Verdict.WRONG_ANSWER
        return CaseResult(case.id, case.title, case.kind, case.criterion, verdict, case.visibility, met)

    points = score(loaded, [result(case) for case in loaded.cases]).criteria[0].points
    assert Fraction(str(points)) == Fraction(18, 5)


C = """assignment: x
title: X
submission: {required: [f.c], optional: [own.h]}
program: {language: c, sources: [f.c]}
rubric: [{id: a, title: A, points: 2}]
cases: [{id: u, title: U, criterion: a, tests: {files: [driver.c], run: [./program], prints: tap, expects: [one]}}]
"""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('#include "own.h"', "own.h is handed in: whatever it defines would be compiled into the tests"),
        ("    freopen(name, how, stdout);", "freopen is not open in the program"),
        ("int lines(FILE *from); void f(void) { lines(fopen(name, how)); }", "fopen is not open in the program"),
        ("    pthread_create(&thread, 0, one, 0);", "pthread_create calls no program beside the tests"),
        ("    srand(1);", "srand changes nothing for the program"),
        ("    srunner_create(suite);", "srunner_create starts a process for each test, unless CK_NOFORK is set"),
        ("    srunner_set_fork_status(srunner_create(suite), CK_NOFORK);", ""),
        ('void f(void) { puts("freopen(x)"); /* srand(1) */ door.open(); }  // fork()', ""),
        ('void f(FILE *log) { log = fopen("report", how); }', ""),
    ],
)
def test_a_line_in_c_that_cannot_be_divided_is_named(tmp_path, line, said):
    """Only where it hands over what each process has for itself, or takes in what a student wrote; never within a text or a comment."""
    (tmp_path / "driver.c").write_text(f"\n{line}\n")
    (tmp_path / "x.yaml").write_text(C)
    message = f"driver.c, line 2: {said}: these tests cannot have a process of their own"
    assert [one.message for one in read_assignment(tmp_path / "x.yaml").diagnostics] == ([message] if said else [])
    (tmp_path / "x.yaml").write_text(C.replace("prints: tap", "prints: tap, inside: true"))
    assert not read_assignment(tmp_path / "x.yaml").diagnostics


def test_a_flag_that_makes_one_program_cannot_be_divided(tmp_path):
    """It is named with what to do."""
    (tmp_path / "driver.c").write_text("")
    (tmp_path / "x.yaml").write_text(C.replace("sources: [f.c]", "sources: [f.c], flags: {c: [-static]}"))
    (told,) = read_assignment(tmp_path / "x.yaml").diagnostics
    assert "code that is compiled with `-static` cannot be divided" in told.message


def test_criterion_cannot_run_in_a_cage(tmp_path):
    """It needs a socket: each right program would lose its tests, in one process as in two."""
    (tmp_path / "driver.c").write_text("")
    spec = C.replace("sources: [f.c]", "sources: [f.c], flags: {c: [-lcriterion]}")
    for text in (spec, spec.replace("prints: tap", "prints: tap, inside: true")):
        (tmp_path / "x.yaml").write_text(text)
        (told,) = read_assignment(tmp_path / "x.yaml").diagnostics
        assert told.message.startswith("Criterion tells results through a socket, which the sandbox does not allow")
