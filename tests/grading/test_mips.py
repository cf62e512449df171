"""A MIPS program under the profiles of its spec: the same judging as for the LC-3."""

from __future__ import annotations

import pytest

from grader.results import Verdict
from grader.submission import Submission, SubmittedFile
from tests.grading.small import grading, submission

SPEC = """
assignment: sum
title: Sum
submission: {required: [p.asm]}
program: {language: mips, sources: [p.asm], profiles: [mars, spim]}
limits: {instructions: 5M}
reference: reference.py
text: {facts: [{name: sum, pattern: '(-?[0-9]+)'}]}
rubric: [{id: works, points: 4, title: Works, counts: each}]
cases:
  - {id: twelve, title: Twelve, criterion: works, play: ["5\\n7\\n"]}
  - {id: sound, title: Sound, criterion: works, machine: {play: [["5\\n7\\n"]], ends_well: true, callee_saved: true, stack_balance: true}}
"""
REFERENCE = """
def play():
    from grader.sessions.reference import Keys
    yield "Two numbers: "
    typed = yield Keys(4)
    yield str(sum(int(word) for word in typed.split()))
"""
PROGRAM = """
        .data
ask:    .asciiz "Two numbers: "
        .text
        .globl main
main:   {first}
        li   $v0, 4
        la   $a0, ask
        syscall
        li   $v0, 5
        syscall
        move $s0, $v0
        li   $v0, 5
        syscall
        move $a0, $v0
        jal  plus
        move $a0, $v0
        li   $v0, 1
        syscall
        {last}
plus:   {body}
        add  $v0, $a0, $s0
        jr   $ra
"""


def graded(tmp_path, first="", last="li $v0, 10\n syscall", body="", profiles="mars, spim"):
    """The grade of a program with these lines in it."""
    one = grading(tmp_path, spec=SPEC.replace("mars, spim", profiles), reference=REFERENCE)
    return one.grade(submission(PROGRAM.format(first=first, last=last, body=body)))


def test_a_right_program_earns_everything(tmp_path):
    """It is judged under MARS, the first profile, without a note."""
    grade = graded(tmp_path)
    assert (grade.score, {case.profile for case in grade.cases if case.kind != "source"}) == (4, {"mars"})


def test_what_only_spim_assembles_is_judged_there(tmp_path):
    """A program in SPIM's dialect is right, and the finding names the edition."""
    grade = graded(tmp_path, first="nop\nten = 10")
    assert grade.score == 4
    assert "does not assemble under mars" in grade.cases[-1].findings[-1].message


def test_returning_from_main_is_a_normal_end(tmp_path):
    """`jr $ra` from main ends a program as well as system call 10 does."""
    assert graded(tmp_path, first="li $s7, 0", last="li $ra, 0\n jr $ra").score == 4


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("li $s1, 3", "clobbered-register"),
        ("addi $sp, $sp, -4", "stack-imbalance"),
        ("lw $t0, 1($sp)", "runtime-exception"),
    ],
)
def test_what_a_simulator_sees(tmp_path, body, code):
    """A changed saved register, an unbalanced stack and an unaligned load are found with their place."""
    sound = graded(tmp_path, body=body, profiles="mars").cases[-1]
    assert code in {finding.code for finding in sound.findings}
    assert sound.findings[0].place.startswith("p.asm:")


def test_a_submission_may_include_its_own_files(tmp_path):
    """`.include` finds what was handed in beside the program, whatever the case of its name, and nothing else."""
    main = '.include "IO.inc"\n.text\nmain: print_sum\n li $v0, 10\n syscall\n'
    macro = ".macro print_sum\n li $a0, 65\n li $v0, 11\n syscall\n.end_macro\n"
    files = (SubmittedFile("a/p.asm", main.encode()), SubmittedFile("a/io.inc", macro.encode()))
    one = grading(tmp_path, spec=SPEC, reference=REFERENCE)
    assert one.grade(Submission("s", "S", files)).cases[0].verdict is Verdict.ACCEPTED
    above = (files[0], SubmittedFile("io.inc", macro.encode()))
    assert one.grade(Submission("s", "S", above)).cases[0].verdict is Verdict.COMPILE_ERROR
