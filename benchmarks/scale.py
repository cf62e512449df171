"""How a batch grows: seconds, computing time of all its processes and the parent's memory for 100, 1,000 and 10,000 small submissions to lc3-nim.

    python -m benchmarks.scale [COUNT …] [--jobs N] [--spec SPEC]

The submissions are the fixtures of lc3-nim, each with a comment of its own, so that no two are alike. Reports are timed apart: a
second call of the same batch finds all verdicts and writes the reports alone.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def make(folder: Path, count: int) -> Path:
    """So many submissions, each in a folder of its own."""
    found = sorted((ROOT / "fixtures/lc3-nim").glob("*/*/submission/nim.asm"))
    programs = [program.read_bytes() for program in found if program.is_file() and program.stat().st_size < 20_000]
    for number, program in enumerate(islice(cycle(programs), count)):
        place = folder / f"PB{number:08d}"
        place.mkdir(parents=True)
        (place / "nim.asm").write_bytes(program + b"\n; %d\n" % number)
    return folder


def call(spec: str, submissions: Path, out: Path, jobs: int) -> tuple[float, float, int]:
    """The seconds of one call, the computing time of all its processes, and the most memory of its parent process in MiB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "grader", "batch", spec, str(submissions), "-o", str(out), "-j", str(jobs), "-q"]
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(ROOT)})
    most = 0
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
            most = max(most, next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")))
        except (OSError, StopIteration):
            pass
        time.sleep(0.05)
    if process.returncode:
        sys.exit(f"exit code {process.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    computing = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - began, computing, most // 1024


def main() -> None:
    """Print a line for each count."""
    parser = argparse.ArgumentParser()
    parser.add_argument("counts", nargs="*", type=int, default=[100, 1000])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--spec", default="lc3-nim")
    given = parser.parse_args()
    print("submissions    whole  computing   reports alone  computing   parent   index.html   grades.db")
    for count in given.counts:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            submissions, out = make(folder / "submissions", count), folder / "out"
            whole, computing, memory = call(given.spec, submissions, out, given.jobs)
            again, reporting, memory_again = call(given.spec, submissions, out, given.jobs)
            index, store = ((out / file).stat().st_size / 1e6 for file in ("index.html", "grades.db"))
            times = f"{whole:6.0f} s {computing:8.0f} s {again:13.1f} s {reporting:8.1f} s"
            print(f"{count:11,} {times} {max(memory, memory_again):4} MiB {index:9.2f} MB {store:8.1f} MB", flush=True)
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"largest process of all: {children} MiB")


if __name__ == "__main__":
    main()
