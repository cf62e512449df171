"""A reference in the language of the assignment: a model program, built and run as what students hand in is.

It is played as a reference in Python is: a generator that yields what the program prints, and asks for an answer wherever it waits. The program
itself prints the echo of a key, where the spec wants one; a script has it apart from the text, so it is taken off here.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from grader.build import build
from grader.checks.ending import ended
from grader.errors import JudgeError, UsageError
from grader.sessions.reference import Keys, Line, Play, script
from grader.sessions.simulated import SimulatedProgram
from grader.spec.expectations import ENTER, Script
from grader.spec.loader import Assignment
from grader.spec.model_program import is_model_program, model_sources
from grader.spec.script_text import read_script
from grader.submission import Form, Submission, SubmittedFile
from grader.transcript import decode, visible

if TYPE_CHECKING:
    from grader.build.workshop import Workshop

Inputs = tuple[str, ...]


class ModelProgram:
    """A model program, built once. ``play`` starts it; only one play of it goes on at a time. ``close`` ends what runs."""

    def __init__(self, assignment: Assignment, path: Path) -> None:
        """Build the program at a path. Raises JudgeError, with what the compiler says, where it does not build."""
        self._assignment = assignment
        self._path = path
        self._workshop = None if assignment.spec.program.simulated else _workshop()
        try:
            built = self._built = build(assignment, read_model(path), self._workshop)
            if not built.programs:
                told = next(iter(built.diagnostics or tuple(finding.message for finding in built.findings)), "")
                raise JudgeError(f"the model program does not build: {told}".removesuffix(": "), place=str(path))
        except BaseException:
            self.close()
            raise

    def play(self) -> Play:
        """The dialogue of a run. Raises JudgeError where the program breaks, or does not print what is typed."""
        name = self._built.usual if self._built.usual in self._built.programs else next(iter(self._built.programs))
        session = self._built.programs[name].start(name)
        echoes = self._assignment.spec.text.echo == "program"
        typed = ""
        while True:
            ending = session.advance()
            printed = decode(session.take_output())
            if not printed.startswith(typed):
                raise JudgeError(
                    f"the model program was typed “{visible(typed)}”, and prints “{visible(printed[:24])}” next",
                    place=str(self._path),
                    hint="`text.echo: program` says that it prints what is typed first; keys that are asked for one by one are inputs of their own",
                )
            yield printed.removeprefix(typed)
            if ending is not None and not ended(ending):
                where = f"{ending.place}: " if ending.place else ""
                raise JudgeError(f"the model program breaks: {where}{ending.message}", place=str(self._path))
            if ending is not None:
                return
            by_key = session.wants == "key"
            answer = yield Keys(0) if by_key else Line()
            session.send(answer if by_key else answer + ENTER)
            typed = answer if by_key and echoes else ""

    @property
    def symbols(self) -> tuple[str, ...]:
        """The labels of a program for a simulated machine; none of any other."""
        first = next(iter(self._built.programs.values()))
        return tuple(first.image.symbols) if isinstance(first, SimulatedProgram) else ()

    def scripts(self, wanted: Iterable[Inputs]) -> dict[Inputs, Script | JudgeError]:
        """What it prints for each of these inputs, or what went wrong there."""
        found: dict[Inputs, Script | JudgeError] = {}
        for inputs in wanted:
            try:
                found[inputs] = script(self.play, inputs, echo=self._assignment.spec.text.echo == "program")
            except JudgeError as error:
                found[inputs] = error
        return found

    def close(self) -> None:
        """End what runs for it."""
        if hasattr(self, "_built"):
            self._built.close()
        if self._workshop is not None:
            self._workshop.close()

    def __enter__(self) -> ModelProgram:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def model_of(assignment: Assignment) -> Path | None:
    """The model program of an assignment; None where it has no reference, or one in Python."""
    path = assignment.reference
    return path if path is not None and is_model_program(path, assignment.spec.program.language) else None


def inputs_of(assignment: Assignment) -> Iterable[Inputs]:
    """All inputs for which a case may want to know what the reference prints."""
    for case in assignment.spec.cases:
        if case.play is not None:
            yield case.play
        if case.transcript is not None:
            yield read_script(case.transcript, assignment.spec.text, ends=None).inputs
        yield from case.machine.play if case.machine is not None else ()


def read_model(path: Path) -> Submission:
    """The model program as if it had been handed in. Raises UsageError where it cannot be read."""
    try:
        files = tuple(
            SubmittedFile(source.relative_to(path if path.is_dir() else path.parent).as_posix(), source.read_bytes())
            for source in model_sources(path)
        )
    except OSError as error:
        raise UsageError(f"the model program cannot be read: {error.strerror}", place=str(path)) from error
    return Submission("model", "model", files, Form.FOLDER if path.is_dir() else Form.FILE, handed_in_as=path.name)


def _workshop() -> Workshop:
    from grader.build.workshop import Workshop  # the sandbox is for Linux alone

    return Workshop.opened(unsafe=True)  # it is the course's own program
