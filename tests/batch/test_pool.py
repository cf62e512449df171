"""Worker processes that may die."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

from grader.batch.pool import Done, GivenUp, Overran, run_pool
from grader.errors import JudgeError
from tests.killing import until_gone

ROOT = Path(__file__).resolve().parents[2]


def double(task: object) -> object:
    """The double of a number; certain words end the worker instead."""
    if task == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if task == "hang":
        time.sleep(600)
    if task == "hang in a pattern":
        re.match("(a*)*b", "a" * 1000)
    if task == "exit":
        os._exit(3)
    if task == "leave":
        sys.exit("an exit is no result")
    if task == "memory":
        raise MemoryError
    if task == "raise":
        raise ValueError("a fault of ours")
    if task == "unpicklable":
        return lambda: None
    if task == "end of file":
        raise EOFError
    return task * 2


@contextmanager
def doubling():
    """Set up a worker that doubles."""
    yield double


def once(folder: Path, task: str) -> str:
    """Die the first time, as a process does that another one's memory pushes out."""
    mark = folder / task
    if task.startswith("bad") and not mark.exists():
        mark.touch()
        os._exit(9)
    return task


@contextmanager
def dying_once(folder: Path):
    """Set up a worker that dies on each bad task once."""
    yield partial(once, folder)


def broken_setup():
    """Fail as a spec does whose reference is gone."""
    raise ValueError("no such reference")


def dead_setup():
    """End before anything is set up."""
    os._exit(1)


def outcomes(tasks, jobs=2, setup=doubling):
    """Everything that the pool yields."""
    return list(run_pool(setup, tasks, jobs))


def done(results):
    """The results of what was done, sorted."""
    return sorted(r.result for r in results if isinstance(r, Done))


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_task_is_done_once(jobs):
    """Every task is done exactly once, whatever the number of workers."""
    assert done(outcomes(range(20), jobs)) == [2 * n for n in range(20)]


def test_no_tasks_need_no_workers():
    """Without tasks nothing is started, so a setup that fails is not even called."""
    assert outcomes([], setup=broken_setup) == []


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        ("kill", "the process that graded it was ended by signal 9"),
        ("exit", "the process that graded it ended with exit code 3"),
        ("leave", "the grader failed: SystemExit: an exit is no result"),
        ("memory", "this machine has not enough memory (close other programs, or use one worker: -j 1)"),
        ("raise", "the grader failed: ValueError: a fault of ours"),
        ("end of file", "the grader failed: EOFError"),
    ],
)
def test_a_task_that_ends_its_worker_is_given_up(task, reason):
    """A task that ends its worker is given up, with the reason, and all other tasks are done."""
    results = outcomes([*range(6), task, *range(6, 12)])
    assert done(results) == [2 * n for n in range(12)]
    (given_up,) = [r for r in results if isinstance(r, GivenUp)]
    assert (given_up.task, given_up.reason) == (task, reason)


def test_a_result_that_cannot_be_sent_is_given_up():
    """A result that cannot be pickled costs its own task only."""
    results = outcomes([1, "unpicklable", 2])
    assert done(results) == [2, 4]
    assert [r.task for r in results if isinstance(r, GivenUp)] == ["unpicklable"]


def test_the_traceback_of_a_fault_is_kept():
    """A fault comes with its traceback, a sudden death without one."""
    raised, exited = sorted(
        (r for r in outcomes(["raise", "exit"], 1) if isinstance(r, GivenUp)), key=lambda r: r.task, reverse=True
    )
    assert "a fault of ours" in raised.trace
    assert exited.trace == ""


def test_a_death_is_forgiven_once(tmp_path):
    """A task whose worker died is tried again alone, and counts when it succeeds then."""
    tasks = [f"{kind}{n}" for n in range(4) for kind in ("good", "bad")]
    results = list(run_pool(partial(dying_once, tmp_path), tasks, 2))
    assert done(results) == sorted(tasks)


@pytest.mark.parametrize("setup", [broken_setup, dead_setup])
def test_a_setup_that_fails_is_our_error(setup):
    """A worker that cannot be set up is an error of ours that stops the batch at once."""
    with pytest.raises(JudgeError, match="could not start"):
        outcomes([1, 2, 3], setup=setup)


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_worker_may_die_while_it_is_set_up(tmp_path, jobs):
    """A sudden death before the first task costs nothing: another worker is set up."""
    assert done(run_pool(partial(stillborn_once, tmp_path / "mark"), range(5), jobs)) == [0, 2, 4, 6, 8]


@contextmanager
def stillborn_once(mark: Path):
    """Set up a worker that doubles; the first one dies."""
    try:
        mark.mkdir()
    except FileExistsError:
        yield double
    else:
        os._exit(1)


def test_deaths_at_setup_count_only_in_a_row(tmp_path):
    """More than three deaths while workers are set up are borne when workers that work come between."""
    tasks = [f"bad{n}" for n in range(6)]
    assert done(run_pool(partial(stillborn_every_other_time, tmp_path), tasks, 1)) == tasks
    assert len([*tmp_path.glob("setup*")]) > 8


@contextmanager
def stillborn_every_other_time(folder: Path):
    """Set up a worker that dies on each bad task once; every other one dies at once."""
    number = len([*folder.glob("setup*")])
    (folder / f"setup{number}").touch()
    if number % 2:
        os._exit(1)
    yield partial(once, folder)


def test_a_fault_at_setup_is_not_tried_again(tmp_path):
    """An error of a worker while it is set up stops the pool at the first time."""
    with pytest.raises(JudgeError, match="no such reference"):
        list(run_pool(partial(complaining_setup, tmp_path), [1, 2], 1))
    assert len([*tmp_path.iterdir()]) == 1


def complaining_setup(folder: Path):
    """Leave a mark and fail."""
    (folder / str(os.getpid())).touch()
    raise ValueError("no such reference")


def test_closing_the_generator_stops_the_workers():
    """When the caller stops listening no worker is left behind."""
    results = run_pool(sleeping, range(4), 2)
    first = next(results)
    results.close()
    assert isinstance(first, Done)
    with pytest.raises(ProcessLookupError):
        os.kill(first.result, 0)


@contextmanager
def sleeping():
    """Set up a worker that naps."""
    yield nap


def nap(task: int) -> int:
    """Say which process this is; all but the first task take very long."""
    if task:
        time.sleep(600)
    return os.getpid()


# --- what is left behind ----------------------------------------------------------------------------------------------


@contextmanager
def tidy(folder: Path):
    """Set up a worker that naps, and leaves a mark when it has put away what it used."""
    try:
        yield nap
    finally:
        (folder / f"put away by {os.getpid()}").touch()


def test_a_worker_puts_away_what_it_used(tmp_path):
    """When all is done every worker leaves its setup in good order."""
    assert len(done(run_pool(partial(tidy, tmp_path), [0, 0], 2))) == 2
    assert len([*tmp_path.iterdir()]) == 2


def test_a_worker_that_is_stopped_puts_away_what_it_used(tmp_path):
    """A worker that is stopped in the middle of a task also leaves its setup in good order."""
    results = run_pool(partial(tidy, tmp_path), [0, 1, 1], 2)
    next(results)
    results.close()
    assert [*tmp_path.iterdir()]


def litter(task: str) -> str:
    """Leave a folder among the temporary files; certain words end the worker then."""
    Path(tempfile.mkdtemp(), "file").touch()
    return double(task)


@contextmanager
def littering():
    """Set up a worker that leaves temporary files, and one of its own."""
    tempfile.mkdtemp()
    yield litter


def test_temporary_files_go_with_their_worker(tmp_path, monkeypatch):
    """No temporary file of a worker stays, even when it is killed."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    results = list(run_pool(littering, ["a", "exit", "b", "memory"], 2))
    assert done(results) == ["aa", "bb"]
    assert [*tmp_path.iterdir()] == []


PARENT = """
import sys
from pathlib import Path
from grader.batch.pool import run_pool
from tests.batch.test_pool import sleeping
if __name__ == "__main__":
    for outcome in run_pool(sleeping, [0, 1], 1):
        print(outcome.result, flush=True)
"""


def test_a_worker_does_not_outlive_its_parent(tmp_path):
    """When the parent is killed a worker drops what it is doing, and takes its folder of temporary files away."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), "TMPDIR": str(temporary)}
    with subprocess.Popen([sys.executable, script], env=environment, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        assert [*temporary.iterdir()]
        parent.kill()
    while Path(f"/proc/{worker}").exists() and [*temporary.iterdir()]:
        time.sleep(0.01)
    assert [*temporary.iterdir()] == []


@contextmanager
def group(command, environment):
    """A process that leads a group; the whole group is killed in the end, whatever a test has found."""
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, start_new_session=True) as leader:
        try:
            yield leader
        finally:
            with suppress(ProcessLookupError):
                os.killpg(leader.pid, signal.SIGKILL)


def test_what_stays_when_all_are_killed_goes_with_the_next_pool(tmp_path, monkeypatch):
    """When the parent and its workers are killed at once, the next pool removes their folders, and not those of one that lives."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), "TMPDIR": str(temporary)}
    command = [sys.executable, script]
    with group(command, environment) as killed, group(command, environment) as living:
        for parent in (killed, living):
            assert parent.stdout is not None
            parent.stdout.readline()
        os.killpg(killed.pid, signal.SIGKILL)
        until_gone(killed)
        assert len([*temporary.iterdir()]) == 2
        monkeypatch.setattr(tempfile, "tempdir", str(temporary))
        assert done(run_pool(doubling, [1], 1)) == [2]
        assert len([*temporary.iterdir()]) == 1
        os.killpg(living.pid, signal.SIGKILL)
        until_gone(living)
    assert done(run_pool(doubling, [1], 1)) == [2]
    assert [*temporary.iterdir()] == []


def test_a_worker_owns_its_folder_as_well(tmp_path):
    """While it lives after its parent is killed nobody takes its folder away."""
    from grader.sandbox.leftovers import sweep

    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), "TMPDIR": str(temporary)}
    with group([sys.executable, script], environment) as parent:
        os.kill(int(parent.stdout.readline()), signal.SIGSTOP)
        parent.kill()
        parent.wait()
        sweep(temporary)
        assert len([*temporary.iterdir()]) == 1
        os.killpg(parent.pid, signal.SIGKILL)
        until_gone(parent)
    sweep(temporary)
    assert [*temporary.iterdir()] == []


def meet(folder: Path, task: str) -> str:
    """Leave a mark; the first task waits until all others have left theirs."""
    (folder / task).touch()
    patience = 1000
    while task == "first" and len([*folder.iterdir()]) < 6:
        time.sleep(0.01)
        patience -= 1
        if not patience:
            return "another task waits behind the first"
    return task


@contextmanager
def meeting(folder: Path):
    """Set up a worker whose first task waits for all others."""
    yield partial(meet, folder)


def test_nothing_waits_behind_a_slow_task(tmp_path):
    """With nothing ahead a task that takes long holds up no other."""
    tasks = ["first", "a", "b", "c", "d", "e"]
    assert done(run_pool(partial(meeting, tmp_path), tasks, 2, ahead=0)) == sorted(tasks)


# --- what hangs -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", ["hang", "hang in a pattern"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_task_that_hangs_is_ended_and_the_rest_is_done(task, jobs):
    """Its worker is ended after the limit, wherever it hangs; it is not tried again, and all other tasks are done."""
    found = list(run_pool(doubling, [1, task, 2, 3], jobs, limit=1))
    assert done(found) == [2, 4, 6]
    assert [one for one in found if not isinstance(one, Done)] == [Overran(task, 1)]


def test_the_limit_is_for_each_task_alone():
    """Many tasks together may take longer, and what waits behind another does not begin to count."""
    found = list(run_pool(pausing, [0.7] * 5, 1, limit=2))
    assert len(done(found)) == 5


@contextmanager
def pausing():
    """Set up a worker that pauses."""
    yield pause


def pause(seconds: float) -> float:
    """Take so long."""
    time.sleep(seconds)
    return seconds


@contextmanager
def threadless_setup():
    """A worker on a machine that lets it start no thread."""
    raise RuntimeError("can't start new thread")
    yield


def test_a_worker_that_lacks_something_of_the_machine():
    """If the machine lacks something, one sentence says so with what to do, and without a traceback."""
    with pytest.raises(JudgeError, match=r"could not start: this machine lets us start no more .* ulimit -u") as told:
        outcomes([1], jobs=1, setup=threadless_setup)
    assert "\n" not in str(told.value)
