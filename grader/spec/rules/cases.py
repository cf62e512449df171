"""Rules on what all kinds of cases share: exactly one kind, the criterion, the defect, what is judged, and what is hidden.

Cases that others rest on, by ``requires`` or ``unless``, exist, can pass, form no circle, and are no more hidden than those.
"""

from __future__ import annotations

from collections.abc import Iterator

from grader.bundled import reference_path
from grader.results import Visibility
from grader.spec.kinds import KINDS, Kind
from grader.spec.kinds.beginning import begun
from grader.spec.kinds.runs import GAME, HOW_TO_JUDGE, NOTHING_JUDGED
from grader.spec.model import Case, Counts
from grader.spec.model_program import is_model_program
from grader.spec.problem import At, Problem, near
from grader.spec.rules.draft import Draft
from grader.spec.secret import SHORTEST, VARIABLE, find_secret, secret_seeds


def kinds_of(case: Case) -> tuple[Kind, ...]:
    """Every kind that a case names; a right one names one."""
    return tuple(kind for kind in KINDS.values() if getattr(case, kind.name) is not None)


def one_kind(at: At[Case]) -> Iterator[Problem]:
    """A case is of exactly one kind."""
    named, name = kinds_of(at.part), at.part.id
    if not named:
        message = f"the case `{name}` does not say what is to be done"
        yield at.problem("kind", message, hint=f"one of {', '.join(KINDS)}")
    for extra in named[1:]:
        message = f"the case `{name}` has both `{named[0].name}` and `{extra.name}`"
        yield at.problem("kind", message, extra.name, hint="keep one, or make two cases", at_key=True)


def reserved(at: At[Case]) -> Iterator[Problem]:
    """No case may be called ``builds`` unless it builds the program: otherwise grading adds one of that name."""
    # Grading adds a case of that name, and a spec would have two.
    building = any(case.source is not None and case.source.builds for case in at.draft.cases.values())
    if at.part.id == "builds" and at.draft.complete and not building:
        message = "a case called `builds` must be the one that builds the program"
        yield at.problem("reserved", message, "id", hint="give it another name, or `source: {builds: true}`")


def criterion(at: At[Case]) -> Iterator[Problem]:
    """The criterion of a case exists, and is filled in by hand only where the case is."""
    case, known = at.part, [name for _, name in at.draft.criterion_names]
    rests_on = at.draft.by_criterion.get(case.criterion or "")
    if case.criterion is not None and case.criterion not in known:
        hint = near(case.criterion, known, "criteria")
        yield at.problem("unknown-criterion", f"there is no criterion `{case.criterion}`", "criterion", hint=hint)
    elif rests_on and rests_on.manual and case.manual is None:
        message = f"a person fills `{case.criterion}` in, so `{case.id}` cannot decide it"
        yield at.problem("manual", message, "criterion", hint="remove its `manual: true`, or this `criterion`")


def defect(at: At[Case]) -> Iterator[Problem]:
    """A case names a kind of defect exactly where its criterion counts kinds."""
    case, rests_on = at.part, at.draft.by_criterion.get(at.part.criterion or "")
    by_kind = rests_on is not None and rests_on.counts is Counts.KINDS
    if by_kind and case.defect is None:
        message = f"`{case.criterion}` counts kinds of defects, and `{case.id}` names none"
        yield at.problem("defect", message, hint="add `defect: NAME`; cases of one kind share the name")
    elif case.defect is not None and not by_kind and (rests_on or case.criterion is None):
        owner = f"`{case.criterion}` does not count kinds" if rests_on else "the case has no criterion"
        hint = "give the criterion `counts: kinds`"
        yield at.problem("defect", f"a defect is named, but {owner}", "defect", hint=hint, at_key=True)


# The keys of a case that only some kinds have.
_SOME_HAVE = ("judges", "facts", "mentions", "tolerance", "ends", "starts", "whole")


def judged(at: At[Case]) -> Iterator[Problem]:
    """Each key is one that the kind of the case has, and something is judged."""
    case, kind = at.part, next(iter(kinds_of(at.part)), None)
    for key in _SOME_HAVE if kind else ():
        if kind and key in case.model_fields_set and key not in kind.keys:
            having = "`, `".join(name for name, other in KINDS.items() if key in other.keys)
            message = f"`{key}` is for `{having}`, and `{case.id}` is a `{kind.name}`"
            inside = case.differential is not None and key in type(case.differential).model_fields
            hint = "write it inside `differential`" if inside else "remove it"
            yield at.problem("misplaced", message, key, hint=hint, at_key=True)
    if not case.judges:
        yield at.problem("judges", NOTHING_JUDGED, "judges", hint=HOW_TO_JUDGE)


def starts(at: At[Case]) -> Iterator[Problem]:
    """The beginning of a run can be given to it, and to the reference that writes its text."""
    begins = at.part.starts
    if begins is None:
        return
    yield from begun(at, [(("starts",), begins)])
    path = reference_path(at.draft.folder, str(at.draft.reference))
    languages = at.draft.program.language if at.draft.program else ()
    if at.part.play is not None and at.draft.reference and not is_model_program(path, languages):
        message = "a reference in Python does not know how a run begins"
        hint = "write the text out as a `transcript`, or name a model program as the reference"
        yield at.problem("no-reference", message, "starts", hint=hint, at_key=True)


def shown(at: At[Case]) -> Iterator[Problem]:
    """`faults` are for games; `shows` is also for cases that something must come about for, and is one number there."""
    case = at.part
    # An empty program obeys every prohibition, so something must have been seen.
    shows = not case.shown and any(kind.shows(getattr(case, kind.name)) for kind in kinds_of(case))
    for key in () if case.game is not None else ("faults",) if shows else ("faults", "shows"):
        if key in case.model_fields_set:
            yield at.idle(f"`{key}` is for `game`, and `{case.id}` is not one", key, hint="add `game: NAME`")


def weights(at: At[Case]) -> Iterator[Problem]:
    """The weight of a case is more than 0, and is given only if its criterion counts each case."""
    case, rests_on = at.part, at.draft.by_criterion.get(at.part.criterion or "")
    expected = case.tests.expects.values() if case.tests else ()
    if 0 in (case.weight, *expected):
        hint = "let it count more than 0, or have no criterion"
        yield at.problem("worthless", f"`{case.id}` counts nothing", hint=hint)
    weighs = "weight" in case.model_fields_set
    if rests_on and rests_on.counts is not Counts.EACH and (weighs or len(set(expected)) > 1):
        message = f"`{case.criterion}` does not count each of its cases"
        yield at.idle(message, *(("weight",) if weighs else ("tests", "expects")), hint="give it `counts: each`")


def reveals(at: At[Case]) -> Iterator[Problem]:
    """`reveals` is for hidden cases."""
    case = at.part
    if "reveals" in case.model_fields_set and case.visibility is not Visibility.HIDDEN:
        yield at.idle(f"`{case.id}` is {case.visibility}", "reveals", hint="`reveals` is for hidden cases")


def needs_reference(at: At[Draft]) -> Iterator[Problem]:
    """If a reference must write the text, it exists; and it lists legal moves if a case needs that."""
    draft = at.draft
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
        yield at.problem("no-reference", message, "cases", indices[0], name, hint=hints[name], at_key=True)


def secret(at: At[Draft]) -> Iterator[Problem]:
    """A secret seed is for what is hidden, and needs a secret; a secret is for some seed."""
    draft = at.draft
    # The place of each `seed: secret`, and the cases that look at what it draws.
    seeds = [(("cases", index, *loc), [case]) for index, case in draft.cases.items() for loc in secret_seeds(case)]
    for name, games in draft.games.items():
        cases = [case for case in draft.cases.values() if case.game == name]
        seeds += [(("games", name, *loc), cases) for loc in secret_seeds(games)]
    for loc, cases in seeds:
        # A student would read its inputs, and could tell the seed by trying.
        if visible := next((case.id for case in cases if case.visibility is Visibility.VISIBLE), None):
            message = f"`{visible}` is visible, and shows what is drawn by the secret"
            yield at.problem("secret", message, *loc, hint="give it `visibility: hidden`, or a seed of its own")
    if seeds:
        obstacle = find_secret(draft.folder / draft.secret if draft.secret is not None else None)
        if isinstance(obstacle, str):
            hint = (
                f"set {VARIABLE}, or name in `secret` a file of {SHORTEST} characters or more that students never see"
            )
            yield at.problem("no-secret", obstacle, *seeds[0][0], hint=hint)
    elif draft.complete and draft.secret is not None:
        yield at.idle("nothing is drawn by the secret", "secret", hint="write `seed: secret` somewhere")


def reveal(at: At[Draft]) -> Iterator[Problem]:
    """A day is named on which something hidden is shown."""
    hidden = any(case.visibility is Visibility.HIDDEN for case in at.draft.cases.values())
    if at.draft.complete and at.draft.reveal is not None and not hidden:
        message = "no case is hidden, so nothing is shown on that day"
        yield at.idle(message, "reveal", hint="remove it, or hide a case")


# ------------------------------------------------------------------------------------------------- requires and unless

_OPENNESS = (Visibility.STAFF, Visibility.HIDDEN, Visibility.VISIBLE)


def _places(case: Case) -> tuple[tuple[str, int, str], ...]:
    """The key, the place in its list and the name of each case on which one rests, in the order of ``earlier``."""
    keys = (("requires", case.requires), ("unless", case.unless))
    return tuple((key, at, name) for key, names in keys for at, name in enumerate(names))


def known(at: At[Case]) -> Iterator[Problem]:
    """A case rests on other cases that exist, each once, and that a program can pass."""
    case, names = at.part, [name for _, name in at.draft.case_names]
    seen: set[str] = set()
    for key, place, name in _places(case):
        other = at.draft.by_id.get(name)
        if name == case.id:
            yield at.problem("requires", f"`{name}` rests on itself", key, place, hint="remove it")
        elif name not in names:
            yield at.problem("unknown-case", f"there is no case `{name}`", key, place, hint=near(name, names, "cases"))
        elif name in seen:
            yield at.problem("requires", f"`{name}` is named already", key, place, hint="remove one")
        # Nobody has answered it when a submission is graded.
        elif other is not None and other.manual is not None:
            message = f"a person answers `{name}`, so `{case.id}` would always be skipped"
            yield at.problem("requires", message, key, place, hint="require a case that runs by itself")
        seen.add(name)


def charged_twice(at: At[Case]) -> Iterator[Problem]:
    """A mistake is charged once: a case that requires one of its own criterion loses its share with it.

    Nothing more is lost if all cases must be met, if both look for one kind of defect, or if a person looks at a
    failure of the other.
    """
    case, paid_by = at.part, at.draft.by_criterion.get(at.part.criterion or "")
    for place, name in enumerate(case.requires if paid_by and paid_by.counts is not Counts.ALL else ()):
        other = at.draft.by_id.get(name)
        # If kinds are counted, both failures are one, with one price.
        same_kind = other is not None and case.defect is not None and other.defect == case.defect
        if other is not None and other.criterion == case.criterion and not same_kind and not other.review:
            lost = f"`{case.id}` is skipped, and `{case.criterion}` loses the share of both"
            hint = f"`unless: [{name}]` leaves `{case.id}` out then, and charges the mistake once"
            yield at.warning("charged-twice", f"where `{name}` fails, {lost}", "requires", place, hint=hint)


def openness(at: At[Case]) -> Iterator[Problem]:
    """A visible case never depends on a less visible one."""
    case = at.part
    for key, place, name in _places(case):
        other = at.draft.by_id.get(name)
        if other and _OPENNESS.index(other.visibility) < _OPENNESS.index(case.visibility):
            message = f"`{case.id}` is {case.visibility}, and `{name}`, on which it rests, only {other.visibility}"
            hint = "a student who sees that a case was skipped must see why"
            yield at.problem("visibility", message, key, place, hint=hint)


def circles(at: At[Draft]) -> Iterator[Problem]:
    """No case requires itself by way of others; each circle is told once, at its first case in the file."""
    cases = at.draft.cases
    index_of = {case.id: index for index, case in sorted(cases.items(), reverse=True)}
    left = {case.id: [name for name in case.earlier if name in index_of and name != case.id] for case in cases.values()}
    while _drop_leaves(left):
        # graphlib finds any of several circles that overlap; this one is told as it is easiest to follow, from the top.
        path = [min(left, key=index_of.__getitem__)]
        while (following := left[path[-1]][0]) not in path:
            path.append(following)
        circle = path[path.index(following) :]
        first = min(circle, key=index_of.__getitem__)
        start = circle.index(first)
        names = " → ".join(f"`{name}`" for name in (*circle[start:], *circle[:start], first))
        message, hint = f"these cases require each other: {names}", "none of them could ever run"
        yield at.problem("circle", message, "cases", index_of[first], "requires", hint=hint)
        for name in circle:
            del left[name]


def _drop_leaves(left: dict[str, list[str]]) -> bool:
    """Leave out, again and again, the cases that require nothing that is left; whether any case is left."""
    required_by: dict[str, list[str]] = {}
    for name, required in left.items():
        required[:] = [other for other in required if other in left]
        for other in required:
            required_by.setdefault(other, []).append(name)
    leaves = [name for name, required in left.items() if not required]
    while leaves:
        leaf = leaves.pop()
        del left[leaf]
        for name in required_by.get(leaf, ()):
            left[name].remove(leaf)
            if not left[name]:
                leaves.append(name)
    return bool(left)


SPEC = (needs_reference, secret, reveal, circles)
CASES = (one_kind, reserved, criterion, defect, judged, starts, shown, weights, reveals, known, charged_twice, openness)
