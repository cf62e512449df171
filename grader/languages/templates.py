"""Which text of ours a sentence is, and what stands in its places.

Theory of operation. A template is fixed text with places between: ``{name} is missing``. It is matched from the left: each piece of
fixed text is looked for where the last one ended. So the time grows with the text and not faster, whatever a student's program
puts into a place. Where several templates match, the one with the most fixed text is meant; but those that begin with ``{our_whole}`` come first, since what they put behind a sentence, such as ``, after {typed}``, would
else be taken for the end of its last place.

What a place holds follows from its name. ``our_…`` holds words of ours, which are translated in turn, and ``ours_…`` a list of such; a
template whose words of ours are not known does not match. ``told_…`` holds words of a referee or a machine, which may not be known: then they stay.
``number…`` holds a number, and is written as the language writes numbers, ``numbers…`` several; ``inputs`` holds what was typed, and ``word…`` a name without blanks. Any other holds what is not ours: it stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from string import Formatter

from grader.values import dataclass

WHOLE = "our_whole"
_NUMBERS = re.compile(r"-?\d[-\d, ]*")
NUMBER = re.compile(r"-?\d[\d.,]*")


@dataclass(frozen=True, slots=True)
class Template:
    """Fixed text with places between: ``pieces`` has one more than ``places``."""

    pieces: tuple[str, ...]
    places: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Template:
        """The template that a text with places in braces is. Raises ValueError."""
        pieces, places = [""], []
        for fixed, place, _, _ in Formatter().parse(text):
            pieces[-1] += fixed
            if place is not None:
                places.append(place)
                pieces.append("")
        return cls(tuple(pieces), tuple(places))

    @property
    def fixed(self) -> int:
        """How many characters of fixed text it has."""
        return sum(map(len, self.pieces))

    def match(self, text: str) -> dict[str, str] | None:
        """What stands in the places, none of which is empty; None where the text is another."""
        first, *middle, last = self.pieces
        end = len(text) - len(last)
        if not (text.startswith(first) and text.endswith(last)) or end <= len(first):
            return None
        held = []
        at = len(first)
        for piece in middle:
            found = text.find(piece, at + 1, end)
            if found < 0:
                return None
            held.append(text[at:found])
            at = found + len(piece)
        if at >= end:
            return None
        held.append(text[at:end])
        values = dict(zip(self.places, held, strict=True))
        return values if all(_fits(name, value) for name, value in values.items()) else None


def _fits(place: str, value: str) -> bool:
    if place == "inputs":
        return "”" not in value  # else they stand within a quote, and so does the sentence that they belong to
    if place.startswith("word"):
        return not any(map(str.isspace, value))
    if place.startswith("numbers"):
        return _NUMBERS.fullmatch(value) is not None
    return not place.startswith("number") or NUMBER.fullmatch(value) is not None


_Ranked = tuple[int, Template, str]


class Templates:
    """Many templates, each with what it becomes; those that can match a text are found by its first word."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._whole: dict[str, str] = {}
        self._around: list[_Ranked] = []
        self._by_word: dict[str, list[_Ranked]] = {}
        parsed = sorted(((Template.of(english), other) for english, other in pairs), key=lambda pair: -pair[0].fixed)
        for rank, (template, other) in enumerate(parsed):
            if not template.places:
                self._whole[template.pieces[0]] = other
            elif template.places[0] == WHOLE and not template.pieces[0]:
                self._around.append((rank, template, other))
            else:
                word, blank, _ = template.pieces[0].partition(" ")
                self._by_word.setdefault(word if blank else "", []).append((rank, template, other))

    def whole(self, text: str) -> str | None:
        """What a text without places becomes; None where it is none of these."""
        return self._whole.get(text)

    def matching(self, text: str) -> Iterator[tuple[Mapping[str, str], str]]:
        """What stands in the places of each template that the text is, and what it becomes; most fixed text first."""
        word, blank, _ = text.partition(" ")
        near = [*(self._by_word.get(word, ()) if blank else ()), *self._by_word.get("", ())]
        near.sort(key=itemgetter(0))
        for _, template, other in (*self._around, *near):
            values = template.match(text)
            if values is not None:
                yield values, other
