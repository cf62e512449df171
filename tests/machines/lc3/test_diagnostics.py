"""Messages for students: the code, the place, and the contents of message and hint."""

import pytest

from grader.machines.assembler import SOURCE_LIMIT, WORDED_DIAGNOSTICS
from grader.machines.lc3.assembler import assemble
from grader.source import Severity, SourceFile


def diagnostics(body, dialect="default"):
    """All diagnostics of a program with these lines from line 2 on, and a LOOP and a MSG to refer to below them."""
    text = f".ORIG x3000\n{body}\nLOOP BR LOOP\nMSG .FILL MSG\n.END\n"
    return assemble(SourceFile("nim.asm", text), dialect=dialect).diagnostics


@pytest.mark.parametrize(
    ("line", "code", "marked", "message", "hint"),
    [
        ("ADD R0, R0, #20", "out-of-range", "#20", "imm5 is -16…15; 20 does not fit", ".FILL"),
        ("ADD R0, R0, #-17", "out-of-range", "#-17", "imm5 is -16…15; -17 does not fit", "steps"),
        ("AND R0, R0, x1F", "out-of-range", "x1F", "x1F does not fit", "#-1"),
        ("LDR R0, R1, #32", "out-of-range", "#32", "offset6 is -32…31", "base"),
        ("LD R0, x3000", "out-of-range", "x3000", "PCoffset9 is -256…255", "use a label"),
        ("JSR #1024", "out-of-range", "#1024", "PCoffset11 is -1024…1023", "label"),
        ("TRAP x100", "out-of-range", "x100", "trapvect8 is x00…xFF", "x20 to x25"),
        (".FILL x10000", "out-of-range", "x10000", "-32768…65535", "16 bits"),
        (".FILL -32769", "out-of-range", "-32769", "-32768…65535", "16 bits"),
        (".BLKW 0", "out-of-range", "0", "1…65535", "how many"),
        ("JSR R3", "wrong-operands", "JSR R3", "JSR LABEL", "JSRR R3"),
        ("JSRR LOOP", "wrong-operands", "JSRR LOOP", "JSRR BaseR", "JSR LOOP"),
        ("JMP LOOP", "wrong-operands", "JMP LOOP", "JMP BaseR", "BR LOOP"),
        ("BRz R3", "wrong-operands", "BRz R3", "BRz LABEL", "JMP R3"),
        ("BRz R0, LOOP", "wrong-operands", "BRz R0, LOOP", "BRz LABEL", "compares nothing"),
        ("LDR R0, R1, MSG", "wrong-operands", "LDR R0, R1, MSG", "offset6", "LD R0, MSG"),
        ("LD R0, R1, #0", "wrong-operands", "LD R0, R1, #0", "LD DR, LABEL", "LDR R0, R1, #0"),
        ("ADD R0, R0, MSG", "wrong-operands", "ADD R0, R0, MSG", "imm5", "load MSG into a register"),
        ("AND R0, #0", "wrong-operands", "AND R0, #0", "AND DR, SR1", "AND R0, R0, #0"),
        ("NOT R0", "wrong-operands", "NOT R0", "NOT DR, SR", "NOT R0, R0"),
        ("ADD", "wrong-operands", "ADD", "ADD DR, SR1, SR2 or ADD DR, SR1, imm5", "registers"),
        ("PUTS MSG", "wrong-operands", "PUTS MSG", "takes no operands", "LEA R0"),
        ("OUT R0", "wrong-operands", "OUT R0", "takes no operands", "R0"),
        ("RET R7", "wrong-operands", "RET R7", "takes no operands", "alone"),
        ("TRAP HALT", "wrong-operands", "TRAP HALT", "trapvect8", "own"),
        ("AND .FILL 1", "wrong-operands", "AND .FILL 1", "AND", "cannot be a label"),
        ("LEA R0, MSG PUTS", "wrong-operands", "LEA R0, MSG PUTS", "LEA", "line of its own"),
        ("ADD R0, R0, # 5", "wrong-operands", "ADD R0, R0, # 5", "ADD", "#5"),
        ("ADD R0, R0, #1 // up", "wrong-operands", "ADD R0, R0, #1 // up", "ADD", "comment begins with ;"),
        ("LDR R0, [R1, #0]", "wrong-operands", "LDR R0, [R1, #0]", "LDR", "without brackets"),
        ('.FILL "a"', "wrong-operands", '.FILL "a"', ".FILL", "'A'"),
        (".FILL 1, 2", "wrong-operands", ".FILL 1, 2", ".FILL", "for each value"),
        (".BLKW MSG", "wrong-operands", ".BLKW MSG", ".BLKW", "as a number"),
        (".STRINGZ", "wrong-operands", ".STRINGZ", "one text", "double quotes"),
        (".STRINGZ 5", "wrong-operands", ".STRINGZ 5", "one text", "double quotes"),
        ("ADD R0, R0, R8", "bad-register", "R8", "R8", "R0 to R7"),
        ("LD R0, #x1F", "bad-number", "#x1F", "#x1F", "write x1F"),
        ("ADD R0, R0, 1F", "bad-number", "1F", "1F", "x1F"),
        ("LD R0, MSH", "undefined-label", "MSH", "MSH", "did you mean MSG?"),
        ("LD R0, NOWHERE", "undefined-label", "NOWHERE", "NOWHERE", "at the beginning of the line"),
        ("BR HALT", "undefined-label", "HALT", "HALT", "cannot be a label"),
        ("LD R0, MSG+1", "undefined-label", "MSG+1", "MSG+1", "own label"),
        ("MSG HALT", "duplicate-label", None, "MSG", "another name"),
        (".FILL #", "undefined-label", "#", "#", "#5"),
        ("LD R0, R9", "undefined-label", "R9", "R9", "R0 to R7"),
        (".END\n.ORIG x10000", "out-of-range", None, "x0000…xFFFF", ".ORIG x3000"),
        (".END\n.ORIG", "wrong-operands", None, "one address", ".ORIG x3000"),
        ("R0 HALT", "bad-label", "R0", "register", "mnemonic"),
        ("xA HALT", "bad-label", "xA", "number", "another name"),
        ("ADDD R0, R0, #1", "unknown-mnemonic", "ADDD", "ADDD", "did you mean ADD?"),
        ("X ADDD R0, R0, #1", "unknown-mnemonic", "ADDD", "ADDD", "did you mean ADD?"),
        ("X SUB R0, R1, R2", "unknown-mnemonic", "SUB", "SUB", "NOT R2, R2"),
        ("X GIBBERISH R0", "unknown-mnemonic", "GIBBERISH", "GIBBERISH", "comment"),
        ("X: GIBBERISH R0", "unknown-mnemonic", "GIBBERISH", "GIBBERISH", "comment"),
        ("BRzn LOOP", "unknown-mnemonic", "BRzn", "BRzn", "BRnz"),
        ("SUB R0, R1, R2", "unknown-mnemonic", "SUB", "SUB", "NOT R2, R2"),
        ("FILL x5", "unknown-mnemonic", "FILL", "FILL", ".FILL"),
        ("// a note", "unknown-mnemonic", "//", "//", "comment begins with ;"),
        ("This is my program", "unknown-mnemonic", "This", "This", "comment begins with ;"),
        (".ASCIIZ", "unknown-directive", ".ASCIIZ", ".ASCIIZ", "MIPS"),
        (".strinz", "unknown-directive", ".strinz", ".strinz", ".STRINGZ"),
        ("ADD R0，R0 #1", "odd-character", "，", "U+FF0C", "plain ,"),
    ],
)
def test_an_error_says_what_where_and_what_to_do(line, code, marked, message, hint):
    """One fault gives one error, whose span marks the words at fault."""
    (error,) = [d for d in diagnostics(line) if d.severity is Severity.ERROR]
    assert error.code == code
    assert message in error.message
    assert hint in error.hint
    if marked is not None:
        assert error.span.line == 2
        assert error.span.text[error.span.column - 1 : error.span.end_column - 1] == marked


@pytest.mark.parametrize(
    ("line", "code", "marked"),
    [
        ("RES", "misspelt-mnemonic", "RES"),
        ("IRET", "misspelt-mnemonic", "IRET"),
        ("HLT ; done", "misspelt-mnemonic", "HLT"),
        ("END", "misspelt-mnemonic", "END"),
        ("o HALT\nO HALT", "label-case", "O"),
        ("b1 HALT", "binary-label", "b1"),
        ("1L HALT", "digit-label", "1L"),
        ("#note", "comment-sign", "#note"),
        (".STRINGZ abc", "unquoted-string", "abc"),
        ('.STRINGZ "abc', "unclosed-string", '"abc'),
        (r'.STRINGZ "a\qb"', "unknown-escape", r'"a\qb"'),
        ("ADD\u00a0R0,R0,#1", "odd-blank", "\u00a0"),
        ("HALT\n.END HALT\n.ORIG x4000", "after-end", "HALT"),
        (".ORIG x4000", "missing-end", ".ORIG x4000"),
        (".END\n.END\n.ORIG x4000", "stray-end", ".END"),
        (".END\n.ORIG 3000", "decimal-origin", "3000"),
        (".END\nnot a program\n.ORIG x4000", "after-end", "not a program"),
    ],
)
def test_a_warning_marks_what_is_probably_not_meant(line, code, marked):
    """The program is still assembled."""
    (warning,) = diagnostics(line)
    assert (warning.severity, warning.code) == (Severity.WARNING, code)
    assert warning.span.text[warning.span.column - 1 : warning.span.end_column - 1] == marked
    assert warning.hint


@pytest.mark.parametrize("line", ["START", "OUTER", "INPUT", "DONE", "OUT2", "MAIN", "RES\nBR RES", "RES HALT"])
def test_an_ordinary_label_is_not_taken_for_a_misspelt_mnemonic(line):
    """Labels that are used, that name the statement on their line, or that no single slip makes an instruction."""
    assert diagnostics(line) == ()


def test_a_label_too_far_away_is_given_with_its_distance():
    """256 words ahead is one too many for LD and right for JSR; the hint says how to reach it."""
    (error,) = diagnostics("LD R0, FAR\nJSR FAR\n.BLKW 255\nFAR HALT")
    assert (error.code, error.message) == ("label-too-far", "FAR is 256 words away; LD reaches -256…255")
    assert "LDI" in error.hint
    assert diagnostics("LD R0, FAR\n.BLKW 255\nFAR HALT") == ()


@pytest.mark.parametrize(
    ("line", "hint"),
    [("BR FAR", "JMP"), ("JSR FAR", "JSRR"), ("ST R0, FAR", "STI"), ("LDI R0, FAR", "move FAR nearer")],
)
def test_a_label_too_far_away_can_be_reached_another_way(line, hint):
    """Each kind of instruction has its own way round."""
    (error,) = diagnostics(f"{line}\n.BLKW 1200\nFAR HALT")
    assert error.code == "label-too-far"
    assert hint in error.hint


def test_all_errors_of_a_program_are_reported_at_once_in_their_order():
    """Errors of both passes come together, sorted by line."""
    found = diagnostics("LD R0, NOPE\nMSG HALT\nADD R0\n.FOO\nADD R0,R0,#99")
    assert [(d.span.line, d.code) for d in found] == [
        (2, "undefined-label"),
        (4, "wrong-operands"),
        (5, "unknown-directive"),
        (6, "out-of-range"),
        (8, "duplicate-label"),
    ]


def test_a_faulty_statement_keeps_its_place_and_its_label():
    """An error causes no second one: addresses do not move, and the label can be used."""
    found = diagnostics("L1 ADDD R0,R0,#1\nL2 FOO R1\nLD R0, L1\nLD R0, L2\nBR #254\n.BLKW 249")
    assert [d.code for d in found] == ["unknown-mnemonic", "unknown-mnemonic"]


def test_an_undefined_label_is_reported_five_times_and_then_counted():
    """A forgotten definition that is used twenty times does not fill a page."""
    found = diagnostics("\n".join(["LD R0, GONE"] * 20))
    assert len(found) == 5
    assert "15 more uses" in found[-1].message


def test_a_label_behind_the_end_is_said_to_stand_there():
    """Data below a misplaced .END is the reason for what is undefined."""
    source = SourceFile("a.asm", ".ORIG x3000\nLD R0, X\nHALT\n.END\nX .FILL 1\n")
    (error,) = assemble(source).errors
    assert "line 5, after .END" in error.hint


def test_two_labels_that_differ_in_case_are_ambiguous_for_a_third_spelling():
    """`Ox` could be `ox` or `OX`: the assembler does not choose."""
    (error,) = [d for d in diagnostics("ox HALT\nOX HALT\nBR Ox") if d.severity is Severity.ERROR]
    assert error.code == "ambiguous-label"
    assert "ox (line 2) or OX (line 3)" in error.message


@pytest.mark.parametrize("text", ["", "\n\n", "; nothing\n", "\ufeff"])
def test_a_file_without_a_program_is_an_error(text):
    """Empty, blank, or comments alone."""
    assert [d.code for d in assemble(SourceFile("a.asm", text)).errors] == ["no-program"]


@pytest.mark.parametrize(
    "text",
    [
        "0011000000000000\n0001000000100001\n1111000000100101\n",
        "; start\n\n  0011 0000 0000 0000 ; x3000\n  0001 000 000 1 00001 ADD R0, R0, #1\n  1111 0000 0010 0101\n",
        "x3000\nx1021\nxF025\n",
        "3000\r\n1021 ; ADD\r\nf025\r\n",
    ],
)
def test_machine_code_as_text_is_named_as_what_it_is(text):
    """Files for a loader, binary and hexadecimal, get one error instead of one for each line."""
    (error,) = assemble(SourceFile("nim.bin", text)).diagnostics
    assert error.code == "machine-code"
    assert error.message.startswith("this is machine code, not assembly text")
    assert ".asm" in error.hint


@pytest.mark.parametrize("text", ["ADD R0,R0,#1\n", "FACE\nHALT\nADD R0, R0, #1\n", ".ORIG x3000\nx3000\n.END\n"])
def test_what_has_instructions_or_an_origin_is_no_machine_code(text):
    """A few odd lines do not make a program a file of numbers."""
    assert "machine-code" not in {found.code for found in assemble(SourceFile("nim.asm", text)).diagnostics}


@pytest.mark.parametrize("text", [r"a\ec", r"a\0c"])
def test_lc3tools_prints_escapes_that_it_does_not_know(text):
    """They are no errors there: backslash and letter are stored, and the warning says so."""
    (warning,) = diagnostics(f'.STRINGZ "{text}"', dialect="lc3tools")
    assert (warning.severity, warning.code) == (Severity.WARNING, "unknown-escape")
    assert warning.hint == r"there are \n \t \r \\ \""


def test_code_before_the_origin_is_one_error_and_its_own_faults_are_found():
    """The missing .ORIG is reported once, however long the program is."""
    found = assemble(SourceFile("a.asm", "ADD R0,R0,#1\nADD R0,R0,#99\nHALT\n.END\n")).diagnostics
    assert [d.code for d in found] == ["before-orig", "out-of-range"]


def test_memory_that_a_program_runs_out_of_is_reported_once():
    """Past xFFFF, and in the device registers; every later statement would only say it again."""
    (error,) = diagnostics(".BLKW 60000\nHALT\nHALT")
    assert (error.code, error.span.line) == ("past-memory", 2)


def test_blocks_over_blocks_are_limited():
    """Forty blocks of 60,000 words each are refused rather than built."""
    text = ".ORIG x0\n.BLKW 60000\n.END\n" * 40
    assert {d.code for d in assemble(SourceFile("a.asm", text)).errors} == {"image-too-large"}


def test_a_source_over_the_limit_is_one_error_that_names_it():
    """One character more than a mebibyte is not assembled; exactly that many are."""
    text = ".ORIG x3000\nHALT\n.END\n;"
    assert assemble(SourceFile("a.asm", text.ljust(SOURCE_LIMIT, ";"))).image is not None
    (error,) = assemble(SourceFile("a.asm", text.ljust(SOURCE_LIMIT + 1, ";"))).diagnostics
    assert error.code == "source-too-large"


def test_a_hundred_thousand_labels_are_taken():
    """A source of labels alone is assembled, all of them at one address."""
    text = ".ORIG x3000\n" + "\n".join(f"L{n}" for n in range(100_000)) + "\nHALT\n.END"
    image = assemble(SourceFile("a.asm", text)).image
    assert len(image.symbols) == 100_000
    assert set(image.symbols.values()) == {0x3000}


def test_a_hundred_thousand_errors_are_counted_and_not_worded():
    """The report stays readable, and says how many more there are."""
    text = ".ORIG x3000\n" + "LD R0, NOPE\nFOO BAR\n" * 50_000
    found = assemble(SourceFile("a.asm", text)).diagnostics
    assert len([d for d in found if d.severity is Severity.ERROR]) == WORDED_DIAGNOSTICS
    assert found[-1].code == "more-diagnostics"


def test_names_of_any_length_stay_short_in_messages():
    """A label of 100,000 characters is cut where it is quoted."""
    name = "L" * 100_000
    (error,) = diagnostics(f"{name} HALT\n{name} HALT")
    assert len(error.message) < 200
