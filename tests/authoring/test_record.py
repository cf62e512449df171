"""`grader record` plays a reference or a program, and writes the run as a case that lints clean."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.bundled import spec_path
from grader.spec.loader import load_assignment

EVEN = Path(__file__).resolve().parents[1] / "spec/even.asm"
C = '#include <stdio.h>\nint main(void) { int n; printf("Number? "); scanf("%d", &n); puts(n % 2 ? "Odd" : "Even"); }\n'


@pytest.fixture
def lab(grader, tmp_path):
    """A new spec in C whose reference is a model program."""
    (tmp_path / "sample.txt").write_text("Number? ‹7›\nOdd\n", encoding="utf-8")
    grader("new", "odd", "--from", "sample.txt")
    (tmp_path / "odd/solution.c").write_text(C, encoding="utf-8")
    spec = tmp_path / "odd/odd.yaml"
    text = spec.read_text(encoding="utf-8")
    spec.write_text(text.replace("reference: reference.py", "reference: solution.c"), encoding="utf-8")
    return spec


def test_a_reference_in_python_is_recorded_with_its_choices(grader):
    """The transcript of the bundled spec comes out as it stands there."""
    spec = load_assignment(spec_path("lc3-nim"))
    sample = next(case for case in spec.spec.cases if case.transcript and "‹" in case.transcript)
    inputs = "B2 A1 C6 G1 B3 A3 C2 A1 A* &4 A1"
    code, case, _ = grader("record", "lc3-nim", "--input", inputs, "--id", "again", "--title", "The run: again")
    assert code == 0
    head, transcript = case.split("    transcript: |\n")
    assert head == "  - id: again\n    title: 'The run: again'\n"
    assert "\n".join(line.removeprefix("      ") for line in transcript.splitlines()) == sample.transcript.rstrip("\n")


def test_a_model_program_is_recorded_behind_the_last_case(lab, grader):
    """The printed case can be put behind the spec as it is, and the line end behind the last word stays open."""
    code, case, said = grader("record", lab, "--input", "4", "--criterion", "works")
    assert (code, said) == (0, "")
    assert case == (
        "  - id: recorded-1\n    title: 'Typed: 4'\n    criterion: works\n    transcript: |\n"
        "      Number? ‹4›\n      Even«last-newline»\n"
    )
    lab.write_text(lab.read_text(encoding="utf-8") + case, encoding="utf-8")
    assert grader("lint", lab)[1].startswith("odd: no problems, 2 cases, 20 points\n")


def test_typed_lines_are_inputs_and_the_program_is_seen_on_the_other_stream(lab, grader):
    """So the case alone goes into a file."""
    _, case, said = grader("record", lab, typed="4\n")
    assert said == "Number? Even\n\n"
    assert "Number? ‹4›\n" in case


def test_another_program_is_played_under_the_rules_of_a_spec(grader, tmp_path):
    """Keys that it echoes are marked, and not printed twice; Enter is a key."""
    grader("new", "even", "-l", "lc3")
    _, case, _ = grader("record", "even/even.yaml", "--program", EVEN, "--input", r"4 \n q")
    assert case.endswith(
        "      Digit: ‹4›\n      Even\n      Digit: ‹⏎›\n\n      That is no digit\n      Digit: ‹q›\n      Bye«last-newline»\n"
    )


def test_a_line_end_that_nothing_leaves_open_is_kept(lab, grader, tmp_path):
    """YAML keeps an empty line at the end of a block behind `|+` alone."""
    lab.write_text(lab.read_text(encoding="utf-8").replace("«last-newline»", ""), encoding="utf-8")
    text = lab.read_text(encoding="utf-8").replace('  choices:\n    last-newline: ["\\n", ""]', "  choices: {}")
    text = "\n".join(line for line in text.splitlines() if "last word" not in line) + "\n"
    lab.write_text(
        text.replace("      Odd\n", "      Odd\n\n").replace("transcript: |\n", "transcript: |+\n"), encoding="utf-8"
    )
    case = grader("record", lab, "--input", "4")[1]
    assert case.endswith("    transcript: |+\n      Number? ‹4›\n      Even\n\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--input", "4", "--criterion", "wroks"), "the spec has no criterion `wroks` (did you mean `works`?)"),
        (("--input", "4", "--id", "sample-run"), "the spec has a case `sample-run` already (--id names another)"),
        (("--input", "4", "--program", "sample.txt"), "sample.txt: the model program does not build"),
    ],
)
def test_what_cannot_be_recorded_is_wrong_usage(options, said, lab, grader):
    """The message says what to write instead."""
    code, _, told = grader("record", lab, *options)
    assert (code, said in told) == (2, True)


def test_inputs_that_are_not_typed_are_told(lab, grader):
    """The program has ended before them."""
    assert (
        grader("record", lab, "--input", "4 5 6")[2]
        == "grader: the program has ended before the last 2 of the inputs\n"
    )
