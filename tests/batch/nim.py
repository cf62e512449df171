"""The bundled spec of Nim on the LC-3 with a few games drawn in place of every position: its grades take a quarter of the time."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EVERYWHERE = "everywhere: {covers: positions, games: 900, illegal: 1, inputs: 300}"
DRAWN = "everywhere: {games: 12, seed: 3, illegal: 1/2, inputs: 60}"


def drawn_nim(folder: Path) -> Path:
    """The same case for a spec in a folder, with all its cases."""
    text = (ROOT / "specs/lc3-nim.yaml").read_text("utf-8")
    assert EVERYWHERE in text
    (folder / "reference").symlink_to(ROOT / "reference")
    (folder / "specs").mkdir()
    path = folder / "specs/lc3-nim.yaml"
    drawn = text.replace(EVERYWHERE, DRAWN)
    path.write_text(
        re.sub(r"  - id: after-refusal-more\n(?:    .*\n)*", "", drawn), "utf-8"
    )  # found in every position alone
    return path
