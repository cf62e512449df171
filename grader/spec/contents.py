"""What a spec names by a path: texts of `io` cases and files of programs, found and read into the spec."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from grader.errors import UsageError
from grader.spec.kinds.io import LARGEST, Content, Pair, pairs_in
from grader.spec.model import Case, Spec


def with_contents(spec: Spec, folder: Path) -> Spec:
    """The spec with all that it names by a path in it. Raises UsageError where something cannot be read."""
    files = _read_all(spec.program.files, folder)
    cases = tuple(_with_pairs(case, folder) if case.io else case for case in spec.cases)
    if files == spec.program.files and cases == spec.cases:
        return spec
    program = spec.program.model_copy(update={"files": files})
    return spec.model_copy(update={"program": program, "cases": cases})


def _with_pairs(case: Case, folder: Path) -> Case:
    return case.model_copy(update={"io": tuple(one for pair in case.io or () for one in _pairs(pair, folder))})


def contents_of(spec: Spec) -> Iterator[Content]:
    """Every text of a spec that may lie in a file."""
    yield from spec.program.files.values()
    for case in spec.cases:
        for pair in case.io or ():
            yield from (text for _, text in pair.texts)


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
