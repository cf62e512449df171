"""By whom a program's games are heard: by the patterns of the spec where they read it, else by what is learned of its own words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from grader.games.event import Asked
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
    from grader.games.heaps.duel import Duel
    from grader.games.heaps.speaking import OwnWords


@dataclass(frozen=True, slots=True)
class Ears:
    """The referee and the reader of a program's games, and what was ``learned`` of its words, in a sentence and as a table.

    After each game ``look`` finds out what the referee lacked in it; where it says so the game must be played again. ``looks`` says
    that it will have to, and that each game costs many runs.
    """

    referee: Referee
    reader: Reader | OwnWords
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
        trial.memory.ears[where] = known = _heard(trial, profile, Ears(trial.scripts.referee, trial.scripts.reader))
    assert isinstance(known, Ears)
    return known


def tables(trial: Trial) -> Tables:
    """The faults and occasions that may be found in the games of a program, and how its positions are drawn."""
    known = trial.memory.ears.get("")
    return known.referee if isinstance(known, Ears) else trial.scripts.tables


def learned(trial: Trial) -> tuple[Learned, ...]:
    """The learned words of a program, under each profile under which it was heard."""
    return tuple(one.learned for one in trial.memory.ears.values() if isinstance(one, Ears))


def own_words(trial: Trial) -> bool:
    """Whether something was learned of a program's words: the patterns of the spec do not read all that it says."""
    return any(one.lessons for one in learned(trial))


UNFOUND = "its games could not be followed: no heaps were found that its moves change"

IN_THE_WORDS = "It is read by the patterns of the spec: nothing of its words had to be learned."

PLAYED = 3
"""Games for the map of a dialogue."""


def explored(trial: Trial, profile: str) -> tuple[Study, str]:
    """The result of exploring a program of heaps, and a note where nothing had to be learned; its runs are kept for the map."""
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


def _heard(trial: Trial, profile: str, usual: Ears) -> Ears:
    """Who hears a program: the ``usual`` where patterns read it, else whoever learns its words.

    What two people play is learned on simulated machines, where sessions are forked, and games against the computer elsewhere.
    """
    duel, simulated = usual.referee.duel, bool(trial.spec.program.simulated)
    if duel is None or duel.game.computer == simulated:
        return usual
    if simulated:
        idle = not isinstance(
            trial.start(profile), SimulatedSession
        )  # lint makes such of a reference; they cannot be forked
        if idle or _reads_first_turns(trial, profile, usual, duel):
            return usual
    else:
        begun = follow(
            trial.start(profile), usual.referee, usual.reader, drawing(GameSet(games=1, seed=1, inputs=30), 0)
        )
        foreign = _is_foreign(trial, begun)
        if not foreign and not any(fault.kind == UNREAD for _, fault in begun.faults):
            return usual
        duel = duel if foreign else replace(duel, unlike="")
    from grader.grading.own_words import (
        heard_in_own_words,
    )  # imported late: most programs keep to the assignment's words

    return heard_in_own_words(trial, profile, usual, duel)


def _reads_first_turns(trial: Trial, profile: str, usual: Ears, duel: Duel) -> bool:
    """Whether the patterns read the first heaps and question of a program, and its first move: whatever else is odd is its own."""
    begun = left_after_a_move(trial, profile, usual)
    shown = duel.game.turn(begun.heard[0]).boards[-1:]
    asked = any(isinstance(one, Asked) for one in duel.game.events(begun.heard[0]))
    # a row without rocks is read in whatever marks it is drawn
    some = any(n == right for heaps in shown for n, right in zip(heaps, duel.starts[0], strict=True))
    known = places(begun, usual)
    stands_still = None not in known and len(set(known)) < 2
    return asked and some and not stands_still


def _is_foreign(trial: Trial, begun: Followed) -> bool:
    """Whether most of what a program says is said in other words than the assignment's."""
    said = {one.skeleton for turn in begun.transcript.turns for one in segments(turn.output)}
    known = trial.scripts.vocabulary
    return bool(said) and Fraction(len(said & known), len(said)) < FOREIGN


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
