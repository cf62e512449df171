"""Rules on what all kinds of cases share: exactly one kind, the criterion, the defect, what is judged, and what is hidden.

Cases that others rest on, by ``requires`` or ``unless``, exist, can pass, form no circle, and are no more hidden than those.
"""

from __future__ import annotations

from collections.abc import Iterator

from grader.bundled import reference_path
from grader.results import Visibility
from grader.spec.document import Loc
from grader.spec.hints import near
from grader.spec.kinds import KINDS, Kind
from grader.spec.kinds.runs import GAME, HOW_TO_JUDGE, NOTHING_JUDGED
from grader.spec.model import Case, Counts
from grader.spec.model_program import is_model_program
from grader.spec.problem import Problem
from grader.spec.rules.draft import Draft, Rule
from grader.spec.secret import SHORTEST, VARIABLE, find_secret, secret_seeds


def kinds_of(case: Case) -> tuple[Kind, ...]:
    """Every kind that a case names; a right one names one."""
    return tuple(kind for kind in KINDS.values() if getattr(case, kind.name) is not None)


def one_kind(draft: Draft) -> Iterator[Problem]:
    """A case is of exactly one kind."""
    for index, case in draft.cases.items():
        named = kinds_of(case)
        if not named:
            hint = f"one of {', '.join(KINDS)}"
            yield Problem("kind", f"the case `{case.id}` does not say what is to be done", ("cases", index), hint)
        for extra in named[1:]:
            message = f"the case `{case.id}` is a `{named[0].name}` already, and cannot be a `{extra.name}` too"
            yield Problem("kind", message, ("cases", index, extra.name), "make two cases of it", at_key=True)


def reserved(draft: Draft) -> Iterator[Problem]:
    """Where no case builds the program, one called ``builds`` is added when grading, and no other may have its name."""
    # Grading adds a case of that name, and a spec would have two.
    building = any(case.source is not None and case.source.builds for case in draft.cases.values())
    for index, case in draft.cases.items():
        if case.id == "builds" and draft.complete and not building:
            message = "a case called `builds` must be the one that builds the program"
            hint = "give it another name, or `source: {builds: true}`"
            yield Problem("reserved", message, ("cases", index, "id"), hint)


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
            message, loc = f"a defect is named, but {owner}", ("cases", index, "defect")
            yield Problem("defect", message, loc, "give the criterion `counts: kinds`", at_key=True)


_SOME_HAVE = ("judges", "facts", "mentions", "tolerance", "ends")
"""The keys of a case that only some kinds have."""


def judged(draft: Draft) -> Iterator[Problem]:
    """Each key is one that the kind of the case has, and something is judged."""
    for index, case in draft.cases.items():
        kind = next(iter(kinds_of(case)), None)
        for key in _SOME_HAVE if kind else ():
            if kind and key in case.model_fields_set and key not in kind.keys:
                hint = "write it inside `differential`" if case.differential else "remove it"
                having = "`, `".join(name for name, other in KINDS.items() if key in other.keys)
                message = f"`{key}` is for `{having}`, and `{case.id}` is a `{kind.name}`"
                yield Problem("misplaced", message, ("cases", index, key), hint, at_key=True)
        if not case.judges:
            yield Problem("judges", NOTHING_JUDGED, ("cases", index, "judges"), HOW_TO_JUDGE)


def shown(draft: Draft) -> Iterator[Problem]:
    """`faults` are for games; `shows` is also for cases that something must come about for, and is one number there."""
    for index, case in draft.cases.items():
        # What is forbidden is kept by a program that does nothing: it needs something that was seen.
        shows = not case.shown and any(kind.shows(getattr(case, kind.name)) for kind in kinds_of(case))
        for key in () if case.game is not None else ("faults",) if shows else ("faults", "shows"):
            if key in case.model_fields_set:
                message = f"`{key}` is for `game`, and `{case.id}` is none"
                yield Problem.idle(message, ("cases", index, key), "add `game: NAME`")


def weights(draft: Draft) -> Iterator[Problem]:
    """What a case counts is more than nothing, and is said where cases are counted."""
    for index, case in draft.cases.items():
        criterion = draft.by_criterion.get(case.criterion or "")
        expected = case.tests.expects.values() if case.tests else ()
        if 0 in (case.weight, *expected):
            hint = "let it count more than 0, or have no criterion"
            yield Problem("worthless", f"`{case.id}` counts nothing", ("cases", index), hint)
        weighs = "weight" in case.model_fields_set
        if criterion and criterion.counts is not Counts.EACH and (weighs or len(set(expected)) > 1):
            key = ("weight",) if weighs else ("tests", "expects")
            message = f"`{case.criterion}` does not count each of its cases"
            yield Problem.idle(message, ("cases", index, *key), "give it `counts: each`")


def needs_reference(draft: Draft) -> Iterator[Problem]:
    """Where the reference writes the text, there is one; and it tells which moves are legal, where a case needs that."""
    known, path = draft.reference is not None, reference_path(draft.folder, str(draft.reference))
    if known and (draft.program is None or not is_model_program(path, draft.program.language)):
        return
    lacking: dict[str, list[int]] = {}
    hints: dict[str, str] = {}
    for index, case in draft.cases.items():
        for kind in kinds_of(case):
            instead = "" if kind is GAME else ", or write the text out as a `transcript`"
            absent = f"add `reference: PATH`{instead}" if kind.reference else ""
            hint = kind.moves(getattr(case, kind.name)) if known else absent
            if hint:
                lacking.setdefault(kind.name, []).append(index)
                hints[kind.name] = hint
    for name, indices in lacking.items():  # what all of them lack is told once
        more = len(indices) - 1
        others = f", here and in {more} more {'case' if more == 1 else 'cases'}" if more else ""
        rules = "in Python: a model program does not tell which moves are legal"
        message = f"a `{name}` needs a reference {rules if known else f'that {KINDS[name].reference}'}{others}"
        yield Problem("no-reference", message, ("cases", indices[0], name), hints[name], at_key=True)


def _seeds(draft: Draft) -> Iterator[tuple[Loc, tuple[int, ...]]]:
    """The place of each `seed: secret`, and the cases that look at what it draws."""
    for index, case in draft.cases.items():
        for loc in secret_seeds(case):
            yield ("cases", index, *loc), (index,)
    for name, games in draft.games.items():
        for loc in secret_seeds(games):
            yield ("games", name, *loc), tuple(i for i, case in draft.cases.items() if case.game == name)


def secret(draft: Draft) -> Iterator[Problem]:
    """A secret seed is for what is hidden, and needs a secret; a secret is for some seed."""
    seeds = list(_seeds(draft))
    for loc, cases in seeds:
        shown = next((draft.cases[i].id for i in cases if draft.cases[i].visibility is Visibility.VISIBLE), None)
        # A student would read its inputs, and could tell the seed by trying.
        if shown is not None:
            message = f"`{shown}` is visible, and shows what is drawn by the secret"
            yield Problem("secret", message, loc, "give it `visibility: hidden`, or a seed of its own")
    found = find_secret(draft.folder / draft.secret if draft.secret is not None else None) if seeds else None
    if isinstance(found, str):
        hint = f"set {VARIABLE}, or name in `secret` a file of {SHORTEST} characters or more that students never see"
        yield Problem("no-secret", found, seeds[0][0], hint)
    if draft.complete and draft.secret is not None and not seeds:
        yield Problem.idle("nothing is drawn by the secret", ("secret",), "write `seed: secret` somewhere")


def reveals(draft: Draft) -> Iterator[Problem]:
    """What a failure tells is said of hidden cases; a day is named where there are some."""
    hidden = [case for case in draft.cases.values() if case.visibility is Visibility.HIDDEN]
    for index, case in draft.cases.items():
        loc: Loc = ("cases", index, "reveals")
        if "reveals" in case.model_fields_set and case.visibility is not Visibility.HIDDEN:
            yield Problem.idle(f"`{case.id}` is {case.visibility}", loc, "`reveals` is for hidden cases")
    if draft.complete and draft.reveal is not None and not hidden:
        message = "no case is hidden, so that nothing is shown on that day"
        yield Problem.idle(message, ("reveal",), "remove it, or hide a case")


# ------------------------------------------------------------------------------------------------- requires and unless

_OPENNESS = (Visibility.STAFF, Visibility.HIDDEN, Visibility.VISIBLE)


def _places(case: Case) -> tuple[tuple[str, int, str], ...]:
    """The key, the place in its list and the name of each case on which one rests, in the order of ``earlier``."""
    keys = (("requires", case.requires), ("unless", case.unless))
    return tuple((key, at, name) for key, names in keys for at, name in enumerate(names))


def known(draft: Draft) -> Iterator[Problem]:
    """A case rests on other cases that exist, each once, and that a program can pass."""
    names = [name for _, name in draft.case_names]
    exist = frozenset(names)
    # Nobody has answered them when a submission is graded.
    manual = {case.id for case in draft.cases.values() if case.manual is not None}
    for index, case in draft.cases.items():
        for key, at, name in _places(case):
            loc = ("cases", index, key, at)
            if name == case.id:
                yield Problem("requires", f"`{name}` rests on itself", loc, "remove it")
            elif name not in exist:
                yield Problem("unknown-case", f"there is no case `{name}`", loc, near(name, names, "cases"))
            elif case.earlier.count(name) > 1 and (key, at) != (_places(case)[case.earlier.index(name)][:2]):
                yield Problem("requires", f"`{name}` is named already", loc, "remove one")
            elif name in manual:
                message = f"a person answers `{name}`, so `{case.id}` would always be skipped"
                yield Problem("requires", message, loc, "require a case that runs by itself")


def charged_twice(draft: Draft) -> Iterator[Problem]:
    """A mistake is charged once: a case that requires one of its own criterion loses its share with it.

    Where all cases must be met, both look for one kind of defect, or a person looks at a failure of the other, nothing more is lost.
    """
    for index, case in draft.cases.items():
        paid_by = draft.by_criterion.get(case.criterion or "")
        for at, name in enumerate(case.requires if paid_by and paid_by.counts is not Counts.ALL else ()):
            other = draft.by_id.get(name)
            # Where kinds are counted both failures are one, whose price is taken once.
            same_kind = other is not None and case.defect is not None and other.defect == case.defect
            if other is not None and other.criterion == case.criterion and not same_kind and not other.review:
                lost = f"`{case.id}` is skipped, and `{case.criterion}` loses the share of both"
                hint = f"`unless: [{name}]` leaves `{case.id}` out then, and charges the mistake once"
                loc = ("cases", index, "requires", at)
                yield Problem.warning("charged-twice", f"where `{name}` fails, {lost}", loc, hint)


def openness(draft: Draft) -> Iterator[Problem]:
    """What a student can see never depends on what the student cannot see."""
    for index, case in draft.cases.items():
        for key, at, name in _places(case):
            other = draft.by_id.get(name)
            if other and _OPENNESS.index(other.visibility) < _OPENNESS.index(case.visibility):
                message = f"`{case.id}` is {case.visibility}, and `{name}`, on which it rests, only {other.visibility}"
                hint = "a student who sees that a case was skipped must see why"
                yield Problem("visibility", message, ("cases", index, key, at), hint)


def circles(draft: Draft) -> Iterator[Problem]:
    """No case requires itself by way of others; each circle is told once, at its first case in the file."""
    index_of = {case.id: index for index, case in sorted(draft.cases.items(), reverse=True)}
    open_: dict[str, list[str]] = {
        case.id: [name for name in case.earlier if name in index_of and name != case.id]
        for case in draft.cases.values()
    }
    while _drop_leaves(open_):
        # graphlib finds any of several circles that overlap; this one is told as it is easiest to follow, from the top.
        path = [min(open_, key=index_of.__getitem__)]
        while (following := open_[path[-1]][0]) not in path:
            path.append(following)
        circle = path[path.index(following) :]
        first = min(circle, key=index_of.__getitem__)
        start = circle.index(first)
        told = " → ".join(f"`{name}`" for name in (*circle[start:], *circle[:start], first))
        loc = ("cases", index_of[first], "requires")
        yield Problem("circle", f"these cases require each other: {told}", loc, "none of them could ever run")
        for name in circle:
            del open_[name]


def _drop_leaves(open_: dict[str, list[str]]) -> bool:
    """Leave out, again and again, the cases that require nothing that is left; whether any case is left."""
    required_by: dict[str, list[str]] = {}
    for name, required in open_.items():
        required[:] = [other for other in required if other in open_]
        for other in required:
            required_by.setdefault(other, []).append(name)
    leaves = [name for name, required in open_.items() if not required]
    while leaves:
        leaf = leaves.pop()
        del open_[leaf]
        for name in required_by.get(leaf, ()):
            open_[name].remove(leaf)
            if not open_[name]:
                leaves.append(name)
    return bool(open_)


RULES: tuple[Rule, ...] = (
    one_kind, reserved, criterion, defect, judged, shown, weights, needs_reference, secret, reveals,
    known, charged_twice, openness, circles,
)  # fmt: skip
