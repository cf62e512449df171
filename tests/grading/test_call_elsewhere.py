"""What a routine writes beside what it is asked for, addresses within things, counted calls, and arguments that belong together."""

from __future__ import annotations

from random import Random

import pytest

from grader.games.arguments import draw, shrunk
from grader.results import Verdict
from grader.spec.ranges import read_range
from tests.grading.calls import result, said
from tests.grading.test_one_run import one

CLEAR = """\
        .ORIG x3000
CLEAR   ST R2, KEPT
        ADD R6, R6, #-1
        STR R7, R6, #0
        AND R2, R2, #0
NEXT    ADD R1, R1, #-1
        BRn DONE
        STR R2, R0, #0
        ADD R0, R0, #1
        BR NEXT
DONE    LDR R7, R6, #0
        ADD R6, R6, #1
        LD R2, KEPT
        RET
KEPT    .BLKW 1
ROW     .BLKW 6
LAST    .FILL 7
        .END
"""
"""It fills R1 words from R0 on with zeros."""

TOO_FAR = CLEAR.replace("BRn DONE", "BRn LAST1").replace("DONE    LDR", "LAST1   STR R1, R0, #0\nDONE    LDR")
IN_BLOCK = "{routine: CLEAR, with: {R0: [5, 6, 7], R1: 3}, leaves: {R0: [0, 0, 0]}, elsewhere: false}"
AT_LABEL = (
    "{routine: CLEAR, with: {R0: '@ROW', R1: 3}, given: {ROW: [5, 6, 7]}, leaves: {ROW: [0, 0, 0]}, elsewhere: false}"
)


@pytest.mark.parametrize("call", [IN_BLOCK, AT_LABEL])
def test_a_routine_may_write_to_its_own_variables_and_its_stack(tmp_path, call):
    """Beside what is expected of it."""
    case = result(tmp_path, CLEAR, call)
    assert (case.verdict, said(case)) == (Verdict.ACCEPTED, [])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (IN_BLOCK, "behind the end of the memory of R0"),
        (AT_LABEL, "wrote to x3012, behind the end of the memory of R0"),
        (AT_LABEL.replace("'@ROW'", "0x300F"), "behind the end of the memory of R0"),
        (
            IN_BLOCK.replace("leaves: {R0: [0, 0, 0]}", "returns: {R1: -1}"),
            "must not change the memory of R0, but changed it at x",
        ),
    ],
)
def test_a_store_that_nobody_asks_for_is_a_mistake(tmp_path, call, message):
    """Right behind an array in a block, or in the room at a label; and into what is only to be read."""
    case = result(tmp_path, TOO_FAR, call)
    assert case.verdict is Verdict.WRONG_ANSWER
    assert message in said(case)[0]


def test_without_the_key_only_what_is_expected_is_looked_at(tmp_path):
    """As before: labs may give a buffer without saying how large it is."""
    assert result(tmp_path, TOO_FAR, IN_BLOCK.replace(", elsewhere: false", "")).verdict is Verdict.ACCEPTED


def test_nodes_and_room_may_be_written(tmp_path):
    """A list is linked anew, and a buffer is filled."""
    call = "{routine: CLEAR, with: {R0: {space: 8}, R1: 3}, leaves: {R0: [0, 0]}, elsewhere: false}"
    assert result(tmp_path, CLEAR, call).verdict is Verdict.ACCEPTED


MIPS = """
.text
clear: beqz $a1, done
sw $zero, 0($a0)
addi $a0, $a0, 4
addi $a1, $a1, -1
b clear
done: {}
jr $ra
"""


@pytest.mark.parametrize(("more", "verdict"), [("nop", Verdict.ACCEPTED), ("sw $zero, 0($a0)", Verdict.WRONG_ANSWER)])
def test_a_mips_routine_is_seen_to_store_a_zero_behind_an_array(tmp_path, more, verdict):
    """Although its memory begins with zeros."""
    call = "{routine: clear, with: [[5, 6], 2], leaves: {'1': [0, 0]}, elsewhere: false}"
    case = result(tmp_path, MIPS.format(more), call, language="mips")
    assert case.verdict is verdict
    assert verdict is Verdict.ACCEPTED or "behind the end of the memory of argument 1" in said(case)[0]


# ------------------------------------------------------------------------------------------------------ places within


NEXT = ".ORIG x3000\nNEXT ADD R0, R0, #2\nRET\nROW .FILL 1\n.FILL 2\n.FILL 3\n.END\n"


def test_a_place_may_be_so_many_addresses_behind_another(tmp_path):
    """In arguments, results and places of memory."""
    call = "{routine: NEXT, with: {R0: '@a+1'}, given: {'@a': [7, 8, 9, 10], ROW+1: 5}, returns: '@a+3', leaves: {ROW+1: 5, '@a+2': [9]}}"
    case = result(tmp_path, NEXT, call)
    assert (case.verdict, said(case)) == (Verdict.ACCEPTED, [])
    wrong = result(tmp_path, NEXT.replace("#2", "#1"), call)
    assert said(wrong)[0].endswith('returned "@a+2", not "@a+3"')


def test_registers_and_words_may_be_expected_with_a_sign(tmp_path):
    """-1 is xFFFF, and is told as it is written."""
    source = ".ORIG x3000\nAND R0, R0, #0\nADD R0, R0, #{}\nST R0, SUM\nHALT\nSUM .BLKW 1\n.END\n"
    case = "machine: {play: [''], registers: {R0: -1}, memory: {SUM: -1, SUM+0: xFFFF}}"
    assert one(tmp_path, source.format(-1), case).verdict is Verdict.ACCEPTED
    wrong = one(tmp_path, source.format(-2), case)
    assert [found.message for found in wrong.findings][:2] == [
        "R0 holds -2 at the end; -1 is expected", "SUM holds -2 at the end; -1 is expected",
    ]  # fmt: skip


TWICE = """\
        .ORIG x3000
        LD R2, FAR
        JSRR R2
        JSRR R2
        HALT
FAR     .FILL x5000
        .END
        .ORIG x5000
        RET
        .END
"""


@pytest.mark.parametrize(("times", "verdict"), [(2, Verdict.ACCEPTED), (3, Verdict.WRONG_ANSWER)])
def test_calls_of_an_address_are_counted(tmp_path, times, verdict):
    """In a whole run; a routine is watched by its address in a `call` as well."""
    case = one(tmp_path, TWICE, f"machine: {{play: [''], calls: {{x5000: {times}}}}}")
    assert case.verdict is verdict
    assert (
        verdict is Verdict.ACCEPTED or case.findings[0].message == "x5000 is called 2 times; it must be called 3 times"
    )
    routine = TWICE.replace("        LD R2", "START   ADD R3, R7, #0\n        LD R2").replace(
        "        HALT", "        ADD R7, R3, #0\n        RET"
    )
    assert result(tmp_path, routine, f"{{routine: START, calls: {{x5000: {times}}}}}").verdict is verdict


# ---------------------------------------------------------------------------------------------------- arguments that belong together


def test_rows_may_be_sorted_distinct_and_as_long_as_another_one():
    """Drawn ones, and those that a failing call is shrunk to."""
    written = {
        "R0": "array 2..6 of -9..9 sorted distinct",
        "R1": "array same length as R0 of 0..4 sorted",
        "R2": "string same length as R1 of ab",
        "R3": "length of R0",
    }
    ranges = {name: read_range(text) for name, text in written.items()}
    drawn = [draw(ranges, Random(seed)) for seed in range(50)]

    def kept(values):
        row, other = values["R0"], values["R1"]
        return (
            row == sorted(set(row))
            and other == sorted(other)
            and len(row) == len(other) == len(values["R2"]) == values["R3"]
        )

    assert all(map(kept, drawn))
    assert {len(values["R0"]) for values in drawn} == {2, 3, 4, 5, 6}
    tried = []
    smallest = shrunk(ranges, drawn[0], lambda values: tried.append(values) or max(values["R1"]) > 0)
    assert all(map(kept, tried))
    assert (len(smallest["R0"]), smallest["R1"]) == (2, [0, 1])


@pytest.mark.parametrize(
    "call",
    [
        "{routine: F, reference: f, arguments: {R0: array 9 of 1..3 distinct}}",
        "{routine: F, reference: f, arguments: {R0: array same length as R1 of 1..3, R1: 1..3}}",
    ],
)
def test_what_cannot_be_drawn_is_told(tmp_path, call):
    """Nine distinct numbers of three, and a row as long as a number."""
    with pytest.raises(Exception, match=r"distinct|no argument with a length"):
        result(tmp_path, NEXT, call, reference="def f(a: list[int]) -> None: ...\n")
