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


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Züge, Größe, Streichhölzer für Ärger", "latin-1"),
        ("; é à ï", "latin-1"),
        ("// 打印棋盘，输出每一行的石子数", "gb18030"),
        ("; 尼姆 x 游戏", "gb18030"),
        ("Züge 打印", "utf-8"),
    ],
)
def test_umlauts_are_no_chinese(text: str, encoding: str) -> None:
    """Bytes that stand alone are Latin-1's, those in pairs Chinese, and what can be UTF-8 is."""
    read = SourceFile.from_bytes("a.c", text.encode(encoding))
    assert (read.text, read.encoding) == (text, encoding)
