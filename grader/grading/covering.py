"""Games that cover all positions of a program: each is led to what is new, and a fault is told by the shortest game that shows it.

A session on a simulated machine is forked in each place, so that all ways together are one game. Other programs are led from
one place to the next, game after game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.errors import JudgeError
from grader.games.following import Followed, follow
from grader.games.forking import Covering, Forks
from grader.games.proving import Explorer, Walk
from grader.games.referee import AFTER_REFUSAL, UNREAD, Answers
from grader.grading.scripts import Inputs
from grader.grading.trial import Trial, typed_in
from grader.grading.wording import ears
from grader.results import Proof
from grader.sessions.session import Session
from grader.sessions.simulated import SimulatedSession
from grader.spec.expectations import ENTER
from grader.spec.kinds.runs import GameSet
from grader.transcript import visible
from grader.values import dataclass

AGAIN = 600
"""Inputs that are typed a second time, in the first games, before anything is said to be proved."""

LOOKS = 3
"""Times that a game is played again because something was missing in it that could be found out."""

SLOWLY = 6
"""A set that covers positions has so many times fewer games where each game takes a Java machine of its own, or many runs to see what
was moved. The rest of the budget is for the other sets."""


def limited(trial: Trial, games: GameSet, profile: str) -> GameSet:
    """The set as it is played under a profile."""
    if games.covers is None or not (profile == trial.built.decides or ears(trial, profile).looks):
        return games
    return games.model_copy(update={"games": max(1, games.games // SLOWLY)})


def game(trial: Trial, games: GameSet, profile: str) -> Followed:
    """The next game of the set."""
    covering, heard = _covering(trial, games, profile), ears(trial, profile)
    session = trial.start(profile)
    if isinstance(session, SimulatedSession):
        forks = Forks(covering.explorer, heard.referee, heard.reader, spent_up=lambda: trial.spent_up)
        trial.memory.spent.beside(forks)
        followed = forks.explore(session)
        if followed is not None:
            covering.forks = forks
            return followed
        session = trial.start(profile)
    explorer = covering.explorer
    walk = explorer.walk()
    followed = _followed(trial, profile, session, walk)
    explorer.close(followed)
    for _ in range(LOOKS):
        lacked = heard.look()
        if not lacked or any(fault.kind != UNREAD for _, fault in followed.faults):
            break  # another game might go another way, and not show these faults
        walk = explorer.again()
        followed = _followed(trial, profile, trial.start(profile), walk)
        explorer.close(followed)
    covering.walked.append(followed)
    proved = explorer.ends_with(len(explorer.walks) - 1) and not explorer.proof().why
    if proved and not _does_the_same(trial, profile, covering.walked):
        explorer.differs()
    return followed


def _does_the_same(trial: Trial, profile: str, walked: Sequence[Followed]) -> bool:
    """Whether the program says the same when the same is typed again: by chance it might have moved otherwise."""
    left = AGAIN
    for followed in walked:
        inputs = typed_in(followed.transcript)
        left -= len(inputs)
        if trial.spent_up or left < 0:
            break
        again = _repeated(trial, profile, tuple(text.removesuffix(ENTER) for text in inputs))
        if again.transcript.turns != followed.transcript.turns:
            return False
    return True


def ends_with(trial: Trial, games: GameSet, profile: str, number: int) -> bool:
    """Whether the game of this number is the last, because no position is left."""
    if games.covers is None:
        return False
    covering = _covering(trial, games, profile)
    return covering.forks is not None or covering.explorer.ends_with(number)


def proof(trial: Trial, games: GameSet, profile: str) -> Proof | None:
    """How far the positions were tried; None where the games of the set are drawn."""
    return None if games.covers is None else _covering(trial, games, profile).explorer.proof()


@dataclass(frozen=True, slots=True)
class Shortest:
    """The shortest game that shows a fault.

    ``place`` says among how many games it was seen first; ``wins_by`` is what may be typed after it to win the game, empty where
    nothing is known of that.
    """

    followed: Followed
    place: str
    wins_by: tuple[str, ...] = ()


def shortest(trial: Trial, games: GameSet, profile: str, number: int, kind: str) -> Shortest | None:
    """The shortest game to the first fault of a kind in a game, and on to the user's win; None where it does not show again."""
    covering = _covering(trial, games, profile)
    if trial.spent_up:
        return None
    if covering.forks is not None:
        forks = covering.forks
        tried = (_repeated(trial, profile, inputs) for inputs in forks.shows[kind])
        if kind == AFTER_REFUSAL:
            tried = (_called(followed, forks.underlying, kind) for followed in tried)
        followed = next((followed for followed in tried if _turn(followed, kind)), None)
        if followed is None:
            raise JudgeError("a forked session showed what the program does not do when it is run again")
        return Shortest(followed, "found when every move was tried in every position")
    explorer = covering.explorer
    turn = _turn(trial.memory.games[profile, *games.drawn_by, number], kind)
    steps = (step for step in reversed(explorer.walks[number].steps) if step[0] + 2 <= turn)
    step = next(steps, None)
    path = explorer.path_to(*step[1:]) if step else None
    if path is None:
        return None
    walk = Walk(explorer, games.inputs, path, winning=True)
    followed = _followed(trial, profile, trial.start(profile), walk)
    again = _turn(followed, kind)
    rest = typed_in(followed.transcript)[again - 1 :] if walk.won else ()
    found = f"first seen in game {number + 1}"
    return Shortest(followed, found, tuple(visible(text.removesuffix(ENTER)) for text in rest)) if again else None


def _called(followed: Followed, kind: str, name: str) -> Followed:
    """A game whose faults of one kind, in its last turn, are called otherwise."""
    last = len(followed.transcript.turns)
    faults = (
        (turn, replace(one, kind=name) if (turn, one.kind) == (last, kind) else one) for turn, one in followed.faults
    )
    return replace(followed, faults=tuple(faults))


def _repeated(trial: Trial, profile: str, inputs: Inputs) -> Followed:
    rest = iter(inputs)

    def draw(_answers: Answers) -> str | None:
        return next(rest, None)

    heard = ears(trial, profile)
    return follow(trial.start(profile), heard.referee, heard.reader, draw)


def _turn(followed: Followed, kind: str) -> int:
    """The turn of the first fault of a kind; 0 without any."""
    return next((turn for turn, fault in followed.faults if fault.kind == kind), 0)


def _covering(trial: Trial, games: GameSet, profile: str) -> Covering:
    key = (profile, *games.drawn_by)
    if key not in trial.memory.coverings:
        trial.memory.coverings[key] = Covering(Explorer(ears(trial, profile).referee, games))
    return trial.memory.coverings[key]


def _followed(trial: Trial, profile: str, session: Session, walk: Walk) -> Followed:
    heard = ears(trial, profile)
    return follow(session, walk.heard_by(heard.referee), heard.reader, walk.draw, start=heard.referee.start(0))
