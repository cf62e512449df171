"""By whom a program's games are heard: by the patterns of the spec where they read it, else by what is learned of its own words."""

from __future__ import annotations

from dataclasses import dataclass

from grader.games.following import follow
from grader.games.reading import Reader
from grader.games.referee import Answers, Referee
from grader.games.wording import LearnedReader, in_manner
from grader.grading.trial import Trial
from grader.reading.heaps import learn
from grader.sessions.simulated import SimulatedSession


@dataclass(frozen=True, slots=True)
class Ears:
    """The referee and the reader of a program's games; ``learned`` says what was learned of its words, empty where nothing was."""

    referee: Referee
    reader: Reader | LearnedReader
    learned: str = ""


def ears(trial: Trial, profile: str) -> Ears:
    """Who hears a program under a profile: found out once."""
    known = trial.memory.ears.get(profile)
    if known is None:
        usual = Ears(trial.scripts.referee, trial.scripts.reader)
        trial.memory.ears[profile] = known = _learned(trial, profile, usual) or usual
    assert isinstance(known, Ears)
    return known


def _learned(trial: Trial, profile: str, usual: Ears) -> Ears | None:
    game = usual.referee.heaps
    if game is None or not trial.spec.program.simulated or _is_read(trial, profile, usual):
        return None
    session = trial.start(profile)
    wording = learn(session, game.start, game.illegal) if isinstance(session, SimulatedSession) else None
    if wording is None:
        return None
    learned = Ears(in_manner(usual.referee, wording.manner), LearnedReader(game, wording), wording.sentence)
    return learned if _is_read(trial, profile, learned) else None


def _is_read(trial: Trial, profile: str, ears: Ears) -> bool:
    """Whether the place is known at the start and after a move, and is another then."""
    once = iter((True,))

    def draw(answers: Answers) -> str | None:
        return answers.legal[0] if next(once, False) else None

    followed = follow(trial.start(profile), ears.referee, ears.reader, draw)
    ground = ears.referee.known_ground
    places = [
        ground.place(state, heard.question or "") for state, heard in zip(followed.states, followed.heard, strict=True)
    ]
    return len(places) == 2 and None not in places and places[0] != places[1]
