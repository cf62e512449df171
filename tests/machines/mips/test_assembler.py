import json
import random

import pytest

from grader.errors import UsageError
from grader.machines.families import family
from grader.machines.image import Content
from grader.machines.listing import as_json, hex_blocks, listing
from grader.machines.mips.assembler import assemble
from grader.machines.mips.lines import statements
from grader.source import SourceFile

NOTATION = family("mips").notation


def made(text, **options):
    """The image of a program that assembles."""
    assembly = assemble(SourceFile("prog.s", text), **options)
    assert assembly.errors == ()
    return assembly.image


def words(text, **options):
    """The words of its text."""
    return list(made(text, **options).blocks[0].words)


def data(text):
    """The bytes of its data segment."""
    blocks = [block for block in made(text + "\n.text\nnop\n").blocks if block.origin >= 0x1000_0000]
    return b"".join(word.to_bytes(4, "little") for block in blocks for word in block.words)


def said(text, **options):
    """Code, place, message and hint of each diagnostic."""
    found = assemble(SourceFile("prog.s", text), **options).diagnostics
    return [(d.code, d.span.line, d.span.column, d.message, d.hint) for d in found]


def codes(text, **options):
    """The codes of the diagnostics."""
    return [diagnostic[0] for diagnostic in said(text, **options)]


def test_a_program_becomes_words_at_its_addresses():
    """Text begins at 0x00400000, data at 0x10010000, the first byte lowest."""
    assert hex_blocks(made('.data\n.asciiz "abc"\n.text\nli $v0, 10\nsyscall\n'), NOTATION) == (
        "00400000: 2402000a 0000000c\n10010000: 00636261\n"
    )


def test_each_word_leads_back_to_its_line():
    """All words of a pseudo-instruction come from its line, and data is told from code."""
    image = made(".data\nx: .word 5\n.text\nlw $t0, x\n")
    assert [image.origins[address].span.line for address in (0x40_0000, 0x40_0004)] == [4, 4]
    assert image.origins[0x40_0004].content is Content.CODE
    assert image.origins[0x1001_0000].content is Content.DATA


def test_branches_count_from_the_next_instruction():
    """A branch to itself is -1, one to the next instruction 0."""
    assert words("a: beq $0, $0, a\n") == [0x1000_FFFF]
    assert words("beq $0, $0, a\na: nop\n")[0] == 0x1000_0000


@pytest.mark.parametrize(
    "written", ["addi $t0,$t0,1", "ADDI $8 $8 1", "addi ,$t0,, $t0 , 0x1", "x : addi $t0 $t0 01 # c"]
)
def test_commas_case_and_spacing_are_free(written):
    """MARS takes commas for blanks, and any case in mnemonics."""
    assert words(written) == [0x2108_0001]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("010", 8),
        ("08", 8),
        ("0x10", 16),
        ("-0x10", -16),
        ("+5", 5),
        ("'a'", 97),
        (r"'\n'", 10),
        (r"'\101'", 65),
        ("' '", 32),
    ],
)
def test_numbers_are_read_as_mars_reads_them(written, value):
    """A leading 0 is octal, unless it cannot be; characters are numbers."""
    assert words(f"addi $t0, $0, {written}") == [0x2008_0000 | value & 0xFFFF]


def test_wide_numbers_wrap():
    """0xffffffff and 4294967295 are -1."""
    assert words("li $t0, 0xffffffff") == words("li $t0, 4294967295") == words("li $t0, -1")


def test_a_label_may_have_the_name_of_an_instruction():
    """A name such as b is a label where a label stands."""
    assert words("b: nop\nj b\n")[1] == 0x0810_0000


def test_data_is_aligned_and_its_label_moves():
    """A word after a byte begins at the next multiple of 4, and so does the label before it, on its own line."""
    image = made(".data\na: .byte 1\nb:\n.word 5\nc: .byte 1\n.align 0\nd: .half 1\n.text\nnop\n")
    assert {name: image.symbols[name] - 0x1001_0000 for name in "abcd"} == {"a": 0, "b": 4, "c": 8, "d": 9}


def test_values_repeat_and_go_on_over_lines():
    """``v : n`` stores n values; a line of values alone belongs to the directive before."""
    assert data(".data\n.byte 7 : 3\n.byte 1, 2,\n 3\n") == bytes([7, 7, 7, 1, 2, 3, 0, 0])


def test_labels_in_data_may_come_later():
    """A word holds the address of a label that is defined after it, a byte its lowest bits."""
    assert data(".data\n.word x\n.byte x\nx: .byte 9") == bytes([5, 0, 1, 16, 5, 9, 0, 0])


def test_strings_have_the_escapes_of_mars():
    """Unknown escapes lose their backslash; each character is one byte."""
    assert data(r".data" + "\n" + r'.ascii "a\tb\"\q\x41é"') == b'a\tb"qx41\xe9\0\0\0'


def test_numbers_cut_short_are_warned_of():
    """300 does not fit a byte; -128 and 127 do."""
    assert codes(".data\n.byte 300\n.text\nnop") == ["truncated"]
    assert codes(".data\n.byte -128, 127\n.text\nnop") == []


def test_eqv_names_stand_for_words():
    """A name may stand for a number, a register, an address, or another name."""
    text = ".eqv N 5\n.eqv M N\n.eqv R $t0\n.eqv A 4($sp)\nli R, M\nlw R, A\n"
    assert words(text) == words("li $t0, 5\nlw $t0, 4($sp)")


def test_macros_are_chosen_by_their_number_of_arguments():
    """Two macros of one name; labels inside are another pair at each use."""
    text = ".macro m\nnop\n.end_macro\n.macro m (%x)\nl: addi %x, %x, -1\nbnez %x, l\n.end_macro\nm\nm($t0)\nm $t1\n"
    image = made(text)
    assert len(image.blocks[0].words) == 5
    assert set(image.symbols) == {"l_M2", "l_M3"}


def test_a_macro_is_known_from_its_end_on():
    """A use before that is no instruction, as in MARS; the hint knows better."""
    found = said("m 1\n.macro m (%a)\nli $t0, %a\n.end_macro\n")
    assert found[0][3:] == ('"m" is not a recognized operator', "a macro is known from its .end_macro on: move it up")


def test_a_macro_with_other_arguments_says_how_many_it_takes():
    """The message is MARS's."""
    found = said(".macro m (%a)\nli $t0, %a\n.end_macro\nm 1 2\n")
    assert found[0][3:] == ('forward reference or invalid parameters for macro "m"', "m takes 1 arguments, here are 2")


def test_a_macro_that_uses_itself_is_an_error():
    """Expansion ends."""
    assert "macro-loop" in codes(".macro m\nm\n.end_macro\nm\n")


def test_macros_cannot_grow_without_measure():
    """Ten uses of ten uses of … end with one error."""
    levels = "".join(
        f".macro m{k}\n{f'm{k - 1}' if k else 'nop'}\n" + f"m{k - 1}\n" * 9 * (k > 0) + ".end_macro\n" for k in range(9)
    )
    assert codes(levels + "m8\n") == ["macro-too-large"]


def test_included_files_are_found_in_any_case():
    """A file beside the including one is found whatever its case, and either slash is right."""
    files = {"lib/Macros.asm": SourceFile("lib/Macros.asm", "nop\n")}
    for name in ("LIB/macros.ASM", r"lib\\Macros.asm".replace("\\\\", "\\")):
        assert words(f'.include "{name}"\nnop\n', files=files) == [0, 0]


@pytest.mark.parametrize("name", ["../secret.asm", "/etc/passwd", "C:/a.asm", "none.asm"])
def test_included_files_come_from_the_submission_alone(name):
    """Whatever else is named is an error."""
    assert codes(f'.include "{name}"\nnop\n', files={"a.asm": SourceFile("a.asm", "nop")}) == ["no-such-include"]


def test_a_file_is_included_once():
    """A second time is an error, as in MARS, so that no file includes itself for ever."""
    files = {"prog.s": SourceFile("prog.s", '.include "prog.s"\n')}
    assert codes('.include "prog.s"\nnop\n', files=files) == ["recursive-include"]


def test_files_share_global_labels_alone():
    """Two files may each have a label x; main of the second is seen by the first when it is declared global."""
    other = SourceFile("b.s", ".globl f\nx: nop\nf: jr $ra\n")
    assert words("x: jal f\n", more=[other])[0] == 0x0C10_0002
    assert codes("x: jal f\n", more=[SourceFile("b.s", "f: jr $ra\n")]) == ["undefined-label"]


def test_a_program_that_is_to_start_at_main_is_told_when_it_has_none():
    """A label that is not global is not an entry; the warning points to it if it exists."""
    assert said("nop\nmain: nop\n", entry="main")[0][:2] == ("no-global-main", 2)
    assert said("nop\n", entry="main")[0][:2] == ("no-global-main", 1)
    assert made("nop\nmain: nop\n", entry="main").entry == 0x40_0000
    assert codes(".globl main\nnop\nmain: nop\n", entry="main") == []


def test_diagnostics_of_several_files_come_by_file_then_line():
    """The files in the order in which they were given, then what they include; not mixed by their lines."""
    more = [SourceFile("a.s", "nop\nnop\noops\n")]
    files = {"b.inc": SourceFile("b.inc", "oops\n")}
    assembly = assemble(SourceFile("z.s", 'nop\n.include "b.inc"\nj nowhere\noops\n'), files=files, more=more)
    found = [(d.span.source.name, d.span.line) for d in assembly.errors]
    assert found == [("z.s", 3), ("z.s", 4), ("a.s", 3), ("b.inc", 1)]


def test_a_sign_of_another_dialect_names_its_file():
    """Of several files, the note says in which the sign stands."""
    more = [SourceFile("b.s", "SIZE = 4\nli $a0, SIZE\n")]
    (note,) = [
        d for d in assemble(SourceFile("a.s", "main: nop\n"), more=more).diagnostics if d.code == "other-dialect"
    ]
    assert "line 1 of b.s" in note.message


def test_a_listing_shows_each_file_under_its_name():
    """Words that an included file made stand at its lines, not at those of the file that includes it."""
    source = SourceFile("a.s", '.include "b.inc"\nsyscall\n')
    more = SourceFile("c.s", "jr $ra\n")
    assembly = assemble(source, files={"b.inc": SourceFile("b.inc", "nop\n")}, more=[more])
    lines = listing(assembly, (source, more), NOTATION).splitlines()
    assert [line for line in lines if line.endswith(":") or line[:4] == "0040"] == [
        "a.s:",
        "00400004  0000000c      2  syscall",
        "c.s:",
        "00400008  03e00008      1  jr $ra",
        "b.inc:",
        "00400000  00000000      1  nop",
        "Symbols:",
    ]
    made = json.loads(as_json(assembly, (source, more), NOTATION))
    assert [(line["file"], line["line"]) for line in made["lines"]] == [("a.s", 2), ("c.s", 1), ("b.inc", 1)]
    assert made["sources"] == ["a.s", "c.s"]


def test_a_program_starts_at_its_first_instruction_or_at_main():
    """A global main elsewhere is told of; with ``entry="main"`` it is the entry."""
    text = ".globl main\nnop\nmain: nop\n"
    assert made(text).entry == 0x40_0000
    assert codes(text) == ["main-elsewhere"]
    assert made(text, entry="main").entry == 0x40_0004
    assert codes(text, entry="main") == []


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("add $t0, $t1", '"add": Too few or incorrectly formatted operands. Expected: add $t1,$t2,$t3', "write where the result goes, and both values: add $t0, $t0, $t1"),
        ("li $t0, x", '"x": operand is of incorrect type', "li takes a number; for the address of x write la $t0, x, for the value there lw $t0, x"),
        ("sll $t0, $t0, 40", '"40": operand is out of range', "the number is 0…31"),
        ("addi $t0, $s8, 1", '"$s8": operand is of incorrect type', "MARS has no $s8; write $fp"),
        ("add $t0, t1, $t2", '"t1": operand is of incorrect type', "a register begins with $: $t1"),
        ("jr loop", '"loop": operand is of incorrect type', "jr takes a register; to jump to a label write j loop"),
        ("mvoe $t0, $t1", '"mvoe" is not a recognized operator', "did you mean move?"),
        ("push $t0", '"push" is not a recognized operator', "this is an instruction of mipsy, not of MARS; write addi $sp, $sp, -4, then sw $t0, 0($sp)"),
        ("loop: j lopo", 'Symbol "lopo" not found in symbol table.', "did you mean loop?"),
        (".word 5", '".word" directive cannot appear in text segment', "write .data before it, and .text before the next instruction"),
    ],
)  # fmt: skip
def test_errors_have_the_words_of_mars_and_a_hint(text, message, hint):
    """The message is MARS's, the hint says what to write."""
    assert said(text)[0][3:] == (message, hint)


def test_all_errors_are_reported_at_their_columns():
    """One run shows them all."""
    assert [d[1:3] for d in said("foo\n  add $t0\nlw $t0, 5($t9\n j nowhere\n")] == [(1, 1), (2, 3), (3, 1), (4, 4)]


def test_an_instruction_in_data_is_told_of():
    """MARS drops it in silence."""
    assert codes(".data\nx: .word 1\nli $v0, 10\nsyscall\n.text\nnop\n") == ["instruction-in-data"]


def test_two_instructions_cannot_stand_in_one_place():
    """A second .text with the same address is an error."""
    assert codes(".text\nnop\n.text 0x00400000\nnop\n") == ["duplicate-address"]


def test_labels_of_gnu_are_known_as_such():
    """A jump to 1b says that labels have names."""
    assert said("j 1b")[0][4] == "labels such as 1b and 1f are GNU's; give the label a name"


def test_a_label_named_end_is_no_sign_of_mipsy():
    """Only an instruction ``end`` is."""
    assert codes("j end\nfoo\nend:\n") == ["unknown-operator"]
    assert codes("end\nfoo\n")[-1] == "other-dialect"


SPIM_PROGRAM = "N = 4\n.text\n.globl main\nmain: li $t0, N*2+1\nadd $t0, $t0, 5\njr $ra\n"


def test_spim_has_constants_and_begins_behind_its_own_code():
    """``NAME = expression`` may stand in any number; text begins at 0x00400024."""
    image = made(SPIM_PROGRAM, dialect="spim")
    assert image.entry == image.blocks[0].origin == 0x40_0024
    assert image.blocks[0].words[0] == 0x3408_0009


def test_a_program_in_another_dialect_is_told_so():
    """A program that would assemble under SPIM says so, and where."""
    assert said(SPIM_PROGRAM)[-1][3] == "this program assembles as SPIM: line 1 has NAME = value"


def test_subi_is_unknown_to_spim():
    """The usual reason why programs for MARS fail there."""
    found = said("main: subi $t0, $t0, 1\n", dialect="spim")
    assert [d[0] for d in found] == ["unknown-operator", "other-dialect"]
    assert found[0][4] == "this is an instruction of MARS and mipsy, not of SPIM; write addi with the negative number"


def test_mipsy_has_frames():
    """begin, push, pop and end become loads and stores round $sp."""
    assert len(words("main: begin\npush $ra\npop $ra\nend\njr $ra\n", dialect="mipsy")) == 10


@pytest.mark.parametrize("dialect", ["spim", "mipsy"])
def test_a_program_needs_main(dialect):
    """MARS alone starts without one."""
    assert "no-main" in codes("nop\n", dialect=dialect)


def test_an_unknown_dialect_is_a_mistake_of_the_spec():
    """It raises, and names those that there are."""
    with pytest.raises(UsageError):
        assemble(SourceFile("prog.s", ""), dialect="gnu")


def test_listings_have_eight_digits():
    """Address, word, line number and source."""
    source = SourceFile("prog.s", "main: nop\n")
    assert listing(assemble(source), (source,), NOTATION).startswith("00400000  00000000      1  main: nop\n")


def test_statements_are_what_the_source_shows():
    """Labels, mnemonic in small letters, operands with addresses as one, and the comment."""
    (statement,) = statements(SourceFile("prog.s", "  a: LW $t0, msg+4($t1) # x"))
    assert (statement.labels, statement.mnemonic, statement.operands, statement.comment) == (
        ("a",), "lw", ("$t0", "msg+4($t1)"), "# x",
    )  # fmt: skip
    assert (statement.span.column, statement.span.end_column) == (3, 24)


_PIECES = (
    'add $t0 , ( ) : + - = N N=3 .macro .end_macro m %x .eqv .include "a" .word .byte .float .data .text $at begin << N*2 \n x x: '
    "1.5 0x . $ % ' \" é ： .align .space 5 -1 99999999999 .globl .extern la lw ulw .set noat ; # .kdata .ktext"
)


@pytest.mark.parametrize("seed", range(3))
def test_no_text_makes_it_raise(seed):
    """Random pieces get an image or errors in every dialect."""
    chance = random.Random(seed)
    for _ in range(150):
        source = SourceFile("prog.s", " ".join(chance.choices(_PIECES.split(" "), k=30)))
        statements(source)
        for dialect in ("mars", "spim", "mipsy"):
            assembly = assemble(source, dialect=dialect, files={"a": source})
            assert (assembly.image is None) == bool(assembly.errors)


def test_the_sign_of_a_name_is_a_warning_for_spim():
    """SPIM 8.0 refuses ``-SIZE`` as an operand and as a value, and takes a difference; the program is assembled here."""
    source = "SIZE = 7\n.data\n.word -SIZE, SIZE - 1\n.text\nmain: li $t0, -SIZE\naddi $t1, $t0, SIZE-1\nlw $t0, -SIZE($t1)\n"
    assert [(code, line) for code, line, *_ in said(source, dialect="spim")] == [("signed-name", n) for n in (3, 5, 7)]
    assert made(source, dialect="spim") is not None
    assert codes(source, dialect="mipsy") == []
