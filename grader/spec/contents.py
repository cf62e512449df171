"""What a spec names by a path: texts of `io` cases and files of programs, read into the spec; and all files that are the course's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import UsageError
from grader.spec.kinds.io import LARGEST, Content, Pair, pairs_in
from grader.spec.model import Case, Spec

if TYPE_CHECKING:  # the loader reads contents
    from grader.spec.loader import Assignment


def with_contents(spec: Spec, folder: Path) -> Spec:
    """The spec with all that it names by a path in it. Raises UsageError where something cannot be read."""

    def read(case: Case) -> Case:
        return case.model_copy(update={"io": tuple(one for pair in case.io or () for one in _pairs(pair, folder))})

    cases = tuple(read(case) if case.io else case for case in spec.cases)
    files, program = _read_all(spec.program.files, folder), spec.program
    return spec.model_copy(
        update={"program": program.model_copy(update={"files": files}) if files else program, "cases": cases}
    )


def contents_of(spec: Spec) -> Iterator[Content]:
    """Every text of a spec that may lie in a file."""
    yield from spec.program.files.values()
    for case in spec.cases:
        for pair in case.io or ():
            yield from (text for _, text in pair.texts)


def named_files(assignment: Assignment) -> Iterator[Path]:
    """The files that a spec names by their paths, and so are the course's wherever they lie, its secret included."""
    from grader.spec.loader import sources_of

    folder, spec = assignment.path.parent, assignment.spec
    if assignment.reference is not None:
        yield from sources_of(assignment.reference)
    yield from (folder / name for name in (*spec.program.support, *assignment.tests))
    yield from (folder / content.path for content in contents_of(spec) if content.path)
    if spec.secret is not None:
        yield folder / spec.secret


def _pairs(pair: Pair, folder: Path) -> Iterator[Pair]:
    """The pair with its texts, or in its place those of its folder."""
    update: dict[str, object] = {key: _read_all(getattr(pair, key), folder) for key in ("files", "writes")}
    singles = {"input": pair.input, "output": pair.output, "errors": pair.errors}
    update |= {key: _read(content, folder) for key, content in singles.items() if content is not None}
    if pair.folder is None:
        yield pair.model_copy(update=update)
        return
    for name, paths in pairs_in(folder / pair.folder)[0].items():
        given, wanted = (_read(Content(path=path.relative_to(folder).as_posix()), folder) for path in paths)
        yield pair.model_copy(update={**update, "input": given, "output": wanted, "name": name, "folder": None})


def _read_all(contents: Mapping[str, Content], folder: Path) -> dict[str, Content]:
    return {name: _read(content, folder) for name, content in contents.items()}


def _read(content: Content, folder: Path) -> Content:
    if not content.path:
        return content
    path = folder / content.path
    try:
        with path.open("rb") as file:
            # The rules have named a file that is larger; one byte more than may be is enough to tell it.
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"the file cannot be read: {error.strerror}", place=str(path)) from error
    # An output that is compared byte by byte need be no UTF-8: surrogates give its bytes back.
    return replace(content, text=data.decode("utf-8", "surrogateescape"))
