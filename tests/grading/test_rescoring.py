"""A kept verdict, scored by what the spec says now."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.grading import Grading
from grader.grading.deciding import Scoring
from grader.intake.source import read_submission
from grader.report.record import dump, load
from grader.spec.loader import Assignment, load_assignment
from grader.spec.parts import for_judging
from tests.batch.nim import drawn_nim

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = (
    "accepted/board-as-strings",
    "form/error-message-is-misspelt",
    "compile-error/*",
    "missing-file/*",
    "unjudged/*",
    "wrong-answer/zero-rocks-are-accepted",
)
SPEC = """
assignment: small
title: The first board
submission: {required: [nim.asm]}
program: {language: lc3, sources: [nim.asm]}
text: {criterion: board, slips: {case: 1}}
rubric:
  - {id: assembles, points: 1, title: The program assembles}
  - {id: board, points: 2, title: The first board}
rounding: 1/2
cases:
  - id: assembles
    title: It assembles
    criterion: assembles
    source: {builds: true}
    hint: Read the first message.
  - id: board
    title: The board is shown
    criterion: board
    requires: [assembles]
    hint: Look at the example.
    transcript: |
      ROW A: ooo
"""


def assignment(folder: Path, *changes: tuple[str, str]) -> Assignment:
    """The small assignment with parts of its text replaced."""
    text = SPEC
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path = folder / "small.yaml"
    path.write_text(text, encoding="utf-8")
    return load_assignment(path)


@pytest.mark.parametrize("pattern", FIXTURES)
def test_a_verdict_that_was_kept_is_scored_as_if_it_were_new(pattern: str, tmp_path: Path) -> None:
    """Judged without prices, titles and hints, and scored later, a program has the very grade that it has at once."""
    found = next(iter(sorted((ROOT / "fixtures/lc3-nim").glob(f"{pattern}/submission"))))
    whole = load_assignment(drawn_nim(tmp_path))
    submission = read_submission(found, whole.spec.submission.student_id)
    scoring = Scoring(whole)
    with Grading(whole) as grading, Grading(scoring.judged) as judging:
        at_once = dump(grading.grade(submission))
        kept = dump(judging.grade(submission))
    assert dump(scoring.grade(load(kept))) == at_once
    assert "Moves are echoed" not in kept


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("points: 2", "points: 3"),
        ("rounding: 1/2", "rounding: 1"),
        ("title: The first board\n", "title: Another title\n"),
        ("title: It assembles", "title: It does assemble"),
        ("hint: Look at the example.", "hint: Look again."),
        ("case: 1", "case: whole"),
        ("{criterion: board", "{criterion: assembles"),
        ("assignment: small", "# a remark\nassignment: small"),
    ],
)
def test_what_only_scoring_reads_needs_no_run(tmp_path: Path, before: str, after: str) -> None:
    """Points, prices, titles, hints, rounding and remarks change the spec, and not what a program is judged by."""
    earlier, later = assignment(tmp_path), assignment(tmp_path, (before, after))
    assert later.fingerprint != earlier.fingerprint
    assert for_judging(later).fingerprint == for_judging(earlier).fingerprint


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("ROW A: ooo", "ROW A: oo"),
        ("requires: [assembles]", "unless: [assembles]"),
        ("slips: {case: 1}", "slips: {case: forgive}"),
        ("slips: {case: 1}", "slips: {spacing: 1}"),
        ("program: {", "limits: {instructions: 5}\nprogram: {"),
    ],
)
def test_what_a_run_depends_on_needs_one(tmp_path: Path, before: str, after: str) -> None:
    """A changed case, rule for texts or limit is judged again."""
    earlier = for_judging(assignment(tmp_path))
    assert for_judging(assignment(tmp_path, (before, after))).fingerprint != earlier.fingerprint


def test_a_program_cannot_fill_in_a_mark(tmp_path: Path) -> None:
    """A text that looks like a mark, and does not carry the digest of the spec, stays as it is."""
    scoring = Scoring(assignment(tmp_path))
    with Grading(scoring.judged) as judging:
        (tmp_path / "nim.asm").write_text(".ORIG x3000\nHALT\n.END\n")
        judged = judging.grade(read_submission(tmp_path / "nim.asm"))
    forged = "\ufdd0" + "0" * 16 + ":hint:board:0\ufdd1"
    record = dump(judged).replace("nothing is printed", forged)
    found = next(case for case in scoring.grade(load(record)).cases if case.id == "board")
    assert (found.findings[0].message.split(",")[0], found.findings[0].hint) == (forged, "Look at the example.")
