"""Wrong answers where a move is asked for: the program refuses them, and the same player chooses again."""

from __future__ import annotations

from collections.abc import Collection

from grader.games.board.dialogue import Reached
from grader.games.board.ends import Game
from grader.games.board.playing import Player
from grader.games.board.rules import EMPTY, Moves, Spot, Wrong
from grader.games.hear.runs import Answers
from grader.games.learn.questions import mentioned
from grader.games.learn.way import key_of
from grader.games.referee import UNREAD

NEVER_OFFERED = frozenset({"8", "9", "-1"})
"""Answers that are wrong though a question shows them: none of these was ever more than the bound of a range."""


class Refusing:
    """Tries wrong answers. ``special`` are answers that mean something else where a move is asked for."""

    def __init__(self, player: Player, special: Collection[str] = ()) -> None:
        self.player = player
        self.dialogue = player.dialogue
        self.rules = player.rules
        wait = self.dialogue.run(player.opening.answers).last
        offers = {*special, *(set(mentioned(wait.output)) - NEVER_OFFERED)}
        every = self.rules.wrong(self.dialogue.labels, wait.wants)
        self.wrong = [one for one in every if one.kind != "missing" or not offers & set(one.typed)]
        self.bad: set[Answers] = set()

    def explore(self) -> None:
        """Play all games with one wrong answer in them."""
        for wrong in self.wrong:
            if wrong.kind != "missing" and not self.takes(wrong.before):
                continue
            start = self.player.begun(wrong.before, each=False)
            if start is None and wrong.kind == "missing":  # it breaks or ends before: fewer pieces show it as well
                start = self.player.begun(wrong.before[2:], each=False)
            if start is not None:
                self._single(*start, wrong)

    def takes(self, moves: Moves) -> bool:
        """Whether the program takes pieces in all these places: one that takes none is not full."""
        return all(self.rules.lands(self.rules.start, move) is not None for move in moves)

    def _single(self, game: Game, answers: Answers, spot: Spot, wrong: Wrong) -> None:
        """Type a wrong answer, and rule on what comes."""
        kind, position = wrong.kind, spot.position
        reached = self.tried(game, answers, spot, wrong.typed, kind)
        if reached is None:
            return
        right = [spot, *([] if wrong.finished is None else [self.rules.after(spot, wrong.finished)])]
        now = self.dialogue.situation(reached.answers, right)
        if not self.dialogue.runs.hung:  # one that hangs at some column uses up its instructions in a few runs
            self._goes_on(answers, reached, spot)
        if now in right and reached.board in (None, now.position):
            game.saw(kind, "refusal")
            return
        if now is not None and now.position == self.rules.start:
            self.early(game, reached, wrong.typed, kind)
            return
        if now is not None and now.position == position:
            fault, message = f"turn-lost-{kind}", f"{self._why(wrong)}, but the turn passes to the other player"
        else:
            fault, message = self._accepted(reached, spot, wrong)
        # Where nobody can tell what came of them, wrong columns were accepted as refused: nothing was seen.
        if fault != UNREAD:
            game.saw(kind)
        self.player.charge(game, fault, message, reached.run, position)
        self.bad.add(wrong.typed)

    def _goes_on(self, answers: Answers, reached: Reached, spot: Spot) -> None:
        """Charge a legal move that is refused behind a wrong answer, though it is taken in its place."""
        board = reached.board or spot.position
        for move in self.rules.moves:
            lands = self.rules.lands(spot.position, move)
            # A wrong column that is accepted may fill another one.
            if lands is None or self.rules.lands(board, move) != lands:
                continue
            due = self.rules.after(spot, move)
            if self.dialogue.drop(answers, spot, move).board != due.position:
                continue
            then = self.dialogue.drop(reached.answers, spot, move)
            if (
                then.kind == "column"
                and key_of(then.run.last) == key_of(reached.run.last)
                and then.board in (None, board)
            ):
                message = self.rules.words.refused.format(move=self.dialogue.label(move))
                after = self.player.account.begin(then.run)
                self.player.charge(after, "refused-legal", message, then.run, due.position)
                return

    def tried(self, game: Game, answers: Answers, spot: Spot, texts: Answers, kind: str) -> Reached | None:
        """The moment after a wrong answer; None if no move is asked for behind it, which is noted with the ``kind`` of the answer."""
        reached = self.dialogue.settle((*answers, *texts), spot, None)
        game.run = reached.run
        if reached.kind == "broke":
            game.saw(kind)
            self.player.account.broke(game, reached.run, f"accepted-{kind}")
        elif reached.kind != "column":
            self.early(game, reached, texts, kind)
        else:
            return reached
        return None

    def _why(self, wrong: Wrong) -> str:
        words = self.rules.words
        return (words.missing if wrong.kind == "missing" else words.taken).format(move=" ".join(wrong.typed))

    def _accepted(self, reached: Reached, spot: Spot, wrong: Wrong) -> tuple[str, str]:
        """The fault and its message where the pieces are not those that were there before."""
        why, board = self._why(wrong), reached.board
        if board is None or board == spot.position:
            board = self._behind_next(reached, spot)
        if board is None:
            return UNREAD, f"{why}; we could not read what the program does then"
        again = self.dialogue.situation(reached.answers, (Spot(board, spot.mover),)) if "?" not in board else None
        if again is not None and again.mover == spot.mover and board != spot.position:
            return f"carried-out-{wrong.kind}", self.rules.words.carried_out.format(why=why)
        return f"accepted-{wrong.kind}", f"{why}, but the program accepts it"

    def _behind_next(self, reached: Reached, spot: Spot) -> str | None:
        """The board behind the next piece without that piece, where none is shown at once."""
        for move in self.rules.order[:2]:
            if self.rules.lands(spot.position, move) is None:
                continue
            boards = self.dialogue.boards(self.dialogue.run((*reached.answers, *self.dialogue.labels[move])).last)
            if boards and boards[-1] not in {self.rules.dropped(spot.position, move, one) for one in "AB"}:
                at = self.rules.top(boards[-1], move)
                return boards[-1][:at] + EMPTY + boards[-1][at + 1 :]
        return None

    def early(self, game: Game, reached: Reached, texts: Answers, kind: str) -> None:
        """Note that a game ends, or goes on to something else, after a wrong answer that must only be refused."""
        if reached.kind == "unknown":
            game.fault(UNREAD, self.rules.words.unclear_wrong, reached.run)
            return
        game.saw(kind)
        game.fault("lost-early", self.rules.words.ends_at_wrong.format(move=" ".join(texts)), reached.run)
