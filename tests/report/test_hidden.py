"""Hidden parts stay hidden: at each level that a spec may choose, in every report that a student can get."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.report import classroom50, console, github, gradescope, junit, page, record
from grader.report.document import Look
from grader.results import (
    Finding,
    JudgedTurn,
    Occasion,
    Proof,
    Provenance,
    Reveals,
    Verdict,
    Visibility,
    Weight,
    for_student,
)
from grader.transcript import Usage
from tests.report.sample_grades import case, full_marks, view
from tests.report.test_classroom50 import ENVIRONMENT

TYPED, TURN, REST = "TYPED7", 7, "NEVER7"
"""The input, in which turn, and a word in everything else that is known of a hidden case."""

FINDING = Finding(
    code="wrong-text",
    message=f"{REST} message",
    turn=TURN,
    hint=f"{REST} hint",
    typed=(TYPED,),
    expected=f"{REST} expected",
    actual=f"{REST} actual",
    place=f"{REST}.c:1",
    excerpt=f"{REST} excerpt",
    steps=(f"{REST} step",),
    output=f"{REST} output",
    reading=(f"{REST} reading",),
    position=f"{REST} position",
)
DIGEST = "5ec4e7d16e57"


def hidden(level: Reveals, visibility: Visibility = Visibility.HIDDEN):
    """A grade with one failed hidden case and all its details."""
    result = replace(
        case("further", Verdict.WRONG_ANSWER, visibility=visibility),
        findings=(FINDING, replace(FINDING, weight=Weight.NOTE)),
        usage=Usage(turns=3),
        turns=(JudgedTurn(f"{REST} said", TYPED, f"{REST} expected"),),
        ending=f"{REST} ending",
        again=f"grader run {REST}",
        profile=f"{REST} profile",
        picture=f"data:{REST}",
        occasions=(Occasion(f"{REST} occasions", 3),),
        proof=Proof(f"{REST} positions", 3, 3),
        reveals=level,
    )
    grade = full_marks()
    provenance = replace(grade.provenance, secret=DIGEST)
    return replace(grade, cases=(*grade.cases, result), provenance=provenance, review=(f"{REST} review",))


def reports(grade) -> dict[str, str]:
    """Every report that a student can get."""
    seen = for_student(grade)
    return {
        "record": record.dump(seen),
        "junit": junit.render("x", [seen]),
        "page": page.student_page(grade, audience="student"),
        "gradescope": gradescope.document(view(grade)),
        "annotations": github.annotations(seen),
        "summary": github.summary(seen),
        "classroom50": classroom50.document(view(grade, ENVIRONMENT)),
        "console": console.render(seen, Look(width=200), verbose=True),
    }


NAMES = ("record", "junit", "page", "gradescope", "annotations", "summary", "classroom50", "console")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("level", [Reveals.VERDICT, Reveals.TURN, Reveals.INPUT])
def test_nothing_of_a_hidden_case_is_told_but_what_its_level_says(name, level):
    """What was typed is told at the level `input` alone, what was printed and expected at none of them."""
    text = reports(hidden(level))[name]
    assert REST not in text
    assert level is Reveals.INPUT or TYPED not in text
    assert DIGEST not in text


@pytest.mark.parametrize("name", NAMES)
def test_a_case_for_staff_is_in_no_report_at_any_level(name):
    """A level is of hidden cases: one for staff is not even named."""
    text = reports(hidden(Reveals.FULL, Visibility.STAFF))[name]
    assert REST not in text
    assert TYPED not in text


def test_each_level_tells_more_than_the_one_before():
    """The verdict, the turn, what was typed, all."""
    told = {level: for_student(hidden(level)).cases[-1].findings[0] for level in Reveals}
    assert (told[Reveals.VERDICT].turn, told[Reveals.VERDICT].typed) == (None, ())
    assert (told[Reveals.TURN].turn, told[Reveals.TURN].typed) == (TURN, ())
    assert told[Reveals.TURN].message == "This case is hidden: it failed in turn 7."
    assert (told[Reveals.INPUT].turn, told[Reveals.INPUT].typed) == (TURN, (TYPED,))
    assert told[Reveals.FULL] == FINDING
    assert not for_student(hidden(Reveals.FULL)).cases[-1].again, "a command may name the seed of all games"


@pytest.mark.parametrize("level", Reveals)
def test_what_a_failure_tells_is_not_told_where_it_passed(level):
    """Nothing is shown of a hidden case that passed, whatever the level."""
    grade = hidden(level)
    passed = replace(grade.cases[-1], verdict=Verdict.ACCEPTED, met=True)
    (*_, seen) = for_student(replace(grade, cases=(*grade.cases[:-1], passed))).cases
    assert (seen.findings, seen.turns, seen.visibility) == ((), (), Visibility.HIDDEN)


@pytest.mark.parametrize("level", Reveals)
def test_from_its_day_on_a_hidden_case_is_shown_whole(level):
    """The day is in the grade, so that every report agrees; cases for staff and the secret stay where they are."""
    grade = replace(hidden(level), revealed=True)
    assert for_student(grade).cases[-1].findings[0] == FINDING
    assert for_student(grade).provenance == Provenance(
        **{name: getattr(grade.provenance, name) for name in Provenance.__slots__} | {"secret": ""}
    )
    staff = replace(hidden(level, Visibility.STAFF), revealed=True)
    assert REST not in reports(staff)["page"]


@pytest.mark.parametrize("level", Reveals)
def test_a_projection_is_its_own_projection(level):
    """A projection of a projection shows no more and no less."""
    once = for_student(hidden(level))
    assert for_student(once) == once


def test_staff_see_the_digest_of_the_secret_and_all_of_the_case():
    """The record is for staff."""
    text = record.dump(hidden(Reveals.VERDICT))
    assert DIGEST in text
    assert f"{REST} message" in text
