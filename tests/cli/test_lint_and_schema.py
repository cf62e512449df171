"""``grader lint`` and ``grader schema`` as their users call them."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from grader.bundled import specs_folder
from tests.commands import run_text as grader

RIGHT = specs_folder() / "examples/lc3-lines/lc3-lines.yaml"


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A spec with two problems."""
    path = tmp_path / "wrong.yaml"
    path.write_text("assignment: Wrong\ntitel: x\n", encoding="utf-8")
    return path


def test_a_right_spec_is_one_line_and_exit_0() -> None:
    """With how many cases and points it has."""
    done = grader("lint", RIGHT)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("lc3-lines: no problems, ")
    assert done.stdout.endswith(" cases, 100 points\n")


def test_problems_have_places_and_exit_3(wrong: Path) -> None:
    """Each is a line that editors and CI systems read; a second spec is looked at all the same."""
    done = grader("lint", wrong, RIGHT)
    lines = done.stdout.splitlines()
    assert done.returncode == 3
    assert f"{wrong}:2:1: there is no key `titel` here (did you mean `title`?)" in lines
    assert [line.split(", ")[0] for line in lines if not line.startswith(str(wrong))] == [
        "wrong: 6 problems",
        "lc3-lines: no problems",
    ]


def test_warnings_say_so_and_exit_0(tmp_path: Path) -> None:
    """They stop nobody."""
    copytree(specs_folder().parent / "reference/lc3_nim", tmp_path / "lc3_nim")
    text = (specs_folder() / "lc3-nim.yaml").read_text(encoding="utf-8").replace("../reference/", "")
    path = tmp_path / "nim.yaml"
    path.write_text(text.replace("play: C1 A1\n", "play: A3 B5 C8 A1\n"), encoding="utf-8")
    done = grader("lint", path)
    assert done.returncode == 0
    assert ": warning: the reference has ended before input 4, 'A1': it is never typed (remove it)\n" in done.stdout
    assert "lc3-nim: 1 warning, " in done.stdout


def test_a_spec_that_is_not_there_is_wrong_usage() -> None:
    """Exit 2 with a hint."""
    done = grader("lint", "lc3-nmi")
    assert (done.returncode, done.stdout) == (2, "")
    assert "lc3-nim" in done.stderr
    assert grader("lint").returncode == 2


def test_the_schema_is_printed_as_it_is_kept() -> None:
    """What editors are pointed at is what the command prints."""
    done = grader("schema")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (specs_folder() / "schema.json").read_text(encoding="utf-8")
