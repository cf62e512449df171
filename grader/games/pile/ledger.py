"""What was found in the games with one program: faults, occasions, and how turns were read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grader.games.pile.play import Play
from grader.games.pile.rounds import Round
from grader.games.pile.rules import Rules
from grader.games.referee import UNREAD, Fault


@dataclass
class Ledger:
    """What was found in each game: faults by turn, occasions, and how turns were read."""

    rules: Rules
    faults: dict[Play, list[tuple[int, Fault]]] = field(default_factory=lambda: defaultdict(list))
    occasions: dict[Play, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    readings: dict[Play, dict[int, tuple[str, ...]]] = field(default_factory=lambda: defaultdict(dict))
    positions: dict[Play, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))

    def fault(self, play: Play, turn: int, kind: str, message: str, *, stops: bool = False) -> None:
        """Write down a fault; ``stops`` says that what comes behind it is no right game any more."""
        self.faults[play].append((turn, Fault(kind, message, stops)))

    def unread(self, play: Play, turn: int, message: str, *about: str) -> None:
        """Write down that something could not be read, by which these faults would show."""
        self.faults[play].append((turn, Fault(UNREAD, message, about=about)))

    def count(self, play: Play, *names: str) -> None:
        """Write down occasions."""
        self.occasions[play].update(names)


def stones(number: int) -> str:
    """So many stones, in words."""
    return "1 stone" if number == 1 else f"{number} stones"


Games = Mapping[Play, Sequence[Round]]
"""The rounds of each game."""
