"""How programs are understood that talk java-nim over in words of their own: what is learned of them, as facts of the spec."""

from __future__ import annotations

from collections.abc import Sequence

from grader.games.heaps import duel
from grader.games.heaps.duel import Event
from grader.reading.facts import Fact

from .rules import Position, Rows, best


def _stated(events: Sequence[Event]) -> tuple[Fact, ...]:
    """The facts that a program states, whatever its words."""
    return tuple(fact for event in events for fact in _facts_of(event))


def _facts_of(event: Event) -> tuple[Fact, ...]:
    match event:
        case duel.Board(heaps):
            return tuple(Fact("row", {"row": str(row), "matches": str(n)}) for row, n in enumerate(heaps, 1))
        case duel.Told(heap, count):
            return (Fact("takes-from", {"row": str(heap + 1), "count": str(count)}),)
        case duel.Turn():
            return (Fact("computer-turn"),)
        case duel.Winner(player):
            return (Fact("user-wins" if player == "user" else "computer-wins" if player else "end-word"),)
        case duel.Refusal():
            return (Fact("refusal"),)
        case _:
            return ()


def _winning(rows: Rows) -> list[tuple[int, int]]:
    return [(row - 1, count) for row, count in best(Position(rows))]


DUEL = duel.Duel(
    starts=((3, 4, 9), (7, 2, 6), (1, 2, 3), (11, 8, 5), (2, 5, 4), (6, 1, 4), (4, 6, 2)),
    sizes=True,
    labels="123",
    apart=True,
    illegal=(("4", "1"), ("0", "1"), ("1", "0"), ("2", "-1"), ("3", "99")),
    best=_winning,
    asks={"move": "row", "more": "amount", "size": "amount", "again": "again"},
    facts=_stated,
)
