"""JUnit XML in the subset that Jenkins' strict xUnit schema, GitLab and the actions of GitHub all read.

Those readers refuse times with exponents, characters that XML forbids, and an attribute ``disabled``, as libraries for this format
write them. One submission is one testsuite; ``failure`` is the
student's, ``error`` ours, ``skipped`` a case that waits for another or for a person. Readers show a body and nothing
else, so the body says everything; names are ``<submission>/<case>``, because GitLab drops one of two equal names.

A place stands first in a message and in its text, since the schema has no attribute for it. The files of a batch hold no measured
times: they are the same for every run. Only the grading of one program may give the seconds of its cases. Sizes are
bounded, since GitLab reads files up to 30 MB and 100 MB in all. A batch is split: a file holds at most CASES_LIMIT
cases (`submissions_in`). A body is cut to BODY_LIMIT. After FULL_LIMIT bytes of a file, bodies are cut to SHORT_BODY;
after SHORT_LIMIT, cases have only their verdict. The text is written as a stream, so the totals at its beginning are
counted first, as `Counts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from grader.report import shown
from grader.report.document import View
from grader.report.words import PHRASES, adjustment, points_of, score_line, tell
from grader.results import CaseResult, Grade, Verdict
from grader.values import dataclass

BODY_LIMIT = 8_000  # characters of one case: GitLab refuses files over 30 MB
SHORT_BODY = 200  # characters: what is wrong with a case, without its dialogue
CASES_LIMIT = 40_000  # cases of one file: even without a body each has some 400 bytes
FULL_LIMIT = 8_000_000  # bytes of a file after which bodies are short,
SHORT_LIMIT = 16_000_000  # and after which there are no bodies: the file stays below 30 MB
_MESSAGE_LIMIT = 300  # characters: readers show a message in one line of a list
LIMITS = (BODY_LIMIT, SHORT_BODY, 0)
TAIL = "</testsuites>\n"
NO_TIMES: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Counts:
    """The totals of a file: its cases, those that failed through the submission, and those that failed through us."""

    tests: int = 0
    failures: int = 0
    errors: int = 0

    @classmethod
    def of(cls, grade: Grade) -> Counts:
        """The totals of one grade."""
        elements = [_element(case.verdict) for case in grade.cases]
        return cls(len(elements), elements.count("failure"), elements.count("error"))

    def __add__(self, more: Counts) -> Counts:
        return Counts(self.tests + more.tests, self.failures + more.failures, self.errors + more.errors)


def submissions_in(cases: int) -> int:
    """The number of submissions in a file, if each has this number of cases."""
    return max(1, CASES_LIMIT // max(1, cases))


def render(assignment: str, grades: Sequence[Grade], seconds: Mapping[str, float] = NO_TIMES) -> str:
    """A document of a few grades, which says that it is UTF-8; ``seconds`` are the times of cases, by their ids."""
    suites: list[str] = []
    for grade in grades:
        most = limit(sum(len(text.encode()) for text in suites))
        suites.append(suite(assignment, grade, most, seconds))
    return "".join((head(assignment, sum(map(Counts.of, grades), Counts()), sum(seconds.values())), *suites, TAIL))


def document(view: View) -> str:
    """One document for one grade, with the measured times of its cases."""
    return render(view.shown.assignment, [view.shown], view.seconds)


def head(assignment: str, counts: Counts, seconds: float = 0) -> str:
    """The beginning of a document; ``seconds`` is the total time of its cases."""
    totals = {"tests": str(counts.tests), "failures": str(counts.failures), "errors": str(counts.errors)}
    root = Element("testsuites", {"name": shown.line(assignment), **totals, "time": _time(seconds)})
    return f"""<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode").removesuffix(" />")}>\n"""


def limit(written: int) -> int:
    """The most characters of a body after ``written`` bytes of a document: one of LIMITS, or 0 for no body."""
    if written < FULL_LIMIT:
        return BODY_LIMIT
    return SHORT_BODY if written < SHORT_LIMIT else 0


def suite(assignment: str, grade: Grade, most: int, seconds: Mapping[str, float] = NO_TIMES) -> str:
    """The part of a document on one submission; a body has at most ``most`` characters."""
    judged, elements = Counts.of(grade), [_element(case.verdict) for case in grade.cases]
    taken = sum(seconds.get(case.id, 0) for case in grade.cases)
    totals = {"errors": str(judged.errors), "failures": str(judged.failures), "name": shown.line(grade.submission)}
    skipped = str(elements.count("skipped"))
    element = Element("testsuite", {**totals, "skipped": skipped, "tests": str(judged.tests), "time": _time(taken)})
    properties = _put(element, "properties", {})
    for name, value in _properties(grade).items():
        _put(properties, "property", {"name": name, "value": value})
    for case, kind in zip(grade.cases, elements, strict=True):
        times = {"time": _time(seconds.get(case.id, 0))}
        test = _put(element, "testcase", {"name": f"{grade.submission}/{case.id}", "classname": assignment, **times})
        if kind:
            text, body = (_message(case), _body(grade, case)) if most else (PHRASES[case.verdict], "")
            about = {"type": kind if kind == "skipped" else case.verdict.value}
            _put(test, kind, {**about, "message": shown.clipped(text, _MESSAGE_LIMIT)}, shown.clipped(body, most))
    indent(element, level=1)
    return f"  {tostring(element, encoding='unicode').rstrip()}\n"


def _put(parent: Element, tag: str, attributes: Mapping[str, str], text: str = "") -> Element:
    """Add an element to another one, with the characters that XML forbids made visible."""
    element = SubElement(parent, tag, {name: shown.line(value) for name, value in attributes.items()})
    element.text = shown.plain(text) or None
    return element


def _time(seconds: float) -> str:
    """Seconds without an exponent, which readers refuse."""
    return f"{seconds:.3f}" if seconds else "0"


def _properties(grade: Grade) -> dict[str, str]:
    points = {
        f"points {c.id}": f"{points_of(c)} ({c.title}{f'; {c.given}' if c.given else ''})" for c in grade.criteria
    }
    points |= {f"staff {number}": adjustment(one) for number, one in enumerate(grade.adjustments, 1)}
    native = {"tools": grade.provenance.tools, "sandbox": grade.provenance.sandbox}
    return {
        "student": grade.student,
        "student_id": grade.student_id,
        "score": score_line(grade),
        **points,
        "spec_sha256": grade.provenance.spec_sha256,
        "submission_sha256": grade.provenance.submission_sha256,
        "grader_version": grade.provenance.grader_version,
        "seed": str(grade.provenance.seed),
        **{name: text for name, text in native.items() if text},
    }


def _element(verdict: Verdict) -> str:
    """The element in a case of this verdict; empty for an accepted one."""
    if verdict is Verdict.JUDGE_ERROR:
        return "error"
    if verdict.blames_student:
        return "failure"
    return "" if verdict is Verdict.ACCEPTED else "skipped"


def _message(case: CaseResult) -> str:
    phrase = PHRASES[case.verdict]
    return f"{_at(case)}{phrase}: {shown.line(case.findings[0].message)}" if case.findings else phrase


def _at(case: CaseResult) -> str:
    """The place of the first finding, to stand first in a line; empty if it has none."""
    place = case.findings[0].place if case.findings else ""
    return f"{shown.line(place)}: " if place else ""


def _body(grade: Grade, case: CaseResult) -> str:
    criterion = next((c for c in grade.criteria if c.id == case.criterion), None)
    lines = [f"{_at(case)}{case.title or case.id}: {PHRASES[case.verdict]}"]
    if criterion is not None:
        lines.append(f"{criterion.title}: {points_of(criterion)} points")
    if case.profile:
        lines.append(f"run as {case.profile}")
    lines += [line.text for line in tell(case)]
    if case.verdict is Verdict.COMPILE_ERROR:
        lines += grade.diagnostics
    return "\n".join(lines)
