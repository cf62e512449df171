"""Folders of batches whose submissions were judged already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from grader.batch.engine import engine
from grader.batch.inputs import Inputs
from grader.batch.store import open_store
from grader.batch.values import Graded, KeptCall, Owner
from grader.grading.deciding import Scoring
from grader.report.record import dump
from grader.results import Grade
from grader.spec.loader import Assignment


def batch_of(folder: Path, assignment: Assignment, judged: Mapping[str, Grade], owners: Sequence[Owner] = ()) -> Path:
    """The folder of a batch with the findings of a judge on each submission."""
    out = folder / "out"
    out.mkdir()
    of_judges = Scoring(assignment).judged.fingerprint
    inputs = Inputs(assignment.id, assignment.fingerprint, of_judges, engine(), {name: name for name in judged})
    everybody = tuple(owners or (Owner(name, name, name, "", name) for name in judged))
    with open_store(out / "grades.db") as store:
        store.begin(KeptCall(inputs, everybody, str(assignment.path), (str(folder),)))
        for name, grade in judged.items():
            store.add(Graded(name, name, False, dump(grade), "page", 0.0))
    return out
