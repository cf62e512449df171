"""The loop against itself: compiled and not, plain and observed, forked, and by operation."""

from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.machines.image import Block, Content, Image, Origin
from grader.machines.mips import kinds, loop, machine
from grader.machines.mips.isa import TABLE
from grader.machines.mips.profiles import PROFILES
from grader.machines.stop import StopKind
from grader.source import SourceFile
from tests.machines.soundness import encoded

SLOW = (HealthCheck.function_scoped_fixture, HealthCheck.too_slow)
REGISTER = st.sampled_from([0, 2, 4, 5, 6, 8, 9, 16, 17, 29, 31])
FLOAT = st.one_of(st.sampled_from([0, 2, 12]), st.integers(0, 31))
FIELDS = {
    "d": REGISTER, "s": REGISTER, "t": REGISTER, "z": st.sampled_from([8, 12, 13, 14]), "D": FLOAT, "S": FLOAT, "T": FLOAT,
    "i": st.one_of(st.integers(-64, 64), st.integers(-0x8000, 0x7FFF)), "u": st.integers(0, 0xFFFF),
    "h": st.integers(0, 31), "b": st.integers(0, 3), "c": st.integers(0, 7), "p": st.integers(-8, 8),
    "j": st.integers(0x100000, 0x100018),
}  # fmt: skip


def of_row(row):
    """Words of one row, with numbers that lead somewhere."""
    return st.fixed_dictionaries({letter: FIELDS[letter] for letter in row.fields}).map(partial(encoded, row))


NAMES = [
    "addu", "addiu", "sub", "add", "slt", "sltu", "sra", "mult", "mflo", "mfhi", "div", "lw", "sw", "lb", "sb", "lhu",
    "sh", "beq", "bne", "blez", "bgtz", "bgezal", "jal", "jr", "syscall",
]  # fmt: skip
COMMON = [row for row in TABLE.rows if row.name in NAMES]
INSTRUCTION = st.sampled_from([*COMMON, *TABLE.rows, *COMMON]).flatmap(of_row)
START = st.sampled_from([0, 1, 2, 4, 5, 8, 9, 10, 11, 12, 35, 41, 42, 0x10010000, 0x10010003, 0x7FFFFFFF, 0x80000000, 0x400004,
                         0xFFFF0000, 0xFFFFFFFF, 0x3F800000, 0x7F800000, 0xC0490FDB])  # fmt: skip
WORDS = st.lists(st.one_of(*[INSTRUCTION] * 30, st.integers(0, 0xFFFF_FFFF)), min_size=1, max_size=20)
PROGRAMS = st.tuples(WORDS, st.lists(START, min_size=8, max_size=8))


def image_of(program):
    """Loads of eight registers, four floats, then the words."""
    words, starts = program
    lead = [word for register, value in zip((2, 4, 5, 8, 9, 16, 17, 6), starts, strict=True)
            for word in (0x3C000000 | register << 16 | value >> 16, 0x34000000 | register << 21 | register << 16 | value & 0xFFFF)]  # fmt: skip
    lead += [0x44800000 | register << 16 | number << 11 for register, number in ((8, 0), (9, 1), (16, 2), (17, 12))]
    words = (*lead, *words)
    source = SourceFile("words", "\n" * len(words))
    origins = {0x400000 + 4 * n: Origin(source.span(n + 1, 1), Content.CODE) for n in range(len(words))}
    return Image(
        (Block(0x400000, words), Block(0x10010000, (0x64636261, 0x0A666500))), {"main": 0x400000}, origins, 0x400000
    )


@contextmanager
def running_on(module, watch_from=200):
    """Machines run on this loop, which looks for returning states early."""
    installed, before = machine.loop, module.WATCH_FROM
    machine.loop, module.WATCH_FROM = module, watch_from
    try:
        yield
    finally:
        machine.loop, module.WATCH_FROM = installed, before


def life(image, keys, profile, **options):
    """Everything that can be seen of a run in which keys come one after the other."""
    made = machine.Machine(image, profile, budget=2000, output_limit=200, **options)
    seen = []
    for key in [*keys, None]:
        stop = made.run()
        seen.append((stop, made.named_registers, made.pc, made._core.conditions, made.wants))
        seen.append((made.take_output(), made.last(16), made.exit_code))
        if stop.final:
            break
        made.close_input() if key is None else made.feed(key)
    seen.append([made.read(at) for at in (*range(0x10010000, 0x10010040, 4), *range(0x7FFFEFC0, 0x7FFFF000, 4))])
    return seen, made


DELAYED = replace(PROFILES["mars"], name="delayed", delayed=True)
PROFILE = st.sampled_from([*PROFILES.values(), DELAYED])
KEYS = st.lists(st.sampled_from([b"7\n", b"x", b"\n", b"-1\nab"]), max_size=4)


@given(PROGRAMS, KEYS, PROFILE)
@settings(max_examples=200, deadline=None, suppress_health_check=SLOW)
def test_compiled_and_uncompiled_plain_and_observed_are_equal(source_loop, program, keys, profile):
    """Random programs: every stop, register, byte and step, in four ways of running; none of them raises."""
    image = image_of(program)
    lives = []
    for module in (loop, source_loop):
        with running_on(module):
            lives += [life(image, keys, profile, observe=observe)[0] for observe in (False, True)]
    assert all(other == lives[0] for other in lives[1:])


@given(PROGRAMS, KEYS, KEYS, PROFILE)
@settings(max_examples=100, deadline=None, suppress_health_check=SLOW)
def test_a_fork_at_a_wait_lives_as_the_machine_itself(program, before, after, profile):
    """Random programs: from the same moment and with the same keys, both futures and both records are equal."""
    made = machine.Machine(image_of(program), profile, budget=2000, output_limit=200, observe=True)
    made.feed(b"".join(before))
    made.run()
    twin = made.fork()
    futures = []
    for each in (made, twin):
        each.feed(b"".join(after))
        each.close_input()
        stop = each.run()
        futures.append((stop, each.registers, each.floats, each.take_output(), each.observations, each.last(16)))
    assert futures[0] == futures[1]


@given(PROGRAMS)
@settings(max_examples=200, deadline=None, suppress_health_check=SLOW)
def test_what_is_said_never_to_end_does_not_end(program):
    """Random programs: where the search claims so, a machine that does not search uses up a larger budget."""
    image = image_of(program)
    with running_on(loop, watch_from=50):
        claimed = machine.Machine(image, PROFILES["mars"], budget=20_000, output_limit=10**6).run()
    if claimed.kind is StopKind.NEVER_ENDS:
        with running_on(loop, watch_from=10**9):
            stop = machine.Machine(image, PROFILES["mars"], budget=60_000, output_limit=10**7).run()
        assert stop.kind is StopKind.BUDGET


@given(PROGRAMS, KEYS, PROFILE)
@settings(max_examples=100, deadline=None, suppress_health_check=SLOW)
def test_a_reset_machine_lives_as_a_new_one(program, keys, profile):
    """Random programs: whatever they did to memory, files, generators and text is gone."""
    made = machine.Machine(image_of(program), profile, budget=2000, output_limit=200)
    lives = []
    for _ in range(2):
        made.feed(b"".join(keys))
        made.close_input()
        lives.append((made.run(), made.registers, made.floats, made.take_output()))
        made.reset()
    assert lives[0] == lives[1]


def test_every_row_of_the_table_has_an_operation():
    """The numbers of the loop name all basic instructions, each once."""
    assert sorted(kinds.OPERATIONS[1:]) == sorted({row.name for row in TABLE.rows})


def test_the_loop_runs_where_cython_is_not_installed(loop_without_cython, monkeypatch):
    """It is needed to build only; the shim stands in for its names."""
    assert loop_without_cython.cython.__name__ == "grader.machines.cython_shim"
    monkeypatch.setattr(machine, "loop", loop_without_cython)
    made = machine.Machine(image_of(([0x1000FFFF], [0] * 8)), PROFILES["mars"], budget=1000)
    assert made.run().kind is StopKind.BUDGET


@pytest.mark.parametrize("profile", list(PROFILES))
def test_a_fork_and_a_reset_forget_no_text_that_was_stored(profile):
    """Stores into text: refused in one profile; in the others they run, go along with a fork and are undone by a reset."""
    program = ([0x3C0A0040, 0xAD500000 | 0x70, 0, 0, 0, 0, 0, 0, 0, 0], [0] * 8)
    made = machine.Machine(image_of(program), PROFILES[profile])
    before = made.read(0x400070)
    stop = made.run()
    assert ("Cannot write" in stop.message) == (profile == "mars")
    made.reset()
    assert made.read(0x400070) == before
