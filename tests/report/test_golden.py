"""The reports of the samples, byte for byte, and that nothing but the grade decides them."""

import hashlib
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.report import console, github, gradescope, junit, page, record, table
from grader.report.document import Look
from grader.results import for_student
from tests.report.sample_grades import (
    CRITERIA,
    SAMPLES,
    all_grades,
    compile_error,
    hostile,
    runtime_error,
    view,
    wrong_answer,
)

Golden = Callable[[str, str], None]
ROOT = Path(__file__).parents[2]
IDS = [criterion.id for criterion in CRITERIA]


def _bare(html: str) -> str:
    """A page without its style sheet and script, whose every change would touch every golden page."""
    html = re.sub("(?s)<style>.*?</style>", "<style></style>", html)
    html = re.sub("(?s)<script>.*?</script>", "<script></script>", html)
    return re.sub("sha256-[^&']*", "sha256-", html)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_console(golden: Golden, name: str) -> None:
    """Every sample prints what it did."""
    golden(f"report/console/{name}.txt", console.render(SAMPLES[name]()))


@pytest.mark.parametrize("name", SAMPLES)
def test_the_page(golden: Golden, name: str) -> None:
    """Every sample has the page that it had."""
    golden(f"report/page/{name}.html", _bare(page.student_page(SAMPLES[name](), audience="staff")))


def test_the_page_for_the_student(golden: Golden) -> None:
    """A student's page is the projection that it was."""
    golden("report/page/wrong-answer-for-student.html", _bare(page.student_page(wrong_answer(), audience="student")))


def test_the_index(golden: Golden) -> None:
    """The batch of all samples has the index that it had."""
    golden("report/page/index.html", _bare(page.index_page("LAB 04", map(page.Row.of, all_grades()))))


def test_the_machine_formats(golden: Golden) -> None:
    """The records, JUnit, CSV, Gradescope and GitHub formats of the samples are what they were."""
    golden("report/grades.json", "".join(record.joined("lc3-nim", map(record.piece, all_grades()))))
    golden("report/junit.xml", junit.render("lc3-nim", all_grades()))
    golden("report/grades.csv", "".join((table.header(IDS), *(table.row(one, IDS) for one in all_grades()))))
    golden("report/gradescope.json", gradescope.document(view(wrong_answer())))
    golden("report/github.md", github.summary(for_student(wrong_answer())))
    golden("report/github.txt", "".join(github.annotations(g) for g in (compile_error(), runtime_error(), hostile())))


def everything() -> str:
    """A digest of every report of every sample."""
    texts = [junit.render("x", all_grades()), page.index_page("x", map(page.Row.of, all_grades()))]
    for grade in all_grades():
        texts += [
            record.dump(grade),
            console.render(grade, Look(colour=True)),
            github.summary(grade),
            gradescope.document(view(grade)),
        ]
        texts += [page.student_page(grade, audience="student"), github.annotations(grade), table.row(grade, IDS)]
    return hashlib.sha256("".join(texts).encode()).hexdigest()


def test_only_the_grade_decides(tmp_path: Path) -> None:
    """Another process, folder, hash seed, time zone, locale and terminal make the same bytes."""
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tests.report.test_golden import everything; print(everything())"
    environment = {
        "PYTHONHASHSEED": "7",
        "TZ": "Asia/Tokyo",
        "LC_ALL": "C",
        "COLUMNS": "31",
        "NO_COLOR": "1",
        "TERM": "dumb",
    }
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path, env=environment
    )
    assert done.stdout.strip() == everything()


def test_heavy_libraries_are_imported_on_demand() -> None:
    """Importing the reports that a batch calls imports neither the template engine, nor rich or pydantic."""
    program = (
        "import sys; from grader.report import github, gradescope, junit, page, record, table;"
        "print([m for m in ('jinja2', 'rich', 'pydantic') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"
