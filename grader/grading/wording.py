"""By whom a program's games are heard: by the patterns of the spec where they read it, else by what is learned of its own words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from grader.games.following import Followed, drawing, follow
from grader.games.ground import Place
from grader.games.reading import Reader
from grader.games.referee import UNREAD, Answers, Referee, Tables
from grader.games.study import Study
from grader.grading.trial import Trial
from grader.reading.learned import Learned
from grader.reading.runs import Runs
from grader.reading.slots import segments
from grader.sessions.simulated import SimulatedSession
from grader.spec.expectations import ENTER
from grader.spec.kinds.runs import GameSet
from grader.values import dataclass

if TYPE_CHECKING:
    from grader.games.heaps.speaking import OwnWords
    from grader.games.wording import LearnedReader


@dataclass(frozen=True, slots=True)
class Ears:
    """The referee and the reader of a program's games, and what was ``learned`` of its words, in a sentence and as a table.

    After each game ``look`` finds out what the referee lacked in it; where it says so the game must be played again. ``looks`` says
    that it will have to, and that each game costs many runs.
    """

    referee: Referee
    reader: Reader | LearnedReader | OwnWords
    sentence: str = ""
    learned: Learned = Learned()
    look: Callable[[], bool] = lambda: False
    looks: bool = False


FOREIGN = Fraction(1, 2)
"""Where less than this share of what a program says is said in the assignment's words, it has words of its own."""


def ears(trial: Trial, profile: str) -> Ears:
    """Who hears a program under a profile: found out once, for simulated programs under each of them."""
    where = profile if trial.spec.program.simulated else ""
    known = trial.memory.ears.get(where)
    if known is None:
        usual = Ears(trial.scripts.referee, trial.scripts.reader)
        learned = _learned if trial.spec.program.simulated else _learned_by_playing
        trial.memory.ears[where] = known = learned(trial, profile, usual) or usual
    assert isinstance(known, Ears)
    return known


def tables(trial: Trial) -> Tables:
    """What may be found in the games of a program, and how its positions are drawn."""
    known = trial.memory.ears.get("")
    return known.referee if isinstance(known, Ears) else trial.scripts.tables


def learned(trial: Trial) -> tuple[Learned, ...]:
    """What was learned of a program's words, under each profile under which it was heard."""
    return tuple(one.learned for one in trial.memory.ears.values() if isinstance(one, Ears))


def own_words(trial: Trial) -> bool:
    """Whether something was learned of a program's words: the patterns of the spec do not read all that it says."""
    return any(one.lessons for one in learned(trial))


UNFOUND = "its games could not be followed: no heaps were found that its moves change"

IN_THE_WORDS = "It is read by the patterns of the spec: nothing of its words had to be learned."

PLAYED = 3
"""So many games are played for the map of a dialogue."""


def explored(trial: Trial, profile: str) -> tuple[Study, str]:
    """What an exploration of a program of heaps finds, and a note where nothing had to be learned; its runs are kept for the map."""
    heard = ears(trial, profile)
    runs = trial.memory.runs.get(profile)
    if runs is None:
        runs = trial.memory.runs[profile] = Runs(lambda seed: trial.start(profile, seed=seed))
        for number in range(PLAYED):
            draw = drawing(GameSet(games=PLAYED, seed=1, illegal=Fraction(1, 4), inputs=30), number)
            start = heard.referee.start(number)
            game = follow(trial.start(profile), heard.referee, heard.reader, draw, start=start)
            runs.run([turn.typed.removesuffix(ENTER) for turn in game.transcript.turns if turn.typed is not None])
    unread = bool(heard.learned.lessons) and not heard.sentence
    known = heard.sentence or unread
    return Study(learned=heard.learned, obstacle=UNFOUND if unread else ""), "" if known else IN_THE_WORDS


def _learned_by_playing(trial: Trial, profile: str, usual: Ears) -> Ears | None:
    """Who hears a program that has words of its own, or is not read by patterns; None where it is, or nothing was learned."""
    duel = usual.referee.duel
    if duel is None:
        return None
    begun = follow(trial.start(profile), usual.referee, usual.reader, drawing(GameSet(games=1, seed=1, inputs=30), 0))
    foreign = _is_foreign(trial, begun)
    if not foreign and not any(fault.kind == UNREAD for _, fault in begun.faults):
        return None
    from grader.grading.own_words import heard_by_playing  # imported late: most programs keep to the assignment's words

    return heard_by_playing(trial, profile, usual, duel if foreign else replace(duel, unlike=""))


def _is_foreign(trial: Trial, begun: Followed) -> bool:
    """Whether most of what a program says is said in other words than the assignment's."""
    said = {one.skeleton for turn in begun.transcript.turns for one in segments(turn.output)}
    known = trial.scripts.vocabulary
    return bool(said) and Fraction(len(said & known), len(said)) < FOREIGN


def _learned(trial: Trial, profile: str, usual: Ears) -> Ears | None:
    game = usual.referee.heaps
    if game is None or not trial.spec.program.simulated:
        return None
    from grader.reading.heaps import Seen

    begun = left_after_a_move(trial, profile, usual)
    shown, first = begun.heard[0].facts, game.facts(Seen(game.start, asked=0))
    names = Counter(fact.name for fact in shown)
    some = set(shown) & set(game.facts(Seen(game.start)))  # a row without rocks is read in whatever marks it is drawn
    if names >= Counter(fact.name for fact in first) and some and not stands_still(begun, usual):
        return None  # the patterns read its heaps and its question: whatever else is odd is its own
    if not isinstance(trial.start(profile), SimulatedSession):
        return None  # an idle program that lint makes of a reference cannot be forked
    from grader.grading.own_words import heard_by_forks  # imported late, as above

    return heard_by_forks(trial, profile, usual, game)


def left_after_a_move(trial: Trial, profile: str, ears: Ears) -> Followed:
    """A game that is left after its first move."""
    once = iter((True,))

    def draw(answers: Answers) -> str | None:
        return answers.legal[0] if next(once, False) else None

    return follow(trial.start(profile), ears.referee, ears.reader, draw)


def places(begun: Followed, ears: Ears) -> tuple[Place | None, ...]:
    """The place after each turn; None where it is not known for sure."""
    turns = zip(begun.states, begun.heard, strict=True)
    return tuple(ears.referee.known_ground.place(state, heard.question or "") for state, heard in turns)


def stands_still(begun: Followed, ears: Ears) -> bool:
    """Whether a place is known before the move and after it, and is the same."""
    known = places(begun, ears)
    return None not in known and len(set(known)) < 2
