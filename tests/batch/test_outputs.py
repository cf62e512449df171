"""The reports of a batch that is too large to be held."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from pathlib import Path

from grader.batch import outputs
from grader.batch.inputs import Inputs
from grader.batch.opening import Opened
from grader.batch.outputs import write_outputs
from grader.batch.store import open_store
from grader.batch.values import Graded, KeptCall, Owner
from grader.report.record import dump
from grader.spec.loader import load_assignment
from tests.report.sample_grades import wrong_answer

SPEC = Path(__file__).with_name("small.yaml")


def test_reports_are_written_without_holding_the_grades(tmp_path):
    """However many there are, each is taken from the store, written and forgotten: the memory is that of a few."""
    grade = wrong_answer()
    loud = tuple(
        replace(one, turns=tuple(replace(turn, output=turn.output * 300) for turn in one.turns)) for one in grade.cases
    )
    record = dump(replace(grade, cases=loud))
    names = [f"PB{number:08d}" for number in range(40)]
    peaks = []
    for some in (names[:1], names):  # the first has modules imported, which are no grades
        inputs = Inputs("small", "spec", "judging", "1.0", {name: name for name in some})
        folder = tmp_path / str(len(some))
        folder.mkdir()
        with open_store(folder / "grades.db") as store:
            store.begin(KeptCall(inputs, tuple(Owner(name, "", name, name, name) for name in some)))
            for name in some:
                store.add(Graded(name, name, False, record, "page", 0.0))
            tracemalloc.start()
            write_outputs(Opened(load_assignment(SPEC), store, folder))
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    assert peaks[1] < len(names) * len(record) / 2


def test_workers_write_large_records_too(tmp_path):
    """Messages to a worker and from it may both be larger than a pipe holds."""
    grade = wrong_answer()
    loud = tuple(
        replace(one, turns=tuple(replace(turn, output=turn.output * 20) for turn in one.turns)) for one in grade.cases
    )
    record = dump(replace(grade, cases=loud))
    assert len(record) * outputs._AT_ONCE > 1 << 17
    names = [f"PB{number:08d}" for number in range(outputs._FEW + 4)]
    inputs = Inputs("small", "spec", "judging", "1.0", {name: name for name in names})
    with open_store(tmp_path / "grades.db") as store:
        store.begin(KeptCall(inputs, tuple(Owner(name, "", name, name, name) for name in names)))
        for name in names:
            store.add(Graded(name, name, False, record, "page", 0.0))
        written = []
        for folder, jobs in (("one", 1), ("two", 2)):
            (tmp_path / folder).mkdir()
            write_outputs(Opened(load_assignment(SPEC), store, tmp_path / folder), jobs=jobs)
            files = [path for path in (tmp_path / folder).rglob("*") if path.is_file()]
            written.append({path.relative_to(tmp_path / folder): path.read_bytes() for path in files})
    assert written[0] == written[1]
    assert len(written[0]) > 2 * len(names)
