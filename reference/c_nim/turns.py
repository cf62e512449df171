"""What a program says in a turn of c-nim, by the facts that its spec reads."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from grader.games.heaps.facing import AGAIN, COMPUTER, MOVE, USER, Turn
from grader.games.heaps.moving import Heaps, Move
from grader.games.referee import Heard
from grader.reading.facts import Fact

from .rules import LETTERS, canonical

_ASKS = {"move": MOVE, "again": AGAIN}
_MOST = 9
"""The largest heap with which a game is followed: ten stones are too many for any heap."""


class Said(NamedTuple):
    """A turn, and what only c-nim tells: who starts (0 where that is not said), the wins of each player, how many moves were told.

    ``passes`` says that a question was passed without waiting: one for a move before the offer of another game, or that offer itself.
    What is refused there is an answer, and not the move before it.
    ``after_own`` says that a message stands right behind the move of the computer, which it calls invalid.
    """

    turn: Turn
    starter: int = 0
    wins: tuple[tuple[int, int | None], ...] = ()
    moves: int = 0
    passes: bool = False
    after_own: bool = False

    @property
    def begins(self) -> bool:
        """Whether a game is seen to begin."""
        return bool(self.starter or self.turn.told or self.turn.boards)


def said(heard: Heard, asked: str) -> Said:
    """What was said; a mere “try again” asks for what was ``asked`` before."""
    facts = heard.facts
    boards: list[Heaps] = []
    board: dict[str, int] = {}
    told: list[Move] = []
    own = starter = 0
    partly = False
    for before, fact in zip((None, *facts), facts, strict=False):
        if fact == before and fact.name == "heap":
            continue  # a line that is printed twice
        if 0 < len(board) < len(LETTERS) and (fact.name != "heap" or fact.values["heap"] in board):
            partly = True
        if board and (fact.name != "heap" or fact.values["heap"] in board):
            board = {}
        if fact.name == "heap":
            stones = fact.number("stones")
            board[fact.values["heap"]] = _MOST + 1 if stones is None else min(stones, _MOST + 1)
            if len(board) == len(LETTERS):
                boards.append(tuple(board[letter] for letter in LETTERS))
        elif fact.name == "move":
            own = own if told else len(boards)
            told.append(announced(fact))
        elif fact.name == "starter":
            starter = starter or player(fact)
    names = [fact.name for fact in facts]
    turn = Turn(
        tuple(boards),
        own,
        told[0] if told else None,
        bool(told or starter),
        (asked or MOVE) if heard.question == "retry" else _ASKS.get(heard.question or "", ""),
        None,
        frozenset(player(fact) for fact in facts if fact.name == "winner"),
        "somebody-wins" in names,
        "refusal" in names,
        heard.ended,
        partly=partly or 0 < len(board) < len(LETTERS),
    )
    wins = tuple((player(fact), fact.number("wins")) for fact in facts if fact.name == "score")
    passes = "again" in names and ("ask" in names or "refusal" in names[names.index("again") :])
    after_own = ("move", "refusal") in pairwise(names)
    return Said(turn, starter, wins, len(told), passes, after_own)


def follows(heaps: Heaps) -> bool:
    """Whether a game can be followed from these heaps."""
    return any(heaps) and all(0 <= stones <= _MOST for stones in heaps)


def player(fact: Fact) -> int:
    """The player that a fact names, by number or in a word; “you lose” names the computer."""
    number = fact.number("player") or fact.number("named")
    return number or (USER if fact.values.get("name") in ("you", "human", "user") else COMPUTER)


def announced(fact: Fact) -> Move:
    """The move of the computer that is told; one of a heap that there is not, or of no number, is no legal one."""
    groups = fact.values
    move = canonical(f"{groups.get('heap') or groups.get('pile')}{groups.get('count') or groups.get('number')}")
    return (ord(move[0]) - ord("a"), int(move[1:])) if move else (len(LETTERS), 0)
