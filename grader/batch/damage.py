"""Errors on an unusable store of grades: one sentence on the cause, and the command that goes on.

The disk, or whoever copied the file, may have damaged it; and a store from elsewhere may hold anything. So everything
that is read from one goes through `reading`: a value that does not fit is a `DamagedError`, never a traceback, and
never a grade.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.errors import UsageError

GO_ON = "give the disk room; then the same command goes on with what is missing"
_MEND = "`grader batch`, called as before, keeps what can be read and grades the rest anew; no mark and no decision is in this file"
_IN_USE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
# Faults of the machine by SQLite's primary result code, with advice. The file itself may be sound.
_SURROUNDINGS = {
    sqlite3.SQLITE_FULL: GO_ON,
    sqlite3.SQLITE_NOMEM: "let the machine have more memory",
    sqlite3.SQLITE_READONLY: "let this folder and the file be written; then the same command goes on",
    sqlite3.SQLITE_PERM: "let this folder and the file be written; then the same command goes on",
    sqlite3.SQLITE_CANTOPEN: "let a file of this name be written there; then the same command goes on",
    sqlite3.SQLITE_IOERR: "give the disk room, or take a sound one; then the same command goes on with what is missing",
}


class DamagedError(UsageError):
    """A store that is not as the grader wrote it: ``message`` names the damage, ``hint`` the command that goes on."""


def damaged(path: Path, what: str) -> DamagedError:
    """The error on damage in the store at ``path``."""
    return DamagedError(f"is damaged: {what}", place=str(path), hint=_MEND)


@contextmanager
def using(path: Path, how: str = "read") -> Iterator[None]:
    """Raises DamagedError if SQLite finds the store at ``path`` damaged, UsageError if the machine prevents its use.

    ``how`` is the verb for the message.
    """
    try:
        yield
    except sqlite3.Error as fault:
        code = getattr(fault, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in _IN_USE:
            raise UsageError(f"cannot be {how} ({fault})", place=str(path), hint="is another batch running?") from fault
        misread = code == sqlite3.SQLITE_READONLY and os.access(path, os.W_OK)  # two bytes of its header may say so
        if code in _SURROUNDINGS and not misread:
            raise UsageError(f"cannot be {how} ({fault})", place=str(path), hint=_SURROUNDINGS[code]) from fault
        raise damaged(path, str(fault)) from fault


@contextmanager
def reading(path: Path, what: str = "") -> Iterator[None]:
    """Raises as `using`, and DamagedError if a part, such as ``the grade of PB1``, is not as it was written."""
    try:
        with using(path):
            yield
    except (ValueError, RecursionError) as fault:
        reason = str(fault).partition("\n")[0] or type(fault).__name__
        raise damaged(path, f"{what} cannot be read ({reason})" if what else reason) from fault
