"""One move, dropped and taken back: by a question after the piece, or by an answer of its own where a column is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from grader.games.board.dialogue import Reached
from grader.games.board.ends import Game
from grader.games.board.playing import Player
from grader.games.board.position import OTHER, Spot
from grader.games.referee import UNREAD
from grader.reading.runs import Answers


class TakeBack:
    """How moves are taken back: ``asks`` says that a question offers it, ``way`` is the answer that does it where a column is asked for."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.dialogue = player.dialogue
        self.way = ""
        self.asks = False

    def said(self, column: int) -> str:
        """How a column is typed."""
        return self.player.labels[column]

    def game(self, columns: Sequence[int]) -> tuple[Game, Answers, Spot] | None:
        """A game with these first columns, where they can be played."""
        answers, spot = self.player.start()
        game = self.player.account.begin(self.dialogue.run(answers))
        for column in columns:
            reached = self.dialogue.drop(answers, spot, column)
            game.run = reached.run
            if reached.kind != "column" or self.dialogue.situation(
                reached.answers, (spot.after(column),)
            ) != spot.after(column):
                return None
            answers, spot = reached.answers, spot.after(column)
        return game, answers, spot

    def back(self, game: Game, answers: Answers, spot: Spot, column: int) -> tuple[Answers, Spot] | None:
        """Drop a piece and take it back; the answers and the situation then, or None where it is not offered any more."""
        reached = self.dialogue.drop(answers, spot, column, back=self.asks)
        game.run = reached.run
        if self.asks and reached.offer is None:
            return None
        if not self.asks:
            if reached.kind != "column":
                return None
            reached = self.dialogue.settle((*reached.answers, self.way), spot.after(column), None, also=spot)
            game.run = reached.run
        if reached.kind == "broke":
            self.player.account.broke(game, reached.run)
            return None
        if reached.kind != "column":
            game.fault(UNREAD, "what came of taking a move back could not be read", reached.run)
            return None
        return self._ruled(game, reached, spot, column)

    def _ruled(self, game: Game, reached: Reached, spot: Spot, column: int) -> tuple[Answers, Spot] | None:
        after = spot.after(column)
        wrong_turn = Spot(spot.position, OTHER[spot.mover])
        found = self.dialogue.situation(reached.answers, (spot, after))
        said = self.said(column)
        there = {"position": spot.position, "beginner": self.player.opening.beginner}
        if found == spot:
            game.saw("undone")
            return reached.answers, spot
        if found == wrong_turn:
            game.saw("undone")
            message = f"column {said} was taken back, and the other player is asked for a column"
            game.fault("undo-turn", message, reached.run, **there)  # type: ignore[arg-type]
            return reached.answers, found
        if found is not None and found.position == after.position:
            if not self.asks and found == after:
                return None
            message = f"column {said} was taken back, and the piece is still there"
            game.saw("undone")
            game.fault("undo-board", message, reached.run, **there)  # type: ignore[arg-type]
            return reached.answers, found
        if reached.board is not None and reached.board != spot.position:
            message = f"column {said} was taken back, and the board does not show the pieces that were there before"
            game.saw("undone")
            game.fault("undo-board", message, reached.run, **there)  # type: ignore[arg-type]
        else:
            game.fault(UNREAD, "what came of taking a move back could not be read", reached.run)
        return None
