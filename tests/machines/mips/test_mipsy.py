"""The profile mipsy: how a program starts, asks, fails and ends there."""

import pytest

from grader.machines.mips import machine
from grader.machines.mips.assembler import assemble
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
