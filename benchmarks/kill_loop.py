"""A class under bad luck: batches that are killed at random instants, resumed, and compared with one that was left alone.

    python -m benchmarks.kill_loop [RUNS [LC-3 [C]]] [--lc3-spec SPEC] [--seed N]

Each run grades 60 LC-3 and 20 C submissions in two batches with two workers. The specs are small and the runs of programs
short, so that many kills hit the grader's own work (`--lc3-spec lc3-nim` grades the LC-3 programs by the whole spec).

The benchmark kills (SIGKILL) the whole process group, the parent alone, or one worker. The seed draws the instant, within
the time that an uninterrupted batch takes. When all processes have ended, the same command runs again. In the end all files
except grades.db must equal those of an uninterrupted batch, byte for byte. Leftovers are counted: processes ten seconds
after each kill, temporary folders after the last batch. A grade is lost if the store had it after the kill and it was
graded again.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
JOBS = 2
KINDS = ("group", "parent", "worker")
GRACE = 10  # seconds in which what is left of a killed batch must have ended
MARK = "GRADER_KILL_LOOP"
C_SPEC = """
assignment: adds
title: Adds numbers
submission: {required: [main.c], student_id: 'PB[0-9]{8}'}
program: {language: c, sources: [main.c]}
limits: {cpu: 500 ms, wall: 2 s, memory: 64 MiB, output: 16 KiB, processes: 4}
rubric: [{id: adds, title: Adds, points: 4}]
cases:
  - {id: one, title: Adds two numbers, criterion: adds,
     dialogue: [{expect: 'First\\?'}, {send: '1'}, {expect: 'Second\\?'}, {send: '2'}, {expect: '= 3'}, {ends: true}]}
  - {id: two, title: Adds a negative number, criterion: adds,
     dialogue: [{expect: 'First\\?'}, {send: '-9'}, {expect: 'Second\\?'}, {send: '4'}, {expect: '= -5'}, {ends: true}]}
"""
ADDS = """
#include <stdio.h>
#include <unistd.h>
int main(void) {
    int a, b;
    setbuf(stdout, NULL);
    printf("First? "); scanf("%d", &a);
    usleep(100000);
    printf("Second? "); scanf("%d", &b);
    printf("%d + %d = %d\\n", a, b, a + b);
    return 0;
}
"""
C_PROGRAMS = (
    ADDS,
    ADDS.replace("a + b)", "a - b)"),
    ADDS.replace("a + b)", "a + *(volatile int *)0)"),
    ADDS.replace("return 0;", "for (;;) pause();"),
    ADDS.replace("int a, b;", "int a, b"),
    ADDS.replace("usleep(100000);", "if (fork() == 0) for (;;) pause();"),
)


@dataclass
class Figures:
    """The counters of the loop."""

    kills: Counter[str] = field(default_factory=Counter)
    too_late: int = 0
    lost: int = 0
    different: list[str] = field(default_factory=list)
    processes: int = 0
    folders: int = 0


@dataclass(frozen=True)
class Batch:
    """One assignment with its submissions, the reports of an uninterrupted batch of them, and how long that took."""

    spec: str
    submissions: Path
    expected: dict[str, bytes]
    seconds: float


def lc3_programs() -> list[bytes]:
    """The right programs of the fixtures: they do the same in each run."""
    found = sorted((ROOT / "fixtures/lc3-nim/accepted").glob("*/submission/nim.asm"))
    return [path.read_bytes() for path in found if path.is_file()]


def make(folder: Path, programs: Sequence[bytes], file: str, remark: str, count: int) -> Path:
    """A folder of ``count`` archives, no two alike; each tenth file is broken."""
    folder.mkdir()
    for number, program in enumerate(islice(cycle(programs), count)):
        path = folder / f"PB{number:08d}.zip"
        if number % 10 == 9:
            path.write_bytes(b"Rar!\x1a\x07\x00")
            continue
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(file, program + f"\n{remark} {number}\n".encode())
    return folder


def start(spec: str, submissions: Path, out: Path, temporary: Path) -> subprocess.Popen[bytes]:
    """The command, in a process group of its own."""
    command = [sys.executable, "-m", "grader", "batch", spec, str(submissions), "-o", str(out), "-j", str(JOBS), "-q"]
    environment = {**os.environ, "TMPDIR": str(temporary), MARK: str(temporary), "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)


def finish(spec: str, submissions: Path, out: Path, temporary: Path) -> None:
    """Grade to the end."""
    code = start(spec, submissions, out, temporary).wait()
    if code:
        raise SystemExit(f"the batch of {spec} ended with exit code {code}")


def reports(out: Path) -> dict[str, bytes]:
    """Every file that shall not depend on what was killed."""
    files = [path for path in out.rglob("*") if path.is_file() and not path.name.startswith("grades.db")]
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in files}


def stored(out: Path, copy: Path) -> dict[str, float]:
    """The grades in a store, by submission, with the seconds that each took: those tell whether it was graded again."""
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for name in ("grades.db", "grades.db-journal", "grades.db-wal"):
        with suppress(FileNotFoundError):
            shutil.copy(out / name, copy / name)
    with closing(sqlite3.connect(copy / "grades.db")) as connection, suppress(sqlite3.DatabaseError):
        return dict(connection.execute("SELECT submission, seconds FROM grades"))
    return {}


def ours(temporary: Path) -> list[int]:
    """The processes that were started by the batch, whatever became of their parents: the environment tells."""
    wanted = f"{MARK}={temporary}".encode()
    found = []
    for place in Path("/proc").iterdir():
        with suppress(OSError):
            if place.name.isdigit() and wanted in (place / "environ").read_bytes().split(b"\0"):
                found.append(int(place.name))
    return found


def workers(parent: int, temporary: Path) -> list[int]:
    """The processes of the batch that are spawned workers."""
    found = []
    for process in ours(temporary):
        with suppress(OSError):
            line = Path(f"/proc/{process}/cmdline").read_bytes()
            if process != parent and b"spawn_main" in line:
                found.append(process)
    return found


def kill(kind: str, batch: subprocess.Popen[bytes], temporary: Path, chance: random.Random) -> bool:
    """Kill what is to be killed; whether there was something."""
    if batch.poll() is not None:
        return False
    if kind == "worker":
        there = workers(batch.pid, temporary)
        if not there:
            return False
        with suppress(ProcessLookupError):
            os.kill(chance.choice(there), signal.SIGKILL)
    elif kind == "parent":
        batch.kill()
    else:
        os.killpg(batch.pid, signal.SIGKILL)
    return True


def ended(temporary: Path) -> int:
    """How many processes are left when all had time to end."""
    until = time.monotonic() + GRACE
    while (left := ours(temporary)) and time.monotonic() < until:
        time.sleep(0.05)
    return len(left)


def run(batch: Batch, number: int, kind: str, folder: Path, chance: random.Random, figures: Figures) -> None:
    """Kill a batch once, resume it, and compare."""
    out, temporary = folder / f"out{number}", folder / "temporary"
    process = start(batch.spec, batch.submissions, out, temporary)
    with suppress(subprocess.TimeoutExpired):
        process.wait(chance.uniform(0, batch.seconds))
    if kill(kind, process, temporary, chance):
        figures.kills[kind] += 1
    else:
        figures.too_late += 1
    process.wait()
    figures.processes += ended(temporary)
    before = stored(out, folder / "copy")
    finish(batch.spec, batch.submissions, out, temporary)
    after = stored(out, folder / "copy")
    figures.lost += sum(after.get(submission) != seconds for submission, seconds in before.items())
    found = reports(out)
    names = sorted(name for name in {*found, *batch.expected} if found.get(name) != batch.expected.get(name))
    figures.different += [f"run {number}, {batch.submissions.name}, {kind}: {name}" for name in names]
    shutil.rmtree(out)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures; exit code 1 where anything was lost, differs or stayed."""
    parser = argparse.ArgumentParser(description="Kill batches, resume them, and compare.")
    parser.add_argument("runs", type=int, nargs="?", default=30)
    parser.add_argument("lc3", type=int, nargs="?", default=60)
    parser.add_argument("c", type=int, nargs="?", default=20)
    parser.add_argument("--lc3-spec", default=str(ROOT / "tests/batch/small.yaml"))
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    chance, figures = random.Random(given.seed), Figures()
    with tempfile.TemporaryDirectory(prefix="kill-loop-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        temporary = folder / "temporary"
        temporary.mkdir(mode=0o711)
        batches = []
        c_spec = folder / "adds.yaml"
        c_spec.write_text(C_SPEC)
        c_programs = [program.encode() for program in C_PROGRAMS]
        for spec, programs, file, remark, count in (
            (given.lc3_spec, lc3_programs(), "nim.asm", ";", given.lc3),
            (str(c_spec), c_programs, "main.c", "//", given.c),
        ):
            submissions = make(folder / file, programs, file, remark, count)
            expected = folder / f"expected-{file}"
            began = time.monotonic()
            finish(spec, submissions, expected, temporary)
            seconds = time.monotonic() - began
            batches.append(Batch(spec, submissions, reports(expected), seconds))
            print(f"{count} submissions of {file}, {seconds:.1f} s uninterrupted", flush=True)
        for number in range(given.runs):
            for turn, batch in enumerate(batches):
                kind = KINDS[(number + turn) % len(KINDS)]
                run(batch, number, kind, folder, chance, figures)
            print(f"run {number + 1}: {figures}", flush=True)
        figures.folders = len([*temporary.iterdir()])
    kills = ", ".join(f"{kind} {figures.kills[kind]}" for kind in KINDS)
    print(f"{given.runs} runs, {sum(figures.kills.values())} kills ({kills}), {figures.too_late} came too late")
    print(f"grades lost: {figures.lost}; outputs that differ: {len(figures.different)}", *figures.different, sep="\n  ")
    print(f"left behind: {figures.processes} processes, {figures.folders} folders")
    sys.exit(bool(figures.lost or figures.different or figures.processes or figures.folders))


if __name__ == "__main__":
    main()
