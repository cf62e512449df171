import pytest

from grader.machines.mips.assembler import assemble
from grader.machines.mips.isa import disassemble
from grader.machines.mips.machine import Machine
from grader.machines.mips.profiles import PROFILES
from grader.source import SourceFile


def made(line):
    """The instructions that a line becomes under SPIM."""
    assembly = assemble(SourceFile("prog.s", f"main:\n{line}\n.data\n.word 0\ny: .word 1\n"), dialect="spim")
    assert assembly.errors == ()
    return [disassemble(word) for word in assembly.image.blocks[0].words]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("li $t0, 5", ["ori $t0, $zero, 0x5"]),
        ("li $t0, -5", ["lui $at, 0xffff", "ori $t0, $at, 0xfffb"]),
        ("li $t0, 65536", ["lui $t0, 0x1"]),
        ("li $t0, -65536", ["lui $t0, 0xffff"]),
        ("li $t0, 65537", ["lui $at, 0x1", "ori $t0, $at, 0x1"]),
        ("li $t0, 0", ["ori $t0, $zero, 0x0"]),
        ("li.s $f2, 1.5", ["lui $at, 0x3fc0", "ori $at, $at, 0x0", "mtc1 $at, $f2"]),
        ("li.s $f2, 3", ["lui $at, 0x4040", "ori $at, $at, 0x0", "mtc1 $at, $f2"]),
        (
            "li.d $f2, 0.1",
            [
                "lui $at, 0x9999",
                "ori $at, $at, 0x999a",
                "mtc1 $at, $f2",
                "lui $at, 0x3fb9",
                "ori $at, $at, 0x9999",
                "mtc1 $at, $f3",
            ],
        ),
        ("seb $t0, $t1", ["sll $t0, $t1, 24", "sra $t0, $t0, 24"]),
        ("la $t0, y", ["lui $at, 0x1001", "ori $t0, $at, 0x4"]),
        ("add $t0, 5", ["addi $t0, $t0, 5"]),
        ("sub $t0, $t1, 5", ["addi $t0, $t1, -5"]),
        ("mul $t0, $t1, 5", ["ori $at, $zero, 0x5", "mul $t0, $t1, $at"]),
        ("ulw $t0, 4($t1)", ["lwl $t0, 7($t1)", "lwr $t0, 4($t1)"]),
        ("jal $t0", ["jalr $ra, $t0"]),
        ("j $ra", ["jr $ra"]),
        ("and $t0, 3", ["andi $t0, $t0, 0x3"]),
        ("and $t0, $t1, -1", ["lui $at, 0xffff", "ori $at, $at, 0xffff", "and $t0, $t1, $at"]),
        ("nor $t0, 3", ["ori $at, $zero, 0x3", "nor $t0, $t0, $at"]),
        ("nor $t0, $t1, 3", ["ori $at, $zero, 0x3", "nor $t0, $t1, $at"]),
        ("slt $t0, 3", ["slti $t0, $t0, 3"]),
        ("addu $t0, $t1, -3", ["addiu $t0, $t1, -3"]),
        ("subu $t0, 3", ["addiu $t0, $t0, -3"]),
        ("sgt $t0, $t1, 3", ["ori $at, $zero, 0x3", "slt $t0, $at, $t1"]),
        ("la $t0, 4($t1)", ["addi $t0, $t1, 4"]),
        ("l.s $f0, 4($sp)", ["lwc1 $f0, 4($sp)"]),
        ("ld $t0, 4($sp)", ["lw $t0, 4($sp)", "lw $t1, 8($sp)"]),
    ],
)
def test_expansions_are_those_that_spim_shows(line, expected):
    """As SPIM 8 printed them."""
    assert made(line) == expected


def outcome(text):
    """The output of the program under SPIM."""
    assembly = assemble(SourceFile("prog.s", text), dialect="spim")
    assert assembly.errors == ()
    machine = Machine(assembly.image, PROFILES["spim"])
    machine.run()
    return machine.take_output()


@pytest.mark.parametrize("line", ["jr main", "jalr main"])
def test_a_jump_to_a_label_may_be_written_as_one_to_a_register(line):
    """SPIM makes ``j`` and ``jal`` of them."""
    plain = {"jr main": "j main", "jalr main": "jal main"}[line]
    assert made(line) == made(plain)


def test_a_label_may_spell_an_instruction_in_capitals():
    """SPIM knows instructions in small letters alone; ``b:`` is refused there and here."""
    text = "main: li $a0, 5\nB: b ADD\nli $a0, 6\nADD: li $v0, 1\nsyscall\njr $ra\n"
    assert outcome(text) == b"5"
    found = assemble(SourceFile("prog.s", "main: nop\nb: nop\n"), dialect="spim").errors
    assert [error.message for error in found] == ["Cannot use opcodes as labels"]


@pytest.mark.parametrize(
    "line", ["and $t0, $t1", "add $t0, $t1", "nor $t0, $t1", "sub $t0, $t1", "mul $t0, 3", "neg $t0"]
)
def test_with_two_operands_the_second_is_a_number(line):
    """SPIM refuses two registers, and some instructions always want all three."""
    assert assemble(SourceFile("prog.s", f"main: {line}\n"), dialect="spim").image is None


def test_alignment_among_instructions_is_no_instruction():
    """SPIM aligns its data pointer: the code goes on, and the next data stands at the boundary."""
    text = """.data
x: .byte 1
.text
.align 3
main: la $a0, y
.align 2
li $v0, 1
syscall
jr $ra
.data
y: .byte 2
"""
    assert outcome(text) == str(0x1001_0008).encode()


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        (r"\033[2J", b"\x1b[2J"),
        (r"\0331", b"\x1b1"),
        (r"\012b", b"\nb"),
        (r"\X41", b"A"),
        (r"\x41", rb"\x41"),
        (r"a\tb\"c\"", b'a\tb"c"'),
        (r"a\rb\z", rb"a\rb\z"),
        (r"a\\nb", b"a\\\nb"),
        (r"a\0b", b"a"),
        (r"\101", b"\x01"),
    ],
)
def test_escapes_in_strings_are_those_of_spim(written, stored):
    """As SPIM 8 stored them: octal and hexadecimal numbers, and a backslash that begins no escape stays."""
    text = f'.data\nx: .asciiz "{written}"\n.text\nmain: la $a0, x\nli $v0, 4\nsyscall\njr $ra\n'
    assert outcome(text) == stored


@pytest.mark.parametrize("name", ["seq", "sne", "sge", "sgeu", "sle", "sleu"])
def test_comparisons_are_two_branches(name):
    """The first branch leads to the fourth instruction, the second behind it."""
    first, _, third, _ = (
        assemble(SourceFile("prog.s", f"main: {name} $a0, $t0, $t1\n"), dialect="spim").image.blocks[0].words
    )
    assert first & 0xFFFF == 2
    assert third & 0xFFFF == 1


@pytest.mark.parametrize("line", ["li.s $f2, 1e39", "li.s $t0, 1.5", "li.d $f2, y", "li.s $f2", "li 65536, $t0"])
def test_what_is_no_load_of_a_number_is_refused(line):
    """Too large for the register, not its register, no number, or not both."""
    assert assemble(SourceFile("prog.s", f"main: {line}\ny: nop\n"), dialect="spim").image is None


def test_rotations_by_each_number_bring_the_bits_round():
    """Also by 0, and into the register that they come from."""
    text = "main: li $t0, 0x80000001\nrotr $t0, $t0, {}\nmove $a0, $t0\nli $v0, 1\nsyscall\njr $ra\n"
    for count, expected in ((0, 0x80000001 - 2**32), (1, 0xC0000000 - 2**32), (31, 3)):
        for dialect in ("spim", "mipsy"):
            image = assemble(SourceFile("prog.s", text.format(count)), dialect=dialect).image
            machine = Machine(image, PROFILES[dialect])
            machine.run()
            assert int(machine.take_output()) == expected
