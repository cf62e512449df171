"""The rules of the language. What single tools make of it is in test_assembler_vectors, the complaints in test_diagnostics."""

import pytest

from grader.errors import UsageError
from grader.machines.image import Content
from grader.machines.lc3.assembler import assemble
from grader.source import SourceFile


def words(body, dialect="default"):
    """The words of a program with these lines between .ORIG x3000 and .END, which must have no error."""
    assembly = assemble(SourceFile("a.asm", f".ORIG x3000\n{body}\n.END\n"), dialect=dialect)
    assert assembly.errors == ()
    return list(assembly.image.blocks[0].words)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("ADD R1,R2,R3", 0x1283),
        ("ADD R1,R2,#-16", 0x12B0),
        ("AND R1,R2,#15", 0x52AF),
        ("NOT R1,R2", 0x92BF),
        ("BRn #1", 0x0801),
        ("BRz #1", 0x0401),
        ("BRp #1", 0x0201),
        ("BRnz #1", 0x0C01),
        ("BRnp #1", 0x0A01),
        ("BRzp #1", 0x0601),
        ("BRnzp #1", 0x0E01),
        ("BR #-256", 0x0F00),
        ("JMP R3", 0xC0C0),
        ("RET", 0xC1C0),
        ("JSR #-1024", 0x4C00),
        ("JSRR R3", 0x40C0),
        ("LD R1,#255", 0x22FF),
        ("LDI R1,#0", 0xA200),
        ("LDR R1,R2,#-32", 0x62A0),
        ("LEA R1,#0", 0xE200),
        ("ST R1,#0", 0x3200),
        ("STI R1,#0", 0xB200),
        ("STR R1,R2,#31", 0x729F),
        ("RTI", 0x8000),
        ("TRAP xFF", 0xF0FF),
        ("PUTC", 0xF021),
        ("NOP", 0x0000),
        ("NOP #1", 0x0001),
        ("HALT", 0xF025),
    ],
)
def test_each_instruction_has_the_encoding_of_the_manual(line, word):
    """Checked by hand against Appendix A, with fields at their ends, and alike in lower case."""
    assert words(line) == [word]
    assert words(line.lower()) == [word]


@pytest.mark.parametrize(
    ("number", "value"),
    [
        ("5", 5), ("#5", 5), ("-5", -5), ("#-5", -5), ("+5", 5), ("#+5", 5), ("007", 7),
        ("x1F", 31), ("X1f", 31), ("0x1F", 31), ("0X1F", 31), ("x-1F", -31), ("-x1F", -31), ("-0x1F", -31),
        ("b101", 5), ("B101", 5), ("0b101", 5), ("b-101", -5), ("-b101", -5),
        ("'A'", 65), ("' '", 32), ("';'", 59), ("','", 44), (r"'\n'", 10), (r"'\''", 39), ("'''", 39), ("'é'", 0xE9),
        ("-32768", -32768), ("65535", 65535), ("xFFFF", 65535), ("x8000", 32768),
    ],
)  # fmt: skip
def test_a_number_may_be_written_in_many_ways(number, value):
    """Decimal with or without #, hexadecimal and binary with the sign on either side, characters."""
    assert words(f".FILL {number}") == [value & 0xFFFF]


@pytest.mark.parametrize("number", ["#x1F", "1F", "-x-1F", "x", "#", "--5", "5-", "٣", "1_0", "''", r"'\q'"])
def test_what_is_no_number_is_not_taken_for_one(number):
    """Digits of other scripts, underscores and doubled signs do not make a number."""
    assert assemble(SourceFile("a.asm", f".ORIG x3000\n.FILL {number}\n.END")).image is None


@pytest.mark.parametrize(
    "line",
    ["ADD R0,R0,#1", "ADD R0 R0 #1", "add r0 , , r0 #1,", "ADD,R0:R0:#1", "L:ADD R0,R0,#1", "L : ADD R0,R0,#1;c", "\tADD\tR0\tR0\t1"],
)  # fmt: skip
def test_commas_colons_and_blanks_separate_in_any_number(line):
    """All of these are one instruction."""
    assert words(line) == [0x1021]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_will_do_and_the_last_may_be_missing(end):
    """LF, CRLF and CR make the same words and the same line numbers."""
    source = SourceFile("a.asm", end.join([".ORIG x3000", "ADD R0,R0,#1", "", "HALT", ".END"]))
    image = assemble(source).image
    assert image.blocks[0].words == (0x1021, 0xF025)
    assert image.origins[0x3001].span.line == 4


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (r'"a\n\t\r\\\"\0\e"', [97, 10, 9, 13, 92, 34, 0, 27, 0]),
        (r'"a\\"', [97, 92, 0]),
        (r'"a\qb"', [97, 92, 113, 98, 0]),
        ('""', [0]),
        ('"a;b" ; c', [97, 59, 98, 0]),
        ('"你"', [0xE4, 0xBD, 0xA0, 0]),
        ("abc", [97, 98, 99, 0]),
        ("'abc'", [39, 97, 98, 99, 39, 0]),
        ('"open ; text', [*b"open ; text", 0]),
        ('"open\\', [*b"open\\", 0]),
        ('"', [0]),
    ],
)
def test_a_text_becomes_one_word_a_byte_and_a_zero(text, codes):
    """Escapes, UTF-8 beyond ASCII, and the unquoted and unclosed texts that lc3tools takes too."""
    assert words(f".STRINGZ {text}") == codes


def test_a_text_is_stored_as_utf_8_whatever_the_encoding_of_the_file():
    """A program saved in GB18030 prints its Chinese text as the grader reads it."""
    source = SourceFile.from_bytes("a.asm", '.ORIG x3000\n.STRINGZ "你" ; 注释\n.END'.encode("gb18030"))
    assert assemble(source).image.blocks[0].words == (*"你".encode(), 0)


def test_labels_named_like_letters_and_hexadecimal_digits_are_labels():
    """`A`, `B`, `x` and `xray` are no numbers."""
    assert words("A ADD R0,R0,#1\nB BR A\nx BR B\nxray BR x\nBR xray") == [0x1021, 0x0FFE, 0x0FFE, 0x0FFE, 0x0FFE]


def test_a_label_that_reads_as_a_binary_number_wins_over_the_number():
    """`b1` is the label where one is defined, before or after its use, and the number 1 where none is."""
    assert words("BR b1\nNOP\nb1 HALT")[0] == 0x0E01
    assert words("b1 BR b1")[0] == 0x0FFF
    assert words("BR b11")[0] == 0x0E03


def test_a_label_is_found_in_its_own_case_first_and_then_in_any():
    """With `o` and `O` each means itself; with `Loop` alone, `LOOP` means it."""
    assert words("o .FILL 1\nO .FILL 2\n.FILL o\n.FILL O")[2:] == [0x3000, 0x3001]
    assert words("Loop BR LOOP") == [0x0FFF]


def test_several_labels_may_name_one_address():
    """On one line, with colons or without, and on lines of their own."""
    for body in ("A B HALT", "A: B: HALT", "A\nB HALT", "A:\nB:\nHALT", "A: B:\nHALT"):
        image = assemble(SourceFile("a.asm", f".ORIG x3000\n{body}\n.END")).image
        assert image.symbols == {"A": 0x3000, "B": 0x3000}


def test_a_label_in_another_script_is_a_label():
    """Names may hold almost any character."""
    assert words("循环 ADD R0,R0,#1\nBR 循环\ndon't BR don't")[1:] == [0x0FFE, 0x0FFF]


def test_a_program_may_have_several_blocks():
    """Each goes to its origin, labels reach across, and the first one's origin is the entry."""
    image = assemble(SourceFile("a.asm", ".ORIG x4000\nLD R0,L\n.END\n.ORIG x4010\nL .FILL #7\n.END\n")).image
    assert [(b.origin, b.words) for b in image.blocks] == [(0x4000, (0x200F,)), (0x4010, (7,))]
    assert image.entry == 0x4000


def test_where_blocks_overlap_the_later_word_has_the_origin():
    """The image loads block after block; the way back leads to the line whose word stays."""
    assembly = assemble(SourceFile("a.asm", ".ORIG x3000\n.BLKW 3\n.END\n.ORIG x3001\nHALT\n.END\n"))
    assert [d.code for d in assembly.diagnostics] == ["overlap"]
    assert assembly.image.origins[0x3001].span.line == 5
    assert assembly.image.origins[0x3002].span.line == 2


@pytest.mark.parametrize(("line", "ok"), [(".BLKW xCE00", True), (".BLKW xCE01", False)])
def test_memory_for_programs_ends_below_the_device_registers(line, ok):
    """A program from x3000 may fill memory up to xFDFF, and not xFE00."""
    assembly = assemble(SourceFile("a.asm", f".ORIG x3000\n{line}\n.END"))
    assert (assembly.image is not None) is ok
    assert [d.code for d in assembly.errors] == ([] if ok else ["device-region"])


def test_code_and_data_are_told_apart():
    """Instructions are code, what directives make is data."""
    image = assemble(SourceFile("a.asm", '.ORIG x3000\nHALT\n.FILL 1\n.BLKW 1\n.STRINGZ ""\nNOP\n.END')).image
    contents = [image.origins[address].content for address in range(0x3000, 0x3005)]
    assert contents == [Content.CODE, Content.DATA, Content.DATA, Content.DATA, Content.CODE]


def test_the_span_of_a_statement_goes_from_its_label_to_its_last_operand():
    """Indentation and comment are not part of it."""
    image = assemble(SourceFile("a.asm", ".ORIG x3000\n  L ADD R0, R0, #1  ; c\n.END")).image
    span = image.origins[0x3000].span
    assert span.text[span.column - 1 : span.end_column - 1] == "L ADD R0, R0, #1"


def test_symbols_are_spelt_as_they_are_defined_in_the_order_of_the_source():
    """The image names labels as the student does."""
    image = assemble(SourceFile("a.asm", ".ORIG x3000\nloop BR Loop\nMsg .FILL LOOP\n.END")).image
    assert list(image.symbols.items()) == [("loop", 0x3000), ("Msg", 0x3001)]


def test_an_unknown_dialect_is_wrong_usage():
    """It is the caller's mistake, and the known ones are named."""
    with pytest.raises(UsageError, match="lc3tools"):
        assemble(SourceFile("a.asm", ""), dialect="lc4")


@pytest.mark.parametrize(
    ("dialect", "line"),
    [
        ("lc3tools", ".FILL 0x1F"), ("lc3tools", ".FILL -x1F"), ("lc3tools", ".FILL +5"), ("lc3tools", ".FILL 'A'"),
        ("lc3tools", r'.STRINGZ "\\"'), ("lc3tools", "A B HALT"),
        ("lc3tools", "o .FILL 1\nO .FILL 2"), ("lc3tools", "1L HALT"), ("lc3tools", ".END\n.END"),
        ("lc3as", "ADD R0 R0 #1"), ("lc3as", "ADD R0,R0,#1,"), ("lc3as", "ADD ,R0,R0,#1"), ("lc3as", "ADD R0,,R0,#1"),
        ("lc3as", "L HALT\nBR L:"), ("lc3as", "PUTC"), ("lc3as", "NOP"), ("lc3as", ".FILL b101"),
        ("lc3as", ".END\n.ORIG x4000\nHALT"), ("lc3as", "_L HALT"), ("lc3as", "a.b HALT"), ("lc3as", r'.STRINGZ "\q"'),
        ("lc3as", ".STRINGZ abc"),
    ],
)  # fmt: skip
def test_a_strict_dialect_refuses_what_its_tool_refuses_and_the_default_takes_it(dialect, line):
    """The error names the tool or is the default's warning; the default dialect has no error at all."""
    source = SourceFile("a.asm", f".ORIG x3000\n{line}\n.END\n")
    assert assemble(source, dialect=dialect).errors
    assert not assemble(source).errors


@pytest.mark.parametrize("dialect", ["lc3tools", "lc3as"])
def test_a_plain_program_is_right_in_every_dialect(dialect):
    """All tools take the statements of the textbook, colon after a label and comments included."""
    body = 'MAIN: LEA R0, MSG ; "hi", twice\n PUTS\nL2 ADD R0 , R0, #-1\n BRp L2\n HALT\nMSG .STRINGZ "a, b: c\\n"'
    assert words(body, dialect) == words(body)


def test_a_strict_dialect_says_nothing_about_what_follows_the_end():
    """Text that is not assembled is not held to any rule."""
    assembly = assemble(SourceFile("a.asm", ".ORIG x3000\nHALT\n.END\nADD R0 R0 #1"), dialect="lc3as")
    assert assembly.errors == ()
