"""What must hold between the keys of a spec, one function a rule; ``check`` runs them all."""

from __future__ import annotations

from collections.abc import Iterator

from grader.spec.problem import Problem
from grader.spec.rules import (
    calls,
    cases,
    handed_in,
    hidden,
    io,
    kinds,
    program,
    requirements,
    rubric,
    tests,
    text,
    words,
)  # fmt: skip
from grader.spec.rules.draft import Draft

__all__ = ["Draft", "check"]

_RULES = (
    *handed_in.RULES,
    *program.RULES,
    *text.RULES,
    *rubric.RULES,
    *cases.RULES,
    *requirements.RULES,
    *kinds.RULES,
    *io.RULES,
    *calls.RULES,
    *tests.RULES,
    *words.RULES,
    *hidden.RULES,
)


def check(draft: Draft) -> Iterator[Problem]:
    """Every problem between the keys of a draft, rule by rule."""
    for rule in _RULES:
        yield from rule(draft)
