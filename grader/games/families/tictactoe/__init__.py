"""Tic-tac-toe, as a row of the table of families: two players at one terminal."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType

from grader.games.board import BoardMethod
from grader.games.board.playing import Player
from grader.games.board.refusing import Refusing
from grader.games.families.tictactoe.faults import TABLES
from grader.games.families.tictactoe.rules import RULES
from grader.results import Lesson
from grader.spec.game import TicTacToe


def method(_game: TicTacToe, _reference: ModuleType) -> BoardMethod:
    """The way to explore programs of this game."""

    def aside(player: Player) -> Iterable[Lesson]:
        Refusing(player).explore()
        return ()

    return BoardMethod(RULES, TABLES, aside)
