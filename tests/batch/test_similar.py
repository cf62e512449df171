"""Pairs that are more alike than chance: a disguised copy is found, and independent programs are not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.batch.runner import run_batch
from grader.batch.similar import Program, shapes, similar_pairs
from grader.batch.values import Call
from grader.cli.main import cli
from tests.batch.test_runner import ROOT, SPEC

INDEPENDENT = {
    "lc3": [
        "jump-table",
        "polling-the-devices",
        "stack-in-r6",
        "board-as-strings",
        "subroutines-save-registers",
        "no-commas-and-colons",
    ],
    "mips": ["keys-bitboards", "mars-macros", "names-menu-and-clock"],
    "c": [
        "heaps-in-an-array",
        "reads-by-getchar",
        "struct-and-unbuffered",
        "fgets-and-sscanf",
        "passes-back-by-index-0",
    ],
    "java": [
        "buffered-reader-and-an-array",
        "exceptions-for-what-is-wrong",
        "scanner-and-static-methods",
        "objects-in-several-files",
    ],
}
FOLDER = {"lc3": "lc3-nim", "mips": "mips-connect4", "c": "c-nim", "java": "java-nim"}
BOTH = (
    "int", "char", "void", "if", "else", "while", "for", "do", "return", "break", "continue", "static",
)  # fmt: skip
KEPT = {
    "c": (*BOTH, "main", "struct", "const", "include", "stdio", "stdlib", "string", "ctype", "h"),
    "java": (*BOTH, "final", "class", "public", "private", "new", "import", "java", "util", "String", "boolean"),
}


def program(language: str, name: str) -> Program:
    """A fixture as a submission."""
    place = ROOT / "fixtures" / FOLDER[language] / "accepted" / name / "submission"
    files = [path for path in sorted(place.rglob("*")) if path.suffix in (".asm", ".s", ".c", ".java")]
    sources = tuple((path.name, path.read_text("utf-8", "replace")) for path in files)
    return Program(name, name, name, language, sources)


def disguised(language: str, text: str) -> str:
    """The same program under other names, with other comments, and data in another order."""
    if language == "lc3":
        labels = {match[1] for match in re.finditer(r"(?m)^(\w+)[ \t]+\S", text) if match[1].isupper()}
        opcodes = {
            "ADD", "AND", "NOT", "LD", "LDI", "LDR", "LEA", "ST", "STI", "STR", "JSR", "JMP", "TRAP", "RET", "HALT",
        }  # fmt: skip
        for number, label in enumerate(sorted(labels - opcodes, key=len, reverse=True)):
            text = re.sub(rf"\b{re.escape(label)}\b", f"Q{number}Z", text)
        text = re.sub(r"\bR([0-5])\b", lambda found: f"R{(int(found[1]) + 1) % 6}", text)
        return re.sub(r";[^\n\"]*$", "; mine", text, flags=re.MULTILINE)
    if language == "mips":
        text = re.sub(r"\$t([0-9])", lambda found: f"$t{(int(found[1]) + 3) % 10}", text)
        labels = re.findall(r"(?m)^\s*(\w+):", text)
        for number, label in enumerate(sorted(set(labels) - {"main"}, key=len, reverse=True)):
            text = re.sub(rf"(?<![\w.$]){re.escape(label)}(?!\w)", f"zz_{number}", text)
        return re.sub(r"(?m)^([^\"#\n]*)#.*$", r"\1# mine", text)
    kept = set(KEPT[language])
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "/* mine */", text, flags=re.DOTALL)
    parts = re.split(r'("(?:[^"\\]|\\.)*")', text)
    return "".join(
        part
        if part.startswith('"')
        else re.sub(r"\b[A-Za-z_]\w*\b", lambda found: found[0] if found[0] in kept else f"z_{found[0][::-1]}", part)
        for part in parts
    ).replace(";", ";\n\n")


@pytest.mark.parametrize("language", INDEPENDENT)
def test_a_disguised_copy_is_found_and_independent_programs_are_not(language):
    """Other names, registers and comments do not hide a copy, and programs to one assignment are not alike by that alone."""
    programs = [program(language, name) for name in INDEPENDENT[language]]
    assert [(pair.first.name, pair.second.name) for pair in similar_pairs(programs)] == []
    for one in programs:
        sources = tuple((name, disguised(language, text)) for name, text in one.sources)
        copy = Program("copy", "copy", "copy", language, sources)
        assert copy.sources != one.sources
        (found,) = similar_pairs([*programs, copy])
        assert (found.first.name, found.second.name) == (one.name, "copy")
        assert found.alike > 0.5


def test_the_order_of_independent_lines_does_not_matter():
    """Between two places where a program goes elsewhere lines may stand in any order, and data anywhere among data."""
    straight = ".ORIG x3000\nA LD R0,X\n LD R1,Y\n NOT R2,R2\n BRz A\nX .FILL 1\nY .BLKW 2\n.END\n"
    moved = ".ORIG x3000\nA NOT R5,R5\n LD R3,Y\n LD R4,X ; load\n BRz A\nY .BLKW 2\nX .FILL 7\n.END\n"
    other = ".ORIG x3000\nA LD R0,X\n BRz A\n LD R1,Y\n NOT R2,R2\nX .FILL 1\nY .BLKW 2\n.END\n"

    def forms(language, name, text):
        return [shape.form for shape in shapes(language, [(name, text)])]

    assert forms("lc3", "a.asm", straight) == forms("lc3", "a.asm", moved) != forms("lc3", "a.asm", other)
    c = [
        "int f(int a) { int b = 1; g(a); if (a) return 2; return b; }",
        "int h(int x) { q(x); int y = 3; if (x)\n return 4; return y; }",
    ]
    assert forms("c", "a.c", c[0]) == forms("c", "b.c", c[1])
    python = ["a = 1\nb(2)\nif a:\n    c = [a,\n         b]\n", "z(5)  # mine\ny = 2\nif y:\n    x = [y, z]\n"]
    assert forms("python", "a.py", python[0]) == forms("python", "b.py", python[1])


def test_what_the_course_gave_does_not_count():
    """Two programs around one file of the course are not alike by that file."""
    frame = program("lc3", "jump-table").sources[0][1]
    first, second = (program("lc3", name).sources[0][1] for name in ("polling-the-devices", "board-as-strings"))
    both = [
        Program(name, name, name, "lc3", (("nim.asm", own + frame),)) for name, own in (("a", first), ("b", second))
    ]
    assert len(similar_pairs(both)) == 1
    assert similar_pairs(both, [("given.asm", frame)]) == []


def test_the_command_lists_pairs_and_writes_them_side_by_side(tmp_path):
    """The list names both; the page has both programs, and says that it is no verdict. No report has anything of it."""
    submissions, out = tmp_path / "submissions", tmp_path / "out"
    own = program("lc3", "jump-table").sources[0][1]
    for number, text in enumerate((own, disguised("lc3", own), program("lc3", "polling-the-devices").sources[0][1])):
        (submissions / f"PB0000000{number}").mkdir(parents=True)
        (submissions / f"PB0000000{number}/nim.asm").write_text(text, encoding="utf-8")
    run_batch(Call(SPEC, [submissions], out, jobs=1))
    done = CliRunner().invoke(cli, ["similar", str(out)], catch_exceptions=False)
    lines = done.output.splitlines()
    assert (len(lines), lines[0].split()[-2:]) == (2, ["PB00000000", "PB00000001"])
    page = (out / "similar.html").read_text("utf-8")
    assert "no verdict" in page
    assert page.count('class="shared"') > 2
    assert "similar" not in (out / "index.html").read_text("utf-8")
    assert Path(out / "grades.csv").exists()
