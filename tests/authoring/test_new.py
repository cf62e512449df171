"""`grader new` makes a spec of a sample run, which lints clean and grades a program at once."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from grader.authoring.pasted import read_pasted
from grader.bundled import spec_path
from grader.errors import UsageError
from grader.spec.languages import LANGUAGES
from grader.spec.loader import load_assignment
from grader.spec.model import TextRules

RULES = TextRules(echo="terminal", choices={"last-newline": ("\n", "")})


def typed_in(text: str, typed: str = "") -> tuple[str, ...]:
    """The input in a pasted sample run."""
    return read_pasted(text, RULES, typed).inputs


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pasted_run_becomes_a_spec_that_works_at_once(language, grader, tmp_path):
    """It lints clean, its program earns the full score, and a program that says something else does not."""
    (tmp_path / "sample.txt").write_bytes(
        b'Digit, please: **7**\r\n"Odd" \\ 7  \r\nDigit, please: **q**\r\n\r\nBye\r\n\r\n'
    )
    assert grader("new", "even-odd", "--from", "sample.txt", "-l", language, "--title", "LAB 02: Even or odd")[0] == 0
    assert grader("lint", "even-odd/even-odd.yaml") == (
        0,
        "even-odd: no problems, 1 case, 20 points\n1 fixture: `grader fixtures even-odd/even-odd.yaml` grades them\n",
        "",
    )
    fixture = Path("even-odd/fixtures/accepted/sample-run")
    code, said, _ = grader("check", "even-odd/even-odd.yaml", fixture / "submission")
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
        "",
    )


EVEN = Path(__file__).resolve().parents[1] / "spec/even.asm"
C = '#include <stdio.h>\nint main(void) { int n; printf("Number? "); scanf("%d", &n); puts(n % 2 ? "Odd" : "Even"); }\n'


def test_a_solution_is_the_reference_and_says_the_sample_run(grader, tmp_path):
    """Its language is told by its name or by what it looks like, and further cases are inputs alone."""
    (tmp_path / "solution.c").write_text(C, encoding="utf-8")
    made = (
        ("c", tmp_path / "solution.c", "7", "Number? ‹7›\n      Odd«last-newline»"),
        ("lc3", EVEN, "4 q", "Digit: ‹q›\n      Bye«"),
    )
    for name, solution, typed, said in made:
        assert grader("new", name, "--solution", solution, "--input", typed, "--file", f"lab{solution.suffix}")[0] == 0
        spec = tmp_path / name / f"{name}.yaml"
        text = spec.read_text(encoding="utf-8")
        assert f"language: {name}, sources: [lab{solution.suffix}]" in text
        assert said in text
        spec.write_text(
            text.replace("  # - {id: another", "  - {id: another").replace('"4 5"', '"4"'), encoding="utf-8"
        )
        assert grader("lint", spec)[1].startswith(f"{name}: no problems, 2 cases, 20 points\n")
        assert grader("fixtures", spec)[1].endswith("as declared\n")


@pytest.mark.parametrize(
    ("program", "options", "said"),
    [
        ("solution.c", ("--input", "7 8"), "the solution has ended before the last of 2 inputs"),
        ("solution.c", (), "a solution needs a sample run"),
        ("broken.c", ("--input", "7"), "the model program does not build"),
        ("solution.rs", ("--input", "7"), "the name of the file does not show its language"),
    ],
)
def test_a_solution_that_does_not_work_makes_nothing(program, options, said, grader, tmp_path):
    """The folder is not begun."""
    (tmp_path / program).write_text(C if program != "broken.c" else "int main(", encoding="utf-8")
    code, _, told = grader("new", "lab", "--solution", program, *options)
    assert (code, said in told) == (2, True), told
    assert not (tmp_path / "lab").exists()


def test_nothing_is_overwritten(grader, tmp_path):
    """A folder of that name is left as it is."""
    (tmp_path / "lab").mkdir()
    code, _, said = grader("new", "lab")
    assert (code, "lab: it exists already, and the grader overwrites nothing" in said) == (2, True)
    assert [*(tmp_path / "lab").iterdir()] == []


def test_a_name_is_one_of_specs(grader):
    """Others are refused with the rule."""
    assert grader("new", "Lab 2")[2] == (
        "grader: `Lab 2` cannot be the name of a spec (a name is made of a-z, 0-9 and -, such as even-odd)\n"
    )


@pytest.mark.parametrize("name", ["../main.c", "src/main.c", "/tmp/main.c", "*.c"])
def test_a_file_is_handed_in_under_a_plain_name(name, grader, tmp_path):
    """A path would be written outside of the folder of the fixture."""
    code, _, said = grader("new", "even-odd", "--file", name)
    assert (code, said) == (2, f"grader: --file {name}: a file is handed in under a plain name (such as main.c)\n")
    assert not [*tmp_path.iterdir()]


def test_a_sample_run_is_no_file_of_a_megabyte(grader, tmp_path):
    """The spec that it makes would be longer than any that is read."""
    (tmp_path / "long.txt").write_text("a" * (256 << 10) + "b")
    code, _, said = grader("new", "even-odd", "--from", "long.txt", "--typed", "none")
    assert (code, "long.txt: a sample run has at most 256 KiB" in said) == (2, True)


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
        ("Name? [Ada]", "[]", "--typed must show with … where the typed text stands"),
        ("«Name»? **Ada**", "", "the sample run prints «, which is a mark of the grader"),
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
        grader("new", "lab", "--from", "scan.pdf")[2]
        == "grader: scan.pdf: the sample run is not UTF-8 (save it as UTF-8)\n"
    )
    (tmp_path / "empty.txt").write_text("\n \n")
    assert (
        grader("new", "lab", "--from", "empty.txt")[2]
        == "grader: empty.txt: the sample run is empty (paste what the handout shows into it)\n"
    )
    assert not (tmp_path / "lab").exists()


LINES = """
        .ORIG x3000
        LEA R0, ASK
        PUTS
READ    GETC
        OUT
        ADD R1, R0, #-10
        BRnp READ
        LEA R0, HELLO
        PUTS
        HALT
ASK     .STRINGZ "Name? "
HELLO   .STRINGZ "Hello."
        .END
"""


def test_on_an_lc3_a_line_is_typed_with_its_enter(grader, tmp_path):
    """A right program reads up to Enter, and shows it; ``--keys`` says that several keys are a command without one."""
    (tmp_path / "sample.txt").write_text("Name? ‹Ada›\nHello.\n", encoding="utf-8")
    (tmp_path / "right.asm").write_text(LINES, encoding="utf-8")
    assert grader("new", "greets", "--from", "sample.txt", "-l", "lc3")[0] == 0
    assert "      Name? ‹Ada⏎›\n      Hello.«last-newline»" in Path("greets/greets.yaml").read_text(encoding="utf-8")
    for program in ("right.asm", "greets/fixtures/accepted/sample-run/submission"):
        assert "20 of 20 points" in grader("check", "greets/greets.yaml", program)[1]
    assert grader("new", "keys", "--from", "sample.txt", "-l", "lc3", "--keys")[0] == 0
    assert "      Name? ‹Ada›\n      Hello." in Path("keys/keys.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("model", ["lc3-nim", "java-nim", "pile-nim"])
def test_a_copy_of_a_spec_works_where_it_lies(model, grader):
    """It has the files that the spec names and all comments, and differs in its name and the place of its reference alone."""
    assert grader("new", "ours", "--like", model)[0] == 0
    old, new = load_assignment(spec_path(model)), load_assignment(Path("ours/ours.yaml"))
    assert new.reference.resolve().is_relative_to(Path("ours").resolve())
    assert (new.files_sha256, new.id) == (old.files_sha256, "ours")
    assert new.spec.model_copy(update={"assignment": "", "reference": ""}) == old.spec.model_copy(
        update={"assignment": "", "reference": ""}
    )
    changed = set(Path("ours/ours.yaml").read_text().splitlines()) - set(spec_path(model).read_text().splitlines())
    assert {line.partition(":")[0] for line in changed} == {"assignment", "reference"}
    assert "the grader overwrites nothing" in grader("new", "ours", "--like", model)[2]
    assert grader("new", "other", "--like", model, "-l", "c")[0] == 2


@pytest.mark.parametrize(
    ("options", "lab"),
    [
        (["--kind", "routines"], "lc3-routines"),
        (["--kind", "routines", "-l", "mips"], "mips-routines"),
        (["--kind", "io", "-l", "lc3"], "lc3-lines"),
        (["--kind", "tests", "-l", "java"], "java-junit"),
        (["--kind", "game", "-l", "python"], "tic-tac-toe"),
    ],
)
def test_a_lab_of_another_kind_is_copied_whole(grader, tmp_path, options, lab):
    """With its text and its fixtures, under its own name; it lints clean where it lies."""
    code, said, _ = grader("new", "my-lab", *options)
    assert (code, f"a copy of the worked lab {lab}" in said) == (0, True)
    spec = tmp_path / "my-lab" / "my-lab.yaml"
    assert load_assignment(spec).spec.assignment == "my-lab"
    assert (tmp_path / "my-lab" / "TEXT.md").is_file()
    assert len([*(tmp_path / "my-lab" / "fixtures").glob("*/*/submission")]) > 3


def test_a_kind_that_a_language_has_no_lab_of_is_told(grader):
    """With the languages that have one; and what belongs to a sample run is refused beside it."""
    code, _, said = grader("new", "my-lab", "--kind", "routines", "-l", "c")
    assert (code, "there is no lab of the kind `routines` in c (there are labs in lc3, mips)" in said) == (2, True)
    assert grader("new", "my-lab", "--kind", "io", "--title", "Mine")[0] == 2
