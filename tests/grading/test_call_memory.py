"""The memory before a routine is called and after it: words, texts, bytes, nodes and structures, by label or address."""

from __future__ import annotations

import pytest

from grader.results import Verdict
from tests.grading.calls import graded, result, said
from tests.grading.test_call import lc3

LENGTH = lc3(
    ":LENGTH AND R1, R1, #0",
    ":NEXT LDR R2, R0, #0",
    "BRz DONE",
    "ADD R1, R1, #1",
    "ADD R0, R0, #1",
    "BR NEXT",
    ":DONE ADD R0, R1, #0",
    "RET",
)
MIPS_LENGTH = """
        .text
length: li   $v0, 0
next:   lb   $t0, 0($a0)
        beqz $t0, done
        addi $v0, $v0, 1
        addi $a0, $a0, 1
        j    next
done:   jr   $ra
"""
SUM = lc3(
    ":SUM AND R0, R0, #0",
    "LEA R1, LIST",
    ":MORE LDR R2, R1, #0",
    "BRz DONE",
    "ADD R0, R0, R2",
    "ADD R1, R1, #1",
    "BR MORE",
    ":DONE ST R0, TOTAL",
    "RET",
    ":LIST .BLKW 8",
    ":TOTAL .BLKW 1",
)
REVERSE = lc3(
    ":REVERSE AND R1, R1, #0",
    ":MORE ADD R0, R0, #0",
    "BRz DONE",
    "LDR R2, R0, #1",
    "STR R1, R0, #1",
    "ADD R1, R0, #0",
    "ADD R0, R2, #0",
    "BR MORE",
    ":DONE ADD R0, R1, #0",
    "RET",
)


@pytest.mark.parametrize(
    ("source", "language", "name"),
    [pytest.param(LENGTH, "lc3", "R0", id="lc3"), pytest.param(MIPS_LENGTH, "mips", "$a0", id="mips")],
)
@pytest.mark.parametrize("text", ["", "a", "hello world"])
def test_a_text_is_passed_by_its_address(tmp_path, source, language, name, text):
    """With a zero at its end: a word for each character on an LC-3, a byte on a MIPS machine."""
    call = f"{{routine: length, with: {{{name}: {text!r}}}, returns: {len(text)}}}"
    assert result(tmp_path, source, call, language=language).verdict is Verdict.ACCEPTED


def test_a_text_is_told_in_quotes(tmp_path):
    """So that blanks can be seen."""
    case = result(tmp_path, lc3(":F AND R0, R0, #0", "RET"), "{routine: F, with: {R0: 'a b'}, returns: 3}")
    assert said(case) == ['F("a b") returned 0, not 3']
    assert case.again == "grader call p.asm F 'R0=\"a b\"'"


def test_words_lie_at_a_label_of_the_program_and_are_looked_for_at_another(tmp_path):
    """An array before, and a word afterwards."""
    call = "{routine: SUM, given: {LIST: [4, 5, 6, 0]}, leaves: {TOTAL: 15}}"
    assert result(tmp_path, SUM, call).verdict is Verdict.ACCEPTED
    case = result(tmp_path, SUM, "{routine: SUM, given: {LIST: [4, 5, 0]}, leaves: {TOTAL: 15}}")
    assert said(case) == ["SUM() with LIST = [4, 5, 0] left 9 at TOTAL, not 15"]


@pytest.mark.parametrize(
    "key", ["given: {ROW: [1]}, returns: 1", "returns: 1, leaves: {ROW: [1]}", "with: {R0: '@ROW'}, returns: 1"]
)
def test_a_label_that_is_not_there_is_a_matter_for_a_person(tmp_path, key):
    """The student's text may never have named it."""
    case = result(tmp_path, lc3(":F RET"), f"{{routine: F, {key}}}")
    assert case.verdict is Verdict.NEEDS_REVIEW
    assert said(case) == ["no label of the program is called ROW: a person must find what the program uses instead"]


@pytest.mark.parametrize("node", ["[value, next]", "[value, other, next]"])
@pytest.mark.parametrize("items", [[], [7], [1, 2, 3]])
def test_a_list_is_found_by_following_its_pointers(tmp_path, node, items):
    """From the address that comes back; an empty one is 0."""
    if "other" in node:
        source = REVERSE.replace("#1\n        STR", "#2\n        STR").replace("STR R1, R0, #1", "STR R1, R0, #2")
        before, after = [[n, 5] for n in items], [[n, 5] for n in items[::-1]]
    else:
        source, before, after = REVERSE, items, items[::-1]
    call = f"{{routine: REVERSE, with: {{R0: {{list: {before}, node: {node}}}}}, returns: {{list: {after}, node: {node}}}}}"
    assert result(tmp_path, source, call).verdict is Verdict.ACCEPTED


def test_a_list_that_runs_in_a_circle_is_told_as_one(tmp_path):
    """Rather than followed for ever."""
    source = lc3(":F STR R0, R0, #1", "RET")
    case = result(tmp_path, source, "{routine: F, with: {R0: {list: [1, 2]}}, returns: {list: [2, 1]}}")
    assert said(case) == [
        "F({list: [1, 2]}) returned a list that runs in a circle after {list: [1]}, not {list: [2, 1]}"
    ]


def test_a_list_that_leads_to_nowhere_is_told_as_one(tmp_path):
    """On a machine whose memory has holes."""
    source = "f:  li $t0, 3\n    sw $t0, 4($a0)\n    move $v0, $a0\n    jr $ra\n"
    case = result(tmp_path, source, "{routine: f, with: [{list: [1, 2]}], returns: {list: [1, 2]}}", language="mips")
    assert said(case) == [
        "f({list: [1, 2]}) returned a list that leads to 0x00000003 after {list: [1]}, not {list: [1, 2]}"
    ]


def test_a_block_of_our_own_has_a_name_and_several_may_point_to_it(tmp_path):
    """A structure of a number, the address of a text and that of another structure."""
    source = lc3(":F LDR R1, R0, #2", "LDR R1, R1, #1", "LDR R0, R1, #0", "RET")
    given = "{'@pair': [5, '@name', '@other'], '@other': [6, '@name'], '@name': hi}"
    call = f"{{routine: F, with: {{R0: '@pair'}}, given: {given}, returns: {ord('h')}, leaves: {{'@name': hi, '@other': [6, '@name']}}}}"
    assert result(tmp_path, source, call).verdict is Verdict.ACCEPTED


def test_a_word_at_a_label_may_point_to_a_list(tmp_path):
    """Before and after: the head of a list is a word, and its first node need not stay the first."""
    source = lc3(":F LD R0, HEAD", "LDR R0, R0, #1", "ST R0, HEAD", "RET", ":HEAD .BLKW 1")
    call = "{routine: F, given: {HEAD: {to: {list: [1, 2, 3]}}}, leaves: {HEAD: {to: {list: [2, 3]}}}}"
    assert result(tmp_path, source, call).verdict is Verdict.ACCEPTED


def test_what_an_argument_pointed_to_is_judged_afterwards(tmp_path):
    """An array that is changed in its place."""
    source = lc3(":F LDR R1, R0, #0", "ADD R1, R1, #1", "STR R1, R0, #0", "RET")
    assert (
        result(tmp_path, source, "{routine: F, with: {R0: [1, 2]}, leaves: {R0: [2, 2]}}").verdict is Verdict.ACCEPTED
    )
    case = result(tmp_path, source, "{routine: F, with: {R0: [1, 2]}, leaves: {R0: [1, 2]}}")
    assert said(case) == ["F([1, 2]) left [2, 2] where R0 pointed to, not [1, 2]"]


def test_a_text_needs_the_zero_at_its_end(tmp_path):
    """Memory behind it is noise, so that a forgotten zero is seen."""
    lines = [":F LD R1, A", "STR R1, R0, #0", "AND R1, R1, #0", "STR R1, R0, #1", "RET", ":A .FILL x61"]
    call = "{routine: F, with: {R0: {space: 4}}, leaves: {R0: a}}"
    assert result(tmp_path, lc3(*lines), call).verdict is Verdict.ACCEPTED
    del lines[2:4]
    told = said(result(tmp_path, lc3(*lines), call))[0]
    assert told.startswith('F({space: 4}) left "a')
    assert told.endswith('without the zero at its end where R0 pointed to, not "a"')


def test_bytes_lie_in_a_row_on_a_mips_machine(tmp_path):
    """The second of them is loaded by its own address."""
    source = "f:  lbu $v0, 1($a0)\n    jr $ra\n"
    assert (
        result(tmp_path, source, "{routine: f, with: [{bytes: [1, 200, 3]}], returns: 200}", language="mips").verdict
        is Verdict.ACCEPTED
    )


DRAWN = "{{routine: {0}, reference: f, games: 50, arguments: {{{1}}}{2}}}"


def test_a_drawn_text_is_shrunk_to_the_shortest(tmp_path):
    """A routine that stops at a blank fails for a single blank."""
    source = lc3(
        ":F AND R1, R1, #0",
        ":NEXT LDR R2, R0, #0",
        "BRz DONE",
        "LD R3, BLANK",
        "ADD R2, R2, R3",
        "BRz DONE",
        "ADD R1, R1, #1",
        "ADD R0, R0, #1",
        "BR NEXT",
        ":DONE ADD R0, R1, #0",
        "RET",
        ":BLANK .FILL #-32",
    )
    call = DRAWN.format("F", "R0: 'string 0..12 of a-z '", "")
    case = result(tmp_path, source, call, reference="def f(text: str) -> int:\n    return len(text)\n")
    assert said(case)[0] == 'F(" ") returned 0, not 1'
    call = DRAWN.format("F", "R0: 'string 0..12 of a-z'", "")
    assert (
        result(tmp_path, source, call, reference="def f(text: str) -> int:\n    return len(text)\n").verdict
        is Verdict.ACCEPTED
    )


def test_a_reference_changes_a_list_as_the_routine_should_change_the_array(tmp_path):
    """What it leaves in the list must lie in memory, and what it does not touch must stay."""
    source = lc3(":F LDR R2, R0, #0", "ADD R2, R2, #1", "STR R2, R0, #0", "RET")
    reference = "def f(row: list[int], size: int) -> None:\n    row[0] += {}\n"
    call = DRAWN.format("F", "R0: array 1..6 of -9..9, R1: length of R0", "")
    assert result(tmp_path, source, call, reference=reference.format(1)).verdict is Verdict.ACCEPTED
    case = result(tmp_path, source, call, reference=reference.format(2))
    assert said(case)[0] == "F([0], 1) left [1] where R0 pointed to, not [2]"


def test_a_drawn_list_is_returned_as_the_reference_returns_it(tmp_path):
    """`returns: list` says that nodes are followed."""
    call = DRAWN.format("REVERSE", "R0: list 0..6 of 1..99", ", returns: list")
    reference = "def f(items: list[int]) -> list[int]:\n    return {}\n"
    assert result(tmp_path, REVERSE, call, reference=reference.format("items[::-1]")).verdict is Verdict.ACCEPTED
    case = result(tmp_path, REVERSE, call, reference=reference.format("sorted(items)"))
    assert said(case)[0] == "REVERSE({list: [1, 2]}) returned {list: [2, 1]}, not {list: [1, 2]}"


def test_a_reference_may_change_the_list_that_it_returns(tmp_path):
    """The call is made with the numbers as they were drawn."""
    call = DRAWN.format("REVERSE", "R0: list 0..6 of 1..99", ", returns: list")
    reference = "def f(items: list[int]) -> list[int]:\n    items.reverse()\n    return items\n"
    assert result(tmp_path, REVERSE, call, reference=reference).verdict is Verdict.ACCEPTED


def test_a_reference_says_what_lies_in_a_buffer(tmp_path):
    """`leaves` names the buffer and the kind; room is no argument of the reference."""
    source = lc3(
        ":F LD R2, ZERO",
        "ADD R2, R2, R0",
        "STR R2, R1, #0",
        "AND R2, R2, #0",
        "STR R2, R1, #1",
        "RET",
        ":ZERO .FILL x30",
    )
    call = DRAWN.format("F", "R0: 0..9, R1: space 4", ", leaves: {R1: string}")
    assert (
        result(tmp_path, source, call, reference="def f(n: int) -> str:\n    return str(n)\n").verdict
        is Verdict.ACCEPTED
    )
    case = result(tmp_path, source, call, reference="def f(n: int) -> str:\n    return f'{n}.'\n")
    assert said(case)[0] == 'F(0, {space: 4}) left "0" where R1 pointed to, not "0."'


def test_arguments_may_lie_at_labels(tmp_path):
    """Where a lab passes them so."""
    call = DRAWN.format("SUM", "LIST: array 1..6 of 1..9", ", given: {TOTAL: 0}, leaves: {TOTAL: word}")
    source = SUM.replace("BRz DONE", "ADD R2, R2, #0\n        BRz DONE").replace(".BLKW 8", ".BLKW 8")
    reference = "def f(row: list[int]) -> int:\n    return sum(row)\n"
    assert result(tmp_path, source, call, reference=reference).verdict is Verdict.ACCEPTED


def filled(source: str, words: int) -> str:
    """The same with a block of so many words at its end, which nothing uses."""
    return source.replace("        .END", f"BIG     .BLKW x{words:X}\n        .END")


LC3TOOLS = ", profiles: [lc3tools]"
ALL = 0xFE00 - 0x3000
DEPTH = lc3(
    ":DEPTH ADD R6, R6, #-1",
    "STR R7, R6, #0",
    "LDR R1, R0, #0",
    "BRz LAST",
    "ADD R0, R0, #1",
    "JSR DEPTH",
    "ADD R0, R0, #1",
    "BR DONE",
    ":LAST AND R0, R0, #0",
    ":DONE LDR R7, R6, #0",
    "ADD R6, R6, #1",
    "RET",
)
"""The length of a text, by as many calls of itself; each takes a word of the stack."""


def deep(length: int, result: int) -> str:
    """A call of DEPTH with a text of this length."""
    return f"{{routine: DEPTH, with: {{R0: {'x' * length}}}, returns: {result}}}"


@pytest.mark.parametrize(
    ("source", "call"),
    [
        pytest.param(LENGTH, '{routine: LENGTH, with: {R0: "a text"}, returns: 6}', id="text"),
        pytest.param(
            REVERSE, "{routine: REVERSE, with: {R0: {list: [1, 2, 3]}}, returns: {list: [3, 2, 1]}}", id="list"
        ),
        pytest.param(DEPTH, deep(20, 20), id="stack"),
    ],
)
@pytest.mark.parametrize("words", [0x9000, 0xCC00, 0xCCF0])
def test_arguments_and_stack_share_what_a_program_leaves_of_memory(tmp_path, source, call, words):
    """A program may reserve nearly all memory of users and is right there; half a page is enough for a call."""
    case = result(tmp_path, filled(source, words), call, program=LC3TOOLS)
    assert (case.verdict, said(case)) == (Verdict.ACCEPTED, [])


def test_a_wrong_routine_is_charged_in_narrow_room(tmp_path):
    """What is wrong is wrong, however little memory is left."""
    case = result(tmp_path, filled(DEPTH, 0xCCF0), deep(20, 21), program=LC3TOOLS)
    assert (case.verdict, said(case)) == (Verdict.WRONG_ANSWER, ['DEPTH("xxxxxxxxxxxxxxxxxxxx") returned 20, not 21'])


@pytest.mark.parametrize(("words", "length"), [(ALL - 12, 1), (ALL - 80, 1), (ALL - 110, 30), (0xCCF0, 140)])
def test_a_program_that_leaves_no_room_is_open_and_its_block_is_named(tmp_path, words, length):
    """Neither we nor the student is blamed where arguments and stack do not fit: a person reads which statement fills memory."""
    grade = graded(tmp_path, filled(DEPTH, words), deep(length, length), program=LC3TOOLS)
    case = grade.cases[1]
    assert (case.verdict, said(case)) == (
        Verdict.NEEDS_REVIEW,
        [f"BIG     .BLKW x{words:X} leaves too little memory beside the program"],
    )
    assert case.findings[0].place == "p.asm:14:1"
    assert grade.criteria[0].points is None


def test_a_profile_that_protects_nothing_lets_a_call_use_the_memory_below_a_program(tmp_path):
    """There is room below x3000 for a program that fills everything above, under the usual profile."""
    case = result(tmp_path, filled(DEPTH, ALL - 12), deep(200, 200))
    assert (case.verdict, said(case)) == (Verdict.ACCEPTED, [])
