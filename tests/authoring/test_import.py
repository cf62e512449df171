"""`grader import` makes a spec of GitHub Classroom's tests, and says what it could not take over."""

from __future__ import annotations

import json

import pytest

from grader.authoring.classroom import import_tests, read_tests
from grader.errors import UsageError
from grader.results import Verdict
from grader.spec.loader import load_assignment
from tests.graded import graded

SUM = """\
import sys


def total(row):
    return sum(row)


if __name__ == "__main__":
    answer = total(map(int, sys.stdin.read().split()))
    print(f"the sum is {answer}" if "-v" in sys.argv else answer)
"""
TESTS = "from sum import total\n\ndef test_total():\n    assert total([1, 2]) == 3\n\nclass TestNone:\n    def test_none(self):\n        assert total([]) == 0\n"


def one(name, run, **keys):
    """One test, as the file has it."""
    return {
        "name": name,
        "setup": "",
        "run": run,
        "input": "",
        "output": "",
        "comparison": "included",
        "timeout": 10,
        **keys,
    }


def imported(folder, *tests, program=""):
    """The spec of a file of these tests, which lies in a repository with a file of unit tests."""
    classroom = folder / ".github" / "classroom"
    classroom.mkdir(parents=True, exist_ok=True)
    path = classroom / "autograding.json"
    path.write_text(json.dumps({"tests": list(tests)}, indent=1), encoding="utf-8")
    (folder / "test_sum.py").write_text(TESTS)
    return import_tests(path, "sums", folder, program)


def test_tests_become_criteria_with_cases_that_judge_as_classroom_does(tmp_path):
    """What is typed, echoed and given as arguments; equal, contained and matched output; unit tests by file and by name."""
    made = imported(
        tmp_path,
        one("the sum", "python3 sum.py", input="1 2\r\n3", output="6\r\n", comparison="exact", points=5),
        one("aloud", 'echo "4 5" | python3 sum.py -v', output="sum is 9", points=3),
        one("matched", "printf '10\\n' | python3 sum.py", output="^1[0-9]$", comparison="regex", points=2),
        one("unit", "python -m pytest test_sum.py", points=4),
        one("one", "pytest -v test_sum.py::TestNone::test_none", points=1),
    )
    assert (made.taken, made.left) == (5, ())
    grade = graded(made.spec, {"sum.py": SUM})
    assert (str(grade.score), [case.verdict for case in grade.cases]) == ("15", [Verdict.ACCEPTED] * 7)
    worse = graded(made.spec, {"sum.py": SUM.replace("sum(row)", "sum(row) or 1").replace("the sum is", "sum:")})
    assert {one.id: str(one.points) for one in worse.criteria} == {
        "the-sum": "5", "aloud": "0", "matched": "2", "unit": "0", "one": "0",
    }  # fmt: skip


def test_a_compiler_says_what_the_program_is_and_how_it_is_built(tmp_path):
    """The flags of the first one; a test that only compiles is one whether it builds. Later tests start what earlier ones made."""
    hello = '#include <stdio.h>\nint main(int n, char **words) { return printf("Hi %s\\n", words[n - 1]) < 0; }\n'
    made = imported(
        tmp_path,
        one("compiles", "gcc -o hello hello.c", points=1),
        one("greets", "./hello Ada", setup="gcc -Wall -std=c99 -o hello hello.c", output="Hi Ada", points=2),
        one("greets again", "./hello Eve", output="Hi Eve", points=2),
    )
    spec = load_assignment(made.spec).spec
    assert (spec.program.sources, dict(spec.program.flags)) == (("hello.c",), {"c": ("-Wall", "-std=c99")})
    assert str(graded(made.spec, {"hello.c": hello}).score) == "5"
    assert str(graded(made.spec, {"hello.c": hello.replace("Hi", "Ho")}).score) == "1"


@pytest.mark.parametrize(
    ("run", "keys", "why"),
    [
        ("python3 sum.py < in.txt", {"output": "3"}, "uses pipes, files or other commands"),
        ("make test", {}, "`make` does not start a program"),
        ("./sum 1", {"output": "1"}, "we found no compiler command for this program"),
        ("python3 sum.py", {}, "it compares no output"),
        ("python3 sum.py", {"output": "a*", "comparison": "regex"}, "matches any output"),
        ("python3 sum.py", {"output": "(", "comparison": "regex"}, "Python refuses its regular expression"),
        ("python3 other.py", {"output": "3"}, "is about another program; `--program other.py`"),
        ("pytest", {}, "pytest must name one file of tests"),
        ("pytest test_sum.py::test_other", {}, "test_sum.py has no test of that name"),
    ],
)
def test_what_is_not_taken_over_is_told_with_its_line(tmp_path, run, keys, why):
    """And with its name; the other tests make the spec."""
    made = imported(tmp_path, one("first", "python3 sum.py", output="6", points=2), one("second", run, **keys))
    (told,) = made.left
    assert (made.taken, why in told) == (1, True), told
    assert told.startswith(f"{tmp_path}/.github/classroom/autograding.json:13: “second”: it is ")


def test_commands_before_a_test_are_left_out_and_told(tmp_path):
    """Our cages have what a course needs, and install nothing."""
    made = imported(tmp_path, one("first", "python3 sum.py", setup="pip install numpy", output="6"))
    assert made.left[0].endswith(":3: “first”: the command before the test is left out: pip install numpy")


def test_the_lines_of_tests_are_those_of_the_file(tmp_path):
    """With tabs, and with tests on one line."""
    path = tmp_path / "autograding.json"
    path.write_text('{\n\t"tests": [\n\t\t{"name": "a, [b]"}, {"name": "c"},\n\n\t\t{"name": "d"}\n\t]\n}\n')
    assert [(one.name, one.line) for one in read_tests(path)] == [("a, [b]", 3), ("c", 3), ("d", 5)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "other.json:1:1: this is not JSON"),
        ('{"tests": [', "other.json:1:12: this is not JSON"),
        ("{}", "this is not a file of tests"),
        ('{"tests": 1}', "this is not a file of tests"),
        ("3", "this is not a file of tests"),
    ],
)
def test_another_file_is_refused(tmp_path, text, why):
    """With the place of the mistake, and that where the right file lies."""
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(UsageError, match=why):
        read_tests(path)


def test_the_command_makes_a_spec_that_lints_clean(grader, tmp_path):
    """And prints what is left to do by hand."""
    imported(tmp_path, one("sums", "python3 sum.py", input="1 2", output="3", comparison="exact", points=3),
             one("more", "python3 sum.py", input="10", output="10", comparison="exact", points=3),
             one("none", "python3 sum.py", input="", output="0", comparison="exact", points=2),
             one("even more", "python3 sum.py", input="7 7 7", output="21", comparison="exact", points=3),
             one("negative", "python3 sum.py", input="-7", output="-7", comparison="exact", points=3),
             one("long", "python3 sum.py", input="1 1 1 1", output="4", comparison="exact", points=3),
             one("make", "make"))  # fmt: skip
    code, said, _ = grader("import", ".github/classroom/autograding.json", "lab-6")
    assert code == 0
    assert said.startswith("lab-6/lab-6.yaml: 6 tests of .github/classroom/autograding.json\n")
    assert "“make”: it is not taken over" in said
    code, said, _ = grader("lint", "lab-6/lab-6.yaml")
    assert code == 0
    assert said.startswith("lab-6: no problems, 7 cases, 17 points\n")
