"""How one program talks a pile game over: what must be typed before the game begins, and what else than moves during it.

All of it is found by experiment (``opening``, ``beginning``, ``fixed``, ``pauses``), or set by staff.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Set
from enum import Enum
from operator import ne

from grader.games.hear.history import Heads
from grader.games.hear.runs import Answers
from grader.games.hear.slots import LEVELS, Slot, segments
from grader.values import dataclass

PROGRAM, USER = 0, 1

SMALLER, MIDDLE, LARGER = 6, 12, 20
"""Each pile must bring a longer game than the one before, whatever legal moves the program makes. With 13 and 20 a
program that plays by chance had seven turns in both, once in some thousand runs. A refusal was then taken for the way
in."""

TRIED = (8, 9)
"""Piles for trying who begins. The first tells it even if the program says only that the game is over."""


class Part(Enum):
    """The purpose of an answer before the game."""

    STONES = "stones"
    FIRST = "first"


@dataclass(frozen=True, slots=True)
class Talk:
    """The way to talk with one program, as far as it was found.

    - ``parts``: the answers before the game, in their order.
    - ``firsts``: the answers that let the program and the user begin; empty if that is not asked.
    - ``pauses``: the keys of waits that any answer passes. ``after``: those of questions behind the end.
    - ``level``: the number of lines of a key.
    - ``anew``: the key of the question for the number of stones.

    Rules foretell the moves of most programs. The others are followed by the stones that they tell, at the place ``slot``. Such are those
    that play by ``chance``: each game has random numbers of its own. ``pile`` is a number of stones that is always the same.
    """

    parts: tuple[str | Part, ...]
    firsts: tuple[str, str] | tuple[()] = ()
    pauses: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    level: int = LEVELS[0]
    anew: str = ""
    proved: bool = False
    """Whether we saw that the two answers to who begins mean what they should. Otherwise they are those of the text."""
    slot: Slot | None = None
    single: frozenset[str] = frozenset()
    """The skeletons in which one stone is told, where that is not ``slot``."""
    pile: int | None = None
    chance: bool = False
    lists: Heads = frozenset()
    """The heads of lists that it goes on writing."""

    def answers(self, stones: int | str, mover: int) -> Answers:
        """The answers that are typed for a game of so many stones."""
        first = self.firsts[mover] if self.firsts else ""
        texts = {Part.STONES: str(stones), Part.FIRST: first}
        return tuple(texts[part] if isinstance(part, Part) else part for part in self.parts)

    def place(self, part: Part) -> int:
        """How many answers come before this one."""
        return self.parts.index(part)

    def left(self, text: str) -> int | None:
        """How many stones are left, as a text tells it last; None if it does not, or where that is not known."""
        return None if self.slot is None else last_number(text, self.slot, self.single)


def ones(number: int) -> Answers:
    """The answer 1 so many times: the move that is always allowed."""
    return ("1",) * number


def last_number(text: str, slot: Slot, single: Set[str] = frozenset()) -> int | None:
    """The last number at this place of a text, or of a sentence that tells a ``single`` thing."""
    forms = {slot.skeleton, *single}
    alike = [one.values for one in segments(text) if one.skeleton in forms and slot.number < len(one.values)]
    return alike[-1][slot.number] if alike else None


def single_forms(texts: Iterable[str], slot: Slot) -> frozenset[str]:
    """The skeletons of “There is 1 stone” where the slot is that of “There are 2 stones”: one word differs, and no other number comes there."""
    # A program that plays by chance was left to a person, as if it did not tell the last stone. “Left: 2” and “Took: 1” are no such forms.
    words = slot.skeleton.split()
    values: dict[str, set[int]] = defaultdict(set)
    for one in {one for text in texts for one in segments(text)}:
        form = one.skeleton.split()
        if slot.number < len(one.values) and len(form) == len(words) and sum(map(ne, form, words)) <= 1:
            values[one.skeleton].add(one.values[slot.number])
    is_plural = 1 not in values[slot.skeleton]
    return frozenset(each for each in values if is_plural and values[each] == {1})
