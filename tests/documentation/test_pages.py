"""Every command of the documentation does what its page says, from the folder of a checkout."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.documentation import console
from tests.documentation.console import ROOT, follow

PAGES = ["README.md", *(f"docs/{name}.md" for name in ("tutorial-ta", "tutorial-student", "tutorial-ci", "reading"))]
ALL = sorted((ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_does_what_it_says(page: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """A reader types in a checkout: what pages take from it lies in the folder."""
    folder = tmp_path / "grader"
    folder.mkdir()
    for name in ("fixtures", "ci", "specs", "reference"):
        (folder / name).symlink_to(ROOT / name)
    follow(ROOT / page, folder, accept=request.config.getoption("--accept"))


def blocks(text: str) -> Iterator[str]:
    """The parts of a page that are indented by four columns, without that."""
    for block in re.findall(r"(?m)^(?: {4}.*\n|\n(?= {4}))+", text):
        yield re.sub(r"(?m)^ {4}", "", block)


def test_examples_in_yaml_are_whole() -> None:
    """A reader copies them: cases that were run together into one line are no YAML."""
    for block in (block for page in ALL for block in blocks(page.read_text(encoding="utf-8"))):
        if re.match(r"(?:- )?[\w-]+:(?: |\n)", block) and "…" not in block:
            yaml.safe_load(block)


def test_a_file_to_save_is_named_before_its_lines() -> None:
    """The name behind a fence is not shown when a page is rendered."""
    unnamed = []
    for page in ALL:
        text = page.read_text(encoding="utf-8")
        lines = text.splitlines()
        unnamed += [
            (page.name, block.file)
            for block in console.blocks(text)
            if block.file and f"`{block.file}`" not in " ".join(lines[max(block.line - 6, 0) : block.line - 2])
        ]
    assert unnamed == []
