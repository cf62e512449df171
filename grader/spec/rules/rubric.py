"""Rules on the rubric: points that make sense, and something that decides each criterion."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from grader.spec.hints import near
from grader.spec.model import Counts
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
        elif draft.complete and criterion.kind != "points" and 0 < total < criterion.points:
            message = f"a {criterion.kind} of {criterion.points} is more than all points together, {total}"
            yield Problem("too-many-points", message, loc)
    if draft.complete and not any(c.kind == "points" for c in draft.rubric.values()):
        yield Problem(
            "no-points", "every criterion is a deduction or a bonus: there are no points to earn", ("rubric",)
        )


def decided(draft: Draft) -> Iterator[Problem]:
    """A criterion is filled in by hand, or a case names it, or a slip is charged to it."""
    if draft.text is None:
        return
    slips = draft.text.slips.values()
    payers = {slip.criterion or draft.text.criterion for slip in slips if slip.price != "forgive"}
    for index, criterion in draft.rubric.items():
        if not criterion.manual and criterion.id not in draft.claimed | payers:
            message = f"nothing decides the criterion `{criterion.id}`: no case names it, and no slip is charged to it"
            yield Problem(
                "undecided",
                message,
                ("rubric", index, "id"),
                "give it a case, or `manual: true` if a person fills it in",
            )


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
        for case in draft.cases.values() if written else ():
            pairs = case.io if case.criterion == criterion.id and case.io else ()
            if len(pairs) > 1 or any(pair.folder is not None for pair in pairs):
                message = (
                    f"`counts: all` says nothing of `{case.id}`, which earns the share of its pairs that are right"
                )
                hint = "remove it, or make a case of each pair: then one that fails takes all"
                yield Problem("idle-key", message, ("rubric", index, "counts"), hint, at_key=True)
                break


def weights(draft: Draft) -> Iterator[Problem]:
    """Only kinds of defects that a case of the criterion names have a weight, and it is more than 0."""
    for index, criterion in draft.rubric.items():
        loc = ("rubric", index, "weights")
        if criterion.weights and criterion.counts is not Counts.KINDS:
            message = f"`weights` are for kinds of defects, and `{criterion.id}` does not count them"
            yield Problem("idle-key", message, loc, "add `counts: kinds`", at_key=True)
            continue
        kinds = {case.defect for case in draft.cases.values() if case.criterion == criterion.id and case.defect}
        for kind, weight in criterion.weights.items():
            if draft.complete and kind not in kinds:
                hint = near(kind, kinds, "its cases look for")
                yield Problem("unknown-defect", f"no case of `{criterion.id}` looks for `{kind}`", (*loc, kind), hint)
            if weight == 0:
                yield Problem("worthless", f"`{kind}` weighs nothing", (*loc, kind), "remove its cases, or weigh it")


def prices(draft: Draft) -> Iterator[Problem]:
    """Each kind of defect has a price, and a program that has them all earns nothing."""
    for index, criterion in draft.rubric.items():
        loc = ("rubric", index, "prices")
        if not criterion.prices:
            continue
        if criterion.counts is not Counts.KINDS or criterion.weights:
            message = f"`prices` are for kinds of defects without `weights`, and `{criterion.id}` has none such"
            yield Problem("idle-key", message, loc, "write `counts: kinds`, and remove `weights`", at_key=True)
            continue
        kinds = {case.defect for case in draft.cases.values() if case.criterion == criterion.id and case.defect}
        for kind, price in criterion.prices.items():
            if draft.complete and kind not in kinds:
                hint = near(kind, kinds, "its cases look for")
                yield Problem("unknown-defect", f"no case of `{criterion.id}` looks for `{kind}`", (*loc, kind), hint)
            if price == 0:
                yield Problem("worthless", f"`{kind}` costs nothing", (*loc, kind), "remove its cases, or price it")
        for kind in sorted(kinds - criterion.prices.keys()):
            yield Problem(
                "unpriced", f"`{kind}` has no price in `{criterion.id}`", loc, "price each kind of defect", at_key=True
            )
        if sum(criterion.prices.values()) < criterion.points:
            message = f"a program that has every defect would still earn some of `{criterion.id}`"
            yield Problem("given-away", message, loc, "let the prices come to the points at least", at_key=True)


def rounding(draft: Draft) -> Iterator[Problem]:
    """Scores are rounded to a multiple of something."""
    if draft.rounding == 0:
        yield Problem("rounding", "a score cannot be rounded to a multiple of 0", ("rounding",), "such as 1/2 or 0.01")


RULES: tuple[Rule, ...] = (duplicate_ids, points, decided, counts, shares, weights, prices, rounding)
