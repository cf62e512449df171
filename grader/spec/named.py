"""The files that a spec names by their paths, and so are the course's wherever they lie."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from grader.spec.contents import contents_of
from grader.spec.loader import Assignment, sources_of


def named_files(assignment: Assignment) -> Iterator[Path]:
    """The reference, files that are built along or copied, tests, texts of cases, and the secret."""
    folder, spec = assignment.path.parent, assignment.spec
    if assignment.reference is not None:
        yield from sources_of(assignment.reference)
    yield from (folder / name for name in (*spec.program.support, *assignment.tests))
    yield from (folder / content.path for content in contents_of(spec) if content.path)
    if spec.secret is not None:
        yield folder / spec.secret
