"""Archives as submissions."""

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.intake.archive import SUBMISSION, Limits
from grader.intake.source import read_submission
from grader.submission import Submission


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Submission]:
    """``read(data, name, limits)`` reads the bytes of an archive as one submission."""

    def read(data: bytes, name: str = "PB07210340.zip", limits: Limits = SUBMISSION) -> Submission:
        path = tmp_path / name
        path.write_bytes(data)
        return read_submission(path, "[A-Z]{2}[0-9]{8}", limits=limits)

    return read
