"""The standard error of programs: it is shown with the case, and no verdict depends on it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.grading import Grading
from grader.grading.trial import SHOWN_ERRORS, written_aside
from grader.intake.source import read_submission
from grader.report import console, page
from grader.report.document import Look
from grader.results import Grade, Visibility, for_student
from grader.sessions.session import play
from grader.spec.loader import load_assignment
from grader.transcript import EndingKind
from tests.build.conftest import built

ROOT = Path(__file__).resolve().parents[2]
TALKS_ASIDE = """#include <stdio.h>
int main(void) {
  char line[80];
  fprintf(stderr, "started\\n");
  puts("Name?");
  if (!fgets(line, sizeof line, stdin)) return 0;
  fprintf(stderr, "%s", line[0] == 'f' ? "flood" : "read \\x1b[31m");
  for (int i = 0; line[0] == 'f' && i < 100000; i++) fputs(".", stderr);
  puts("Hello");
  return line[0] == 'x' || !fgets(line, sizeof line, stdin);
}
"""


@pytest.mark.parametrize(("typed", "kind"), [("x\n", EndingKind.EXIT_CODE), ("y\n", EndingKind.STILL_WAITING)])
def test_a_run_holds_what_was_written_aside(workshop, typed, kind):
    """All of it, whether the program has ended or waits; what it printed is kept apart, and runs are alike without it."""
    made = built(workshop, {"main.c": TALKS_ASIDE}, language="c", sources=["main.c"])
    (program,) = made.programs.values()
    transcript = play(program.start(""), [typed])
    made.close()
    assert (transcript.ending.kind, transcript.ending.errors) == (kind, "started\nread \x1b[31m")
    assert [turn.output for turn in transcript.turns] == ["Name?\n", "Hello\n"]
    assert replace(transcript, ending=replace(transcript.ending, errors="")) == transcript


def test_of_a_flood_the_end_is_kept(workshop):
    """The last that was written says how a program broke."""
    made = built(workshop, {"main.c": TALKS_ASIDE}, language="c", sources=["main.c"])
    (program,) = made.programs.values()
    text = written_aside(play(program.start(""), ["f\n"]))
    made.close()
    assert text == "…" + "." * SHOWN_ERRORS


@pytest.fixture(scope="module")
def graded() -> Grade:
    """A real program that fails an assertion, whose text the C library writes to standard error."""
    name = "assertion-that-the-program-never-takes-the-last-stone"
    with Grading(load_assignment(ROOT / "specs/pile-nim.yaml")) as grading:
        return grading.grade(read_submission(ROOT / "fixtures/pile-nim/runtime-error" / name / "submission", None))


SAID = "lab06.c:37: my_move: Assertion `pile > n' failed."


def test_it_is_shown_on_the_page_and_by_check(graded):
    """Beside the case, as any text of a student: nothing in it can be more than text."""
    hostile = replace(graded, cases=tuple(replace(c, errors="<b>\x1b[2J" if c.errors else "") for c in graded.cases))
    assert SAID.replace("'", "&#39;").replace(">", "&gt;") in page.student_page(graded, audience="student")
    assert f"stderr   │ grader_program: {SAID}" in console.render(graded, Look(width=200))
    assert "&lt;b&gt;⟨ESC⟩[2J" in page.student_page(hostile, audience="student")
    assert "<b>⟨ESC⟩[2J" in console.render(hostile)


def test_of_a_hidden_case_the_student_sees_none_of_it(graded):
    """It may quote what was typed."""
    hidden = replace(graded, cases=tuple(replace(c, visibility=Visibility.HIDDEN) for c in graded.cases))
    assert all(not case.errors for case in for_student(hidden).cases)
    assert any(case.errors for case in hidden.cases)
