"""Texts that a spec writes out or names by a path, and the files of a run."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import BeforeValidator

from grader.spec.problem import At, Problem
from grader.spec.values import any_of
from grader.values import dataclass

LARGEST = 16 << 20
"""Bytes of one such file."""


@dataclass(frozen=True)
class Content:
    """A text of a spec, written out or in a file: ``path`` is then the file's, and ``text`` is there once the spec is loaded.

    Bytes that are no UTF-8 are in the text as surrogates. ``exact`` says that it is compared byte by byte.
    """

    text: str = ""
    path: str = ""
    exact: bool = False

    @property
    def data(self) -> bytes:
        """The bytes of the file, or of the text as UTF-8."""
        return self.text.encode("utf-8", "surrogateescape")


def read_content(value: object) -> Content:
    """A text, ``{path: FILE}`` or ``{text: TEXT}``, the latter two with ``exact: true`` or without. Raises ValueError."""
    if isinstance(value, Content):
        return value
    if isinstance(value, str):
        return Content(value)
    if not isinstance(value, dict):
        raise ValueError("a text in quotes, or {path: FILE}, is expected")
    strange = [str(key) for key in value if key not in ("text", "path", "exact")]
    if strange:
        raise ValueError(f"there is no key `{strange[0]}` here: it may be `path` or `text`, and `exact`")
    if ("text" in value) == ("path" in value):
        raise ValueError("exactly one of `text` and `path` is expected")
    text, path, exact = value.get("text", ""), value.get("path", ""), value.get("exact", False)
    if not isinstance(text, str) or not isinstance(path, str):
        raise ValueError("`text` and `path` are texts: put them in quotes")
    if not isinstance(exact, bool):
        raise ValueError("`exact` is `true` or `false`")
    return Content(text, path, exact)


_KEYS = {"text": {"type": "string"}, "path": {"type": "string"}, "exact": {"type": "boolean"}}
_MAPPING = {"type": "object", "additionalProperties": False, "properties": _KEYS}
Text = Annotated[Content, BeforeValidator(read_content), any_of({"type": "string"}, _MAPPING)]


def is_relative(name: str) -> bool:
    """Whether a path is relative, with slashes: a backslash is a folder where some teachers write their specs."""
    return "\\" not in name and "\0" not in name and not PurePosixPath(name).is_absolute()


def stays_within(name: str) -> bool:
    """Whether a path with slashes leads to something below the folder that it begins in."""
    parts = name.split("/")
    return is_relative(name) and ".." not in parts and "" not in parts and parts != ["."]


def is_within(folder: Path, name: str) -> bool:
    """Whether a path relative to a folder leads to a place in it, links followed."""
    if not stays_within(name.removesuffix("/")):
        return False
    try:
        return (folder / name).resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        return False


# ------------------------------------------------------------------------------------------------------------------ rules

RELATIVE = "a path relative to the spec, with forward slashes, that stays in its folder"
Steps = tuple[str | int, ...]


def content_problems(at: At[Any], steps: Steps, content: Content, *, given: bool) -> Iterator[Problem]:
    """A text in a file lies in the folder of the spec, and is not a huge one; one that is ``given`` is not compared byte by byte."""
    folder = at.draft.folder
    if content.exact and given:
        yield at.problem("idle-key", "`exact` is for what is compared, and this is given", *steps, hint="remove it")
    if not content.path:
        return
    if not is_within(folder, content.path):
        yield at.problem("path", f"`{content.path}` leaves the folder of the spec", *steps, hint=RELATIVE)
    elif not (path := folder / content.path).is_file():
        yield at.problem("path", f"there is no file {path}", *steps, hint=RELATIVE)
    elif path.stat().st_size > LARGEST:
        yield at.problem("too-long", f"`{content.path}` has more than {LARGEST >> 20} MiB", *steps)


def file_problems(at: At[Any], steps: Steps, names: Collection[str], sources: Collection[str]) -> Iterator[Problem]:
    """A file in the folder of a run has a name that stays in it, and does not replace the program."""
    for name in names:
        wrong = []
        # No file system has both, and a cage could not lay them out.
        if above := next((other for other in names if name.startswith(f"{other}/")), None):
            wrong.append((f"`{above}` cannot be a file and a folder", "give one of them another name"))
        if not stays_within(name) or not name.isprintable():
            hint = "a name such as poem.txt or data/poem.txt"
            wrong.append((f"{name!r} leaves the folder in which the program runs", hint))
        elif name in sources:
            wrong.append((f"`{name}` would replace the program", "give it another name"))
        yield from (at.problem("path", message, *steps, name, hint=hint, at_key=True) for message, hint in wrong)
