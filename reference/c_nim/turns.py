"""Turns of c-nim: how it writes heaps and moves, events of the facts that its spec reads, and what only this assignment makes of them."""

from __future__ import annotations

import re

from grader.checks.facts import Fact
from grader.games.event import Asked, Begins, Event, Named, Partly, Refused, Score, Shown, Told
from grader.games.heaps.facing import AGAIN, COMPUTER, MOVE, USER, Turn
from grader.games.heaps.moving import Heaps, Move
from grader.games.referee import Heard

LETTERS = "abc"
RIGHT: Heaps = (5, 4, 3)
"""The heaps with which each game begins."""

NO_MOVE: Move = (len(LETTERS), 0)
"""A move that no text writes: of a heap that there is not."""

_MOST, _MOST_TOLD = 9, 999
"""The largest heap with which a game is followed, and the largest that is told: ten stones are too many for any heap."""


def say(move: Move) -> str:
    """A move as the assignment writes it."""
    return f"{chr(ord('a') + move[0])}{move[1]}"


def tell(heaps: Heaps) -> str:
    """Heaps in words."""
    return ", ".join(f"{letter.upper()} {n}" for letter, n in zip(LETTERS, heaps, strict=True))


def move_of(text: str) -> Move:
    """A typed or told move, which need not be legal; ``NO_MOVE`` where it is no letter followed by a number that can be one."""
    found = re.fullmatch(r"\s*([a-z])\s*([+-]?\d{1,18})\s*", text, re.IGNORECASE | re.ASCII)
    return (ord(found[1].lower()) - ord("a"), int(found[2])) if found else NO_MOVE


def begins(turn: Turn) -> bool:
    """Whether a game is seen to begin."""
    return turn.starter is not None or bool(turn.claim or turn.boards)


def passes(turn: Turn) -> bool:
    """Whether a question was passed without waiting: one for a move before the offer of another game, or that offer itself.

    A refusal there concerns an answer, and not the move before it.
    """
    if Asked(AGAIN) not in turn.events:
        return False
    behind = turn.events[turn.events.index(Asked(AGAIN)) :]
    return Asked(MOVE) in turn.events or Refused() in behind


def stated(heard: Heard) -> tuple[Event, ...]:
    """The events of the facts of a turn. Heaps are shown line by line; where a line is missing, only a part of them is shown."""
    found: list[Event] = []
    board: dict[str, int] = {}
    for before, fact in zip((None, *heard.facts), heard.facts, strict=False):
        if fact == before and fact.name == "heap":
            continue  # a line that is printed twice
        if board and (fact.name != "heap" or fact.values["heap"] in board):
            found.append(Partly())
            board = {}
        if fact.name != "heap":
            found.append(_event(fact))
            continue
        stones = fact.number("stones")
        board[fact.values["heap"]] = _MOST_TOLD if stones is None else min(stones, _MOST_TOLD)
        if len(board) == len(LETTERS):
            found.append(Shown(tuple(board[letter] for letter in LETTERS)))
            board = {}
    return (*found, Partly()) if board else tuple(found)


def _event(fact: Fact) -> Event:
    match fact.name:
        case "move":
            return Told(*_announced(fact))
        case "starter":
            return Begins(_player(fact))
        case "winner":
            return Named(_player(fact))
        case "score":
            return Score(_player(fact), fact.number("wins"))
        case "refusal":
            return Refused()
        case _:
            return Asked(AGAIN if fact.name == "again" else MOVE)


def follows(heaps: tuple[int, ...]) -> bool:
    """Whether a game can be followed from these heaps."""
    return any(heaps) and all(0 <= stones <= _MOST for stones in heaps)


def _player(fact: Fact) -> int:
    """The player that a fact names, by number or in a word; “you lose” names the computer, and player 0 is nobody who plays."""
    numbers = [number for group in ("player", "named") if (number := fact.number(group)) is not None]
    return numbers[0] if numbers else USER if fact.values.get("name") in ("you", "human", "user") else COMPUTER


def _announced(fact: Fact) -> Move:
    """The move of the computer that is told; one of a heap that there is not, or of no number, is no legal one."""
    groups = fact.values
    return move_of(f"{groups.get('heap') or groups.get('pile')}{groups.get('count') or groups.get('number')}")
