"""Machine code of the LC-3 that is handed in, before the judge: all kinds of cases that assembly text can have."""

from __future__ import annotations

import pytest

from grader.results import Verdict
from grader.spec.loader import load_assignment
from grader.submission import Form
from tests.graded import graded

SPEC = """\
assignment: code
title: Machine code
submission: {optional: ["*.bin", "*.hex", "*.obj"]}
program: {language: lc3, sources: ["*.bin", "*.hex", "*.obj"]}
limits: {instructions: 10k}
rubric: [{id: works, points: 6, title: Works, counts: each}]
cases:
  - {id: builds, title: It is machine code, source: {builds: true}}
  - {id: no-in, title: No IN, criterion: works, source: {required: [OUT], forbidden: [IN], comments: 1/5}}
  - {id: echoes, title: It echoes a key, criterion: works, dialogue: [{keys: a}, {expect: a}, {ends: true}]}
  - {id: prints, title: It prints it, criterion: works, io: {input: b, output: b}}
  - {id: doubles, title: It doubles, criterion: works, machine: {play: [a], given: {x3010: 4}, memory: {x3010: 8}}}
  - {id: routine, title: x3008 adds, criterion: works,
     call: {routine: x3008, with: {R0: 3, R1: 4}, returns: 7, preserves: [R1]}}
  - {id: calls, title: It calls x3008, criterion: works, call: {routine: x3000, returns: 7}, review: true}
"""
RIGHT = """\
0011 0000 0000 0000  ; x3000
1111 0000 0010 0000  ; GETC
1111 0000 0010 0001  ; OUT
0010 000 000001101
0101 001 001 1 00000
0001 001 000 000 000
0011 001 000001010
1111 0000 0010 0101
0000 0000 0000 0000
0001 000 000 000 001 ; x3008
1100 000 111 000000
"""


@pytest.fixture
def spec(tmp_path):
    """The spec in a file."""
    path = tmp_path / "code.yaml"
    path.write_text(SPEC, encoding="utf-8")
    return path


def hexadecimal(text):
    """The same program in hexadecimal."""
    words = ["".join(line.partition(";")[0].split()) for line in text.splitlines()]
    return "".join(f"{int(word, 2):04x} ; .\n" for word in words)


@pytest.mark.parametrize(
    "files", [{"lab.bin": RIGHT}, {"lab.hex": hexadecimal(RIGHT)}, {"report.pdf": "%PDF", "code/lab.BIN": RIGHT}]
)
def test_a_right_program_is_accepted_in_every_kind_of_case(spec, files):
    """Text of 0 and 1 and of hexadecimal digits, beside other files."""
    grade = graded(spec, files)
    assert {case.id: case.verdict for case in grade.cases if case.id != "calls"} == dict.fromkeys(
        ("builds", "no-in", "echoes", "prints", "doubles", "routine"), Verdict.ACCEPTED
    )


def test_an_object_file_is_accepted_too(spec):
    """It has no comments, and nothing else is lost."""
    words = bytes.fromhex("".join(line[:4] for line in hexadecimal(RIGHT).splitlines()))
    grade = graded(spec, {"lab.obj": words})
    assert [case.id for case in grade.cases if case.verdict is not Verdict.ACCEPTED][:1] == ["no-in"]
    assert grade.cases[1].findings[0].code == "few-comments"


def test_a_wrong_word_is_shown_as_the_instruction_that_it_is(spec):
    """With the line of the file: IN where GETC should stand, and a routine that subtracts nothing."""
    wrong = RIGHT.replace("1111 0000 0010 0000", "1111 0000 0010 0011")
    found = graded(spec, {"lab.bin": wrong}).cases[1].findings[0]
    assert (found.message, found.place) == ("IN is not allowed here", "lab.bin:2:1")
    assert found.excerpt.splitlines()[0] == "    2 | IN  ; GETC"


def test_nothing_at_the_address_of_a_routine_is_the_students_loss(spec):
    """No program has a routine at an address by chance: the text says so."""
    short = "\n".join(RIGHT.splitlines()[:9])
    case = next(case for case in graded(spec, {"lab.bin": short}).cases if case.id == "routine")
    assert (case.verdict, case.findings[0].message) == (Verdict.WRONG_ANSWER, "the program has no routine x3008")


def test_a_broken_file_is_told_line_by_line(spec):
    """As a compiler would."""
    case = graded(spec, {"lab.bin": RIGHT.replace("0010 0101", "0010 01")}).cases[0]
    assert case.verdict is Verdict.COMPILE_ERROR
    assert [(found.place, found.message) for found in case.findings] == [
        ("lab.bin:8:1", "14 digits stand in this line")
    ]


@pytest.mark.parametrize("name", ["lab.asm", "lab.bin"])
def test_assembly_text_in_its_place_is_graded_with_a_remark(spec, name):
    """It is the right program in the wrong language: what that costs is for staff."""
    text = ".ORIG x3000\nGETC ; a\nOUT ; b\nHALT ; c\n.END\n"
    grade = graded(spec, {name: text}, Form.FILE)
    assert [case.verdict for case in grade.cases[:4]] == [Verdict.ACCEPTED] * 4
    assert name == "lab.asm" or grade.cases[0].findings[0].code == "assembly-text"


def test_machine_code_is_refused_where_assembly_text_is_asked_for(tmp_path):
    """As before: whoever must write assembly has not written it."""
    path = tmp_path / "text.yaml"
    path.write_text(SPEC.replace('["*.bin", "*.hex", "*.obj"]', "[lab.asm]").replace("optional", "required"))
    case = graded(path, {"lab.bin": RIGHT}, Form.FILE).cases[0]
    assert (case.verdict, case.findings[0].code) == (Verdict.COMPILE_ERROR, "wrong-type")


def test_a_spec_may_name_machine_code_of_the_lc3_alone(tmp_path):
    """A MIPS program is built from its source."""
    path = tmp_path / "mips.yaml"
    path.write_text(SPEC.replace("language: lc3", "language: mips"))
    with pytest.raises(Exception, match="is machine code, and programs are built from sources"):
        load_assignment(path)
