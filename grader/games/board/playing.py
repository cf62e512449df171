"""The games of the plan, played on a program: every board is compared with the rules' position, each line is completed aside."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from grader.games.board.dialogue import Opening, Reached
from grader.games.board.ends import TIE, Account, End, Game
from grader.games.board.rules import OTHER, Spot, full
from grader.games.hear.runs import Answers, Run
from grader.games.referee import UNREAD

ROW_OF_CELLS = re.compile(r"(?m)^[ |]*(?=[^\n]{0,3}[.|\[(:])([^\w\s][^\w\n]{0,3})\1{3,}")
"""A row of a board in which nothing lies: one cell several times. A rule of dashes does not count: programs that paint print such rules."""


class Player:
    """Plays games on one program and keeps the account of them."""

    def __init__(self, opening: Opening, account: Account) -> None:
        self.opening = opening
        self.dialogue = opening.dialogue
        self.rules = opening.dialogue.rules
        self.words = self.rules.words
        self.account = account
        self._behind: dict[int, Answers] = {}
        self._behind_last: Answers = ()

    def start(self) -> tuple[Answers, Spot]:
        """The answers before the first move, and who begins."""
        return self.opening.answers, Spot(self.rules.start, self.opening.beginner)

    def charge(self, game: Game, kind: str, message: str, run: Run, position: str, *, stops: bool = False) -> None:
        """Note a fault of a game with the position that it shows in; ``stops`` says that the game shows nothing behind it."""
        game.fault(kind, message, run, position=position, stops=stops)

    def begun(self, moves: Sequence[int], *, each: bool = True) -> tuple[Game, Answers, Spot] | None:
        """A game with these first moves; None if they cannot be played.

        With ``each`` the position is made sure of behind every move, else by the boards that are shown, and once at the end. Moves that
        the program refuses by its conduct are left out: a column may be full with fewer pieces.
        """
        answers, spot = self.start()
        game = self.account.begin(self.dialogue.run(answers))
        for number, move in enumerate(moves, start=1):
            if self.rules.lands(spot.position, move) is None:
                continue
            went = self.step(game, answers, spot, move, looks=not each)
            if went is None:
                return None
            answers, spot = went
            if (each or number == len(moves)) and self.dialogue.situation(answers, (spot,)) != spot:
                return None
        return game, answers, spot

    def step(
        self, game: Game, answers: Answers, spot: Spot, move: int, *, looks: bool = True
    ) -> tuple[Answers, Spot] | None:
        """Make one more move of a game; None if the game does not go on, or, if it ``looks``, where another board is shown."""
        if self.rules.lands(spot.position, move) is None:  # by its conduct the program does not take it
            return None
        reached = self.dialogue.drop(answers, spot, move)
        game.run = reached.run
        after = self.rules.after(spot, move)
        if reached.kind != "column" or (looks and reached.board not in (None, after.position)):
            return None
        # A refusal without a board was taken for a piece, and an undo or a violation behind it was blamed.
        if looks and reached.board is None and self.dialogue.situation(reached.answers, (spot, after)) == spot:
            return None
        return reached.answers, after

    def until(
        self, game: Game, answers: Answers, spot: Spot, mover: str, moves: Iterator[int], pieces: int = 0
    ) -> tuple[Answers, Spot] | None:
        """Make those of these moves that make no line, so many ``pieces`` at least, until it is this player's turn; None if that never comes."""
        while pieces > 0 or spot.mover != mover:
            move = next((one for one in moves if self.rules.quiet(spot, one)), None)
            went = None if move is None else self.step(game, answers, spot, move)
            if went is None:
                return None
            answers, spot = went
            pieces -= 1
        return answers, spot

    def hangs(self) -> None:
        """Note where the board is upside down, the pieces heaped up from above, and leave to a person what is only painted."""
        layout = self.dialogue.layout
        if layout.drawn and not layout.hangs:
            return
        answers, spot = self.start()
        move = self.rules.stack(self.rules.columns // 2, 1)[0]
        reached = self.dialogue.drop(answers, spot, move)
        game = self.account.begin(reached.run)
        if layout.drawn:
            message = self.words.hangs.format(move=self.dialogue.label(move))
            self.charge(game, "wrong-board", message, reached.run, self.rules.after(spot, move).position)
        elif alike := self._alike(answers, spot):
            one, two = (self.dialogue.label(move) for move, _ in alike)
            reached = alike[1][1]
            message = self.words.same_board.format(move=two, other=one)
            self.charge(game, "wrong-board", message, reached.run, self.rules.after(spot, alike[1][0]).position)
        else:
            # Not “it shows no board”: the empty cells of one changed with each move.
            message = (
                "we could not read a board in the text: "
                "a person must look whether the program shows the pieces where they fell"
            )
            game.fault("unclear-board", message, reached.run)

    def _alike(self, answers: Answers, spot: Spot) -> list[tuple[int, Reached]]:
        """Two moves with the same text behind them, though it shows rows of a board; empty if each move has its own."""
        by_text: dict[str, tuple[int, Reached]] = {}
        for column in range(self.rules.columns):
            move = self.rules.stack(column, 1)[0]
            reached = self.dialogue.drop(answers, spot, move)
            if reached.text in by_text and reached.kind == "column" and ROW_OF_CELLS.search(reached.text):
                return [by_text[reached.text], (move, reached)]
            by_text[reached.text] = move, reached
        return []

    def play(self, moves: Sequence[int], aside: Mapping[int, Sequence[int]]) -> None:
        """Play one game of the plan to its end or to its first difference; moves of ``aside`` complete a line in a fork."""
        answers, spot = self.start()
        game = self.account.begin(self.dialogue.run(answers))
        for pieces, move in enumerate(moves):
            for other in aside.get(pieces, ()):
                self._completed(game, answers, spot, other)
            if not pieces or pieces in aside:
                self._run_ahead(answers, moves, pieces, aside)
            reached = self.dialogue.drop(answers, spot, move)
            self._behind[pieces] = reached.answers[len(answers) + len(self.dialogue.labels[move]) :]
            if not self._rule(game, reached, spot, move):
                return
            answers, spot = reached.answers, self.rules.after(spot, move)
        for other in aside.get(len(moves), ()):
            self._completed(game, answers, spot, other)

    def _run_ahead(
        self, answers: Answers, moves: Sequence[int], pieces: int, aside: Mapping[int, Sequence[int]]
    ) -> None:
        """Make the moves up to the next fork in one run, by what was answered behind such moves before: forks take most of the time."""
        path = list(answers)
        for number in range(pieces, len(moves)):
            if number not in self._behind or (number in aside and number > pieces):
                break
            path += [*self.dialogue.labels[moves[number]], *self._behind[number]]
        self.dialogue.run(path)

    def _rule(self, game: Game, reached: Reached, spot: Spot, move: int) -> bool:
        """Rule on a move of a game; whether the game can go on."""
        after = self.rules.after(spot, move).position
        game.run = reached.run
        game.saw("move")
        if reached.kind == "broke":
            self.account.broke(game, reached.run)
            if (self.rules.made(after, move) or full(after)) and self._tells(reached):
                self._rule_on_end(game, game, reached, spot, move)
        elif self._same_again(game, reached, spot, move):
            return False
        elif self.rules.made(after, move) or full(after):
            self._rule_on_end(game, game, reached, spot, move)
        elif reached.kind != "column":
            if not self._ends_on_wrong_board(game, reached, spot, move):
                self._early(game, reached, after)
        elif reached.board == after:
            game.saw("moved", *(["board"] if self.dialogue.layout.drawn else []))
            self.account.turns.append((spot.mover, reached.run.output, reached.text))
            return True
        else:
            return self._differs(game, reached, spot, move)
        return False

    def _same_again(self, game: Game, reached: Reached, spot: Spot, move: int) -> bool:
        """Note where the piece is that of the player who had moved before: then nothing that comes of it says any more."""
        other = self.rules.dropped(spot.position, move, OTHER[spot.mover])
        if self.rules.conduct.mark or reached.board != other:
            return False
        message = self.words.moved_before.format(move=self.dialogue.label(move))
        self.charge(game, "no-alternation", message, reached.run, self.rules.after(spot, move).position)
        return True

    def _ends_on_wrong_board(self, game: Game, reached: Reached, spot: Spot, move: int) -> bool:
        """Note where a game ends too early, and the board that it shows has other pieces: by them it may be over."""
        # One cell of a program was the height of a column as well. It showed a piece there that made four in a line, and paid twice.
        after = self.rules.after(spot, move).position
        shown = reached.board if self.dialogue.layout.drawn else None
        if shown is None or "?" in shown or not {after, spot.position, self.rules.start}.isdisjoint(reached.boards):
            return False
        where = self.rules.difference(after, shown, self.dialogue.labels)
        message = f"{self.words.other_board.format(move=self.dialogue.label(move))}: {where}"
        self.charge(game, "wrong-board", message, reached.run, after)
        return True

    def _early(self, game: Game, reached: Reached, position: str) -> None:
        """The game does not go on, though nobody has won."""
        end = End("", reached.kind, self.opening.beginner, reached.text, reached.run, game, position)
        self.account.ends.append(end)

    def _differs(self, game: Game, reached: Reached, spot: Spot, move: int) -> bool:
        """The board is not as it should be after a move; whether the game can go on."""
        rules, start = self.rules, self.rules.start
        after, label, words = rules.after(spot, move), self.dialogue.label(move), self.words
        now = self.dialogue.situation(reached.answers, (after, spot, Spot(after.position, spot.mover)))
        if now == after and reached.board is None:
            game.saw("moved")
            return True
        kind = "wrong-board"
        unseen = (
            now is not None and now == Spot(spot.position, after.mover) != spot
        )  # the turn passes, and no piece is shown
        if now is None or now == after or (unseen and reached.board is not None):
            if reached.board is None:
                kind, message = UNREAD, "the program shows no board that we could read"
            elif self.dialogue.layout.drawn:
                where = rules.difference(after.position, reached.board, self.dialogue.labels)
                message = f"{words.other_board.format(move=label)}{f': {where}' if where else ''}"
            else:
                kind, message = UNREAD, words.not_in_memory.format(move=label)
        elif now.position == spot.position:
            kind, message = "refused-legal", words.refused.format(move=label)
        elif now.position == start:
            self._early(game, reached, after.position)
            return False
        else:
            kind, message = "no-alternation", words.asked_again.format(move=label)
        self.charge(game, kind, message, reached.run, after.position)
        return False

    def _completed(self, game: Game, answers: Answers, spot: Spot, move: int) -> None:
        """Complete a line in a fork aside of a game."""
        label = self.dialogue.labels[move]
        self.dialogue.run((*answers, *label, *self._behind_last))
        reached = self.dialogue.drop(answers, spot, move)
        self._behind_last = reached.answers[len(answers) + len(label) :]
        if reached.kind == "broke":
            self.account.broke(self.account.begin(reached.run, game.seed), reached.run)
            if self._tells(reached):
                self._rule_on_end(game, None, reached, spot, move)
        elif reached.board != self.rules.dropped(
            spot.position, move, OTHER[spot.mover]
        ):  # else the game itself will show it
            self._rule_on_end(game, None, reached, spot, move)

    def _tells(self, reached: Reached) -> bool:
        """Whether a program that broke had said something that it says behind no other move: the result of the game.

        One that breaks on its way out of `main`, in each game that comes to an end, still tells who has won.
        """
        strip = self.dialogue.without_boards
        usual = {line.strip() for _, _, text in self.account.turns[:60] for line in strip(text).split("\n")}
        lines = (line.strip() for line in strip(reached.text).split("\n"))
        return any(line not in usual and any(map(str.isalpha, line)) for line in lines)

    def _rule_on_end(self, game: Game, same: Game | None, reached: Reached, spot: Spot, move: int) -> None:
        """Rule on a move that ends a game; ``same`` is the game in which a fault is noted, None for one of its own."""
        after = self.rules.after(spot, move).position
        names = tuple(dict.fromkeys(self.rules.made(after, move)))
        if reached.kind == "unknown":
            record = same or self.account.begin(reached.run, game.seed)
            record.fault(UNREAD, "we could not read how the game ended", reached.run)
            return
        if (
            reached.kind == "column"
            and reached.board is None
            and self.dialogue.situation(reached.answers, (spot,)) == spot
        ):
            record = same or self.account.begin(reached.run, game.seed)
            message = self.words.refused.format(move=self.dialogue.label(move))
            self.charge(record, "refused-legal", message, reached.run, after)
            return
        game.saw("move", *(names or ("full-board",)))
        if reached.kind == "column" and not self._begun_anew(reached, spot, after):
            kind = f"missed-{names[0]}" if names else "missed-tie"
            message = (
                self.words.missed.format(move=self.dialogue.label(move))
                if names
                else "the board is full, but the game goes on"
            )
            self.charge(same or self.account.begin(reached.run, game.seed), kind, message, reached.run, after)
            return
        winner, by = (spot.mover, "line") if names else (TIE, "board")
        end = End(winner, by, self.opening.beginner, reached.text, reached.run, same or game, after)
        self.account.ends.append(end)

    def _begun_anew(self, reached: Reached, spot: Spot, after: str) -> bool:
        """Whether the program asks for the first move of a new game."""
        # nothing can be dropped into a full board
        candidates = () if full(after) else (Spot(after, OTHER[spot.mover]), Spot(after, spot.mover), spot)
        now = self.dialogue.situation(reached.answers, candidates)
        return now is not None and now.position == self.rules.start
