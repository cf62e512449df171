"""``grader call``: one routine, what came of it, every instruction, and a program of its own that does the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.bundled import specs_folder
from grader.machines.families import Start, family
from grader.source import SourceFile
from tests.grading.test_call import GCD, lc3
from tests.grading.test_call_conventions import FRAME, SIX
from tests.grading.test_call_memory import REVERSE, SUM


@pytest.fixture
def call(tmp_path, grader):
    """Calls a routine of a source: the exit code, and what was printed and told."""

    def call(source: str, *words: str, name: str = "p.asm") -> tuple[int, str, str]:
        path = tmp_path / name
        path.write_text(source)
        return grader("call", path, *words)

    return call


def test_a_call_tells_what_came_back(call):
    """The result, and the registers that changed."""
    code, out, _ = call(GCD, "GCD", "R0=12", "R1=18")
    assert code == 0
    assert out.splitlines()[:2] == ["GCD(12, 18)", "  returned 6 after 22 instructions"]


def test_a_routine_that_does_not_return_is_told_where_it_stopped(call):
    """With exit code 1."""
    code, out, _ = call(lc3(":F HALT"), "F")
    assert code == 1
    assert out.splitlines()[1].endswith("p.asm:2:1: the program halted")


def test_a_list_that_comes_back_is_shown_as_one(call):
    """Its address says nothing to anybody."""
    _, out, _ = call(REVERSE, "REVERSE", "R0={list: [1, 2, 3]}")
    assert "  returned {list: [3, 2, 1]} after " in out


def test_words_lie_at_labels(call):
    """A name that is no register is a label, or a block."""
    _, out, _ = call(SUM, "SUM", "LIST=[1, 2, 0]", "TOTAL=0")
    assert out.splitlines()[0] == "SUM() with LIST = [1, 2, 0], TOTAL = 0"
    assert "  at LIST lies [1, 2, 0]" in out


def test_arguments_are_passed_in_order(call):
    """Also those that begin with a minus, which are no options."""
    _, out, _ = call(SIX, "six", "1", "-2", "3", "4", "50", "6")
    assert out.splitlines()[1] == "  returned 100 after 9 instructions"
    _, out, _ = call(FRAME, "SUB", "--convention", "lc3-frame", "12", "-5")
    assert out.splitlines()[1] == "  returned 17 after 14 instructions"


def test_every_instruction_can_be_seen_with_the_registers_that_it_changes(call):
    """On standard error."""
    _, out, err = call(lc3(":F ADD R0, R0, #1", "RET"), "F", "R0=4", "--trace")
    assert "returned 5" in out
    assert err.splitlines() == ["x3000  ADD R0, R0, #1   ; line 2   R0 = x0005", "x3001  RET   ; line 3"]


@pytest.mark.parametrize(
    "words", [("GCT",), ("GCD", "R0=@lost"), ("GCD", "R0=65536"), ("GCD", "R0=[1"), ("GCD", "R0=1.5")]
)
def test_what_cannot_be_called_is_wrong_usage(call, words):
    """A label that is not there, an argument that is nothing."""
    code, _, err = call(GCD, *words)
    assert code == 2
    assert err


DUMPED = [
    pytest.param("lc3", GCD, ("GCD", "R0=12", "R1=18"), 0, 6, id="numbers"),
    pytest.param("lc3", GCD.replace("x3000", "x3100"), ("GCD", "R0=12", "R1=18"), 0, 6, id="elsewhere"),
    pytest.param("lc3", SUM, ("SUM", "LIST=[5, 6, 0]", "TOTAL=1"), 0, 11, id="labels"),
    pytest.param("lc3", lc3(":F LDR R0, R0, #1", "LDR R0, R0, #0", "RET"), ("F", 'R0=[1, "x"]'), 0, ord("x"), id="blocks"),
    pytest.param("lc3", lc3(":F LDR R0, R0, #1", "RET", ":ROW .FILL 7", ".FILL 8"), ("F", "R0=@ROW"), 0, 8, id="address"),
    pytest.param("mips", SIX, ("six", "1", "2", "3", "4", "50", "6"), 2, 104, id="stack"),
    pytest.param("mips", "f: lb $v0, 2($a0)\n   jr $ra\n", ("f", '"abc"'), 2, ord("c"), id="text"),
    pytest.param("mips", ".data\nn: .word 4\n.text\nf: lw $v0, n\n   jr $ra\n", ("f", "n=9"), 2, 9, id="word"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "source", "words", "register", "value"), DUMPED)
def test_a_dump_is_a_program_that_makes_the_call_and_ends(call, tmp_path, language, source, words, register, value):
    """Assembled and run by itself it has the same result in the same register."""
    file = tmp_path / "dump.asm"
    _, out, _ = call(source, *words, "--dump", str(file))
    assert f"returned {value} " in out
    assert _result(language, file, register) == value


@pytest.mark.parametrize(
    ("lab", "words", "register", "value"),
    [("lc3-routines", ("ATOI", "R0='58'"), 0, 58), ("mips-routines", ("digit_sum", "4071"), 2, 12)],
)
def test_a_dump_begins_with_the_call_though_the_course_has_a_driver(call, tmp_path, lab, words, register, value):
    """The driver of the LC-3 lab lies at x3000 itself, and that of the MIPS lab is a main."""
    folder = specs_folder() / "examples" / lab
    source = next((folder / "fixtures/accepted").glob("*/submission/*")).read_text()
    file = tmp_path / "dump.asm"
    call(source, *words, "--spec", str(folder / f"{lab}.yaml"), "--dump", str(file))
    assert _result(lab.partition("-")[0], file, register) == value


def _result(language: str, file: Path, register: int) -> int:
    """The value of a register once the program in a file has ended."""
    machine = family(language)
    assembly = machine.assemble(SourceFile(file.name, file.read_text()), machine.traits.dialects[0], {})
    assert assembly.errors == ()
    running = machine.machine(assembly.image, Start("default" if language == "lc3" else "mars", 10_000, 1000))
    assert running.run().kind in ("halted", "off-end")
    return running.registers[register]
