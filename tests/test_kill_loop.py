"""Classes that are graded while compilers, Java machines and students' programs are killed, or while memory is short.

Only open points may make a grade differ from that of an undisturbed run, and no fault but the student's is kept. The
same command, left alone, comes to the undisturbed grades.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.errors import EXIT_JUDGE
from tests.graded import grades_in
from tests.killing import cgroup, processes

pytestmark = [
    pytest.mark.spare,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is for Linux alone"),
    pytest.mark.xdist_group("kill loop"),
]

ROOT = Path(__file__).resolve().parents[1]
KILLS = 20
CLASSES = {
    "c-nim": ["accepted/reads-by-getchar", "accepted/fgets-and-sscanf", "accepted/heaps-in-an-array"],
    "pile-nim": ["accepted/cpp-cin-and-cout", "accepted/python-class-with-a-bot", "accepted/java-scanner-in-main"],
    "java-nim": ["accepted/scanner-and-static-methods", "accepted/in-a-package"],
}
BIG_CPP = "#include <bits/stdc++.h>\n"  # 200 MB for the compiler alone


@dataclass(frozen=True)
class Batch:
    """One class, and the grades of an undisturbed run."""

    spec: str
    submissions: Path
    scores: dict[str, int]


def compiler(line: str) -> bool:
    """Whether this is a part of gcc, our check of a Python program, or the compile server of Java."""
    name = Path(line.partition(" ")[0]).name
    return name in ("cc1", "cc1plus", "as", "ld", "collect2") or "ast.parse" in line or "CompileServer" in line


def machine(line: str) -> bool:
    """Whether this is a Java machine that runs a student's program."""
    return "host.CaseHost" in line or "program.jar" in line


def program(line: str) -> bool:
    """Whether this is a student's program in C, C++ or Python."""
    return line.startswith("./grader_program") or "__file__ := " in line


def grade(batch: str, submissions: Path, out: Path, cache: Path, before: tuple[str, ...] = ()) -> int:
    """The exit code of a batch; ``before`` are commands of a shell that come first."""
    command = [sys.executable, "-m", "grader", "batch", batch, str(submissions), "-o", str(out), "-j", "2", "-q"]
    if before:
        command = ["sh", "-c", " && ".join((*before, 'exec "$@"')), "sh", *command]
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False).returncode


def grades(out: Path) -> dict[str, tuple[int, bool]]:
    """The points of each submission, and whether nothing is open by our failure: some criteria a person judges."""
    return {
        name: (one["score"], all(case["verdict"] != "judge-error" for case in one["cases"]))
        for name, one in grades_in(out).items()
    }


@pytest.fixture(scope="module", params=CLASSES)
def batch(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Batch:
    """A class in which each program was handed in twice, with another last line."""
    folder = tmp_path_factory.mktemp(request.param)
    for name in CLASSES[request.param]:
        for number in range(2):
            student = folder / "class" / f"{Path(name).name}-{number}"
            source = ROOT / "fixtures" / request.param / name / "submission"
            for file in sorted(path for path in source.rglob("*") if path.is_file()):
                target = student / file.relative_to(source)
                target.parent.mkdir(parents=True, exist_ok=True)
                remark = f"\n{'#' if file.suffix == '.py' else '//'} {number}\n".encode()
                data = file.read_bytes() + (remark if file.suffix in (".c", ".cpp", ".java", ".py") else b"")
                target.write_bytes(BIG_CPP.encode() + data if file.suffix == ".cpp" else data)
    assert grade(request.param, folder / "class", folder / "quiet", folder / "quiet-cache") == 0
    return Batch(
        request.param, folder / "class", {name: score for name, (score, _) in grades(folder / "quiet").items()}
    )


@contextmanager
def random_killer(whom: Callable[[str], bool], chance: random.Random) -> Iterator[list[int]]:
    """Kill one of those that are wanted now and then, until it were enough."""
    over, kills = threading.Event(), [0]

    def watch() -> None:
        while not over.is_set() and kills[0] < KILLS:
            time.sleep(chance.uniform(0, 1))
            there = list(processes(whom))
            if there:
                with suppress(ProcessLookupError):
                    os.kill(chance.choice(there), signal.SIGKILL)
                    kills[0] += 1

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield kills
    finally:
        over.set()
        thread.join()


@pytest.mark.parametrize("whom", [compiler, machine, program])
def test_no_kill_costs_a_point(batch, tmp_path, whom):
    """Twenty kills, at instants that nobody chose: each grade is that of the undisturbed run, or its points are open and the end is 4."""
    if whom is machine and batch.spec == "c-nim":
        pytest.skip("no Java machine runs programs in C")
    if whom is program and batch.spec == "java-nim":
        pytest.skip("the Java machines are the programs")
    cache, chance, killed = tmp_path / "cache", random.Random(1), 0
    for number in range(2 * KILLS):
        out = tmp_path / f"out{number}"
        with random_killer(whom, chance) as kills:
            code = grade(batch.spec, batch.submissions, out, cache if number % 2 else tmp_path / f"cache{number}")
        killed += kills[0]
        compare(batch, out, code)
        if killed >= KILLS:
            break
    assert killed >= KILLS
    assert grade(batch.spec, batch.submissions, out, cache) == 0
    assert grade(batch.spec, batch.submissions, tmp_path / "after", cache) == 0
    for folder in (out, tmp_path / "after"):
        assert grades(folder) == {name: (score, True) for name, score in batch.scores.items()}


@pytest.mark.parametrize("mebibytes", [200, 260, 320])
def test_little_memory_costs_no_point(batch, tmp_path, mebibytes):
    """In a cgroup that is too small the grades are those of the undisturbed run or open, or the batch is killed; then it goes on."""
    with cgroup("memory", mebibytes << 20) as join:
        code = grade(batch.spec, batch.submissions, tmp_path / "out", tmp_path / "cache", (join,))
    if code not in (-signal.SIGKILL, 128 + signal.SIGKILL):
        compare(batch, tmp_path / "out", code)
    assert grade(batch.spec, batch.submissions, tmp_path / "out", tmp_path / "cache") == 0
    assert grades(tmp_path / "out") == {name: (score, True) for name, score in batch.scores.items()}


def compare(batch: Batch, out: Path, code: int) -> None:
    """Hold a batch to the undisturbed one."""
    found = grades(out)
    assert found.keys() == batch.scores.keys()
    lost = {name: score for name, (score, judged) in found.items() if judged and score != batch.scores[name]}
    assert not lost, f"of {batch.scores}"
    assert code == (0 if all(judged for _, judged in found.values()) else EXIT_JUDGE)
