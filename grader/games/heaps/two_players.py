"""A game of heaps for two players: what was learned of its words as a table, and what staff have set of that.

A value has the form in which the lesson of its key shows it:

    move: C1, Enter                            # one rock from the last heap, and Enter where it is wanted
    heaps: "A: <a o> || B: <b o> || C: <c o>"  # the lines that show the heaps, here drawn with o
    players: red / blue                        # what the players are called, who begins first
    refusal: invalid move                      # words that are said of illegal moves
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from grader.games.learn.table import Row, Settings, digest, two_names
from grader.games.referee import HeapGame
from grader.reading.display import Display, display_of
from grader.reading.heaps import MANNERS, Manner, Wording, learn, opening, words
from grader.reading.keys import key
from grader.reading.learned import Learned, Lesson
from grader.sessions.session import Forking
from grader.spec.expectations import ENTER
from grader.values import dataclass

WAY = ("manner", "display")
LABELS = "ABC"
_ENTER = ", Enter"


@dataclass(frozen=True)
class Corrections(Settings):
    """The values that are set, None where none is."""

    manner: Manner | None = None
    display: Display | None = None
    players: tuple[str, ...] | None = None
    refusing: frozenset[str] | None = None


NOTHING_SET = Corrections()
"""Where staff have set nothing."""


def _written(manner: Manner) -> str:
    typed = manner.typed("C1")
    return typed.removesuffix(ENTER) + (_ENTER if manner.enter else "")


def _manner(value: str) -> Manner:
    bare = _ENTER.join(part.strip() for part in value.split(_ENTER.strip()))
    known = {_written(manner): manner for manner in MANNERS}
    if bare not in known:
        raise ValueError(f"“{value}” is no way to type one from the last heap; write one of {'; '.join(known)}")
    return known[bare]


def _display(value: str) -> Display:
    found = display_of(value, LABELS)
    if found is None:
        raise ValueError(f"“{value}” must name each heap once: {', '.join(f'<{label.lower()}>' for label in LABELS)}")
    return found


def _refusing(value: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in value.split())


ROWS = (
    Row("move", _manner, "manner"),
    Row("heaps", _display, "display"),
    Row("players", two_names),
    Row("refusal", _refusing, "refusing"),
)
"""What staff can set of a program that two play."""


def understood(start: Callable[[], Forking], game: HeapGame, given: Corrections = NOTHING_SET) -> Wording | None:
    """What can be learned of a program, with what staff have set; ``start`` begins a session of it."""
    names = {row.field: row.key for row in ROWS}
    way = [part for part in WAY if getattr(given, part) is not None]
    for left_out in ((), *((part,) for part in way if len(way) > 1), tuple(way)):
        manners = MANNERS if given.manner is None or "manner" in left_out else (given.manner,)
        display = None if "display" in left_out else given.display
        wording = learn(start(), game.start, game.illegal, manners, display)
        if wording is not None or not way:
            for part in left_out:
                given.refuse(names[part], "no move falls off the heaps so")
            return None if wording is None else _as_set(wording, given, start, game)
    for part in way:
        given.refuse(names[part], "no move falls off the heaps so, nor without it")
    return None


def _as_set(wording: Wording, given: Corrections, start: Callable[[], Forking], game: HeapGame) -> Wording:
    if given.players is not None:
        if set(given.players) == set(wording.players):
            wording = replace(wording, players=given.players)
        else:
            told = f"it asks {' and '.join(wording.players)}" if wording.players else "nothing tells who is asked"
            given.refuse("players", told)
    if given.refusing is not None:
        said = frozenset[str]().union(*(words(start(), wording.manner, move) for move in game.illegal))
        if given.refusing <= said:
            wording = replace(wording, refusing=given.refusing)
        else:
            given.refuse("refusal", "this is not said after an illegal move")
    return wording


def learned(wording: Wording, begun: str, given: Corrections) -> Learned:
    """The table of what was learned; ``begun`` is what the program says up to its first question."""
    move = _written(wording.manner)
    heaps = wording.display.written(begun, LABELS.lower())
    players, refusal = " / ".join(wording.players), " ".join(sorted(wording.refusing))
    lessons = (
        Lesson("move", move, f"one from the last heap is typed as {move}", _last(begun)),
        Lesson("heaps", heaps, "the heaps are read from what is shown", heaps),
        Lesson(
            "players",
            players,
            f"the players are {' and '.join(wording.players)}" if players else "nothing tells who is asked",
        ),
        Lesson(
            "refusal",
            refusal,
            "these words are said of illegal moves alone" if refusal else "a refusal says nothing",
            refusal,
        ),
    )
    return Learned(
        lessons, digest((move, wording.display.quote, *wording.question, *sorted(wording.refusing))), given.unheeded
    )


def unread(start: Callable[[], Forking], given: Corrections) -> Learned:
    """What can be set where no moves were found that fall off any heaps."""
    begun = opening(start())
    if not begun.strip():
        return Learned(unheeded=given.unheeded)
    lessons = (
        Lesson("move", _written(MANNERS[0]), "how one from the last heap is typed was not found", _last(begun)),
        Lesson("heaps", "", "where the heaps are shown was not found"),
    )
    return Learned(lessons, digest((key(begun, level=3),)), given.unheeded)


def _last(text: str) -> str:
    lines: Sequence[str] = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
