"""What all tests share: golden files, and ``--accept``, which rewrites them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--accept``."""
    parser.addoption("--accept", action="store_true", help="rewrite the golden files; the diff is what you review")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """``golden(name, text)`` asserts that a file of tests/golden holds exactly this text, or makes it so."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--accept"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        assert path.is_file(), f"no golden file {name}: make accept writes it"
        assert text == path.read_bytes().decode(), f"differs from {name}: make accept rewrites it"

    return compare
