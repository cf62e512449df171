"""The way into a program of heaps: what is typed before the first move, where the heaps are shown, and how a move is typed.

All three together are one hypothesis, and each hypothesis is weighed by a few first moves, each in a game of its own. The right one is
that under which the named heap shrinks by the number that was typed. Most mistakes leave that true of some heaps: a program that never
empties its second row still takes rocks off the first. So the hypothesis that explains most moves is taken, and the mistake is left to
the referee. If no move changes anything, the assignment fixes how a move is typed: a program that breaks behind each
such move, or asks again, takes it and plays no game. A question for a name takes any answer, so that it is no way in by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, islice, product

from grader.checks.ending import faulty
from grader.games.heaps.corrections import Corrections
from grader.games.heaps.duel import Duel, Manner, manners
from grader.games.heaps.moving import Move, less
from grader.games.heaps.telling import LETTERS, Source, Telling, Walks, tellings, walks
from grader.games.hear.display import Display, Heaps, Slot, displays, lines, slots_of
from grader.games.hear.runs import Answers, Runs
from grader.games.hear.slots import key
from grader.games.learn.way import search
from grader.values import dataclass

ALONE: tuple[Move, ...] = ((0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2))
"""First moves, each of a game of its own: one or two of each heap."""

SURE = 4
"""First moves that must take what they name before a way in is believed at once: a program with a mistake in one heap is still read."""

FEW = 2
"""First moves that must change their own heap where two people play: one may by chance, where heaps are numbers. A computer that moves
itself changes more of them by chance: there ``SURE`` must."""

MOST_NEAR = 3
"""Maximum places that show the heaps of a game against the computer nearly and are tried with all manners: each costs some runs."""

UNKNOWN = "\0"
"""The beginning of a line that no program prints: there is the place of a heap that nothing shows."""

BETWEEN: tuple[Answers, ...] = ((), ("",))
"""Answers that may be wanted between the sizes of the heaps and the first move: no more than Enter, since a number might be a fourth heap."""

LEADS: tuple[Answers, ...] = ((), ("",), ("1",), ("y",))
"""Answers before the first move of a program that shows no heaps."""

NOTHING = Telling(Source("", 0), Source("", 0), "")

Seen = tuple[int | None, ...]
"""The heaps as far as they are shown."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The way into a program. ``lead`` is typed first of all, ``between`` after the sizes of the heaps, where these are typed.

    ``start`` are the heaps with which its games begin, where it shows others than those of the assignment. ``playable`` are the heaps
    from which a first move takes what it names.
    """

    lead: Answers
    between: Answers
    display: Display | Telling | Walks
    manner: Manner
    start: Heaps = ()
    playable: tuple[int, ...] = ()

    def opening(self, duel: Duel, start: Heaps) -> Answers:
        """The answers before the first move of a game with these heaps."""
        sizes = tuple(map(str, start)) if duel.sizes else ()
        return (*self.lead, *sizes, *self.between)

    def begun(self, runs: Runs, duel: Duel, start: Heaps) -> str | None:
        """The text that asks for the first move of such a game; None if the program has ended by then."""
        run = runs.run(self.opening(duel, start))
        return None if run.ending is not None else "\n".join(run.turns[-1 - len(self.between) :])


@dataclass(frozen=True, slots=True)
class Effects:
    """The effects of first moves under a way in.

    ``right`` has the heap of each move that takes what it names, ``near`` is the number of those that change their own heap otherwise.
    ``idle`` says that all others break the program, or let it ask again.
    """

    right: tuple[int, ...] = ()
    near: int = 0
    idle: bool = False


def find(runs: Runs, duel: Duel, corrections: Corrections, *, usual: bool = True) -> Entry | None:
    """The way into a program that shows its heaps; None if nothing comes of any moves.

    ``usual`` allows the manner of the assignment where no move comes out under any.
    """
    if corrections.heaps is False:
        return None
    entry = _searched(runs, duel, corrections, lambda lead: _best(runs, duel, corrections, lead))
    return entry or _searched(
        runs, duel, corrections, lambda lead: _best(runs, duel, corrections, lead, near=True, usual=usual)
    )


def told(runs: Runs, duel: Duel, corrections: Corrections) -> Iterator[Entry]:
    """Ways into a program that shows no heaps, by the moves that it tells: the right one is that under which games end when they must."""
    start, move = duel.starts[0], (len(duel.labels) - 1, 1)
    leads, between = (LEADS, ()) if corrections.opening is None else (corrections.opening[:1], corrections.opening[1])
    for lead, manner in product(leads, _manners(duel, corrections)):
        bare = Entry(lead, between, NOTHING, manner)
        answers, parts = bare.opening(duel, start), manner.takes(*move)
        run = runs.run((*answers, *parts))
        if run.taken != run.answers:
            continue
        text, rest = "\n".join(run.turns[-len(parts) :]), less(start, move)
        ways = tellings(text, rest, LETTERS)
        if corrections.told is not None:
            ways = (Telling(heap, count, LETTERS) for heap, count in corrections.told)
        for display in ways:
            entry = replace(bare, display=display)
            if len(_effects(runs, duel, entry, start).right) == len(ALONE):
                yield entry


def walked(runs: Runs, duel: Duel, corrections: Corrections) -> Iterator[Entry]:
    """The way into a program that neither shows heaps nor tells moves: walks find the heaps of the start, whichever these are."""

    def test(lead: Answers) -> Entry | None:
        for between, manner in product(_betweens(duel, corrections), _manners(duel, corrections)):
            bare = Entry(lead, between, NOTHING, manner)
            boards = [walks(runs, manner, bare.opening(duel, start), start) for start in duel.starts[:2]]
            if boards[0] is not None and None not in boards:
                return replace(bare, display=boards[0])
        return None

    entry = _searched(runs, duel, corrections, test)
    if entry is not None:
        yield entry


def seen(text: str, display: Display) -> Seen:
    """The heaps that a text shows last; None for each that it does not show."""
    whole = display.boards(text)
    if whole:
        return whole[-1][1]
    sizes: dict[int, int] = {}
    for line in lines(text):
        for slot, heap in zip(display.slots, display.heaps, strict=True):
            # A row of marks without a name is any blank line once it is empty.
            value = slot.value(line) if slot.line else None
            if value is not None:
                sizes[heap] = value
    return tuple(sizes.get(heap) for heap in range(len(display.slots)))


# ------------------------------------------------------------------------------------------------------------- hypotheses


def _searched(
    runs: Runs, duel: Duel, corrections: Corrections, test: Callable[[Answers], Entry | None]
) -> Entry | None:
    """The entry that a test finds behind the answers that staff have set, or else behind any; two people play at once."""
    if corrections.opening is not None or not duel.game.computer:
        return test(corrections.opening[0] if corrections.opening is not None else ())
    outcome = search(runs, test)
    return outcome[1] if outcome else None


def _manners(duel: Duel, corrections: Corrections) -> tuple[Manner, ...]:
    return (corrections.move,) if corrections.move is not None else manners(duel)


def _betweens(duel: Duel, corrections: Corrections) -> tuple[Answers, ...]:
    if corrections.opening is not None:
        return (corrections.opening[1],)
    return BETWEEN if duel.sizes else BETWEEN[:1]


def _weighed(
    runs: Runs, duel: Duel, corrections: Corrections, lead: Answers, *, near: bool
) -> Iterator[tuple[Effects, Entry]]:
    """Ways in behind these answers, by where the heaps are shown rightly, or also ``near``ly where they are nowhere."""
    starts, ways = duel.starts[:2], _manners(duel, corrections)
    for between in _betweens(duel, corrections):
        bare = Entry(lead, between, NOTHING, ways[0])
        texts = [text for start in starts if (text := bare.begun(runs, duel, start)) is not None]
        if len(texts) < len(starts):
            continue
        candidates = (corrections.heaps,) if isinstance(corrections.heaps, Display) else displays(texts[0], starts[0])
        pairs = tuple(zip(texts, starts, strict=True))
        exact = [one for one in candidates if all(start in dict(one.boards(text)).values() for text, start in pairs)]
        # Against the computer only whole boards are read, and each run of a native program takes milliseconds.
        least, most = (len(starts[0]), MOST_NEAR) if duel.game.computer else (1, None)
        nearest = islice(_nearly(texts[0], starts[0], least), most)
        for display in exact or (nearest if near and not corrections.heaps else ()):
            boards, places = display.boards(texts[0]), {(slot.line, slot.index) for slot in display.slots}
            if 1 < len(places) < len(display.slots):
                continue  # two of three rows are called alike: one of them has a wrong name
            if near and duel.game.computer and len({heaps for _, heaps in boards}) != 1:
                continue  # a move is made before the user's first one
            begins = () if exact or duel.sizes or not boards else boards[0][1]
            for manner in ways:
                entry = replace(bare, display=display, manner=manner, start=begins)
                effects = _effects(runs, duel, entry, seen(texts[0], display))
                yield effects, replace(entry, playable=tuple(dict.fromkeys(effects.right)))


def _best(
    runs: Runs, duel: Duel, corrections: Corrections, lead: Answers, *, near: bool = False, usual: bool = False
) -> Entry | None:
    """The entry under which most first moves take what they name, or where it may be ``near`` change at least the heap that they name.

    Else the ``usual`` one, where it is taken and nothing comes of it.
    """
    if near and duel.sizes and lead:
        return None  # the lead may be the size of a heap: of four rows three show heaps as well
    weighed: list[tuple[Effects, Entry]] = []
    for effects, entry in _weighed(runs, duel, corrections, lead, near=near):
        if len(effects.right) == len(ALONE):
            return entry
        weighed.append((effects, entry))
    best, likeliest = max(weighed, key=lambda one: (len(one[0].right), one[0].near), default=(Effects(), None))
    changing = len(best.right) + (best.near if near else 0)
    if likeliest is not None and changing >= (FEW if near and not duel.game.computer else SURE):
        return likeliest if _is_whole(runs, duel, likeliest) else None
    candidates = (one for effects, one in weighed if effects.idle and one.manner.is_usual(duel))
    return next(candidates, None) if usual and not changing else None


def _effects(runs: Runs, duel: Duel, entry: Entry, before: Seen) -> Effects:
    """The effects of first moves under a way in; ``before`` are the heaps at the first move.

    If all moves lead to the same heaps, no move was made: a program may make the user's first move itself, whatever is typed.
    """
    display, answers = entry.display, entry.opening(duel, duel.starts[0])
    assert not isinstance(display, Walks), "the program need not show its moves for this"
    question = key(runs.run(answers).output)
    right: list[int] = []
    near = idle = trials = 0
    after: set[Seen] = set()
    for heap, count in ALONE:
        if trials == len(before) and not (right or near):
            break  # nothing comes of one thing of any heap; a program that hangs behind each move takes long
        trials += 1
        parts = entry.manner.takes(heap, count)
        run = runs.run((*answers, *parts))
        if run.ending is not None:
            idle += faulty(run.ending)
            continue
        text = "\n".join(run.turns[-len(parts) :])
        if isinstance(display, Telling):
            boards: list[Seen] = [*display.shown(text, less(duel.starts[0], (heap, count)))]
        else:
            boards = [*display.shown(text, ())] or [seen(text, display)]
        after |= set(boards[-1:])
        if any(_takes(before, one, (heap, count), replies=duel.game.computer) for one in boards):
            right.append(heap)
        elif boards and heap in (fewer := _fewer(before, boards[-1])) and len(fewer) <= 1 + duel.game.computer:
            near += 1
        elif key(run.output) == question and run.taken == run.answers:
            idle += 1
    if len(after) == 1:
        right, near = [], 0
    return Effects(tuple(right), near, idle == trials)


def _fewer(before: Seen, after: Seen) -> dict[int, int]:
    """The loss of each heap that has changed, in things, as far as that is shown."""
    pairs = enumerate(zip(before, after, strict=True))
    return {heap: n - m for heap, (n, m) in pairs if n is not None and m is not None and n != m}


def _takes(before: Seen, after: Seen, move: Move, *, replies: bool) -> bool:
    """Whether a move leaves these heaps, or they are left by it and by a move of a computer that ``replies``."""
    fewer = _fewer(before, after)
    rest = [n for n in {**fewer, move[0]: fewer.get(move[0], 0) - move[1]}.values() if n]
    return not rest or (replies and len(rest) == 1 and rest[0] > 0)


def _nearly(text: str, start: Heaps, least: int) -> Iterator[Display]:
    """Displays of a text that show the heaps nearly: one with another number of things, or only some of them, ``least`` at least.

    A place that nothing shows can be anywhere: it is called by a line that no program prints.
    """
    for marks in (True, False):
        slots = slots_of(text, marks=marks)
        for size in range(len(start), least - 1, -1):
            for group in combinations(slots, size):
                kinds, rows = {(slot.index, slot.sign) for slot, _ in group}, {slot.line for slot, _ in group}
                alike = 1 in (len(kinds), len(rows))
                for heaps in combinations(range(len(start)), size) if alike else ():
                    right = sum(value == start[heap] for heap, (_, value) in zip(heaps, group, strict=True))
                    if right == size or (size == len(start) and right == size - 1):
                        by_heap = dict(zip(heaps, (slot for slot, _ in group), strict=True))
                        places = (by_heap.get(at, Slot(f"{UNKNOWN}{at}")) for at in range(len(start)))
                        yield Display(tuple(places), tuple(range(len(start))))


def _is_whole(runs: Runs, duel: Duel, entry: Entry) -> bool:
    """Whether all heaps have a place, or no line is left that could show another one: between echo and question there are those alone."""
    display = entry.display
    if not any(slot.line.startswith(UNKNOWN) for slot in display.slots):
        return True
    run = runs.run((*entry.opening(duel, duel.starts[0]), *entry.manner.takes(*ALONE[-1])))
    between = [line for line in lines(run.output)[1:] if line.strip()][:-1]
    return all(any(slot.value(line) is not None for slot in display.slots) for line in between)
