"""The points of a run of unit tests: an inconsistent run neither earns nor costs any."""

from __future__ import annotations

import pytest

from grader.checks.outcomes import Outcome, Reported
from grader.checks.unit_tests import UNBELIEVED, Told, judge, placed
from grader.results import Finding
from grader.source import SourceFile
from grader.transcript import Ending, EndingKind

ENDED = Ending(EndingKind.ENDED, "the program ended")
FAILED = Ending(EndingKind.EXIT_CODE, "the program ended with exit code 1")
CRASHED = Ending(EndingKind.SIGNAL, "it was ended by SIGSEGV", place="heaps.c:7")
EXPECTED = ("zero", "HeapsTest.one")


def one(name, outcome=Outcome.PASSED, message=""):
    """One test of a report."""
    return Reported(f"t.{name}", outcome, message)


def verdicts(*tests, ending=ENDED, refused="", guards=(), own=True):
    """The verdicts of the expected tests, and the first finding."""
    judged = judge(EXPECTED, guards, Told(tests, refused, ending, own=own))
    findings = [finding for _, found in judged.values() for finding in found]
    return [str(verdict) for verdict, _ in judged.values()], findings[0] if findings else None


BOTH = (one("zero"), one("HeapsTest.one"))
REVIEW = ["needs-review", "needs-review"]


def test_tests_that_passed_are_accepted():
    """Each name is found with the class or file before it."""
    assert verdicts(*BOTH) == (["accepted", "accepted"], None)


def test_a_test_that_failed_is_a_wrong_answer_and_one_that_broke_a_runtime_error():
    """Its message is what the test says."""
    told, finding = verdicts(
        one("zero", Outcome.FAILED, "expected 1"),
        one("HeapsTest.one", Outcome.ERROR, "NullPointerException"),
        ending=FAILED,
    )
    assert told == ["wrong-answer", "runtime-error"]
    assert finding.message == "zero: expected 1"


def test_a_message_that_begins_with_a_place_goes_on_below_it():
    """GoogleTest's first line says only where it failed."""
    said = "t.cpp:9\nExpected equality of these values:\n  area(3, 4)\n    Which is: 7\n  12"
    _, finding = verdicts(one("zero", Outcome.FAILED, said), BOTH[1], ending=FAILED)
    assert finding.message == "zero: Expected equality of these values: area(3, 4); Which is: 7; 12"


@pytest.mark.parametrize(
    ("tests", "more", "said"),
    [
        ((one("zero"),), {}, "without a result for HeapsTest.one"),
        ((), {"refused": "the run left no file of results"}, "the run left no file of results (the program ended)"),
        ((*BOTH, one("two")), {}, "tests that do not exist: t.two"),
        ((*BOTH, one("zero")), {}, "the run reports more than once on zero"),
        ((one("zero", Outcome.SKIPPED), BOTH[1]), {}, "the run skipped zero"),
        ((*BOTH, one("guard")), {"guards": ("guard",)}, "written to fail: guard"),
        (BOTH, {"guards": ("guard",)}, "without a result for guard"),
        (BOTH, {"ending": FAILED}, "every test as passed, but the program ended with exit code 1"),
        (BOTH, {"ending": CRASHED}, "every test has a result, but the run broke"),
        ((), {"ending": Ending(EndingKind.EXCEPTION, "an exception"), "own": False}, "without a result for"),
    ],
    ids=[
        "missing",
        "no-report",
        "extra",
        "twice",
        "skipped",
        "guard-passed",
        "no-guard",
        "code",
        "late-crash",
        "our-own-exception",
    ],
)
def test_results_that_do_not_hold_together_are_for_a_person(tests, more, said):
    """Whatever is missing, twice, too many or made up: no test of the run earns or loses anything."""
    told, finding = verdicts(*tests, **more)
    assert told == REVIEW
    assert finding.code == UNBELIEVED
    assert said in finding.message


def test_a_guard_that_fails_says_nothing():
    """It is written to fail."""
    assert verdicts(*BOTH, one("guard", Outcome.FAILED), guards=("guard",), ending=FAILED)[0] == [
        "accepted",
        "accepted",
    ]


def test_what_a_run_did_not_come_to_since_it_broke_is_lost():
    """Tests before the crash keep their verdicts; the others have that of the crash, with its line."""
    told, finding = verdicts(one("zero"), ending=CRASHED)
    assert told == ["accepted", "runtime-error"]
    assert finding.message == "the run ended before this test had a result: it was ended by SIGSEGV"
    assert finding.place == "heaps.c:7"


def test_a_program_that_cannot_be_imported_fails_its_tests():
    """The runner tells of an error outside of all tests: that is no made up test."""
    error = Reported("test_heaps", Outcome.ERROR, "collection failure", "E   NameError: name 'x' is not defined")
    told, finding = verdicts(error, ending=FAILED)
    assert told == ["runtime-error", "runtime-error"]
    assert finding.message == "its tests could not begin: NameError: name 'x' is not defined"


def test_the_innermost_line_of_the_students_own_is_pointed_at():
    """Python tells it last, Java first."""
    python = SourceFile("src/heaps.py", "def a():\n    b()\n")
    found = placed(Finding("x", "x", output="heaps.py:1: in a\ntest_heaps.py:9\nheaps.py:2: NameError"), [python])
    assert (found.place, "b()" in found.excerpt) == ("src/heaps.py:2", True)
    java = SourceFile("Heaps.java", "class Heaps {\n  int a;\n}\n")
    trace = "\tat Heaps.take(Heaps.java:2)\n\tat Heaps.main(Heaps.java:1)\n\tat HeapsTest.one(HeapsTest.java:9)"
    assert placed(Finding("x", "x", output=trace), [java]).place == "Heaps.java:2"
    assert not placed(Finding("x", "x", output="test_heaps.py:9: AssertionError"), [python]).place


def test_nothing_that_differs_from_run_to_run_is_told():
    """Addresses and times would make two equal gradings differ."""
    _, finding = verdicts(one("zero", Outcome.FAILED, "<Heap at 0x7ffff6a0>, in 0.03s"), BOTH[1], ending=FAILED)
    assert finding.message == "zero: <Heap at 0x…>, in … s"
