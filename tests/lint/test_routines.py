"""The problems that lint finds in `call` cases: each mistake that was put into a right spec, at its place."""

from __future__ import annotations

import pytest

from grader.lint import examine
from grader.results import Verdict
from tests.graded import graded as grade_of
from tests.grading.test_call import GCD, REFERENCE

SPEC = """\
assignment: routines
title: Routines
submission: {required: [p.asm]}
program: {language: lc3, sources: [p.asm]}
reference: reference.py
rubric:
  - {id: works, points: 4, title: Works}
cases:
  - {id: builds, title: It assembles, source: {builds: true}}
  - id: one
    title: One call
    criterion: works
    call: {routine: GCD, with: {R0: 12, R1: 18}, returns: {R0: 6}, preserves: [R4, R5]}
  - id: many
    title: Many calls
    criterion: works
    call: {routine: GCD, reference: gcd, games: 20, arguments: {R0: 1..200, R1: 1..200}}
"""


@pytest.fixture
def told(tmp_path):
    """The problems that lint finds in a spec, each with its line; a right program is among the fixtures."""
    handed_in = tmp_path / "fixtures" / "accepted" / "right" / "submission"
    handed_in.mkdir(parents=True)
    (handed_in / "p.asm").write_text(GCD)

    def told(spec: str, reference: str = REFERENCE) -> list[tuple[int, str]]:
        (tmp_path / "reference.py").write_text(reference)
        path = tmp_path / "routines.yaml"
        path.write_text(spec)
        return [(d.span.line if d.span else 0, d.message) for d in examine(path).diagnostics]

    return told


def test_a_right_spec_has_no_problem(told):
    """Its reference need not talk."""
    assert told(SPEC) == []


@pytest.mark.parametrize(
    ("was", "becomes", "line", "message"),
    [
        ("with: {R0: 12", "with: {R9: 12", 13, "there is no register `R9`"),
        ("returns: {R0: 6}", "returns: {R8: 6}", 13, "there is no register `R8`"),
        ("[R4, R5]", "[R4, R55]", 13, "there is no register `R55`"),
        ("{R0: 1..200, R1", "{R0: 1..200, R11", 17, "there is no register `R11`"),
        ("[R4, R5]", "[convention]", 13, "arguments in registers are no convention that keeps any"),
        ("R1: 18}", "R1: 1.5}", 13, None),
        ("R1: 18}", "R1: 65536}", 13, "65536 is not a word: -32768…65535"),
        ("R1: 18}", "R1: [1, {list: [2, -32769]}]}", 13, "-32769 is not a word: -32768…65535"),
        ("returns: {R0: 6}", "returns: {R0: 65536}", 13, "65536 is not a word: -32768…65535"),
        ("R1: 1..200", "R1: 1..65536", 17, "65536 is not a word: -32768…65535"),
        ("R1: 18}", "R1: {lost: [1]}}", 13, None),
        ("routine: GCD, with", "routine: GCT, with", 13, "no accepted fixture has a label `GCT`"),
        ("R1: 18}", "R1: 18}, given: {ROW: [1]}", 13, "no accepted fixture has a label `ROW`"),
        ("R1: 18}", "R1: '@ROW'}", 13, "no accepted fixture has a label `ROW`"),
        ("R1: 18}", "R1: 18}, calls: {SUB: 1}", 13, "no accepted fixture has a label `SUB`"),
        ("R1: 18}", "R1: 18}, forbidden_traps: [x125]", 13, "there is no trap x125"),
        ("R1: 18}", "R1: 18}, calls: {x25: 1}", 13, "`x25` is the vector of a trap, and `calls` counts only routines that JSR and JSRR call"),
        ("R1: 18}", "R1: 18}, games: 5", 13, "`games` says nothing without a `reference`"),
        ("R1: 18}", "R1: 18}, unread: false", 13, "the case types nothing, so nothing can be left unread"),
        ("R1: 18}", "R1: 18}, convention: o32", 13, "`o32` is no convention of this language"),
        ("returns: {R0: 6}, ", "", 13, "`one` is passed by a routine that only returns"),
        ("reference: gcd,", "reference: gdc,", 17, "the reference has no function `gdc`"),
        ("games: 20", "with: {R0: 3}", 17, "`with` says nothing beside a `reference`"),
        (", R1: 1..200}", "}", 17, "`gcd` takes `b`, and `arguments` has no range for it"),
        ("R1: 1..200}", "R1: 1..200, R2: 1..5}", 17, "`gcd` takes 2 arguments, and `arguments` has 3 that it is given"),
        ("R1: 1..200", "R1: string 1..4 of a-z", 17, "`b` of `gcd` is of type int, and is given a str"),
        ("returns: {R0: 6}", "leaves: {R2: [6]}", 13, "`leaves` looks where the argument `R2` pointed to, and there is no such argument"),
        ("with: {R0: 12, R1: 18}, returns: {R0: 6}", "with: [12, '@b'], given: {'@b': [1]}, leaves: {0: [6]}", 13, "`leaves` looks where the argument `0` pointed to, and there is no such argument"),
        ("with: {R0: 12, R1: 18}", "with: {0: 12, R1: 18}", 13, "positions are counted from 1"),
        ("R1: 18}", "R1: 18}, given: {1: 5}", 13, "`1` is no label"),
        ("games: 20", "leaves: {R4: array}", 17, "`leaves` looks where the argument `R4` pointed to, and there is no such argument"),
        ("R1: 1..200", "R1: 200..1", 17, None),
        ("R1: 1..200", "R1: many", 17, None),
        ("R1: 1..200", "R1: length of R0", 17, "`R0` is no argument that has a length"),
        ("games: 20", "returns: list", 17, None),
        ("reference: reference.py", "rounding: 1", 17, "`many` names a function of a reference, and the spec has none"),
    ],
)  # fmt: skip
def test_each_mistake_is_told_at_its_place(told, was, becomes, line, message):
    """One mistake, one problem, in its line."""
    assert was in SPEC
    problems = told(SPEC.replace(was, becomes, 1))
    assert [found for found, _ in problems] == [line]
    assert message is None or problems[0][1] == message


@pytest.mark.parametrize(("address", "problems"), [("x00FF", 1), ("x0100", 0)])
def test_the_vector_of_a_trap_is_no_routine(told, address, problems):
    """The table of vectors ends with xFF; a machine case is told as a call is."""
    assert len(told(SPEC.replace("R1: 18}", f"R1: 18}}, calls: {{{address}: 1}}"))) == problems
    machine = f"machine: {{play: [''], calls: {{{address}: 1}}}}"
    assert len(told(SPEC + f"  - {{id: all, title: All, criterion: works, {machine}}}\n")) == problems


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("def gcd(a, b: int) -> int:\n    return 1\n", "`a` of `gcd` has no type, and is given an int"),
        ("def gcd(a: int, b: int):\n    return 1\n", "`gcd` does not say what it gives"),
        ("def gcd(a: int, b: str) -> int:\n    return 1\n", "`b` of `gcd` is of type str, and is given an int"),
        ("def gcd(a: int, b: int) -> int:\n    raise ValueError\n", "the reference refuses nearly all arguments that are drawn for GCD"),
        ("def gcd(a: int, b: int) -> tuple[int, int]:\n    return a, b\n", None),
        ("def gcd(a: int, b: int) -> int:\n    return a / 0\n", None),
        ("def gcd(a: int, b: int) -> float:\n    return 0.5\n", None),
        ("def gcd(\n", None),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_function_is_told(told, function, message):
    """Its types, what it gives, and whether it takes what is drawn."""
    problems = told(SPEC, function)
    assert len(problems) == 1
    assert message is None or problems[0][1] == message


@pytest.mark.parametrize(("positions", "lines"), [("1", []), ("2", []), ("3", [13])])
def test_a_position_in_what_is_left_is_one_of_the_arguments(told, positions, lines):
    """The first and the last of two are there, and the third is not."""
    call = f"with: ['@a', '@b'], given: {{'@a': [1], '@b': [1]}}, leaves: {{{positions}: [1]}}"
    assert [line for line, _ in told(SPEC.replace("with: {R0: 12, R1: 18}, returns: {R0: 6}", call))] == lines


SELDOM = """\
import math

drawn = 0

def gcd(a: int, b: int) -> int:
    global drawn
    drawn += 1
    if drawn % {kept}:
        raise ValueError
    return math.gcd(a, b)
"""


@pytest.mark.parametrize(
    ("kept", "message"), [(1000, []), (1001, ["the reference refuses nearly all arguments that are drawn for GCD"])]
)
def test_arguments_are_refused_as_often_here_as_in_grading(told, tmp_path, kept, message):
    """A reference that takes one set of a thousand serves for twenty calls, in lint and in grading; with one more it serves for neither."""
    assert [said for _, said in told(SPEC, SELDOM.format(kept=kept))] == message
    (tmp_path / "reference.py").write_text(SELDOM.format(kept=kept))
    (tmp_path / "routines.yaml").write_text(SPEC)
    case = grade_of(tmp_path / "routines.yaml", {"p.asm": GCD}).cases[-1]
    assert (case.verdict is Verdict.JUDGE_ERROR) == bool(message)


def test_a_tuple_is_several_values_and_no_row(told):
    """Where `leaves` alone stands a function that gives the result as well gives one value too many."""
    spec = SPEC.replace("arguments: {R0: 1..200, R1: 1..200}", "arguments: {R0: array 2 of 1..5}, leaves: {R0: array}")
    right = "def gcd(row: list[int]) -> list[int]:\n    return row\n"
    assert not any("reference" in message for _, message in told(spec, right))
    [(line, message)] = told(spec, "def gcd(row: list[int]) -> tuple[int, list[int]]:\n    return 1, row\n")
    assert line == 17
    assert message.endswith(", and 1 value is expected")


DEMANDED = SPEC + (
    "  - {id: labels, title: Labels, source: {labels: [GCD, TOTAL]}}\n"
    "  - {id: run, title: Runs, machine: {play: [''], memory: {TOTAL: 5, OURS: 1}}}\n"
)


def test_without_fixtures_a_label_that_no_case_demands_is_told(told, tmp_path):
    """A misspelt one, which closes the points of every program; not those that are demanded or in a file of the course."""
    (tmp_path / "fixtures").rename(tmp_path / "elsewhere")
    (tmp_path / "ours.asm").write_text(".ORIG x4000\nOURS .FILL 1\n.END\n")
    spec = DEMANDED.replace("sources: [p.asm]", "sources: [p.asm], support: [ours.asm]")
    assert told(spec) == []
    message = "no case demands the label `TOTLA`, and a program without it leaves the points open"
    assert told(spec.replace("{TOTAL: 5", "{TOTLA: 5")) == [(19, message)]


def test_routines_that_only_return_must_not_earn_points(told):
    """The greatest of two numbers is in its register before anything is done."""
    spec = SPEC.replace("with: {R0: 12, R1: 18}", "with: {R0: 6, R1: 18}")
    spec = spec[: spec.index("  - id: many")]
    assert told(spec) == [(6, "routines that only return earn 100 % of what calls are judged for, by `one`")]


def test_a_model_program_makes_the_calls(told, tmp_path):
    """The course's own routines must return what the spec says."""
    (tmp_path / "model.asm").write_text(GCD)
    spec = SPEC[: SPEC.index("  - id: many")].replace("reference.py", "model.asm")
    assert told(spec) == []
    [(_, message)] = told(spec.replace("returns: {R0: 6}", "returns: {R0: 7}"))
    assert message == "the model program does not pass `one`: GCD(12, 18) returned 6, not 7"


def test_without_fixtures_labels_are_not_looked_up(told, tmp_path):
    """Nobody knows what programs call them."""
    (tmp_path / "fixtures").rename(tmp_path / "elsewhere")
    assert told(SPEC.replace("routine: GCD, with", "routine: GCT, with")) == []


def test_labels_of_whole_runs_are_looked_up_too(told):
    """`memory` of a machine case names them."""
    spec = SPEC + "  - {id: run, title: Runs, machine: {play: [''], memory: {TOTAL: 5, KEPT: 5, x4000: 1}}}\n"
    assert told(spec) == [(18, "no accepted fixture has a label `TOTAL`")]


MACHINE = SPEC + "  - {id: run, title: Runs, shows: 0, machine: {play: [''], memory: {KEPT: 5}}}\n"


@pytest.mark.parametrize(
    ("was", "becomes", "message"),
    [
        ("play: [''], ", "", "`play` is missing"),
        ("play: ['']", "play: [''], runs: [{memory: {KEPT: 1}}]", "the case states its runs in two ways"),
        ("memory: {KEPT: 5}", "given: {KEPT: 5}", "`run` demands nothing"),
        ("play: ['']", "play: [''], given: {R9: 5}", "there is no register `R9`"),
        ("play: [''], ", "runs: [{given: {R9: 5}}], ", "there is no register `R9`"),
        ("play: [''], ", "runs: [{given: {LOST: 5}}], ", "no accepted fixture has a label `LOST`"),
        ("play: ['']", "play: [''], leaves: {'@lost': [5]}", "no accepted fixture has a label `lost`"),
        ("play: ['']", "play: [''], unread: false", "the case types nothing, so nothing can be left unread"),
        ("play: ['']", "play: [''], leaves: {KEPT: 1.5}", None),
        ("KEPT: 5", "KEPT: 65536", "65536 is not a word: -32768…65535"),
        ("play: [''], ", "runs: [{registers: {R1: x10000}}], ", "65536 is not a word: -32768…65535"),
        (
            "play: ['']",
            "play: [''], given: {R1: 5}, callee_saved: true",
            "runs that are repeated with other registers begin as the program does, with `play` alone",
        ),
    ],
)
def test_each_mistake_of_a_set_up_is_told_at_its_place(told, was, becomes, message):
    """The same for whole runs."""
    assert was in MACHINE
    problems = told(MACHINE.replace(was, becomes, 1))
    assert [line for line, _ in problems] == [18]
    assert message is None or problems[0][1] == message


def test_a_file_of_the_course_must_fit_to_an_accepted_fixture(told, tmp_path):
    """Else it is left out whenever a program is graded, and nobody sees it."""
    (tmp_path / "driver.asm").write_text(".ORIG x3300\nMAIN JSR OTHER\nHALT\n.END\n")
    spec = SPEC.replace("sources: [p.asm]", "sources: [p.asm], support: [driver.asm]")
    (_, problem), *others = told(spec)
    assert problem == (
        "an accepted fixture is assembled without the files of the course, because they need something that is missing: "
        "there is no label OTHER"
    )
    assert others == []


def test_right_set_ups_have_no_problem(told):
    """Registers, labels, addresses, blocks, and runs that demand each their own."""
    given = "given: {R1: '@row', KEPT: 3, x4000: [1], '@row': [1]}, leaves: {'@row': [1], KEPT: 3}"
    assert told(MACHINE.replace("play: ['']", f"play: [''], {given}")) == []
    assert (
        told(MACHINE.replace("play: [''], memory: {KEPT: 5}", "runs: [{memory: {KEPT: 5}}, {leaves: {KEPT: 1}}]")) == []
    )
