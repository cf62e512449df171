"""The course's own files among a student's: a checkout in CI holds both, and only the student's are graded.

Three things are left out: the files that the spec in use names, what ``grader kit`` wrote, and the hidden folders of the root, where a
checkout keeps its workflow. A file that a student put into the folder of a kit is the student's, and is graded.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable
from pathlib import Path, PurePosixPath

from grader.intake.names import clean, is_noise, joined
from grader.spec.contents import named_files
from grader.spec.loader import Assignment
from grader.values import dataclass

MARK = "kit.json"
"""The file that marks a folder as one of our kits."""

LARGEST_MARK = 1 << 20  # bytes of a mark that are looked at: a page's mark holds all words of its scripts

_MOST_KITS = 20  # a checkout has one or two; beyond that a student's archive would have us read marks for nothing


@dataclass(frozen=True, slots=True)
class CourseFiles:
    """The files that a spec names, by their real paths; ``spec`` is its own."""

    spec: str = ""
    paths: frozenset[str] = frozenset()

    @classmethod
    def of(cls, assignment: Assignment) -> CourseFiles:
        """The file of a spec and those that it names."""
        named = (assignment.path, *named_files(assignment))
        return cls(os.path.realpath(assignment.path), frozenset(map(os.path.realpath, named)))

    def holds(self, path: Path) -> bool:
        """Whether a file on the disk is one of them."""
        return os.path.realpath(path) in self.paths

    def below(self, root: Path) -> frozenset[str]:
        """The files below a folder, by their paths in it.

        Empty if the spec lies elsewhere: a user who grades the folder of a reference means it.
        """
        real = os.path.realpath(root)
        return self._inside(real) if _is_below(self.spec, real) else frozenset()

    def _inside(self, real: str) -> frozenset[str]:
        below = (os.path.relpath(path, real) for path in self.paths if _is_below(path, real))
        return frozenset(clean(path.replace(os.sep, "/")) for path in below)

    def fill(self, folder: Path) -> bool:
        """Whether a folder on the disk holds files of the course or of a kit, and no others."""
        left = LeftOut(self._inside(os.path.realpath(folder)))
        if not left and not (folder / MARK).is_file():
            return False
        for above, _, files in os.walk(folder):
            under = os.path.relpath(above, folder).replace(os.sep, "/").removeprefix(".")
            if MARK in files:
                left.add_kit(under, start_of(Path(above) / MARK))
            if not all(left.holds(joined(under, clean(name))) or is_noise(name) for name in files):
                return False
        return True


NO_FILES = CourseFiles()


class LeftOut:
    """The paths of one submission that are the course's, as far as they are known: kits are added while it is read."""

    def __init__(self, files: Collection[str] = ()) -> None:
        self._paths = set(files)
        self._kits = 0

    def __len__(self) -> int:
        return len(self._paths)

    def add_hidden(self, folder: str) -> None:
        """Leave out a folder of the root whose name begins with a dot."""
        self._paths.add(folder)

    def add_kit(self, folder: str, mark: bytes) -> None:
        """Leave out what a kit wrote, by its mark. An older kit lists no files: its folder is left out, unless it is the root."""
        files = kit_files(mark)
        self._kits += 1
        # The mark of an older kit counts as well, so that the number is raised before.
        if files is None or self._kits > _MOST_KITS:
            return
        if files:
            self._paths.update(joined(folder, name) for name in (MARK, *files))
        elif folder:
            self._paths.add(folder)

    def holds(self, path: str) -> bool:
        """Whether a file is left out, by itself or together with a folder above it."""
        parts = PurePosixPath(path).parts
        return any("/".join(parts[: n + 1]) in self._paths for n in range(len(parts)))


def kit_files(mark: bytes) -> tuple[str, ...] | None:
    """The files that a kit wrote, by its mark; empty if it is from an older version; None if no kit of ours wrote the mark."""
    try:
        data = json.loads(mark)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or "kit" not in data:
        return None
    files = data.get("files", ())
    return tuple(name for name in files if isinstance(name, str)) if isinstance(files, list) else ()


def start_of(path: Path, size: int = LARGEST_MARK) -> bytes:
    """The first bytes of a file, by default as many as we read of a mark; empty if it cannot be read."""
    try:
        with path.open("rb") as stream:
            return stream.read(size)
    except OSError:
        return b""


def is_hidden(folder: str) -> bool:
    """Whether a folder at the root of a submission belongs to a tool, such as ``.github`` or ``.grader``."""
    return folder.startswith(".")


def left_out_of(names: Collection[str], marks: Iterable[tuple[str, bytes]]) -> LeftOut:
    """The paths to leave out of an archive, from its paths and the marks in it, each with its path.

    Its root is the folder in which several things lie.
    """
    left = LeftOut()
    root = _root(names)
    for folder in {name[len(root) :].partition("/")[0] for name in names if "/" in name[len(root) :]}:
        if is_hidden(folder):
            left.add_hidden(root + folder)
    for path, mark in marks:
        left.add_kit(path.rpartition("/")[0], mark)
    return left


def _root(names: Collection[str]) -> str:
    """The folders around everything in an archive, with a slash; hidden folders do not count."""
    root = ""
    while True:
        inside = {name[len(root) :].partition("/")[:2] for name in names}
        if len(inside) != 1:
            return root
        [(folder, slash)] = inside
        if not slash or is_hidden(folder):
            return root
        root += f"{folder}/"


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)
