"""Programs whose pieces lie wrongly, or whose turn is not passed: the departure is named and charged once, and nothing that follows from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.games.board.corrections import Corrections
from grader.games.board.misplacing import misplaced
from grader.games.board.opening import UnreadError
from grader.games.board.rules import Spot
from grader.games.families.fourinarow.faults import TABLES
from grader.games.families.fourinarow.rules import RULES
from grader.games.learn.fit import Departure
from grader.grading import Grading
from grader.intake.source import read_submission
from tests.games.board import variants
from tests.games.board.programs import ASSIGNMENT, graded, verdicts
from tests.games.board.small import Small

ROOT = Path(__file__).parents[3] / "fixtures" / "mips-connect4" / "accepted"

STORED = "sb   $t1, board($t0)"
BREAKS = "li $t0, 1\n jr $t0\n"
HIGHER = "addi $t3, $t3, 1\n        b    free"


@pytest.mark.parametrize(
    ("right", "wrong", "case", "sentence"),
    [
        ("drop:   addi $t1, $s0, 1", "drop:   li   $t1, 1", "board", "the pieces of both players have the same mark"),
        ("xori $s0, $s0, 1", "nop", "legal", "it is always the same player's turn"),
        (STORED, f"addi $t0, $t0, 1\n {STORED}", "board", "one column further to the right"),
        (STORED, f"addi $t0, $t0, 7\n {STORED}", "board", "one row higher"),
        ("addi $t2, $v0, -1", "li   $t2, 3", "board", "all pieces fall into the same column"),
        (HIGHER, HIGHER.replace("1", "2"), "board", "not fall to the lowest free row"),
        (HIGHER, "b    no", "legal", "a column takes fewer pieces than it has rows"),
    ],
    ids=["same mark", "same turn", "right", "higher", "into one", "every second row", "one piece"],
)
def test_a_departure_is_charged_once(right, wrong, case, sentence) -> None:
    """Under its own criterion, with a game that shows it; what follows from it is for a person."""
    grade = graded(variants.board().replace(right, wrong))
    found = next(one for one in grade.cases if one.id == case)
    assert (str(found.verdict), sentence in found.findings[0].message) == ("wrong-answer", True)
    failed = {one for one, verdict in verdicts(grade).items() if verdict == "wrong-answer"}
    assert failed <= {case, "undo", "undo-limit", "violations", "missing-columns"}


def test_a_crash_at_the_second_piece_of_a_column_is_told_with_its_line() -> None:
    """The games that show it also say what they leave to a person, and the crash was told as a wrong answer, without a line."""
    grade = graded(variants.board().replace(HIGHER, BREAKS))
    (unbroken,) = (one for one in grade.cases if one.id == "unbroken")
    assert (str(unbroken.verdict), "jr $t0" in unbroken.findings[0].excerpt) == ("runtime-error", True)
    assert "legal" not in verdicts(grade)


@pytest.mark.parametrize(
    ("found", "case", "sentence"),
    [
        ("j lowest2", "legal", "some columns take no piece"),
        ("li $v0, 10\n syscall", "legal", "some columns take no piece"),
        ("li $a0, 1", "board", "some pieces fall into other columns"),
    ],
    ids=["refuses", "ends", "into the first"],
)
def test_games_in_the_columns_that_are_right_are_judged(found, case, sentence) -> None:
    """Three columns are wrong: what can be won in the other four counts, and only a full board cannot be seen."""
    source = (ROOT / "spim-main" / "submission" / "connect4.s").read_text()
    label = "lowest: blez    $a0, lowest2\n"
    wrong = f"lowest: ble $a0, 4, bound\n bgt $a0, 7, bound\n {found}\nbound: blez $a0, lowest2\n"
    grade = graded(source.replace(label, wrong))
    failed = {one.id: one.findings[0].message for one in grade.cases if str(one.verdict) == "wrong-answer"}
    assert [*failed] == [case]
    assert sentence in failed[case]
    assert not verdicts(grade).keys() & {"across", "upwards", "rising", "falling", "nothing-else-wins", "winner"}


def test_lines_of_its_own_board_are_judged_behind_a_departure() -> None:
    """If all pieces have one mark, any four of them are a line, and the player who dropped the last one has won. No slant can come first."""
    grade = graded(variants.board().replace("drop:   addi $t1, $s0, 1", "drop:   li   $t1, 1"))
    found = verdicts(grade)
    assert not found.keys() & {"across", "upwards", "nothing-else-wins", "winner", "random-start"}
    assert {found[case] for case in ("rising", "falling", "ties")} == {"needs-review"}


@pytest.mark.parametrize(
    ("label", "broken", "cases"),
    [
        ("name:   li", f"name:   {BREAKS} li", {"unbroken"}),
        ("la      $a0, lost", BREAKS, {"violations"}),
    ],
    ids=["whenever it names the winner", "behind a third violation alone"],
)
def test_a_break_in_one_place_costs_once(label, broken, cases) -> None:
    """A program that breaks as it names the winner does so behind a third violation as well."""
    right = (ROOT / "spim-main" / "submission" / "connect4.s").read_text()
    found = verdicts(graded(right.replace(label, broken)))
    assert {case for case, verdict in found.items() if verdict == "runtime-error"} == cases
    assert "violations" in cases or "violations" not in found


def test_staff_can_set_the_rules_that_a_program_plays() -> None:
    """Its own ones change nothing, others are not taken as true, and by the right ones no game of it is read."""
    source = variants.board().replace("xori $s0, $s0, 1", "nop")
    before = graded(source)
    rules = next(lesson.value for lesson in before.learned if lesson.key == "rules")
    assert verdicts(graded(source, {before.wording: {"rules": rules}})) == verdicts(before)
    other = graded(source, {before.wording: {"rules": "all pieces fall into the same column, whichever is typed"}})
    assert verdicts(other) == verdicts(before)
    assert any("its games are not explained by that" in one for one in other.review)
    assert set(verdicts(graded(source, {before.wording: {"rules": "right"}})).values()) == {"needs-review"}


@pytest.mark.parametrize(
    "rule",
    ["li $t9, 7\n rem $t2, $s3, $t9", "li $t9, 7\n mul $t2, $t2, $t2\n add $t2, $t2, $s3\n rem $t2, $t2, $t9"],
    ids=["in turn", "by a rule of its own"],
)
def test_pieces_in_the_same_cell_cost_the_board_alone(rule) -> None:
    """No departure explains them, and what follows from that is for a person."""
    found = verdicts(graded(variants.board(rule=rule)))
    assert {case for case, verdict in found.items() if verdict == "wrong-answer"} == {"board"}
    assert {found[case] for case in ("across", "undo", "full-columns")} == {"needs-review"}


def test_a_game_that_ends_by_a_piece_that_was_never_played_costs_the_board_alone() -> None:
    """The top cell of column 7 is the height of column 1 as well: X lies there once that column has one piece, and makes four in a line."""
    source = (ROOT / "names-menu-and-clock" / "submission" / "connect4.s").read_text()
    shared = source.replace(".byte 0:42", ".byte 0:41")
    assert shared != source
    assert {case for case, verdict in verdicts(graded(shared)).items() if verdict == "wrong-answer"} == {"board"}


@pytest.mark.parametrize(
    ("starter", "verdict"), [("move $s0, $a0", None), ("li $s0, 0", "needs-review")], ids=["either", "always the first"]
)
def test_words_tell_who_begins_where_pieces_lie_wrongly(starter, verdict) -> None:
    """No piece tells whose it is. “Player 2” and “Player 1” are asked first by chance; one name alone says nothing."""
    source = variants.board(rule="li $t9, 7\n rem $t2, $s3, $t9").replace("move $s0, $a0", starter)
    assert verdicts(graded(source)).get("random-start") == verdict


@pytest.mark.share(2)
@pytest.mark.parametrize(
    ("program", "right", "wrong", "message"),
    [
        (
            "any-key-before-each-turn/connect4.asm",
            "sub     $t0, $t0, $s2\n",
            "sub     $t0, $t3, $s2\n",
            "another piece lies",
        ),
        ("any-key-before-each-turn/connect4.asm", "sb      $t1, grid($s4)", "sb      $t1, grid($a1)", "no piece lies"),
        ("names-menu-and-clock/connect4.s", "sb $t1, height($s2)", "sb $t1, height($s7)", "no piece lies in column 1"),
        (
            "keys-bitboards/connect4.s",
            "sll     $t0, $a0, 3\n",
            "sll     $t0, $a0, 4\n",
            "a piece lies in column 4, row 5",
        ),
    ],
    ids=["a second piece", "all in one cell, a key before each turn", "heights of one column", "one piece too many"],
)
def test_pieces_that_lie_wrongly_by_no_rule_cost_the_board(program, right, wrong, message) -> None:
    """If the first pieces lie rightly side by side, later ones show it; if most do, a piece too many does."""
    folder, name = program.split("/")
    source = (ROOT / folder / "submission" / name).read_text()
    assert source.count(right) > 0
    grade = graded(source.replace(right, wrong, 1))
    found = verdicts(grade)
    assert {case for case, verdict in found.items() if verdict == "wrong-answer"} == {"board"}
    board = next(one for one in grade.cases if one.id == "board")
    assert message in board.findings[0].message


@pytest.mark.parametrize("colours", [False, True], ids=["letters", "colours"])
def test_the_boards_of_a_right_program_are_never_misplaced(colours) -> None:
    """Also if both marks are one letter in two colours, and the higher one of a column comes first in a text."""

    class Right(Small):
        @staticmethod
        def drawn(position: str) -> str:
            text = Small.drawn(position)
            return text.replace("X", "\x1b[31m@\x1b[0m").replace("O", "\x1b[34m@\x1b[0m") if colours else text

    assert misplaced(RULES, TABLES, Right().runs(), Corrections()) is None


def test_a_board_that_never_changes_is_charged_though_pieces_fall_in_memory() -> None:
    """All else of the program is judged by its memory."""
    right = (ROOT / "names-menu-and-clock" / "submission" / "connect4.s").read_text()
    grade = graded(right.replace("bgez", "bltz"))
    board = next(one for one in grade.cases if one.id == "board")
    assert "it shows the same as after column" in board.findings[0].message
    assert verdicts(grade) == {"board": "wrong-answer"}


def test_the_pieces_of_the_second_player_are_missed_where_they_fell() -> None:
    """The first piece is no answer before the game: the board that should be shown has it."""
    right = (ROOT / "keys-bitboards" / "submission" / "connect4.s").read_text()
    hidden = right.replace("beqz    $t0, d_two\n", "b       d_two\n")
    assert hidden != right
    (board,) = (one for one in graded(hidden).cases if one.id == "board")
    finding = board.findings[0]
    assert "no piece lies in column 1, row 1 from below" in finding.message
    assert "| ● | ○ |" in finding.position  # only one of its marks is known


def test_a_pause_before_each_turn_is_answered_between_moves() -> None:
    """The second piece of a column hangs the program; the key that goes on is no column, and its game is read up to there."""
    right = (ROOT / "any-key-before-each-turn" / "submission" / "connect4.asm").read_text()
    hangs = right.replace("        addi    $s2, $s2, 1\n        blt     $s2, 6, fall", "        blt     $s2, 6, fall")
    assert hangs != right
    (unbroken,) = (one for one in graded(hangs).cases if one.id == "unbroken")
    assert (str(unbroken.verdict), unbroken.findings[0].typed[-3:]) == ("not-terminating", ("4", "1", "4"))


def test_a_turn_that_is_not_passed_is_charged_where_the_second_piece_may_be_taken_back() -> None:
    """The same player has moved before, and is asked whether the piece stays: behind that question it lies on the board."""
    right = (ROOT / "spim-main" / "submission" / "connect4.s").read_text()
    same = right.replace("        xori    $s0, $s0, 1\n        b       turn", "        b       turn")
    assert same != right
    (legal,) = (one for one in graded(same).cases if one.id == "legal")
    assert "it is always the same player's turn" in legal.findings[0].message


def test_a_permutation_of_the_columns_is_left_to_a_person() -> None:
    """Other labels may be meant: no two of them lead to the same cell."""
    grade = graded(variants.board(rule="mul $t2, $t2, 3\n li $t9, 7\n rem $t2, $t2, $t9"))
    assert verdicts(grade)["plays"] == "needs-review"


def test_a_trial_game_shows_each_departure() -> None:
    """At least one trial game has other positions by it than by the rules, and no trial game makes a line by the rules."""
    for moves in RULES.trials:
        spots = [RULES.after(Spot(RULES.start, "A"), *moves[:number]) for number in range(1, len(moves) + 1)]
        assert not any(RULES.made(spot.position, move) for spot, move in zip(spots, moves, strict=True))
    for one in RULES.departures:
        if one.field == "leads":  # its value is what the first pieces show
            continue
        assert any(_end(one, moves) != RULES.after(Spot(RULES.start, "A"), *moves) for moves in RULES.trials)


def _end(one: Departure, moves: tuple[int, ...]) -> Spot:
    rules = replace(RULES, conduct=replace(RULES.conduct, **{one.field: one.value}))
    return rules.after(Spot(rules.start, "A"), *moves)


@pytest.mark.share(3)
@pytest.mark.parametrize("program", sorted(ROOT.iterdir()), ids=lambda folder: folder.name)
def test_a_right_program_that_is_not_read_is_never_charged(program, monkeypatch) -> None:
    """“Sure? y/n” behind each column takes any key, and looked like the question for a column: all pieces lay in the first one."""

    def unread(*_: object) -> None:
        raise UnreadError("not read")

    monkeypatch.setattr("grader.games.board.opened", unread)
    with Grading(ASSIGNMENT) as grading:
        found = verdicts(grading.grade(read_submission(program / "submission")))
    assert "wrong-answer" not in found.values()
