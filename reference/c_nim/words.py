"""How programs are understood that talk c-nim over in words of their own: what is learned of them, as facts of the spec."""

from __future__ import annotations

from collections.abc import Sequence

from grader.games.heaps import duel
from grader.games.heaps.duel import Event
from grader.reading.facts import Fact

from .rules import COMPUTER, LETTERS, SOLVER, USER, Position


def _stated(events: Sequence[Event]) -> tuple[Fact, ...]:
    """The facts that a program states, whatever its words."""
    return tuple(fact for event in events for fact in _facts_of(event))


_PLAYERS = {"user": USER, "program": COMPUTER}


def _facts_of(event: Event) -> tuple[Fact, ...]:
    match event:
        case duel.Board(heaps):
            return tuple(Fact("heap", {"heap": heap, "stones": str(n)}) for heap, n in zip(LETTERS, heaps, strict=True))
        case duel.Told(heap, count):
            return (Fact("move", {"heap": LETTERS[heap : heap + 1] or "?", "count": str(count)}),)
        case duel.Starts(player):
            return (Fact("starter", {"player": str(_PLAYERS[player])}),)
        case duel.Winner(player):
            return (Fact("winner", {"player": str(_PLAYERS[player])}) if player else Fact("somebody-wins"),)
        case duel.Score(user, computer):
            wins = {USER: user, COMPUTER: computer}
            return tuple(Fact("score", {"player": str(player), "wins": str(n)}) for player, n in wins.items())
        case _:
            return (Fact("refusal"),) if isinstance(event, duel.Refusal) else ()


def _winning(heaps: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(LETTERS.index(move[0]), int(move[1:])) for move in SOLVER.winning(Position(heaps))]


DUEL = duel.Duel(
    starts=(Position().heaps,),
    sizes=False,
    labels=LETTERS,
    apart=False,
    illegal=(("d", "4"), ("a", "0"), ("b", "-1"), ("c", "9"), ("x", "1")),
    best=_winning,
    asks={"move": "move", "again": "again"},
    facts=_stated,
    names={"player 1": "user", "player 2": "program"},
    untold="untold-move",
    unshown="no-board",
    oddly="refused-legal",
    yes="answer-refused",
    unlike="own-words",
)
