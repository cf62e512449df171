"""Files that a spec names by a path: texts of `io` cases and files of programs, read into the spec.

And all files of the course.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.errors import UsageError
from grader.spec.kinds.content import LARGEST, Content
from grader.spec.kinds.io import Pair, pairs_in
from grader.spec.model import Case, Spec
from grader.spec.values import SpecModel, parts_of

if TYPE_CHECKING:  # the loader reads contents
    from grader.spec.loader import Assignment


def with_contents(spec: Spec, folder: Path) -> Spec:
    """The spec with the contents of all texts that it names by a path. Raises UsageError if a file cannot be read."""

    def read(case: Case) -> Case:
        pairs = None if case.io is None else tuple(one for pair in case.io for one in _pairs(pair, folder))
        known = {"io": pairs, "starts": case.starts, "machine": case.machine}
        return case.model_copy(update={key: _read_all(value, folder) for key, value in known.items() if value})

    files = _read_all(spec.program.files, folder)
    program = spec.program.model_copy(update={"files": files}) if files else spec.program
    return spec.model_copy(update={"program": program, "cases": tuple(map(read, spec.cases))})


def contents_of(spec: Spec) -> Iterator[Content]:
    """Every text of a spec that may lie in a file."""
    yield from spec.program.files.values()
    for case in spec.cases:
        yield from _contents((case.io, case.starts, case.machine))


def _contents(value: object) -> Iterator[Content]:
    """The contents in a part of a spec, in its order."""
    if isinstance(value, Content):
        yield value
    for _, part in parts_of(value):
        yield from _contents(part)


def named_files(assignment: Assignment) -> Iterator[Path]:
    """The files that a spec names by their paths, its secret included: they are the course's wherever they lie."""
    from grader.spec.loader import sources_of

    folder, spec = assignment.path.parent, assignment.spec
    if assignment.reference is not None:
        yield from sources_of(assignment.reference)
    yield from (folder / name for name in (*spec.program.support, *assignment.tests))
    yield from (folder / content.path for content in contents_of(spec) if content.path)
    if spec.secret is not None:
        yield folder / spec.secret


def _pairs(pair: Pair, folder: Path) -> Iterator[Pair]:
    """The pair, or in its place those of its folder."""
    if pair.folder is None:
        yield pair
        return
    for name, paths in pairs_in(folder / pair.folder)[0].items():
        given, wanted = (Content(path=path.relative_to(folder).as_posix()) for path in paths)
        yield pair.model_copy(update={"input": given, "output": wanted, "name": name, "folder": None})


def _read_all(value: Any, folder: Path) -> Any:
    """A part of a spec with all of its texts read."""
    if isinstance(value, Content):
        return _read(value, folder)
    if isinstance(value, tuple):
        return tuple(_read_all(item, folder) for item in value)
    if isinstance(value, dict):
        return {key: _read_all(item, folder) for key, item in value.items()}
    if not isinstance(value, SpecModel):
        return value
    fields = {key: getattr(value, key) for key in type(value).model_fields}
    return value.model_copy(update={key: _read_all(item, folder) for key, item in fields.items() if item})


def read_bounded(path: Path, what: str, most: int) -> bytes:
    """The bytes of a file of the course, which is called ``what``; at most one more than ``most``. Raises UsageError."""
    try:
        with path.open("rb") as file:
            # One byte too many tells that a file is too large, without all of a device that never ends.
            return file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"the {what} cannot be read: {reason}", place=str(path)) from error


def _read(content: Content, folder: Path) -> Content:
    if not content.path:
        return content
    # The rules have reported larger files.
    data = read_bounded(folder / content.path, "file", LARGEST)
    # An output that is compared byte by byte need be no UTF-8: surrogates give its bytes back.
    return replace(content, text=data.decode("utf-8", "surrogateescape"))
