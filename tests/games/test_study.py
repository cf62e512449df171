"""The games of a program that was explored, as cases, reports and proofs see them."""

from __future__ import annotations

from grader.games.follow.following import Followed
from grader.games.follow.study import Study
from grader.games.referee import Fault
from grader.sessions.session import WAITS_ON
from grader.spec.kinds.runs import GameSet
from grader.transcript import Transcript, Turn, Usage


def game(*inputs: str, fault: str = "") -> Followed:
    """A game in which this was typed, with a fault in its last turn."""
    turns = (*(Turn("? ", typed) for typed in inputs), Turn("? "))
    faults = ((len(turns), Fault(fault, "it is wrong")),) if fault else ()
    return Followed(Transcript(turns, WAITS_ON, Usage()), faults)


LONG, SHORT = game("1\n", "2\n", fault="count"), game("3\n")
STUDY = Study((SHORT, LONG))


def test_every_case_looks_at_all_games() -> None:
    """Whatever set is asked for, and whatever fault is looked for: all were played before."""
    for games in (None, GameSet(games=1, covers="positions")):
        assert STUDY.of(games).played(lambda _game: True) == (SHORT, LONG)
        assert STUDY.of(games).proof() is None


def test_a_fault_is_shown_by_the_very_game() -> None:
    """Nothing is typed again, and no note says how the game was found."""
    example = STUDY.example(LONG, 2, "count", lambda _game: True)
    assert (example.followed, dict(example.notes)) == (LONG, {})


def test_the_longest_games_come_first_in_a_proof() -> None:
    """They show most of a program."""
    assert [one.transcript.inputs for one in STUDY.samples(())] == [("1\n", "2\n"), ("3\n",)]
