"""The profile mipsy: how a program starts, asks, fails and ends there."""

import pytest

from grader.machines.mips import machine
from grader.machines.mips.assembler import assemble
from grader.machines.mips.lines import statements
from grader.machines.mips.profiles import PROFILES
from grader.machines.mips.services import rust_character, rust_integer
from grader.machines.stop import StopKind
from grader.source import SourceFile

pytestmark = pytest.mark.usefixtures("each_loop")
ASK_TWICE = "li $v0, 5\nsyscall\nmove $a0, $v0\nli $v0, 1\nsyscall\n" * 2


def played(body, typed=b"", close=True):
    """The machine after a main with this body, and the stop."""
    assembly = assemble(SourceFile("test.s", f"main:\n{body}\n"), dialect="mipsy")
    assert assembly.image is not None, [d.one_line() for d in assembly.errors]
    made = machine.Machine(assembly.image, PROFILES["mipsy"])
    made.feed(typed)
    if close:
        made.close_input()
    return made, made.run()


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        (b"7", 7),
        (b"+7", 7),
        (b"-2147483648", -(2**31)),
        (b"2147483647", 2**31 - 1),
        (b"0x10", "[mipsy] bad input (expected int), try again: "),
        (b"7a", "[mipsy] bad input (expected int), try again: "),
    ],
)
def test_integers_are_read_as_rust_reads_them(word, answer):
    """A sign and decimal digits in the range of an int; else there is a complaint."""
    assert rust_integer(word) == answer


@pytest.mark.parametrize(("number", "truncated"), [(2147483648, -2147483648), (-2147483649, 2147483647)])
def test_a_number_too_large_is_told_what_would_remain_of_it(number, truncated):
    """The low 32 bits, with their sign."""
    assert f"try {truncated}\n[mipsy] try again: " in rust_integer(str(number).encode())


def test_a_character_is_a_word_of_one():
    """As Unicode counts; its low byte is what the program gets."""
    assert (rust_character(b"x"), rust_character("é".encode()), rust_character("─".encode())) == (120, 0xE9, 0)
    assert "expected character" in rust_character(b"xy")


def test_a_bad_answer_is_complained_of_and_asked_for_again():
    """The words of one line answer several questions; at the end of input the answer is 0."""
    made, stop = played(ASK_TWICE + "jr $ra", b"x 5\n6")
    assert (made.take_output(), stop.kind) == (b"[mipsy] bad input (expected int), try again: 56", StopKind.RETURNED)
    assert played(ASK_TWICE + "jr $ra", b"5 ")[0].take_output() == b"50"


def test_a_word_is_complete_when_a_blank_follows_it():
    """Until then the program waits; after a complaint, it waits for the next one."""
    made, stop = played(ASK_TWICE, b"1", close=False)
    assert (stop.kind, made.wants, made.take_output()) == (StopKind.WAITS, "integer", b"")
    made.feed(b"2\nx\n")
    assert made.run().kind is StopKind.WAITS
    assert made.take_output() == b"12[mipsy] bad input (expected int), try again: "
    made.feed(b"3\n")
    made.run()
    assert made.take_output() == b"3"


def test_a_character_call_waits_for_a_line():
    """It takes a word, which nobody types without the return key."""
    made, stop = played("li $v0, 12\nsyscall\nmove $a0, $v0\nli $v0, 11\nsyscall\njr $ra", b" \n", close=False)
    assert (stop.kind, made.wants) == (StopKind.WAITS, "line")
    made.feed(b"y\n")
    assert made.run().kind is StopKind.RETURNED
    assert made.take_output() == b"y"


LINE = """li $v0, 8
la $a0, buffer
li $a1, {size}
syscall
li $v0, 4
syscall
li $v0, 5
syscall
move $a0, $v0
li $v0, 1
syscall
jr $ra
.data
buffer: .asciiz "old"
"""


@pytest.mark.parametrize(("size", "kept"), [(0, b"old"), (1, b""), (4, b"hel"), (7, b"hello\n"), (-1, b"hello\n")])
def test_what_does_not_fit_of_a_line_is_lost(size, kept):
    """The next call reads the next line; a negative size is a large one."""
    assert played(LINE.format(size=size), b"hello\n8\n")[0].take_output() == kept + b"8"


def test_strings_are_printed_as_their_bytes_and_characters_as_utf_8():
    """A source in UTF-8 prints what it says; a character from 0x80 on is that of Latin-1."""
    text = 'la $a0, s\nli $v0, 4\nsyscall\nli $a0, 0xe9\nli $v0, 11\nsyscall\njr $ra\n.data\ns: .asciiz "─é"'
    assert played(text)[0].take_output() == "─éé".encode()


def test_main_is_called_and_its_result_is_the_exit_code():
    """The registers are as its kernel leaves them."""
    made, stop = played("li $v0, 0x107\njr $ra")
    assert (stop.kind, stop.message, made.exit_code) == (StopKind.RETURNED, "the main program returned", 7)
    made.reset()
    assert [made.registers[number] for number in (28, 29, 30, 31)] == [0x10008000, 0x7FFFFFFC, 0x7FFFFFFC, 0x8000000C]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("li $t0, 5\nli $t1, 0\ndiv $t0, $t1", "division by zero"),
        ("li $t0, 5\nli $t1, 0\ndivu $t0, $t1", "division by zero"),
        ("li $t0, 0x7fffffff\naddi $t0, $t0, 1", "integer overflow: the result does not fit in 32 bits"),
        ("lw $t0, 1($0)", "unaligned access: the address 0x00000001 is not divisible by 4"),
        ("lw $t0, 0x7ffefffc", "segmentation fault: the address 0x7ffefffc is not a valid address to read from"),
        ("sw $0, 0x10040000", "segmentation fault: the address 0x10040000 is not a valid address to write to"),
        ("lw $t0, 0x90000000", "segmentation fault: the address 0x90000000 is not a valid address to read from"),
        ("sw $0, 0xffff000c", "segmentation fault: the address 0xffff000c is not a valid address to write to"),
        ("jr $0", "segmentation fault: the address 0x00000000 is not a valid address to execute"),
        ("nop", "could not find instruction at 0x00400004"),
    ],
)
def test_faults_have_the_words_of_mipsy(body, said):
    """A fault ends the program, and so does running past its last instruction."""
    _, stop = played(body)
    assert (stop.kind, stop.message) == (StopKind.RUNTIME_EXCEPTION, said)


@pytest.mark.parametrize(("number", "said"), [(13, "not implemented"), (18, "not valid"), (0, "not valid")])
def test_other_system_calls_end_the_program(number, said):
    """The numbers up to 17 are known, and most of them served."""
    _, stop = played(f"li $v0, {number}\nsyscall")
    assert stop.kind is StopKind.UNDEFINED_TRAP
    assert stop.message.endswith(said)


def test_traps_do_nothing():
    """Neither break nor a condition that holds; the last words of the stack and of static data can be reached."""
    _, stop = played("break\nteq $0, $0\nteqi $0, 0\nsw $0, 0x7fff0000\nsw $0, 0x1003fffc\njr $ra")
    assert stop.kind is StopKind.RETURNED


def test_the_heap_grows_byte_by_byte_and_never_fails():
    """Each call gives where the heap ended; it shrinks to nothing at most."""
    grow = "li $v0, 9\nli $a0, {}\nsyscall\nmove $a0, $v0\nli $v0, 1\nsyscall\nli $v0, 11\nli $a0, 32\nsyscall\n"
    made, _ = played("".join(grow.format(size) for size in (5, 0x500000, -0x600000, 0)) + "jr $ra")
    first, second, _, last = (int(word) for word in made.take_output().split())
    assert (first, second, last) == (0x10040000, 0x10040005, 0x10040000)


def test_data_has_arithmetic_and_lines_several_labels():
    """``2+3`` is one value, ``2, -3`` are two; a large number needs no $at."""
    text = "a: b: lw $a0, x\nli $v0, 1\nsyscall\nli $at, 1\nli $a0, 100000\nmove $a0, $at\nsyscall\njr $ra\n.data\n"
    assert played(f"{text}SIX = 6\nx: .word 2+3*SIX, -1")[0].take_output() == b"201"
    assert played(f"{text}x: .word 2, -3")[0].take_output() == b"21"


CONSTANTS = "MAX = 10\nSIZE = MAX * 4\nNEG = -1\n"


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("li $a0, SIZE*2", 80),
        ("li $a0, SIZE * 2 + 1", 81),
        ("li $a0, -MAX", -10),
        ("li $a0, MAX - 1", 9),
        ("li $a0, MAX -1", 9),
        ("li $a0, 10 -1", 9),
        ("li $a0, ~MAX", -11),
        ("li $a0, 1 << MAX", 1024),
        ("li $a0, 5\naddi $a0, $a0, -MAX", -5),
        ("li $a0, 3\nsll $a0, 2", 12),
        ("la $t0, last\nla $a0, arr\nsub $a0, $t0, $a0", 4 * (40 + 4)),
        ("lw $a0, arr + SIZE", 7),
        ("lw $a0, last - 4 + 0", 6),
        ("la $t0, last\nlw $a0, NEG * 4($t0)", 6),
        ("la $t0, last\nlw $a0, -4($t0)", 6),
        ("lw $a0, last + 4", 3),
        ("lb $a0, last + 8", -1),
        ("li $t0, MAX\nli $a0, 1\nbge $t0, MAX - 1, y\nli $a0, 2\ny: nop", 1),
    ],
)
def test_constants_and_arithmetic_stand_wherever_a_number_can(line, value):
    """In immediates, offsets, after labels, in .space and in data."""
    data = ".data\narr: .word 0:MAX\n.word 7\n.space MAX * MAX + 20 + 8\n.word 6\nlast: .word 9, 3\n.byte NEG, MAX\n"
    assembly = assemble(
        SourceFile("t.s", f"{CONSTANTS}main: {line}\nli $v0, 1\nsyscall\njr $ra\n{data}"), dialect="mipsy"
    )
    assert assembly.image is not None, [d.one_line() for d in assembly.errors]
    made = machine.Machine(assembly.image, PROFILES["mipsy"])
    made.run()
    assert int(made.take_output()) == value


def test_constants_do_not_look_like_another_dialect():
    """SPIM has them too, but mipsy's own are no sign of it."""
    found = assemble(SourceFile("t.s", f"{CONSTANTS}main: oops\n"), dialect="mipsy").diagnostics
    assert [d.code for d in found] == ["unknown-operator"]


UNSET = "your program tried to read an uninitialised register: "
SAVED = "push $s0\npush $ra\nli $s0, 1\npop $ra\npop $s0\n"


@pytest.mark.parametrize(
    ("body", "register"),
    [
        ("move $a0, $s0", "$s0"),
        ("addi $s1, $t3, 1", "$t3"),
        ("add $t0, $t1, $t2", "$t1"),
        ("li $t1, 1\nadd $t0, $t1, $t2", "$t2"),
        ("sw $0, 0($t4)", "$t4"),
        ("lw $t0, 0($t4)", "$t4"),
        ("beq $0, $t5, x\nx: nop", "$t5"),
        ("bltz $t5, x\nx: nop", "$t5"),
        ("jr $t6", "$t6"),
        ("jalr $t6", "$t6"),
        ("syscall", "$v0"),
        ("li $v0, 8\nsyscall\nsub $a0, $a0, $s7", "$s7"),
        ("mfhi $t0", "hi"),
        ("mflo $t0", "lo"),
        ("li $t0, 2\nmult $t0, $t0\nmul $t1, $t0, $t0\nmflo $t2", "lo"),
        ("li $t0, 1\nmadd $t0, $t0", "hi"),
        ("movz $t0, $0, $t1", "$t1"),
        ("movz $t0, $t1, $0", "$t1"),
        ("li $t2, 1\nmovz $t0, $t1, $t2\nmove $a0, $t0", "$t0"),
        ("clz $t0, $t1", "$t1"),
        ("mthi $t1", "$t1"),
        (SAVED + "move $a0, $s0", "$s0"),
        ("lw $t0, gap\nmove $a0, $t0", "$t0"),
        ("li $t1, 1\nsb $t1, gap\nlw $t0, gap\nmove $a0, $t0", "$t0"),
        ("li $t1, 1\nsh $t1, gap\nlw $t0, gap\nmove $a0, $t0", "$t0"),
        ("li $t1, 1\nsb $t1, gap+2\nlh $t0, gap+2\nmove $a0, $t0", "$t0"),
        ("li $t1, 1\nsw $t1, gap\nsb $t7, gap+1\nlh $t0, gap\nmove $a0, $t0", "$t0"),
        ("lb $t0, 0x10020000\nmove $a0, $t0", "$t0"),
        ("lw $t0, -4($sp)\nmove $a0, $t0", "$t0"),
    ],
)
def test_a_register_that_nothing_has_set_cannot_be_read(body, register):
    """Neither at the start nor after a load of bytes that nothing has set."""
    _, stop = played(f"{body}\n.data\nkept: .word 7\ngap: .space 40000")
    assert (stop.kind, stop.message) == (StopKind.RUNTIME_EXCEPTION, UNSET + register)


@pytest.mark.parametrize(
    "body",
    [
        SAVED,
        "add $t0, $0, $a0\nadd $t0, $a1, $sp",
        "li $t1, 1\nsh $t1, gap\nlhu $t0, gap\nmove $a0, $t0\nsb $t1, gap+3\nlb $t0, gap+3\nmove $a0, $t0",
        "lw $t0, kept\nmove $a0, $t0\nlw $t0, main\nmove $a0, $t0",
        "li $t0, 1\nmult $t0, $t0\nmfhi $t1\nmflo $t2\nmthi $t1\nmadd $t1, $t2",
        "move $t1, $0\nmovz $t0, $t1, $0\nmove $a0, $t0",
        "jal f\nb x\nf: move $a0, $ra\njr $ra\nx: bgezal $0, y\ny: move $a0, $ra\nla $t0, z\njalr $t1, $t0\nz: move $a0, $t1",
        "li $v0, 9\nli $a0, 8\nsyscall\nsw $a0, 4($v0)\nlw $t0, 4($v0)\nmove $a0, $t0",
        "li $v0, 5\nsyscall\nmove $t0, $v0\nli $v0, 12\nsyscall\nmove $t0, $v0",
        "li $v0, 8\nla $a0, gap\nli $a1, 9\nsyscall\nlb $t0, gap\nmove $a0, $t0\nla $a0, gap\nli $v0, 4\nsyscall",
        "li $v0, 10\nsyscall",
    ],
)
def test_what_the_program_has_set_can_be_read(body):
    """Registers by instructions, calls and system calls; memory by the source, stores and what is typed."""
    _, stop = played(f"{body}\nli $v0, 10\nsyscall\n.data\nkept: .word 7\ngap: .space 40000", b"5 x abc\n")
    assert stop.kind is StopKind.HALTED, stop.message


def test_a_string_with_bytes_that_nothing_has_set_cannot_be_printed():
    """Those before them are; the message has the address."""
    made, stop = played('la $a0, s\nli $v0, 4\nsyscall\n.data\ns: .ascii "ab"\n.space 2')
    assert (made.take_output(), stop.message) == (b"ab", "byte at 0x10010002 is uninitialised")


def test_a_fork_and_a_reset_know_what_is_set():
    """The twin has what was set before it; a reset forgets it."""
    text = "li $v0, 8\nla $a0, gap\nli $a1, 9\nsyscall\nli $v0, 5\nsyscall\nlw $t0, gap\nmove $s1, $t0\njr $ra\n"
    made, _ = played(text + ".data\ngap: .space 16", b"abcd\n", close=False)
    twin = made.fork()
    for one in (made, twin):
        one.feed(b"1\n")
        assert one.run().kind is StopKind.RETURNED
    made.reset()
    made.feed(b"\n1\n")
    assert made.run().message == UNSET + "$t0"


def test_a_loop_without_end_is_found_here_too():
    """A state comes back with what is set in it."""
    assert played("x: lw $t0, -4($sp)\nli $t0, 0\nb x")[1].kind is StopKind.NEVER_ENDS


def test_a_line_may_hold_thousands_of_labels():
    """Each is defined, in their order, and no number of them makes the assembler or the reader of statements raise."""
    names = [f"l{number}" for number in range(5000)]
    source = SourceFile("labels.s", f"{': '.join(names)}: jr $ra\nmain: b l4999\n")
    made = assemble(source, dialect="mipsy")
    assert made.image is not None, made.diagnostics
    assert {made.image.symbols[name] for name in names} == {made.image.symbols["l0"]}
    assert statements(source)[0].labels == tuple(names)
