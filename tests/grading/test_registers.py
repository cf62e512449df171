"""Changes of registers by subroutines, judged on programs of the small assignment: results, accidents, and harmless changes."""

from __future__ import annotations

import re

import pytest

from grader.grading.kinds import registers
from tests.grading.small import SPEC, grading, submission

RULES = "machine: {play: [a c b q, b a q], callee_saved: true, stack_balance: true, minor: [R0]}"
SUBROUTINES = SPEC.replace("  - {id: play,", "  - {id: registers, points: 8, title: Registers}\n  - {id: play,")
SUBROUTINES += f"  - {{id: saved, title: Saved, criterion: registers, {RULES}}}\n"

PROGRAM = """
        .ORIG x3000
        LD R6, STACK
LOOP    JSR ASK                 ; R0 = the key
        ADD R1, R0, #0
        JSR NEWLINE
        LD R2, NEGQ
        ADD R2, R1, R2
        BRz DONE
        JSR JUDGE               ; R2 = 0 for a and b
        ADD R2, R2, #0
        BRnp BAD
        LEA R0, GOT
        JSR PRINT
        ADD R0, R1, #0
        OUT
        JSR NEWLINE
        BRnzp LOOP
BAD     LEA R0, NO
        JSR PRINT
        BRnzp LOOP
DONE    LEA R0, BYE
        JSR PRINT
        HALT
ASK     ST R7, ASK7
        LEA R0, QUESTION
        JSR PRINT
        GETC
        OUT
        LD R7, ASK7
        RET
PRINT   ST R7, PRINT7
        PUTS
        LD R7, PRINT7
        RET
NEWLINE ADD R6, R6, #-2
        STR R7, R6, #0
        STR R0, R6, #1
        LD R0, NL
        OUT
        LDR R0, R6, #1
        LDR R7, R6, #0
        ADD R6, R6, #2
        RET
JUDGE   LD R2, NEGA
        ADD R2, R1, R2
        BRz JUDGED
        ADD R2, R2, #-1
JUDGED  RET
STACK   .FILL x4000
ASK7    .BLKW 1
PRINT7  .BLKW 1
KEEP    .BLKW 1
NEGQ    .FILL #-113
NEGA    .FILL #-97
NL      .FILL x0A
QUESTION .STRINGZ "? "
GOT     .STRINGZ "got "
NO      .STRINGZ "bad\\n"
BYE     .STRINGZ "bye"
        .END
"""


def saved(folder, *changes: tuple[str, str], spec: str = SUBROUTINES):
    """The result of the case on registers, for the program with these changes."""
    source = PROGRAM
    for before, after in changes:
        assert before in source
        source = source.replace(before, after)
    grade = grading(folder, spec=spec).grade(submission(source))
    assert not grade.diagnostics
    return grade.cases[-1]


def lines(result):
    """The charges on the subroutines, a line each."""
    return [finding.message for finding in result.findings if finding.weight == "defect"]


def test_what_the_program_needs_is_a_result(tmp_path):
    """The key in R0 and the answer in R2 are what two subroutines are there for; the case says what it took for a result."""
    result = saved(tmp_path)
    assert (result.verdict, lines(result)) == ("accepted", [])
    assert "ASK: R0; JUDGE: R2" in result.findings[0].message
    assert [(one.label, one.enough) for one in result.occasions] == [("returns from subroutines", True)]


def test_a_register_by_which_the_condition_codes_are_set_for_the_caller_is_a_result(tmp_path):
    """Nobody reads R2 behind JUDGE: the branch does. To load its earlier value before RET would set other codes."""
    asks = "        ADD R2, R2, #0\n        BRnp BAD"
    branches = (asks, "        BRnp BAD"), ("JUDGED  RET", "JUDGED  ADD R2, R2, #0\n        RET")
    assert lines(saved(tmp_path, *branches)) == []
    assert lines(saved(tmp_path, (asks, "        BRnzp BAD"), branches[1])) == ["JUDGE: R2 is changed and not restored"]


def test_a_register_that_is_only_kept_by_its_caller_is_no_result(tmp_path):
    """Storing it reads it, and nothing comes of that."""
    result = saved(
        tmp_path,
        ("        PUTS\n", "        ADD R3, R3, #1\n        PUTS\n"),
        ("JSR PRINT\n        ADD", "JSR PRINT\n        ST R3, KEEP\n        ADD"),
    )
    assert lines(result) == ["PRINT: R3 is changed and not restored"]
    assert result.share == (3, 4)


ZEROES = ("JUDGE   LD R2", "JUDGE   AND R5, R5, #0\n        LD R2")
ACCIDENT = (
    ("        LD R6, STACK\n", "        LD R6, STACK\n        LD R5, STACK\n"),
    ("GOT\n        JSR PRINT\n", "GOT\n        ADD R5, R5, #0\n        BRz BAD\n        JSR PRINT\n"),
    ZEROES,
)


def test_a_register_that_is_read_by_accident_is_no_result(tmp_path):
    """With R5 put back the dialogue comes right: the subroutine has spoilt what its caller still wanted, and the report says so."""
    (line,) = lines(saved(tmp_path, *ACCIDENT))
    assert line == "JUDGE: R5 is changed and not restored, and this makes the output wrong"


def test_a_result_that_is_wrong_is_no_accident(tmp_path):
    """JUDGE takes c as well. The earlier value of R2 refuses it by chance, as any value but 0 does: R2 is its answer."""
    spec = SUBROUTINES.replace("play: [a c b q, b a q]", "play: [c a q]")
    assert lines(saved(tmp_path, ("R2, R2, #-1\nJUDGED", "R2, R2, #-2\nJUDGED"), spec=spec)) == []


def test_accidents_are_told_by_the_turn_that_differs(tmp_path):
    """Another mistake of the program, in every turn before it, changes nothing."""
    assert len(lines(saved(tmp_path, *ACCIDENT, ("? ", "?")))) == 1


def test_a_turn_that_is_wrong_in_another_way_is_not_better(tmp_path):
    """The program names two wrong keys; without the result of JUDGE it would refuse the right one, and be wrong in less."""
    assert lines(saved(tmp_path, ('GOT     .STRINGZ "got "', 'GOT     .STRINGZ "got y got z"'))) == []


def test_a_result_that_comes_to_nothing_here_is_one_all_the_same(tmp_path):
    """Old and new value let the program take the same way in these runs, and others would not: it is no accident that it asks."""
    spec = SUBROUTINES.replace("play: [a c b q, b a q]", "play: [a b q, b a q]")
    assert lines(saved(tmp_path, ("BRnp BAD", "BRp BAD"), spec=spec)) == []


def test_what_one_place_takes_from_one_subroutine_it_takes_from_all(tmp_path):
    """A table has a subroutine for each key: where 5, left over in R2, is right by chance, R2 is the result of both."""
    key = "        LEA R3, TABLE\n        LD R2, NEGA\n        ADD R2, R1, R2\n        ADD R3, R3, R2\n        AND R2, R2, #0"
    jump = ("        JSR JUDGE  ", f"{key}\n        ADD R2, R2, #5\n        LDR R3, R3, #0\n        JSRR R3  ")
    of_a = "OF_A    AND R2, R2, #0\n        ADD R2, R2, #1\n        RET\n"
    of_b = "OF_B    AND R2, R2, #0\n        RET\n"
    table = ("STACK   .FILL", f"{of_a}{of_b}TABLE   .FILL OF_A\n        .FILL OF_B\nSTACK   .FILL")
    spec = SUBROUTINES.replace("a c b q", "a b q")
    result = saved(tmp_path, jump, ("BRnp BAD", "BRz BAD"), table, spec=spec)
    assert (result.verdict, lines(result)) == ("accepted", [])
    assert "OF_A: R2; OF_B: R2" in result.findings[0].message


def test_what_could_not_be_tried_costs_nothing(tmp_path, monkeypatch):
    """A program of long pauses uses up what is spent on experiments; what its callers read is then taken for results."""
    monkeypatch.setattr(registers, "BUDGET", 1)
    assert lines(saved(tmp_path, *ACCIDENT)) == []


def test_all_that_is_to_be_restored_may_be_restored_at_once(tmp_path):
    """Two registers hold the same result, and the program needs one of them: one is a result, and no hint breaks the program."""
    result = saved(
        tmp_path,
        ("JUDGED  RET", "JUDGED  ADD R3, R2, #0\n        RET"),
        (
            "        ADD R2, R2, #0\n        BRnp BAD",
            "        ADD R2, R2, #0\n        BRz FINE\n        ADD R3, R3, #0\n        BRnp BAD\nFINE",
        ),
    )
    assert len(lines(result)) <= 1


@pytest.mark.parametrize("register", range(6))
def test_what_a_register_holds_before_the_first_call_changes_nothing(tmp_path, register):
    """A subroutine that leaves 0 is seen whether the register held 0 or 5: a harmless instruction cost a real program all points."""
    zeroes = ("JUDGE   LD R2", f"JUDGE   AND R{register}, R{register}, #0\n        LD R2")
    if register in (1, 2):  # the program uses them
        zeroes = ("PRINT   ST", "PRINT   AND R3, R3, #0\n        ST")
    other = (" LD R6, STACK\n", f" LD R6, STACK\n        ADD R{register}, R{register}, #5\n")
    one, two = saved(tmp_path, zeroes), saved(tmp_path, zeroes, other)
    assert one.share == two.share
    assert lines(one) == lines(two) != []


def test_a_program_that_counts_on_zero_somewhere_is_watched_all_the_same(tmp_path):
    """What it counts on stays zero, and the other registers hold anything."""
    counts = ("        LD R6, STACK\n", "        LD R6, STACK\n        ADD R4, R4, #0\n        BRnp DONE\n")
    assert len(lines(saved(tmp_path, counts, ZEROES))) == 1


PUSH = (
    ("JUDGE   LD R2", "JUDGE   ST R7, ASK7\n        ADD R0, R1, #0\n        JSR PUSH\n        LD R2"),
    (
        "JUDGED  RET",
        "JUDGED  JSR POP\n        LD R7, ASK7\n        RET\nPUSH ADD R6, R6, #-1\n STR R0, R6, #0\n RET\nPOP LDR R0, R6, #0\n ADD R6, R6, #1\n RET",
    ),
)


def test_subroutines_that_push_and_pop_are_balanced_together(tmp_path):
    """Neither is told to put R6 back, whether or not anybody needs the words."""
    assert not any("R6" in line for line in lines(saved(tmp_path, *PUSH)))


def test_a_subroutine_that_pushes_for_its_caller_is_balanced_by_it(tmp_path):
    """The caller takes the word off the stack by itself, and needs it."""
    pops = PUSH[1][1].replace("JSR POP", "LDR R1, R6, #0\n ADD R6, R6, #1")
    assert not any("R6" in line for line in lines(saved(tmp_path, PUSH[0], ("JUDGED  RET", pops))))


def test_what_a_nested_subroutine_leaves_is_charged_to_it_alone(tmp_path):
    """ASK returns with R3 changed because PRINT does: PRINT has to be mended, and ASK is right then."""
    changes = ("PRINT   ST", "PRINT   ADD R3, R3, #1\n        ST"), ("ASK     ST", "ASK     JSR NEWLINE\n        ST")
    assert lines(saved(tmp_path, changes[0])) == ["PRINT: R3 is changed and not restored"]
    assert len(lines(saved(tmp_path, changes[0], ("BRz DONE", "BRz DONE\n        ADD R4, R3, #0")))) == 1


def test_a_result_of_a_nested_subroutine_is_its_callers_to_hide(tmp_path):
    """ASK means R0; READ, which calls it and stores the key, has changed R0 for nothing."""
    read = (
        (" JSR ASK ", " JSR READ\n        LD R0, KEEP "),
        ("ASK     ST", "READ ST R7, READ7\n JSR ASK\n ST R0, KEEP\n LD R7, READ7\n RET\nREAD7 .BLKW 1\nASK     ST"),
    )
    assert lines(saved(tmp_path, *read)) == ["READ: R0 is changed and not restored"]


def test_a_stack_that_grows_for_nothing_is_told(tmp_path):
    """A word is left on it at each call."""
    assert lines(saved(tmp_path, ("ADD R6, R6, #2", "ADD R6, R6, #1"))) == ["NEWLINE: R6 is changed and not restored"]


SAVES = (
    ("JUDGE   LD R2", "JUDGE   ST R7, KEEP\n        JSR SAVE\n        AND R3, R3, #0\n        AND R4, R4, #0\n        LD R2"),
    ("JUDGED  RET", "JUDGED  JSR RESTORE\n        LD R7, KEEP\n        RET\nSAVE ADD R6, R6, #-2\n STR R3, R6, #0\n STR R4, R6, #1\n RET\nRESTORE LDR R3, R6, #0\n LDR R4, R6, #1\n ADD R6, R6, #2\n RET"),
)  # fmt: skip


def test_a_subroutine_that_restores_for_its_caller_changes_nothing(tmp_path):
    """SAVE and RESTORE do for JUDGE what it should do."""
    assert lines(saved(tmp_path, *SAVES)) == []
    assert lines(saved(tmp_path, SAVES[0], (SAVES[1][0], SAVES[1][1].replace("LDR R4, R6, #1\n", ""))))


def behind(call: str, routines: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """What the main program does before it judges a key, and routines of its own for that."""
    return ("        JSR JUDGE ", f"{call}\n        JSR JUDGE "), ("JUDGED  RET", f"JUDGED  RET\n{routines}")


KEEPS = (
    "SAVE ST R3, KEPT3\n ST R4, KEPT4\n RET\nRESTORE LD R3, KEPT3\n LD R4, KEPT4\n RET\nKEPT3 .BLKW 1\nKEPT4 .BLKW 1"
)
WORK = " AND R3, R3, #0\n ADD R3, R3, #7\n ADD R4, R3, #0\n"


def test_a_subroutine_that_restores_what_its_twin_saved_is_not_blamed(tmp_path):
    """SAVE and RESTORE do for the main program what each subroutine does for itself."""
    assert lines(saved(tmp_path, *behind(f" JSR SAVE\n{WORK} JSR RESTORE", KEEPS))) == []
    sets = " AND R3, R3, #0\n ADD R3, R3, #2\n"  # always the same
    assert lines(saved(tmp_path, *behind(f"{sets} JSR SAVE\n{WORK} JSR RESTORE", KEEPS))) == []


def test_a_subroutine_that_restores_one_of_two_is_blamed_for_the_other(tmp_path):
    """R4 is 0 behind it, whatever its twin saved."""
    forgets = KEEPS.replace("LD R4, KEPT4", "AND R4, R4, #0")
    assert lines(saved(tmp_path, *behind(f" JSR SAVE\n{WORK} JSR RESTORE", forgets))) == [
        "RESTORE: R4 is changed and not restored"
    ]


def test_a_subroutine_that_leaves_by_chance_what_another_was_called_with_is_blamed(tmp_path):
    """FIVE leaves 5, and does so too where MARK is called with something else."""
    five = " AND R3, R3, #0\n ADD R3, R3, #5\n"
    call = f"{five} JSR MARK\n ADD R3, R3, #1\n JSR FIVE"
    assert lines(saved(tmp_path, *behind(call, f"MARK RET\nFIVE {five} RET"))) == [
        "FIVE: R3 is changed and not restored"
    ]


def test_r0_alone_costs_little(tmp_path):
    """A quarter of what a subroutine counts."""
    result = saved(tmp_path, ("STR R0, R6, #1", "NOP"), ("LDR R0, R6, #1", "NOP"))
    assert lines(result) == ["NEWLINE: R0 is changed and not restored"]
    assert result.share == (15, 16)


def test_a_program_without_subroutines_shows_nothing_about_registers(tmp_path):
    """It restores all, and there was nothing to restore."""
    from tests.grading import small

    grade = grading(tmp_path, spec=SUBROUTINES).grade(submission(small.PROGRAM))
    result = grade.cases[-1]
    assert (result.verdict, result.met, result.share) == ("not-shown", False, None)
    assert result.findings[0].message == (
        "2 runs had too few returns from subroutines (none; at least 3 needed): no subroutine is called"
    )
    assert grade.criteria[1].points == 0


def test_an_edition_under_which_a_program_hangs_never_decides(tmp_path):
    """PRINT loses R7 to PUTS in the second edition, and hangs before anything can be seen to be wrong."""
    changes = (("        LD R7, PRINT7\n", ""), ZEROES)
    result = saved(tmp_path, *changes)
    assert (result.verdict, result.profile, result.share) == ("wrong-answer", "default", (3, 4))


def test_a_program_that_takes_no_answer_has_kept_no_rule(tmp_path):
    """It executes no forbidden trap, stores into no code, and depends on nothing, as it does nothing."""
    for rule in (
        "forbidden_traps: [x23]",
        "self_modification: false",
        "start_seeds: [1]",
        "instructions: 99",
        "ends_well: true",
    ):
        spec = SPEC + f"  - {{id: rule, title: Rule, criterion: play, machine: {{play: [a q], {rule}}}}}\n"
        case = grading(tmp_path, spec=spec).grade(submission(".ORIG x3000\nHALT\n.END")).cases[-1]
        assert case.verdict == "not-shown"
        assert "answers that it took (none; at least 2 needed)" in case.findings[0].message


def test_other_contents_at_the_start_are_a_remark_unless_they_are_priced(tmp_path):
    """No assignment says what memory and registers hold; a spec that does gives the case a criterion."""
    lazy = PROGRAM.replace(
        "        LD R6, STACK\n", "        LD R6, STACK\n        ADD R4, R4, #0\n        BRnp DONE\n"
    )
    for criterion, verdict, weight in (("", "accepted", "note"), ("criterion: play, ", "wrong-answer", "defect")):
        spec = SPEC + f"  - {{id: start-values, title: Start, {criterion}machine: {{play: [a b], start_seeds: [1]}}}}\n"
        case = grading(tmp_path, spec=spec).grade(submission(lazy)).cases[-1]
        assert (case.verdict, case.findings[0].code, case.findings[0].weight) == (verdict, "start-dependent", weight)
        assert case.findings[0].message.endswith(": the program uses R4 before it stores anything there")


def test_both_values_of_a_register_are_told(tmp_path):
    """What it held at the call and at the return, by the line of the call and that of the subroutine."""
    (found, *_) = saved(tmp_path, *ACCIDENT).findings
    source = PROGRAM
    for before, after in ACCIDENT:
        source = source.replace(before, after)
    lines_of = source.split("\n")
    begins = next(number for number, line in enumerate(lines_of, 1) if line.startswith("JUDGE"))
    called = next(number for number, line in enumerate(lines_of, 1) if "JSR JUDGE" in line)
    pattern = (
        rf"called in line {called}, JUDGE \(line {begins}\) left x0000 in R5, where x[0-9A-F]{{4}} was at the call"
    )
    assert re.fullmatch(pattern, found.detail)
    assert "x" not in found.message


def test_of_a_stack_both_values_are_told_too(tmp_path):
    """It was moved by one."""
    (found, *_) = saved(tmp_path, ("ADD R6, R6, #2", "ADD R6, R6, #1")).findings
    before, after = (int(text, 16) for text in re.findall(r"x([0-9A-F]{4})", found.detail)[::-1])
    assert before - after == 1
    assert "in R6" in found.detail
