"""The questions of a page to Python, asked here: the same functions run in the browser."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from grader.bundled import spec_path
from grader.kit.browser import Checker, assemble, text_of
from grader.kit.web import ABSENT

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.mark.parametrize("name", ["macros-to-include", "functions-in-a-second-file", "the-data-in-a-second-file"])
def test_a_program_in_several_files_is_assembled_as_one(name: str, tmp_path: Path) -> None:
    """An included file is no part of its own."""
    sources = sorted((FIXTURES / f"mips-connect4/accepted/handed-in-with-{name}/submission").rglob("*.*"))
    assert len(sources) > 1
    for source in sources:  # a page has them side by side
        (tmp_path / source.name).write_bytes(source.read_bytes())
    said = json.loads(assemble(str(tmp_path), [source.name for source in sources], "mips", "mars", ""))
    assert said["assembled"], said
    assert {message["severity"] for message in said["messages"]} <= {"warning", "note"}


def test_a_message_has_its_place_and_its_hint() -> None:
    """In the terms of an editor: a line, a column and where it ends."""
    folder = FIXTURES / "lc3-nim/compile-error/label-is-not-defined/submission"
    said = json.loads(assemble(str(folder), ["nim.asm"], "lc3", "default", ""))
    assert said["assembled"] is False
    assert said["messages"] == [
        {
            "file": "nim.asm",
            "line": 16,
            "column": 14,
            "end": 19,
            "severity": "error",
            "message": "there is no label RERTY",
            "hint": "did you mean RETRY?",
        }
    ]


def test_several_files_of_an_lc3_program_are_a_message() -> None:
    """And no fault of ours."""
    folder = FIXTURES / "lc3-nim/compile-error/label-is-not-defined/submission"
    said = json.loads(assemble(str(folder), ["nim.asm", "nim.asm "[:-1]], "lc3", "default", ""))
    assert said["assembled"] is False


def test_the_editor_shows_a_source_in_any_encoding() -> None:
    """Chinese comments in GBK, as they were meant."""
    folder = next((FIXTURES / "lc3-nim/accepted/chinese-comments-in-gbk").glob("submission"))
    text = text_of(str(folder), "nim.asm")
    assert "\ufffd" not in text
    assert not text.isascii()


def test_each_case_is_heard_before_the_report() -> None:
    """In the order in which they are judged; the report has the same, and what shows a failed run again."""
    heard: list[str] = []
    checker = Checker(str(spec_path("lc3-nim")))
    program = FIXTURES / "lc3-nim/runtime-error/return-address-was-never-stored/submission/nim.asm"
    report = json.loads(checker.check(str(program), heard.append))
    record = json.loads(checker.record())
    assert len(heard) == checker.cases == len(record["cases"])
    assert sorted(json.loads(one)["title"] for one in heard) == sorted(case["title"] for case in record["cases"])
    assert report["lost"] is True
    assert report["page"].startswith("<!doctype html>")
    again = {case["again"] for case in record["cases"]} - {""}
    assert again == set(report["replay"])
    assert all(command.startswith("grader run nim.asm") for command in again)


def test_a_program_that_is_not_built_cannot_be_played() -> None:
    """The terminal says why."""
    checker = Checker(str(spec_path("lc3-nim")))
    program = FIXTURES / "lc3-nim/compile-error/label-is-not-defined/submission/nim.asm"
    said = json.loads(checker.play(str(program), "", -1).go())
    assert "RERTY" in said["ended"]


def test_an_ending_is_told_in_the_terminal() -> None:
    """A good one in a sentence."""
    checker = Checker(str(spec_path("lc3-nim")))
    program = FIXTURES / "lc3-nim/accepted/board-as-strings/submission/nim.asm"
    play = checker.play(str(program), "", -1)
    assert json.loads(play.go())["wants"] == "key"
    assert json.loads(play.go("A3B5C8"))["ended"] == "The program has ended."


def test_no_clock_ends_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser is slow, and how slow is no fault of a program: instructions alone are counted."""
    monkeypatch.setattr("time.process_time", count(step=1000).__next__)
    program = FIXTURES / "lc3-nim/runtime-error/return-address-was-never-stored/submission/nim.asm"
    checker = Checker(str(spec_path("lc3-nim")))
    checker.check(str(program), print)
    assert "used up its budget" not in checker.record()


def test_a_page_needs_no_part_that_is_left_out():
    """A page has no cage: an import of one part of it, far below, kept every page from loading."""
    code = f"""
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.startswith({tuple("grader." + one.removesuffix(".py") for one in ABSENT if "/" not in one)!r}):
            raise ImportError(name)

sys.meta_path.insert(0, Absent())
import grader.kit.browser, grader.grading
"""
    subprocess.run([sys.executable, "-c", code], check=True)
