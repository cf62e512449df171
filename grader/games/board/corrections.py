"""Settings of staff on how a program is understood, read from the values of ``learned.yaml``; a value that cannot be followed is said.

A value has the form in which the lesson of its key shows it. In a line ``<winner>`` and ``<loser>`` stand for the players, and
``<number>`` for any number.
"""

from __future__ import annotations

import re
from functools import partial

from grader.games.board.labels import answers_of, labels_of
from grader.games.board.rules import Labels, Rules
from grader.games.hear.runs import Answers
from grader.games.learn.table import Row, Settings, answer, no_two_players, rules_row, two_names
from grader.values import dataclass

_UNPARTED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Signs of languages that put no blanks between words: each is a token, else a name would be one with what follows it."""

TOKEN = re.compile(rf"\d+|[{_UNPARTED}]|[^\W\d{_UNPARTED}]+|[^\w\s]")


def tokens(text: str) -> list[str]:
    """The words and signs of a text."""
    return [token.casefold() for token in TOKEN.findall(text)]


W, L, N = "\x01", "\x02", "\x03"
"""In a line: the winner, the loser, another number."""

SLOTS = {"<winner>": W, "<loser>": L, "<number>": N}


def shown(line: str) -> str:
    """A line with its slots as staff write them."""
    for slot, sign in SLOTS.items():
        line = line.replace(sign, slot)
    return line


@dataclass(frozen=True)
class Corrections(Settings):
    """The values that are set, None if none is.

    ``labels`` are how moves are typed, ``marks`` the signs of both players, and ``players`` what each of them is called, in that order.
    ``winner``, ``loser`` and ``tie`` are parts of lines, with their slots as signs.
    ``rules`` are the sentences of the departures from the rules.
    """

    opening: Answers | None = None
    labels: Labels | None = None
    marks: tuple[str, ...] | None = None
    players: tuple[frozenset[str], frozenset[str]] | None = None
    undo: str | None = None
    keep: str | None = None
    winner: str | None = None
    loser: str | None = None
    tie: str | None = None
    rules: frozenset[str] | None = None


def _marks(value: str) -> tuple[str, ...]:
    marks = tuple(value.split())
    if len(marks) != len(set(marks)) or len(marks) != 2:
        raise ValueError(f"“{value}” are not two different marks; write them with a space between, such as X O")
    return marks


def _players(value: str) -> tuple[frozenset[str], frozenset[str]]:
    first, second = (frozenset(tokens(name)) for name in two_names(value))
    if not first or not second or first & second:
        raise no_two_players(value)
    return first, second


def _line(value: str) -> str:
    line = value.casefold()
    for slot, sign in SLOTS.items():
        line = line.replace(slot, sign)
    line = re.sub(r"\d+", N, line)
    if not re.search(r"\w", line):
        raise ValueError(f"“{value}” has no word of the program's")
    return " ".join(line.split())


def _naming(value: str) -> str:
    line = _line(value)
    if W not in line and L not in line:
        raise ValueError(f"“{value}” names nobody; write <winner> or <loser> in the place of the name")
    return line


def rows(rules: Rules) -> tuple[Row, ...]:
    """The lessons that staff can set of a program that plays on a board."""
    return (
        Row("opening", answers_of),
        Row(f"{rules.words.noun}s", partial(labels_of, rules), "labels"),
        Row("marks", _marks),
        Row("players", _players),
        Row("undo", answer),
        Row("keep", answer),
        Row("winner", _naming),
        Row("loser", _naming),
        Row("tie", _line),
        rules_row(one.sentence for one in rules.departures),
    )
