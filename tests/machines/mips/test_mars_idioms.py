"""Signs, ``.eqv`` names and macro parameters as MARS reads them: each row is a line and the words that MARS 4.5 made of it."""

import pytest

from grader.machines.mips.assembler import assemble
from grader.source import SourceFile

REFUSED = None
TOP = """\
.eqv WIDTH 7
.eqv SIZE WIDTH
.eqv DOWN -3
.eqv SLOT 4($sp)
.eqv PTR $s0
.eqv MARK 'x'
.eqv SPAN 5 # five
.macro grow (%n)
addi $sp, $sp, -%n
.end_macro
.macro slot (%n)
lw $t0, -%n($sp)
.end_macro
.data
arr: .word 1, 2
"""
CODE = [
    ("addi $t0,$t0,-WIDTH", "2108fff9"),
    ("addi $t0, $t0, +WIDTH", "21080007"),
    ("addi $t0 $t0 -SIZE", "2108fff9"),
    ("addi $t0,$t0,- WIDTH", REFUSED),
    ("addi $t0,$t0,-DOWN", REFUSED),
    ("addi $t0,$t0,DOWN", "2108fffd"),
    ("addi $t0,$t0,-SPAN", "2108fffb"),
    ("li $t0, -WIDTH", "2408fff9"),
    ("li $t0, -MARK", REFUSED),
    ("subi $sp, $sp, -WIDTH", "2001fff9 03a1e822"),
    ("addu $t0, $t1, -WIDTH", "3c01ffff 3421fff9 01214021"),
    ("mul $t0, $t1, -WIDTH", "2001fff9 71214002"),
    ("bgt $t0, -WIDTH, end", "2001fff9 0028082a 14200000"),
    ("beq $t0, -SIZE, end", "2001fff9 10280000"),
    ("sgt $t0, $t1, -WIDTH", "2001fff9 0029402a"),
    ("lw $t0, -WIDTH($sp)", "8fa8fff9"),
    ("sw $t0, -WIDTH ($sp)", "afa8fff9"),
    ("lw $t0, -SIZE($sp)", "8fa8fff9"),
    ("lw $t0, - WIDTH($sp)", REFUSED),
    ("lw $t0, SLOT", "8fa80004"),
    ("lw $t0, -4(PTR)", "8e08fffc"),
    ("la $t0, arr+WIDTH", "3c011001 34280007"),
    ("la $t0, arr-WIDTH", REFUSED),
    ("lw $t0, arr+DOWN", "3c011001 8c28fffd"),
    ("lw $t0, arr+SIZE($t1)", "3c011001 00290821 8c280007"),
    ("addi $sp,$sp-4", "23bdfffc"),
    ("addi $sp,$sp+4", "23bd0004"),
    ("addi $sp, $sp -4", "23bdfffc"),
    ("addi $sp, $sp - 4", REFUSED),
    ("addi $8,$8-1", "2108ffff"),
    ("addi $t0,$zero-1", "2008ffff"),
    ("addiu $sp,$sp-WIDTH", "27bdfff9"),
    ("addiu $sp,PTR-4", "261dfffc"),
    ("add $t0,$t0-1", "2108ffff"),
    ("li $t0-4", "2408fffc"),
    ("lw $t0-4($sp)", "8fa8fffc"),
    ("lw $t0, 4-4($sp)", REFUSED),
    ("lw $t0, arr-4", REFUSED),
    ("lw $t0, arr -4", REFUSED),
    ("li $t0, WIDTH-1", REFUSED),
    ("li $t0, WIDTH - 1", REFUSED),
    ("li $t0, WIDTH+1", REFUSED),
    ("li $t0, --5", REFUSED),
    ("grow(4)", "23bdfffc"),
    ("grow 8", "23bdfff8"),
    ("grow (WIDTH)", "23bdfff9"),
    ("grow(-4)", REFUSED),
    ("slot(8)", "8fa8fff8"),
    ("slot WIDTH", "8fa8fff9"),
    ("li $08, 5", "24080005"),
    ("li $t0, -2147483648", "3c018000 34280000"),
    ("li $t0, -2147483649", REFUSED),
    ("li $t0, 4294967295", "2408ffff"),
    (".eqv NEG 5", REFUSED),
    (".eqv b 5", REFUSED),
    (".eqv HALF 5", ""),
    (".eqv $t9 5", REFUSED),
    (".eqv WIDTH 8", REFUSED),
    (".eqv WIDTH 7", ""),
    (".eqv", ""),
    (".eqv K", ""),
    ("x: .eqv K", REFUSED),
    ("x: .eqv K 5", ""),
]
DATA = [
    (".word -WIDTH, WIDTH", "fffffff9 00000007"),
    (".word -WIDTH : 3", "fffffff9 fffffff9 fffffff9"),
    (".word DOWN, -SPAN", "fffffffd fffffffb"),
    (".half -SIZE", "0000fff9"),
    (".byte -WIDTH, MARK", "000078f9"),
    (".float -WIDTH", "c0e00000"),
    (".word 3-1", "00000003 ffffffff"),
    (".word 3 -1", "00000003 ffffffff"),
    (".word arr+4", REFUSED),
    (".word arr - 4", REFUSED),
    (".byte 'a'-1", "0000ff61"),
    (".space SIZE", ""),
]


def words(text, segment):
    """The words of a program in the segment that begins at this address, as MARS dumps them; None where it is refused."""
    image = assemble(SourceFile("prog.s", text)).image
    if image is None:
        return REFUSED
    return [f"{word:08x}" for block in image.blocks if block.origin == segment for word in block.words]


@pytest.mark.parametrize(("line", "expected"), CODE)
def test_an_instruction_is_read_as_mars_reads_it(line, expected):
    """A name of .eqv stands for text, so that a sign before it belongs to its number; so does one right behind a register."""
    found = words(f"{TOP}.text\n{line}\nend: nop\n", 0x0040_0000)
    assert (found and " ".join(found[:-1])) == expected


@pytest.mark.parametrize(("line", "expected"), DATA)
def test_a_list_of_data_is_read_as_mars_reads_it(line, expected):
    """Between a name and a number there is no arithmetic."""
    found = words(f"{TOP}{line}\n.text\nend: nop\n", 0x1001_0000)
    assert (found and " ".join(found[2:])) == expected


def test_a_name_defined_in_a_macro_holds_from_there_on():
    """MARS enters it while it reads the file, used or not."""
    text = ".macro once\n.eqv STEP 4\naddi $sp, $sp, -STEP\n.end_macro\nonce\naddi $sp, $sp, STEP\n"
    assert words(text, 0x0040_0000) == ["23bdfffc", "23bd0004"]


@pytest.mark.parametrize(
    "text",
    [
        ".eqv A0 x x x x x x x x x x\n"
        + "".join(f".eqv A{n} {f'A{n - 1} ' * 10}\n" for n in range(1, 12))
        + "A11\n" * 50,
        ".eqv A B\n.eqv B A\n" + "li $t0, A\n" * 2000,
        f".eqv A {'1 ' * 100_000}\n.data\n" + ".word A\n" * 2000,
        f".macro m (%s)\n{'%s ' * 50_000}\n.end_macro\n" + f"m ({'x' * 100_000})\n" * 20,
    ],
)
def test_replaced_text_cannot_grow_without_measure(text):
    """Names that stand for more and more names, or for themselves, end in errors, soon."""
    assert words(text, 0x0040_0000) is REFUSED
