"""Programs for SPIM that print UTF-8, and boards with a part that is not drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.transcript import garbled
from tests.games.board.programs import graded, program, verdicts

ACCEPTED = Path(__file__).parents[3] / "fixtures" / "mips-connect4" / "accepted"


def test_letters_of_a_program_for_spim_are_shown_as_it_prints_them() -> None:
    """It also plays under MARS, which prints each byte as a letter, but is judged under SPIM."""
    grade = graded(
        program(dialect="spim", starts="typed", column="Spieler {player}, wähle eine Spalte: ", seed="Eine Zahl: ")
    )
    quotes = [lesson.quote for lesson in grade.learned]
    assert any("wähle" in quote for quote in quotes)
    assert not any(map(garbled, quotes))
    assert verdicts(grade) == {}


@pytest.mark.parametrize(
    ("text", "is_so"), [("w\u00c3\u00a4hle", True), ("w\u00e4hle", False), ("column", False), ("\u9009", False)]
)
def test_garbled_letters_are_known(text, is_so) -> None:
    """UTF-8 that was read byte by byte can be read again as UTF-8."""
    assert garbled(text) is is_so


def test_a_board_with_a_row_too_few_is_followed_by_memory() -> None:
    """Its play is judged; what it draws is for a person."""
    assert verdicts(graded(program(defect="row-is-not-drawn"))) == {
        "board": "needs-review",
        "board-read": "needs-review",
    }


def test_a_program_that_breaks_under_mars_alone_is_charged_for_what_it_does_under_spim() -> None:
    """SPIM ignores the exception, and the program sees a win in three pieces: both are wrong, and the break was told as the false win."""
    source = (ACCEPTED / "the-result-in-words-of-its-own" / "submission" / "connect4.s").read_text()
    place, cell = "        addu    $t5, $t0, $t4\n", "        lb      $t6, 0($t5)\n"
    assert source.count(place + cell) == 1
    found = {case.id: case for case in graded(source.replace(place + cell, cell + place)).cases}
    assert found["nothing-else-wins"].verdict == "wrong-answer"
    assert found["across"].findings[0].code == "missed-across"
