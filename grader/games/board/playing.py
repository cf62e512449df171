"""The games of the plan, played on a program: every board is compared with the rules' position, each line is completed aside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.games.board.dialogue import Reached
from grader.games.board.ends import TIE, Account, End, Game
from grader.games.board.known_game import Opening
from grader.games.board.lines import full, made
from grader.games.board.position import OTHER, START, Spot, difference, dropped, height
from grader.games.referee import UNREAD
from grader.reading.runs import Answers


class Player:
    """Plays games on one program and keeps the account of them."""

    def __init__(self, opening: Opening, account: Account) -> None:
        self.opening = opening
        self.dialogue = opening.dialogue
        self.account = account
        self.labels = opening.dialogue.labels
        self._behind: dict[int, Answers] = {}
        self._behind_last: Answers = ()

    def start(self) -> tuple[Answers, Spot]:
        """The answers before the first column, and who begins."""
        return self.opening.answers, Spot(START, self.opening.beginner)

    def hangs(self) -> None:
        """Note where the board is upside down: the pieces are heaped up from above."""
        if not self.dialogue.layout.drawn:
            self._painted()
        if not self.dialogue.layout.hangs:
            return
        answers, spot = self.start()
        reached = self.dialogue.drop(answers, spot, 3)
        message = f"column {self.labels[3]} was played, and the piece lies in the highest row: the board is upside down"
        game = self.account.begin(reached.run)
        game.fault("wrong-board", message, reached.run, position=spot.after(3).position, beginner=self.opening.beginner)

    def _painted(self) -> None:
        """Leave to a person what is only painted."""
        answers, spot = self.start()
        reached = self.dialogue.drop(answers, spot, 3)
        message = "the text shows no board: whether the picture shows the pieces where they fell is for a person to see"
        self.account.begin(reached.run).fault("unclear-board", message, reached.run)

    def play(self, columns: Sequence[int], aside: Mapping[int, Sequence[int]]) -> Game:
        """Play one game of the plan to its end or to its first difference; columns of ``aside`` complete a line in a fork."""
        answers, spot = self.start()
        game = self.account.begin(self.dialogue.run(answers))
        for pieces, column in enumerate(columns):
            for other in aside.get(pieces, ()):
                self._completed(game, answers, spot, other)
            if not pieces or pieces in aside:
                self._run_ahead(answers, columns, pieces, aside)
            reached = self.dialogue.drop(answers, spot, column)
            self._behind[pieces] = reached.answers[len(answers) + 1 :]
            if not self.ruled(game, reached, spot, column):
                return game
            answers, spot = reached.answers, spot.after(column)
        self.more(game, answers, spot, aside.get(len(columns), ()))
        return game

    def _run_ahead(
        self, answers: Answers, columns: Sequence[int], pieces: int, aside: Mapping[int, Sequence[int]]
    ) -> None:
        """Make the moves up to the next fork in one run, by what was answered behind such moves before: forks take most of the time."""
        typed = list(answers)
        for number in range(pieces, len(columns)):
            if number not in self._behind or (number in aside and number > pieces):
                break
            typed += [self.labels[columns[number]], *self._behind[number]]
        self.dialogue.run(typed)

    def more(self, game: Game, answers: Answers, spot: Spot, aside: Sequence[int]) -> None:
        """Complete lines behind the last column."""
        for other in aside:
            self._completed(game, answers, spot, other)

    def ruled(self, game: Game, reached: Reached, spot: Spot, column: int) -> bool:
        """Rule on a move of a game; whether the game can go on."""
        after = spot.after(column)
        game.run = reached.run
        game.saw("move")
        if reached.kind == "broke":
            self.account.broke(game, reached.run)
            return False
        if made(after.position, column) or full(after.position):
            self.ended(game, game, reached, spot, column)
            return False
        if reached.kind != "column":
            self._early(game, reached, spot, column)
            return False
        if reached.board == after.position:
            game.saw("moved", *(["board"] if self.dialogue.layout.drawn else []))
            self.account.turns.append((spot.mover, reached.run.output, reached.text))
            return True
        return self._differs(game, reached, spot, column)

    def _early(self, game: Game, reached: Reached, spot: Spot, column: int) -> None:
        """The game does not go on, though nobody has won."""
        end = End("", reached.kind, self.opening.beginner, reached.text, reached.run, game, spot.after(column).position)
        self.account.ends.append(end)

    def _differs(self, game: Game, reached: Reached, spot: Spot, column: int) -> bool:
        """The board is not as it should be after a column; whether the game can go on."""
        after, said = spot.after(column), self.labels[column]
        there = {"position": after.position, "beginner": self.opening.beginner}
        other = dropped(spot.position, column, OTHER[spot.mover])
        if reached.board == other:
            message = f"column {said} was played, and the same player had moved before"
            game.fault("no-alternation", message, reached.run, **there)  # type: ignore[arg-type]
            return False
        found = self.dialogue.situation(reached.answers, (after, spot, Spot(after.position, spot.mover)))
        if found == after:
            if reached.board is None:
                game.saw("moved")
                return True
            kind, message = "wrong-board", self._wrong(said, after.position, reached.board)
        elif (found is not None and found.position == spot.position != START) or (
            found is not None and found.position == START == spot.position
        ):
            kind, message = "refused-legal", f"column {said} is not full, and no piece falls into it"
        elif found is not None and found.position == START:
            self._early(game, reached, spot, column)
            return False
        elif found is not None:
            kind, message = "no-alternation", f"after column {said} the same player is asked again"
        elif reached.board is None:
            kind, message = UNREAD, "no board is shown that could be read"
        else:
            kind, message = "wrong-board", self._wrong(said, after.position, reached.board)
        if kind == "wrong-board" and not self.dialogue.layout.drawn:
            kind, message = UNREAD, f"after column {said} the piece was not found in memory where it should have fallen"
        game.fault(kind, message, reached.run, **there)  # type: ignore[arg-type]
        return False

    def _wrong(self, said: str, due: str, board: str) -> str:
        where = difference(due, board, self.labels)
        return f"column {said} was played, and the board does not show that{f': {where}' if where else ''}"

    def _completed(self, game: Game, answers: Answers, spot: Spot, column: int) -> None:
        """Complete a line in a fork aside of a game."""
        self.dialogue.run((*answers, self.labels[column], *self._behind_last))
        reached = self.dialogue.drop(answers, spot, column)
        self._behind_last = reached.answers[len(answers) + 1 :]
        if reached.kind == "broke":
            self.account.broke(self.account.begin(reached.run, game.seed), reached.run)
        else:
            self.ended(game, None, reached, spot, column)

    def ended(self, game: Game, same: Game | None, reached: Reached, spot: Spot, column: int) -> bool:
        """Rule on a move that ends a game; ``same`` is the game in which a fault is noted, None for one of its own."""
        after = spot.after(column)
        lines = made(after.position, column)
        names = tuple(dict.fromkeys(lines))
        winner = spot.mover if lines else TIE
        if reached.kind == "column" and not self._begun_anew(reached, spot, after):
            kind = f"missed-{names[0]}" if names else "missed-tie"
            message = (
                f"column {self.labels[column]} makes four in a line, and the game goes on"
                if names
                else "the board is full, and the game goes on"
            )
            game.saw("move", *(names or ("full-board",)))
            noted = same or self.account.begin(reached.run, game.seed)
            noted.fault(kind, message, reached.run, position=after.position, beginner=self.opening.beginner)
            return False
        if reached.kind == "unknown":
            (same or self.account.begin(reached.run, game.seed)).fault(
                UNREAD, "how the game ended could not be read", reached.run
            )
            return False
        game.saw("move", *(names or ("full-board",)))
        end = End(
            winner,
            "line" if lines else "board",
            self.opening.beginner,
            reached.text,
            reached.run,
            same or game,
            after.position,
        )
        self.account.ends.append(end)
        return True

    def _begun_anew(self, reached: Reached, spot: Spot, after: Spot) -> bool:
        """Whether the program asks for the first column of a new game."""
        if full(after.position):  # nothing can be dropped into a full board
            found = self.dialogue.situation(reached.answers, ())
        else:
            found = self.dialogue.situation(reached.answers, (after, Spot(after.position, spot.mover), spot))
        return found is not None and found.position == START


def free(position: str, column: int) -> bool:
    """Whether a column takes another piece."""
    return height(position, column) < 6
