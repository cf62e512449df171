"""The joint fit: the rules that a program plays are found together with the meanings of the numbers that it prints.

A hypothesis is a few named departures from the right rules. A family of games uses it to foretell all runs: the
question at each wait, and the truths whenever a number is printed. The cheapest hypothesis that explains all runs is the
verdict (minimum description length). So a program with an odd habit is right as long as right rules explain it. If
only wrong rules explain it, they are its diagnosis.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from itertools import combinations
from operator import attrgetter

from grader.values import dataclass

EACH = 10.0
"""The cost of a departure. It is more than all habits of one program cost together: about 3 in the right programs of all fixtures."""

WRONG = 4.0
"""The cost of a wait that was foretold wrongly: three of them cost more than a departure."""

INEXACT = 10.0
"""The cost of a hypothesis with any wrong wait. A program that refuses two of the last two stones shows that at one
wait of 23 games. If only that wait counted, no departure was tried."""

MOST = 40.0
"""A hypothesis whose waits cost more is dropped before any number is looked at: most are, and this keeps the fit cheap."""

MISSED, UNRELATED = 1.6, 0.5
"""The cost of a number that its meaning misses, and of one without a meaning. A right program that prints a table of
all moves has many meaningless numbers. If each cost more, a departure became cheaper than the table."""

ALONE = 0.6
"""The additional cost of a meaning that its slot has at no other place: at a place that is seen once every meaning explains."""

CONSTANT, SHIFTED = 0.45, 3.0
"""The cost of a number that is always the same, and of one that is always off by the same: a wrong count, and not a meaning."""

ENOUGH_SHIFTED = 5
"""Values that a place must have to be always off: with fewer of them some other meaning is off by chance."""

SHIFTS = (-2, -1, 1, 2)
"""A place may be off by one of these numbers."""

RIVAL = 5.0
"""An explanation with other charges that costs so little more leaves the program open. Two prototypes gave 67
explanations; one was untrue, and it alone had such a rival."""

FORETOLD = 6
"""The things that must have been foretold and could have come otherwise, before an explanation is believed."""

MOST_UNKNOWN = 2
"""Numbers that mean nothing, for each thing that was foretold, beside which departures are believed. One program for two persons at one
keyboard has 126 to 120, since no meaning is their player's number; one that adds up what is typed has 191 to 22."""

UNKNOWN, ALWAYS = "", "always"
"""The meanings of a number that means nothing, and of one that is always the same."""


@dataclass(frozen=True, slots=True)
class Departure:
    """A difference from the right rules, as a row of its family.

    ``field`` is the part of the rules and ``value`` what it is instead: of one field a hypothesis has one departure. ``sentence``
    is the diagnosis. ``charge`` is the kind of its fault; empty if single things that were seen are charged, such
    as poor moves. ``hides`` are kinds of faults that are not judged behind it, since they follow from it. ``needs`` is a meaning that
    the program must tell, with several values: without it the same runs have a simpler explanation.
    """

    field: str
    value: Hashable
    sentence: str
    charge: str = ""
    hides: frozenset[str] = frozenset()
    needs: str = ""


Departures = tuple[Departure, ...]


@dataclass(frozen=True, slots=True)
class Number:
    """A number that a program printed: its slot, its place (a slot, and where in a step it stands), and what is true there by name."""

    slot: Hashable
    place: Hashable
    value: int
    true: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of a place: the ``name`` of a truth, by how much it is always off, and how many of how many values miss that."""

    name: str
    shift: int
    misses: int
    values: int
    cost: float

    @property
    def is_known(self) -> bool:
        """Whether it tells something that changes."""
        return self.name not in (UNKNOWN, ALWAYS)


@dataclass(frozen=True, slots=True)
class Foretold:
    """The runs of a program beside a hypothesis of its family.

    ``wrong`` is the number of waits that came otherwise, ``right`` that of things that came as foretold and could have come otherwise.
    ``more`` is what the family adds to the cost: for a thing that programs hardly ever do under this hypothesis.
    ``numbers`` pairs the printed numbers with what is true; it is called only if the waits allow it.
    """

    wrong: int
    right: int
    numbers: Callable[[], Sequence[Number]]
    more: float = 0.0


@dataclass(frozen=True, slots=True)
class Explanation:
    """A hypothesis with what it costs, and the meanings of all places under it."""

    departures: Departures
    wrong: int
    right: int
    meanings: Mapping[Hashable, Meaning]
    cost: float

    @property
    def charges(self) -> frozenset[str]:
        """The kinds of faults that it charges."""
        return frozenset(one.charge or one.sentence for one in self.departures)

    @property
    def is_believed(self) -> bool:
        """Whether it foretold every wait, and enough that could have come otherwise.

        Beside departures no number may be wrong. A program that took stones by the remainder of four was explained by that of three,
        and was then charged for each number that it told right. Nor may too many numbers mean nothing: one that adds up all that is typed was
        taken for a pile from which no stones are taken.
        """
        known = [one for one in self.meanings.values() if one.is_known]
        # “1 of your 3 moves were perfect” is seldom off what is left, which another place always tells: it means something else.
        flawless = {one.name for one in known if not one.misses and one.values >= FORETOLD}
        misses = sum(one.misses for one in known if one.name not in flawless)
        unknown = sum(one.values for one in self.meanings.values() if one.name == UNKNOWN)
        foretold = self.right + sum(one.values for one in known) - misses
        if self.wrong or (self.departures and (misses or unknown > MOST_UNKNOWN * foretold)):
            return False
        return foretold >= FORETOLD


@dataclass(frozen=True, slots=True)
class Fit:
    """The cheapest explanation, and those with other charges that are nearly as cheap."""

    best: Explanation
    rivals: tuple[Explanation, ...]

    @property
    def is_sure(self) -> bool:
        """Whether the best explanation is believed, and no rival of it."""
        return self.best.is_believed and not self.rivals


def fit(
    rows: Sequence[Departure],
    foretell: Callable[[Departures, int], Foretold | None],
    costs: Mapping[str, float],
    most: int = 2,
    known: Set[str] | None = None,
) -> Fit | None:
    """The cheapest explanation by no departure, one, or two if ``most`` says so; None if none explains the waits at all.

    ``foretell`` gives None for a hypothesis that means nothing. It may stop if more waits come otherwise than this
    number: such a hypothesis is expensive, and so no rival of the best one. ``costs`` are those of the meanings that a number may have: one that
    costs nothing may also be told wrong by the same amount always. ``known`` are the sentences of the departures if staff have set
    them: no hypothesis with others is tried.
    """
    explanations: list[Explanation] = []
    exact = False
    for departures in _hypotheses(rows, most):
        best = min((one.cost for one in explanations), default=float("inf"))
        if EACH * len(departures) > best + RIVAL:  # hypotheses come by their number of departures
            break
        if known is not None and known != {one.sentence for one in departures}:
            continue
        if exact and len(departures) > 1:
            break  # Right rules foretell all waits. Pairs were tried for four seconds where such a program printed many odd numbers.
        limit = min(MOST, best + RIVAL - INEXACT - EACH * len(departures))
        foretold = foretell(departures, max(0, int(limit // WRONG)))
        exact = exact or (not departures and foretold is not None and not foretold.wrong)
        least = EACH * len(departures) + (WRONG * foretold.wrong + INEXACT * bool(foretold.wrong) if foretold else 0)
        if foretold is None or WRONG * foretold.wrong > MOST or least > best + RIVAL:
            continue
        numbers = foretold.numbers()
        # “It moves, and its stones stay” foretells the same waits as “it never moves”: only numbers that tell its moves show which.
        if not all(_is_told(one.needs, numbers) for one in departures):
            continue
        meanings = meant(numbers, costs)
        cost = least + foretold.more + sum(one.cost for one in meanings.values())
        explanations.append(Explanation(departures, foretold.wrong, foretold.right, meanings, cost))
    if not explanations:
        return None
    first = min(explanations, key=lambda one: one.cost)
    near = (one for one in explanations if one.cost <= first.cost + RIVAL and not one.wrong)
    rivals = (one for one in near if one.charges != first.charges)
    return Fit(first, tuple(sorted(rivals, key=lambda one: one.cost)))


def _is_told(name: str, numbers: Sequence[Number]) -> bool:
    """Whether some place tells this truth with several values; a truth without a name needs no place."""
    places: dict[Hashable, list[bool]] = defaultdict(list)
    values: dict[Hashable, set[int]] = defaultdict(set)
    for one in numbers if name else ():
        if name in one.true:
            places[one.place].append(one.value == one.true[name])
            values[one.place].add(one.value)
    return not name or any(
        len(right) >= FORETOLD and all(right) and len(values[at]) > 1 for at, right in places.items()
    )


def _hypotheses(rows: Sequence[Departure], most: int) -> Iterator[Departures]:
    """No departure, each alone, and all pairs of different fields."""
    yield ()
    yield from ((row,) for row in rows)
    if most > 1:
        yield from ((one, two) for one, two in combinations(rows, 2) if one.field != two.field)


def meant(numbers: Sequence[Number], costs: Mapping[str, float]) -> Mapping[Hashable, Meaning]:
    """The cheapest meaning of each place; of equally cheap ones the first of ``costs``."""
    places: dict[Hashable, list[Number]] = defaultdict(list)
    for number in numbers:
        places[number.place].append(number)
    options = {place: list(_options(samples, costs)) for place, samples in places.items()}
    cheapest = {place: min(some, key=attrgetter("cost")) for place, some in options.items()}
    slots = {place: samples[0].slot for place, samples in places.items()}
    common = Counter((slots[place], one.name, one.shift) for place, one in cheapest.items() if one.is_known)

    def cost(place: Hashable, one: Meaning) -> float:
        if not one.is_known:
            return one.cost
        elsewhere = common[slots[place], one.name, one.shift] > (cheapest[place] is one)
        return one.cost + (0.0 if elsewhere else ALONE)

    meanings: dict[Hashable, Meaning] = {}
    for place, some in options.items():
        one = min(some, key=lambda option: cost(place, option))
        meanings[place] = Meaning(one.name, one.shift, one.misses, one.values, cost(place, one))
    return meanings


def _options(samples: Sequence[Number], costs: Mapping[str, float]) -> Iterator[Meaning]:
    """All meanings that the values of one place may have. One that misses a third of them does not count."""
    size = len(samples)
    for name, cost in costs.items():
        off = [one.value - one.true[name] for one in samples if name in one.true]
        # A count may be off by one always; a total or a turn number that is off is another number.
        for shift in (0, *SHIFTS) if size >= ENOUGH_SHIFTED and cost == 0 else (0,):
            misses = size - off.count(shift)
            if 3 * misses < size:
                yield Meaning(name, shift, misses, size, cost + (SHIFTED if shift else 0) + MISSED * misses)
    misses = size - max(Counter(one.value for one in samples).values())
    if 3 * misses < size:
        yield Meaning(ALWAYS, 0, misses, size, CONSTANT + MISSED * misses)
    yield Meaning(UNKNOWN, 0, 0, size, UNRELATED * size)
