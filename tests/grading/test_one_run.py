"""The keys of one run, alike in all kinds of cases: its beginning, and the expected output."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.errors import SpecError
from grader.results import CaseResult, Verdict
from grader.spec.loader import load_assignment
from tests.graded import graded

SPEC = """\
assignment: runs
title: Runs
submission: {{required: [main.{suffix}]}}
program: {{language: {language}, sources: [main.{suffix}]{program}}}
{more}
rubric: [{{id: works, points: 6, title: Works, counts: each}}]
cases:
  - {{id: one, title: One, criterion: works, {case}}}
"""


def one(
    folder: Path, source: str, case: str, *, language: str = "lc3", program: str = "", more: str = ""
) -> CaseResult:
    """The result of one case of a program."""
    suffix = {"lc3": "asm", "mips": "asm", "python": "py"}[language]
    path = folder / "runs.yaml"
    text = SPEC.format(suffix=suffix, language=language, program=program, more=more, case=case)
    path.write_text(text, encoding="utf-8")
    return next(result for result in graded(path, {f"main.{suffix}": source}).cases if result.id == "one")


def said(result: CaseResult) -> list[str]:
    """All that is found, in sentences."""
    return [finding.message for finding in result.findings]


COUNTS = """\
        .ORIG x3000
        LD R0, FIRST
        ADD R0, R0, R1
        OUT
        GETC
        OUT
        HALT
FIRST   .FILL x41
        .END
"""
"""It prints the letter at FIRST, R1 letters on, and then one key."""


@pytest.mark.parametrize(
    "case",
    [
        "io: {input: k, given: {FIRST: 0x43, R1: 2}, output: Ek}",
        "io: {keys: {1: k}, given: {FIRST: 0x43, R1: 2}, output: Ek}",
        "starts: {given: {FIRST: 0x43, R1: 2}}, ends: true, transcript: 'E‹k›k'",
        "starts: {given: {FIRST: 0x43, R1: 2}}, dialogue: [{expect: E}, {keys: k}, {expect: k}, {ends: true}]",
        "starts: {given: {FIRST: 0x43, R1: 2}, keys: {3: k}}, dialogue: [{expect: Ek}, {ends: true}]",
        "machine: {given: {R1: 2}, runs: [{play: k, given: {FIRST: 0x43}, output: Ek}]}",
        "machine: {runs: [{keys: {1: k}, given: {FIRST: 0x43, R1: 2}, contains: k, matches: '^E'}]}",
    ],
)
def test_registers_memory_and_timed_keys_are_given_alike(tmp_path, case):
    """To pairs, transcripts, dialogues and observed runs; a machine of another content prints something else."""
    assert one(tmp_path, COUNTS, case).verdict is Verdict.ACCEPTED
    assert one(tmp_path, COUNTS.replace("R0, R0, R1", "R0, R0, #0"), case).verdict is Verdict.WRONG_ANSWER


def test_a_model_program_begins_as_the_students_does(tmp_path):
    """A `play` needs no written text where the reference is a program, which is given the same."""
    (tmp_path / "model.asm").write_text(COUNTS)
    case = "starts: {given: {FIRST: 0x43, R1: 2}}, play: k"
    assert one(tmp_path, COUNTS, case, more="reference: model.asm").verdict is Verdict.ACCEPTED
    wrong = one(tmp_path, COUNTS.replace("R0, R0, R1", "R0, R0, #0"), case, more="reference: model.asm")
    assert (wrong.verdict, wrong.turns[0].expected, wrong.turns[0].output) == (Verdict.WRONG_ANSWER, "E", "C")
    assert wrong.again == ""  # no command fills memory


def test_arguments_and_files_are_given_to_dialogues_and_observed_runs(tmp_path):
    """A MIPS program finds them as in a pair, and the command that shows a run again has them."""
    source = """
.text
main: lw $a0, 0($a1)
li $v0, 4
syscall
li $v0, 12
syscall
li $v0, 10
syscall
"""
    for case in (
        "starts: {arguments: [word]}, dialogue: [{expect: word}, {keys: x}, {ends: true}]",
        "machine: {arguments: [word], runs: [{play: x, contains: word}]}",
        "starts: {arguments: [word]}, ends: true, transcript: 'word‹x›'",
    ):
        result = one(tmp_path, source, case, language="mips", program=", profiles: [mars]")
        assert result.verdict is Verdict.ACCEPTED, said(result)
    case = "starts: {arguments: [word]}, dialogue: [{expect: other}]"
    wrong = one(tmp_path, source, case, language="mips", program=", profiles: [mars]")
    assert wrong.again == "grader run main.asm --argument word"


def test_a_label_that_is_not_there_is_for_a_person_in_every_kind(tmp_path):
    """No text says what labels are called."""
    for case in ("io: {given: {SECOND: 1}, output: A}", "starts: {given: {SECOND: 1}}, dialogue: [{expect: A}]"):
        assert one(tmp_path, COUNTS, case).verdict is Verdict.NEEDS_REVIEW


# --------------------------------------------------------------------------------------------------- what must be printed

SAYS = "import sys\nfor line in sys.stdin:\n    print({})\n"
UPPER = SAYS.format("line.strip().upper()")


@pytest.mark.parametrize(
    ("case", "right"),
    [
        ('io: {input: "ab\\ncd\\n", contains: [AB, CD]}', True),
        ('io: {input: "ab\\ncd\\n", contains: [AB, ab]}', False),
        ("io: {input: \"ab\\n\", matches: 'A+B$', says: the word}", True),
        ("io: {input: \"ab\\n\", matches: '^B', says: the word}", False),
        ('io: {input: "ab\\ncd\\n", output: "CD\\nAB\\n", any_order: true}', True),
        ('io: {input: "ab\\ncd\\n", output: "CD\\nAB\\n"}', False),
        ('io: {input: "ab\\ncd\\n", output: "CD\\nAB\\nAB\\n", any_order: true}', False),
        ('io: {input: "ab\\nab\\n", output: "AB\\n", any_order: true}', False),
        ('io: {input: "ab\\n", checker: upper}', True),
        ('io: {input: "ab1\\n", checker: shouts}', False),
    ],
)
def test_output_may_be_looked_through_in_other_ways(tmp_path, case, right):
    """By parts, by patterns, with its lines in any order, and by a function of the reference."""
    (tmp_path / "reference.py").write_text(CHECKERS)
    result = one(tmp_path, UPPER, case, language="python", more="reference: reference.py")
    assert result.met is right, said(result)


CHECKERS = """
def upper(typed: str, printed: str) -> str:
    return "" if printed == typed.upper() else f"it prints {printed.strip()}"


def shouts(typed: str, printed: str) -> str:
    return "it prints no exclamation mark" if "!" not in printed else ""


def total(typed: str, printed: str) -> str:
    *_, row = typed.split("\\n")[:-1]
    return "" if printed.strip() == str(sum(map(int, row.split()))) else "the sum is wrong"


def breaks(typed: str, printed: str) -> str:
    return "" if not typed else printed[1000]
"""


def test_a_checker_says_in_the_courses_words_what_is_wrong(tmp_path):
    """With the input, as any finding of a pair."""
    (tmp_path / "reference.py").write_text(CHECKERS)
    case = 'io: {input: "ab1\\n", checker: shouts}'
    result = one(tmp_path, UPPER, case, language="python", more="reference: reference.py")
    assert said(result) == ["it prints no exclamation mark, with the input ab1⏎"]


def test_a_checker_that_breaks_is_our_fault(tmp_path):
    """Nobody loses a point by it."""
    (tmp_path / "reference.py").write_text(CHECKERS)
    case = 'io: {input: "ab1\\n", checker: breaks}'
    result = one(tmp_path, UPPER, case, language="python", more="reference: reference.py")
    assert result.verdict is Verdict.JUDGE_ERROR
    assert "`breaks` failed: IndexError" in said(result)[0]


def test_drawn_inputs_are_checked_and_the_smallest_that_fails_is_shown(tmp_path):
    """A sum that loses all numbers from 10 on fails for the row 10 alone."""
    (tmp_path / "reference.py").write_text(CHECKERS)
    source = "n = input()\nprint(sum(x for x in map(int, input().split()) if x < 10))\n"
    draws = 'io: {{draws: {{n: length of row, row: array 1..9 of 0..{most}}}, input: "{{n}}\\n{{row}}\\n", checker: total, games: 12}}'
    more = {"language": "python", "more": "reference: reference.py"}
    assert one(tmp_path, source, draws.format(most=9), **more).verdict is Verdict.ACCEPTED
    wrong = one(tmp_path, source, draws.format(most=99), **more)
    assert said(wrong)[0] == "the sum is wrong, with the input 1⏎ 10⏎"
    assert said(wrong)[1].endswith("shrunk to the smallest that fails")
    assert wrong.again.endswith(r"--input '1\n10\n' --end"), wrong.again


def test_lines_in_any_order_keep_their_slips_and_tolerances(tmp_path):
    """A line in capitals costs the slip, a number that is near nothing, and a wrong line is told beside its own."""
    text = "text: {criterion: works, slips: {case: 1}, tolerance: 0.01}"
    case = 'io: {output: "mean 2.50\\nname Ada\\nlast\\n", any_order: true}'
    right = one(tmp_path, 'print("last\\nmean 2.495\\nname Ada")\n', case, language="python", more=text)
    assert right.verdict is Verdict.ACCEPTED, said(right)
    form = one(tmp_path, 'print("LAST\\nmean 2.5\\nname Ada")\n', case, language="python", more=text)
    assert (form.verdict, [one.code for one in form.findings]) == (Verdict.FORM, ["case"])
    wrong = one(tmp_path, 'print("last\\nmean 3.5\\nname Ada")\n', case, language="python", more=text)
    assert said(wrong) == ["printed 3.5, expected 2.50 ± 0.01, with no input"]


def test_all_runs_of_a_whole_case_must_be_right(tmp_path):
    """Else it earns nothing, where another one earns its share; a criterion of such cases takes the least or the sum."""
    pairs = 'io: [{input: "ab\\n", output: "AB\\n"}, {input: "1\\n", output: "one\\n"}]'
    assert one(tmp_path, UPPER, pairs, language="python").share == (1, 2)
    whole = one(tmp_path, UPPER, f"whole: true, {pairs}", language="python")
    assert (whole.share, whole.met) == (None, False)


# ----------------------------------------------------------------------------------------------------------------- rules


@pytest.mark.parametrize(
    ("case", "language", "problem"),
    [
        ("io: {given: {R1: 1}, output: a}", "python", "has no registers and labels to fill"),
        ("starts: {arguments: [a]}, dialogue: [{expect: a}]", "lc3", "an LC-3 program has no arguments"),
        ("machine: {arguments: [a], runs: [{contains: a}]}", "lc3", "an LC-3 program has no arguments"),
        ("starts: {given: {R1: 70000}}, dialogue: [{expect: a}]", "lc3", "70000 is not a word"),
        ("starts: {given: {R1: 1}}, machine: {play: [a], ends_well: true}", "lc3", "`starts` is for"),
        ("io: {contains: '', input: a}", "lc3", "every program passes this"),
        ("io: {matches: 'a*', says: a, input: a}", "lc3", "the pattern is found where nothing is printed"),
        ("io: {checker: f, input: a}", "lc3", "a `checker` is a function of the reference"),
        ("io: {any_order: true, contains: a}", "lc3", "`any_order` is about the lines of `output`"),
        ("io: {says: word, output: a}", "lc3", "`says` tells what `matches` looks for"),
        ("io: {games: 3, output: a}", "lc3", "`games` is about drawn values"),
        ("io: {draws: {n: 1..3}, input: '{n}', output: a}", "lc3", "what is drawn has no one output"),
        (
            "io: {draws: {m: 1..3}, input: '{n}', checker: f}",
            "lc3",
            "`{m}` stands neither in `input` nor in `arguments`",
        ),
    ],
)
def test_what_cannot_be_given_or_looked_for_is_told(tmp_path, case, language, problem):
    """Each at its place, before anything is graded."""
    with pytest.raises(SpecError) as raised:
        one(tmp_path, "", case, language=language)
    assert problem in "\n".join(one.message for one in raised.value.diagnostics)


def test_texts_in_files_are_read_in_every_kind(tmp_path):
    """`{path: …}` of what a run begins with, and of what an observed run prints."""
    (tmp_path / "expected.txt").write_text("Ek\r\n".replace("\r\n", ""))
    case = "machine: {runs: [{play: k, given: {FIRST: 0x43, R1: 2}, output: {path: expected.txt}}]}"
    assert one(tmp_path, COUNTS, case).verdict is Verdict.ACCEPTED
    assert load_assignment(tmp_path / "runs.yaml").spec.cases[0].printed[0].output.text == "Ek"
