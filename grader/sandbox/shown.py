"""Which paths of the machine a cage shows, and which of those it hides."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from grader.sandbox.wire import LaunchError

_TRIED: Final = 20  # files of one hidden path
_SYSTEM: Final = tuple(Path(path) for path in ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"))
"""Paths that every cage shows, as in room.c and landlock.c; a link to a folder of these leads to the same."""


class Shown:
    """The paths that a launcher must be told: ``readable`` and ``hidden`` paths, free of links, each only if it changes anything.

    The deeper path decides: a hidden path in a readable one is hidden, a readable path in a hidden one can be read. A path
    that is both can be read, as a program may not even start without it.
    """

    def __init__(self, readable: Iterable[Path], hidden: Iterable[Path]) -> None:
        """Links are followed in both kinds.

        Raises:
            LaunchError: a readable path is not there.
        """
        shown = {real(path) for path in readable}
        system = _system()
        covered = {there for path in hidden if (there := _there(path))} - shown - system
        self.hidden = tuple(sorted(path for path in covered if _nearest(path, shown | system, covered) == "shown"))
        self.readable = tuple(sorted(path for path in shown - system if _nearest(path, system, covered) != "shown"))


def files_in(hidden: Path, readable: Iterable[Path]) -> Iterator[Path]:
    """Some files of a hidden path that are not empty, to try whether they can be read: those in readable paths are left out."""
    path = _there(hidden)
    if path is not None:
        shown = _system() | {real(path) for path in readable}
        files = iter((path,)) if path.is_file() else _files_below(path, shown)
        yield from islice((file for file in files if _holds_text(file)), _TRIED)


def _files_below(folder: Path, shown: set[Path]) -> Iterator[Path]:
    for above, folders, names in os.walk(folder):
        yield from (Path(above, name) for name in sorted(names))
        if above == os.sep:  # of what lies deeper in the root a cage has much of its own
            return
        folders[:] = sorted(name for name in folders if Path(above, name) not in shown)


def _holds_text(file: Path) -> bool:
    try:
        info = file.lstat()
    except OSError:
        return False
    return stat.S_ISREG(info.st_mode) and info.st_size > 0


def _system() -> set[Path]:
    return {path.resolve() for path in _SYSTEM if path.exists()}


def real(path: Path) -> Path:
    """A readable path without links. Raises LaunchError if it does not exist."""
    if not path.exists():
        raise LaunchError("a path that programs must be able to read does not exist", place=str(path))
    return path.resolve()


def _there(path: Path) -> Path | None:
    """A hidden path without links, or the archive that it lies in; None if there is nothing to hide."""
    try:
        place = path.resolve()
        while not place.exists():
            place = place.parent
            if place.is_dir():
                return None
    except (OSError, RuntimeError):  # a path too long, or links in a circle: nobody reads anything there
        return None
    return place


def _nearest(path: Path, shown: set[Path], hidden: set[Path]) -> str:
    """The kind of the nearest folder above a path that has one; empty if none has."""
    above = next((folder for folder in path.parents if folder in shown or folder in hidden), None)
    return "" if above is None else "shown" if above in shown else "hidden"
