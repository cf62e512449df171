# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: disable-error-code="untyped-decorator"
# ruff: noqa: PLR1714, RET508, SIM102, SIM110

# Cython has no types for mypy. It makes cases of a switch from ``==``, and not from ``in`` or ``and``.
"""The MIPS machine itself: one body of source that runs compiled by Cython, or uncompiled with the same results.

Theory of operation
-------------------
Instructions are decoded when a program is loaded (``decode``). ``code`` holds one number of 64 bits for each word of text,
then of kernel text, then one for each address outside both that a branch leads to. The loop counts indices into ``code``;
addresses appear only where a program can see them. Places without code have operation 0, so running off the end costs
nothing to notice. Every write to ``$zero`` goes to a slot beyond the registers.

All memory except text is one array of words (``kinds.WORDS``): data, stack, kernel data and device registers in turn. It
lies in anonymous pages of the operating system, which are zeros and cost nothing until they are touched. Each store marks
its page in ``touched``; a fork copies only those pages, and a reset clears only those. Loads and stores compare the address
with two ranges, data and stack. All other accesses (device registers, kernel data, text, faults) take a slow path.

The loop itself prints numbers, strings and characters; ``services``, in Python, serves every other system call. The cost of
such a call is taken from the budget in instructions (``spent``), so that a budget bounds the time of any run.

An exception goes to the program's handler at 0x80000180 if there is one. Otherwise the profile decides: the run ends, or a
line is printed and the instruction skipped. In each case the instruction at fault has no effect. But if exceptions are
ignored, as by SPIM, a load that fails still puts 0 into its register.

One body, ``_run``, makes two loops by flags. The exact loop looks at the limit before each instruction, and has observation
and delayed branching. The quick loop runs frequent sequences of instructions as one (``quick``). It stops when the limit is
near, and the exact loop does the rest. The body does what needs only the arrays, and hands everything else to ``slow``. To
spare work for each instruction, both loops only count steps and remember the jumps, ``turns``. The upper half of a turn holds
the index behind the last instruction before the jump, the lower half that of the first instruction after it.

The proof that a program never ends, and a wait for input, are as in the loop of the LC-3. Memory differs: it is compared only
when the registers have come back. A page that was stored into since the copy is marked 1, one before it 2. ``telling`` is the
first word that differed the last time, in registers or memory; while it differs nothing else is compared. State outside the
arrays (heap, files, generators) counts its ``changes``, and each of them ends equality.

All arithmetic is masked to 32 bits, so both ways of running are equal. Cython only takes plain numbers as cases of a
switch, hence the literals, each with its name beside it (``kinds.OPERATIONS``). All that an instruction can cost is in
this one module, long as it is: only within one unit of compilation are calls C calls.
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
from grader.machines.mips import kinds
from grader.machines.mips.decode import USES
from grader.machines.mips.floats import quotient, root, to_word

if TYPE_CHECKING:
    from grader.machines.mips.load import Loaded
    from grader.machines.mips.profiles import Profile
    from grader.machines.mips.services import Services
    from grader.machines.records import Records

NEVER = 1 << 62
COMPILED = bool(cython.compiled)
WATCH_FROM = 1_000_000  # instructions of one run before the search for a returning state begins
POLL_WINDOW = 1024  # the first interval of that search when a status read began it
MAX_LOOKS = 16  # places of status reads that are remembered between two outputs
LOOK_COST = 256  # cost of comparing a page of memory, in instructions of the loop
STATE = 77  # numbers that ``snapshot`` writes
RECENT = 16  # executed instructions that are remembered
TURNS = 32  # jumps that are remembered: more than RECENT, because the last jump may have run no instruction yet


@cython.cclass
class Core:
    """The state of one machine: arrays that ``Machine`` owns and copies, and numbers. Registers are masked to 32 bits.

    ``index`` is where the program is in ``code``; ``at`` the index of the instruction under way. ``fault`` and
    ``fault_value`` say what the last exception was about. ``conditions`` holds the eight flags of comparisons as bits.
    """

    memory: cython.uint[::1]
    known: cython.uchar[::1]
    touched: cython.uchar[::1]
    code: cython.ulonglong[::1]
    registers: cython.uint[::1]
    float_bits: cython.uint[::1]
    singles: cython.float[::1]
    doubles: cython.double[::1]
    control: cython.uint[::1]
    quick: cython.ulonglong[::1]
    turns: cython.ulonglong[::1]
    looks: cython.uint[::1]
    base_memory: cython.uint[::1]
    base: cython.longlong[::1]  # all state but memory, as ``snapshot`` has it, at the copy and now
    present: cython.longlong[::1]
    # where these arrays begin
    memory_at: cython.p_uint
    touched_at: cython.p_uchar
    code_at: cython.p_ulonglong
    quick_at: cython.p_ulonglong
    turns_at: cython.p_ulonglong
    registers_at: cython.p_uint
    tellers: cython.p_uint  # the registers or the memory, whichever ``telling`` is about
    output: bytearray
    buffer: cython.uchar[::1]
    filled: cython.int
    services: cython.object
    records: cython.object
    marks: cython.uchar[::1]
    typed = cython.declare(bytes, visibility="public")
    position = cython.declare(cython.longlong, visibility="public")
    closed = cython.declare(cython.bint, visibility="public")
    index = cython.declare(cython.uint, visibility="public")
    at = cython.declare(cython.uint, visibility="public")
    following: cython.uint
    turned: cython.uint
    conditions = cython.declare(cython.uint, visibility="public")
    steps = cython.declare(cython.longlong, visibility="public")
    spent = cython.declare(cython.longlong, visibility="public")
    followed = cython.declare(cython.uint, visibility="public")
    reason = cython.declare(cython.int, visibility="public")
    fault_kind = cython.declare(cython.int, visibility="public")
    fault_value = cython.declare(cython.uint, visibility="public")
    wanted = cython.declare(cython.int, visibility="public")
    changes = cython.declare(cython.longlong, visibility="public")
    budget = cython.declare(cython.longlong, visibility="public")
    text_words = cython.declare(cython.uint, visibility="public")
    kernel_at = cython.declare(cython.uint, visibility="public")
    home = cython.declare(cython.uint, visibility="public")
    kernel_words = cython.declare(cython.uint, visibility="public")
    data_bytes = cython.declare(cython.uint, visibility="public")
    limit: cython.longlong
    turn_limit: cython.longlong
    output_limit: cython.longlong
    printed: cython.longlong
    abandoned: cython.bint
    jump_target: cython.uint
    jumped: cython.bint
    # delayed branching
    slot: cython.int
    pending: cython.uint
    # the profile, and what of it is asked for often
    profile: cython.object
    stack: cython.uint
    stack_bytes: cython.uint
    return_address: cython.uint
    delayed: cython.bint
    nan_sign: cython.uint
    # what nothing has set: one bit for each register that something has, and how it was for the copy
    refuses_unset: cython.bint
    uses: cython.uchar[::1]
    set_registers = cython.declare(cython.longlong, visibility="public")
    unset: cython.uint
    # device registers
    looked: cython.int
    timed = cython.declare(cython.bint, visibility="public")  # a key will come at its time: to look in vain is no wait
    polls: cython.longlong
    announced: cython.longlong  # one more than the place in what was typed of the key that the last interrupt was for
    displayed: cython.bint
    # the search for a returning state
    stepping = cython.declare(cython.bint, visibility="public")  # by single instructions: a watch goes on with the next
    watching: cython.bint
    window: cython.longlong
    rebase_at: cython.longlong
    base_index: cython.uint
    telling: cython.uint  # the word that told the state from the copy the last time, and its value in the copy
    telling_value: cython.uint
    base_polls: cython.longlong

    def __init__(self, profile: Profile, budget: int, output_limit: int) -> None:
        self.profile = profile
        self.uses = USES
        self.jumped = False
        self.records = None
        self.timed = False
        self.base_memory = self.base = self.present = None
        self.looks = array("I", bytes(4 * MAX_LOOKS))
        self.output = bytearray()
        self.buffer = bytearray(1024)
        self.budget = budget
        self.turn_limit = self.output_limit = output_limit
        self.stack, self.stack_bytes = profile.stack.start, len(profile.stack)
        self.return_address = profile.return_address
        self.delayed = profile.delayed
        self.refuses_unset = profile.refuses_unset
        self.nan_sign = 0x80000000 if profile.negative_nan else 0

    def attach(
        self, memory: memoryview, touched: bytearray, registers: array[int], floats: bytearray, control: array[int],
        known: memoryview | None,
    ) -> None:  # fmt: skip
        """Work on these buffers: words of memory, a mark for each of its pages, registers, 32 floats, coprocessor 0.

        ``known`` has a byte for each word of memory, for a profile that refuses what nothing has set.
        """
        self.known = known
        self.memory = memory
        self.touched = touched
        self.registers = registers
        self.float_bits = memoryview(floats).cast("I")
        self.singles = memoryview(floats).cast("f")
        self.doubles = memoryview(floats).cast("d")
        self.control = control
        if cython.compiled:
            self.memory_at, self.touched_at = cython.address(self.memory[0]), cython.address(self.touched[0])
            self.registers_at = cython.address(self.registers[0])
        else:
            self.memory_at, self.touched_at, self.registers_at = self.memory, self.touched, self.registers

    def load(self, code: array[int], quick: array[int], loaded: Loaded, services: Services) -> None:
        """Run this code, which ``quick`` has once more for the quick loop."""
        self.code = code
        self.quick = quick
        self.turns = array("Q", bytes(8 * TURNS))
        if cython.compiled:
            self.code_at, self.quick_at = cython.address(self.code[0]), cython.address(self.quick[0])
            self.turns_at = cython.address(self.turns[0])
        else:
            self.code_at, self.quick_at, self.turns_at = self.code, self.quick, self.turns
        self.text_words, self.kernel_at, self.kernel_words = loaded.text_words, loaded.kernel_at, loaded.kernel_words
        self.home = loaded.home
        self.services = services

    def observe(self, records: Records, marks: bytearray, followed: int = 0) -> None:
        """Keep ``records`` and ``marks`` (one for each index) from now on; ``followed``: registers with open changes."""
        self.records, self.marks, self.followed = records, marks, followed

    def start(self, index: int, data_bytes: int) -> None:
        """Begin anew at ``index``, with nothing typed and nothing printed; arrays stay."""
        self.index = self.at = self.following = index
        self.turns[0] = index
        self.turned = 1
        self.data_bytes = data_bytes
        self.steps = self.reason = self.printed = self.followed = self.conditions = 0
        self.fault_kind = self.fault_value = self.wanted = self.changes = self.spent = 0
        self.output_limit = self.turn_limit
        self.output.clear()
        self.filled = 0
        self.typed = b""
        self.position = self.looked = self.polls = self.slot = self.pending = self.announced = 0
        self.stepping = self.displayed = self.closed = self.watching = self.abandoned = self.jumped = False
        self.base_memory = None
        self.set_registers = kinds.SET_AT_START

    def copy_state(self, other: Core) -> None:
        """Take over all that ``start`` sets from a machine of the same profile."""
        self.index, self.at, self.reason, self.data_bytes = other.index, other.at, other.reason, other.data_bytes
        self.output_limit = other.output_limit
        self.steps, self.spent, self.printed = other.steps, other.spent, other.printed
        self.fault_kind, self.fault_value, self.wanted = other.fault_kind, other.fault_value, other.wanted
        self.changes, self.conditions = other.changes, other.conditions
        other.flush()
        self.following, self.turned = other.following, other.turned
        self.turns[:] = other.turns
        self.output[:] = other.output
        self.filled = 0
        self.typed, self.position, self.closed = other.typed, other.position, other.closed
        self.looks[:] = other.looks
        self.announced, self.displayed = other.announced, other.displayed
        self.set_registers = other.set_registers
        self.looked, self.polls, self.slot, self.pending = other.looked, other.polls, other.slot, other.pending

    def last(self, count: int) -> list[int]:
        """The indices of the last ``count`` instructions (at most ``RECENT``), oldest first; fewer after fewer."""
        wanted: cython.longlong = min(count, RECENT, self.steps)
        found: list[int] = []
        turn: cython.uint = self.turned
        end: cython.uint = self.following
        first: cython.uint
        while len(found) < wanted:
            turn -= 1
            first = self.turns[turn & 31] & 0xFFFFFFFF
            while end > first and len(found) < wanted:
                end -= 1
                found.append(end)
            end = self.turns[turn & 31] >> 32
        found.reverse()
        return found

    def take_output(self) -> bytes:
        """The output since the last call."""
        self.flush()
        printed = bytes(self.output)
        self.output.clear()
        return printed

    def feed(self, data: bytes) -> None:
        """Let ``data`` be typed after what was typed before: as much as before may be printed after it, and ten times as much in all."""
        self.output_limit = min(self.printed + self.turn_limit, TURNS_PRINTED * self.turn_limit)
        self.typed = self.typed[self.position :] + data
        self.announced = 1 if self.announced == self.position + 1 else 0
        self.position = 0
        self.watching = False

    def close_input(self) -> None:
        """Nothing more will be typed."""
        self.closed = True
        self.feed(b"")

    def unread(self) -> int:
        """How many keys were typed that nobody has read."""
        return len(self.typed) - int(self.position)

    def run(self) -> None:
        """Run until the machine stops: ``reason`` says why, ``at`` where."""
        mask: cython.uint = 0xFFFFFFFF
        watch_from: cython.longlong = self.steps + WATCH_FROM
        self.reason = reasons.RUNNING
        self.abandoned = False
        if not self.stepping:
            self.watching = False
        if not self.watching:
            self.rebase_at = NEVER
            self.base_index = mask
            self.tellers = self.registers_at
            self.telling = self.telling_value = 0
        if self.hears() and not self.watching:
            self.begin_watch(POLL_WINDOW)
        while self.reason == reasons.RUNNING:
            if self.steps + self.spent >= self.budget:
                self.reason = reasons.BUDGET
                self.at = self.index
                break
            self.limit = self.budget - self.spent
            if self.is_due():
                if self.slot == 2:  # the branch and its slot are done
                    self.slot, self.index = 0, self.pending
                if not self.slot:
                    self.interrupt()
                    continue
                self.limit = self.steps + 1
            if not self.watching:
                if self.steps >= watch_from:
                    self.begin_watch(WATCH_FROM)
                elif watch_from < self.limit:
                    self.limit = watch_from
            if self.records is None and not self.delayed and self.steps + len(self.code) < self.limit:
                _run(self, True, False, False)
            else:
                _run(self, False, self.records is not None, self.delayed)

    # ------------------------------------------------------------------------------------------- memory, for ``services``

    def address_of(self, index: cython.uint) -> int:
        """The address of the code at ``index``."""
        return int(self.address(index))

    def peek(self, address: cython.uint) -> int:
        """The byte at ``address``; -1 where data, stack and kernel data have none."""
        place: cython.longlong = self.place(address)
        if place < 0:
            return -1
        byte: int = (self.memory[place] >> ((address & 3) << 3)) & 0xFF
        return byte

    def reach(self, address: cython.uint, size: cython.uint) -> int:
        """How many bytes data, stack and kernel data have from ``address`` on, ``size`` at most."""
        mask: cython.uint = 0xFFFFFFFF
        data: cython.uint = (address - 0x10000000) & mask
        stack: cython.uint = (address - self.stack) & mask
        there: cython.uint = 0
        if data < self.data_bytes:
            there = self.data_bytes - data
        elif stack < self.stack_bytes:
            there = self.stack_bytes - stack
        elif address >> 20 == 0x900 and self.profile.touches_kernel:
            there = 0x100000 - (address & 0xFFFFF)
        return int(min(there, size))

    def bytes_at(self, address: cython.uint, size: cython.uint) -> bytes:
        """The ``size`` bytes from ``address`` on; ``reach`` has found them to be there."""
        if size == 0:
            return b""
        found = bytearray(size)
        view: cython.uchar[::1] = found
        here: cython.uint = address
        count: cython.uint = 0
        while count < size:
            view[count] = (self.memory[self.place(here)] >> ((here & 3) << 3)) & 0xFF
            here += 1
            count += 1
        return bytes(found)

    def poke(self, address: cython.uint, byte: cython.uint) -> bool:
        """Store a byte; False where data, stack and kernel data have no such place."""
        mask: cython.uint = 0xFFFFFFFF
        place: cython.longlong = self.place(address)
        if place < 0:
            return False
        shift: cython.uint = (address & 3) << 3
        word: cython.uint = self.memory[place]
        self.store_word(place, (word & ~(0xFF << shift) & mask) | (byte & 0xFF) << shift)
        if self.refuses_unset:
            self.known[place] |= 1 << (address & 3)
        return True

    def print_bytes(self, text: bytes) -> bool:
        """Show these bytes as they are; False when that is too much."""
        byte: cython.uint
        for byte in text:
            if not self.put(byte):
                return False
        return True

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
            self.base_memory = self.services.blank_memory()
            self.base, self.present = array("q", bytes(8 * STATE)), array("q", bytes(8 * STATE))
        return True

    @cython.cfunc
    def came_back(self) -> cython.bint:
        """At a backward branch: whether the state is that of the copy, which then says why to stop; or renew the copy."""
        if self.steps >= self.rebase_at:
            self.rebase()
            return False
        index: cython.int
        for index in range(34):
            if self.registers[index] != self.base[index]:
                self.tellers, self.telling = self.registers_at, index
                self.telling_value = self.base[index]
                return False
        self.snapshot(self.present)
        for index in range(STATE):
            if self.present[index] != self.base[index]:
                return False
        if not self.memory_came_back():
            return False
        if self.timed and self.hears():
            return False
        self.at = self.index
        if self.polls != self.base_polls or self.hears():
            self.wanted = kinds.KEY
            self.reason = reasons.INPUT_ENDED if self.closed else reasons.WAITS
        else:
            self.reason = reasons.NEVER_ENDS
        return True

    @cython.cfunc
    def memory_came_back(self) -> cython.bint:
        """Whether memory equals the copy. Each comparison brings the next copy nearer, which bounds the total cost."""
        page: cython.int
        place: cython.uint
        self.rebase_at -= LOOK_COST
        for page in range(len(self.touched)):
            if self.touched[page] == 1:
                self.rebase_at -= LOOK_COST
                for place in range(page * 1024, page * 1024 + 1024):
                    if self.memory[place] != self.base_memory[place]:
                        self.tellers, self.telling = self.memory_at, place
                        self.telling_value = self.base_memory[place]
                        return False
        return True

    @cython.cfunc
    def rebase(self) -> cython.bint:
        """Copy the state, and say when the copy is to be renewed."""
        page: cython.int
        for page in range(len(self.touched)):
            if self.touched[page]:
                self.touched[page] = 2
                self.base_memory[page * 1024 : page * 1024 + 1024] = self.memory[page * 1024 : page * 1024 + 1024]
        self.snapshot(self.base)
        self.telling_value = self.tellers[self.telling]
        self.base_index = self.index
        self.base_polls = self.polls
        self.rebase_at = self.steps + self.window
        self.window *= 2
        return True

    @cython.cfunc
    def snapshot(self, state: cython.longlong[::1]) -> cython.bint:
        """Write down all state but memory, registers first. A delayed branch in progress is part of the state."""
        index: cython.int
        for index in range(34):
            state[index] = self.registers[index]
        for index in range(32):
            state[34 + index] = self.float_bits[index]
        for index in range(4):
            state[66 + index] = self.control[index]
        state[70], state[71], state[72] = self.index, self.position, self.changes
        state[73], state[74] = self.conditions, self.set_registers
        state[75], state[76] = self.slot, self.pending if self.slot else 0
        return True

    # ------------------------------------------------------------------------------------------ addresses and the ending

    @cython.cfunc
    def address(self, index: cython.uint) -> cython.uint:
        """The address of the code at ``index``."""
        if index <= self.text_words:
            return kinds.TEXT + 4 * index
        if index <= self.kernel_at + self.kernel_words:
            return kinds.KERNEL_TEXT + 4 * (index - self.kernel_at)
        return self.code[index] >> 32

    @cython.cfunc
    def code_index(self, address: cython.uint) -> cython.longlong:
        """The index of the code at ``address``, or -1."""
        mask: cython.uint = 0xFFFFFFFF
        offset: cython.uint = (address - 0x400000) & mask
        if offset & 3:
            return -1
        if offset >> 2 <= self.text_words:
            return offset >> 2
        offset = (address - kinds.KERNEL_TEXT) & mask
        if offset >> 2 <= self.kernel_words and self.kernel_words:
            return self.kernel_at + (offset >> 2)
        if address == self.return_address:
            return self.home
        return -1

    @cython.ccall
    def stop(self, reason: cython.int) -> cython.bint:
        """End here: the machine stays on the instruction at ``at``, which counts."""
        self.reason = reason
        self.index = self.at
        self.abandoned = True
        return False

    @cython.ccall
    def ask(self, wanted: cython.int) -> cython.bint:
        """Wait for input of this kind before the instruction at ``at``, or end because none will come."""
        self.wanted = wanted
        self.steps -= 1
        self.following = self.at
        if self.slot == 2:
            self.slot = 1
        return self.stop(reasons.INPUT_ENDED if self.closed else reasons.WAITS)

    @cython.ccall
    def fault(self, kind: cython.int, value: cython.uint) -> cython.bint:
        """An exception: to the program's handler, or over the instruction, or the end."""
        here: cython.uint = self.address(self.at)
        self.fault_kind = kind
        self.fault_value = value
        self.abandoned = True
        if not self.control[1] & 2 and self.enter_handler(kinds.CAUSES[kind] << 2, here):
            if kind < 10:
                self.control[0] = value
            return False
        if self.profile.ignores_exceptions:
            text: bytes | None = self.services.ignored(kind, value)
            if text is None:
                return self.stop(kinds.SERVICE_FAILED)
            self.slot = 0
            self.index = self.at + 1
            if self.records is not None:
                self.records.pass_over(here, text.decode("ascii").strip())
            self.print_bytes(text)
            return False
        return self.stop(reasons.EXCEPTION)

    @cython.cfunc
    def enter_handler(self, cause: cython.uint, back: cython.uint) -> cython.bint:
        """Go to the program's handler, which returns to the address ``back``; False where it has none."""
        handler: cython.longlong = self.code_index(kinds.HANDLER)
        if handler < 0 or not self.kernel_words:
            return False
        self.control[1] = self.control[1] | 2
        self.control[2] = (self.control[2] & ~0xF7C) | cause
        self.control[3] = back
        self.slot = 0
        self.index = handler
        return True

    @cython.cfunc
    def go(self, address: cython.uint) -> cython.bint:
        """Jump to an address that a register held: True, or the end when no code can be there."""
        mask: cython.uint = 0xFFFFFFFF
        target: cython.longlong = self.code_index(address)
        if target >= 0:
            self.jumped = True
            self.jump_target = target
            return True
        self.fault_value = address
        self.reason = (
            reasons.OFF_END if address & 3 == 0 and (address - 0x400000) & mask < 0x400000 else kinds.INVALID_PC
        )
        self.index = self.at
        self.abandoned = True
        return False

    @cython.cfunc
    def put(self, byte: cython.uint) -> cython.bint:
        """Show one byte; False, with the reason set, when that is one too many."""
        if self.printed >= self.output_limit:
            if self.reason == reasons.RUNNING:
                self.stop(reasons.OUTPUT_LIMIT)
            return False
        if self.filled == 1024:
            self.flush()
        self.buffer[self.filled] = byte
        self.filled += 1
        self.printed += 1
        self.looked = 0
        return True

    @cython.cfunc
    def flush(self) -> cython.bint:
        """Move what was printed to ``output``."""
        self.output += bytes(self.buffer[: self.filled])
        self.filled = 0
        return True

    @cython.cfunc
    def put_character(self, byte: cython.uint) -> cython.bint:
        """Show a character of Latin-1: as UTF-8 where the profile says so, else as its byte."""
        if byte < 0x80 or not self.profile.widens:
            return self.put(byte)
        return self.put(0xC0 | byte >> 6) and self.put(0x80 | (byte & 0x3F))

    # ------------------------------------------------------------------------------------------------------------- memory

    @cython.cfunc
    def place(self, address: cython.uint) -> cython.longlong:
        """The index of the word at ``address`` in ``memory``; -1 outside data, stack and kernel data."""
        mask: cython.uint = 0xFFFFFFFF
        offset: cython.uint = (address - 0x10000000) & mask
        if offset < self.data_bytes:
            return offset >> 2
        if (address - self.stack) & mask < self.stack_bytes:
            return (address >> 2) - 0x1FE00000  # STACK_PLACE - STACK // 4
        if address >> 20 == 0x900 and self.profile.touches_kernel:
            return 0x200000 + ((address & 0xFFFFF) >> 2)
        return -1

    @cython.cfunc
    def store_word(self, place: cython.longlong, word: cython.uint) -> cython.bint:
        """Put a word into memory, with all that a store has to tell."""
        self.memory[place] = word
        self.touched[place >> 10] = 1
        return True

    @cython.cfunc
    def slow_load(self, address: cython.uint, size: cython.uint) -> cython.uint:
        """The ``size`` bytes (1, 2, 4) at ``address`` as a number; if they cannot be read, the instruction is abandoned."""
        mask: cython.uint = 0xFFFFFFFF
        if address & (size - 1):
            self.fault(kinds.FETCH_WORD if size == 4 else kinds.FETCH_HALF, address)
            return 0
        place: cython.longlong = self.place(address)
        word: cython.uint
        if place >= 0:
            word = self.memory[place]
        elif address >> 16 == 0xFFFF and self.profile.touches_kernel:
            word = self.read_device(address & ~3)
        elif (address - 0x400000) & mask < 0x400000:
            if not self.profile.reads_text:
                self.fault(kinds.READ_TEXT, address)
                return 0
            word = self.services.read_text(address & ~3)
        else:
            self.fault(kinds.FETCH_RANGE, address)
            return 0
        if size == 4:
            return word
        return (word >> ((address & 3) << 3)) & (0xFF if size == 1 else 0xFFFF)

    @cython.cfunc
    def slow_store(self, address: cython.uint, size: cython.uint, value: cython.uint) -> cython.bint:
        """Store the low ``size`` bytes (1, 2, 4) of ``value``; the instruction is abandoned when that cannot be."""
        if address & (size - 1):
            return self.fault(kinds.STORE_WORD if size == 4 else kinds.STORE_HALF, address)
        place: cython.longlong = self.place(address)
        shift: cython.uint = (address & 3) << 3
        all_bits: cython.uint = 0xFFFFFFFF
        mask: cython.uint = all_bits if size == 4 else (0xFF if size == 1 else 0xFFFF) << shift
        if place < 0 and address >> 16 == 0xFFFF and self.profile.touches_kernel:
            place = 0x240000 + ((address & 0xFFFF) >> 2)
            self.store_word(place, (self.memory[place] & ~mask & all_bits) | (value << shift & mask))
            return self.write_device(address & ~3, value << shift & mask)
        if place >= 0:
            return self.store_word(place, (self.memory[place] & ~mask & all_bits) | (value << shift & mask))
        if (address - 0x400000) & all_bits < 0x400000:
            if not self.profile.writes_text:
                return self.fault(kinds.WRITE_TEXT, address)
            self.changes += 1
            if self.records is not None:
                self.records.patch(address & ~3, self.address(self.at))
            if self.services.write_text(address & ~3, mask, value << shift & mask):
                return True
            return self.stop(18)  # UNSUPPORTED
        return self.fault(kinds.STORE_RANGE, address)

    @cython.cfunc
    def read_device(self, address: cython.uint) -> cython.uint:
        """A device register: keyboard status and key, display status, display; all others are memory."""
        if address == 0xFFFF0000:
            interrupts: cython.uint = self.memory[0x240000] & 2
            return interrupts | 1 if self.ready() else interrupts
        if address == 0xFFFF0004:
            if self.position < len(self.typed):
                self.memory[0x240001] = self.typed[self.position]
                self.touched[0x240001 >> 10] = 1
                self.position += 1
                self.changes += 1
                self.looked = 0
                self.listen()
            return self.memory[0x240001]
        if address == 0xFFFF0008:
            return (self.memory[0x240002] & 2) | 1
        return self.memory[0x240000 + ((address & 0xFFFF) >> 2)]

    @cython.cfunc
    def write_device(self, address: cython.uint, value: cython.uint) -> cython.bint:
        """The display shows a byte, and is ready again; interrupts may have been switched on."""
        if address == 0xFFFF000C:
            self.displayed = self.memory[0x240002] & 2 != 0
            self.changes += 1
            if not self.put_character(value & 0xFF):
                return False
        elif address == 0xFFFF0008 and self.profile.masks_interrupts:
            self.displayed = True
            self.changes += 1
        return self.listen()

    # --------------------------------------------------------------------------------------------------------- interrupts

    @cython.cfunc
    def lets_through(self, bit: cython.uint) -> cython.bint:
        """Whether the status register allows an interrupt: enabled, no exception under way, and not masked."""
        return self.control[1] & 3 == 1 and (self.control[1] & bit != 0 or not self.profile.masks_interrupts)

    @cython.cfunc
    def hears(self) -> cython.bint:
        """Whether a key that is typed now interrupts the program."""
        return self.memory[0x240000] & 2 != 0 and self.lets_through(self.profile.keyboard_bit)

    @cython.cfunc
    def is_due(self) -> cython.bint:
        """Whether the keyboard or the display has an interrupt that is due. A key makes one."""
        if self.position < len(self.typed) and self.announced != self.position + 1 and self.hears():
            return True
        return self.displayed and self.memory[0x240002] & 2 != 0 and self.lets_through(self.profile.display_bit)

    @cython.cfunc
    def listen(self) -> cython.bint:
        """Something that interrupts depend on has changed: have ``run`` look, or watch for a program that idles."""
        if self.is_due():
            self.limit = self.steps
        elif self.hears():
            self.begin_watch(POLL_WINDOW)
        return True

    @cython.cfunc
    def interrupt(self) -> cython.bint:
        """Go to the program's handler before the next instruction, or print a line, or end."""
        bit: cython.uint = self.profile.display_bit
        if self.position < len(self.typed) and self.announced != self.position + 1 and self.hears():
            bit = self.profile.keyboard_bit
            self.announced = self.position + 1
        else:
            self.displayed = False
        self.changes += 1
        self.at = self.index
        self.fault_kind = kinds.INTERRUPT
        if self.enter_handler(bit, self.address(self.index)):
            return True
        if self.profile.ignores_exceptions:
            self.print_bytes(self.services.ignored(kinds.INTERRUPT, 0))
            return True
        return self.stop(reasons.EXCEPTION)

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
                self.ask(kinds.KEY)
                return False
        if self.looked < MAX_LOOKS:
            self.looks[self.looked] = self.at
            self.looked += 1
        self.polls += 1
        if not self.watching:
            self.begin_watch(POLL_WINDOW)
        return False

    # ------------------------------------------------------------------------------------------------------- system calls

    @cython.cfunc
    def system_call(self) -> cython.bint:
        """Serve the call whose number is in ``$v0``."""
        number: cython.uint = self.registers[2]
        if number == 1:
            return self.put_integer(self.registers[4])
        if number == 4:
            return self.put_string(self.registers[4])
        if number == 11:
            return self.put_character(self.registers[4] & 0xFF)
        if number == 10:
            return self.stop(reasons.HALTED)
        if number == 12 and self.profile.key_by_key and self.position < len(self.typed):
            self.registers[2] = self.typed[self.position]
            self.position += 1
            self.looked = 0
        else:
            cost: cython.longlong = self.services.serve(number)
            if self.reason != reasons.WAITS:  # it will be served again
                self.spent += cost
                self.limit -= cost
        if self.is_due():  # for the key behind the one that was taken
            self.limit = self.steps
        return True

    @cython.cfunc
    def put_integer(self, value: cython.uint) -> cython.bint:
        """Print a signed number in decimal."""
        mask: cython.uint = 0xFFFFFFFF
        sign: cython.uint = 0x80000000
        if value & sign:
            value = (0 - value) & mask
            if not self.put(45):
                return False
        scale: cython.uint = 1
        while value // scale > 9:
            scale *= 10
        while scale:
            if not self.put(48 + value // scale % 10):
                return False
            scale //= 10
        return True

    @cython.cfunc
    def put_string(self, address: cython.uint) -> cython.bint:
        """Print the bytes from ``address`` on up to a byte of 0."""
        mask: cython.uint = 0xFFFFFFFF
        place: cython.longlong
        word: cython.uint = 0
        left: cython.uint = 0
        while True:
            if left == 0:
                place = self.place(address)
                if place < 0:
                    return self.string_elsewhere(address)
                left = 4 - (address & 3)
                word = self.memory[place] >> ((address & 3) << 3)
            if self.refuses_unset and not self.known[place] >> (address & 3) & 1:
                return self.fault(kinds.UNSET_BYTE, address)
            if word & 0xFF == 0:
                return True
            if word & 0x80 or self.filled == 1024 or self.printed >= self.output_limit:
                if not (self.put(word & 0xFF) if self.profile.plain_strings else self.put_character(word & 0xFF)):
                    return False
            else:
                self.buffer[self.filled] = word & 0xFF
                self.filled += 1
                self.printed += 1
                self.looked = 0
            word >>= 8
            left -= 1
            address = (address + 1) & mask

    @cython.cfunc
    def string_elsewhere(self, address: cython.uint) -> cython.bint:
        """A string that leads out of data and stack: of text where it may be read, else an exception."""
        mask: cython.uint = 0xFFFFFFFF
        byte: cython.uint
        while (address - 0x400000) & mask < 0x400000 and self.profile.reads_text:
            byte = self.slow_load(address, 1)
            if byte == 0 or not self.put_character(byte):
                return True
            address += 1
        if (address - 0x400000) & mask < 0x400000:
            return self.fault(kinds.READ_TEXT, address)
        return self.fault(kinds.FETCH_RANGE, address)

    # -------------------------------------------------------------------------------------------------- rare instructions

    @cython.cfunc
    def slow(self, operation: cython.uint, word: cython.ulonglong) -> cython.bint:
        """An instruction that needs more than the arrays. It may set ``jumped`` and ``jump_target``."""
        if operation == 54:  # syscall
            number: cython.uint = self.registers[2]
            self.system_call()
            if self.records is not None and self.reason != reasons.WAITS and self.reason != reasons.INPUT_ENDED:
                self.records.trap(number, self.address(self.at))
            return True
        if operation >= 25 and operation <= 32:  # lw, sh
            return self.access(operation, word)
        if (operation >= 40 and operation <= 42) or operation == 55 or operation == 56:  # jal, jr, jalr, bltzal, bgezal
            return self.call_or_return(operation, word)
        if operation == 255:  # what _note_step says of an instruction that reads what nothing has set
            return self.fault(kinds.UNSET_REGISTER, self.unset)
        if operation == 0 or operation > 138:
            return self.no_instruction(operation, _immediate(word))
        if operation >= 95:  # add.s
            return self.float_operation(operation, word)
        if operation >= 84:  # mfc0
            return self.coprocessor(operation, word)
        if operation >= 72:  # teq
            return self.trap(operation, word)
        if operation >= 65 and operation <= 70:  # lwl, sc
            return self.unaligned(operation, word)
        return self.arithmetic(operation, word)

    @cython.cfunc
    def access(self, operation: cython.uint, word: cython.ulonglong) -> cython.bint:
        """lw, sw, lb, lbu, lh, lhu, sb, sh, anywhere."""
        mask: cython.uint = 0xFFFFFFFF
        address: cython.uint = _address(self.registers_at, word)
        size: cython.uint = 4 if operation <= 26 else 1 if operation <= 28 or operation == 31 else 2
        if operation == 26 or operation >= 31:
            return self.slow_store(address, size, self.registers[_c(word)])
        value: cython.uint = self.slow_load(address, size)
        if self.abandoned and not (self.profile.ignores_exceptions and self.reason == reasons.RUNNING):
            return False
        if operation == 27:  # lb
            value = ((value ^ 0x80) - 0x80) & mask
        elif operation == 29:  # lh
            value = ((value ^ 0x8000) - 0x8000) & mask
        self.registers[_a(word)] = value
        return True

    @cython.cfunc
    def call_or_return(self, operation: cython.uint, word: cython.ulonglong) -> cython.bint:
        """jal, jr, jalr, bltzal, bgezal, to anywhere, and told to the records."""
        mask: cython.uint = 0xFFFFFFFF
        sign: cython.uint = 0x80000000
        here: cython.uint = self.address(self.at)
        link: cython.uint = (here + (8 if self.delayed else 4)) & mask
        address: cython.uint = self.registers[_b(word)]
        if operation == 41:  # jr
            if self.records is not None:
                self.followed = self.records.jump(address)
            if address == self.return_address and _b(word) == 31 and not self.delayed:
                return self.stop(reasons.RETURNED)
            return self.go(address)
        if operation == 42:  # jalr writes its link before it reads where to go, as MARS does
            self.registers[_a(word)] = link
            address = self.registers[_b(word)]
            if self.records is not None:
                self.records.call(here, link, address)
            return self.go(address)
        if operation != 40 and (address & sign == 0) == (operation == 55):
            return True
        self.jumped = True
        self.jump_target = (word >> 8) & 0xFFFFFF if operation == 40 else _immediate(word)
        if self.records is not None:
            self.records.call(here, link, self.address(self.jump_target))
        self.registers[31] = link
        return True

    @cython.cfunc
    def arithmetic(self, operation: cython.uint, word: cython.ulonglong) -> cython.bint:
        """Instructions with registers alone that are seldom used or do not succeed."""
        mask: cython.uint = 0xFFFFFFFF
        a: cython.uint = _a(word)
        b: cython.uint = _b(word)
        if operation >= 22 and operation <= 24:  # add, sub, addi
            return self.fault(kinds.OVERFLOW, 0)
        if operation == 46 or operation == 47:  # div, divu
            return self.divide(operation, b, _c(word))
        if operation == 50:  # mthi
            self.registers[32] = self.registers[b]
        elif operation == 51:  # mtlo
            self.registers[33] = self.registers[b]
        elif operation == 57 or operation == 58:  # movf, movt
            if (self.conditions >> _immediate(word) & 1) == operation - 57:
                self.registers[a] = self.registers[b]
        elif operation == 63 or operation == 64:  # clz, clo
            self.registers[a] = _leading(self.registers[b] if operation == 63 else self.registers[b] ^ mask)
        elif operation == 71:  # break
            return self.profile.ignores_traps or self.fault(kinds.BREAK, _immediate(word))
        else:
            self.accumulate(operation, b, _c(word))
        return True

    @cython.cfunc
    def divide(self, operation: cython.uint, b: cython.uint, c: cython.uint) -> cython.bint:
        """div, divu by 0, which leaves HI and LO alone where it is no exception, or by a word of ones."""
        mask: cython.uint = 0xFFFFFFFF
        sign: cython.uint = 0x80000000
        value: cython.uint = self.registers[b]
        if self.registers[c] == 0:
            return not self.profile.refuses_zero or self.fault(kinds.ZERO_DIVISOR, 0)
        if value == sign and self.profile.keeps_least_quotient:
            return True
        if operation == 46:  # div by -1
            self.registers[32], self.registers[33] = 0, (0 - value) & mask
        else:
            self.registers[32], self.registers[33] = value % mask, value // mask
        return True

    @cython.cfunc
    def no_instruction(self, operation: cython.uint, immediate: cython.uint) -> cython.bint:
        """Handle places without code: a branch that leads outside, or a word that is no instruction."""
        mask: cython.uint = 0xFFFFFFFF
        if operation == 139:  # ILLEGAL_WORD
            if self.kernel_words or self.profile.ignores_exceptions:
                return self.fault(kinds.RESERVED, immediate)
            self.fault_kind, self.fault_value = kinds.RESERVED, immediate
            return self.stop(reasons.ILLEGAL)
        self.steps -= 1
        self.following = self.at
        self.fault_value = self.address(self.at)
        # Without delayed branches a return stops where `jr $ra` is: a `jr $s2` with 0 in $s2 was told as the end of `main`.
        if self.delayed and self.fault_value == self.return_address:
            return self.stop(reasons.RETURNED)
        return self.stop(reasons.OFF_END if (self.fault_value - kinds.TEXT) & mask < 0x400000 else kinds.INVALID_PC)

    @cython.cfunc
    def accumulate(self, operation: cython.uint, b: cython.uint, c: cython.uint) -> cython.bint:
        """madd, maddu, msub, msubu: HI and LO as one number of 64 bits, which wraps around."""
        mask: cython.uint = 0xFFFFFFFF
        sign: cython.uint = 0x80000000
        whole: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        total: cython.ulonglong = self.registers[32]
        product: cython.ulonglong = self.registers[b]
        left: cython.longlong = self.registers[b]
        right: cython.longlong = self.registers[c]
        if operation == 59 or operation == 61:  # madd, msub
            product = (((left ^ sign) - sign) * ((right ^ sign) - sign)) & whole
        else:
            product *= self.registers[c]
        total = total << 32 | self.registers[33]
        total = (total + product if operation <= 60 else total - product) & whole
        self.registers[32] = total >> 32
        self.registers[33] = total & mask
        return True

    @cython.cfunc
    def trap(self, operation: cython.uint, word: cython.ulonglong) -> cython.bint:
        """teq, tne, tge, tgeu, tlt, tltu, and the same with an immediate."""
        sign: cython.uint = 0x80000000
        left: cython.uint = self.registers[_b(word)]
        right: cython.uint = _immediate(word) if operation > 77 else self.registers[_c(word)]
        which: cython.uint = operation - 78 if operation > 77 else operation - 72
        if which == 2 or which == 4:
            left ^= sign
            right ^= sign
        met: cython.bint = left < right
        if which == 0:
            met = left == right
        elif which == 1:
            met = left != right
        elif which == 2 or which == 3:
            met = left >= right
        return not met or self.profile.ignores_traps or self.fault(kinds.TRAP, 0)

    @cython.cfunc
    def coprocessor(self, operation: cython.uint, word: cython.ulonglong) -> cython.bint:
        """Moves from and to coprocessors, ``eret``, branches on a flag, loads and stores of floats."""
        a: cython.uint = _a(word)
        b: cython.uint = _b(word)
        c: cython.uint = _c(word)
        address: cython.uint = _address(self.registers_at, word)
        if operation == 84 or operation == 85:  # mfc0, mtc0
            return self.control_move(operation, a, b, c)
        if operation == 86:  # eret
            self.control[1] &= ~2
            if self.go(self.control[3]):  # it goes at once, delayed branching or not
                self.index, self.jumped, self.abandoned = self.jump_target, False, True
                self.listen()
        elif operation == 87:  # mfc1
            self.registers[a] = self.float_bits[b]
        elif operation == 88:  # mtc1
            self.float_bits[b] = self.registers[c]
        elif operation == 89 or operation == 90:  # bc1f, bc1t
            self.jumped = (self.conditions >> a & 1) == operation - 89
            self.jump_target = _immediate(word)
        elif operation == 91:  # lwc1
            address = self.slow_load(address, 4)
            if not self.abandoned:
                self.float_bits[a] = address
        elif operation == 92:  # swc1
            self.slow_store(address, 4, self.float_bits[c])
        else:
            self.double_move(operation, a if operation == 93 else c, address)
        return True

    @cython.cfunc
    def double_move(self, operation: cython.uint, register: cython.uint, address: cython.uint) -> cython.bint:
        """ldc1, sdc1."""
        if register & 1:
            return self.fault(kinds.ODD_REGISTER, 2)
        if address & 7:
            return self.fault(kinds.FETCH_DOUBLE if operation == 93 else kinds.STORE_DOUBLE, address)
        if operation == 94:
            return self.slow_store(address, 4, self.float_bits[register]) and self.slow_store(
                address + 4, 4, self.float_bits[register + 1]
            )
        low: cython.uint = self.slow_load(address, 4)
        if not self.abandoned:
            self.float_bits[register] = low
            self.float_bits[register + 1] = self.slow_load(address + 4, 4)
        return True

    @cython.cfunc
    def control_move(self, operation: cython.uint, a: cython.uint, b: cython.uint, c: cython.uint) -> cython.bint:
        """mfc0, mtc0: registers 8, 12, 13 and 14 exist."""
        place: cython.int = 0 if b == 8 else b - 11 if 12 <= b <= 14 else -1
        if operation == 84:
            self.registers[a] = self.control[place] if place >= 0 else 0
        elif place >= 0:
            self.control[place] = self.registers[c]
            self.listen()
        return True

    @cython.cfunc
    def unaligned(self, operation: cython.uint, word: cython.ulonglong) -> cython.bint:
        """lwl, lwr, swl, swr, ll, sc, in the order of a little-endian machine."""
        mask: cython.uint = 0xFFFFFFFF
        address: cython.uint = _address(self.registers_at, word)
        a: cython.uint = _a(word)
        left: cython.uint = self.registers[_c(word)]
        base: cython.uint = address if operation >= 69 else address & ~3
        shift: cython.uint = (address & 3) << 3
        value: cython.uint
        if operation == 70:  # sc
            if self.slow_store(address, 4, left):
                self.registers[a] = 1
            return True
        value = self.slow_load(base, 4)
        if self.abandoned:
            return False
        if operation == 65:  # lwl
            self.registers[a] = (value << (24 - shift) & mask) | (left & ((1 << (24 - shift)) - 1))
        elif operation == 66:  # lwr
            self.registers[a] = value >> shift | (left & ~(mask >> shift) & mask)
        elif operation == 67:  # swl
            self.slow_store(base, 4, left >> (24 - shift) | (value & ~(mask >> (24 - shift)) & mask))
        elif operation == 68:  # swr
            self.slow_store(base, 4, (left << shift & mask) | (value & ((1 << shift) - 1)))
        else:  # ll
            self.registers[a] = value
        return True

    # -------------------------------------------------------------------------------------------------------------- floats

    @cython.cfunc
    def float_operation(self, operation: cython.uint, word: cython.ulonglong) -> cython.bint:
        """Arithmetic, comparisons, conversions and conditional moves of floats.

        Singles are reckoned as doubles and rounded once, which for these operations comes to the same.
        """
        a: cython.uint = _a(word)
        b: cython.uint = _b(word)
        c: cython.uint = _c(word)
        double: cython.bint = operation >= 116 and operation <= 136
        form: cython.uint = operation - 21 if double else operation  # the operation of the single form
        two: cython.bint = form <= 98 or (form >= 113 and form <= 115)
        converts: cython.bint = form == 111  # cvt.s.d, cvt.d.s
        to_single: cython.bint = double == converts and operation != 138  # cvt.d.w
        to_whole: cython.bint = form == 112 or (form >= 103 and form <= 106)
        if double and ((b & 1) or (two and c & 1) or (a & 1 and not to_whole and form < 113 and not converts)):
            return self.fault(kinds.ODD_REGISTER, 0 if form <= 98 else 3 if to_whole or converts else 1)
        if (operation == 111 or operation == 138) and a & 1:  # cvt.d.s, cvt.d.w
            return self.fault(kinds.ODD_REGISTER, 2)
        left: cython.double = self.doubles[b >> 1] if double else self.singles[b]
        right: cython.double = 0.0
        if two:
            right = self.doubles[c >> 1] if double else self.singles[c]
        if two and form >= 113:  # c.eq, c.lt, c.le
            self.compare(form, left, right, _immediate(word))
        elif to_whole:
            self.float_bits[a] = to_word(left, form - 103 if form <= 106 else 1)
        elif form >= 100 and form <= 110:
            if form <= 102 or self.move_is_due(form, c, _immediate(word)):
                self.move_float(form, a, b, double)
        else:
            left = _signed(self.float_bits[b]) if operation >= 137 else _float_result(form, left, right)
            self.set_float(a, left, to_single)
        return True

    @cython.cfunc
    def move_float(self, form: cython.uint, a: cython.uint, b: cython.uint, double: cython.bint) -> cython.bint:
        """abs, mov, neg and conditional moves: they copy bits, and abs and neg change the sign."""
        sign: cython.uint = 0x80000000
        upper: cython.uint = self.float_bits[b + double]
        if double:
            self.float_bits[a] = self.float_bits[b]
        if form == 100:
            upper &= ~sign
        elif form == 102:
            upper ^= sign
        self.float_bits[a + double] = upper
        return True

    @cython.cfunc
    def set_float(self, a: cython.uint, value: cython.double, single: cython.bint) -> cython.bint:
        """Put a result into a register. There is one NaN, that of the profile, on every platform."""
        if single:
            self.singles[a] = value
            if self.float_bits[a] & 0x7FFFFFFF > 0x7F800000:
                self.float_bits[a] = self.nan_sign | 0x7FC00000
        else:
            self.doubles[a >> 1] = value
            if value != value:  # noqa: PLR0124 -- a NaN
                self.float_bits[a] = 0
                self.float_bits[a + 1] = self.nan_sign | 0x7FF80000
        return True

    @cython.cfunc
    def move_is_due(self, operation: cython.uint, c: cython.uint, immediate: cython.uint) -> cython.bint:
        """movf, movt, movz, movn: whether the condition holds."""
        if operation <= 108:
            return (self.conditions >> immediate & 1) == operation - 107
        return (self.registers[c] != 0) == (operation == 110)

    @cython.cfunc
    def compare(
        self, operation: cython.uint, left: cython.double, right: cython.double, flag: cython.uint
    ) -> cython.bint:
        """Set a flag; with a NaN no comparison holds."""
        holds: cython.bint = left == right if operation == 113 else left < right if operation == 114 else left <= right
        self.conditions = (self.conditions & ~(1 << flag) & 0xFF) | (1 << flag if holds else 0)
        return True


@cython.cfunc
@cython.inline
def _signed(value: cython.uint) -> cython.double:
    sign: cython.uint = 0x80000000
    wide: cython.longlong = value
    return (wide ^ sign) - sign


@cython.cfunc
def _float_result(form: cython.uint, left: cython.double, right: cython.double) -> cython.double:
    """add, sub, mul, div, sqrt; a conversion leaves the value alone."""
    if form == 95:
        return left + right
    if form == 96:
        return left - right
    if form == 97:
        return left * right
    if form == 98:
        return quotient(left, right)
    if form == 99:
        return root(left)
    return left


@cython.cfunc
def _leading(value: cython.uint) -> cython.uint:
    """How many zeros a word begins with."""
    count: cython.uint = 32
    while value:
        count -= 1
        value >>= 1
    return count


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _word_at(
    address: cython.uint, data: cython.uint, stack: cython.uint, depth: cython.uint, lowest: cython.uint
) -> cython.longlong:
    """The index of the word at ``address`` in memory; -1 outside data and stack, and if no word begins there.

    There are ``data`` words of data, and ``depth`` words of stack from ``lowest`` on.
    """
    mask: cython.uint = 0xFFFFFFFF
    offset: cython.uint = (address - 0x10000000) & mask
    offset = (offset >> 2 | offset << 30) & mask  # an address that is no multiple of 4 becomes too large
    if offset < data:
        return offset
    offset = (address - stack) & mask
    offset = (offset >> 2 | offset << 30) & mask
    if offset < depth:
        offset += lowest
        return offset
    return -1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _stack_word_at(
    address: cython.uint, data: cython.uint, stack: cython.uint, depth: cython.uint, lowest: cython.uint
) -> cython.longlong:
    """The same, sooner for an address in the stack."""
    mask: cython.uint = 0xFFFFFFFF
    offset: cython.uint = (address - stack) & mask
    offset = (offset >> 2 | offset << 30) & mask
    if offset < depth:
        offset += lowest
        return offset
    return _word_at(address, data, stack, depth, lowest)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _text_index(address: cython.uint) -> cython.uint:
    """The index of the instruction at ``address``, if there is text; any other address becomes too large."""
    mask: cython.uint = 0xFFFFFFFF
    offset: cython.uint = (address - 0x400000) & mask
    return (offset >> 2 | offset << 30) & mask


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _a(word: cython.ulonglong) -> cython.uint:
    """The first field of an entry of code: the register that is written."""
    return (word >> 8) & 0xFF


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _b(word: cython.ulonglong) -> cython.uint:
    return (word >> 16) & 0xFF


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _c(word: cython.ulonglong) -> cython.uint:
    return (word >> 24) & 0xFF


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _immediate(word: cython.ulonglong) -> cython.uint:
    return word >> 32


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _address(registers: cython.p_uint, word: cython.ulonglong) -> cython.uint:
    """The address that a load or store is about."""
    mask: cython.uint = 0xFFFFFFFF
    return (registers[_b(word)] + _immediate(word)) & mask


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _add_immediate(registers: cython.p_uint, word: cython.ulonglong, checked: cython.bint) -> cython.bint:
    """Run an ``addiu``, or (``checked``) an ``addi``: False, and nothing is done, where that overflows."""
    mask: cython.uint = 0xFFFFFFFF
    sign: cython.uint = 0x80000000
    first: cython.uint = registers[_b(word)]
    second: cython.uint = _immediate(word)
    value: cython.uint = (first + second) & mask
    if checked and (first ^ value) & (second ^ value) & sign:
        return False
    registers[_a(word)] = value
    return True


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _add(registers: cython.p_uint, word: cython.ulonglong, checked: cython.bint) -> cython.bint:
    """Run an ``addu``, or (``checked``) an ``add``: False, and nothing is done, where that overflows."""
    mask: cython.uint = 0xFFFFFFFF
    sign: cython.uint = 0x80000000
    first: cython.uint = registers[_b(word)]
    second: cython.uint = registers[_c(word)]
    value: cython.uint = (first + second) & mask
    if checked and (first ^ value) & (second ^ value) & sign:
        return False
    registers[_a(word)] = value
    return True


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _sync(core: Core, index: cython.uint, steps: cython.longlong, turned: cython.uint) -> cython.int:
    """Write down where the loop is: before the instruction at ``index``."""
    core.index = core.following = index
    core.steps, core.turned = steps, turned
    return 0


@cython.cfunc
def _note_step(core: Core, here: cython.uint, word: cython.ulonglong) -> cython.uint:
    """An instruction is about to run: its operation, or 255 where it reads what nothing has set."""
    operation: cython.uint = word & 0xFF
    if operation:
        core.marks[here] = 1
        if core.followed:
            _note_use(core, word)
        if core.refuses_unset and not _all_set(core, word):
            return 255
    return operation


@cython.cfunc
def _note_use(core: Core, word: cython.ulonglong) -> cython.bint:
    """Some registers are followed: tell the records if the instruction reads, stores or writes any of them."""
    uses: cython.uint = core.uses[word & 0xFF]
    one: cython.ulonglong = 1
    reads: cython.ulonglong = one << _b(word) if uses & 1 else 0
    stores: cython.ulonglong = one << _c(word) if uses & 8 else 0
    writes: cython.ulonglong = one << _a(word) if uses & 4 else 0
    followed: cython.ulonglong = core.followed
    if uses & 2:
        reads |= one << _c(word)
    if (reads | stores | writes) & followed:
        core.followed = core.records.used(reads & followed, stores & followed, writes & followed)
    return True


@cython.cfunc
def _all_set(core: Core, word: cython.ulonglong) -> cython.bint:
    """Whether all registers that an instruction reads have been set; notes which it sets, and which bytes of memory."""
    operation: cython.uint = word & 0xFF
    uses: cython.uint = core.uses[operation]
    accesses: cython.bint = (operation >= 25 and operation <= 32) or (operation >= 65 and operation <= 70)
    one: cython.ulonglong = 1
    both: cython.ulonglong = one << 32 | one << 33  # HI, LO
    reads: cython.ulonglong = one << _b(word) if uses & 1 else 0
    sets: cython.ulonglong = one << _a(word) if uses & 4 else 0
    if uses & 2 and not accesses:  # lwl and lwr hand on what they leave as it is
        reads |= one << _c(word)
    if operation == 40 or operation == 55 or operation == 56:  # jal, bltzal, bgezal
        sets = one << 31
    elif (operation >= 44 and operation <= 47) or (operation >= 59 and operation <= 62):  # mult, div, madd, msub
        sets = both
        if operation >= 59:
            reads |= both
    elif operation == 48 or operation == 49:  # mfhi, mflo
        reads = one << (operation - 16)
    elif operation == 50 or operation == 51:  # mthi, mtlo
        sets = one << (operation - 18)
    elif (operation == 52 or operation == 53) and (core.registers[_c(word)] == 0) != (operation == 52):  # movz, movn
        reads, sets = one << _c(word), 0
    elif operation == 54:  # syscall
        reads, sets = _of_call(core.registers[2])
    reads &= ~core.set_registers
    if reads:
        core.unset = 0
        while not reads & 1:
            reads >>= 1
            core.unset += 1
        return False
    core.set_registers |= sets
    if operation == 43:  # mul leaves HI and LO open
        core.set_registers &= ~both
    if accesses:
        _hand_on(core, word, operation)
    return True


@cython.cfunc
def _of_call(number: cython.uint) -> tuple[cython.ulonglong, cython.ulonglong]:
    """The registers that a system call reads and sets."""
    reads: cython.ulonglong = 1 << 2
    if number == 8:
        reads |= 1 << 4 | 1 << 5
    elif number == 1 or number == 4 or number == 9 or number == 11:
        reads |= 1 << 4
    sets: cython.ulonglong = 1 << 2 if number == 5 or number == 9 or number == 12 else 0
    return reads, sets


@cython.cfunc
def _hand_on(core: Core, word: cython.ulonglong, operation: cython.uint) -> cython.bint:
    """A load sets its register if all bytes are set that it reads; a store sets them if its register is, else unsets them."""
    mask: cython.uint = 0xFFFFFFFF
    one: cython.ulonglong = 1
    register: cython.ulonglong
    address: cython.uint = (core.registers[_b(word)] + _immediate(word)) & mask
    place: cython.longlong = core.place(address)
    wide: cython.bint = operation == 25 or operation == 26 or operation >= 65
    half: cython.bint = operation == 29 or operation == 30 or operation == 32
    parts: cython.uint = 15 if wide else ((3 if half else 1) << (address & 3)) & 15
    if core.uses[operation] & 8:
        register = one << _c(word)
        if place >= 0:
            before: cython.uint = core.known[place]
            core.known[place] = before | parts if core.set_registers & register else before & ~parts
            core.changes += core.known[place] != before
        if operation == 70:  # sc
            core.set_registers |= one << _a(word)
        return True
    register = one << _a(word)
    if place < 0 or core.known[place] & parts == parts:
        core.set_registers |= register
    else:
        core.set_registers &= ~register
    return True


@cython.cfunc
@cython.inline
def _run(core: Core, quick: cython.bint, observed: cython.bint, delayed: cython.bint) -> cython.int:
    """Execute instructions until ``core.limit`` of them are done, or ``Core.run`` has something to look at.

    The quick loop is done when the limit is near: between two backward jumps there is no more than all of the code, so
    only they look at it. The number that turns the index into the number of steps changes with each jump.
    """
    mask: cython.uint = 0xFFFFFFFF
    sign: cython.uint = 0x80000000
    upper: cython.uint = 0xFFFF0000
    memory: cython.p_uint = core.memory_at
    touched: cython.p_uchar = core.touched_at
    code: cython.p_ulonglong = core.quick_at if quick else core.code_at
    registers: cython.p_uint = core.registers_at
    turns: cython.p_ulonglong = core.turns_at
    data: cython.uint = core.data_bytes >> 2
    stack: cython.uint = core.stack
    depth: cython.uint = core.stack_bytes >> 2
    lowest: cython.uint = (stack >> 2) - 0x1FE00000  # STACK_PLACE - STACK // 4
    turned: cython.uint
    index: cython.ulonglong = core.index  # of the instruction that comes next: behind the one under way
    target: cython.ulonglong
    steps: cython.longlong = core.steps
    offset: cython.longlong = steps - index
    limit: cython.longlong = core.limit
    soon: cython.longlong = limit - len(core.code)
    base_index: cython.ulonglong = core.base_index
    rebase_at: cython.longlong = core.rebase_at
    tellers: cython.p_uint = core.tellers
    telling: cython.uint = core.telling
    telling_value: cython.uint = core.telling_value
    word: cython.ulonglong
    operation: cython.uint
    value: cython.uint
    first: cython.uint
    second: cython.uint
    shift: cython.uint
    place: cython.longlong
    left: cython.longlong
    right: cython.longlong
    wide: cython.ulonglong
    turned = core.turned
    if core.following != index:
        target = core.following
        turns[turned & 31] = target << 32 | index
        turned += 1
    while True:  # a round for each jump
        while True:  # a round for each instruction, or sequence of them
            if not quick:
                steps = offset + index
                if steps >= limit:
                    return _sync(core, index, steps, turned)
                if delayed and core.slot:
                    core.slot += 1
                    if core.slot == 3:  # the one behind the branch is done
                        target = core.pending
                        break
            word = code[index]
            operation = word & 0xFF
            index += 1
            if observed:
                operation = _note_step(core, index - 1, word)
            if operation == 33:  # beq
                if registers[_b(word)] != registers[_c(word)]:
                    continue
                target = _immediate(word)
                break
            elif operation == 34:  # bne
                if registers[_b(word)] == registers[_c(word)]:
                    continue
                target = _immediate(word)
                break
            elif operation == 35:  # blez
                value = registers[_b(word)]
                if value and not value & sign:
                    continue
                target = _immediate(word)
                break
            elif operation == 36:  # bgtz
                value = registers[_b(word)]
                if not value or value & sign:
                    continue
                target = _immediate(word)
                break
            elif operation == 37:  # bltz
                if not registers[_b(word)] & sign:
                    continue
                target = _immediate(word)
                break
            elif operation == 38:  # bgez
                if registers[_b(word)] & sign:
                    continue
                target = _immediate(word)
                break
            elif operation == 39:  # j
                target = _immediate(word)
                break
            elif operation == 40:  # jal
                if not observed:
                    registers[31] = _immediate(word)
                    target = (word >> 8) & 0xFFFFFF
                    break
            elif operation == 41:  # jr
                value = registers[_b(word)]
                target = _text_index(value)
                if target < core.text_words and value != core.return_address and not observed:
                    break
            elif operation == 24:  # addi
                if _add_immediate(registers, word, True):
                    continue
            elif operation == 15:  # addiu
                _add_immediate(registers, word, False)
                continue
            elif operation == 22:  # add
                if _add(registers, word, True):
                    continue
            elif operation == 7:  # addu
                _add(registers, word, False)
                continue
            elif operation == 23:  # sub
                first = registers[_b(word)]
                second = registers[_c(word)]
                value = (first - second) & mask
                if not (first ^ second) & (first ^ value) & sign:
                    registers[_a(word)] = value
                    continue
            elif operation == 8:  # subu
                registers[_a(word)] = (registers[_b(word)] - registers[_c(word)]) & mask
                continue
            elif operation == 25:  # lw
                place = _word_at(_address(registers, word), data, stack, depth, lowest)
                if place >= 0:
                    registers[_a(word)] = memory[place]
                    continue
            elif operation == 26:  # sw
                place = _word_at(_address(registers, word), data, stack, depth, lowest)
                if place >= 0:
                    memory[place] = registers[_c(word)]
                    touched[place >> 10] = 1
                    continue
            elif operation == 27 or operation == 28:  # lb, lbu
                value = _address(registers, word)
                place = _word_at(value & ~3 & mask, data, stack, depth, lowest)
                if place >= 0:
                    value = (memory[place] >> ((value & 3) << 3)) & 0xFF
                    registers[_a(word)] = ((value ^ 0x80) - 0x80) & mask if operation == 27 else value
                    continue
            elif operation == 29 or operation == 30:  # lh, lhu
                value = _address(registers, word)
                place = _word_at(value & ~2 & mask, data, stack, depth, lowest)
                if place >= 0:
                    value = (memory[place] >> ((value & 2) << 3)) & 0xFFFF
                    registers[_a(word)] = ((value ^ 0x8000) - 0x8000) & mask if operation == 29 else value
                    continue
            elif operation == 31:  # sb
                value = _address(registers, word)
                place = _word_at(value & ~3 & mask, data, stack, depth, lowest)
                if place >= 0:
                    shift = (value & 3) << 3
                    memory[place] = (memory[place] & ~(0xFF << shift) & mask) | (registers[_c(word)] & 0xFF) << shift
                    touched[place >> 10] = 1
                    continue
            elif operation == 32:  # sh
                value = _address(registers, word)
                place = _word_at(value & ~2 & mask, data, stack, depth, lowest)
                if place >= 0:
                    shift = (value & 2) << 3
                    value = (registers[_c(word)] & 0xFFFF) << shift
                    memory[place] = (memory[place] & ~(0xFFFF << shift) & mask) | value
                    touched[place >> 10] = 1
                    continue
            elif operation == 1:  # sll
                registers[_a(word)] = (registers[_c(word)] << _immediate(word)) & mask
                continue
            elif operation == 2:  # srl
                registers[_a(word)] = registers[_c(word)] >> _immediate(word)
                continue
            elif operation == 3 or operation == 6:  # sra, srav
                shift = _immediate(word) if operation == 3 else registers[_b(word)] & 31
                left = registers[_c(word)]
                left = (left ^ sign) - sign
                registers[_a(word)] = (left >> shift) & mask
                continue
            elif operation == 4:  # sllv
                registers[_a(word)] = (registers[_c(word)] << (registers[_b(word)] & 31)) & mask
                continue
            elif operation == 5:  # srlv
                registers[_a(word)] = registers[_c(word)] >> (registers[_b(word)] & 31)
                continue
            elif operation == 9:  # and
                registers[_a(word)] = registers[_b(word)] & registers[_c(word)]
                continue
            elif operation == 10:  # or
                registers[_a(word)] = registers[_b(word)] | registers[_c(word)]
                continue
            elif operation == 11:  # xor
                registers[_a(word)] = registers[_b(word)] ^ registers[_c(word)]
                continue
            elif operation == 12:  # nor
                registers[_a(word)] = (registers[_b(word)] | registers[_c(word)]) ^ mask
                continue
            elif operation == 13:  # slt
                registers[_a(word)] = registers[_b(word)] ^ sign < registers[_c(word)] ^ sign
                continue
            elif operation == 14:  # sltu
                registers[_a(word)] = registers[_b(word)] < registers[_c(word)]
                continue
            elif operation == 16:  # andi
                registers[_a(word)] = registers[_b(word)] & _immediate(word)
                continue
            elif operation == 17:  # ori
                registers[_a(word)] = registers[_b(word)] | _immediate(word)
                continue
            elif operation == 18:  # xori
                registers[_a(word)] = registers[_b(word)] ^ _immediate(word)
                continue
            elif operation == 19:  # slti
                registers[_a(word)] = registers[_b(word)] ^ sign < _immediate(word) ^ sign
                continue
            elif operation == 20:  # sltiu
                registers[_a(word)] = registers[_b(word)] < _immediate(word)
                continue
            elif operation == 21:  # lui
                registers[_a(word)] = _immediate(word)
                continue
            elif operation == 48:  # mfhi
                registers[_a(word)] = registers[32]
                continue
            elif operation == 49:  # mflo
                registers[_a(word)] = registers[33]
                continue
            elif operation == 43 or operation == 44:  # mul, mult
                left = registers[_b(word)]
                right = registers[_c(word)]
                left = ((left ^ sign) - sign) * ((right ^ sign) - sign)
                registers[32] = (left >> 32) & mask
                registers[33] = left & mask
                if operation == 43:
                    registers[_a(word)] = left & mask
                continue
            elif operation == 45:  # multu
                wide = registers[_b(word)]
                wide *= registers[_c(word)]
                registers[32] = wide >> 32
                registers[33] = wide & mask
                continue
            elif operation == 46:  # div
                first = registers[_b(word)]
                second = registers[_c(word)]
                if second and second != mask:
                    left = first
                    left = (left ^ sign) - sign
                    right = second
                    right = (right ^ sign) - sign
                    value = (-left if left < 0 else left) // (-right if right < 0 else right)
                    if (first ^ second) & sign:
                        value = (0 - value) & mask
                    registers[33] = value
                    registers[32] = (first - value * second) & mask
                    continue
            elif operation == 47:  # divu
                first = registers[_b(word)]
                second = registers[_c(word)]
                if second and second != mask:
                    registers[33] = first // second
                    registers[32] = first % second
                    continue
            elif operation == 52 or operation == 53:  # movz, movn
                if (registers[_c(word)] == 0) == (operation == 52):
                    registers[_a(word)] = registers[_b(word)]
                continue
            elif operation == 141:  # lui ori
                registers[_a(word)] = _immediate(word) & upper
                registers[_b(word)] = _immediate(word)
                index += 1
                continue
            elif operation == 142 or operation == 143:  # addi bne; addiu bne
                if _add_immediate(registers, word, operation == 142):
                    word = code[index]
                    index += 1
                    if registers[_b(word)] == registers[_c(word)]:
                        continue
                    target = _immediate(word)
                    break
            elif operation == 144 or operation == 145:  # addi beq; addiu beq
                if _add_immediate(registers, word, operation == 144):
                    word = code[index]
                    index += 1
                    if registers[_b(word)] != registers[_c(word)]:
                        continue
                    target = _immediate(word)
                    break
            elif operation == 146 or operation == 147:  # addi bgtz; addiu bgtz
                if _add_immediate(registers, word, operation == 146):
                    word = code[index]
                    index += 1
                    value = registers[_b(word)]
                    if not value or value & sign:
                        continue
                    target = _immediate(word)
                    break
            elif operation == 148 or operation == 149:  # addi jal; addiu jal
                if _add_immediate(registers, word, operation == 148):
                    word = code[index]
                    index += 1
                    registers[31] = _immediate(word)
                    target = (word >> 8) & 0xFFFFFF
                    break
            elif operation == 150 or operation == 151:  # addi jr; addiu jr
                if _add_immediate(registers, word, operation == 150):
                    value = registers[_b(code[index])]
                    index += 1
                    target = _text_index(value)
                    if target < core.text_words and value != core.return_address:
                        break
            elif operation == 152 or operation == 153:  # addi slt bne; addiu slt bne
                if _add_immediate(registers, word, operation == 152):
                    word = code[index]
                    value = registers[_b(word)] ^ sign < registers[_c(word)] ^ sign
                    registers[_a(word)] = value
                    index += 2
                    if not value:
                        continue
                    target = _immediate(code[index - 1])
                    break
            elif operation == 154:  # slti bne
                value = registers[_b(word)] ^ sign < _immediate(word) ^ sign
                registers[_a(word)] = value
                index += 1
                if not value:
                    continue
                target = _immediate(code[index - 1])
                break
            elif operation == 155:  # slt beq
                value = registers[_b(word)] ^ sign < registers[_c(word)] ^ sign
                registers[_a(word)] = value
                index += 1
                if value:
                    continue
                target = _immediate(code[index - 1])
                break
            elif operation == 156 or operation == 157:  # add lw; addu lw
                if _add(registers, word, operation == 156):
                    word = code[index]
                    index += 1
                    place = _word_at(_address(registers, word), data, stack, depth, lowest)
                    if place >= 0:
                        registers[_a(word)] = memory[place]
                        continue
            elif operation == 158 or operation == 159:  # add lb; addu lb
                if _add(registers, word, operation == 158):
                    word = code[index]
                    index += 1
                    value = _address(registers, word)
                    place = _word_at(value & ~3 & mask, data, stack, depth, lowest)
                    if place >= 0:
                        registers[_a(word)] = ((((memory[place] >> ((value & 3) << 3)) & 0xFF) ^ 0x80) - 0x80) & mask
                        continue
            elif operation == 160 or operation == 161:  # add sb; addu sb
                if _add(registers, word, operation == 160):
                    word = code[index]
                    index += 1
                    value = _address(registers, word)
                    place = _word_at(value & ~3 & mask, data, stack, depth, lowest)
                    if place >= 0:
                        shift = (value & 3) << 3
                        value = (registers[_c(word)] & 0xFF) << shift
                        memory[place] = (memory[place] & ~(0xFF << shift) & mask) | value
                        touched[place >> 10] = 1
                        continue
            elif operation == 162 or operation == 163:  # add addiu; addu addiu
                if _add(registers, word, operation == 162):
                    _add_immediate(registers, code[index], False)
                    index += 1
                    continue
            elif operation == 164 or operation == 165:  # add j; addu j
                if _add(registers, word, operation == 164):
                    target = _immediate(code[index])
                    index += 1
                    break
            elif operation == 166 or operation == 167:  # add add; addu addu
                if _add(registers, word, operation == 166):
                    word = code[index]
                    index += 1
                    if _add(registers, word, operation == 166):
                        continue
            elif operation == 168:  # sll sll
                registers[_a(word)] = (registers[_c(word)] << _immediate(word)) & mask
                word = code[index]
                index += 1
                registers[_a(word)] = (registers[_c(word)] << _immediate(word)) & mask
                continue
            elif operation == 169:  # lw lw
                place = _word_at(_address(registers, word), data, stack, depth, lowest)
                if place >= 0:
                    registers[_a(word)] = memory[place]
                    word = code[index]
                    index += 1
                    place = _word_at(_address(registers, word), data, stack, depth, lowest)
                    if place >= 0:
                        registers[_a(word)] = memory[place]
                        continue
            elif operation == 170:  # lw bne
                place = _word_at(_address(registers, word), data, stack, depth, lowest)
                if place >= 0:
                    registers[_a(word)] = memory[place]
                    word = code[index]
                    index += 1
                    if registers[_b(word)] == registers[_c(word)]:
                        continue
                    target = _immediate(word)
                    break
            elif operation == 171:  # lw addi
                place = _word_at(_address(registers, word), data, stack, depth, lowest)
                if place >= 0:
                    registers[_a(word)] = memory[place]
                    word = code[index]
                    index += 1
                    if _add_immediate(registers, word, True):
                        continue
            elif operation == 172:  # lb lb
                value = _address(registers, word)
                place = _word_at(value & ~3 & mask, data, stack, depth, lowest)
                if place >= 0:
                    registers[_a(word)] = ((((memory[place] >> ((value & 3) << 3)) & 0xFF) ^ 0x80) - 0x80) & mask
                    word = code[index]
                    index += 1
                    value = _address(registers, word)
                    place = _word_at(value & ~3 & mask, data, stack, depth, lowest)
                    if place >= 0:
                        registers[_a(word)] = ((((memory[place] >> ((value & 3) << 3)) & 0xFF) ^ 0x80) - 0x80) & mask
                        continue
            elif operation == 173:  # lb bne
                value = _address(registers, word)
                place = _word_at(value & ~3 & mask, data, stack, depth, lowest)
                if place >= 0:
                    registers[_a(word)] = ((((memory[place] >> ((value & 3) << 3)) & 0xFF) ^ 0x80) - 0x80) & mask
                    word = code[index]
                    index += 1
                    if registers[_b(word)] == registers[_c(word)]:
                        continue
                    target = _immediate(word)
                    break
            elif operation == 174:  # lw lw, on the stack
                while True:
                    place = _stack_word_at(_address(registers, word), data, stack, depth, lowest)
                    if place < 0:
                        break
                    registers[_a(word)] = memory[place]
                    if word & 0xFF != 174:
                        break
                    word = code[index]
                    index += 1
                if place >= 0:
                    continue
            elif operation == 175 or operation == 176 or operation == 177:  # sw sw; addi sw; addiu sw, on the stack
                if operation == 175 or _add_immediate(registers, word, operation == 176):
                    if operation != 175:
                        word = code[index]
                        index += 1
                    while True:
                        place = _stack_word_at(_address(registers, word), data, stack, depth, lowest)
                        if place < 0:
                            break
                        memory[place] = registers[_c(word)]
                        touched[place >> 10] = 1
                        if word & 0xFF != 175:
                            break
                        word = code[index]
                        index += 1
                    if place >= 0:
                        continue
            # The instruction needs more than the arrays. A sequence has run up to it.
            if quick:
                word = core.code_at[index - 1]
                operation = word & 0xFF
            _sync(core, index, offset + index, turned)
            core.at = index - 1
            core.slow(operation, word)
            if core.abandoned or core.limit != limit:
                core.abandoned = False
                return 0
            if core.jumped:
                core.jumped = False
                target = core.jump_target
                break
        if delayed:
            if core.slot < 3:  # the instruction behind it comes first
                core.pending, core.slot = target, 1
                continue
            core.slot = 0
        offset += index - target
        turns[turned & 31] = index << 32 | target
        turned += 1
        if target < index:
            steps = offset + target
            if (target == base_index and tellers[telling] == telling_value) or steps >= rebase_at:
                _sync(core, target, steps, turned)
                if core.came_back():
                    return 0
                base_index, rebase_at = core.base_index, core.rebase_at
                tellers, telling, telling_value = core.tellers, core.telling, core.telling_value
            if quick and steps >= soon:
                return _sync(core, target, steps, turned)
        index = target
