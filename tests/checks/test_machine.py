"""What only a simulator can see: registers, stack, traps, final values; each from both sides."""

from __future__ import annotations

import pytest

from grader.checks.machine import check, verdict
from grader.machines.families import family
from grader.machines.lc3.assembler import assemble
from grader.results import Verdict, Weight
from grader.sessions.session import play
from grader.sessions.simulated import SimulatedProgram
from grader.source import SourceFile
from grader.spec.model import Limits, MachineRules

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


def findings(source: str, **rules):
    """What the check finds in one run without input."""
    wanted = MachineRules.model_validate({"play": [""], **rules})
    assembly = assemble(SourceFile("p.asm", source))
    assert assembly.image is not None, assembly.diagnostics
    session = SimulatedProgram(family("lc3"), assembly.image, Limits()).start("default", observe=True)
    transcript = play(session, ())
    return check(wanted, [session.evidence(transcript, tuple(wanted.memory))])


def codes(source: str, **rules):
    """The slugs of what counts as a defect."""
    return [f.code for f in findings(source, **rules) if f.weight is Weight.DEFECT]


def test_a_restored_register_is_fine():
    """A subroutine that restores what it changes has nothing to answer for."""
    assert codes(SAVED, callee_saved=True) == []


def test_a_clobbered_register_is_named_with_its_values_and_the_call():
    """The subroutine, the register, both values and the place of the call are told; nothing without the rule."""
    overwritten = CLOBBERED.replace("ADD R3, R3, #1", "AND R3, R3, #0")
    (finding,) = [f for f in findings(overwritten, callee_saved=True) if "R3" in f.message]
    assert finding.code == "clobbered-register"
    assert "WORK" in finding.message
    assert "x0000" in finding.message
    assert "x0007" in finding.message
    assert finding.place == "p.asm:5:9"
    assert codes(overwritten) == []


def test_a_register_that_the_caller_reads_is_a_result():
    """What the caller reads before writing it is noted and not docked, and so is what the convention names."""
    results = [f for f in findings(CLOBBERED, callee_saved=True) if "R3" in f.message]
    assert [f.weight for f in results] == [Weight.NOTE]
    overwritten = CLOBBERED.replace("ADD R3, R3, #1", "AND R3, R3, #0")
    assert codes(overwritten, callee_saved=True, results=["R0", "r3"]) == []


def test_an_unbalanced_stack_is_told_once():
    """R6 must come back as it was."""
    assert codes(SAVED, stack_balance=True) == []
    assert codes(SAVED.replace("ADD R6, R6, #1\n", ""), stack_balance=True) == ["stack-imbalance"]


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
    assert [one.count for one in run.observations.passed_over] == [2]
    silent = MachineRules.model_validate({"play": [""]})
    assert check(silent, [run]) == ()
