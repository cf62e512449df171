"""Wrong columns, on small programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.games.board.playing import Player
from grader.games.families.fourinarow.violating import Violating
from tests.games.board.programs import graded, verdicts
from tests.games.board.small import Small, account, opening_of

ACCEPTED = Path(__file__).parents[3] / "fixtures" / "mips-connect4" / "accepted"
LOWEST, BAD, FIRST = "lowest: blez    $a0, lowest2\n", "bad:    move    $a0, $s0\n", "undos:  .byte   3, 3\n"
BOUND = "li      $t0, 7\n        bgt     $a0, $t0, lowest2"
TAKEN = f"bne $a0, 8, bound\n li $a0, 1\n sb $a0, had\nbound: {BOUND}"


def faults(small: Small) -> set[str]:
    """The kinds of faults that wrong columns show, and how games were lost by them."""
    games = account()
    Violating(Player(opening_of(small), games), (), 3).explore()
    ends = {end.by for end in games.ends if end.by == "violations"}
    return ends | {fault.kind for game in games.followed() for _, fault in game.faults}


def test_the_third_violation_ends_the_game() -> None:
    """Refused twice, lost at the third, for each player and each kind of wrong column."""
    assert faults(Small()) == {"violations"}


@pytest.mark.parametrize(
    ("small", "found"),
    [
        (Small(third=False), {"third-violation"}),
        (Small(passes=True), {"turn-lost-full", "turn-lost-missing"}),
    ],
    ids=["never lost", "turn passes"],
)
def test_what_is_wrong_with_violations_is_told_apart(small, found) -> None:
    """A game that is never lost, and a turn that is."""
    assert found <= faults(small)


@pytest.mark.parametrize(
    ("refused", "wrong", "cases"),
    [
        ("bne $a0, 4, allow", ("", ""), {"legal"}),
        ("bne $a0, 1, allow", ("", ""), {"legal"}),
        ("beqz $a0, allow", ("", ""), {"legal"}),
        ("bne $a0, 4, allow", (BOUND, TAKEN), {"legal", "missing-columns"}),
    ],
    ids=["one", "the first", "all", "behind one that is accepted"],
)
def test_a_legal_column_that_is_refused_behind_a_wrong_one_is_charged(refused, wrong, cases) -> None:
    """Any of them: the piece of another one showed the same position, and a program that refused one got full marks."""
    source = (ACCEPTED / "spim-main" / "submission" / "connect4.s").read_text()
    source = source.replace(FIRST, f"{FIRST}had: .byte 0\n").replace(BAD, f"{BAD} li $t9, 1\n sb $t9, had\n")
    source = source.replace(
        LOWEST, f"lowest: lb $t9, had\n beqz $t9, allow\n {refused}\n b lowest2\nallow: blez $a0, lowest2\n"
    )
    found = verdicts(graded(source.replace(*wrong) if wrong[0] else source))
    assert {case for case, verdict in found.items() if verdict == "wrong-answer"} == cases


def test_a_program_that_hangs_has_runs_left_for_what_it_does_rightly() -> None:
    """Legal columns behind each wrong one used up its instructions, and all was left to a person."""
    source = (ACCEPTED / "undo-is-a-key-where-a-column-is-asked-for" / "submission" / "connect4.s").read_text()
    found = verdicts(graded(source.replace("neg     $a3, $a3", "neg     $a3, $a1")))
    assert found["unbroken"] == "time-limit"
    assert "needs-review" not in found.values()


def test_a_winner_who_is_exchanged_at_each_end_is_charged_once() -> None:
    """One line names the other player behind four in a line and behind three violations: the first is the mistake."""
    source = (ACCEPTED / "spim-main" / "submission" / "connect4.s").read_text()
    wins = "wins:   la      $a0, winner\n"
    found = verdicts(graded(source.replace(f"{wins}        move    $a1, $s0", f"{wins}        xori    $a1, $s0, 1")))
    assert (found["winner"], found["violations"]) == ("wrong-answer", "unjudged")


def test_an_undo_is_no_violation() -> None:
    """A program that counts both in one place ends at the first wrong column behind two undos."""
    source = (ACCEPTED / "spim-main" / "submission" / "connect4.s").read_text()
    undo = "        sb      $t1, undos($t0)\n"
    counts = undo + " lb $t2, faults($t0)\n addiu $t2, $t2, 1\n sb $t2, faults($t0)\n"
    assert source.count(undo) == 1
    changed = verdicts(graded(source.replace(undo, counts))).items() - verdicts(graded(source)).items()
    assert changed == {("violations", "wrong-answer")}


def test_wrong_columns_are_not_taken_for_refused_where_nobody_can_tell_what_came_of_them() -> None:
    """A program that looks at the column before the one that was typed passes the turn, and refuses the next piece."""
    source = (ACCEPTED / "mars-macros" / "submission" / "connect4.s").read_text()
    taken, looked_at = "        move    $s1, $v0\n", "        bltz    $s1, violation\n"
    assert source.count(taken + looked_at) == 1
    found = verdicts(graded(source.replace(taken + looked_at, looked_at + taken)))
    columns = {case: found[case] for case in ("missing-columns", "full-columns", "violations")}
    assert set(columns.values()) == {"needs-review"}


def test_a_player_who_always_moves_shows_undos_and_third_violations() -> None:
    """The turn is never passed on: that is charged, and neither is the second piece a first one, nor has the other player an undo."""
    source = (ACCEPTED / "mars-macros" / "submission" / "connect4.s").read_text()
    passes = "other_player:\n        li      $t0, 3\n        sub     $s0, $t0, $s0\n"
    assert source.count(passes) == 1
    found = verdicts(graded(source.replace(passes, "other_player:\n")))
    assert found["legal"] == "wrong-answer"
    assert found.keys().isdisjoint({"undo", "undo-limit", "undo-first", "missing-columns", "violations"})
