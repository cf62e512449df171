"""Runs of a batch seen again: the commands on its pages work as they stand."""

from __future__ import annotations

import json
import shlex
import shutil
from contextlib import chdir
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from click.testing import CliRunner

from grader.batch.runner import run_batch
from grader.batch.values import Call
from grader.cli.main import cli
from grader.errors import UsageError
from tests.batch.test_native import GOOD
from tests.batch.test_native import SPEC as C_SPEC
from tests.batch.test_runner import ROOT, SPEC, archive
from tests.commands import run_text

LOUD = (
    (ROOT / "fixtures/lc3-nim/accepted/lower-case-source/submission/nim.asm").read_bytes().replace(b"Player", b"PLAYER")
)


def again(out: Path, number: int = 0) -> str:
    """The first command in the record of a submission."""
    grade = json.loads((out / "grades.json").read_bytes())["grades"][number]
    return next(case["again"] for case in grade["cases"] if case["again"])


def run(command: str, folder: Path) -> CompletedProcess[str]:
    """The result of a command that was copied from a page, in a terminal in this folder."""
    program, *words = shlex.split(command)
    assert program == "grader"
    with chdir(folder):
        return run_text(*words)


def test_what_an_archive_of_a_batch_holds_is_run_again(tmp_path):
    """The command names batch and student, and neither the archive nor the spec, which is one of the course's own."""
    folder, out = tmp_path / "submissions", tmp_path / "out"
    folder.mkdir()
    (folder / "PB00000001.zip").write_bytes(archive(1, LOUD))
    run_batch(Call(SPEC, [folder], out, jobs=1))
    command = again(out)
    assert command.startswith("grader run --batch . PB00000001")
    assert "PLAYER" in run(command, out).stdout
    assert command in (out / "staff/PB00000001.html").read_text("utf-8")
    assert "--batch" not in (out / "students/PB00000001.html").read_text("utf-8")


def test_programs_in_c_are_run_again_too(tmp_path):
    """A folder with a program in C, by a spec in a file."""
    folder, out, spec = tmp_path / "submissions", tmp_path / "out", tmp_path / "adds.yaml"
    (folder / "PB00000001").mkdir(parents=True)
    (folder / "PB00000001/main.c").write_text(GOOD)
    spec.write_text(C_SPEC)
    run_batch(Call(spec, [folder], out, jobs=1, unsafe=True))
    done = run(again(out), out)
    assert (done.stdout, done.returncode) == ("Name? Hello, Ann\n", 0)


@pytest.mark.parametrize(("wanted", "said"), [("PB", "several"), ("nobody", "nobody in this batch")])
def test_a_student_is_found_by_a_part_of_the_name_if_no_other_has_it(tmp_path, wanted, said):
    """Otherwise it is said what is wrong, with the names it could be."""
    folder, out = tmp_path / "submissions", tmp_path / "out"
    folder.mkdir()
    for number in (1, 2):
        (folder / f"PB0000000{number}.zip").write_bytes(archive(number, LOUD))
    run_batch(Call(SPEC, [folder], out, jobs=1))
    with pytest.raises(UsageError, match=said):
        CliRunner().invoke(cli, ["run", "--batch", str(out), wanted], catch_exceptions=False, standalone_mode=False)
    assert "PLAYER" in run("grader run --batch . 001 --input A1", out).stdout


def test_it_is_said_where_what_was_handed_in_is_gone(tmp_path):
    """Nothing is run, and the place is named where it was."""
    folder, out = tmp_path / "submissions", tmp_path / "out"
    folder.mkdir()
    (folder / "PB00000001.zip").write_bytes(archive(1, LOUD))
    run_batch(Call(SPEC, [folder], out, jobs=1))
    shutil.rmtree(folder)
    with pytest.raises(UsageError, match="no longer where"):
        CliRunner().invoke(
            cli, ["run", "--batch", str(out), "PB00000001"], catch_exceptions=False, standalone_mode=False
        )
