"""Small specs with `call` cases, and the result of one case."""

from __future__ import annotations

from pathlib import Path

from grader.results import CaseResult, Grade
from tests.graded import graded as grade_of

SPEC = """\
assignment: routines
title: Routines
submission: {{required: [p.asm]}}
program: {{language: {language}, sources: [p.asm]{program}}}
limits: {{instructions: 5M}}
reference: reference.py
rubric: [{{id: works, points: 4, title: Works}}]
cases:
  - {{id: builds, title: It assembles, source: {{builds: true{source}}}}}
  - {{id: call, title: It works, criterion: works, call: {call}}}
"""


def graded(
    folder: Path,
    source: str,
    call: str,
    reference: str = "",
    language: str = "lc3",
    program: str = "",
    demands: str = "",
) -> Grade:
    """The grade of one source under a spec with one `call` case."""
    (folder / "reference.py").write_text(reference)
    program = program or (", profiles: [mars]" if language == "mips" else "")
    path = folder / "routines.yaml"
    path.write_text(SPEC.format(language=language, call=call, program=program, source=demands), encoding="utf-8")
    return grade_of(path, {"p.asm": source})


def result(folder: Path, source: str, call: str, **more: str) -> CaseResult:
    """The result of that case."""
    return graded(folder, source, call, **more).cases[1]


def said(case: CaseResult) -> list[str]:
    """The mistakes, in sentences."""
    return [finding.message for finding in case.findings]
