"""Facts about the games that every program is played."""

from __future__ import annotations

from pathlib import Path

from grader.games.board.rules import OTHER, Spot
from grader.games.families.fourinarow.rules import COLUMNS, ROWS, RULES
from tests.games.board import variants
from tests.games.board.programs import graded, verdicts

ACCEPTED = Path(__file__).parents[3] / "fixtures" / "mips-connect4" / "accepted"


def _played():
    """For each line that is completed aside: its direction, cells, and who completes it; and what is made in the games themselves."""
    aside, within, full = [], [], 0
    for columns, wins in RULES.games:
        position, mover = RULES.start, "A"
        for pieces, column in enumerate((*columns, None)):
            for other in wins.get(pieces, ()):
                after = RULES.dropped(position, other, mover)
                cells = [line for line in RULES.lines if all(after[cell] == mover for cell in line[1])]
                aside.append((tuple(cells), mover))
            if column is not None:
                assert RULES.lands(position, column) is not None
                position = RULES.dropped(position, column, mover)
                within += RULES.made(position, column)
                mover = OTHER[mover]
        full += "." not in position
    return aside, within, full


def test_each_line_is_completed_once_by_each_player_and_alone() -> None:
    """69 lines and two players."""
    aside, _, _ = _played()
    assert all(len(cells) == 1 for cells, _ in aside)
    assert {(cells[0], player) for cells, player in aside} == {
        (line, player) for line in RULES.lines for player in "AB"
    }
    assert len(aside) == 2 * len(RULES.lines) == 138


def test_nobody_wins_the_games_themselves_but_by_the_last_piece_of_the_last() -> None:
    """So that each can be played to its end. Two lines at once are seen by a program that misses one of their directions."""
    _, within, full = _played()
    assert within == ["upwards", "falling"]
    assert RULES.made(_last(), RULES.games[-1][0][-1]) == ("upwards", "falling")
    assert full == 18


def _last() -> str:
    """The position at the end of the last game."""
    return RULES.after(Spot(RULES.start, "A"), *RULES.games[-1][0]).position


def test_a_line_that_the_last_piece_completes_is_no_tie() -> None:
    """A program that counts the pieces before it looks for lines announces one."""
    right = variants.board()
    walks = "addi $s3, $s3, 1\n        la   $t9, steps"
    counts = right.replace(walks, f"{walks}\n        beq  $s3, 42, full")
    assert counts != right
    changed = verdicts(graded(counts)).items() - verdicts(graded(right)).items()
    assert changed == {("ties", "wrong-answer")}


def test_there_are_69_lines() -> None:
    """24 across, 21 upwards, 12 on each slant."""
    names = [name for name, _ in RULES.lines]
    assert [names.count(name) for name in ("across", "upwards", "rising", "falling")] == [24, 21, 12, 12]
    assert all(0 <= cell < COLUMNS * ROWS for _, cells in RULES.lines for cell in cells)


def test_a_program_without_a_game_is_not_told_that_it_made_no_moves() -> None:
    """Nobody has counted them. The first piece wins, and the game that shows it has one move."""
    source = (ACCEPTED / "players-are-called-by-their-marks" / "submission" / "connect4.s").read_text()
    wins = source.replace("bnez    $v0, won", "b won")
    assert wins != source
    (plays,) = (case for case in graded(wins).cases if case.id == "plays")
    assert plays.findings[0].message == (
        "we could count too few legal moves that were carried out (at least 20 needed) in 7 games: they end before there are enough"
    )
    assert plays.occasions == ()
    shown = plays.findings[1]
    assert (shown.turn, shown.message) == (3, "the program exited, after 1, 1")
    assert "X has won the game!" in shown.output


def test_a_column_that_takes_one_piece_too_few_is_charged_alone() -> None:
    """A piece in the highest row would complete a line upwards. It is refused, and so may be the pieces that show that."""
    right = variants.board()
    wrong = right.replace("bge  $t3, 6, no", "bge  $t3, 5, no")
    assert wrong != right
    changed = verdicts(graded(wrong)).items() - verdicts(graded(right)).items()
    assert {case for case, verdict in changed if verdict == "wrong-answer"} == {"legal"}
