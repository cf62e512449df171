"""Machine code that is handed in: text of 0 and 1, text in hexadecimal, and object files."""

from __future__ import annotations

import pytest

from grader.machines.lc3.assembler import assemble
from grader.machines.lc3.machine_code import as_assembly
from grader.source import Severity

COUNTS = """; counts to five
0011 0000 0000 0000   ; x3000
  0001 000 000 1 00001 // one more
0001_001_000_1_11011

0000 100 111111101
1111 0000 0010 0101
"""
WORDS = (0x1021, 0x123B, 0x09FD, 0xF025)
HEXADECIMAL = "3000\nx1021\n0x123B ; less five\n09fd\nF025\n"
OBJECT = b"".join(word.to_bytes(2, "big") for word in (0x3000, *WORDS))


def of_tools(*records):
    """An object file as lc3tools writes it: words, each with whether it is an address, and with its line."""
    whole = b"\x1c\x30\x15\xc0\x01\x01\x01"
    for word, is_address in records:
        line = b"ADD R0, R0, #1"
        whole += word.to_bytes(2, "little") + bytes([is_address]) + len(line).to_bytes(4, "little") + line
    return whole


def blocks(name, data):
    """The blocks of a file, which must be right."""
    source, said = as_assembly(name, data if isinstance(data, bytes) else data.encode())
    assert not said
    assembly = assemble(source)
    assert assembly.image is not None, assembly.diagnostics
    assert not assembly.diagnostics
    return [(block.origin, block.words) for block in assembly.image.blocks]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.bin", COUNTS),
        ("a.BIN", COUNTS.replace("\n", "\r\n")),
        ("a.hex", HEXADECIMAL),
        ("a.obj", OBJECT),
        ("a.obj", of_tools((0x3000, True), *((word, False) for word in WORDS))),
        ("a.txt", COUNTS),
        ("a", HEXADECIMAL),
    ],
)
def test_all_forms_are_the_same_program(name, data):
    """Its first word is the address; fields may be set off, and comments follow `;`, `//` or `#`."""
    assert blocks(name, data) == [(0x3000, WORDS)]


def test_text_of_windows_and_a_comment_with_orig_are_still_machine_code():
    """PowerShell saves UTF-16, and many write behind the first word what it would be in assembly."""
    assert blocks("a.bin", COUNTS.encode("utf-16")) == [(0x3000, WORDS)]
    assert blocks("a.bin", COUNTS.replace("; x3000", "; .ORIG x3000")) == [(0x3000, WORDS)]


@pytest.mark.parametrize(
    ("name", "data"), [("a.bin", b"0101000000100001\n1111000000100101\n"), ("a.obj", b"\x50\x21\xf0\x25")]
)
def test_a_program_without_its_address_is_told_where_it_lies(name, data):
    """Its first instruction is taken for the address, as every loader takes it."""
    _, (warning,) = as_assembly(name, data)
    assert warning.message == "the program lies at x5021, because that is its first word"


def test_every_word_comes_back_as_itself():
    """All 65,536, whether they are instructions or not."""
    lines = ["0011000000000000", *(f"{word:016b}" for word in range(0xC000))]
    assert blocks("a.bin", "\n".join(lines)) == [(0x3000, tuple(range(0xC000)))]
    rest = [0x3000, *range(0xC000, 0x10000)]
    assert blocks("a.hex", "\n".join(f"{word:04x}" for word in rest)) == [(0x3000, tuple(range(0xC000, 0x10000)))]


def test_a_line_keeps_its_number_its_indentation_and_its_comment():
    """So that a place means the same in the file, where a report shows the instruction."""
    source, _ = as_assembly("a.bin", COUNTS.encode())
    assert source.lines[:5] == (
        "; counts to five", ".ORIG x3000  ; x3000", "  ADD R0, R0, #1  ; one more", "ADD R1, R0, #-5", "",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "place", "message"),
    [
        ("a.bin", "0011000000000000\n 000100000010001 ; one\n", "a.bin:2:2", "15 digits stand in this line"),
        ("a.bin", "0011000000000000\n00010000001000011\n", "a.bin:2:1", "17 digits stand in this line"),
        ("a.bin", "0011000000000000\n0001 002 000 1 00001\n", "a.bin:2:8", "2 is no digit of machine code"),
        ("a.bin", "0011000000000000\n0001000000100001 ADD\n", "a.bin:2:18", "A is no digit of machine code"),
        ("a.hex", "x3000\nx10211\n", "a.hex:2:1", "5 digits stand in this line"),
        ("a.hex", "x3000\n10G1\n", "a.hex:2:3", "G is no digit of machine code"),
        ("a.bin", "; nothing\n", "a.bin:1:1", "there is no word of machine code in this file"),
    ],
)
def test_a_line_that_is_no_word_is_an_error_with_its_place(name, text, place, message):
    """At the digit, or at the whole word where their number is wrong."""
    _, (error,) = as_assembly(name, text.encode())
    assert (error.severity, error.span.place, error.message) == (Severity.ERROR, place, message)


def test_all_lines_that_are_no_words_are_told():
    """And not the first alone."""
    _, errors = as_assembly("a.bin", b"0011000000000000\n01\n0001000000100001\n1\n")
    assert [error.span.line for error in errors] == [2, 4]


@pytest.mark.parametrize(
    "data", [b"", OBJECT[:-1], bytes(2 * 0x10000 + 2), of_tools((0x3000, True), (0x1021, False))[:-1], of_tools((0x1021, False))]
)  # fmt: skip
def test_a_broken_object_file_is_one_error(data):
    """Half a word, more than all memory, a record that is cut, one without an address."""
    _, (error,) = as_assembly("a.obj", data)
    assert (error.severity, error.code) == (Severity.ERROR, "broken-object")


def test_an_object_file_of_several_blocks_keeps_them():
    """As lc3tools writes it of a source with two .ORIG."""
    data = of_tools((0x3000, True), (0xF025, False), (0x4000, True), (7, False))
    assert blocks("a.obj", data) == [(0x3000, (0xF025,)), (0x4000, (7,))]


def test_assembly_text_under_such_a_name_is_assembled_with_a_warning():
    """Its program can be graded, and staff decide what the name costs."""
    source, (warning,) = as_assembly("a.bin", b".orig x3000\nHALT\n.END\n")
    assert (warning.severity, warning.message) == (
        Severity.WARNING, "this is assembly text, and machine code is asked for",
    )  # fmt: skip
    assert assemble(source).image is not None
