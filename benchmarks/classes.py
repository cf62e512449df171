"""A class as students write it, graded by another checkout and by this one in turn: CPU seconds a submission, and where they go.

    python -m benchmarks.classes [--count N] [--times N] [--before CHECKOUT] [ASSIGNMENT ...]

CPU seconds are user and system time of all processes of ``grader batch -j 1`` that have ended, also of compilers and programs. The
smallest of several runs counts, since a busy machine only adds. Nothing built is kept from one run to the next. The *split* is of this
checkout, graded in one process: building, programs (simulated ones, or processes other than compilers), judging; the report is what a
batch takes beside that. CHECKOUT has an environment of its own, made by `make install`.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.students import students

ROOT = Path(__file__).resolve().parents[1]
ASSIGNMENTS = ("lc3-nim", "mips-connect4", "pile-nim", "c-nim", "java-nim")
COUNT, WHOLE = 30, 300
"""Submissions in daily use, and those of the goals."""

Figures = dict[str, float]


def write_class(folder: Path, name: str, count: int) -> None:
    """A folder for each student."""
    for one in students(name, count):
        for file in one.submission.files:
            path = folder / f"PB{one.number:08d}" / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)


def batch(checkout: Path, name: str, submissions: Path) -> Figures:
    """CPU and wall seconds of a batch by a checkout, of all its processes."""
    with tempfile.TemporaryDirectory() as out:
        command = [
            checkout / ".venv/bin/python",
            "-m",
            "grader",
            "batch",
            checkout / "specs" / f"{name}.yaml",
            submissions,
        ]
        environment = {**os.environ, "XDG_CACHE_HOME": f"{out}/cache", "PYTHONPATH": str(checkout)}
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        options = ["-o", f"{out}/out", "-j", "1", "-q"]
        subprocess.run([*map(str, command), *options], cwd=checkout, env=environment, check=False, capture_output=True)
        wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        if not Path(out, "out", "grades.csv").exists():
            raise SystemExit(f"{checkout} graded nothing")
    return {"cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, "wall": wall}


def split(name: str, submissions: Path) -> Figures:
    """CPU seconds of building, programs and judging, by this checkout in a process of its own."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-m", "benchmarks.classes", "--here", name, str(submissions)]
        environment = {**os.environ, "XDG_CACHE_HOME": cache}
        done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    figures: Figures = json.loads(done.stdout)
    return figures


def measured(name: str, count: int, times: int, before: Path | None) -> Figures:
    """The figures of one assignment, CPU seconds a submission."""
    with tempfile.TemporaryDirectory() as folder:
        write_class(Path(folder), name, count)
        runs: dict[Path, list[Figures]] = defaultdict(list)
        for _ in range(times):
            for checkout in filter(None, (before, ROOT)):
                runs[checkout].append(batch(checkout, name, Path(folder)))
        parts = split(name, Path(folder))
    figures = {f"now {key}": min(one[key] for one in runs[ROOT]) / count for key in ("cpu", "wall")}
    if before is not None:
        figures |= {f"before {key}": min(one[key] for one in runs[before]) / count for key in ("cpu", "wall")}
    figures |= {key: value / count for key, value in parts.items()}
    return figures | {"report": max(0.0, figures["now cpu"] - sum(parts.values()) / count)}


# ---------------------------------------------------------------------------------------------------------- the split


def used() -> float:
    """CPU seconds of this process and of those of its children that have ended."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in both)


def children() -> float:
    """CPU seconds of the children that have ended."""
    one = resource.getrusage(resource.RUSAGE_CHILDREN)
    return one.ru_utime + one.ru_stime


def timed(parts: Figures, key: str, function: Callable[..., Any], clock: Callable[[], float]) -> Callable[..., Any]:
    """The function, whose time counts to a part."""

    def call(*arguments: Any, **named: Any) -> Any:
        began = clock()
        try:
            return function(*arguments, **named)
        finally:
            parts[key] += clock() - began

    return call


def grade_here(name: str, submissions: Path) -> Figures:
    """Grade a class in this process."""
    from grader import grading
    from grader.intake.plan import plan
    from grader.intake.source import read_entry
    from grader.sessions.simulated import SimulatedSession
    from grader.spec.loader import load_assignment

    parts: Figures = {"build": 0.0, "programs": 0.0, "judge": 0.0}
    grading.build = timed(parts, "build", grading.build, used)  # type: ignore[attr-defined]
    for verb in ("advance", "fork"):
        function = getattr(SimulatedSession, verb)
        setattr(SimulatedSession, verb, timed(parts, "programs", function, time.process_time))
    assignment = load_assignment(ROOT / "specs" / f"{name}.yaml")
    begun, theirs = used(), children()
    judge, building = grading.Grading(assignment), 0.0
    for entry in plan([submissions], assignment.spec.submission.student_id).entries:
        judge.grade(read_entry(entry))
    judge.close()
    if not assignment.spec.program.simulated:  # a compiler that stays between submissions counts to the programs
        building = min(parts["build"], children() - theirs)
        parts["programs"] = children() - theirs - building
    parts["judge"] = used() - begun - parts["build"] - parts["programs"]
    return parts


# ------------------------------------------------------------------------------------------------------------- output


def shown(name: str, figures: Figures) -> str:
    """One line of the table."""
    before = figures.get("before cpu")
    ratio = f"{before:7.2f} {figures['now cpu'] / before:6.2f}" if before else f"{'-':>7} {'-':>6}"
    parts = " ".join(f"{figures[key]:8.2f}" for key in ("build", "programs", "judge", "report"))
    return f"{name:<14} {figures['now cpu']:6.2f} {ratio} {parts}"


HEAD = (
    f"{'CPU s each':<14} {'now':>6} {'before':>7} {'ratio':>6} {'build':>8} {'programs':>8} {'judge':>8} {'report':>8}"
)


def main(words: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("assignments", nargs="*", default=ASSIGNMENTS)
    parser.add_argument("--count", type=int, default=COUNT, help=f"submissions; {WHOLE} for the goals")
    parser.add_argument("--times", type=int, default=2, help="runs of each checkout, in turn")
    parser.add_argument("--before", type=Path, help="another checkout with its .venv")
    options = parser.parse_args(words)
    print(
        f"{options.count} submissions, the best of {options.times}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )
    print(HEAD)
    for name in options.assignments:
        print(shown(name, measured(name, options.count, options.times, options.before)), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        print(json.dumps(grade_here(sys.argv[2], Path(sys.argv[3]))))
    else:
        main(sys.argv[1:])
