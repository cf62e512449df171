"""What the judge makes of a visible mutant, beside what it makes of the original."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction

from grader.results import Grade
from grader.values import dataclass


class Outcome(StrEnum):
    """What becomes of one mutant; the first three are no visible mutants or no mutants at all."""

    UNBUILT = "unbuilt"  # the compiler or assembler refuses it
    UNSTEADY = "unsteady"  # its original plays by chance, so that nothing can be compared
    EQUIVALENT = "equivalent"  # it shows nothing else in any scene
    CHARGED = "charged"
    SURVIVES = "survives"  # it earns what its original earns
    MISREAD = "misread"  # with the words of its original as corrections, where they fit it, it earns something else
    OPEN = "open"  # nothing is charged, and more is left to a person than for the original
    JUDGE_ERROR = "judge-error"

    @property
    def visible(self) -> bool:
        """Whether the mutant shows something else than its original."""
        return self not in (Outcome.UNBUILT, Outcome.UNSTEADY, Outcome.EQUIVALENT)

    @property
    def explained(self) -> bool:
        """Whether a file of survivors must say why the spec lives with it."""
        return self in (Outcome.SURVIVES, Outcome.MISREAD, Outcome.OPEN, Outcome.JUDGE_ERROR)


@dataclass(frozen=True, slots=True)
class Loss:
    """What a grade has less than the original's: points by criterion, points that are ``open``, and the failed ``cases``."""

    points: Mapping[str, Fraction]
    open: Fraction
    cases: tuple[str, ...]


def loss(original: Grade, grade: Grade) -> Loss:
    """What a mutant loses of what its original earns."""
    before = {one.id: Fraction(str(one.lost)) for one in original.criteria if one.points is not None}
    points: dict[str, Fraction] = {}
    for one in grade.criteria:
        more = Fraction(str(one.lost)) - before.get(one.id, Fraction(0))
        if one.id in before and one.points is not None and more > 0:
            points[one.id] = more
    met = {case.id for case in original.cases if case.met}
    failed = tuple(case.id for case in grade.cases if case.id in met and not case.met and case.verdict.blames_student)
    more = Fraction(str(grade.open_points)) - Fraction(str(original.open_points))
    return Loss(points, max(more, Fraction(0)), failed)


def outcome(cold: Loss, warm: Loss | None) -> Outcome:
    """The outcome of a visible mutant; ``warm`` is None where nothing was learned of the original.

    A program that a correction does not fit is left to a person, which says nothing against how it is read without the correction.
    """
    fits = warm is not None and not (warm.open > cold.open and not warm.points)
    if warm is not None and fits and (cold.points, cold.open) != (warm.points, warm.open):
        return Outcome.MISREAD
    if cold.points:
        return Outcome.CHARGED
    return Outcome.OPEN if cold.open else Outcome.SURVIVES
