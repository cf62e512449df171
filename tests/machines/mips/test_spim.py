import pytest

from grader.machines.mips.assembler import assemble
from grader.machines.mips.disassembler import disassemble
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
