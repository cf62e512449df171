"""Which lines of an assembly source no visible run executes."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.grading import Grading, executed
from grader.intake.source import read_submission
from grader.machines.families import family
from grader.machines.records import UNRECORDED
from grader.report import words
from grader.sessions.session import play
from grader.sessions.simulated import SimulatedProgram
from grader.source import SourceFile
from grader.spec.loader import load_assignment
from grader.spec.model import Limits
from tests.grading.small import PROGRAM, grading, submission
from tests.observed import lines_never_run

ROOT = Path(__file__).resolve().parents[2]


def missed(grade):
    """The lines that were never executed, with their text."""
    (one,) = grade.coverage
    lines = grade.sources[0].lines
    return [" ".join(lines[number - 1].split()) for first, last in one.never for number in range(first, last + 1)]


def test_lines_that_only_hidden_cases_lead_to_are_never_executed(tmp_path):
    """The answer to a bad key is played in a hidden case alone: what a student is told tells nothing of that."""
    grade = grading(tmp_path).grade(submission(PROGRAM))
    assert missed(grade)
    assert all("BAD" in line or "NOPE" in line or "LOOP" in line or "PUTS" in line for line in missed(grade))
    (one,) = grade.coverage
    assert (one.file, one.missed) == ("p.asm", len(missed(grade)))
    assert one.lines > one.missed


def test_code_that_nothing_leads_to_is_named_with_blank_lines_in_between(tmp_path):
    """A stretch goes on over comments, and the sentence asks what it is for."""
    dead = "        HALT\n        ADD R5, R5, #1\n\n; and again\n        ADD R5, R5, #2\n"
    grade = grading(tmp_path).grade(submission(PROGRAM.replace("        HALT\n", dead, 1)))
    first = next(n for n, line in enumerate(grade.sources[0].lines, 1) if "#1" in line and "R5" in line)
    assert (first, first + 3) in grade.coverage[0].never
    (told,) = words.never_executed(grade)
    assert f"{first}–{first + 3}" in told
    assert told.endswith(" runs. Is a jump or call to them missing, or are they not needed?")


def test_a_program_that_does_not_assemble_has_no_coverage(tmp_path):
    """There is nothing to run."""
    assert grading(tmp_path).grade(submission(".ORIG x3000\nADD R0\n.END\n")).coverage == ()


def test_runs_end_where_all_is_executed(tmp_path, monkeypatch):
    """No more runs are repeated than it takes; with a budget of nothing the first run alone."""
    whole = '.ORIG x3000\nLEA R0, T\nPUTS\nGETC\nHALT\nT .STRINGZ "? "\n.END\n'
    assert [(one.runs, one.never) for one in grading(tmp_path).grade(submission(whole)).coverage] == [(1, ())]
    monkeypatch.setattr(executed, "BUDGET", 1)
    assert [one.runs for one in grading(tmp_path).grade(submission(PROGRAM)).coverage] == [1]


@pytest.mark.parametrize(
    ("language", "profile", "text"),
    [
        ("lc3", "default", ".ORIG x3000\nJSR F\nHALT\nF AND R1, R1, #0\nRET\nNOP\n.END\n"),
        ("mips", "mars", "main: jal f\nli $v0, 10\nsyscall\nf: li $t0, 1\njr $ra\nnop\n"),
    ],
)
def test_a_run_that_is_not_recorded_still_tells_what_it_executed(language, profile, text):
    """All records but that are empty."""
    machine = family(language)
    source = SourceFile("p.s", text)
    assembly = machine.assemble(source, machine.dialect_of(profile), {}, [], "")
    assert assembly.image is not None, assembly.diagnostics
    program = SimulatedProgram(machine, assembly.image, Limits())
    seen = []
    for options in ({}, {"experiment": UNRECORDED}):
        session = program.start(profile, observe=True, **options)
        play(session, ())
        seen.append(session.machine.observations)
    assert seen[0].executed == seen[1].executed
    assert seen[0].calls
    assert not seen[1].calls
    assert max(lines_never_run(seen[0])) == 6


def test_a_real_program_names_the_keys_that_nobody_presses():
    """A menu with rules and a way out: no visible game of four in a row reads the rules or leaves."""
    with Grading(load_assignment(ROOT / "specs/mips-connect4.yaml")) as judge:
        folder = ROOT / "fixtures/mips-connect4/accepted/any-other-key-goes-on/submission"
        grade = judge.grade(read_submission(folder, None))
    assert (71, 87) in grade.coverage[0].never
