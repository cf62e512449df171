"""Templates of our sentences: recognised, taken apart, and said in another language.

Theory of operation. A template is fixed text with places between: ``{name} is missing``. It is matched from the left: each piece of
fixed text is looked for where the last one ended. So the time grows with the text and not faster, whatever a student's program
puts into a place. If several templates match, the one with the most fixed text is meant. Those that begin with
``{our_whole}`` come first: otherwise their addition to a sentence, such as ``, after {typed}``, would be taken for the
end of its last place.

The name of a place says what it holds. ``our_…`` holds words of ours, which are translated in turn, and ``ours_…`` a
list of such; a template whose words of ours are not known does not match. ``told_…`` holds words of a referee or a
machine, which may not be known: then they stay. ``number…`` holds a number, and is written as the language writes
numbers, ``numbers…`` several; ``inputs`` holds what was typed, and ``word…`` a name without blanks. Any other holds
what is not ours: it stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import itemgetter
from string import Formatter

from grader.values import dataclass

WHOLE = "our_whole"
_NUMBERS = re.compile(r"-?\d[-+\d, ]*")
NUMBER = re.compile(r"-?\d[\d.,]*")
_NESTED = 6  # sentences of ours within sentences of ours
_TRIES = 500  # texts looked up for one sentence: what a student's program prints may look like a list of anything
_LONGEST_LIST = 12  # items of a list that is tried in parts
_LETTER = re.compile(r"[^\W\d_]")
_CODE = re.compile("`[^`]*`")
_SIGNS = ("; ", ", and ", ", or ", ", ", " and ", " or ")

Word = Callable[..., str]


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
        """The number of characters of its fixed text."""
        return sum(map(len, self.pieces))

    def match(self, text: str) -> dict[str, str] | None:
        """The texts in the places, which are never empty; None if the template does not match."""
        first, *middle, last = self.pieces
        end = len(text) - len(last)
        if not (text.startswith(first) and text.endswith(last)) or end <= len(first):
            return None
        held = []
        at = len(first)
        for piece in middle:
            begin = text.find(piece, at + 1, end)
            if begin < 0:
                return None
            held.append(text[at:begin])
            at = begin + len(piece)
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
        """The translation of a text without places; None if it is unknown."""
        return self._whole.get(text)

    def matching(self, text: str) -> Iterator[tuple[Mapping[str, str], str]]:
        """The texts in the places of each matching template, and its translation; most fixed text first."""
        word, blank, _ = text.partition(" ")
        near = [*(self._by_word.get(word, ()) if blank else ()), *self._by_word.get("", ())]
        # Both lists are ordered, and the most fixed text of either comes first.
        near.sort(key=itemgetter(0))
        for _, template, other in (*self._around, *near):
            values = template.match(text)
            if values is not None:
                yield values, other


class Saying:
    """One sentence, which is looked up with its parts. ``word`` are the fixed words of the language, ``number`` how it writes numbers."""

    def __init__(self, templates: Templates, word: Word, number: Callable[[str], str]) -> None:
        self._templates = templates
        self._word = word
        self._number = number
        self._known: dict[tuple[str, int], str | None] = {}

    def said(self, text: str, nested: int = _NESTED) -> str | None:
        """The text in the language; None if it is no sentence that is known."""
        if not _LETTER.search(text) or _CODE.fullmatch(text):
            return text
        whole = self._templates.whole(text)
        if whole is not None or not nested:
            return whole
        key = (text, nested)
        if key not in self._known:
            self._known[key] = self._tried(text, nested) if len(self._known) < _TRIES else None
        return self._known[key]

    def _tried(self, text: str, nested: int) -> str | None:
        for values, other in self._templates.matching(text):
            filled = {name: self._filled(name, value, nested - 1) for name, value in values.items()}
            if None not in filled.values():
                return other.format(**filled)
        return None

    def _filled(self, place: str, value: str, nested: int) -> str | None:
        if place.startswith("our_"):
            return self.said(value, nested)
        if place.startswith("ours_"):
            return self._list(value, nested)
        if place.startswith("told_"):
            translated = self._list(value, nested)
            return value if translated is None else translated
        if place.startswith("number") and not place.startswith("numbers"):
            return self._number(value)
        quoted = len(value) > 1 and value[0] == "“" and value[-1] == "”"
        return self._word("“{text}”", text=value[1:-1]) if quoted else value

    def _list(self, value: str, nested: int, longest: int = _LONGEST_LIST) -> str | None:
        """A list of our words: as a whole if it is one sentence, otherwise one by one.

        A sentence may contain a separator.
        """
        parted = self._parted("; ", value, nested, longest)
        whole = self.said(value, nested) if parted is None else parted
        if whole is not None:
            return whole
        signs = _SIGNS[1:] if longest else ()
        return next((text for sign in signs if (text := self._parted(sign, value, nested, longest)) is not None), None)

    def _parted(self, sign: str, value: str, nested: int, longest: int) -> str | None:
        """A list that is parted at a sign for the first time where what stands before it is known."""
        at = value.find(sign)
        for _ in range(longest):
            # A program that prints commas made each place of a sentence a list of hundreds.
            if at < 0 or len(self._known) >= _TRIES:
                return None
            first = self.said(value[:at], nested)
            if first is not None:
                second = self._list(value[at + len(sign) :], nested, longest - 1)
                return None if second is None else self._word(f"{{first}}{sign}{{second}}", first=first, second=second)
            at = value.find(sign, at + 1)
        return None
