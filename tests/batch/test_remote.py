"""Grading by the workers of Dask: the same bytes as here, whatever becomes of the workers."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.batch import remote
from grader.batch.remote import Carried
from grader.batch.runner import run_batch
from grader.batch.values import Call
from grader.cli.main import cli
from grader.errors import UsageError
from grader.spec.loader import load_assignment
from tests.batch.test_runner import ROOT, SPEC

RIGHT = (ROOT / "fixtures/lc3-nim/accepted/lower-case-source/submission/nim.asm").read_bytes()
pytestmark = pytest.mark.filterwarnings("ignore")  # what Dask has to say of itself


@pytest.fixture
def submissions(tmp_path) -> Path:
    """Four submissions, some of them wrong, one damaged."""
    folder = tmp_path / "submissions"
    for number in range(3):
        place = folder / f"PB0000000{number}"
        place.mkdir(parents=True)
        program = RIGHT.replace(b'"Player "', b'"PLAYER "') if number % 2 else RIGHT
        (place / "nim.asm").write_bytes(program + b"\n; %d\n" % number)
    (folder / "PB00000009.zip").write_bytes(b"PK\3\4 and no more")
    return folder


@pytest.fixture
def cluster():
    """Two worker processes behind a scheduler on this machine, forked from one that has the grader imported."""
    import dask
    from distributed import LocalCluster

    forked = dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"})
    with forked, LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as made:
        yield made


def written(folder: Path) -> dict[str, bytes]:
    """All files of a batch but its store, which holds times."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("grades.db")]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.skipif(sys.platform != "linux", reason="needs signals")
def test_the_same_bytes_though_a_worker_is_killed(tmp_path, submissions, cluster):
    """Two workers grade, one of them is killed in the middle, and every report is as it is from this machine alone."""
    run_batch(Call(SPEC, [submissions], tmp_path / "here", jobs=1))
    victim = next(iter(cluster.workers.values())).process.process.pid
    seen = []

    def kill_one(now):
        seen.append(now.done)
        if now.done == 1:
            os.kill(victim, signal.SIGKILL)

    done = run_batch(
        Call(SPEC, [submissions], tmp_path / "there", jobs=1, scheduler=cluster.scheduler_address, progress=kill_one)
    )
    assert (done.graded, done.judge_errors, seen[0], seen[-1]) == (4, (), 0, 4)
    assert written(tmp_path / "there") == written(tmp_path / "here")


def test_a_worker_with_another_grader_is_refused(tmp_path):
    """A machine that would judge otherwise judges nothing; one that judges alike has the files of a spec as they lay here."""
    from dataclasses import replace

    carried = Carried.of(load_assignment(ROOT / "specs/lc3-nim.yaml"))
    carried.refuse_another_grader()
    there = carried.laid_down(tmp_path)
    assert there.path.read_bytes() == (ROOT / "specs/lc3-nim.yaml").read_bytes()
    assert there.reference is not None
    assert there.reference.exists()
    with pytest.raises(UsageError, match="another grader"):
        replace(carried, engine="0.0.0+000000000000").refuse_another_grader()


def test_where_no_scheduler_answers(tmp_path, submissions, monkeypatch):
    """It is said in a sentence, and an executor without an address is no command."""
    monkeypatch.setattr(remote, "_CONNECT", 1)
    with pytest.raises(UsageError, match="no scheduler of Dask answers"):
        run_batch(Call(SPEC, [submissions], tmp_path / "out", jobs=1, scheduler="tcp://127.0.0.1:1"))
    told = CliRunner().invoke(cli, ["batch", str(SPEC), str(submissions), "-o", "x", "--executor", "dask"])
    assert "belong together" in told.output
