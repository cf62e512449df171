"""``grades.db``: every finished grade, at once and for good.

Theory of operation. One SQLite file holds a row for each verdict that was ever reached. Its key has everything that it
depends on: the submission, the part of the spec that judges, and the code of the grader. So a later call of the batch
finds the verdicts that are still valid, and no verdict is thrown away. Scoring, marks and decisions are applied when
reports are written (`finals`); the final grades are also kept, under the number of the call.

A call and its roll (the owners of submissions) are one transaction, and so is each grade. So the batch can go on from
the file at every instant: a killed process leaves a write-ahead log, which the next one reads. The file is locked while
a batch runs. Measured times are only here, so that reports do not depend on them.

A record holds every dialogue of a submission, turn by turn, and so does its page. Both are stored compressed, behind
the columns of the key, so that a search does not read them.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.batch import rows
from grader.batch.damage import damaged, reading, using
from grader.batch.files import GONE
from grader.batch.inputs import Inputs
from grader.batch.rows import COLUMNS, FRESH, connected, insertion
from grader.batch.values import Graded, Kept, KeptCall, Owner, Sources, vars_of
from grader.errors import UsageError
from grader.results import Grade
from grader.spec.corrections import NONE, Corrections

_LAST = f"SELECT {', '.join(list(COLUMNS['calls'])[1:])} FROM calls ORDER BY number DESC LIMIT 1"  # noqa: S608 -- names of ours
_ROLL = f"SELECT {', '.join(list(COLUMNS['roll'])[1:])} FROM roll ORDER BY place"  # noqa: S608 -- names of ours
_COUNTING = (
    "SELECT contents, rowid, judge_error, student_id, wording, corrections FROM grades "
    "WHERE judging = ? AND engine = ? ORDER BY judge_error DESC, rowid"
)
_FINAL = "SELECT record FROM finals WHERE submission = ? AND call <= ? ORDER BY call DESC LIMIT 1"


class Store:
    """An open ``grades.db``. Made by `open_store`."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._file = _identity(path)
        self._corrections: Corrections = NONE
        self._call = self.last()

    def begin(self, call: KeptCall, corrections: Corrections = NONE, *, keep: bool = True) -> tuple[str, ...]:
        """Begin a call: from now on its roll counts, and also in later openings if the call is to be kept.

        Returns the changes since the last call, in words. Raises UsageError if the store holds grades of another
        assignment, or cannot be written.
        """
        held = self._assignment()
        if held not in ("", call.inputs.assignment):
            hint = f"name another folder, which keeps both; {FRESH}"
            raise UsageError(f"it holds grades of {held}", place=str(self._path.parent), hint=hint)
        last = self.last()
        # A call that changes nothing keeps its number: `compare FOLDER@2` counts changes, not commands.
        if keep and last != call:
            self._keep(call)
        self._call, self._corrections = call, corrections
        return call.inputs.differences(last.inputs) if last is not None else ()

    def _keep(self, call: KeptCall) -> None:
        held = {**vars_of(call.inputs), **vars_of(call)}
        with self._written() as connection:
            connection.execute("UPDATE batch SET assignment = ?", (call.inputs.assignment,))
            connection.execute(insertion("calls"), rows.row_of("calls", {**held, "number": None}))  # SQLite gives it
            connection.execute("DELETE FROM roll")
            roll = (rows.row_of("roll", {**vars_of(owner), "place": at}) for at, owner in enumerate(call.owners))
            connection.executemany(insertion("roll"), roll)

    def _select(self, what: str, types: Sequence[type], query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query, each value of its type. Raises DamagedError, which says that ``what`` cannot be read."""
        with reading(self._path, what):
            # all at once: after an error a half-read cursor would keep the file locked
            selected = self._connection.execute(query, values).fetchall()
            return [rows.fitting(row, types) for row in selected]

    def _grade(self, row: int, submission: str, *columns: str) -> tuple[Any, ...]:
        """Columns of the row of a grade, by their names; all columns by default."""
        query = f"SELECT {', '.join(columns) or '*'} FROM grades WHERE rowid = ?"  # noqa: S608 -- names of ours
        selected = self._select(f"the grade of {submission}", rows.types_of("grades", *columns), query, row)
        if not selected:
            raise damaged(self._path, f"the grade of {submission} is gone")
        return selected[0]

    def _assignment(self) -> str:
        names = self._select("the name of the assignment", (str,), "SELECT assignment FROM batch")
        if not names:
            raise damaged(self._path, "the name of the assignment is gone")
        return str(names[0][0])

    def last(self) -> KeptCall | None:
        """The last call that was kept, if there was one. Raises DamagedError if it, or its roll, is not whole."""
        calls = self._select("the last call", rows.types_of("calls")[1:], _LAST)
        if not calls:
            return None
        with reading(self._path, "the last call"):
            spec, judging, engine, spec_path, sources, given, doubts, roster, shard, held = rows.without_nul(calls[0])
            inputs = Inputs(self._assignment(), spec, judging, engine, rows.submissions_in(held))
            places, notes = rows.without_nul(rows.texts(sources)), rows.texts(doubts)
            call = KeptCall(inputs, (), spec_path, places, given, notes, roster, rows.shard_text(shard))
        roll = self._select("the roll", rows.types_of("roll")[1:], _ROLL)
        with reading(self._path, "the roll"):
            owners = tuple(map(rows.owner_of, roll))
        if {owner.submission: owner.contents for owner in owners} != inputs.submissions:
            raise damaged(self._path, "the roll is not that of the last call")
        return replace(call, owners=owners)

    @property
    def call(self) -> KeptCall:
        """The call that counts. Raises UsageError if none was ever begun."""
        if self._call is None:
            raise UsageError("holds no grades yet", place=str(self._path.parent), hint="`grader batch` makes them")
        return self._call

    @property
    def number(self) -> int:
        """The number of the last call: the first is 1, and a call that changes nothing keeps the number before."""
        ((number,),) = self._select("the calls", (int,), "SELECT coalesce(max(number), 0) FROM calls")
        return int(number)

    def owners(self) -> tuple[Owner, ...]:
        """The owners of submissions, in the batch's order."""
        return self.call.owners

    def add(self, graded: Graded) -> None:
        """Keep one finished grade; when this returns it is on disk.

        Raises UsageError if it cannot be written; earlier grades stay.
        """
        inputs = self.call.inputs
        # Corrections that could not be followed count as well. Otherwise, with a typing error in learned.yaml, a
        # program was graded again at each call, and never got into grades.json.
        key = {"contents": inputs.submissions[graded.submission], "judging": inputs.judging, "engine": inputs.engine}
        held = {**vars_of(graded), **key, "corrections": _as_text(graded.corrections), "call": self.number}
        row = rows.row_of("grades", {**held, "sources": json.dumps(graded.sources)})
        with self._written() as connection:
            connection.execute(
                "DELETE FROM grades WHERE contents = ? AND judging = ? AND engine = ? AND judge_error", row[:3]
            )
            connection.execute(insertion("grades", "REPLACE"), row)

    @contextmanager
    def _written(self) -> Iterator[sqlite3.Connection]:
        with using(self._path, "written"), self._connection:
            yield self._connection
        if _identity(self._path) != self._file:  # the grade was written to a file that was removed or replaced
            raise UsageError("was removed while the batch was running", place=str(self._path), hint=GONE)

    def _rows(self) -> dict[str, tuple[int, bool, str]]:
        """For each submission with a valid grade: its row, whether the grader failed, and the student number found.

        If the corrections of a wording have changed, another row counts, or no row.
        """
        inputs = self.call.inputs
        types = (str, int, int, str, str, str)
        counting = {
            contents: (row, bool(error), number)
            for contents, row, error, number, wording, then in self._select(
                "the list of grades", types, _COUNTING, inputs.judging, inputs.engine
            )
            if then == _as_text(self._corrections.get(wording, {}))
        }
        return {name: counting[contents] for name, contents in inputs.submissions.items() if contents in counting}

    def finished(self) -> frozenset[str]:
        """The submissions with a final grade. Judge errors are tried again: the disk may have been full."""
        return frozenset(name for name, (_, error, _) in self._rows().items() if not error)

    def judge_errors(self) -> frozenset[str]:
        """The submissions in whose grading the grader itself failed."""
        return frozenset(name for name, (_, error, _) in self._rows().items() if error)

    def student_ids(self) -> dict[str, str]:
        """The student number of each finished submission; empty if none was found."""
        known = {owner.submission: owner.student_id for owner in self.owners()}
        return {name: known[name] or number for name, (_, _, number) in self._rows().items()}

    def _finished(self) -> Iterator[tuple[Owner, str, int]]:
        """Each owner whose submission is finished, with the student number and the row of the grade; in the batch's order."""
        counting = self._rows()
        for owner in self.owners():
            if owner.submission in counting:
                row, _, student_id = counting[owner.submission]
                yield owner, owner.student_id or student_id, row

    def kept(self) -> Iterator[Kept]:
        """The kept verdicts of each finished submission, in the batch's order, one at a time."""
        for owner, number, row in self._finished():
            held = self._grade(row, owner.submission, "record", "page", "page_of", "sources")
            with reading(self._path, f"the grade of {owner.submission}"):
                record, page, page_of, sources = held
                texts = rows.unpacked(record), rows.unpacked(page), page_of
                kept = Kept(owner, number, *texts, rows.sources_of(sources))
            yield kept

    def counting(self) -> Iterator[tuple[object, ...]]:
        """The row of each valid grade, for another store.

        It is checked, and has no page: the other store makes it anew.
        """
        names = {row: name for name, (row, _, _) in self._rows().items()}
        for row in sorted(names):
            held = self._grade(row, names[row])
            with reading(self._path, f"the grade of {names[row]}"):
                whole = rows.whole_grade(held, page=False)
            yield whole

    def take(self, grades: Iterable[tuple[object, ...]]) -> None:
        """Keep rows that `counting` gave for another store of the same grader."""
        with self._written() as connection:
            connection.executemany(insertion("grades", "REPLACE"), grades)

    def seconds(self) -> dict[str, float]:
        """The seconds that judging took for each finished submission."""
        known = dict(self._select("the list of grades", (int, float), "SELECT rowid, seconds FROM grades"))
        return {name: known[row] for name, (row, _, _) in self._rows().items()}

    def programs(self) -> Iterator[tuple[Owner, str, Sources]]:
        """The owner of each finished submission, the number found, and the files of the program.

        In the batch's order.
        """
        for owner, number, row in self._finished():
            (held,) = self._grade(row, owner.submission, "sources")
            with reading(self._path, f"the program of {owner.submission}"):
                sources = rows.sources_of(held)
            yield owner, number, sources

    def keep_final(self, records: Sequence[tuple[str, str]]) -> None:
        """Keep the final grades of this call, as submission and record; unchanged ones are not kept again."""
        with self._written() as connection:
            for submission, record in records:
                if self.final(submission) != record:
                    held = {"submission": submission, "call": self.number, "record": record}
                    connection.execute(insertion("finals", "REPLACE"), rows.row_of("finals", held))

    def finals(self, call: int | None = None) -> Iterator[tuple[str, str]]:
        """Submission and final grade of all in the roll of the last call, or of a numbered one, in its order.

        Raises UsageError if that call is not known.
        """
        submissions: Iterable[str] = [owner.submission for owner in self.owners()]
        if call is not None:
            calls = self._select("the calls", (str,), "SELECT submissions FROM calls WHERE number = ?", call)
            if not calls:
                raise UsageError(f"there is no call {call}", place=str(self._path))
            with reading(self._path, f"call {call}"):
                submissions = rows.submissions_in(calls[0][0])
        for submission in submissions:
            if (record := self.final(submission, call)) is not None:
                yield submission, record

    def final(self, submission: str, call: int | None = None) -> str | None:
        """The last final grade of a submission, or the last up to a call; None if it had no grade."""
        what, last = f"what the grade of {submission} came to", self.number if call is None else call
        selected = self._select(what, (bytes,), _FINAL, submission, last)
        with reading(self._path, what):
            return rows.unpacked(selected[0][0]) if selected else None

    def grade(self, record: str, submission: str) -> Grade:
        """The grade in a record of this store. Raises DamagedError if the record is damaged."""
        return rows.grade_of(record, submission, self._path)


def _identity(path: Path) -> tuple[int, int] | None:
    """The device and number of a file, which distinguish it from a replacement; None if it is gone."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino


def _as_text(corrections: Mapping[str, str]) -> str:
    return json.dumps(dict(corrections), sort_keys=True)


@contextmanager
def open_store(path: Path, *, fresh: bool = False, make: bool = True) -> Iterator[Store]:
    """Open the grades of a batch, or begin new ones if it may ``make`` them; ``fresh`` forgets earlier grades.

    Raises UsageError if the file is not a store, is in use, or is missing; DamagedError if it is damaged.
    """
    if not make and not path.exists():
        raise UsageError("holds no batch", place=str(path.parent), hint="name the folder that `grader batch` wrote")
    with connected(path, fresh=fresh) as connection:
        yield Store(connection, path)
