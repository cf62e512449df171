"""``grades.db``: every finished grade, at once and for good.

Theory of operation. One SQLite file holds what the batch rests on (`Inputs`) and one row for each finished submission.
The inputs are written in the transaction that makes the tables, and each grade is one transaction, so that the file is at
every instant that of a batch that can go on: a process that is killed leaves a journal, which SQLite rolls back. The file
is locked while a batch runs. Measured times are here and in no report, so that reports do not depend on them.

A record holds every dialogue of a submission, turn by turn, and so does its page: they are stored compressed.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from grader.batch.inputs import Inputs
from grader.errors import UsageError
from grader.spec.corrections import NONE, Corrections

FORMAT = "grader/batch/3"
_GO_ON = "give the disk room; then the same command goes on with what is missing"
FRESH = "`--fresh` throws its grades away and begins again"

_IN_USE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

_TABLES = """
CREATE TABLE batch (format TEXT, assignment TEXT, spec TEXT, grader_version TEXT, submissions TEXT, calls INTEGER);
CREATE TABLE grades (
    submission TEXT PRIMARY KEY,
    student_id TEXT NOT NULL,
    judge_error INTEGER NOT NULL,
    record BLOB NOT NULL,
    page BLOB NOT NULL,
    seconds REAL NOT NULL,
    note TEXT NOT NULL,
    wording TEXT NOT NULL,
    corrections TEXT NOT NULL
);
"""


@dataclass(frozen=True, slots=True)
class Graded:
    """One finished submission: its record and page as text, how long it took, and a traceback if the grader failed.

    ``wording`` is that of its program, where it was explored, and ``corrections`` what staff had set of its understanding.
    """

    submission: str
    student_id: str
    judge_error: bool
    record: str
    page: str
    seconds: float
    note: str = ""
    wording: str = ""
    corrections: Mapping[str, str] = field(default_factory=dict)


class Store:
    """An open ``grades.db``. Made by `open_store`."""

    def __init__(self, connection: sqlite3.Connection, inputs: Inputs, path: Path) -> None:
        self._connection = connection
        self._path = path
        self.inputs = inputs

    def add(self, graded: Graded) -> None:
        """Keep one finished grade; when this returns it is on disk.

        Raises UsageError where it cannot be written; those that were kept before are.
        """
        row = (
            graded.submission,
            graded.student_id,
            graded.judge_error,
            _packed(graded.record),
            _packed(graded.page),
            graded.seconds,
            graded.note,
            graded.wording,
            _as_text(graded.corrections),
        )
        try:
            with self._connection:
                self._connection.execute("INSERT OR REPLACE INTO grades VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        except sqlite3.OperationalError as fault:
            raise UsageError(f"cannot be written ({fault})", place=str(self._path), hint=_GO_ON) from fault

    def finished(self, corrections: Corrections = NONE) -> frozenset[str]:
        """The submissions that need no other grade: all that have one, but for two kinds.

        Where the grader failed it may do better now: the disk may have been full. And a wording may be corrected otherwise.
        """
        rows = self._connection.execute("SELECT submission, wording, corrections FROM grades WHERE NOT judge_error")
        return frozenset(name for name, wording, then in rows if then == _as_text(corrections.get(wording, {})))

    def judge_errors(self) -> frozenset[str]:
        """The submissions in whose grading the grader itself failed."""
        found = self._connection.execute("SELECT submission FROM grades WHERE judge_error")
        return frozenset(row[0] for row in found)

    def student_ids(self) -> dict[str, str]:
        """The student number of each finished submission; empty where none was found."""
        return dict(self._connection.execute("SELECT submission, student_id FROM grades"))

    def records(self) -> Iterator[tuple[str, str]]:
        """Submission and record of each grade, in the batch's order, one at a time."""
        return self._texts("record")

    def pages(self) -> Iterator[tuple[str, str]]:
        """Submission and page of each grade, in the batch's order, one at a time."""
        return self._texts("page")

    def _texts(self, column: str) -> Iterator[tuple[str, str]]:
        query = f"SELECT {column} FROM grades WHERE submission = ?"  # noqa: S608 -- a column of ours
        for submission in self.inputs.submissions:
            row = self._connection.execute(query, (submission,)).fetchone()
            if row is not None:
                yield submission, gzip.decompress(row[0]).decode()


def _as_text(corrections: Mapping[str, str]) -> str:
    return json.dumps(dict(corrections), sort_keys=True)


def _packed(text: str) -> bytes:
    return gzip.compress(text.encode(), compresslevel=6, mtime=0)


@contextmanager
def open_store(path: Path, inputs: Inputs, *, fresh: bool = False) -> Iterator[Store]:
    """Open the grades of a batch, or begin new ones; with ``fresh`` whatever is there is forgotten.

    Raises UsageError when the file holds another batch, is none, or is in use.
    """
    with closing(_connect(path)) as connection:
        try:
            _begin(connection, path, inputs, fresh)
        except sqlite3.OperationalError as fault:
            hint = "is another batch running?" if fault.sqlite_errorcode in _IN_USE else _GO_ON
            raise UsageError(f"cannot be opened ({fault})", place=str(path), hint=hint) from fault
        except sqlite3.DatabaseError as fault:
            raise UsageError(f"is no store of grades ({fault})", place=str(path), hint="move it away") from fault
        yield Store(connection, inputs, path)


def _connect(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path, timeout=1, isolation_level="IMMEDIATE")
    except sqlite3.OperationalError as fault:
        raise UsageError(f"cannot be opened ({fault})", place=str(path)) from fault
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    return connection


def _begin(connection: sqlite3.Connection, path: Path, inputs: Inputs, fresh: bool) -> None:
    connection.execute("BEGIN EXCLUSIVE")
    try:
        if fresh:
            connection.execute("DROP TABLE IF EXISTS batch")
            connection.execute("DROP TABLE IF EXISTS grades")
        if not _tables(connection):
            _create(connection, inputs)
        _refuse_another(_stored(connection, path), inputs, path)
        connection.execute("UPDATE batch SET calls = calls + 1")  # a write takes over the journal of a killed batch
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _create(connection: sqlite3.Connection, inputs: Inputs) -> None:
    for statement in _TABLES.split(";"):
        connection.execute(statement)
    submissions = json.dumps(dict(inputs.submissions))
    row = (FORMAT, inputs.assignment, inputs.spec, inputs.grader_version, submissions, 0)
    connection.execute("INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?)", row)


def _stored(connection: sqlite3.Connection, path: Path) -> Inputs:
    if _tables(connection) != {"batch", "grades"}:
        raise UsageError("is a database of something else", place=str(path), hint="choose another folder")
    row = connection.execute("SELECT * FROM batch").fetchone()
    if row is None or row[0] != FORMAT:
        raise UsageError("was written by another version of the grader", place=str(path), hint=FRESH)
    _, assignment, spec, grader_version, submissions, _ = row
    return Inputs(assignment, spec, grader_version, json.loads(submissions))


def _refuse_another(stored: Inputs, inputs: Inputs, path: Path) -> None:
    differences = inputs.differences(stored)
    if differences:
        raise UsageError(
            f"is another batch: {'; '.join(differences)}",
            place=str(path.parent),
            hint=f"name another folder to keep both and compare their grades.csv; {FRESH}",
        )
