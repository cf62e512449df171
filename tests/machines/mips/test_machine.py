"""The MIPS machine on programs given as words, so that it stands without an assembler."""

import pytest

from grader.machines.image import Block, Content, Image, Origin
from grader.machines.mips import machine
from grader.machines.mips.isa import TABLE
from grader.machines.mips.profiles import PROFILES
from grader.machines.stop import StopKind
from grader.source import SourceFile
from tests.machines.soundness import encoded

EXIT = ("addiu t=2 s=0 i=10", "syscall")


def word(line):
    """``addiu t=2 s=0 i=10`` as a word: fields by letter."""
    name, *fields = line.split()
    values = {letter: int(number, 0) for letter, number in (field.split("=") for field in fields)}
    row = next(row for row in TABLE.rows if row.name == name and set(row.fields) == set(values))
    return encoded(row, values)


def made(*lines, data=(), profile="mars", **options):
    """A machine with these instructions at 0x00400000 and these words at 0x10010000."""
    words = tuple(map(word, lines))
    source = SourceFile("words", "\n" * len(words))
    origins = {0x400000 + 4 * n: Origin(source.span(n + 1, 1), Content.CODE) for n in range(len(words))}
    image = Image((Block(0x400000, words), Block(0x10010000, tuple(data))), {"main": 0x400000}, origins, 0x400000)
    return machine.Machine(image, PROFILES[profile], **options)


def test_a_program_prints_and_exits():
    """System calls 4, 1 and 10: the bytes, and every instruction counted once."""
    program = (
        "lui t=4 u=0x1001",
        "addiu t=2 s=0 i=4",
        "syscall",
        "addiu t=4 s=0 i=-42",
        "addiu t=2 s=0 i=1",
        "syscall",
    )
    tried = made(*program, *EXIT, data=(int.from_bytes(b"hi: ", "little"), 0))
    stop = tried.run()
    assert (stop.kind, tried.take_output(), stop.instructions) == (StopKind.HALTED, b"hi: -42", 8)


@pytest.mark.parametrize(("register", "returns"), [(31, True), (18, False)])
def test_only_register_31_returns_from_main(register, returns):
    """A 0 in $s2 is a wrong address for MARS: a program that jumped there, as it drew, was told that its main program had returned."""
    stop = made(f"jr s={register}").run()
    assert (stop.kind is StopKind.RETURNED) == returns
    assert returns or "invalid program counter value: 0x00000000" in stop.message


@pytest.mark.parametrize("least", [-(1 << 31), -1, 0, 9, 10, (1 << 31) - 1])
def test_integers_are_printed_in_decimal(least):
    """The least and the greatest number, and those around a change of digits."""
    tried = made("lw t=4 i=0 s=8", "addiu t=2 s=0 i=1", "syscall", *EXIT, data=(least & 0xFFFFFFFF,))
    tried._registers[8] = 0x10010000
    tried.run()
    assert tried.take_output() == str(least).encode()


def test_what_is_written_to_zero_is_lost():
    """``$zero`` stays 0 whatever instruction names it."""
    tried = made("addiu t=0 s=0 i=5", "addu d=8 s=0 t=0", *EXIT)
    tried.run()
    assert tried.registers[0] == tried.registers[8] == 0


def test_it_waits_for_an_integer_and_goes_on_with_it():
    """A wait is no end; the instruction runs once its answer is there."""
    tried = made("addiu t=2 s=0 i=5", "syscall", "addu d=8 s=2 t=0", *EXIT)
    assert (tried.run().kind, tried.wants) == (StopKind.WAITS, "integer")
    tried.feed(b"12")
    assert tried.run().kind is StopKind.WAITS
    tried.feed(b"3\n")
    assert (tried.run().kind, tried.registers[8]) == (StopKind.HALTED, 123)


def test_a_fork_goes_its_own_way():
    """After a fork, memory, registers and input of the two are apart."""
    tried = made("addiu t=2 s=0 i=5", "syscall", "sw t=2 i=-4 s=29", *EXIT)
    tried.run()
    twin = tried.fork()
    tried.feed(b"1\n")
    twin.feed(b"2\n")
    tried.run(), twin.run()
    assert (tried.read(0x7FFFEFF8), twin.read(0x7FFFEFF8)) == (1, 2)


RANDOM = ("addiu t=2 s=0 i=5", "syscall", "addu d=4 s=0 t=0", "addiu t=5 s=0 i=1000", "addiu t=2 s=0 i=42", "syscall")


def number_drawn(machine):
    """The first number of generator 0 after the answer to ``RANDOM``."""
    machine.feed(b"0\n")
    machine.run()
    return machine.registers[4]


@pytest.mark.parametrize("seed", [0, 7, 8])
def test_a_fork_draws_the_numbers_that_an_unforked_machine_draws(seed):
    """A generator that nobody has used yet begins with the machine's seed in a fork, too, also after a reset of it."""
    tried, unforked = (made(*RANDOM, *EXIT, random_seed=5, seed=seed) for _ in range(2))
    tried.run(), unforked.run()
    first, second, anew = tried.fork(), tried.fork().fork(), tried.fork()
    anew.reset(seed)
    anew.run()
    drawn = [number_drawn(machine) for machine in (tried, first, second, anew)]
    assert drawn == [number_drawn(unforked)] * 4


def test_each_seed_draws_its_own_numbers():
    """Without this the test above would prove nothing."""
    machines = [made(*RANDOM, *EXIT, seed=seed) for seed in (0, 7, 8)]
    assert len({(machine.run(), number_drawn(machine))[1] for machine in machines}) == 3


def test_a_reset_machine_is_as_a_new_one():
    """Memory, registers, input and counts are those of the start."""
    tried = made("sw t=29 i=0 s=29", "lui t=8 u=1", *EXIT)
    first = tried.run()
    tried.reset()
    assert (tried.read(0x7FFFEFFC), tried.registers[8], tried.instructions) == (0, 0, 0)
    assert tried.run() == first
