"""The statements of a program in its rounds, by what fits the truth; and whom it names at the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from grader.games.hear.names import Naming
from grader.games.pile.lessons import Corrections
from grader.games.pile.lessons import learned as table
from grader.games.pile.rounds import AFTER, BEFORE, BETWEEN, LEFT, OURS, YOURS, Play
from grader.games.pile.ruling import Account, winners
from grader.games.pile.talk import USER
from grader.games.pile.telling import Telling, telling, unexplained
from grader.results import Lesson
from tests.games.pile.small import RIGHT, Program, known, player


def games_of(program: Program):
    """Short games, with their rounds."""
    found = known(program.play)
    plays = [found.play(n, mover) for n in range(1, 10) for mover in found.movers]
    plays += [found.play(n, USER, ("2",)) for n in range(2, 7)]
    return {play: found.rounds(play) for play in plays}


def told_by(program: Program) -> Telling:
    """The lessons from its telling."""
    rounds = [one for played in games_of(program).values() for one in played]
    return telling(rounds, known(program.play).meanings)


def told(program: Program) -> set[str]:
    """Its statements in rounds in which it moves."""
    learned = told_by(program)
    rounds = [one for played in games_of(program).values() for one in played if one.ours and not one.over]
    return {each.meaning for one in rounds for each in learned.told(one)}


@pytest.mark.parametrize(
    ("program", "meanings"),
    [
        (RIGHT, {AFTER, OURS}),
        (replace(RIGHT, takes=lambda n: f"-{n}!\n"), {AFTER, OURS}),
        (replace(RIGHT, left=lambda n: "(o) " * n + "\n"), {AFTER, OURS}),
        (replace(RIGHT, left=lambda n: f"{n} von 99 da.\n"), {AFTER, OURS}),
        (replace(RIGHT, left=lambda n: f"{n}\n", takes=lambda n: f"-{n}\n"), {AFTER, OURS}),
        (replace(RIGHT, takes=lambda n: ("Nur eins weg.\n", "Gleich ein Paar weg.\n")[n - 1]), {AFTER, OURS}),
        (replace(RIGHT, takes=lambda _n: "Ich nehme.\n"), {AFTER}),
    ],
    ids=["numbers", "below zero", "drawn", "beside another", "numbers alone", "words", "left alone"],
)
def test_numbers_mean_what_they_fit(program, meanings):
    """The rest, and the number that the program takes."""
    assert told(program) - {BEFORE, BETWEEN, YOURS} == meanings


def test_a_count_that_is_always_off_tells_wrong_counts():
    """It fits what is left and one more in every turn: it is a count, and a wrong one."""
    learned = told_by(replace(RIGHT, left=lambda n: f"Es liegen {n + 1} da.\n"))
    assert {one.shift for one in learned.meanings.values() if one.name in LEFT} == {1}


def test_what_a_person_has_set_replaces_what_was_learned():
    """The slots that he names alone have the meaning."""
    learned = told_by(RIGHT)
    slots = learned.slots(OURS)
    assert learned.slots(AFTER) not in ((), slots)
    assert learned.as_set({AFTER: slots}, ()).slots(AFTER) == slots


def test_a_number_that_never_changes_tells_nothing_whatever_a_person_has_set():
    """“I take two stones” comes with each move: nothing tells the move, and it is no wrong count."""
    learned = told_by(RIGHT)
    slots = learned.slots(OURS)
    assert learned.as_set({AFTER: slots}, slots).slots(AFTER) == ()


def test_a_true_number_of_unknown_meaning_is_no_silence():
    """A true statement that nobody understood is not called untold."""
    games = games_of(RIGHT)
    everything = [one for played in games.values() for one in played if one.ours and not one.over]
    assert unexplained(everything, Telling({}), {one: {one.ours} for one in everything})


def ruled(program: Program) -> tuple[list[Play], dict[str, Naming]]:
    """Its short games with what is found in them, and how it names winners."""
    found, games = known(program.play), games_of(program)
    account = Account(found, told_by(program))
    for play in games:
        account.note(play)
    account.told([one for played in games.values() for one in played])
    named = winners(games, [], (), Corrections())
    return list(games), {winner: verdict for winner, (verdict, _) in named.items()}


@pytest.mark.parametrize(
    ("ends", "verdicts"),
    [
        (("Du verlierst.\n", "Du gewinnst.\n"), {Naming.RIGHT}),
        (("Du gewinnst.\n", "Du verlierst.\n"), {Naming.WRONG}),
        (("Ende.\n", "Ende.\n"), {Naming.NOBODY}),
        (("Tick.\n", "Tack.\n"), {Naming.UNREAD}),
    ],
)
def test_winners_are_named_by_what_only_their_games_say(ends, verdicts):
    """Rightly, wrongly, not at all, or in words that nobody knows."""
    assert set(ruled(replace(RIGHT, ends=ends))[1].values()) == verdicts


def test_rounds_are_ruled_on_once():
    """A right program gives occasions of all kinds and no fault; each poor move is one."""
    right, _ = ruled(RIGHT)
    assert not any(play.faults for play in right)
    counted = sum((play.occasions for play in right), Counter())
    assert {"computer", "count", "taken", "told", "turn", "end"} <= set(counted)
    poor, _ = ruled(replace(RIGHT, best=lambda _n: 1))
    assert {fault.kind for play in poor for _, fault in play.faults} == {"poor-move-0"}


def test_lessons_quote_the_lines_of_the_program():
    """A person sees what was printed, and what he may set."""
    games = games_of(RIGHT)
    everything = [one for played in games.values() for one in played]
    found = player(RIGHT.play)
    said = [one.text for one in reversed(everything)]
    lessons = {
        one.key: one for one in table(found.talk, told_by(RIGHT), said, {}, Lesson("", "", "all was seen")).lessons
    }
    assert lessons["first"].value == "0 1"
    assert lessons["opening"].value == "stones, first"
    assert lessons["told-after"].value == "Es liegen <n> da."
    assert lessons["told-program"].quote.startswith("Ich nehme ")
    assert lessons[""].sentence == "all was seen"
