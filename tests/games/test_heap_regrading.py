"""A correction of a program of heaps: it is graded again as staff say, under the same wording, and no other is."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from grader.batch.runner import run_batch
from grader.batch.values import Call
from grader.cli.main import cli
from grader.grading import Grading
from grader.intake.source import read_submission
from grader.results import Grade
from grader.spec.corrections import FILE_NAME, NONE, Corrections
from grader.spec.loader import load_assignment
from tests.intake.archives import Piece, make_zip

ROOT = Path(__file__).parents[2]
GERMAN = ROOT / "fixtures" / "c-nim" / "wrong-answer" / "in-german" / "submission" / "main.c"
PILES = ROOT / "fixtures" / "lc3-nim" / "wrong-answer" / "piles-are-numbers-and-taken-by-digits" / "submission"

linux = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is for Linux alone")


def spec_of_winners(folder: Path) -> Path:
    """The spec of the game in C with nothing but the case on winners and those that it looks at."""
    spec = yaml.safe_load((ROOT / "specs" / "c-nim.yaml").read_text(encoding="utf-8"))
    wanted = (
        "compiles",
        "plays",
        "boards",
        "heaps",
        "legal-moves",
        "computer-moves",
        "over",
        "ends-of-games",
        "winner",
    )
    spec["cases"] = [{**case, "criterion": "format"} for case in spec["cases"] if case["id"] in wanted]
    for case in spec["cases"]:
        case.pop("defect", None)
    spec["games"] = {name: spec["games"][name] for name in ("wrong", "legal")}
    spec["rubric"] = [{"id": "format", "points": 9, "title": "All of it"}]
    (folder / "specs").mkdir()
    (folder / "reference").symlink_to(ROOT / "reference")
    (folder / "specs" / "c-nim.yaml").write_text(yaml.safe_dump(spec, sort_keys=False), encoding="utf-8")
    return folder / "specs" / "c-nim.yaml"


def handed_in(folder: Path) -> Path:
    """A right program, and two that say who has won in words that name nobody: of these one says it of the wrong player."""
    source = GERMAN.read_text()
    user, computer = "Du hast gewonnen!", "Der Rechner hat gewonnen!"
    odd = source.replace(user, "Hurra!").replace(computer, "Oh weh!")
    wrong = source.replace(user, "Oh weh!").replace(computer, "Hurra!")
    assert len({source, odd, wrong}) == 3
    folder.mkdir()
    for name, text in (("usual", source), ("odd", odd), ("wrong", wrong)):
        (folder / f"{name}.zip").write_bytes(make_zip(Piece(b"main.c", text.encode())))
    return folder


def graded(out: Path) -> dict[str, tuple[str, str]]:
    """The wording of each submission, and the verdict of the case on winners."""
    grades = json.loads((out / "grades.json").read_bytes())["grades"]
    return {
        grade["submission"]: (
            grade["wording"],
            next(case["verdict"] for case in grade["cases"] if case["id"] == "winner"),
        )
        for grade in grades
    }


@linux
def test_a_correction_grades_its_wording_again_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """“Hurra” for the winner is believed, and “Oh weh” is not; when a person has said whom they name, both programs are judged by that."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    spec, submissions, out = spec_of_winners(tmp_path), handed_in(tmp_path / "submissions"), tmp_path / "out"
    run_batch(Call(spec, [submissions], out, jobs=1))
    before = graded(out)
    assert [before[name][1] for name in ("usual", "odd", "wrong")] == ["accepted", "accepted", "needs-review"]
    assert before["odd"][0] == before["wrong"][0] != before["usual"][0]

    set_ = {"wins-user": "Hurra!", "wins-program": "Oh weh!"}
    (out / FILE_NAME).write_text(yaml.safe_dump({before["odd"][0]: set_}))
    summary = run_batch(Call(spec, [submissions], out, jobs=1))
    assert (summary.graded, summary.resumed) == (2, 1)
    after = graded(out)
    assert [after[name][1] for name in ("usual", "odd", "wrong")] == ["accepted", "accepted", "wrong-answer"]
    assert {name: wording for name, (wording, _) in after.items()} == {name: one[0] for name, one in before.items()}


def piles(corrections: Corrections = NONE) -> Grade:
    """The grade of an LC-3 program in words of its own, without the cases that lead it into every position."""
    with Grading(load_assignment(ROOT / "specs" / "lc3-nim.yaml"), corrections=corrections) as grading:
        drawn = {case.id for case in grading.cases if getattr(case, "game", "") != "everywhere"}
        assert len(drawn) < len(grading.cases)
        return grading.grade(read_submission(PILES), only=drawn)


@pytest.mark.spare  # nine seconds; test_heap_corrections sets the same of smaller programs
def test_a_game_for_two_is_read_as_staff_say() -> None:
    """Whoever says that player O begins sees the wrong player begin; the wording stays what it was."""
    before = piles()
    assert {lesson.key: lesson.value for lesson in before.learned} == {
        "move": "31",
        "heaps": "first <a>, second <b>, third <c>",
        "players": "X / O",
        "refusal": "does not that work",
    }
    after = piles({before.wording: {"players": "O / X"}})
    assert after.wording == before.wording
    assert [lesson.value for lesson in after.learned if lesson.corrected] == ["O / X"]
    assert after.score < before.score
    unheeded = piles({before.wording: {"players": "red / blue", "winner": "X"}})
    assert unheeded.score == before.score
    assert set(unheeded.review) - set(before.review) == {
        "the correction of `winner` is not followed: there is no such key; what can be set is move, heaps, players, refusal",
        "the correction of `players` is not followed: it asks X and O",
    }


def test_explore_prints_what_was_learned_and_the_map() -> None:
    """The table can be copied into a file of corrections."""
    result = CliRunner().invoke(cli, ["explore", str(PILES), "--spec", str(ROOT / "specs" / "lc3-nim.yaml")])
    assert result.exit_code == 0
    assert "  players: X / O\n" in result.output
    assert "“It is up to X. Pile and number:”" in result.output


@linux
def test_explore_says_where_nothing_had_to_be_learned() -> None:
    """A program in the words of the assignment is read by the patterns of its spec."""
    program = ROOT / "fixtures" / "c-nim" / "accepted" / "struct-and-unbuffered" / "submission"
    result = CliRunner().invoke(cli, ["explore", str(program), "--spec", str(ROOT / "specs" / "c-nim.yaml")])
    assert result.exit_code == 0
    assert "nothing of its words had to be learned" in result.output
    assert "Do you want to play again? (y/n)" in result.output


@linux
def test_explore_says_where_no_game_could_be_played() -> None:
    """A spec whose words are free has no patterns that could have read the program."""
    program = ROOT / "fixtures" / "pile-nim" / "not-shown" / "says-hello-and-ends" / "submission"
    result = CliRunner().invoke(cli, ["explore", str(program), "--spec", str(ROOT / "specs" / "pile-nim.yaml")])
    assert "No game could be played with it" in result.output
    assert "patterns of the spec" not in result.output
