"""What the store of a batch is given, and what it gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from grader.batch.inputs import Inputs
from grader.values import dataclass

Sources = tuple[tuple[str, str], ...]
"""Names and texts of the files of a program."""


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
class Call:
    """One call of a batch: what it rests on, where that lay, and a digest of what staff have ``given``: marks and decisions.

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
