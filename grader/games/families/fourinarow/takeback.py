"""One move, dropped and taken back: by a question after the piece, or by an answer of its own where a column is asked for."""

from __future__ import annotations

from grader.games.board.dialogue import Reached
from grader.games.board.ends import Game
from grader.games.board.playing import Player
from grader.games.board.rules import OTHER, Spot
from grader.games.families.fourinarow.rules import RULES
from grader.games.referee import UNREAD
from grader.reading.runs import Answers


class TakeBack:
    """How moves are taken back: ``asks`` says that a question offers it, ``way`` is the answer that does it where a column is asked for."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.dialogue = player.dialogue
        self.way = ""
        self.asks = False

    def label(self, column: int) -> str:
        """How a column is typed."""
        return self.dialogue.labels[column][0]

    def back(self, game: Game, answers: Answers, spot: Spot, column: int) -> tuple[Answers, Spot] | None:
        """Drop a piece and take it back; the answers and the situation then, or None where it is not offered any more."""
        reached = self.dialogue.drop(answers, spot, column, back=self.asks)
        game.run = reached.run
        if self.asks and reached.offer is None:
            return None
        if not self.asks:
            if reached.kind != "column":
                return None
            reached = self.dialogue.settle((*reached.answers, self.way), RULES.after(spot, column), None, also=spot)
            game.run = reached.run
        if reached.kind == "broke":
            self.player.account.broke(game, reached.run)
            return None
        if reached.kind != "column":
            game.fault(UNREAD, "what came of taking a move back could not be read", reached.run)
            return None
        return self._ruled(game, reached, spot, column)

    def _ruled(self, game: Game, reached: Reached, spot: Spot, column: int) -> tuple[Answers, Spot] | None:
        after = RULES.after(spot, column)
        seen = self.dialogue.situation(reached.answers, (spot, after))
        if seen == after and not self.asks:
            return None
        label = self.label(column)
        kind, message = "undo-board", ""
        if seen == Spot(spot.position, OTHER[spot.mover]):
            kind, message = "undo-turn", f"column {label} was taken back, and the other player is asked for a column"
        elif seen is not None and seen.position == after.position:
            message = f"column {label} was taken back, and the piece is still there"
        elif seen != spot:
            seen = None
            if reached.board is None or reached.board == spot.position:
                game.fault(UNREAD, "what came of taking a move back could not be read", reached.run)
                return None
            message = f"column {label} was taken back, and the board does not show the pieces that were there before"
        game.saw("undone")
        if message:
            self.player.charge(game, kind, message, reached.run, spot.position)
        return None if seen is None else (reached.answers, seen)
