"""Wrong values, in the words of whoever wrote them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader.source import Diagnostic

Diagnose = Callable[[str], tuple[Diagnostic, ...]]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("title: Small\n", "titel: Small\n", "there is no key `titel` here (did you mean `title`?)"),
        (
            "title: Small\n",
            "titel: Small\n",
            "`title` is missing (Its title, as a student reads it at the top of a report)",
        ),
        ("title: Small\n", "title: 5\n", "`title` must be text, and is a number (5) (put it in quotes)"),
        ("title: Small\n", "title: [a]\n", "`title` must be text, and is a list (put it in quotes)"),
        ("title: Small\n", "title: true\n", "`title` must be text, and is `true` (put it in quotes)"),
        ("title: Small\n", "title: ''\n", "`title` is empty"),
        (
            "assignment: small",
            "assignment: Small",
            "`assignment` cannot be 'Small': a name is made of a-z, 0-9 and -, such as blank-line",
        ),
        (
            "[a.asm], opt",
            "a.asm, opt",
            "`required` must be a list, and is 'a.asm' (put it in brackets: [first, second])",
        ),
        ("sources: [a.asm]", "sources: []", "`sources` is empty"),
        ("language: lc3", "language: LC3", "`language` cannot be 'LC3' (did you mean `lc3`?)"),
        ("echo: program", "echo: typed", "`echo` cannot be 'typed' (it may be: program, terminal, none)"),
        ("slips: {case", "slips: {caze", "`caze` is not known here (did you mean `case`?)"),
        ("slips: {case: 1", "slips: {case: -1", "`case`: '-1' is not a number such as 2, 2.5 or 1/4"),
        ("slips: {case: 1", "slips: {case: [1]", "`case` must be a mapping of keys and values, and is a list"),
        ("slips: {case: 1", "slips: {case: true", "`case`: a number such as 2, 2.5 or 1/4 is expected"),
        ("{gap: ", "{Gap: ", "`Gap` is no name (a name is made of a-z, 0-9 and -, such as blank-line)"),
        (
            "'hello (?P<whom>\\w+)'",
            "'hello ('",
            "`pattern`: 'hello (' is no regular expression: missing ), unterminated subpattern",
        ),
        ("  echo: program", "  echo: program\n  blank: '..'", "`blank` must be one character, and is '..'"),
        ("title: Small\n", "title: Small\nlimits: {cpu: 1000001}\n", "`cpu`: 1000001 is no limit: at most 1,000,000 s"),
        (
            "title: Small\n",
            "title: Small\nlimits: {memory: 1000001 GiB}\n",
            "`memory`: '1000001 GiB' is no limit: at most 1,000,000,000,000,000",
        ),
        ("points: 3", "points: three", "`points`: 'three' is not a number such as 2, 2.5 or 1/4"),
        ("points: 3", "points: 1/0", "`points`: '1/0' is not a number such as 2, 2.5 or 1/4"),
        ("points: 3", "points: .inf", "`points`: 'inf' is not a number such as 2, 2.5 or 1/4"),
        ("manual: true", "manual: 7", "`manual` must be `true` or `false`, and is a number (7)"),
        ("counts: kinds", "counts: kind", "`counts` cannot be 'kind' (did you mean `kinds`?)"),
        ("games: 2,", "games: 0,", "`games` must be at least 1"),
        ("games: 2,", "games: 10001,", "`games` must be at most 10000"),
        ("games: 2,", "games: 1.5,", "`games` must be a whole number, and is a number (1.5)"),
        ("games: 2,", "games: .nan,", "`games` must be a whole number, and is a number (nan)"),
        ("games: 2,", "", "`games` is missing (The number of games)"),
        ("visibility: hidden", "visibility: hiden", "`visibility` cannot be 'hiden' (did you mean `hidden`?)"),
        (
            "play: B2}",
            "play: 11}",
            "`play`: inputs are written as one string, 'B2 A1', or as a list of strings, [' 1', A1] (quote numbers)",
        ),
        (
            "{play: [B2], callee_saved: true, results: [R0]}",
            "[1]",
            "`machine` must be a mapping of keys and values, and is a list",
        ),
        ("[B2], callee", "[[B2, 1]], callee", "this item: inputs are written as one string"),
        (
            "{id: ask, title: Ask, criterion: style, manual: Is it readable}",
            "ask",
            "this item must be a mapping of keys and values, and is 'ask'",
        ),
    ],
)
def test_a_wrong_value_is_told_in_plain_words(
    before: str, after: str, said: str, small: str, diagnose: Diagnose
) -> None:
    """The expected type, the given one, and the nearest right word; never a word of the library that found it."""
    assert small.count(before) >= 1
    told = [d.one_line().partition(": ")[2] for d in diagnose(small.replace(before, after, 1))]
    assert any(line.startswith(said) for line in told), told
    assert not any("pydantic" in line or "type=" in line or "Input should" in line for line in told)


@pytest.mark.parametrize("pattern", ["(" * 5000 + ")" * 5000, "x{1,99999999999999}", "[[a]", "(?P<1>x)", "\\8", "x**"])
def test_a_pattern_that_cannot_be_compiled_is_a_problem(pattern: str, small: str, diagnose: Diagnose) -> None:
    """Too deep, too large, or read otherwise by the next Python: a problem with its place, and no crash."""
    text = small.replace("[report.pdf]}", f"[report.pdf], student_id: '{pattern}'}}")
    assert [d.code for d in diagnose(text)] == ["value"]


def test_a_key_is_pointed_at_by_itself_and_a_value_by_itself(small: str, diagnose: Diagnose) -> None:
    """An unknown key is marked as a key, a wrong value as a value, a missing one as the mapping that lacks it."""
    found = {
        d.code: d.span
        for d in diagnose(small.replace("title: Small\n", "titel: 5\n").replace("points: 3", "points: x"))
    }
    marked = {code: span.text[span.column - 1 : span.end_column - 1] for code, span in found.items() if span}
    assert marked == {"unknown-key": "titel", "value": "x", "missing": "assignment: small"}


def test_no_model_accepts_an_unknown_key(small: str, diagnose: Diagnose) -> None:
    """In every mapping of the spec a key that nobody knows is a problem with the keys that there are."""
    for opening in (
        "submission: {",
        "program: {",
        "slips: {case: {price: 1, ",
        "differential: {",
        "machine: {",
        "source: {",
        "files: {",
    ):
        text = small.replace("slips: {case: 1,", "slips: {case: {price: 1, },") if "case: {" in opening else small
        found = diagnose(text.replace(opening, f"{opening}zzz: 1, "))
        assert "unknown-key" in {d.code for d in found}, opening
