"""docs/faults.md names every kind of fault that the games and the bundled references find, and its occasions."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from grader.games.board import faults as board
from grader.games.families import fourinarow, tictactoe
from grader.games.pile import faults as pile
from grader.sessions.reference import load
from tests.documentation.console import ROOT

PAGE = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
ROW = re.compile(r"(?m)^\| `([a-z0-9-]+)` \| ([^|]+\.) \| ([^|]+) \|$")
HEAPS = ("lc3-nim", "c-nim", "java-nim")


def rows(title: str) -> dict[str, str]:
    """The last column of a section's table, by kind of fault."""
    section = PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]
    return {kind: occasions for kind, _meaning, occasions in ROW.findall(section)}


@pytest.mark.parametrize(
    ("title", "tables", "others"),
    [
        ("One pile", pile, {}),
        ("Every board", board, {}),
        ("Four in a row", fourinarow.faults, board.OCCASIONS_OF),
        ("Tic-tac-toe", tictactoe.faults, board.OCCASIONS_OF),
    ],
)
def test_the_kinds_of_a_game_and_their_occasions(title: str, tables: object, others: Mapping[str, object]) -> None:
    """A new kind needs a sentence there that says what it means."""
    found = getattr(tables, "TABLES", None)
    occasions = found.occasions if found else tables.OCCASIONS
    occasions_of = found.occasions_of if found else tables.OCCASIONS_OF
    assert rows(title) == {
        kind: "; ".join(f"`{name}`: {occasions[name]}" for name in names)
        for kind, names in occasions_of.items()
        if kind not in others
    }


def test_the_kinds_of_the_bundled_references() -> None:
    """Each stands beside the specs whose referee finds it."""
    known = {name: load(ROOT / "reference" / name.replace("-", "_")).FAULTS for name in HEAPS}
    kinds = {kind for faults in known.values() for kind in faults}
    assert rows("Heaps") == {kind: ", ".join(name for name in HEAPS if kind in known[name]) for kind in kinds}
