from array import array
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.machines import reasons
from grader.machines.image import Block, Content, Image, Origin
from grader.machines.lc3 import endings, kinds, loop, machine
from grader.machines.lc3.isa import TABLE
from grader.machines.lc3.profiles import PROFILES
from grader.machines.stop import StopKind
from grader.source import SourceFile

KIND_NAMES = {16: "ADD", 17: "AND", 18: "JSRR", 1: "ADD", 2: "LD", 3: "ST", 4: "JSR", 5: "AND", 6: "LDR", 7: "STR"}
KIND_NAMES |= {8: "RTI", 9: "NOT", 10: "LDI", 11: "STI", 12: "JMP", 14: "LEA", 15: "TRAP"}

WORD = st.integers(0, 0xFFFF)
REGISTER = st.integers(0, 7)
NEAR = st.integers(-12, 12).map(lambda offset: offset & 0x1FF)


def instructions():
    """Words that are mostly instructions, with targets nearby so that programs loop and meet their own words."""
    wide = st.builds(
        lambda op, r, near: op << 12 | r << 9 | near, st.sampled_from([0, 2, 3, 10, 11, 14]), REGISTER, NEAR
    )
    based = st.builds(
        lambda op, r, b, o: op << 12 | r << 9 | b << 6 | o,
        st.sampled_from([6, 7]),
        REGISTER,
        REGISTER,
        st.integers(0, 63),
    )
    numbers = st.builds(
        lambda op, r, s, i: op << 12 | r << 9 | s << 6 | 32 | i,
        st.sampled_from([1, 5]),
        REGISTER,
        REGISTER,
        st.integers(0, 31),
    )
    three = st.builds(
        lambda op, r, s, t: op << 12 | r << 9 | s << 6 | t, st.sampled_from([1, 5]), REGISTER, REGISTER, REGISTER
    )
    calls = st.one_of(
        NEAR.map(lambda near: 0x4800 | (near | 0x600 if near & 0x100 else near)),
        REGISTER.map(lambda r: 0x4000 | r << 6),
    )
    jumps = REGISTER.map(lambda r: 0xC000 | r << 6)
    traps = st.sampled_from([0xF020, 0xF021, 0xF022, 0xF023, 0xF024, 0xF025, 0xF030, 0x8000, 0x903F])
    devices = st.sampled_from([0xFE00, 0xFE02, 0xFE04, 0xFE06, 0xFFFC, 0xFFFE, 0x3000, 0x0180, 0x4000])
    return st.one_of(wide, wide, based, numbers, numbers, three, calls, jumps, traps, devices, WORD)


PROGRAMS = st.lists(instructions(), min_size=1, max_size=24)


def image_of(words, origin=0x3000):
    """The words as a program, each a statement on a line of its own, all of them code."""
    source = SourceFile("words", "\n" * len(words))
    origins = {origin + n: Origin(source.span(n + 1, 1), Content.CODE) for n in range(len(words))}
    return Image((Block(origin, tuple(words)),), {}, origins, origin)


@contextmanager
def running_on(module, watch_from=200):
    """Machines run on this loop, which looks for returning states early."""
    installed, before = machine.loop, (module.WATCH_FROM, module.SILENT_FROM)
    machine.loop, module.WATCH_FROM, module.SILENT_FROM = module, watch_from, watch_from
    try:
        yield
    finally:
        machine.loop, (module.WATCH_FROM, module.SILENT_FROM) = installed, before


def life(image, keys, **options):
    """Everything that can be seen of a run in which keys come one after the other."""
    made = machine.Machine(image, PROFILES[options.pop("profile", "default")], budget=3000, output_limit=200, **options)
    seen = []
    for key in [*keys, None]:
        stop = made.run()
        seen.append((stop, made.registers, made.pc, made.condition, made.take_output(), made.last(16)))
        if stop.final:
            break
        made.close_input() if key is None else made.feed(bytes([key]))
    seen.append(made.run())
    return seen, [made.read(at) for at in (*range(0x2FF0, 0x3030), 0x0180, 0xFFFF)], made


def test_every_word_has_the_kind_that_the_table_gives_it():
    """All 65,536: a word is of the illegal kind exactly when no row matches, else of the kind of its row."""
    for word in range(0x10000):
        row, kind = TABLE.row_of(word), kinds.CLASSES[word]
        name = "" if row is None else "BR" if kind == 0 and row.name.startswith(("BR", "NOP")) else row.name
        assert name == ("BR" if kind == 0 else KIND_NAMES.get(kind, ""))
        if kind in (1, 5, 16, 17):
            assert (word & 0x20 != 0) == (kind >= 16)


def test_every_word_that_the_table_knows_runs_and_no_other(each_loop):
    """All 65,536, each as a program of one instruction."""
    memory, kind_of = array("H", bytes(0x20000)), array("B", bytes([kinds.UNTOUCHED]) * 0x10000)
    registers, recent = array("H", bytes(16)), array("I", bytes(4 * loop.RECENT))
    profile = PROFILES["default"]
    core = each_loop.Core(profile, endings.fault_texts(profile.faults), 1, 100)
    core.attach(memory, kind_of, array("B", bytes(loop.PAGES)), registers, recent)
    for word in range(0x10000):
        memory[0x3000], kind_of[0x3000] = word, kinds.CLASSES[word]
        core.start(0x3000)
        core.run()
        assert (core.reason == reasons.ILLEGAL) == (TABLE.row_of(word) is None), f"{word:04x}"


@given(PROGRAMS, st.binary(max_size=4), st.sampled_from(list(PROFILES)), st.sampled_from([None, 3]))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_compiled_and_uncompiled_plain_and_observed_are_equal(source_loop, words, keys, profile, seed):
    """Random programs: every stop, register, byte and step, in four ways of running; none of them raises."""
    image = image_of(words)
    lives = []
    for module in (loop, source_loop):
        with running_on(module):
            lives += [life(image, keys, profile=profile, seed=seed, observe=observe)[:2] for observe in (False, True)]
    assert all(other == lives[0] for other in lives[1:])


@given(PROGRAMS, st.binary(max_size=3), st.binary(max_size=3))
@settings(max_examples=100, deadline=None)
def test_a_fork_at_a_wait_lives_as_the_machine_itself(words, before, after):
    """Random programs: from the same moment and with the same keys, both futures and both records are equal."""
    made = machine.Machine(image_of(words), PROFILES["default"], budget=3000, output_limit=200, observe=True)
    made.feed(before)
    made.run()
    twin = made.fork()
    futures = []
    for each in (made, twin):
        each.feed(after)
        each.close_input()
        stop = each.run()
        futures.append((stop, each.registers, each.take_output(), each.observations, each.last(16)))
    assert futures[0] == futures[1]


@given(PROGRAMS)
@settings(max_examples=200, deadline=None)
def test_what_is_said_never_to_end_does_not_end(words):
    """Random programs: where the search claims so, a machine that does not search uses up a larger budget."""
    image = image_of(words)
    with running_on(loop, watch_from=50):
        claimed = machine.Machine(image, PROFILES["default"], budget=20_000, output_limit=10**6).run()
    if claimed.kind is not StopKind.NEVER_ENDS:
        return
    with running_on(loop, watch_from=10**9):
        assert (
            machine.Machine(image, PROFILES["default"], budget=60_000, output_limit=10**6).run().kind is StopKind.BUDGET
        )


@given(st.lists(st.tuples(WORD, WORD), max_size=30), WORD, st.binary(max_size=4), st.sampled_from(list(PROFILES)))
@settings(max_examples=150, deadline=None)
def test_no_memory_contents_raise(cells, entry, keys, profile):
    """Any words anywhere, vectors and devices included, from any entry."""
    blocks = tuple(Block(address, (word,)) for address, word in cells)
    image = Image(blocks, {}, {}, entry)
    seen, _, made = life(image, keys, profile=profile, seed=entry, observe=True)
    assert seen[-1].final
    assert made.observations.instructions == made.instructions


def test_the_loop_runs_where_cython_is_not_installed(loop_without_cython, machine_for, monkeypatch):
    """It is needed to build only; the shim stands in for its names."""
    assert loop_without_cython.cython.__name__ == "grader.machines.cython_shim"
    monkeypatch.setattr(machine, "loop", loop_without_cython)
    made = machine_for('LEA R0, S | PUTS | L BR L | S .STRINGZ "hi"', budget=1000)
    assert (made.run().kind, made.take_output()) == (StopKind.BUDGET, b"hi")


@pytest.mark.parametrize("at", [0xFFFE, 0xFFFF])
def test_addresses_wrap_around(at):
    """The word after xFFFF is that at x0000, for fetches and for blocks."""
    image = Image((Block(at, (0x1021, 0x1021, 0x1021, 0xF025)),), {}, {}, at)
    made = machine.Machine(image, PROFILES["default"])
    assert (made.run().kind, made.registers[0]) == (StopKind.HALTED, 3)
