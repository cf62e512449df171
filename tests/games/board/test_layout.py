"""Boards found in texts by what changes in them."""

from __future__ import annotations

import pytest

from grader.games.board.layout import Futures, families, layout
from grader.games.families.fourinarow.rules import COLUMNS, ROWS, RULES
from grader.games.hear.picture import Picture


def _bars(position: str, signs: dict[str, str]) -> str:
    rows = [[signs[position[c * ROWS + r]] for c in range(COLUMNS)] for r in reversed(range(ROWS))]
    return "\n".join(f"|{'|'.join(row)}|" for row in rows) + "\n 1 2 3 4 5 6 7"


def _plain(position: str, signs: dict[str, str]) -> str:
    rows = [[signs[position[c * ROWS + r]] for c in range(COLUMNS)] for r in reversed(range(ROWS))]
    return "\n".join("  " + "".join(row) for row in rows) + "\n  1234567"


def _turned(position: str, signs: dict[str, str]) -> str:
    return "\n".join(
        f"{c + 1}> {' '.join(signs[s] for s in position[c * ROWS : c * ROWS + ROWS])} <" for c in range(COLUMNS)
    )


def _wide(position: str, signs: dict[str, str]) -> str:
    rows = [[f"  {signs[position[c * ROWS + r]]}  " for c in range(COLUMNS)] for r in reversed(range(ROWS))]
    edge = "+" + "-----+" * COLUMNS
    blank = "|" + "     |" * COLUMNS
    return "\n".join(f"{edge}\n{blank}\n|{'|'.join(row)}|\n{blank}" for row in rows) + f"\n{edge}"


DOTS = {".": ".", "A": "X", "B": "O"}
BLANKS = {".": " ", "A": "1", "B": "2"}


def _learned(draw, signs):
    def text(position: str, asked: str) -> list[str]:
        return f"{draw(position, signs)}\nPlayer {asked}, column? ".split("\n")

    first = [text(RULES.dropped(RULES.start, column, "A"), "two") for column in range(COLUMNS)]
    second = [
        text(RULES.dropped(RULES.dropped(RULES.start, column, "A"), column, "B"), "one") for column in range(COLUMNS)
    ]
    return layout(Futures(RULES, first, second))


@pytest.mark.parametrize("signs", [DOTS, BLANKS])
@pytest.mark.parametrize("draw", [_bars, _plain, _turned, _wide])
def test_a_board_is_found_in_any_drawing(draw, signs) -> None:
    """With bars, without a frame, with its columns as lines, and with several lines for each cell."""
    found = _learned(draw, signs)
    assert found is not None
    position = RULES.start
    for column, player in ((3, "A"), (3, "B"), (0, "A"), (6, "B"), (6, "A"), (2, "B")):
        position = RULES.dropped(position, column, player)
    text = "\n".join(line.rstrip() for line in f"You moved.\n{draw(position, signs)}\nNext: ".split("\n"))
    assert found.boards(text) == (position,)


def test_a_board_whose_pieces_hang_is_known() -> None:
    """The first piece lies in the highest row."""

    def upside_down(position: str, signs: dict[str, str]) -> str:
        *rows, numbers = _bars(position, signs).split("\n")
        return "\n".join([*reversed(rows), numbers])

    found = _learned(upside_down, DOTS)
    assert found is not None
    assert found.hangs
    standing = _learned(_bars, DOTS)
    assert standing is not None
    assert not standing.hangs


def test_an_echo_is_no_board() -> None:
    """Where all seven differ at one place they show what was typed."""
    assert not families([[f"You typed {n}.", "Again: "] for n in range(1, 8)], RULES.fits)


def test_one_column_may_show_nothing() -> None:
    """A program that refuses one column can still be read."""
    first = [_bars(RULES.dropped(RULES.start, column, "A"), DOTS).split("\n") for column in range(COLUMNS)]
    first[6] = ["No such column.", ""]
    assert families(first, RULES.fits)[0].fits == COLUMNS - 1


def _tabs(position: str, signs: dict[str, str]) -> str:
    rows = [[signs[position[c * ROWS + r]] for c in range(COLUMNS)] for r in reversed(range(ROWS))]
    return "\n".join("\t" + "\t".join(row) for row in rows) + "\n\t1\t2\t3\t4\t5\t6\t7"


@pytest.mark.parametrize("draw", [_bars, _turned, _tabs])
def test_marks_may_have_several_signs(draw) -> None:
    """A row in which no piece was seen yet may hold one; more ink of the first piece is not the second one."""
    signs = {".": "..", "A": "RD", "B": "YL"}

    def text(position: str) -> list[str]:
        return Picture().lines(f"{draw(position, signs)}\nColumn? ")

    first = [text(RULES.dropped(RULES.start, column, "A")) for column in range(COLUMNS)]
    second = [text(RULES.dropped(RULES.dropped(RULES.start, column, "A"), column, "B")) for column in range(COLUMNS)]
    found = layout(Futures(RULES, first, second))
    assert found is not None
    position = RULES.start
    for column, player in ((3, "A"), (3, "B"), (3, "A"), (3, "B"), (6, "A")):
        position = RULES.dropped(position, column, player)
    assert found.boards("\n".join(text(position))) == (position,)


def test_a_question_below_a_board_is_no_frame() -> None:
    """Another question may follow the next board, as after an undo."""
    first = [[*_plain(RULES.dropped(RULES.start, c, "A"), DOTS).split("\n")[:-1], "Undo?"] for c in range(COLUMNS)]
    second = [
        [*_plain(RULES.dropped(RULES.dropped(RULES.start, c, "A"), c, "B"), DOTS).split("\n")[:-1], "Undo?"]
        for c in range(COLUMNS)
    ]
    found = layout(Futures(RULES, first, second, prompts={"Undo?"}))
    assert found is not None
    position = RULES.dropped(RULES.start, 2, "A")
    board = "\n".join(_plain(position, DOTS).split("\n")[:-1])
    assert found.boards(f"{board}\nYour column: ") == (position,)


@pytest.mark.parametrize(
    "surround",
    [
        lambda rows, left: [f"{rows[0]}  undos: {left}", *rows[1:]],
        lambda rows, left: [*rows[:2], f"{rows[2]}   {left} - {left} are left", *rows[3:]],
        lambda rows, left: [f"Undos left: {left}", *rows],
        lambda rows, left: [*rows, f"({left} undos are left)"],
    ],
)
def test_a_number_beside_a_board_may_become_another(surround) -> None:
    """A count of undos is the same behind all first pieces, and less behind an undo."""

    def draw(left: int):
        return lambda position, signs: "\n".join(surround(_plain(position, signs).split("\n")[:ROWS], left))

    found = _learned(draw(3), DOTS)
    assert found is not None
    position = RULES.dropped(RULES.start, 3, "A")
    for left in (3, 2, 10):
        assert found.boards(f"Taken back.\n{draw(left)(position, DOTS)}\nNext: ") == (position,)


def test_a_list_of_the_moves_beside_a_board_may_grow() -> None:
    """One of two moves reaches two rows, and later one stands beside each."""

    def draw(moves: int):
        def drawn(position: str, signs: dict[str, str]) -> str:
            rows = _bars(position, signs).split("\n")[:ROWS]
            made = moves or sum(sign != "." for sign in position)
            listed = [f"  {made - row}. {position.count('A')}{position.index('A') // ROWS}" for row in range(made)]
            return "\n".join(row + entry for row, entry in zip(rows, [*listed, *[""] * ROWS], strict=False))

        return drawn

    found = _learned(draw(0), DOTS)
    assert found is not None
    position = RULES.dropped(RULES.start, 3, "A")
    assert found.boards(f"\n{draw(6)(position, DOTS)}\nNext: ") == (position,)
