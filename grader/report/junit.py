"""JUnit XML in the subset that Jenkins' strict xUnit schema, GitLab and the actions of GitHub all read.

The elements are built by junit-xml and then put right, because 1.9 writes what those readers refuse: an attribute
``disabled``, times with exponents, characters that XML forbids. One submission is one testsuite; ``failure`` is the
student's, ``error`` ours, ``skipped`` a case that waits for another or for a person. Readers show a body and nothing
else, so the body says everything; names are ``<submission>/<case>``, because GitLab drops one of two equal names.

There are no measured times: the file is the same for every run. Sizes are bounded: a body by BODY_LIMIT, and once all
bodies together reach BODIES_LIMIT the later ones are cut to SHORT_BODY, so that a class of a thousand stays under the
30 MB that GitLab reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, indent, tostring

from grader.report import shown
from grader.report.words import PHRASES, points_of, score_line, tell
from grader.results import CaseResult, Grade, Verdict

if TYPE_CHECKING:
    from junit_xml import TestCase

BODY_LIMIT = 8_000
BODIES_LIMIT = 8_000_000
SHORT_BODY = 200
_MESSAGE_LIMIT = 300
_COUNTS = ("tests", "failures", "errors")


def render(assignment: str, grades: Iterable[Grade]) -> str:
    """The whole document as one string, which says that it is UTF-8."""
    return "".join(chunks(assignment, grades))


def chunks(assignment: str, grades: Iterable[Grade]) -> Iterator[str]:
    """The document piece by piece. Grades are taken one at a time; the text is kept, as the totals come before it."""
    totals = dict.fromkeys(_COUNTS, 0)
    suites: list[str] = []
    room = BODIES_LIMIT
    for grade in grades:
        suite = _suite(assignment, grade, BODY_LIMIT if room > 0 else SHORT_BODY)
        room -= sum(len((element.text or "").encode()) for element in suite.iter())
        for count in _COUNTS:
            totals[count] += int(suite.get(count, "0"))
        indent(suite, level=1)
        suites.append(f"  {tostring(suite, encoding='unicode').rstrip()}\n")
    root = Element(
        "testsuites", {"name": shown.line(assignment), **{k: str(v) for k, v in totals.items()}, "time": "0"}
    )
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield tostring(root, encoding="unicode").removesuffix(" />") + ">\n"
    yield from suites
    yield "</testsuites>\n"


def _suite(assignment: str, grade: Grade, limit: int) -> Element:
    from junit_xml import TestSuite

    suite = TestSuite(grade.submission, list(_cases(assignment, grade, limit)), properties=_properties(grade))
    element: Element = suite.build_xml_doc()
    return _put_right(element)


def _properties(grade: Grade) -> dict[str, str]:
    points = {f"points {c.id}": f"{points_of(c)} ({c.title})" for c in grade.criteria}
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
        **{key: said for key, said in native.items() if said},
    }


def _cases(assignment: str, grade: Grade, limit: int) -> Iterator[TestCase]:
    from junit_xml import TestCase

    for case in grade.cases:
        test = TestCase(f"{grade.submission}/{case.id}", classname=assignment)
        if case.verdict is not Verdict.ACCEPTED:
            _judge(test, case, shown.clipped(_body(grade, case), limit))
        yield test


def _judge(test: TestCase, case: CaseResult, body: str) -> None:
    message = shown.clipped(_message(case), _MESSAGE_LIMIT)
    if case.verdict is Verdict.JUDGE_ERROR:
        test.add_error_info(message, body, case.verdict.value)
    elif case.verdict.blames_student:
        test.add_failure_info(message, body, case.verdict.value)
    else:
        test.add_skipped_info(message, body)


def _message(case: CaseResult) -> str:
    said = PHRASES[case.verdict]
    return f"{said}: {shown.line(case.findings[0].message)}" if case.findings else said


def _body(grade: Grade, case: CaseResult) -> str:
    criterion = next((c for c in grade.criteria if c.id == case.criterion), None)
    lines = [f"{case.title or case.id}: {PHRASES[case.verdict]}"]
    if criterion is not None:
        lines.append(f"{criterion.title}: {points_of(criterion)} points")
    if case.profile:
        lines.append(f"run as {case.profile}")
    lines += [line.text for line in tell(case)]
    if case.verdict is Verdict.COMPILE_ERROR:
        lines += grade.diagnostics
    return "\n".join(lines)


def _put_right(suite: Element) -> Element:
    """Drop what the schema does not know, write times without exponent, make forbidden characters visible."""
    suite.attrib.pop("disabled", None)
    for element in suite.iter():
        if element.tag in ("testsuite", "testcase"):
            element.set("time", "0")
        for name, value in element.attrib.items():
            element.set(name, shown.line(value))
        if element.text:
            element.text = shown.plain(element.text)
    return suite
