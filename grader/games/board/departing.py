"""Programs whose pieces lie wrongly: a joint fit finds the departure from the rules that explains their boards.

If pieces do not fall by the rules, no board is found by them. The grid shows in rows that are alike, and trial games are foretold by
each departure of the family. Play then goes on by the rules with that conduct, so that all else is judged behind the one fault.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from grader.games.board.corrections import Corrections, tokens
from grader.games.board.dialogue import Dialogue, Opening, Reached
from grader.games.board.ends import FEW
from grader.games.board.faults import CLOSED, ELSEWHERE
from grader.games.board.grid_search import FEWEST_OPEN, first_moves, grids, run_behind
from grader.games.board.layout import Layout
from grader.games.board.playing import Player
from grader.games.board.rules import EMPTY, RIGHT, Conduct, Labels, Moves, PlannedGame, Rules, Spot
from grader.games.hear.picture import Picture
from grader.games.hear.runs import Answers, Runs, SpentError
from grader.games.learn.fit import Departures, Foretold, Number, fit
from grader.games.learn.questions import last_line
from grader.games.learn.way import with_names
from grader.games.referee import Tables
from grader.values import dataclass

SURE = 2
"""Boards that must be wrong by the rules, and boards that must be right by a departure, before it is believed."""

DRAWN = 600
"""Games that are drawn to find lines by a conduct. If all pieces have one mark, most end with a line across or upwards, and few on a slant."""

QUIET = 4
"""Games without a line. If all pieces fall into one column, games end with the sixth piece, and cases want to see twenty."""

NAMED = 2
"""A question that names a player, and always the same, though the players take turns, counts as so many wrong waits: it is no habit."""

LEARNED = 8
"""Moves of a trial game in columns that take pieces."""

PLAYED = {"move", "moved", "board"}
"""The occasions that show that a game is played at all, though pieces lie wrongly in it."""

MEANINGS = {"mover": 0.0}
"""The meaning of a question: which of the players moves."""

_RANGE = re.compile(r"\w\s?(?:-|–|\.\.|to)\s?\w\b")


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The rules that a program plays: its departures, and the shortest game that shows them, with the position that is ``due`` behind its last ``move``."""

    departures: Departures
    game: Reached
    due: str
    move: int


def departed(rules: Rules, runs: Runs, corrections: Corrections) -> tuple[Opening, Diagnosis] | None:
    """The opening of a program whose pieces lie wrongly, and why; None if no departure explains its boards, or no further run is made."""
    try:
        return _departed(rules, runs, corrections)
    except SpentError:
        return None


def _departed(rules: Rules, runs: Runs, corrections: Corrections) -> tuple[Opening, Diagnosis] | None:
    right: set[Answers] = set()
    for answers, name, labels, layout, picture in grids(rules, runs, corrections):
        trials = _Trials(rules, runs, layout, picture, labels, corrections, answers, rules.trials)
        # If 1 to 7 put the first pieces rightly, all lie a column aside for a player who types 0 to 6.
        if answers in right:
            continue
        right |= {answers} if trials.foretold((), 0) else set()
        rows = trials.departures()
        own = tuple(one for one in rows if one.field == "leads")
        if own:  # what is asked behind a piece is learned in columns that take pieces
            quiet, *_ = _game_by_lot(trials.dialogue(own).rules, Random(0), quiet=True)
            trials = replace(trials, games=(quiet[:LEARNED], *trials.games))
        result = fit(rows, trials.foretold, MEANINGS, known=corrections.rules)
        if result is None or not result.best.departures or not result.is_sure:
            continue
        departures = result.best.departures
        refuses = any(one.charge == "refused-legal" for one in departures)
        wrong = [
            one for one in trials.wrong(departures) if refuses == _is_refused(one[0].board, one[1], refuses=refuses)
        ]
        if len(wrong) < SURE:
            continue
        variant = with_names(runs, answers)
        trials = replace(trials, answers=variant)
        dialogue = trials.dialogue(departures)
        dialogue.rules = replace(dialogue.rules, games=_games(dialogue.rules))
        return Opening(variant, name, dialogue, "A"), Diagnosis(departures, *wrong[0])
    return None


def _is_refused(board: str | None, due: str, *, refuses: bool) -> bool:
    """Whether a piece is refused: no board is shown, or, by a program that ``refuses`` pieces, one with fewer of them than are due."""
    return board is None or (refuses and board.count(EMPTY) > due.count(EMPTY))


def _games(rules: Rules) -> list[PlannedGame]:
    """Games by the conduct of a program, since those of the plan are made for the rules: without a line, and each line by each player."""
    random, came = Random(0), Counter[tuple[str, str]]()
    games: list[PlannedGame] = [(_game_by_lot(rules, random, quiet=True)[0], {}) for _ in range(QUIET)]
    for _ in range(DRAWN):
        moves, mover, lines = _game_by_lot(rules, random)
        if len(lines) == 1 and came[lines[0], mover] < FEW:
            came[lines[0], mover] += 1
            games.append((moves, {}))
    return games


def _game_by_lot(rules: Rules, random: Random, *, quiet: bool = False) -> tuple[Moves, str, tuple[str, ...]]:
    """The moves of a game by lot, who made the last one, and the lines that it made; a ``quiet`` game goes on as long as none is made."""
    spot, mover, moves, lines = Spot(rules.start, "A"), "", list[int](), tuple[str, ...]()
    while not lines and len(moves) < len(rules.start):  # a program whose pieces replace others goes on for ever
        legal = [move for move in rules.moves if rules.lands(spot.position, move) is not None]
        legal = [move for move in legal if rules.quiet(spot, move)] if quiet else legal
        if not legal:
            break
        mover = spot.mover
        moves.append(random.choice(legal))
        spot = rules.after(spot, moves[-1])
        lines = rules.made(spot.position, moves[-1])
    return tuple(moves), mover, lines


@dataclass(frozen=True, slots=True)
class _Trials:
    """The trial games of one program, foretold by one conduct or another."""

    rules: Rules
    runs: Runs
    layout: Layout
    picture: Picture
    labels: Labels
    corrections: Corrections
    answers: Answers
    games: Sequence[Moves]

    def departures(self) -> Departures:
        """The departures of the family, where columns lead elsewhere by what the first piece in each of them shows."""
        leads = self._leads()
        closed = -1 in leads
        others = [at for at, column in enumerate(leads) if column not in (at, -1)]
        # Each column in a place of its own: other labels may be meant.
        fits = FEWEST_OPEN <= len({*leads} - {-1}) < len(leads) and not (closed and others)
        kind = CLOSED if closed else ELSEWHERE
        rows = (replace(one, value=leads) if one.value == kind else one for one in self.rules.departures)
        return tuple(one for one in rows if one.field != "leads" or (fits and one.value == leads))

    def _leads(self) -> Moves:
        """The column in which the first piece of each column lies, or -1 if none is shown; empty if it lies in none of them."""
        leads: list[int] = []
        for moves in first_moves(self.rules)[0]:
            run = run_behind(self.runs, self.answers, self.labels, moves)
            board = "".join(self.layout.boards(self.picture.text(run.output))[-1:])
            if not board.strip(EMPTY):
                leads.append(-1)
            elif len(board.replace(EMPTY, "")) > 1 or board.find(board.strip(EMPTY)) % self.rules.rows:
                return ()
            else:
                leads.append(board.find(board.strip(EMPTY)) // self.rules.rows)
        return tuple(leads)

    def dialogue(self, departures: Departures) -> Dialogue:
        """The program as it is talked to by these rules."""
        parts: dict[str, Any] = {one.field: one.value for one in departures}
        rules = replace(self.rules, conduct=Conduct(**parts) if parts else RIGHT)
        return Dialogue(rules, self.runs, self.layout, self.picture, self.labels, self.corrections)

    def foretold(self, departures: Departures, most: int) -> Foretold | None:
        """The trial games beside these rules, up to where more than ``most`` waits come otherwise; None if a first piece lies elsewhere."""
        dialogue = self.dialogue(departures)
        right = wrong = 0
        prompts: list[tuple[str, str]] = []
        for number, moves in enumerate(self.games):
            steps = list(self._steps(dialogue, moves))
            came = [fits for *_, fits in steps]
            if not number and not any(came):
                return None
            right += sum(came)
            wrong += 0 if came[-1:] == [True] else len(moves) - sum(came)  # nothing behind a wrong board is foretold
            if wrong > most:
                return Foretold(wrong, right, list)
            waits = [(spot.mover, reached) for _, spot, reached, fits in steps if fits and reached.kind == "column"]
            prompts += [(mover, last_line(reached.run.output)) for mover, reached in waits]
        texts = list(dict.fromkeys(text for _, text in prompts))
        numbers = [
            Number("question", "question", texts.index(text), {"mover": int(mover != prompts[0][0])})
            for mover, text in prompts
        ]
        silent = len(texts) == 1 and self._names(texts[0]) and len({mover for mover, _ in prompts}) > 1
        return Foretold(wrong + (NAMED if silent else 0), right, lambda: numbers)

    def wrong(self, departures: Departures) -> list[tuple[Reached, str, int]]:
        """The trial games up to a move behind which the rules have another board, with that board and the move; the shortest first.

        They are played as the ``departures`` have them: by the rules nobody goes on if every second column breaks the program.
        """
        dialogue = self.dialogue(departures)
        wrong = []
        for moves in self.games:
            due = Spot(self.rules.start, "A")
            for move, _, reached, _ in self._steps(dialogue, moves):
                due = self.rules.after(due, move)
                if reached.board != due.position:
                    wrong.append((reached, due.position, move))
                    break
        return sorted(wrong, key=lambda one: len(one[0].answers))

    def _steps(self, dialogue: Dialogue, moves: Moves) -> Iterator[tuple[int, Spot, Reached, bool]]:
        """Each move of a game up to the first that comes otherwise: what is due behind it, where it led, and whether that is shown."""
        rules, answers, spot = dialogue.rules, self.answers, Spot(dialogue.rules.start, "A")
        for move in moves:
            is_refused = rules.free(spot.position, move) is None
            if not is_refused and rules.lands(spot.position, move) is None:
                return  # nobody knows what comes of a piece beside the board
            reached = dialogue.drop(answers, spot, move)
            after = spot if is_refused else rules.after(spot, move)
            right = reached.board == after.position or (is_refused and reached.board is None)
            # rules that leave the next question unknown foretell nothing
            right &= reached.kind not in ("over", "unknown") or bool(rules.made(after.position, move))
            yield move, after, reached, right
            if not right or reached.kind != "column":
                return
            answers, spot = reached.answers, after

    def _names(self, question: str) -> bool:
        """Whether a question has a mark, a name that was typed, or the number of a player."""
        names = {text for text in (*self.answers, *self.layout.marks) if text.isalpha()} | {"1", "2"}
        return not {name.casefold() for name in names}.isdisjoint(tokens(_RANGE.sub(" ", question)))


def charge(player: Player, diagnosis: Diagnosis, tables: Tables) -> None:
    """Charge the departures once, in a game of their own, and leave to a person what may follow from them.

    A kind of fault that a departure hides is left open only where such a fault was seen, or where its occasions hardly came. A line of
    the program's own board that wins is right. ``tables`` have the occasions of each kind.
    """
    games = [one for whole in player.account.games for one in (whole, *whole.forks)]
    hidden = {kind for one in diagnosis.departures for kind in one.hides}
    evidence = hidden & player.account.kinds()
    occasions = {name for kind in evidence for name in tables.occasions_of[kind]}
    occasions -= {name for kind, names in tables.occasions_of.items() if kind not in hidden for name in names} | PLAYED
    for game in games:
        game.faults = [(turn, fault) for turn, fault in game.faults if fault.kind not in hidden]
        for name in occasions:
            del game.occasions[name]
    example, rules = diagnosis.game, replace(player.rules, conduct=RIGHT)
    where = player.words.refused.format(move=player.dialogue.label(diagnosis.move))
    if example.board is not None:
        where = rules.difference(diagnosis.due, example.board, player.dialogue.labels)
    game = player.account.begin(example.run)
    if example.kind == "broke":  # a program that breaks at a second piece in a column takes one, and refuses nothing
        player.account.broke(game, example.run)
    for one in () if example.kind == "broke" else diagnosis.departures:
        player.charge(game, one.charge, f"{one.sentence}: {where}", example.run, diagnosis.due)
    player.account.leave(game, tables.occasions_of)
