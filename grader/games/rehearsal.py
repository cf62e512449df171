"""The reference's own play, followed by its own referee: what the referee finds there is a fault of ours."""

from __future__ import annotations

from collections.abc import Iterator

from grader.errors import JudgeError
from grader.games.following import Followed, drawing, follow
from grader.games.reading import Reader
from grader.games.referee import Fault, Referee
from grader.sessions.reference import PlayFunction, SpeakingReference, raised_at
from grader.spec.model import Game, TextRules


def rehearse(play: PlayFunction, referee: Referee, rules: TextRules, game: Game) -> Iterator[tuple[Followed, Fault]]:
    """Each game of a case in which the referee finds any fault in the reference, with the first such fault.

    Games are drawn as they are for programs. Raises JudgeError where the reference or the referee fails.
    """
    reader = Reader(rules)
    for number in range(game.games):
        session = SpeakingReference(play, echo=rules.echo == "program")
        try:
            followed = follow(session, referee, reader, drawing(game, number))
        except JudgeError:
            raise
        except Exception as error:
            raise JudgeError(f"the referee failed: {error!r}", place=raised_at(error)) from error
        if followed.faults:
            yield followed, followed.faults[0][1]
