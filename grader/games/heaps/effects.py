"""How a program for two people shows its heaps and wants its moves typed, by what comes of a few moves, though it may carry them out wrongly.

The right places and the right manner are those under which the named heap shrinks by the number that was typed. Most mistakes leave
that true of some heaps: a program that never empties its second row still takes rocks off the first. So each manner is weighed by
all moves that come out under it, and the mistake is left to the referee. Where no move of any manner comes out the assignment fixes how
one is typed; a program that asks again behind each takes it, and does nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from grader.games.heaps.duel import Duel
from grader.games.heaps.manner import Manner
from grader.games.heaps.moving import less
from grader.reading.display import Display, Heaps, Slot, displays, lines, slots_of
from grader.reading.keys import key
from grader.reading.runs import Runs
from grader.values import dataclass

ENOUGH = 3
"""Test moves, of four, that must fall off the right heaps at once: then nothing else is tried."""

FEW = 2
"""Moves, of six, that must come out under a manner where most do not: one may by chance, where heaps are numbers."""

_ROW = ((0, 2), (1, 3), (2, 1), (1, 1))
ALONE = ((0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2))
"""First moves, each of a game of its own: one or two of each heap."""

UNKNOWN = "\0"
"""The beginning of a line that no program prints: there is the place of a heap that nothing shows."""

Seen = tuple[int | None, ...]
"""The heaps as far as they are shown."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What comes of first moves under a manner: ``right`` take what they must, ``near`` change their own heap alone by another number.

    ``heaps`` are those that shrank rightly. ``asked`` says that each was answered, with a question behind it.
    """

    right: int = 0
    near: int = 0
    heaps: tuple[int, ...] = ()
    asked: bool = False


def way_in(
    runs: Runs, duel: Duel, manners: Sequence[Manner], shown: Display | None, *, usual: bool
) -> tuple[Manner, Display, tuple[int, ...]] | None:
    """How moves are typed, where the heaps are shown, and the heaps that can be played; None where that is not known.

    ``shown`` is where staff have seen the heaps. ``usual`` allows the manner of the assignment where no move comes out under any.
    """
    start, begun = duel.starts[0], runs.run(()).output
    exact = (shown,) if shown is not None else tuple(displays(begun, start))
    trials = ((_in_a_row(runs, duel, manner, display), manner, display) for display in exact for manner in manners)
    fitting, manner, display = max(trials, key=lambda trial: trial[0], default=(0, None, None))
    if fitting >= ENOUGH and manner is not None and display is not None:
        return manner, display, tuple(range(len(start)))
    weighed = [
        (_effects(runs, manner, one), manner, one) for one in exact or nearly(begun, start) for manner in manners
    ]
    if not weighed:
        return None
    best, manner, display = max(weighed, key=lambda trial: (trial[0].right, trial[0].near))
    if max(best.right, best.near) >= FEW and _is_whole(runs, manner, display):
        return manner, display, best.heaps
    nothing, manner, display = weighed[0]
    if usual and exact and nothing.asked and not any(one.right or one.near for one, _, _ in weighed):
        return manner, display, ()
    return None


def boards(text: str, display: Display) -> tuple[list[Heaps], str]:
    """The boards that a text shows, and the text behind the last of them."""
    shown = display.boards(text)
    behind = shown[-1][0] + 1 if shown else 0
    return [heaps for _, heaps in shown], "\n".join(lines(text)[behind:])


def seen(text: str, display: Display) -> Seen:
    """The heaps that a text shows last; None for each that it does not show."""
    whole = display.boards(text)
    if whole:
        return whole[-1][1]
    known: dict[int, int] = {}
    for line in lines(text):
        for slot, heap in zip(display.slots, display.heaps, strict=True):
            # A row of marks without a name is any blank line once it is empty.
            value = slot.value(line) if slot.line else None
            if value is not None:
                known[heap] = value
    return tuple(known.get(heap) for heap in range(len(display.slots)))


def _in_a_row(runs: Runs, duel: Duel, manner: Manner, display: Display) -> int:
    """How many of a few legal moves show as they must, each judged by the heaps before it."""
    before, fitting = duel.starts[0], 0
    run = runs.run([part for move in _ROW for part in manner.takes(*move)])
    for move, text in zip(_ROW, run.turns[1:], strict=False):
        shown = boards(text, display)[0]
        if not shown:
            break
        fitting += shown[-1] == less(before, move)
        before = shown[-1]
    return fitting


def _effects(runs: Runs, manner: Manner, display: Display) -> Effects:
    begun = runs.run(()).output
    before, question = seen(begun, display), key(begun)
    right, near, asked = [], 0, 0
    for number, (heap, count) in enumerate(ALONE):
        if number == len(before) and not (near or asked):
            break  # a program that hangs behind each move takes long
        run = runs.run(manner.takes(heap, count))
        if run.ending is not None:
            continue
        asked += key(run.output) == question
        after = seen(run.output, display)
        changed = [at for at, (n, m) in enumerate(zip(before, after, strict=True)) if m is not None and n != m]
        if changed == [heap]:
            right += [heap] if (before[heap] or 0) - (after[heap] or 0) == count else []
            near += 1
    return Effects(len(right), near, tuple(dict.fromkeys(right)), asked == len(ALONE))


def nearly(text: str, start: Heaps) -> Iterator[Display]:
    """Displays of a text that show the heaps nearly: some with another number of things, or fewer of them.

    A place that nothing shows can be anywhere: it is called by a line that no program prints.
    """
    for marks in (True, False):
        slots = slots_of(text, marks=marks)
        for size in (len(start), *range(len(start) - 1, 0, -1)):
            for group in combinations(slots, size):
                kinds, rows = {(slot.index, slot.sign) for slot, _ in group}, {slot.line for slot, _ in group}
                alike = 1 in (len(kinds), len(rows))
                for heaps in combinations(range(len(start)), size) if alike else ():
                    right = sum(value == start[heap] for heap, (_, value) in zip(heaps, group, strict=True))
                    if right == size or (size == len(start) and right == size - 1):
                        known = dict(zip(heaps, (slot for slot, _ in group), strict=True))
                        places = (known.get(at, Slot(f"{UNKNOWN}{at}")) for at in range(len(start)))
                        yield Display(tuple(places), tuple(range(len(start))))


def _is_whole(runs: Runs, manner: Manner, display: Display) -> bool:
    """Whether all heaps have a place, or no line is left that could show another one: between echo and question there are those alone."""
    if not any(slot.line.startswith(UNKNOWN) for slot in display.slots):
        return True
    run = runs.run(manner.takes(*ALONE[-1]))
    between = [line for line in lines(run.output)[1:] if line.strip()][:-1]
    return all(any(slot.value(line) is not None for slot in display.slots) for line in between)
