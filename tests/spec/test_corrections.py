"""Corrections of staff on how programs were understood."""

import pytest

from grader.errors import SpecError, UsageError
from grader.report.shown import pasted
from grader.spec.corrections import load_corrections


def _file(tmp_path, text):
    path = tmp_path / "learned.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_corrections_are_values_by_key_for_each_wording(tmp_path):
    """Values are texts, however YAML reads them; an empty file corrects nothing."""
    path = _file(tmp_path, "# ours\n0012345678901234:\n  winner: mover\n  undo: 1\n  tie: true\n")
    assert load_corrections(path) == {"0012345678901234": {"winner": "mover", "undo": "1", "tie": "true"}}
    assert load_corrections(_file(tmp_path, "# nothing yet\n")) == {}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[1]\n", "1:1"),
        ("abc: 3\n", "1:1"),
        ("abc:\n  undo: [y]\n", "2:3"),
        ("abc:\n  undo:\n", "2:3"),
        ("a: {b\n", "1:4"),
    ],
)
def test_what_is_no_correction_is_an_error_with_its_place(tmp_path, text, place):
    """Every problem has file, line and column."""
    with pytest.raises(SpecError, match=f"learned.yaml:{place}"):
        load_corrections(_file(tmp_path, text))


def test_a_file_that_is_not_there_is_named(tmp_path):
    """A file that cannot be read is named."""
    with pytest.raises(UsageError, match=r"nowhere\.yaml"):
        load_corrections(tmp_path / "nowhere.yaml")


@pytest.mark.parametrize(
    "value",
    [
        "mover",
        "y",
        "no",
        "Null",
        "on",
        "~",
        "1",
        "012",
        "1.50",
        "a: b",
        "# x",
        "x #y",
        "- a",
        "it's",
        'say "x"',
        " a ",
        "",
        "取胜",
        "a\nb",
    ],
)
def test_what_a_page_shows_can_be_copied(tmp_path, value):
    """The value of a lesson, as the staff page writes it, means the same in the file."""
    path = _file(tmp_path, f"0012345678901234:\n  winner: {pasted(value)}\n")
    assert load_corrections(path) == {"0012345678901234": {"winner": value}}
