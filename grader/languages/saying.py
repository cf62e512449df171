"""How one sentence of ours is said in another language: its template, and in the places of that whatever is ours, too."""

from __future__ import annotations

import re
from collections.abc import Callable

from grader.languages.templates import Templates

_NESTED = 6  # sentences of ours within sentences of ours
_TRIES = (
    500  # texts that are looked up for one sentence: what a student's program prints may look like a list of anything
)
_LONGEST_LIST = 12
_LETTER = re.compile(r"[^\W\d_]")
_CODE = re.compile("`[^`]*`")
_SIGNS = ("; ", ", and ", ", or ", ", ", " and ", " or ")

Word = Callable[..., str]


class Saying:
    """One sentence, which is looked up with its parts. ``word`` are the fixed words of the language, ``number`` how it writes numbers."""

    def __init__(self, templates: Templates, word: Word, number: Callable[[str], str]) -> None:
        self._templates = templates
        self._word = word
        self._number = number
        self._known: dict[tuple[str, int], str | None] = {}

    def said(self, text: str, nested: int = _NESTED) -> str | None:
        """The text in the language; None where it is no sentence that is known."""
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
            told = self._list(value, nested)
            return value if told is None else told
        if place.startswith("number") and not place.startswith("numbers"):
            return self._number(value)
        quoted = len(value) > 1 and value[0] == "“" and value[-1] == "”"
        return self._word("“{text}”", text=value[1:-1]) if quoted else value

    def _list(self, value: str, nested: int, longest: int = _LONGEST_LIST) -> str | None:
        """A list of our words: as a whole, where it is one sentence, else one by one; a sign of a list may stand within one, too."""
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
            if at < 0 or len(self._known) >= _TRIES:
                return None
            first = self.said(value[:at], nested)
            if first is not None:
                second = self._list(value[at + len(sign) :], nested, longest - 1)
                return None if second is None else self._word(f"{{first}}{sign}{{second}}", first=first, second=second)
            at = value.find(sign, at + 1)
        return None
