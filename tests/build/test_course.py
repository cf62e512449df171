"""Mistakes in the files of a course, which nobody who hands in a right program may pay for."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from grader.build.course import Lot
from grader.build.tool import Product
from grader.build.workshop import Workshop
from grader.grading import Grading
from grader.lint import examine
from grader.results import Verdict
from grader.sandbox import best_tier
from grader.spec.loader import load_assignment
from tests.graded import graded as grade_of

PYTHON = dedent(
    """\
    assignment: x
    title: X
    submission: {required: [heaps.py]}
    program: {language: python, sources: [heaps.py]}
    rubric: [{id: a, title: A, points: 2, counts: each}]
    cases:
      - id: unit
        title: Unit
        criterion: a
        tests: {files: [test_heaps.py], run: [pytest, --junitxml=r.xml, test_heaps.py], junit: r.xml, inside: true, expects: [test_one, test_two]}
    """
)
TESTS = "import heaps\n\ndef test_one():\n    assert heaps.one() == 1\n\ndef test_two():\n    assert heaps.two() == 2\n"
HEAPS = "def one():\n    return 1\n\ndef two():\n    return 2\n"

C = dedent(
    """\
    assignment: x
    title: X
    submission: {required: [f.c], optional: [own.h]}
    program: {language: c, sources: [f.c], support: [f.h, more.c]}
    rubric: [{id: a, title: A, points: 2, counts: each}]
    cases: [{id: u, title: U, criterion: a, tests: {files: [driver.c], run: [./program], prints: tap, expects: [one, two]}}]
    """
)
INSIDE = C.replace("prints: tap", "prints: tap, inside: true")
"""The same where a header of a student's is compiled into the tests, which no process of their own could help."""
DRIVER = dedent(
    """\
    #include <stdio.h>
    #include <f.h>
    int main(void)
    {
        printf("%sok 1 - one\\n", one() == 1 ? "" : "not ");
        printf("%sok 2 - two\\n", two() == 2 ? "" : "not ");
        return 0;
    }
    """
)
F_H = "int one(void);\nint two(void);\n"
F_C = '#include "f.h"\nint one(void) { return 1; }\nint two(void) { return 2; }\nint main(void) { return one(); }\n'

JAVA = dedent(
    """\
    assignment: x
    title: X
    submission: {required: [Ring.java]}
    program: {language: java, sources: [Ring.java]}
    rubric: [{id: a, title: A, points: 2}]
    cases: [{id: u, title: U, criterion: a, tests: {files: [Run.java], run: [java, -cp, classes, Run], prints: tap, expects: [one]}}]
    """
)
RUN = 'class Run {\n    public static void main(String[] a) {\n        System.out.println(Ring.one() == 1 ? "ok 1 - one" : "not ok 1 - one");\n    }\n}\n'
RING = "class Ring {\n    static int one() { return 1; }\n}\n"


@pytest.fixture
def course(tmp_path):
    """Writes a spec with its files, and gives its path."""

    def write(spec, **files):
        for name, text in files.items():
            (tmp_path / name.replace("_dot_", ".")).write_text(text)
        (tmp_path / "x.yaml").write_text(spec)
        return tmp_path / "x.yaml"

    return write


def in_python(course, tests, spec=PYTHON):
    """The path of a spec with these tests."""
    return course(spec, test_heaps_dot_py=tests)


def in_c(course, driver=DRIVER, more="int more;\n", header=F_H, spec=C):
    """The path of a spec with this driver, and this file of its support."""
    return course(spec, driver_dot_c=driver, more_dot_c=more, f_dot_h=header)


def told(path):
    """The problems that lint finds, each with its file and line."""
    return placed(examine(path).diagnostics)


def mistakes(path):
    """The mistakes in the files of a course, without all else that lint looks at."""
    with Grading(load_assignment(path)) as grading:
        return placed(grading.course_mistakes())


def placed(diagnostics):
    """Diagnostics with their places in a line each."""
    return [f"{d.span.source.name.rpartition('/')[2]}:{d.span.line}: {d.message}" for d in diagnostics if d.span]


def graded(path, **files):
    """The grade of a submission."""
    return grade_of(path, {name.replace("_dot_", "."): text for name, text in files.items()})


def test_right_files_have_no_mistake(course):
    """In each of the languages; and a header of the course is found in angle brackets as well."""
    path = in_python(course, TESTS)
    assert (told(path), graded(path, heaps_dot_py=HEAPS).score) == ([], 2)
    path = in_c(course)
    assert (told(path), graded(path, f_dot_c=F_C).score) == ([], 2)
    path = course(JAVA, Run_dot_java=RUN)
    assert (told(path), graded(path, Ring_dot_java=RING).score) == ([], 2)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("import heaps", "import heaps, not_installed"), "test_heaps.py:1: ModuleNotFoundError: No module named 'not_installed'"),
        (("def test_two():", "def test_two(:"), "test_heaps.py:6: SyntaxError: invalid syntax"),
        (("import heaps\n", "import heaps\nLIST = [nothing]\n"), "test_heaps.py:2: NameError: name 'nothing' is not defined"),
        (("test_two", "test_tow"), "x.yaml:10: the files of its tests have no test `test_two`"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_tests_in_python_is_found_without_a_program(course, change, said):
    """With its file and line: each would cost everybody the points of all tests."""
    assert said in mistakes(in_python(course, TESTS.replace(*change)))


@pytest.mark.parametrize(
    "change",
    [
        ("import heaps\n", "import heaps\nTWO = heaps.two()\nlen(None)\n"),
        ("import heaps\n", "import heaps\nfrom heaps import *\nONE = one\n"),
        ("import heaps\n", "import heaps\nclass Own(heaps.Base):\n    pass\nOwn.made\n"),
        ("import heaps\n", "import heaps\nfrom heaps import one\nif one:\n    print(nothing)\n"),
        ("import heaps\n", "import heaps\ntry:\n    import not_installed\nexcept ImportError:\n    pass\n"),
    ],
)
def test_what_depends_on_a_program_is_no_mistake_of_its_tests(course, change):
    """Values, names and classes of a student's are not known before there is a student."""
    assert mistakes(in_python(course, TESTS.replace(*change))) == []


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"driver": DRIVER.replace("return 0;", "return 0")}, ["driver.c:7: expected ‘;’ before ‘}’ token"]),
        ({"driver": DRIVER.replace("<f.h>", "<g.h>")}, ["driver.c:2: g.h: No such file or directory"]),
        ({"driver": DRIVER.replace("<f.h>", '"g.h"')}, ["driver.c:2: g.h: No such file or directory"]),
        ({"spec": INSIDE, "driver": '#include "own.h"\n' + DRIVER.replace("<f.h>", '"g.h"')}, ["driver.c:3: g.h: No such file or directory"]),
        ({"more": "\nint main(void) { return 0; }\n"}, ["driver.c:4: `main` is defined here and in more.c: no program can have both"]),
        ({"spec": C.replace("support", "flags: {c: [-lnot_installed]}, support")}, ["x.yaml:4: the compiler cannot use `-lnot_installed`, which stands in `program.flags`"]),
        ({"driver": "char large[65 << 20] = {1};\n" + DRIVER}, ["x.yaml:6: the compiler takes too much for the `files` of the tests alone: it was stopped at its limit: file-size"]),
        ({"spec": INSIDE, "driver": DRIVER.replace("<f.h>", '"own.h"').replace("return 0;", "return 0")}, []),
    ],
)  # fmt: skip
def test_what_is_wrong_with_tests_in_c_is_found_without_a_program(course, files, said):
    """The last one includes a header that students hand in, so that a compiler without one says nothing for certain."""
    assert told(in_c(course, **files)) == said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("a) {", "a {"), ["Run.java:2: ',', ')', or '[' expected"]),
        (("class Run", "import org.elsewhere.Test;\nclass Run"), ["Run.java:1: package org.elsewhere does not exist"]),
        (("Ring.one()", "Rong.one()"), []),
    ],
)
def test_what_is_wrong_with_tests_in_java_is_found_without_a_program(course, change, said):
    """A class that is missing may be a student's."""
    assert told(course(JAVA, Run_dot_java=RUN.replace(*change))) == said


@pytest.mark.parametrize("command", ["grade", "check", "batch"])
def test_nothing_is_graded_by_a_course_that_is_wrong(course, command, grader, tmp_path):
    """The command ends with 3, and says the file and the line."""
    path = in_c(course, driver=DRIVER.replace("return 0;", "return 0"))
    folder = tmp_path / "handed-in" / "somebody"
    folder.mkdir(parents=True)
    (folder / "f.c").write_text(F_C)
    handed_in = [folder.parent, "-o", tmp_path / "out"] if command == "batch" else [folder]
    code, _, said = grader(command, path, *handed_in)
    assert code == 3
    assert re.search(r"driver\.c:7:\d+: expected ‘;’ before ‘}’ token", said)
    assert not (tmp_path / "out" / "grades.csv").exists()


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("import not_installed", "line 7: ModuleNotFoundError: No module named 'not_installed'"),
        ("assert nothing == heaps.two()", "line 7: NameError: name 'nothing' is not defined"),
        ("assert heaps.three() == 2", ""),
        ("assert heaps.two()[0] == 2", ""),
        ("from heaps import four", ""),
    ],
)
def test_an_error_of_a_test_is_the_courses_where_it_names_nothing_of_the_students(course, body, fault):
    """Then its points are open, and the other test counts; what a program lacks or gives is the program's."""
    grade = graded(in_python(course, TESTS.replace("assert heaps.two() == 2", body)), heaps_dot_py=HEAPS)
    assert [case.verdict for case in grade.cases[1:]] == [
        Verdict.ACCEPTED,
        Verdict.JUDGE_ERROR if fault else Verdict.RUNTIME_ERROR,
    ]
    assert grade.open_points == (1 if fault else 0)
    said = f"a file of the course is wrong; this costs no points: test_heaps.py, {fault}"
    assert grade.review == ((said,) if fault else ())
    assert grade.alarm == ""


def test_an_error_in_a_module_of_the_students_is_the_students(course):
    """It imports what is not installed, and the tests of the course import it."""
    grade = graded(in_python(course, TESTS), heaps_dot_py="import not_installed\n" + HEAPS)
    assert [case.verdict for case in grade.cases[1:]] == [Verdict.RUNTIME_ERROR] * 2


def test_a_script_that_breaks_by_itself_leaves_points_open(course):
    """It imports behind the first use of the program what is not installed."""
    spec = PYTHON.replace(
        "run: [pytest, --junitxml=r.xml, test_heaps.py], junit: r.xml, inside: true",
        "run: [python, test_heaps.py], prints: tap",
    )
    path = in_python(course, "import heaps\nheaps.one()\nimport not_installed\n", spec)
    assert told(path) == []
    grade = graded(path, heaps_dot_py=HEAPS)
    assert [case.verdict for case in grade.cases[1:]] == [Verdict.JUDGE_ERROR] * 2
    said = "a file of the course is wrong; this costs no points: test_heaps.py, line 3: ModuleNotFoundError: No module named 'not_installed'"
    assert grade.review == (said,)


@pytest.mark.parametrize(
    ("driver", "own", "verdict"),
    [
        (DRIVER.replace("return 0;", "return 0"), F_H, Verdict.JUDGE_ERROR),
        (DRIVER, "int one(void)\n", Verdict.COMPILE_ERROR),
        (DRIVER.replace("return 0;", "return THREE;"), F_H, Verdict.COMPILE_ERROR),
    ],
)
def test_a_driver_behind_a_header_of_the_students_is_blamed_for_what_it_does_by_itself(course, driver, own, verdict):
    """A semicolon of the driver's own is missing; one of the header's is; and what only the header could define."""
    path = in_c(course, driver.replace("<f.h>", '"own.h"'), spec=INSIDE)
    assert told(path) == []
    grade = graded(path, f_dot_c=F_C, own_dot_h=own)
    assert {case.verdict for case in grade.cases[1:]} == {verdict}
    assert grade.open_points == (2 if verdict is Verdict.JUDGE_ERROR else 0)


def test_a_forged_line_of_a_driver_blames_nobody_else(course):
    """An error that a source moves into the file of the course by `#line` stays the student's."""
    forged = F_C + '#line 7 "driver.c"\nint x = ;\n'
    grade = graded(in_c(course), f_dot_c=forged)
    assert (grade.cases[0].verdict, grade.open_points, grade.score) == (Verdict.COMPILE_ERROR, 0, 0)


def test_a_main_in_the_support_puts_that_of_the_student_aside(course):
    """As one among the tests does: the student tried the functions by it."""
    spec = C.replace("files: [driver.c], ", "").replace("support: [f.h, more.c]", "support: [f.h, driver.c]")
    assert graded(in_c(course, spec=spec), f_dot_c=F_C).score == 2


def test_a_main_in_the_support_of_a_whole_program_leaves_points_open(course):
    """Nobody can say which of them the program begins with."""
    spec = C[: C.index("cases:")] + "cases: [{id: u, title: U, criterion: a, io: {output: hi}}]\n"
    path = in_c(course, more="\nint main(void) { return 0; }\n", spec=spec)
    fixture = path.parent / "fixtures" / "accepted" / "right" / "submission"
    fixture.mkdir(parents=True)
    assert told(path) == []
    (fixture / "f.c").write_text(F_C)
    assert told(path) == ["more.c:2: `main` is defined here and in f.c: no program can have both"]
    grade = graded(path, f_dot_c=F_C)
    assert [case.verdict for case in grade.cases] == [Verdict.JUDGE_ERROR] * 2
    assert grade.review == (
        "a file of the course is wrong; this costs no points: more.c, line 2: `main` is defined here and in f.c: no program can have both",
    )


@pytest.mark.parametrize(
    ("driver", "said"),
    [
        (".ORIG x3300\nMAIN JSR GCD\nHALT\n.END\n", []),
        (".ORIG x3300\nMAIN JSR GCD\nHLT R0\n.END\n", ["driver.asm:3: there is no instruction HLT"]),
    ],
)
def test_what_is_wrong_with_a_driver_in_assembly_is_found_without_a_program(course, driver, said):
    """A label that is missing may be a student's; an instruction is nobody's."""
    spec = (
        "assignment: x\ntitle: X\nsubmission: {required: [p.asm]}\nprogram: {language: lc3, sources: [p.asm], support: [driver.asm]}\n"
        "rubric: [{id: a, title: A, points: 2}]\ncases: [{id: u, title: U, criterion: a, call: {routine: GCD, with: {R0: 1}, returns: 6}}]\n"
    )
    assert told(course(spec, driver_dot_asm=driver)) == said


def test_a_course_that_is_right_is_looked_at_once(tmp_path):
    """One that is wrong is looked at each time: what it lacks may be installed meanwhile."""
    (tmp_path / "test_heaps.py").write_text(TESTS)
    (tmp_path / "x.yaml").write_text(PYTHON)
    spec = load_assignment(tmp_path / "x.yaml").spec
    for said, looks in (("", 1), ("wrong", 2)):
        with Workshop(best_tier(), tmp_path / f"products{looks}") as workshop:
            lot = Lot(spec, "python", (), None, workshop)
            seen = []
            for _ in range(2):
                assert lot.seen((), lambda: seen.append(1) or Product({}, said)).said == said  # noqa: B023
        assert len(seen) == looks


def test_a_command_that_pytest_does_not_take_is_told(course):
    """It takes an option of a plugin that no run has."""
    spec = PYTHON.replace("[pytest, ", "[pytest, --timeout=5, ")
    [said] = told(in_python(course, TESTS, spec))
    assert "pytest does not begin with `pytest --timeout=5 --junitxml=r.xml test_heaps.py`: " in said
    assert said.endswith("unrecognized arguments: --timeout=5")
