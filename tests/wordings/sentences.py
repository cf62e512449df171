"""Sentences with slots, and what is put into them: numbers, nouns in the right form, number words, drawn marks."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a sentence: literal text, or a value of the program shown in some manner.

    ``kind`` is ``text``, ``number``, ``noun``, ``word`` (a number word) or ``marks`` (as many marks); ``value`` the literal
    text, or the expression that is shown.
    """

    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Plural:
    """How nouns follow numbers: for each form but the last a condition on ``n``, in the syntax of C."""

    conditions: tuple[str, ...] = ()

    def form(self, number: int, forms: tuple[str, ...]) -> str:
        """The form of a noun after a number."""
        for condition, form in zip(self.conditions, forms, strict=False):
            if truth(condition, n=number):
                return form
        return forms[-1]


ONE_OTHER = Plural(("n == 1",))
FRENCH = Plural(("n < 2",))
UNCHANGED = Plural()
RUSSIAN = Plural(
    ("n % 10 == 1 && n % 100 != 11", "n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14)"),
)
POLISH = Plural(("n == 1", "n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14)"))


def truth(condition: str, **values: int) -> bool:
    """Whether a condition in the syntax of C holds."""
    return bool(eval(as_python(condition), {"__builtins__": {}}, dict(values)))


def as_python(condition: str) -> str:
    """A condition in the syntax of C as one of Python."""
    text = condition.replace("&&", "and").replace("||", "or")
    return re.sub(r"!(?!=)", "not ", text)


def pieces(sentence: str, slots: dict[str, str], many: str, *, words: bool = False) -> tuple[Piece, ...]:
    """A sentence taken apart. ``slots`` are the expressions of its slots; ``many`` the noun after "how many".

    ``{left}`` is a number, ``{left:noun}`` the noun that goes with it, ``{left:marks}`` as many marks, ``{many}`` the noun.
    """
    found: list[Piece] = []
    end = 0
    for slot in _SLOT.finditer(sentence):
        found.append(Piece("text", sentence[end : slot.start()]))
        end = slot.end()
        name, manner = slot.groups()
        if name == "many":
            found.append(Piece("text", many))
        else:
            found.append(Piece(manner or ("word" if words else "number"), slots[name]))
    found.append(Piece("text", sentence[end:]))
    joined: list[Piece] = []
    for piece in found:
        if piece.kind == "text" and joined and joined[-1].kind == "text":
            joined[-1] = Piece("text", joined[-1].value + piece.value)
        elif piece.value:
            joined.append(piece)
    return tuple(joined)
