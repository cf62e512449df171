"""`grader new` makes a spec of a sample run, which lints clean and grades a program at once."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from grader.authoring.pasted import read_pasted
from grader.cli.main import main
from grader.errors import UsageError
from grader.spec.languages import LANGUAGES
from grader.spec.model import TextRules

RULES = TextRules(echo="terminal", choices={"last-newline": ("\n", "")})


@pytest.fixture
def grader(tmp_path, monkeypatch, capsys):
    """``grader(…)`` runs a command in a folder of its own, and gives its exit code and all that it prints."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> tuple[int, str]:
        with pytest.raises(SystemExit) as done:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return int(done.value.code or 0), printed.out + printed.err

    return run


def typed_in(text: str, typed: str = "") -> tuple[str, ...]:
    """What is typed in a pasted sample run."""
    return read_pasted(text, RULES, typed).inputs


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pasted_run_becomes_a_spec_that_works_at_once(language, grader, tmp_path):
    """It lints clean, its program earns the full score, and a program that says something else does not."""
    (tmp_path / "sample.txt").write_bytes(
        b'Digit, please: **7**\r\n"Odd" \\ 7  \r\nDigit, please: **q**\r\n\r\nBye\r\n\r\n'
    )
    assert grader("new", "even-odd", "--from", "sample.txt", "-l", language, "--title", "LAB 02: Even or odd")[0] == 0
    assert grader("lint", "even-odd/even-odd.yaml") == (0, "even-odd: no problems, 1 case, 20 points\n")
    fixture = Path("even-odd/fixtures/accepted/sample-run")
    code, said = grader("check", "even-odd/even-odd.yaml", fixture / "submission")
    assert (code, "20 of 20 points" in said) == (0, True)
    assert yaml.safe_load((fixture / "expected.yaml").read_text()) == {"score": 20, "criteria": {}, "cases": {}}
    program = next((fixture / "submission").iterdir())
    program.write_text(program.read_text().replace("Odd", "Even"), encoding="utf-8")
    assert grader("check", "even-odd/even-odd.yaml", fixture / "submission")[0] == 1


def test_without_a_sample_there_is_one_of_two_lines(grader):
    """The name makes the title, and the options say the rest."""
    said = grader("new", "lab-2", "--points", 8, "--file", "hello.c", "-o", "labs")[1]
    assert said.endswith("grader check labs/lab-2/lab-2.yaml labs/lab-2/fixtures/accepted/sample-run/submission\n")
    assert grader("check", "labs/lab-2/lab-2.yaml", "labs/lab-2/fixtures/accepted/sample-run/submission/hello.c") == (
        0,
        "Lab 2: 8 of 8 points\nNothing to fix\n",
    )


def test_nothing_is_overwritten(grader, tmp_path):
    """A folder of that name is left as it is."""
    (tmp_path / "lab").mkdir()
    code, said = grader("new", "lab")
    assert (code, "lab: it is there already, and nothing is overwritten" in said) == (2, True)
    assert [*(tmp_path / "lab").iterdir()] == []


def test_a_name_is_one_of_specs(grader):
    """Others are refused with the rule."""
    assert grader("new", "Lab 2")[1] == (
        "grader: `Lab 2` is no name of a spec (a name is made of a-z, 0-9 and -, such as even-odd)\n"
    )


@pytest.mark.parametrize(
    ("text", "typed", "found"),
    [
        ("Name? ‹Ada›\nHi", "", ("Ada\n",)),
        ("Name? <u>Ada</u>\nHi", "", ("Ada\n",)),
        ("Name? <b>Ada</b>\nAge? <b>7</b>", "", ("Ada\n", "7\n")),
        ("*****\nName? **Ada L**\n*** ***", "", ("Ada L\n",)),
        ("[y/n]? [y]\nHi", "[…]", ("y/n\n", "y\n")),
        ("Name?\n> Ada\nAge?\n> \nHi", "> …", ("Ada\n", "\n")),
        ("Name? _Ada_", "_…_", ("Ada\n",)),
        ("<u>Title</u>\nName? **Ada**", "**…**", ("Ada\n",)),
        ("Hello", "none", ()),
    ],
)
def test_what_is_typed_is_told_by_its_marks(text, typed, found):
    """Bold and underlined text and our own marks are known; others are named."""
    assert typed_in(text, typed) == found


@pytest.mark.parametrize(
    ("text", "typed", "said"),
    [
        ("Name? Ada", "", r"no typed input is marked in the sample run \(mark what is typed, as ‹4›, <u>4</u>, <b>4</b> or"),
        ("Name? **Ada**", "[…]", r"no typed input is marked as \[…\]"),
        ("Name? [Ada]", "[]", "--typed shows where the typed text stands, as …"),
        ("«Name»? **Ada**", "", "the sample run prints «, which is a mark of ours"),
        ("\n \n", "", "the sample run is empty"),
        ("Name? ‹Ada\n", "", "no typed input is marked"),
        ("Name? ‹Ada›\nAge ‹", "", "the mark ‹ is not closed"),
    ],
)  # fmt: skip
def test_a_run_that_cannot_be_read_says_how_it_should_be_marked(text, typed, said):
    """The message names the marks that there are."""
    with pytest.raises(Exception, match=said) as raised:
        typed_in(text, typed)
    assert isinstance(raised.value, UsageError) or "mark" in str(raised.value)


def test_a_file_that_is_no_text_is_refused(grader, tmp_path):
    """It is told by its name."""
    (tmp_path / "scan.pdf").write_bytes(b"%PDF\xff\xfe")
    assert (
        grader("new", "lab", "--from", "scan.pdf")[1]
        == "grader: scan.pdf: the sample run is not UTF-8 (save it as UTF-8)\n"
    )
    assert not (tmp_path / "lab").exists()
