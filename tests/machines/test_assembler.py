import pytest

from grader.machines.assembler import (
    SOURCE_LIMIT,
    WORDED_DIAGNOSTICS,
    Ranges,
    Report,
    Symbol,
    Symbols,
    nearest,
    refuse_source,
)
from grader.machines.lexer import lexer
from grader.source import Severity, SourceFile

SOURCE = SourceFile("a.asm", "one\ntwo\nthree")
AT = SOURCE.span(1, 1)


def a_report(*refused):
    """A report for a dialect that refuses these codes."""
    return Report(lexer(comment=";", separators=","), frozenset(refused))


def test_diagnostics_come_in_the_order_of_the_source():
    """They are sorted by line and column, however they were found."""
    report = a_report()
    report.error("b", "second", SOURCE.span(2, 3))
    report.warning("c", "third", SOURCE.span(3, 1))
    report.error("a", "first", SOURCE.span(2, 1))
    assert [d.code for d in report.diagnostics()] == ["a", "b", "c"]


def test_a_warning_fails_nothing_unless_the_dialect_refuses_its_code():
    """The same warning is an error in a dialect that names it; a refusal is nothing in one that does not."""
    for refused, severities in (((), [Severity.WARNING]), (("w", "r"), [Severity.ERROR, Severity.ERROR])):
        report = a_report(*refused)
        report.warning("w", "…", AT)
        report.refusal("r", "…", AT)
        assert [d.severity for d in report.diagnostics()] == severities
        assert report.failed is bool(refused)


def test_errors_beyond_the_limit_are_counted_and_their_hints_never_made():
    """200 errors are worded; for the 201st the hint is not asked for, and a note says how many are missing."""
    report = a_report()
    hints = []
    for _ in range(WORDED_DIAGNOSTICS + 3):
        report.error("e", "…", AT, lambda: hints.append(1) or "hint")
    shown = report.diagnostics()
    assert len(hints) == WORDED_DIAGNOSTICS
    assert shown[-1].message == "3 more diagnostics are not shown"
    assert len(shown) == WORDED_DIAGNOSTICS + 1


def test_many_warnings_leave_room_for_errors():
    """An error after 1,000 warnings is still shown, and still fails the report."""
    report = a_report()
    for _ in range(1000):
        report.warning("w", "…", AT)
    report.error("e", "…", AT)
    assert report.failed
    assert "e" in [d.code for d in report.diagnostics()]


@pytest.mark.parametrize(("size", "refused"), [(SOURCE_LIMIT, False), (SOURCE_LIMIT + 1, True)])
def test_a_source_up_to_the_limit_is_taken(size, refused):
    """The limit itself is allowed; one more is refused with the limit in the message."""
    diagnostic = refuse_source(SourceFile("a.asm", ";" * size))
    assert (diagnostic is not None) is refused
    if diagnostic:
        assert "1,048,576" in diagnostic.message


def test_a_binary_file_is_refused_and_a_single_stray_control_character_is_not():
    """One control character in fifty makes a text a binary file."""
    assert refuse_source(SourceFile("a.obj", "\0\x30\x10\x21")).code == "binary-source"
    assert refuse_source(SourceFile("a.asm", "HALT\0" + " " * 60)) is None


def test_an_exact_label_comes_before_one_in_another_case():
    """`ox` and `OX` are told apart, and a third spelling could mean either."""
    symbols = Symbols()
    assert symbols.define(Symbol("ox", 1, AT)) == ()
    symbols.define(Symbol("OX", 2, AT))
    assert [s.address for s in symbols.find("OX")] == [2]
    assert [s.name[0] for s in symbols.find("Ox")] == ["o", "O"]


def test_the_first_definition_of_a_label_stays():
    """Defining it again gives the first one back and changes nothing."""
    symbols = Symbols()
    first = Symbol("A", 1, AT)
    symbols.define(first)
    assert symbols.define(Symbol("A", 2, AT)) == (first,)
    assert symbols.addresses == {"A": 1}


def test_finding_a_label_marks_it_as_used():
    """A label is used once an operand meant it, in whatever case."""
    symbols = Symbols()
    symbols.define(Symbol("Loop", 1, AT))
    assert not symbols.is_used("Loop")
    symbols.find("LOOP")
    assert symbols.is_used("Loop")


def test_the_nearest_name_ignores_case_and_may_be_none():
    """A slip finds its name as spelt there; a strange word finds nothing."""
    assert nearest("lop", ["LOOP", "DONE"]) == "LOOP"
    assert nearest("xyzzy", ["LOOP", "DONE"]) == ""


def test_ranges_overlap_when_they_share_an_address_and_not_when_they_touch():
    """Neighbours are apart; one address in common is an overlap, from either side and from within."""
    ranges = Ranges()
    one, two = SOURCE.span(1, 1), SOURCE.span(2, 1)
    assert ranges.claim(10, 20, one) is None
    assert ranges.claim(20, 30, two) is None
    assert ranges.claim(5, 10, one) is None
    assert ranges.claim(29, 31, one) == two
    assert ranges.claim(0, 6, two) == one
    assert ranges.claim(12, 13, two) == one
    assert ranges.claim(0, 100, two) is not None
    assert ranges.claim(15, 15, two) is None
