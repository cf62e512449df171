import pytest

from grader.machines.lc3.assembler import statements
from grader.source import SourceFile


@pytest.mark.parametrize(
    ("line", "labels", "mnemonic", "operands", "comment"),
    [
        ("LOOP: add r0, R0, #1 ; up", ("LOOP",), "ADD", ("r0", "R0", "#1"), "; up"),
        ("brnzp LOOP", (), "BRnzp", ("LOOP",), ""),
        ("A B: halt", ("A", "B"), "HALT", (), ""),
        ("DONE", ("DONE",), "", (), ""),
        ("A: B:", ("A", "B"), "", (), ""),
        ("; only this", (), "", (), "; only this"),
        ('MSG .stringz "a;b"', ("MSG",), ".STRINGZ", ('"a;b"',), ""),
        (".foo 1", (), ".foo", ("1",), ""),
        ("Addd R0 R0 #1", (), "Addd", ("R0", "R0", "#1"), ""),
        ("LOOP Addd R0 R0 #1", ("LOOP",), "Addd", ("R0", "R0", "#1"), ""),
    ],
)
def test_a_line_reads_as_labels_mnemonic_operands_and_comment(line, labels, mnemonic, operands, comment):
    """Mnemonics are spelt as in the table; other words stay as written."""
    (statement,) = statements(SourceFile("a.asm", line))
    assert (statement.labels, statement.mnemonic, statement.operands, statement.comment) == (
        labels, mnemonic, operands, comment,
    )  # fmt: skip


def test_lines_that_hold_nothing_have_no_statement():
    """Statements know the numbers of their lines."""
    found = statements(SourceFile("a.asm", "\n  ,\n; c\n\n HALT"))
    assert [(s.line, s.mnemonic) for s in found] == [(3, ""), (5, "HALT")]


def test_a_span_covers_the_statement_or_else_the_comment():
    """Blanks around are not part of it."""
    code, comment = statements(SourceFile("a.asm", "  L HALT   ; c\n   ; alone"))
    assert (code.span.column, code.span.end_column) == (3, 9)
    assert (comment.span.column, comment.span.end_column) == (4, 11)
