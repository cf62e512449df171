"""Reports in the student's language: by the spec or an option, never by the environment; staff read English."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from rich.cells import cell_len

from grader.grading.deciding import Scoring
from grader.kit.browser import assemble
from grader.kit.folder import write_kit
from grader.languages import CODES, language
from grader.machines.families import family
from grader.report import classroom50, console, github, gradescope, page
from grader.report.document import Look
from grader.report.translation import diagnostic, translated
from grader.spec.loader import load_assignment
from grader.spec.parts import for_judging
from tests.commands import run_text as _grader
from tests.grading.small import PROGRAM, assignment
from tests.report.sample_grades import SAMPLES, compile_error, wrong_answer

SCHEMA = "classroom50/result/v1"


@pytest.mark.parametrize("code", CODES)
def test_no_line_of_the_console_is_wider_than_asked(code: str) -> None:
    """A Chinese sign takes two columns. Commands alone stay one line."""
    words = language(code)
    again = words.word("see it again: {command}", command="")
    for sample, width in product(SAMPLES.values(), (60, 100)):
        seen, look = translated(sample(), words), Look(width=width, language=words)
        for text in (console.render(seen, look, verbose=True), console.brief(seen, look)):
            assert [line for line in text.splitlines() if again not in line and cell_len(line) > width] == []


def test_quotes_stand_below_each_other_in_chinese() -> None:
    """The input, the expected text and the output are told behind one rule."""
    words = language("zh")
    lines = console.render(translated(wrong_answer(), words), Look(language=words)).splitlines()
    rules = {cell_len(line.partition("│")[0]) for line in lines if "│" in line}
    assert len(rules) == 1


def test_staff_read_english() -> None:
    """A page for staff is the same whatever its student speaks."""
    grade = wrong_answer()
    german = replace(grade, language="de")
    assert page.student_page(german, audience="staff") == page.student_page(grade, audience="staff")
    assert page.student_page(german, audience="student") != page.student_page(grade, audience="student")


def test_what_goes_to_a_students_system_is_in_the_students_language() -> None:
    """Gradescope, Classroom 50, and the summary and annotations of GitHub."""
    grade = replace(wrong_answer(), language="de")
    tests = gradescope.to_data(grade)["tests"]
    assert any("darüber" in test["output"] or "bestanden" in test["name"] for test in tests)
    variables = {"CLASSROOM": "c", "ASSIGNMENT": "a", "SUBMISSION_TAG": "s", "COMMIT_URL": "u", "RELEASE_URL": "r"}
    told = classroom50.to_data(grade, Fraction(1, 2), variables, "2026-11-23T02:39:01Z")
    assert told["schema"] == SCHEMA
    assert told["tests"][-1]["test-name"].endswith("(darüber entscheidet ein Mensch)")
    assert "Das solltest du zuerst beheben" in github.summary(grade)
    assert "::notice title=Autograding complete::" in github.annotations(grade)  # Classroom looks for these words


def test_a_diagnostic_keeps_its_place_its_excerpt_and_what_a_compiler_said() -> None:
    """Only what is ours of it is translated."""
    rendered = (
        "nim.asm:3:5: error: there is no label LOPO\n    3 | BR LOPO\n      |    ^^^^\n  hint: did you mean LOOP?"
    )
    assert diagnostic(rendered, language("de")) == (
        "nim.asm:3:5: Fehler: es gibt kein Label LOPO\n    3 | BR LOPO\n      |    ^^^^\n  Tipp: meintest du LOOP?"
    )
    assert "conflicting types for" in diagnostic("main.c:1:5: error: conflicting types for ‘f’", language("vi"))
    assert translated(compile_error(), language("en")).diagnostics == compile_error().diagnostics


def test_a_language_changes_no_verdict(tmp_path: Path) -> None:
    """Judges are given a spec without it: kept verdicts hold, and are told in the new language."""
    english = assignment(tmp_path)
    spec = tmp_path / "small.yaml"
    spec.write_text(spec.read_text(encoding="utf-8") + "\nlanguage: de\n", encoding="utf-8")
    german = load_assignment(spec)
    assert for_judging(german).fingerprint == for_judging(english).fingerprint
    graded = SAMPLES["complete"]()
    assert Scoring(german).grade(replace(graded, cases=(), criteria=())).language == "de"


def test_a_language_that_we_do_not_speak_is_refused_with_those_that_we_do(tmp_path: Path) -> None:
    """As any other value of a key."""
    assignment(tmp_path)
    spec = tmp_path / "small.yaml"
    spec.write_text(spec.read_text(encoding="utf-8") + "\nlanguage: fr\n", encoding="utf-8")
    done = _grader("lint", spec)
    assert done.returncode == 3
    assert "`language` cannot be 'fr' (it may be: en, de, zh, vi)" in done.stdout


def test_check_speaks_as_the_spec_or_the_option_says_and_not_as_the_environment(tmp_path: Path) -> None:
    """`language` in the spec, `--language` over it, and `LANG` for nothing; the exit code is the same."""
    assignment(tmp_path)
    spec = tmp_path / "small.yaml"
    program = tmp_path / "p.asm"
    program.write_text(PROGRAM.replace("bad", "bda"), encoding="utf-8")
    english = _grader("check", spec, program, env={"LANG": "de_DE.UTF-8", "LANGUAGE": "de"})
    spec.write_text(spec.read_text(encoding="utf-8") + "\nlanguage: de\n", encoding="utf-8")
    german = _grader("check", spec, program)
    chinese = _grader("check", "--language", "zh", spec, program)
    assert {english.returncode, german.returncode, chinese.returncode} == {english.returncode}
    assert "of 10 points" in english.stdout
    assert "von 10 Punkten" in german.stdout
    assert "满分 10 分" in chinese.stdout
    graded = _grader("grade", "--for", "student", "--json", "-", spec, program)
    assert json.loads(graded.stdout)["language"] == "de"


def test_a_kit_speaks_the_language_of_its_spec(tmp_path: Path) -> None:
    """Its README, and the spec in it, with which `check` speaks."""
    assignment(tmp_path)
    spec = tmp_path / "small.yaml"
    spec.write_text(spec.read_text(encoding="utf-8") + "\nlanguage: vi\n", encoding="utf-8")
    kit = write_kit(load_assignment(spec), tmp_path / "kit", with_reference=False)
    assert load_assignment(kit.spec).spec.language == "vi"
    readme = (tmp_path / "kit" / "README.md").read_text(encoding="utf-8")
    assert "hãy kiểm tra chương trình trước khi nộp" in readme
    assert "$" not in readme


@pytest.mark.parametrize("code", CODES)
def test_every_language_has_a_readme_for_kits(code: str) -> None:
    """With the same places to fill in."""
    name = "README.template.md" if code == "en" else f"README.{code}.template.md"
    text = (Path(page.__file__).parents[1] / "kit" / name).read_text(encoding="utf-8")
    for place in ("$title", "$cases", "$hidden", "$version", "$spec", "$program"):
        assert place in text


def test_the_page_of_a_kit_tells_the_assemblers_messages_in_the_language(tmp_path: Path) -> None:
    """As one types, before anything is checked."""
    (tmp_path / "nim.asm").write_text(".ORIG x3000\nBR LOPO\nLOOP HALT\n.END\n", encoding="utf-8")
    answer = json.loads(assemble(str(tmp_path), ["nim.asm"], "lc3", family("lc3").dialect_of("default"), "", "de"))
    assert [(one["message"], one["hint"]) for one in answer["messages"]] == [
        ("es gibt kein Label LOPO", "meintest du LOOP?")
    ]
