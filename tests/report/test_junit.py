"""JUnit XML, as the strictest of its readers wants it."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import repeat
from pathlib import Path

import pytest
from lxml import etree

from grader.report import junit
from grader.results import Finding, Grade, Verdict
from tests.report.sample_grades import (
    SAMPLES,
    all_grades,
    case,
    compile_error,
    full_marks,
    hostile,
    runtime_error,
    wrong_answer,
)

SCHEMA = etree.XMLSchema(etree.parse(Path(__file__).with_name("junit.xsd")))


def _parsed(*grades: Grade) -> etree._Element:
    return etree.fromstring(junit.render("lc3-nim", grades).encode())


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_is_valid(name: str) -> None:
    """The document of each sample keeps to the schema."""
    SCHEMA.assertValid(_parsed(SAMPLES[name]()))


def test_a_batch_is_valid() -> None:
    """The document of all samples keeps to the schema, unique names included."""
    SCHEMA.assertValid(_parsed(*all_grades()))


def test_an_empty_batch_is_valid() -> None:
    """A document without suites is one."""
    SCHEMA.assertValid(_parsed())


def test_the_schema_is_strict() -> None:
    """The output of the library junit-xml 1.9 is refused, so that the schema proves something."""
    suite = (
        '<testsuite disabled="0" errors="0" failures="0" name="s" skipped="0" tests="1" time="1e-07">'
        '<testcase name="c" time="0.000000" classname="k"/></testsuite>'
    )
    text = f'<testsuites disabled="0" errors="0" failures="0" tests="1" time="1e-07">{suite}</testsuites>'
    assert not SCHEMA.validate(etree.fromstring(text.encode()))


@pytest.mark.parametrize(
    ("verdict", "tag"),
    [
        (Verdict.ACCEPTED, None),
        (Verdict.SKIPPED, "skipped"),
        (Verdict.NEEDS_REVIEW, "skipped"),
        (Verdict.JUDGE_ERROR, "error"),
        *((v, "failure") for v in Verdict if v.blames_student),
    ],
)
def test_whose_fault_it_is(verdict: Verdict, tag: str | None) -> None:
    """Failure is the student's, error is ours, skipped is nobody's; a case without findings still counts as judged."""
    (element,) = _parsed(replace(full_marks(), cases=(case("one", verdict),))).iter("testcase")
    assert [child.tag for child in element] == ([tag] if tag else [])


def test_the_counts_are_sums() -> None:
    """The counts of a suite are those of its cases, and those of the document the sums."""
    root = _parsed(*all_grades())
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("tests", "testcase")):
        assert int(root.get(attribute)) == sum(int(s.get(attribute)) for s in root) == len(list(root.iter(tag)))


def test_the_body_says_everything() -> None:
    """Readers that show nothing but the body still show points, turn, inputs, both texts, hint, ending and command."""
    body = next(
        e.findtext("failure") for e in _parsed(wrong_answer()).iter("testcase") if "refuses-wrong-row" in e.get("name")
    )
    for part in ("6.25 / 25 points", "turn 4", "B2 A1 D4", "Invalid·move!⏎", "Invalid·move.·Try·again.⏎", "hint: Print",
                 "ending: the program still waits", "grader run nim.asm"):  # fmt: skip
        assert part in body


def test_the_body_shows_the_source() -> None:
    """A runtime error shows its place, the source and the last steps."""
    body = next(_parsed(runtime_error()).iter("failure")).text
    for part in ("nim.asm:88:9", "MINUSA  .FILL xFFBF", "x304F  ADD R0, R0, R1"):
        assert part in body


def test_a_place_stands_first() -> None:
    """In the message and in the text, where readers that know no attribute of it find it; a finding without one begins with its verdict."""
    failure = next(_parsed(runtime_error()).iter("failure"))
    assert failure.get("message").startswith("nim.asm:88:9: runtime error: ")
    assert failure.text.startswith("nim.asm:88:9: Refuses count: runtime error\n")
    bare = case("c", Verdict.WRONG_ANSWER, title="T", findings=(Finding("x", "it differs"),))
    (failure,) = _parsed(replace(full_marks(), cases=(bare,))).iter("failure")
    assert (failure.get("message"), failure.text.split("\n")[0]) == ("wrong answer: it differs", "T: wrong answer")


def test_times_are_those_that_are_given() -> None:
    """In seconds without an exponent, summed up for the suite and the document; without any all are 0."""
    one = replace(full_marks(), cases=(case("a"), case("b")))
    text = junit.render("x", [one], {"a": 1e-7, "b": 12.25})
    root = etree.fromstring(text.encode())
    SCHEMA.assertValid(root)
    assert [element.get("time") for element in root.iter() if element.get("time")] == [
        "12.250",
        "12.250",
        "0.000",
        "12.250",
    ]
    assert {element.get("time") for element in _parsed(one).iter() if element.get("time")} == {"0"}


def test_the_body_shows_diagnostics() -> None:
    """The messages of the assembler stand in the case that does not build, and in no other."""
    root = _parsed(compile_error())
    assert "does not fit into 5 bits" in next(root.iter("failure")).text
    assert all("does not fit" not in skipped.text for skipped in root.iter("skipped"))


def test_points_are_properties() -> None:
    """The properties of a suite hold the score and the points of each criterion."""
    found = {p.get("name"): p.get("value") for p in _parsed(wrong_answer()).iter("property")}
    assert found["score"] == "63.75 of 100 points, 10 still open"
    assert found["points invalid"].startswith("6.25 / 25")
    assert found["points report"].startswith("open / 10")


def test_forbidden_characters_are_made_visible() -> None:
    """Characters that XML forbids are named in text and attributes."""
    text = junit.render("lc3-nim", [hostile()])
    assert "⟨U+FFFE⟩⟨U+FFFF⟩⟨U+D800⟩" in text
    assert not {"\x00", "\x1b", "\ufffe", "\ud800"} & set(text)


def _wordy(count: int) -> Iterator[Grade]:
    findings = tuple(Finding("x", "y" * 400, turn=n) for n in range(25))
    cases = tuple(case(f"c{n}", Verdict.WRONG_ANSWER, findings=findings) for n in range(10))
    for n in range(count):
        yield replace(full_marks(), submission=f"s{n}", cases=cases)


def test_one_body_is_bounded() -> None:
    """A body longer than the limit is cut in its middle."""
    (body, *_) = (e.text for e in _parsed(*_wordy(1)).iter("failure"))
    assert junit.BODY_LIMIT < len(body) < junit.BODY_LIMIT + 60
    assert "characters not shown" in body


def test_a_batch_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a file is long, bodies of later submissions are cut short, and where it is very long they have none."""
    monkeypatch.setattr(junit, "FULL_LIMIT", 15 * junit.BODY_LIMIT)
    monkeypatch.setattr(junit, "SHORT_LIMIT", 24 * junit.BODY_LIMIT)
    root = _parsed(*_wordy(7))
    lengths = [max(len(body.text or "") for body in suite.iter("failure")) for suite in root]
    assert all(length > junit.BODY_LIMIT for length in lengths[:2])
    assert all(junit.SHORT_BODY < length < junit.SHORT_BODY + 60 for length in lengths[2:5])
    assert lengths[-1] == 0
    assert {failure.get("message") for failure in root[-1].iter("failure")} == {"wrong answer"}
    SCHEMA.assertValid(root)


def test_a_file_stays_below_what_gitlab_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many submissions as a file takes, with nothing right and much to say in many bytes, stay below 30 MB; all at a tenth."""
    for name in ("CASES_LIMIT", "FULL_LIMIT", "SHORT_LIMIT"):
        monkeypatch.setattr(junit, name, getattr(junit, name) // 10)
    cases = 40
    finding = Finding("x", "\N{CJK UNIFIED IDEOGRAPH-9F98}&" * 600)
    bad = tuple(
        case(f"a-rather-long-name-of-a-case-{n}", Verdict.WRONG_ANSWER, findings=(finding,)) for n in range(cases)
    )
    grade = replace(full_marks(), submission="PB00000000", cases=bad)
    count = junit.submissions_in(cases)
    assert count * cases == junit.CASES_LIMIT
    size = 0
    for one in repeat(grade, count):
        size += len(junit.suite("lc3-nim", one, junit.limit(size)).encode())
    assert junit.SHORT_LIMIT < size < 3_000_000
