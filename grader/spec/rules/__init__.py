"""Rules between the keys of a spec, one function each.

``check`` runs them all, those of the kinds of cases included.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from grader.spec.document import Loc
from grader.spec.kinds import KINDS
from grader.spec.kinds.kind import Entry
from grader.spec.problem import At, Problem
from grader.spec.rules import cases, program, rubric, text
from grader.spec.rules.draft import Draft

__all__ = ["Draft", "check"]


def check(draft: Draft) -> Iterator[Problem]:
    """Every problem between the keys of a draft, rule by rule. A rule sees only parts that are valid by themselves."""
    parts: tuple[tuple[tuple[Any, ...], Sequence[tuple[Loc, object]]], ...] = (
        ((*program.SPEC, *rubric.SPEC, *cases.SPEC), [((), draft)]),
        (program.SUBMISSION, [(("submission",), draft.submission)]),
        (program.PROGRAM, [(("program",), draft.program)]),
        (program.GAMES, [(("games", name), games) for name, games in draft.games.items()]),
        (text.TEXT, [(("text",), draft.text)]),
        (rubric.CRITERIA, [(("rubric", index), criterion) for index, criterion in draft.rubric.items()]),
        ((*text.CASES, *cases.CASES), [(("cases", index), case) for index, case in draft.cases.items()]),
    )
    for rules, places in parts:
        for rule in rules:
            for loc, part in places:
                if part is not None:
                    yield from rule(At(draft, loc, part))
    for kind in KINDS.values():
        for rule_of_kind in kind.rules:
            for index, case in draft.cases.items():
                if (part := getattr(case, kind.name)) is not None:
                    yield from rule_of_kind(Entry(draft, ("cases", index, kind.name), part, case, kind))
