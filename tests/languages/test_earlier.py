"""Records that an earlier version wrote are told in today's languages, although sentences are worded differently today.

``kept`` has grades.json of five batches of commit 2cc9205, a class of broken fixtures of each bundled assignment.
"""

from __future__ import annotations

import html
import json
import lzma
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from grader.languages import CODES, language
from grader.languages.language import entries
from grader.report.page import student_page
from grader.report.record import from_data
from grader.report.translation import translated
from grader.results import Grade
from tests.languages.reading import by_a_tool, said
from tests.languages.test_complete import CATALOGUES, ENGLISH_WORD, OTHERS, PLACE, catalogue

KEPT = Path(__file__).with_name("kept")
FOREIGN = {*(KEPT / "course.txt").read_text(encoding="utf-8").splitlines(), "division by zero"}
"""The hints of the specs of that commit, as far as they stand in the records, and a warning of gcc."""


@cache
def kept() -> tuple[Grade, ...]:
    """The grades of the kept batches."""
    texts = (lzma.decompress(path.read_bytes()) for path in sorted(KEPT.glob("*.xz")))
    return tuple(from_data(grade) for text in texts for grade in json.loads(text)["grades"])


def test_an_earlier_sentence_leads_to_one_of_today_with_its_places() -> None:
    """Not to another earlier one, and not to one with a place that the earlier lacks."""
    today = set(catalogue("de", "messages"))
    earlier = [one for one in entries((CATALOGUES / "earlier.po").read_text(encoding="utf-8")) if one.english]
    assert [one.english for one in earlier if one.english in today or one.forms[0] not in today] == []
    assert [one.english for one in earlier if set(PLACE.findall(one.forms[0])) - set(PLACE.findall(one.english))] == []
    assert len({one.english for one in earlier}) == len(earlier)


def test_the_kept_class_is_of_all_bundled_assignments() -> None:
    """With programs that fail to build, break, print without an end, lose points, and wait for a person."""
    assert {grade.assignment for grade in kept()} == {"c-nim", "java-nim", "lc3-nim", "mips-connect4", "pile-nim"}
    assert len({case.verdict for grade in kept() for case in grade.cases}) >= 8


@pytest.mark.parametrize("code", OTHERS)
def test_every_sentence_of_a_kept_record_can_be_said(code: str) -> None:
    """By its wording of today, or by one that is kept for records."""
    words = language(code)
    sentences = {one for grade in kept() for one in said(grade) if one not in FOREIGN and not by_a_tool(one)}
    assert [one for one in sorted(sentences) if one and not words.knows(one)] == []


@pytest.mark.parametrize("code", OTHERS)
def test_the_page_of_a_kept_record_has_no_english_of_ours(code: str) -> None:
    """Except the titles and hints of the course, names, and what a program, its source and a compiler say."""
    for grade in kept():
        titles = [grade.title, *(one.title for one in (*grade.criteria, *grade.cases))]
        page = student_page(replace(grade, language=code), audience="student")
        shown = re.sub(r"(?s)<style>.*?</style>|<(script|pre|bdi|code)\b.*?</\1>|<[^>]*>", "\n", page)
        lines = {html.unescape(line.strip()).removeprefix(f"{grade.submission}: ") for line in shown.splitlines()}
        ours = (re.sub("„[^“]*“|“[^”]*”", "", line) for line in lines - FOREIGN - set(titles))
        assert [line for line in ours if ENGLISH_WORD.search(line) and not by_a_tool(line)] == [], grade.submission


@pytest.mark.parametrize("code", CODES)
def test_a_kept_record_is_the_same_grade_in_every_language(code: str) -> None:
    """Its score, the points of each criterion, and the verdict of each case."""
    for grade in kept():
        told = translated(grade, language(code))
        assert (told.score, told.open_points, told.complete) == (grade.score, grade.open_points, grade.complete)
        assert [(one.points, one.open) for one in told.criteria] == [(one.points, one.open) for one in grade.criteria]
        assert [one.verdict for one in told.cases] == [one.verdict for one in grade.cases]
