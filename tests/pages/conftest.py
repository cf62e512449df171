"""The pages of a batch, made of the sample grades, on a server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.batch.similar import pairs_page
from grader.mutants.record import Outcome, Result, Shown
from grader.report.overview import Cell, Note, Zero
from grader.report.page import ForPerson, Row, Same, index_page, render, review_page, student_page
from tests.chromium import Browser, Page, served
from tests.report.sample_grades import SAMPLES, full_marks, judge_error, spec_of, wrong_answer

CLASS = 120
"""So many that the table does not show all at once."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of pages as `grader batch` makes them: index.html, few.html of a small class, review.html, alike.html, proof.html, staff/ and students/."""
    folder = tmp_path_factory.mktemp("site")
    grades = {name: replace(build(), submission=name) for name, build in SAMPLES.items()}
    for name, grade in grades.items():
        _write(folder / f"staff/{name}.html", student_page(grade, audience="staff"))
        _write(folder / f"students/{name}.html", student_page(grade, audience="student"))
    more = [
        replace((full_marks, wrong_answer)[n % 2](), submission=f"more-{n}", student=f"Student {n}", student_id=f"S{n}")
        for n in range(CLASS - len(grades))
    ]
    same = (
        Same("wrong-answer/after-b2", "ROW B is not what is left after B2", "format", 2, ("wrong-answer", "hostile")),
    )
    rows = [Row.of(grade) for grade in (*grades.values(), *more)]
    for name, shown in (("index", rows), ("few", rows[: len(grades) + 2])):
        index = index_page("LAB 04", shown, doubts=("what a.zip is",), absent=("Nobody",), same=same, waiting=1)
        _write(folder / f"{name}.html", index)
    _write(folder / "wide.html", index_page("LAB 04", list(map(_broad, range(6)))))
    items = [item for grade in grades.values() for item in ForPerson.of(grade, spec_of(grade))]
    _write(folder / "review.html", review_page("LAB 04", items[:3], items[3:]))
    _write(folder / "alike.html", pairs_page("LAB 04", ()))
    shown = Shown(("A1", "\n"), "ROW A: oo", "<ROW B>", free=True)
    alive = Result("right/nim.asm:57:9 condition: BRz → BRp", "right", "condition", Outcome.SURVIVES, shown=shown)
    figures = {"criteria": (("format", 1, 0),), "idle": ("echo",), "survivors": (("no reason", (alive,)),)}
    _write(folder / "proof.html", render("proof.html", title="LAB 04", summary="1 of 2 is charged", **figures))
    with served(folder) as address:
        yield address


@pytest.fixture(scope="session")
def tab(browser: Browser) -> Page:
    """The tab in which all these pages are opened, one after the other."""
    return browser.tab()


LC3_NIM = ("assembles", "format", "echo", "moves", "invalid", "ending", "subroutines", "registers", "traps", "report")
"""The criteria of the largest bundled assignment."""


def _broad(number: int) -> Row:
    """A row with a long name, every chip and the columns of lc3-nim."""
    row = Row.of(replace(judge_error(), submission=f"s{number}", student=f"Bartholomäus Wolfeschlegelstein {number}"))
    cells = tuple(Cell(name, name.title(), 12.25, 29) for name in LC3_NIM)
    failed = tuple((f"case-{n}", "A case") for n in range(12))
    note = Note(f"{number}", f"note {number}")
    zero = Zero("undefined-label", "there is no label RERTY")
    return replace(
        row,
        student_id=f"PB0721034{number}",
        cells=cells,
        failed=failed,
        notes=(note,) * 3,
        zero=zero,
        undecided=("",),
        score=89.82,
    )


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8", errors="replace")
