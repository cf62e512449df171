"""docs/api.md, as it stands."""

import doctest
from pathlib import Path

import pytest

import grader

ROOT = Path(__file__).resolve().parents[1]


def test_the_page_on_the_library_is_right(monkeypatch):
    """Each of its examples gives what it says."""
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(ROOT / "docs/api.md"), module_relative=False)
    assert tried > 10
    assert failed == 0


def test_whatever_the_library_offers_is_there():
    """Each name can be imported, and a mistyped one is an ordinary error."""
    for name in grader._DOOR:
        assert getattr(grader, name)
        assert name in dir(grader)
    with pytest.raises(ImportError, match="cannot import name"):
        exec("from grader import grading_of")
