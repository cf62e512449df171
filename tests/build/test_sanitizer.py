"""Reports of programs that were compiled with checks: one sentence, and the student's own line."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grader.build import Built, sanitizer
from grader.build.native import build_native
from grader.sandbox import Status
from grader.sessions.session import play
from grader.source import SourceFile
from grader.transcript import EndingKind
from tests.build.conftest import handed_in, spec

PROGRAM = r"""#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *next; };
int table[3] = {1, 2, 3};
static int at(const int *numbers, int i) { return numbers[i]; }
static int run(int which, int two)
{
    int heaps[3] = {3, 5, 8};
    int big = 2147483647, *block = malloc(10 * sizeof *block);
    char name[8] = "";
    struct node *nothing = two > 2 ? (void *)block : NULL;
    switch (which) {
    case 1: heaps[two + 1] = 4; return heaps[0];
    case 2: return at(heaps, two + 1);
    case 3: free(block); return at(block, two);
    case 4: free(block); free(block); return 0;
    case 5: return nothing->value;
    case 6: return big + two;
    case 7: return 1 << (30 + two);
    case 8: return big / (two - 2);
    case 9: return at(table, two + 2);
    case 10: strcpy(name, "far too long"); return name[0];
    case 11: return at(block, -two);
    case 12: return at(NULL, two);
    case 13: free(heaps + 1); return heaps[0];
    case 14: return at((int *)(123456789123L * two), 0);
    case 15: block = malloc((size_t)two << 20); memset(block, 1, (size_t)two << 20); return block[0];
    case 16: for (;;) memset(malloc(1 << 20), 1, 1 << 20);
    case 17: fputs("==1==ERROR: AddressSanitizer: made-up", stderr); return 0;
    default: return which;
    }
}
int main(void)
{
    int which;
    if (scanf("%d", &which) == 1)
        printf("%d\n", run(which, 2));
    return 0;
}
"""


@pytest.fixture(scope="module")
def checked(workshop) -> Iterator[Built]:
    """The program, compiled with checks."""
    told = spec(language="c", sources=["main.c"], sanitize=True)
    told = told.model_copy(update={"limits": told.limits.model_copy(update={"memory": 32 << 20})})
    made = build_native(told, (), handed_in({"main.c": PROGRAM}), workshop)
    yield made
    made.close()


def ending(made: Built, typed: str):
    """How a run ends in which something is typed."""
    (program,) = made.programs.values()
    return play(program.start(""), (f"{typed}\n",)).ending


@pytest.mark.parametrize(
    ("typed", "line", "said"),
    [
        ("1", 14, "line 14 uses `heaps[3]`, one element past the end: `heaps` has the elements 0 to 2"),
        ("2", 6, "line 6 reads one element past the end of `heaps`"),
        ("3", 6, "line 6 reads memory that line 16 has freed"),
        ("4", 17, "line 17 frees memory that line 17 has freed already"),
        ("5", 18, "line 18 looks into a `struct node` through a null pointer"),
        ("6", 19, "line 19 computes 2 + 2147483647, which does not fit into an `int`"),
        ("7", 20, "line 20 shifts by 32, which is negative or more than the number has bits"),
        ("8", 21, "line 21 divides by zero"),
        ("9", 6, "line 6 reads 2 elements past the end of `table`"),
        ("10", 23, "line 23 writes 13 bytes into `name`, which has 8 bytes"),
        ("11", 6, "line 6 reads 2 elements before the beginning of the 40 bytes that line 10 allocated"),
        ("12", 6, "line 6 reads through a null pointer"),
        ("13", 26, "line 26 frees memory that was not allocated, or not from its beginning"),
        ("14", 6, "line 6 reads through a pointer that points to nothing of the program's"),
    ],
)
def test_a_broken_rule_is_told_in_a_sentence_with_the_students_line(checked, typed, line, said):
    """The deed, its variable, and the place."""
    found = ending(checked, typed)
    assert (found.kind, found.message, found.place) == (EndingKind.UNDEFINED, said, f"main.c:{line}")
    assert found.excerpt


def test_a_program_that_breaks_no_rule_ends_as_ever(checked):
    """The checks count only if they stop the program; its own output is not one of them."""
    assert ending(checked, "99").kind is EndingKind.ENDED
    assert ending(checked, "15").kind is EndingKind.ENDED
    assert ending(checked, "17").kind is EndingKind.ENDED


def test_memory_has_its_limit_all_the_same(checked):
    """The checks take some of it, for which there is room: three times as much as the spec says."""
    assert ending(checked, "16").kind is EndingKind.MEMORY_LIMIT


CALLED = """#1 main
==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1 at pc 0x2 bp 0x3 sp 0x4
WRITE of size 1 at 0x1 thread T0
    #0 0x55e in __interceptor_memcpy ../../../../src/libsanitizer/sanitizer_common/x.inc:827
    #1 0x55f in course_sort /box/sort.c:3
    #2 0x560 in main /box/main.c:2

0x602000000015 is located 0 bytes after 5-byte region [0x602000000010,0x602000000015)
allocated by thread T0 here:
    #0 0x7fa in malloc ../asan_malloc_linux.cpp:69
    #1 0x55d in main /box/main.c:1
"""


def explained(said: str):
    """The sentence for a report."""
    tell = sanitizer.explains([SourceFile("main.c", "char *a;\nint main() {}\n")])
    return tell(Status(86, None, None, 0.0, 0), said)


def test_the_line_is_the_students_own():
    """If calls in libraries and in files of the course are on the stack, the student's innermost one is told; newer compilers say `after`."""
    found = explained(CALLED)
    assert found.message == "line 2 writes one byte past the end of the 5 bytes that line 1 allocated"
    assert found.place == "main.c:2"


def test_what_is_not_known_is_said_in_the_compilers_words():
    """A new kind of report is still one sentence."""
    said = "main.c:2:5: runtime error: something of a later year\n    #0 0x1 in main main.c:2\n"
    assert explained(said).message == "line 2 breaks a rule of the language: something of a later year"
    assert (
        explained("==1==ERROR: AddressSanitizer: odd-thing on x\n").message
        == "the program uses memory wrongly: odd thing"
    )


def test_without_a_report_there_is_nothing_to_explain():
    """An exit code alone says nothing."""
    assert explained("86") is None
