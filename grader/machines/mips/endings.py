"""From the loop's reason to stop to a ``Stop``: its kind, its place, and the words that MARS or SPIM has for it."""

from __future__ import annotations

from grader.machines import reasons
from grader.machines.image import Content, Image
from grader.machines.mips import kinds
from grader.machines.mips.isa import REGISTER_NAMES
from grader.machines.mips.profiles import Profile
from grader.machines.stop import Step, Stop, StopKind
from grader.values import dataclass

_SERVICE_KINDS = {
    kinds.REFUSED: StopKind.RUNTIME_EXCEPTION,
    reasons.BAD_INPUT: StopKind.BAD_INPUT,
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
    """Facts about a stop of the loop.

    ``address`` is that of the instruction. ``fault`` and ``value`` describe an exception (``kinds``), and ``failure`` is the
    message of a system call. ``wants`` is the input that was asked for. ``last`` are the last steps.
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
    kind = reasons.kind_of(scene.reason)
    # MARS makes one exception of all that a system call refuses; what a student can do about it differs.
    if scene.reason == reasons.EXCEPTION and scene.fault == kinds.SERVICE:
        kind = _SERVICE_KINDS[scene.value]
    # Data behind the last instruction is how a program without an exit ends when its .data follows its .text.
    beyond = image.origins.get(scene.value)
    if scene.reason == reasons.OFF_END and beyond is not None and beyond.content is Content.DATA:
        kind = StopKind.DATA_EXECUTED
    elif scene.reason == reasons.OFF_END and profile.must_exit:
        kind = StopKind.RUNTIME_EXCEPTION
    message, span = _message(kind, scene, profile), image.span_at(scene.address)
    return Stop(kind, scene.address, scene.instructions, message, span, scene.last)


def _message(kind: StopKind, scene: Scene, profile: Profile) -> str:
    if kind is StopKind.WAITS:  # by far the most frequent, and no other sentence is made for it
        return f"the program waits for {_noun(scene)}"
    if kind in (StopKind.RUNTIME_EXCEPTION, StopKind.BAD_INPUT, StopKind.UNDEFINED_TRAP, StopKind.ILLEGAL_INSTRUCTION):
        return _mipsy_exception(scene) if profile.name == "mipsy" else _exception(scene)
    if kind is StopKind.RETURNED and not profile.return_address:
        # Under MARS $ra is 0 in `main`, so that the same program ends well under SPIM; a subroutine that loses $ra may
        # read 0 as well.
        return "the program returned with jr $ra, but $ra held no return address"
    if kind is StopKind.OFF_END and profile.speaks_c:
        return f"Attempt to execute non-instruction at 0x{scene.value:08x}"
    return {
        **reasons.MESSAGES,
        StopKind.HALTED: "the program exited",
        StopKind.OFF_END: f"the program ran on to 0x{scene.value:08x}, past the end of its code; is an exit missing?",
        StopKind.DATA_EXECUTED: f"the program ran into 0x{scene.value:08x}, which the source declares as data",
        StopKind.RETURNED: "the main program returned",
    }[kind].format(noun=_noun(scene), instructions=scene.instructions)


def _noun(scene: Scene) -> str:
    return _NOUNS.get(scene.wants, "an answer")


def _mipsy_exception(scene: Scene) -> str:
    """The first words that mipsy has for it, and the fact that it gives in others."""
    if scene.reason == reasons.OFF_END:
        return f"could not find instruction at 0x{scene.value:08x}"
    if scene.reason == kinds.INVALID_PC:
        return f"segmentation fault: the address 0x{scene.value:08x} is not a valid address to execute"
    if scene.reason == reasons.EXCEPTION and scene.fault in _MIPSY_FAULTS:
        register = (*REGISTER_NAMES, "hi", "lo")[scene.value] if scene.fault == kinds.UNSET_REGISTER else ""
        return _MIPSY_FAULTS[scene.fault].format(value=scene.value, register=register)
    return _exception(scene)


def _exception(scene: Scene) -> str:
    # SPIM and mipsy say these by themselves, without the frame that MARS puts round every exception.
    if scene.reason in (reasons.UNDEFINED_TRAP, kinds.SERVICE_FAILED):
        return scene.failure
    if scene.reason == kinds.INVALID_PC:
        return f"invalid program counter value: 0x{scene.value:08x}"
    if scene.reason == kinds.UNSUPPORTED:
        return "the program stores instructions where it has none, which this machine lacks"
    return f"Runtime exception at 0x{scene.address:08x}: {_fault(scene)}"


def _fault(scene: Scene) -> str:
    if scene.reason == reasons.ILLEGAL:
        return f"undefined instruction (0x{scene.value:08X})"
    if scene.fault == kinds.SERVICE:
        return scene.failure
    if scene.fault == kinds.BREAK:
        code = f"code = {scene.value}." if scene.value else "no code given."
        return f"break instruction executed; {code}"
    if scene.fault == kinds.ODD_REGISTER:
        return f"{_ODD_REGISTERS[scene.value]} must be even-numbered"
    return _FAULTS[scene.fault].format(value=scene.value)
