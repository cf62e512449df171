"""One grade, ready for a report: for its student ahead of the deadline, for a form of report, and for a terminal.

A form of report is a module with a function ``document``, and a row in `grader grade`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from grader.languages import ENGLISH, Language
from grader.results import Grade, Number, Visibility, exact, for_student
from grader.values import dataclass

if TYPE_CHECKING:
    from grader.spec.model import Spec

_LONE = "single-file"  # the code of what a rule for archives finds where only a file was tried


@dataclass(frozen=True, slots=True)
class Later:
    """The points, and the number of cases, that are judged only after the deadline."""

    points: Number
    cases: int


NO_LATER = Later(0, 0)


def ahead(grade: Grade, spec: Spec) -> tuple[Grade, Later]:
    """The part of a grade that can be known ahead of the deadline, and what is judged later.

    Hidden cases are judged later, and so are questions for people, and cases that a loose file cannot show, such as the name of the archive.
    The points of a criterion count as later if it rests only on such cases. A student never hears of cases for staff.
    """
    from grader.scoring import CRITERION_DIGITS, rounded  # with pydantic, which most reports need not load

    known = tuple(
        case
        for case in grade.cases
        if not (case.kind == "manual" or any(finding.code == _LONE for finding in case.findings))
    )
    rests = {case.criterion for case in known}
    waiting = [one for one in grade.criteria if one.points is None and one.kind == "points" and one.id not in rests]
    most = exact(grade.max_points, *(criterion.max_points for criterion in waiting))
    total = rounded(sum((c.points for c in spec.rubric if c.kind == "points"), Fraction(0)), CRITERION_DIGITS)
    hidden = sum(case.visibility is Visibility.HIDDEN for case in spec.cases)
    still = (c.open for c in grade.criteria if c.kind == "points" and c not in waiting)
    left_open = rounded(sum((Fraction(str(one)) for one in still), Fraction(0)), CRITERION_DIGITS)
    seen = replace(grade, cases=known, max_points=most, open_points=left_open, complete=not left_open)
    return seen, Later(exact(total, most), hidden + len(grade.cases) - len(known))


Audience = Literal["staff", "student"]


@dataclass(frozen=True, slots=True)
class View:
    """A grade as its ``audience`` may see it, the ``whole`` grade, and data from the command line.

    ``grain`` is the unit of scores, ``seconds`` are the times of cases by their ids, ``now`` the time as
    2026-11-23T02:39:01Z.
    """

    shown: Grade
    whole: Grade
    audience: Audience
    grain: Fraction
    seconds: Mapping[str, float]
    environment: Mapping[str, str]
    now: str

    @property
    def student(self) -> Grade:
        """The projection for the student: what goes to a student's system, whatever the audience."""
        return for_student(self.whole)


@dataclass(frozen=True, slots=True)
class Look:
    """The look of a report on a terminal: width in columns, colour, language.

    ``later`` has the points that are judged later.
    """

    width: int = 100
    colour: bool = False
    language: Language = ENGLISH
    later: Later = NO_LATER


PLAIN = Look()
