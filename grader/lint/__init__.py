"""What can be said against a spec once its reference is played: more than ``spec.rules``, which know no machine.

The reference must take the inputs of every case and print every transcript; what it leaves open must be a choice of the
spec; every random game must come about; its referee must find no fault in its own play; instructions, registers and
traps must be ones that the machine has, labels ones that an accepted fixture has, and queries ones that the grammar knows; no pattern may need long for a flood; and a
program that plays no game, or prints the same whatever is typed, must not earn points for it.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from grader.grading.model_program import model_of
from grader.lint.course import course_files, pairs_problems
from grader.lint.facts import lone_numbers
from grader.lint.idle import idle_problems
from grader.lint.patterns import slow_patterns, unsaid_patterns
from grader.lint.rehearsal import rehearsed
from grader.lint.routines import routines
from grader.lint.stubs import earned_by_stubs
from grader.lint.words import machine_words, source_queries
from grader.source import Severity
from grader.spec.kinds import KINDS
from grader.spec.loader import Reading, in_order, read_assignment
from grader.spec.model import Spec
from grader.spec.problem import locate


def examine(path: Path) -> Reading:
    """The reading of a spec with all that the rules, the machine and the reference say of it. Raises UsageError."""
    reading = read_assignment(path)
    if reading.assignment is None:
        return reading
    spec, reference = reading.assignment.spec, reading.assignment.reference
    problems = [*machine_words(spec), *source_queries(spec), *routines(reading.assignment)]
    played = _talks(spec) or model_of(reading.assignment) is not None
    problems += rehearsed(reading.assignment) if played else ()
    if reference and (spec.games or spec.game) and not problems:
        problems += idle_problems(reading.assignment, reference)
    elif not any(problem.severity is Severity.ERROR for problem in problems):
        problems += earned_by_stubs(reading.assignment)
    problems += [*slow_patterns(spec), *unsaid_patterns(spec), *lone_numbers(spec), *pairs_problems(spec)]
    located = (locate(problem, reading.document) for problem in problems)
    diagnostics = in_order([*reading.diagnostics, *located, *course_files(reading.assignment)])
    stops = any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
    return replace(reading, diagnostics=diagnostics, assignment=None if stops else reading.assignment)


def _talks(spec: Spec) -> bool:
    """Whether the reference is played; where it only says what routines return it need not talk."""
    calls = any(case.call is not None for case in spec.cases)
    return not calls or bool(spec.game or spec.games) or any(KINDS[case.kind].plays for case in spec.cases)


def summary(reading: Reading) -> str:
    """One line: ``lc3-nim: no problems, 43 cases, 100 points``, or how many problems there are."""
    errors = sum(d.severity is Severity.ERROR for d in reading.diagnostics)
    warnings = len(reading.diagnostics) - errors
    counted = [_count(errors, "problem")] if errors else []
    counted += [_count(warnings, "warning")] if warnings else []
    said = ", ".join(counted) or "no problems"
    if reading.assignment is None:
        return f"{Path(reading.document.source.name).stem}: {said}"
    spec = reading.assignment.spec
    return f"{spec.assignment}: {said}, {_count(len(spec.cases), 'case')}, {_count(spec.max_points, 'point')}"


def _count(number: int | Fraction, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
