"""The tables of ``grades.db``: made, recognised, and locked while a batch runs."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from grader.batch.damage import damaged, using
from grader.errors import UsageError

_FORMATS = "grader/batch/"
FORMAT = f"{_FORMATS}6"
FRESH = "`--fresh` throws its grades away and begins again"


def _texts(names: str) -> dict[str, type]:
    return dict.fromkeys(names.split(), str)


COLUMNS: Mapping[str, Mapping[str, type]] = {
    "batch": _texts("format assignment"),
    "calls": {"number": int, **_texts("spec judging engine spec_path sources given doubts roster shard submissions")},
    "roll": {"place": int, **_texts("submission student student_id handed_in_as contents origin notes")},
    "grades": {
        **_texts("contents judging engine corrections"),
        "call": int,
        **_texts("submission student_id"),
        "judge_error": int,
        "seconds": float,
        **_texts("wording page_of note"),
        **dict.fromkeys(("record", "page", "sources"), bytes),
    },
    "finals": {"submission": str, "call": int, "record": bytes},
}
"""The columns of each table in their order, with the types of their values."""

_KEYS = {
    "calls": ", PRIMARY KEY (number)",
    "roll": ", PRIMARY KEY (place), UNIQUE (submission)",
    "grades": ", PRIMARY KEY (contents, judging, engine, corrections)",
    "finals": ", PRIMARY KEY (submission, call)",
}
_TYPES = {str: "TEXT", int: "INTEGER", float: "REAL", bytes: "BLOB"}


def insertion(table: str, otherwise: str = "ABORT") -> str:
    """The statement that adds a whole row to a table; ``otherwise`` says what is done where the row is there."""
    return f"INSERT OR {otherwise} INTO {table} VALUES ({', '.join('?' * len(COLUMNS[table]))})"  # noqa: S608 -- names of ours


@contextmanager
def connected(path: Path, *, fresh: bool) -> Iterator[sqlite3.Connection]:
    """A connection to the tables in a file, which nobody else has; made where there are none, or begun anew where ``fresh``.

    Raises UsageError when the file is no store, or is in use; DamagedError where it is damaged.
    """
    with using(path, "opened"), closing(sqlite3.connect(path, timeout=1, isolation_level="IMMEDIATE")) as connection:
        for wary in ("locking_mode = EXCLUSIVE", "trusted_schema = OFF", "cell_size_check = ON"):
            connection.execute(f"PRAGMA {wary}")
        try:
            _begin(connection, path, fresh)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
        except sqlite3.DatabaseError as fault:
            if getattr(fault, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:  # whose file it is nobody knows
                hint = "move it away; then `grader batch`, called as before, grades all anew"
                raise UsageError(f"is no store of grades ({fault})", place=str(path), hint=hint) from fault
            raise
        yield connection


def _begin(connection: sqlite3.Connection, path: Path, fresh: bool) -> None:
    connection.execute("BEGIN EXCLUSIVE")
    try:
        if fresh and "batch" in _tables(connection) <= COLUMNS.keys():
            for name in _tables(connection):
                connection.execute(f"DROP TABLE {name}")
        if not _tables(connection):
            for name, columns in COLUMNS.items():
                typed = ", ".join(f"{column} {_TYPES[kind]} NOT NULL" for column, kind in columns.items())
                connection.execute(f"CREATE TABLE {name} ({typed}{_KEYS.get(name, '')})")
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
    if missing := COLUMNS.keys() - _tables(connection):
        raise damaged(path, f"it lacks {', '.join(sorted(missing))}")
    if connection.execute("SELECT 1 FROM sqlite_master WHERE type IN ('view', 'trigger')").fetchone():
        raise damaged(path, "it has views or triggers, which the grader never makes")
