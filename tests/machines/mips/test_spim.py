import pytest

from grader.machines.mips.assembler import assemble
from grader.machines.mips.disassembler import disassemble
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
    ],
)
def test_expansions_are_those_that_spim_shows(line, expected):
    """As SPIM 8 printed them."""
    assert made(line) == expected


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
