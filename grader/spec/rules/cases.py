"""Rules on what all kinds of cases share: exactly one kind, the criterion, the defect, what is judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.bundled import reference_path
from grader.spec.hints import near
from grader.spec.model import KINDS, Case, Counts
from grader.spec.model_program import is_model_program
from grader.spec.problem import Problem
from grader.spec.rules.draft import Draft, Rule

SPOKEN = ("transcript", "play")
TEXTUAL = (*SPOKEN, "io", "differential")
NEEDS_REFERENCE = ("play", "differential", "game")


def kinds_of(case: Case) -> tuple[str, ...]:
    """Every kind that a case names; a right one names one."""
    return tuple(kind for kind in KINDS if getattr(case, kind) is not None)


def one_kind(draft: Draft) -> Iterator[Problem]:
    """A case is of exactly one kind."""
    for index, case in draft.cases.items():
        named = kinds_of(case)
        if not named:
            hint = f"one of {', '.join(KINDS)}"
            yield Problem("kind", f"the case `{case.id}` does not say what is to be done", ("cases", index), hint)
        for extra in named[1:]:
            message = f"the case `{case.id}` is a `{named[0]}` already, and cannot be a `{extra}` too"
            yield Problem("kind", message, ("cases", index, extra), "make two cases of it", at_key=True)


def reserved(draft: Draft) -> Iterator[Problem]:
    """Where no case builds the program, one called ``builds`` is added when grading, and no other may have its name."""
    building = any(case.source is not None and case.source.builds for case in draft.cases.values())
    for index, case in draft.cases.items():
        if case.id == "builds" and draft.complete and not building:
            message = "a case called `builds` must be the one that builds the program"
            yield Problem(
                "reserved", message, ("cases", index, "id"), "give it another name, or `source: {builds: true}`"
            )


def criterion(draft: Draft) -> Iterator[Problem]:
    """The criterion of a case exists, and is filled in by hand only where the case is."""
    known = [name for _, name in draft.criterion_names]
    for index, case in draft.cases.items():
        loc = ("cases", index, "criterion")
        rests_on = draft.by_criterion.get(case.criterion or "")
        if case.criterion is not None and case.criterion not in known:
            hint = near(case.criterion, known, "criteria")
            yield Problem("unknown-criterion", f"there is no criterion `{case.criterion}`", loc, hint)
        elif rests_on and rests_on.manual and case.manual is None:
            message = f"a person fills `{case.criterion}` in, so `{case.id}` cannot decide it"
            yield Problem("manual", message, loc, "remove its `manual: true`, or this `criterion`")


def defect(draft: Draft) -> Iterator[Problem]:
    """A case names a kind of defect exactly where its criterion counts kinds."""
    for index, case in draft.cases.items():
        rests_on = draft.by_criterion.get(case.criterion or "")
        by_kind = rests_on is not None and rests_on.counts is Counts.KINDS
        if by_kind and case.defect is None:
            message = f"`{case.criterion}` counts kinds of defects, and `{case.id}` names none"
            yield Problem("defect", message, ("cases", index), "add `defect: NAME`; cases of one kind share the name")
        elif case.defect is not None and not by_kind and (rests_on or case.criterion is None):
            owner = f"`{case.criterion}` does not count kinds" if rests_on else "the case has no criterion"
            message = f"a defect is named, but {owner}"
            yield Problem(
                "defect", message, ("cases", index, "defect"), "give the criterion `counts: kinds`", at_key=True
            )


_KINDS_OF = {"judges": (*SPOKEN, "io"), "facts": TEXTUAL, "mentions": TEXTUAL, "tolerance": TEXTUAL, "ends": SPOKEN[:1]}
"""The kinds of cases that each key is for."""


def judged(draft: Draft) -> Iterator[Problem]:
    """``judges`` is for single runs, ``facts`` and ``tolerance`` for what has a text, and something is judged."""
    for index, case in draft.cases.items():
        kind = next(iter(kinds_of(case)), None)
        for key, kinds in _KINDS_OF.items():
            if key in case.model_fields_set and kind is not None and kind not in kinds:
                hint = "write it inside `differential`" if kind == "differential" else "remove it"
                message = f"`{key}` is for `{'`, `'.join(kinds)}`, and `{case.id}` is a `{kind}`"
                yield Problem("misplaced", message, ("cases", index, key), hint, at_key=True)
        if not case.judges:
            yield _nothing_judged(("cases", index, "judges"))
        if case.differential is not None and not case.differential.judges:
            yield _nothing_judged(("cases", index, "differential", "judges"))


def _nothing_judged(loc: tuple[str | int, ...]) -> Problem:
    return Problem("judges", "nothing is judged", loc, "[text], [ending], or leave it out for both")


def needs_reference(draft: Draft) -> Iterator[Problem]:
    """Where the reference writes the text, there is one."""
    if draft.reference is not None:
        yield from _needs_rules(draft)
        return
    lacking = [
        (index, kind) for index, case in draft.cases.items() for kind in kinds_of(case) if kind in NEEDS_REFERENCE
    ]
    for kind, indices in _by_kind(lacking).items():
        referee = kind == "game"
        hint = "add `reference: PATH`" + ("" if referee else ", or write the text out as a `transcript`")
        message = (
            f"a `{kind}` needs a reference that {'judges the moves' if referee else 'writes the text'}{_more(indices)}"
        )
        yield Problem("no-reference", message, ("cases", indices[0], kind), hint, at_key=True)


def _needs_rules(draft: Draft) -> Iterator[Problem]:
    """A model program prints what is right, and does not tell which moves are legal."""
    path = reference_path(draft.folder, str(draft.reference))
    if draft.program is None or not is_model_program(path, draft.program.language):
        return
    lacking = []
    for index, case in draft.cases.items():
        shaped = case.differential is not None and (case.differential.legal or case.differential.illegal)
        wanting = ("game",) if shaped else ("game", "differential")
        lacking += [(index, kind) for kind in kinds_of(case) if kind in wanting]
    for kind, indices in _by_kind(lacking).items():
        message = f"a `{kind}` needs a reference in Python: a model program does not tell which moves are legal{_more(indices)}"
        hint = (
            "say by `legal` what may be typed" if kind == "differential" else "write `play()` and a referee in Python"
        )
        yield Problem("no-reference", message, ("cases", indices[0], kind), hint, at_key=True)


def _by_kind(lacking: Sequence[tuple[int, str]]) -> dict[str, list[int]]:
    """The cases of each kind: they lack one thing, which is told once."""
    kinds = dict.fromkeys(kind for _, kind in lacking)
    return {kind: [index for index, other in lacking if other == kind] for kind in kinds}


def _more(indices: Sequence[int]) -> str:
    more = len(indices) - 1
    return f", here and in {more} more {'case' if more == 1 else 'cases'}" if more else ""


RULES: tuple[Rule, ...] = (one_kind, reserved, criterion, defect, judged, needs_reference)
