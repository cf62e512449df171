"""The mutants of right programs in a fixed order: those of each program by lot, the programs in turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path, PurePosixPath

from grader.build.chosen import HEADERS, SUFFIXES, choose
from grader.errors import UsageError
from grader.grading.scripts import model_of
from grader.intake.source import read_submission
from grader.lint.prices import accepted_fixtures
from grader.machines.families import family
from grader.mutants import asm, syntax
from grader.mutants.mutant import Edit, Mutant, by_lot, mutant
from grader.results import Verdict
from grader.source import SourceFile
from grader.spec.loader import Assignment
from grader.spec.model import Spec
from grader.submission import Submission, SubmittedFile
from grader.values import dataclass

SEED = "prove"


@dataclass(frozen=True, slots=True)
class Original:
    """A right program: what it is called, and its files."""

    name: str
    submission: Submission


def originals(assignment: Assignment, paths: Sequence[Path]) -> tuple[Original, ...]:
    """The programs at ``paths``; without any the accepted fixtures of the spec and its model program.

    If programs have the same sources, only the first one counts. Raises UsageError if there is no program.
    """
    # the name of a program is that of the fixture where it is one, else of its file or folder
    named = [(path.parent.name if path.name == "submission" else path.name, path) for path in paths]
    known: dict[tuple[bytes, ...], Original] = {}
    named = named or [(path.parent.name, path) for path in accepted_fixtures(assignment)]
    model = None if paths else model_of(assignment)
    for name, path in (*named, *([] if model is None else [(model.name, model)])):
        submission = read_submission(path, assignment.spec.submission.student_id)
        files = _files(assignment.spec, submission)
        known.setdefault(tuple(file.data for file in files), Original(name, submission))
    programs = tuple(one for files, one in known.items() if files)
    if not programs:
        hint = "name right programs behind the spec, or put them into fixtures/accepted/NAME/submission"
        raise UsageError("no right program is there to change", place=str(assignment.path), hint=hint)
    names = [one.name for one in programs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two programs are called {twice}", hint="name the folders in which they lie")
    return programs


def mutants(spec: Spec, programs: Sequence[Original]) -> tuple[Mutant, ...]:
    """All mutants: the first of each program, then the second of each, and so on."""
    each = []
    for original in programs:
        sources = (SourceFile.from_bytes(file.path, file.data) for file in _files(spec, original.submission))
        made = [mutant(original.name, one, edit) for one in sources for edit in dict.fromkeys(_edits(spec, one))]
        each.append(by_lot([one for one in made if one.before != one.edit.text], SEED))
    return tuple(one for row in zip_longest(*each) for one in row if one is not None)


def _edits(spec: Spec, source: SourceFile) -> Iterator[Edit]:
    if spec.program.simulated:
        return asm.edits(family(spec.program.simulated), source)
    suffix = PurePosixPath(source.name).suffix.lower()
    known = (language for language in spec.program.language if suffix in SUFFIXES.get(language, ()))
    language = next(known, "cpp" if "cpp" in spec.program.language else spec.program.language[0])
    return syntax.edits(language, source)


def _files(spec: Spec, submission: Submission) -> tuple[SubmittedFile, ...]:
    """The files of the program: its sources, and the headers beside them."""
    chosen = choose(spec.program, submission)
    if chosen.verdict is not Verdict.ACCEPTED:
        return ()
    headers = () if spec.program.simulated else HEADERS
    others = (file for file in submission.files if file.path.lower().endswith(headers or "\0"))
    return (*chosen.files, *(file for file in others if file not in chosen.files))
