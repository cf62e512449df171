"""How arguments are passed and results come back: by register, on the stack of an LC-3, and as o32 has it; calls within; typing."""

from __future__ import annotations

import pytest

from grader.results import Verdict
from tests.grading.calls import result, said
from tests.grading.test_call import lc3

FRAME = """
        .ORIG x3000
; int sub(int a, int b)
SUB     ADD R6, R6, #-3
        STR R7, R6, #1
        STR R5, R6, #0
        ADD R5, R6, #-1
        LDR R0, R5, #4
        LDR R1, R5, #5
        NOT R1, R1
        ADD R1, R1, #1
        ADD R0, R0, R1
        STR R0, R5, #3
        LDR R5, R6, #0
        LDR R7, R6, #1
        ADD R6, R6, #2
        RET
        .END
"""
SIX = """
six:    addu $v0, $a0, $a1
        addu $v0, $v0, $a2
        addu $v0, $v0, $a3
        lw   $t0, 16($sp)
        sll  $t0, $t0, 1
        addu $v0, $v0, $t0
        lw   $t0, 20($sp)
        subu $v0, $v0, $t0
        jr   $ra
"""
FACT = """
fact:   addi $sp, $sp, -8
        sw   $ra, 4($sp)
        sw   $s0, 0($sp)
        move $s0, $a0
        li   $v0, 1
        blez $s0, out
        addi $a0, $s0, -1
        jal  fact
        mul  $v0, $v0, $s0
out:    lw   $ra, 4($sp)
        lw   $s0, 0($sp)
        addi $sp, $sp, 8
        jr   $ra
"""
LOOP = """
fact:   li   $v0, 1
more:   blez $a0, out
        mul  $v0, $v0, $a0
        addi $a0, $a0, -1
        j    more
out:    jr   $ra
"""
SUBTRACTED = "{routine: SUB, convention: lc3-frame, with: [12, 5], returns: 7, preserves: [convention]}"


def test_a_frame_of_an_lc3_has_its_arguments_on_the_stack_and_its_result_on_top(tmp_path):
    """R6 points to the result afterwards, and R5 is the caller's again."""
    assert result(tmp_path, FRAME, SUBTRACTED).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("was", "becomes", "told"),
    [
        ("ADD R6, R6, #2", "ADD R6, R6, #3", "SUB(12, 5) returned with R6 1 word too high (it should point to the result)"),
        ("ADD R6, R6, #2", "ADD R6, R6, #0", "SUB(12, 5) returned with R6 2 words too low (it should point to the result)"),
        ("LDR R5, R6, #0", "ADD R5, R5, #0", "SUB(12, 5) changed R5 and did not restore it"),
        ("STR R0, R5, #3", "STR R1, R5, #3", "SUB(12, 5) returned -5, not 7"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_frame_is_told(tmp_path, was, becomes, told):
    """The stack, the frame pointer, the result."""
    case = result(tmp_path, FRAME.replace(was, becomes), SUBTRACTED)
    assert case.verdict is Verdict.WRONG_ANSWER
    assert told in said(case)


def test_o32_has_four_arguments_in_registers_and_others_behind_room_for_these(tmp_path):
    """The fifth lies at 16($sp)."""
    call = "{routine: six, with: [1, 2, 3, 4, 50, 6], returns: 104, preserves: [convention]}"
    assert result(tmp_path, SIX, call, language="mips").verdict is Verdict.ACCEPTED
    case = result(tmp_path, SIX.replace("16($sp)", "12($sp)"), call, language="mips")
    assert case.verdict is Verdict.WRONG_ANSWER
    assert case.again == "grader call p.asm six 1 2 3 4 50 6"


@pytest.mark.parametrize("profile", ["mars", "spim", "mipsy"])
def test_a_recursive_routine_is_right_under_each_edition(tmp_path, profile):
    """It returns to an address that no program has, under all of them."""
    call = "{routine: fact, with: [5], returns: 120, preserves: [convention], calls: {fact: 5}}"
    source = FACT if profile == "mars" else f"main: jr $ra\n{FACT}"
    assert (
        result(tmp_path, source, call, language="mips", program=f", profiles: [{profile}]").verdict is Verdict.ACCEPTED
    )


def test_a_stack_that_is_not_taken_down_is_told_in_bytes(tmp_path):
    """Under o32 the stack pointer must always be what it was."""
    case = result(
        tmp_path, "f: addi $sp, $sp, -4\n   li $v0, 1\n   jr $ra\n", "{routine: f, returns: 1}", language="mips"
    )
    assert said(case) == ["f() returned with $sp 4 bytes too low"]


def test_a_saved_register_is_charged_only_where_a_case_asks_for_it(tmp_path):
    """One case of a spec does, and the others do not charge it again."""
    source = "f: li $s0, 1\n   li $v0, 1\n   jr $ra\n"
    case = result(tmp_path, source, "{routine: f, returns: 1, preserves: [convention]}", language="mips")
    assert said(case) == ["f() changed $s0 and did not restore it"]
    assert result(tmp_path, source, "{routine: f, returns: 1}", language="mips").verdict is Verdict.ACCEPTED


def test_recursion_is_shown_by_the_calls_of_itself(tmp_path):
    """A loop gives the same result, and calls nothing."""
    call = "{routine: fact, with: [4], returns: 24, calls: {fact: {least: 4}}}"
    assert result(tmp_path, FACT, call, language="mips").verdict is Verdict.ACCEPTED
    assert said(result(tmp_path, LOOP, call, language="mips")) == [
        "fact(4) never called itself; at least 4 times required"
    ]


def test_calls_must_have_their_arguments_in_this_order(tmp_path):
    """Others may come between them."""
    call = "{{routine: fact, with: [4], returns: 24, calls: {{fact: {{with: {0}}}}}}}"
    assert result(tmp_path, FACT, call.format("[[3], [1]]"), language="mips").verdict is Verdict.ACCEPTED
    case = result(tmp_path, FACT, call.format("[[1], [3]]"), language="mips")
    assert said(case) == ["fact(4) never called fact(3) after the calls before"]


def test_a_routine_is_called_so_often_and_no_more(tmp_path):
    """A number is the number of times."""
    call = "{{routine: fact, with: [4], returns: 24, calls: {{fact: {0}}}}}"
    assert result(tmp_path, FACT, call.format(4), language="mips").verdict is Verdict.ACCEPTED
    assert said(result(tmp_path, FACT, call.format(3), language="mips")) == [
        "fact(4) called itself 4 times; 3 times required"
    ]
    assert said(result(tmp_path, FACT, call.format(0), language="mips")) == [
        "fact(4) called itself 4 times; 0 times required"
    ]


DIGIT = lc3(":DIGIT GETC", "OUT", "LD R1, ZERO", "ADD R0, R0, R1", "RET", ":ZERO .FILL #-48")


def test_what_is_printed_is_compared_exactly(tmp_path):
    """It read a key and printed it."""
    assert result(tmp_path, DIGIT, "{routine: DIGIT, types: '7', prints: '7', returns: 7}").verdict is Verdict.ACCEPTED
    case = result(tmp_path, DIGIT, '{routine: DIGIT, types: "7", prints: "7\\n", returns: 7}')
    assert said(case) == ['DIGIT() with "7" typed printed "7", not "7\\n"']
    assert case.again == "grader call p.asm DIGIT --input 7"


def test_keys_that_are_left_may_be_a_mistake(tmp_path):
    """Where the case says so."""
    call = "{{routine: DIGIT, types: '78', returns: 7, unread: {0}}}"
    assert result(tmp_path, DIGIT, call.format("true")).verdict is Verdict.ACCEPTED
    assert said(result(tmp_path, DIGIT, call.format("false"))) == [
        'DIGIT() with "78" typed left 1 of 2 typed keys unread'
    ]


def test_what_is_typed_may_be_drawn(tmp_path):
    """A line ends with Enter, and the reference is given it."""
    call = "{routine: DIGIT, reference: digit, games: 20, arguments: {types: line 1 of 0-9}, prints: text}"
    reference = "def digit(line: str) -> str:\n    return line[0]\n"
    assert result(tmp_path, DIGIT, call, reference=reference).verdict is Verdict.ACCEPTED


def test_traps_are_forbidden_or_demanded(tmp_path):
    """Those that are executed meanwhile."""
    case = result(
        tmp_path, DIGIT, "{routine: DIGIT, types: '7', returns: 7, forbidden_traps: [x21], required_traps: [x22]}"
    )
    assert said(case) == [
        'DIGIT() with "7" typed executed TRAP x21, which is not allowed here',
        'DIGIT() with "7" typed never executed TRAP x22',
    ]
    call = "{routine: DIGIT, types: '7', returns: 7, forbidden_traps: [x22], required_traps: [x21, x20]}"
    assert result(tmp_path, DIGIT, call).verdict is Verdict.ACCEPTED


def test_a_routine_that_ends_a_mips_program_has_not_returned(tmp_path):
    """Nor has one that runs off the end of the program."""
    case = result(tmp_path, "f: li $v0, 10\n   syscall\n", "{routine: f, returns: 1}", language="mips")
    assert (said(case), case.findings[0].hint) == (
        ["f() ended the program and did not return"],
        "End the routine with jr $ra.",
    )
    case = result(tmp_path, "f: li $v0, 1\n", "{routine: f, returns: 1}", language="mips")
    assert said(case) == ["f() ran on past its last instruction and did not return"]


def test_a_return_address_that_was_lost_is_no_return(tmp_path):
    """Memory of the stack is noise: who loads what was never stored comes back to nowhere."""
    case = result(
        tmp_path, "f: li $v0, 1\n   lw $ra, -4($sp)\n   jr $ra\n", "{routine: f, returns: 1}", language="mips"
    )
    assert case.verdict is Verdict.RUNTIME_ERROR
