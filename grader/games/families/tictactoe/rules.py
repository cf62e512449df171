"""The rules of tic-tac-toe: two players put marks into nine cells in turn; three in a line win, and a full board is a tie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from grader.games.board.rules import Labels, Rules, Wrong
from grader.games.families.tictactoe.faults import DEPARTURES, WORDS
from grader.games.families.tictactoe.plan import PLAN, cell, cells
from grader.games.learn.questions import allowed


class Kind(NamedTuple):
    """A way to type cells: the labels of all cells, and answers that name no cell."""

    labels: Labels
    missing: Labels


def _answers(texts: Iterable[str]) -> Labels:
    """Answers as the tables below have them: a line for each answer."""
    return tuple(tuple(text.split("\n")) for text in texts)


def _numbers(rows: tuple[int, int, int], *missing: str) -> Kind:
    """One number for each cell; ``rows`` are the first numbers of the rows, from the top."""
    return Kind(_answers(str(rows[2 - row] + column) for column in range(3) for row in range(3)), _answers(missing))


def _pairs(rows: str, between: str, columns: str, *missing: str, turned: bool = False) -> Kind:
    """A sign for the row, from the top, and one for the column, with a text ``between``; ``turned`` the column comes first."""
    pairs = [(rows[2 - row], columns[column]) for column in range(3) for row in range(3)]
    return Kind(_answers(between.join(reversed(pair) if turned else pair) for pair in pairs), _answers(missing))


KINDS = {
    "1-9": _numbers((1, 4, 7), "10", "0", "-1", "99"),
    "0-8": _numbers((0, 3, 6), "9", "-1", "10", "99"),
    "7-9, 4-6, 1-3": _numbers((7, 4, 1), "10", "0", "-1", "99"),  # as the keys at the right of a keyboard lie
    "1-3 1-3": _pairs("123", " ", "123", "4 1", "1 4", "0 1", "1 0"),
    "0-2 0-2": _pairs("012", " ", "012", "3 0", "0 3", "-1 0", "0 -1"),
    "1-3,1-3": _pairs("123", ",", "123", "4,1", "1,4", "0,1", "1,0"),
    "0-2,0-2": _pairs("012", ",", "012", "3,0", "0,3", "-1,0", "0,-1"),
    "1-3 and 1-3": _pairs("123", "\n", "123", "4", "1\n4", "0", "1\n0"),
    "0-2 and 0-2": _pairs("012", "\n", "012", "3", "0\n3", "-1", "0\n-1"),
    "A1-C3": _pairs("ABC", "", "123", "D1", "A4", "A0"),
    "a1-c3": _pairs("abc", "", "123", "d1", "a4", "a0"),
    "column A-C, row 1-3": _pairs("123", "", "ABC", "D1", "A4", "A0", turned=True),
    "column a-c, row 1-3": _pairs("123", "", "abc", "d1", "a4", "a0", turned=True),
    "column 1-3 row 1-3": _pairs("123", " ", "123", "4 1", "1 4", "0 1", "1 0", turned=True),
    "column 0-2 row 0-2": _pairs("012", " ", "012", "3 0", "0 3", "-1 0", "0 -1", turned=True),
    "column 1-3 and row 1-3": _pairs("123", "\n", "123", "4", "1\n4", "0", "1\n0", turned=True),
    "column 0-2 and row 0-2": _pairs("012", "\n", "012", "3", "0\n3", "-1", "0\n-1", turned=True),
}
"""The ways to type cells, the usual ones first. If two ways type the same, the board stands upright with only one of them."""

KNOWN_GAME = cells("465798")
"""A game in the two lower rows: a program that shows the top row wrongly is read, and charged for that."""

TAKEN = (("5", "5"), ("56", "5"), ("56", "6"))
"""Moves, and a cell that is taken behind them: by the other player, and by the player himself."""


def _nowhere(labels: Labels) -> Labels:
    """Answers that name no cell, where cells are named in words."""
    single = (("nowhere",), ("99",))
    return single if len(labels[0]) == 1 else (*single, (labels[0][0], "nowhere"))


def wrong(labels: Labels, wants: str) -> Iterator[Wrong]:
    """Cells that do not exist, for either player, and cells that are taken."""
    missing = next((kind.missing for kind in KINDS.values() if kind.labels == labels), _nowhere(labels))
    for before in ("5", "56"):
        for answers in missing:
            if allowed(answers, wants) == list(dict.fromkeys(answers)):
                # only the last answer may be asked for again: then it is that of the first cell of the known game
                finished = (*answers[:-1], labels[KNOWN_GAME[0]][-1])
                yield Wrong("missing", cells(before), answers, labels.index(finished) if len(answers) > 1 else None)
    for before, number in TAKEN:
        yield Wrong("taken", cells(before), labels[cell(number)])


RULES = Rules(
    columns=3,
    rows=3,
    length=3,
    falls=False,
    words=WORDS,
    labels={name: kind.labels for name, kind in KINDS.items()},
    fits=3,
    known_game=KNOWN_GAME,
    read=5,
    order=cells("513792468"),
    quick=cells("14253"),
    games=PLAN,
    wrong=wrong,
    departures=DEPARTURES,
    trials=(KNOWN_GAME, cells("51324"), cells("98765")),
)
