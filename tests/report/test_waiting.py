"""The cases that wait for a person, what rests on each, and how many points."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from grader.bundled import spec_path
from grader.grading.deciding import Scoring
from grader.grading.trial import unmet
from grader.report import page, record
from grader.report.overview import Row
from grader.report.waiting import resting
from grader.results import Finding, Given, Grade, Marks, Provenance, Verdict
from grader.spec.loader import load_assignment

UNREAD = "no announcement of a winner could be read, after A1"
BOTH = "two programs were handed in"


@pytest.fixture(scope="module")
def scoring() -> Scoring:
    """The scoring of the bundled assignment."""
    return Scoring(load_assignment(spec_path("lc3-nim")))


def graded(scoring: Scoring, verdicts: dict[str, tuple[Verdict, str]], other: Verdict = Verdict.ACCEPTED) -> Grade:
    """The grade of a program whose cases have these verdicts, each with a message, and all other cases another one."""
    spec = scoring.judged.spec
    cases = []
    for case in spec.cases:
        verdict, message = verdicts.get(case.id, (other, ""))
        found = unmet(case, verdict, *([Finding("unread", message)] if message else []))
        cases.append(replace(found, met=verdict is Verdict.ACCEPTED))
    judged = Grade(spec.assignment, spec.title, "s", "Ann", 0, 0, True, 0, (), tuple(cases), Provenance("", "", "", 0))
    return scoring.grade(judged)


def unread_winner(scoring: Scoring) -> Grade:
    """A program whose banner nobody could read, and which takes zero rocks."""
    verdicts = {"winner": (Verdict.NEEDS_REVIEW, UNREAD), "zero": (Verdict.WRONG_ANSWER, "zero rocks are taken")}
    return graded(scoring, verdicts)


def two_programs(scoring: Scoring) -> Grade:
    """Two programs: a person must say first which one counts, and nothing else was run."""
    return graded(scoring, {"assembles": (Verdict.NEEDS_REVIEW, BOTH)}, Verdict.UNJUDGED)


def test_one_unread_winner_opens_the_points_of_its_kind(scoring: Scoring) -> None:
    """What else the criterion judges is earned, and what fails under another one is lost."""
    grade = unread_winner(scoring)
    held = {one.id: (one.points, one.open, one.lost) for one in grade.criteria}
    assert (held["ending"], held["invalid"]) == ((9, 9, 0), (27, 0, 2))
    assert (grade.score, grade.open_points) == (79, 19)
    assert record.load(record.dump(grade)) == grade


def test_the_record_names_each_case_that_waits(scoring: Scoring) -> None:
    """By its title and its id, with the reason; those that wait for one reason share a sentence."""
    (note,) = unread_winner(scoring).review
    assert note.endswith(f"named as the winner (winner): {UNREAD}")
    both = graded(scoring, dict.fromkeys(("winner", "last-rock"), (Verdict.NEEDS_REVIEW, UNREAD)))
    (note,) = both.review
    assert "(winner), " in note
    assert note.endswith(f"(last-rock): {UNREAD}")


def test_a_criterion_of_which_nothing_could_be_tried_is_named(scoring: Scoring) -> None:
    """No case of it needs review, and its points are open nevertheless."""
    (note,) = graded(scoring, {"echo": (Verdict.UNJUDGED, "could not be tried")}).review
    assert note.endswith("(echo): could not be tried")


def test_cases_with_points_are_in_the_list_and_no_notes_of_the_class(scoring: Scoring) -> None:
    """A case without points is a note on its row."""
    row = Row.of(graded(scoring, dict.fromkeys(("winner", "archive-name"), (Verdict.NEEDS_REVIEW, UNREAD))))
    assert [note.about for note in row.notes] == ["case archive-name"]
    assert row.needs_review


def test_a_person_who_decides_a_case_decides_the_points_of_its_kind(scoring: Scoring) -> None:
    """Both lists of what waits tell nine points, and not the eighteen of the criterion."""
    grade = unread_winner(scoring)
    (item,) = page.ForPerson.of(grade, scoring.assignment.spec)
    assert (item.points, item.resting) == (9, ())
    waits = {one.case.id: one.waiting for one in scoring.mistakes(grade)}
    assert waits == {"winner": 9, "zero": 0}


def test_which_program_counts_weighs_all_that_waits_for_it(scoring: Scoring) -> None:
    """One item, with the points of every case that was not run, and not the one point for assembling."""
    grade = two_programs(scoring)
    assert (grade.open_points, grade.score) == (100, 0)
    (item,) = page.ForPerson.of(grade, scoring.assignment.spec)
    assert item.points == 90
    assert {"plays", "winner", "no-in-trap"} <= {case.id for case in item.resting}
    assert "Not run until that is decided" in page.review_page("LAB 04", [item], [])
    assert [(one.case.id, one.waiting) for one in scoring.mistakes(grade)] == [("assembles", 90)]


def test_what_requires_a_case_that_waits_rests_on_it(scoring: Scoring) -> None:
    """Whether the program plays decides about everything behind it; a case that waits by itself rests on nothing."""
    spec = scoring.assignment.spec
    behind = {case.id for case in spec.cases if case.requires}
    passed = dict.fromkeys(behind, (Verdict.NEEDS_REVIEW, "not run: it requires “plays”"))
    grade = graded(scoring, {**passed, "plays": (Verdict.NEEDS_REVIEW, "no move could be read")})
    assert resting(spec, grade.cases) == {"plays": frozenset(behind)}
    (item,) = page.ForPerson.of(grade, spec)
    assert item.points == 89
    assert next(one.waiting for one in scoring.mistakes(grade) if one.case.id == "plays") == 89


def test_a_mark_takes_the_place_of_what_is_earned_and_what_is_open(scoring: Scoring) -> None:
    """It is the points of the whole criterion, and says what it replaces; then the case waits no more."""
    marks = Marks(given={"ending": Given(Fraction(14), "I played it")})
    grade = scoring.grade(unread_winner(scoring), marks)
    ending = next(one for one in grade.criteria if one.id == "ending")
    assert (ending.points, ending.open) == (14, 0)
    assert ending.given == "given by staff: 14 of 18 instead of 9, with 9 open, “I played it”"
    assert (grade.score, grade.open_points, grade.review) == (84, 10, ())
    assert page.ForPerson.of(grade, scoring.assignment.spec) == ()


def test_notes_of_a_verdict_that_an_earlier_version_kept_are_told_once(scoring: Scoring) -> None:
    """It named cases without their ids, and only those without points."""
    grade = graded(scoring, {"archive-name": (Verdict.NEEDS_REVIEW, "it is called lab4.zip")})
    (case,) = (one for one in grade.cases if one.id == "archive-name")
    kept = replace(grade, review=("two candidates", f"{case.title}: it is called lab4.zip", "another note"))
    now = scoring.grade(kept).review
    assert now == ("two candidates", f"{case.title} (archive-name): it is called lab4.zip", "another note")
