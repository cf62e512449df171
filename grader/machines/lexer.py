"""Splitting a line of assembly text into words, fast, and finding their places again when there is something to say.

A line is lexed by one regular expression that finds words and skips blanks and separators. Columns are not kept: most
lines are right, and nobody asks for them; ``places`` finds them again for the few lines that get a diagnostic.

Texts pasted from a page or typed with a Chinese input method hold characters that look right and are not: no-break
blanks, “quotes”, full-width commas. ``tidy`` puts the plain character in the place of each one, one for one, so that
columns stay true, and says which they were.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from grader.values import dataclass

_STRING = r'"[^"\\]*(?:\\.?[^"\\]*)*"?'
_CHARACTER = r"'(?:\\[^']{1,8}|[^'\\])'"

LOOK_ALIKES = {
    "“": '"', "”": '"', "„": '"', "‟": '"', "«": '"', "»": '"', "＂": '"',
    "‘": "'", "’": "'", "‚": "'", "´": "'", "＇": "'",
    "，": ",", "、": ",", "：": ":", "；": ";", "．": ".", "。": ".",
    "＃": "#", "＋": "+", "－": "-", "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-",
    "（": "(", "）": ")", "＄": "$", "％": "%", "＿": "_",
    **{chr(0xFEE0 + ord(plain)): plain for plain in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"},
}  # fmt: skip
"""Characters that pass for an ASCII one in some fonts, and the one that was meant."""

BLANKS = frozenset(
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u200c\u200d\u202f\u205f"
    "\u2060\u3000\ufeff\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029"
)
"""Characters that look like a blank, or like nothing, and are no blank to an assembler."""

_ODD = "".join(map(re.escape, (*LOOK_ALIKES, *BLANKS))) + "\x00-\x08\x0e-\x1b\x7f"
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class Odd(NamedTuple):
    """A character that is not what it seems: its column (from 1), and the plain one that was put in its place."""

    column: int
    char: str
    plain: str

    @property
    def blank(self) -> bool:
        """Whether a character looks like a space. Control characters do not count."""
        return self.char in BLANKS


@dataclass(frozen=True, slots=True)
class Lexer:
    """How one assembly language splits its lines; made by ``lexer``."""

    word: re.Pattern[str]
    comment: str
    odd: re.Pattern[str]

    def words(self, line: str) -> list[str]:
        """The words of a line: names, numbers, "strings", 'characters', and last the comment, if there is one."""
        return self.word.findall(line)

    def places(self, line: str) -> list[tuple[int, int]]:
        """For each word of ``line`` its first column and the one after its last, counted from 1."""
        return [(match.start() + 1, match.end() + 1) for match in self.word.finditer(self.tidy(line)[0])]

    def tidy(self, line: str) -> tuple[str, tuple[Odd, ...]]:
        """The line with plain characters for odd ones, outside strings and comments, and a list of those."""
        if is_plain(line):
            return line, ()
        chars, odd = list(line), []
        for match in self.odd.finditer(line):
            char = match["odd"]
            if char is not None:
                odd.append(Odd(match.start() + 1, char, LOOK_ALIKES.get(char, " ")))
                chars[match.start()] = odd[-1].plain
                if odd[-1].plain == self.comment:
                    break
        return "".join(chars), tuple(odd)


def lexer(*, comment: str, separators: str, punctuation: str = "", word: str = "") -> Lexer:
    """A lexer for a language.

    ``comment`` is the character that begins a comment. ``separators`` are those that end a word like a blank, and
    ``punctuation`` those that are a word of one character each. ``word`` is a regular expression without groups for
    the words of a language where a sign can end one (``label+4``); it is tried before the usual one.
    """
    ends = re.escape(comment + separators + punctuation)
    alternatives = [
        f"{re.escape(comment)}.*",
        _STRING,
        rf"{_CHARACTER}(?=[\s{ends}]|$)",
        *([word] if word else []),
        rf'[^\s"{ends}]+',
        *([f"[{re.escape(punctuation)}]"] if punctuation else []),
    ]
    skipped = "|".join(alternatives[:2])
    return Lexer(re.compile("|".join(alternatives)), comment, re.compile(f"{skipped}|{_CHARACTER}|(?P<odd>[{_ODD}])"))


def controls_in(text: str) -> int:
    """The number of control characters in ``text``, tabs and line ends not counted."""
    return sum(1 for _ in _CONTROL.finditer(text))


def is_plain(text: str) -> bool:
    """Whether ``text`` holds nothing but printable ASCII, tabs and line ends: then there is nothing to tidy."""
    return text.isascii() and _CONTROL.search(text) is None
