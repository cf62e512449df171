"""What is true of the games that every program is played."""

from __future__ import annotations

from grader.games.board.lines import LINES, made
from grader.games.board.plan import plan
from grader.games.board.position import COLUMNS, OTHER, ROWS, START, dropped, height


def _played():
    """For each line that is completed aside: its direction, cells, and who completes it; and what is made in the games themselves."""
    aside, within, full = [], [], 0
    for columns, wins in plan():
        position, mover = START, "A"
        for pieces, column in enumerate((*columns, None)):
            for other in wins.get(pieces, ()):
                after = dropped(position, other, mover)
                cells = [line for line in LINES if all(after[cell] == mover for cell in line[1])]
                aside.append((tuple(cells), mover))
            if column is not None:
                assert height(position, column) < ROWS
                position = dropped(position, column, mover)
                within += made(position, column)
                mover = OTHER[mover]
        full += "." not in position
    return aside, within, full


def test_each_line_is_completed_once_by_each_player_and_alone() -> None:
    """69 lines and two players."""
    aside, _, _ = _played()
    assert all(len(cells) == 1 for cells, _ in aside)
    assert {(cells[0], player) for cells, player in aside} == {(line, player) for line in LINES for player in "AB"}
    assert len(aside) == 2 * len(LINES) == 138


def test_nobody_wins_the_games_themselves() -> None:
    """So that each can be played to its end."""
    _, within, full = _played()
    assert not within
    assert full == 17


def test_there_are_69_lines() -> None:
    """24 across, 21 upwards, 12 on each slant."""
    names = [name for name, _ in LINES]
    assert [names.count(name) for name in ("across", "upwards", "rising", "falling")] == [24, 21, 12, 12]
    assert all(0 <= cell < COLUMNS * ROWS for _, cells in LINES for cell in cells)
