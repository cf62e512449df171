"""The table of attacks in docs/sandbox.md: what each tier stops."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from grader.sandbox import Tier
from tests.hostile.attacks import ATTACKS

PAGE = Path(__file__).parents[2] / "docs" / "sandbox.md"

STOPPED, THROUGH, UNTRIED = "stopped", "**through**", "untried"
_BEGIN, _END = "<!-- attacks -->", "<!-- end of attacks -->"
_BLOCK = re.compile(f"{re.escape(_BEGIN)}(?:.*?{re.escape(_END)})?", re.DOTALL)
_ROW = re.compile(r"^\| \[(?P<name>[a-z-]+)\]\([^)]*\) \| [^|]* \|(?P<cells>.*)\|$", re.MULTILINE)
_HEADINGS = {
    "cage": "On the sandbox",
    "grader": "On the grader, by what a program prints or how it behaves",
    "compiler": "On the compiler",
}

Cells = Mapping[Tier, str]


def shown(text: str) -> dict[str, dict[Tier, str]]:
    """The statement of a page on each attack in each tier."""
    return {
        row["name"]: dict(zip(Tier, (cell.strip() for cell in row["cells"].split("|")), strict=True))
        for row in _ROW.finditer(text)
    }


def rewritten(text: str, observed: Mapping[Tier, Mapping[str, bool]]) -> str:
    """The page with what was observed (whether each attack was stopped); of tiers that could not be tried it says what it said."""
    before = shown(text)
    parts = [_BEGIN, "", _summary(observed, before), ""]
    for against, heading in _HEADINGS.items():
        parts += [f"| {heading} | | {' | '.join(Tier)} |", "|---|---|" + "---|" * len(Tier)]
        for name, attack in ATTACKS.items():
            if attack.against == against:
                cells = " | ".join(_cell(name, tier, observed, before) for tier in Tier)
                parts.append(f"| [{name}](../fixtures/hostile/{name}) | {attack.title} | {cells} |")
        parts.append("")
    return _BLOCK.sub(lambda _: "\n".join([*parts, _END]), text, count=1)


def _cell(name: str, tier: Tier, observed: Mapping[Tier, Mapping[str, bool]], before: Mapping[str, Cells]) -> str:
    if tier in observed:
        return STOPPED if observed[tier][name] else THROUGH
    return before.get(name, {}).get(tier, UNTRIED)


def _summary(observed: Mapping[Tier, Mapping[str, bool]], before: Mapping[str, Cells]) -> str:
    cells = {tier: [_cell(name, tier, observed, before) for name in ATTACKS] for tier in Tier}
    counts = ", ".join(f"{row.count(STOPPED)} in *{tier}*" for tier, row in cells.items())
    return f"Each of {len(ATTACKS)} attacks in [fixtures/hostile](../fixtures/hostile) was tried in each tier. Stopped are {counts}."
