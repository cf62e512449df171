"""What must hold between the keys of a spec, one function a rule; ``check`` runs them all, those of the kinds of cases included."""

from __future__ import annotations

from collections.abc import Iterator

from grader.spec.kinds import KINDS
from grader.spec.kinds.kind import Entry
from grader.spec.problem import Problem
from grader.spec.rules import cases, program, rubric, text
from grader.spec.rules.draft import Draft

__all__ = ["Draft", "check"]

_PARTS = (program, text, rubric, cases)


def check(draft: Draft) -> Iterator[Problem]:
    """Every problem between the keys of a draft, rule by rule."""
    for rule in (rule for part in _PARTS for rule in part.RULES):
        yield from rule(draft)
    for kind in KINDS.values():
        named = [(index, case) for index, case in draft.cases.items() if getattr(case, kind.name) is not None]
        for rule_of_kind in kind.rules:
            for index, case in named:
                yield from rule_of_kind(Entry(draft, index, case, kind, getattr(case, kind.name)))
