"""Turns of lc3-nim: events of the facts that its spec reads."""

from __future__ import annotations

from grader.checks.facts import Fact
from grader.games.event import NOBODY, Asked, Event, Misnamed, Named, Partly, Refused, Shown
from grader.games.heaps.facing import MOVE
from grader.games.heaps.moving import Move
from grader.games.referee import Heard

ROWS = "ABC"


def say(move: Move) -> str:
    """A move as it is typed."""
    return f"{ROWS[move[0]]}{move[1]}"


def stated(heard: Heard) -> tuple[Event, ...]:
    """The events of the facts of a turn, of boards the last whole one. A winner of whom it is not said who it is shows at the end alone."""
    rows: dict[str, int] = {}
    board = _misnamed(heard)
    found: list[Event] = []
    for before, fact in zip((None, *heard.facts), heard.facts, strict=False):
        match fact.name:
            case "row" if fact == before:
                pass  # a line that is printed twice
            case "row":
                rows[fact.values["row"]] = fact.number("rocks") or 0
                if len(rows) == len(ROWS):
                    board, rows = (Shown(tuple(rows[row] for row in ROWS.lower())),), {}
            case "prompt":
                found.append(Asked(MOVE, _player(fact)))
            case "winner":
                found.append(Named(_player(fact)))
            case "winning" | "named" if fact.name == "winning" or heard.ended:
                found.append(Named(None))
            case "refusal":
                found.append(Refused())
    part = () if board or not rows else (Partly(tuple(rows.get(row) for row in ROWS.lower())),)
    return (*board, *found, *part)


def _misnamed(heard: Heard) -> tuple[Event, ...]:
    """The one board of a turn in which one of three rows has the name of another; empty where there is no such board.

    Two rows of one name that look alike may be a row that is printed twice, and then one is missing.
    """
    # “ROW A” was printed twice, and for row B never: with one more mistake nothing could be seen of a game, and all was lost.
    facts = [fact for fact in heard.facts if fact.name == "row"]
    names = [fact.values["row"] for fact in facts]
    wrong = [at for at, (name, row) in enumerate(zip(names, ROWS.lower(), strict=False)) if name != row]
    rows = {(fact.values["row"], fact.number("rocks")) for fact in facts}
    if len(facts) != len(ROWS) or len(rows) != len(ROWS) or len(wrong) != 1 or len(set(names)) == len(ROWS):
        return ()
    return Shown(tuple(fact.number("rocks") or 0 for fact in facts)), Misnamed(wrong[0])


def _player(fact: Fact) -> int:
    """The player of a fact: none where its place has no number, and 0 where that has too many digits."""
    return (fact.number("player") or 0) if fact.values["player"] else NOBODY
