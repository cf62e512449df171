"""Two grades of one submission side by side: what rose or fell, under which criterion, and why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from grader.batch.store import open_store
from grader.errors import UsageError
from grader.report.words import PHRASES, adjustment, number, points_of
from grader.results import CaseResult, CriterionResult, Grade, Number, exact
from grader.values import dataclass

_MOST_CASES = 4  # cases of a criterion shown with both verdicts: with more, one change of a spec would fill the screen
_CALL = re.compile(r"\A(.+)@([0-9]+)")


@dataclass(frozen=True, slots=True)
class Change:
    """The change of one grade; a score is None if there is no grade. ``why`` has a sentence for each reason."""

    submission: str
    student: str
    before: Number | None
    after: Number | None
    why: tuple[str, ...]

    @property
    def fell(self) -> bool:
        """Whether the score is lower than it was."""
        return self.before is not None and self.after is not None and self.after < self.before

    def lines(self) -> Iterator[str]:
        """The change for a terminal: a line, and one for each reason."""
        name = f"{self.submission} {self.student}".strip()
        if self.before is None or self.after is None:
            score = self.after if self.before is None else self.before
            what = "is new, with" if self.before is None else "is gone; it had"
            yield f"{name}: {what} {'no grade' if score is None else number(score)}"
        else:
            step = exact(self.after, self.before)
            yield f"{name}: {number(self.before)} → {number(self.after)} ({'+' if step > 0 else ''}{number(step)})"
        yield from (f"    {reason}" for reason in self.why)


def changes(before: Iterable[Grade], after: Iterable[Grade]) -> tuple[Change, ...]:
    """The differences, falling scores first and equal scores last.

    Otherwise in the order of ``after``, then grades that are gone.
    """
    earlier = {grade.submission: grade for grade in before}
    differing: list[Change] = []
    for grade in after:
        then = earlier.pop(grade.submission, None)
        if then is None:
            differing.append(Change(grade.submission, grade.student, None, grade.score, ()))
        elif why := tuple(_why(then, grade)):
            differing.append(Change(grade.submission, grade.student, then.score, grade.score, why))
    differing += [Change(gone.submission, gone.student, gone.score, None, ()) for gone in earlier.values()]
    # A new price changes a line of every submission: two students who lost by it stood among eighteen whose score
    # stayed.
    return tuple(sorted(differing, key=lambda change: (not change.fell, change.before == change.after)))


def summed_up(held: Sequence[Change]) -> str:
    """A sentence on the numbers of grades that rose, fell, or changed otherwise."""
    if not held:
        return "no grade changes"
    both = [one for one in held if one.before is not None and one.after is not None]
    fell = sum(one.fell for one in both)
    counts = {
        "fall" if fell > 1 else "falls": fell,
        "rise": sum((one.after or 0) > (one.before or 0) for one in both),
        "change without another score": sum(one.after == one.before for one in both),
        "new": sum(one.before is None for one in held),
        "gone": sum(one.after is None for one in held),
    }
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count)


def grades_in(place: str) -> tuple[Grade, ...]:
    """The final grades of a batch in a folder, or, with ``FOLDER@2``, those after its second call.

    Raises UsageError if there is no batch, or no such call.
    """
    numbered = None if Path(place).exists() else _CALL.fullmatch(place)
    folder, call = (Path(numbered[1]), int(numbered[2])) if numbered else (Path(place), None)
    with open_store(folder / "grades.db", make=False) as store:
        if call is not None and not 1 <= call <= store.number:
            raise UsageError(f"it has no call {call}", place=str(folder), hint=f"its calls are 1 to {store.number}")
        return tuple(store.grade(text, name) for name, text in store.finals(call))


def _why(before: Grade, after: Grade) -> Iterator[str]:
    then = {criterion.id: criterion for criterion in before.criteria}
    for criterion in after.criteria:
        was = then.pop(criterion.id, None)
        if was is None:
            yield f"“{criterion.title}” is new: {points_of(criterion)}"
        elif (was.points, was.open, was.max_points) != (criterion.points, criterion.open, criterion.max_points):
            reasons = "; ".join(_reasons(before, after, was, criterion))
            yield f"“{criterion.title}” ({criterion.id}): {points_of(was)} → {points_of(criterion)}{reasons and f': {reasons}'}"
    yield from (f"“{gone.title}” is no criterion any more: it had {points_of(gone)}" for gone in then.values())
    yield from (adjustment(one) for one in after.adjustments if one not in before.adjustments)
    yield from (f"no longer: {adjustment(one)}" for one in before.adjustments if one not in after.adjustments)
    if before.score != after.score and (before.criteria, before.adjustments) == (after.criteria, after.adjustments):
        yield "the score is rounded otherwise"


def _reasons(before: Grade, after: Grade, was: CriterionResult, now: CriterionResult) -> Iterator[str]:
    if was.max_points != now.max_points:
        yield f"it is worth {number(now.max_points)} instead of {number(was.max_points)}"
    then = {case.id: case for case in before.cases}
    differing = [
        (then[case.id], case)
        for case in after.cases
        if case.criterion == now.id and case.id in then and _verdict(then[case.id]) != _verdict(case)
    ]
    for old, new in differing[:_MOST_CASES]:
        why = f", {new.findings[0].message}" if new.findings and not new.met else ""
        yield f"{new.id} was {PHRASES[old.verdict]}, now {PHRASES[new.verdict]}{why}"
    if len(differing) > _MOST_CASES:
        yield f"and {len(differing) - _MOST_CASES} more cases"
    charged = {charge.slip: charge.points for charge in was.charges}
    for charge in now.charges:
        if charged.get(charge.slip) != charge.points:
            yield f"{charge.slip} costs {number(charge.points)} instead of {number(charged.get(charge.slip, 0))}"
    if (now.status != was.status or not differing) and now.reason and now.reason != was.reason:
        yield now.reason


def _verdict(case: CaseResult) -> tuple[object, ...]:
    return case.verdict, case.met, case.share
