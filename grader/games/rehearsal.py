"""The reference's own play, followed by its own referee: what the referee finds there is a fault of ours."""

from __future__ import annotations

from collections.abc import Iterator

from grader.errors import JudgeError
from grader.games.following import Followed, drawing, follow
from grader.games.reading import Reader
from grader.games.referee import Referee
from grader.sessions.reference import PlayFunction, SpeakingReference, raised_at
from grader.spec.model import GameSet, TextRules


class Rehearsal:
    """The games of a spec as its reference plays them; those that several cases draw are played once."""

    def __init__(self, play: PlayFunction, referee: Referee, rules: TextRules) -> None:
        self._play = play
        self._echo = rules.echo == "program"
        self._reader = Reader(rules)
        self.referee = referee
        self._known: dict[tuple[object, ...], Followed] = {}

    def games(self, game: GameSet) -> Iterator[Followed]:
        """Each game of a set, begun and drawn as it is for programs. Raises JudgeError where the reference or referee fails."""
        return (self._followed(game, number) for number in range(game.games))

    def _followed(self, game: GameSet, number: int) -> Followed:
        key = (*game.drawn_by, number)
        if key not in self._known:
            session = SpeakingReference(self._play, echo=self._echo)
            start, draw = self.referee.start(number), drawing(game, number)
            try:
                self._known[key] = follow(session, self.referee, self._reader, draw, start=start)
            except JudgeError:
                raise
            except Exception as error:
                raise JudgeError(f"the referee failed: {error!r}", place=raised_at(error)) from error
        return self._known[key]
