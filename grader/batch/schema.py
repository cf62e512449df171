"""The tables of ``grades.db``: made, recognised, and locked while a batch runs."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from grader.batch.damage import damaged, using
from grader.errors import UsageError

_FORMATS = "grader/batch/"
FORMAT = f"{_FORMATS}6"
FRESH = "`--fresh` throws its grades away and begins again"

_TABLES = """
CREATE TABLE batch (format TEXT NOT NULL, assignment TEXT NOT NULL);
CREATE TABLE calls (
    number INTEGER PRIMARY KEY,
    spec TEXT NOT NULL,
    judging TEXT NOT NULL,
    engine TEXT NOT NULL,
    spec_path TEXT NOT NULL,
    sources TEXT NOT NULL,
    given TEXT NOT NULL,
    doubts TEXT NOT NULL,
    roster TEXT NOT NULL,
    shard TEXT NOT NULL,
    submissions TEXT NOT NULL
);
CREATE TABLE roll (
    place INTEGER PRIMARY KEY,
    submission TEXT NOT NULL UNIQUE,
    student TEXT NOT NULL,
    student_id TEXT NOT NULL,
    handed_in_as TEXT NOT NULL,
    contents TEXT NOT NULL,
    origin TEXT NOT NULL,
    notes TEXT NOT NULL
);
CREATE TABLE grades (
    contents TEXT NOT NULL,
    judging TEXT NOT NULL,
    engine TEXT NOT NULL,
    corrections TEXT NOT NULL,
    call INTEGER NOT NULL,
    submission TEXT NOT NULL,
    student_id TEXT NOT NULL,
    judge_error INTEGER NOT NULL,
    seconds REAL NOT NULL,
    wording TEXT NOT NULL,
    page_of TEXT NOT NULL,
    note TEXT NOT NULL,
    record BLOB NOT NULL,
    page BLOB NOT NULL,
    sources BLOB NOT NULL,
    PRIMARY KEY (contents, judging, engine, corrections)
);
CREATE TABLE finals (
    submission TEXT NOT NULL,
    call INTEGER NOT NULL,
    record BLOB NOT NULL,
    PRIMARY KEY (submission, call)
);
"""
_NAMES = {"batch", "calls", "roll", "grades", "finals"}


@contextmanager
def connected(path: Path, *, fresh: bool) -> Iterator[sqlite3.Connection]:
    """A connection to the tables in a file, which nobody else has; made where there are none, or begun anew where ``fresh``.

    Raises UsageError when the file is no store, or is in use; DamagedError where it is damaged.
    """
    with _connected(path) as connection:
        with _as_a_store(path):
            _begin(connection, path, fresh)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
        yield connection


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    with using(path, "opened"), closing(sqlite3.connect(path, timeout=1, isolation_level="IMMEDIATE")) as connection:
        for wary in ("locking_mode = EXCLUSIVE", "trusted_schema = OFF", "cell_size_check = ON"):
            connection.execute(f"PRAGMA {wary}")
        yield connection


@contextmanager
def _as_a_store(path: Path) -> Iterator[None]:
    """Raises UsageError where the file is no database at all: whose it is nobody knows."""
    try:
        yield
    except sqlite3.DatabaseError as fault:
        if getattr(fault, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
            hint = "move it away; then `grader batch`, called as before, grades all anew"
            raise UsageError(f"is no store of grades ({fault})", place=str(path), hint=hint) from fault
        raise


def _begin(connection: sqlite3.Connection, path: Path, fresh: bool) -> None:
    connection.execute("BEGIN EXCLUSIVE")
    try:
        if fresh and "batch" in _tables(connection) <= _NAMES:
            for name in _tables(connection):
                connection.execute(f"DROP TABLE {name}")
        if not _tables(connection):
            for statement in _TABLES.split(";"):
                connection.execute(statement)
            connection.execute("INSERT INTO batch VALUES (?, '')", (FORMAT,))
        _refuse_another(connection, path)
        connection.execute("UPDATE batch SET format = format")  # a write takes over the journal of a killed batch
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _refuse_another(connection: sqlite3.Connection, path: Path) -> None:
    """Raises UsageError where the file holds what we cannot read."""
    if "batch" not in _tables(connection):
        raise UsageError("is a database of something else", place=str(path), hint="choose another folder")
    form = connection.execute("SELECT format FROM batch").fetchone()
    if form is None or not str(form[0]).startswith(_FORMATS):
        raise damaged(path, "it does not say which version of the grader wrote it")
    if form != (FORMAT,):
        raise UsageError("was written by another version of the grader", place=str(path), hint=FRESH)
    if missing := _NAMES - _tables(connection):
        raise damaged(path, f"it lacks {', '.join(sorted(missing))}")
    if connection.execute("SELECT 1 FROM sqlite_master WHERE type IN ('view', 'trigger')").fetchone():
        raise damaged(path, "it has views or triggers, which the grader never makes")
