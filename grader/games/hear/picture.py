"""A text as a grid of signs: what a person sees of it, one character for each place.

Colours, symbols of several code points and words of different lengths would shift the places of a board from line to line. Here each
place holds one sign: a character with the colour that it begins, or, in the other sight, a whole word.
"""

from __future__ import annotations

import re

from grader.bounded import remembered

MOST = 24_000
"""Characters of a text that are looked at, its last ones."""

MOST_LINES = 80
MOST_WIDTH = 400
"""Last lines of a text, and first characters of each, that are looked at: a program may print a flood."""

_FIRST = 0xF0000  # private use: no program prints these
_COLOUR = re.compile(r"((?:\x1b\[[0-9;]*m)+)([^\x1b\n]?)")
_OTHER = re.compile(r"(?:\x1b\[[0-?]*[ -/]*[@-ln-~]|\x1b[^\[]|\f)+")
_RESET = re.compile(r"\x1b\[0*m")
_WORD = re.compile(r"[^\s]+")
_GONE = ("\r", "\ufe0f", "\u200b")  # replaced one by one: a pattern takes ten times as long, `str.translate` longer


class Picture:
    """Makes grids of the texts of one program. The same coloured character, or word, is the same sign in all of them."""

    def __init__(self, *, words: bool = False) -> None:
        self.words = words
        self._signs: dict[str, str] = {}
        self.text = remembered(self._text)
        """The lines in one string. A board is looked at for each move that could have led to it."""

    def lines(self, text: str) -> list[str]:
        """The last lines of a text, a sign for each place, without blanks at the ends of lines."""
        return self.text(text).split("\n")

    def _text(self, text: str) -> str:
        text = text[-MOST:]
        for sign in _GONE:
            text = text.replace(sign, "")
        if "\x1b" in text or "\f" in text:
            text = _RESET.sub("", text)
            # To clear the screen, or to move the cursor, begins a line: what was drawn before is no part of this board.
            text = _OTHER.sub("\n", text)
            text = _COLOUR.sub(lambda match: self._sign(match[0]) if match[2] else "", text).replace("\x1b", "")
        lines = text.split("\n")[-MOST_LINES:]
        if self.words:  # marks of different lengths, “red” and “yellow”, shift the cells of a row, but not its words
            lines = ["".join(map(self._sign, _WORD.findall(line))) for line in lines]
        return "\n".join([line.expandtabs()[:MOST_WIDTH].rstrip() for line in lines])

    def shown(self, sign: str) -> str:
        """A sign as the program printed it, without its colour."""
        for original, own in self._signs.items():
            if own == sign:
                return re.sub(r"\x1b\[[0-9;]*m", "", original)
        return sign

    def _sign(self, text: str) -> str:
        if len(text) == 1:
            return text
        return self._signs.setdefault(text, chr(_FIRST + len(self._signs)))
