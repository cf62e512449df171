"""The games of tic-tac-toe that every program is played, with cells by their numbers 1 to 9, row by row from the top.

Nobody wins the games themselves. Aside of them, in forks, each player completes each line alone, and each slant twice. All but the
last game are ties. In that one the ninth move wins by two lines at once: who misses one direction is not charged for the tie as well.
They were found once, by a search; ``tests/games/board/test_tictactoe.py`` says what is true of them.
"""

from __future__ import annotations

from grader.games.board.rules import planned

_GAMES = """
421567893 4:7 5:8 7:3
569371482 4:1 6:8 7:2
514326789 4:6 6:8 7:9
253681479 4:1 5:4 7:9
983176254 4:6 6:5
674589321 5:3 7:1
513287964 4:7 7:4
165739428 4:9 7:8
52831674 8:9
"""


def cell(number: str) -> int:
    """The cell with this number: on a board cells are counted column by column from the lowest row."""
    row, column = divmod(int(number) - 1, 3)
    return 3 * column + 2 - row


def cells(numbers: str) -> tuple[int, ...]:
    """The cells with these numbers."""
    return tuple(map(cell, numbers))


PLAN = planned(_GAMES, cell)
