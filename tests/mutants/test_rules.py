"""The rules that make mutants: of instructions by the table of the machine, of other programs by the syntax tree."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from grader.bundled import spec_path
from grader.errors import UsageError
from grader.machines.families import family
from grader.mutants import asm, syntax
from grader.mutants.drawing import mutants, originals
from grader.mutants.mutant import Edit
from grader.source import SourceFile
from grader.spec.loader import load_assignment

FIXTURES = Path(__file__).parents[2] / "fixtures"

LC3 = """\
        .ORIG x3000
TOP     ADD R1, R1, #-1 ; ADD R2
        BRz TOP
        TRAP x25
LIMIT   .FILL x30
        .END
"""
MIPS = """\
main:   lw $t0, 4($sp)   # lw $t1
        bge $t0, 9, main
        syscall
n:      .word 7
"""


def made(edits: list[Edit], text: str) -> dict[str, set[str]]:
    """The changed lines that each rule makes."""
    found: dict[str, set[str]] = {}
    for edit in edits:
        changed = text[: edit.start] + edit.text + text[edit.end :]
        lines = [new for old, new in zip(text.split("\n"), changed.split("\n"), strict=False) if old != new]
        found.setdefault(edit.rule, set()).add(lines[0].split(";")[0].split("#  ")[0].strip())
    return found


def test_an_instruction_of_an_lc3_is_changed_by_what_its_table_says():
    """Numbers, registers and conditions change, a trap's number does not; labels and comments stay."""
    found = made(list(asm.edits(family("lc3"), SourceFile("p.asm", LC3))), LC3)
    assert found["immediate"] == {"TOP     ADD R1, R1, #-2", "TOP     ADD R1, R1, #0"}
    assert found["constant"] == {"LIMIT   .FILL #47", "LIMIT   .FILL #49"}
    assert found["left-out"] == {"TOP", ""}
    assert found["exchanged"] == {"TOP     BRz TOP", "TRAP x25"}
    assert len(found["condition"]) == asm.OTHERS
    assert all(line.startswith("BR") and line.endswith(" TOP") and line != "BRz TOP" for line in found["condition"])
    assert "register" not in found, "no other register is used"


def test_an_instruction_of_a_mips_program_is_changed_inside_of_its_address():
    """The number and the register of ``4($sp)`` change alone; a branch becomes one with the same operands."""
    found = made(list(asm.edits(family("mips"), SourceFile("p.s", MIPS))), MIPS)
    assert {line.split("#")[0].strip() for line in found["immediate"]} == {
        "main:   lw $t0, 3($sp)",
        "main:   lw $t0, 5($sp)",
        "bge $t0, 8, main",
        "bge $t0, 10, main",
    }
    assert {line.split("#")[0].strip() for line in found["register"]} == {
        "main:   lw $sp, 4($sp)",
        "main:   lw $t0, 4($t0)",
        "bge $sp, 9, main",
    }
    assert all(line.endswith(" $t0, 9, main") for line in found["condition"])
    assert found["constant"] == {"n:      .word 6", "n:      .word 8"}


@pytest.mark.parametrize(
    ("language", "text", "rules"),
    [
        ("c", "int f(int a){ if (a < 3 && !g(a, 2)) return a + 1; h(); return 0; }", {"comparison", "arithmetic"}),
        ("java", "class A { int f(int a){ while (a < 3 && !g(a, 2)) { break; } h(); return a + 1; } }", set()),
        ("python", "def f(a):\n    if a < 3 and not g(a, 2):\n        h()\n    return a + 1\n", set()),
    ],
)
def test_every_rule_finds_its_nodes_in_each_language(language, text, rules):
    """Comparisons, arithmetic, logic, constants, conditions, statements, jumps and arguments."""
    found = made(list(syntax.edits(language, SourceFile("p", text))), text)
    every = {"comparison", "arithmetic", "logic", "constant", "forced", "left-out", "jump", "exchanged"}
    assert found.keys() == every | rules
    assert any("g(2, a)" in line for line in found["exchanged"])
    assert len(found["forced"]) == 2
    assert any("a <= 3" in line for line in found["comparison"])
    assert any("a >= 3" in line for line in found["comparison"])


def test_a_text_and_a_docstring_stay_as_they_are():
    """A mistake in a text is one of form, and no statement is left out that is only a text."""
    text = 'def f():\n    """Says 1 < 2."""\n    print("1 < 2")\n'
    assert {edit.rule for edit in syntax.edits("python", SourceFile("p.py", text))} == {"left-out"}


def test_mutants_stand_in_the_same_order_everywhere():
    """The first mutants of a bundled spec, by name: their order hangs on nothing but the programs."""
    assignment = load_assignment(spec_path("lc3-nim"))
    programs = originals(assignment, ())
    first = mutants(assignment.spec, programs)[:3]
    assert [one.name for one in first] == [
        "board-as-strings/nim.asm:68:21 constant: #-48 → #-49",
        "carriage-return-as-newline/nim.asm:69:1 exchanged: LD R0,ENTER OUT → OUT LD R0,ENTER",
        "chinese-comments-in-gbk/nim.asm:37:9 exchanged: ADD R2, R0, #0 BRnzp HUAN → BRnzp HUAN ADD R2, R0, #0",
    ]
    assert Counter(one.program for one in mutants(assignment.spec, programs)[: 2 * len(programs)]) == Counter(
        dict.fromkeys((one.name for one in programs), 2)
    )


def test_a_mutant_keeps_the_encoding_of_its_file_and_changes_one_place():
    """A source in GBK stays one, and so do its comments."""
    assignment = load_assignment(spec_path("lc3-nim"))
    [program] = originals(assignment, [FIXTURES / "lc3-nim/accepted/chinese-comments-in-gbk/submission"])
    for one in mutants(assignment.spec, [program])[:5]:
        [before], [after] = program.submission.files, one.made_of(program.submission).files
        old, new = before.data.decode("gb18030").split("\n"), after.data.decode("gb18030").split("\n")
        assert len(old) == len(new)
        assert 1 <= sum(a.rstrip("\r") != b for a, b in zip(old, new, strict=True)) <= 2


def test_copies_of_a_program_are_one_original(tmp_path):
    """Two folders with the same source give the mutants of one; a folder without a program gives none."""
    assignment = load_assignment(spec_path("lc3-nim"))
    source = (FIXTURES / "lc3-nim/accepted/stack-in-r6/submission/nim.asm").read_bytes()
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "nim.asm").write_bytes(source)
    assert [one.name for one in originals(assignment, [tmp_path / "one", tmp_path / "other"])] == ["one"]
    (tmp_path / "none").mkdir()
    with pytest.raises(UsageError, match="no right program"):
        originals(assignment, [tmp_path / "none"])
