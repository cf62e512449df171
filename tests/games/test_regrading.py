"""A correction beside a batch: the programs with that wording are graded again as staff say, and no others are."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
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
from tests.graded import grades_in
from tests.intake.archives import Piece, make_zip

ROOT = Path(__file__).parents[2]
PILES = ROOT / "fixtures" / "lc3-nim" / "wrong-answer" / "piles-are-numbers-and-taken-by-digits" / "submission"

linux = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is for Linux alone")


def spec_of_winners(folder: Path) -> Path:
    """The spec of the game in C with nothing but the case on winners and those that it looks at."""
    spec = yaml.safe_load((ROOT / "specs" / "c-nim.yaml").read_text(encoding="utf-8"))
    wanted = (
        "compiles", "plays", "boards", "heaps", "legal-moves", "computer-moves", "over", "ends-of-games", "winner",
    )  # fmt: skip
    spec["cases"] = [{**case, "criterion": "format"} for case in spec["cases"] if case["id"] in wanted]
    for case in spec["cases"]:
        case.pop("defect", None)
    spec["games"] = {name: spec["games"][name] for name in ("wrong", "legal")}
    spec["rubric"] = [{"id": "format", "points": 9, "title": "All of it"}]
    (folder / "specs").mkdir()
    (folder / "reference").symlink_to(ROOT / "reference")
    (folder / "specs" / "c-nim.yaml").write_text(yaml.safe_dump(spec, sort_keys=False), encoding="utf-8")
    return folder / "specs" / "c-nim.yaml"


@dataclass(frozen=True)
class Class:
    """A right program, and what becomes of those who have won in two others, which say it in words that name nobody."""

    program: Path
    words: Mapping[str, str]
    """The usual words, and those of the others."""
    exchange: tuple[str, str]
    """The change of the third program, which says it of the wrong player."""
    before: str
    """The verdict on the second as long as nobody has said what its words mean."""
    means: Mapping[str, str]
    """What staff say of them."""

    def hand_in(self, folder: Path) -> Path:
        """All three in a folder."""
        usual = self.program.read_text()
        odd = usual
        for before, after in self.words.items():
            odd = odd.replace(before, after)
        folder.mkdir()
        for name, text in (("usual", usual), ("odd", odd), ("wrong", exchanged(odd, *self.exchange))):
            (folder / f"{name}.zip").write_bytes(make_zip(Piece(self.program.name.encode(), text.encode())))
        return folder


def exchanged(text: str, one: str, other: str) -> str:
    """A text with each of two words in the place of the other."""
    assert one in text
    return other.join(part.replace(other, one) for part in text.split(one))


HEAPS = Class(
    ROOT / "fixtures/c-nim/wrong-answer/in-german/submission/main.c",
    {"Du hast gewonnen!": "Hurra!", "Der Rechner hat gewonnen!": "Oh weh!"},
    ("Hurra!", "Oh weh!"),
    "accepted",
    {"wins-user": "Hurra!", "wins-program": "Oh weh!"},
)
"""“Hurra” for the winner is believed, and “Oh weh” is not."""
PILE = Class(
    ROOT / "fixtures/pile-nim/accepted/python-class-with-a-bot/submission/nim.py",
    {"the bot wins!": "steel rules", "you beat the bot!": "flesh rules"},
    ("steel rules", "flesh rules"),
    "needs-review",
    {"wins-user": "Game over - flesh rules", "wins-program": "Game over - steel rules"},
)


def judged(out: Path) -> dict[str, tuple[str, str]]:
    """The wording of each submission, and the verdict of the case on winners."""
    return {
        name: (grade["wording"], next(case["verdict"] for case in grade["cases"] if case["id"] == "winner"))
        for name, grade in grades_in(out).items()
    }


@linux
@pytest.mark.usefixtures("products")
@pytest.mark.parametrize("of", [HEAPS, PILE], ids=["heaps", "pile"])
def test_a_correction_grades_its_wording_again_and_no_other(of: Class, tmp_path: Path) -> None:
    """When a person has said whom the words name, both programs with them are judged by that; a typing error is named, and changes no grade."""
    submissions, out = of.hand_in(tmp_path / "submissions"), tmp_path / "out"
    spec = spec_of_winners(tmp_path) if of is HEAPS else ROOT / "specs/pile-nim.yaml"

    def batch(set_: Mapping[str, Mapping[str, str]]) -> tuple[int, int]:
        out.mkdir(exist_ok=True)
        (out / FILE_NAME).write_text(yaml.safe_dump(dict(set_)))
        summary = run_batch(Call(spec, [submissions], out, jobs=1))
        return summary.graded, summary.resumed

    assert batch({}) == (3, 0)
    before = judged(out)
    assert {name: verdict for name, (_, verdict) in before.items()} == {
        "usual": "accepted",
        "odd": of.before,
        "wrong": "needs-review",
    }
    usual, odd = before["usual"][0], before["odd"][0]
    assert odd == before["wrong"][0] != usual

    assert batch({odd: of.means}) == (2, 1)
    after = judged(out)
    assert after == {"usual": (usual, "accepted"), "odd": (odd, "accepted"), "wrong": (odd, "wrong-answer")}
    assert (grades_in(out)["odd"]["score"] == 100) is (of is PILE)
    assert batch({odd: of.means}) == (0, 3)

    scores = {name: grade["score"] for name, grade in grades_in(out).items()}
    mistyped = {odd: of.means, usual: {"winner": "you"}}
    assert batch(mistyped) == (1, 2)
    assert (judged(out), {name: grade["score"] for name, grade in grades_in(out).items()}) == (after, scores)
    assert "the correction of `winner` is not followed" in " ".join(grades_in(out)["usual"]["review"])
    assert batch(mistyped) == (0, 3)


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
