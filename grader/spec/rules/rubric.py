"""Rules on the rubric: points that make sense, and something that decides each criterion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice

from grader.spec.document import Loc
from grader.spec.hints import near
from grader.spec.model import Counts, Criterion
from grader.spec.problem import Problem
from grader.spec.rules.draft import Draft, Names, Rule


def duplicate_ids(draft: Draft) -> Iterator[Problem]:
    """No two criteria are called alike, and no two cases."""
    yield from _duplicates("rubric", "criterion", draft.criterion_names)
    yield from _duplicates("cases", "case", draft.case_names)


def _duplicates(key: str, what: str, names: Names) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for index, name in names:
        if name in seen:
            message = f"there is a {what} `{name}` already, number {seen[name] + 1} of `{key}`"
            yield Problem("duplicate-id", message, (key, index, "id"), "each needs a name of its own")
        seen.setdefault(name, index)


def points(draft: Draft) -> Iterator[Problem]:
    """A criterion is worth something, and a deduction or bonus no more than all points together."""
    total = sum((c.points for c in draft.rubric.values() if c.kind == "points"), Fraction(0))
    for index, criterion in draft.rubric.items():
        loc = ("rubric", index, "points")
        if criterion.points == 0:
            hint = "cases need no criterion if staff should merely know"
            yield Problem("worthless", f"`{criterion.id}` is worth nothing", loc, hint)
        # Half of a rubric that is misspelt would make every deduction too large.
        elif draft.complete and criterion.kind != "points" and 0 < total < criterion.points:
            message = f"a {criterion.kind} of {criterion.points} is more than all points together, {total}"
            yield Problem("too-many-points", message, loc)
    if draft.complete and not any(c.kind == "points" for c in draft.rubric.values()):
        message = "every criterion is a deduction or a bonus: there are no points to earn"
        yield Problem("no-points", message, ("rubric",))


def decided(draft: Draft) -> Iterator[Problem]:
    """A criterion is filled in by hand, or a case names it, or a slip is charged to it."""
    if draft.text is None:
        return
    slips = draft.text.slips.values()
    # A slip that is forgiven decides nothing.
    payers = {slip.criterion or draft.text.criterion for slip in slips if slip.price != "forgive"}
    for index, criterion in draft.rubric.items():
        if not criterion.manual and criterion.id not in draft.claimed | payers:
            message = f"nothing decides the criterion `{criterion.id}`: no case names it, and no slip is charged to it"
            hint = "give it a case, or `manual: true` if a person fills it in"
            yield Problem("undecided", message, ("rubric", index, "id"), hint)


def counts(draft: Draft) -> Iterator[Problem]:
    """What a person fills in does not add cases up."""
    for index, criterion in draft.rubric.items():
        if criterion.manual and "counts" in criterion.model_fields_set:
            message = f"a person fills `{criterion.id}` in, so no cases add up"
            yield Problem("manual", message, ("rubric", index, "counts"), "remove one of the two", at_key=True)


def shares(draft: Draft) -> Iterator[Problem]:
    """No criterion is met as a whole or not at all by a case of several pairs, which earns the share of those that are right."""
    for index, criterion in draft.rubric.items():
        written = "counts" in criterion.model_fields_set and criterion.counts is Counts.ALL
        owned = (case for case in draft.cases.values() if written and case.criterion == criterion.id and case.io)
        several = (
            case for case in owned if len(case.io or ()) > 1 or any(pair.folder is not None for pair in case.io or ())
        )
        for case in islice(several, 1):
            message = f"`counts: all` says nothing of `{case.id}`, which earns the share of its pairs that are right"
            hint = "remove it, or make a case of each pair: then one that fails takes all"
            yield Problem.idle(message, ("rubric", index, "counts"), hint)


def weights(draft: Draft) -> Iterator[Problem]:
    """Only kinds of defects that a case of the criterion names have a weight, and it is more than 0."""
    for index, criterion in draft.rubric.items():
        loc = ("rubric", index, "weights")
        if criterion.weights and criterion.counts is not Counts.KINDS:
            message = f"`weights` are for kinds of defects, and `{criterion.id}` does not count them"
            yield Problem.idle(message, loc, "add `counts: kinds`")
        elif criterion.weights:
            zero = ("weighs nothing", "remove its cases, or weigh it")
            yield from _by_kind(draft, criterion, criterion.weights, loc, zero)


def prices(draft: Draft) -> Iterator[Problem]:
    """Each kind of defect has a price, and a program that has them all earns nothing."""
    for index, criterion in draft.rubric.items():
        loc = ("rubric", index, "prices")
        if not criterion.prices:
            continue
        if criterion.counts is not Counts.KINDS or criterion.weights:
            message = f"`prices` are for kinds of defects without `weights`, and `{criterion.id}` has none such"
            yield Problem.idle(message, loc, "write `counts: kinds`, and remove `weights`")
            continue
        zero = ("costs nothing", "remove its cases, or price it")
        yield from _by_kind(draft, criterion, criterion.prices, loc, zero)
        for kind in sorted(_kinds(draft, criterion).keys() - criterion.prices.keys()):
            message = f"`{kind}` has no price in `{criterion.id}`"
            yield Problem("unpriced", message, loc, "price each kind of defect", at_key=True)
        # What is left would be earned by a program that does everything wrong.
        if sum(criterion.prices.values()) < criterion.points:
            message = f"a program that has every defect would still earn some of `{criterion.id}`"
            yield Problem("given-away", message, loc, "let the prices come to the points at least", at_key=True)


def _kinds(draft: Draft, criterion: Criterion) -> dict[str, None]:
    """The kinds of defects that the cases of a criterion look for, in their order."""
    owned = (case for case in draft.cases.values() if case.criterion == criterion.id)
    return dict.fromkeys(case.defect for case in owned if case.defect)


def _by_kind(
    draft: Draft, criterion: Criterion, amounts: Mapping[str, Fraction], loc: Loc, zero: tuple[str, str]
) -> Iterator[Problem]:
    """Amounts are those of kinds that some case looks for, and none is 0; ``zero`` says what 0 would mean, and what to do."""
    kinds = _kinds(draft, criterion)
    for kind, amount in amounts.items():
        if draft.complete and kind not in kinds:
            hint = near(kind, kinds, "its cases look for")
            yield Problem("unknown-defect", f"no case of `{criterion.id}` looks for `{kind}`", (*loc, kind), hint)
        if amount == 0:
            yield Problem("worthless", f"`{kind}` {zero[0]}", (*loc, kind), zero[1])


def rounding(draft: Draft) -> Iterator[Problem]:
    """Scores are rounded to a multiple of something."""
    if draft.rounding == 0:
        yield Problem("rounding", "a score cannot be rounded to a multiple of 0", ("rounding",), "such as 1/2 or 0.01")


RULES: tuple[Rule, ...] = (duplicate_ids, points, decided, counts, shares, weights, prices, rounding)
