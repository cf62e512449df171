"""The names of players, and how ends of games name them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.games.board.corrections import Corrections, W, rows
from grader.games.board.ends import End, Game
from grader.games.board.telling import RIGHT, UNREAD, WRONG, Names, Telling, names, placed, template
from grader.games.families.fourinarow.rules import RULES
from grader.games.hear.runs import Run, Wait
from grader.games.learn.table import settings
from tests.games.board.programs import graded, verdicts

ACCEPTED = Path(__file__).parents[3] / "fixtures" / "mips-connect4" / "accepted"
MARKS = {"A": "X", "B": "O"}
CALLED = Names({"A": frozenset({"red"}), "B": frozenset({"blue"})}, MARKS)


def ends(*told: tuple[str, str], by: str = "line") -> list[End]:
    """Ends of games: who has won, and what is printed."""
    found = []
    for winner, text in told:
        run = Run((), (Wait(text),))
        found.append(End(winner, by, "A", text, run, Game(run, drawn=lambda position, _beginner: position)))
    return found


def judged(told: list[tuple[str, str]], given: Corrections | None = None) -> list[str]:
    """How each of these ends is told."""
    telling = Telling(CALLED, ends(*told), [], lambda text: text, given or Corrections())  # type: ignore[arg-type]
    return [telling.of_win(lines) for _, lines in telling.ends]


def test_names_are_what_prompts_say_to_one_player_alone() -> None:
    """At the same place in the question."""
    called = names([("A", "Red, your move: "), ("B", "Blue, your move: ")] * 3, MARKS)
    assert (called.of("red"), called.of("Blue"), called.of("move")) == ("A", "B", "")


def test_numbers_that_both_are_told_name_nobody() -> None:
    """The columns are 1 to 7 for each of them."""
    one, two = ([["player", n, "column", "1", "7"]] for n in "12")
    assert placed(one, two) == ({"1"}, {"2"})


def test_a_line_has_roles_for_names() -> None:
    """So that the lines of both players are the same."""
    assert template("Red has won!", "A", CALLED) == template("Blue has won!", "B", CALLED) == f"{W} has won!"


def test_a_winner_is_named_rightly_or_not() -> None:
    """The line of most games decides what is said; one that names the other player is wrong."""
    assert judged([("A", "Red wins"), ("B", "Blue wins"), ("A", "Red wins"), ("B", "Red wins")]) == [RIGHT] * 3 + [
        WRONG
    ]
    assert judged([("A", "Blue wins"), ("B", "Red wins")]) == [WRONG, WRONG]
    assert judged([("A", "Blue loses"), ("B", "Red loses")]) == [RIGHT, RIGHT]


def test_the_line_of_a_win_may_tell_how_it_came() -> None:
    """A line for each direction, which wins of both players have; one that always names the same player is in no wins of the other."""
    kinds = [
        (who, f"{name} wins by a {kind}") for kind in ("row", "column") for who, name in (("A", "Red"), ("B", "Blue"))
    ]
    assert judged([*kinds, ("A", "Red wins by a row"), ("B", "Red wins by a column")]) == [RIGHT] * 5 + [WRONG]
    assert judged([(who, text.replace("Blue", "Red")) for who, text in kinds]) == [UNREAD] * 4


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("Blue has three strikes and loses. The winner is Red.", RIGHT),
        ("Red has three strikes and loses. The winner is Blue.", WRONG),
        ("Blue was wrong three times, Red.", UNREAD),
        ("Blue is eliminated. Victory by forfeit!", UNREAD),
        ("Blue wins\n1 - play again\n2 - leave", WRONG),
        ("Blue is out.", RIGHT),
        ("Blue is out. Victory!", UNREAD),
        ("P2 loses", RIGHT),
        ("P1 loses", WRONG),
    ],
)
def test_a_verb_tells_who_loses_by_violations(text, how) -> None:
    """Where a line names both players, or runs the number of a player into a letter, as no line of a win does."""
    called = Names({"A": frozenset({"red", "1"}), "B": frozenset({"blue", "2"})}, MARKS)
    told = ends(("A", "Red: four!"), ("B", "Blue: four!")) + ends(("A", text), by="violations")
    telling = Telling(called, told, [], lambda text: text, Corrections())  # type: ignore[arg-type]
    assert telling.of_loss(telling.ends[-1][1]) == how


@pytest.mark.parametrize(("last", "how"), [("Violation 3 of 3 by Blue", UNREAD), ("Blue forfeits", RIGHT)])
def test_the_count_of_violations_does_not_tell_who_has_lost(last, how) -> None:
    """The same line came at the earlier ones, and the game went on."""
    told = ends(("A", "Red wins"), ("B", "Blue wins")) + ends(("A", last), by="violations")
    run = Run(("8", "8"), (Wait("Violation 1 of 3 by Blue"), Wait("Violation 2 of 3 by Blue"), Wait(last)))
    told[-1] = replace(told[-1], run=run)
    telling = Telling(CALLED, told, [], lambda text: text, Corrections())  # type: ignore[arg-type]
    assert telling.of_loss(telling.ends[-1][1]) == how


def test_a_program_that_always_names_the_same_player_is_wrong_where_the_other_wins() -> None:
    """No line is the same in all wins, as roles are named, and no other names would make one. Where a verb is missing a person decides."""
    for line, how in (("Red wins", [RIGHT, WRONG]), ("Red loses", [WRONG, RIGHT]), ("Red!", [UNREAD, UNREAD])):
        telling = Telling(CALLED, ends(("A", line), ("B", line)), [], lambda text: text, Corrections())  # type: ignore[arg-type]
        telling.take_either()
        assert [telling.of_win(lines) for _, lines in telling.ends] == how


def test_what_no_word_tells_is_left_to_a_person_or_to_what_is_set() -> None:
    """“Toast” is no known word of losing."""
    told = [("A", "Blue is toast"), ("B", "Red is toast")]
    assert judged(told) == [UNREAD, UNREAD]
    assert judged(told, settings(Corrections, rows(RULES), {"winner": "<loser> is toast"})) == [RIGHT, RIGHT]
    assert judged(told, settings(Corrections, rows(RULES), {"winner": "<winner> is toast"})) == [WRONG, WRONG]


@pytest.mark.parametrize(
    ("first", "second", "how"),
    [
        ("Red 1 : 0 Blue", "Red 0 : 1 Blue", RIGHT),
        ("Red 0 : 1 Blue", "Red 1 : 0 Blue", UNREAD),
        ("Red: wins, Blue: loses", "Red: loses, Blue: wins", RIGHT),
        ("Red: loses, Blue: wins", "Red: wins, Blue: loses", WRONG),
        ("Red against Blue: Red", "Red against Blue: Blue", RIGHT),
    ],
)
def test_both_players_may_be_named_always_in_the_same_order(first, second, how) -> None:
    """Then no line is the same in all wins. A score tells who won, as do words of winning, and the name that stands there once more."""
    assert judged([("A", first), ("B", second)] * 3) == [how] * 6


TIE = "        la      $a0, t13\n        jal     puts\n"
WIN = """\
        la      $a0, t12
        jal     puts
        jal     who
        la      $a0, t10
        jal     puts
"""


@pytest.mark.parametrize(
    ("silent", "results"),
    [
        ({TIE: ""}, {"ties": "wrong-answer"}),
        ({TIE: "        jal     puts\n"}, {"ties": "wrong-answer"}),
        ({TIE: "", WIN: ""}, {"winner": "wrong-answer"}),
    ],
    ids=["no word of the tie", "the column numbers once more", "no result at all"],
)
def test_a_program_that_tells_wins_must_tell_a_tie(silent, results) -> None:
    """It stops at a full board without a word. One that tells no result at all is charged for its winners alone."""
    source = (ACCEPTED / "any-key-before-each-turn" / "submission" / "connect4.asm").read_text()
    for words, less in silent.items():
        assert words in source
        source = source.replace(words, less)
    found = verdicts(graded(source))
    assert {case: found.get(case) for case in results} == results
    assert ("ties" in found) == ("ties" in results)
