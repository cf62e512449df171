"""Words of many languages, as data: what winning and losing is called, joy and regret, who is meant by whom, numbers, and nothing.

They name what experiments have found; nothing is judged by a word alone. Each file has one language, and a text may mix them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import yaml

from grader.values import dataclass

WIN, LOSE, BEAT, BY, USER, PROGRAM, NOT = "win", "lose", "beat", "by", "user", "program", "not"
JOY, REGRET = "joy", "regret"

TEN = 10

MEANINGS = (WIN, LOSE, BEAT, BY, USER, PROGRAM, NOT, JOY, REGRET)
"""Meanings of a word; numbers are apart."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of all languages: stems of winning and losing, whole words for the players, and numbers by word."""

    stems: tuple[tuple[str, str], ...]
    whole: Mapping[str, str]
    within: tuple[tuple[str, str], ...]
    numbers: Mapping[str, int]
    numerals: Mapping[str, int]
    """Signs for numbers that stand within words, where a language has no blanks."""
    nothing: frozenset[str]
    """Words that stand where a number would, if there is nothing."""

    def parted(self, text: str) -> str:
        """A text with blanks around numbers that are written in such signs, and those as digits."""
        if text.isascii():
            return text
        signs = "".join(self.numerals)
        return re.sub(f"[{signs}]+", lambda match: f" {self._value(match[0])} ", text)

    def _value(self, signs: str) -> int:
        """Values of such signs: 二十三 is two tens and three."""
        total = 0
        for sign in signs:
            value = self.numerals[sign]
            total = (total or 1) * TEN if value == TEN else total // TEN * TEN + value
        return total

    def meanings(self, text: str) -> Iterator[str]:
        """The meanings of the words of a text, in their order."""
        for word in split(text):
            if word in self.whole:
                yield self.whole[word]
            meaning = next((meaning for stem, meaning in self.stems if f"{word}$".startswith(stem)), "")
            if meaning:
                yield meaning
            elif not word.isascii():
                places = ((word.find(part), meaning) for part, meaning in self.within)
                yield from (meaning for at, meaning in sorted(places) if at >= 0)


def split(text: str) -> list[str]:
    """The words of a text without what surrounds them, in small letters."""
    parts = text.casefold().replace("’", "'").replace("=", " ").split()  # “winner=user”
    return [word for part in parts for word in _inner(part).split("'s") if word]


def _inner(part: str) -> str:
    return part.strip("".join(char for char in part if not char.isalnum()))


@cache
def words() -> Words:
    """The words of all languages that come with the package."""
    stems: list[tuple[str, str]] = []
    whole: dict[str, str] = {}
    within: list[tuple[str, str]] = []
    numbers: dict[str, int] = {}
    numerals: dict[str, int] = {}
    nothing: set[str] = set()
    for path in sorted(Path(__file__).parent.glob("*.yaml")):
        language = yaml.safe_load(path.read_text(encoding="utf-8"))
        for meaning in MEANINGS:
            listed = [(word.casefold(), meaning) for word in language[meaning]]
            if language.get("within"):
                within += listed
            elif meaning in (WIN, LOSE, BEAT):
                stems += listed
            else:
                for word, one in listed:
                    whole[word] = one if whole.get(word, one) == one else ""
        nothing.update(word.casefold() for word in language.get("nothing", ()))
        counted = {word: number for number, word in enumerate(language["numbers"])}
        for word, number in {**counted, **language.get("also", {})}.items():
            (numerals if language.get("within") else numbers).setdefault(word.casefold(), number)
    stems.sort(key=lambda pair: -len(pair[0]))
    whole = {word: meaning for word, meaning in whole.items() if meaning}  # `je` is I here and you there
    return Words(tuple(stems), whole, tuple(within), numbers, numerals, frozenset(nothing))


def mood(sentence: str) -> str:
    """The winner to whom a sentence without any player fits, by words of joy and regret; empty if it has none, or both.

    It is no proof: a computer that speaks for itself is glad of its own win.
    """
    fitting = {JOY: USER, REGRET: PROGRAM}
    meanings = set(words().meanings(sentence)) & {*fitting, USER, PROGRAM}
    return fitting.get(meanings.pop(), "") if len(meanings) == 1 else ""
