"""The records of an observed run: calls and what they did to registers, traps, stores into code, reads of nothing.

The loop marks addresses by itself and tells ``Records`` of all else as it happens; ``observe`` makes values of it.

A subroutine returns when a jump goes to where one of the innermost open calls came from. A register that differs then
is an open ``Change`` until it is known what becomes of it. There is one exception: a routine may restore registers
for its caller (``JSR RESTORE`` before ``RET``). A routine that brings back the values at its caller's call has
changed nothing.
One that may bring back what another had been called with from the same place in the calls (``JSR SAVE``) has that as a *twin*.
Depths are numbers of open calls. Whoever reads the register uses it. At the caller's depth, storing it is a use too, and
writing it closes the change as overwritten. Deeper down, a routine that stores the register may only be saving it, and one
that writes it may restore it: that is settled when the routine returns.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from enum import StrEnum
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from grader.values import dataclass

Key = TypeVar("Key")

MAX_FRAMES = 0x10000  # open calls: no program has memory to come back from more
MAX_UNWOUND = 16  # innermost calls that one jump may return from at once
MAX_OPEN = 64  # changes of one register that are followed at a time


class Use(StrEnum):
    """The next use of a register that a subroutine left changed."""

    READ = "read"  # its caller, or a routine that it was passed on to, read it: a result
    WRITTEN = "written"  # it was written before anyone read it
    UNUSED = "unused"  # nobody touched it again


@dataclass(frozen=True, slots=True)
class Experiment:
    """A change that an experiment makes to a run, to see its effect.

    ``contents`` are what registers hold at the start, by their numbers. ``restored`` are subroutines, by their addresses,
    each with a register that is put back to what it held at the call whenever that subroutine returns. ``forced`` are such
    that are given a value then, where they hold another than at the call. ``given`` are such that hold a value when they are called.
    With ``unrecorded`` nothing is kept but which instructions were executed, which is faster.
    """

    contents: Mapping[int, int] = field(default_factory=dict)
    restored: frozenset[tuple[int, int]] = frozenset()
    forced: Mapping[tuple[int, int], int] = field(default_factory=dict)
    given: Mapping[tuple[int, int], int] = field(default_factory=dict)
    unrecorded: bool = False

    @property
    def at_returns(self) -> bool:
        """Whether something is done when subroutines return."""
        return bool(self.restored or self.forced)


NO_EXPERIMENT = Experiment()
UNRECORDED = Experiment(unrecorded=True)


class Place(NamedTuple):
    """A call: the subroutine's address and that of the JSR or JSRR."""

    target: int
    site: int


@dataclass(slots=True)
class Difference:
    """A register's values at a call and at the return from it, the first time that it differed.

    ``left_by`` and ``twins`` are addresses of subroutines that were called in between. Those of ``left_by`` left the register
    in this way, every time. Those of ``twins`` were called with the later value in it, every time.
    """

    before: int
    after: int
    left_by: frozenset[int] = frozenset()
    twins: frozenset[int] = frozenset()

    def add(self, other: Difference) -> None:
        """Keep what holds of another time as well."""
        self.left_by &= other.left_by
        self.twins &= other.twins


@dataclass(slots=True)
class Change:
    """A difference of a register that nothing has depended on yet.

    ``depth`` is the caller's. ``saved`` and ``covered`` are the depths of routines below it that have stored the
    register and that have written it since; 0 if no routine has.
    """

    place: Place
    difference: Difference
    depth: int
    saved: int = 0
    covered: int = 0

    def copy(self) -> Change:
        """The same, apart."""
        return replace(self, difference=replace(self.difference))


class Left(NamedTuple):
    """The value that calls within a call left in a register (of the stack pointer, by how much they moved it), and these calls."""

    value: int
    by: frozenset[int]


class Frame(NamedTuple):
    """An open call: where it returns to, where it was made, the compared registers and the stack pointer at that time.

    ``left`` is what calls within it have left in registers, ``called`` what the compared ones held when each routine was last called
    within it.
    """

    back: int
    place: Place
    kept: tuple[int, ...]
    stack: int
    left: dict[int, Left]
    called: dict[int, tuple[int, ...]]


class Records:
    """The records so far; ``registers`` are the machine's own, read at calls and returns.

    ``compared`` are the numbers of those that a subroutine is to keep, ``stack`` that of the stack pointer.
    ``calls``, ``traps`` (vector, site) and ``patches`` (address of code, site of the store) say what happened, and ``exceptions``
    which were told and passed over (site, what was told). ``returns`` counts. ``unfilled`` maps an address to the first instruction
    that read it. ``followed`` is the set of registers with open changes, as bits; the methods that can change it
    return it, so that the loop asks about no other registers. At returns the ``experiment`` is carried out. ``heard`` is told
    the address of each routine that is called, before it runs.
    """

    def __init__(
        self, registers: array[int], compared: tuple[int, ...], stack: int, experiment: Experiment = NO_EXPERIMENT
    ) -> None:
        self.registers = registers
        self.compared = compared
        self.stack = stack
        self.experiment = experiment
        self._pick: Callable[[array[int]], tuple[int, ...]] = itemgetter(*compared)
        self.calls: set[Place] = set()
        self.returns: dict[Place, int] = {}
        self.traps: set[tuple[int, int]] = set()
        self.patches: set[tuple[int, int]] = set()
        self.unfilled: dict[int, int] = {}
        self.exceptions: set[tuple[int, str]] = set()
        self.imbalances: dict[Place, Difference] = {}
        self.closed: dict[tuple[Place, int, Use], Difference] = {}
        self._frames: list[Frame] = []
        self._called: dict[int, tuple[int, ...]] = {}
        self._open: dict[int, list[Change]] = {register: [] for register in compared}
        self.followed = 0
        self.heard: Callable[[int], None] | None = None

    def copy(self, registers: array[int]) -> Records:
        """The same records, for a copy of the machine with these ``registers``."""
        twin = Records(registers, self.compared, self.stack, self.experiment)
        twin.calls, twin.returns = set(self.calls), dict(self.returns)
        twin.traps, twin.patches = set(self.traps), set(self.patches)
        twin.unfilled, twin.exceptions = dict(self.unfilled), set(self.exceptions)
        twin.imbalances = {key: replace(seen) for key, seen in self.imbalances.items()}
        twin.closed = {key: replace(seen) for key, seen in self.closed.items()}
        twin._frames = [frame._replace(left=dict(frame.left), called=dict(frame.called)) for frame in self._frames]
        twin._called = dict(self._called)
        twin.followed = self.followed
        twin._open = {register: [change.copy() for change in changes] for register, changes in self._open.items()}
        return twin

    def changes(self) -> dict[tuple[Place, int, Use], Difference]:
        """All changes by place, register and use; those still open are unused so far."""
        counts = {key: replace(seen) for key, seen in self.closed.items()}
        for register, changes in self._open.items():
            for change in changes:
                _count(counts, (change.place, register, Use.UNUSED), change.difference)
        return counts

    def trap(self, vector: int, site: int) -> None:
        """A trap was served."""
        self.traps.add((vector, site))

    def patch(self, address: int, site: int) -> None:
        """A word of code was overwritten."""
        self.patches.add((address, site))

    def pass_over(self, site: int, message: str) -> None:
        """An exception was told to the user, and the program went on."""
        self.exceptions.add((site, message))

    def read_unfilled(self, address: int, site: int) -> None:
        """A word was read that nothing had ever filled."""
        self.unfilled.setdefault(address, site)

    def call(self, site: int, back: int, target: int) -> None:
        """A subroutine is about to be entered."""
        place = Place(target, site)
        if len(self._frames) >= MAX_FRAMES:
            del self._frames[: MAX_FRAMES // 2]
        if self.experiment.given:
            self._give(target)
        kept = self._pick(self.registers)
        self._calls_here[target] = kept
        self._frames.append(Frame(back, place, kept, self.registers[self.stack], {}, {}))
        self.calls.add(place)
        if self.heard is not None:
            self.heard(target)

    def jump(self, target: int) -> int:
        """A jump is about to be made, which may be a return."""
        frames = self._frames
        for depth in range(len(frames) - 1, max(-1, len(frames) - 1 - MAX_UNWOUND), -1):
            frame = frames[depth]
            if frame.back == target:
                del frames[depth:]
                self.returns[frame.place] = self.returns.get(frame.place, 0) + 1
                if self.experiment.at_returns:
                    self._experiment_with(frame)
                if self.followed:
                    self._settle(depth)
                self._compare(frame, depth)
                break
        return self.followed

    def used(self, reads: int, stores: int, writes: int) -> int:
        """An instruction reads, stores and then writes these registers, sets as bits."""
        touched = (reads | stores | writes) & self.followed
        depth = len(self._frames)
        while touched:
            bit = touched & -touched
            touched ^= bit
            register = bit.bit_length() - 1
            kept = [
                change
                for change in self._open[register]
                if not self._close(register, change, _use(change, depth, reads & bit, stores & bit, writes & bit))
            ]
            self._keep(register, kept)
        return self.followed

    def _keep(self, register: int, changes: list[Change]) -> None:
        self._open[register] = changes
        if changes:
            self.followed |= 1 << register
        else:
            self.followed &= ~(1 << register)

    @property
    def _calls_here(self) -> dict[int, tuple[int, ...]]:
        """With what each routine was last called by the one that runs now."""
        return self._frames[-1].called if self._frames else self._called

    def _give(self, target: int) -> None:
        """Give registers at a call what the experiment wants them to hold."""
        for (routine, register), value in self.experiment.given.items():
            if routine == target:
                self.registers[register] = value

    def _experiment_with(self, frame: Frame) -> None:
        """Give registers at a return what the experiment wants them to hold."""
        for register, before in (*zip(self.compared, frame.kept, strict=True), (self.stack, frame.stack)):
            kept = (frame.place.target, register)
            if kept in self.experiment.restored:
                self.registers[register] = before
            elif kept in self.experiment.forced and self.registers[register] != before:
                self.registers[register] = self.experiment.forced[kept]

    def _compare(self, frame: Frame, depth: int) -> None:
        """A call has returned to ``depth``: note every register that it left changed."""
        moved = self.registers[self.stack] - frame.stack
        if moved:
            left = self._leave(frame, self.stack, moved)
            _count(self.imbalances, frame.place, Difference(frame.stack, self.registers[self.stack], left_by=left))
        kept = self._pick(self.registers)
        if kept == frame.kept:
            return
        rows = zip(self.compared, frame.kept, kept, strict=True)
        changed = [(register, before, after) for register, before, after in rows if before != after]
        if not self._brought_back(changed):
            for register, before, after in changed:
                left, twins = self._leave(frame, register, after), self._twins(frame, register, after)
                difference = Difference(before, after, left_by=left, twins=twins)
                self._follow(register, Change(frame.place, difference, depth))

    def _leave(self, frame: Frame, register: int, value: int) -> frozenset[int]:
        """Note for the caller's own return that a call left this in a register; which calls within it had done so."""
        within = frame.left.get(register)
        by = within.by if within is not None and within.value == value else frozenset()
        if self._frames:
            left, every = self._frames[-1].left, by | {frame.place.target}
            before = left.get(register) if register == self.stack else None
            left[register] = Left(before.value + value, before.by | every) if before else Left(value, every)
        return by

    def _twins(self, frame: Frame, register: int, value: int) -> frozenset[int]:
        """The other routines that the caller had called with this in a register."""
        at = self.compared.index(register)
        called = self._calls_here.items()
        return frozenset(target for target, kept in called if kept[at] == value and target != frame.place.target)

    def _brought_back(self, changed: list[tuple[int, int, int]]) -> bool:
        """Whether all that a routine changed is again as it was at the call of its caller."""
        if not self._frames:
            return False
        wanted = dict(zip(self.compared, self._frames[-1].kept, strict=True))
        return all(wanted[register] == after for register, _, after in changed)

    def _follow(self, register: int, new: Change) -> None:
        """Remember an open change; one that is like it becomes one with it."""
        changes = self._open[register]
        for change in changes:
            same_values = change.difference.after == new.difference.after
            if change.place == new.place and change.depth == new.depth and not change.covered and same_values:
                change.difference.add(new.difference)
                return
        if len(changes) >= MAX_OPEN:
            self._close(register, changes.pop(0), Use.UNUSED)
        changes.append(new)
        self.followed |= 1 << register

    def _close(self, register: int, change: Change, use: Use | None) -> bool:
        """Count the change under its use, if that is known."""
        if use is not None:
            _count(self.closed, (change.place, register, use), change.difference)
        return use is not None

    def _settle(self, depth: int) -> None:
        """Routines deeper than ``depth`` are over: what they stored and wrote is restored by now, or was a use."""
        for register, changes in self._open.items():
            if changes:
                self._keep(register, list(self._settled(register, changes, depth)))

    def _settled(self, register: int, changes: list[Change], depth: int) -> Iterator[Change]:
        value = self.registers[register]
        for change in changes:
            restored = change.covered > depth and value == change.difference.after
            over = change.covered > depth or (change.saved > depth and not change.covered)
            if over and not restored:
                self._close(register, change, Use.READ if change.saved else Use.WRITTEN)
                continue
            if restored:
                change.covered = change.saved = 0
            change.depth = min(change.depth, depth)
            yield change


class NoRecords(Records):
    """Records that keep nothing: only the executed instructions of such a run are asked for."""

    def copy(self, registers: array[int]) -> Records:
        """An empty copy."""
        return NoRecords(registers, self.compared, self.stack, self.experiment)

    def _nothing(self, *_: Any, **__: Any) -> Any:
        """Keep nothing; no register is followed."""
        return 0

    trap = patch = pass_over = read_unfilled = call = jump = _nothing


def records_for(
    registers: array[int], compared: tuple[int, ...], stack: int, experiment: Experiment = NO_EXPERIMENT
) -> Records:
    """The records that an experiment asks for."""
    return (NoRecords if experiment.unrecorded else Records)(registers, compared, stack, experiment)


def _use(change: Change, depth: int, reads: int, stores: int, writes: int) -> Use | None:
    """The use that an instruction at ``depth`` makes of a changed register that it reads, stores or writes; None if it settles nothing."""
    if change.covered:
        return None
    if reads or (stores and depth <= change.depth):
        return Use.READ
    if writes and depth <= change.depth:
        return Use.WRITTEN
    if stores:
        change.saved = depth
    if writes:
        change.covered = depth
    return None


def _count(seen: dict[Key, Difference], key: Key, difference: Difference) -> None:
    if key in seen:
        seen[key].add(difference)
    else:
        seen[key] = replace(difference)
