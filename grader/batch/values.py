"""Values of a batch: the call of a command, and the input and output of the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields
from pathlib import Path
from typing import Any, cast

from grader.batch.inputs import Inputs
from grader.values import dataclass

Sources = tuple[tuple[str, str], ...]  # names and texts of the files of a program


def vars_of(value: object) -> dict[str, Any]:
    """The fields of a value by their names, as columns of the store are called."""
    return {one.name: getattr(value, one.name) for one in fields(cast(Any, value))}


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a batch: ``done`` of ``total`` submissions, and the one just finished, empty at the beginning."""

    done: int
    total: int
    submission: str = ""


def silent(news: object) -> None:
    """Ignore all news: the listener of a call to which nobody listens."""


@dataclass(frozen=True, slots=True)
class Call:
    """The call of a command: grade the submissions in ``sources`` by a ``spec``, and write reports into ``out``.

    ``roster`` is a table of the people who should hand in. A ``shard`` (2, 8) grades every eighth submission, from the
    second. The ``sources`` of a merge are shards; its spec is theirs if ``spec`` is None. ``jobs`` is the number of
    workers; None means as many as fit (`usual_jobs`). ``fresh`` forgets all earlier grades, and ``unsafe`` lets
    programs run without a sandbox. ``scheduler`` is the address of a Dask scheduler whose workers grade. ``progress``
    is called at the beginning and after each submission, ``warn`` with each warning.
    """

    spec: Path | None
    sources: Sequence[Path]
    out: Path
    roster: Path | None = None
    shard: tuple[int, int] | None = None
    jobs: int | None = None
    fresh: bool = False
    unsafe: bool = False
    scheduler: str = ""
    progress: Callable[[Progress], None] = silent
    warn: Callable[[str], None] = silent


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of a submission, as the batch knows it now, and the digest of the submission.

    ``origin`` is the download's data on it, as JSON; empty without a download. ``notes`` are sentences on doubts.
    """

    submission: str
    student: str
    student_id: str
    handed_in_as: str
    contents: str
    origin: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptCall:
    """A call as the store keeps it: its inputs, their places, and a digest of marks and decisions ``given`` by staff.

    ``doubts`` are sentences on the batch, ``roster`` is a path, and ``shard`` the part of the submissions.
    """

    inputs: Inputs
    owners: tuple[Owner, ...]
    spec_path: str = ""
    sources: tuple[str, ...] = ()
    given: str = ""
    doubts: tuple[str, ...] = ()
    roster: str = ""
    shard: str = ""


@dataclass(frozen=True, slots=True)
class Graded:
    """One finished submission: its verdicts and page as text, how long it took, and a traceback if the grader failed.

    ``record`` holds the verdicts before scoring; ``page`` is the student's page, and ``page_of`` a digest of its
    content. ``sources`` are the files of its program; ``wording`` is the program's, if it was explored, and
    ``corrections`` are those that staff had set for it.
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
    page_of: str = ""
    sources: Sources = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """The store's data on one submission of the roll."""

    owner: Owner
    student_id: str
    record: str
    page: str
    page_of: str
    sources: Sources = ()
