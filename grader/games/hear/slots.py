"""Numbers in what a program says: where in its sentences they stand, and what they are, by whether they fit what is true.

A text is cut into segments, about a clause each; a segment without its numbers is its skeleton. A number at the same place of
the same skeleton is a slot. Its meaning is learned from many turns with a known truth: the true number that its values equal in
most of them. If its values deviate now and then, the program has made a mistake. It is found, and not learned away.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from grader.games.hear.words import words
from grader.values import dataclass

LONGEST = 4_000
"""Characters of a turn that are read, a quarter of them at its beginning: the question stands at the end."""

STEM = 4
"""Number of first letters that make words the same: ``stone`` and ``stones``."""

MOST_SEGMENTS = 60
"""Maximum segments of a turn that are read, its last ones."""

# A clause ends with its line or sentence. A comma ends one only before a blank: “1,5” stays whole. Chinese sentences have no blank.
# “winner . . . : COMPUTER” is one clause, or the row above it names the winner.
_END = re.compile(r"\n|(?<=[.!?。！？;])(?=\s(?![.:])|$|[^\x00-\x7f])|,\s|…")
# Piles are drawn as “(o)(o)”, “[] [] []” or “<( o )( o )>”; “call()” is a word, and no empty box.
_FULL = r"\( ?(?:[^\w\s]|[oOxX@]) ?\)|\[ ?(?:[^\w\s]|[oOxX@]) ?\]|\{ ?(?:[^\w\s]|[oOxX@]) ?\}|< ?(?:[^\w\s]|[oOxX@]) ?>"
_EMPTY = r"\( ?\)|\[ ?\]|\{ ?\}|< ?>"
_BOXES = rf"(?<!\w)(?:(?P<full>{_FULL})(?:[ \t]?(?P=full))*|(?P<empty>{_EMPTY})(?:[ \t]?(?P=empty))+)"
"""Marks in brackets; a single pair with nothing in it is a frame around no marks at all."""
# Signs of punctuation are no marks, nor is a single “l” or “I”, which is a word.
_MARKS = r"(?P<marks>(?P<sign>[^\w\s.,:;!?'\"()\[\]<>#=+。，！？；：、（）「」《》…·—-]|[|*#])(?:[ \t]?(?P=sign))*|\b(?P<letter>[oOxX@])(?:[ \t]?(?P=letter))*\b|\b(?P<stroke>[lI])(?:[ \t]?(?P=stroke))+\b)"
_TOKEN = re.compile(
    rf"(?P<digits>(?<![\w.])-?\d{{1,9}}(?!\w)|\d{{1,9}})|(?P<boxes>{_BOXES})|{_MARKS}|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)"
)
# Other control characters draw nothing: the name of a row that had its count in it was another one behind each move.
_CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\ufe0f\x00-\x08\x0e-\x1a\x7f]")

NUMBER = "<n>"
"""The sign for the number of a slot where people write it; ``<marks o>`` stands for marks that are drawn."""

_MARKED = re.compile(r"<marks (\S{1,5})>")
# A number and a row of marks that no clause of a correction has by itself: where they come out again is the slot.
_RARE, _MANY = 987_654_321, 61

DRAWN = "~"
"""The sign in a skeleton for marks that are drawn, before their own: an ornament is no pile; ``#`` stands for a number."""


class Slot(NamedTuple):
    """A place for a number: the ``number``-th one (from 0) in segments with this skeleton."""

    # A tuple is hashed quickly: a fit looks half a million slots up.

    skeleton: str
    number: int


@dataclass(frozen=True, slots=True)
class Segment:
    """A clause: its text, its skeleton and the numbers in it."""

    text: str
    skeleton: str
    values: tuple[int, ...]

    def slots(self) -> tuple[tuple[Slot, int], ...]:
        """The slots with their values."""
        return tuple((Slot(self.skeleton, at), value) for at, value in enumerate(self.values))

    @property
    def wording(self) -> str:
        """The clause without its numbers, with whole words: it tells two clauses of one word apart that begin alike."""
        text = self.text.casefold()
        return " ".join(text[slice(*one.span)] if one.value is None else one.part for one in _tokens(text))

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The places of its numbers in its text."""
        return tuple(token.span for token in _tokens(self.text) if token.value is not None)

    def marked(self, number: int) -> str:
        """The clause as people write it to name a slot: ``<n>`` or ``<marks o>`` stands in the place of its number."""
        token = [token for token in _tokens(self.text) if token.value is not None][number]
        marks = token.part.removeprefix(DRAWN)
        return signed(self.text, [(token.span, f"<marks {marks}>" if marks != token.part else NUMBER)])


def plain(text: str) -> str:
    """A text without the codes that only colour it; of a flood its beginning and its end, and equal lines once."""
    if len(text) > LONGEST:
        text = _ends(text, 4 * LONGEST)
        # A program that draws the same row of an ornament a thousand times says it once.
        lines = text.splitlines(keepends=True)
        text = "".join(line for line, before in zip(lines, ["", *lines], strict=False) if line != before)
        text = _ends(text, LONGEST)
    return _CODES.sub("", text)


def _ends(text: str, most: int) -> str:
    """The beginning and the end of a text that is longer."""
    return text if len(text) <= most else f"{text[: most // 4]}\n{text[-3 * most // 4 :]}"


def segments(text: str) -> tuple[Segment, ...]:
    """The clauses of a text that hold anything."""
    return _segments(plain(text))


def numbered(text: str) -> tuple[tuple[str, Slot, int, int], ...]:
    """The numbers of a text: the clause of each, its slot, how often that came before in the text, and its value."""
    return _numbered(plain(text))


@lru_cache(maxsize=1024)
def _numbered(text: str) -> tuple[tuple[str, Slot, int, int], ...]:
    # The same step of a game is looked at for each hypothesis of how its program plays.
    times: Counter[Slot] = Counter()
    numbers = []
    for clause in _segments(text):
        for slot, value in clause.slots():
            numbers.append((clause.text, slot, times[slot], value))
            times[slot] += 1
    return tuple(numbers)


def slots_of(text: str) -> Iterator[tuple[Slot, int]]:
    """The slots of all clauses of a text, with their values."""
    return (pair for clause in segments(text) for pair in clause.slots())


def is_read(text: str) -> bool:
    """Whether all of a text is looked at."""
    return len(text) <= LONGEST and len(_parts(plain(text))) <= MOST_SEGMENTS


@lru_cache(maxsize=1024)
def _segments(text: str) -> tuple[Segment, ...]:
    return tuple(_segment(part) for part in _parts(text)[-MOST_SEGMENTS:])


def _parts(text: str) -> list[str]:
    """The clauses of a text, as texts; of many that are equal the first."""
    parts = [part for each in _END.split(text) if (part := each.strip())]
    if len(parts) <= MOST_SEGMENTS:
        return parts
    return [part for part, before in zip(parts, ["", *parts], strict=False) if part != before]


def signed(text: str, places: Iterable[tuple[tuple[int, int], str]]) -> str:
    """A text with signs in these places of it, as people write clauses and lines in which something stands that changes."""
    for (start, end), sign in sorted(places, reverse=True):
        text = f"{text[:start]}{sign}{text[end:]}"
    return text


def skeleton(text: str) -> str:
    """A text without its numbers, with words cut to stems."""
    return _segment(text).skeleton


def slot_of(clause: str) -> Slot | None:
    """The slot that is written as ``Segment.marked`` writes it; None if no or more than one place is marked."""
    if clause.count(NUMBER) + len(_MARKED.findall(clause)) != 1:
        return None
    text = clause.replace(NUMBER, f" {_RARE} ")
    text = _MARKED.sub(lambda match: " ".join([match[1]] * _MANY), text)
    return next((slot for slot, value in slots_of(text) if value in (_RARE, _MANY)), None)


@lru_cache(maxsize=1024)
def _segment(text: str) -> Segment:
    text = words().parted(text)
    tokens = tuple(_tokens(text))
    values = tuple(token.value for token in tokens if token.value is not None)
    return Segment(text, " ".join(token.part for token in tokens), values)


class _Token(NamedTuple):
    """A word, number or row of marks: what stands for it in a skeleton, its value if it has one, and where it is."""

    part: str
    value: int | None
    span: tuple[int, int]


def _tokens(text: str) -> Iterator[_Token]:
    known = words().numbers
    for token in _TOKEN.finditer(text):
        word = (token["word"] or "").casefold()
        if token["digits"]:
            yield _Token("#", int(token["digits"]), token.span())
        elif token["boxes"]:
            box = token["full"] or token["empty"]
            yield _Token(DRAWN + box.replace(" ", ""), token["boxes"].count(box), token.span())
        elif token["marks"]:
            sign = token["sign"] or token["letter"] or token["stroke"]
            yield _Token(DRAWN + sign, token["marks"].count(sign), token.span())
        elif word in known:
            yield _Token("#", known[word], token.span())
        else:
            yield _Token(word[:STEM], None, token.span())


FIRM = 0.8
"""The share of its turns from which on a slot, or a sign, is evidence."""


def distinctive(
    mine: Sequence[Collection[str]], others: Sequence[Collection[str]], share: float = 1.0, elsewhere: float = 0.0
) -> set[str]:
    """The words or sentences of texts that this ``share`` of them has, and of the others at most so small a share as is given ``elsewhere``."""
    here, there = (Counter(one for text in texts for one in set(text)) for texts in (mine, others))
    return {one for one, n in here.items() if n >= share * len(mine) and there[one] <= elsewhere * len(others)}


# ------------------------------------------------------------------------------------------------------- keys of questions

LEVELS = (1, 2, 3)
"""Numbers of last lines that a key may have: one, or more where questions end alike."""


NO_KEY = "\0"
"""The key of a question that is never asked."""

LONGEST_LINE = 300
"""Characters of a line that are a key, its last ones."""


@lru_cache(maxsize=1 << 8)
def key(output: str, level: int = LEVELS[0]) -> str:
    """The last lines that are not blank, as skeletons: numbers, drawn marks and the endings of words are left out."""
    lines: list[str] = []
    for line in reversed(plain(output).splitlines()):
        if line.strip():
            lines.append(skeleton(line[-LONGEST_LINE:]) or line.strip())
        if len(lines) == level:
            break
    return "\n".join(reversed(lines))
