"""Lists that a program goes on writing: first “Moves: 1 2 1”, and then “Moves: 1 2 1 2”. Only the last entry is new.

A list tells how a game went, and no two games go alike. So texts are compared, and read, with what is new in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

OFTEN = 3
"""Times that a line must go on as the one before, until its word is the head of a list; as many more for each list that is begun anew."""

MOST_WORDS = 6
"""First words of a line that may be heads: a list stands behind its name."""

_WORD = re.compile(r"[^\W\d_]+")
_CLOSERS, _JOINTS = " \t])}", " \t,;>|/→-"
"""The signs that may close a list, and those that may join its entries."""

Heads = frozenset[str]


def heads(outputs: Sequence[str]) -> Heads:
    """The words behind which lists are written in a game."""
    last: dict[str, str] = {}
    goes_on: Counter[str] = Counter()
    begins: Counter[str] = Counter()
    for line in "\n".join(outputs).splitlines():
        for word, start in _words(line):
            entries = line[start:].rstrip(_CLOSERS)
            before = last.get(word, entries)
            if entries != before:  # the same line again, as at a refusal, says nothing
                goes_on[word] += entries.startswith(before)
                begins[word] += bool(goes_on[word]) and not entries.startswith(before)
            last[word] = entries
    return frozenset(word for word, times in goes_on.items() if times >= OFTEN * (1 + begins[word]))


def news(outputs: Sequence[str], known: Heads) -> Sequence[str]:
    """The texts of a game, without the entries of lists that were there before."""
    if not known:
        return outputs
    last: dict[str, str] = {}
    return ["\n".join(_new(line, known, last) for line in output.split("\n")) for output in outputs]


def _new(line: str, known: Heads, last: dict[str, str]) -> str:
    for word, start in _words(line):
        if word in known:
            entries = line[start:].rstrip(_CLOSERS)
            before, last[word] = last.get(word, ""), entries
            if before and entries.startswith(before):
                return f"{line[:start]}{word} {entries[len(before) :].lstrip(_JOINTS)}"
    return line


def _words(line: str) -> Iterator[tuple[str, int]]:
    matches = list(_WORD.finditer(line))[:MOST_WORDS]
    return ((word[0], word.start()) for word in matches)
