"""The work folder of a cage, as we reach into it: never through a link, never blocked by what a program left there.

Every step of a path is opened by itself, relative to the folder before it and without following links, so that no name that a
program chose leads outside.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import field
from pathlib import PurePosixPath

from grader.errors import lack_of
from grader.sandbox.outlet import Outlet
from grader.sandbox.wire import LaunchError
from grader.values import dataclass

_DEEPEST = 64  # folders within folders that a listing enters
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class _Kept:
    """A file that ``put`` placed to stay, and the marks that show a change."""

    data: bytes
    executable: bool
    seal: tuple[int, ...]


@dataclass(slots=True)
class WorkFolder:
    """One folder, by a descriptor that it does not own, and the mode of folders that ``put`` makes in it."""

    descriptor: int
    folder_mode: int
    group: int
    _kept: dict[str, _Kept] = field(default_factory=dict)

    def unlock(self) -> None:
        """Make the folder usable again, if a program of our own user has taken the rights to it away."""
        if stat.S_IMODE(os.fstat(self.descriptor).st_mode) != self.folder_mode:
            os.fchmod(self.descriptor, self.folder_mode)

    def put(self, name: str, data: bytes, *, executable: bool, kept: bool, writable: bool = False) -> None:
        """Write a file, replacing what has its name. One that the program may write to is for one run: ``clean`` brings back a kept one."""
        parts = _parts(name)
        with self._parent(parts, make=True) as parent:
            _remove(parent, parts[-1])
            descriptor = os.open(parts[-1], _WRITE, 0o600, dir_fd=parent)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fchmod(descriptor, 0o666 if writable else 0o755 if executable else 0o644)
                seal = _seal(os.fstat(descriptor))
        if kept:
            self._kept[name] = _Kept(data, executable, seal)
        elif not writable:
            self._kept.pop(name, None)

    def outlet(self, name: str, limit: int) -> Outlet:
        """A file that is read as it is written, in place of what has its name."""
        parts = _parts(name)
        with self._parent(parts, make=True) as parent:
            return Outlet(parts[-1], parent, limit)

    def take(self, name: str, limit: int) -> bytes | None:
        """The bytes of a regular file of at most ``limit`` bytes; None if no such file exists. Raises JudgeError if this machine lacks something."""
        parts = _parts(name)
        try:
            with self._parent(parts, make=False) as parent:
                return _read(parent, parts[-1], limit)
        except OSError as fault:  # whatever else stands in the way was put there by the program
            # When we could open no more files, gcc's output was not found, and the program was a compile error.
            if lack := lack_of(fault):
                raise lack from fault
            return None

    def listing(self) -> tuple[str, ...]:
        """The regular files, sorted, as paths with slashes."""
        return tuple(sorted("/".join(path) for path in self._walk((), self.descriptor)))

    def is_clean(self) -> bool:
        """Whether it holds the kept files as they were put, and no other regular file."""
        as_put = all(self._seal(name) == kept.seal for name, kept in self._kept.items())
        return as_put and self.listing() == tuple(sorted(self._kept))

    def clean(self, spared: frozenset[str] = frozenset()) -> None:
        """Remove everything but kept files and the names in ``spared``, and put back kept files that were changed."""
        self.unlock()
        whole = {name for name, kept in self._kept.items() if "/" not in name and self._seal(name) == kept.seal}
        _empty(self.descriptor, whole | spared)
        for name, kept in tuple(self._kept.items()):
            if name not in whole:
                self.put(name, kept.data, executable=kept.executable, kept=True)

    def _seal(self, name: str) -> tuple[int, ...] | None:
        parts = _parts(name)
        with suppress(OSError), self._parent(parts, make=False) as parent:
            return _seal(os.stat(parts[-1], dir_fd=parent, follow_symlinks=False))
        return None

    @contextmanager
    def _parent(self, parts: tuple[str, ...], *, make: bool) -> Iterator[int]:
        current = os.dup(self.descriptor)
        try:
            for part in parts[:-1]:
                if make:
                    self._make_folder(current, part)
                below = os.open(part, FOLDER, dir_fd=current)
                os.close(current)
                current = below
            yield current
        finally:
            os.close(current)

    def _make_folder(self, parent: int, name: str) -> None:
        try:
            os.mkdir(name, 0o700, dir_fd=parent)
        except FileExistsError:
            return
        os.chown(name, -1, self.group, dir_fd=parent, follow_symlinks=False)
        os.chmod(name, self.folder_mode, dir_fd=parent)

    def _walk(self, above: tuple[str, ...], descriptor: int) -> Iterator[tuple[str, ...]]:
        for name in os.listdir(descriptor):
            with suppress(OSError):
                mode = os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode
                if stat.S_ISREG(mode):
                    yield (*above, name)
                elif stat.S_ISDIR(mode) and len(above) < _DEEPEST:
                    below = os.open(name, FOLDER, dir_fd=descriptor)
                    try:
                        yield from self._walk((*above, name), below)
                    finally:
                        os.close(below)


def _parts(name: str) -> tuple[str, ...]:
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or "\0" in name:
        raise LaunchError(f"{name!r} is no name inside a work folder")
    return parts


def _seal(info: os.stat_result) -> tuple[int, ...]:
    # A program cannot set the time of the last change of an inode.
    return (info.st_ino, info.st_size, info.st_ctime_ns)


def _read(parent: int, name: str, limit: int) -> bytes | None:
    descriptor = os.open(name, READ, dir_fd=parent)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        data = file.read(limit + 1)
        return data if len(data) <= limit else None


def _remove(parent: int, name: str) -> None:
    """Remove whatever has this name in ``parent``."""
    try:
        mode = os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        _flatten(parent, [name])
    else:
        os.unlink(name, dir_fd=parent)


def _empty(top: int, spared: set[str]) -> None:
    """Remove everything in a folder but the names that are spared."""
    folders = []
    for name in os.listdir(top):
        if name in spared:
            continue
        if stat.S_ISDIR(os.stat(name, dir_fd=top, follow_symlinks=False).st_mode):
            folders.append(name)
        else:
            os.unlink(name, dir_fd=top)
    _flatten(top, folders)


def _flatten(top: int, folders: list[str]) -> None:
    """Remove folders in ``top``, however deep: what lies in one is moved up before it goes, so that no path grows long."""
    prefix, serial = f".{secrets.token_hex(8)}", 0
    while folders:
        name = folders.pop()
        os.chmod(name, 0o700, dir_fd=top)
        folder = os.open(name, FOLDER, dir_fd=top)
        try:
            for inner in os.listdir(folder):  # noqa: PTH208 (a descriptor)
                if stat.S_ISDIR(os.stat(inner, dir_fd=folder, follow_symlinks=False).st_mode):
                    serial += 1
                    moved = f"{prefix}-{serial}"
                    os.chmod(inner, 0o700, dir_fd=folder)
                    os.rename(inner, moved, src_dir_fd=folder, dst_dir_fd=top)
                    folders.append(moved)
                else:
                    os.unlink(inner, dir_fd=folder)
        finally:
            os.close(folder)
        os.rmdir(name, dir_fd=top)
