"""A class at once: how long 300 submissions take on two cores, and whether memory grows with their number.

    python -m benchmarks.batch_speed [SUBMISSIONS]

The submissions are the programs under fixtures/lc3-nim, each made different by a comment and packed as a student would. A
second batch has a tenth of them. The benchmark compares the time per submission, and the peak memory of the parent and of
the largest worker, between the two. As a yardstick it does the same work in one process without a pool, a store or reports.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import zipfile
from itertools import cycle, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SPEC = ROOT / "specs/lc3-nim.yaml"
JOBS = 2


def programs() -> list[bytes]:
    """The program of every fixture that is one folder with a nim.asm in it."""
    found = sorted((ROOT / "fixtures/lc3-nim").glob("*/*/submission/nim.asm"))
    return [path.read_bytes() for path in found if path.is_file()]


def make_submissions(folder: Path, count: int) -> None:
    """So many archives, no two alike."""
    folder.mkdir()
    for number, program in enumerate(islice(cycle(programs()), count)):
        student = f"PB{number:08d}"
        with zipfile.ZipFile(folder / f"{student} 张海博 LAB04.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(f"{student}/nim.asm", program + f"\n; {student}\n".encode())


def run_here(submissions: Path, out: Path) -> None:
    """Run the batch in this process, and print what it used as JSON."""
    import resource

    from grader.batch.runner import run_batch
    from grader.batch.values import Call

    began = time.perf_counter()
    summary = run_batch(Call(SPEC, [submissions], out, jobs=JOBS))
    used = {
        "seconds": time.perf_counter() - began,
        "submissions": summary.total,
        "judge_errors": len(summary.judge_errors),
        "parent_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "worker_mib": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
    }
    print(json.dumps(used))


def run_apart(submissions: Path, out: Path) -> dict[str, float]:
    """Run the batch in a process of its own, so that its memory is its own."""
    command = [sys.executable, "-m", "benchmarks.batch_speed", "--here", str(submissions), str(out)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    used: dict[str, float] = json.loads(done.stdout)
    return used


def run_serially(submissions: Path) -> tuple[float, int]:
    """Seconds for grading all of them one after the other in this process, and the number of cases of one."""
    from grader.grading import Grading
    from grader.intake.plan import plan
    from grader.intake.source import read_entry
    from grader.spec.loader import load_assignment

    assignment = load_assignment(SPEC)
    grading = Grading(assignment)
    entries = plan([submissions], assignment.spec.submission.student_id).entries
    began = time.perf_counter()
    cases = [len(grading.grade(read_entry(entry)).cases) for entry in entries]
    return time.perf_counter() - began, cases[0]


def main(count: int) -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        few = max(count // 10, 1)
        for number in (few, count):
            make_submissions(folder / f"in{number}", number)
        serial, cases = run_serially(folder / f"in{few}")
        small = run_apart(folder / f"in{few}", folder / f"out{few}")
        large = run_apart(folder / f"in{count}", folder / f"out{count}")
    print(f"{len(programs())} different programs, {cases} cases each, {JOBS} workers")
    print(f"{'submissions':>12} {'seconds':>8} {'ms each':>8} {'parent MiB':>11} {'worker MiB':>11} {'our errors':>11}")
    for used in (small, large):
        each = 1000 * used["seconds"] / used["submissions"]
        memory = f"{used['parent_mib']:11.0f} {used['worker_mib']:11.0f}"
        print(f"{used['submissions']:12} {used['seconds']:8.2f} {each:8.1f} {memory} {used['judge_errors']:11}")
    alone = serial / few
    print(f"one process without pool, store and reports: {1000 * alone:.1f} ms each")
    print(f"the batch takes {large['seconds'] / count / alone:.2f} of that; {1 / JOBS:.2f} would be perfect")
    print(f"memory of {count} against {few}: parent {large['parent_mib'] / small['parent_mib']:.2f} times", end=", ")
    print(f"worker {large['worker_mib'] / small['worker_mib']:.2f} times")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        run_here(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
