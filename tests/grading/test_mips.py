"""A MIPS program under the profiles of its spec: the same judging as for the LC-3."""

from __future__ import annotations

import zlib
from base64 import b64decode

import pytest

from grader.results import Verdict
from tests.graded import handed_in
from tests.grading.small import grading, submission

SPEC = """
assignment: sum
title: Sum
submission: {required: [p.asm]}
program: {language: mips, sources: [p.asm], profiles: [mars, spim]}
limits: {instructions: 5M}
reference: reference.py
text: {facts: [{name: sum, pattern: '(?P<sum>-?[0-9]+)'}]}
rubric: [{id: works, points: 4, title: Works, counts: each}]
cases:
  - {id: twelve, title: Twelve, criterion: works, play: ["5\\n7\\n"]}
  - {id: sound, title: Sound, criterion: works, shows: 1, machine: {play: [["5\\n7\\n"]], ends_well: true, callee_saved: true, stack_balance: true}}
"""
REFERENCE = """
def play():
    from grader.sessions.reference import Keys
    yield "Two numbers: "
    typed = yield Keys(4)
    yield str(sum(int(word) for word in typed.split()))
"""
LINES = """
def play():
    from grader.sessions.reference import Line
    yield "Two numbers: "
    first = yield Line()
    yield str(int(first) + int((yield Line())))
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


@pytest.mark.parametrize("inputs", ['["5", "7"]', '["5\\n", "7"]'])
def test_enter_is_typed_after_a_line(tmp_path, inputs):
    """In the runs of a `machine` case a line is written without it, as everywhere else; where it is written it is typed once."""
    spec = SPEC.replace('play: [["5\\n7\\n"]], ends_well', f"play: [{inputs}], registers: {{'$s0': 5}}, ends_well")
    assert spec != SPEC
    program = PROGRAM.format(first="", last="li $v0, 10\n syscall", body="")
    sound = grading(tmp_path, spec=spec, reference=LINES).grade(submission(program)).cases[-1]
    assert sound.verdict is Verdict.ACCEPTED, sound.findings


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
    one = grading(tmp_path, spec=SPEC, reference=REFERENCE)
    beside, above = ({"a/p.asm": main, path: macro} for path in ("a/io.inc", "io.inc"))
    assert one.grade(handed_in(beside)).cases[0].verdict is Verdict.ACCEPTED
    assert one.grade(handed_in(above)).cases[0].verdict is Verdict.COMPILE_ERROR


WHOLE = """
assignment: whole
title: Whole
submission: {{required: [main.s, more.s]}}
program: {{language: mips, sources: [main.s, more.s], profiles: [mars], start: {start}, files: {{in.txt: "AB"}}, seed: 5}}
rubric: [{{id: works, points: 1, title: Works}}]
cases: [{{id: says, title: Says, criterion: works, transcript: {said!r}}}]
"""
READER = """
        .text
        .globl main
other:  li $a0, 88
        li $v0, 11
        syscall
main:   la $a0, name
        li $a1, 0
        li $v0, 13
        syscall
        move $a0, $v0
        la $a1, room
        li $a2, 2
        li $v0, 14
        syscall
        la $a0, room
        li $v0, 4
        syscall
        jal finish
"""
FINISH = """
        .data
name:   .asciiz "in.txt"
room:   .space 4
        .text
        .globl finish
finish: li $a0, 0
        li $v0, 41
        syscall
        li $v0, 1
        syscall
        li $v0, 10
        syscall
"""
FIRST_RANDOM_OF_5 = -296813918


@pytest.mark.parametrize(("start", "said"), [("main", f"AB{FIRST_RANDOM_OF_5}"), ("first", f"XAB{FIRST_RANDOM_OF_5}")])
def test_a_spec_says_files_seed_start_and_sources(tmp_path, start, said):
    """Two sources make one program, which begins where the spec says, finds its file, and draws from the spec's seed."""
    one = grading(tmp_path, spec=WHOLE.format(start=start, said=said))
    sources = READER.replace("name", "name_of_file"), FINISH.replace("name:", ".globl name_of_file\nname_of_file:")
    sources = sources[0], sources[1].replace("room:", ".globl room\nroom:")
    assert one.grade(handed_in(dict(zip(("main.s", "more.s"), sources, strict=True)))).score == 1


def test_a_picture_in_memory_is_kept_for_the_report(tmp_path):
    """The words at the spec's address come as a PNG of its size, red first."""
    spec = """
    assignment: small
    title: Small
    submission: {required: [p.asm]}
    program: {language: mips, sources: [p.asm], profiles: [mars]}
    rubric: [{id: works, points: 1, title: Works}]
    cases:
      - {id: paints, title: Paints, criterion: works, machine: {play: [[]], ends_well: true, bitmap: {width: 2, height: 1}}}
    """
    painting = ".data\n.word 0x00ff0000, 0x000000ff\n.text\nli $v0, 10\nsyscall\n"
    case = grading(tmp_path, spec=spec).grade(submission(painting)).cases[-1]
    data = b64decode(case.picture.removeprefix("data:image/png;base64,"))
    size = data.index(b"IDAT") - 4
    assert (data[:8], data[16:24]) == (b"\x89PNG\r\n\x1a\n", b"\0\0\0\2\0\0\0\1")
    assert zlib.decompress(data[size + 8 : size + 8 + int.from_bytes(data[size : size + 4], "big")]) == bytes(
        [0, 255, 0, 0, 0, 0, 255]
    )
