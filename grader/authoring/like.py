"""A new spec like another: its text with all comments, and the files that it names, in a folder in which it works at once."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from grader.authoring.folder import folder_for
from grader.authoring.recording import quoted
from grader.errors import UsageError
from grader.spec.loader import Assignment, load_assignment, sources_of
from grader.spec.named import named_files

REFERENCE = "reference"


def copy_spec(model: Assignment, name: str, where: Path) -> Path:
    """Copy a spec under a new name into a folder of that name; the new spec's path.

    Its reference comes to lie in the folder ``reference``, every other file where it lay beside the spec. Raises UsageError where the name
    cannot be used, or the folder is there.
    """
    folder = folder_for(name, where)
    spec = folder / f"{name}.yaml"
    try:
        for source, target in _files(model):
            (folder / target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, folder / target)
        folder.mkdir(parents=True, exist_ok=True)
        spec.write_text(_text(model, name), encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror}", place=str(folder)) from error
    load_assignment(spec)
    return spec


def _files(model: Assignment) -> Iterator[tuple[Path, Path]]:
    """The files that a spec names, each with its place in the new folder. A secret is not copied: each course has its own."""
    beside, reference = model.path.parent.resolve(), model.reference
    secret = (beside / model.spec.secret).resolve() if model.spec.secret is not None else None
    own = {path.resolve() for path in sources_of(reference)} if reference is not None else set()
    for path in named_files(model):
        if path.resolve() in own and reference is not None:
            yield path, Path(REFERENCE) / path.resolve().relative_to(reference.resolve().parent)
        elif path.resolve() != secret:
            yield path, path.resolve().relative_to(beside)


def _text(model: Assignment, name: str) -> str:
    """The text of the spec with its new name, and with the reference where it now lies."""
    text = model.path.read_text(encoding="utf-8-sig")
    text = re.sub(r"^assignment:[ \t]*\S+", f"assignment: {name}", text, count=1, flags=re.MULTILINE)
    if model.reference is None:
        return text
    new = quoted(f"{REFERENCE}/{model.reference.name}")
    return re.sub(r"^reference:[ \t]*[^\s#]+", lambda _: f"reference: {new}", text, count=1, flags=re.MULTILINE)
