"""Repair of a damaged ``grades.db``: its readable rows go into a new file, and the damaged one stays beside it.

Theory of operation. SQLite stops a scan of a table at the first bad page. So we look for rows from both ends and by the
index, and fetch them one by one: a bad page costs only its own rows. A row is kept only if all of it can be read
(`whole_grade`), since verdicts are trusted. The new file takes the place of the old one in a single step.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from itertools import count, islice
from pathlib import Path
from typing import Any

from grader.batch import rows
from grader.batch.damage import DamagedError, using
from grader.batch.rows import connected, insertion
from grader.errors import UsageError
from grader.report.words import plural

_MOST_ROWS = 1_000_000  # rows of one table: more than any class has, since a damaged table may seem endless
_WALKS = (
    "SELECT rowid FROM {} ORDER BY rowid",
    # A scan from the end finds the rows behind a bad page,
    "SELECT rowid FROM {} ORDER BY rowid DESC",
    # and the index lies on pages of its own.
    "SELECT rowid FROM {0} INDEXED BY sqlite_autoindex_{0}_1",
)
_BESIDE = ("-wal", "-journal")  # files in which SQLite keeps rows that are not in the store yet


def mended(path: Path, fault: DamagedError, *, fresh: bool = False) -> str:
    """Replace a damaged store by its readable rows, or by an empty one if ``fresh``. Returns a sentence on the repair.

    Raises UsageError if it cannot be written.
    """
    names = (f"{path.name}.damaged{f'-{number}' if number > 1 else ''}" for number in count(1))
    aside = next(one for one in map(path.with_name, names) if not one.exists())
    new = path.with_name(f"{path.name}.part")
    try:
        for beside in ("", *_BESIDE):
            if (old := Path(f"{path}{beside}")).exists():
                shutil.copy2(old, f"{aside}{beside}")
            Path(f"{new}{beside}").unlink(missing_ok=True)
        kept = _read_into(new, aside) if not fresh else 0
        # SQLite would apply an old log to the new file.
        for beside in (*_BESIDE, "-shm"):
            Path(f"{path}{beside}").unlink(missing_ok=True)
        if fresh:
            path.unlink()
        else:
            new.replace(path)
    except OSError as failure:
        hint = "let this folder be written, and give the disk room; then the same command goes on"
        raise UsageError(f"cannot be repaired ({failure.strerror})", place=str(path), hint=hint) from failure
    held = f"{plural(kept, 'grade') if kept else 'no grade'} could be read and kept, and what else is needed is graded anew"
    return f"{path} {fault.message}; {'it' if fresh else held + '; the damaged file'} is now {aside.name}"


def _read_into(new: Path, damaged: Path) -> int:
    """Begin a store with the readable rows of a damaged one, and count its grades."""

    def text(data: bytes) -> str:
        try:
            return data.decode()
        except UnicodeDecodeError:
            return "\0"  # every check rejects it, and the rest of the table can be read

    def add(table: str, kept: Any) -> int:
        return store.executemany(insertion(table, "IGNORE"), kept).rowcount

    with (
        connected(new, fresh=False) as store,
        using(new, "written"),
        store,
        closing(sqlite3.connect(damaged, timeout=1)) as source,
    ):
        source.text_factory = text
        with suppress(sqlite3.Error):
            source.execute("PRAGMA writable_schema = ON")  # damage in one table does not prevent reading the others
        for assignment in _whole(source, "batch"):
            store.execute("UPDATE batch SET assignment = ?", assignment[1:])
        calls = {row[0]: row for row in _whole(source, "calls")}
        add("calls", calls.values())
        last = calls[max(calls)] if calls else None
        add("roll", _roll(source, rows.submissions_in(last[-1])) if last else ())
        add("finals", (row for row in _whole(source, "finals") if row[1] <= max(calls, default=0)))
        return add("grades", _whole(source, "grades"))


def _whole(source: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    """The readable and whole rows of a table."""
    for number in _numbers(source, table):
        with suppress(sqlite3.Error, ValueError, RecursionError, DamagedError):
            row = source.execute(f"SELECT * FROM {table} WHERE rowid = ?", (number,)).fetchone()  # noqa: S608 -- names of ours
            if row is not None:
                yield rows.whole(table, row)


def _numbers(source: sqlite3.Connection, table: str) -> list[int]:
    """The numbers of all rows that may exist."""
    numbers: set[int] = set()
    for walk in _WALKS:
        with suppress(sqlite3.Error):
            rows_there = islice(source.execute(walk.format(table)), _MOST_ROWS)
            numbers.update(number for (number,) in rows_there if isinstance(number, int))  # a view has none
    # Rows between two known ones may exist, although no scan reached them.
    between = range(1, min(max(numbers, default=0), _MOST_ROWS) + 1)
    return sorted(numbers.union(between))


def _roll(source: sqlite3.Connection, submissions: Mapping[str, str]) -> Iterator[tuple[Any, ...]]:
    """The roll of the last call. An owner that cannot be read has no name until `grader batch` writes the roll anew."""
    known = {row[1]: row for row in _whole(source, "roll")}
    for place, (submission, contents) in enumerate(submissions.items()):
        _, _, *named = known.get(submission, (0, submission, "", "", "", contents, "", "[]"))
        named[3] = contents
        yield (place, submission, *named)
