"""The functions that the page of a kit calls, in Python in the browser: assemble, check, play. Answers are JSON.

Only ``assemble`` is needed for the first answer, and it imports only the machines; the rest is imported when it is called.
"""

from __future__ import annotations

import gc
import json
import math
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import GraderError
from grader.languages import ENGLISH, Language
from grader.languages import language as known
from grader.machines.families import family
from grader.source import Diagnostic, Severity, SourceFile

if TYPE_CHECKING:
    from grader.grading import Grading
    from grader.results import CaseResult, Grade
    from grader.sessions.simulated import SimulatedSession
    from grader.transcript import Ending

_INCLUDE = re.compile(r'(?i)\.include\s+"([^"]*)"')


def assemble(folder: str, names: Sequence[str], language: str, dialect: str, start: str, spoken: str = "en") -> str:
    """The messages of the assembler on the files of one program, as ``{"assembled": bool, "messages": [...]}``, in a language."""
    words = known(spoken)
    machine = family(language)
    read = {name: machine.read(name, Path(folder, name).read_bytes()) for name in names}
    sources = {name: source for name, (source, _) in read.items()}
    problems = tuple(diagnostic for _, diagnostics in read.values() for diagnostic in diagnostics)
    if any(diagnostic.severity is Severity.ERROR for diagnostic in problems):
        return json.dumps({"assembled": False, "messages": [_message(one, words) for one in problems]})
    named = {name for source in sources.values() for name in _INCLUDE.findall(source.text)}
    included = named if machine.includes else set()
    # An included file is no program of its own, and has no beginning.
    first, *more = [source for name, source in sources.items() if name not in included] or sources.values()
    try:
        assembly = machine.assemble(first, dialect, sources if included else {}, more, start)
    except GraderError as error:
        message = {"file": first.name, "line": 0, "severity": "error", "message": words.say(str(error))}
        return json.dumps({"assembled": False, "messages": [message]})
    messages = [_message(one, words) for one in (*problems, *assembly.diagnostics)]
    return json.dumps({"assembled": assembly.image is not None, "messages": messages})


def _message(diagnostic: Diagnostic, words: Language) -> dict[str, object]:
    span = diagnostic.span
    return {
        "file": span.source.name if span else "",
        "line": span.line if span else 0,
        "column": span.column if span else 0,
        "end": span.end_column if span else 0,
        "severity": str(diagnostic.severity),
        "message": words.say(diagnostic.message),
        "hint": words.say(diagnostic.hint),
    }


def text_of(folder: str, name: str) -> str:
    """A source as text, whatever its encoding, for the editor."""
    return SourceFile.from_bytes(name, Path(folder, name).read_bytes()).text


class Checker:
    """The visible cases of one assignment."""

    def __init__(self, spec: str) -> None:
        from grader.grading import Grading
        from grader.spec.loader import load_assignment

        assignment = load_assignment(Path(spec))
        # A budget of instructions alone, so that a slow computer says what a fast one does. What that allows may
        # take minutes: a button of the page stops it before.
        budget = assignment.spec.limits.submission.model_copy(update={"cpu": math.inf, "wall": math.inf})
        limits = assignment.spec.limits.model_copy(update={"submission": budget})
        self._assignment = replace(assignment, spec=assignment.spec.model_copy(update={"limits": limits}))
        self._grading: Grading = Grading(self._assignment)
        self._grade: Grade | None = None
        self._words = known(self._assignment.spec.language)
        self.cases = len(self._grading.cases)

    def check(self, path: str, heard: Callable[[str], object]) -> str:
        """The report on what lies at ``path``; each case is told to ``heard`` as soon as it is judged."""
        from grader.intake.source import read_submission
        from grader.report.again import named_as
        from grader.report.page import student_page
        from grader.report.shown import command
        from grader.report.words import phrase, score_line
        from grader.results import for_student

        def tell(case: CaseResult) -> None:
            verdict = phrase(case.verdict, self._words)
            heard(json.dumps({"title": case.title, "verdict": verdict, "bad": case.verdict.blames_student}))

        gc.collect()  # the machines of the run before: there is little memory here, and all of it is taken at once
        submission = read_submission(Path(path), self._assignment.spec.submission.student_id)
        grade = for_student(self._grading.grade(submission, heard=tell))
        self._grade = named_as(grade, [submission.handed_in_as])
        again = [case.again for case in self._grade.cases if case.again.startswith(RUN)]
        report = {
            "score": score_line(grade, self._words),
            "lost": grade.points_lost,
            "failed": grade.has_judge_error,
            "page": student_page(self._grade, audience="student"),
            "replay": {command(one): _options(one) for one in again},
        }
        return json.dumps(report)

    def record(self) -> str:
        """The record of the last check, as ``grader grade --json`` writes it for a student."""
        from grader.report import record

        return record.dump(self._grade) if self._grade is not None else ""

    def play(self, path: str, profile: str, seed: int) -> Play:
        """A run of what lies at ``path``, built as it is for a check, under a profile or the usual one.

        A ``seed`` below zero means no seed.
        """
        from grader.build.simulated import build_simulated
        from grader.intake.source import read_submission
        from grader.sessions.simulated import SimulatedProgram

        gc.collect()
        spec = self._assignment.spec
        built = build_simulated(spec, read_submission(Path(path), spec.submission.student_id), self._assignment.support)
        named = profile or (built.usual if built.usual in built.programs else next(iter(built.programs), ""))
        program = built.programs.get(named)
        if not isinstance(program, SimulatedProgram):
            why = [self._words.say(finding.message) for finding in built.findings]
            return Play(None, "; ".join(why) or self._words.say("there is no program to run"))
        return Play(program.start(named, seed=seed if seed >= 0 else None), words=self._words)


RUN = "grader run "
"""How a command begins that the terminal of the page can show again: it has no registers."""


def _options(command: str) -> dict[str, str | int]:
    """The sentence for a command that shows a run again."""
    from grader.sessions.simulated import unescaped

    values = dict(pairwise(shlex.split(command)))
    typed, seed = unescaped(values.get("--input", "")), int(values.get("--seed", "-1"))
    return {"typed": typed, "profile": values.get("--profile", ""), "seed": seed}


class Play:
    """A program that is played by hand."""

    def __init__(self, session: SimulatedSession | None, obstacle: str = "", words: Language = ENGLISH) -> None:
        self._session = session
        self._words = words
        self._obstacle = obstacle

    def go(self, typed: str = "") -> str:
        r"""Type something and run to the next wait or the end, as ``{"output", "wants", "ended"}``.

        ``ended`` says how it ended, and is empty while the program waits.
        """
        if self._session is None:
            return json.dumps({"output": "", "wants": "", "ended": self._obstacle})
        if typed:
            self._session.send(typed)
        ending = self._session.advance()
        output = self._session.take_output().decode("utf-8", "replace")
        wants = "" if ending is not None else self._session.wants
        return json.dumps({"output": output, "wants": wants, "ended": self._account(ending) if ending else ""})

    def _account(self, ending: Ending) -> str:
        """How the program ended, in lines."""
        from grader.checks.ending import ended

        say = self._words.say
        if ended(ending):
            return say("The program has ended.")
        where = f"{ending.place}: " if ending.place else ""
        return "\n".join(filter(None, [f"{where}{say(ending.message)}", ending.excerpt, *map(say, ending.last_steps)]))
