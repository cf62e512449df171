"""Taking moves back: whether first moves stay, and how later ones are taken back, found by experiment."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from grader.checks.ending import faulty
from grader.games.board.corrections import Corrections
from grader.games.board.dialogue import Reached, Role
from grader.games.board.ends import Game
from grader.games.board.playing import Player
from grader.games.board.refusing import Refusing
from grader.games.board.rules import Spot
from grader.games.families.fourinarow.undo_games import UndoGames
from grader.games.hear.runs import Answers
from grader.games.learn.questions import allowed, alone, last_line, last_lines, mentioned, offered
from grader.games.learn.table import ENTER
from grader.games.learn.way import key_of
from grader.results import Lesson
from grader.transcript import visible

KEYS = ("8", "0", "9", "7", "u", "U", "z", "b", "r", "-1", "undo", "UNDO", "99")
"""Answers to a question for a column that may take a move back, after those that the question names."""

OTHERS = ((0, 6), (2, 2))
"""Other first moves than those of the opening."""

STARTS = (None, 1, 2, 3, 4)
"""The random numbers of some starts: in one of them another player may begin."""


class Undoing:
    """Tries how moves are taken back."""

    def __init__(self, player: Player, limit: int) -> None:
        self.player = player
        self.taking = UndoGames(player, limit)
        self.dialogue = player.dialogue
        self._firsts: list[tuple[Game, bool]] = []

    def explore(self) -> None:
        """Play all games in which moves are taken back."""
        self._find()
        for columns in (self.taking.opening, *OTHERS):
            self._first(columns)
        if not self.taking.way and not self.taking.asks:
            return
        self.taking.play()
        for game, is_offered in self._firsts:
            # A key that never works shows nothing of first moves. A question that comes behind later moves alone shows
            # that first moves stay, also where the program breaks at the undo.
            if self.taking.works or (self.taking.asks and not is_offered):
                game.saw("first")
        if self.taking.works:
            self._first_behind_wrong()

    def lessons(self) -> Iterator[Lesson]:
        """How moves are taken back, for the table of what was learned."""
        way = self.taking.way
        if way:
            prompt = last_line(self.dialogue.run(self.player.opening.answers).output)
            yield Lesson("undo", way, f"{visible(way)} takes a move back, where a column is asked for", prompt)
            return
        for key, role in self.dialogue.roles.items():
            if role.kind == "offer" and role.undo is not None:
                prompt = self.dialogue.quotes.get(key, "")
                yield Lesson("undo", role.undo or ENTER, f"{visible(role.undo) or ENTER} takes a move back", prompt)
                yield Lesson("keep", role.keep or ENTER, f"{visible(role.keep) or ENTER} keeps it", prompt)
                return
        yield Lesson("undo", "", "we found no answer that takes a move back")

    def heed(self, corrections: Corrections) -> None:
        """Say where an answer that staff have set takes nothing back, or keeps nothing."""
        roles = [role for role in self.dialogue.roles.values() if role.kind == "offer"]
        if corrections.undo is not None and corrections.undo not in {self.taking.way, *(role.undo for role in roles)}:
            corrections.refuse("undo", f"“{corrections.undo or ENTER}” can be typed nowhere where a move is taken back")
        if corrections.keep is not None and corrections.keep not in {role.keep for role in roles}:
            corrections.refuse(
                "keep", f"“{corrections.keep or ENTER}” goes on at no question that offers to take a move back"
            )

    def _first(self, columns: Sequence[int]) -> None:
        """Whether the first moves of both can be taken back."""
        start = self.player.begun(())
        if start is not None:
            self._stay(*start, columns)

    def _first_behind_wrong(self) -> None:
        """The same behind a wrong column, whoever begins: who counts one as a move of the other player offers an undo behind his first move."""
        every = Refusing(self.player, (self.taking.way,)).wrong
        wrong = next((one.typed for one in every if one.kind == "missing"), None)
        if wrong is None:
            return
        questions = set()
        for seed in STARTS:
            with self.dialogue.seeded(seed):
                run = self.dialogue.run((*self.player.opening.answers, *wrong))
                question = tuple(last_lines(run.output, 2))
                spot = None if run.ending or question in questions else self.dialogue.situation(run.answers, ())
                # Where the turn was lost, the move may be taken back because a turn is counted: that is charged already.
                if spot is not None and spot == self.dialogue.situation(self.player.opening.answers, ()):
                    questions.add(question)
                    self._stay(self.player.account.begin(run, seed), run.answers, spot, self.taking.opening)

    def _stay(self, game: Game, answers: Answers, spot: Spot, columns: Sequence[int]) -> None:
        """Note where one of these first moves of a game can be taken back."""
        moved: set[str] = set()
        for column in columns:
            if spot.mover in moved:  # the turn was not passed on: this move is no first one
                return
            moved.add(spot.mover)
            after = self.player.rules.after(spot, column)
            back, is_offered = self.taking.tried(answers, spot, column)
            now = self.dialogue.situation(back.answers, (spot, after)) if is_offered else None
            if now is not None and now.position == spot.position:
                message = f"column {self.dialogue.label(column)} is the first move of a player, but the program lets the player take it back"
                self.player.charge(game, "undo-first", message, back.run, spot.position)
                break
            reached = self.dialogue.drop(answers, spot, column)
            game.run = reached.run
            if reached.kind != "column" or self.dialogue.situation(reached.answers, (after,)) != after:
                return
            self._firsts.append((game, is_offered))
            answers, spot = reached.answers, after

    def _find(self) -> None:
        """How a move is taken back, from the second of each player on."""
        for column in (self.taking.turns[0], self.taking.turns[1]):
            start = self.player.begun(
                (*self.taking.opening, *(self.taking.turns[:1] if column == self.taking.turns[1] else ()))
            )
            if start is None:
                return
            game, answers, spot = start
            back = self.dialogue.drop(answers, spot, column, back=True)
            if back.offer is not None:
                self._confirmed(answers, back.offer, spot, column)
            if back.offer is not None:
                self.taking.asks = True
                continue
            # The key comes first: “Go on (y/n)?” behind each piece may end a right program, and is no offer of an undo.
            if not self.taking.asks and not self.taking.way:
                self.taking.way = self._key(back, spot, column)
            # “Player 2, undo this move?” breaks the program as “Player 1, undo this move?” did: it is asked for as well.
            if not self.taking.way and self._asks(answers, spot, column):
                self.taking.asks = True
                continue
            if not self.taking.way:
                after = self.player.rules.after(spot, column)
                # it breaks or ends at this piece, with or without an undo, or refuses the piece
                if back.kind != "column" or self.dialogue.situation(back.answers, (spot, after)) == spot:
                    continue
                self._not_offered(game, back, spot, column)

    def _confirmed(self, lead: Answers, offer: Answers, spot: Spot, column: int) -> None:
        """Let questions whether one is sure only go on: of several offers behind one column the last takes the move back.

        “Sure? y/n” before each piece is asked at first moves as well, and has no limit.
        """
        roles = self.dialogue.roles
        keep = self.dialogue.role(self.dialogue.run(offer).last).keep
        later = self.dialogue.settle((*offer, keep), spot, column, back=True)
        *before, last = map(key_of, self.dialogue.run(later.offer or offer).waits[len(lead) + 1 :])
        for key in before:
            if key in roles and roles[key].kind == "offer" and key != last:
                roles[key] = Role("pause", roles[key].keep)

    def _asks(self, answers: Answers, spot: Spot, column: int) -> bool:
        """Whether a question comes behind the piece, and behind no first one, that offers an answer beside the one that goes on.

        It is to take the move back. It may break the program, leave another board than the one before, or do nothing: then no position
        tells what it is for.
        """
        run = self.dialogue.run((*answers, *self.dialogue.labels[column]))
        role, key = self.dialogue.role(run.last), key_of(run.last)
        first = self.dialogue.run((*self.player.start()[0], *self.dialogue.labels[column]))
        if run.ending is not None or role.kind != "offer" or role.undo is not None or key_of(first.last) == key:
            return False
        # “Player 2” is no offer of a 2, which the question does not name where the other player is asked.
        next_turn = self.dialogue.drop(answers, spot, column)
        other = self.dialogue.run((*next_turn.answers, *self.dialogue.labels[self.taking.turns[1]]))
        offers = [(*offered(one.output), *alone(one.output, 1)) for one in (run, other)]
        both = [text for text in offers[0] if text in offers[1] or key_of(other.last) != key]
        for text in allowed(both, run.last.wants):
            then = self.dialogue.run((*run.answers, text)).last
            if text != role.keep and (faulty(then.ending) if then.ending else key_of(then) != key):
                # “Press Enter to play it, or u to undo (3 left): ” where u and 3 both only go on: u is what was to take the move back.
                is_turned = role.keep.isalpha() and role.keep in KEYS and text not in KEYS
                self.dialogue.roles[key] = (
                    Role("offer", text, role.keep) if is_turned else Role("offer", role.keep, text)
                )
                return True
        return False

    def _key(self, reached: Reached, spot: Spot, column: int) -> str:
        """The answer at the question for a column that takes the last move back, or an empty text."""
        if reached.kind != "column":
            return ""
        wait = reached.run.last
        columns = {label for (label,) in self.dialogue.labels}
        own = self.dialogue.corrections.undo
        if own is not None:
            return own if own not in columns and allowed([own], wait.wants) == [own] else ""
        offers = mentioned(wait.output)
        came: dict[str, Spot] = {}
        breaks = ""
        for text in allowed((*offers, *KEYS), wait.wants)[:18]:
            if text in columns:
                continue
            after = self.taking.typed(reached.answers, spot, column, text)
            if after.kind == "broke" and text in offers:
                breaks = breaks or text
            if after.kind != "column":
                continue
            now = self.dialogue.situation(after.answers, (spot, self.player.rules.after(spot, column)))
            if now is not None and now.position == spot.position:
                return text
            if now is not None:
                came[text] = now
        return self._half(came, offers, spot, self.player.rules.after(spot, column)) or breaks

    @staticmethod
    def _half(came: Mapping[str, Spot], offers: Collection[str], spot: Spot, after: Spot) -> str:
        """The answer that gives the turn back but leaves the piece; not where any wrong answer does, which then costs the turn."""
        back = [text for text, state in came.items() if state == Spot(after.position, spot.mover) and text in offers]
        return back[0] if back and any(state == after for state in came.values()) else ""

    def _not_offered(self, game: Game, reached: Reached, spot: Spot, column: int) -> None:
        game.saw("undoable")
        # a program may still print “0 to undo the last move”, and then refuse 0
        message = f"after column {self.dialogue.label(column)} the player may take the move back, but we found nothing that does so"
        # A program that asks behind some pieces alone, as by the row of the piece, may keep to the limit and to first moves there.
        asks = any(role.kind == "offer" and role.undo is not None for role in self.dialogue.roles.values())
        after = self.player.rules.after(spot, column)
        self.player.charge(game, "undo-not-asked", message, reached.run, after.position, stops=asks)
