"""Games in which moves are taken back: as often as is allowed and once more, by both players, and to the ends of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.games.board.dialogue import Reached
from grader.games.board.ends import STOPPING, Game
from grader.games.board.playing import Player
from grader.games.board.rules import OTHER, Spot, full
from grader.games.families.fourinarow.rules import COLUMNS
from grader.games.hear.runs import Answers
from grader.games.referee import UNREAD

OPENING = (3, 3)
"""The first moves of both."""

TURNS = (2, 4, 1, 5, 2, 4, 0, 6, 1, 5, 0, 6)
"""Moves behind them that make no line."""


class UndoGames:
    """Games in which moves are taken back, once it is known how; each player may do that ``limit`` times.

    ``asks`` says that a question offers it, ``way`` is the answer that does it where a column is asked for. ``works`` says that
    something came of it: the piece was gone, or the same player moved again. ``opening`` and ``turns`` are moves into columns that take pieces.
    """

    def __init__(self, player: Player, limit: int) -> None:
        self.player = player
        self.limit = limit
        self.rules = player.rules
        self.dialogue = player.dialogue
        self.way = ""
        self.asks = False
        self.works = False
        taken = [column for column in (*OPENING, *TURNS) if self.rules.lands(self.rules.start, column) is not None]
        self.opening = taken[0], taken[0]
        self.turns = [column for column in taken if column != taken[0]]
        self._offered: set[int] = set()
        self.both: tuple[Answers, Spot] | None = None
        """A game in which each player has taken back two moves, where all of them went well."""

    def tried(self, answers: Answers, spot: Spot, column: int) -> tuple[Reached, bool]:
        """The result of dropping a piece and taking it back, and whether that is offered, as far as it is known how."""
        reached = self.dialogue.drop(answers, spot, column, back=True)
        if reached.offer is not None or not self.way or reached.kind != "column":
            return reached, reached.offer is not None
        return self.typed(reached.answers, spot, column, self.way), True

    def typed(self, answers: Answers, spot: Spot, column: int, text: str) -> Reached:
        """The result of an answer that may take back the piece of this column, when the next one is asked for."""
        return self.dialogue.settle((*answers, text), self.rules.after(spot, column), None, also=spot)

    def back(self, game: Game, answers: Answers, spot: Spot, column: int) -> tuple[Answers, Spot] | None:
        """Drop a piece and take it back; the answers and the situation then, or None if it is not offered any more."""
        reached, is_offered = self.tried(answers, spot, column)
        game.run = reached.run
        if not is_offered:
            return None
        if reached.kind == "broke":
            self.player.account.broke(game, reached.run, "undo-board")
            return None
        if reached.kind != "column":
            game.fault(UNREAD, "we could not read what happened after a move was taken back", reached.run)
            return None
        return self._rule(game, reached, spot, column)

    def _rule(self, game: Game, reached: Reached, spot: Spot, column: int) -> tuple[Answers, Spot] | None:
        after = self.rules.after(spot, column)
        now = self.dialogue.situation(reached.answers, (spot, after))
        if now == after and not self.asks:
            return None
        self._offered.add(column)
        label = self.dialogue.label(column)
        kind, message = "undo-board", ""
        if now == Spot(spot.position, OTHER[spot.mover]):
            kind, message = (
                "undo-turn",
                f"column {label} was taken back, but the program asks the other player for a column",
            )
        elif now is not None and now.position == after.position:
            message = f"column {label} was taken back, but the piece is still there"
        elif now != spot:
            now = None
            board = self._behind(reached)
            # Two cells of a program were one: the piece that an undo took from both was charged beside the board.
            ruined = "wrong-board" in self.player.account.kinds()
            if board is None or board == spot.position or ruined:
                game.fault(UNREAD, "we could not read what happened after a move was taken back", reached.run)
                return None
            message = f"column {label} was taken back, but the board does not show the pieces that were there before"
        game.saw("undone")
        if message:
            self.player.charge(game, kind, message, reached.run, spot.position)
        if now is None or now == after:
            return None
        self.works = True
        return reached.answers, now

    def _behind(self, reached: Reached) -> str | None:
        """The last board that is shown behind the undo. One above it still has the piece, and did not come of it."""
        if reached.offer is None:
            return reached.board
        waits = reached.run.waits[len(reached.offer) + 1 :]
        return next((board for wait in reversed(waits) for board in self.dialogue.boards(wait)[-1:]), None)

    def play(self) -> None:
        """Play them all."""
        for owner in (0, 1):
            self._limit(owner)
        self._both()
        for columns in (self.rules.games[0][0], (3, 2, 3, 2, 3, 1, 3)):  # a tie, and a win
            self._to_the_end(columns)
        self._rest()

    def _limit(self, owner: int) -> None:
        """Three moves of one player, two of them in one turn, and a fourth one; then the other player's first."""
        start = self.player.begun((*self.opening, *self.turns[:owner]))
        if start is None:
            return
        game, answers, spot = start
        who = spot.mover
        turns = iter(self.turns[owner:] * 2)
        for number in range(self.limit):
            column = next((one for one in turns if self.rules.quiet(spot, one)), None)
            if column is None:
                return
            game.saw("undoable")
            went = self.back(game, answers, spot, column)
            if went is None:
                self._lacks(game, spot, column, number)
            else:
                # the second and the third one are in the same turn; where the turn was lost the other player moves
                went = self.player.until(game, *went, who, turns, 0 if number == 1 else 2)
            if went is None:
                # Where no undo is carried out, since none is offered or it breaks the program, none of its rules was seen, and none
                # is earned. One that leaves the piece, or comes behind some pieces alone, is charged: a limit that it hides costs nothing.
                if self.works or number or any(fault.kind != "undo-not-asked" for _, fault in game.faults):
                    game.faults[-1:] = [(turn, replace(fault, stops=True)) for turn, fault in game.faults[-1:]]
                return
            answers, spot = went
        rest = [column for column in (*self.turns, 3) if self.rules.quiet(spot, column)]
        for column in rest[:3]:
            self._fourth(game, answers, spot, column)
        self._others(answers, spot, rest)

    def _lacks(self, game: Game, spot: Spot, column: int, number: int) -> None:
        """Note that a move cannot be taken back, where nothing else is wrong with the game."""
        if game.faults or game.run.ending is not None:
            return
        if self.dialogue.situation(game.run.answers, (spot, self.rules.after(spot, column))) == spot:
            return  # the program refused the piece, which is charged where it is played
        addition = f" after {number} of {self.limit}" if number else ""
        message = f"after column {self.dialogue.label(column)} it does not let the player take the move back{addition}, which is still allowed"
        self.player.charge(game, "undo-not-asked", message, game.run, spot.position)

    def _fourth(self, game: Game, answers: Answers, spot: Spot, column: int) -> None:
        """A fourth move of the same player must stay."""
        game.saw("used-up")
        reached, is_offered = self.tried(answers, spot, column)
        if not is_offered or reached.kind != "column":
            return
        now = self.dialogue.situation(reached.answers, (spot, self.rules.after(spot, column)))
        if now is not None and now.position == spot.position:
            message = f"after column {self.dialogue.label(column)} a fourth move of the same player is taken back"
            aside = self.player.account.begin(reached.run, game.seed)
            self.player.charge(aside, "undo-fourth", message, reached.run, spot.position)

    def _others(self, answers: Answers, spot: Spot, turns: Sequence[int]) -> None:
        """A player who has taken back nothing yet may do so after the other has used up all."""
        reached = self.dialogue.drop(answers, spot, turns[0])
        # Where a turn is not passed on, it is still the player who has used up all.
        if reached.kind != "column" or self.rules.after(spot, turns[0]).mover == spot.mover:
            return
        spot = self.rules.after(spot, turns[0])
        other = self.player.account.begin(reached.run)
        # One that gave back the piece and not the cell let the next piece float, and the board behind the next undo was blamed.
        if reached.board not in (None, spot.position) and self.player.account.kinds().isdisjoint(STOPPING):
            label = self.dialogue.label(turns[0])
            message = f"column {label} was played after moves were taken back, but the board does not show that"
            self.player.charge(other, "undo-board", message, reached.run, spot.position)
            return
        other.saw("undoable")
        if self.rules.quiet(spot, turns[1]) and self.back(other, reached.answers, spot, turns[1]) is None:
            self._lacks(other, spot, turns[1], 0)

    def _both(self) -> None:
        """Moves of both players taken back in turn; then the game goes on as if they had never been."""
        start = self.player.begun(self.opening)
        if start is None:
            return
        game, answers, spot = start
        for column in self.turns[:4]:
            game.saw("undoable")
            went = self.back(game, answers, spot, column)
            if went is None or went[1] != spot:
                return
            went = self.player.step(game, went[0], spot, column)
            if went is None:
                return
            answers, spot = went
        self.both = answers, spot

    def _rest(self) -> None:
        """Each column that no other game took back. A program that lost one row of a table offers no undo behind one column alone."""
        start = (
            self.player.begun(self.opening)
            if self.works and "undo-not-asked" not in self.player.account.kinds()
            else None
        )
        if start is None:
            return
        _, answers, spot = start
        for column in set(range(COLUMNS)) - self._offered:
            game = self.player.account.begin(self.dialogue.run(answers))
            went = self.player.step(game, answers, spot, column)
            # a column that the program refuses, or takes for another one, is charged where it is played
            if went is None or self.dialogue.situation(went[0], (went[1],)) != went[1]:
                continue
            game.saw("undoable")
            if self.back(game, answers, spot, column) is None:
                self._lacks(game, spot, column, 0)

    def _to_the_end(self, columns: Sequence[int]) -> None:
        """A game to its end, with moves taken back: where it ends too early or not at all the undo has done it."""
        start = self.player.begun(columns[:2])
        if start is None:
            return
        game, answers, spot = start
        rest = dict.fromkeys("AB", self.limit - 1)
        for number, column in enumerate(columns[2:]):
            final = number == len(columns) - 3
            if rest[spot.mover] and not final and number % 3 != 2:
                aside = (column + 2) % COLUMNS
                if self.rules.quiet(spot, aside):
                    went = self.back(game, answers, spot, aside)
                    if went is None or went[1] != spot:
                        return
                    rest[spot.mover] -= 1
                    answers = went[0]
            reached = self.dialogue.drop(answers, spot, column)
            game.run = reached.run
            after = self.rules.after(spot, column)
            over = bool(self.rules.made(after.position, column)) or full(after.position)
            if over:
                wrong = reached.kind == "column" and self._goes_on(reached, after)
            else:
                wrong = reached.kind in ("ended", "over")
            if (
                wrong
                # A program that looks for lines beside its board saw other lines as the number of undos changed:
                # it paid for the undo as well.
                and not self._misjudges_lines()
                and reached.board in (None, after.position)
                and self._without_undos(columns[: number + 3]) != reached.kind
            ):
                what = "the game goes on" if over else "the game ends"
                message = f"column {self.dialogue.label(column)} was played after moves were taken back, and {what}"
                self.player.charge(game, "undo-board", message, reached.run, after.position)
            if reached.kind != "column" or over or reached.board not in (None, after.position):
                return
            answers, spot = reached.answers, after

    def _misjudges_lines(self) -> bool:
        """Whether lines were missed, or a game ended without one: such a program may take the number of undos beside its board for pieces."""
        account = self.player.account
        return any(kind.startswith("missed-") for kind in account.kinds()) or any(
            not end.winner for end in account.ends
        )

    def _goes_on(self, reached: Reached, after: Spot) -> bool:
        """Whether the next move of the same game is asked for. Nothing can be dropped into a full board: there only a new game is known."""
        if full(after.position):
            return self.dialogue.situation(reached.answers, ()) is None
        return self.dialogue.situation(reached.answers, (after,)) == after

    def _without_undos(self, columns: Sequence[int]) -> str:
        """The kind of wait that the same pieces reach without an undo. If it is the same, the undo is not at fault."""
        *_, (_, last) = self.dialogue.played(*self.player.start(), columns)
        return last.kind
