"""A reference followed by its own referee: a countdown from two, which asks for each step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, ClassVar, cast

import pytest

from grader.errors import JudgeError
from grader.games.follow.following import Followed, Reader, Rulings, drawing, follow
from grader.games.referee import Answers, Fault, Heard, Ruling, of_module
from grader.grading.trial import Trial
from grader.lint.gifts import MadeUp
from grader.lint.rehearsal import games_of
from grader.sessions.reference import Keys, Line, Play, Request, SpeakingReference
from grader.spec.kinds.runs import GameSet
from grader.spec.model import TextRules

RULES = TextRules.model_validate(
    {
        "echo": "program",
        "facts": [{"name": "count", "pattern": r"at (?P<n>\d)"}],
        "questions": [{"name": "step", "pattern": "step"}],
    }
)
GAME = GameSet(games=8, seed=3, illegal=Fraction(1, 2))


class Countdown:
    """The count falls with each answer, whichever it is; it may begin with a state that breaks the referee."""

    FAULTS = ("wrong",)
    OCCASIONS: ClassVar = {"count": "counts"}
    OCCASIONS_OF: ClassVar = {"wrong": ("count",)}

    def __init__(self, start: int | None = 2) -> None:
        self.START = start

    def hear(self, state: int, heard: Heard) -> Ruling:
        """The count is said as it is."""
        wrong = [Fault("wrong", f"not {state + 0}") for said in heard.facts if said.number("n") != state]
        return Ruling(state, tuple(wrong))

    def answers(self, state: int, question: str) -> Answers:
        """One word, and another."""
        return Answers(("down",), ("up",))

    def answer(self, state: int, question: str, text: str) -> int:
        """One less."""
        return state - 1


def counts(ask: Callable[[], Request] = Line, up: int = 0) -> Callable[[], Play]:
    """A reference that counts down, and says ``up`` more after the answer `up`."""

    def play() -> Play:
        extra = 0
        for left in (2, 1):
            yield f"at {left + extra}, step? "
            extra = up if (yield ask()) == "up" else 0
        yield "over"

    return play


def faults(play: Callable[[], Play], countdown: Countdown, game: GameSet = GAME) -> list[Fault]:
    """The first fault of each game in which the referee finds one."""
    return [followed.faults[0][1] for followed in rehearsed(play, countdown, game) if followed.faults]


def rehearsed(play: Callable[[], Play], countdown: Countdown, game: GameSet = GAME) -> Sequence[Followed]:
    """All games of a set, as the reference plays them."""
    rulings = Rulings(of_module(countdown, "here"), Reader(RULES))
    scripts = SimpleNamespace(method=None, rulings=rulings)
    spec = SimpleNamespace(program=SimpleNamespace(simulated=None), games={"all": game})
    program = MadeUp(lambda _seed: SpeakingReference(play, echo=True))
    return games_of(Trial(cast("Any", spec), cast("Any", None), program.built, cast("Any", scripts)), "all")


def test_a_true_reference_has_no_faults():
    """Whatever is drawn, its referee agrees with each game."""
    assert faults(counts(), Countdown()) == []


def test_games_are_drawn_as_they_are_for_programs():
    """The very games that a program is played with, in their order."""
    referee = of_module(Countdown(), "here")
    drawn = [
        follow(SpeakingReference(counts(up=1), echo=True), Rulings(referee, Reader(RULES)), drawing(GAME, number))
        for number in range(GAME.games)
    ]
    assert list(rehearsed(counts(up=1), Countdown())) == drawn
    assert 0 < sum(bool(game.faults) for game in drawn) < GAME.games


def test_a_referee_that_fails_is_our_own_fault():
    """With its own words and its own line."""
    with pytest.raises(JudgeError, match=r"test_rehearsal.py:\d+: the referee failed: TypeError\("):
        faults(counts(), Countdown(None))


def test_keys_are_typed_without_enter():
    """A reference that asks for them is played too; an answer of another length than it asks for is our own fault."""
    keys = counts(lambda: Keys(4))
    assert faults(keys, Countdown(), GAME.model_copy(update={"illegal": Fraction(0)})) == []
    with pytest.raises(JudgeError, match="the reference asks for 4 keys, and 'up' has 2"):
        faults(keys, Countdown())


def test_games_begin_as_they_do_for_programs():
    """A referee with several starts gets each of them in turn, so that what it gets wrong in one of them shows."""
    referee = Countdown()
    referee.STARTS = (2, 3)
    assert [fault.message for fault in faults(counts(), referee)] == ["not 3"] * (GAME.games // 2)


def test_positions_cannot_be_covered_where_the_referee_knows_none():
    """It is a fault of ours, and says what a referee offers for that."""
    with pytest.raises(JudgeError, match="does not know its positions"):
        faults(counts(), Countdown(), GAME.model_copy(update={"covers": "positions"}))
