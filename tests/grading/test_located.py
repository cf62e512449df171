"""The lines at which real programs in C and C++ break, and the loops in which they hang, in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.build.workshop import Workshop
from grader.checks.ending import ENDLESS
from grader.grading import Grading
from grader.grading.executed import located
from grader.intake.source import read_submission
from grader.results import CaseResult, Finding, Verdict, Visibility
from grader.spec.loader import load_assignment
from tests.build.conftest import built

ROOT = Path(__file__).resolve().parents[2]
ANY = {"language": ["c", "cpp"], "sources": ["*.c", "*.cpp"]}


def broke(
    workshop: Workshop, name: str, text: str, *typed: str, verdict: Verdict = Verdict.RUNTIME_ERROR, **program: object
) -> Finding:
    """The finding on a run that broke behind these inputs, with what is found of where."""
    made = built(workshop, {name: text}, **(program or ANY))
    assert made.notes is not None, made.diagnostics
    (case,) = located(made, [result(verdict, *typed)], samples=True)
    made.close()
    return case.findings[0]


def result(verdict: Verdict, *typed: str) -> CaseResult:
    """A case that failed by how the run ended."""
    finding = Finding("signal", "it was ended", len(typed) + 1, typed=typed)
    return CaseResult("c", "C", "transcript", None, verdict, Visibility.VISIBLE, met=False, findings=(finding,))


WILD_INDEX = """#include <stdio.h>
int take(int *heap, int n) {
  return heap[n * 1000000];
}
int main(void) {
  int heaps[3] = {1, 2, 3}, n;
  scanf("%d", &n);
  return take(heaps, n);
}
"""
BY_ZERO = """#include <stdio.h>
int main(void) {
  int n;
  scanf("%d", &n);
  printf("%d", 7 / (n - 9));
}
"""
NO_ADDRESS = """#include <stdio.h>
int main(void) {
  int n = 0;
  scanf("%d", n);
  return n;
}
"""
NO_NODE = """#include <stdio.h>
struct stack { struct stack *below; int top; };
int top(struct stack *one) {
  return one->below->top;
}
int main(void) {
  struct stack last;
  last.below = getchar() == '9' ? NULL : &last;
  return top(&last);
}
"""
NOT_THERE = """#include <iostream>
#include <vector>
int main() {
  std::vector<int> heaps(3);
  int n;
  std::cin >> n;
  std::cout << heaps.at(n);
}
"""
ASSERTED = """#include <assert.h>
#include <stdio.h>
int main(void) {
  int n = getchar();
  assert(n == 'A');
}
"""
FREED = """#include <stdlib.h>
#include <stdio.h>
int main(void) {
  int heap[3] = {getchar(), 2, 3};
  free(heap);
  return heap[0];
}
"""
NO_END = """#include <stdio.h>
int down(int n) {
  int kept[9];
  kept[n % 9] = n;
  return down(n + 1) + kept[3];
}
int main(void) {
  return down(getchar());
}
"""
TOO_LONG = """#include <stdio.h>
#include <string.h>
void fill(char *name) {
  memset(name, 'x', 400);
}
int main(void) {
  char name[4];
  getchar();
  fill(name);
  return name[0];
}
"""


@pytest.mark.parametrize(
    ("name", "text", "place", "said"),
    [
        ("main.c", WILD_INDEX, "main.c:3:10", "line 3, in `take` (called from line 8, in `main`): the program used memory that is not its own: is `n * 1000000` a valid index of `heap` there?"),
        ("main.c", BY_ZERO, "main.c:5:16", "line 5, in `main`: an integer was divided by zero: can `(n - 9)` be 0 there?"),
        ("main.c", NO_ADDRESS, "main.c:4:3", "line 4, in `main`: the program used memory that is not its own, in `scanf`: is an `&` missing before `n`?"),
        ("main.c", NO_NODE, "main.c:4:10", "line 4, in `top` (called from line 9, in `main`): the program used memory that is not its own: does `one->below` or `one` point to something there?"),
        ("main.cpp", NOT_THERE, "main.cpp:7:16", "line 7, in `main`: `heaps.at` was asked for something that does not exist, and the exception was not caught"),
        ("main.c", ASSERTED, "main.c:5:3", "line 5, in `main`: the `assert` there failed"),
        ("main.c", FREED, "main.c:5:3", "line 5, in `main`: `free` got memory that it cannot free, or the program wrote past its end before"),
        ("main.c", NO_END, None, "`down` calls itself until the stack is full: which condition must end that?"),
        ("main.c", TOO_LONG, "", "it could not return from a function: does it write past the end of a local array?"),
    ],
)  # fmt: skip
def test_the_line_of_a_crash_is_told_with_a_question(workshop, name, text, place, said):
    """The line, the function with its caller, and what to look at there, in words of the source."""
    found = broke(workshop, name, text, "9\n")
    assert found.detail.endswith(said)
    assert (found.hint == ENDLESS) == ("until the stack is full" in said)
    if place is not None:
        assert found.place == place
        assert bool(found.excerpt) == bool(place)


def test_where_there_are_several_files_the_line_names_its_own(workshop):
    """A function that is called from another file has the names of both."""
    files = {
        "main.c": "int top(int *);\n#include <stdio.h>\nint main(void) {\n  getchar();\n  return top(NULL);\n}\n",
        "stack.c": "int top(int *stack) {\n  return stack[2];\n}\n",
    }
    made = built(workshop, files, language=["c"], sources=["*.c"])
    (case,) = located(made, [result(Verdict.RUNTIME_ERROR, "x\n")], samples=True)
    made.close()
    assert case.findings[0].detail.startswith("line 2 of stack.c, in `top` (called from line 5 of main.c, in `main`): ")
    assert case.findings[0].place.startswith("stack.c:2:")


LOOPS = """#include <stdio.h>
int main(void) {
  int heap = 5, taken = 0;
  scanf("%d", &taken);
  while (heap > 0) {
    if (taken < 9)
      heap -= taken;
    else
      for (;;)
        taken++;
  }
  while (taken >= 0)
    putchar('x');
  return 0;
}
"""


@pytest.mark.parametrize(
    ("typed", "verdict", "said"),
    [
        ("0\n", Verdict.TIME_LIMIT, "it was in the loop at lines 5–11 when its time was up. It goes on while `heap > 0`: does anything in it change that?"),
        ("9\n", Verdict.TIME_LIMIT, "it was in the loop at lines 9–10, inside the one at lines 5–11, when its time was up: no condition ends this loop; does it reach a `break` or a `return`?"),
        ("5\n", Verdict.OUTPUT_LIMIT, "it was in the loop at lines 12–13 when it was stopped. It goes on while `taken >= 0`: does anything in it change that?"),
    ],
)  # fmt: skip
def test_the_loop_of_a_program_that_hangs_is_told(workshop, typed, verdict, said):
    """Its lines and its condition, found by samples: the smallest loop in which the program was each time."""
    found = broke(workshop, "main.c", LOOPS, typed, verdict=verdict)
    assert found.detail == said


def test_a_jump_back_to_a_label_is_a_loop(workshop):
    """The loop around the call has a `break`, and was named. Another function has a label of the same name."""
    text = """#include <stdio.h>
int other(int n) {
again:
  if (n-- > 9) goto again;
  return n;
}
int asks(void) {
  volatile int answer = 0;
again:
  if (answer == 'y') return 1;
  goto again;
}
int main(void) {
  getchar();
  for (;;) {
    if (asks() > other(3)) break;
  }
  return 0;
}
"""
    detail = broke(workshop, "main.c", text, "x\n", verdict=Verdict.TIME_LIMIT).detail
    assert detail.startswith("it was in the loop at lines 9–11 when its time was up")


def test_a_program_that_does_not_break_again_is_told_of_no_line(workshop):
    """A run that waits for more, or ends as it should, says nothing."""
    fine = '#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); scanf("%d", &n); return 0; }\n'
    assert broke(workshop, "main.c", fine, "1\n").detail == ""
    assert broke(workshop, "main.c", fine, "1\n", "2\n").detail == ""


@pytest.mark.parametrize("flag", ["-std=c89", "-std=c11", "-Wextra", "-Wpedantic", "-O3", "-no-pie", "-static"])
def test_whatever_flags_a_spec_sets_the_line_is_found(workshop, flag):
    """The code that is linked into each program is C of any edition, and warns of nothing."""
    text = '#include <stdio.h>\nint main(void)\n{\n    long at = getchar();\n    printf("%d", *(int *)at);\n    return 0;\n}\n'
    found = broke(workshop, "main.c", text, "x\n", language="c", sources=["main.c"], flags={"c": [flag]})
    assert found.detail.startswith("line 5, in `main`: the program used memory that is not its own")


def test_notes_are_forged_in_vain(workshop):
    """A program that writes nonsense to the socket of its notes is told of no line, and nothing else comes of it."""
    forged = (
        "#include <unistd.h>\n#include <stdlib.h>\nint main(void) { char junk[4000]; for (int i = 0; i < 4000; i++) junk[i] = i * 7;\n"
        "write(3, junk, 4000); close(3); abort(); }\n"
    )
    assert broke(workshop, "main.c", forged).place == ""


def graded(name: str, cpu: float = 1, **options: bool) -> list[CaseResult]:
    """The cases of a fixture of c-nim that were not accepted, each run with so many seconds of computing."""
    whole = load_assignment(ROOT / "specs/c-nim.yaml")
    limits = whole.spec.limits.model_copy(update={"cpu": cpu})
    assignment = replace(whole, spec=whole.spec.model_copy(update={"limits": limits}))
    with Grading(assignment, **options) as grading:
        return [
            case
            for case in grading.grade(read_submission(ROOT / "fixtures/c-nim" / name / "submission", None)).cases
            if case.verdict in (Verdict.RUNTIME_ERROR, Verdict.TIME_LIMIT)
        ]


def test_all_cases_that_break_have_the_line():
    """A real program: each of its cases names the line, and those of a batch as well, since it is the same each time."""
    cases = graded("runtime-error/divides-by-zero-when-the-score-is-shown")
    assert {case.findings[0].place for case in cases} == {"main.c:15:15"}
    assert len(cases) == 3


def test_a_loop_is_told_only_where_it_is_asked_for():
    """Samples differ from run to run: a batch, which must come out the same again, takes none."""
    name = "time-limit/hangs-at-once"
    plain, sampled = (graded(name, cpu=0.25, samples=samples)[0] for samples in (False, True))
    assert plain.findings[0].detail == ""
    assert "loop at lines 27–28" in sampled.findings[0].detail
    bare = tuple(replace(one, place="", excerpt="", detail="") for one in sampled.findings)
    assert replace(sampled, findings=bare) == plain
