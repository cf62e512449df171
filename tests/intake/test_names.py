"""Noise, identities and identifiers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.intake.names import clean, identify, is_noise, is_safe_id, safe_id, shown, unique_ids

NUMBER = "[A-Z]{2}[0-9]{8}"


@pytest.mark.parametrize(
    "path",
    ["__MACOSX/._nim.asm", "a/.DS_Store", "Thumbs.db", "x/DESKTOP.INI", "._nim.asm", "~$report.docx", ".git/config"],
)
def test_noise(path):
    """Files that systems and tools leave behind are noise at any level and in any case."""
    assert is_noise(path)


@pytest.mark.parametrize("path", ["nim.asm", "macosx/nim.asm", "thumbs.db.asm", ".nim.asm", "a._b/nim.asm"])
def test_no_noise(path):
    """A file that a student may have written is not noise."""
    assert not is_noise(path)


@pytest.mark.parametrize(
    ("name", "student", "student_id"),
    [
        ("PB07210340 张海博 LAB04.zip", "张海博", "PB07210340"),
        ("PB07210340_张海博_实验.ZIP", "张海博", "PB07210340"),
        ("PB07210340-张海博-LAB04.zip", "张海博", "PB07210340"),
        ("张海博（PB07210340）.zip", "张海博", "PB07210340"),
        ("PB07210340.zip", "PB07210340", "PB07210340"),
        ("PB07210340", "PB07210340", "PB07210340"),
        ("Jean-Luc_Dupont_PB07210340_lab4.zip", "Jean-Luc Dupont", "PB07210340"),
        ("PB07210342 李明 实验四.zip", "李明", "PB07210342"),
        ("PB07210342 李明 第四次实验报告.tar.gz", "李明", "PB07210342"),
        ("张海博.zip", "张海博", ""),
        ("LAB04.zip", "LAB04", ""),
        ("pb07210340.zip", "pb07210340", ""),
    ],
)
def test_identity(name, student, student_id):
    """A name says who it is; what is left of it without number and coursework is the student's name."""
    found = identify(name, NUMBER)
    assert (found.student, found.student_id) == (student, student_id)


def test_identity_of_a_loose_file():
    """In a loose file the word in lower case names the program."""
    assert identify("PB07210340 张海博 nim.asm", NUMBER, loose_file=True).student == "张海博"
    assert identify("PB07210340_nim.asm", NUMBER, loose_file=True).student == "PB07210340"


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("r5py_enter", "r5py_enter"),
        ("r5py_enter.zip", "r5py_enter"),
        ("k3v9-LAB04", "k3v9-LAB04"),
        ("Nguyen Van An 1952001 v2", "Nguyen Van An"),
        ("An_Nguyen_lab4b", "An Nguyen"),
        ("2021CS0012 Ravi Kumar", "Ravi Kumar"),
        ("enter", "enter"),
    ],
)
def test_a_name_with_digits_within_is_nobodys(name, student):
    """A folder called r5py_enter is not that of a student called enter; numbers before or behind a name are left out."""
    assert identify(name, None).student == student


def test_group_of_the_pattern():
    """The first group of a pattern is the number, where it has one."""
    assert identify("nr-17-x.zip", r"nr-(\d+)").student_id == "17"


def test_without_a_pattern_nobody_has_a_number():
    """A spec need not say what a student number looks like."""
    assert identify("PB07210340.zip", None).student_id == ""


def test_clean_and_shown():
    """Control, direction and surrogate characters are replaced, accents composed, long names cut."""
    assert clean("a\x1b[2J\u202eb\udc80e\u0301") == "a\ufffd[2J\ufffdb\ufffd\xe9"
    assert shown("x" * 120) == "x" * 120
    assert len(shown("x" * 121)) == 120


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PB07210340", "PB07210340"),
        ("张海博 LAB04", "张海博-LAB04"),
        ("../../etc/passwd", "etc-passwd"),
        ("CON", "_CON"),
        ("com1.x", "_com1.x"),
        ("console", "console"),
        ("a:b*c?", "a-b-c"),
        ("...", "submission"),
        ("", "submission"),
    ],
)
def test_safe_id(text, expected):
    """An identifier is readable, and a file name on every system."""
    assert safe_id(text) == expected


@given(st.text())
def test_any_text_becomes_a_file_name(text):
    """No text makes an identifier that is empty, too long, or no file name on Windows."""
    made = safe_id(text)
    assert 0 < len(made) <= 61
    assert not set(made) & set('<>:"/\\|?* \0')
    assert not made.startswith(".")
    assert not made.endswith((".", " "))
    assert made.encode()


def test_long_names_stay_different():
    """Two long names that begin alike get different identifiers."""
    assert safe_id("x" * 100 + "a") != safe_id("x" * 100 + "b")


def test_unique_ids():
    """Equal identifiers are counted, whatever their case, and a number that is taken is passed over."""
    assert unique_ids(["a", "A", "a-2", "a", "b"]) == ("a", "A-3", "a-2", "a-4", "b")


@given(st.lists(st.sampled_from(["a", "A", "a-2", "a-3", "b"])))
def test_ids_are_unique_where_case_is_ignored(wanted):
    """Identifiers never collide on a file system that ignores case."""
    made = [name.casefold() for name in unique_ids(wanted)]
    assert len(set(made)) == len(made)


def test_every_identifier_that_is_given_is_safe():
    """Whatever a name was, its identifier is one file in any folder; what leads elsewhere is not."""
    odd = [
        "../../X",
        "a/b",
        "con",
        "Zoë\u0301",
        "x" * 90,
        "",
        "..",
        "a\0b",
        "张海博",
        "LAB04 (1)",
        "a--b.",
        "nul.txt",
        "1-2",
    ]
    given = unique_ids(safe_id(name) for name in odd * 3)
    assert all(map(is_safe_id, given))
    assert not any(map(is_safe_id, ["../../X", "/X", "a/b", "a\\b", "", ".", "..", "a\0", "con", "x\n", "-", "x" * 90]))
