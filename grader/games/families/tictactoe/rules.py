"""The rules of tic-tac-toe: two players put marks into nine cells in turn; three in a line win, and a full board is a tie."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from grader.games.board.rules import Labels, Rules, Wrong
from grader.games.families.tictactoe.faults import WORDS
from grader.games.families.tictactoe.plan import cell, cells, plan
from grader.games.learn.questions import allowed
from grader.reading.runs import Answers


class Kind(NamedTuple):
    """A way to type cells: the answers for a row and a column, both from 0 and rows from the top, and answers for no cell."""

    answers: Callable[[int, int], Answers]
    missing: tuple[Answers, ...]


def _number(first: int, *, from_below: bool = False) -> Callable[[int, int], Answers]:
    """One number for each cell, row by row."""
    return lambda row, column: (str(first + 3 * (2 - row if from_below else row) + column),)


def _pair(names: str, form: str = "{}{}", *, turned: bool = False) -> Callable[[int, int], Answers]:
    """A name for the row and one for the column, in one line; a blank in ``form`` that is a tab makes two answers of them."""

    def answers(row: int, column: int) -> Answers:
        first, second = (column, row) if turned else (row, column)
        return tuple(form.format(names[first], names[3 + second]).split("\t"))

    return answers


_OUTSIDE_1 = (("10",), ("0",), ("-1",), ("99",))
_FROM_1, _FROM_0 = (("4 1",), ("1 4",), ("0 1",), ("1 0",)), (("3 0",), ("0 3",), ("-1 0",), ("0 -1",))

KINDS = {
    "1-9": Kind(_number(1), _OUTSIDE_1),
    "0-8": Kind(_number(0), (("9",), ("-1",), ("10",), ("99",))),
    "7-9, 4-6, 1-3": Kind(_number(1, from_below=True), _OUTSIDE_1),
    "1-3 1-3": Kind(_pair("123123", "{} {}"), _FROM_1),
    "0-2 0-2": Kind(_pair("012012", "{} {}"), _FROM_0),
    "1-3,1-3": Kind(_pair("123123", "{},{}"), (("4,1",), ("1,4",), ("0,1",), ("1,0",))),
    "0-2,0-2": Kind(_pair("012012", "{},{}"), (("3,0",), ("0,3",), ("-1,0",), ("0,-1",))),
    "1-3 and 1-3": Kind(_pair("123123", "{}\t{}"), (("4",), ("1", "4"), ("0",), ("1", "0"))),
    "0-2 and 0-2": Kind(_pair("012012", "{}\t{}"), (("3",), ("0", "3"), ("-1",), ("0", "-1"))),
    "A1-C3": Kind(_pair("ABC123"), (("D1",), ("A4",), ("A0",))),
    "a1-c3": Kind(_pair("abc123"), (("d1",), ("a4",), ("a0",))),
    "column A-C, row 1-3": Kind(_pair("ABC123", turned=True), (("D1",), ("A4",), ("A0",))),
    "column a-c, row 1-3": Kind(_pair("abc123", turned=True), (("d1",), ("a4",), ("a0",))),
    "column 1-3 row 1-3": Kind(_pair("123123", "{} {}", turned=True), _FROM_1),
    "column 0-2 row 0-2": Kind(_pair("012012", "{} {}", turned=True), _FROM_0),
    "column 1-3 and row 1-3": Kind(_pair("123123", "{}\t{}", turned=True), (("4",), ("1", "4"), ("0",), ("1", "0"))),
    "column 0-2 and row 0-2": Kind(_pair("012012", "{}\t{}", turned=True), (("3",), ("0", "3"), ("-1",), ("0", "-1"))),
}
"""The ways to type cells, the usual ones first. A layout shows which of two ways it is that type the same: it must stand upright."""

LABELS: dict[str, Labels] = {
    name: tuple(kind.answers(2 - row, column) for column in range(3) for row in range(3))
    for name, kind in KINDS.items()
}

TAKEN = (("5", "5"), ("56", "5"), ("56", "6"))
"""Moves, and a cell that is taken behind them: by the other player, and by the player himself."""


def wrong(labels: Labels, wants: str) -> Iterator[Wrong]:
    """Cells that do not exist, for either player, and cells that are taken."""
    name = next((name for name, known in LABELS.items() if known == labels), "")
    missing = KINDS[name].missing if name else ()
    for before in ("5", "56"):
        for typed in missing:
            if allowed(typed, wants) == list(dict.fromkeys(typed)):
                finished = cell(1) if len(typed) > 1 else None  # only the last answer may be asked for again
                yield Wrong("missing", cells(before), typed, finished)
    for before, number in TAKEN:
        yield Wrong("taken", cells(before), labels[cell(int(number))])


RULES = Rules(
    columns=3,
    rows=3,
    length=3,
    falls=False,
    words=WORDS,
    labels=LABELS,
    fits=3,
    known_game=cells(
        "465798"
    ),  # the two lower rows: a program that shows the top row wrongly is read, and charged for that
    read=5,
    order=cells("513792468"),
    quick=cells("14253"),
    games=plan(),
    wrong=wrong,
)
