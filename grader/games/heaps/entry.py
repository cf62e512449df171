"""The way into a program: what is typed before the first move, where the heaps are shown, and how a move is typed.

All three are found together: the right ones are those under which legal moves fall off the heaps that are shown. A question for a
name takes any answer, so that it is no way in by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from grader.checks.ending import faulty
from grader.games.heaps import moving
from grader.games.heaps.corrections import Corrections
from grader.games.heaps.duel import Duel
from grader.games.heaps.effects import ALONE, UNKNOWN, nearly
from grader.games.heaps.manner import Manner, manners
from grader.games.heaps.telling import LETTERS, Source, Telling, tellings
from grader.games.heaps.walks import Walks, walks
from grader.games.learn.way import search
from grader.reading.display import Display, Heaps, displays
from grader.reading.keys import key
from grader.reading.runs import Answers, Runs
from grader.values import dataclass

COUNTS, ENOUGH = (1, 2, 1, 1), 3
"""The stones of each test move, and how many of these moves must fall off the right heaps. Three of four do for a program with a mistake in
one heap, which is still read."""

MOST_NEAR = 3
"""Maximum places that show the heaps nearly and are tried with all manners of typing a move: each costs some runs."""

NOWHERE = Source("", 0)

BETWEEN: tuple[Answers, ...] = ((), ("",))
"""Answers that may be wanted between the sizes of the heaps and the first move: no more than Enter, since a number might be a fourth heap."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The way into a program. ``lead`` is typed first of all, ``between`` after the sizes of the heaps, where these are typed.

    ``start`` are the heaps with which its games begin, where it shows others than those of the assignment.
    """

    lead: Answers
    between: Answers
    display: Display | Telling | Walks
    manner: Manner
    start: Heaps = ()

    def opening(self, duel: Duel, start: Heaps) -> Answers:
        """The answers before the first move of a game with these heaps."""
        sizes = tuple(map(str, start)) if duel.sizes else ()
        return (*self.lead, *sizes, *self.between)


def find(runs: Runs, duel: Duel, given: Corrections) -> Entry | None:
    """The way into a program; None where nothing comes of any moves.

    Where no moves fall off the heaps that it shows it may carry them out wrongly.
    """
    if given.heaps is False:
        return None
    found = _searched(runs, lambda lead: _entry(runs, duel, lead, given), given)
    return found or _searched(runs, lambda lead: _likeliest(runs, duel, lead, given), given)


def _searched(runs: Runs, test: Callable[[Answers], Entry | None], given: Corrections) -> Entry | None:
    """The entry that a test finds behind the answers that staff have set, or else behind any."""
    if given.opening is not None:
        return test(given.opening[0])
    found = search(runs, test)
    return found[1] if found else None


def _between(duel: Duel, given: Corrections) -> tuple[Answers, ...]:
    if given.opening is not None:
        return (given.opening[1],)
    return BETWEEN if duel.sizes else BETWEEN[:1]


def tried_manners(duel: Duel, given: Corrections) -> tuple[Manner, ...]:
    """The manners of typing moves that are tried: all, or the one that staff have set."""
    return (given.move,) if given.move is not None else manners(duel)


def told(runs: Runs, duel: Duel, given: Corrections) -> Iterator[Entry]:
    """Ways into a program that shows no heaps, by the moves that it tells: the right one is that under which games end when they must."""
    leads = ((), ("",), ("1",), ("y",)) if given.opening is None else (given.opening[0],)
    between = given.opening[1] if given.opening is not None else ()
    for lead in leads:
        opening = Entry(lead, between, Telling(NOWHERE, NOWHERE, ""), tried_manners(duel, given)[0])
        answers = opening.opening(duel, duel.starts[0])
        if runs.run(answers).ending is not None:
            continue
        left = moving.less(duel.starts[0], (len(duel.labels) - 1, 1))
        for manner in tried_manners(duel, given):
            parts = manner.takes(len(duel.labels) - 1, 1)
            run = runs.run((*answers, *parts))
            text = "\n".join(run.turns[-len(parts) :])
            ways = tellings(text, left, LETTERS)
            if given.told is not None:
                ways = (Telling(heap, count, LETTERS) for heap, count in given.told)
            for display in ways if run.taken == run.answers else ():
                entry = replace(opening, display=display, manner=manner)
                if _fitting(runs, duel, entry) >= (len(COUNTS) if duel.sizes else ENOUGH):  # 5-4-3 is soon over
                    yield entry


def walked(runs: Runs, duel: Duel, given: Corrections) -> Iterator[Entry]:
    """The way into a program that neither shows heaps nor tells moves: walks find the heaps of the start, whichever these are."""
    found = _searched(runs, lambda lead: _walked(runs, duel, lead, given), given)
    if found is not None:
        yield found


def _walked(runs: Runs, duel: Duel, lead: Answers, given: Corrections) -> Entry | None:
    for between in _between(duel, given):
        for manner in tried_manners(duel, given):
            bare = Entry(lead, between, Telling(NOWHERE, NOWHERE, ""), manner)
            found = [walks(runs, manner, bare.opening(duel, start), start) for start in duel.starts[:2]]
            if found[0] is not None and None not in found:
                return replace(bare, display=found[0])
    return None


def _entry(runs: Runs, duel: Duel, lead: Answers, given: Corrections) -> Entry | None:
    best: tuple[int, Entry] | None = None
    for between in _between(duel, given):
        for display in _shown(runs, duel, lead, between, given):
            for manner in tried_manners(duel, given):
                entry = Entry(lead, between, display, manner)
                fitting = _fitting(runs, duel, entry)
                if fitting >= ENOUGH and not _begins(runs, duel, entry):
                    continue
                if fitting == len(COUNTS):
                    return entry
                if fitting >= ENOUGH and (best is None or fitting > best[0]):
                    best = fitting, entry
    return best[1] if best else None


def _likeliest(runs: Runs, duel: Duel, lead: Answers, given: Corrections) -> Entry | None:
    """The entry under which most first moves change the heap that they name, though it may be by another number.

    Where no manner changes any the assignment fixes how a move is typed: a program that breaks behind each such move, or asks again,
    takes it and plays no game.
    """
    if duel.sizes and lead:
        return None  # the lead may be the size of a heap: of four rows three show heaps as well
    weighed: list[tuple[tuple[int, int, int], Entry]] = []
    for between in _between(duel, given):
        sizes = tuple(map(str, duel.starts[0])) if duel.sizes else ()
        run = runs.run((*lead, *sizes, *between))
        if run.ending is not None:
            continue
        text = "\n".join(run.turns[-1 - len(between) :])
        exact = tuple(_shown(runs, duel, lead, between, given))
        nearest = () if given.heaps else tuple(_whole(text, duel.starts[0]))[:MOST_NEAR]
        for display in exact or nearest:
            if len({heaps for _, heaps in display.boards(text)}) != 1:
                continue  # a move is made before the user's first one
            for manner in tried_manners(duel, given):
                entry = Entry(lead, between, display, manner, () if exact or sizes else display.boards(text)[0][1])
                weighed.append((_effects(runs, duel, entry, text), entry))
    if not weighed:
        return None
    (right, near, _), entry = max(weighed, key=lambda one: one[0][:2])
    if right + near >= len(ALONE) - 2:
        return entry
    usual = (one for (_, _, idle), one in weighed if one.manner.is_usual(duel) and idle == len(ALONE))
    return None if right or near else next(usual, None)


def _whole(text: str, start: Heaps) -> Iterator[Display]:
    """Displays of a text that show all heaps, one of them with another number of things."""
    return (one for one in nearly(text, start) if not any(slot.line.startswith(UNKNOWN) for slot in one.slots))


def _effects(runs: Runs, duel: Duel, entry: Entry, text: str) -> tuple[int, int, int]:
    """How many of six first moves take what they must, change their own heap by another number, and break the program or let it ask again."""
    display, answers = entry.display, entry.opening(duel, duel.starts[0])
    assert isinstance(display, Display), "the heaps are shown"
    before, question = display.boards(text)[-1][1], key(text)
    right = near = idle = 0
    after: set[Heaps] = set()
    for number, move in enumerate(ALONE):
        if number == len(before) and not (right or near or idle):
            break  # nothing comes of one thing of any heap
        parts = entry.manner.takes(*move)
        run = runs.run((*answers, *parts))
        if run.ending is not None:
            idle += faulty(run.ending)
            continue
        shown = display.shown("\n".join(run.turns[-len(parts) :]), before)
        after |= set(shown[-1:])
        left = moving.less(before, move) if before[move[0]] >= move[1] else before
        if left != before and any(one == left or moving.between(left, one) for one in shown):
            right += 1
        elif shown and shown[-1][move[0]] != before[move[0]]:
            near += 1
        elif key(run.output) == question and run.taken == run.answers:
            idle += 1
    # Where all leave the same none was made: a program may make the user's first move itself, whatever is typed.
    return (right, near, idle) if len(after) >= len(before) or not (right or near) else (0, 0, 0)


def _shown(runs: Runs, duel: Duel, lead: Answers, between: Answers, given: Corrections) -> Iterator[Display]:
    """Displays that show the heaps of all games, each in its own opening."""
    texts = []
    for start in duel.starts[:2]:
        sizes = tuple(map(str, start)) if duel.sizes else ()
        run = runs.run((*lead, *sizes, *between))
        if run.ending is not None:
            return
        texts.append("\n".join(run.turns[-1 - len(between) :]))
    known = (given.heaps,) if isinstance(given.heaps, Display) else displays(texts[0], duel.starts[0])
    for display in known:
        if all(
            any(heaps == start for _, heaps in display.boards(text))
            for text, start in zip(texts, duel.starts, strict=False)
        ):
            yield display


def _begins(runs: Runs, duel: Duel, entry: Entry) -> bool:
    """Whether the user makes the first move: most first moves are carried out, so that none is made for her."""
    return sum(_fitting(runs, duel, entry, (1,), heap) for heap in range(len(duel.labels))) >= len(duel.labels) - 1


def _fitting(runs: Runs, duel: Duel, entry: Entry, counts: tuple[int, ...] = COUNTS, first: int | None = None) -> int:
    """How many of a few legal moves show as they must, each judged by the heaps before it, one from the ``first`` heap first."""
    display, answers = entry.display, entry.opening(duel, duel.starts[0])
    assert not isinstance(display, Walks), "walks need no moves that show"
    run = runs.run(answers)
    heaps = display.first("\n".join(run.turns[-1 - len(entry.between) :]), duel.starts[0])
    fitting = 0
    for number, count in enumerate(counts):
        at = max(range(len(heaps)), key=lambda heap: (heaps[heap], heap != number % len(heaps)))
        at = at if first is None else first
        if sum(heaps) < ENOUGH or not heaps[at]:
            break
        parts = entry.manner.takes(at, count)
        answers += parts
        run = runs.run(answers)
        left = moving.less(heaps, (at, count))
        boards = display.shown("\n".join(run.turns[-len(parts) :]), left) if run.taken == answers else ()
        if not boards:
            break
        after = boards[-1]
        fitting += after == left or moving.between(left, after) is not None
        if not fitting:
            break
        heaps = after
    return fitting
