"""Cases of inputs with what must come of them: what a program is given, what is compared, and what each run earns."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from grader.grading import Grading
from grader.report import junit
from grader.report.record import dump
from grader.results import CaseResult, Grade, Visibility
from grader.spec.loader import load_assignment
from grader.submission import Form, Submission, SubmittedFile

NAMES = {"c": "main.c", "python": "main.py", "java": "Main.java", "lc3": "main.asm", "mips": "main.s"}
SPEC = """
assignment: filter
title: Filter
submission: {{required: [{name}]}}
program: {{language: {language}, sources: [{name}]{program}}}
limits: {{cpu: {cpu}, wall: 3 s, output: 100 KiB, memory: 64 MiB, storage: 1 MiB, instructions: 2M}}
text: {{criterion: work, slips: {{spacing: 1, trailing-blank: 1, case: 1}}}}
rubric: [{{id: work, points: 12, title: Works}}]
cases:
"""


def graded(
    folder: Path, language: str, source: str, cases: str, *others: SubmittedFile, program: str = "", cpu: str = "1 s"
) -> Grade:
    """The grade of a program under some cases."""
    name = NAMES[language]
    path = folder / "filter.yaml"
    spec = SPEC.format(name=name, language=language, program=program, cpu=cpu)
    spec += textwrap.indent(textwrap.dedent(cases), "  ")
    path.write_text(spec, encoding="utf-8")
    files = (SubmittedFile(name, textwrap.dedent(source).encode("utf-8", "surrogateescape")), *others)
    with Grading(load_assignment(path)) as grading:
        return grading.grade(Submission("s1", "S", files, Form.FOLDER))


def judged(folder: Path, language: str, source: str, io: str, *others: SubmittedFile, program: str = "") -> CaseResult:
    """The result of one case."""
    cases = f"- id: one\n  title: One\n  criterion: work\n{textwrap.indent(textwrap.dedent(io).strip(), '  ')}\n"
    return graded(folder, language, source, cases, *others, program=program).cases[-1]


UPPER = "import sys\nprint(sys.stdin.read().upper(), end='')\n"
HELLO = "print('hello')\n"


def told(case: CaseResult) -> str:
    """The texts of the findings."""
    return "\n".join(finding.message for finding in case.findings)


def test_a_right_program_earns_all(tmp_path: Path) -> None:
    """Each input is read whole, up to its end."""
    case = judged(tmp_path, "python", UPPER, 'io: [{input: "a\\nb", output: "A\\nB"}, {input: x, output: X}]')
    assert (case.verdict, case.met, case.share, case.runs) == ("accepted", True, None, 2)


def test_each_run_earns_its_share(tmp_path: Path) -> None:
    """A program that is right in two of three has two thirds of the points, and is told which is wrong."""
    pairs = 'io: [{input: a, output: A}, {name: an empty one, input: b, output: ""}, {input: c, output: C}]'
    cases = f"- {{id: one, title: One, criterion: work, {pairs}}}"
    grade = graded(tmp_path, "python", UPPER, cases)
    case = grade.cases[-1]
    assert (case.verdict, case.met, case.share, grade.score) == ("wrong-answer", False, (2, 3), 8)
    assert "with “an empty one”" in told(case)


def test_a_failing_run_is_shown_with_its_input_and_both_outputs(tmp_path: Path) -> None:
    """As a transcript is: what was typed, what was printed, and what was expected."""
    case = judged(tmp_path, "python", UPPER, 'io: [{input: a, output: A}, {input: "one\\n", output: "TWO\\n"}]')
    assert [(turn.output, turn.typed, turn.expected) for turn in case.turns] == [
        ("", "one\n", None),
        ("ONE\n", None, "TWO\n"),
    ]
    assert case.again == "grader run main.py --input 'one\\n' --end"
    assert (case.findings[0].expected, case.findings[0].actual) == ("TWO⏎", "ONE⏎")


def test_of_many_failing_runs_some_are_told_and_the_others_counted(tmp_path: Path) -> None:
    """Three findings are enough to mend something."""
    pairs = ", ".join(f'{{input: "{n}", output: "no"}}' for n in range(8))
    case = judged(tmp_path, "python", UPPER, f"io: [{pairs}]")
    assert [finding.code for finding in case.findings] == ["text"] * 3 + ["later-turns"]
    assert "5 more runs also fail" in told(case)


def test_a_program_that_does_nothing_earns_nothing(tmp_path: Path) -> None:
    """Not even for inputs that expect no output, as long as no other is right."""
    pairs = 'io: [{input: a, output: A}, {input: "", output: ""}]'
    silent = judged(tmp_path, "python", "", pairs)
    blank = judged(tmp_path, "python", "print()", pairs)
    right = judged(tmp_path, "python", UPPER, pairs)
    assert (silent.verdict, silent.share, blank.share, right.met) == ("wrong-answer", None, None, True)
    assert "nothing is printed" in told(silent)


def test_the_end_alone_counts_where_something_was_done_before(tmp_path: Path) -> None:
    """A program that ends at once has shown nothing by it, nor has one that prints and does not read."""
    io = 'judges: [ending]\nio: {input: "a\\n", output: A}'
    assert judged(tmp_path, "python", "", io).verdict == "not-shown"
    assert judged(tmp_path, "python", "print('x')", io).verdict == "not-shown"
    assert judged(tmp_path, "python", "print(input() + 'x')", io).verdict == "accepted"


def test_slips_are_charged_once_and_the_runs_count_as_right(tmp_path: Path) -> None:
    """The same rules hold as for transcripts."""
    cases = '- {id: one, title: One, criterion: work, io: [{input: a, output: "a\\n"}, {input: b, output: "b\\n"}]}'
    grade = graded(tmp_path, "python", "print(input().upper() + ' ')", cases)
    assert (grade.cases[-1].verdict, grade.score) == ("form", 10)
    assert sorted(finding.code for finding in grade.cases[-1].findings) == ["case", "trailing-blank"]


PROGRAM_WITH_ALL = {
    "c": """
        #include <stdio.h>
        int main(int argc, char **argv) {
            char text[99] = "";
            FILE *in = fopen(argv[1], "r"), *out = fopen("out.txt", "w");
            fgets(text, sizeof text, in);
            printf("%d %s %s", argc - 1, argv[2], text);
            fprintf(out, "%s", text);
            fprintf(stderr, "done\\n");
            return 3;
        }""",
    "python": """
        import sys
        text = open(sys.argv[1]).read()
        print(len(sys.argv) - 1, sys.argv[2], text, end="")
        open("out.txt", "w").write(text)
        print("done", file=sys.stderr)
        sys.exit(3)
        """,
    "java": """
        import java.nio.file.*;
        public class Main {
            public static void main(String[] args) throws Exception {
                String text = Files.readString(Path.of(args[0]));
                System.out.print(args.length + " " + args[1] + " " + text);
                Files.writeString(Path.of("out.txt"), text);
                System.err.println("done");
                System.exit(3);
            }
        }""",
}
ALL = """
    io:
      arguments: [data/in.txt, ü b]
      files: {data/in.txt: "x y\\n"}
      output: "2 ü b x y\\n"
      errors: "done\\n"
      writes: {out.txt: "x y\\n"}
      exit: 3
    """


@pytest.mark.parametrize("language", [*PROGRAM_WITH_ALL])
def test_arguments_files_errors_and_the_exit_code_in_each_language(tmp_path: Path, language: str) -> None:
    """A program gets the words and files of its run, and its second stream, its files and its code are compared."""
    source = PROGRAM_WITH_ALL[language]
    right = judged(tmp_path, language, source, ALL)
    assert (right.verdict, told(right)) == ("accepted", "")
    wrong = ALL.replace('"done', '"gone').replace('"x y\\n"}\n      exit: 3', '"y\\n"}\n      exit: 0')
    case = judged(tmp_path, language, source, wrong)
    assert "in the error stream" in told(case)
    assert "in out.txt" in told(case)
    assert "the program ended with exit code 3; expected 0" in told(case)
    missing = judged(tmp_path, language, source, "io: {arguments: [a, b], files: {a: z}, writes: {other.txt: z}}")
    assert "the program did not write the file other.txt" in told(missing)


def test_a_code_that_nobody_asks_for_is_none(tmp_path: Path) -> None:
    """Many programs return anything."""
    assert judged(tmp_path, "python", "print(1)\nraise SystemExit(9)", 'io: {output: "1\\n"}').met


def test_a_crash_is_one_mistake(tmp_path: Path) -> None:
    """It has no exit code of its own, and what it printed before is right."""
    case = judged(tmp_path, "python", "print(1)\n1 / 0", 'io: {output: "1\\n2\\n", exit: 0}')
    assert (case.verdict, len(case.findings)) == ("runtime-error", 1)


def test_a_crash_is_no_excuse_where_the_end_is_not_judged(tmp_path: Path) -> None:
    """Missing output is missing, and a program that breaks at once has printed nothing of it."""
    io = 'judges: [text]\nio: {output: "1\\n2\\n"}'
    assert judged(tmp_path, "python", "print(1)\nprint(2)\n1 / 0", io).verdict == "accepted"
    assert judged(tmp_path, "python", "print(1)\n1 / 0", io).verdict == "wrong-answer"
    assert judged(tmp_path, "python", "1 / 0", io).verdict == "wrong-answer"


MIPS = """
        .data
name:   .asciiz "out.txt"
        .text
main:   addu  $s0, $a0, $zero
        addu  $s1, $a1, $zero
        addu  $a0, $s0, $zero
        li    $v0, 1
        syscall
        lw    $a0, 0($s1)       # the first argument
        li    $v0, 4
        syscall
        lw    $a0, 4($s1)
        syscall
        la    $a0, name
        li    $a1, 1
        li    $v0, 13
        syscall
        addu  $a0, $v0, $zero
        lw    $a1, 0($s1)
        li    $a2, 3
        li    $v0, 15
        syscall
        li    $a0, 7
        li    $v0, 17
        syscall
"""


def test_a_mips_program_gets_its_arguments_as_from_pa(tmp_path: Path) -> None:
    """Their number is in $a0, the address of their addresses in $a1; its files are in memory, and exit2 gives the code."""
    io = 'io: {arguments: [abc, de], output: "2abcde", writes: {out.txt: abc}, exit: 7}'
    mars = ", profiles: [mars]"
    case = judged(tmp_path, "mips", MIPS, io, program=mars)
    assert (case.verdict, told(case)) == ("accepted", "")
    assert not judged(tmp_path, "mips", MIPS, io.replace("exit: 7", "exit: 0"), program=mars).met
    assert not judged(tmp_path, "mips", MIPS, io.replace("out.txt: abc", "out.txt: abd"), program=mars).met


SIZE = """
        .data
name:   .asciiz "in.txt"
buffer: .space 8
        .text
        la    $a0, name
        li    $a1, 0
        li    $v0, 13
        syscall
        addu  $a0, $v0, $zero
        la    $a1, buffer
        li    $a2, 8
        li    $v0, 14
        syscall
        addu  $a0, $v0, $zero
        li    $v0, 1
        syscall
        li    $v0, 10
        syscall
"""


def test_files_of_a_run_and_of_all_runs_are_in_the_folder_of_a_mips_program(tmp_path: Path) -> None:
    """That of a run stands in place of the program's of that name."""
    io = "io: [{output: '2'}, {files: {in.txt: wxyz}, output: '4'}]"
    case = judged(tmp_path, "mips", SIZE, io, program=", profiles: [mars], files: {in.txt: ab}")
    assert (case.met, case.again) == (True, "grader run main.s --file in.txt=ab --end")


def test_files_of_all_runs_are_in_the_folder_of_any_program(tmp_path: Path) -> None:
    """One that a student hands in under that name does not replace them, and what a run does to its own is undone."""
    (tmp_path / "words.txt").write_bytes(b"from the course")
    source = (
        "text = open('words.txt').read()\nprint(text)\nopen('more.txt', 'a').write('x')\nprint(open('more.txt').read())"
    )
    io = 'io: [{files: {more.txt: a}, output: "from the course\\nax\\n"}, {files: {more.txt: b}, output: "from the course\\nbx\\n"}, {output: "from the course\\nx\\n"}]'
    own = SubmittedFile("words.txt", b"from the student")
    case = judged(tmp_path, "python", source, io, own, program=", files: {words.txt: {path: words.txt}}")
    assert told(case) == ""


def test_a_file_of_the_student_is_back_after_a_run_that_replaced_it(tmp_path: Path) -> None:
    """The course's file is laid over it for its run alone, though another run may be under way by then."""
    io = "io: [{output: own}, {output: own}, {files: {a.txt: ours}, output: ours}, {output: own}]"
    source = "print(open('a.txt').read(), end='')"
    assert told(judged(tmp_path, "python", source, io, SubmittedFile("a.txt", b"own"))) == ""


ECHO = """
        .ORIG x3000
KEY     GETC
        OUT
        ADD R1, R0, #-10
        BRnp KEY
        HALT
        .END
"""


def test_an_lc3_program_gets_keys_when_it_waits(tmp_path: Path) -> None:
    """What it prints is compared, what it echoes included, and what it leaves unread is no matter."""
    assert judged(tmp_path, "lc3", ECHO, 'io: {input: "ab\\nrest", output: "ab\\n"}').met
    ended = judged(tmp_path, "lc3", ECHO, "io: {input: ab, output: ab}")
    assert (ended.verdict, "the input has ended" in told(ended)) == ("runtime-error", True)


IMPATIENT = """
        .ORIG x3000
        GETC
        LDI R1, KBSR            ; looks once whether another key was pressed
        BRzp WAIT
        LEA R0, SAID
        PUTS
WAIT    GETC
        OUT
        HALT
KBSR    .FILL xFE00
SAID    .STRINGZ "early "
        .END
"""


def test_no_key_is_there_before_it_is_waited_for(tmp_path: Path) -> None:
    """A simulated machine has somebody who types, not a file: a program that only looks for a key finds none."""
    assert told(judged(tmp_path, "lc3", IMPATIENT, "io: {input: ab, output: b}")) == ""


def test_a_folder_of_pairs_is_read_in_the_order_in_which_people_count(tmp_path: Path) -> None:
    """Outputs are called .out or .ans, and lines that end as on Windows are those of an editor."""
    folder = tmp_path / "tests"
    folder.mkdir()
    for name, text in (
        ("2.in", "b"),
        ("2.ans", "B"),
        ("10.in", "c"),
        ("10.out", "D"),
        ("1.in", "a\n"),
        ("1.out", "A\r\n"),
    ):
        (folder / name).write_bytes(text.encode())
    (folder / "README").write_text("no pair")
    case = judged(tmp_path, "python", UPPER, "io: tests")
    assert (case.share, "with “10”" in told(case)) == ((2, 3), True)
    read = load_assignment(tmp_path / "filter.yaml").spec.cases[0].io or ()
    assert [pair.name for pair in read] == ["1", "2", "10"]


def test_what_is_exact_is_compared_byte_by_byte(tmp_path: Path) -> None:
    """Even bytes that are not text, and a slip does not count."""
    (tmp_path / "want.bin").write_bytes(b"\x00\xff\r\n")
    source = "import sys\nsys.stdout.buffer.write(b'\\x00\\xff\\r\\n')\nopen('f', 'wb').write(b'\\x00\\xff\\n')"
    right = judged(tmp_path, "python", source, "io: {output: {path: want.bin, exact: true}}")
    wrong = judged(tmp_path, "python", source, "io: {writes: {f: {path: want.bin, exact: true}}}")
    assert (right.met, wrong.met) == (True, False)
    assert "3 bytes instead of 4; they differ from byte 3 on, in f" in told(wrong)


def test_numbers_may_be_off_where_a_case_says_so(tmp_path: Path) -> None:
    """In what is printed and in what is written."""
    source = "print('mean', 2.4999)\nopen('f', 'w').write('2.6')"
    io = "tolerance: 0.01\nio: {output: 'mean 2.50\\n', writes: {f: '2.5'}}".replace("'mean 2.50\\n'", '"mean 2.50\\n"')
    case = judged(tmp_path, "python", source, io)
    assert told(case) == "printed 2.6, expected 2.5 ± 0.01, in f, with no input"


# ------------------------------------------------------------------------------------------------------------- bad input

GIVEN = 'io: {input: "a\\n", output: "done\\n"}'


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        ("print('done')", "accepted"),
        ("import sys\nsys.stdin.close()\nprint('done')", "accepted"),
        ("import sys\nprint('done')\nsys.stdout.close()", "accepted"),
        ("import os\nos.close(1)", "wrong-answer"),
        ("print('done', end='')", "form"),
        ("print('done\\r')", "form"),
        ("import sys\nsys.stdout.buffer.write(b'\\xff\\xfe\\x00')", "wrong-answer"),
        ("print('dönε 你')", "wrong-answer"),
        ("while True: print('x' * 65536)", "output-limit"),
        ("import sys\nwhile True: sys.stderr.write('x' * 65536)", "output-limit"),
        ("import sys\nwhile True: sys.stdin.read()", "time-limit"),
        ("while True: input()", "runtime-error"),
        ("import os\nos.mkdir('f')\nprint('done')", "accepted"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "runtime-error"),
    ],
)
def test_whatever_a_program_does_has_a_verdict(tmp_path: Path, source: str, verdict: str) -> None:
    """None of it is a fault of ours, and each report can be written."""
    cases = f"- {{id: one, title: One, criterion: work, {GIVEN}}}"
    grade = graded(tmp_path, "python", source, cases, cpu="400 ms")
    assert grade.cases[-1].verdict == verdict
    assert len(dump(grade)) < 100_000
    assert junit.render("filter", [grade])


IN_C = """
#include <stdio.h>
int main(void)
{
    char text[99] = "none";
    FILE *in = fopen("d/w.txt", "r");
    if (in) fgets(text, sizeof text, in);
    printf("%s", text);
    return 0;
}
"""


def test_a_compiled_program_finds_the_files_of_all_runs(tmp_path: Path) -> None:
    """They lie where it is run, and not only where it was compiled."""
    assert judged(tmp_path, "c", IN_C, "io: [{output: abc}, {output: abc}]", program=", files: {d/w.txt: abc}").met


def test_on_a_terminal_what_is_typed_appears(tmp_path: Path) -> None:
    """Its line ends are those of the program, and the input also ends there."""
    source = "import sys\nprint(sys.stdin.read().upper(), end='')"
    assert judged(tmp_path, "python", source, 'io: {input: "a\\n", output: "a\\nA\\n"}', program=", terminal: true").met


@pytest.mark.parametrize("made", ["os.mkdir('f')", "os.symlink('/etc/passwd', 'f')", "os.mkfifo('f')", "pass"])
def test_what_is_no_file_is_not_there(tmp_path: Path, made: str) -> None:
    """A folder, a link that leads out, or a pipe with the name of a file is not a file, and nobody waits for it."""
    case = judged(tmp_path, "python", f"import os\n{made}\nprint('x')", "io: {writes: {f: x}}")
    assert "the program did not write the file f" in told(case)


def test_a_large_input_is_given_to_who_reads_it_and_no_matter_to_who_does_not(tmp_path: Path) -> None:
    """It is more than a pipe holds."""
    (tmp_path / "big.txt").write_bytes(b"word\n" * 500_000)
    io = 'io: {input: {path: big.txt}, output: "500000\\n"}'
    assert judged(tmp_path, "python", "import sys\nprint(sum(1 for _ in sys.stdin))", io).met
    assert judged(tmp_path, "python", "print(500000)", io).met


def test_a_long_output_is_shown_around_the_first_difference(tmp_path: Path) -> None:
    """A report does not hold a megabyte, and what differs is in it."""
    (tmp_path / "want.txt").write_text("x\n" * 20_000 + "y\n")
    case = judged(tmp_path, "python", "print('x\\n' * 20000 + 'z')", "io: {output: {path: want.txt}}")
    output, expected = case.turns[-1].output, case.turns[-1].expected or ""
    assert ("z\n" in output, "y\n" in expected, len(output) < 5000) == (True, True, True)
    assert "characters before, as expected" in output


def test_a_hidden_case_shows_nothing_of_its_pairs(tmp_path: Path) -> None:
    """A student sees that it failed."""
    from grader.results import for_student

    cases = "- {id: one, title: One, criterion: work, visibility: hidden, io: {input: secret, output: SECRET}}"
    case = for_student(graded(tmp_path, "python", "print(1)", cases)).cases[-1]
    assert (case.visibility, case.turns, case.again) == (Visibility.HIDDEN, (), "")
    assert "SECRET" not in told(case).upper()
