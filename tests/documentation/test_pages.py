"""Every command of the documentation does what its page says, from the folder of a checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documentation.console import ROOT, follow

PAGES = ["README.md", "docs/tutorial-ta.md", "docs/tutorial-student.md", "docs/tutorial-ci.md"]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_does_what_it_says(page: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """A reader types in a checkout: what pages take from it lies in the folder."""
    folder = tmp_path / "grader"
    folder.mkdir()
    for name in ("fixtures", "ci", "specs", "reference"):
        (folder / name).symlink_to(ROOT / name)
    follow(ROOT / page, folder, accept=request.config.getoption("--accept"))
