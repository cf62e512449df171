"""The places of heaps are found in a text with known heaps, and read in all others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader.games.hear.display import Heaps, beside, display_of, displays

START = (5, 4, 3)


def _column(heaps: Heaps) -> str:
    return "".join(f"Heap {name} has {n} stone{'s' * (n != 1)}\n" for name, n in zip("ABC", heaps, strict=True))


def _backwards(heaps: Heaps) -> str:
    return "".join(f"{name}: {n}\n" for name, n in zip("CBA", heaps[::-1], strict=True))


def _bars(heaps: Heaps) -> str:
    return "".join(f"{at}. Reihe: {'|' * n}\n" for at, n in enumerate(heaps, 1))


def _counted(heaps: Heaps) -> str:
    return "".join(f"Reihe {at} -> {'|' * n} ({n})\n" for at, n in enumerate(heaps, 1))


def _in_binary(heaps: Heaps) -> str:
    return "".join(f"R{at}  {n:b}b  {'|' * n}\n" for at, n in enumerate(heaps, 1))


def _before_dots(heaps: Heaps) -> str:
    return "".join(f"{name}\t{n}\t{'.' * n}\n" for name, n in zip(("TOP", "MIDDLE", "BOTTOM"), heaps, strict=True))


def _behind_a_bar(heaps: Heaps) -> str:
    return "".join(f"| {at} | {'i' * n} ({n})\n" for at, n in enumerate(heaps, 1))


def _boxes(heaps: Heaps) -> str:
    return "".join(f"{name} [{'#' * n}]\n" for name, n in zip("ABC", heaps, strict=True))


def _frame(heaps: Heaps) -> str:
    return "+----+\n" + "".join(f"| {at} {'* ' * n}|\n" for at, n in enumerate(heaps, 1)) + "+----+\n"


def _coloured(heaps: Heaps) -> str:
    return "".join(f"\x1b[33mR{at}\x1b[0m {'i' * n}\n" for at, n in enumerate(heaps, 1))


def _with_controls(heaps: Heaps) -> str:
    return "".join(f"R{chr(n % 8)}W {name}: {'o' * n}\n" for name, n in zip("ABC", heaps, strict=True))


def _without_labels(heaps: Heaps) -> str:
    return "\nPosition:\n---\n" + "".join(f"{'|' * n}\n" for n in heaps) + "\nYour move!\n"


def _below_a_blank_line(heaps: Heaps) -> str:
    return "\nPosition:\n\n" + "".join(f"{'|' * n}\n\n" for n in heaps) + "\nYour move!\n"


def _side_by_side(heaps: Heaps) -> str:
    return "Good. {} Which row? ".format(" ".join(f"{at}[{'|' * n or '-'}]" for at, n in enumerate(heaps, 1)))


def _cells(heaps: Heaps) -> str:
    return "+---+---+---+\n| {} |\n+---+---+---+\n".format(" | ".join("*" * n + " " * (14 - n) for n in heaps))


NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def _in_words(heaps: Heaps) -> str:
    return "".join(
        f"Heap {name} has {NUMBERS[n]} stone{'s' * (n != 1)}.\n" for name, n in zip("ABC", heaps, strict=True)
    )


DRAWN: dict[str, Callable[[Heaps], str]] = {
    "numbers in lines, with endings that change": _column,
    "words for numbers": _in_words,
    "numbers in one line": "Heaps: {0[0]}, {0[1]} and {0[2]} >".format,
    "numbers under letters": " A  B  C\n {0[0]}  {0[1]}  {0[2]}\n".format,
    "the last heap first": _backwards,
    "bars": _bars,
    "bars with their number behind them": _counted,
    "bars behind their number in binary": _in_binary,
    "numbers before as many dots": _before_dots,
    "a bar before marks with their number behind them": _behind_a_bar,
    "marks in brackets": _boxes,
    "marks in a frame": _frame,
    "coloured letters as marks": _coloured,
    "names with a control character that counts": _with_controls,
    "marks without a label, where an empty heap is a blank line": _without_labels,
    "marks without a label, with blank lines above each": _below_a_blank_line,
    "rows side by side in the line of a question": _side_by_side,
    "rows side by side in a frame": _cells,
    "numbers behind letters in the line of a question": "a({0[0]}) b({0[1]}) c({0[2]}), which of 3 rows? ".format,
}


@pytest.mark.parametrize("draw", DRAWN.values(), ids=DRAWN)
def test_heaps_are_read_however_they_are_drawn(draw: Callable[[Heaps], str]) -> None:
    """The places that show the heaps of the start show those of every other position, empty heaps among them."""
    text = "Welcome to Nim, 3 heaps!\n" + draw(START)
    display = next(iter(displays(text, START)))
    assert [heaps for _, heaps in display.boards(text)] == [START]
    for heaps in ((1, 4, 3), (5, 0, 3), (0, 0, 1), (10, 12, 11)):
        said = f"You take 2.\n{draw(heaps)}"
        assert [board for _, board in display.boards(said)] == [heaps]


def test_heaps_side_by_side_are_read_whatever_else_their_line_says() -> None:
    """What stands around them is a line of its own; the question is the same one whatever is drawn in it."""
    display = next(iter(displays("a(5) b(4) c(3), which row? ", START)))
    text = "Try again! a(1) b(0) c(3), how many? "
    assert [heaps for _, heaps in display.boards(text)] == [(1, 0, 3)]
    assert beside(text, display.slots) == "Try again! \n, how many? "
    assert beside(text, next(iter(displays("A: 5\nB: 4\nC: 3", START))).slots) == text


def test_a_row_that_lost_its_name_is_read_below_the_line_end_in_its_place() -> None:
    """Behind named rows a blank line is an empty row only if no marks stand alone below it."""
    display = next(iter(displays("A: |||||\nB: ||||\n|||\nYour move? ", START)))
    for last, heaps in (("\n||", (2, 1, 2)), ("\n", (2, 1, 0)), ("||", (2, 1, 2))):
        assert [board for _, board in display.boards(f"A: ||\nB: |\n{last}\nYour move? ")] == [heaps]
    nameless = next(iter(displays("Position:\n|||||\n||||\n|||\n", START)))
    assert [board for _, board in nameless.boards("Position:\n||\n|\n\n||\n")] == [(2, 1, 0)]


def test_a_noun_may_have_other_forms_and_a_word_may_stand_where_nothing_is_left() -> None:
    """“3 Hölzer”, “1 Holz” and “kein Holz” are three numbers of one place."""

    def drawn(*heaps: int) -> str:
        a, b, c = ("kein Holz" if n == 0 else "1 Holz" if n == 1 else f"{n} Hölzer" for n in heaps)
        return f"Oben liegen {a}, in der Mitte {b} und unten {c}.\n"

    display = next(one for one in displays(drawn(*START), START) if not one.slots[0].within)
    for heaps in (START, (1, 4, 3), (5, 0, 1), (0, 0, 12)):
        assert [board for _, board in display.boards(drawn(*heaps))] == [heaps]


def test_heaps_in_words_are_written_for_staff_as_those_in_digits_are() -> None:
    """Signs stand where the words stood, and what is written so finds the heaps again."""
    text = _in_words(START)
    display = next(iter(displays(text, START)))
    written = display.written(text, "abc")
    assert written == "Heap A has <a> stones. || Heap B has <b> stones. || Heap C has <c> stones."
    assert display_of(written, "abc") == display


def test_a_text_without_the_heaps_has_no_display() -> None:
    """Other numbers than those of the start show no heaps."""
    assert list(displays("A: 7\nB: 5\nC: 3\n", START)) == []
