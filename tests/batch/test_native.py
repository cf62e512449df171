"""Batches of programs that run in cages: where they were run, and that grades do not depend on how many run at once."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.batch import runner
from grader.batch.runner import run_batch
from grader.batch.summary import Summary
from grader.batch.values import Call
from grader.build import workshop
from grader.cli.main import cli
from grader.errors import UsageError
from grader.intake.source import Entry
from tests.batch.test_runner import reports, table
from tests.graded import grades_in
from tests.intake.archives import Piece, make_zip

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is for Linux alone"),
    pytest.mark.usefixtures("products"),
]

SPEC = """
assignment: hello
title: Says hello
submission: {required: [main.c]}
program: {language: c, sources: [main.c]}
limits: {cpu: 300 ms, wall: 1 s, memory: 32 MiB, output: 16 KiB, processes: 4}
rubric: [{id: talk, title: Says hello, points: 2}]
cases:
  - id: talk
    title: Says hello
    criterion: talk
    dialogue: [{expect: 'Name\\?'}, {send: Ann}, {expect: 'Hello, Ann'}, {ends: true}]
"""
GOOD = """
#include <stdio.h>
int main(void) { char name[20]; printf("Name? "); scanf("%19s", name); printf("Hello, %s\\n", name); return 0; }
"""
PROGRAMS = {
    "good": GOOD,
    "wrong": GOOD.replace("Hello", "Bye"),
    "silent": "int main(void) { return 0; }",
    "crash": GOOD.replace("return 0;", "return *(volatile int *)0;"),
    "spin": "int main(void) { for (;;); }",
    "sleep": "#include <unistd.h>\nint main(void) { for (;;) pause(); }",
    "flood": '#include <stdio.h>\nint main(void) { for (;;) puts("Name?"); }',
    "memory": "#include <stdlib.h>\n#include <string.h>\nint main(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }",
    "broken": "int main(void) { return 0 }",
}
VERDICTS = {
    "good": "accepted",
    "wrong": "wrong-answer",
    "silent": "wrong-answer",
    "crash": "runtime-error",
    "spin": "time-limit",
    "sleep": "time-limit",
    "flood": "output-limit",
    "memory": "memory-limit",
    "broken": "skipped",
    "nothing": "skipped",
}


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    """A spec of a C program with small limits."""
    path = tmp_path / "hello.yaml"
    path.write_text(SPEC)
    return path


@pytest.fixture
def submissions(tmp_path: Path) -> Path:
    """A zip for each program, and one without any."""
    folder = tmp_path / "submissions"
    folder.mkdir()
    for name, source in PROGRAMS.items():
        (folder / f"{name}.zip").write_bytes(make_zip(Piece(b"main.c", source.encode())))
    (folder / "nothing.zip").write_bytes(make_zip(Piece(b"readme.txt", b"sorry")))
    return folder


def test_reports_do_not_depend_on_the_number_of_workers(spec: Path, submissions: Path, tmp_path: Path) -> None:
    """One worker and four at once write the same bytes on programs that are right, wrong, crash, hang, flood or do not build."""
    one, four = tmp_path / "one", tmp_path / "four"
    run_batch(Call(spec, [submissions], one, jobs=1))
    run_batch(Call(spec, [submissions], four, jobs=4))
    assert reports(one) == reports(four)
    assert _verdicts(one) == VERDICTS


def _verdicts(out: Path) -> dict[str, str]:
    """The verdict of the case that talks, by submission."""
    return {name: grade["cases"][-1]["verdict"] for name, grade in grades_in(out).items()}


def test_a_batch_says_in_which_tier_it_ran(spec: Path, submissions: Path, tmp_path: Path) -> None:
    """The last lines, the index and the table name the tier; of what was not there to be run none."""
    summary = run_batch(Call(spec, [submissions], tmp_path / "out", jobs=2))
    ((tier, count),) = summary.conditions.tiers
    assert f"10 submissions graded, run in the sandbox tier {tier}" in summary.sentence()
    assert count == 9
    assert f"Run in the sandbox tier {tier}" in (tmp_path / "out" / "index.html").read_text("utf-8")
    lines = table(tmp_path / "out")
    assert (lines["good"]["sandbox"], lines["nothing"]["sandbox"]) == (tier, "")


def without_cages(assignment, **options) -> AbstractContextManager[Callable[[Entry], runner.Graded]]:
    """The work of a worker on a machine that cannot cage anything."""
    workshop.best_tier = lambda: workshop.Tier.BARE
    return _grading_of(assignment, **options)


_grading_of = runner.grading_of


def _uncaged(spec: Path, source: Path, out: Path, monkeypatch: pytest.MonkeyPatch, told: list[str]) -> Summary:
    """Grade on a machine that cannot cage anything."""
    with monkeypatch.context() as patched:
        patched.setattr(workshop, "best_tier", lambda: workshop.Tier.BARE)
        patched.setattr(runner, "grading_of", without_cages)
        return run_batch(Call(spec, [source], out, jobs=1, unsafe=True, warn=told.append))


def test_a_batch_without_cages_is_loud(spec: Path, submissions: Path, tmp_path: Path, monkeypatch) -> None:
    """It warns before anything runs, and says so again in the summary, the index and the table."""
    told: list[str] = []
    summary = _uncaged(spec, submissions / "good.zip", tmp_path / "out", monkeypatch, told)
    assert told == ["this machine has no sandbox for programs: submissions run with your own rights"]
    (concern,) = summary.conditions.concerns
    assert concern.grave
    assert "Without a sandbox: all 1 submission ran" in (tmp_path / "out" / "index.html").read_text("utf-8")
    assert [line["sandbox"] for line in table(tmp_path / "out").values()] == ["bare"]


def test_the_command_is_loud_even_when_quiet(spec: Path, submissions: Path, tmp_path: Path, monkeypatch) -> None:
    """``--quiet`` silences neither the warning before nor the one after."""
    monkeypatch.setattr(workshop, "best_tier", lambda: workshop.Tier.BARE)
    monkeypatch.setattr(runner, "grading_of", without_cages)
    words = ["batch", spec, submissions / "good.zip", "-o", tmp_path / "out", "--unsafe", "--quiet"]
    done = CliRunner().invoke(cli, [str(word) for word in words], standalone_mode=False)
    assert (done.exception, done.return_value) == (None, 0)
    assert "grader: this machine has no sandbox for programs" in done.output
    assert "grader: without a sandbox: all 1 submission" in done.output


def test_a_batch_that_cannot_keep_programs_says_so_once(
    spec: Path, submissions: Path, tmp_path: Path, monkeypatch
) -> None:
    """Nothing is lost but time, and the warning names the folder and another way."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    told: list[str] = []
    summary = run_batch(Call(spec, [submissions / "good.zip"], tmp_path / "out", jobs=1, warn=told.append))
    assert summary.judge_errors == ()
    assert [("cannot be kept" in one, "XDG_CACHE_HOME" in one) for one in told] == [(True, True)]


def test_a_caged_batch_warns_of_nothing(spec: Path, submissions: Path, tmp_path: Path) -> None:
    """With a cage, ``unsafe`` changes nothing."""
    told: list[str] = []
    summary = run_batch(Call(spec, [submissions / "good.zip"], tmp_path / "out", jobs=1, unsafe=True, warn=told.append))
    assert (told, summary.conditions.concerns) == ([], ())


def test_staff_commands_refuse_where_programs_could_read_the_key(
    spec: Path, submissions: Path, tmp_path: Path, monkeypatch
) -> None:
    """They ask whether the spec, what others handed in and the grades can be hidden; a student's own check asks nothing."""
    asked: list[set[Path]] = []

    def exposed(tier: object, hidden: tuple[Path, ...], readable: tuple[Path, ...]) -> tuple[Path, ...]:
        asked.append(set(hidden))
        return (spec.parent,)

    monkeypatch.setattr(workshop, "exposed", exposed)
    good, out = submissions / "good.zip", tmp_path / "out"
    for words in (["grade", spec, good], ["batch", spec, submissions, "-o", out]):
        done = CliRunner().invoke(cli, [str(word) for word in words], standalone_mode=False)
        assert isinstance(done.exception, UsageError)
        assert str(done.exception).startswith(f"{spec.parent}: programs could read what lies here")
    assert all({spec, spec.parent, submissions} <= hidden for hidden in asked)
    assert out in asked[1]
    assert not out.exists()
    assert CliRunner().invoke(cli, ["check", str(spec), str(good)], standalone_mode=False).return_value == 0
    assert len(asked) == 2
