"""A batch at a glance."""

from dataclasses import replace

import pytest

from grader.report.overview import Row, Statistics, most_of_class, zeros
from grader.results import CaseResult, Finding, Verdict
from tests.report.sample_grades import (
    all_grades,
    case,
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
    [
        (full_marks(), False),
        (wrong_answer(), False),
        (compile_error(), True),
        (needs_review(), True),
        (judge_error(), True),
        (hostile(), True),
    ],
)
def test_what_a_person_should_look_at(grade: object, wanted: bool) -> None:
    """Notes, unreadable output, zeros and our own errors ask for a person; lost points and manual criteria do not."""
    assert Row.of(grade).to_look_at is wanted  # type: ignore[arg-type]


def test_the_figures_of_a_batch() -> None:
    """Mean, median and histogram are of the submissions whose automatic points are all there; how many are not is said."""
    figures = Statistics.of([Row.of(grade) for grade in all_grades()])
    assert (figures.count, figures.mean, figures.median) == (8, "59.8", "61.9")
    assert (figures.open, figures.to_look_at, figures.judge_errors) == (7, 4, 1)
    assert (figures.unsettled, sum(figures.bins)) == (2, 6)
    overridden = replace(needs_review(), score=80, open_points=0, complete=True)
    assert Statistics.of([Row.of(overridden)]).mean == "80"


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


def _noted(number: int, *cases: CaseResult, notes: tuple[str, ...] = ()) -> Row:
    """The row of a submission with full marks, these cases in need of review, and notes on them and others."""
    flagged = tuple(f"{one.title} ({one.id}): {one.findings[0].message}" for one in cases if one.criterion is None)
    grade = replace(full_marks(), cases=(*full_marks().cases, *cases), review=(*notes, *flagged))
    return Row.of(replace(grade, submission=f"s{number}"))


def _archive(name: str, criterion: str | None = None) -> CaseResult:
    finding = Finding("archive-name", f"it was handed in as “{name}”")
    return case("archive-name", Verdict.NEEDS_REVIEW, criterion=criterion, findings=(finding,))


@pytest.mark.parametrize(("with_it", "count"), [(3, 5), (11, 20)])
def test_what_most_have_is_told_once(with_it: int, count: int) -> None:
    """The class has one note on it, though each archive has another name; a submission keeps its own notes."""
    rows = [
        _noted(n, *([_archive(f"a{n}")] if n < with_it else []), notes=("two programs",) * (n == 0))
        for n in range(count)
    ]
    (told,), left = most_of_class(rows)
    assert told.text == "Archive name (one of them: it was handed in as “a0”)"
    assert told.submissions == tuple(f"s{n}" for n in range(with_it))
    assert [row.to_look_at for row in left] == [True, *[False] * (count - 1)]
    assert [note.text for note in left[0].notes] == ["two programs"]


@pytest.mark.parametrize(("with_it", "count"), [(4, 4), (10, 20)])
def test_what_half_of_a_class_has_is_told_of_each(with_it: int, count: int) -> None:
    """Nor is anything told of a class of fewer than five."""
    rows = [_noted(n, *([_archive("nim")] if n < with_it else [])) for n in range(count)]
    assert most_of_class(rows) == ((), rows)


def test_open_points_are_always_for_a_person() -> None:
    """Each submission whose points hang on it stays among those to look at, however many they are."""
    rows = [_noted(n, _archive("nim", "format")) for n in range(6)]
    told, left = most_of_class(rows)
    assert told == ()
    assert all(row.to_look_at for row in left)


def _zero(number: int, verdict: Verdict, finding: Finding) -> Row:
    grade = compile_error()
    failed = case("assembles", verdict, criterion="assembles", findings=(finding,))
    return Row.of(replace(grade, submission=f"s{number}", cases=(failed,)))


def test_zeros_are_one_line_for_each_cause() -> None:
    """Labels of their own are one cause; a broken archive and an object file, which both lack the program, are two."""
    label = [Finding("undefined-label", f"there is no label {name}") for name in ("RERTY", "LOOPX")]
    broken = Finding(
        "missing-file", "nim.asm is missing", hint="some members of the archive could not be read; pack it again"
    )
    objects = Finding(
        "missing-file", "nim.asm is missing", hint="there is only nim.obj; put nim.asm into what you hand in"
    )
    rows = [
        *(_zero(n, Verdict.COMPILE_ERROR, one) for n, one in enumerate(label)),
        _zero(2, Verdict.MISSING_FILE, broken),
        _zero(3, Verdict.MISSING_FILE, objects),
        ROW,
    ]
    assert [(one.text, one.submissions) for one in zeros(rows)] == [
        ("there is no label RERTY (and 1 alike)", ("s0", "s1")),
        ("nim.asm is missing: some members of the archive could not be read", ("s2",)),
        ("nim.asm is missing: there is only nim.obj", ("s3",)),
    ]


def test_errors_of_a_compiler_are_alike_but_for_their_names() -> None:
    """A name that is not declared is one cause, whatever the name, and a missing semicolon is another."""
    said = [
        "‘wins’ undeclared (first use in this function)",
        "expected ‘;’ before ‘}’ token",
        "‘i’ undeclared (first use in this function)",
    ]
    rows = [_zero(n, Verdict.COMPILE_ERROR, Finding("compiler", one)) for n, one in enumerate(said)]
    assert [(one.text, one.submissions) for one in zeros(rows)] == [
        (f"{said[0]} (and 1 alike)", ("s0", "s2")),
        (said[1], ("s1",)),
    ]


def test_a_zero_that_staff_gave_points_is_still_one() -> None:
    """Points for the report do not hide that the program earned nothing; a point that it earned does."""
    judged = compile_error()
    given = replace(judged.criteria[-1], points=8, given="given by staff: 8 of 10")
    assert Row.of(replace(judged, criteria=(*judged.criteria[:-1], given))).zero
    earned = replace(judged.criteria[0], points=1)
    assert Row.of(replace(judged, criteria=(earned, *judged.criteria[1:]))).zero is None
