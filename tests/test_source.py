import pytest

from grader.source import EXCERPT_LENGTH, SourceFile


def test_an_excerpt_marks_the_span_under_wide_characters_and_tabs():
    """Carets stand under the marked characters as a terminal shows them."""
    span = SourceFile("a.asm", "你好\tADD R8").span(1, 8, 10)
    assert span.excerpt() == "    1 | 你好    ADD R8\n      |             ^^"


@pytest.mark.parametrize(
    ("column", "shown"),
    [(1, "X" + "." * 199 + "…"), (300, "…" + "." * 50 + "X" + "." * 149 + "…"), (1000, "…" + "." * 199 + "X")],
)
def test_an_excerpt_of_a_very_long_line_is_cut_round_the_span(column, shown):
    """At the beginning, in the middle and at the end, the marked character is shown and the caret is under it."""
    line = "." * (column - 1) + "X" + "." * (1000 - column)
    text, carets = SourceFile("a.asm", line).span(1, column).excerpt().splitlines()
    assert text == f"    1 | {shown}"
    assert text[carets.index("^")] == "X"
    assert carets.count("^") == 1


def test_a_line_of_the_full_length_is_not_cut():
    """The limit itself is shown whole, one more is not."""
    for length, cut in ((EXCERPT_LENGTH, False), (EXCERPT_LENGTH + 1, True)):
        assert ("…" in SourceFile("a.asm", "x" * length).span(1, 1).excerpt()) is cut


def test_a_span_longer_than_the_window_is_marked_to_its_end():
    """Carets never run beyond the excerpt."""
    text, carets = SourceFile("a.asm", "x" * 1000).span(1, 1, 1001).excerpt().splitlines()
    assert len(carets) <= len(text)
