import pytest

from grader.machines.lc3.assembler import assemble
from grader.machines.lc3.isa import disassemble
from grader.source import SourceFile


@pytest.mark.parametrize("first", range(0, 0x10000, 0x8000))
def test_every_word_assembles_back_from_its_disassembly(first):
    """For all 65,536 words, assembling what the disassembler writes gives the word again, with nothing to complain of."""
    words = range(first, first + 0x8000)
    text = "\n".join([".ORIG x3000", *map(disassemble, words), ".END"])
    assembly = assemble(SourceFile("all.asm", text))
    assert assembly.diagnostics == ()
    assert assembly.image.blocks[0].words == tuple(words)


@pytest.mark.parametrize(
    ("word", "text"),
    [
        (0x1021, "ADD R0, R0, #1"),
        (0x103F, "ADD R0, R0, #-1"),
        (0x1042, "ADD R0, R1, R2"),
        (0x907F, "NOT R0, R1"),
        (0x0402, "BRz #2"),
        (0x0E00, "BRnzp #0"),
        (0x0000, "NOP"),
        (0x0041, "NOP #65"),
        (0xC1C0, "RET"),
        (0xC0C0, "JMP R3"),
        (0x40C0, "JSRR R3"),
        (0x6043, "LDR R0, R1, #3"),
        (0x8000, "RTI"),
        (0xF021, "OUT"),
        (0xF030, "TRAP x30"),
        (0xD000, ".FILL xD000"),
        (0x1018, ".FILL x1018"),
    ],
)
def test_a_word_reads_as_the_manual_writes_it(word, text):
    """Operands in the manual's order; aliases where they leave nothing to write; .FILL for what is no instruction."""
    assert disassemble(word) == text


def test_a_distance_reads_as_the_label_that_it_leads_to():
    """With an address and an image, a branch names its label; without a label there, or without an image, a number."""
    image = assemble(SourceFile("a.asm", ".ORIG x3000\nLOOP ADD R0,R0,#1\nBRz LOOP\nBR #5\n.END")).image
    assert disassemble(0x05FE, 0x3001, image) == "BRz LOOP"
    assert disassemble(0x05FE, 0x3001) == "BRz #-2"
    assert disassemble(0x0E05, 0x3002, image) == "BRnzp #5"


def test_a_distance_wraps_round_the_address_space():
    """A branch from x0000 to -1 leads to xFFFF, as on the machine."""
    image = assemble(SourceFile("a.asm", ".ORIG x0\nSTART BR #-1\n.END")).image
    assert disassemble(0x0E00, 0xFFFF, image) == "BRnzp START"
