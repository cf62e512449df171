"""Exploring programs that play on a board that fills, by the rules of one game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

from grader.games.board.corrections import Corrections, rows
from grader.games.board.departing import Diagnosis, charge, departed
from grader.games.board.dialogue import Opening
from grader.games.board.ends import Account
from grader.games.board.faults import ENDS
from grader.games.board.idle import playless
from grader.games.board.lessons import learned, refused, unread
from grader.games.board.misplacing import misplaced
from grader.games.board.opening import UnreadError, opened
from grader.games.board.playing import Player
from grader.games.board.result import ruled
from grader.games.board.rules import DIRECTIONS, Rules
from grader.games.board.starting import chosen, started
from grader.games.follow.study import Study
from grader.games.hear.runs import Runs, SpentError
from grader.games.learn.table import NO_RULES, RULES, rules_lesson, settings
from grader.games.referee import CRASH, Tables
from grader.results import Lesson
from grader.values import dataclass

MOST_HUNG = 10
"""Maximum games of the plan that may never end: more show no more, and runs are left for wrong answers and moves taken back."""

Aside = Callable[[Player], Iterable[Lesson]]
"""Plays the games of a family that are not in its plan, such as those with wrong answers; yields lessons of what it found there."""


@dataclass(frozen=True)
class BoardMethod:
    """The way to explore programs of one game on a board that fills.

    ``variant`` is a sentence that a program plays another game, and empty if it plays this one; ``note`` names a rule that it has wrong.
    ``aside`` plays more than the plan. With ``random_start`` either player must be able to begin.
    """

    rules: Rules
    tables: Tables
    aside: Aside
    variant: Callable[[Opening], str] = lambda _opening: ""
    note: Callable[[Opening], str] = lambda _opening: ""
    random_start: bool = False

    def explore(self, runs: Runs, corrections: Mapping[str, str]) -> Study:
        """Play a program and rule on it."""
        rules = self.rules
        set_parts = settings(Corrections, rows(rules), corrections)
        if set_parts.rules:
            result = departed(rules, runs, set_parts)
            if result is not None:
                return self._study(runs, *result)
            set_parts.refuse(RULES, NO_RULES)
            set_parts = replace(set_parts, rules=None)
        try:
            opening = opened(rules, runs, set_parts)
        except (UnreadError, SpentError) as error:
            # first a departure: a program that refuses a second piece in a column also seems to play nothing
            result = departed(rules, runs, set_parts) if isinstance(error, UnreadError) else None
            if result is not None:
                return self._study(runs, *result)
            games = (
                misplaced(rules, self.tables, runs, set_parts) if isinstance(error, UnreadError) else None
            ) or playless(rules, runs)
            if games is None and isinstance(error, SpentError):
                raise
            return Study((), unread(rules, runs, set_parts), str(error)) if games is None else Study(games)
        other = self.variant(opening)
        return Study((), refused(opening), other) if other else self._study(runs, opening)

    def _study(self, runs: Runs, opening: Opening, diagnosis: Diagnosis | None = None) -> Study:
        """Play the games of the plan and those of the family, by the rules that the program plays, and rule on them."""
        rules = opening.dialogue.rules
        note = "" if diagnosis else self.note(opening)
        account = Account(partial(rules.drawn, labels=opening.dialogue.labels, signs=opening.dialogue.signs))
        player = Player(opening, account)
        special: tuple[Lesson, ...] = ()
        with account.as_far_as_runs_go(runs):
            player.hangs()
            for moves, aside in rules.games:
                if account.hung < MOST_HUNG:
                    player.play(moves, aside)
        # Games that leave the columns alone that are wrong show more than those that break off at them.
        if diagnosis is None and account.breaks_off(len(rules.games), CRASH):
            result = departed(rules, runs, opening.dialogue.corrections)
            if result is not None:
                return self._study(runs, *result)
        with account.as_far_as_runs_go(runs):
            special = tuple(self.aside(player))
        if diagnosis:
            special += (rules_lesson([one.sentence for one in diagnosis.departures]),)
        telling = ruled(account, opening)
        with account.as_far_as_runs_go(runs):
            chosen(opening, account)
            if self.random_start:
                started(opening, account, telling)
        if diagnosis:
            charge(player, diagnosis, self.tables)
        else:
            self._leave(account)
        return Study(account.followed(), learned(opening, special, telling), notes={"other-rule": note} if note else {})

    def _leave(self, account: Account) -> None:
        """Leave two things to a person: cases hidden by faults that end nearly all games, and the ends of games if no game had one.

        If some games come to an end, the cases on ends say themselves what is hidden from them.
        """
        table = self.tables.occasions_of
        kinds = table.keys() - ENDS if account.breaks_off(len(self.rules.games)) else set()
        # A program that ends at its second piece shows no line: what nobody saw is not earned. One that ends with three in a line shows what it takes for a win.
        if not account.came((*DIRECTIONS, "full-board")) and "false-win" not in account.kinds():
            kinds |= ENDS & table.keys()
        if account.games:
            account.leave(account.games[0], {kind: table[kind] for kind in sorted(kinds)})
