"""What a program says in a turn of lc3-nim, by the facts that its spec reads; and programs in words of their own."""

from __future__ import annotations

from grader.games.heaps.facing import MOVE, Turn
from grader.games.heaps.moving import Heaps
from grader.games.referee import HeapGame, Heard
from grader.reading.facts import Fact
from grader.reading.heaps import Seen

from .rules import ROWS, State


def turn(heard: Heard) -> tuple[Turn, tuple[int, ...]]:
    """What was said, of boards the last whole one, and all players that were asked; one whom there is not is none that is asked."""
    rows: dict[str, int] = {}
    board: tuple[Heaps, ...] = ()
    players: tuple[int, ...] = ()
    winners: frozenset[int] = frozenset()
    refuses = wins = False
    for before, fact in zip((None, *heard.facts), heard.facts, strict=False):
        match fact.name:
            case "row" if fact == before:
                pass  # a line that is printed twice
            case "row":
                rows[fact.values["row"]] = fact.number("rocks") or 0
                if len(rows) == len(ROWS):
                    board, rows = (tuple(rows[row] for row in ROWS.lower()),), {}
            case "prompt":
                players = (*players, fact.number("player") or 0)
            case "winner":
                winners |= {fact.number("player") or 0}
            case "winning":
                wins = True
            case "refusal":
                refuses = True
    asked = players[-1] if players and players[-1] in (1, 2) else None
    asks = "" if winners or heard.ended else MOVE
    said = Turn(board, asks=asks, player=asked, winners=winners, refuses=refuses, ended=heard.ended, partly=bool(rows))
    return said._replace(unnamed=not winners and heard.ended and wins), players


def _stated(seen: Seen) -> tuple[Fact, ...]:
    """The facts that a text states, whatever its words."""
    heaps = zip(ROWS.lower(), seen.heaps or (), strict=False)
    facts = [Fact("row", {"row": row, "rocks": str(rocks)}) for row, rocks in heaps]
    facts += [Fact("refusal")] if seen.refuses else []
    facts += [Fact("prompt", {"player": str(seen.asked + 1)})] if seen.asked is not None else []
    facts += [Fact("winner", {"player": str(seen.winner + 1)})] if seen.winner is not None else []
    return tuple(facts)


HEAPS = HeapGame(
    State().rocks, ("D2", "A0", "A9", "A*", "a2", "11"), _stated, enter="further-key", usual=("winner", "winning")
)
