"""The games with a board as they are noted, and the ends that they had."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field

from grader.games.follow import study
from grader.games.follow.following import Followed
from grader.games.hear.runs import Run, Runs, SpentError
from grader.games.referee import CRASH, UNREAD
from grader.transcript import EndingKind
from grader.values import dataclass

TIE = "tie"

STOPPING = ("wrong-board", "no-alternation", "refused-legal", "false-win", "false-tie", "ended-early")
"""Kinds of faults behind which a game goes no further."""

FEW = 3
"""Minimum number of occasions on which a fault could have shown, as cases want it."""

BEHIND = "we could not judge what follows from a wrong board or a lost turn"
"""The note for a person where the faults of nearly all games leave nothing to see of others."""


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

    def fault(self, kind: str, message: str, *, stops: bool = False, causes: tuple[str, ...] = ()) -> None:
        """Note a fault at this end: in the game that it is the end of, or a game of its own where that went on."""
        game = self.game
        if game.run is not self.run:
            game = Game(self.run, game.seed, drawn=game.drawn)
            self.game.forks.append(game)
        game.fault(kind, message, self.run, position=self.position, stops=stops, causes=causes)


@dataclass(eq=False)
class Game(study.Game):
    """A game with a board: ``drawn`` shows a position, ``forks`` are ends of it that were seen aside."""

    drawn: Callable[[str], str] = field(kw_only=True)
    forks: list[Game] = field(default_factory=list)

    def fault(
        self,
        kind: str,
        message: str,
        run: Run,
        *,
        position: str = "",
        stops: bool = False,
        causes: tuple[str, ...] = (),
    ) -> None:
        """Note a fault that shows at the end of a run, which the game then is."""
        self.run = run
        turn = len(run.waits)
        self.note(turn, kind, message, stops=stops, causes=causes)
        if position.strip("."):
            self.positions[turn] = self.drawn(position)


class Account:
    """All games of one program; ``drawing`` shows a position."""

    def __init__(self, drawing: Callable[[str], str]) -> None:
        self._drawing = drawing
        self.games: list[Game] = []
        self.ends: list[End] = []
        self.turns: list[tuple[str, str, str]] = []
        self.hung = 0
        self._crashes: set[str] = set()

    def followed(self) -> tuple[Followed, ...]:
        """All games as cases judge them."""
        return tuple(one.followed() for game in self.games for one in (game, *game.forks))

    def breaks_off(self, number: int, *more: str) -> bool:
        """Whether most of the first games, so many, go no further than to a fault: one that stops them, or of ``more`` kinds, or an early end."""
        kinds = {*STOPPING, *more}
        early = [end.game for end in self.ends if not end.winner]
        broken = (any(one.kind in kinds for _, one in game.faults) or game in early for game in self.games[:number])
        return 2 * sum(broken) > number

    def kinds(self) -> frozenset[str]:
        """The kinds of all faults that were noted."""
        games = (one for game in self.games for one in (game, *game.forks))
        return frozenset(fault.kind for game in games for _, fault in game.faults)

    def came(self, names: Iterable[str]) -> Counter[str]:
        """How often each of these occasions came in all games; those that never came are left out."""
        games = [one for game in self.games for one in (game, *game.forks)]
        return +Counter({name: sum(one.occasions[name] for one in games) for name in names})

    def leave(self, game: Game, occasions_of: Mapping[str, Collection[str]]) -> None:
        """Leave to a person each kind of fault that could hardly show: that its occasions did not come says nothing against the program."""
        for kind, names in occasions_of.items():
            came = self.came(names)
            if any(came[name] < FEW for name in names):
                game.note(len(game.run.waits), UNREAD, BEHIND, about=(kind,))

    def begin(self, run: Run, seed: int | None = None) -> Game:
        """Another game."""
        self.games.append(Game(run, seed, drawn=self._drawing))
        return self.games[-1]

    def broke(self, game: Game, run: Run, due: str = CRASH) -> bool:
        """Note that the program broke at the end of this run, which the game then is; whether that is the fault of not doing what was ``due``.

        It is not where the program has broken in the same place before. One that breaks when it names the winner also breaks behind a
        third violation: that is one fault.
        """
        game.run = run
        place = run.ending.place if run.ending is not None else ""
        if due == CRASH:
            self._crashes.add(place)
        # A program that breaks as it names the winner lost its third violation as well: a break in one place costs once.
        is_known = bool(place) and place in self._crashes
        game.broke(CRASH if is_known else due)
        self.hung += run.ending is not None and run.ending.kind in (EndingKind.BUDGET, EndingKind.TIME_LIMIT)
        return not is_known

    @contextmanager
    def as_far_as_runs_go(self, runs: Runs) -> Iterator[None]:
        """Keep what was seen of a program where no further run is made of it: what it did not come to is left to a person."""
        try:
            yield
        except SpentError as spent:
            run = runs.run(())
            self.begin(run).fault(UNREAD, str(spent), run)
