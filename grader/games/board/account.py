"""What was seen of a program and ruled on: games with faults and occasions, and the ends that they had."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import field
from types import MappingProxyType

from grader.games.following import Followed
from grader.games.referee import ANSWERS, CRASH, Fault
from grader.reading.runs import Run
from grader.values import dataclass

TIE = "tie"


@dataclass(frozen=True, slots=True)
class End:
    """An end of a game: who had won by the rules (``A``, ``B`` or a tie, "" where the game was not over), and what was printed.

    ``by`` is how: a ``line``, a full ``board``, or ``violations``.
    """

    winner: str
    by: str
    beginner: str
    text: str
    run: Run
    game: Game
    position: str = ""

    def fault(self, kind: str, message: str, *, stops: bool = False) -> None:
        """Note a fault at this end: in the game that it is the end of, or a game of its own where that went on."""
        if self.game.run is not self.run:
            game = Game(self.run, self.game.seed)
            self.game.forks.append(game)
        else:
            game = self.game
        game.fault(kind, message, self.run, position=self.position, beginner=self.beginner, stops=stops)


@dataclass(eq=False)
class Game:
    """One game as it was played; ``run`` is where it came to."""

    run: Run
    seed: int | None = None
    faults: list[tuple[int, Fault]] = field(default_factory=list)
    occasions: Counter[str] = field(default_factory=Counter)
    positions: dict[int, tuple[str, str]] = field(default_factory=dict)
    readings: dict[int, tuple[str, ...]] = field(default_factory=dict)
    forks: list[Game] = field(default_factory=list)

    def saw(self, *names: str) -> None:
        """Count what came about."""
        self.occasions.update(names)

    def fault(
        self, kind: str, message: str, run: Run, *, position: str = "", beginner: str = "A", stops: bool = False
    ) -> None:
        """Note a fault that shows at the end of a run, which the game then is."""
        self.run = run
        turn = len(run.waits)
        self.faults.append((turn, Fault(kind, message, stops)))
        if position.strip("."):
            self.positions[turn] = position, beginner

    def followed(self, drawn: Callable[[str, str], str]) -> Followed:
        """The game as cases judge it; ``drawn`` is how a position with its beginner is shown."""
        transcript = self.run.transcript()
        occasions = {**self.occasions, ANSWERS: len(transcript.turns) - 1}
        return Followed(
            transcript,
            tuple(self.faults),
            seed=self.seed,
            occasions=MappingProxyType(occasions),
            positions=MappingProxyType({turn: drawn(*one) for turn, one in self.positions.items()}),
            readings=MappingProxyType(self.readings),
        )


class Account:
    """All games of one program; ``drawn`` shows a position with its beginner."""

    def __init__(self, drawn: Callable[[str, str], str]) -> None:
        self.drawn = drawn
        self.games: list[Game] = []
        self.ends: list[End] = []
        self.turns: list[tuple[str, str, str]] = []

    def followed(self) -> tuple[Followed, ...]:
        """All games as cases judge them."""
        return tuple(one.followed(self.drawn) for game in self.games for one in (game, *game.forks))

    def begin(self, run: Run, seed: int | None = None) -> Game:
        """Another game."""
        self.games.append(Game(run, seed))
        return self.games[-1]

    def aside(self, game: Game, kind: str, message: str, run: Run, **more: str) -> Game:
        """A fault that showed in a fork: a game of its own."""
        fork = self.begin(run, game.seed)
        fork.fault(kind, message, run, **more)  # type: ignore[arg-type]
        return fork

    def broke(self, game: Game, run: Run, due: str = CRASH) -> None:
        """The program broke, which is the last that is known of this game: a crash, or the fault of not doing what was due."""
        assert run.ending is not None
        game.fault(due, run.ending.message, run, stops=True)
