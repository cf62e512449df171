"""Texts that lead a pattern to its repetitions."""

from __future__ import annotations

import pytest

from grader.lint.patterns import repetitions, slow


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("a{2}b*", [("aa", "b")]),
        ("Heap (?P<n>[1-3]): x+?y", [("Heap 1: ", "x")]),
        (r"(a|bc)-\1z*", [("a-a", "z")]),
        ("(?:ab)+c", [("", "ab")]),
        ("(?:a|b[ ]*)c{3}d*", [("b", " "), ("accc", "d")]),
        ("(?:(?:a*)b){2,}", [("", "b"), ("", "a")]),
        (r"\bx{0,39}y?(?=z)$", []),
        ("(?>ab)c++d*", [("abc", "d")]),
    ],
)
def test_each_repetition_without_an_end_of_its_own_is_reached(pattern: str, found: list[tuple[str, str]]) -> None:
    """By a text that the pattern takes as far as there; what keeps all that it took goes nowhere back."""
    assert [*repetitions(pattern)] == found


def test_a_class_is_repeated_by_characters_of_several_kinds() -> None:
    """What follows it may take one kind, and not another."""
    assert [piece for _, piece in repetitions("[^|]*")] == [" ", "0", "a", "\n"]
    assert [piece for _, piece in repetitions("[❤]*")] == ["❤"]


@pytest.mark.parametrize(
    "pattern",
    [
        r"^(not )?ok +\d+(?: +-)? *(?P<name>[^#\n]*?) *(?:# *SKIP)?$",
        r"^Row [A-C]: *o* *o* *\n",
        r"^\d+: (\w+\s?)+$",
    ],
)
def test_a_flood_behind_what_a_pattern_demands_is_found(pattern: str) -> None:
    """A flood alone never gets to what goes back in it."""
    assert slow(pattern) is not None
