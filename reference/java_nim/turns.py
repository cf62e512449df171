"""What a program says in a turn of java-nim, by the facts that its spec reads."""

from __future__ import annotations

from grader.games.heaps.facing import AGAIN, COMPUTER, COUNT, MOVE, USER, Turn
from grader.games.heaps.moving import Heaps, Move
from grader.games.referee import Heard
from grader.reading.facts import Fact

from .rules import ROWS

AMOUNTS = {"amount": 0, "amount-1": 1, "amount-2": 2, "amount-3": 3}
"""Questions for a number of matches, and the row that they name."""

_ASKS = {"row": MOVE, "move": MOVE, "again": AGAIN, **dict.fromkeys(AMOUNTS, COUNT)}
_WINNERS = {"user-wins": USER, "computer-wins": COMPUTER}
_TELLS = ("takes-from", "from-takes")
_MOST_MATCHES = 200
"""No row of these games is longer: whatever is printed beyond that is read as so many."""


def turn(heard: Heard, asked: str = "") -> Turn:
    """What was said; a question that only says “again” asks for what was ``asked`` before."""
    facts = heard.facts
    names = [fact.name for fact in facts]
    first = next((at for at, name in enumerate(names) if name in ("computer-turn", *_TELLS)), None)
    return Turn(
        boards(facts, ended=heard.ended),
        len(boards(facts[:first], ended=False)) if first is not None else 0,
        told(facts),
        first is not None,
        asked if heard.question == "repeat" else _ASKS.get(heard.question or "", ""),
        None,
        frozenset(_WINNERS[name] for name in names if name in _WINNERS),
        "end-word" in names,
        "refusal" in names,
        heard.ended,
    )


def boards(facts: tuple[Fact, ...], *, ended: bool) -> tuple[Heaps, ...]:
    """The boards that were shown. A row that comes again begins a new one; a row that is left out is empty.

    Where the program ended in the middle of a board, that one says nothing.
    """
    found: list[dict[int, int]] = []
    for before, fact in zip((None, *facts), facts, strict=False):
        if fact.name not in ("row", "numbered-row") or fact == before:  # a line may be printed twice
            continue
        row, matches = fact.number("row"), fact.number("matches")
        if row is None or matches is None:
            continue
        if not found or row in found[-1]:
            found.append({})
        found[-1][row] = min(matches, _MOST_MATCHES)
    if ended and found and len(found[-1]) < ROWS:
        found.pop()
    return tuple(tuple(board.get(row, 0) for row in range(1, ROWS + 1)) for board in found)


def told(facts: tuple[Fact, ...]) -> Move | None:
    """What the computer says that it takes."""
    for fact in reversed(facts):
        row, count = fact.number("row") or fact.number("which"), fact.number("count")
        if fact.name in _TELLS and row is not None and count is not None:
            return row - 1, count
    return None
