"""The keys of a `machine` case."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from grader.machines.families import TRAITS
from grader.spec.kinds.beginning import Beginning, Printed, begun, printed
from grader.spec.kinds.call import Things
from grader.spec.kinds.kind import Entry, Kind, demands, traps, words
from grader.spec.problem import Problem
from grader.spec.things import numbers_in
from grader.spec.values import Inputs, Quantity, Signed, SpecModel, Word


class Bitmap(SpecModel):
    """A rectangle of memory words that a MIPS program paints, shown as a picture in the report."""

    # where the Bitmap Display of MARS looks, if nobody sets it
    address: Word = 0x1001_0000
    """The address of the first word, which is the upper left pixel, `0x00RRGGBB`."""
    # The Bitmap Display of MARS has no wider picture, and none that is higher.
    width: int = Field(default=64, ge=1, le=1024)
    """Pixels in a row."""
    height: int = Field(default=64, ge=1, le=1024)
    """Rows."""


# The keys that say what must lie where.
_EXPECTED = ("registers", "memory", "leaves")

# The keys that a case may have for all its runs, and each run of its own.
_OF_RUNS = (*_EXPECTED, "given", "keys", "files")


class MachineRun(Beginning, Printed):
    """One run with values of its own. Keys that it lacks are those of the case."""

    play: Inputs = ()
    """Its inputs."""
    registers: dict[str, Signed] = Field(default_factory=dict)
    """The values of registers at its end."""
    memory: dict[str, Signed] = Field(default_factory=dict)
    """The words in memory at its end."""
    leaves: Things = Field(default={})
    """The texts, arrays, lists and words in memory at its end."""


class MachineRules(Beginning):
    """Facts that only a simulator can see, over one or several observed runs."""

    play: tuple[Inputs, ...] = ()
    """The inputs of each run. If the program asks for more than a key, Enter is typed after an input."""
    runs: tuple[MachineRun, ...] = ()
    """Runs with values of their own, in place of `play`."""
    leaves: Things = Field(default={})
    """The texts, arrays, lists and words at labels, addresses or in blocks at the end: `{NAME: anna, ROW: [1, 2,
    3]}`."""
    unread: bool = True
    """Whether typed keys may be left unread at the end."""
    ends_well: bool = False
    """Each run ends normally or waits for more input: it does not break, run for ever or print without end."""
    callee_saved: bool = False
    """Each subroutine returns with every register as it was called with; R7 is exempt, and so are results: registers that
    the program needs as the subroutine leaves them. The case is worth the share of the subroutines that do."""
    results: tuple[str, ...] = ()
    """Registers that the course's convention names as results, exempt too."""
    minor: tuple[str, ...] = ()
    """A subroutine that changes only these loses a quarter of its share."""
    stack_balance: bool = False
    """The stack pointer at each return equals that at the call, except in subroutines that push and pop for others."""
    calls: int | dict[str, int] = 0
    """The least number of different subroutines that are called. Or the number of calls of each in a run, by label or
    address: `{x5000: 24}`."""
    forbidden_traps: tuple[Word, ...] = ()
    """Trap vectors that must not be executed."""
    required_traps: tuple[Word, ...] = ()
    """Trap vectors that must be executed."""
    registers: dict[str, Signed] = Field(default_factory=dict)
    """Registers and the values that they must hold at the end; `-1` is the word with that value."""
    memory: dict[str, Signed] = Field(default_factory=dict)
    """Labels or addresses (`x4000`) and the values that they must hold at the end."""
    instructions: Quantity | None = None
    """The most instructions that a run may execute."""
    self_modification: bool = True
    """Whether a program may store into its own instructions."""
    bitmap: Bitmap | None = None
    """The picture in memory at the end of the last run, for the report; nothing is judged by it."""
    start_seeds: tuple[int, ...] = ()
    """Each run prints the same when registers and memory start with random contents from each of these seeds. Without a
    criterion, a difference is only a remark."""

    @property
    def each(self) -> tuple[MachineRun, ...]:
        """The runs, with all that is said of each."""
        runs = self.runs or tuple(MachineRun(play=inputs) for inputs in self.play)
        updates = [{key: getattr(self, key) | getattr(run, key) for key in _OF_RUNS} for run in runs]
        updates = [
            {**one, "arguments": run.arguments or self.arguments} for one, run in zip(updates, runs, strict=True)
        ]
        return tuple(run.model_copy(update=update) for run, update in zip(runs, updates, strict=True))

    @property
    def sets_up(self) -> bool:
        """Whether a run begins with something that is put there, or is typed at a time of its own."""
        whole: tuple[Beginning, ...] = (self, *self.runs)
        return any(run.given or run.keys or run.arguments or run.files for run in whole)

    @property
    def watches_registers(self) -> bool:
        """Whether what subroutines do to registers is judged."""
        return self.callee_saved or self.stack_balance

    @property
    def forbids(self) -> bool:
        """Whether the case forbids something; a program that does nothing meets such a case."""
        bounded = self.instructions is not None or not self.unread or not self.self_modification
        return self.ends_well or bounded or bool(self.forbidden_traps or self.start_seeds)


# ------------------------------------------------------------------------------------------------------------------ rules


def language(at: Entry[MachineRules]) -> Iterator[Problem]:
    """A simulated program has a machine to look into, and a MIPS program a picture."""
    if at.draft.program and not at.draft.simulated:
        message = "only a simulated program has a machine to look into"
        yield at.foreign(message, hint="use `transcript`, `dialogue` or `game`")
    elif at.draft.program and at.part.bitmap and not (at.draft.simulated and TRAITS[at.draft.simulated].paints):
        yield at.foreign("only a MIPS program paints a bitmap", "bitmap")


def demanded(at: Entry[MachineRules]) -> Iterator[Problem]:
    """The case demands something, or one of its runs does."""
    if not any(run.registers or run.memory or run.leaves or run.demands for run in at.part.runs):
        yield from demands(at)


def runs(at: Entry[MachineRules]) -> Iterator[Problem]:
    """There are runs, said in one way; what is repeated by experiment begins as programs do."""
    rules = at.part
    if not rules.play and not rules.runs:
        hint = "the inputs of each run, [''] for one without any; or `runs`"
        yield at.problem("missing", "`play` is missing", hint=hint)
    elif rules.play and rules.runs:
        message, hint = "the case states its runs in two ways", "give each of `runs` its `play`"
        yield at.problem("contradiction", message, "runs", hint=hint, at_key=True)
    # Experiments on registers repeat a run from its beginning, with nothing set up.
    if (rules.sets_up or rules.runs) and (rules.watches_registers or rules.start_seeds):
        message = "runs that are repeated with other registers begin as the program does, with `play` alone"
        yield at.problem("contradiction", message, hint="make two cases of it", at_key=True)
    if not rules.unread and not any(run.play or run.keys for run in rules.each):
        yield at.idle("the case types nothing, so nothing can be left unread", "unread", hint="add `play` or `keys`")


def results(at: Entry[MachineRules]) -> Iterator[Problem]:
    """Registers are exempt from a rule that is demanded, or count little in it."""
    for key in ("results", "minor"):
        if getattr(at.part, key) and not at.part.callee_saved:
            message = f"`{key}` is about `callee_saved`, which is not demanded"
            yield at.idle(message, key, hint="add `callee_saved: true`")


def fit(at: Entry[MachineRules]) -> Iterator[Problem]:
    """Each number that is put somewhere or expected fits into a word, and each run is given and prints what it can."""
    whole, *runs = ({key: getattr(rules, key) for key in _EXPECTED} for rules in (at.part, *at.part.runs))
    yield from words(at, numbers_in({**whole, "runs": runs}))
    numbered = [(("runs", number), run) for number, run in enumerate(at.part.runs)]
    yield from begun(at, [((), at.part), *numbered])
    yield from printed(at, numbered)


MACHINE = Kind(
    "machine",
    (language, demanded, runs, traps, results, fit),
    manner=frozenset({"play", "runs", "arguments", "files", "given", "keys", "results", "minor", "bitmap"}),
    shows=lambda _: True,
)
