"""Columns that do not exist, or are full: they are refused, the same player chooses again, and the third one loses."""

from __future__ import annotations

from collections.abc import Sequence

from grader.games.board.dialogue import Reached
from grader.games.board.ends import End, Game
from grader.games.board.lines import made
from grader.games.board.playing import Player
from grader.games.board.position import OTHER, ROWS, START, Spot, dropped, height
from grader.games.learn.questions import allowed, mentioned
from grader.games.referee import UNREAD
from grader.reading.runs import Answers

STACK = (0, 0, 0, 0, 0, 0)
"""Fills the first column, with no line: the players alternate."""


FILLERS = (2, 4, 1, 5, 2, 4, 1, 5, 6, 6, 3, 3)
"""Columns between wrong ones."""


class Violating:
    """Tries wrong columns. ``special`` are answers that mean something else where a column is asked for."""

    def __init__(self, player: Player, special: Sequence[str], limit: int) -> None:
        self.player = player
        self.limit = limit
        self.dialogue = player.dialogue
        self.missing: list[str] = []
        self._special = set(special)
        self._bad: set[str] = set()

    def explore(self) -> None:
        """Play all games with wrong columns in them."""
        answers, _ = self.player.start()
        wait = self.dialogue.run(answers).last
        typed = [text for text in self._wrong(wait.wants) if text not in self._special]
        told = set(mentioned(wait.output)) - {"8", "9", "-1"}
        self.missing = [text for text in typed if text not in told]
        for owner in (0, 1):
            for text in self.missing[:5]:
                self._single(owner, text)
            self._stacked(owner)
        if not self.missing:
            return
        a, b = self._good(0), self._good(1)
        for owner in (0, 1):
            self._series([(owner, text) for text in (a, b, a)])
        self._series([(0, a), (0, b), (1, a), (1, b), (0, a)])
        self._series([(1, a), (0, b), (1, a), (0, b), (1, a)])
        for owner in (0, 1):
            self._series([(owner, "full"), (owner, a), (owner, "full")])
            self._series([(owner, "full"), (owner, "full"), (owner, "full")])

    def _good(self, number: int) -> str:
        fine = [text for text in self.missing if text not in self._bad] or self.missing
        return fine[number % len(fine)]

    def _wrong(self, wants: str) -> list[str]:
        labels = self.dialogue.labels
        texts: tuple[str, ...]
        if labels[0] == "1":
            texts = ("8", "0", "9", "-1", "100")
        elif labels[0] == "0":
            texts = ("7", "-1", "9", "8", "100")
        else:
            after = chr(ord(labels[-1]) + 1)
            texts = (after, "z" if labels[0].islower() else "Z", "9", "0")
        fitting = allowed(texts, wants)
        return [text for text in fitting if text in texts]

    # ---- one

    def _single(self, owner: int, text: str) -> None:
        begun = self._game((3, 3, 2, 4)[: 2 + owner])
        if begun is not None:
            self.refused(*begun, text, "missing")

    def _stacked(self, owner: int) -> None:
        column = 4 * owner
        begun = self._game((*(column,) * ROWS, *((1,) if owner else ())))
        if begun is not None:
            self.refused(*begun, self.player.labels[column], "full")

    def _game(self, columns: Sequence[int]) -> tuple[Game, Answers, Spot] | None:
        answers, spot = self.player.start()
        game = self.player.account.begin(self.dialogue.run(answers))
        for column in columns:
            reached = self.dialogue.drop(answers, spot, column)
            game.run = reached.run
            after = spot.after(column)
            if reached.kind != "column" or reached.board not in (None, after.position):
                return None
            answers, spot = reached.answers, after
        right = not columns or self.dialogue.situation(answers, (spot,)) == spot
        return (game, answers, spot) if right else None

    def refused(self, game: Game, answers: Answers, spot: Spot, text: str, why: str) -> Answers | None:
        """Type a wrong column, and rule on what comes; the answers where it was refused as it should be, else None."""
        reached = self.dialogue.settle((*answers, text), spot, None)
        game.run = reached.run
        game.saw(why)
        said = f"column {text} is full" if why == "full" else f"there is no column {text}"
        there = {"position": spot.position, "beginner": self.player.opening.beginner}
        if reached.kind == "broke":
            self.player.account.broke(game, reached.run, f"accepted-{why}")
            return None
        if reached.kind != "column":
            self._gone(game, reached, text)
            return None
        found = self.dialogue.situation(reached.answers, (spot,))
        if found == spot and not self._changed(reached, spot):
            game.saw("refusal")
            return reached.answers
        if found is not None and found.position == spot.position != START:
            message = f"{said}, and the turn passes to the other player"
            game.fault(f"turn-lost-{why}", message, reached.run, **there)  # type: ignore[arg-type]
        elif found is not None and found.position == START:
            self._gone(game, reached, text)
            return None
        else:
            kind, message = self._accepted(reached, spot, why, said)
            game.fault(kind, message, reached.run, **there)  # type: ignore[arg-type]
        self._bad.add("full" if why == "full" else text)
        return None

    @staticmethod
    def _changed(reached: Reached, spot: Spot) -> bool:
        return reached.board is not None and reached.board != spot.position

    def _accepted(self, reached: Reached, spot: Spot, why: str, said: str) -> tuple[str, str]:
        """What is wrong where the pieces are not those that were there before."""
        board = reached.board
        if board is None or board == spot.position:
            board = self._after(reached, spot)
        if board is None:
            return UNREAD, f"{said}, and what came of it could not be read"
        pieces = [at for at, (one, two) in enumerate(zip(board, spot.position, strict=True)) if one != two]
        again = self.dialogue.situation(reached.answers, (Spot(board, spot.mover),)) if "?" not in board else None
        if again is not None and again.mover == spot.mover and pieces:
            return f"carried-out-{why}", f"{said}: it is refused, and a piece falls all the same"
        return f"accepted-{why}", f"{said}, and it is accepted"

    def _after(self, reached: Reached, spot: Spot) -> str | None:
        """The board behind the next piece, where none is shown at once."""
        for column in (4, 2):
            if height(spot.position, column) < 6:
                shown = self.dialogue.boards(self.dialogue.run((*reached.answers, self.player.labels[column])).last)
                if shown and shown[-1] not in {dropped(spot.position, column, one) for one in "AB"}:
                    at = column * 6 + height(shown[-1], column) - 1
                    return shown[-1][:at] + "." + shown[-1][at + 1 :]
        return None

    def _gone(self, game: Game, reached: Reached, text: str) -> None:
        """It ends, or goes on to something else, after the first wrong column."""
        self._early(game, reached, text)

    # ---- three

    def _series(self, typed: Sequence[tuple[int, str]]) -> None:
        """Wrong columns of both players, the last of which is the third one of its player."""
        fulls = any(text == "full" for _, text in typed)
        begun = self._game((*STACK,) if fulls else (3, 3))
        if begun is None:
            return
        game, answers, spot = begun
        beginner = self.player.opening.beginner
        wrong = {"A": 0, "B": 0}
        free = iter(FILLERS)
        for owner, text in typed:
            who = beginner if owner == 0 else OTHER[beginner]
            while spot.mover != who:
                column = next((one for one in free if not made(spot.after(one).position, one)), None)
                if column is None:
                    return
                reached = self.dialogue.drop(answers, spot, column)
                game.run = reached.run
                if reached.kind != "column" or reached.board not in (None, spot.after(column).position):
                    return
                answers, spot = reached.answers, spot.after(column)
            why = "full" if text == "full" else "missing"
            said = self.player.labels[0] if text == "full" else text
            wrong[who] += 1
            if wrong[who] < self.limit:
                went = self._once_more(game, answers, spot, said, why)
                if went is None:
                    return
                answers, spot = went
            else:
                self._third(game, answers, spot, said, [one for _, one in typed])

    def _once_more(self, game: Game, answers: Answers, spot: Spot, said: str, why: str) -> tuple[Answers, Spot] | None:
        """A wrong column that is not the third; what is wrong with its refusal was seen by itself, and the game goes on there."""
        reached = self.dialogue.settle((*answers, said), spot, None)
        game.run = reached.run
        game.saw(why)
        if reached.kind == "broke":
            self.player.account.broke(game, reached.run, f"accepted-{why}")
            return None
        if reached.kind != "column":
            self._early(game, reached, said)
            return None
        found = self.dialogue.situation(reached.answers, (spot,))
        if found is None or self._changed(reached, spot):
            return None
        if found.position == START != spot.position:
            self._early(game, reached, said)
            return None
        game.saw("refusal")
        return reached.answers, found

    def _early(self, game: Game, reached: Reached, said: str) -> None:
        if reached.kind == "unknown":
            game.fault(UNREAD, "what comes of a wrong column could not be read", reached.run)
            return
        message = f"column {said} is not the third violation of a player, and the game ends"
        game.fault("lost-early", message, reached.run)

    def _third(self, game: Game, answers: Answers, spot: Spot, said: str, typed: Sequence[str]) -> None:
        reached = self.dialogue.settle((*answers, said), spot, None)
        game.run = reached.run
        game.saw("full" if typed[-1] == "full" else "missing", "third")
        if reached.kind == "broke":
            self.player.account.broke(game, reached.run, "third-violation")
            return
        if reached.kind == "column":
            found = self.dialogue.situation(reached.answers, (spot,))
            if "full" in self._bad and "full" in typed:
                return  # full columns are not refused at all, which is charged already
            if found is None or found.position != START:
                message = f"column {said} is the third violation of this player, and the game goes on"
                game.fault(
                    "third-violation",
                    message,
                    reached.run,
                    position=spot.position,
                    beginner=self.player.opening.beginner,
                )
                return
        if reached.kind == "unknown":
            game.fault(UNREAD, "what comes of a third violation could not be read", reached.run)
            return
        game.saw("refusal")
        end = End(OTHER[spot.mover], "violations", self.player.opening.beginner, reached.text, reached.run, game)
        self.player.account.ends.append(end)
