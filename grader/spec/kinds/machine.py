"""The keys of a `machine` case."""

from __future__ import annotations

from pydantic import Field

from grader.spec.values import Inputs, Quantity, SpecModel, Word


class Bitmap(SpecModel):
    """A rectangle of memory words that a MIPS program paints, shown as a picture in the report."""

    address: Word = 0x1001_0000
    """The address of the first word, which is the upper left pixel, `0x00RRGGBB`."""
    width: int = Field(default=64, ge=1, le=1024)
    """Pixels in a row."""
    height: int = Field(default=64, ge=1, le=1024)
    """Rows."""


class MachineRules(SpecModel):
    """What only a simulator can see, over one or several observed runs."""

    play: tuple[Inputs, ...] = Field(min_length=1)
    """The inputs of each run. Where the program asks for more than a key, Enter is typed after an input."""
    ends_well: bool = False
    """Each run ends normally or waits for more input: it does not break, run for ever or print without end."""
    callee_saved: bool = False
    """Each subroutine returns with every register as it was called with; R7 is exempt, and so are results: registers that
    the program needs as the subroutine leaves them. The case is worth the share of the subroutines that do."""
    results: tuple[str, ...] = ()
    """Registers that the course's convention names as results, exempt too."""
    minor: tuple[str, ...] = ()
    """A subroutine that changes none but these loses a quarter of its share."""
    stack_balance: bool = False
    """The stack pointer is at each return what it was at the call, but in subroutines that push and pop for others."""
    calls: int = Field(default=0, ge=0)
    """At least so many different subroutines are called."""
    forbidden_traps: tuple[Word, ...] = ()
    """Trap vectors that must not be executed."""
    required_traps: tuple[Word, ...] = ()
    """Trap vectors that must be executed."""
    registers: dict[str, Word] = Field(default_factory=dict)
    """Registers and the values that they must hold at the end."""
    memory: dict[str, Word] = Field(default_factory=dict)
    """Labels or addresses (`x4000`) and the values that they must hold at the end."""
    instructions: Quantity | None = None
    """The most instructions that a run may execute."""
    self_modification: bool = True
    """Whether a program may store into its own instructions."""
    bitmap: Bitmap | None = None
    """The picture in memory at the end of the last run, for the report; nothing is judged by it."""
    start_seeds: tuple[int, ...] = ()
    """Each run prints the same when registers and memory start with random contents from each of these seeds. Where the
    case has no criterion, that it does not is a remark."""

    @property
    def watches_registers(self) -> bool:
        """Whether what subroutines do to registers is judged."""
        return self.callee_saved or self.stack_balance

    @property
    def forbids(self) -> bool:
        """Whether something is judged that a program must not do, which one that does nothing does not do either."""
        some = self.ends_well or self.forbidden_traps or self.instructions is not None or self.start_seeds
        return bool(some) or not self.self_modification
