"""The observations of a run: facts about a program that only a simulator can know, as values for checks to read.

**Registers across a call.** Registers are compared by value at the return from a subroutine with those at its call. The
next use of a changed register tells what it is (``Use``). If it is read before it is written, it is a result. If it is
written first or never used, it was clobbered. A routine deeper down that stores a register and restores it only saved it,
which is no use. A register that any caller reads as a result is a result of that subroutine everywhere, so a caller
that ignores it does no harm. The machine says which registers are compared. The return address is exempt, and the stack
pointer is judged as the stack's balance.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter

from grader.machines.image import Image
from grader.machines.records import Place, Records, Use
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Routine:
    """The start of a subroutine, and the label there, if any."""

    address: int
    label: str | None

    def __str__(self) -> str:
        return self.label or f"x{self.address:04X}"


@dataclass(frozen=True, slots=True)
class Call:
    """Calls of one subroutine from one place, and how many times it returned from there."""

    routine: Routine
    site: int
    returned: int = 0


@dataclass(frozen=True, slots=True)
class RegisterChange:
    """A register that differed at the return from a call at ``site``: values of the first time.

    ``left_by`` are subroutines, by their addresses, that it had called and that had left it so; ``twins`` those that its caller had
    called with what it left.
    """

    routine: Routine
    site: int
    register: int
    before: int
    after: int
    use: Use
    left_by: frozenset[int] = frozenset()
    twins: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class StackImbalance:
    """The stack pointer differed at the return from a call at ``site``: values of the first time."""

    routine: Routine
    site: int
    before: int
    after: int
    left_by: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Observations:
    """The records of a run so far, sorted by address.

    ``traps`` have the vector and the instruction. ``patches`` have the address, which the source declares as code, and the instruction
    that stored there. ``passed_over`` has the instruction and the words in which its exception was told before the program
    went on, as under SPIM.

    ``executed`` are the addresses of the instructions that ran. ``unfilled_reads`` maps an address that nothing had ever filled to the
    instruction that first read it.
    """

    image: Image
    instructions: int
    executed: frozenset[int]
    calls: tuple[Call, ...]
    changes: tuple[RegisterChange, ...]
    imbalances: tuple[StackImbalance, ...]
    traps: tuple[tuple[int, int], ...]
    patches: tuple[tuple[int, int], ...]
    unfilled_reads: Mapping[int, int]
    passed_over: tuple[tuple[int, str], ...]


def observations(records: Records, executed: frozenset[int], image: Image, instructions: int) -> Observations:
    """The values behind ``records``, which go on changing when the machine runs on."""

    def routine(at: Place) -> Routine:
        return Routine(at.target, image.label_at(at.target))

    calls = (Call(routine(at), at.site, records.returns.get(at, 0)) for at in sorted(records.calls))
    return Observations(
        image=image,
        instructions=instructions,
        executed=executed,
        calls=tuple(calls),
        changes=tuple(
            RegisterChange(routine(at), at.site, register, seen.before, seen.after, use, seen.left_by, seen.twins)
            for (at, register, use), seen in sorted(records.changes().items(), key=itemgetter(0))
        ),
        imbalances=tuple(
            StackImbalance(routine(at), at.site, seen.before, seen.after, seen.left_by)
            for at, seen in sorted(records.imbalances.items(), key=itemgetter(0))
        ),
        traps=tuple(sorted(records.traps)),
        patches=tuple(sorted(records.patches)),
        unfilled_reads=dict(sorted(records.unfilled.items())),
        passed_over=tuple(sorted(records.exceptions)),
    )
