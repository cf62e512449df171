"""Faults that games give an occasion for and that no case asks for are told of, and the bundled specs have none."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest

from grader.bundled import spec_path
from grader.grading import Judge
from grader.lint.rehearsal import on_trial, unasked_faults
from grader.spec.loader import load_assignment


def warnings(name: str, *, without: str = "", cases: Collection[str] = ()) -> list[tuple[str, object]]:
    """The message and place of each warning, where cases do not ask for one kind of fault."""
    assignment = load_assignment(spec_path(name))
    spec = assignment.spec
    asking = tuple(
        case.model_copy(update={"faults": tuple(kind for kind in case.faults if kind != without)})
        if not cases or case.id in cases
        else case
        for case in spec.cases
    )
    asking_less = replace(assignment, spec=spec.model_copy(update={"cases": asking}))
    return [(one.message, one.loc) for one in unasked_faults(on_trial(Judge(asking_less)))]


@pytest.mark.parametrize("name", ["lc3-nim", "c-nim", "java-nim"])
def test_our_specs_ask_for_every_fault_after_refusals_too(name: str) -> None:
    """Whatever costs points in games of legal moves is asked for where illegal ones are typed."""
    assert warnings(name) == []


def test_a_fault_that_is_asked_for_in_legal_games_alone_is_told_of() -> None:
    """A program may halt after each game, and wait for ever after one in which something was refused."""
    [(message, place)] = warnings("lc3-nim", without="no-halt", cases={"after-refusal"})
    assert "no case asks for `no-halt` in games in which illegal answers are typed" in message
    assert place == ("games", "wrong")


def test_a_fault_that_no_case_asks_for_is_told_of() -> None:
    """It may show in any game; what nobody loses points by is left out of the second warning."""
    [(message, place)] = warnings("java-nim", without="wrong-telling")
    assert "no case asks for `wrong-telling` in any game" in message
    assert place == ("games", "legal")
