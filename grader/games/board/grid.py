"""The grid of a board by its rows that are alike, though pieces lie in wrong cells: for programs that show no piece where it should fall."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from grader.games.board.layout import Grid, Layout
from grader.games.board.rules import Rules
from grader.values import dataclass

UNLIKE = 2
"""Maximum pieces in one row of the texts that are compared, which are behind two moves; a heading differs at more places."""

LINES = (1, 2, 3, 4)
"""Numbers of lines that a row may take: most programs draw rows below each other, or with a rule between them."""

WIDEST = 8
"""Maximum width of a cell: ``|   X   `` is the widest that was seen."""

_NUMBER = str.maketrans("0123456789", "#" * 10)
"""Rows are alike though each begins with its number."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a board in a text, from above: the row that most of them are, with its numbers as ``#``, and the lines that each takes.

    ``lines`` are all lines of the board: cells of several lines may show a piece in any of them.
    """

    usual: str
    step: int
    rows: tuple[str, ...]
    lines: tuple[str, ...] = ()

    def pieces(self) -> Iterator[tuple[int, int, str]]:
        """The row, the place in it and the sign of all that differs from the usual row."""
        for number, row in enumerate(self.rows):
            masked = row.translate(_NUMBER)
            yield from ((number, n, sign) for n, sign in enumerate(row) if self.usual[n] not in (sign, masked[n]))


def boards(rules: Rules, text: Grid) -> Iterator[Rows]:
    """All places of a text with as many lines as the board has rows, at equal distances, where two thirds of them are alike."""
    for step in LINES:
        for at in range(len(text) - (rules.rows - 1) * step - 1, -1, -1):
            rows = tuple(text[at : at + (rules.rows - 1) * step + 1 : step])
            # Where cells are digits as well, only the rows themselves are alike: with all numbers as `#` no piece is seen.
            for alike in (rows, tuple(row.translate(_NUMBER) for row in rows)):
                usual, number = Counter(alike).most_common(1)[0]
                few = all(_like(row, usual) for row in alike)
                if 3 * number >= 2 * rules.rows and len(usual) >= rules.columns and few:
                    yield Rows(usual, step, rows, tuple(text[at : at + rules.rows * step]))
                    break


def _like(row: str, usual: str) -> bool:
    """Whether a row differs from the others by a few pieces; a heading of column numbers may be as long."""
    pairs = zip(row, usual, strict=False)
    return len(row) == len(usual) and sum(one != two for one, two in pairs) <= UNLIKE


def grid(rules: Rules, first: Sequence[Grid], second: Sequence[Grid]) -> Layout | None:
    """The layout of a board whose texts are shown behind one piece, and behind two; None if no rows are alike."""
    groups = [{(one.usual, one.step): one for one in boards(rules, text)} for text in (*first, *second)]
    kinds = Counter(kind for some in groups for kind in some)
    for (usual, step), number in sorted(kinds.items(), key=lambda kind: (-kind[1], kind[0][1])):
        if number < len(groups) - UNLIKE:
            continue
        blocks = [some[usual, step] for some in groups if (usual, step) in some]
        ink = {n for one in blocks for _, n, _ in one.pieces()}
        places = _places(usual, ink, rules.columns)
        before = [some[usual, step] for some in groups[: len(first)] if (usual, step) in some]
        result = (
            _layout(rules, blocks, places, Counter(sign for one in before for *_, sign in one.pieces()))
            if places
            else None
        )
        if result is not None:
            return result
    return None


def _places(usual: str, ink: set[int], columns: int) -> list[int]:
    """The places of the cells of a row, at equal distances: all pieces lie in them, and no further cell stands beside them."""
    for width in range(1, WIDEST + 1) if ink else ():
        for first in range(min(ink) % width, min(ink) + 1, width):
            places = [first + n * width for n in range(columns)]
            if places[-1] >= len(usual) or len({usual[n] for n in places}) > 1 or not ink <= set(places):
                continue
            beside = [n for n in (first - width, places[-1] + width) if 0 <= n < len(usual)]
            if all(usual[n] != usual[first] for n in beside):
                return places
    return []


def _layout(rules: Rules, blocks: Sequence[Rows], places: Sequence[int], first: Counter[str]) -> Layout | None:
    """The layout with these places in each row; ``first`` are the signs of the first pieces."""
    signs = {sign for one in blocks for *_, sign in one.pieces()}
    if not first or len(signs) > len("AB"):  # more signs than those of two players are no pieces
        return None
    mark = first.most_common(1)[0][0]
    marks = {sign: "AB"[sign != mark] for sign in (mark, *sorted(signs - {mark}))}
    usual, step = blocks[0].usual, blocks[0].step
    cells = [(rules.rows - 1 - row, places[column]) for column in range(rules.columns) for row in range(rules.rows)]
    fillings = [Counter(one.rows[row][n] for one in blocks if one.rows[row][n] not in marks) for row, n in cells]
    empties = tuple(some.most_common(1)[0][0] if some else usual[places[0]] for some in fillings)
    framed = any(sign != " " for n, sign in enumerate(usual) if n not in places)
    cell = "([^\n])" if framed else "([" + re.escape("".join({*marks, *empties})) + "])"
    literal = {"#": r"\d"}
    row = "".join(cell if n in places else literal.get(sign, re.escape(sign)) for n, sign in enumerate(usual))
    between = "\n" + "[^\n]*\n" * (step - 1)
    order = tuple(row * rules.columns + places.index(n) for row, n in cells)
    pattern = re.compile("(?m)^" + between.join([row] * rules.rows) + "$")
    return Layout(pattern, order, marks, empties, (0, places[1] - places[0]), (step, 0), rules.rows)
