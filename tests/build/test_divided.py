"""Tests in C and C++ have a process of their own: what was handed in does all that it could do in theirs, and tells no results."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.grading import Grading
from grader.results import Grade
from grader.spec.loader import load_assignment, read_assignment
from tests.graded import graded, handed_in

FIXTURES = Path(__file__).parents[2] / "fixtures"
JAVA = FIXTURES.parent / "specs" / "examples" / "java-junit" / "java-junit.yaml"
FORGING = FIXTURES / "hostile" / "unit-tests"
WRONG = (FORGING / "wrong.c").read_text()
DEEDS = {path.stem: path.read_text() + WRONG for path in sorted((FORGING / "deeds").glob("*.c"))}
SHARING = {"prints-itself", "jumps", "turns-the-stream", "chooses"}
"""Deeds that earn every point where tests and program share a process: without a division they would be worth it."""


@pytest.fixture(scope="module")
def apart():
    """A grading by tests with a process of their own."""
    with Grading(load_assignment(FORGING / "lab.yaml")) as grading:
        yield grading


@pytest.fixture(scope="module")
def inside(tmp_path_factory):
    """A grading by the same tests in one process with the program."""
    folder = tmp_path_factory.mktemp("inside")
    for name in ("driver.c", "work.h"):
        (folder / name).write_text((FORGING / name).read_text())
    text = (FORGING / "lab.yaml").read_text().replace("      files:", "      inside: true\n      files:")
    (folder / "lab.yaml").write_text(text)
    with Grading(load_assignment(folder / "lab.yaml")) as grading:
        yield grading


def grade(grading: Grading, text: str) -> Grade:
    """The grade of a program with this text."""
    return grading.grade(handed_in({"work.c": text}))


def verdicts(grade: Grade) -> list[str]:
    """The verdicts of its tests."""
    return [str(case.verdict) for case in grade.cases if case.kind == "tests"]


@pytest.mark.parametrize("deed", DEEDS)
def test_a_program_that_forges_results_earns_nothing(apart, deed):
    """Whatever it overrides, ends, writes or leaves behind: no test of it passes."""
    found = grade(apart, DEEDS[deed])
    assert (found.score, "accepted" in verdicts(found)) == (0, False)


def test_what_forges_results_in_one_process_is_told_from_what_is_right(inside, apart):
    """The deeds do what they say, and a right program passes either way."""
    assert {deed for deed in SHARING if grade(inside, DEEDS[deed]).score == 3} == SHARING
    found = grade(apart, DEEDS["prints-itself"])
    assert verdicts(found) == ["needs-review"] * 3
    assert "unit tests: it passes only in one process with its tests: a person looks at it" in found.review
    right = (FORGING / "right.c").read_text()
    assert [grade(one, right).score for one in (inside, apart)] == [3, 3]


@pytest.mark.parametrize(
    ("lab", "name", "source"), [("in-c", "shapes.yaml", "shapes.c"), ("in-cpp", "stack.yaml", "stack.cpp")]
)
def test_a_test_does_with_a_program_what_it_could_do_in_its_process(lab, name, source):
    """Arguments, results and exceptions of every kind, memory of both, variables, functions that each calls of the other."""
    folder = FIXTURES / "apart" / lab
    got = graded(folder / name, {source: (folder / source).read_bytes()})
    assert {case.id: case.findings for case in got.cases if str(case.verdict) != "accepted"} == {}
    assert got.score == 1


def test_tests_that_were_written_for_criterion_run_without_it():
    """A header of ours is in its place: fixtures before a test, checks that end it and such that do not."""
    spec, right = FIXTURES / "apart" / "criterion" / "work.yaml", (FORGING / "right.c").read_text()
    results = [graded(spec, {"work.c": text.encode()}) for text in (right, right.replace("width * height", "width"))]
    assert [verdicts(one) for one in results] == [["accepted"] * 3, ["wrong-answer", "accepted", "accepted"]]
    failed = next(case for case in results[1].cases if case.kind == "tests")
    assert failed.findings[0].message == "work.area: line 13: area(3, 4) == begun"


def test_a_crash_and_an_endless_loop_leave_the_results_before_them(apart):
    """Results that were told stand, and the ending of the program loses the rest, as in one process."""
    right = (FORGING / "right.c").read_text()
    crashes = right.replace("for (size_t i", "*(volatile int *)8 = 1;\n    for (size_t i")
    assert verdicts(grade(apart, crashes)) == ["accepted", "accepted", "runtime-error"]
    loops = right.replace("    int most", "    while (count)\n        ;\n    int most")
    assert verdicts(grade(apart, loops)) == ["accepted", "time-limit", "time-limit"]


def test_a_function_that_is_missing_is_told_as_the_linker_tells_it(apart):
    """The program is linked with its tests once more, since that is what a student knows."""
    found = grade(apart, "int area(int width, int height) { return width * height; }\n")
    assert verdicts(found) == ["compile-error"] * 3
    assert "undefined reference" in found.cases[-1].findings[0].message


def test_helpers_and_a_main_of_a_student_have_names_of_their_own(apart):
    """A name that the tests have as well is not theirs."""
    more = "int number, failed = 1;\nvoid test(void) { failed++; }\nint main(void) { test(); return area(1, 1) + number; }\n"
    assert verdicts(grade(apart, (FORGING / "right.c").read_text() + more)) == ["accepted"] * 3


def test_a_file_of_results_cannot_be_rewritten(tmp_path):
    """It is read as it is written: what a program writes to it comes on top, and what is no whole report is for a person."""
    driver = (FORGING / "driver.c").read_text()
    for before, after in (
        ("int main(void)\n{\n", 'int main(int count, char **words)\n{\n    results = fopen(words[count - 1], "w");\n    fputs("<testsuite>", results);\n'),
        ("    return 0;", '    fputs("</testsuite>", results);\n    return fclose(results);'),
        ('printf("%sok %d - %s\\n", failed ? "not " : "", ++number, name)', 'fprintf(results, "<testcase name=\'%s\'>%s</testcase>", name, failed ? "<failure/>" : "")'),
        ("static int failed, number;", "static int failed;\nstatic FILE *results;"),
        ("fflush(stdout)", "fflush(results)"),
    ):  # fmt: skip
        assert before in driver
        driver = driver.replace(before, after)
    (tmp_path / "driver.c").write_text(driver)
    (tmp_path / "work.h").write_text((FORGING / "work.h").read_text())
    spec = (FORGING / "lab.yaml").read_text().replace("prints: tap", "junit: report.xml")
    (tmp_path / "lab.yaml").write_text(spec.replace("[./program]", "[./program, report.xml]"))
    with Grading(load_assignment(tmp_path / "lab.yaml")) as grading:
        assert grade(grading, (FORGING / "right.c").read_text()).score == 3
        assert verdicts(grade(grading, (FORGING / "writes-the-file.c").read_text() + WRONG)) == ["needs-review"] * 3


def test_in_java_a_hook_changes_no_results_and_what_could_forge_them_is_named():
    """Tests share a JVM with the program: one that writes a report before the tests do can only be named to staff."""
    named = "unit tests: all passed in one process with a program that uses java.lang.Class.forName: look at the source"
    with Grading(load_assignment(JAVA)) as grading:
        for deed, points in (("rewrites-at-the-end", 0), ("writes-beforehand", 12)):
            found = grading.grade(handed_in({"Ring.java": (FORGING / "java" / f"{deed}.java").read_text()}))
            assert found.score == points
            assert found.provenance.sandbox.endswith("unit tests in one process with the program")
            assert (named in found.review) is (points > 0)


def test_on_another_machine_tests_share_a_process_and_staff_are_told(monkeypatch):
    """The registers are those of x86-64: elsewhere no point is lost, and nobody has to change the spec."""
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    (told,) = read_assignment(FORGING / "lab.yaml").diagnostics
    assert (told.severity, "on this machine tests in C and C++ share a process" in told.message) == ("warning", True)
    found = graded(FORGING / "lab.yaml", {"work.c": (FORGING / "right.c").read_bytes()})
    assert (found.score, found.review) == (3, ())
    assert found.provenance.sandbox.endswith("unit tests in one process with the program")
