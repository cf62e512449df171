"""The quick loop against the exact one, which runs what is observed: every sequence, entered at every place."""

import itertools
from contextlib import contextmanager
from dataclasses import replace

import pytest

from grader.machines.image import Block, Content, Image, Origin
from grader.machines.mips import kinds, loop, machine
from grader.machines.mips.isa import TABLE
from grader.machines.mips.profiles import PROFILES
from grader.machines.mips.quick import ANYWHERE, ON_STACK, quick_code, renew
from grader.machines.stop import StopKind
from grader.source import SourceFile
from tests.machines.soundness import encoded

TEXT, DATA = 0x400000, 0x10010000
SEQUENCES = [*ANYWHERE.items(), *ON_STACK.items()]
STARTS = {
    "plain": {8: 3, 9: 5, 16: DATA + 8},
    "overflow": {8: 0x7FFFFFFF, 9: 1, 16: DATA},
    "bad-data": {8: 0xFFFFFFFE, 9: 2, 16: DATA + 6},
    "bad-stack": {8: 0, 9: 0x80000000, 16: 0x20, 29: 0x7FFFEFFD},
    "stack-in-data": {8: 1, 9: 0x80000000, 16: 0x7FFFEFF0, 29: DATA + 16},
    "device": {8: 0xFFFFFFFF, 9: 1, 16: 0xFFFF0000},
}


def word(line):
    """``addiu t=2 s=0 i=10`` as a word: fields by letter."""
    name, *fields = line.split()
    values = {letter: int(number, 0) for letter, number in (field.split("=") for field in fields)}
    row = next(row for row in TABLE.rows if row.name == name and set(row.fields) == set(values))
    return encoded(row, values)


def lines_of(operations, on_stack, after):
    """One instruction for each operation; jumps and branches lead to the index ``after``, branches over one more."""
    base = 29 if on_stack else 16
    target = (TEXT >> 2) + after
    made = {
        "lui": "lui t=8 u=0x1001", "ori": "ori t=9 s=8 u=0x8004", "add": "add d=8 s=8 t=9", "addu": "addu d=8 s=8 t=9",
        "addi": f"addi t={29 if on_stack else 8} s={29 if on_stack else 8} i={-4 if on_stack else 1}",
        "addiu": f"addiu t={29 if on_stack else 8} s={29 if on_stack else 8} i={-4 if on_stack else 1}",
        "slt": "slt d=1 s=8 t=9", "slti": "slti t=1 s=8 i=5", "beq": "beq s=1 t=0 p=1", "bne": "bne s=1 t=0 p=1",
        "bgtz": "bgtz s=8 p=1", "j": f"j j={target}", "jal": f"jal j={target}", "jr": "jr s=30",
        "sll": "sll d=9 t=8 h=3", "lw": f"lw t=10 i=4 s={base}", "sw": f"sw t=8 i=8 s={base}", "lb": "lb t=1 i=2 s=16",
        "sb": "sb t=9 i=5 s=16",
    }  # fmt: skip
    return [made[kinds.OPERATIONS[operation]] for operation in operations]


def image_of(lines):
    """A program of these instructions at 0x00400000, and some data."""
    words = tuple(map(word, lines))
    source = SourceFile("words", "\n" * len(words))
    origins = {TEXT + 4 * n: Origin(source.span(n + 1, 1), Content.CODE) for n in range(len(words))}
    return Image((Block(TEXT, words), Block(DATA, (0x80FF7F01, 7, 0, 9))), {"main": TEXT}, origins, TEXT)


def around(operations, on_stack, entry):
    """A program that for ever jumps to the place ``entry`` of the sequence and comes back."""
    tail = 2 + len(operations)
    body = lines_of(operations, on_stack, tail)
    return ["addiu t=23 s=23 i=1", f"j j={(TEXT >> 2) + 2 + entry}", *body, "addu d=24 s=24 t=8", "addiu t=25 s=25 i=1",
            f"j j={TEXT >> 2}"]  # fmt: skip


def life(image, registers, *, profile="mars", budget=100, observe=False):
    """All that can be seen of a run; the sequence's end stands in ``$fp``, for ``jr``."""
    made = machine.Machine(image, PROFILES[profile], budget=budget, output_limit=10**6, observe=observe)
    for register, value in registers.items():
        made._registers[register] = value
    stop = made.run()
    places = (*range(TEXT, TEXT + 40, 4), *range(DATA - 16, DATA + 64, 4), *range(0x7FFFEFC0, 0x7FFFF000, 4))
    memory = [made.read(at) for at in places]
    steps = list(made._core.last(16))  # as indices: to word them takes longer than to run them
    return stop, made.named_registers, made.pc, steps, memory, made.take_output()


@contextmanager
def watching_from(steps):
    """The search for a state that comes back begins after this many instructions."""
    before, loop.WATCH_FROM = loop.WATCH_FROM, steps
    try:
        yield
    finally:
        loop.WATCH_FROM = before


def test_each_sequence_is_told_by_its_instructions():
    """The entry where it begins has its number; the entries after it keep their own fields."""
    for operations, number in SEQUENCES:
        image = image_of(around(operations, number in ON_STACK.values(), 0))
        loaded = machine.Machine(image, PROFILES["mars"])._loaded
        assert loaded.quick[2] & 0xFF == number, operations
        assert [entry >> 8 for entry in loaded.quick[3:]] == [entry >> 8 for entry in loaded.code[3:]], operations


@pytest.mark.usefixtures("each_loop")
def test_a_sequence_does_what_its_instructions_do():
    """Entered at each of its instructions, ended by the budget at each of them, with and without exceptions."""
    for operations, number, entry in ((*one, entry) for one in SEQUENCES for entry in range(len(one[0]))):
        image = image_of(around(operations, number in ON_STACK.values(), entry))
        for start, registers in STARTS.items():
            there = registers | {30: TEXT + 4 * (2 + len(operations))}
            # Where the budget ends a sequence depends on the numbers in it only where one of its instructions fails before.
            budgets = range(60, 68) if start in ("plain", "overflow") else (63,)
            for profile, budget in (*(("mars", budget) for budget in budgets), ("spim", 80)):
                seen = [
                    life(image, there, profile=profile, budget=budget, observe=observe) for observe in (False, True)
                ]
                assert seen[0] == seen[1], (operations, entry, start)


def test_a_register_beside_the_sequence_makes_none_of_it():
    """A branch on another register than ``slt`` wrote, an ``ori`` of another than ``lui`` wrote, a base beside ``$sp``."""
    for lines, fused in (
        (("slt d=1 s=8 t=9", "beq s=1 t=0 p=1"), True), (("slt d=1 s=8 t=9", "beq s=2 t=0 p=1"), False),
        (("slt d=1 s=8 t=9", "beq s=1 t=2 p=1"), False), (("lui t=8 u=1", "ori t=9 s=8 u=1"), True),
        (("lui t=8 u=1", "ori t=9 s=9 u=1"), False), (("sw t=8 i=0 s=29", "sw t=9 i=4 s=29"), True),
        (("sw t=8 i=0 s=29", "sw t=9 i=4 s=28"), False),
    ):  # fmt: skip
        loaded = machine.Machine(image_of(lines), PROFILES["mars"])._loaded
        assert (loaded.quick[0] != loaded.code[0]) == fused


@pytest.mark.usefixtures("each_loop")
@pytest.mark.parametrize(
    ("patched", "line", "counted"),
    [(2, "addu d=9 s=9 t=12", (40, 40)), (3, "addu d=9 s=9 t=12", (60, 20)), (4, "addiu t=8 s=8 i=-20", (21, 21))],
)
def test_what_is_stored_into_a_sequence_runs(patched, line, counted):
    """Twenty rounds, then a store into one of the sequences, then as many rounds as it lets be; a reset undoes it."""
    lines = ["addiu t=8 s=0 i=20", "addiu t=11 s=0 i=0", "addu d=9 s=9 t=12", "addu d=10 s=10 t=12", "addiu t=8 s=8 i=-1",
             "bgtz s=8 p=-4", "bne s=11 t=0 p=4", f"sw t=13 i={4 * patched} s=14", "addiu t=11 s=0 i=1",
             "addiu t=8 s=0 i=20", "j j=0x100002", "addiu t=2 s=0 i=10", "syscall"]  # fmt: skip
    made = machine.Machine(image_of(lines), PROFILES["spim"], budget=10_000)
    lives = []
    for _ in range(2):
        for register, value in ((12, 1), (13, word(line)), (14, TEXT)):
            made._registers[register] = value
        stop = made.run()
        lives.append((stop.kind, made.registers[9], made.registers[10]))
        made.reset()
    assert lives == [(StopKind.HALTED, *counted)] * 2


def test_a_changed_instruction_renews_the_sequences_that_it_is_in():
    """Those that begin two before it as well as its own."""
    loaded = machine.Machine(
        image_of(["addi t=8 s=8 i=1", "slt d=1 s=8 t=9", "bne s=1 t=0 p=1", "j j=0"]), PROFILES["mars"]
    )._loaded
    code, quick = loaded.code[:], loaded.quick[:]
    code[2] = code[3]
    renew(quick, code, 2)
    assert quick == quick_code(code)
    assert quick[0] != loaded.quick[0]


def test_a_state_that_differs_in_memory_alone_has_not_come_back():
    """Registers are equal in each round; a word of memory counts, or goes to and fro: only the second never ends."""
    count = ["lw t=8 i=0 s=16", "addiu t=8 s=8 i=1", "sw t=8 i=0 s=16", "addiu t=8 s=0 i=0", "j j=0x100000"]
    turn = [*count[:1], "xori t=8 s=8 u=1", *count[2:]]
    with watching_from(100):
        for lines, kind in ((count, StopKind.BUDGET), (turn, StopKind.NEVER_ENDS)):
            seen = [life(image_of(lines), {16: DATA}, budget=200_000, observe=observe) for observe in (False, True)]
            assert seen[0] == seen[1]
            assert seen[0][0].kind is kind


def test_a_fork_has_what_was_stored_while_the_search_went_on():
    """The search marks the pages in its own way; a fork and a reset still find them."""
    made = machine.Machine(
        image_of(["sw t=29 i=0 s=16", "addiu t=16 s=16 i=4", "j j=0x100000"]), PROFILES["mars"], budget=30_000
    )
    made._registers[16] = DATA
    with watching_from(100):
        assert made.run().kind is StopKind.BUDGET
    places = [DATA, DATA + 4096, DATA + 39_000, DATA + 39_996]
    assert [made.fork().read(at) for at in places] == [made.read(at) for at in places] == [0x7FFFEFFC] * 4
    made.reset()
    assert [made.read(at) for at in places[1:]] == [0, 0, 0]


@pytest.mark.usefixtures("each_loop")
def test_a_division_is_the_same_in_both_loops():
    """Signed and unsigned, with the signs of quotient and remainder, and where there is no quotient."""
    lefts = (0, 1, 7, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF9, 0xFFFFFFFF)
    rights = (0, 1, 2, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)
    for name in ("div", "divu"):
        image = image_of([f"{name} s=8 t=9", "mflo d=10", "mfhi d=11", "j j=0x100000"])
        for left, right, profile in itertools.product(lefts, rights, ("mars", "spim")):
            seen = [life(image, {8: left, 9: right}, profile=profile, observe=observe) for observe in (False, True)]
            assert seen[0] == seen[1], (name, left, right, profile)


@pytest.mark.usefixtures("each_loop")
def test_the_last_steps_are_told_where_each_was_a_jump():
    """Twenty jumps to and fro, then a wait for input, which is no step."""
    order = [0, *(1 + 7 * n % 20 for n in range(20)), 21]
    lines = ["addiu t=2 s=0 i=5"] * 22
    for here, after in itertools.pairwise(order):
        lines[here] = f"j j={(TEXT >> 2) + after}"
    lines[21] = "syscall"
    made = machine.Machine(image_of(lines), PROFILES["mars"])
    made._registers[2] = 5
    assert made.run().kind is StopKind.WAITS
    assert [step.address for step in made.last(16)] == [TEXT + 4 * index for index in order[-17:-1]]


@pytest.mark.usefixtures("each_loop")
def test_every_instruction_is_the_same_in_both_loops():
    """Alone in a loop, on different registers and on one, which holds an address of text, of data, of neither."""
    fields = {"i": 4, "u": 3, "h": 3, "b": 1, "c": 1, "p": 1, "j": (TEXT >> 2) + 2, "z": 12}
    different = {"d": 8, "s": 9, "t": 10, "D": 2, "S": 4, "T": 6}
    same = dict.fromkeys("dst", 9) | dict.fromkeys("DST", 4)
    for row, registers in itertools.product(TABLE.rows, (different, same)):
        values = {letter: (fields | registers)[letter] for letter in row.fields}
        image = image_of(["addiu t=23 s=23 i=1", "mtc1 t=23 S=4", "addu d=24 s=24 t=9", "j j=0x100000"])
        block = image.blocks[0]
        image = replace(
            image, blocks=(Block(TEXT, (*block.words[:2], encoded(row, values), *block.words[2:])), image.blocks[1])
        )
        for at in (TEXT + 12, DATA + 4, 0x30, 0xFFFFFFFC):
            seen = [life(image, {9: at, 10: at, 2: 30}, observe=observe) for observe in (False, True)]
            assert seen[0] == seen[1], (row.name, at)
