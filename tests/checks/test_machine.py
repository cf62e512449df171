"""Facts that only a simulator can see: registers, stack, traps, final values; each from both sides."""

from __future__ import annotations

from fractions import Fraction

import pytest

from grader.checks.machine import Watched, check, subroutines, verdict
from grader.machines.families import family
from grader.machines.lc3.assembler import assemble
from grader.results import Verdict, Weight
from grader.sessions.session import play
from grader.sessions.simulated import SimulatedProgram
from grader.source import SourceFile
from grader.spec.kinds.machine import MachineRules
from grader.spec.model import Limits

HEAD = ".ORIG x3000\n"
CALLS = (
    HEAD
    + """
        LD R6, STACK
        AND R3, R3, #0
        JSR WORK
        ADD R3, R3, #1
        LEA R0, TEXT
        PUTS
        HALT
WORK    ADD R6, R6, #-1
        STR R3, R6, #0
        AND R3, R3, #0
        ADD R3, R3, #7
        {restore}
        ADD R6, R6, #1
        RET
TEXT    .STRINGZ "x"
STACK   .FILL xFDFF
SUM     .FILL 5
        .END
"""
)
SAVED = CALLS.format(restore="LDR R3, R6, #0")
CLOBBERED = CALLS.format(restore="AND R0, R0, #0")
MANY = CALLS.format(restore="ADD R0, R0, #1\n ADD R4, R4, #1\n ADD R5, R5, #1")


def run(source: str, wanted: MachineRules):
    """The evidence of one run without input."""
    assembly = assemble(SourceFile("p.asm", source))
    assert assembly.image is not None, assembly.diagnostics
    session = SimulatedProgram(family("lc3"), assembly.image, Limits()).start("default", observe=True)
    return session.evidence(play(session, ()), tuple(wanted.memory))


def findings(source: str, **rules):
    """The findings of the check in one run without input."""
    wanted = MachineRules.model_validate({"play": [""], **rules})
    return check(wanted, [run(source, wanted)])


def watched(source: str, *, meant=frozenset(), mending=frozenset(), **rules):
    """The findings on the subroutines, by one run without input and the results that experiments would have."""
    wanted = MachineRules.model_validate({"play": [""], **rules})
    return subroutines(wanted, Watched((run(source, wanted),), frozenset(meant), frozenset(mending)))


def codes(source: str, **rules):
    """The slugs of what counts as a defect."""
    return [f.code for f in findings(source, **rules) if f.weight is Weight.DEFECT]


WORK = 0x3007


def test_a_restored_register_is_fine():
    """A subroutine that restores what it changes has nothing to answer for."""
    found = watched(SAVED, callee_saved=True, stack_balance=True)
    assert (found.findings, found.share) == ((), 1)


def test_a_subroutine_that_changes_registers_is_one_line():
    """The registers are listed after its name, the place is its own, and the hint says what to do; nothing without the rule."""
    (finding,) = watched(MANY, callee_saved=True).findings
    assert (finding.code, finding.place, finding.excerpt) == ("clobbered-register", "p.asm:10:1", "")
    assert finding.message == "WORK: R0, R3–R5 are changed and not restored"
    assert "Store these registers" in finding.hint
    assert watched(MANY, stack_balance=True).findings == ()


def test_the_hint_stands_once():
    """Under the last of several lines, for registers and the stack as far as they are named."""
    two = MANY.replace("JSR WORK", "JSR WORK\n JSR MOVE").replace("WORK    ADD", "MOVE ADD R6, R6, #-1\n RET\nWORK ADD")
    first, last = watched(two, callee_saved=True, stack_balance=True).findings
    assert first.hint == ""
    assert last.hint.startswith("Store")
    assert "R6 has the same value at the end" in last.hint


def test_what_is_found_to_be_a_result_is_noted():
    """Nothing is charged for it, nor for what the convention names."""
    found = watched(CLOBBERED, meant={(WORK, 3)}, callee_saved=True)
    assert [(f.weight, f.message.partition(": ")[2]) for f in found.findings] == [(Weight.NOTE, "WORK: R3")]
    assert found.share == 1
    assert watched(CLOBBERED, callee_saved=True, results=["R0", "r3"]).findings == ()


def test_a_register_that_spoils_the_game_is_told_as_such():
    """The student then knows where a mistake comes from."""
    (finding,) = watched(CLOBBERED, mending={(WORK, 3)}, callee_saved=True).findings
    assert "makes the output wrong" in finding.message


def test_the_stack_pointer_is_judged_as_the_stack():
    """It must come back as it was, but where a subroutine pushes or pops for others."""
    unbalanced = SAVED.replace("ADD R6, R6, #1\n", "")
    (finding,) = watched(unbalanced, stack_balance=True).findings
    assert (finding.code, finding.message) == ("stack-imbalance", "WORK: R6 is changed and not restored")
    assert watched(unbalanced, meant={(WORK, 6)}, stack_balance=True).share == 1
    assert watched(unbalanced, callee_saved=True).share == 1


def test_r6_is_a_register_like_others_where_there_is_no_stack():
    """Some programs count with it."""
    counts = SAVED.replace("STACK   .FILL xFDFF", "STACK   .FILL 7").replace("STR R3, R6, #0", "ADD R6, R6, #2")
    assert "R6" in watched(counts, callee_saved=True).findings[0].message
    assert watched(counts, stack_balance=True).findings == ()


@pytest.mark.parametrize(
    ("minor", "share"), [((), Fraction(0)), (("r0", "R3", "R4", "R5"), Fraction(3, 4)), (("R0",), Fraction(0))]
)
def test_minor_registers_alone_cost_a_quarter(minor, share):
    """A subroutine that changes another, too, loses its whole share."""
    assert watched(MANY, callee_saved=True, minor=minor).share == share


def test_each_subroutine_has_its_share():
    """One of two that returned: half."""
    two = MANY.replace("JSR WORK", "JSR WORK\n JSR NONE").replace("WORK    ADD", "NONE RET\nNEVER RET\nWORK ADD")
    assert watched(two, callee_saved=True).share == Fraction(1, 2)


def test_traps():
    """A forbidden trap counts when it is executed, a required one when it is not."""
    assert codes(SAVED, forbidden_traps=["x22"]) == ["forbidden-trap"]
    assert codes(SAVED, forbidden_traps=["x23"]) == []
    assert codes(SAVED, required_traps=["x22", "x20"]) == ["missing-trap"]


@pytest.mark.parametrize(("calls", "expected"), [(1, []), (2, ["few-calls"])])
def test_subroutines_are_counted_by_being_called(calls, expected):
    """One subroutine is called here, however often."""
    assert codes(SAVED, calls=calls) == expected


def test_final_values():
    """Registers and words of memory are compared by name, label or address."""
    assert codes(SAVED, registers={"R3": 1}, memory={"SUM": 5, "sum": 5, "x3000": "x2C0F"}) == []
    assert codes(SAVED, registers={"R3": 2}) == ["wrong-register"]
    assert codes(SAVED, memory={"SUM": 6, "NONE": 1}) == ["wrong-memory", "missing-label"]


@pytest.mark.parametrize(
    ("memory", "expected"), [({"NONE": 1}, Verdict.NEEDS_REVIEW), ({"NONE": 1, "SUM": 6}, Verdict.WRONG_ANSWER)]
)
def test_a_label_that_the_program_has_not_costs_nothing(memory, expected):
    """No text fixes the names of labels: a person looks, unless a value is also wrong."""
    wanted = MachineRules.model_validate({"play": [""], "memory": memory})
    evidence = [run(SAVED, wanted)]
    assert verdict(wanted, evidence, check(wanted, evidence)) is expected


def test_instructions_are_counted():
    """The limit holds to the instruction."""
    used = 14
    assert codes(SAVED, instructions=used) == []
    assert codes(SAVED, instructions=used - 1) == ["too-many-instructions"]


def test_runs_that_break():
    """A run that breaks is told with its place; one that halts or waits is fine."""
    assert codes(SAVED, ends_well=True) == []
    assert codes(HEAD + "GETC\nHALT\n.END\n", ends_well=True) == []
    (finding,) = findings(HEAD + "ADD R0, R0, #1\n.FILL xD000\n.END\n", ends_well=True)
    assert finding.place == "p.asm:3:1"
    assert codes(HEAD + "LOOP BR LOOP\n.END\n", ends_well=True) == ["never-ends"]


def test_self_modification():
    """Storing into an instruction is told where the rule asks for it."""
    patched = SAVED.replace("LEA R0, TEXT", "ST R3, HERE\nHERE LEA R0, TEXT")
    assert codes(patched, self_modification=False) == ["self-modification"]
    assert codes(patched) == []
    assert codes(SAVED, self_modification=False) == []


def test_an_exception_that_spim_passes_over_is_no_good_end():
    """The program goes on and exits; the instruction is named once, and the verdict is that of a crash."""
    machine = family("mips")
    source = SourceFile("p.s", "main: li $t0, 2\nagain: lw $t1, 1($0)\nsub $t0, 1\nbgtz $t0, again\njr $ra\n")
    image = machine.assemble(source, "spim", {}).image
    assert image is not None
    session = SimulatedProgram(machine, image, Limits()).start("spim", observe=True)
    run = session.evidence(play(session, ()))
    rules = MachineRules.model_validate({"play": [""], "ends_well": True})
    (finding,) = check(rules, [run])
    assert (finding.code, finding.place) == ("passed-over", "p.s:2:1")
    assert "Exception 4  [Address error in inst/data fetch]  occurred and ignored" in finding.message
    assert verdict(rules, [run], [finding]) is Verdict.RUNTIME_ERROR
    assert len(run.observations.passed_over) == 1
    silent = MachineRules.model_validate({"play": [""]})
    assert check(silent, [run]) == ()
