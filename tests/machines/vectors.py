"""What other simulators made of programs, and the tables of the documentation that say where ours differ."""

from __future__ import annotations

import json
import re
from pathlib import Path

_TESTS = Path(__file__).parents[1]


def recorded(name: str) -> list[dict]:
    """The programs of a file of ``tests/vectors``."""
    return json.loads((_TESTS / "vectors" / name).read_text(encoding="utf-8"))


def differences_told(page: str, heading: str) -> list[tuple[list[str], str]]:
    """Each row of the table below a heading of a page: the programs that it names, and what they differ in."""
    text = (_TESTS.parent / "docs" / page).read_text(encoding="utf-8")
    section = text.split(f"### {heading}")[1].split("\n#")[0]
    rows = (line.split("|") for line in section.splitlines() if line.startswith("| `"))
    return [(re.findall(r"`([^`]+)`", row[1]), row[2].strip()) for row in rows]
