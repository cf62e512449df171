"""Wrong columns of both players in one game: the third one of a player loses."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from grader.games.board.ends import FEW, End, Game
from grader.games.board.playing import Player
from grader.games.board.refusing import Refusing
from grader.games.board.rules import OTHER, Spot
from grader.games.families.fourinarow.rules import ROWS
from grader.games.hear.runs import Answers
from grader.games.referee import UNREAD

FULL = "full"
"""Stands for the label of the first column, which is full then."""

FILLERS = (2, 4, 1, 5, 2, 4, 1, 5, 6, 6, 3, 3)
"""Columns between wrong ones."""


class Violating(Refusing):
    """Tries wrong columns, alone and in series; a player loses by ``limit`` of them.

    ``undone`` is a game in which moves were taken back, None if none is known.
    """

    def __init__(
        self, player: Player, special: Collection[str], limit: int, undone: tuple[Answers, Spot] | None = None
    ) -> None:
        super().__init__(player, special)
        self.limit = limit
        self.undone = undone
        self.labels = player.dialogue.labels

    def explore(self) -> None:
        """Play all games with wrong columns in them."""
        super().explore()
        missing = list(dict.fromkeys(one.typed[0] for one in self.wrong if one.kind == "missing"))
        if not missing:
            return
        fine = [text for text in missing if (text,) not in self.bad] or missing
        a, b = fine[0], fine[1 % len(fine)]
        for owner in (0, 1):
            self._series([(owner, text) for text in (a, b, a)])
        self._series([(0, a), (0, b), (1, a), (1, b), (0, a)])
        self._series([(1, a), (0, b), (1, a), (0, b), (1, a)])
        for owner in (0, 1):
            self._series([(owner, FULL), (owner, a), (owner, FULL)])
            self._series([(owner, FULL), (owner, FULL), (owner, FULL)])
        # Where a turn is never passed on, one player has all wrong columns, and no column gets full.
        if self.player.account.came(("third",))["third"] < FEW:
            for owner in (0, 1):
                for text in fine[1:]:
                    self._series([(owner, text), (owner, a), (owner, text)])
        # A program that counted undos and wrong columns in one place ended at the first wrong one behind two undos.
        if self.undone is not None and self.limit > 1:
            answers, spot = self.undone
            self._once_more(self.player.account.begin(self.dialogue.run(answers)), answers, spot, (a,), "missing")

    def _series(self, violations: Sequence[tuple[int, str]]) -> None:
        """Wrong columns of both players; the last one is the third of its player."""
        fulls = any(text == FULL for _, text in violations)
        start = self.player.begun((0,) * ROWS if fulls else (3, 3), each=False)
        if start is None or (fulls and not self.takes((0,))):
            return
        game, answers, spot = start
        beginner = self.player.opening.beginner
        wrong = {"A": 0, "B": 0}
        free = iter(FILLERS)
        for owner, text in violations:
            who = beginner if owner == 0 else OTHER[beginner]
            went = self.player.until(game, answers, spot, who, free)
            if went is None:
                return
            answers, spot = went
            kind = FULL if text == FULL else "missing"
            texts = self.labels[0] if text == FULL else (text,)
            wrong[who] += 1
            if wrong[who] < self.limit:
                went = self._once_more(game, answers, spot, texts, kind)
                if went is None:
                    return
                answers, spot = went
            else:
                self._third(game, answers, spot, texts, [one for _, one in violations])

    def _once_more(
        self, game: Game, answers: Answers, spot: Spot, texts: Answers, kind: str
    ) -> tuple[Answers, Spot] | None:
        """A wrong column that is not the third; a game of its own has charged what is wrong with its refusal."""
        reached = self.tried(game, answers, spot, texts, kind)
        now = None if reached is None else self.dialogue.situation(reached.answers, (spot,))
        if reached is None or now is None or reached.board not in (None, spot.position):
            return None
        if now.position == self.rules.start != spot.position:
            self.early(game, reached, texts, kind)
            return None
        game.saw(kind, "refusal")
        return reached.answers, now

    def _third(self, game: Game, answers: Answers, spot: Spot, texts: Answers, series: Sequence[str]) -> None:
        reached = self.dialogue.settle((*answers, *texts), spot, None)
        game.run = reached.run
        game.saw(FULL if series[-1] == FULL else "missing", "third")
        if reached.kind == "broke":
            if not self.player.account.broke(game, reached.run, "third-violation"):
                game.saw("lost")  # it did end the game, and breaks as at each other end
            return
        if reached.kind == "column":
            now = self.dialogue.situation(reached.answers, (spot,))
            if FULL in series and any(one.typed in self.bad for one in self.wrong if one.kind == FULL):
                return  # full columns are not refused at all, which is charged already
            if now is None or now.position != self.rules.start:
                message = f"column {texts[0]} is the third violation of this player, but the game goes on"
                self.player.charge(game, "third-violation", message, reached.run, spot.position)
                return
        if reached.kind == "unknown":
            game.fault(UNREAD, "we could not read what the program does after a third violation", reached.run)
            return
        game.saw("refusal")
        end = End(OTHER[spot.mover], "violations", self.player.opening.beginner, reached.text, reached.run, game)
        self.player.account.ends.append(end)
