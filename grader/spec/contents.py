"""What a spec names by a path: texts of `io` cases and files of programs, found, checked and read into the spec."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from grader.errors import UsageError
from grader.spec.kinds.io import Content, Pair
from grader.spec.model import Case, Spec

LARGEST = 16 << 20
"""Bytes of one such file."""

INPUT = ".in"
OUTPUTS = (".out", ".ans")


def stays_within(name: str) -> bool:
    """Whether a path with slashes leads to something below the folder that it begins in."""
    parts = name.split("/")
    plain = "\\" not in name and "\0" not in name and not PurePosixPath(name).is_absolute()
    return bool(name) and plain and ".." not in parts and "" not in parts and parts != ["."]


def is_within(folder: Path, name: str) -> bool:
    """Whether a path relative to a folder leads to a place in it, links followed."""
    if not stays_within(name.removesuffix("/")):
        return False
    try:
        return (folder / name).resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        return False


def pairs_in(folder: Path) -> tuple[dict[str, tuple[Path, Path]], tuple[str, ...]]:
    """The inputs and outputs in a folder by their names, in the order in which people count; and what is wrong, in sentences."""
    names = {path.name for path in folder.iterdir() if path.is_file()}
    found: dict[str, tuple[Path, Path]] = {}
    wrong = []
    for stem in sorted({name.removesuffix(INPUT) for name in names if name.endswith(INPUT)}, key=_counted):
        outputs = [stem + suffix for suffix in OUTPUTS if stem + suffix in names]
        if len(outputs) == 1:
            found[stem] = (folder / f"{stem}{INPUT}", folder / outputs[0])
        elif outputs:
            wrong.append(f"{stem}{INPUT} has two outputs, {' and '.join(outputs)}")
        else:
            wrong.append(f"{stem}{INPUT} has no output: neither {stem}.out nor {stem}.ans is there")
    for name in sorted(names, key=_counted):
        stem, dot, suffix = name.rpartition(".")
        if dot + suffix in OUTPUTS and f"{stem}{INPUT}" not in names:
            wrong.append(f"{name} has no input: {stem}{INPUT} is not there")
    return found, tuple(wrong)


def _counted(name: str) -> tuple[tuple[int, str], ...]:
    """A key that sorts ``2.in`` before ``10.in``."""
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"([0-9]{1,18})", name))


def with_contents(spec: Spec, folder: Path) -> Spec:
    """The spec with all that it names by a path in it. Raises UsageError where something cannot be read."""
    files = _read_all(spec.program.files, folder)
    cases = tuple(_with_pairs(case, folder) for case in spec.cases)
    if files == spec.program.files and cases == spec.cases:
        return spec
    program = spec.program.model_copy(update={"files": files})
    return spec.model_copy(update={"program": program, "cases": cases})


def contents_of(spec: Spec) -> Iterator[Content]:
    """Every text of a spec that may lie in a file."""
    yield from spec.program.files.values()
    for case in spec.cases:
        for pair in case.io or ():
            yield from pair.contents


def _with_pairs(case: Case, folder: Path) -> Case:
    if case.io is None:
        return case
    pairs = tuple(one for pair in case.io for one in _pairs(pair, folder))
    return case if pairs == case.io else case.model_copy(update={"io": pairs})


def _pairs(pair: Pair, folder: Path) -> Iterator[Pair]:
    common: dict[str, object] = {"files": _read_all(pair.files, folder), "writes": _read_all(pair.writes, folder)}
    if pair.errors is not None:
        common["errors"] = _read(pair.errors, folder)
    if pair.folder is None:
        for key in ("input", "output"):
            content: Content | None = getattr(pair, key)
            if content is not None:
                common[key] = _read(content, folder)
        yield pair.model_copy(update=common)
        return
    for name, (given, wanted) in pairs_in(folder / pair.folder)[0].items():
        paths = {"input": given, "output": wanted}
        read = {key: _read(Content(path=path.relative_to(folder).as_posix()), folder) for key, path in paths.items()}
        yield pair.model_copy(update={**common, **read, "name": name, "folder": None})


def _read_all(contents: Mapping[str, Content], folder: Path) -> dict[str, Content]:
    return {name: _read(content, folder) for name, content in contents.items()}


def _read(content: Content, folder: Path) -> Content:
    if not content.path:
        return content
    path = folder / content.path
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"the file cannot be read: {error.strerror}", place=str(path)) from error
    return replace(content, text=data.decode("utf-8", "surrogateescape"))
