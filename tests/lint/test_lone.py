"""A pattern that reads a lone number as a fact is told of, and none of the bundled specs has one."""

from __future__ import annotations

import pytest

from grader.bundled import bundled_specs, spec_path
from grader.lint.patterns import lone_numbers
from grader.spec.loader import load_assignment
from grader.spec.model import Spec


@pytest.mark.parametrize("name", bundled_specs())
def test_no_fact_of_ours_is_a_lone_number(name: str) -> None:
    """Whatever a program repeats of what was typed says nothing."""
    assert not list(lone_numbers(load_assignment(spec_path(name)).spec))


def spec_with(pattern: str) -> Spec:
    """java-nim with another pattern for its rows."""
    spec = load_assignment(spec_path("java-nim")).spec
    facts = (spec.text.facts[0].model_copy(update={"pattern": pattern}), *spec.text.facts[1:])
    return spec.model_copy(update={"text": spec.text.model_copy(update={"facts": facts})})


@pytest.mark.parametrize(
    ("pattern", "lone"),
    [
        (r"(?m:^)(?P<row>[123])[.:]?[ ]*(?P<matches>[|]*)", True),
        (r"(?m:^)(?P<row>[123])[ ]*(?P<matches>\d+)", True),
        (r"(?m:^)(?P<row>[123])(?!\d)[ ]*(?P<matches>\d+)", False),
        (r"(?m:^)(?P<row>[123])[.: ][ ]*(?P<matches>[|]*)", False),
    ],
)
def test_a_row_needs_more_than_its_number(pattern: str, lone: bool) -> None:
    """A row whose marks may all be left out is a 3 that was typed, and two digits are a row and what is in it."""
    found = [(one.code, one.loc) for one in lone_numbers(spec_with(pattern))]
    assert found == ([("lone-number", ("text", "facts", 0, "pattern"))] if lone else [])
