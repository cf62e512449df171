"""The rules of four in a row: two players drop pieces into seven columns of six; four in a line win."""

from __future__ import annotations

from collections.abc import Iterator

from grader.games.board.rules import Labels, Rules, Wrong, single
from grader.games.families.fourinarow.faults import DEPARTURES, WORDS
from grader.games.families.fourinarow.plan import PLAN
from grader.games.learn.questions import allowed

COLUMNS, ROWS = 7, 6


def missing(labels: Labels, wants: str) -> list[str]:
    """Answers that name no column, and can be typed at a question for one."""
    first, last = labels[0][0], labels[-1][0]
    if first == "1":
        texts = ["8", "0", "9", "-1", "100"]
    elif first == "0":
        texts = ["7", "-1", "9", "8", "100"]
    elif len(last) > 1:
        texts = ["nowhere", "99", "0"]
    else:
        texts = [chr(ord(last) + 1), "z" if first.islower() else "Z", "9", "0"]
    return [text for text in allowed(texts, wants) if text in texts]


def wrong(labels: Labels, wants: str) -> Iterator[Wrong]:
    """Columns that do not exist, and one that is full, for either player."""
    for owner in (0, 1):
        for text in missing(labels, wants):
            yield Wrong("missing", (3, 3, 2, 4)[: 2 + owner], (text,))
        full = 4 * owner
        before = (*(full,) * ROWS, *((1,) if owner else ()))
        yield Wrong("full", before, labels[full])


RULES = Rules(
    columns=COLUMNS,
    rows=ROWS,
    length=4,
    falls=True,
    words=WORDS,
    labels={"1-7": single("1234567"), "0-6": single("0123456"), "A-G": single("ABCDEFG"), "a-g": single("abcdefg")},
    fits=5,  # a program that refuses one column, or confuses two, can still be read
    known_game=(2, 4, 0, 6, 5, 1, 2, 4),
    read=7,
    order=(4, 2, 3, 1, 5, 0, 6),
    quick=(3, 2, 3, 2, 3, 2, 3),
    games=PLAN,
    wrong=wrong,
    departures=DEPARTURES,
    trials=((2, 4, 0, 6, 5, 1, 2, 4), (3, 3, 2, 3, 2, 4), (5, 5, 5, 1, 1, 5, 5)),
)
