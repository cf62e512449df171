"""Numbers in texts are compared by value where a spec says how far they may be off, and never otherwise."""

from __future__ import annotations

import time

import pytest
from pydantic import ValidationError

from grader.checks import numbers
from grader.checks.dialogue import Scope, judge
from grader.checks.slips import Substance, compare
from grader.results import Verdict
from grader.spec.expectations import ExpectedTurn, Script
from grader.spec.model import Case, SlipKind, TextRules
from grader.spec.values import Tolerance
from grader.transcript import Ending, EndingKind, Transcript, Turn, Usage

HUNDREDTH = Tolerance.model_validate(0.01)
ENDED = Ending(EndingKind.ENDED, "the program ended")


def judged(expected: str, actual: str, scope: Scope | None = None, **rules):
    """The judgement of one text."""
    text = TextRules.model_validate({"criterion": "form", **rules})
    script = Script((ExpectedTurn((expected,)),), ends=True)
    transcript = Transcript((Turn(actual),), ENDED, Usage())
    return judge(script, transcript, text, {}, scope or Scope())


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("2.50", "2.49"),
        ("2.50", "2.51"),
        ("3", "3.0"),
        ("3", "+3"),
        ("0", "-0"),
        (".5", "0.50"),
        ("-1.5e-3", "-0.0015"),
        ("1e400", "1.0E400"),
        ("-2", "-2.005"),
    ],
)
def test_numbers_within_a_hundredth_are_near(expected, actual):
    """Sign, point and exponent are read, and the bound itself is near enough: decimals are exact."""
    assert numbers.near(expected, actual, HUNDREDTH)


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("2.50", "2.489"),
        ("2.50", "2.511"),
        ("2", "-2"),
        ("0.0015", "1.5e3"),
        ("nan", "nan"),
        ("inf", "inf"),
        ("2.5", "nan"),
        ("1e999999999999999999999", "1e999999999999999999998"),
        ("1,000", "1,000"),
        ("2.5", "0x2"),
        ("1.2.3", "1.2.3"),
        ("", ""),
    ],
)
def test_numbers_that_are_further_off_or_none_are_not_near(expected, actual):
    """Neither nan nor inf is near anything, an overflow least of all, nor is what only looks like a number."""
    assert not numbers.near(expected, actual, HUNDREDTH)


@pytest.mark.parametrize(("actual", "near"), [("1001", True), ("1001.1", False), ("999", True), ("-1000", False)])
def test_a_relative_bound_grows_with_the_number(actual, near):
    """One thousandth of 1000 is 1, either way."""
    assert numbers.near("1000", actual, Tolerance.model_validate({"relative": 0.001})) is near


def test_either_bound_is_enough():
    """A small number may be off by the absolute bound, a large one by its share."""
    both = Tolerance.model_validate({"absolute": 0.1, "relative": 0.01})
    assert numbers.near("1", "1.1", both)
    assert numbers.near("1000", "1009", both)
    assert not numbers.near("1", "1.11", both)


@pytest.mark.parametrize("wrong", [-0.5, "-1e-3", "small", True, "1e9999", [0.1]])
def test_a_tolerance_is_a_number_that_is_not_negative(wrong):
    """Whatever else is written is refused."""
    with pytest.raises(ValidationError):
        Tolerance.model_validate(wrong)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3-2=1", ["3", "2", "1"]),
        ("-3 - -2", ["-3", "-2"]),
        ("x3 R2 a_1", []),
        ("3. And 4.", ["3", "4"]),
        ("2.5cm at 50%", ["2.5", "50"]),
        ("1.50,2.30;-4", ["1.50", "2.30", "-4"]),
        ("1,000 of 12,345.5", []),
        ("1,200,30", ["1", "200", "30"]),
        ("1.2.3", []),
        ("1e5 2E-3 3e", ["1e5", "2E-3", "3"]),
        ("nan inf -inf", []),
    ],
)
def test_what_is_a_number_in_a_text(text, found):
    """A minus after a number subtracts, a point at the end of a sentence ends it, and groups of thousands are words."""
    assert [text[slice(*span)] for span in numbers.spans(text)] == found


def test_without_a_tolerance_numbers_are_text():
    """3.0 for 3 is another text."""
    assert judged("mean 3\n", "mean 3.0\n").verdict is Verdict.WRONG_ANSWER


def test_a_number_that_is_near_is_no_difference_at_all():
    """Not even a slip of punctuation."""
    found = judged("mean 3, sd 1.00\n", "mean 3.0, sd 0.995\n", tolerance=0.01, slips={"punctuation": 1})
    assert (found.verdict, found.findings) == (Verdict.ACCEPTED, ())


def test_the_message_says_what_was_printed_and_how_far_it_may_be_off():
    """In the digits of the spec."""
    found = judged("mean 2.50\n", "mean 2.48\n", tolerance=0.01)
    assert found.findings[0].message.startswith("printed 2.48, expected 2.50 ± 0.01")
    exact = judged("mean 2.50\n", "mean 2.48\n", tolerance=0)
    assert exact.findings[0].message.startswith("printed 2.48, expected 2.50, ")


def test_a_missing_and_an_extra_number_are_defects():
    """A tolerance says how far numbers may be off, not how many they may be."""
    rules = {"tolerance": 5, "slips": {"punctuation": 1, "spacing": 1, "wording": 1}}
    missing = judged("1 2 3\n", "1 2\n", **rules)
    extra = judged("1 2 3\n", "1 2 3 4\n", **rules)
    assert (missing.verdict, extra.verdict) == (Verdict.WRONG_ANSWER, Verdict.WRONG_ANSWER)
    assert "missing" in missing.findings[0].message
    assert "4" in judged("1\n2\n", "1\n2\n4\n", tolerance=5).findings[0].message


def test_another_number_is_no_slip_of_wording():
    """If numbers count, a line in other words must have the same."""
    rules = {"tolerance": 0.1, "slips": {"wording": 1}, "facts": [{"name": "result", "pattern": "result"}]}
    assert judged("result 3 of 4\n", "the result: 3.05 of 4\n", **rules).met
    assert not judged("result 3 of 4\n", "the result: 3.05\n", **rules).met
    assert not judged("result 3 of 4\n", "the result: 3.2 of 4\n", **rules).met


def test_nan_is_equal_to_nan_alone_and_as_a_word():
    """Who expects it gets it, and who expects a number does not."""
    assert judged("nan\n", "nan\n", tolerance=1).met
    assert not judged("1.5\n", "nan\n", tolerance=1e9).met
    assert not judged("inf\n", "1\n", tolerance=1e9).met


def test_slips_are_found_beside_numbers_that_are_near():
    """A line with a number that is a little off may also be misspelt."""
    found = judged("Mean: 2.50\n", "mean: 2.504\n", tolerance=0.01, slips={"case": 1})
    assert [(f.code, str(found.verdict)) for f in found.findings] == [("case", "form")]


def test_one_more_line_does_not_pair_numbers_with_those_of_others():
    """Lines that differ only in their numbers belong together."""
    found = judged("mean 2.50\nsd 1.00\n", "3 numbers\nmean 2.504\nsd 1.2\n", tolerance=0.01)
    assert "printed 1.2, expected 1.00 ± 0.01" in found.findings[0].message


def test_a_tolerance_of_a_fact_is_for_its_values_alone():
    """Other numbers are text as before, and a value that is off is told as a number."""
    facts = [{"name": "mean", "pattern": r"mean (?P<value>\S+)", "tolerance": 0.01}]
    slips = {"wording": 1}
    assert judged("mean 2.50 of 3\n", "mean 2.505 of 3\n", facts=facts).verdict is Verdict.ACCEPTED
    assert judged("mean 2.50 of 3\n", "mean 2.505 of 4\n", facts=facts).verdict is Verdict.WRONG_ANSWER
    wrong = judged("mean 2.50\n", "mean 2.6\n", facts=facts, slips=slips).findings[0]
    assert (wrong.code, wrong.message.split(",")[0]) == ("wrong-mean", "printed 2.6")


def test_a_case_may_have_a_tolerance_of_its_own():
    """It stands in place of that of the spec."""
    case = Case.model_validate({"id": "a", "title": "A", "transcript": "1", "tolerance": 0.5})
    assert judged("1.0\n", "1.4\n", Scope.of(case, case.judges), tolerance=0.01).met
    assert not judged("1.0\n", "1.4\n", tolerance=0.01).met


def test_what_stands_between_two_digits_is_never_a_slip_alone():
    """Two numbers that run into one, or a point that is lost, are other numbers."""
    for expected, actual in (("1 2 8", "128"), ("2.50", "250"), ("1,2", "12"), (".5", "5"), ("1\n2\n", "12\n")):
        assert compare(expected, actual, "", ()).substance is Substance.DEFECT, (expected, actual)
    assert compare("1  2", "1 2", "", ()).kinds == (SlipKind.SPACING,)
    assert compare("Player1 ", "Player 1", "", ()).substance is Substance.SAME


def test_a_flood_of_numbers_is_compared_in_no_time():
    """A megabyte of numbers, and digits without end, take time that grows with them and no faster."""
    began = time.process_time()
    assert not judged("1 2 3\n", "1 2 3\n" * 150_000, tolerance=0.01).met
    assert not judged("1\n", "9" * 1_000_000, tolerance=0.01).met
    assert not judged("1\n", "1." + "1.1" * 300_000, tolerance=0.01).met
    assert time.process_time() - began < 10
