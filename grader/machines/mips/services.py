"""System calls, except those that print numbers and strings: the loop serves these itself.

Theory of operation
-------------------
If a call lacks input it asks for it (``core.ask``) and returns. The machine then waits before the instruction, and later serves
the call again from its beginning. So a call changes nothing before it has its input. Only the prompt of a dialog is printed
before; ``_prompted`` remembers it.

Nothing here touches the host. Files live in a mapping. The clock stands still, except that sleeping and playing notes
move it; it begins at a moment of a day that the random seed chooses. A dialog prints its text as a line and takes its
answer as a line. Every change of state counts in ``core.changes``, so that no state with another heap, file or generator
passes for one that came back.
"""

from __future__ import annotations

import re
import struct
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from grader.machines import reasons
from grader.machines.mips import kinds
from grader.machines.mips.decode import decode
from grader.machines.mips.files import Contents, OpenFile
from grader.machines.mips.floats import as_single, c_number, c_text, java_number, java_text
from grader.machines.mips.javarandom import JavaRandom
from grader.machines.mips.load import Loaded
from grader.machines.mips.profiles import Profile
from grader.machines.mips.quick import renew

if TYPE_CHECKING:
    from grader.machines.mips.loop import Core

_EPOCH = 1_700_000_000_000  # milliseconds since 1970: the day on which every program starts
_DAY = 86_400_000  # milliseconds
_MAX_FILES = 32  # files that a program may have open, as in MARS
_CALL_COST, _BYTE_COST = 100, 20  # about what Python takes, in instructions of the loop
_PIECE = 256  # bytes of a text that are read at once, in search of its end
_WORD = re.compile(rb"[^ \t\r\n]+")
_INT = range(-(1 << 31), 1 << 31)
_MASK = 0xFFFF_FFFF
_SPIM_TEXTS = {
    0: "Interrupt",
    4: "Address error in inst/data fetch",
    5: "Address error in store",
    7: "Bad data address",
    9: "Breakpoint",
    10: "Reserved instruction",
    12: "Arithmetic overflow",
    13: "Trap",
}
_BAD_DATA = (kinds.FETCH_RANGE, kinds.STORE_RANGE)
_BELOW_STACK = range(0x7F00_0000, 0x7FFC_0000)  # SPIM takes a touch there for a stack that has grown too far


@dataclass
class Services:
    """The system calls of one machine, with all state that they have beside its memory."""

    profile: Profile
    loaded: Loaded
    random_seed: int
    given_files: Mapping[str, bytes]
    registers: array[int]
    floats: bytearray
    code: array[int]
    quick: array[int]
    blank_memory: Callable[[], memoryview]
    core: Core = field(init=False)
    failure: str = ""
    exit_code: int = 0
    files: dict[str, Contents] = field(default_factory=dict)
    heap: int = kinds.HEAP
    clock: int = _EPOCH
    generators: dict[int, JavaRandom] = field(default_factory=dict)
    patched: dict[int, int] = field(default_factory=dict)
    open_files: dict[int, OpenFile] = field(default_factory=dict)
    prompted: bool = False
    _moved: int = 0

    def start(self) -> None:
        """Everything as at the start."""
        self.failure, self.exit_code, self.heap, self.prompted = "", 0, kinds.HEAP, False
        self.clock = _EPOCH + self.random_seed % _DAY
        self.files = {name: Contents(data) for name, data in self.given_files.items()}
        self.generators, self.patched, self.open_files = {}, {}, {}

    def copy_state(self, other: Services) -> None:
        """Take over the random seed and what ``start`` sets."""
        self.random_seed = other.random_seed
        self.failure, self.exit_code, self.heap = other.failure, other.exit_code, other.heap
        self.clock, self.prompted = other.clock, other.prompted
        self.files = {name: contents.copy() for name, contents in other.files.items()}
        self.generators = {key: generator.copy() for key, generator in other.generators.items()}
        self.patched = dict(other.patched)
        self.open_files = {key: replace(file) for key, file in other.open_files.items()}

    # ------------------------------------------------------------------------------------------------- what the loop calls

    def serve(self, number: int) -> int:
        """Serve system call ``number``, or end; returns what that costs, in instructions."""
        self._moved = 0
        call = _CALLS.get(number) if number in self.profile.services else None
        if call is not None:
            call(self)
        elif self.profile.asks_again:
            reason = "implemented" if 0 < number < 18 else "valid"  # mipsy knows the numbers up to 17
            self.failure = f"Invalid Syscall: the syscall number `{_signed(number)}` is not {reason}"
            self.core.stop(reasons.UNDEFINED_TRAP)
        elif self.profile.ignores_exceptions:
            self.failure = f"Unknown system call: {_signed(number)}"
            self.core.stop(reasons.UNDEFINED_TRAP)
        else:
            self.fail(f"invalid or unimplemented syscall service: {_signed(number)} ", kinds.UNKNOWN)
        return _CALL_COST + _BYTE_COST * self._moved

    def fail(self, text: str, why: int = kinds.REFUSED) -> None:
        """A system call that cannot be served: MARS makes an exception of it."""
        self.failure = text
        self.core.fault(kinds.SERVICE, why)

    def ignored(self, fault: int, value: int) -> bytes | None:
        """The text that SPIM's handler prints for an exception before it goes on; None if SPIM gives up instead."""
        if fault in _BAD_DATA and value in _BELOW_STACK:
            self.failure = f"Can't expand stack segment: 0x{value:08x} is below its limit"
            return None
        cause = 7 if fault in _BAD_DATA else kinds.CAUSES[fault]
        return f"  Exception {cause}  [{_SPIM_TEXTS.get(cause, '')}]  occurred and ignored\n".encode("ascii")

    def read_text(self, address: int) -> int:
        """The instruction word at ``address``; 0 at an address without one."""
        return self.patched.get(address, self.loaded.words.get(address, 0))

    def write_text(self, address: int, mask: int, bits: int) -> bool:
        """Change an instruction; False if the program has no text."""
        index = (address - kinds.TEXT) // 4
        if not 0 <= index < self.loaded.text_words:
            return False
        word = self.read_text(address) & ~mask | bits
        self.patched[address] = word
        self.code[index] = decode(word, address, self._place, delayed=self.profile.delayed)
        renew(self.quick, self.code, index)
        return True

    def _place(self, address: int) -> int:
        """The same as when the program was loaded; an address outside becomes the place without code, one word after text."""
        index = (address - kinds.TEXT) // 4
        return index if 0 <= index < self.loaded.text_words else self.loaded.text_words

    # -------------------------------------------------------------------------------------------------------------- input

    def _line(self, what: int) -> bytes | None:
        """The next line without its end; None, after having asked for it, when it is not there yet."""
        core = self.core
        end = core.typed.find(b"\n", core.position)
        if end < 0 and (not core.closed or core.position >= len(core.typed)):
            core.ask(what)
            return None
        line: bytes = core.typed[core.position : end if end >= 0 else len(core.typed)]
        core.position = end + 1 if end >= 0 else len(core.typed)
        return line.removesuffix(b"\r")

    def _at_end(self) -> bool:
        """Whether all input has been read and none will come."""
        return bool(self.core.closed) and self.core.position >= len(self.core.typed)

    def _bad_input(self, text: str) -> None:
        self.fail(text, reasons.BAD_INPUT)

    def read_integer(self) -> None:
        """5: a line with a number."""
        if self.profile.speaks_c:
            line = b"" if self._at_end() else self._line(kinds.INTEGER)
            if line is not None:
                self.registers[kinds.V0] = c_integer(line) & _MASK
            return
        if self.profile.asks_again:
            self._read_word(kinds.INTEGER, rust_integer)
            return
        line = self._line(kinds.INTEGER)
        if line is None:
            return
        value = java_integer(line)
        if value is None:
            self._bad_input("invalid integer input (syscall 5)")
        else:
            self.registers[kinds.V0] = value & _MASK

    def _read_word(self, what: int, read: Callable[[bytes], int | str]) -> None:
        """The next word that ``read`` takes, to $v0; it says what is wrong with one that it does not; 0 at the end."""
        while (word := self._word(what)) is not None:
            answer = read(word) if word else 0
            if isinstance(answer, int):
                self.registers[kinds.V0] = answer & _MASK
                return
            if not self.print(answer):
                return

    def _word(self, what: int) -> bytes | None:
        """The next word between blanks, taken with the blank behind it; empty at the end of input."""
        core = self.core
        match = _WORD.search(core.typed, core.position)
        if not core.closed and (match is None or match.end() == len(core.typed)):
            core.ask(what)
            return None
        core.position = min(match.end() + 1, len(core.typed)) if match else len(core.typed)
        return match[0] if match else b""

    def read_number(self, what: int, put: Callable[[float], None], complaint: str) -> None:
        """Read a line with a float or double, and ``put`` its value where it belongs."""
        as_c = self.profile.speaks_c
        line = b"" if as_c and self._at_end() else self._line(what)
        if line is None:
            return
        value = (c_number if as_c else java_number)(line.decode("latin-1"))
        if value is None:
            self._bad_input(complaint)
        else:
            put(value)

    def read_string(self) -> None:
        """8: a line into a buffer of $a1 bytes at $a0."""
        size = _signed(self.registers[kinds.A1])
        if self.profile.speaks_c:
            self._read_string_as_c(size)
            return
        if self.profile.asks_again:
            self._read_line_as_rust(size & _MASK)
            return
        line = self._line(kinds.LINE)
        if line is None or size < 1:
            return
        text = line[: size - 1]
        if len(text) < size - 1:
            text += b"\n"
        self._store(self.registers[kinds.A0], text + b"\0")

    def _read_string_as_c(self, size: int) -> None:
        """Up to $a1 - 1 bytes or a newline, whatever comes first; the rest of a line stays."""
        core = self.core
        if size < 1:
            return
        end = core.typed.find(b"\n", core.position, core.position + size - 1)
        end = end + 1 if end >= 0 else core.position + size - 1
        if end > len(core.typed) and not core.closed:
            core.ask(kinds.LINE)
            return
        text = core.typed[core.position : end]
        core.position += len(text)
        self._store(self.registers[kinds.A0], text + b"\0")

    def _read_line_as_rust(self, size: int) -> None:
        """A line with its end, cut to $a1 - 1 bytes; what cannot be stored is lost."""
        core = self.core
        end = core.typed.find(b"\n", core.position)
        if end < 0 and not core.closed:
            core.ask(kinds.LINE)
            return
        line = core.typed[core.position : end + 1 if end >= 0 else len(core.typed)]
        core.position += len(line)
        if size:
            for offset, byte in enumerate(line[: size - 1] + b"\0"):
                self._moved += 1
                core.poke((self.registers[kinds.A0] + offset) & _MASK, byte)

    def read_character(self) -> None:
        """12: a key; in MARS without its window, the first of a line; a word of one character for mipsy."""
        core = self.core
        if self.profile.asks_again:
            self._read_word(kinds.LINE, rust_character)
            return
        if self.profile.key_by_key:
            if self._at_end() and self.profile.speaks_c:
                self.registers[kinds.V0] = 10
            else:
                core.ask(kinds.KEY)  # the loop serves it where there is one
            return
        line = self._line(kinds.LINE)
        if line is None:
            return
        if line:
            self.registers[kinds.V0] = line[0]
        else:
            self._bad_input("invalid char input (syscall 12)")

    # ------------------------------------------------------------------------------------------------------------- output

    def float_text(self, kind: str) -> str:
        """The float (``<f``) or double (``<d``) that begins in $f12, as it is printed."""
        (value,) = struct.unpack_from(kind, self.floats, 4 * 12)
        return (c_text if self.profile.speaks_c else java_text)(value, single=kind == "<f")

    def print(self, text: str) -> bool:
        """Print a text; False if the program has printed more than it may."""
        return self.core.print_bytes(text.encode("utf-8" if self.profile.widens else "latin-1", "replace"))

    # ----------------------------------------------------------------------------------------------- heap, exit, time, notes

    def allocate(self) -> None:
        """9: $a0 more bytes of heap; their address in $v0."""
        request = _signed(self.registers[kinds.A0])
        if self.profile.heap_extends_data:
            self._extend_data(request)
            return
        if request < 0:
            self.fail(f"request ({request}) is negative heap amount (syscall 9)")
            return
        end = (self.heap + request + 3) & ~3
        if end >= kinds.DATA + kinds.DATA_BYTES:
            self.fail(f"request ({request}) exceeds available heap storage (syscall 9)")
            return
        self.registers[kinds.V0], self.heap = self.heap, end
        self.core.changes += 1

    def _extend_data(self, request: int) -> None:
        size, step = self.core.data_bytes, self.profile.heap_step
        wanted = (size + request + step - 1) // step * step
        if self.profile.asks_again:
            wanted = max(self.profile.data_bytes, min(wanted, self.profile.heap_limit))
        if not 0 <= wanted <= self.profile.heap_limit:
            self.failure = f"Can't expand data segment by {request} bytes to {size + request} bytes"
            self.core.stop(kinds.SERVICE_FAILED)
            return
        self.registers[kinds.V0] = kinds.DATA + size
        self.core.data_bytes = wanted
        self.core.changes += 1

    def exit_with_code(self) -> None:
        """17: the end, with an exit code."""
        self.exit_code = self.registers[kinds.A0] & 0xFF
        self.core.stop(reasons.HALTED)

    def tell_time(self) -> None:
        """30: milliseconds since 1970, the low word in $a0, the high one in $a1."""
        self.registers[kinds.A0], self.registers[kinds.A1] = self.clock & _MASK, self.clock >> 32 & _MASK

    def pass_time(self, register: int) -> None:
        """Let as many milliseconds pass as a register says: for the program alone, as no grader should sleep."""
        milliseconds = _signed(self.registers[register])
        if milliseconds > 0:
            self.clock += milliseconds
            self.core.changes += 1

    # ------------------------------------------------------------------------------------------------------------- random

    def seed_generator(self) -> None:
        """40: generator $a0 begins anew with the seed $a1."""
        self.generators[self.registers[kinds.A0]] = JavaRandom(_signed(self.registers[kinds.A1]))
        self.core.changes += 1

    def generator(self) -> JavaRandom:
        """The generator $a0, which begins with the seed of the machine where the program has not seeded it."""
        number = self.registers[kinds.A0]
        self.core.changes += 1
        if number not in self.generators:
            self.generators[number] = JavaRandom(self.random_seed + _signed(number))
        return self.generators[number]

    def random_word(self) -> None:
        """41: any word, to $a0."""
        self.registers[kinds.A0] = self.generator().word()

    def random_below(self) -> None:
        """42: a number of 0…$a1-1, to $a0."""
        bound = _signed(self.registers[kinds.A1])
        if bound <= 0:
            self.fail("Upper bound of range cannot be negative (syscall 42)")
        else:
            self.registers[kinds.A0] = self.generator().below(bound)

    # -------------------------------------------------------------------------------------------------------------- files

    def open_file(self) -> None:
        """13: the file named at $a0, to read (0), write (1) or append to (9); its number in $v0, -1 on failure."""
        name, flags = self._string(self.registers[kinds.A0]), self.registers[kinds.A1]
        if name is None:
            return
        number = next(n for n in range(3, 4 + _MAX_FILES) if n not in self.open_files)
        # MARS refuses a second handle on a file, whatever it is opened for.
        taken = any(file.name == name for file in self.open_files.values())
        if number >= _MAX_FILES or taken or flags not in (0, 1, 9) or (flags == 0 and name not in self.files):
            self.registers[kinds.V0] = _MASK
            return
        if flags == 1:
            self.files[name] = Contents()
        elif flags == 9:
            self.files.setdefault(name, Contents())
        self.open_files[number] = OpenFile(name, writing=flags != 0)
        self.registers[kinds.V0] = number
        self.core.changes += 1

    def read_file(self) -> None:
        """14: up to $a2 bytes of file $a0 to $a1; how many in $v0, 0 at the end, -1 on failure."""
        number, size = self.registers[kinds.A0], max(0, _signed(self.registers[kinds.A2]))
        if number == 0:
            data = self._typed_bytes(size)
            if data is None:
                return
        else:
            file = self.open_files.get(number)
            if file is None or file.writing:
                self.registers[kinds.V0] = _MASK
                return
            data = self.files[file.name].part(file.position, size)
            file.position += len(data)
        self.core.changes += 1
        if self._store(self.registers[kinds.A1], data):
            self.registers[kinds.V0] = len(data)

    def _typed_bytes(self, size: int) -> bytes | None:
        core = self.core
        if core.position >= len(core.typed) and not core.closed:
            core.ask(kinds.BYTES)
            return None
        end = core.typed.find(b"\n", core.position, core.position + size)
        data: bytes = core.typed[core.position : end + 1 if end >= 0 else core.position + size]
        core.position += len(data)
        return data

    def write_file(self) -> None:
        """15: $a2 bytes from $a1 to file $a0; how many in $v0, -1 on failure."""
        number, size = self.registers[kinds.A0], max(0, _signed(self.registers[kinds.A2]))
        file = self.open_files.get(number)
        if number not in (1, 2) and (file is None or not file.writing):
            self.registers[kinds.V0] = _MASK
            return
        data = self._bytes(self.registers[kinds.A1], size)
        if data is None:
            return
        if file is None:
            if number == 1 and not self.core.print_bytes(data):
                return
        else:
            self.files[file.name].append(data)
            self.core.changes += 1
        self.registers[kinds.V0] = size

    def close_file(self) -> None:
        """16: file $a0."""
        if self.open_files.pop(self.registers[kinds.A0], None) is not None:
            self.core.changes += 1

    # ------------------------------------------------------------------------------------------------------------ dialogs

    def _ask(self, what: int) -> bytes | None:
        """The answer to the text at $a0, which is printed once as a line."""
        if not self.prompted:
            text = self._string(self.registers[kinds.A0])
            if text is None or not self.print(text + "\n"):
                return None
            self.prompted = True
        answer = self._line(what)
        if answer is not None:
            self.prompted = False
        return answer

    def confirm(self) -> None:
        """50: yes (0), no (1) or cancel (2)."""
        answer = self._ask(kinds.CONFIRMATION)
        if answer is not None:
            self.registers[kinds.A0] = {b"y": 0, b"n": 1}.get(answer.strip()[:1].lower(), 2)

    def ask_integer(self) -> None:
        """51: a number to $a0, the status to $a1."""
        answer = self._ask(kinds.INTEGER)
        if answer is None:
            return
        value = java_integer(answer)
        self.registers[kinds.A0] = (value or 0) & _MASK
        self._set_status(answer, value is not None)

    def ask_number(self, what: int, put: Callable[[float], None]) -> None:
        """Ask for a float or double in a dialog: ``put`` its value where it belongs, and the status to $a1."""
        answer = self._ask(what)
        if answer is None:
            return
        value = java_number(answer.decode("latin-1"))
        put(value or 0.0)
        self._set_status(answer, value is not None)

    def _set_status(self, answer: bytes, parsed: bool) -> None:
        self.registers[kinds.A1] = 0 if parsed else (-1 if answer.strip() else -3) & _MASK

    def ask_string(self) -> None:
        """54: a line into a buffer of $a2 bytes at $a1, the status to $a1."""
        answer = self._ask(kinds.LINE)
        if answer is None:
            return
        size = _signed(self.registers[kinds.A2])
        if size < 1:
            self.registers[kinds.A1] = -4 & _MASK
            return
        text = answer[: size - 1]
        if len(text) < size - 1:
            text += b"\n"
        if self._store(self.registers[kinds.A1], text + b"\0"):
            self.registers[kinds.A1] = (-3 if not answer else -4 if len(answer) > size - 1 else 0) & _MASK

    def show_string(self) -> None:
        """59: a text and the one at $a1."""
        more = self._string(self.registers[kinds.A1])
        if more is not None:
            self.show(more)

    def show(self, more: str) -> None:
        """Show the text at $a0 in a dialog, with ``more`` behind it."""
        text = self._string(self.registers[kinds.A0])
        if text is not None:
            self.print(f"{text}{more}\n")

    # ---------------------------------------------------------------------------------------------------- memory, registers

    def _bytes(self, address: int, size: int) -> bytes | None:
        """``size`` bytes from ``address`` on; None, after an exception, if they cannot be read."""
        # before a byte is read: a program may ask for 2 GB in every system call
        there: int = self.core.reach(address, size)
        if there < size:
            # The first byte that is missing, not the first of the text: that is the address MARS names.
            self.core.fault(kinds.FETCH_RANGE, address + there & _MASK)
            return None
        self._moved += size
        content: bytes = self.core.bytes_at(address, size)
        return content

    def _string(self, address: int) -> str | None:
        """The bytes up to one of 0, as Latin-1; None, after the exception, where memory ends first."""
        content = bytearray()
        while there := self.core.reach(address, _PIECE):
            text, zero, _ = self.core.bytes_at(address, there).partition(b"\0")
            content += text
            self._moved += len(text)
            if zero:
                return content.decode("latin-1")
            address = (address + there) & _MASK
        self.core.fault(kinds.FETCH_RANGE, address)
        return None

    def _store(self, address: int, data: bytes) -> bool:
        self._moved += len(data)
        for offset, byte in enumerate(data):
            if not self.core.poke((address + offset) & _MASK, byte):
                self.core.fault(kinds.STORE_RANGE, address + offset & _MASK)
                return False
        return True

    def set_single(self, value: float) -> None:
        """Put a float into $f0."""
        struct.pack_into("<f", self.floats, 0, as_single(value))

    def set_double(self, value: float) -> None:
        """Put a double into $f0 and $f1."""
        struct.pack_into("<d", self.floats, 0, value)


def _signed(word: int) -> int:
    return (word ^ 0x8000_0000) - 0x8000_0000


def java_integer(line: bytes) -> int | None:
    """The value that Java's parseInt gives for a line without blanks around it; None if it refuses."""
    text = line.strip()
    digits = text[1:] if text[:1] in (b"+", b"-") else text
    if not digits.isdigit() or len(digits) > 4000:
        return None
    value = int(text)
    return value if value in _INT else None


def c_integer(line: bytes) -> int:
    """The value that C's atol gives for a line: the number at its beginning, or 0, as a word of 64 bits."""
    text = line.lstrip(b" \t\n\v\f\r")
    sign, digits = (-1, text[1:]) if text[:1] == b"-" else (1, text.removeprefix(b"+"))
    end = next((at for at, byte in enumerate(digits) if not 48 <= byte <= 57), len(digits))
    value = sign * int(digits[: min(end, 30)] or b"0")
    return max(-(1 << 63), min((1 << 63) - 1, value))


def rust_integer(word: bytes) -> int | str:
    """The value that mipsy gives for a word: a number of 32 bits, or its complaint."""
    if not re.fullmatch(rb"[-+]?[0-9]{1,38}", word):
        return "[mipsy] bad input (expected int), try again: "
    value = int(word)
    if value in _INT:
        return value
    truncated = _signed(value & _MASK)
    return (
        "[mipsy] bad input (too big to fit in 32 bits)\n"
        f"[mipsy] if you want the value to be truncated to 32 bits, try {truncated}\n[mipsy] try again: "
    )


def rust_character(word: bytes) -> int | str:
    """The value that mipsy gives for a word: the low byte of its one character, or its complaint."""
    text = word.decode("utf-8", "replace")
    return ord(text) & 0xFF if len(text) == 1 else "[mipsy] bad input (expected character), try again: "


_CALLS: Mapping[int, Callable[[Services], object]] = {
    2: lambda own: own.print(own.float_text("<f")),
    3: lambda own: own.print(own.float_text("<d")),
    5: Services.read_integer,
    6: lambda own: own.read_number(kinds.FLOAT, own.set_single, "invalid float input (syscall 6)"),
    7: lambda own: own.read_number(kinds.DOUBLE, own.set_double, "invalid double input (syscall 7)"),
    8: Services.read_string,
    9: Services.allocate,
    12: Services.read_character,
    13: Services.open_file,
    14: Services.read_file,
    15: Services.write_file,
    16: Services.close_file,
    17: Services.exit_with_code,
    30: Services.tell_time,
    31: lambda _: None,  # a note that goes on while the program does: nobody hears it
    32: lambda own: own.pass_time(kinds.A0),
    33: lambda own: own.pass_time(kinds.A1),  # a note that is waited for
    34: lambda own: own.print(f"0x{own.registers[kinds.A0]:08x}"),
    35: lambda own: own.print(f"{own.registers[kinds.A0]:032b}"),
    36: lambda own: own.print(str(own.registers[kinds.A0])),  # unsigned
    40: Services.seed_generator,
    41: Services.random_word,
    42: Services.random_below,
    43: lambda own: own.set_single(own.generator().single()),
    44: lambda own: own.set_double(own.generator().double()),
    50: Services.confirm,
    51: Services.ask_integer,
    52: lambda own: own.ask_number(kinds.FLOAT, own.set_single),
    53: lambda own: own.ask_number(kinds.DOUBLE, own.set_double),
    54: Services.ask_string,
    55: lambda own: own.show(""),
    56: lambda own: own.show(str(_signed(own.registers[kinds.A1]))),
    57: lambda own: own.show(own.float_text("<f")),
    58: lambda own: own.show(own.float_text("<d")),
    59: Services.show_string,
}
"""The system calls by number, except those that the loop serves. A profile says which of them it has."""
