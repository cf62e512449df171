"""Rules on ``requires`` and ``unless``.

The cases exist, can pass, form no circle, and are no more hidden than those that rest on them.
"""

from __future__ import annotations

from collections.abc import Iterator

from grader.results import Visibility
from grader.spec.hints import near
from grader.spec.model import Case, Counts
from grader.spec.problem import Problem
from grader.spec.rules.draft import Draft, Rule

_OPENNESS = (Visibility.STAFF, Visibility.HIDDEN, Visibility.VISIBLE)


def _places(case: Case) -> tuple[tuple[str, int, str], ...]:
    """The key, the place in its list and the name of each case on which one rests, in the order of ``earlier``."""
    keys = (("requires", case.requires), ("unless", case.unless))
    return tuple((key, at, name) for key, names in keys for at, name in enumerate(names))


def known(draft: Draft) -> Iterator[Problem]:
    """A case rests on other cases that exist, each once, and that a program can pass."""
    names = [name for _, name in draft.case_names]
    exist = frozenset(names)
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


RULES: tuple[Rule, ...] = (known, charged_twice, openness, circles)
