import json

from grader.machines.families import family
from grader.machines.lc3.assembler import assemble
from grader.machines.listing import as_json, hex_blocks, listing, symbols
from grader.source import SourceFile

NOTATION = family("lc3").notation

SOURCE = SourceFile(
    "a.asm",
    '.ORIG x3000\nLOOP\tADD R0,R0,#1\n BRz loop\nRES\nMSG .STRINGZ "hello"\n.END\n.ORIG x4000\n.FILL LOOP\n.END\n',
)
ASSEMBLY = assemble(SOURCE)


def test_blocks_are_printed_as_origin_and_words():
    """Lower-case hexadecimal of four digits, a line for each block."""
    assert hex_blocks(ASSEMBLY.image, NOTATION) == "3000: 1021 05fe 0068 0065 006c 006c 006f 0000\n4000: 3000\n"


def test_symbols_are_printed_by_address():
    """Each with its name as the source spells it."""
    assert symbols(ASSEMBLY.image, NOTATION) == "3000  LOOP\n3002  RES\n3002  MSG\n"


def test_a_listing_shows_address_word_and_source_line():
    """Every line is there; long data is cut; labels and diagnostics follow."""
    assert listing(ASSEMBLY, (SOURCE,), NOTATION).splitlines() == [
        "                1  .ORIG x3000",
        "3000  1021      2  LOOP    ADD R0,R0,#1",
        "3001  05fe      3   BRz loop",
        "                4  RES",
        '3002  0068      5  MSG .STRINGZ "hello"',
        "3003  0065",
        "3004  006c",
        "3005  006c",
        "…     2 more words, up to 3007",
        "                6  .END",
        "                7  .ORIG x4000",
        "4000  3000      8  .FILL LOOP",
        "                9  .END",
        "               10",
        "",
        "Symbols:",
        "3000  LOOP",
        "3002  RES",
        "3002  MSG",
        "",
        "a.asm:4:1: warning: RES is read as a label, so no instruction is assembled here",
        "    4 | RES",
        "      | ^^^",
        "  hint: did you mean RET?",
    ]


def test_without_an_image_a_listing_is_the_diagnostics():
    """There are no words to list."""
    source = SourceFile("a.asm", ".ORIG x3000\nADD R0\n.END")
    assert listing(assemble(source), (source,), NOTATION).startswith("a.asm:2:1: error: ADD is written")


def test_json_holds_blocks_symbols_lines_and_diagnostics():
    """Numbers are numbers, and each source line that made words has its first address."""
    document = json.loads(as_json(ASSEMBLY, (SOURCE,), NOTATION))
    assert document["blocks"][1] == {"origin": 0x4000, "words": [0x3000]}
    assert document["symbols"] == {"LOOP": 0x3000, "RES": 0x3002, "MSG": 0x3002}
    assert document["lines"][2] == {
        "file": "a.asm",
        "line": 5,
        "address": 0x3002,
        "words": 6,
        "text": 'MSG .STRINGZ "hello"',
    }
    (diagnostic,) = document["diagnostics"]
    assert (diagnostic["code"], diagnostic["line"], diagnostic["end_column"]) == ("misspelt-mnemonic", 4, 4)


def test_json_of_a_program_with_errors_has_no_blocks():
    """Null, rather than an empty program."""
    source = SourceFile("a.asm", "ADD")
    document = json.loads(as_json(assemble(source), (source,), NOTATION))
    assert document["blocks"] is None
    assert document["symbols"] is None
    assert [d["code"] for d in document["diagnostics"]] == ["before-orig", "missing-end", "wrong-operands"]
