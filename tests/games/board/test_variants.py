"""Other games, and programs that behave badly: each ends in a sentence, and is judged for nothing that is right by its own rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.games.board.idle import playless
from grader.games.families.fourinarow.rules import RULES
from grader.games.hear.runs import SpentError
from grader.sessions.reference import Line, Play
from tests.games.board import variants
from tests.games.board.programs import graded, verdicts
from tests.games.board.small import Small, account, played

FIXTURES = Path(__file__).parents[3] / "fixtures" / "mips-connect4" / "accepted"


def obstacle(source: str) -> str:
    """The sentence in which a program is refused; empty where it is judged."""
    cases = {case.id: case for case in graded(source).cases}
    assert str(cases["assembles"].verdict) == "accepted"
    return cases["plays"].findings[0].message if str(cases["plays"].verdict) == "needs-review" else ""


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (variants.board(8), "more than 7 columns"),
        (variants.board(1_000), "more than 7 columns"),
        (variants.board(9, 9), "more than 7 columns"),
        (variants.board(rows=7), "more than 6 pieces"),
        (variants.board(6), "fewer than 7 columns"),
        (variants.board(rows=5), "no answer to its questions"),
        (variants.board(rule=variants.FORCED), "no answer to its questions"),
        (variants.board(rule=variants.CHANCE), "depends on chance"),
        (variants.TIC_TAC_TOE, "no answer to its questions"),
        (variants.GUESS, "no answer to its questions"),
        (variants.board(before=variants.QUESTIONS), "no answer to its questions"),
    ],
    ids=["wide", "thousand", "large", "high", "narrow", "low", "forced", "chance", "tic-tac-toe", "guess", "quiz"],
)  # fmt: skip
def test_another_game_is_refused_in_a_sentence(source, why) -> None:
    """Nothing is judged, and nothing is lost."""
    assert why in obstacle(source)


def test_a_mark_beside_the_board_in_memory_is_no_piece() -> None:
    """The board is always drawn empty, so that pieces are seen in memory alone. A 1 that stands there before it was a piece in column 0."""
    board = variants.board()
    source = board.replace("lb   $t1, board($t0)\n        lb   $a0", "li   $t1, 0\n        lb   $a0")
    source = source.replace("board:  .space", "one:    .byte 1\nboard:  .space")
    changed = verdicts(graded(source)).items() - verdicts(graded(board)).items()
    assert changed == {("board", "wrong-answer")}


@pytest.mark.parametrize(
    ("line", "note", "wrong"),
    [
        (3, "its games end with three in a line, and not with four", {"nothing-else-wins"}),
        (5, "its games end with five in a line, and not with four", {"across", "upwards", "rising", "falling"}),
    ],
)
def test_a_line_of_another_length_is_charged_and_named(line, note, wrong) -> None:
    """All else of the program is judged, and what its wrong rule hides costs nothing more."""
    grade = graded(variants.board(line=line))
    plays = next(case for case in grade.cases if case.id == "plays")
    assert note in [finding.message for finding in plays.findings]
    changed = verdicts(grade).items() - verdicts(graded(variants.board())).items()
    assert {case for case, verdict in changed if verdict == "wrong-answer"} == wrong


@pytest.mark.parametrize(
    ("right", "wrong", "verdict"),
    [
        ("sb   $t1, board($t0)", "sw   $t1, board+1($zero)", "runtime-error"),
        ("bnez $s7, over", "bnez $s7, over\n bgtz $s3, ends", "not-shown"),
        ("bnez $s7, over", "bnez $s7, over\n bgtz $s3, loops", "not-terminating"),
    ],
    ids=["breaks", "ends behind the first piece", "never asks again"],
)
def test_a_program_that_ends_with_any_first_move_shows_nothing(right, wrong, verdict) -> None:
    """It earns nothing, and is not left to a person."""
    source = (
        variants.board()
        .replace(right, wrong)
        .replace("over:   beq", "loops:  b loops\nends:   li $v0, 10\n syscall\nover:   beq")
    )
    assert verdicts(graded(source))["plays"] == verdict


TURN = "bne $v0, 1, menu"


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        ("li $v0, 10\n syscall", "not-shown"),
        ("sw $t1, board+1($zero)", "runtime-error"),
        ("stays: b stays", "not-terminating"),
        ("", ""),
    ],
    ids=["ends", "breaks", "hangs", "is right"],
)
def test_a_game_that_ends_with_its_first_turns_is_none_though_a_menu_comes_behind_each_piece(code, verdict) -> None:
    """The answer that ends the turn ends the program, and no other one leads on: the program is not left to a person."""
    source = variants.with_menu(variants.board())
    assert verdicts(graded(source.replace(TURN, f"{TURN}\n {code}"))).get("plays", "") == verdict


def test_a_program_that_breaks_at_each_second_piece_plays_no_game() -> None:
    """Its first pieces lie side by side, so that a column was asked for."""
    source = variants.board(rule="beqz $s3, first\n sw $t1, board+1($zero)\nfirst:")
    assert verdicts(graded(source))["plays"] == "runtime-error"


@pytest.mark.parametrize(("works", "cells"), [("blt $t2, 5", ".XO"), ("blt $t2, 5", "012"), ("bgt $t2, 1", "012")])
def test_two_columns_that_break_the_program_leave_the_others_to_be_judged(works, cells) -> None:
    """Cells may be digits. Without an answer in two columns the other five show the board."""
    source = variants.board(rule=f"{works}, works\n sw $t1, board+1($zero)\nworks:")
    found = verdicts(graded(source.replace('.ascii ".XO"', f'.ascii "{cells}"')))
    assert (found["unbroken"], found.get("plays")) == ("runtime-error", None)


REFUSED = "        syscall\n        b    turn"


def test_a_program_that_never_shows_a_piece_plays_no_game() -> None:
    """It takes columns, since it refuses other answers, and the third of those ends it. Its other questions change nothing."""
    words = "blt $s3, 2, kept\n la $a0, hello\n beq $s3, 2, says\n la $a0, won\n beq $s3, 3, says\n la $a0, tie\n"
    asks = f"{words}says: li $v0, 4\n syscall\n li $v0, 5\n syscall\nkept:"
    hidden = variants.board().replace("sb   $t1, board($t0)", asks)
    ends = hidden.replace(REFUSED, f"        syscall\n addi $s6, $s6, 1\n beq $s6, 3, bye\n{REFUSED[16:]}")
    assert variants.board() != hidden != ends
    assert verdicts(graded(ends))["plays"] == "not-shown"


def test_pieces_in_one_column_are_charged_though_a_menu_comes_behind_each() -> None:
    """The menu took the label of the second move."""
    source = variants.with_menu(variants.board(rule="bltz $t2, no\n bge $t2, 7, no\n li $t2, 0"))
    (board,) = (one for one in graded(source).cases if one.id == "board")
    assert "all pieces fall into the same column" in board.findings[0].message


class Once(Small):
    """A program that ends behind the first move; ``shows`` says whether it shows the piece before, ``asks`` whether it asks again."""

    shows = True
    asks = True

    def play(self, _seed: int) -> Play:
        """One move."""
        yield "Column: "
        while (typed := (yield Line())) not in tuple("1234567"):
            if not self.asks:
                return
            yield "No.\nColumn: "
        yield self.drawn(played(typed)) if self.shows else "Bye.\n"


@pytest.mark.parametrize(("shows", "asks", "games"), [(True, False, 7), (False, True, 7), (False, False, 0)])
def test_a_question_for_a_column_is_known_though_no_other_comes(shows, asks, games) -> None:
    """By seven pieces, or by two answers that are refused. A program that ends with any answer may have been told to."""
    once = Once()
    once.__dict__.update(shows=shows, asks=asks)
    assert len(playless(RULES, once.runs()) or ()) == games


def test_a_program_that_refuses_every_column_is_shown_as_it_refuses_one_that_exists() -> None:
    """It loses by three violations, as it should, if 0 is typed: this was the game that was shown for its points."""
    source = (FIXTURES / "spim-main" / "submission" / "connect4.s").read_text()
    refuses = source.replace("bgt     $a0, $t0, lowest2", "b lowest2")
    assert refuses != source
    (plays,) = (case for case in graded(refuses).cases if case.id == "plays")
    assert str(plays.verdict) == "not-shown"
    assert [turn.typed for turn in plays.turns][2:5] == ["1\n"] * 3
    assert plays.findings[1].message == "after column 1 the program asks the same question again, after 1, X, 1"


def test_a_board_in_the_text_that_we_cannot_read_is_not_said_to_be_missing() -> None:
    """The second player is number 3, and his moves are counted where the sign of an empty cell lies: it changes with each."""
    source = (FIXTURES / "players-are-called-by-their-marks" / "submission" / "connect4.s").read_text()
    other = "other_player:\n        li      $t0, "
    changes = source.replace(f"{other}3", f"{other}4")
    assert changes != source
    (read,) = (case for case in graded(changes).cases if case.id == "board-read")
    assert read.findings[0].message.startswith("we could not read a board in the text: a person must look")


MENU = """
pages:  li   $v0, 5
        syscall
        beq  $v0, 1, first
        beq  $v0, 2, second
        beq  $v0, 3, pages
        b    pages
broken: lw   $t0, 1($zero)
{first}
{second}
"""
BREAKS, PLAYS, BACK, ENDS = "b broken", "b game", "b pages", "li $v0, 10\nsyscall"


@pytest.mark.parametrize(
    ("first", "second", "sign", "verdict"),
    [
        (BREAKS, BREAKS, "=", "runtime-error"),
        (BREAKS, BACK, "=", "runtime-error"),
        (BREAKS, BACK, "for", "runtime-error"),
        (BACK, BACK, "=", "needs-review"),
        (BREAKS, PLAYS, "=", "accepted"),
        (ENDS, ENDS, "=", "not-shown"),
        (ENDS, BACK, "=", "needs-review"),
        (ENDS, PLAYS, "=", "accepted"),
    ],
)
def test_a_program_that_stops_before_its_game_plays_none(first, second, sign, verdict) -> None:
    """Each answer to its menu stops it or leads back to the same page. One that may be the way out alone says nothing of a game."""
    menu = MENU.format(first=f"first:  {first}", second=f"second: {second}\ngame:")
    source = variants.board(before=menu, hello=f"1 {sign} X begins, 2 {sign} O begins, 3 {sign} the rules: ")
    assert verdicts(graded(source)).get("plays", "accepted") == verdict


@pytest.mark.parametrize(
    ("name", "right", "wrong", "verdict"),
    [
        # it breaks behind “Sure about 3? y/n”, which shows another text for each column
        ("asks-whether-one-is-sure-before-each-piece", "lb      $t2, dirs($t9)", "lb $t2, dirs($a0)", "not-shown"),
        # it breaks before the first board, behind a menu of three items that have pages of their own
        (
            "chinese-emoji-and-a-menu",
            "draw:   addi    $sp, $sp, -4\n        sw      $ra",
            "draw: addi $sp, $sp, -4\n sw $t6",
            "runtime-error",
        ),
        # its menu asks again whatever is typed, also the letters that it offers
        ("any-other-key-goes-on", "bne     $t1, $v0, m_find", "b m_find", "not-shown"),
    ],
)
def test_a_program_that_stops_behind_other_questions_plays_none(name, right, wrong, verdict) -> None:
    """An echo in a question is no board, and a menu whose items do nothing leads to none."""
    (source,) = (FIXTURES / name / "submission").iterdir()
    text = source.read_text()
    assert right in text
    assert verdicts(graded(text.replace(right, wrong)))["plays"] == verdict


def test_a_program_that_ends_at_a_menu_is_left_to_a_person() -> None:
    """If every answer ends it, none of them is known to be a move."""
    source = variants.board(before="li $v0, 5\n syscall\n bne $v0, 4711, leave").replace(
        "over:   beq", "leave:  li $v0, 10\n syscall\nover:   beq"
    )
    assert "no answer to its questions" in obstacle(source)


def test_a_flood_before_the_game_is_read_past() -> None:
    """64 KiB in one line are no board."""
    assert verdicts(graded(variants.board(before=variants.FLOOD))) == verdicts(graded(variants.board()))


def test_a_flood_in_each_turn_ends() -> None:
    """The board begins in the line of the flood, and part of it may be left out: it is not read, and nothing is charged."""
    assert "more in its turns than we can read" in obstacle(variants.board(rule=variants.FLOOD))


def test_what_the_rules_lack_alone_is_charged() -> None:
    """The program of these tests has no undos and counts no violations; all else is right."""
    assert set(verdicts(graded(variants.board()))) == {"undo", "undo-limit", "undo-first", "violations"}


@pytest.mark.parametrize(
    ("breaks", "verdict"),
    [("lw $t0, 1($zero)", "runtime-error"), ("li $t0, 0\nspin: addi $t0, $t0, 1\n b spin", "time-limit")],
    ids=["breaks", "hangs"],
)
def test_a_program_that_breaks_at_one_column_is_judged_by_the_others(breaks, verdict) -> None:
    """No known game is played to its end. Its beginnings are right, and only the break is charged."""
    source = variants.board(rule=f"bnez $t2, fine\n{breaks}\nfine:")
    changed = verdicts(graded(source)).items() - verdicts(graded(variants.board())).items()
    assert {case for case, each in changed if each not in ("unjudged", "accepted")} == {"unbroken"}
    assert dict(changed)["unbroken"] == verdict


def test_what_was_ruled_before_the_last_run_is_kept() -> None:
    """If no further run is made, all else is left to a person."""
    runs, games = Small().runs(), account()
    games.begin(runs.run(())).fault("crash", "it broke", runs.run(()))
    with games.as_far_as_runs_go(runs):
        raise SpentError("no more runs are made")
    assert [fault.kind for game in games.followed() for _, fault in game.faults] == ["crash", "unread"]
