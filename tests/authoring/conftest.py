"""Commands in a folder of the test."""

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def grader(
    grader: Callable[..., tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    """``grader(WORD, …)`` runs a command in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return grader
