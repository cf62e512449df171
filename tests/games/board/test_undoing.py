"""Moves that are taken back, on small programs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from grader.games.board.playing import Player
from grader.games.board.rules import Spot
from grader.games.families.fourinarow.rules import COLUMNS, ROWS
from grader.games.families.fourinarow.undoing import Undoing
from tests.games.board.programs import graded, verdicts
from tests.games.board.small import Small, account, opening_of


def undone(small: Small) -> tuple[Undoing, Counter[str], set[str]]:
    """The findings on a program: how, what came about, and the kinds of faults."""
    games_of = account()
    undoing = Undoing(Player(opening_of(small), games_of), 3)
    undoing.explore()
    games = games_of.followed()
    seen: Counter[str] = Counter()
    for game in games:
        seen.update(game.occasions)
    return undoing, seen, {fault.kind for game in games for _, fault in game.faults}


def test_a_question_that_offers_it_is_found() -> None:
    """No fault, and all that is judged came about."""
    undoing, seen, faults = undone(Small())
    assert undoing.taking.asks
    assert not faults
    assert min(seen[name] for name in ("first", "undoable", "undone", "used-up")) >= 3


@pytest.mark.parametrize("key", ["u", "Z", "back", "-1"])
def test_a_key_where_a_column_is_asked_for_is_found(key) -> None:
    """The prompt names it."""
    undoing, _, faults = undone(Small(undo=(key,), column=f"{{name}}, your column ({key} takes back): "))
    assert (undoing.taking.way, faults) == (key, set())


@pytest.mark.parametrize(
    ("small", "faults"),
    [
        (Small(undo=("",)), {"undo-not-asked"}),
        (Small(undos=2), {"undo-not-asked"}),
        (Small(undos=4), {"undo-fourth"}),
        (Small(first_stays=False), {"undo-first"}),
        (Small(undo=("u",), column="{name}, your column (u takes back): ", first_stays=False), {"undo-first"}),
        (Small(back=lambda before, after: Spot(after.position, before.mover)), {"undo-board"}),
    ],
    ids=["none", "two", "four", "first", "first by a key", "piece stays"],
)
def test_what_is_wrong_with_undos_is_told_apart(small, faults) -> None:
    """Each has a fault of its own, and nothing else."""
    assert undone(small)[2] == faults


@pytest.mark.parametrize("undo", [("y", "n"), ("u",)], ids=["a question", "a key"])
@pytest.mark.parametrize("column", range(COLUMNS))
def test_an_undo_that_one_column_lacks_is_missed(column, undo) -> None:
    """Also where a game looks at something else: each column is the last one before an undo."""
    prompt = "{name}, your column: " if len(undo) > 1 else "{name}, your column (u takes back): "
    assert undone(Small(undo=undo, column=prompt, stays=column))[2] == {"undo-not-asked"}


@pytest.mark.parametrize("column", [0, 1, 5])
def test_a_column_that_is_refused_costs_the_legal_moves_alone(column) -> None:
    """No board comes behind the refusal: the piece was believed to lie, and lines, undos and violations behind it were blamed."""
    source = (ACCEPTED / "mars-macros" / "submission" / "connect4.s").read_text()
    bound = "        bge     $s0, COLS, ac_none\n"
    found = verdicts(graded(source.replace(bound, f"{bound}        beq     $s0, {column}, ac_none\n")))
    assert {case for case, verdict in found.items() if verdict == "wrong-answer"} <= {"legal"}
    assert found["legal"] != "accepted"


def ruined(before: Spot, after: Spot) -> Spot:
    """The same player again, and all pieces a column beside where they lay."""
    return Spot(after.position[ROWS:] + after.position[:ROWS], before.mover)


@pytest.mark.parametrize(
    "small", [Small(back=ruined), Small(back=lambda _before, after: after)], ids=["another board", "nothing"]
)
def test_an_offer_is_known_though_no_move_is_taken_back_as_it_should_be(small) -> None:
    """The question comes behind later moves alone: that first moves stay is shown by it, whatever comes of an undo."""
    undoing, seen, faults = undone(small)
    assert undoing.taking.asks
    assert faults == {"undo-board"}
    assert seen["first"]


ACCEPTED = Path(__file__).parents[3] / "fixtures" / "mips-connect4" / "accepted"


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("undo-is-a-key-where-a-column-is-asked-for", {"undo-limit", "undo-first"}),
        ("mars-macros", {"undo-limit"}),
    ],
)
def test_who_breaks_at_each_undo_earns_nothing_for_its_limit(name, others) -> None:
    """No move was taken back, and no move that is made breaks the program.

    A question shows that first moves are not taken back; a key does not.
    """
    source = (
        (ACCEPTED / name / "submission" / "connect4.s")
        .read_text()
        .replace("take_back:\n", "take_back: lw $t0, 1($zero)\n")
    )
    assert verdicts(graded(source)) == {"undo": "runtime-error", **dict.fromkeys(others, "not-shown")}


def test_who_never_offers_an_undo_earns_nothing_for_its_limit_and_for_first_moves() -> None:
    """None of the rules of an undo is there: none was seen, and none is earned."""
    source = (ACCEPTED / "mars-macros" / "submission" / "connect4.s").read_text()
    never = source.replace("        jal     ask_undo\n", "        li $v0, 0\n")
    assert never != source
    found = verdicts(graded(never))
    assert found == {"undo": "wrong-answer", "undo-limit": "not-shown", "undo-first": "not-shown"}


def test_an_undo_that_counts_as_two_pieces_is_seen_at_the_full_board() -> None:
    """The tie never comes: nothing can be dropped there to see that the game goes on."""
    source = (ACCEPTED / "mars-macros" / "submission" / "connect4.s").read_text()
    twice = source.replace(
        "subi    $s3, $s3, 1\n        jal     draw_board", "subi    $s3, $s3, 2\n        jal     draw_board"
    )
    assert twice != source
    assert set(verdicts(graded(twice))) == {"undo"}


def test_an_undo_that_leaves_the_piece_is_not_charged_for_the_limit_as_well() -> None:
    """The same move ruins what tells where the piece lies and whose lines are looked for; how often it may be taken back does not show."""
    source = (ACCEPTED / "keys-bitboards" / "submission" / "connect4.s").read_text()
    left = source.replace("move    $a0, $s0\n        jal     has_four", "move $s1, $s0\n        jal     has_four")
    assert left != source
    found = verdicts(graded(left))
    assert (found["undo"], found["undo-limit"]) == ("wrong-answer", "unjudged")


def test_a_piece_that_floats_behind_an_undo_is_shown_where_it_floats() -> None:
    """The height of the column is not given back: the board behind the next undo was blamed, and showed all that had been there."""
    source = (ACCEPTED / "cells-in-brackets-and-u-or-k" / "submission" / "connect4.asm").read_text()
    floats = source.replace("sw $s2, heights($t0)\n    addi $s3, $s3, -1", "addi $s3, $s3, -1")
    assert floats != source
    (undo,) = (case for case in graded(floats).cases if case.id == "undo")
    assert "was played after moves were taken back, but the board does not show that" in undo.findings[0].message


def test_a_program_that_breaks_on_its_way_out_has_told_the_results() -> None:
    """The crash is charged, and not left open with it who has won: that was said before."""
    source = (ACCEPTED / "spim-main" / "submission" / "connect4.s").read_text()
    broken = source.replace("done:   lw      $ra, 12($sp)", "done:   lw      $ra, 12($t6)")
    assert broken != source
    assert set(verdicts(graded(broken))) == {"unbroken"}


def test_a_board_above_an_undo_is_none_that_came_of_it() -> None:
    """A seventh row shows the number of undos as well: behind one no board is found, and the one above it still has the piece."""
    source = (ACCEPTED / "any-key-before-each-turn" / "submission" / "connect4.asm").read_text()
    seven = source.replace("li      $s6, 5", "li $s6, 6")
    assert verdicts(graded(seven)).keys() <= {"undo", "undo-limit", "undo-first", "undo-read"}
    assert set(verdicts(graded(seven)).values()) == {"needs-review"}


def test_a_line_that_hangs_on_the_number_of_undos_is_no_fault_of_an_undo() -> None:
    """The program looks for lines beside its board, where the undos are counted: that it sees wrong lines is charged, and once."""
    source = (ACCEPTED / "chinese-emoji-and-a-menu" / "submission" / "connect4.s").read_text()
    beside = source.replace("sll     $t4, $t1, 3", "sll $t4, $t1, 4")
    failed = {case for case, verdict in verdicts(graded(beside)).items() if verdict != "unjudged"}
    assert failed == {"across", "upwards", "rising", "falling", "nothing-else-wins"}


def test_a_crash_at_the_question_for_an_undo_is_charged_once() -> None:
    """Undos, full columns and third violations that it hides cost nothing by themselves."""
    source = (ACCEPTED / "any-other-key-goes-on" / "submission" / "connect4.s").read_text()
    broken = source.replace("la      $a0, t_prompt\n", "lw $t0, 1($zero)\n")
    found = verdicts(graded(broken))
    assert {case for case, verdict in found.items() if verdict not in ("unjudged", "needs-review")} == {"unbroken"}


def test_the_number_of_a_player_is_no_answer_that_an_undo_offers() -> None:
    """The question has lost its words and says “Spieler 2” alone: it offers nothing, and 2 only goes on. Only usual keys are tried there."""
    source = (ACCEPTED / "any-key-before-each-turn" / "submission" / "connect4.asm").read_text()
    silent = source.replace("la      $a0, t11\n        jal     puts", "la      $a0, t11")
    (undo,) = (case for case in graded(silent.replace("'j'", "'q'")).cases if case.id == "undo")
    assert "but we found nothing that does so" in undo.findings[0].message
    assert verdicts(graded(silent)).keys().isdisjoint({"undo", "undo-limit", "undo-first"})


def test_an_undo_that_is_offered_behind_some_pieces_alone_is_missed_once() -> None:
    """It is asked for by the row of the piece: whether the fourth undo and first moves stay is left open."""
    source = (ACCEPTED / "mars-macros" / "submission" / "connect4.s").read_text()
    some = source.replace("        move    $a0, $s0\n        jal     ask_undo\n", "        jal     ask_undo\n")
    assert verdicts(graded(some)) == {"undo": "wrong-answer", "undo-limit": "unjudged", "undo-first": "unjudged"}


def test_of_two_answers_that_leave_the_piece_the_usual_key_is_the_undo() -> None:
    """“Press Enter to play it, or u and Enter to undo (3 left):” u is typed to take the piece back, and not 3."""
    source = (ACCEPTED / "the-result-in-words-of-its-own" / "submission" / "connect4.s").read_text()
    leaves = source.replace("        li      $v0, 0\nsure1:", "sure1:")
    (undo,) = (case for case in graded(leaves).cases if case.id == "undo")
    assert undo.findings[0].message.endswith("the piece is still there, after 1, X, 4, 4, 3, u")


def test_players_are_known_by_the_line_above_a_question_that_names_nobody() -> None:
    """“Spieler 2 ist an der Reihe, weiter mit einer Taste”, then “Spalte:”: no game is won, and yet it is seen that both begin."""
    source = (ACCEPTED / "any-key-before-each-turn" / "submission" / "connect4.asm").read_text()
    found = verdicts(graded(source.replace("lb      $t5, grid($t4)", "li      $t5, 0")))
    assert "needs-review" not in found.values()
    assert found.keys().isdisjoint({"random-start", "violations"})


def test_a_board_with_wrong_pieces_shows_nothing_of_an_undo() -> None:
    """Two cells of the program are one, so an undo takes pieces from both: the board alone is charged. Other undos work."""
    source = (ACCEPTED / "any-key-before-each-turn" / "submission" / "connect4.asm").read_text()
    shared = source.replace("fall:   sll     $t0, $s2, 3", "fall:   sll     $t0, $s2, 2")
    assert shared != source
    found = verdicts(graded(shared))
    assert {case for case, verdict in found.items() if verdict == "wrong-answer"} == {"board"}


def test_a_wrong_column_is_no_first_move() -> None:
    """Where player 2 begins and answers wrongly, that counts as a move of player 1: the first one offers an undo."""
    source = (ACCEPTED / "cells-in-brackets-and-u-or-k" / "submission" / "connect4.asm").read_text()
    counted = source.replace("wrong:\n    sll $t0, $s0, 2\n", "wrong:\n    sll $t0, $s0, 3\n")
    assert counted != source
    assert verdicts(graded(counted)) == {"violations": "wrong-answer", "undo-first": "wrong-answer"}


def test_a_wrong_column_that_takes_the_turn_is_charged_once() -> None:
    """The program counts it among the moves of both players, and offers to take back a first one: the lost turn is the mistake."""
    source = (ACCEPTED / "mars-macros" / "submission" / "connect4.s").read_text()
    again = "        blt     $t1, STRIKES, next_move\n"
    count = "".join(f" lw $t2, pieces+{at}\n addi $t2, $t2, 1\n sw $t2, pieces+{at}\n" for at in (4, 8))
    lost = source.replace(
        again, f"        bge     $t1, STRIKES, beaten\n{count}        b       other_player\nbeaten:\n"
    )
    assert lost != source
    found = verdicts(graded(lost))
    assert found["missing-columns"] == "wrong-answer"
    assert "undo-first" not in found
