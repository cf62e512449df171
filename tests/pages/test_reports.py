"""The pages of a batch in Chromium: everybody can read and use them, on any screen, dark, and on paper."""

from __future__ import annotations

import io
import json
from itertools import pairwise
from typing import Any

import pytest
from pypdf import PdfReader

from tests.axe import troubles
from tests.chromium import Page
from tests.pages.conftest import CLASS, LC3_NIM
from tests.report.sample_grades import SAMPLES

pytestmark = pytest.mark.xdist_group("chromium")

WINDOWS = [(390, False, False), (1280, False, False), (1280, True, False), (1040, False, True)]
"""How wide, whether dark, whether printed: sheets of paper lie on their side for a class."""
TWO_WINDOWS = [WINDOWS[0], WINDOWS[2]]
"""A telephone, and a dark screen: where other pages of the same template are looked at in all."""
STUDENTS = [f"students/{name}.html" for name in SAMPLES]
IN_ALL = {"few.html", "students/wrong-answer.html", "students/compile-error.html", "review.html", "proof.html"}
STAFF = ["staff/wrong-answer.html", "staff/needs-review.html", "review.html", "alike.html", "proof.html"]


def _rows(tab: Page, what: str) -> Any:
    return tab.run(f"[...document.querySelectorAll('#grades tbody tr')].map((row) => {what})")


def _students(tab: Page) -> list[str]:
    return list(_rows(tab, "row.querySelector('th a').textContent"))


@pytest.mark.share(2)
@pytest.mark.parametrize(
    "path", ["few.html", *STUDENTS, *STAFF]
)  # axe looks at each row of a table, and they are alike
def test_axe_finds_nothing_and_nothing_sticks_out(path: str, site: str, tab: Page) -> None:
    """On a telephone and dark, one page of each kind on a light screen and as it is printed; with all that can be unfolded open."""
    tab.open(site + path)
    tab.run("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    for width, dark, printed in WINDOWS if path in IN_ALL else TWO_WINDOWS:
        tab.look(width, 900, dark=dark, printed=printed)
        assert tab.run("document.documentElement.scrollWidth - innerWidth") <= 0, (width, dark, printed)
        assert troubles(tab) == [], (width, dark, printed)
    assert tab.complaints == []


@pytest.fixture
def index(site: str, tab: Page) -> Page:
    """The page of a class, on a screen."""
    tab.look(1280, 900)
    tab.open(f"{site}index.html")
    return tab


SEEN = """
[...document.querySelectorAll('#grades thead th')].filter((head) => head.offsetParent).map((head) => {
  const { left, right } = head.getBoundingClientRect();
  return [head.innerText.split("↕")[0].trim().split("\\n")[0], left >= 0 && right <= document.documentElement.clientWidth];
})
"""


def test_the_class_table_fits(site: str, tab: Page) -> None:
    """On a screen with all columns of the largest assignment; on a telephone with those that matter at first sight."""
    for width in (1280, 390):
        tab.look(width, 900)
        tab.open(f"{site}wide.html")
        heads = tab.run(SEEN)
        assert [head for head, fits in heads if not fits] == [], width
        names = [head for head, _ in heads]
        if width == 390:
            assert names == ["student", "score", "open", "to look at"]
        else:
            assert names == ["student", "score", "open", *LC3_NIM, "cases", "to look at"]


def test_the_table_is_sorted_by_a_click_on_its_heads(index: Page) -> None:
    """By points, one way and then the other, and the head says which to those who hear it."""
    index.click("#grades thead th:nth-child(2) button")
    up = [float(score) for score in _rows(index, "row.cells[1].textContent")]
    assert up == sorted(up)
    assert index.run("document.querySelector('#grades thead th:nth-child(2)').ariaSort") == "ascending"
    index.click("#grades thead th:nth-child(2) button")
    down = [float(score) for score in _rows(index, "row.cells[1].textContent")]
    assert all(one >= other for one, other in pairwise(down))
    assert down[0] > down[-1]


def test_students_are_found_by_typing(index: Page) -> None:
    """A part of the name is enough, and how many are shown is said."""
    index.click("#search")
    index.type("student 11")
    assert _students(index) == ["Student 11", "Student 110", "Student 111"][: len(_students(index))]
    assert _students(index)
    assert index.run("document.querySelector('#shown').textContent") == f"{len(_students(index))} of {CLASS} shown"


def test_those_who_failed_a_case_are_shown_by_a_click_on_it(index: Page) -> None:
    """Beside the statistics; and those for a person to look at by a box."""
    index.click(".most button.filter")
    failed = _students(index)
    assert 0 < len(failed) < CLASS
    index.run("document.querySelector('#filter').value = ''")
    index.click("#only")
    assert 0 < len(_students(index)) < CLASS


def test_a_failure_leads_to_its_turn(index: Page, site: str) -> None:
    """A click on the number of failed cases opens the page of the submission at the first, whose turn stands there."""
    at = index.run(
        "[...document.querySelectorAll('#grades tbody a.bad')].findIndex((a) => a.getAttribute('href').includes('wrong-answer'))"
    )
    index.run(f"document.querySelectorAll('#grades tbody a.bad')[{at}].id = 'wanted'")
    index.click("#wanted")
    index.wait("location.pathname.includes('/staff/wrong-answer') && document.readyState === 'complete'")
    shown = index.run(
        "(() => { const one = document.querySelector(location.hash); return [one.closest('details').open, one.innerText]; })()"
    )
    assert shown[0] is True
    assert "turn" in shown[1]
    assert index.run("document.querySelector(location.hash).getBoundingClientRect().top < innerHeight")


def test_a_dialogue_is_opened_and_its_command_copied(site: str, tab: Page) -> None:
    """A click on the command selects all of it, so that Ctrl+C is enough: the page has no script that could copy."""
    tab.look(1280, 900)
    tab.open(f"{site}students/wrong-answer.html")
    closed = "details.fold:not([open]) > summary"
    if tab.run(f"!!document.querySelector({json.dumps(closed)})"):
        before = tab.run(f"document.querySelectorAll({json.dumps(closed)}).length")
        tab.run(f"document.querySelector({json.dumps(closed)}).closest('details.case').open = true")
        tab.click(closed)
        assert tab.run(f"document.querySelectorAll({json.dumps(closed)}).length") == before - 1
    tab.click(".facts code")
    assert tab.run("getSelection().toString().trim()") == tab.run("document.querySelector('.facts code').textContent")


def test_all_rows_are_printed(index: Page) -> None:
    """Also those that the screen has not shown yet."""
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(index.paper())).pages)
    assert [n for n in range(CLASS - len(SAMPLES)) if f"Student {n}" not in text] == []


def test_what_failed_is_printed(site: str, tab: Page) -> None:
    """With what was expected and what came."""
    tab.open(f"{site}students/wrong-answer.html")
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(tab.paper())).pages)
    assert "expected" in text
    assert "actual" in text


def test_the_class_page_is_used_by_keyboard(index: Page) -> None:
    """Tab goes from the search to the filters and on to the heads of the table, and each shows that it is there."""
    index.click("#search")
    seen = []
    for _ in range(4):
        index.press("Tab")
        seen.append(index.run("document.activeElement.id || document.activeElement.textContent"))
        assert index.run("getComputedStyle(document.activeElement).outlineStyle") != "none"
    assert seen == ["filter", "only", "student", "score"]
