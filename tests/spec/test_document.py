"""YAML as plain data with places."""

from __future__ import annotations

import pytest
import yaml

from grader.source import Severity, SourceFile
from grader.spec import document
from grader.spec.document import DEEPEST, MOST_DIGITS, REFUSED, Document, read_document


def read(text: str) -> Document:
    """The document of a text."""
    return read_document(SourceFile("s.yaml", text))


def codes(text: str) -> list[tuple[str, int, int]]:
    """Code, line and column of each problem of a text."""
    return [(p.code, p.span.line, p.span.column) for p in read(text).problems if p.span]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("y", "y"),
        ("true", True),
        ("False", False),
        ("tRue", "tRue"),
        ("010", 10),
        ("0o10", 8),
        ("0x1F", 31),
        ("0b11", "0b11"),
        ("+5", 5),
        ("-5", -5),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("2024-01-31", "2024-01-31"),
        ("1/4", "1/4"),
        ("2.5", 2.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("1.2.3", "1.2.3"),
        ("-.inf", float("-inf")),
        ("=", "="),
        ("'5'", "5"),
        ('"\\u00e4"', "ä"),
        ("''", ""),
    ],
)
def test_scalars_are_resolved_by_the_core_schema(written: str, value: object) -> None:
    """A plain scalar means what YAML 1.2 says, not what 1.1 said; a quoted one is text."""
    found = read(f"key: {written}\n")
    assert found.problems == ()
    assert found.data == {"key": value}
    assert type(found.data["key"]) is type(value)


def test_keys_are_always_words() -> None:
    """A key is the text that was written, whatever it would mean as a value."""
    assert read("no: 1\n010: 2\nnull: 3\n'x y': 4\n").data == {"no": 1, "010": 2, "null": 3, "x y": 4}


def test_every_node_has_a_place() -> None:
    """Keys and values are found by the keys and indices that lead to them."""
    found = read("a:\n  - {b: xyz, c: [1]}\n")
    loc = ("a", 0, "b")
    assert (found.key_span(loc).line, found.key_span(loc).column, found.key_span(loc).end_column) == (2, 6, 7)
    assert (found.value_span(loc).column, found.value_span(loc).end_column) == (9, 12)
    assert found.value_span(("a", 0, "c", 0)).column == 18
    assert found.at(loc) == "xyz"


def test_steps_that_name_no_node_are_left_out() -> None:
    """A location with the names of types in it still leads to its node."""
    found = read("a: [{b: 1}]\n")
    assert found.settle(("a", 0, "some-type", "b", "[key]")) == ("a", 0, "b")
    assert found.settle(("z",)) == ()


def test_a_place_within_a_block_is_that_of_the_file() -> None:
    """Lines and columns of a literal block count from where its text begins, empty first lines included."""
    found = read("a:\n  t: |\n\n      one\n        two\n")
    assert found.data == {"a": {"t": "\none\n  two\n"}}
    span = found.span_within(("a", "t"), 3, 3, 6)
    assert (span.line, span.column, span.end_column) == (5, 9, 12)
    assert span.text[span.column - 1 : span.end_column - 1] == "two"


def test_a_place_within_quotes_is_that_of_the_value() -> None:
    """Escapes and folds make columns meaningless, so the whole value is pointed at."""
    found = read('a: "one\\ntwo"\n')
    assert found.span_within(("a",), 2, 1, 2).column == 4


@pytest.mark.parametrize("break_", ["\n", "\r\n"])
def test_line_ends_of_windows_change_nothing(break_: str) -> None:
    """CRLF gives the same data and places as LF."""
    found = read(break_.join(["a: |", "  x", "  y", "b: &c 1", ""]))
    assert found.data == {"a": "x\ny\n", "b": 1}
    assert [(p.span.line, p.span.column) for p in found.problems if p.span] == [(4, 4)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: 1\nb: 2\na: 3\n", ("duplicate-key", 3, 1)),
        ("a: 1\n'a': 3\n", ("duplicate-key", 2, 1)),
        ("a: &x 1\n", ("anchor", 1, 4)),
        ("a: *x\n", ("alias", 1, 4)),
        ("<<: {a: 1}\n", ("merge", 1, 1)),
        ("a: !!str 5\n", ("tag", 1, 4)),
        ("a: !!python/name:os.system x\n", ("tag", 1, 4)),
        ("a: !x {b: 1}\n", ("tag", 1, 4)),
        ("!!str a: 1\n", ("tag", 1, 1)),
        ("a:\n", ("no-value", 1, 1)),
        ("a: ~\n", ("no-value", 1, 1)),
        ("a: [1, null]\n", ("no-value", 1, 8)),
        ("{a: 1}: 2\n", ("key", 1, 1)),
        ("? [a]\n: 2\n", ("key", 1, 3)),
        ("a: 1\n---\nb: 1\n", ("several-documents", 2, 1)),
        ("", ("empty", 1, 1)),
        ("# nothing\n", ("empty", 1, 1)),
        ("---\n", ("empty", 1, 1)),
        ("null\n", ("empty", 1, 1)),
        ("a: \0\n", ("unprintable", 1, 4)),
        ("a: b\x1b\n", ("unprintable", 1, 5)),
        ("a:\r\n  b: \u2028\n", ("unprintable", 2, 6)),
        ("a: \ufeff\n", ("unprintable", 1, 4)),
        ("a: [1\n", ("yaml", 1, 4)),
        ("a:\n\tb: 1\n", ("yaml", 2, 1)),
        ("a: b: c\n", ("yaml", 1, 5)),
        ('a: 1\nb: "x\n', ("yaml", 2, 4)),
        ("a: @x\n", ("yaml", 1, 4)),
    ],
)
def test_what_is_refused_has_a_code_and_a_place(text: str, problem: tuple[str, int, int]) -> None:
    """Each trap of YAML is one problem, where it stands."""
    assert codes(text) == [problem]


@pytest.mark.parametrize("text", ["a: !x 1\n", "a: *x\n", "a:\n", f"a: {'9' * (MOST_DIGITS + 1)}\n"])
def test_what_was_refused_is_marked(text: str) -> None:
    """Whoever reads on can tell a refused node from data."""
    assert read(text).data == {"a": REFUSED}


def test_of_two_equal_keys_the_first_stands() -> None:
    """The second is a problem, and what is below it is read past and complained about too."""
    found = read("a: {b: 1}\na: {c: , c: 2}\nd: 4\n")
    assert found.data == {"a": {"b": 1}, "d": 4}
    assert [p.code for p in found.problems] == ["duplicate-key", "no-value", "duplicate-key"]
    assert found.value_span(("a", "b")).line == 1


def test_problems_are_collected() -> None:
    """One problem does not hide the next."""
    assert [code for code, *_ in codes("a: &x 1\nb: *x\nb: !y 2\n")] == ["anchor", "alias", "duplicate-key", "tag"]


def test_nesting_has_a_limit() -> None:
    """As deep as the limit is read; one deeper is a problem; a hundred thousand deep is no crash."""
    assert codes("[" * DEEPEST + "1" + "]" * DEEPEST) == []
    assert [code for code, *_ in codes("[" * (DEEPEST + 1) + "1" + "]" * (DEEPEST + 1))] == ["too-deep"]
    assert [code for code, *_ in codes("[" * 100_000)] == ["too-deep"]
    assert [code for code, *_ in codes("- " * 100_000)] == ["too-deep"]


def test_numbers_have_a_limit() -> None:
    """As many digits as the limit are a number; more are refused rather than converted for seconds."""
    assert codes(f"a: {'9' * MOST_DIGITS}\n") == []
    assert codes(f"a: {'9' * 5000}\n") == [("too-large", 1, 4)]


def test_a_million_laughs_are_one_alias() -> None:
    """Aliases are refused before anything unfolds."""
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)]
    assert {code for code, *_ in codes("\n".join(lines))} == {"anchor", "alias"}


def test_both_parsers_of_pyyaml_read_alike(monkeypatch: pytest.MonkeyPatch, small: str) -> None:
    """Without libyaml PyYAML's own parser gives the same data and places."""
    fast = read(small)
    monkeypatch.setattr(document, "_PARSER", yaml.SafeLoader)
    slow = read(small)
    assert (slow.data, slow.problems) == (fast.data, fast.problems)
    assert {loc: (r.line, r.column) for loc, r in slow.values.items()} == {
        loc: (r.line, r.column) for loc, r in fast.values.items()
    }
    span = slow.span_within(("cases", 1, "transcript"), 1, 7, 10)
    assert span == fast.span_within(("cases", 1, "transcript"), 1, 7, 10)


@pytest.mark.parametrize(
    ("written", "warned"),
    [
        ("hint: use #0", True),
        ("hint: use\t#0", True),
        ("hints: [use #0, more]\n", True),
        ("hint: use # a comment", False),
        ("hint: use#0", False),
        ('hint: "use #0"', False),
        ('hint: "use" #0', False),
        ("points: 5 #0", False),
    ],
)
def test_a_text_that_a_number_sign_cuts_off_is_found(written, warned):
    """A plain text with a ``#`` behind a blank ends there for YAML; a comment is told by the blank behind its sign."""
    assert [p.code for p in read(written).problems if p.code != "yaml"] == (["cut-text"] if warned else [])
    assert all(p.severity is not Severity.ERROR for p in read(written).problems if p.code == "cut-text")


@pytest.mark.parametrize(
    ("text", "meant"), [("a: {b: takes 1, 2 or 3, c: d}\n", True), ("a: {b: 1, c: }\n", False), ("a:\n  b:\n", False)]
)
def test_a_comma_within_braces_is_told_from_a_missing_value(text, meant):
    """The text behind the comma of an unquoted text looks like a key without a value."""
    [problem] = read(text).problems
    assert problem.code == "no-value"
    assert ("needs quotes" in problem.hint) is meant
