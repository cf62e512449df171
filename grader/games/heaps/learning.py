"""A program in words of its own is played a few times, well and badly, and with answers that it must refuse.

The heaps that it shows tell what came of each answer. So each text is kept together with what was true of it, and words are
learned from that (`grader.games.heaps.words`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, islice
from random import Random

from grader.games.heaps.corrections import NOTHING_SET, Corrections
from grader.games.heaps.duel import COMPUTER, USER, Duel, Typed
from grader.games.heaps.entry import Entry, find, told, walked
from grader.games.heaps.facing import AGAIN, COUNT, MOVE, SIZE
from grader.games.heaps.hearing import END, LEAD, Talk
from grader.games.heaps.moving import between, legal, less
from grader.games.hear.display import Heaps, beside
from grader.games.hear.runs import Answers, Runs
from grader.games.hear.slots import LEVELS
from grader.values import dataclass

MATCHES, GAMES = 3, 4
"""Matches, and games in each, where a program offers further games."""

LONE_GAMES = 10
"""Games of a program whose heaps are typed."""

MOST_ANSWERS = 60
"""Maximum answers in one match."""

MOST_SOLVED = 15
"""Winning moves are looked for where no heap is larger: a program that adds stones may show heaps without end."""

MOST_TELLINGS, ENOUGH_ENDS = 4, 4
"""Maximum ways to read told moves, and the games that must end exactly when no stone is left, as they do under the right way."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """A text of a program up to its next question, and what was true then.

    ``rest`` are the heaps after the user's move, none where there was no such; ``move`` is the computer's, as heap (from 0) and
    number. ``winner`` is who took the last stone, ``starter`` who begins, both empty if that did not come about; ``wins``
    are those of the user and of the computer. ``wrong`` says that it answers what must be refused.
    """

    text: str
    rest: Heaps = ()
    move: tuple[int, int] | None = None
    winner: str = ""
    starter: str = ""
    wins: tuple[int, int] = (0, 0)
    wrong: bool = False


class Player:
    """Plays a program, and keeps what it said with what was true then."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.utterances: list[Utterance] = []
        self.waits: list[tuple[Answers, Heaps]] = []
        """A moment in which the user was asked for a move, and the heaps then."""
        self.mixed = False
        """Whether the question for a move seems to be asked behind a game: it may be that for another game in the same words."""
        self._ends: list[Answers] = []
        self.ends: list[bool] = []
        """For each end of a game, by the heaps or for the program, whether it was one for both."""

    def play(self) -> None:
        """All games, and then the answers that must be refused."""
        if self.talk.duel.sizes:
            for number in range(LONE_GAMES):
                starts = self.talk.duel.starts
                self._match(starts[number % len(starts)], number, 1)
        else:
            for number in range(MATCHES):
                self._match(self.talk.duel.starts[0], number, GAMES)
        self._wrong_answers()
        slots = self.talk.entry.display.slots
        self.utterances = [replace(one, text=beside(one.text, slots)) for one in self.utterances]

    def _match(self, start: Heaps, number: int, games: int) -> None:
        talk, duel = self.talk, self.talk.duel
        random = Random(number)
        answers, start = talk.entry.opening(duel, start), talk.entry.start or start
        run = talk.runs.run(answers)
        text, wins, well, begins = run.output, (0, 0), number % 2 == 0, True
        rest: Heaps = ()
        before: Heaps = ()
        for _ in range(MOST_ANSWERS):
            boards = talk.shown(run, text, rest or before or start, before or start)
            is_refused = bool(before and rest and set(boards) == {before}) and talk.kind(run, before) == MOVE
            if is_refused:  # though the move was legal
                self.utterances.append(Utterance(text, wrong=True))
                rest, boards = (), [before]
                heaps, move, winner = before, None, ""
            else:
                heaps, move, winner = self._after(rest or before or start, boards, user=bool(rest))
            if run.ending is None and talk.kind(run, () if winner else heaps) == LEAD:
                answers = (*answers, talk.leads[talk.key(run.output)])
                run = talk.runs.run(answers)
                text += "\n" + run.output
                continue
            kind = talk.kind(run, () if winner else heaps)
            if winner:
                wins = (wins[0] + (winner == USER), wins[1] + (winner == COMPUTER))
            starter = "" if not begins else COMPUTER if move else USER
            if rest or begins:
                self.utterances.append(Utterance(text, rest, move, winner, starter, wins))
            games -= bool(winner)
            if winner or kind in (AGAIN, END, ""):
                self.ends.append(bool(winner) and kind in (AGAIN, END))
            begins = False
            self.mixed |= bool(winner) and kind in (MOVE, COUNT)
            if kind == AGAIN:
                self._ends.append(answers)
            if kind == AGAIN and winner and games > 0:
                answers = (*answers, talk.yes)
                run = talk.runs.run(answers)
                text, rest, before, begins, well = run.output, (), (), True, not well
            elif kind == MOVE and not winner and legal(heaps):
                self.waits.append((answers, heaps))
                before = heaps
                moves = (duel.game.winning(heaps) if well and max(heaps) <= MOST_SOLVED else ()) or legal(heaps)
                move = moves[int(random.random() * len(moves))]
                parts = talk.entry.manner.takes(*move)
                waits = len(run.turns)
                answers = (*answers, *parts)
                run = talk.runs.run(answers)
                text = "\n".join(run.turns[waits:])
                rest = less(heaps, move)
            else:
                break

    def _after(self, rest: Heaps, boards: Sequence[Heaps], *, user: bool) -> tuple[Heaps, tuple[int, int] | None, str]:
        """The heaps at a question, the move of the computer before, and who has won by then.

        A program that takes another number than was typed is believed: it plays on with what it shows.
        """
        if user and boards and boards[0] != rest and not between(rest, boards[0]):
            rest = boards[0]
        if user and not any(rest):
            return rest, None, USER
        last = boards[-1] if boards else ()
        if last and (move := between(rest, last)):
            return last, move, "" if any(last) else COMPUTER
        if user and last in ((), rest) and sum(map(bool, rest)) == 1:  # the last move of a game need not be shown
            at = next(heap for heap, n in enumerate(rest) if n)
            return tuple(0 for _ in rest), (at, rest[at]), COMPUTER
        return last or rest, None, ""

    # ------------------------------------------------------------------------------------- what must be refused

    def _wrong_answers(self) -> None:
        talk, duel = self.talk, self.talk.duel
        for answers, heaps in self.waits[:1] + self.waits[2:5:2]:
            too_many = ((label, str(n + 1)) for label, n in zip(duel.labels, heaps, strict=True))
            for move in (*duel.illegal, *too_many):
                self._keep_refusal(answers, heaps, move)
        if duel.sizes:
            self._wrong_text(talk.entry.lead, "-1", ())
        for answers in self._ends[:2]:
            for text in ("p", "x"):
                self._wrong_text(answers, text, ())

    def _wrong_text(self, answers: Answers, text: str, heaps: Heaps) -> None:
        run = self.talk.runs.run((*answers, text))
        if run.ending is None and self.talk.kind(run, heaps) in (AGAIN, SIZE):
            self.utterances.append(Utterance(run.output, wrong=True))

    def _keep_refusal(self, answers: Answers, heaps: Heaps, move: Typed) -> None:
        """Keep the text behind an illegal move, if it is refused: the heaps stay, and a move is asked for again."""
        talk = self.talk
        text, number = "", 0
        for number, part in enumerate(talk.entry.manner.typed(move), 1):
            answers = (*answers, part)
            run = talk.runs.run(answers)
            text += "\n" + run.output
            if talk.kind(run, heaps, move[0], number) != COUNT:
                break
        same = all(board == heaps for board in talk.shown(run, text, heaps))
        if same and run.ending is None and talk.kind(run, heaps, move[0], number) in (MOVE, COUNT):
            self.utterances.append(Utterance(text, wrong=True))


def played(runs: Runs, duel: Duel, corrections: Corrections = NOTHING_SET) -> Player | None:
    """A player who has played a program; None if none of three witnesses knows the heaps.

    They are the heaps that it shows, else the moves that it tells, else what it accepts and refuses. The settings of
    staff for the way into it are left out if they lead to no way, one of them before all.
    """
    return corrections.tried(lambda some: _play(runs, duel, some))


def _play(runs: Runs, duel: Duel, corrections: Corrections) -> Player | None:
    visible = find(runs, duel, corrections)
    if visible is not None:
        return _player(runs, duel, visible, corrections)
    if corrections.heaps:
        return None  # a person has seen where they are shown
    entries = chain(islice(told(runs, duel, corrections), MOST_TELLINGS), walked(runs, duel, corrections))
    players = (_player(runs, duel, entry, corrections) for entry in entries)
    return next((one for one in players if len(one.ends) >= ENOUGH_ENDS and all(one.ends)), None)


def _player(runs: Runs, duel: Duel, entry: Entry, corrections: Corrections) -> Player:
    """A player of the program, who tells its questions apart by as few last lines as possible."""
    players: list[Player] = []
    # A program asked for a move and for another game in the same words, and was charged with playing on.
    # Further lines above the question tell the two apart.
    for level in LEVELS:
        talk = Talk(runs, duel, entry, level, tries=() if corrections.yes is None else (corrections.yes,))
        talk.know()
        players.append(Player(talk))
        players[-1].play()
        if not players[-1].mixed:
            break
    player = players[0] if players[-1].mixed else players[-1]
    if corrections.yes is not None and player.talk.yes != corrections.yes:
        corrections.refuse("yes", "no other game begins after it")
    return player
