"""Problems of a spec that show when its reference is played: more than ``spec.rules`` find, which know no machine.

- The reference must take the inputs of every case and print every transcript. Places that it leaves open must be choices of
  the spec.
- Every random game must come about, and the referee must find no fault in the reference's play.
- Instructions, registers and traps must exist on the machine, labels in an accepted fixture, and queries in the grammar.
- No pattern may take long on a flood of output.
- A program that plays no game, or prints the same whatever is typed, must not earn points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from inspect import signature
from pathlib import Path

from grader.build.chosen import choose
from grader.build.course.in_c import two_mains
from grader.build.course.lot import placed
from grader.checks.numbers import grouped
from grader.errors import GraderError, JudgeError
from grader.grading import Grading
from grader.grading.scripts import Scripts, model_of
from grader.intake.source import read_submission
from grader.lint.gifts import earned_by_stubs
from grader.lint.idle import idle_problems
from grader.lint.patterns import lone_numbers, slow_patterns, unsaid_patterns
from grader.lint.prices import accepted_fixtures
from grader.lint.rehearsal import rehearsed
from grader.lint.routines import routines
from grader.lint.words import fault, machine_words, source_queries
from grader.report.words import plural
from grader.source import Diagnostic, Severity
from grader.spec.document import Loc
from grader.spec.kinds import KINDS
from grader.spec.kinds.io import Pair
from grader.spec.loader import Assignment, Reading, in_order, read_assignment
from grader.spec.model import Limits, Spec
from grader.spec.model_program import CHECKED
from grader.spec.problem import Problem, locate
from grader.transcript import decode


def examine(path: Path) -> Reading:
    """The reading of a spec with all that the rules, the machine and the reference say of it. Raises UsageError."""
    reading = read_assignment(path)
    if reading.assignment is None:
        return reading
    spec, reference = reading.assignment.spec, reading.assignment.reference
    problems = [*machine_words(spec), *source_queries(spec), *routines(reading.assignment)]
    problems += checkers(reading.assignment)
    # A reference that only says what routines return, or what is wrong with an output, need not talk.
    asked = any(case.call is not None or any(output.checker for output in case.printed) for case in spec.cases)
    played = [case.transcript is None for case in spec.cases if KINDS[case.kind].plays]
    talks = not asked or any(played) or (bool(played) and Scripts(reading.assignment).talks)
    problems += rehearsed(reading.assignment) if talks or model_of(reading.assignment) is not None else ()
    if reference and any(case.game for case in spec.cases) and not problems:
        problems += idle_problems(reading.assignment, reference)
    elif not any(problem.severity is Severity.ERROR for problem in problems):
        problems += earned_by_stubs(reading.assignment)
    problems += [*slow_patterns(spec), *unsaid_patterns(spec), *lone_numbers(spec), *pairs_problems(spec)]
    located = (locate(problem, reading.document) for problem in problems)
    diagnostics = in_order([*reading.diagnostics, *located, *course_files(reading.assignment)])
    stops = any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
    return replace(reading, diagnostics=diagnostics, assignment=None if stops else reading.assignment)


def summary(reading: Reading) -> str:
    """One line: ``lc3-nim: no problems, 43 cases, 100 points``, or how many problems there are."""
    errors = sum(d.severity is Severity.ERROR for d in reading.diagnostics)
    warnings = len(reading.diagnostics) - errors
    counted = [plural(errors, "problem")] if errors else []
    counted += [plural(warnings, "warning")] if warnings else []
    counts = ", ".join(counted) or "no problems"
    if reading.assignment is None:
        return f"{Path(reading.document.source.name).stem}: {counts}"
    spec = reading.assignment.spec
    return f"{spec.assignment}: {counts}, {plural(len(spec.cases), 'case')}, {plural(str(spec.max_points), 'point')}"


# ----------------------------------------------------------------------------------------------- the files of a course


def course_files(assignment: Assignment) -> tuple[Diagnostic, ...]:
    """Every mistake in them; a warning where this machine cannot try them."""
    try:
        with Grading(assignment, unsafe=True) as grading:
            mistakes = grading.course_mistakes()
    except JudgeError as error:
        message = f"the course's files could not be tried here: {error.message}"
        mistakes = (Diagnostic(Severity.WARNING, "course", message, None, error.hint),)
    return (*mistakes, *_second_main(assignment))


def _second_main(assignment: Assignment) -> Iterator[Diagnostic]:
    """The `main` of the support, where an accepted fixture begins with one of its own."""
    spec = assignment.spec
    if not spec.starts_program or not {*spec.program.language} & {"c", "cpp"}:
        return
    for folder in accepted_fixtures(assignment):
        try:
            handed_in = choose(spec.program, read_submission(folder, spec.submission.student_id)).files
        except GraderError:
            continue
        twice = two_mains(handed_in, assignment.support)
        if twice is not None:
            yield placed(twice, assignment)
            return


def pairs_problems(spec: Spec) -> Iterator[Problem]:
    """Every problem of the pairs, of each kind the first in a case."""
    for index, case in enumerate(spec.cases):
        counted = case.tolerance is not None or spec.text.tolerance is not None
        by_code: dict[str, Problem] = {}
        for pair in case.io or ():
            for problem in _problems(pair, spec.limits, ("cases", index, "io"), counted=counted):
                by_code.setdefault(problem.code, problem)
        yield from by_code.values()


def checkers(assignment: Assignment) -> Iterator[Problem]:
    """Every checker that the reference lacks, that fails, or that finds nothing wrong where nothing is printed."""
    scripts = Scripts(assignment)
    for index, case in enumerate(assignment.spec.cases):
        for output in case.printed:
            if output.checker is None:
                continue
            loc = ("cases", index, case.kind)
            try:
                if [*signature(scripts.function(output.checker)).parameters] != CHECKED:
                    message = f"`{output.checker}` is not called with what was typed and what was printed"
                    yield Problem(
                        "signature", message, loc, f"write def {output.checker}(typed: str, printed: str) -> str"
                    )
                    continue
                passes = not scripts.wrong(output.checker, "", "")
            except JudgeError as error:
                yield fault(error, loc)
                return
            if passes and not (output.shows and output.output) and not output.contains:
                message = f"`{output.checker}` accepts a run in which nothing is typed and nothing printed"
                yield Problem.warning("given-away", message, loc, "let it say that something must be printed")


def _problems(pair: Pair, limits: Limits, loc: Loc, *, counted: bool) -> Iterator[Problem]:
    """A right program can print and write what is expected, its folder hold what it is given, and numbers are read as such."""
    texts = [text for text in (pair.output, pair.errors) if text is not None]
    printed = max((len(text.data) for text in texts), default=0)
    if printed > limits.output:
        message = f"{printed:,} bytes are to be printed, and `limits.output` is {limits.output:,}"
        yield Problem("output-limit", message, loc, "raise `limits.output`")
    stored = sum(len(text.data) for text in (*pair.files.values(), *pair.writes.values()))
    if stored > limits.storage:
        message = f"the files of a run hold {stored:,} bytes, and `limits.storage` is {limits.storage:,}"
        yield Problem("storage-limit", message, loc, "raise `limits.storage`")
    # `1,000` is a thousand in one country, one in another, and two numbers in a list: it is compared as a word.
    expected = (*texts, *pair.writes.values()) if counted else ()
    if word := next((word for text in expected for word in grouped(decode(text.data))), ""):
        message = f"`{word}` is expected, and is compared letter by letter, although there is a tolerance"
        yield Problem.warning("grouped", message, loc, "a number is written without commas for thousands")
