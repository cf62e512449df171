"""A file of another type than the spec asks for is named as what it is."""

from __future__ import annotations

import pytest

from grader.build import build, wrong_type
from grader.build.built import Built
from grader.bundled import spec_path
from grader.results import Verdict
from grader.source import SourceFile
from grader.spec.loader import load_assignment
from grader.submission import Form
from tests.graded import handed_in

LC3 = '.ORIG x3000\nLEA R0, TEXT\nLD R1, TEXT\nPUTS\nHALT\nTEXT .STRINGZ "hi"\n.END\n'
MIPS = ".data\nx: .word 1\n.text\nmain: li $v0, 10\nlw $t0, x\nsyscall\n"


@pytest.mark.parametrize(
    ("spec", "name", "text", "said"),
    [
        ("c-nim", "game.asm", LC3, "game.asm is an assembly program, but the assignment asks for a C program"),
        ("lc3-nim", "nim.py", "print(1)", "nim.py is a Python program, but the assignment asks for an LC-3 program"),
        ("java-nim", "Nim.cpp", "", "Nim.cpp is a C++ program, but the assignment asks for a Java program"),
        (
            "lc3-nim",
            "report.pdf",
            "%PDF-1.4",
            "report.pdf is no source text, but the assignment asks for an LC-3 program",
        ),
        ("lc3-nim", "nim.asm", MIPS, "nim.asm is a MIPS program, but the assignment asks for an LC-3 program"),
        ("mips-connect4", "four.asm", LC3, "four.asm is an LC-3 program, but the assignment asks for a MIPS program"),
        ("c-nim", "nim.cbp", "<xml/>", "nim.cbp is no source text, but the assignment asks for a C program"),
        ("c-nim", "main.c", "\x7fELF\0\0", "main.c is no source text, but the assignment asks for a C program"),
        ("java-nim", "plan.txt", "Repeat", "plan.txt is no source text, but the assignment asks for a Java program"),
        ("java-nim", "Nim.txt", "class Nim { int x = }", ""),  # a program of Java has the compiler's messages
        ("c-nim", "main.c", "", ""),
        ("c-nim", "main.cpp", "", ""),
        ("lc3-nim", "nim.txt", "ADD R0", ""),
        ("lc3-nim", "nim.c", LC3, ""),  # an LC-3 program under a wrong name has the assembler's messages
        ("lc3-nim", "nim.s", "", ""),
        ("lc3-nim", "nim.asm", "", ""),
    ],
)
def test_a_file_is_named_as_what_it_is(spec, name, text, said):
    """By its name, and where both machines have that by its lines; nothing is said of what may be a program of this kind."""
    finding = wrong_type(load_assignment(spec_path(spec)).spec.program, SourceFile(name, text))
    assert (finding.message if finding else "") == said


def test_it_is_said_in_place_of_the_assembler(monkeypatch):
    """A file that does not build loses the messages of the tool; one that builds is what it is, whatever its name."""
    lab = load_assignment(spec_path("lc3-nim"))

    def built(name, text):
        return build(lab, handed_in({name: text}, Form.FILE))

    wrong = built("nim.py", "print('hi')")
    assert wrong.verdict is Verdict.COMPILE_ERROR
    assert [finding.code for finding in wrong.findings] == ["wrong-type"]
    assert wrong.findings[0].hint == "the name of the file to hand in: nim.asm"
    assert not wrong.diagnostics
    assert built("nim.py", LC3).verdict is Verdict.ACCEPTED
    ours = Built(Verdict.JUDGE_ERROR, "lc3", sources=(SourceFile("nim.py", ""),))
    monkeypatch.setattr("grader.build.simulated.build_simulated", lambda *_: ours)
    assert built("nim.py", "print('hi')") is ours
