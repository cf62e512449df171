"""What an observed run shows: facts about a program that only a simulator can know, as values for checks to read.

**Registers across a call.** Registers are compared by value at the return from a subroutine with those at its call. What
a changed register is depends on what happens next (``Use``): read before it is written, it is a result; written first,
or never touched again, it was clobbered. A routine deeper down that stores a register and restores it only saved it,
which is no use. A register that any caller reads as a result is a result of that subroutine everywhere, so a caller
that ignores it does no harm. Which registers are compared is the machine's
to say; the return address is exempt, and the stack pointer is judged as the stack's balance.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from operator import itemgetter

from grader.machines.image import Content, Image
from grader.machines.records import Place, Records, Use
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Routine:
    """Where a subroutine begins, and the label there, if any."""

    address: int
    label: str | None

    def __str__(self) -> str:
        return self.label or f"x{self.address:04X}"


@dataclass(frozen=True, slots=True)
class Call:
    """Calls of one subroutine from one place, and how many of them it returned from."""

    routine: Routine
    site: int
    count: int
    returned: int = 0


@dataclass(frozen=True, slots=True)
class RegisterChange:
    """A register that differed at the return from a call at ``site``: values of the first time, and how many times.

    ``left_by`` are subroutines, by their addresses, that it had called and that had left it so; ``twins`` those that its caller had
    called with what it left.
    """

    routine: Routine
    site: int
    register: int
    before: int
    after: int
    use: Use
    count: int
    left_by: frozenset[int] = frozenset()
    twins: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class StackImbalance:
    """The stack pointer differed at the return from a call at ``site``: values of the first time, and how many times."""

    routine: Routine
    site: int
    before: int
    after: int
    count: int
    left_by: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Observations:
    """The records of a run so far, sorted by address.

    Three of them say how often each thing happened: ``traps`` by the vector and the instruction, ``patches`` by the address, which the
    source declares as code, and the instruction that stored there, ``passed_over`` by the instruction and the words in which its
    exception was told before the program went on, as under SPIM.

    ``ran_stored`` are addresses that ran after the program had stored there; ``data_run`` those that ran although the
    source declares them as data. ``unfilled_reads`` maps an address that nothing had ever filled to the instruction
    that first read it; ``foreign`` maps an instruction to the first address outside the user's memory
    that it touched.
    """

    image: Image
    instructions: int
    executed: frozenset[int]
    calls: tuple[Call, ...]
    max_depth: int
    changes: tuple[RegisterChange, ...]
    imbalances: tuple[StackImbalance, ...]
    traps: Mapping[tuple[int, int], int]
    patches: Mapping[tuple[int, int], int]
    ran_stored: frozenset[int]
    data_run: frozenset[int]
    stored: frozenset[int]
    stores: int
    unfilled_reads: Mapping[int, int]
    foreign: Mapping[int, int]
    passed_over: Mapping[tuple[int, str], int]

    @cached_property
    def results(self) -> frozenset[tuple[Routine, int]]:
        """The registers, with their subroutine, that some caller read as a result."""
        return frozenset((change.routine, change.register) for change in self.changes if change.use is Use.READ)

    @cached_property
    def clobbers(self) -> tuple[RegisterChange, ...]:
        """The changes of registers that are no result of their subroutine."""
        return tuple(change for change in self.changes if (change.routine, change.register) not in self.results)


@dataclass(frozen=True, slots=True)
class Marks:
    """What a loop marks by itself: addresses that ran, were stored into, ran after that, and the number of stores."""

    executed: frozenset[int]
    stored: frozenset[int] = frozenset()
    ran_stored: frozenset[int] = frozenset()
    stores: int = 0


def observations(records: Records, marks: Marks, image: Image, instructions: int) -> Observations:
    """The values behind ``records``, which go on changing when the machine runs on."""

    def routine(at: Place) -> Routine:
        return Routine(at.target, image.label_at(at.target))

    calls = (Call(routine(at), at.site, n, records.returns.get(at, 0)) for at, n in sorted(records.calls.items()))
    data = {address for address, origin in image.origins.items() if origin.content is Content.DATA}
    return Observations(
        image=image,
        instructions=instructions,
        executed=marks.executed,
        calls=tuple(calls),
        max_depth=records.max_depth,
        changes=tuple(
            RegisterChange(
                routine(at), at.site, register, seen.before, seen.after, use, seen.count, seen.left_by, seen.twins
            )
            for (at, register, use), seen in sorted(records.changes().items(), key=itemgetter(0))
        ),
        imbalances=tuple(
            StackImbalance(routine(at), at.site, seen.before, seen.after, seen.count, seen.left_by)
            for at, seen in sorted(records.imbalances.items(), key=itemgetter(0))
        ),
        traps=dict(sorted(records.traps.items())),
        patches=dict(sorted(records.patches.items())),
        ran_stored=marks.ran_stored,
        data_run=(marks.executed & data) - marks.stored,
        stored=marks.stored,
        stores=marks.stores,
        unfilled_reads=dict(sorted(records.unfilled.items())),
        foreign=dict(sorted(records.foreign.items())),
        passed_over=dict(sorted(records.exceptions.items())),
    )
