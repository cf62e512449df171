"""Which code reached a verdict: what judges counts, and what only scores or shows does not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import grader
from grader.batch import engine


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A copy of the grader, which may be changed, and the digests of it."""
    here = tmp_path / "grader"
    ignored = shutil.ignore_patterns("__pycache__", "*.so")
    shutil.copytree(Path(grader.__file__).parent, here, ignore=ignored)
    monkeypatch.setattr(engine, "_HERE", here)
    yield here
    engine.engine.cache_clear()
    engine.renderer.cache_clear()


def digests() -> tuple[str, str]:
    """Both digests, anew."""
    engine.engine.cache_clear()
    engine.renderer.cache_clear()
    return engine.engine(), engine.renderer()


@pytest.mark.parametrize(
    ("name", "judges", "shows"),
    [
        ("checks/dialogue.py", True, False),
        ("sandbox/launcher.c", True, False),
        ("games/hear/words/de.yaml", True, False),
        ("machines/lc3/loop.c", False, False),
        ("scoring.py", False, False),
        ("cli/batch.py", False, False),
        ("report/templates/student.html", False, True),
        ("languages/catalogues/de/messages.po", False, True),
    ],
)
def test_a_change_in_the_code_that_judges_makes_another_engine(copy, name, judges, shows):
    """So that a development checkout keeps no verdict of yesterday's code; a change of what is shown makes pages anew."""
    before = digests()
    with (copy / name).open("a", encoding="utf-8") as stream:
        stream.write("\n")
    after = digests()
    assert [old != new for old, new in zip(before, after, strict=True)] == [judges, shows]
