"""The page of a proof by mutants: its figures, and each mutant that is not charged with both outputs side by side."""

from __future__ import annotations

from collections.abc import Sequence

from grader.report.page import render
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class MutantView:
    """A mutant that is not charged: its name and outcome, what was typed, and what both programs show then."""

    name: str
    outcome: str
    typed: str
    original: str
    mutant: str
    free: bool
    note: str


@dataclass(frozen=True, slots=True)
class Group:
    """Mutants that one sentence explains."""

    reason: str
    mutants: tuple[MutantView, ...]


def proof_page(
    title: str, summary: str, criteria: Sequence[tuple[str, int, int]], idle: Sequence[str], groups: Sequence[Group]
) -> str:
    """The page, for who writes the spec."""
    return render("proof.html", title=title, summary=summary, criteria=criteria, idle=idle, groups=groups)
