"""Values of a batch: what a command is asked to do with it, and what its store is given and gives."""

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
    """How far a batch is: ``done`` of ``total`` submissions, and the one just finished (empty at the beginning)."""

    done: int
    total: int
    submission: str = ""


def silent(news: object) -> None:
    """Ignore all news: the listener of a call to which nobody listens."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a command is asked to do: grade the submissions in ``sources`` by a ``spec``, and write the reports into the folder ``out``.

    ``roster`` is a table of who should have handed in. Of a ``shard``, such as the second of eight, every eighth submission is graded.
    Shards themselves are the ``sources`` of a merge, and have its spec where that is None.
    ``jobs`` is the number of workers; where it is None as many as fit (`usual_jobs`). With ``fresh`` all earlier grades are forgotten, and with
    ``unsafe`` programs may run uncaged. A ``scheduler`` of Dask, by its address, has workers elsewhere that grade.
    ``progress`` hears how far the batch is, at the beginning and after each submission; ``warn`` hears what is not as it should be.
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
    """Who handed something in, as the batch knows it now, and the digest of what was handed in.

    ``origin`` is what a download says of it, as JSON; empty where it came in otherwise. ``notes`` say what is not sure of it.
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
    """A call as the store keeps it: what it rests on, where that lay, and a digest of what staff have ``given``: marks and decisions.

    ``doubts`` say what is not sure of the batch, ``roster`` is the path of one, and ``shard`` says which part of the submissions these are.
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

    ``record`` holds what was judged, before it is scored; ``page`` is that of its student, and ``page_of`` a digest of what it shows.
    ``sources`` are the files of its program, ``wording`` is that of the program, where it was explored, and ``corrections`` what staff had set of its understanding.
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
    """What the store holds for one submission of the roll."""

    owner: Owner
    student_id: str
    record: str
    page: str
    page_of: str
    sources: Sources = ()
