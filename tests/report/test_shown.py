"""Making student text safe to show."""

import re
import shlex
import subprocess
import unicodedata

import pytest

from grader.report import shown


@pytest.mark.parametrize(
    ("char", "name"),
    [
        ("\x00", "⟨NUL⟩"),
        ("\x1b", "⟨ESC⟩"),
        ("\x1f", "⟨US⟩"),
        ("\x7f", "⟨DEL⟩"),
        ("\x9b", "⟨U+009B⟩"),
        ("\u202e", "⟨U+202E⟩"),
        ("\u2029", "⟨U+2029⟩"),
        ("\ud800", "⟨U+D800⟩"),
        ("\ufeff", "⟨U+FEFF⟩"),
        ("\ufdd0", "⟨U+FDD0⟩"),
        ("\ufffe", "⟨U+FFFE⟩"),
        ("\U0010ffff", "⟨U+10FFFF⟩"),
    ],
)
def test_an_unsafe_character_is_named(char: str, name: str) -> None:
    """A character that moves, hides or forbids is named, and what stands around it stays."""
    assert shown.plain(f"a{char}b") == f"a{name}b"


@pytest.mark.parametrize("text", ["", "plain", "tab\tand\nline", "·⏎⇥", "é e\u0301", "张海博", "🎲", "\ufffd"])
def test_other_text_stays(text: str) -> None:
    """Ordinary text of any script passes unchanged, line ends and tabs included."""
    assert shown.plain(text) == text


def test_nothing_that_controls_is_left() -> None:
    """Of all characters none of the categories control, format, surrogate and separator is left but LF and tab."""
    everything = "".join(map(chr, range(0x11000))) + "".join(map(chr, range(0xE0000, 0xE0080)))
    left = {c for c in shown.plain(everything) if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}}
    visible_marks = {
        c for c in left if 0x600 <= ord(c) <= 0x8E2 or ord(c) in (0x110BD, 0x110CD)
    }  # Arabic, Kaithi signs
    assert left - visible_marks == {"\n", "\t"}


def test_everything_shown_is_allowed_in_xml() -> None:
    """No character that XML 1.0 forbids is left."""
    everything = "".join(map(chr, range(0x110000)))
    assert not re.search("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", shown.plain(everything))


def test_a_line_is_one_line() -> None:
    """A text as one line has no line end of any kind."""
    assert shown.line("a\nb\rc\td\u2028e\x85f") == "a⏎b⟨CR⟩c⇥d⟨U+2028⟩e⟨U+0085⟩f"
    assert len(shown.line("a\nb\r\nc\x0b\x0c\x1c\x85\u2028").splitlines()) == 1


@pytest.mark.parametrize(("typed", "cap"), [("B2", "B2"), ("", "⏎"), ("a b\n", "a␣b⏎"), ("\x1b", "⟨ESC⟩")])
def test_a_key_shows_what_was_typed(typed: str, cap: str) -> None:
    """A key shows blanks and Enter."""
    assert shown.key(typed) == cap


def test_marked_output_shows_every_blank() -> None:
    """In marked output no blank of any kind is left, and a no-break space is told from a blank."""
    assert shown.marked("a b\tc\xa0d\n\r\n") == "a·b⇥c⟨U+00A0⟩d⏎\n⟨CR⟩⏎\n"


def test_marking_twice_changes_nothing() -> None:
    """Text of a finding, which is marked already, is only made safe."""
    once = shown.marked("a b\x1b\u202e \n")
    assert shown.exposed(once) == once


@pytest.mark.parametrize(("length", "cut"), [(99, False), (100, False), (101, True), (5000, True)])
def test_long_text_keeps_its_two_ends(length: int, cut: bool) -> None:
    """Up to the limit a text stays; above it both ends stay and the number of characters between is told."""
    text = "<" + "x" * (length - 2) + ">"
    clipped = shown.clipped(text, 100)
    assert clipped.startswith("<")
    assert clipped.endswith(">")
    assert (clipped != text) is cut
    assert (f"{length - 100:,} characters not shown" in clipped) is cut


@pytest.mark.parametrize("word", ["a\nb", "\x1b[2J", "it's", "\u202e1\\n", "\t é", "\udcff", "\U000e0041x", "A*&4"])
def test_a_command_does_the_same_when_it_is_pasted(word: str) -> None:
    """Every character that cannot be shown is written so that a shell reads it; the others stay as they are."""
    said = shown.command(shlex.join(["printf", "%s", word]))
    assert said == shown.line(said)
    done = subprocess.run(["bash", "-c", said], capture_output=True, check=True)
    assert done.stdout == word.encode("utf-8", "surrogateescape")
