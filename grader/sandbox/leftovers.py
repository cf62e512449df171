"""Folders for temporary files that do not stay behind, whatever is killed.

Theory of operation. The process that made a folder removes it. If all its owners are killed at once, the next process that makes
such a folder at the same place removes it. A lock tells whether an owner lives. The maker locks a file in the folder, and passes
the lock on to further owners. The system releases it when the last of them ends, in whatever way. A process that gets the lock
knows that no owner lives. Folders of other users, links, and folders without the file are left alone.

Another process may take a folder for a leftover before its maker has the lock. So a maker that has the lock looks whether the
folder is still there, and otherwise makes another.
"""

from __future__ import annotations

import fcntl
import os
import re
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from grader.sandbox.folder import FOLDER, READ, WorkFolder

_LOCK: Final = "lock"
_OURS: Final = re.compile(r"grader-(batch|cage|proof)-[a-z0-9_]{8}")
_PASSABLE: Final = 0o711  # programs in a cage may run as another user, who must reach what is made for them


class OwnedFolder:
    """A new folder among the temporary files, after what dead owners left there has been removed.

    ``kind`` is ``batch``, ``cage`` or ``proof``; ``name`` is its path, as that of a ``TemporaryDirectory``; whichever process has the
    descriptor ``lock`` open owns it.
    """

    def __init__(self, kind: str) -> None:
        sweep(Path(tempfile.gettempdir()))
        self.name, self.lock = _made(f"grader-{kind}-")
        os.chmod(self.name, _PASSABLE)  # noqa: PTH101 -- a name, as everywhere here

    def cleanup(self) -> None:
        """Remove the folder with everything in it, as far as it is there and can be removed."""
        with suppress(OSError):
            _remove(self.name)
        if self.lock >= 0:
            os.close(self.lock)
            self.lock = -1


def sweep(within: Path) -> None:
    """Remove all folders of this user in ``within`` whose owners are dead."""
    with suppress(OSError), os.scandir(within) as listing:
        for name in [entry.path for entry in listing if _OURS.fullmatch(entry.name)]:
            with suppress(OSError):
                _remove_if_dead(name)


def _made(prefix: str) -> tuple[str, int]:
    while True:
        name = tempfile.mkdtemp(prefix=prefix)
        try:
            lock = os.open(os.path.join(name, _LOCK), READ | os.O_CREAT | os.O_EXCL, 0o600)  # noqa: PTH118
        except FileNotFoundError:  # taken for a leftover
            continue
        with suppress(OSError):  # some network file systems have no locks: there nothing is ever taken for a leftover
            fcntl.flock(lock, fcntl.LOCK_SH)
        if os.fstat(lock).st_nlink:
            return name, lock
        os.close(lock)


def _remove_if_dead(name: str) -> None:
    folder = os.open(name, FOLDER)
    try:
        if os.fstat(folder).st_uid != os.geteuid():
            return
        try:
            lock = os.open(_LOCK, READ, dir_fd=folder)
        except FileNotFoundError:
            os.rmdir(name)  # noqa: PTH106 -- an owner that was killed before it made the lock; only an empty one goes
            return
        try:
            if stat.S_ISREG(os.fstat(lock).st_mode):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(name)
        finally:
            os.close(lock)
    finally:
        os.close(folder)


def _remove(name: str) -> None:
    """The lock goes last, and only when all else has gone: what is left half removed is a leftover again."""
    folder = os.open(name, FOLDER)
    try:
        WorkFolder(folder, stat.S_IMODE(os.fstat(folder).st_mode), -1).clean(frozenset({_LOCK}))
        if os.listdir(folder) == [_LOCK]:  # noqa: PTH208 -- a descriptor
            os.unlink(_LOCK, dir_fd=folder)
    finally:
        os.close(folder)
    os.rmdir(name)  # noqa: PTH106
