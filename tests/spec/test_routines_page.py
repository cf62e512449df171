"""docs/routines.md says nothing that a spec would refuse."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest
import yaml

from grader.source import SourceFile
from grader.spec.document import read_document
from grader.spec.kinds.call import CallRules
from grader.spec.kinds.machine import MachineRules
from grader.spec.ranges import read_range
from grader.spec.things import read_thing

PAGE = (Path(__file__).resolve().parents[2] / "docs/routines.md").read_text(encoding="utf-8")
BLOCKS = [textwrap.dedent(block) for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", PAGE, re.MULTILINE)]
CASES = [
    part
    for block in BLOCKS
    for part in re.split(r"(?m)^(?=- id|call:|machine:)", block)
    if re.match(r"- id|call:|machine:", part)
]


def column(heading: str) -> list[str]:
    """The code in the first column of the table with this heading."""
    rows = PAGE[PAGE.index(f"| {heading} |") :].split("\n\n")[0].splitlines()[2:]
    return [code for row in rows for code in re.findall(r"`([^`]+)`", row.split(" | ")[0])]


def test_the_page_has_cases_and_tables():
    """Else nothing of it is tested here."""
    assert (len(CASES), len(column("written")) > 8, len(column("`arguments`")) > 8) == (8, True, True)


@pytest.mark.parametrize("case", CASES)
def test_a_case_of_the_page_is_one_of_a_spec(case):
    """It has no problem by itself."""
    document = read_document(SourceFile("page", case))
    assert document.problems == ()
    data = document.data[0] if isinstance(document.data, list) else document.data
    assert isinstance(data, dict)
    rules = (
        MachineRules.model_validate(data["machine"]) if "machine" in data else CallRules.model_validate(data["call"])
    )
    assert rules


@pytest.mark.parametrize("written", column("written"))
def test_a_thing_of_the_page_can_be_written_so(written):
    """As it stands in the table."""
    read_thing(yaml.safe_load(written))


@pytest.mark.parametrize("written", column("`arguments`"))
def test_a_range_of_the_page_can_be_written_so(written):
    """As it stands in the table."""
    read_range(yaml.safe_load(written.removeprefix("types: ")))
