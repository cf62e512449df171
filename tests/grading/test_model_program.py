"""The course's own solution, in the language of the assignment, is the reference: it writes the text of `play` cases."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree
from textwrap import dedent

import pytest

from grader.grading.scripts import Scripts, model_of
from grader.spec.loader import load_assignment
from grader.spec.script_text import write_script

LC3 = (Path(__file__).resolve().parents[1] / "spec/even.asm").read_text(encoding="utf-8")

C = """\
#include <stdio.h>
int main(void) {
    int n;
    printf("Number? ");
    while (scanf("%d", &n) == 1 && n != 0) {
        printf(n % 2 ? "Odd\\nNumber? " : "Even\\nNumber? ");
    }
    puts("Bye");
}
"""

NO_FIXTURES = "no fixtures: programs with a declared grade show whether the spec is right\n"

RESTLESS = (
    C.replace("#include", "#include <time.h>\n#include")
    .replace('printf(n % 2 ? "Odd', 'struct timespec now; clock_gettime(CLOCK_MONOTONIC, &now); printf(n % 2 ? "%ld')
    .replace('Even\\nNumber? "', 'Even\\nNumber? ", now.tv_nsec')
)
"""Odd numbers are answered with the time."""

JAVA = """\
import java.util.Scanner;
public class Odd {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        System.out.print("Number? ");
        for (int n = in.nextInt(); n != 0; n = in.nextInt()) System.out.print(n % 2 == 0 ? "Even\\nNumber? " : "Odd\\nNumber? ");
        System.out.println("Bye");
    }
}
"""

PYTHON = """\
while (n := int(input("Number? "))) != 0:
    print("Odd" if n % 2 else "Even")
print("Bye")
"""

MIPS = """\
        .data
ask:    .asciiz "Number? "
odd:    .asciiz "Odd\\n"
even:   .asciiz "Even\\n"
bye:    .asciiz "Bye\\n"
        .text
again:  la $a0, ask
        li $v0, 4
        syscall
        li $v0, 5
        syscall
        beqz $v0, done
        andi $t0, $v0, 1
        la $a0, odd
        bnez $t0, say
        la $a0, even
say:    li $v0, 4
        syscall
        j again
done:   la $a0, bye
        li $v0, 4
        syscall
        li $v0, 10
        syscall
"""

PROGRAMS = {"c": ("main.c", C), "java": ("Odd.java", JAVA), "python": ("odd.py", PYTHON), "mips": ("odd.asm", MIPS)}

SPEC = """\
assignment: odd
title: Odd or even
submission: {{required: [{name}]}}
program: {{language: {language}, sources: [{name}]}}
reference: {reference}
text: {{echo: terminal, choices: {{last: ["\\n", ""]}}}}
rubric: [{{id: works, points: 4, title: It works, counts: each}}]
cases:
  - id: sample
    title: The sample run
    criterion: works
    transcript: |
      Number? ‹4›
      Even
      Number? ‹0›
      Bye«last»
  - {{id: played, title: Odd numbers, criterion: works, play: 3 0}}
  - {{id: ends, title: It ends, criterion: works, play: "0", judges: [ending]}}
"""


@pytest.fixture
def lab(tmp_path):
    """``lab(language)`` is a spec whose reference is a model program beside it."""

    def make(language: str, *, program: str = "", folder: bool = False) -> Path:
        name, text = PROGRAMS[language]
        place = tmp_path / "solution" / name if folder else tmp_path / f"solution{Path(name).suffix}"
        place.parent.mkdir(exist_ok=True)
        place.write_text(program or text, encoding="utf-8")
        reference = "solution" if folder else place.name
        spec = tmp_path / "odd.yaml"
        spec.write_text(SPEC.format(name=name, language=language, reference=reference), encoding="utf-8")
        (tmp_path / "handed-in").mkdir(exist_ok=True)
        (tmp_path / "handed-in" / name).write_text(program or text, encoding="utf-8")
        return spec

    return make


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_solution_in_any_language_writes_the_text(language, lab, grader):
    """Lint plays it along the transcript, choices included, and it earns the full score where a wrong program does not."""
    spec = lab(language, folder=language == "java")
    assert grader("lint", spec) == (0, f"odd: no problems, 3 cases, 4 points\n{NO_FIXTURES}", "")
    name, text = PROGRAMS[language]
    assert "4 of 4" in grader("grade", spec, spec.parent / "handed-in")[1]
    wrong = spec.parent / "handed-in" / name
    wrong.write_text(text.replace("Odd\\n", "Od\\n").replace('"Odd"', '"Od"'), encoding="utf-8")
    code, said, _ = grader("grade", spec, spec.parent / "handed-in")
    assert code == 1
    assert "2.67 of 4" in said


def test_a_machine_that_echoes_keys_is_read_as_the_transcript_says(tmp_path, grader):
    """A model program prints the echo itself; the script has it apart, as one in Python does."""
    (tmp_path / "even.asm").write_text(LC3, encoding="utf-8")
    spec = tmp_path / "even.yaml"
    spec.write_text(
        dedent("""\
        assignment: even
        title: Even
        submission: {required: [even.asm]}
        program: {language: lc3, sources: [even.asm]}
        reference: even.asm
        text: {echo: program}
        rubric: [{id: works, points: 4, title: It works}]
        cases:
          - {id: played, title: Odd, criterion: works, play: 4 x q}
        """),
        encoding="utf-8",
    )
    assert grader("lint", spec)[0] == 0
    assignment = load_assignment(spec)
    script = Scripts(assignment).dialogue(assignment.spec.cases[0])
    assert (
        write_script(script, assignment.spec.text) == "Digit: ‹4›\nEven\nDigit: ‹x›\nThat is no digit\nDigit: ‹q›\nBye"
    )
    assert script.ends


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("int main(void) { return 0 }", "the model program does not build: solution.c:1"),
        (C.replace("Number? ", "Number: "), "the reference prints: first difference “?·‹4⏎›Even⏎” instead of “:·‹4⏎›Even⏎”"),
        (C.replace('puts("Bye");', 'puts("Bye"); __builtin_trap();'), "the model program breaks: it was ended by SIGILL"),
        (RESTLESS, "the model program does not print the same twice"),
    ],
)  # fmt: skip
def test_lint_says_what_is_wrong_with_a_model_program(program, said, lab, grader):
    """It does not build, prints something else than a transcript, breaks, or does not print the same twice."""
    code, told, _ = grader("lint", lab("c", program=program))
    assert code == 3
    assert said in told


@pytest.mark.parametrize("language", ["c", "mips"])
def test_random_games_beside_a_model_program_say_what_may_be_typed(language, lab, grader):
    """A fault in one is shown by the shortest game, in which the model program says what is right."""
    spec = lab(language)
    drawn = (
        "  - {id: random, title: Random, criterion: works, differential: {games: 9, legal: ['[0-9]', '[1-9][0-9]']}}\n"
    )
    spec.write_text(spec.read_text(encoding="utf-8") + drawn, encoding="utf-8")
    assert grader("lint", spec) == (0, f"odd: no problems, 4 cases, 4 points\n{NO_FIXTURES}", "")
    name, text = PROGRAMS[language]
    wrong = {
        "c": ("n % 2 ?", "n % 2 && n < 10 ?"),
        "mips": ("andi $t0, $v0, 1", "andi $t0, $v0, 1\n slti $t1, $v0, 10\n and $t0, $t0, $t1"),
    }[language]
    (spec.parent / "handed-in" / name).write_text(text.replace(*wrong), encoding="utf-8")
    record = spec.parent / "grade.json"
    assert "3 of 4" in grader("grade", spec, spec.parent / "handed-in", "--json", record)[1]
    assert re.search(r"shrunk from \d+ inputs to 1\b", record.read_text(encoding="utf-8"))


def test_a_model_program_tells_no_legal_moves(lab, grader):
    """Random games need a reference in Python."""
    spec = lab("c")
    spec.write_text(
        f"{spec.read_text()}  - {{id: random, title: Random, differential: {{games: 3}}}}\n", encoding="utf-8"
    )
    code, told, _ = grader("lint", spec)
    assert code == 3
    assert "a `differential` needs a reference in Python: a model program does not tell which moves are legal" in told


def test_a_misspelt_label_is_told_by_the_model_program(lab, grader):
    """A student who hands in what was asked for would be charged for the label of the spec."""
    spec = lab("mips")
    text = spec.read_text(encoding="utf-8")
    cases = "  - {id: seen, title: Seen, machine: {play: [3 0], memory: {evne: 0, even: 1853191749}}}\n"
    cases += "  - {id: look, title: Look, source: {labels: [again, agian]}}\n"
    spec.write_text(text + cases, encoding="utf-8")
    told = grader("lint", spec)[1]
    assert "the model program has no label `evne` (did you mean `even`?)" in told
    assert "the model program has no label `agian` (did you mean `again`?)" in told
    assert "2 problems" in told


def test_a_model_program_passes_all_other_cases_too(lab, grader):
    """What the spec asks for and the solution does not do would be charged to students who do as the solution does."""
    spec = lab("c")
    text = spec.read_text(encoding="utf-8")
    cases = "  - {id: split, title: Functions, criterion: works, source: {functions: 1}}\n"
    cases += (
        "  - {id: talks, title: It talks, criterion: works, dialogue: [{expect: Number}, {send: '0'}, {ends: true}]}\n"
    )
    spec.write_text(text + cases, encoding="utf-8")
    told = grader("lint", spec)[1].splitlines()
    assert len(told) == 2, told
    assert "odd.yaml:19:5: the model program does not pass `split`: " in told[0]


def test_python_with_a_dialogue_is_no_model_program(tmp_path, lab):
    """Where students write Python, a file with ``play`` is the dialogue, and one without is a program like theirs."""
    spec = lab("python")
    assert model_of(load_assignment(spec)) == tmp_path / "solution.py"
    (tmp_path / "solution.py").write_text("def play():\n    yield 'Number? '\n", encoding="utf-8")
    assert model_of(load_assignment(spec)) is None


def test_a_kit_holds_what_the_model_program_prints_and_not_the_program(lab, tmp_path, grader):
    """Inputs become transcripts, and the kit grades alike."""
    spec = lab("c")
    assert grader("kit", spec, "-o", tmp_path / "kit")[0] == 0
    held = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "kit").rglob("*") if path.is_file())
    assert "Number? ‹3›" in held
    assert "scanf" not in held
    copytree(tmp_path / "handed-in", tmp_path / "mine")
    assert grader("grade", tmp_path / "kit/odd.yaml", tmp_path / "mine")[0] == 0
    (tmp_path / "mine/main.c").write_text(C.replace('puts("Bye");', 'puts("Bye"); scanf("%d", &n);'), encoding="utf-8")
    assert "0 of 4" in grader("grade", tmp_path / "kit/odd.yaml", tmp_path / "mine")[1]
