"""Rules on the rubric: points that make sense, and something that decides each criterion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from grader.spec.model import Counts, Criterion
from grader.spec.problem import At, Problem, near
from grader.spec.rules.draft import Draft


def whole(at: At[Draft]) -> Iterator[Problem]:
    """No two criteria are called alike, and no two cases; there are points to earn, and they are rounded to something."""
    draft = at.draft
    for key, what, names in (("rubric", "criterion", draft.criterion_names), ("cases", "case", draft.case_names)):
        seen: dict[str, int] = {}
        for index, name in names:
            if name in seen:
                message = f"there is a {what} `{name}` already, number {seen[name] + 1} of `{key}`"
                yield at.problem("duplicate-id", message, key, index, "id", hint="each needs a name of its own")
            seen.setdefault(name, index)
    if draft.complete and not any(c.kind == "points" for c in draft.rubric.values()):
        yield at.problem(
            "no-points", "every criterion is a deduction or a bonus: there are no points to earn", "rubric"
        )
    if draft.rounding == 0:
        message = "a score cannot be rounded to a multiple of 0"
        yield at.problem("rounding", message, "rounding", hint="such as 1/2 or 0.01")


def points(at: At[Criterion]) -> Iterator[Problem]:
    """A criterion is worth something, and a deduction or bonus no more than all points together."""
    criterion, draft = at.part, at.draft
    total = sum((c.points for c in draft.rubric.values() if c.kind == "points"), Fraction(0))
    if criterion.points == 0:
        hint = "cases need no criterion if staff should merely know"
        yield at.problem("worthless", f"`{criterion.id}` is worth nothing", "points", hint=hint)
    # Half of a rubric that is misspelt would make every deduction too large.
    elif draft.complete and criterion.kind != "points" and 0 < total < criterion.points:
        message = f"a {criterion.kind} of {criterion.points} is more than all points together, {total}"
        yield at.problem("too-many-points", message, "points")


def decided(at: At[Criterion]) -> Iterator[Problem]:
    """A criterion is filled in by hand, or a case names it, or a slip is charged to it."""
    text, name = at.draft.text, at.part.id
    if text is None or at.part.manual or name in at.draft.claimed:
        return
    # A slip that is forgiven decides nothing.
    if all(slip.price == "forgive" or (slip.criterion or text.criterion) != name for slip in text.slips.values()):
        message = f"nothing decides the criterion `{name}`: no case names it, and no slip is charged to it"
        yield at.problem("undecided", message, "id", hint="give it a case, or `manual: true` if a person fills it in")


def counts(at: At[Criterion]) -> Iterator[Problem]:
    """Nothing adds up cases where a person fills the criterion in, or where a case of several pairs earns a share by itself."""
    criterion = at.part
    if "counts" not in criterion.model_fields_set:
        return
    if criterion.manual:
        message = f"a person fills `{criterion.id}` in, so no cases add up"
        yield at.problem("manual", message, "counts", hint="remove one of the two", at_key=True)
    for case in at.draft.cases.values() if criterion.counts is Counts.ALL else ():
        several = len(case.io or ()) > 1 or any(pair.folder is not None for pair in case.io or ())
        if case.criterion == criterion.id and several and not case.whole:
            message = f"`counts: all` says nothing of `{case.id}`, which earns the share of its pairs that are right"
            hint = "remove it, or give the case `whole: true`: then one pair that fails takes all"
            yield at.idle(message, "counts", hint=hint)
            return


def weights(at: At[Criterion]) -> Iterator[Problem]:
    """Only kinds of defects that a case of the criterion names have a weight, and it is more than 0."""
    if at.part.weights and at.part.counts is not Counts.KINDS:
        message = f"`weights` are for kinds of defects, and `{at.part.id}` does not count them"
        yield at.idle(message, "weights", hint="add `counts: kinds`")
    elif at.part.weights:
        yield from _by_kind(at, "weights", "weighs nothing", "remove its cases, or weigh it")


def prices(at: At[Criterion]) -> Iterator[Problem]:
    """Each kind of defect has a price, and a program that has them all earns nothing."""
    criterion = at.part
    if not criterion.prices:
        return
    if criterion.counts is not Counts.KINDS or criterion.weights:
        message = f"`prices` are for kinds of defects without `weights`, and `{criterion.id}` has none such"
        yield at.idle(message, "prices", hint="write `counts: kinds`, and remove `weights`")
        return
    yield from _by_kind(at, "prices", "costs nothing", "remove its cases, or price it")
    for kind in sorted(_kinds(at).keys() - criterion.prices.keys()):
        message = f"`{kind}` has no price in `{criterion.id}`"
        yield at.problem("unpriced", message, "prices", hint="price each kind of defect", at_key=True)
    # Otherwise a program that does everything wrong would earn the rest.
    if sum(criterion.prices.values()) < criterion.points:
        message = f"a program that has every defect would still earn some of `{criterion.id}`"
        hint = "let the prices come to the points at least"
        yield at.problem("given-away", message, "prices", hint=hint, at_key=True)


def _kinds(at: At[Criterion]) -> dict[str, None]:
    """The kinds of defects that the cases of a criterion look for, in their order."""
    cases = at.draft.cases.values()
    return dict.fromkeys(case.defect for case in cases if case.criterion == at.part.id and case.defect)


def _by_kind(at: At[Criterion], key: str, zero: str, hint: str) -> Iterator[Problem]:
    """Amounts are those of kinds that some case looks for, and none is 0; ``zero`` says what 0 would mean, ``hint`` what to do."""
    kinds = _kinds(at)
    amounts: Mapping[str, Fraction] = getattr(at.part, key)
    for kind, amount in amounts.items():
        if at.draft.complete and kind not in kinds:
            message = f"no case of `{at.part.id}` looks for `{kind}`"
            yield at.problem("unknown-defect", message, key, kind, hint=near(kind, kinds, "its cases look for"))
        if amount == 0:
            yield at.problem("worthless", f"`{kind}` {zero}", key, kind, hint=hint)


SPEC = (whole,)
CRITERIA = (points, decided, counts, weights, prices)
