"""Whether a grade, in every form in which it is written, is what it should be, whatever a program printed."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lxml import etree, html

from grader.report import console, github, gradescope, junit, page, record, table
from grader.report.document import Look
from grader.results import Grade, for_student
from tests.report.sample_grades import view as as_view

_SCHEMA = etree.XMLSchema(etree.parse(Path(__file__).parents[1] / "report" / "junit.xsd"))
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufffe\uffff\ud800-\udfff]")
_BELOW = re.compile("[\x00-\x08\x0b-\x1f]")
"""Texts that JSON must not hold; the record is for programs to read."""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_OURS = re.compile(r"::(?:error (?:file=|title=)|notice title=Autograding (?:complete::Points|report::))")


def harm_in_reports(grade: Grade) -> list[str]:
    """The mistakes in the reports of a grade, for staff and for the student."""
    return [found for view in (grade, for_student(grade)) for found in _harm(view)]


def _harm(grade: Grade) -> Iterator[str]:
    texts = {
        "console": console.render(grade, verbose=True),
        "colours": _COLOUR.sub("", console.render(grade, Look(colour=True))),
        "annotations": github.annotations(grade),
        "summary": github.summary(grade),
        "junit": junit.render("hostile", [grade]),
        "page": page.student_page(grade, audience="staff"),
        "csv": table.row(grade, ["talk"]).replace("\r\n", "\n"),
        "gradescope": gradescope.document(as_view(grade)),
        "record": record.dump(grade),
    }
    for name, text in texts.items():
        if (_BELOW if name == "record" else _CONTROL).search(text):
            yield f"control characters in {name}"
    yield from _in_logs(texts["annotations"], github.fenced(texts["console"]), texts["summary"])
    yield from _in_documents(texts, grade)


def _in_logs(annotations: str, fenced: str, summary: str) -> Iterator[str]:
    lines = annotations.splitlines()
    if not all(_OURS.match(line) for line in lines) or sum("Autograding complete" in line[:40] for line in lines) != 1:
        yield "a command in the annotations that is not ours"
    first, *middle, last = fenced.splitlines()
    token = first.removeprefix("::stop-commands::")
    if last != f"::{token}::" or any(token in line for line in middle):
        yield "the fence of a log can be left"
    if any(line.lstrip().startswith("<") and "forged" in line for line in summary.splitlines()):
        yield "elements in the summary that are not ours"


def _in_documents(texts: dict[str, str], grade: Grade) -> Iterator[str]:
    document = etree.fromstring(texts["junit"].encode())
    if not _SCHEMA.validate(document) or len(document.findall(".//testcase")) != len(grade.cases):
        yield "the JUnit document is not valid"
    if document.xpath("//*[@name='forged']"):
        yield "a test case in the JUnit document that is not ours"
    shown = html.fromstring(texts["page"])
    if shown.xpath("//img[@onerror] | //*[@onload] | //a[starts-with(@href, 'javascript')]"):
        yield "elements on the page that are not ours"
    if any("forged" in (script.text or "") for script in shown.iter("script")):
        yield "a script on the page that is not ours"
    if record.load(texts["record"]) != replace(grade, sources=()):
        yield "the record does not come back as it was"
    if json.loads(texts["gradescope"])["score"] != grade.score:
        yield "Gradescope gets another score"
    if any(cell[:1] in "=+@" for row in csv.reader(io.StringIO(texts["csv"])) for cell in row if cell):
        yield "a cell of the table is a formula"
