"""By whom a program's games are heard: by the patterns of the spec where they read it, else by what is learned of its own words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from grader.games.following import Followed, follow
from grader.games.ground import Place
from grader.games.reading import Reader
from grader.games.referee import Answers, Referee
from grader.games.wording import LearnedReader, in_manner
from grader.grading.trial import Trial
from grader.reading.heaps import Seen, learn
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
    if game is None or not trial.spec.program.simulated:
        return None
    begun = _begun(trial, profile, usual)
    shown = Counter(fact.name for fact in begun.heard[0].facts)
    if shown >= Counter(fact.name for fact in game.facts(Seen(game.start))) and not _stands_still(begun, usual):
        return None  # the patterns read its heaps: whatever else is odd is its own
    session = trial.start(profile)
    wording = learn(session, game.start, game.illegal) if isinstance(session, SimulatedSession) else None
    if wording is None:
        return None
    learned = Ears(in_manner(usual.referee, wording.manner), LearnedReader(game, wording), wording.sentence)
    begun = _begun(trial, profile, learned)
    return learned if None not in _places(begun, learned) and not _stands_still(begun, learned) else None


def _begun(trial: Trial, profile: str, ears: Ears) -> Followed:
    """A game that is left after its first move."""
    once = iter((True,))

    def draw(answers: Answers) -> str | None:
        return answers.legal[0] if next(once, False) else None

    return follow(trial.start(profile), ears.referee, ears.reader, draw)


def _places(begun: Followed, ears: Ears) -> tuple[Place | None, ...]:
    turns = zip(begun.states, begun.heard, strict=True)
    return tuple(ears.referee.known_ground.place(state, heard.question or "") for state, heard in turns)


def _stands_still(begun: Followed, ears: Ears) -> bool:
    """Whether a place is known before the move and after it, and is the same."""
    places = _places(begun, ears)
    return None not in places and len(set(places)) < 2
