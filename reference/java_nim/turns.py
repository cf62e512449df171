"""Turns of java-nim: events of the facts that its spec reads."""

from __future__ import annotations

from dataclasses import replace

from grader.checks.facts import Fact
from grader.games.event import COMPUTER, USER, Acting, Event, Named, Refused, Shown, Told
from grader.games.referee import Heard

ROWS = 3
_WINNERS = {"user-wins": USER, "computer-wins": COMPUTER, "end-word": None}
_ROW_FACTS = ("row", "numbered-row")
_MOST_MATCHES = 200
"""No row of these games is longer: whatever is printed beyond that is read as so many."""


def stated(heard: Heard) -> tuple[Event, ...]:
    """The events of the facts of a turn.

    A row that comes again begins a new board, which is shown where it begins; a row that is left out is empty. If the
    program ended in the middle of a board, or only refuses an answer, a board with rows left out says nothing.
    """
    found: list[Event | dict[int, int]] = []
    board: dict[int, int] = {}
    for before, fact in zip((None, *heard.facts), heard.facts, strict=False):
        if fact.name not in _ROW_FACTS:
            found.append(_event(fact))
            continue
        row, matches = fact.number("row"), fact.number("matches")
        if fact == before or row is None or matches is None:  # a line may be printed twice
            continue
        if not board or row in board:
            board = {}
            found.append(board)
        board[row] = min(matches, _MOST_MATCHES)
    # “Not so many: 3. Reihe: |||||” was taken for three rows with two empty ones, and the refusal for none.
    only_refused = {fact.name for fact in heard.facts} - {*_ROW_FACTS} == {"refusal"}
    cut = board if len(board) < ROWS and (heard.ended or only_refused) else None
    return tuple(_shown(one) if isinstance(one, dict) else one for one in found if one is not cut)


def odd_labels(heard: Heard) -> tuple[int, ...]:
    """The names of the three rows that a turn draws, from above; none if they are 1, 2 and 3, or more or fewer rows are drawn."""
    labels = tuple(fact.number("row") or 0 for fact in heard.facts if fact.name in _ROW_FACTS)
    return labels if len(labels) == ROWS and set(labels) != {1, 2, 3} else ()


def called_by_place(heard: Heard, labels: tuple[int, ...]) -> Heard:
    """The turn in which rows that are called so, one below the other, have the numbers of their places."""
    facts = list(heard.facts)
    at = 0
    while labels and at + ROWS <= len(facts):
        rows = facts[at : at + ROWS]
        if tuple(one.number("row") if one.name in _ROW_FACTS else None for one in rows) != labels:
            at += 1
            continue
        facts[at : at + ROWS] = [
            replace(one, values={**one.values, "row": str(place)}) for place, one in enumerate(rows, 1)
        ]
        at += ROWS
    return replace(heard, facts=tuple(facts), events=())


def _shown(board: dict[int, int]) -> Shown:
    return Shown(tuple(board.get(row, 0) for row in range(1, ROWS + 1)))


def _event(fact: Fact) -> Event:
    if fact.name in _WINNERS:
        return Named(_WINNERS[fact.name])
    if fact.name == "refusal":
        return Refused()
    row, count = fact.number("row") or fact.number("which"), fact.number("count")
    return Acting() if row is None or count is None else Told(row - 1, count)
