"""A spec from its file: an Assignment, or one SpecError with every problem and its place.

There are three readings of one text: YAML (``document``), the types of single keys (``model``, worded by
``typing_problems``), and the rules between keys (``rules``). Each goes on after problems in the one before; rules run
over all parts that are valid by themselves. A wrong part is reported once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from datetime import date
from pathlib import Path

from pydantic import ValidationError

from grader.bundled import reference_path, support_path
from grader.errors import SpecError, UsageError
from grader.source import Diagnostic, Severity, SourceFile
from grader.spec.contents import contents_of, read_bounded, with_contents
from grader.spec.document import REFUSED, Document, read_document
from grader.spec.kinds.tests import one_case_each
from grader.spec.model import Spec
from grader.spec.model_program import model_sources
from grader.spec.problem import Problem, locate
from grader.spec.rules import Draft, check
from grader.spec.secret import find_secret, secret_seeds, with_seeds
from grader.submission import SubmittedFile
from grader.values import dataclass

# Bytes of a spec. A larger file was named by mistake: an archive, or a program.
LARGEST = 1 << 20
LARGEST_GIVEN = 16 << 20
"""Maximum bytes of a support file: some are archives of classes."""
# A file that is no spec at all has a problem in each line: thousands took half a minute to place.
MOST_PROBLEMS = 200


@dataclass(frozen=True)
class Assignment:
    """A valid spec, and everything that it depends on.

    ``sha256`` is that of the spec's file; ``fingerprint`` also covers the reference, so that equal fingerprints give
    equal grades; ``files_sha256`` is that of only the reference and the support files. ``reference`` is the path of the
    reference, if there is one; ``support`` are the files that are built along, and ``tests`` those of tests, by their
    paths in the spec. ``secret`` is a digest of the secret of the seeds, empty without a secret. ``revealed`` says that
    the day of showing hidden cases has come.
    """

    spec: Spec
    path: Path
    sha256: str
    reference: Path | None
    fingerprint: str
    files_sha256: str
    support: tuple[SubmittedFile, ...] = ()
    tests: Mapping[str, SubmittedFile] = field(default_factory=dict)
    secret: str = ""
    revealed: bool = False

    @property
    def id(self) -> str:
        """The name of the assignment."""
        return self.spec.assignment

    @property
    def title(self) -> str:
        """The title of the assignment."""
        return self.spec.title


@dataclass(frozen=True)
class Reading:
    """The result of reading a spec: ``assignment`` unless there is an error, and all ``diagnostics`` with warnings."""

    document: Document
    assignment: Assignment | None
    diagnostics: tuple[Diagnostic, ...]


def load_assignment(path: Path, today: date | None = None) -> Assignment:
    """The assignment that a spec describes; ``today`` decides whether hidden cases are shown.

    Raises SpecError with every problem, each with its place; UsageError when a file cannot be read at all.
    """
    reading = read_assignment(path)
    if reading.assignment is None:
        raise SpecError(tuple(d for d in reading.diagnostics if d.severity is Severity.ERROR))
    # The day is compared here alone: a grade says that it is revealed, so that what students see hangs on no clock.
    day = reading.assignment.spec.reveal
    return replace(reading.assignment, revealed=day is not None and today is not None and today >= day)


def read_assignment(path: Path) -> Reading:
    """The assignment with all diagnostics of its spec, for ``lint``. Raises UsageError as above."""
    data = read_bounded(path, "spec", LARGEST)
    document = _document(path, data, "spec")
    spec: Spec | None = None
    problems: Iterable[Problem] = ()
    if document.data is not REFUSED:
        try:
            spec = Spec.model_validate(document.data)
            problems = check(Draft.of(spec, path.parent))
        except ValidationError as error:
            # Only a wrong spec needs it: every command starts by loading a right one.
            from grader.spec.typing_problems import typing_problems

            problems = [*typing_problems(error, document), *check(Draft.of(document.data, path.parent))]
    diagnostics = in_order([*document.problems, *(locate(problem, document) for problem in problems)])
    if spec is None or any(d.severity is Severity.ERROR for d in diagnostics):
        return Reading(document, None, diagnostics)
    reference = reference_path(path.parent, spec.reference) if spec.reference else None
    sha256 = hashlib.sha256(data).hexdigest()
    files = hashlib.sha256()
    if reference is not None:
        for source in sources_of(reference):
            # The names count as well as the contents: modules of a package import each other by them.
            files.update(f"{source.relative_to(reference.parent).as_posix()}\0".encode("utf-8", "surrogateescape"))
            files.update(hashlib.sha256(read_bounded(source, "reference", LARGEST)).digest())
    support = tuple(_given(support_path(path.parent, name)) for name in spec.program.support)
    named = (name for case in spec.cases if case.tests for name in case.tests.files)
    tests = {name: _given(path.parent / name) for name in dict.fromkeys(named)}
    for file in (*support, *tests.values()):
        files.update(hashlib.sha256(file.data).digest())
    # Only now: what the rules say of a text in a file is said at its path.
    spec = with_contents(spec, path.parent)
    for content in contents_of(spec):
        if content.path:
            files.update(hashlib.sha256(content.data).digest())
    digest = ""
    if any(secret_seeds(spec)):
        secret = find_secret(path.parent / spec.secret if spec.secret is not None else None)
        if isinstance(secret, str):  # it was there when the rules looked
            raise UsageError(secret, place=str(path))
        digest = secret.digest
        # Another secret draws other games: kept verdicts do not hold for it.
        files.update(digest.encode())
        spec = with_seeds(spec, secret)
    whole = hashlib.sha256(f"{sha256}{files.hexdigest()}".encode()).hexdigest()
    cases = one_case_each(spec)
    assignment = Assignment(cases, path, sha256, reference, whole, files.hexdigest(), support, tests, digest)
    return Reading(document, assignment, diagnostics)


def sources_of(reference: Path) -> tuple[Path, ...]:
    """The files of a reference in their order: itself, those of a package, or those in the folder of a model program."""
    if (reference / "__init__.py").is_file():
        return tuple(sorted(reference.rglob("*.py")))
    return model_sources(reference)


def _given(path: Path) -> SubmittedFile:
    """A file of the course that is built along, by its name alone. Raises UsageError."""
    return SubmittedFile(path.name, read_bounded(path, "file", LARGEST_GIVEN))


def yaml_file(path: Path, what: str) -> Document:
    """The document in a file, with what is wrong with it as YAML; ``what`` it is called. Raises UsageError if it cannot be read."""
    return _document(path, read_bounded(path, what, LARGEST), what)


def _document(path: Path, data: bytes, what: str) -> Document:
    """The document in a file's bytes; one with a single problem when they are no text of a sensible size."""
    if len(data) > LARGEST:
        source = SourceFile(str(path), "")
        span, message = source.span(1, 1), f"a {what} has at most {LARGEST >> 20} MiB"
        problem = Diagnostic(Severity.ERROR, "too-long", message, span, "is this the right file?")
        return Document(source, REFUSED, {}, {}, (problem,))
    try:
        # Editors on Windows put a mark before UTF-8.
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = SourceFile("", data[: error.start].decode("utf-8-sig", "replace"))
        source = SourceFile.from_bytes(str(path), data)
        message, span = f"the {what} is not UTF-8", source.span(*before.end)
        problem = Diagnostic(Severity.ERROR, "encoding", message, span, "save it as UTF-8")
        return Document(source, REFUSED, {}, {}, (problem,))
    return read_document(SourceFile(str(path), text))


def in_order(diagnostics: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The diagnostics in the order of the file, each once; beyond MOST_PROBLEMS only their number."""
    # Two rules may say the same of one node.
    ordered = sorted(dict.fromkeys(diagnostics), key=lambda d: (d.span.line, d.span.column) if d.span else (0, 0))
    if len(ordered) <= MOST_PROBLEMS:
        return tuple(ordered)
    more = len(ordered) - MOST_PROBLEMS
    return (*ordered[:MOST_PROBLEMS], Diagnostic(Severity.ERROR, "more", f"and {more} more problems"))
