"""One routine of an LC-3 program, called by itself: what is asked of it, from both sides of each limit."""

from __future__ import annotations

import pytest

from grader.results import Verdict
from grader.spec.loader import load_assignment
from tests.grading.calls import graded, result, said

GCD = """
        .ORIG x3000
GCD     ST R2, KEPT
AGAIN   NOT R2, R1
        ADD R2, R2, #1
        ADD R2, R0, R2
        BRz DONE
        BRn SWAP
        ADD R0, R2, #0
        BR AGAIN
SWAP    NOT R2, R2
        ADD R1, R2, #1
        BR AGAIN
DONE    LD R2, KEPT
        RET
KEPT    .BLKW 1
        .END
"""
REFERENCE = "import math\n\ndef gcd(a: int, b: int) -> int:\n    return math.gcd(a, b)\n"
TWELVE = "{routine: GCD, with: {R0: 12, R1: 18}, returns: {R0: 6}, preserves: [R4, R5, R6], instructions: 2000}"
MANY = "{routine: GCD, reference: gcd, games: 200, seed: 7, arguments: {R0: 1..200, R1: 1..200}}"


def lc3(*lines: str) -> str:
    """A source of these lines."""
    return "\n".join(
        [
            "        .ORIG x3000",
            *(f"        {line}" if line[0] != ":" else line[1:] for line in lines),
            "        .END\n",
        ]
    )


@pytest.mark.parametrize("call", [TWELVE, MANY])
def test_a_right_routine_is_accepted(tmp_path, call):
    """Once with written arguments, and two hundred times with drawn ones; it needs no main program."""
    case = result(tmp_path, GCD, call, reference=REFERENCE)
    assert (case.verdict, said(case)) == (Verdict.ACCEPTED, [])


def test_a_wrong_result_is_told_as_the_call_and_both_values(tmp_path):
    """As a student would write it."""
    case = result(tmp_path, lc3(":GCD AND R0, R0, #0", "ADD R0, R0, #3", "RET"), TWELVE)
    assert case.verdict is Verdict.WRONG_ANSWER
    assert said(case) == ["GCD(12, 18) returned 3, not 6"]
    assert case.again == "grader call p.asm GCD R0=12 R1=18"


def test_a_failing_call_is_shrunk_to_the_smallest_arguments(tmp_path):
    """A routine that is wrong from 10 on fails for 10, whatever was drawn first."""
    source = lc3(":SAME ADD R1, R0, #-10", "BRn DONE", "ADD R0, R0, #1", ":DONE RET")
    call = "{routine: SAME, reference: same, games: 100, arguments: {R0: 0..1000}}"
    case = result(tmp_path, source, call, reference="def same(a: int) -> int:\n    return a\n")
    assert said(case)[0] == "SAME(10) returned 11, not 10"
    assert said(case)[1].startswith("first seen in call 1 of 100, as SAME(")


def test_arguments_that_the_reference_refuses_are_drawn_again(tmp_path):
    """A reference that raises ValueError says that there is no such call."""
    reference = "def same(a: int) -> int:\n    if a >= 10:\n        raise ValueError\n    return a\n"
    source = lc3(":SAME ADD R1, R0, #-10", "BRn DONE", "ADD R0, R0, #1", ":DONE RET")
    call = "{routine: SAME, reference: same, games: 20, arguments: {R0: 0..20}}"
    assert result(tmp_path, source, call, reference=reference).verdict is Verdict.ACCEPTED


def test_a_reference_that_refuses_everything_is_our_fault(tmp_path):
    """Nobody loses a point by it."""
    reference = "def same(a: int) -> int:\n    raise ValueError\n"
    call = "{routine: SAME, reference: same, games: 20, arguments: {R0: 0..20}}"
    assert result(tmp_path, lc3(":SAME RET"), call, reference=reference).verdict is Verdict.JUDGE_ERROR


def test_what_nothing_is_said_of_is_noise(tmp_path):
    """A routine that counts on zeros in a register fails."""
    case = result(
        tmp_path,
        lc3(":SUM ADD R2, R2, R0", "ADD R0, R2, R1", "RET"),
        "{routine: SUM, with: {R0: 2, R1: 3}, returns: 5}",
    )
    assert case.verdict is Verdict.WRONG_ANSWER


@pytest.mark.parametrize(
    ("lines", "verdict", "told"),
    [
        ([":F HALT"], Verdict.WRONG_ANSWER, "F(1) ended the program and did not return"),
        ([":F BR F"], Verdict.NOT_TERMINATING, "F(1) never returns: registers and memory are the same as at an earlier time, so it repeats for ever"),
        ([":F JSR G", "RET", ":G RET"], Verdict.NOT_TERMINATING, "F(1) never returns: registers and memory are the same as at an earlier time, so it repeats for ever"),
        ([":F GETC", "RET"], Verdict.RUNTIME_ERROR, "F(1) asks for input, but there is none"),
        ([":F ADD R0, R0, #0"], Verdict.RUNTIME_ERROR, "F(1) broke: the program ran on to x3001, past the end of its code; is a HALT missing?"),
        ([":F AND R1, R1, #0", "JMP R1"], Verdict.RUNTIME_ERROR, None),
    ],
)  # fmt: skip
def test_a_routine_must_come_back(tmp_path, lines, verdict, told):
    """By RET, to where it was called from; where it does not, that alone is said."""
    case = result(tmp_path, lc3(*lines), "{routine: F, with: {R0: 1}, returns: {R0: 1}, preserves: [R5]}")
    assert case.verdict is verdict
    assert len(case.findings) == 1
    assert told is None or said(case) == [told]


def test_a_routine_has_so_many_instructions_and_no_more(tmp_path):
    """Ten are executed, so ten are enough and nine are not; a slow routine is told how many it took."""
    source = lc3(":F AND R0, R0, #0", *["ADD R0, R0, #1"] * 8, "RET")
    assert result(tmp_path, source, "{routine: F, returns: 8, instructions: 10}").verdict is Verdict.ACCEPTED
    case = result(tmp_path, source, "{routine: F, returns: 8, instructions: 9}")
    assert (case.verdict, said(case)) == (Verdict.TIME_LIMIT, ["F() took 10 instructions; 9 are allowed"])


def test_a_routine_that_never_ends_is_told_from_a_slow_one(tmp_path):
    """Even where its own limit is far too small for a proof."""
    case = result(tmp_path, lc3(":F BR F"), "{routine: F, returns: 8, instructions: 9}")
    assert case.verdict is Verdict.NOT_TERMINATING


def test_a_register_that_is_to_be_kept_must_hold_what_it_held(tmp_path):
    """Others may change."""
    source = lc3(":F AND R4, R4, #0", "AND R0, R0, #0", "RET")
    case = result(tmp_path, source, "{routine: F, returns: 0, preserves: [R4, R5]}")
    assert said(case) == ["F() changed R4 and did not restore it"]
    assert result(tmp_path, source, "{routine: F, returns: 0, preserves: [R5]}").verdict is Verdict.ACCEPTED


def test_a_label_that_nothing_demands_is_a_matter_for_a_person(tmp_path):
    """The spec names it, and no text says what a routine is called."""
    case = result(tmp_path, lc3(":GDC RET"), TWELVE)
    assert case.verdict is Verdict.NEEDS_REVIEW
    assert case.findings[0].hint == "there is one called GDC"


def test_a_label_that_the_assignment_demands_is_lost_with_its_routine(tmp_path):
    """A case of the spec says that there must be one."""
    case = graded(tmp_path, lc3(":GDC RET"), TWELVE, demands=", labels: [GCD]").cases[1]
    assert (case.verdict, said(case)) == (Verdict.WRONG_ANSWER, ["the program has no routine GCD"])


def test_a_label_is_found_in_any_case(tmp_path):
    """As assemblers find it."""
    assert result(tmp_path, GCD.replace("GCD ", "gcd "), TWELVE).verdict is Verdict.ACCEPTED


def test_a_result_may_be_in_any_register(tmp_path):
    """And in several."""
    source = lc3(":F ADD R3, R0, #1", "ADD R5, R0, #2", "RET")
    assert result(tmp_path, source, "{routine: F, with: {R0: 7}, returns: {R3: 8, R5: 9}}").verdict is Verdict.ACCEPTED
    case = result(tmp_path, source, "{routine: F, with: {R0: 7}, returns: {R3: 8, R5: 10}}")
    assert said(case) == ["F(7) returned 9 in R5, not 10"]


def test_negative_numbers_are_compared_as_words(tmp_path):
    """65535 and -1 are the same word, and the report shows what was asked for."""
    source = lc3(":F AND R0, R0, #0", "ADD R0, R0, #-1", "RET")
    assert result(tmp_path, source, "{routine: F, returns: 65535}").verdict is Verdict.ACCEPTED
    assert said(result(tmp_path, source, "{routine: F, returns: -2}")) == ["F() returned -1, not -2"]


def test_a_routine_is_called_without_the_driver_that_needs_another(tmp_path):
    """The course's driver calls two routines, and one of them is there: it earns its points."""
    (tmp_path / "driver.asm").write_text(".ORIG x3000\nMAIN JSR GCD\nJSR SORT\nHALT\n.END\n")
    source = GCD.replace("x3000", "x3100")
    grade = graded(tmp_path, source, TWELVE, program=", support: [driver.asm]")
    assert [case.verdict for case in grade.cases] == [Verdict.ACCEPTED, Verdict.ACCEPTED]
    assert said(grade.cases[0]) == [
        "assembled without the files of the course, because they need something that is missing: there is no label SORT"
    ]


def test_a_routine_may_call_what_the_course_hands_out(tmp_path):
    """A file of the course is assembled with what was handed in, and its labels are known there."""
    (tmp_path / "more.asm").write_text(".ORIG x3200\nTWICE ADD R0, R0, R0\nRET\n.END\n")
    source = lc3(":F ADD R5, R7, #0", "JSR TWICE", "ADD R7, R5, #0", "RET")
    case = graded(tmp_path, source, "{routine: F, with: {R0: 4}, returns: 8}", program=", support: [more.asm]").cases[1]
    assert case.verdict is Verdict.ACCEPTED


def test_a_report_names_the_call_in_every_form(tmp_path):
    """On the page, in JUnit and on the terminal: the sentence, and the command that shows it."""
    from grader.report import console, junit, page

    grade = graded(tmp_path, lc3(":GCD AND R0, R0, #0", "RET"), TWELVE)
    for text in (
        junit.render("routines", [grade]),
        page.student_page(grade, audience="student"),
        console.render(grade),
    ):
        assert "GCD(12, 18) returned 0, not 6" in text
        assert "grader call p.asm GCD R0=12 R1=18" in text


def test_a_secret_draws_calls_and_no_command_tells_its_seed(tmp_path, monkeypatch):
    """A failing call can be seen again, with a part of the seed that tells nothing of the other calls."""
    monkeypatch.setenv("GRADER_SECRET", "a secret of twenty letters")
    call = MANY.replace("seed: 7", "seed: secret") + ", visibility: hidden"
    case = result(tmp_path, lc3(":GCD AND R0, R0, #0", "RET"), call, reference=REFERENCE)
    assert case.verdict is Verdict.WRONG_ANSWER
    seed = load_assignment(tmp_path / "routines.yaml").spec.cases[1].call.seed
    assert seed > 1 << 32
    assert case.again.endswith(f"--seed {seed & 0xFFFF}")
