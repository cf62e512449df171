"""Native programs: a class of C and of Java submissions, beside what others need for the same cases.

    python -m benchmarks.native_speed [SUBMISSIONS]

Every submission is a program of twenty exchanges (benchmarks/native), made different by a comment; every case answers all of them
in another way.
The same cases also run, in the same run and on the same processors,

- by plain ``posix_spawn`` and pipes, without a cage, in one process like ours: the two take turns, submission by submission;
- by naive pexpect with its usual delays (a few cases, scaled);
- by check50 with its usual workers (three submissions, scaled), if it is installed.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pexpect

from grader.build import gcc
from grader.build.workshop import TOOL_LIMITS, Workshop
from grader.grading import Grading
from grader.results import Grade
from grader.sandbox import best_tier
from grader.spec.loader import load_assignment
from grader.submission import Form, Submission, SubmittedFile

HERE = Path(__file__).parent / "native"
CASES = 20
EXCHANGES = 20
PEXPECT_CASES = 2
CHECK50_SUBMISSIONS = 3


def answers(case: int) -> list[int]:
    """The input of a case: ones and twos, and in some places a number that is refused."""
    return [3 if (n + case) % 7 == 0 else 1 + (n >> (case % 4)) % 2 for n in range(EXCHANGES)]


def dialogue(case: int) -> list[tuple[str, str]]:
    """Each prompt with what is printed before it, and the answer; the last has none."""
    said = ""
    turns = []
    for number, answer in enumerate(answers(case)):
        turns.append((f"{said}{40 - 2 * number} left. Take one or two? ", str(answer)))
        said = "No.\nYou took 2.\n" if answer == 3 else f"You took {answer}.\n"
    return [*turns, (f"{said}Done.\n", "")]


def spec(folder: Path, language: str, source: str) -> Path:
    """A spec of so many transcripts."""
    lines = [
        "assignment: countdown", "title: Countdown", f"submission: {{required: [{source}]}}",
        f"program: {{language: {language}, sources: [{source}]}}", "text: {echo: terminal}",
        "rubric: [{id: all, title: All, points: 1}]", "cases:",
    ]  # fmt: skip
    for case in range(CASES):
        lines += [f"  - id: case-{case}", "    title: A dialogue", "    criterion: all", "    transcript: |+"]
        text = "".join(f"{said}‹{typed}›\n" if typed else said for said, typed in dialogue(case))
        lines += [*(f"      {line}" for line in text.splitlines()), ""]
    path = folder / f"{language}.yaml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def submissions(source: str, count: int) -> list[Submission]:
    """So many submissions, no two alike."""
    program = (HERE / source).read_bytes()
    files = (SubmittedFile(source, program + f"\n// {number}\n".encode()) for number in range(count))
    return [Submission(f"s{n}", f"S{n}", (file,), form=Form.FILE) for n, file in enumerate(files)]


def timed(do: Callable[[], object]) -> float:
    """Seconds that something takes."""
    began = time.perf_counter()
    do()
    return time.perf_counter() - began


def grade_all(grading: Grading, given: list[Submission]) -> None:
    """Grade each; every one must be accepted in every case."""
    for submission in given:
        grade: Grade = grading.grade(submission)
        assert grade.score == 1, [f.message for case in grade.cases for f in case.findings]


def ours(folder: Path, language: str, source: str, count: int, beside: Callable[[], object] = lambda: None) -> float:
    """Grade so many submissions twice, the second time with every product kept; print what a case takes.

    The second time ``beside`` is done after each submission; returns the seconds that it took in all.
    """
    os.environ["XDG_CACHE_HOME"] = str(folder / f"cache-{language}")
    given = submissions(source, count)
    again = other = 0.0
    with Grading(load_assignment(spec(folder, language, source))) as grading:
        grade_all(grading, submissions(source, 1))
        first = timed(lambda: grade_all(grading, given))
        for one in given:
            again += timed(functools.partial(grade_all, grading, [one]))
            other += timed(beside)
    runs = count * CASES
    print(f"{language:5} {count} submissions x {CASES} cases, tier {best_tier()}: {first:6.1f} s, again without a compiler "
          f"{again:6.1f} s, {1000 * again / runs:5.2f} ms a case, compiling {1000 * (first - again) / count:5.1f} ms each")  # fmt: skip
    RESULTS[language] = (first, again)
    return other


RESULTS: dict[str, tuple[float, float]] = {}


def compiled(folder: Path) -> Path:
    """The C program as the grader builds it, which shows a prompt over pipes."""
    source = {"countdown.c": (HERE / "countdown.c").read_bytes()}
    workshop = Workshop(best_tier(), None)
    with workshop.cage().furnish({**gcc.our_part(workshop, "c", ()).files, **source}) as cage:
        made = gcc.linked(cage, "c", (), ("countdown.c",))
    path = folder / "countdown"
    path.write_bytes(next(iter(made.files.values())))
    path.chmod(0o755)
    assert TOOL_LIMITS.cpu
    return path


def spawned(program: Path, case: int) -> None:
    """One case by posix_spawn and pipes, by a harness that knows how each prompt ends."""
    in_read, in_write = os.pipe()
    out_read, out_write = os.pipe()
    actions = [(os.POSIX_SPAWN_DUP2, in_read, 0), (os.POSIX_SPAWN_DUP2, out_write, 1)]
    actions += [(os.POSIX_SPAWN_CLOSE, fd) for fd in (in_read, in_write, out_read, out_write)]
    child = os.posix_spawn(program, [str(program)], {}, file_actions=actions)
    os.close(in_read)
    os.close(out_write)
    for said, typed in dialogue(case):
        heard = b""
        while len(heard) < len(said):
            heard += os.read(out_read, 65536)
        assert heard.decode() == said
        if typed:
            os.write(in_write, f"{typed}\n".encode())
    os.close(in_write)
    os.close(out_read)
    os.waitpid(child, 0)


def naive(program: Path, case: int) -> None:
    """One case by pexpect as its manual begins."""
    child = pexpect.spawn(str(program))
    for said, typed in dialogue(case):
        child.expect_exact(said.splitlines()[-1])
        if typed:
            child.sendline(typed)
    child.expect(pexpect.EOF)
    child.close()


def check50(folder: Path) -> float | None:
    """Seconds for a submission by check50 with its usual workers; None where it is not installed."""
    command = shutil.which("check50", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if command is None:
        return None
    checks = folder / "checks"
    checks.mkdir()
    lines = [
        "import check50, check50.c",
        "@check50.check()",
        "def compiles():",
        "    check50.c.compile('countdown.c', cc='gcc')",
    ]
    for case in range(CASES):
        lines += ["@check50.check(compiles)", f"def case_{case}():", f"    'case {case}'", "    check50.run('./countdown')"
                  + "".join(f".stdout({_last(said)!r}, regex=False)" + (f".stdin({typed!r}, prompt=False)" if typed else "")
                            for said, typed in dialogue(case)) + ".exit(0)"]  # fmt: skip
    (checks / "__init__.py").write_text("\n".join(lines) + "\n")
    (checks / ".cs50.yml").write_text("check50: true\n")
    took = 0.0
    for number in range(CHECK50_SUBMISSIONS):
        work = folder / f"check50-{number}"
        work.mkdir()
        (work / "countdown.c").write_bytes((HERE / "countdown.c").read_bytes() + f"\n// {number}\n".encode())
        began = time.perf_counter()
        done = subprocess.run(
            [command, "--dev", "-o", "json", "--", str(checks)], cwd=work, capture_output=True, text=True, check=False
        )
        took += time.perf_counter() - began
        assert done.stdout.count('"passed": true') == CASES + 1, done.stdout[-2000:] + done.stderr[-2000:]
    return took / CHECK50_SUBMISSIONS


def _last(said: str) -> str:
    return said.splitlines()[-1]


def main() -> None:
    """Measure, and print ratios."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = compiled(folder)
        plain = ours(folder, "c", "countdown.c", count, lambda: [spawned(program, case) for case in range(CASES)])
        runs = count * CASES
        first, again = RESULTS["c"]
        print(
            f"plain posix_spawn of the same cases: {plain:6.1f} s, {1000 * plain / runs:5.2f} ms a case; ours is {again / plain:4.2f} x"
        )
        slow = timed(lambda: [naive(program, case) for case in range(PEXPECT_CASES)]) / PEXPECT_CASES
        print(
            f"naive pexpect: {slow * runs:6.0f} s ({PEXPECT_CASES} cases, scaled), {slow * runs / first:5.0f} x ours with compiling"
        )
        theirs = check50(folder)
        if theirs is None:
            print("check50 is not installed: make bench installs it")
        else:
            print(
                f"check50: {theirs * count:6.0f} s ({CHECK50_SUBMISSIONS} submissions, scaled), {theirs * count / first:5.0f} x ours with compiling"
            )
        ours(folder, "java", "Countdown.java", max(1, count // 10))


if __name__ == "__main__":
    main()
