"""Exploring programs that play on a board that fills."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import ModuleType

from grader.games.board.corrections import ROWS, Corrections
from grader.games.board.ends import Account
from grader.games.board.faults import OCCASIONS, OCCASIONS_OF
from grader.games.board.idle import idle
from grader.games.board.lessons import learned, refused, unread
from grader.games.board.opening import UnreadError, opened
from grader.games.board.plan import plan
from grader.games.board.playing import Player
from grader.games.board.position import drawn
from grader.games.board.result import ruled
from grader.games.board.starting import started
from grader.games.board.undoing import Undoing
from grader.games.board.variant import variant
from grader.games.board.violating import Violating
from grader.games.learn.table import settings
from grader.games.referee import Tables, tables
from grader.games.study import Study
from grader.reading.runs import Runs
from grader.spec.game import Board
from grader.values import dataclass


@dataclass(frozen=True)
class BoardMethod:
    """How programs are followed that play on a board that fills."""

    game: Board
    reference: ModuleType

    @property
    def tables(self) -> Tables:
        """The kinds of faults that it finds, and the occasions for each."""
        return tables(OCCASIONS, OCCASIONS_OF)

    def explore(self, runs: Runs, corrections: Mapping[str, str]) -> Study:
        """Play a program and rule on it."""
        given = settings(Corrections, ROWS, corrections)
        try:
            opening = opened(runs, given)
        except UnreadError as error:
            silent = idle(runs)
            return Study((), unread(runs, given), str(error)) if silent is None else Study(silent.followed())
        other = variant(opening)
        if other:
            return Study((), refused(opening), f"it plays another game than four in a row: {other}")
        account = Account(partial(drawn, labels=opening.dialogue.labels))
        player = Player(opening, account)
        player.hangs()
        for columns, aside in plan():
            player.play(columns, aside)
        undoing = Undoing(player, self.game.undos)
        undoing.explore()
        undoing.heed(given)
        Violating(player, (undoing.taking.way,), self.game.violations).explore()
        told = ruled(account, opening)
        if self.game.random_start:
            started(opening, account, told)
        return Study(account.followed(), learned(opening, undoing, told))
