"""From the loop's reason to stop to a ``Stop``: its kind, its place, and the words that MARS or SPIM has for it."""

from __future__ import annotations

from grader.machines.image import Content, Image
from grader.machines.mips import kinds
from grader.machines.mips.isa import REGISTER_NAMES
from grader.machines.mips.profiles import Profile
from grader.machines.stop import Step, Stop, StopKind
from grader.values import dataclass

_KINDS = {
    kinds.WAITS: StopKind.WAITS,
    kinds.EXITED: StopKind.HALTED,
    kinds.INPUT_ENDED: StopKind.INPUT_ENDED,
    kinds.OFF_END: StopKind.OFF_END,
    kinds.RETURNED: StopKind.RETURNED,
    kinds.ILLEGAL: StopKind.ILLEGAL_INSTRUCTION,
    kinds.UNKNOWN_SERVICE: StopKind.UNDEFINED_TRAP,
    kinds.EXCEPTION: StopKind.RUNTIME_EXCEPTION,
    kinds.BUDGET: StopKind.BUDGET,
    kinds.NEVER_ENDS: StopKind.NEVER_ENDS,
    kinds.OUTPUT_LIMIT: StopKind.OUTPUT_LIMIT,
    kinds.SERVICE_FAILED: StopKind.RUNTIME_EXCEPTION,
    kinds.INVALID_PC: StopKind.RUNTIME_EXCEPTION,
    kinds.UNSUPPORTED: StopKind.RUNTIME_EXCEPTION,
}
_SERVICE_KINDS = {
    kinds.REFUSED: StopKind.RUNTIME_EXCEPTION,
    kinds.BAD_INPUT: StopKind.BAD_INPUT,
    kinds.UNKNOWN: StopKind.UNDEFINED_TRAP,
}
_NOUNS = {"integer": "an integer", "float": "a float", "double": "a double", "line": "a line", "key": "a key"}
_FAULTS = {
    kinds.FETCH_WORD: "fetch address not aligned on word boundary 0x{value:08x}",
    kinds.FETCH_HALF: "fetch address not aligned on halfword boundary 0x{value:08x}",
    kinds.FETCH_DOUBLE: "address not aligned on doubleword boundary 0x{value:08x}",
    kinds.STORE_WORD: "store address not aligned on word boundary 0x{value:08x}",
    kinds.STORE_HALF: "store address not aligned on halfword boundary 0x{value:08x}",
    kinds.STORE_DOUBLE: "address not aligned on doubleword boundary 0x{value:08x}",
    kinds.FETCH_RANGE: "address out of range 0x{value:08x}",
    kinds.STORE_RANGE: "address out of range 0x{value:08x}",
    kinds.READ_TEXT: "Cannot read directly from text segment!0x{value:08x}",
    kinds.WRITE_TEXT: "Cannot write directly to text segment!0x{value:08x}",
    kinds.OVERFLOW: "arithmetic overflow",
    kinds.TRAP: "trap",
    kinds.RESERVED: "reserved instruction exception",
    kinds.INTERRUPT: "External Interrupt",
}
_BAD_READ = "segmentation fault: the address 0x{value:08x} is not a valid address to read from"
_BAD_WRITE = "segmentation fault: the address 0x{value:08x} is not a valid address to write to"
_UNALIGNED = "unaligned access: the address 0x{value:08x} is not divisible by "
_MIPSY_FAULTS = {
    kinds.FETCH_WORD: f"{_UNALIGNED}4",
    kinds.FETCH_HALF: f"{_UNALIGNED}2",
    kinds.STORE_WORD: f"{_UNALIGNED}4",
    kinds.STORE_HALF: f"{_UNALIGNED}2",
    kinds.FETCH_RANGE: _BAD_READ,
    kinds.STORE_RANGE: _BAD_WRITE,
    kinds.OVERFLOW: "integer overflow: the result does not fit in 32 bits",
    kinds.ZERO_DIVISOR: "division by zero",
    kinds.UNSET_REGISTER: "your program tried to read an uninitialised register: {register}",
    kinds.UNSET_BYTE: "byte at 0x{value:08x} is uninitialised",
}
_ODD_REGISTERS = ("all registers", "both registers", "first register", "second register")


@dataclass(frozen=True, slots=True)
class Scene:
    """What is known when the loop stops.

    ``fault`` and ``value`` are what the exception is about (``kinds``), ``failure`` the words of a system call;
    ``wants`` what was asked for; ``address`` that of the instruction, ``last`` the last steps.
    """

    reason: int
    address: int
    fault: int
    value: int
    failure: str
    wants: str
    instructions: int
    last: tuple[Step, ...]


def stop_for(scene: Scene, image: Image, profile: Profile) -> Stop:
    """The stop that a scene amounts to."""
    kind = _KINDS[scene.reason]
    if scene.reason == kinds.EXCEPTION and scene.fault == kinds.SERVICE:
        kind = _SERVICE_KINDS[scene.value]
    beyond = image.origins.get(scene.value)
    if scene.reason == kinds.OFF_END and beyond is not None and beyond.content is Content.DATA:
        kind = StopKind.DATA_EXECUTED
    elif scene.reason == kinds.OFF_END and profile.must_exit:
        kind = StopKind.RUNTIME_EXCEPTION
    message, span = _message(kind, scene, profile), image.span_at(scene.address)
    return Stop(kind, scene.address, scene.instructions, message, span, scene.last)


def _message(kind: StopKind, scene: Scene, profile: Profile) -> str:
    if kind is StopKind.WAITS:  # by far the most frequent, and no other sentence is made for it
        return f"the program waits for {_noun(scene)}"
    if kind in (StopKind.RUNTIME_EXCEPTION, StopKind.BAD_INPUT, StopKind.UNDEFINED_TRAP, StopKind.ILLEGAL_INSTRUCTION):
        return _mipsy_exception(scene) if profile.name == "mipsy" else _exception(scene)
    if kind is StopKind.RETURNED and not profile.return_address:
        return "the main program returned with jr $ra, although nothing had called it"
    if kind is StopKind.OFF_END and profile.speaks_c:
        return f"Attempt to execute non-instruction at 0x{scene.value:08x}"
    return {
        StopKind.HALTED: "the program exited",
        StopKind.INPUT_ENDED: f"the program asks for {_noun(scene)}, but the input has ended",
        StopKind.OFF_END: f"the program ran on to 0x{scene.value:08x}, past the end of its code; is an exit missing?",
        StopKind.DATA_EXECUTED: f"the program ran into 0x{scene.value:08x}, which the source declares as data",
        StopKind.RETURNED: "the main program returned",
        StopKind.BUDGET: f"the program had not ended after {scene.instructions:,} instructions",
        StopKind.NEVER_ENDS: "the program can never end: all is as it was at an earlier time, with no input in between",
        StopKind.OUTPUT_LIMIT: "the program printed more than is allowed",
    }[kind]


def _noun(scene: Scene) -> str:
    return _NOUNS.get(scene.wants, "an answer")


def _mipsy_exception(scene: Scene) -> str:
    """The first words that mipsy has for it, and the fact that it gives in others."""
    if scene.reason == kinds.OFF_END:
        return f"could not find instruction at 0x{scene.value:08x}"
    if scene.reason == kinds.INVALID_PC:
        return f"segmentation fault: the address 0x{scene.value:08x} is not a valid address to execute"
    if scene.reason == kinds.EXCEPTION and scene.fault in _MIPSY_FAULTS:
        register = (*REGISTER_NAMES, "hi", "lo")[scene.value] if scene.fault == kinds.UNSET_REGISTER else ""
        return _MIPSY_FAULTS[scene.fault].format(value=scene.value, register=register)
    return _exception(scene)


def _exception(scene: Scene) -> str:
    if scene.reason in (kinds.UNKNOWN_SERVICE, kinds.SERVICE_FAILED):
        return scene.failure
    if scene.reason == kinds.INVALID_PC:
        return f"invalid program counter value: 0x{scene.value:08x}"
    if scene.reason == kinds.UNSUPPORTED:
        return "the program stores instructions where it has none, which this machine lacks"
    return f"Runtime exception at 0x{scene.address:08x}: {_fault(scene)}"


def _fault(scene: Scene) -> str:
    if scene.reason == kinds.ILLEGAL:
        return f"undefined instruction (0x{scene.value:08X})"
    if scene.fault == kinds.SERVICE:
        return scene.failure
    if scene.fault == kinds.BREAK:
        code = f"code = {scene.value}." if scene.value else "no code given."
        return f"break instruction executed; {code}"
    if scene.fault == kinds.ODD_REGISTER:
        return f"{_ODD_REGISTERS[scene.value]} must be even-numbered"
    return _FAULTS[scene.fault].format(value=scene.value)
