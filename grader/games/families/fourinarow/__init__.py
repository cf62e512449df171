"""Four in a row, as a row of the table of families: two players drop pieces, take moves back, and lose by wrong columns."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType

from grader.games.board import BoardMethod
from grader.games.board.playing import Player
from grader.games.families.fourinarow.faults import TABLES
from grader.games.families.fourinarow.rules import RULES
from grader.games.families.fourinarow.undoing import Undoing
from grader.games.families.fourinarow.variant import other_line, variant
from grader.games.families.fourinarow.violating import Violating
from grader.results import Lesson
from grader.spec.game import Board


def method(game: Board, _reference: ModuleType) -> BoardMethod:
    """The way to explore programs of this game, as a spec sets it."""

    def aside(player: Player) -> Iterable[Lesson]:
        undoing = Undoing(player, game.undos)
        undoing.explore()
        undoing.heed(player.dialogue.corrections)
        Violating(player, (undoing.taking.way,), game.violations, undoing.taking.both).explore()
        return undoing.lessons()

    return BoardMethod(RULES, TABLES, aside, variant, other_line, game.random_start)
