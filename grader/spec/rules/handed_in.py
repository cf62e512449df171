"""Rules on files: what is handed in, and where the reference lies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath

from grader.bundled import reference_path
from grader.spec.document import Loc
from grader.spec.hints import near
from grader.spec.problem import Problem
from grader.spec.rules.draft import Draft, Rule


def file_names(draft: Draft) -> Iterator[Problem]:
    """A file is named by a relative path with forward slashes, and once."""
    seen: dict[str, str] = {}
    for key in ("required", "optional") if draft.submission else ():
        for index, name in enumerate(getattr(draft.submission, key)):
            loc: Loc = ("submission", key, index)
            path = PurePosixPath(name)
            odd = name in ("", ".") or "\\" in name or name != str(path) or ".." in path.parts
            if odd or path.is_absolute() or PureWindowsPath(name).drive:
                hint = "a path inside the submission, with forward slashes, such as nim.asm or src/Nim.java"
                yield Problem("file-name", f"{name!r} cannot be the name of a file in a submission", loc, hint)
            elif name.casefold() in seen:
                message = f"`{name}` is listed already, as {seen[name.casefold()]}"
                yield Problem("duplicate-file", message, loc, "remove one")
            seen.setdefault(name.casefold(), key)


def student_id(draft: Draft) -> Iterator[Problem]:
    """The pattern of a student number does not find a number in an empty name."""
    pattern = draft.submission.student_id if draft.submission else None
    if pattern is not None and re.search(pattern, ""):
        message = "the pattern finds a student number where there is none"
        yield Problem("empty-match", message, ("submission", "student_id"), "demand one character")


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # no file has so long a name
        return False


def reference(draft: Draft) -> Iterator[Problem]:
    """The reference is a file or folder that is there, by a path relative to the spec."""
    if draft.reference is None:
        return
    loc = ("reference",)
    named = PurePosixPath(draft.reference)
    elsewhere = named.is_absolute() or PureWindowsPath(draft.reference).drive
    if elsewhere or "\\" in draft.reference or "\0" in draft.reference:
        message = "a reference is named by a path relative to the spec, with forward slashes"
        yield Problem("reference", message, loc, "such as ../reference/lc3_nim.py")
        return
    path = reference_path(draft.folder, draft.reference)
    endings = {".py", *(PurePosixPath(name).suffix for name in (draft.program.sources if draft.program else ()))}
    if not _is_there(path):
        beside = sorted(p.name for p in path.parent.iterdir() if p.suffix in endings) if _is_there(path.parent) else []
        yield Problem("reference", f"there is no file {path}", loc, near(named.name, beside, "there are"))
    elif path.is_dir() and path.resolve() == draft.folder.resolve():
        hint = "put the model program into a folder of its own"
        yield Problem("reference", "this is the folder of the spec itself", loc, hint)
    elif draft.program is not None and not path.is_dir() and path.suffix not in endings:
        hint = f"it ends in {', '.join(sorted(endings))}"
        message = f"`{draft.reference}` is neither Python nor a program as students write it"
        yield Problem("reference", message, loc, hint)


RULES: tuple[Rule, ...] = (file_names, student_id, reference)
