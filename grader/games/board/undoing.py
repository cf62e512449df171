"""Taking moves back: by a question after a piece, or by an answer of its own where a column is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.games.board.account import Game
from grader.games.board.asked import allowed, offered
from grader.games.board.dialogue import Reached
from grader.games.board.lines import full, made
from grader.games.board.playing import Player
from grader.games.board.position import COLUMNS, OTHER, ROWS, Spot, height
from grader.games.referee import UNREAD
from grader.reading.runs import Answers

KEYS = ("8", "0", "9", "7", "u", "U", "z", "b", "r", "-1", "undo", "UNDO", "99")

OPENING = (3, 3)
"""The first moves of both."""

OTHERS = ((0, 6), (2, 2))
"""Others."""

TURNS = (2, 4, 1, 5, 2, 4, 0, 6, 1, 5, 0, 6)
"""Moves behind them that make no line."""


class Undoing:
    """Tries how moves are taken back. ``way`` is the answer that does so, ``asks`` whether a question offers it."""

    def __init__(self, player: Player, limit: int) -> None:
        self.player = player
        self.limit = limit
        self.dialogue = player.dialogue
        self.way = ""
        self._firsts: list[Game] = []
        self.asks = False
        self.offers = False

    def explore(self) -> None:
        """Play all games in which moves are taken back."""
        for columns in (OPENING, *OTHERS):
            self._first(columns)
        self._find()
        if self.way or self.asks:  # else it shows nothing that the first moves stay
            for game in self._firsts:
                game.saw("first")
        if not self.way and not self.asks:
            return
        for owner in (0, 1):
            self._limit(owner)
        self._both()
        self._to_the_end()

    # ---- how

    def _game(self, columns: Sequence[int]) -> tuple[Game, Answers, Spot] | None:
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

    def _first(self, columns: Sequence[int]) -> None:
        """Whether the first moves of both can be taken back."""
        begun = self._game(())
        if begun is None:
            return
        game, answers, spot = begun
        for column in columns:
            back = self.dialogue.drop(answers, spot, column, back=True)
            if back.offer is not None:
                found = self.dialogue.situation(back.answers, (spot, spot.after(column)))
                if found is not None and found.position == spot.position:
                    message = (
                        f"after column {self._said(column)}, the first move of a player, the move can be taken back"
                    )
                    game.fault(
                        "undo-first", message, back.run, position=spot.position, beginner=self.player.opening.beginner
                    )
                    break
            reached = self.dialogue.drop(answers, spot, column)
            game.run = reached.run
            if reached.kind != "column" or self.dialogue.situation(
                reached.answers, (spot.after(column),)
            ) != spot.after(column):
                return
            self._firsts.append(game)
            answers, spot = reached.answers, spot.after(column)

    def _find(self) -> None:
        """How a move is taken back, from the second of each player on."""
        for column in (TURNS[0], TURNS[1]):
            begun = self._game((*OPENING, *(TURNS[:1] if column == TURNS[1] else ())))
            if begun is None:
                return
            game, answers, spot = begun
            back = self.dialogue.drop(answers, spot, column, back=True)
            if back.offer is not None:
                self.asks = self.offers = True
                continue
            if not self.asks and not self.way:
                self.way = self._key(back, spot, column)
            if not self.way:
                if back.kind in ("broke", "unknown"):
                    continue
                self._not_offered(game, back, spot, column)

    def _key(self, reached: Reached, spot: Spot, column: int) -> str:
        """The answer at the question for a column that takes the last move back; empty where there is none."""
        if reached.kind != "column":
            return ""
        wait = reached.run.last
        columns = set(self.dialogue.labels)
        for text in allowed((*offered(wait.output), *KEYS), wait.wants)[:18]:
            if text in columns:
                continue
            after = self.dialogue.settle((*reached.answers, text), spot.after(column), None, also=spot)
            if after.kind != "column":
                continue
            found = self.dialogue.situation(after.answers, (spot, spot.after(column)))
            if found is not None and found.position == spot.position:
                return text
        return ""

    def _said(self, column: int) -> str:
        return self.player.labels[column]

    def _not_offered(self, game: Game, reached: Reached, spot: Spot, column: int) -> None:
        game.saw("undoable")
        message = (
            f"after column {self._said(column)} it does not offer to take the move back, which the player may still do"
        )
        after = spot.after(column).position
        game.fault("undo-not-asked", message, reached.run, position=after, beginner=self.player.opening.beginner)

    # ---- taken back

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
        said = self._said(column)
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

    # ---- how often

    def _limit(self, owner: int) -> None:
        """Three moves of one player, two of them in one turn, and a fourth one; then the other player's first."""
        begun = self._game((*OPENING, *TURNS[:owner]))
        if begun is None:
            return
        game, answers, spot = begun
        who = spot.mover
        turns = iter(TURNS[owner:] * 2)
        for number in range(self.limit):
            column = self._next(turns, spot)
            if column is None:
                return
            game.saw("undoable")
            went = self.back(game, answers, spot, column)
            if went is None:
                if not game.faults and game.run.ending is None:
                    self._lacks(game, spot, column, number)
                return
            answers, spot = went
            pieces = 0 if number == 1 else 2  # the second and the third one are in the same turn
            while pieces or spot.mover != who:  # where the turn was lost the other player moves
                played = self._next(turns, spot)
                if played is None:
                    return
                reached = self.dialogue.drop(answers, spot, played)
                game.run = reached.run
                if reached.kind != "column" or reached.board not in (None, spot.after(played).position):
                    return
                answers, spot = reached.answers, spot.after(played)
                pieces = max(pieces - 1, 0)
        rest = [column for column in (*TURNS, 3) if self._fits(spot, column)]
        for column in rest[:3]:
            self._fourth(game, answers, spot, column)
        self._others(answers, spot, rest)

    @staticmethod
    def _fits(spot: Spot, column: int) -> bool:
        return height(spot.position, column) < ROWS and not made(spot.after(column).position, column)

    def _next(self, turns: Iterator[int], spot: Spot) -> int | None:
        """The next column that takes a piece without a line."""
        return next((column for column in turns if self._fits(spot, column)), None)

    def _lacks(self, game: Game, spot: Spot, column: int, number: int) -> None:
        taken = f" after {number} of {self.limit}" if number else ""
        message = f"after column {self._said(column)} it does not let the player take the move back{taken}, which is still allowed"
        game.fault("undo-not-asked", message, game.run, position=spot.position, beginner=self.player.opening.beginner)

    def _fourth(self, game: Game, answers: Answers, spot: Spot, column: int) -> None:
        """A fourth move of the same player must stay."""
        game.saw("used-up")
        reached = self.dialogue.drop(answers, spot, column, back=self.asks)
        if not self.asks and reached.kind == "column":
            reached = self.dialogue.settle((*reached.answers, self.way), spot.after(column), None, also=spot)
        elif reached.offer is None:
            return
        if reached.kind != "column":
            return
        found = self.dialogue.situation(reached.answers, (spot, spot.after(column)))
        if found is not None and found.position == spot.position:
            message = f"after column {self._said(column)} a fourth move of the same player is taken back"
            self.player.account.aside(
                game, "undo-fourth", message, reached.run, position=spot.position, beginner=self.player.opening.beginner
            )

    def _others(self, answers: Answers, spot: Spot, turns: Sequence[int]) -> None:
        """Who has taken back nothing yet may do so after the other has used up all."""
        reached = self.dialogue.drop(answers, spot, turns[0])
        if reached.kind != "column":
            return
        spot = spot.after(turns[0])
        other = self.player.account.begin(reached.run)
        other.saw("undoable")
        if not self._fits(spot, turns[1]):
            return
        if self.back(other, reached.answers, spot, turns[1]) is None and not other.faults and other.run.ending is None:
            self._lacks(other, spot, turns[1], 0)

    def _both(self) -> None:
        """Moves of both players taken back in turn; then the game goes on as if they had never been."""
        begun = self._game(OPENING)
        if begun is None:
            return
        game, answers, spot = begun
        for column in TURNS[:4]:
            game.saw("undoable")
            went = self.back(game, answers, spot, column)
            if went is None or went[1] != spot:
                return
            reached = self.dialogue.drop(went[0], spot, column)
            game.run = reached.run
            if reached.kind != "column" or reached.board not in (None, spot.after(column).position):
                return
            answers, spot = reached.answers, spot.after(column)

    def _to_the_end(self) -> None:
        """A win and a tie to their ends, with moves taken back: what ends too early or not at all is the undo's fault."""
        from grader.games.board.plan import plan

        tie = plan()[0][0]
        for columns, last in ((tie, None), ((3, 2, 3, 2, 3, 1), 3)):
            self._with_undos(columns, last)

    def _with_undos(self, columns: Sequence[int], last: int | None) -> None:
        begun = self._game(columns[:2])
        if begun is None:
            return
        game, answers, spot = begun
        played = (*columns[2:], *(() if last is None else (last,)))
        left = dict.fromkeys("AB", self.limit - 1)
        for number, column in enumerate(played):
            final = number == len(played) - 1
            if left[spot.mover] and not final and number % 3 != 2:
                aside = (column + 2) % COLUMNS
                if self._fits(spot, aside):
                    went = self.back(game, answers, spot, aside)
                    if went is None or went[1] != spot:
                        return
                    left[spot.mover] -= 1
                    answers = went[0]
            reached = self.dialogue.drop(answers, spot, column)
            game.run = reached.run
            after = spot.after(column)
            over = bool(made(after.position, column)) or full(after.position)
            if over:
                wrong = reached.kind == "column" and self.dialogue.situation(reached.answers, (after,)) == after
            else:
                wrong = reached.kind in ("ended", "over")
            if (
                wrong
                and reached.board in (None, after.position)
                and not self._blamed_already(after.position, column, over)
            ):
                what = "the game goes on" if over else "the game ends"
                message = f"column {self._said(column)} was played after moves were taken back, and {what}"
                game.fault(
                    "undo-board", message, reached.run, position=after.position, beginner=self.player.opening.beginner
                )
            if reached.kind != "column" or over or reached.board not in (None, after.position):
                return
            answers, spot = reached.answers, after

    def _blamed_already(self, position: str, column: int, over: bool) -> bool:
        """Whether the same end is wrong without an undo: then it is no fault of the undo."""
        kinds = {fault.kind for game in self.player.account.games for _, fault in game.faults}
        if not over:
            return bool(kinds & {"false-win", "false-tie", "ended-early"}) or any(
                not e.winner for e in self.player.account.ends
            )
        lines = made(position, column)
        return bool(kinds & ({f"missed-{name}" for name in lines} or {"missed-tie"}))
