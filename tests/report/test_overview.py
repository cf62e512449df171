"""A batch at a glance."""

from dataclasses import replace

import pytest

from grader.report.overview import Row, Statistics
from tests.report.sample_grades import (
    all_grades,
    compile_error,
    full_marks,
    hostile,
    judge_error,
    needs_review,
    wrong_answer,
)

ROW = Row.of(full_marks())


def test_a_row_counts_cases() -> None:
    """A row counts what was accepted and what failed through the submission, and nothing else."""
    row = Row.of(wrong_answer())
    assert (row.cases(accepted=True), row.cases(accepted=False)) == (3, 4)
    assert Row.of(judge_error()).cases(accepted=False) == 0


@pytest.mark.parametrize(
    ("grade", "wanted"),
    [(full_marks(), False), (compile_error(), False), (needs_review(), True), (judge_error(), True), (hostile(), True)],
)
def test_what_a_person_should_look_at(grade: object, wanted: bool) -> None:
    """Notes, unreadable output and our own errors ask for a person; lost points and manual criteria do not."""
    assert Row.of(grade).to_look_at is wanted  # type: ignore[arg-type]


def test_the_figures_of_a_batch() -> None:
    """Count, mean, median and the number of submissions to look at are those of the rows."""
    figures = Statistics.of([Row.of(grade) for grade in all_grades()])
    assert (figures.count, figures.mean, figures.median) == (8, "62.3", "66.9")
    assert (figures.open, figures.to_look_at, figures.judge_errors) == (7, 3, 1)


def test_the_figures_of_nothing() -> None:
    """Without rows there is neither mean nor median."""
    figures = Statistics.of([])
    assert (figures.count, figures.mean, figures.median, sum(figures.bins)) == (0, "", "", 0)


@pytest.mark.parametrize(
    ("score", "most", "index"),
    [(0, 100, 0), (9.99, 100, 0), (10, 100, 1), (99, 100, 9), (100, 100, 9), (120, 100, 9), (0, 0, 0)],
)
def test_scores_fall_into_tenths(score: float, most: float, index: int) -> None:
    """A score on a border counts above it, the full score and a bonus in the last tenth."""
    bins = Statistics.of([replace(ROW, score=score, max_points=most)]).bins
    assert bins.index(1) == index


def test_the_most_frequent_failure_comes_first() -> None:
    """Cases are ranked by how many submissions failed them, and at most eight are told."""
    rows = [replace(ROW, failed=tuple((f"c{n}", f"Case {n}") for n in range(most))) for most in (12, 2, 1)]
    most_failed = Statistics.of(rows).most_failed
    assert most_failed[:3] == (("c0", "Case 0", 3), ("c1", "Case 1", 2), ("c2", "Case 2", 1))
    assert len(most_failed) == 8
