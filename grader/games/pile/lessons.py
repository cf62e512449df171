"""Lessons: the way of talking that was learned of one program, as a small table for people, and the values that staff have set.

A value has the form in which the lesson of its key shows it:

    opening: Enter, stones, first            # what is typed before the game, in this order
    first: m u                               # what lets the program begin, and what the user
    told-after: <n> stones are left          # the clauses in which a number, or marks, tell what is left
    told-program: I take <n> || I took <n>
    wins-user: Well done                     # what is said where the user has won
    wins-program: none                       # nothing is said of it
    rules: right                             # it plays by the rules, or what it does otherwise
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from grader.games.hear.display import OR
from grader.games.hear.names import Naming
from grader.games.hear.runs import Run
from grader.games.hear.slots import Slot, key, plain, segments, slot_of
from grader.games.hear.words import PROGRAM, USER
from grader.games.learn.table import NONE, Row, Settings, clauses, digest, parts, rules_row, written
from grader.games.pile.departures import departures
from grader.games.pile.rounds import AFTER, OURS
from grader.games.pile.rules import Rules
from grader.games.pile.talk import Part, Talk
from grader.games.pile.telling import Telling
from grader.results import Learned, Lesson
from grader.values import dataclass

OPENING, FIRST = "opening", "first"
TOLD = {f"told-{meaning}": meaning for meaning in (AFTER, OURS)}
WINS = {f"wins-{winner}": winner for winner in (PROGRAM, USER)}

WHAT = {AFTER: "how many stones are left", OURS: "how many stones the program takes"}
"""The things that a clause with a number tells."""


# --------------------------------------------------------------------------------------------------- what staff have set


@dataclass(frozen=True)
class Corrections(Settings):
    """The values that are set, None if none is.

    ``told`` are the slots that alone have a meaning, with the clauses that name them, ``wins`` the clauses that name a winner.
    ``rules`` are the sentences of the departures from the rules.
    """

    parts: tuple[str | Part, ...] | None = None
    firsts: tuple[str, str] | None = None
    told: Mapping[str, Mapping[Slot, str]] = field(default_factory=dict)
    wins: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rules: frozenset[str] | None = None


def _parts(value: str) -> tuple[str | Part, ...]:
    by_name = {part.value: part for part in Part}
    result = tuple(by_name.get(text, text) for text in parts(value))
    if any(result.count(part) > 1 for part in Part):
        raise ValueError(f"in “{value}” `stones` and `first` must stand once, where the program asks for them")
    return result


def _firsts(value: str) -> tuple[str, str]:
    texts = tuple(value.split())
    if len(set(texts)) != len(Part):
        raise ValueError(f"“{value}” needs two answers, what lets the program begin, and what the user")
    return texts[0], texts[1]


def _slots(value: str) -> Mapping[Slot, str]:
    slots = {slot_of(clause): clause for clause in clauses(value)}
    if None in slots:
        raise ValueError(f"“{slots[None]}” needs one <n>, or <marks o>, where the number stands")
    return {slot: clause for slot, clause in slots.items() if slot is not None}


def rows(rules: Rules) -> tuple[Row, ...]:
    """The lessons of a program with a pile that staff can set."""
    return (
        Row(OPENING, _parts, "parts"),
        Row(FIRST, _firsts, "firsts"),
        *(Row(key, _slots, "told", meaning) for key, meaning in TOLD.items()),
        *(Row(key, clauses, "wins", winner) for key, winner in WINS.items()),
        rules_row(one.sentence for one in departures(rules)),
    )


# -------------------------------------------------------------------------------------------------- what was learned


def learned(
    talk: Talk, telling: Telling, texts: Sequence[str], winners: Mapping[str, tuple[Naming, str]], last: Lesson
) -> Learned:
    """The table; ``texts`` is all that the program printed, ``winners`` how each winner is named. ``last`` says what was proved, or its rules."""
    lessons = (*_opening(talk), *_telling(telling, texts), *_wins(winners, texts), last)
    quotes = sorted(quote for _, quote in winners.values())
    slots = sorted({place.slot.skeleton for place, one in telling.meanings.items() if one.is_known})
    return Learned(lessons, digest((talk.anew, *slots, *quotes)))


def unread(run: Run) -> Learned:
    """The table of a program in which no game was found: the way into it can be set."""
    value = _text(tuple(Part))
    lesson = Lesson(OPENING, value, "we did not find what to type before its first move", run.waits[0].output)
    return Learned((lesson,), digest(key(wait.output) for wait in run.waits))


def _text(parts: tuple[str | Part, ...]) -> str:
    """The answers before a game as staff write them."""
    return written(part.value if isinstance(part, Part) else part for part in parts)


def _opening(talk: Talk) -> Iterator[Lesson]:
    value = _text(talk.parts)
    sentence = f"before the game the user types {value}" if value else "nothing is typed before the game"
    yield Lesson(OPENING, value or NONE, sentence)
    if talk.firsts:
        program, user = talk.firsts
        yield Lesson(FIRST, f"{program} {user}", f"{program} lets the program begin, {user} the user")


def _telling(telling: Telling, texts: Sequence[str]) -> Iterator[Lesson]:
    for name, meaning in TOLD.items():
        quotes = {slot: quote for slot in telling.slots(meaning) if (quote := _clause(slot, texts)) is not None}
        if quotes:
            clauses = OR.join(dict.fromkeys(clause for clause, _ in quotes.values()))
            yield Lesson(name, clauses, f"it tells {WHAT[meaning]}", next(iter(quotes.values()))[1])
    for sign in dict.fromkeys(telling.drawings.values()):
        yield Lesson("", "", f"it draws {WHAT[AFTER]}, with “{sign}”")


def _clause(slot: Slot, texts: Sequence[str]) -> tuple[str, str] | None:
    """A clause with this slot, marked, and the line in which it was printed."""
    for text in texts:
        for line in plain(text).splitlines():
            for one in segments(line):
                if one.skeleton == slot.skeleton and slot.number < len(one.values):
                    return one.marked(slot.number), line.strip()
    return None


def _wins(winners: Mapping[str, tuple[Naming, str]], texts: Sequence[str]) -> Iterator[Lesson]:
    """The winners that the words at the ends of games name, as they were understood. If they are wrong, it is the other player."""
    quotes: dict[str, dict[str, bool]] = defaultdict(dict)
    for winner, (verdict, quote) in winners.items():
        other = USER if winner == PROGRAM else PROGRAM
        if quote and verdict is not Naming.NOBODY:
            quotes[other if verdict is Naming.WRONG else winner][quote] = verdict is not Naming.UNREAD
    for name, winner in WINS.items():
        if winner not in quotes:
            continue
        sentence = f"the program says this when the {winner} wins; we did not understand it"
        if any(quotes[winner].values()):
            sentence = f"this says that the {winner} wins"
        first = next(iter(quotes[winner]))
        yield Lesson(name, OR.join(quotes[winner]), sentence, _line(first, texts))


def _line(quote: str, texts: Sequence[str]) -> str:
    """The line in which a clause was printed."""
    lines = (line for text in texts for line in plain(text).splitlines() if quote in line)
    return next(lines, quote).strip()
