"""Pages of the documentation, followed as a reader would."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.documentation.console import ROOT, follow


@pytest.fixture
def followed(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[[str], None]:
    """``followed("docs/page.md")`` does all that a page of the repository says, in the test's temporary folder ``work``."""
    folder = tmp_path / "work"
    folder.mkdir()

    def follow_page(page: str) -> None:
        follow(ROOT / page, folder, accept=request.config.getoption("--accept"))

    return follow_page
