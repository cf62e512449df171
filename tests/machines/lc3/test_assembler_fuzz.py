"""No text makes the assembler raise, and whatever it assembles is within memory."""

from hypothesis import given, settings
from hypothesis import strategies as st

from grader.machines.families import family
from grader.machines.lc3.assembler import assemble, statements
from grader.machines.lc3.dialect import DIALECTS, OPERATIONS
from grader.machines.listing import as_json, hex_blocks, listing, symbols
from grader.source import SourceFile

NOTATION = family("lc3").notation

FRAGMENTS = st.sampled_from(
    [*OPERATIONS, "R0", "r7", "R8", "A", "b1", "xA", "LOOP", "LOOP:", "#1", "#-17", "x1F", "x", "#", "'A'", "'", '"a b"', '"', "\\",
     '"\\', ",", ":", ";", "; c", "//", "\n", "\n", "\n", "\r\n", "\r", "\t", "\u00a0", "“", "，", "\0", "\ufeff", "é", "99999", ".FOO",
     "BRzn", ".ORIG x3000\n", ".ORIG xFDFE\n", "\n.END\n", ".BLKW 60000"]
)  # fmt: skip
PROGRAMS = st.lists(FRAGMENTS, max_size=40).map(" ".join)
NAMES = st.sampled_from(sorted(DIALECTS))


def check(source, dialect):
    """Assemble and render everything; an image exists exactly when there is no error, and lies within memory."""
    assembly = assemble(source, dialect=dialect)
    assert (assembly.image is None) == bool(assembly.errors)
    for diagnostic in assembly.diagnostics:
        assert diagnostic.render()
        assert 1 <= diagnostic.span.column < diagnostic.span.end_column <= len(diagnostic.span.text) + 2
    assert listing(assembly, (source,), NOTATION)
    assert as_json(assembly, (source,), NOTATION)
    assert all(1 <= s.line <= len(source.lines) for s in statements(source))
    if assembly.image:
        assert hex_blocks(assembly.image, NOTATION) or not assembly.image.blocks
        assert symbols(assembly.image, NOTATION).count("\n") == len(assembly.image.symbols)
        for block in assembly.image.blocks:
            assert block.origin >= 0
            assert block.origin + len(block.words) <= 0xFE00
            assert all(0 <= word <= 0xFFFF for word in block.words)


@settings(max_examples=150, deadline=None)
@given(PROGRAMS, NAMES)
def test_any_arrangement_of_program_fragments_is_assembled_or_explained(text, dialect):
    """Fragments of LC-3 in any order give an image or errors, never an exception."""
    check(SourceFile("fuzz.asm", text), dialect)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200), NAMES)
def test_any_text_is_assembled_or_explained(text, dialect):
    """So does any text at all, surrogates included."""
    check(SourceFile("fuzz.asm", f".ORIG x3000\n{text}\n.END"), dialect)
    check(SourceFile("fuzz.asm", text), dialect)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), NAMES)
def test_any_bytes_are_assembled_or_explained(data, dialect):
    """So do any bytes, whatever encoding they are taken for."""
    check(SourceFile.from_bytes("fuzz.asm", data), dialect)
