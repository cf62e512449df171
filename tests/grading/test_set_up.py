"""Whole runs with values of their own: what lies where before, keys at their times, what is left afterwards."""

from __future__ import annotations

import pytest

from grader.results import CaseResult, Verdict
from tests.grading.calls import SPEC, said
from tests.grading.small import submission
from tests.grading.test_call import lc3

TOTAL = lc3(
    "AND R0, R0, #0",
    "LEA R1, ROW",
    "LD R2, COUNT",
    ":MORE BRz DONE",
    "LDR R3, R1, #0",
    "ADD R0, R0, R3",
    "ADD R1, R1, #1",
    "ADD R2, R2, #-1",
    "BR MORE",
    ":DONE ST R0, SUM",
    "HALT",
    ":COUNT .FILL 0",
    ":SUM .BLKW 1",
    ":ROW .BLKW 8",
)
UPPER = lc3(
    "LD R3, STEP",
    "LEA R1, TEXT",
    ":MORE LDR R2, R1, #0",
    "BRz DONE",
    "ADD R2, R2, R3",
    "STR R2, R1, #0",
    "ADD R1, R1, #1",
    "BR MORE",
    ":DONE HALT",
    ":STEP .FILL #-32",
    ":TEXT .BLKW 8",
)
POLLING = lc3(
    "AND R0, R0, #0",
    "AND R5, R5, #0",
    ":LOOK ADD R5, R5, #1",
    "LDI R1, KBSR",
    "BRzp LOOK",
    "LDI R0, KBDR",
    "HALT",
    ":KBSR .FILL xFE00",
    ":KBDR .FILL xFE02",
)
INTERRUPTED = lc3(
    "LD R0, VECTOR",
    "LEA R1, SERVE",
    "STR R1, R0, #0",
    "LD R0, ENABLE",
    "STI R0, KBSR",
    "AND R2, R2, #0",
    ":LOOP ADD R2, R2, #1",
    "LD R3, SEEN",
    "BRz LOOP",
    "HALT",
    ":SERVE ST R0, KEPT",
    "LDI R0, KBDR",
    "ST R0, SEEN",
    "LD R0, KEPT",
    "RTI",
    ":KEPT .BLKW 1",
    ":SEEN .FILL 0",
    ":ENABLE .FILL x4000",
    ":VECTOR .FILL x0180",
    ":KBSR .FILL xFE00",
    ":KBDR .FILL xFE02",
)


@pytest.fixture
def run(tmp_path):
    """The result of a machine case with these rules."""
    from grader.grading import Grading
    from grader.spec.loader import load_assignment

    def run(source: str, rules: str, language: str = "lc3") -> CaseResult:
        (tmp_path / "reference.py").write_text("")
        program = ", profiles: [mars]" if language == "mips" else ""
        spec = SPEC.format(language=language, call="", program=program, source="").replace(
            "call: }", f"machine: {rules}}}"
        )
        path = tmp_path / "routines.yaml"
        path.write_text(spec.replace("criterion: works, ", "criterion: works, shows: 0, "))
        with Grading(load_assignment(path)) as grading:
            return grading.grade(submission(source)).cases[1]

    return run


def test_runs_have_values_of_their_own(run):
    """Words and arrays before, and a word afterwards; what all runs have is said once."""
    rules = "{{runs: [{{given: {{COUNT: 2, ROW: [3, 4]}}, memory: {{SUM: 7}}}}, {{given: {{COUNT: 1, ROW: [9]}}, memory: {{SUM: {0}}}}}]}}"
    assert run(TOTAL, rules.format(9)).verdict is Verdict.ACCEPTED
    case = run(TOTAL, rules.format(10))
    assert (case.verdict, said(case)) == (Verdict.WRONG_ANSWER, ["SUM holds x0009 at the end; x000A is expected"])


def test_a_text_is_looked_for_with_its_zero(run):
    """And an array at the same place, and at an address."""
    rules = "{{play: [''], given: {{TEXT: anna}}, leaves: {{TEXT: {0}}}}}"
    assert run(UPPER, rules.format("ANNA")).verdict is Verdict.ACCEPTED
    assert said(run(UPPER, rules.format("ANN"))) == ['TEXT holds "ANNA" at the end; "ANN" is expected']
    assert run(UPPER, rules.format("[65, 78, 78, 65, 0]")).verdict is Verdict.ACCEPTED
    assert (
        run(UPPER, "{play: [''], given: {TEXT: anna, x4000: [1, 2]}, leaves: {x4001: 2}}").verdict is Verdict.ACCEPTED
    )


def test_registers_hold_what_is_given(run):
    """Numbers, and addresses of what lies in a block."""
    source = lc3("LDR R0, R4, #1", "ADD R0, R0, R3", "HALT")
    assert (
        run(source, "{play: [''], given: {R3: 5, R4: '@row', '@row': [1, 2]}, registers: {R0: 7}}").verdict
        is Verdict.ACCEPTED
    )


@pytest.mark.parametrize("rules", ["given: {LOST: 1}, memory: {SUM: 0}", "leaves: {LOST: [1]}"])
def test_a_label_that_is_not_there_is_a_matter_for_a_person(run, rules):
    """Before the run and after it."""
    case = run(TOTAL, f"{{play: [''], {rules}}}")
    assert case.verdict is Verdict.NEEDS_REVIEW
    assert said(case) == ["no label of the program is called LOST: a person must find what the program uses instead"]


def test_a_key_comes_at_its_time(run):
    """A program that looks at the keyboard by itself has looked often by then."""
    assert run(POLLING, "{runs: [{keys: {300: k}}], registers: {R0: x6B, R5: 100}}").verdict is Verdict.ACCEPTED
    assert run(POLLING, "{runs: [{keys: {30: k}}], registers: {R0: x6B, R5: 10}}").verdict is Verdict.ACCEPTED


def test_a_key_interrupts_at_its_time(run):
    """The routine that serves it puts it where the program looks."""
    assert (
        run(INTERRUPTED, "{runs: [{keys: {500: k}}], memory: {SEEN: x6B}, ends_well: true}").verdict is Verdict.ACCEPTED
    )


def test_keys_that_are_left_may_be_a_mistake(run):
    """Where the case says so."""
    assert run(POLLING, "{play: [[kq]], registers: {R0: x6B}}").verdict is Verdict.ACCEPTED
    case = run(POLLING, "{runs: [{play: kq}], registers: {R0: x6B}, unread: false}")
    assert said(case) == ["the program ends before it reads the last key"]


def test_mips_programs_are_set_up_too(run):
    """Words and texts in their data, by label."""
    source = ".data\nn: .word 0\nt: .space 8\n.text\nmain: lw $t0, n\n lb $t1, t\n add $s0, $t0, $t1\n sb $s0, t+1\n li $v0, 10\n syscall\n"
    rules = "{play: [''], given: {n: 2, t: a, $s1: 3}, registers: {$s0: 99, $s1: 3}, leaves: {t: ac}}"
    assert run(source, rules, "mips").verdict is Verdict.ACCEPTED


def test_a_program_that_fills_memory_leaves_no_room_for_a_block(run):
    """That is open and names what fills it; what lies at labels of the program needs no room, nor is one word too little."""
    full = TOTAL.replace("        .END", "BIG     .BLKW xCDD7\n        .END")  # the usual profile has room below x3000
    rules = "{{play: [''], given: {{COUNT: 2, ROW: [3, 4]{}}}, memory: {{SUM: 7}}}}"
    spec = run(full, rules.format(""))
    assert spec.verdict is Verdict.ACCEPTED
    case = run(full, rules.format(f", '@row': [{', '.join(['1'] * 13_000)}]"))
    assert case.verdict is Verdict.NEEDS_REVIEW
    assert said(case) == ["BIG     .BLKW xCDD7 leaves too little memory beside the program"]
