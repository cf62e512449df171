"""System calls, floats, exceptions, endings and records, on programs as students write them."""

from dataclasses import replace

import pytest

from grader.machines.mips import machine
from grader.machines.mips.assembler import assemble
from grader.machines.mips.floats import c_number, java_number, java_text, to_word
from grader.machines.mips.javarandom import JavaRandom
from grader.machines.mips.profiles import PROFILES
from grader.machines.mips.services import c_integer, java_integer
from grader.machines.records import Use
from grader.machines.stop import StopKind
from grader.source import SourceFile
from tests.observed import lines_never_run
from tests.reference.test_floods import within_seconds

pytestmark = pytest.mark.usefixtures("each_loop")
EXIT = "\nli $v0, 10\nsyscall\n"


def made(text, profile="mars", *, changes=None, **options):
    """A machine with the program; `` | `` ends a line."""
    assembly = assemble(SourceFile("test.s", text.replace(" | ", "\n") + "\n"), dialect=profile)
    assert assembly.image is not None, [d.one_line() for d in assembly.errors]
    return machine.Machine(assembly.image, replace(PROFILES[profile], **(changes or {})), **options)


def played(text, typed=b"", profile="mars", **options):
    """The machine after its end, and the stop, with all of ``typed`` typed."""
    tried = made(text, profile, **options)
    tried.feed(typed)
    tried.close_input()
    return tried, tried.run()


def printed(text, typed=b"", profile="mars", **options):
    """The output of the program until it ends well."""
    tried, stop = played(text + EXIT, typed, profile, **options)
    assert stop.kind is StopKind.HALTED, stop
    return tried.take_output()


@pytest.mark.parametrize(
    ("line", "value"),
    [(b"5", 5), (b"+5", 5), (b" -7 ", -7), (b"2147483647", 2**31 - 1), (b"-2147483648", -(2**31))]
    + [(text, None) for text in (b"", b"12abc", b"0x10", b"2147483648", b"-2147483649", b"1 2", b"--1", b"+")],
)
def test_integers_are_read_as_java_reads_them(line, value):
    """The range of an int, signs and blanks around; all else is refused."""
    assert java_integer(line) == value


@pytest.mark.parametrize(
    ("line", "value"), [(b"12abc", 12), (b"", 0), (b"x", 0), (b" -3", -3), (b"99999999999", 99999999999), (b"+4", 4)]
)
def test_integers_are_read_as_c_reads_them(line, value):
    """The number that a line begins with, or 0."""
    assert c_integer(line) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.001, "0.001"),
        (0.00099, "9.9E-4"),
        (9999999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (-0.0, "-0.0"),
        (0.1, "0.1"),
        (100.0, "100.0"),
        (123456.5, "123456.5"),
        (float("inf"), "Infinity"),
        (4.9e-324, "4.9E-324"),
    ],
)
def test_doubles_are_printed_as_java_prints_them(value, text):
    """Exponents only below 1e-3 and from 1e7 on, always a digit after the point."""
    assert java_text(value, single=False) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.5f", 1.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        (" 2 ", 2.0),
        ("0x1p3", 8.0),
        ("0x1p9999", float("inf")),
    ],
)
def test_floats_are_read_as_java_reads_them(text, value):
    """With suffixes and in hexadecimal."""
    assert java_number(text) == value


@pytest.mark.parametrize("text", ["", "x", "1.2.3", "1e", "1,5", "_1", "nan", "0x10"])
def test_java_refuses_what_is_no_float(text):
    """None stands for its exception."""
    assert java_number(text) is None


def test_c_reads_the_float_that_a_line_begins_with():
    """Or 0."""
    assert (c_number("2.5x"), c_number("x"), c_number("-1e2")) == (2.5, 0.0, -100.0)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (2.5, (2, 2, 3, 2)),
        (-2.5, (-2, -2, -2, -3)),
        (3.5, (4, 3, 4, 3)),
        (-0.4, (0, 0, 0, -1)),
        (1e10, (2**31 - 1,) * 4),
        (float("nan"), (2**31 - 1, 0, 2**31 - 1, 2**31 - 1)),
    ],
)
def test_floats_become_words_by_four_roundings(value, words):
    """Nearest even, to zero, up, down; what does not fit becomes the greatest."""
    assert tuple((to_word(value, mode) ^ 0x80000000) - 0x80000000 for mode in range(4)) == words


def test_the_generator_is_java_util_random():
    """Seed 42, as Java prints it; and a bound that is no power of two."""
    generator = JavaRandom(42)
    words = [(generator.word() ^ 0x80000000) - 0x80000000 for _ in range(5)]
    assert words == [-1170105035, 234785527, -1360544799, 205897768, 1325939940]
    generator = JavaRandom(42)
    assert [generator.below(10) for _ in range(5)] == [0, 3, 8, 4, 0]


def test_an_unseeded_generator_is_pinned_by_the_harness():
    """The same number with one seed, another with another."""
    text = "li $v0, 41 | li $a0, 3 | syscall | li $v0, 1 | syscall"
    one, same, other = (printed(text, random_seed=seed) for seed in (1, 1, 2))
    assert one == same != other


def test_singles_and_doubles_compute_compare_and_convert():
    """1.5 * 2 + 0.25, its root's comparison, and its integer."""
    text = """.data | a: .float 1.5, 2.0 | b: .double 0.25 | .text
        l.s $f0, a | l.s $f1, a+4 | mul.s $f2, $f0, $f1 | cvt.d.s $f4, $f2 | l.d $f6, b | add.d $f12, $f4, $f6
        li $v0, 3 | syscall | c.lt.d $f6, $f12 | bc1t less | li $a0, 88 | li $v0, 11 | syscall
        less: trunc.w.d $f8, $f12 | mfc1 $a0, $f8 | li $v0, 1 | syscall | div.s $f12, $f0, $f31 | li $v0, 2 | syscall"""
    assert printed(text) == b"3.253Infinity"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("add.d $f0, $f1, $f2", "all registers must be even-numbered"),
        ("cvt.d.s $f1, $f2", "first register must be even-numbered"),
        ("cvt.w.d $f1, $f3", "second register must be even-numbered"),
        ("mov.d $f1, $f2", "both registers must be even-numbered"),
        ("ldc1 $f0, 0($sp)", "address not aligned on doubleword boundary 0x7fffeffc"),
        ("lw $t0, 2($sp)", "fetch address not aligned on word boundary 0x7fffeffe"),
        ("sh $t0, 1($sp)", "store address not aligned on halfword boundary 0x7fffeffd"),
        ("lb $t0, 0x1001($sp)", "address out of range 0x7ffffffd"),
        ("lui $t0, 0x1040 | sb $t0, 0($t0)", "address out of range 0x10400000"),
        ("la $t0, main | lw $t0, 0($t0)", "Cannot read directly from text segment!0x00400000"),
        ("break 5", "break instruction executed; code = 5."),
        ("teq $0, $0", "trap"),
        ("li $v0, 9 | li $a0, -4 | syscall", "request (-4) is negative heap amount (syscall 9)"),
    ],
)
def test_exceptions_have_the_words_of_mars(text, message):
    """With the address of the instruction before them, and its line as the place."""
    _, stop = played("main: " + text + EXIT)
    assert (stop.kind, stop.message) == (
        StopKind.RUNTIME_EXCEPTION,
        f"Runtime exception at 0x{stop.address:08x}: {message}",
    )
    assert stop.span is not None
    assert stop.last[-1].address == stop.address


def test_the_last_byte_of_the_stack_can_be_read():
    """0x7ffffffc is the last address that MARS has."""
    assert printed("lb $a0, 0x1000($sp) | li $v0, 1 | syscall") == b"0"


def test_a_handler_of_the_program_takes_over():
    """It finds the cause, the address, the place; eret goes on where it says, and the next exception comes too."""
    text = """.text | main: lw $t0, 1($zero) | li $t1, 0x7fffffff | addi $t1, $t1, 1 | li $v0, 10 | syscall
        .ktext 0x80000180 | mfc0 $a0, $13 | srl $a0, $a0, 2 | andi $a0, $a0, 31 | li $v0, 1 | syscall
        mfc0 $a0, $8 | li $v0, 34 | syscall | mfc0 $k0, $14 | addi $k0, $k0, 4 | mtc0 $k0, $14 | eret"""
    tried, stop = played(text)
    assert (stop.kind, tried.take_output()) == (StopKind.HALTED, b"40x00000001120x00000001")


def test_delayed_branching_runs_one_more():
    """The instruction after a branch runs first; a call returns after it."""
    text = "main: jal f | li $a0, 7 | li $v0, 10 | syscall | f: li $v0, 1 | syscall | jr $ra | nop"
    tried, stop = played(text, changes={"delayed": True})
    assert (stop.kind, tried.take_output()) == (StopKind.HALTED, b"7")


def test_what_is_stored_into_text_runs():
    """In a profile that allows it."""
    text = "main: la $t0, there | lw $t1, new | sw $t1, 0($t0) | there: li $a0, 1 | li $v0, 1 | syscall"
    text = ".data | new: .word 0x34040009 | .text | .globl main | " + text
    assert printed(text, profile="spim") == b"9"


def test_strings_are_cut_and_ended_as_mars_does():
    """$a1 - 1 characters, a newline where there is room, and 0; the rest of the line is lost."""
    text = """.data | b: .space 20 | .text | li $v0, 8 | la $a0, b | li $a1, 4 | syscall | li $v0, 4 | syscall
        li $v0, 5 | syscall | move $a0, $v0 | li $v0, 1 | syscall"""
    assert printed(text, b"hello\n7\n") == b"hel7"


def test_a_key_is_one_byte_and_leaves_the_rest():
    """System call 12 as in MARS's window."""
    text = "li $v0, 12 | syscall | move $a0, $v0 | li $v0, 11 | syscall | li $v0, 5 | syscall"
    tried = made(text + EXIT)
    assert (tried.run().kind, tried.wants) == (StopKind.WAITS, "key")
    tried.feed(b"x")
    assert (tried.run().kind, tried.wants, tried.take_output()) == (StopKind.WAITS, "integer", b"x")


@pytest.mark.parametrize(
    ("number", "typed", "complaint"),
    [(5, b"x\n", "invalid integer input"), (6, b"x\n", "invalid float input"), (7, b"\n", "invalid double input")],
)
def test_answers_that_cannot_be_read_end_the_run(number, typed, complaint):
    """As in MARS, with its words."""
    _, stop = played(f"li $v0, {number} | syscall", typed)
    assert stop.kind is StopKind.BAD_INPUT
    assert f"{complaint} (syscall {number})" in stop.message


def test_files_live_in_memory():
    """Written, closed, read again; a file that is not there is -1."""
    text = """.data | n: .asciiz "f.txt" | m: .asciiz "no" | t: .ascii "abcd" | b: .space 8 | .text
        li $v0, 13 | la $a0, n | li $a1, 1 | syscall | move $s0, $v0
        li $v0, 15 | move $a0, $s0 | la $a1, t | li $a2, 3 | syscall | li $v0, 16 | move $a0, $s0 | syscall
        li $v0, 13 | la $a0, n | li $a1, 0 | syscall | move $a0, $v0 | li $v0, 14 | la $a1, b | li $a2, 8 | syscall
        move $a0, $v0 | li $v0, 1 | syscall | la $a0, b | li $v0, 4 | syscall
        li $v0, 13 | la $a0, m | li $a1, 0 | syscall | move $a0, $v0 | li $v0, 1 | syscall"""
    tried, stop = played(text + EXIT)
    assert (stop.kind, tried.take_output(), dict(tried.files)) == (StopKind.HALTED, b"3abc-1", {"f.txt": b"abc"})


@pytest.mark.parametrize("at", ["0x10000000", "0x7fc00000"])
def test_a_length_that_memory_does_not_have_is_refused_before_a_byte_is_read(at):
    """To write 2 GB from the beginning of a segment of 4 MiB costs no more than another system call, as often as it is tried."""
    text = f"""li $s0, 1000 | more: li $v0, 15 | li $a0, 1 | li $a1, {at} | li $a2, 0x7fffffff | syscall
        addi $s0, $s0, -1 | bnez $s0, more | li $v0, 1 | li $a0, 7 | syscall"""
    tried, stop = played(
        f"main: {text}{EXIT}", profile="spim", changes={"data_bytes": 1 << 22, "stack": range(0x7FC0_0000, 0x8000_0000)}
    )
    assert (stop.kind, tried.take_output()[-1:]) == (StopKind.HALTED, b"7")


def test_a_text_without_an_end_is_refused_where_memory_ends():
    """The exception names the first address behind it; a text that ends at the last byte of memory is a name."""
    text = """main: li $t0, 0x7ffffffc | li $t1, 97 | sb $t1, -2($t0) | sb $t1, -1($t0) | li $t1, {} | sb $t1, 0($t0)
        li $v0, 13 | addi $a0, $t0, -2 | li $a1, 1 | syscall"""
    tried, stop = played(text.format(0) + EXIT)
    assert (stop.kind, dict(tried.files)) == (StopKind.HALTED, {"aa": b""})
    _, stop = played(text.format(97) + EXIT)
    assert stop.kind is StopKind.RUNTIME_EXCEPTION
    assert "0x7ffffffd" in stop.message


APPENDING = """.data | n: .asciiz "f" | t: .asciiz "{}" | .text | main: li $v0, 13 | la $a0, n | li $a1, 9 | syscall | move $s0, $v0
    li $s1, {} | more: li $v0, 15 | move $a0, $s0 | la $a1, t | li $a2, 1 | syscall | addi $s1, $s1, -1 | bnez $s1, more"""


def test_a_byte_is_appended_to_a_long_file_in_no_more_time_than_to_a_short_one():
    """Ten thousand bytes behind 32 MiB would be 320 GB to copy."""
    long = bytes(1 << 25)
    with within_seconds():
        tried, stop = played(APPENDING.format("x", 10_000) + EXIT, files={"f": long})
    assert (stop.kind, tried.files["f"] == long + b"x" * 10_000) == (StopKind.HALTED, True)


def test_forks_append_to_a_file_without_seeing_each_other():
    """Each has what it has written, whoever writes first."""
    text = APPENDING.format("x", 2) + " | li $v0, 12 | syscall | sb $v0, t |"
    text += " li $v0, 15 | move $a0, $s0 | la $a1, t | li $a2, 1 | syscall" + EXIT
    tried = made(text, files={"f": b"ab"})
    assert tried.run().kind is StopKind.WAITS
    twins = [tried.fork() for _ in range(2)]
    for one, key in zip((tried, *twins), (b"1\n", b"2\n", b"3\n"), strict=True):
        one.feed(key)
        assert one.run().kind is StopKind.HALTED
    assert [one.files["f"] for one in (tried, *twins)] == [b"abxx1", b"abxx2", b"abxx3"]


def test_dialogs_are_questions():
    """The text is printed once, however often the answer is waited for; what cannot be read has its status."""
    text = '.data | q: .asciiz "How many?" | .text | li $v0, 51 | la $a0, q | syscall | move $s0, $a1 | li $v0, 1 | syscall'
    tried = made(text + " | move $a0, $s0 | li $v0, 1 | syscall" + EXIT)
    assert (tried.run().kind, tried.wants, tried.take_output()) == (StopKind.WAITS, "integer", b"How many?\n")
    twin = tried.fork()
    tried.feed(b"12\n")
    twin.feed(b"x\n")
    assert (tried.run().kind, tried.take_output()) == (StopKind.HALTED, b"120")
    assert (twin.run().kind, twin.take_output()) == (StopKind.HALTED, b"0-1")


def test_time_passes_by_sleeping_alone():
    """A program that waits for its clock after sleeping goes on; one that only looks never ends, and that is proved."""
    text = "li $v0, 30 | syscall | move $s0, $a0 | again: {} | li $v0, 30 | syscall | sub $t0, $a0, $s0 | blt $t0, 50, again"
    assert printed(text.format("li $a0, 10 | li $v0, 32 | syscall")) == b""
    assert played(text.format("nop") + EXIT)[1].kind is StopKind.NEVER_ENDS


def test_the_random_seed_chooses_when_the_clock_begins():
    """The same seed gives the same moment; neighbouring seeds give odd and even ones, all of one day."""
    text = "li $v0, 30 | syscall | move $t0, $a1 | li $v0, 1 | syscall | li $a0, 32 | li $v0, 11 | syscall | move $a0, $t0 | li $v0, 1 | syscall"
    moments = [[int(part) % 2**32 for part in printed(text, random_seed=seed).split()] for seed in (0, 1, 2, 3, 1)]
    times = [high << 32 | low for low, high in moments]
    assert times[1] == times[4]
    assert {time % 2 for time in times} == {0, 1}
    assert all(0 <= time - 1_700_000_000_000 < 86_400_000 for time in times)
    assert times[0] == 1_700_000_000_000


def test_polling_an_empty_keyboard_is_a_wait():
    """And what is typed then arrives in the data register, once."""
    text = "lui $t0, 0xffff | wait: lw $t1, 0($t0) | beqz $t1, wait | lw $a0, 4($t0) | sw $a0, 12($t0) | lw $a0, 0($t0)"
    tried = made(text + " | li $v0, 1 | syscall" + EXIT)
    assert (tried.run().kind, tried.wants) == (StopKind.WAITS, "key")
    tried.feed(b"k")
    assert (tried.run().kind, tried.take_output()) == (StopKind.HALTED, b"k0")


def test_records_tell_a_clobbered_register_from_a_kept_one_and_an_unbalanced_stack():
    """$s0 is overwritten by one routine and restored by the other, which forgets its stack."""
    text = """main: li $s0, 5 | jal bad | li $s0, 6 | jal good | li $v0, 10 | syscall
        bad: li $s0, 1 | jr $ra
        good: addi $sp, $sp, -4 | sw $s0, 0($sp) | li $s0, 9 | lw $s0, 0($sp) | jr $ra"""
    tried, _ = played(text, observe=True)
    seen = tried.observations
    assert [(str(change.routine), change.register, change.use) for change in seen.changes] == [("bad", 16, Use.WRITTEN)]
    assert [str(imbalance.routine) for imbalance in seen.imbalances] == ["good"]
    assert {str(call.routine) for call in seen.calls} == {"bad", "good"}
    assert [vector for vector, _ in seen.traps] == [10]
    assert lines_never_run(seen) == frozenset()


def test_a_register_that_the_caller_reads_is_a_result():
    """By use, not by name."""
    tried, _ = played("main: jal f | move $a0, $s1 | li $v0, 10 | syscall | f: li $s1, 3 | jr $ra", observe=True)
    assert [change.use for change in tried.observations.changes] == [Use.READ]


def test_system_calls_in_python_use_up_the_budget():
    """A program that moves megabytes with one instruction ends soon; its own count stays that of its instructions."""
    text = "main: li $v0, 15 | li $a0, 2 | lui $a1, 0x1000 | lui $a2, 2 | syscall | lui $t0, 1 | j main"
    _, stop = played(text, budget=10_000_000)
    assert stop.kind is StopKind.BUDGET
    assert stop.instructions < 100


def test_steps_go_through_system_calls():
    """One instruction each, whatever it costs."""
    tried = made("li $v0, 30 | syscall | li $v0, 10 | syscall")
    steps = 0
    while tried.step() is None:
        steps += 1
    assert (steps, tried.instructions) == (3, 4)


def test_neighbouring_seeds_start_differently():
    """Both signs come up as the first word of syscall 41 among the seeds 0 to 9, on a machine made or reset with them."""
    again = made("li $v0, 41 | syscall" + EXIT)
    words = []
    for seed in range(10):
        one, _ = played("li $v0, 41 | syscall" + EXIT, random_seed=seed)
        words.append(one.registers[4])
        again.reset(seed)
        again.run()
        assert again.registers[4] == words[-1]
    assert {word >> 31 for word in words} == {0, 1}


def test_stores_into_code_are_recorded_where_they_are_allowed():
    """The address and the instruction that stored, and how often."""
    text = "main: la $t0, x | li $t1, 0x24020001 | sw $t1, 0($t0) | sw $t1, 0($t0) | x: jr $ra"
    tried, _ = played(text, profile="spim", observe=True, changes={})
    assert [site - address for address, site in tried.observations.patches] == [-8, -4]
