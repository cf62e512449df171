"""A spec with hidden cases, whose texts can be looked for in whatever is made of it."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from grader.bundled import specs_folder
from tests.batch.nim import DRAWN, EVERYWHERE

SECRETS = ("Clandestine", "clandestine", "C7C1B4", "C7 C1 B4", "907061", "Never told", "a comment on what is hidden")
"""Titles, names, hints, inputs, expectations, seeds and comments of the hidden cases, however they are written."""

_HIDDEN = """
  # a comment on what is hidden
  - id: clandestine-run
    title: "Clandestine: a run that students must not know"
    criterion: clandestine
    visibility: hidden
    play: C7 C1 B4
    requires: [plays]
    hint: "Never told: take seven of row C."
  - id: clandestine-steps
    title: "Clandestine steps"
    criterion: moves
    defect: clandestine
    visibility: hidden
    requires: [plays]
    dialogue:
      - {keys: C7C1B4}
      - {expect: 'Clandestine'}
  - id: clandestine-games
    title: "Clandestine games"
    criterion: clandestine
    visibility: staff
    requires: [plays]
    game: clandestine
    faults: [alternation]
"""


@pytest.fixture(scope="session")
def secretive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The spec of lc3-nim with hidden cases, a criterion, a kind of defect and a set of games of their own; it draws its games."""
    folder = tmp_path_factory.mktemp("secretive")
    copytree(specs_folder().parent / "reference/lc3_nim", folder / "reference/lc3_nim")
    text = (specs_folder() / "lc3-nim.yaml").read_text(encoding="utf-8").replace("../reference/", "reference/")
    for old, new in (
        (EVERYWHERE, DRAWN),
        ("  legal: {games: 30, seed: 4,", "  clandestine: {games: 3, seed: 907061}\n  legal: {games: 30, seed: 4,"),
        ("weights: {start: 9,", "weights: {clandestine: 4, start: 9,"),
        ("  - {id: traps,", "  - {id: clandestine, points: 5, title: Clandestine work}\n  - {id: traps,"),
    ):
        assert old in text
        text = text.replace(old, new)
    path = folder / "secretive.yaml"
    path.write_text(text.rstrip("\n") + "\n" + _HIDDEN, encoding="utf-8")
    return path
