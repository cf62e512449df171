"""c-nim as a game of heaps in the words of its assignment: its faults, their occasions, and the match that its games make."""

from __future__ import annotations

from typing import NamedTuple

from grader.games.heaps.duel import Duel
from grader.games.heaps.facing import COMPUTER, USER, HeapsGame, State
from grader.games.heaps.moving import balancing, legal

from .turns import LETTERS, RIGHT, say, stated, tell

OCCASIONS = {
    "moved": "legal moves of the user that were accepted and carried out",
    "other-heap": "whole turns after accepted moves in a second heap",
    "reply": "turns of the computer",
    "won": "turns of the computer with a winning move",
    "lost": "turns of the computer without a winning move",
    "start": "games that began",
    "heaps": "heaps shown after a move",
    "asked": "moves asked for",
    "small": "legal moves with a small letter",
    "capital": "legal moves with a capital letter",
    "end": "games that came to an end",
    "win": "games whose winner was told",
    "score": "scores of both players",
    "first": "first games",
    "after-1": "games after one that the user won",
    "after-2": "games after one that the computer won",
    "letter": "moves with a letter that no heap has",
    "zero": "moves of no stones",
    "negative": "moves of a negative number of stones",
    "too-many": "moves of more stones than the heap holds",
    "refusal": "illegal moves that were refused",
    "yes": "answers y and Y",
    "no": "answers n and N",
    "answer": "answers that are neither y nor n",
}
OCCASIONS_OF = {
    "illegal-move": ("reply",),
    "poor-move": ("won",),
    "wrong-stall": ("lost",),
    "wrong-board": ("heaps",),
    "wrong-start": ("start",),
    "wrong-winner": ("win",),
    "no-winner": ("end",),
    "plays-on": ("end",),
    "ended-early": ("end",),
    "never-asks": ("end",),
    "wrong-score": ("score",),
    "no-score": ("end",),
    "wrong-starter": ("first", "after-1", "after-2"),
    "letter-taken": ("letter",),
    "zero-taken": ("zero",),
    "negative-taken": ("negative",),
    "too-many-taken": ("too-many",),
    "carried-out": ("refusal",),
    "turn-lost": ("refusal",),
    "no-message": ("refusal",),
    "no-board": ("asked",),
    "no-starter": ("start",),
    "untold-move": ("reply",),
    "refused-legal": ("small", "capital"),
    "answer-refused": ("yes", "no"),
    "read-twice": ("asked",),
    "answer-taken": ("answer",),
    "does-not-stop": ("no",),
    "bad-end": ("no",),
    "own-words": ("asked",),
    "same-boards": ("moved",),
}
FAULTS = tuple(OCCASIONS_OF)

AFTER_DOUBT = frozenset({"no-winner", "end", "asked", "moved", "other-heap"})
"""Faults that are judged after wrong heaps: a program's play with its own heaps follows from them, but its next game is judged."""

WHY = {
    "letter": "the heaps are A, B and C",
    "zero": "the number of stones must be greater than 0",
    "negative": "the number of stones must be greater than 0",
    "too-many": "the heap does not hold so many stones",
    "answer": "only y and n are answers, in either case",
}
"""Why each kind of wrong answer is wrong."""
GAME = HeapsGame(
    stated=stated,
    occasions_of=OCCASIONS_OF,
    occasions=OCCASIONS,
    tell=tell,
    say=say,
    things="stones",
    players={USER: "player 1", COMPUTER: "player 2"},
    why=WHY,
    winning=balancing,
    stall=lambda heaps: legal(heaps)[0],
    told_first=True,
    again=True,
    after_doubt=AFTER_DOUBT,
    repeats="retry",
)
DUEL = Duel(
    game=GAME,
    starts=(RIGHT,),
    labels=LETTERS,
    illegal=(("d", "4"), ("a", "0"), ("b", "-1"), ("c", "9"), ("x", "1")),
    names={"player 1": "user", "player 2": "program"},
    untold="untold-move",
    unshown="no-board",
    oddly="refused-legal",
    yes="answer-refused",
    unlike="own-words",
)


class Match(NamedTuple):
    """The referee's memory of the games so far.

    ``starter`` must start the next game, 0 where a mistake leaves that open. ``wins`` are those of the user and of the computer, None where
    a mistake leaves them open. ``games`` are those that are over. ``stopped`` says that the user wants no more games, and
    ``well`` that the user plays the first game well, and then every second one. ``credited`` says that the score gave the last game to
    its loser, and ``exchanged`` that the other player moved first than the program said, as had to be.
    """

    starter: int = USER
    wins: tuple[int | None, int | None] = (0, 0)
    games: int = 0
    stopped: bool = False
    well: bool = False
    credited: bool = False
    exchanged: bool = False

    def after(self, winner: int) -> Match:
        """The match after a game: it is counted, and its loser starts the next. Nobody has won where a mistake leaves that open."""
        user, computer = self.wins
        wins = (_more(user, winner == USER), _more(computer, winner == COMPUTER)) if winner else (None, None)
        return self._replace(starter=3 - winner if winner else 0, wins=wins, games=self.games + 1)


def _more(wins: int | None, more: bool) -> int | None:
    return None if wins is None else wins + more


START = State(seen=True, own=Match())
STARTS = (START, START._replace(own=Match(well=True)))
"""The user plays the second game of one match well, and the first of the next: some programs play only one."""
