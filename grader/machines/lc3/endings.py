"""From the loop's reason to stop to a ``Stop``: its kind, its place, and one sentence for the student.

**Running into data.** The assembler cannot know whether ``.FILL x1021`` is a number or an ADD written by hand, and most
strings and zeros happen to be instructions that do nothing. So words of strings and blocks never run (``load`` marks
them), while a single word runs when it is an instruction. When such words lead straight into a bad end, the fault is
that they were entered, and the stop says so, at the first of them.

**Returning to nowhere.** A RET to x0000 is one whose R7 came from a cell that nothing had stored: the sentence names the cell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.machines.image import Content, Image
from grader.machines.lc3.load import WORDS, Loaded
from grader.machines.reasons import DATA_EXECUTED, KINDS, MESSAGES, kind_of
from grader.machines.stop import LAST_STEPS, Step, Stop, StopKind
from grader.values import dataclass

_MESSAGES = {
    **MESSAGES,
    StopKind.WAITS: "the program waits for a key",
    StopKind.HALTED: "the program halted",
    StopKind.DATA_EXECUTED: "the program ran into x{address:04X} (x{data:04X}), which the source declares as data",
    StopKind.ILLEGAL_INSTRUCTION: "x{word:04X} is no instruction of the LC-3",
    StopKind.UNDEFINED_TRAP: "TRAP x{vector:02X} is not defined",
    StopKind.ACCESS_VIOLATION: "the program touched memory that belongs to the operating system",
    StopKind.PRIVILEGE_VIOLATION: "only the operating system may use RTI",
}
_ADD, _LD, _AND, _LDR, _NOT, _LDI, _LEA = 1, 2, 5, 6, 9, 10, 14
_LOADS = (_LD, _LDR, _LDI)
_JUMPS = (4, 12)  # JSRR, JMP and RET
_MAY_BE_DATA = (
    StopKind.DATA_EXECUTED,
    StopKind.OFF_END,
    StopKind.ILLEGAL_INSTRUCTION,
    StopKind.UNDEFINED_TRAP,
    StopKind.PRIVILEGE_VIOLATION,
)


def fault_texts(faults: Mapping[StopKind, bytes]) -> tuple[bytes, ...]:
    """The text that a profile prints for each of the loop's reasons, in their order; empty if it prints nothing."""
    return tuple(faults.get(kind, b"") for kind in KINDS)


@dataclass(frozen=True, slots=True)
class Scene:
    """Facts about a stop of the loop: why, where, the number of instructions, the last ones, memory and registers."""

    reason: int
    address: int
    instructions: int
    last: tuple[Step, ...]
    memory: Sequence[int]
    registers: Sequence[int]

    @property
    def word(self) -> int:
        """The word at the place."""
        return self.memory[self.address]


def stop_for(scene: Scene, loaded: Loaded, image: Image) -> Stop:
    """The stop that a scene amounts to."""
    kind, address = kind_of(scene.reason), scene.address
    entered = _data_entered(scene, loaded, image) if kind in _MAY_BE_DATA else None
    if entered is not None:
        kind, address = StopKind.DATA_EXECUTED, entered
    message, last = _message(kind, address, scene, loaded, image), scene.last[-LAST_STEPS:]
    return Stop(kind, address, scene.instructions, message, image.span_at(address), last)


def _data_entered(scene: Scene, loaded: Loaded, image: Image) -> int | None:
    """The first of the unchanged data words that led without a break to the end, or None when there was none."""
    # Words that the program has stored since are not the source's data any more: it may have written code there.
    trail = [(step.address, step.word) for step in scene.last]
    if scene.reason == DATA_EXECUTED:
        trail.append((scene.address, scene.word))
    entered = None
    for address, word in reversed(trail):
        origin = image.origins.get(address)
        if origin is None or origin.content is not Content.DATA or loaded.memory[address] != word:
            break
        entered = address
    return entered


def _message(kind: StopKind, address: int, scene: Scene, loaded: Loaded, image: Image) -> str:
    # Three ways lead off the end, and each has a mend of its own: no HALT, a jump to nowhere, and a lost R7.
    if kind is not StopKind.OFF_END:
        data, word, count = loaded.memory[address], scene.word, scene.instructions
        return _MESSAGES[kind].format(
            address=address, data=data, word=word, vector=word & 0xFF, instructions=count, noun="a key"
        )
    before = scene.last[-1] if scene.last else None
    if before is not None and before.address + 1 == scene.address:
        return f"the program ran on to x{scene.address:04X}, past the end of its code; is a HALT missing?"
    how = f" by {before.text}" if before is not None else ""
    return f"the program went{how} to x{scene.address:04X}, where it has no code{_whence(scene, loaded, image)}"


def _whence(scene: Scene, loaded: Loaded, image: Image) -> str:
    """The cell from which the last jump had its target, in a clause; empty if it is not known."""
    *earlier, jump = scene.last or (None,)
    if jump is None or jump.word >> 12 not in _JUMPS:
        return ""
    register = jump.word >> 6 & 7
    cell = _loaded_from(register, earlier, scene)
    if cell is None or scene.memory[cell] != scene.address:
        return ""
    name = image.label_at(cell) or f"x{cell:04X}"
    # A 0 that is stored where 0 was leaves no trace: “nothing had been stored there” was untrue of it.
    changed = loaded.memory[cell] != scene.memory[cell]
    return f": R{register} was loaded from {name}, which held this address{'' if changed else ' from the start'}"


def _loaded_from(register: int, steps: Sequence[Step], scene: Scene) -> int | None:
    """The address of the word that a register was last loaded from, as far as these steps tell."""
    registers = list(scene.registers)
    for step in reversed(steps):
        opcode, target, base = step.word >> 12, step.word >> 9 & 7, step.word >> 6 & 7
        if opcode in _LOADS and target == register:
            near = step.address + 1 + _signed(step.word, 9)
            cells = {_LD: near, _LDR: registers[base] + _signed(step.word, 6), _LDI: scene.memory[near % WORDS]}
            return cells[opcode] % WORDS
        # A RET after "LDR R7, R6, #0; ADD R6, R6, #1" has its address from the cell that R6 pointed to before.
        if opcode == _ADD and target == base and step.word & 0x20:  # a stack pointer that moves
            registers[target] -= _signed(step.word, 5)
        elif opcode in (_ADD, _AND, _NOT, _LEA, *_LOADS) and target == register:
            return None
    return None


def _signed(word: int, bits: int) -> int:
    value = word & (1 << bits) - 1
    return value - (value >> bits - 1 << bits)
