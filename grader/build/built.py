"""The result of building, whatever the language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from grader.machines.families import Family
from grader.results import COURSE_FAULT, Finding, Verdict, Visibility, Weight
from grader.sessions.noted import Note
from grader.sessions.session import Program
from grader.source import Diagnostic, Severity, SourceFile
from grader.spec.kinds.tests import UnitTests
from grader.transcript import Ending
from grader.values import dataclass

# A brace that is missing makes hundreds.
SHOWN_DIAGNOSTICS = 50


Takes = Callable[[Sequence[str], bool], tuple[Note, ...]]
"""The notes of a run with these inputs, and of samples, too, where these are wanted. Raises JudgeError where it cannot be run."""


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """The result of building a program along with tests and running these.

    - ``findings``: the compiler's messages if both do not build together; ``ending`` is None then.
    - ``mistake``: the error in a file of the course, if that is the reason.
    - ``modules``: those of the course in Python, as texts by name.
    - ``report``: the file of results; None if nothing was written or the file is too large.
    - ``printed``: the output of the run.
    - ``undivided``: whether program and tests should have had a process each, and could not be built in this way.
    - ``inside``: runs them once more in one process, if they had two.
    """

    findings: tuple[Finding, ...] = ()
    ending: Ending | None = None
    report: bytes | None = None
    printed: str = ""
    errors: str = ""
    mistake: Finding | None = None
    modules: Mapping[str, str] = field(default_factory=dict)
    undivided: bool = False
    inside: Callable[[], SuiteRun] | None = None


@dataclass(frozen=True)
class Built:
    """The result of building.

    - ``verdict``: accepted, missing-file, compile-error, or needs-review if several programs were handed in.
    - ``sources``: the files of the program, the main one first; empty without a program. ``language`` is theirs.
    - ``programs``: the program under each profile for which it builds. ``usual`` is the first profile of the spec.
    - ``decides``: a profile, or empty. Its verdict alone counts when a case is not accepted under its profile in ``tried``, which has one
      for each visibility.
    - ``start``: the place where a MIPS program begins, if that is unusual.
    - ``review``: sentences for staff, on names that are not quite right.
    - ``tools``: what built the program, with versions. ``sandbox``: where it is run.
    - ``family``: that of simulated programs.
    """

    verdict: Verdict
    language: str
    findings: tuple[Finding, ...] = ()
    sources: tuple[SourceFile, ...] = ()
    programs: Mapping[str, Program] = field(default_factory=dict)
    usual: str = ""
    decides: str = ""
    tried: Mapping[Visibility, str] = field(default_factory=dict)
    start: str = ""
    diagnostics: tuple[str, ...] = ()
    review: tuple[str, ...] = ()
    tools: str = ""
    sandbox: str = ""
    family: Family | None = None
    notes: Takes | None = None
    """Runs the program once more to have it note where it breaks, where it can; None where it cannot."""
    tests: Callable[[UnitTests], SuiteRun] | None = None
    """Builds the program along with tests of the course's own, and runs these; None where there is nothing to build."""
    reaches: str = ""
    """By what the program could find the tests that share a process with it; empty where by nothing that a look at its classes tells."""
    close: Callable[[], None] = lambda: None
    """Ends whatever runs for the program; nothing is left to do for simulated ones."""

    @property
    def source(self) -> SourceFile | None:
        """The main file of the program, if there is one."""
        return self.sources[0] if self.sources else None


def course_fault(diagnostic: Diagnostic) -> Finding:
    """The finding that says which file of the course is wrong, and where: points are open for it, and none are lost."""
    span, fault = diagnostic.span, diagnostic.message
    if span is None:
        return Finding(COURSE_FAULT, f"a file of the course is wrong; this costs no points: {fault}")
    file, line = span.source.name, span.line
    return Finding(COURSE_FAULT, f"a file of the course is wrong; this costs no points: {file}, line {line}: {fault}")


def findings_of(diagnostics: tuple[Diagnostic, ...]) -> tuple[Finding, ...]:
    """The diagnostics as findings, the first of them where there are very many."""
    return tuple(
        Finding(
            code=one.code,
            message=one.message,
            hint=one.hint,
            weight=Weight.DEFECT if one.severity is Severity.ERROR else Weight.NOTE,
            place=one.span.place if one.span else "",
            excerpt=one.span.excerpt() if one.span else "",
            subject=(one.span.marked,) if one.span else (),
        )
        for one in diagnostics[:SHOWN_DIAGNOSTICS]
    )


def rendered(diagnostics: tuple[Diagnostic, ...]) -> tuple[str, ...]:
    """The diagnostics as text, the first of them where there are very many."""
    more = len(diagnostics) - SHOWN_DIAGNOSTICS
    shown = tuple(d.render() for d in diagnostics[:SHOWN_DIAGNOSTICS])
    return (*shown, f"and {more} more") if more > 0 else shown
