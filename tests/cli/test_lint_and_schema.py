"""``grader lint`` and ``grader schema`` as their users call them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.bundled import specs_folder
from tests.commands import run_text as grader
from tests.grading.small import SPEC, assignment

RIGHT = specs_folder() / "examples/lc3-lines/lc3-lines.yaml"


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A spec with two problems."""
    path = tmp_path / "wrong.yaml"
    path.write_text("assignment: Wrong\ntitel: x\n", encoding="utf-8")
    return path


def test_a_right_spec_is_one_line_and_exit_0(tmp_path: Path) -> None:
    """With how many cases and points it has.

    Another names the command for its fixtures, or says that it has no fixtures.
    """
    done = grader("lint", RIGHT)
    assert (done.returncode, done.stderr) == (0, "")
    first, second = done.stdout.splitlines()
    assert first.startswith("lc3-lines: no problems, ")
    assert first.endswith(" cases, 100 points")
    assert second == f"9 fixtures: `grader fixtures {RIGHT}` grades them"
    for name in ("lc3-lines.yaml", "tests"):
        where = Path(RIGHT).parent / name
        (shutil.copytree if where.is_dir() else shutil.copy)(where, tmp_path / name)
    alone = grader("lint", tmp_path / "lc3-lines.yaml").stdout.splitlines()
    assert alone == [first, "no fixtures: programs with a declared grade show whether the spec is right"]


def test_problems_have_places_and_exit_3(wrong: Path) -> None:
    """Each is a line that editors and CI systems read; a second spec is still looked at."""
    done = grader("lint", wrong, RIGHT)
    lines = done.stdout.splitlines()
    assert done.returncode == 3
    assert f"{wrong}:2:1: there is no key `titel` here (did you mean `title`?)" in lines
    assert [line.split(", ")[0] for line in lines[:-1] if not line.startswith(str(wrong))] == [
        "wrong: 6 problems",
        "lc3-lines: no problems",
    ]


def test_warnings_say_so_and_exit_0(tmp_path: Path) -> None:
    """They stop nobody."""
    assignment(tmp_path, SPEC.replace("play: a b}", "play: a q a}"))
    done = grader("lint", tmp_path / "small.yaml")
    assert done.returncode == 0
    assert ": warning: the reference has ended before input 3, 'a': it is never typed (remove it)\n" in done.stdout
    assert "small: 1 warning, " in done.stdout


def test_a_spec_that_is_not_there_is_wrong_usage() -> None:
    """Exit 2 with a hint."""
    done = grader("lint", "lc3-nmi")
    assert (done.returncode, done.stdout) == (2, "")
    assert "lc3-nim" in done.stderr
    assert grader("lint").returncode == 2


def test_the_schema_is_printed_as_it_is_kept() -> None:
    """Editors are pointed at the same schema that the command prints."""
    done = grader("schema")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (specs_folder() / "schema.json").read_text(encoding="utf-8")
