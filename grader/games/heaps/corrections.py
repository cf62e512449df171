"""The values of ``learned.yaml`` that staff have set for a program of heaps; a value that cannot be followed is noted with its reason.

A value has the form in which the lesson of its key shows it:

    opening: Enter, sizes                     # what is typed before the first move, in this order
    move: c, 1                                # one stone from the last heap: its parts with a comma between
    heaps: "A: <a> || B: <b> || C: <c>"       # the lines that show the heaps; `<a o>` where they are drawn with o; none
    told: I take <n> from <heap a>            # the computer's move; `<heap 1>` where the first heap is called 1; none
    wins-user: Well done                      # what is said where the user has won
    starts-program: I begin                   # what is said where the computer begins
    score: You <user> || Me <program>         # the wins of both
    players: red / blue                       # what two players are called, who begins first
    refusal: That is not possible             # what is said of illegal answers; words, where two people play
    yes: j                                    # the answer after which another game begins
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import partial
from typing import Any, TypeVar

from grader.games.heaps.duel import COMPUTER, USER, Duel, Manner, manners
from grader.games.heaps.telling import LETTERS, Source, letters_in, masked
from grader.games.hear.display import Display, display_of
from grader.games.hear.runs import Answers
from grader.games.hear.slots import NUMBER, Segment, Slot, segments, signed, slot_of
from grader.games.learn.table import NONE, Row, Settings, answer, clauses, parts, sentences, two_names
from grader.values import dataclass

WINS = {"wins-user": USER, "wins-program": COMPUTER}
STARTS = {"starts-user": USER, "starts-program": COMPUTER}
WAY = ("opening", "move", "heaps")
"""The keys of the way into a program."""

SIZES = "sizes"
"""How the sizes of the heaps are written."""

Told = tuple[tuple[Source, Source], ...]

T = TypeVar("T")


@dataclass(frozen=True)
class Corrections(Settings):
    """The values that are set, None if none is.

    ``opening`` are the answers before the sizes of the heaps, and behind them. ``heaps`` and ``told`` are False and empty where
    nothing shows or tells them. ``wins`` and ``starts`` are sentences, for each player who is set.
    """

    opening: tuple[Answers, Answers] | None = None
    move: Manner | None = None
    heaps: Display | bool | None = None
    told: Told | None = None
    wins: Mapping[str, frozenset[str]] = field(default_factory=dict)
    starts: Mapping[str, frozenset[str]] = field(default_factory=dict)
    score: tuple[Slot, Slot] | tuple[()] | None = None
    refusal: frozenset[str] | None = None
    yes: str | None = None
    players: tuple[str, str] | None = None

    def tried(self, attempt: Callable[[Corrections], T | None]) -> T | None:
        """The result of an attempt to find the way into a program as staff have set it.

        If there is no such way, one value is left out before all, and each that is left out is refused.
        """
        way = [key for key in WAY if getattr(self, key) is not None]
        for left_out in ((), *((key,) for key in way if len(way) > 1), tuple(way)):
            nothing: dict[str, Any] = dict.fromkeys(left_out)
            result = attempt(replace(self, **nothing))
            if result is not None or not way:
                for key in left_out:
                    self.refuse(key, "no move falls off the heaps so")
                return result
        for key in way:
            self.refuse(key, "no move falls off the heaps so, nor without it")
        return None


NOTHING_SET = Corrections()
"""Corrections without any setting of staff."""


def rows(duel: Duel) -> tuple[Row, ...]:
    """The lessons that staff can set for a program that plays this game."""
    typed_and_shown = (Row("move", partial(_move, duel)), Row("heaps", partial(_heaps, duel)))
    if not duel.game.computer:
        refusal = Row("refusal", lambda value: frozenset(word.casefold() for word in value.split()))
        return (*typed_and_shown, Row("players", two_names), refusal)
    return (
        Row("opening", partial(_opening, duel)),
        *typed_and_shown,
        Row("told", _telling),
        *(Row(key, sentences, "wins", player) for key, player in WINS.items()),
        *(Row(key, sentences, "starts", player) for key, player in STARTS.items()),
        Row("score", _score),
        Row("refusal", _refusal),
        Row("yes", answer),
    )


def _opening(duel: Duel, value: str) -> tuple[Answers, Answers]:
    answers = parts(value)
    if answers.count(SIZES) != int(duel.sizes):
        where = f"`{SIZES}` must stand there once, where the numbers are typed" if duel.sizes else "no sizes are typed"
        raise ValueError(f"in “{value}” {where}")
    at = answers.index(SIZES) if duel.sizes else len(answers)
    return answers[:at], answers[at + 1 :]


def _move(duel: Duel, value: str) -> Manner:
    bare = ", ".join(part.strip() for part in value.split(","))
    by_text = {manner.one_of_last: manner for manner in manners(duel)}
    if bare not in by_text:
        raise ValueError(f"“{value}” is no way to type one from the last heap; write one of {'; '.join(by_text)}")
    return by_text[bare]


def _heaps(duel: Duel, value: str) -> Display | bool:
    if value == NONE and duel.game.computer:
        return False
    display = display_of(value, duel.labels)
    if display is None:
        places = ", ".join(f"<{label.lower()}>" for label in duel.labels)
        raise ValueError(f"“{value}” must name each heap once: {places}")
    return display


_HEAP = re.compile(r"<heap (\w)>")
_RARE, _RARER = 987_654_321, 876_543_210


def _telling(value: str) -> Told:
    """The places that tell the computer's move: heap and number in each clause, or the one in one clause and the other in another."""
    heaps: list[Source] = []
    counts: list[Source] = []
    for clause in clauses(value):
        heap, count = _sources(clause)
        heaps += [heap] if heap else []
        counts += [count] if count else []
    whole = [(heap, count) for heap in heaps for count in counts if heap.skeleton == count.skeleton]
    pairs = whole or [(heap, count) for heap in heaps for count in counts][:1]
    if not pairs and value != NONE:
        raise ValueError(
            f"“{value}” needs <n> for the number, and <heap a>, <heap 1> or <heap 0>, which the first heap is called"
        )
    return tuple(pairs)


def _sources(clause: str) -> tuple[Source | None, Source | None]:
    heap = _HEAP.search(clause)
    first = heap[1].casefold() if heap else ""
    label = str(_RARER) if first.isdigit() else first
    text = _HEAP.sub(label, clause).replace(NUMBER, str(_RARE))
    segment = next(iter(segments(text)), None)
    if segment is None:
        return None, None
    skeleton, letters = masked(segment, LETTERS)
    count = Source(skeleton, segment.values.index(_RARE)) if _RARE in segment.values else None
    if heap is None:
        return None, count
    if first.isdigit():
        return Source(skeleton, segment.values.index(_RARER), base=int(first)), count
    before = len(letters_in(clause[: heap.start()]))
    return (Source(skeleton, before, letter=True) if before < len(letters) else None), count


def told_in(segment: Segment, heap: Source, count: Source) -> str:
    """A clause as staff write it: with signs in the places of what it tells of these."""
    places: list[tuple[tuple[int, int], str]] = []
    if count.skeleton == masked(segment, LETTERS)[0] and count.index < len(segment.spans):
        places.append((segment.spans[count.index], NUMBER))
    if heap.skeleton == masked(segment, LETTERS)[0]:
        spans = [letter.span() for letter in letters_in(segment.text)] if heap.letter else segment.spans
        first = LETTERS[0] if heap.letter else str(heap.base)
        places += [(spans[heap.index], f"<heap {first}>")] if heap.index < len(spans) else []
    return signed(segment.text, places) if places else ""


def _score(value: str) -> tuple[Slot, Slot] | tuple[()]:
    if value == NONE:
        return ()
    others = re.compile(rf"<(?:{USER}|{COMPUTER})>")
    slots = {
        player: slot
        for player in (USER, COMPUTER)
        for clause in clauses(value)
        if f"<{player}>" in clause
        and (slot := slot_of(others.sub("0", clause.replace(f"<{player}>", NUMBER)))) is not None
    }
    if len(slots) < 2:
        raise ValueError(f"“{value}” needs <{USER}> and <{COMPUTER}>, where the wins of each stand")
    return slots[USER], slots[COMPUTER]


def _refusal(value: str) -> frozenset[str]:
    return frozenset(one.skeleton for clause in clauses(value) for one in segments(clause))
