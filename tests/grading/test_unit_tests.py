"""Unit tests in a cage, and programs that would rather write the results themselves."""

from __future__ import annotations

import pytest

from grader.grading import Grading
from grader.kit.folder import write_kit
from grader.results import for_student
from grader.spec.loader import load_assignment
from tests.graded import graded as grade_of
from tests.graded import handed_in

DRIVER = """import sys
from xml.sax.saxutils import quoteattr
lines = []
def test(name, check):
    try:
        assert check(), "it is not so"
        lines.append(f"<testcase name={quoteattr(name)}/>")
    except Exception as error:
        kind = "failure" if isinstance(error, AssertionError) else "error"
        lines.append(f"<testcase name={quoteattr(name)}><{kind} message={quoteattr(str(error))}/></testcase>")
report = sys.argv[1]
import heaps
test("first", lambda: heaps.first() == 1)
test("second", lambda: heaps.second() == 2)
test("guard", lambda: False)
with open(report, "w") as file:
    file.write("<testsuite>" + "".join(lines) + "</testsuite>")
"""
SPEC = """assignment: x
title: X
submission: {required: [heaps.py]}
program: {language: python, sources: [heaps.py]}
rubric: [{id: a, title: A, points: 2, counts: each}, {id: b, title: B, points: 2}]
cases:
  - id: unit
    title: Unit
    criterion: a
    tests:
      files: [driver.py]
      run: [python, driver.py, results.xml]
      junit: results.xml
      expects: [first, second]
      guards: [guard]
  - id: known
    title: Known
    criterion: b
    visibility: hidden
    tests: {files: [hidden.py], run: [python, hidden.py], prints: tap, expects: [third]}
"""
HIDDEN = 'import heaps\nprint("ok 1 - third" if heaps.second() == 2 else "not ok 1 - third\\n# SECRETWORD")\n'
RIGHT = "def first(): return 1\ndef second(): return 2\n"
FORGED = '<testsuite><testcase name="first"/><testcase name="second"/>{more}</testsuite>'


def forged(more: str = "") -> str:
    """The deed of writing a report that was made up."""
    return f"open(sys.argv[1], 'w').write({FORGED.format(more=more)!r})"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A spec with its tests."""
    made = tmp_path_factory.mktemp("course")
    for name, text in {"x.yaml": SPEC, "driver.py": DRIVER, "hidden.py": HIDDEN}.items():
        (made / name).write_text(text)
    return made


@pytest.fixture(scope="module")
def grading(folder):
    """A grading by it."""
    with Grading(load_assignment(folder / "x.yaml")) as made:
        yield made


@pytest.fixture(scope="module")
def inside(folder):
    """The same with tests that share a process with the program, as in languages in which they must."""
    (folder / "inside.yaml").write_text(SPEC.replace("      guards:", "      inside: true\n      guards:"))
    with Grading(load_assignment(folder / "inside.yaml")) as made:
        yield made


def graded(grading, source, **others):
    """The grade of a program, with other files beside it."""
    files = {"heaps.py": source, **{name.replace("_py", ".py"): text for name, text in others.items()}}
    return grading.grade(handed_in(files))


def verdicts(grade):
    """The verdicts of the tests."""
    return [str(case.verdict) for case in grade.cases if case.kind == "tests"]


def test_each_test_earns_its_points(grading):
    """One that fails costs its share, one that breaks has its line."""
    assert (graded(grading, RIGHT).score, verdicts(graded(grading, RIGHT))) == (4, ["accepted"] * 3)
    wrong = graded(grading, "def first(): return 2\ndef second(): return [][2]\n")
    assert verdicts(wrong) == ["wrong-answer", "runtime-error", "runtime-error"]
    assert wrong.cases[1].findings[0].message == "first: it is not so"
    assert wrong.cases[3].findings[0].place == "heaps.py:2"


LEAVES = "import os, sys\ndef first():\n    {deed}\n    os._exit(0)\n"


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("pass", "the run left no file of results"),
        (forged(), "without a result for guard"),
        (
            forged('<testcase name="guard"/>'),
            "the run reports as passed what is written to fail: guard",
        ),
        (
            forged('<testcase name="first"/>'),
            "the run reports more than once on first",
        ),
        (
            forged('<testcase name="bonus"/>'),
            "tests that do not exist: bonus",
        ),
        (
            "open(sys.argv[1], 'w').write('<!DOCTYPE a [<!ENTITY b \"c\">]><testsuite>&b;</testsuite>')",
            "declares entities",
        ),
        ("open(sys.argv[1], 'w').write('<testsuite>' + ' ' * (9 << 20))", "or one of more than 8 MiB"),
        ("open(sys.argv[1], 'w').write('all passed')", "is not complete XML"),
        ("os.mkdir(sys.argv[1])", "the run left no file of results"),
        ("os.symlink('driver.py', sys.argv[1])", "the run left no file of results"),
        ("open('results.xml', 'w').write('<testsuite/>')", "the run left no file of results"),
    ],
    ids=[
        "exits",
        "no-guard",
        "guard-passes",
        "twice",
        "extra",
        "entities",
        "huge",
        "no-xml",
        "folder",
        "link",
        "guessed-name",
    ],
)
def test_a_program_that_writes_the_results_itself_earns_nothing_and_loses_nothing(deed, said, inside):
    """Its points are open, and staff are told why in a sentence."""
    grade = graded(inside, LEAVES.format(deed=deed) + "def second(): return 2\n")
    assert verdicts(grade)[:2] == ["needs-review"] * 2
    assert grade.criteria[0].points is None
    assert grade.open_points == 2
    assert any(said in line for line in grade.review), grade.review
    assert not any(said in line for line in for_student(grade).review)


def test_a_flood_of_results_ends_at_the_limit_of_a_file(inside):
    """More than a program may write to any file fails as it does everywhere."""
    grade = graded(inside, LEAVES.format(deed="open(sys.argv[1], 'w').write('x' * (64 << 20))"))
    assert (verdicts(grade)[0], grade.cases[1].findings[0].message) == (
        "runtime-error",
        "first: [Errno 27] File too large",
    )


def test_files_of_the_course_go_before_those_of_a_student(grading):
    """Handed in under the name of the driver or to steer it, they are not there."""
    grade = graded(
        grading,
        "def first(): return 2\ndef second(): return 3\n",
        driver_py="print()",
        conftest_py="",
        sitecustomize_py="1/0",
    )
    assert verdicts(grade) == ["wrong-answer"] * 3


def test_a_run_shows_no_tests_but_its_own(grading):
    """A hidden test cannot be read in the run of a visible one."""
    looks = "import os\ndef first(): return int(not os.path.exists('hidden.py'))\ndef second(): return 2\n"
    assert verdicts(graded(grading, looks)) == ["accepted"] * 3


def test_a_hidden_test_is_no_more_than_a_verdict(grading):
    """Neither its name nor what it says is shown."""
    seen = for_student(graded(grading, "def first(): return 1\ndef second(): return 3\n")).cases[-1]
    assert (seen.id, seen.title) == ("known", "Known")
    assert [finding.code for finding in seen.findings] == ["hidden"]


def test_a_kit_has_the_files_of_visible_tests_alone(folder, tmp_path):
    """It is a spec that grades, and no word of a hidden test is in it."""
    kit = write_kit(load_assignment(folder / "x.yaml"), tmp_path / "kit", with_reference=False)
    names = {path.relative_to(tmp_path / "kit").as_posix() for path in (tmp_path / "kit").rglob("*") if path.is_file()}
    assert "tests/unit/driver.py" in names
    assert not any("SECRETWORD" in (tmp_path / "kit" / name).read_text() or "hidden.py" in name for name in names)
    with Grading(load_assignment(kit.spec)) as grading:
        assert verdicts(graded(grading, RIGHT)) == ["accepted"] * 2


def test_lines_that_a_program_prints_are_not_its_results(tmp_path):
    """In C, where results are printed: what a program prints is nowhere among them, and a crash keeps what was told before."""
    (tmp_path / "driver.c").write_text(
        "#include <stdio.h>\nint one(void); int two(void);\nint main(void)\n{\n"
        '    printf("%sok 1 - one\\n", one() == 1 ? "" : "not ");\n    printf("%sok 2 - two\\n", two() == 2 ? "" : "not ");\n}\n'
    )
    (tmp_path / "x.yaml").write_text(
        "assignment: x\ntitle: X\nsubmission: {required: [f.c]}\nprogram: {language: c, sources: [f.c]}\n"
        "rubric: [{id: a, title: A, points: 2, counts: each}]\ncases:\n  - {id: u, title: U, criterion: a, "
        "tests: {files: [driver.c], run: [./program], prints: tap, expects: [one, two]}}\n"
    )
    with Grading(load_assignment(tmp_path / "x.yaml")) as grading:

        def told(source):
            return verdicts(grading.grade(handed_in({"f.c": source})))

        assert (
            told("int one(void) { return 1; } int two(void) { return 2; } int main(void) { return 3; }")
            == ["accepted"] * 2
        )
        printing = '#include <stdio.h>\nint one(void) { puts("ok 2 - two"); return 1; } int two(void) { return 3; }'
        assert told(printing) == ["accepted", "wrong-answer"]
        crashing = "#include <stdlib.h>\nint one(void) { return 1; } int two(void) { abort(); }"
        assert told(crashing) == ["accepted", "runtime-error"]
        assert told("int one(void) { return 1; }") == ["compile-error"] * 2


def test_a_test_that_a_sanitizer_ends_shows_a_line_and_no_addresses(tmp_path):
    """The page of AddressSanitizer is for whoever knows compilers."""
    (tmp_path / "driver.c").write_text('#include <stdio.h>\nint one(void);\nint main(void) { puts("begin"); one(); }\n')
    (tmp_path / "x.yaml").write_text(
        "assignment: x\ntitle: X\nsubmission: {required: [f.c]}\n"
        "program: {language: c, sources: [f.c], sanitize: true}\n"
        "rubric: [{id: a, title: A, points: 2}]\ncases:\n  - {id: u, title: U, criterion: a, "
        "tests: {files: [driver.c], run: [./program], prints: tap, expects: [one]}}\n"
    )
    source = b"#include <stdlib.h>\nint one(void) { char *p = malloc(1); free(p); return *p; }\n"
    case = grade_of(tmp_path / "x.yaml", {"f.c": source}).cases[-1]
    [finding] = case.findings
    assert (case.verdict.value, finding.place) == ("runtime-error", "f.c:2")
    assert "0x" not in finding.output
    assert "Sanitizer" not in finding.output
