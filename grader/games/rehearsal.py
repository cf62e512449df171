"""The reference's own play, followed by its own referee: what the referee finds there is a fault of ours."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from inspect import signature

from grader.errors import JudgeError
from grader.games.following import Followed, drawing, follow
from grader.games.proving import Explorer
from grader.games.reading import Reader
from grader.games.referee import Referee
from grader.games.study import Method, Study
from grader.reading.runs import Runs, SpentError
from grader.sessions.reference import PlayFunction, SpeakingReference, raised_at
from grader.spec.kinds.runs import GameSet
from grader.spec.model import TextRules


def explored(way: Method, play: PlayFunction, *, echo: bool) -> Study:
    """The reference as any program is explored; one that plays by chance has a ``seed``. Raises JudgeError where it fails."""
    seeded = "seed" in signature(play).parameters

    def start(seed: int | None) -> SpeakingReference:
        by_seed: PlayFunction = partial(play, **({"seed": seed} if seeded and seed else {}))
        return SpeakingReference(by_seed, echo=echo)

    runs = Runs(start)
    try:
        return way.explore(runs, {})
    except SpentError as spent:
        return Study(obstacle=str(spent))


class Rehearsal:
    """The games of a spec as its reference plays them; those that several cases draw are played once."""

    def __init__(self, play: PlayFunction, referee: Referee, rules: TextRules) -> None:
        self._play = play
        self._echo = rules.echo == "program"
        self._reader = Reader(rules)
        self.referee = referee
        self._known: dict[tuple[object, ...], Followed] = {}
        self._explorers: dict[tuple[object, ...], Explorer] = {}

    def games(self, game: GameSet) -> Iterator[Followed]:
        """Each game of a set, begun and drawn as it is for programs. Raises JudgeError where the reference or referee fails."""
        for number in range(game.games):
            yield self._followed(game, number)
            if game.covers and self._explorers[game.drawn_by].ends_with(number):
                return

    def _followed(self, game: GameSet, number: int) -> Followed:
        key = (*game.drawn_by, number)
        if key not in self._known:
            try:
                self._known[key] = self._covering(game) if game.covers else self._drawn(game, number)
            except JudgeError:
                raise
            except Exception as error:
                raise JudgeError(f"the referee failed: {error!r}", place=raised_at(error)) from error
        return self._known[key]

    def _drawn(self, game: GameSet, number: int) -> Followed:
        start = self.referee.start(number)
        return follow(self._session(), self.referee, self._reader, drawing(game, number), start=start)

    def _covering(self, game: GameSet) -> Followed:
        explorer = self._explorers.setdefault(game.drawn_by, Explorer(self.referee, game))
        walk = explorer.walk()
        referee = walk.heard_by(self.referee)
        followed = follow(self._session(), referee, self._reader, walk.draw, start=self.referee.start(0))
        explorer.close(followed)
        return followed

    def _session(self) -> SpeakingReference:
        return SpeakingReference(self._play, echo=self._echo)
