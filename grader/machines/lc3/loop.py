# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: disable-error-code="untyped-decorator"
# ruff: noqa: PLR1714

# Cython has no types for mypy. It makes cases of a switch from ``==``, and not from ``in``.
"""The LC-3 itself: one body of source that runs compiled by Cython, or uncompiled with the same results.

Theory of operation
-------------------
A fetch reads two arrays: the word at the program counter, and its *kind*, one byte (see ``CLASSES``). Kinds are

- an opcode, with two kinds for the two forms of ADD, AND and JSR;
- no instruction;
- memory that neither the program's image nor a store has ever filled;
- a string or block that the source declares as data;
- memory that the profile forbids to execute.

So the questions "is it legal", "is it off the end", "is it data" cost nothing: they are other cases of the switch. A store
writes the word and looks its kind up again.

Loads and stores compare the address with one range of ordinary memory. Addresses outside take the slow path, ``load`` and
``store``: device registers, and the memory of the system in a profile that protects it.

One body, ``_run``, makes three loops by two flags that are constant in each caller. The *plain* loop only runs. The *watched*
loop also looks for a state that comes back. The *observed* loop does the same, marks addresses, and reports to ``Records``.

Proof that a program never ends: after ``WATCH_FROM`` instructions, or ``SILENT_FROM`` without output, the loop keeps a copy of
the whole state. It does so at taken backward branches only, and renews the copy at doubling intervals (Brent). From then on
each store adjusts ``dirty``, the number of addresses whose word or kind differs from the copy. The state has come back when
``dirty`` is 0 and registers, condition, devices and position in the input are equal. No hash is involved, so this is exact. If
the program looked at the keyboard on the way (or lets it interrupt), it waits for input. Otherwise it can never end.

A wait for input leaves the machine *before* the instruction that asks, uncounted, so that running on repeats it.

All arithmetic is masked to 16 bits, which makes array accesses safe without bounds checks and both ways of running
equal. Cython only takes plain numbers as cases of a switch, hence the literals, each with its name beside it. All that
an instruction or a printed character can cost is in this one module, long as it is: only within one unit of compilation
are calls C calls.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

try:
    import cython
except ImportError:
    from grader.machines import cython_shim as cython

from grader.bounded import TURNS_PRINTED
from grader.machines import reasons
from grader.machines.lc3.kinds import CLASSES, DEVICES, KEYBOARD_PRIORITY, KEYBOARD_VECTOR, SUPERVISOR_STACK

if TYPE_CHECKING:
    from grader.machines.lc3.profiles import Profile
    from grader.machines.records import Records

NEVER = 1 << 62
COMPILED = bool(cython.compiled)
WATCH_FROM = 1_000_000  # instructions of one run before the search for a returning state begins
SILENT_FROM = 20_000  # the same in a run that has printed nothing for as many: who prints without end meets the limit of output first
POLL_WINDOW = 1024  # the first interval of that search when a status read began it
MAX_LOOKS = 16  # places of status reads that are remembered between two outputs
PAGES, PAGE = 256, 256  # pages of memory, and words of each: a fork copies those that were written
RECENT = 16  # executed instructions that are remembered


@cython.cclass
class Core:
    """The state of one machine: arrays that ``Machine`` owns and copies, and numbers. Registers are masked to 16 bits.

    ``condition`` is the last value that set the condition codes, not the codes. ``steps`` counts executed
    instructions, and ``extra`` what the profile adds for the routines of an operating system.
    """

    memory: cython.ushort[::1]
    kinds: cython.uchar[::1]
    touched: cython.uchar[::1]
    registers: cython.ushort[::1]
    recent: cython.uint[::1]
    looks: cython.ushort[::1]
    classes: cython.uchar[::1]
    base_memory: cython.ushort[::1]
    base_kinds: cython.uchar[::1]
    base_registers: cython.ushort[::1]
    output: bytearray
    typed: bytes
    messages: tuple[bytes, ...]
    records: cython.object
    marks: cython.uchar[::1]
    followed = cython.declare(cython.uint, visibility="public")  # registers with open changes, as bits
    pc = cython.declare(cython.uint, visibility="public")
    condition = cython.declare(cython.uint, visibility="public")
    steps = cython.declare(cython.longlong, visibility="public")
    extra = cython.declare(cython.longlong, visibility="public")
    reason = cython.declare(cython.int, visibility="public")
    stepping = cython.declare(cython.bint, visibility="public")  # by single instructions, which changes nothing here
    at = cython.declare(cython.uint, visibility="public")
    budget = cython.declare(cython.longlong, visibility="public")
    limit: cython.longlong
    turn_limit: cython.longlong
    output_limit: cython.longlong
    printed: cython.longlong
    # devices and privilege
    low: cython.uint
    span: cython.uint
    user: cython.bint
    priority: cython.uint
    saved_stack: cython.uint
    interrupts: cython.bint
    key: cython.uint
    position: cython.Py_ssize_t
    closed: cython.bint
    prompted: cython.bint
    looked: cython.int
    timed = cython.declare(cython.bint, visibility="public")  # a key will come at its time: to look in vain is no wait
    polls: cython.longlong
    # the search for a returning state
    watching: cython.bint
    window: cython.longlong
    rebase_at: cython.longlong
    dirty: cython.longlong
    base_pc: cython.uint
    telling: cython.int  # the register that told the state from the copy the last time, and its value in the copy
    telling_value: cython.uint
    base_devices: cython.longlong
    base_position: cython.Py_ssize_t
    base_polls: cython.longlong
    # the profile, and what of it is asked for often
    profile: cython.object
    protects: cython.bint
    keeps_r7: cython.bint
    lea_sets_condition: cython.bint
    newline_for_return: cython.bint
    counts_routines: cython.bint
    cost_getc: cython.int
    cost_out: cython.int
    cost_puts: cython.int
    cost_putsp: cython.int

    def __init__(self, profile: Profile, messages: tuple[bytes, ...], budget: int, output_limit: int) -> None:
        self.classes = CLASSES
        self.records = None
        self.timed = False
        self.base_memory = self.base_kinds = self.base_registers = None
        self.cost_getc = self.cost_out = self.cost_puts = self.cost_putsp = 0
        self.looks = array("H", bytes(2 * MAX_LOOKS))
        self.output = bytearray()
        self.budget = budget
        self.turn_limit = self.output_limit = output_limit
        self.profile = profile
        self.messages = messages
        self.protects = profile.protects
        self.keeps_r7 = profile.keeps_r7
        self.lea_sets_condition = profile.lea_sets_condition
        self.newline_for_return = profile.newline_for_return
        self.counts_routines = profile.costs is not None
        if profile.costs is not None:
            self.cost_getc = profile.costs.getc
            self.cost_out = profile.costs.out
            self.cost_puts = profile.costs.puts
            self.cost_putsp = profile.costs.putsp

    def attach(
        self,
        memory: array[int],
        kinds: array[int],
        touched: array[int],
        registers: array[int],
        recent: array[int],
    ) -> None:
        """Work on these arrays: 65,536 words, their kinds, PAGES marks, 8 registers, RECENT slots of ``address << 16 | word``.

        ``touched`` marks the pages whose words or kinds may differ from what was loaded.
        """
        self.memory = memory
        self.kinds = kinds
        self.touched = touched
        self.registers = registers
        self.recent = recent

    def observe(self, records: Records, marks: array[int], followed: int = 0) -> None:
        """Keep ``records`` and ``marks`` (65,536) from now on; ``followed`` are the registers with open changes."""
        self.records, self.marks, self.followed = records, marks, followed

    def start(self, entry: int) -> None:
        """Begin anew at ``entry``, as a user's program, with nothing typed and nothing printed; arrays stay."""
        self.pc = self.at = entry
        self.condition = self.steps = self.extra = self.reason = self.printed = self.followed = 0
        self.output_limit = self.turn_limit
        self.output.clear()
        self.typed = b""
        self.position = self.looked = self.polls = self.key = self.priority = 0
        self.closed = self.prompted = self.interrupts = self.watching = False
        self.saved_stack = SUPERVISOR_STACK
        self.set_user(True)

    def take_pages(self, words: array[int], their_kinds: array[int], written: array[int]) -> None:
        """Have what these arrays hold, which differs in touched pages alone: a program writes a few of 256."""
        memory: cython.ushort[::1] = words
        kinds: cython.uchar[::1] = their_kinds
        touched: cython.uchar[::1] = written
        page: cython.int
        at: cython.int
        for page in range(PAGES):
            if self.touched[page] or touched[page]:
                at = page * PAGE
                self.memory[at : at + PAGE] = memory[at : at + PAGE]
                self.kinds[at : at + PAGE] = kinds[at : at + PAGE]
                self.touched[page] = touched[page]

    def copy_state(self, other: Core) -> None:
        """Take over all that ``start`` sets from a machine of the same profile."""
        self.pc, self.at, self.condition, self.reason = other.pc, other.at, other.condition, other.reason
        self.steps, self.extra, self.printed = other.steps, other.extra, other.printed
        self.output_limit = other.output_limit
        self.output[:] = other.output
        self.typed, self.position = other.typed, other.position
        self.closed, self.prompted = other.closed, other.prompted
        self.looks[:] = other.looks
        self.looked, self.polls, self.key = other.looked, other.polls, other.key
        self.interrupts, self.priority, self.saved_stack = other.interrupts, other.priority, other.saved_stack
        self.set_user(other.user)

    def take_output(self) -> bytes:
        """The output since the last call."""
        printed = bytes(self.output)
        self.output.clear()
        return printed

    def feed(self, data: bytes) -> None:
        """Let ``data`` be typed after what was typed before: as much as before may be printed after it, and ten times as much in all."""
        self.output_limit = min(self.printed + self.turn_limit, TURNS_PRINTED * self.turn_limit)
        self.typed = self.typed[self.position :] + data
        self.position = 0

    def close_input(self) -> None:
        """Nothing more will be typed."""
        self.closed = True

    def unread(self) -> int:
        """How many keys were typed that nobody has read."""
        return len(self.typed) - int(self.position)

    def run(self) -> None:
        """Run until the machine stops: ``reason`` says why, ``at`` where."""
        watch_from: cython.longlong = self.steps + WATCH_FROM
        look_at: cython.longlong = self.steps + SILENT_FROM
        printed: cython.longlong = self.printed
        silent: cython.bint
        self.reason = reasons.RUNNING
        self.watching = False
        self.rebase_at = NEVER
        self.base_pc = 0x10000
        self.telling = self.telling_value = self.dirty = 0
        if self.records is not None:
            self.make_room()
        self.interrupt_if_pending()
        while self.reason == reasons.RUNNING:
            if self.steps + self.extra >= self.budget:
                self.reason = reasons.BUDGET
                self.at = self.pc
                break
            self.limit = self.budget - self.extra
            if not self.watching:
                silent = self.printed == printed
                if self.steps >= watch_from or (silent and self.steps >= look_at):
                    self.begin_watch(SILENT_FROM if silent else WATCH_FROM)
                else:
                    if self.steps >= look_at:
                        look_at, printed = self.steps + SILENT_FROM, self.printed
                    self.limit = min(self.limit, look_at, watch_from)
            if self.records is not None:
                _run_observed(self)
            elif self.watching:
                _run_watched(self)
            else:
                _run_plain(self)

    # -------------------------------------------------------------------------------- the search for a returning state

    @cython.cfunc
    def begin_watch(self, window: cython.longlong) -> cython.bint:
        """Take a copy of the state at the next backward branch, and leave the plain loop."""
        self.make_room()
        self.watching = True
        self.window = window
        self.rebase_at = self.steps
        self.limit = self.steps
        return True

    @cython.cfunc
    def make_room(self) -> cython.bint:
        """Have arrays for the copy; many machines never need them."""
        if self.base_memory is None:
            self.base_memory = array("H", bytes(2 * 0x10000))
            self.base_kinds = array("B", bytes(0x10000))
            self.base_registers = array("H", bytes(16))
        return True

    @cython.cfunc
    def came_back(self) -> cython.bint:
        """At a backward branch: whether the state is that of the copy, which then says why to stop; or renew the copy."""
        if self.steps >= self.rebase_at:
            self.rebase()
            return False
        index: cython.int
        for index in range(8):
            if self.registers[index] != self.base_registers[index]:
                self.telling = index
                self.telling_value = self.base_registers[index]
                return False
        if self.dirty or self.pc != self.base_pc or self.position != self.base_position:
            return False
        if self.devices() != self.base_devices:
            return False
        self.at = self.pc
        if self.timed and self.interrupts:
            return False
        if self.polls != self.base_polls or self.interrupts:
            self.reason = reasons.INPUT_ENDED if self.closed else reasons.WAITS
        else:
            self.reason = reasons.NEVER_ENDS
        return True

    @cython.cfunc
    def rebase(self) -> cython.bint:
        """Copy the state, and say when the copy is to be renewed."""
        self.base_memory[:] = self.memory
        self.base_kinds[:] = self.kinds
        self.base_registers[:] = self.registers
        self.telling_value = self.base_registers[self.telling]
        self.base_pc = self.pc
        self.base_devices = self.devices()
        self.base_position = self.position
        self.base_polls = self.polls
        self.dirty = 0
        self.rebase_at = self.steps + self.window
        self.window *= 2
        return True

    @cython.cfunc
    def devices(self) -> cython.longlong:
        """All state of devices, privilege and condition codes in one number."""
        flags: cython.longlong = self.user * 4 + self.interrupts * 2 + self.prompted
        whole: cython.longlong = _codes(self.condition) << 16 | self.saved_stack
        return (whole << 32) | (self.key << 16) | (self.priority << 3) | flags

    # ---------------------------------------------------------------------------------------------- privilege, interrupts

    @cython.cfunc
    def set_user(self, user: cython.bint) -> cython.bint:
        """Change the mode, and with it what is ordinary memory."""
        self.user = user
        self.low = 0x3000 if user and self.protects else 0
        self.span = DEVICES - self.low
        return True

    @cython.cfunc
    def status(self) -> cython.uint:
        """The processor status register."""
        return (0x8000 if self.user else 0) | (self.priority << 8) | _codes(self.condition)

    @cython.cfunc
    def set_status(self, status: cython.uint) -> cython.bint:
        """Set everything that the processor status register holds, except the change of stacks."""
        self.condition = 0x8000 if status & 4 else (0 if status & 2 else 1)
        self.priority = (status >> 8) & 7
        return self.set_user(status & 0x8000 != 0)

    @cython.cfunc
    def enter(self, target: cython.uint) -> cython.bint:
        """Go to a routine as a supervisor: status and return address on the supervisor stack."""
        status: cython.uint = self.status()
        if self.user:
            stack: cython.uint = self.saved_stack
            self.saved_stack = self.registers[6]
            self.registers[6] = stack
            self.set_user(False)
        self.write_word((self.registers[6] - 1) & 0xFFFF, status)
        self.write_word((self.registers[6] - 2) & 0xFFFF, self.pc)
        self.registers[6] = (self.registers[6] - 2) & 0xFFFF
        self.pc = target
        return True

    @cython.cfunc
    def leave(self) -> cython.bint:
        """RTI: back to what the supervisor stack says; only for a supervisor."""
        if self.user:
            return self.fault(reasons.ILLEGAL if not self.keeps_r7 else reasons.PRIVILEGE)
        top: cython.uint = self.registers[6]
        self.pc = self.memory[top]
        status: cython.uint = self.memory[(top + 1) & 0xFFFF]
        self.registers[6] = (top + 2) & 0xFFFF
        self.set_status(status)
        if self.user:
            stack: cython.uint = self.saved_stack
            self.saved_stack = self.registers[6]
            self.registers[6] = stack
        return self.interrupt_if_pending()

    @cython.cfunc
    def interrupt_if_pending(self) -> cython.bint:
        """Enter the keyboard's routine, if there is one, when it may interrupt, a key is there, and nothing is as urgent."""
        if not self.interrupts or self.position >= len(self.typed) or self.priority >= KEYBOARD_PRIORITY:
            return False
        vector: cython.uint = KEYBOARD_VECTOR
        if self.kinds[vector] != 20:  # UNTOUCHED
            self.enter(self.memory[vector])
            self.priority = KEYBOARD_PRIORITY
            self.looked = 0
        return True

    # ------------------------------------------------------------------------------------------------ endings and output

    @cython.cfunc
    def spend(self, instructions: cython.longlong) -> cython.bint:
        """Count what an operating system's routine would have executed beside the TRAP."""
        if self.counts_routines:
            self.extra += instructions
            self.limit -= instructions
        return True

    @cython.cfunc
    def stop(self, reason: cython.int) -> cython.bint:
        """End here: the machine stays on the instruction at ``at``, which counts."""
        self.reason = reason
        self.pc = self.at
        return False

    @cython.cfunc
    def ask(self) -> cython.bint:
        """Wait for input before the instruction at ``at``, or end because none will come."""
        self.steps -= 1
        return self.stop(reasons.INPUT_ENDED if self.closed else reasons.WAITS)

    @cython.cfunc
    def fault(self, reason: cython.int) -> cython.bint:
        """End badly, with what the profile prints for it."""
        self.stop(reason)
        message: bytes = self.messages[reason]
        if message:
            self.spend(2)
            self.print_text(message)
            self.halt()
        return False

    @cython.cfunc
    def halt(self) -> cython.bint:
        """The HALT routine without the stop itself."""
        self.spend(5)
        if self.profile.farewell:
            self.print_text(self.profile.farewell)
        return True

    @cython.cfunc
    def put(self, byte: cython.uint) -> cython.bint:
        """Show one byte; False, with the reason set, when that is one too many."""
        if self.printed >= self.output_limit:
            if self.reason == reasons.RUNNING:
                self.stop(reasons.OUTPUT_LIMIT)
            return False
        self.output.append(10 if byte == 13 and self.newline_for_return else byte)
        self.printed += 1
        self.looked = 0
        return True

    @cython.cfunc
    def print_text(self, text: bytes) -> cython.bint:
        """Show a text of the operating system as its PUTS would."""
        byte: cython.uint
        for byte in text:
            self.put(byte)
        self.spend(self.cost_puts + len(text) * (self.cost_out + 4))
        return True

    # --------------------------------------------------------------------------------------------- devices, guarded memory

    @cython.cfunc
    def is_guarded(self, address: cython.uint) -> cython.bint:
        """Whether the profile forbids a user to touch ``address``."""
        return self.protects and self.user and not 0x3000 <= address < DEVICES

    @cython.cfunc
    def load(self, address: cython.uint) -> cython.uint:
        """A word from outside ordinary memory; if it cannot be read, the reason is set."""
        if self.is_guarded(address):
            self.fault(reasons.ACCESS)
            return 0
        if address == 0xFE00:  # KBSR
            return (0x8000 if self.ready() else 0) | (0x4000 if self.interrupts else 0)
        if address == 0xFE02:  # KBDR
            if self.ready():
                self.next_key()
            return self.key
        if address == 0xFE04:  # DSR
            return 0x8000
        if address == 0xFE06:  # DDR
            return 0
        if address == 0xFFFC and self.profile.maps_psr:  # PSR
            return self.status()
        if address == 0xFFFE:  # MCR
            return 0x8000
        return self.memory[address]

    @cython.cfunc
    def store(self, address: cython.uint, value: cython.uint) -> cython.bint:
        """A word to outside ordinary memory; the reason is set when that ends the run."""
        if self.is_guarded(address):
            return self.fault(reasons.ACCESS)
        if address == 0xFE00:  # KBSR
            self.interrupts = value & 0x4000 != 0
            return self.interrupt_if_pending()
        if address == 0xFE06:  # DDR
            return self.put(value & 0xFF)
        if address == 0xFFFC and self.profile.maps_psr:  # PSR
            self.set_status(value)
            return self.interrupt_if_pending()
        if address == 0xFFFE and not value & 0x8000:  # MCR
            return self.stop(reasons.HALTED)
        if address != 0xFE02 and address != 0xFE04 and address != 0xFFFE:  # KBDR, DSR, MCR
            self.write_word(address, value)
        return True

    @cython.cfunc
    def write_word(self, address: cython.uint, value: cython.uint) -> cython.bint:
        """Store a word, minding the copy that the search for a returning state keeps."""
        if self.base_memory is not None:
            self.dirty += _drift(self, address, value)
        self.memory[address] = value
        self.kinds[address] = self.classes[value]
        self.touched[address >> 8] = 1
        return True

    @cython.cfunc
    def next_key(self) -> cython.uint:
        """Take the key that is there."""
        self.key = self.typed[self.position]
        self.position += 1
        self.looked = 0
        self.prompted = False
        return self.key

    @cython.cfunc
    def ready(self) -> cython.bint:
        """Look whether a key is there. The second look in vain at one place, with no output between, is a wait."""
        if self.position < len(self.typed):
            return True
        if self.timed:
            return False
        index: cython.int
        for index in range(self.looked):
            if self.looks[index] == self.at:
                self.ask()
                return False
        if self.looked < MAX_LOOKS:
            self.looks[self.looked] = self.at
            self.looked += 1
        self.polls += 1
        if not self.watching:
            self.begin_watch(POLL_WINDOW)
        return False

    # -------------------------------------------------------------------------------------------------------------- traps

    @cython.cfunc
    def trap(self, vector: cython.uint) -> cython.bint:
        """Serve a TRAP: by the program's own routine where it has filled the vector, else as the manual says."""
        if not self.keeps_r7:
            self.registers[7] = self.pc
        if self.kinds[vector] != 20:  # the program's own: not UNTOUCHED
            if self.keeps_r7:
                return self.enter(self.memory[vector])
            self.pc = self.memory[vector]
            return True
        if vector == 0x21:  # OUT
            self.spend(self.cost_out - 1)
            return self.put(self.registers[0] & 0xFF)
        if vector == 0x20:  # GETC
            if self.position >= len(self.typed):
                return self.ask()
            self.registers[0] = self.next_key()
            return self.spend(self.cost_getc - 1)
        if vector == 0x22:  # PUTS
            return self.puts()
        if vector == 0x23:  # IN
            return self.prompt_key()
        if vector == 0x24:  # PUTSP
            return self.puts_packed()
        if vector == 0x25:  # HALT
            self.stop(reasons.HALTED)
            return self.halt()
        return self.fault(reasons.UNDEFINED_TRAP)

    @cython.cfunc
    def puts(self) -> cython.bint:
        """Print the low byte of each word from R0 on, up to a word of zero."""
        address: cython.uint = self.registers[0]
        self.spend(self.cost_puts - 1)
        while self.memory[address] and self.put(self.memory[address] & 0xFF):
            self.spend(self.cost_out + 4)
            address = (address + 1) & 0xFFFF
        return True

    @cython.cfunc
    def puts_packed(self) -> cython.bint:
        """Print the low and the high byte of each word from R0 on, up to a byte of zero."""
        address: cython.uint = self.registers[0]
        high: cython.uint
        self.spend(self.cost_putsp + 3)
        while self.memory[address] & 0xFF and self.put(self.memory[address] & 0xFF):
            high = self.memory[address] >> 8
            self.spend(self.cost_out + 52 + _ones(high))
            if not high or not self.put(high):
                break
            self.spend(self.cost_out + 6)
            address = (address + 1) & 0xFFFF
        return True

    @cython.cfunc
    def prompt_key(self) -> cython.bint:
        """IN: ask for a key with a prompt, echo it, end the line."""
        if not self.prompted:
            for byte in self.profile.prompt:
                self.put(byte)
            self.prompted = True
        if self.reason != reasons.RUNNING:
            return False
        if self.position >= len(self.typed):
            return self.ask()
        self.registers[0] = self.next_key()
        self.spend(
            self.cost_puts + len(self.profile.prompt) * (self.cost_out + 4) + self.cost_getc + 2 * self.cost_out + 8
        )
        return self.put(self.registers[0]) and self.put(10)

    @cython.cfunc
    def special(self, kind: cython.uint) -> cython.bint:
        """A word that is no instruction to run: end, or let a supervisor pass where only users may not (True)."""
        if self.is_guarded(self.at):
            return self.fault(reasons.ACCESS)
        if kind == 22:  # GUARDED
            self.kinds[self.at] = self.classes[self.memory[self.at]]
            self.pc = self.at
            self.steps -= 1
            return True
        if kind == 20:  # UNTOUCHED
            self.steps -= 1
            return self.stop(reasons.OFF_END)
        if kind == 21:  # DATA
            self.steps -= 1
            return self.stop(reasons.DATA_EXECUTED)
        return self.fault(reasons.ILLEGAL)


@cython.cfunc
@cython.inline
def _codes(value: cython.uint) -> cython.uint:
    """The condition codes after ``value`` was written, as the bits n, z, p of a branch."""
    return 4 if value & 0x8000 else (1 if value else 2)


@cython.cfunc
def _ones(value: cython.uint) -> cython.int:
    count: cython.int = 0
    while value:
        count += value & 1
        value >>= 1
    return count


@cython.cfunc
@cython.inline
def _drift(core: Core, address: cython.uint, value: cython.uint) -> cython.int:
    """How the number of places that differ from the copy changes when ``value`` is stored at ``address``."""
    word: cython.uint = core.base_memory[address]
    kind: cython.uint = core.base_kinds[address]
    before: cython.bint = core.memory[address] != word or core.kinds[address] != kind
    after: cython.bint = value != word or core.classes[value] != kind
    return after - before


@cython.cfunc
def _note_step(core: Core, here: cython.uint, word: cython.uint, kind: cython.uint) -> cython.bint:
    """An instruction is about to run."""
    if kind < 20:  # none of UNTOUCHED, DATA, GUARDED
        core.marks[here] |= 1  # EXECUTED
        if core.followed:
            _note_use(core, word, kind)
    return True


@cython.cfunc
def _note_use(core: Core, word: cython.uint, kind: cython.uint) -> cython.bint:
    """Some registers are followed: tell the records if the instruction reads, stores or writes any of them."""
    first: cython.uint = 1 << ((word >> 9) & 7)
    second: cython.uint = 1 << ((word >> 6) & 7)
    reads: cython.uint = 0
    stores: cython.uint = 0
    writes: cython.uint = 0
    if kind == 1 or kind == 5:  # ADD, AND
        reads, writes = second | 1 << (word & 7), first
    elif kind == 16 or kind == 9 or kind == 6:  # ADD, immediate; NOT; LDR
        reads, writes = second, first
    elif kind == 17:  # AND, immediate: with 0 it only clears
        reads, writes = (second if word & 0x1F else 0), first
    elif kind == 2 or kind == 10 or kind == 14:  # LD, LDI, LEA
        writes = first
    elif kind == 3 or kind == 11:  # ST, STI
        stores = first
    elif kind == 7:  # STR
        reads, stores = second, first
    elif kind == 12 or kind == 18:  # JMP, JSRR
        reads = second
    elif word == 0xF020 or word == 0xF023:  # GETC, IN
        writes = 1
    elif word == 0xF021 or word == 0xF022 or word == 0xF024:  # OUT, PUTS, PUTSP
        reads = 1
    if (reads | stores | writes) & core.followed:
        core.followed = core.records.used(reads, stores, writes)
    return True


@cython.cfunc
def _note_load(core: Core, here: cython.uint, address: cython.uint) -> cython.bint:
    """A word is about to be read."""
    if core.kinds[address] == 20 and address < 0xFE00:  # UNTOUCHED
        core.records.read_unfilled(address, here)
    return True


@cython.cfunc
def _note_store(core: Core, here: cython.uint, address: cython.uint) -> cython.bint:
    """A word is about to be written."""
    if core.marks[address] & 2:  # CODE
        core.records.patch(address, here)
    return True


@cython.cfunc
@cython.inline
def _run(core: Core, observed: cython.bint, watched: cython.bint) -> cython.int:
    """Execute instructions until ``core.limit`` of them are done or a reason to stop is set."""
    memory: cython.ushort[::1] = core.memory
    kinds: cython.uchar[::1] = core.kinds
    touched: cython.uchar[::1] = core.touched
    registers: cython.ushort[::1] = core.registers
    recent: cython.uint[::1] = core.recent
    classes: cython.uchar[::1] = core.classes
    pc: cython.uint = core.pc
    condition: cython.uint = core.condition
    steps: cython.longlong = core.steps
    limit: cython.longlong = core.limit
    low: cython.uint = core.low
    span: cython.uint = core.span
    here: cython.uint
    word: cython.uint
    kind: cython.uint
    address: cython.uint
    value: cython.uint
    while steps < limit:
        here = pc
        word = memory[here]
        kind = kinds[here]
        recent[steps & 15] = here << 16 | word
        pc = (here + 1) & 0xFFFF
        steps += 1
        if observed:
            _note_step(core, here, word, kind)
        if kind == 0:  # BR
            if (word >> 9) & (4 if condition & 0x8000 else (1 if condition else 2)):
                pc = (pc + ((word & 0x1FF) ^ 0x100) - 0x100) & 0xFFFF
            else:
                continue
        elif kind == 16:  # ADD, immediate
            condition = (registers[(word >> 6) & 7] + ((word & 0x1F) ^ 0x10) - 0x10) & 0xFFFF
            registers[(word >> 9) & 7] = condition
            continue
        elif kind == 1:  # ADD
            condition = (registers[(word >> 6) & 7] + registers[word & 7]) & 0xFFFF
            registers[(word >> 9) & 7] = condition
            continue
        elif kind == 17:  # AND, immediate
            condition = registers[(word >> 6) & 7] & (((word & 0x1F) ^ 0x10) - 0x10) & 0xFFFF
            registers[(word >> 9) & 7] = condition
            continue
        elif kind == 5:  # AND
            condition = registers[(word >> 6) & 7] & registers[word & 7]
            registers[(word >> 9) & 7] = condition
            continue
        elif kind == 9:  # NOT
            condition = registers[(word >> 6) & 7] ^ 0xFFFF
            registers[(word >> 9) & 7] = condition
            continue
        elif kind == 14:  # LEA
            value = (pc + ((word & 0x1FF) ^ 0x100) - 0x100) & 0xFFFF
            registers[(word >> 9) & 7] = value
            if core.lea_sets_condition:
                condition = value
            continue
        elif kind == 2 or kind == 6 or kind == 10:  # LD, LDR, LDI
            if kind == 6:
                address = (registers[(word >> 6) & 7] + ((word & 0x3F) ^ 0x20) - 0x20) & 0xFFFF
            else:
                address = (pc + ((word & 0x1FF) ^ 0x100) - 0x100) & 0xFFFF
            if observed:
                _note_load(core, here, address)
            if (address - low) & 0xFFFF < span:
                value = memory[address]
            else:
                value = _slow_load(core, address, here, pc, steps, condition)
                if core.reason:
                    return 0
                limit = core.limit
            if kind == 10:
                address = value
                if observed:
                    _note_load(core, here, address)
                if (address - low) & 0xFFFF < span:
                    value = memory[address]
                else:
                    value = _slow_load(core, address, here, pc, steps, condition)
                    if core.reason:
                        return 0
                    limit = core.limit
            condition = value
            registers[(word >> 9) & 7] = value
            continue
        elif kind == 3 or kind == 7 or kind == 11:  # ST, STR, STI
            if kind == 7:
                address = (registers[(word >> 6) & 7] + ((word & 0x3F) ^ 0x20) - 0x20) & 0xFFFF
            else:
                address = (pc + ((word & 0x1FF) ^ 0x100) - 0x100) & 0xFFFF
            if kind == 11:
                if observed:
                    _note_load(core, here, address)
                if (address - low) & 0xFFFF < span:
                    address = memory[address]
                else:
                    address = _slow_load(core, address, here, pc, steps, condition)
                    if core.reason:
                        return 0
                    limit = core.limit
            value = registers[(word >> 9) & 7]
            if observed:
                _note_store(core, here, address)
            if (address - low) & 0xFFFF < span:
                if watched:
                    core.dirty += _drift(core, address, value)
                memory[address] = value
                kinds[address] = classes[value]
                touched[address >> 8] = 1
            else:
                core.pc, core.steps, core.at, core.condition = pc, steps, here, condition
                core.store(address, value)
                if core.reason:
                    return 0
                pc, condition, limit, low, span = core.pc, core.condition, core.limit, core.low, core.span
            continue
        elif kind == 12:  # JMP
            pc = registers[(word >> 6) & 7]
            if observed:
                core.followed = core.records.jump(pc)
        elif kind == 4:  # JSR
            if observed:
                core.records.call(here, pc, (pc + ((word & 0x7FF) ^ 0x400) - 0x400) & 0xFFFF)
            registers[7] = pc
            pc = (pc + ((word & 0x7FF) ^ 0x400) - 0x400) & 0xFFFF
        elif kind == 18:  # JSRR
            address = registers[(word >> 6) & 7]
            if observed:
                core.records.call(here, pc, address)
            registers[7] = pc
            pc = address
        else:
            core.pc, core.steps, core.at, core.condition = pc, steps, here, condition
            if kind == 15:  # TRAP
                core.trap(word & 0xFF)
                if observed and core.reason != reasons.WAITS and core.reason != reasons.INPUT_ENDED:
                    core.records.trap(word & 0xFF, here)
            elif kind == 8:  # RTI
                core.leave()
            else:
                core.special(kind)
            if core.reason:
                return 0
            pc, steps, condition = core.pc, core.steps, core.condition
            limit, low, span = core.limit, core.low, core.span
            continue
        if watched and pc <= here:
            if (pc != core.base_pc or registers[core.telling] != core.telling_value) and steps < core.rebase_at:
                continue
            core.pc, core.steps, core.condition = pc, steps, condition
            if core.came_back():
                return 0
    core.pc, core.steps, core.condition = pc, steps, condition
    return 0


@cython.cfunc
def _slow_load(
    core: Core, address: cython.uint, here: cython.uint, pc: cython.uint, steps: cython.longlong, condition: cython.uint
) -> cython.uint:
    core.pc, core.steps, core.at, core.condition = pc, steps, here, condition
    return core.load(address)


@cython.cfunc
def _run_plain(core: Core) -> cython.int:
    return _run(core, False, False)


@cython.cfunc
def _run_watched(core: Core) -> cython.int:
    return _run(core, False, True)


@cython.cfunc
def _run_observed(core: Core) -> cython.int:
    return _run(core, True, True)
