"""The tables of ``grades.db``, and the conversion of their rows. The file is locked while a batch runs.

A store from elsewhere may hold anything: every value is checked here.
"""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from grader.batch.damage import damaged, using
from grader.batch.values import Owner, Sources
from grader.errors import UsageError
from grader.intake.names import is_safe_id, shown
from grader.report.record import load
from grader.results import Grade
from grader.submission import Origin

# -------------------------------------------------------------------------------------------------------------- tables

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
    """The statement that adds a whole row to a table; ``otherwise`` is the action if the row exists."""
    return f"INSERT OR {otherwise} INTO {table} VALUES ({', '.join('?' * len(COLUMNS[table]))})"  # noqa: S608 -- names of ours


@contextmanager
def connected(path: Path, *, fresh: bool) -> Iterator[sqlite3.Connection]:
    """An exclusive connection to the tables in a file; missing ones are made, and ``fresh`` begins anew.

    Raises UsageError if the file is not a store, or is in use; DamagedError if it is damaged.
    """
    with using(path, "opened"), closing(sqlite3.connect(path, timeout=1, isolation_level="IMMEDIATE")) as connection:
        # A shard may come from anywhere: its schema must not call functions or reach other tables.
        for wary in ("locking_mode = EXCLUSIVE", "trusted_schema = OFF", "cell_size_check = ON"):
            connection.execute(f"PRAGMA {wary}")
        try:
            _begin(connection, path, fresh)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
        except sqlite3.DatabaseError as fault:
            if getattr(fault, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:  # the file may belong to another program
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
    """Raises UsageError if the file has another format or version."""
    if "batch" not in _tables(connection):
        raise UsageError("is a database of something else", place=str(path), hint="choose another folder")
    form = connection.execute("SELECT format FROM batch").fetchone()
    # Two flipped bytes in the name of the format are damage, not another version.
    if form is None or not str(form[0]).startswith(_FORMATS):
        raise damaged(path, "it does not say which version of the grader wrote it")
    if form != (FORMAT,):
        raise UsageError("was written by another version of the grader", place=str(path), hint=FRESH)
    if missing := COLUMNS.keys() - _tables(connection):
        raise damaged(path, f"it lacks {', '.join(sorted(missing))}")
    if connection.execute("SELECT 1 FROM sqlite_master WHERE type IN ('view', 'trigger')").fetchone():
        raise damaged(path, "it has views or triggers, which the grader never makes")


# --------------------------------------------------------------------------------------------------------------- rows

_SHARD = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")
_MOST_UNPACKED = 512 << 20  # bytes of one record or page: a few packed kilobytes can become gigabytes


def types_of(table: str, *names: str) -> list[type]:
    """The types of all columns of a table, or of the named ones."""
    return [COLUMNS[table][name] for name in names or COLUMNS[table]]


def fitting(row: Sequence[Any], types: Iterable[type]) -> tuple[Any, ...]:
    """The row.

    Raises ValueError if a value does not have the type of its column: SQLite accepts a text for a number.
    """
    expected = list(types)
    if len(row) != len(expected):
        raise ValueError(f"a row has {len(row)} values in place of {len(expected)}")
    for value, wanted in zip(row, expected, strict=True):
        # SQLite returns 1 as it was stored, even in a column of reals.
        if not isinstance(value, (int, float) if wanted is float else wanted):
            raise ValueError(f"{wanted.__name__} is expected, and {type(value).__name__} is there")
    return tuple(row)


def without_nul(row: Sequence[Any]) -> tuple[Any, ...]:
    """The row. Raises ValueError if a text has a NUL, as no name and no path has."""
    if any(isinstance(value, str) and "\0" in value for value in row):
        raise ValueError("a text has a NUL in it")
    return tuple(row)


def packed(text: str) -> bytes:
    """A text as it is stored."""
    # Every dialogue is in the record and on the page: half a megabyte for a submission. No time is stored, so that the
    # same grade makes the same bytes.
    return gzip.compress(text.encode(), compresslevel=6, mtime=0)


def unpacked(data: bytes) -> str:
    """The text that was packed. Raises ValueError if it is damaged."""
    unpacker = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    try:
        # gzip.decompress has no limit.
        text = unpacker.decompress(data, _MOST_UNPACKED)
    except zlib.error as fault:
        raise ValueError(str(fault)) from fault
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("it ends too early" if not unpacker.unconsumed_tail else "it is too large")
    return text.decode()


def row_of(table: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
    """The row of a table with these ``values``.

    Lists and mappings become JSON, and texts stored as bytes are packed.
    """
    row = []
    for name, kind in COLUMNS[table].items():
        value = values[name]
        if kind is str and not isinstance(value, str):
            value = json.dumps(value)
        row.append(packed(value) if kind is bytes else value)
    return tuple(row)


def texts(listed: str) -> tuple[str, ...]:
    """The texts of a list in JSON. Raises ValueError if it is something else."""
    held = json.loads(listed)
    if not isinstance(held, list) or not all(isinstance(one, str) for one in held):
        raise ValueError("a list of texts is expected")
    return tuple(held)


def submissions_in(mapping: str) -> dict[str, str]:
    """Digests by submission, from JSON. Raises ValueError if it is something else, or a name could lead elsewhere."""
    held = json.loads(mapping)
    if not isinstance(held, dict) or not all(isinstance(one, str) for one in held.values()):
        raise ValueError("digests of submissions are expected")
    for name in held:
        refuse_unsafe(name)
    return held


def shard_text(text: str) -> str:
    """A shard as a call has it, such as ``2/8``, or nothing. Raises ValueError if it is something else."""
    numbers = _SHARD.fullmatch(text)
    if text and (numbers is None or not 1 <= int(numbers[1]) <= int(numbers[2])):
        raise ValueError(f"“{shown(text)}” is no shard")
    return text


def refuse_unsafe(submission: str) -> None:
    """Raises ValueError if the grader would not give a submission this name: its pages have it, and could lie elsewhere."""
    if not is_safe_id(submission):
        raise ValueError(f"“{shown(submission)}” is no name of a submission")


def owner_of(row: Sequence[Any]) -> Owner:
    """The owner of a submission, from the columns of the roll behind its place. Raises ValueError."""
    submission, student, student_id, handed_in_as, contents, origin, notes = fitting(row, types_of("roll")[1:])
    refuse_unsafe(submission)
    origin_of(origin)
    return Owner(submission, student, student_id, handed_in_as, contents, origin, texts(notes))


def sources_of(data: bytes) -> Sources:
    """The files of a program. Raises ValueError."""
    held = json.loads(unpacked(data))
    if not isinstance(held, list):
        raise ValueError("the files of a program are expected")
    for one in held:
        if not (isinstance(one, list) and len(one) == 2 and all(isinstance(part, str) for part in one)):
            raise ValueError("the name and the text of a file are expected")
    return tuple((name, text) for name, text in held)


def grade_of(record: str, submission: str, path: Path) -> Grade:
    """The grade in a record of the store at ``path``. Raises DamagedError if the record is damaged."""
    try:
        return load(record)
    except UsageError as fault:
        raise damaged(path, f"the grade of {submission} cannot be read ({fault.message})") from fault


def whole_grade(row: Sequence[Any], *, page: bool = True) -> tuple[Any, ...]:
    """A row of grades.

    Raises ValueError if it is not whole; without ``page`` the page is dropped, and made anew when it is shown.
    """
    *begin, page_of, note, record, held, sources = fitting(row, types_of("grades"))
    _, _, _, _, _, submission, _, judge_error, *_ = without_nul(begin)
    refuse_unsafe(submission)
    try:
        judged = load(unpacked(record))
    except UsageError as fault:
        raise ValueError(fault.message) from fault
    if judged.has_judge_error != bool(judge_error):
        raise ValueError("its record and its row differ in whether the grader failed")
    sources_of(sources)
    if page:
        unpacked(held)
        return (*begin, page_of, note, record, held, sources)
    return (*begin, "", note, record, packed(""), sources)


def whole(table: str, row: Sequence[Any]) -> tuple[Any, ...]:
    """A row of a table. Raises ValueError or DamagedError if it is not whole, since verdicts are trusted."""
    if table == "grades":
        return whole_grade(row)
    values = fitting(row, types_of(table))
    if table == "finals":
        submission, _, record = values
        grade_of(unpacked(record), submission, Path())
        return values
    named = dict(zip(COLUMNS[table], without_nul(values), strict=True))
    if table == "calls":
        submissions_in(named["submissions"])
        texts(named["sources"])
        texts(named["doubts"])
    elif table == "roll":
        owner_of(values[1:])
    return values


def origin_text(origin: Origin) -> str:
    """A download's data on a submission, as the store keeps it."""
    return "" if origin == Origin() else _origins().dump_json(origin).decode()


def origin_of(text: str) -> Origin:
    """The origin that ``origin_text`` wrote. Raises ValueError if the text is something else."""
    return _origins().validate_json(text) if text else Origin()


@cache
def _origins() -> TypeAdapter[Origin]:
    return TypeAdapter(Origin)
