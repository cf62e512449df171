"""Lists that a program goes on writing: first “Moves: 1 2 1”, and then “Moves: 1 2 1 2”. Only the last entry is new.

A list tells how a game went, and no two games go alike. So texts are compared, and read, with what is new in it. A table is a list of
lines below a line that is its head: each time it is printed it has another row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile

OFTEN = 3
"""Times that a line must go on as the one before, until its word is the head of a list; as many more for each list that is begun anew."""

MOST_WORDS = 6
"""First words of a line that may be heads: a list stands behind its name."""

MOST_ROWS = 100
"""Rows of a table that are compared: a game has fewer moves, and a program may print thousands of lines that come again and again."""

SCROLLED, KEPT = 2, 2
"""Maximum rows that a table of the last moves drops between two prints, and minimum rows that it keeps."""

_WORD = re.compile(r"[^\W\d_]+")
_TOTAL = re.compile(r"(?<!\s)\s*+=\s*+-?\d++\W*+$|(?<=\d)\s*+=\s*+-?\d++[^=]*+$")
"""The sum behind the last entry of a list: “12 - 1 - 2 = 9”. Words may follow the sum of numbers: “1 + 2 = 3, 9 left”."""

_CLOSERS, _JOINTS = " \t])}", " \t,;>|/→+-"
"""The signs that may close a list, and those that may join its entries."""

Heads = frozenset[str]
"""Words behind which lists are written, and lines below which tables are, each of these with its line end."""


def heads(outputs: Sequence[str]) -> Heads:
    """The words behind which lists are written in a game, and the lines below which tables are."""
    return _list_heads(outputs) | _table_heads(outputs)


def _list_heads(outputs: Sequence[str]) -> Heads:
    last: dict[str, str] = {}
    goes_on: Counter[str] = Counter()
    begins: Counter[str] = Counter()
    for line in "\n".join(outputs).splitlines():
        for word, start in _words(line):
            entries = _TOTAL.sub("", line[start:]).rstrip(_CLOSERS)
            before = last.get(word, entries)
            if entries != before:  # the same line again, as at a refusal, says nothing
                goes_on[word] += entries.startswith(before)
                begins[word] += bool(goes_on[word]) and not entries.startswith(before)
            last[word] = entries
    return frozenset(word for word, times in goes_on.items() if times >= OFTEN * (1 + begins[word]))


def _table_heads(outputs: Sequence[str]) -> Heads:
    rows: dict[str | None, int] = {}
    goes_on: Counter[str] = Counter()
    begins: Counter[str] = Counter()
    lines = _lines(outputs)
    for at, number, scrolls in _repeated(lines):
        line = lines[at]
        before = rows.get(line, 0)
        rows[line] = number
        goes_on[f"{line}\n"] += number >= before if scrolls else number > before
        begins[f"{line}\n"] += number < before
    return frozenset(line for line, times in goes_on.items() if times >= OFTEN * (1 + begins[line]))


def _lines(outputs: Sequence[str]) -> list[str | None]:
    """The lines of all outputs, and None for the last one of each: it may be a question, which is never old."""
    return [line for output in outputs for line in (*output.split("\n")[:-1], None)]


def _repeated(lines: Sequence[str | None], known: Heads | None = None) -> Iterator[tuple[int, int, bool]]:
    """The places of lines that came before, each with how many lines below it are those that stood below it then, and whether some moved up.

    ``known`` are the heads of tables, if these are known: then a row is never taken for one.
    """
    last: dict[str, int] = {}
    at = 0
    while at < len(lines):
        line, number = lines[at], 0
        if line and line.strip() and (known is None or f"{line}\n" in known):
            before = last.get(line)
            last[line] = at
            if before is not None:
                then, now = lines[before + 1 : min(at, before + 1 + MOST_ROWS)], lines[at + 1 : at + 1 + MOST_ROWS]
                same = _alike(then, now)
                moved = _moved(then[same:], now[same:]) if same < KEPT else 0  # other lines stand above the whole table
                number = same + moved
                yield at, number, bool(moved)
        at += 1 if known is None else 1 + number


def _moved(then: Sequence[str | None], now: Sequence[str | None]) -> int:
    """How many first lines stood a row or two further below before."""
    # A table of the last four moves begins with another row each time: its old rows were read as wrong counts.
    output = list(takewhile(lambda line: line is not None, then))
    moved = (_alike(output[rows:], now) for rows in range(1, SCROLLED + 1))
    return next((number for number in moved if number >= KEPT), 0)


def _alike(before: Sequence[str | None], now: Sequence[str | None]) -> int:
    """How many first lines of both are the same, up to the end of an output."""
    pairs = zip(before, now, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] is not None and pair[0] == pair[1], pairs))


def news(outputs: Sequence[str], known: Heads) -> Sequence[str]:
    """The texts of a game, without the entries of lists and the rows of tables that were there before."""
    if not known:
        return outputs
    last: dict[str, str] = {}
    old = {row for at, number, _ in _repeated(_lines(outputs), known) for row in range(at + 1, at + 1 + number)}
    texts: list[str] = []
    at = 0
    for output in outputs:
        lines = output.split("\n")
        texts.append("\n".join(_new(line, known, last) for row, line in enumerate(lines, at) if row not in old))
        at += len(lines)
    return texts


def _new(line: str, known: Heads, last: dict[str, str]) -> str:
    for word, start in _words(line):
        if word in known:
            total = _TOTAL.search(line, start)
            entries = line[start : total.start() if total else None].rstrip(_CLOSERS)
            before, last[word] = last.get(word, ""), entries
            if before and entries.startswith(before):
                new = entries[len(before) :].lstrip(_JOINTS)
                return f"{line[:start]}{word} {new}{total[0] if total else ''}"
    return line


def _words(line: str) -> Iterator[tuple[str, int]]:
    matches = list(_WORD.finditer(line))[:MOST_WORDS]
    return ((word[0], word.start()) for word in matches)
