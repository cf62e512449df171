"""The machines by language: the tables hold, and a source is known by what it looks like."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import get_args

import pytest

from grader.errors import UsageError
from grader.machines.families import TRAITS, Start, family, language_of, language_with
from grader.machines.lc3.dialect import DIALECTS as LC3_DIALECTS
from grader.machines.lc3.profiles import PROFILES as LC3_PROFILES
from grader.machines.mips.dialect import DIALECTS as MIPS_DIALECTS
from grader.machines.mips.profiles import PROFILES as MIPS_PROFILES
from grader.source import SourceFile
from grader.spec.languages import Profile
from grader.spec.model import PROFILES as SPEC_PROFILES

ROOT = Path(__file__).resolve().parents[2]


def test_the_tables_name_what_the_machines_have():
    """Profiles and dialects are listed without importing a machine; the lists are those of the machines."""
    profiles = {language: traits.profiles for language, traits in TRAITS.items()}
    assert profiles == {"lc3": tuple(LC3_PROFILES), "mips": tuple(MIPS_PROFILES)} == dict(SPEC_PROFILES)
    assert {name for names in profiles.values() for name in names} == set(get_args(Profile))
    dialects = {"lc3": tuple(LC3_DIALECTS), "mips": tuple(MIPS_DIALECTS)}
    assert {language: traits.dialects for language, traits in TRAITS.items()} == dialects


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (".ORIG x3000\nHALT\n.END", "lc3"),
        ("lea r0, msg\nputs\n", "lc3"),
        (".text\nli $v0, 10\nsyscall\n", "mips"),
        ("main:\n jr $ra\n", "mips"),
        ("", "lc3"),
    ],
)
def test_a_language_is_known_by_its_lines(text, language):
    """Directives, registers and mnemonics tell; LC-3 where nothing does."""
    assert language_of(SourceFile("p.asm", text)) == language


def test_every_fixture_is_known():
    """No correct program of ours is taken for the other language."""
    programs = [p for p in (ROOT / "fixtures/lc3-nim/accepted").rglob("*.asm") if p.is_file()]
    assert programs
    for path in programs:
        assert language_of(SourceFile.from_bytes(path.name, path.read_bytes())) == "lc3"


def test_a_profile_names_its_language():
    """Each profile belongs to one machine."""
    assert (language_with("classic"), language_with("spim"), language_with("pdp11")) == ("lc3", "mips", None)


@pytest.mark.parametrize(
    ("language", "profile", "text", "printed"),
    [
        ("lc3", "default", ".ORIG x3000\nLD R0, C\nOUT\nHALT\nC .FILL x41\n.END\n", b"A"),
        ("mips", "mars", ".text\nli $a0, 65\nli $v0, 11\nsyscall\nli $v0, 10\nsyscall\n", b"A"),
    ],
)
def test_each_family_assembles_and_runs(language, profile, text, printed):
    """The same few verbs drive either machine."""
    machine = family(language)
    assembly = machine.assemble(SourceFile("p", text), machine.dialect_of(profile), {})
    assert assembly.image is not None
    running = machine.machine(assembly.image, Start(profile, 1000, 1000))
    assert running.run().final
    assert running.take_output() == printed


MAIN = SourceFile("main.s", "f: li $a0, 65\n.globl main\nmain: jal print\nli $v0, 10\nsyscall\n")
PRINT = SourceFile("print.s", ".globl print\nprint: li $v0, 11\nsyscall\njr $ra\n")


@pytest.mark.parametrize(("entry", "printed"), [("", b"A"), ("first", b"A"), ("main", b"\0")])
@pytest.mark.parametrize("when", ["assembled", "started"])
def test_a_program_of_two_files_starts_where_it_is_told(entry, printed, when):
    """MIPS files share their global labels; the start may be said to the assembler or to the machine."""
    machine = family("mips")
    assembly = machine.assemble(MAIN, "mars", {}, [PRINT], entry if when == "assembled" else "")
    assert assembly.image is not None
    running = machine.machine(assembly.image, Start("mars", 1000, 1000, entry=entry if when == "started" else ""))
    assert running.run().final
    assert running.take_output() == printed


def test_files_of_an_lc3_program_share_their_labels_and_the_first_begins():
    """A driver of the course calls a routine of another file; each may leave out its .END."""
    driver = SourceFile("d.asm", ".ORIG x3000\nJSR TWICE\nHALT\n")
    routine = SourceFile("r.asm", ".ORIG x3100\nTWICE RET\n.END\n")
    assembly = family("lc3").assemble(driver, "default", {}, [routine])
    assert assembly.image is not None
    assert (assembly.image.entry, assembly.image.symbols) == (0x3000, {"TWICE": 0x3100})
    assert [(d.code, d.span.source.name) for d in assembly.diagnostics if d.span] == [("missing-end", "d.asm")]


def test_each_file_of_an_lc3_program_says_where_it_goes():
    """What is in a file without an .ORIG is told there, and not taken for what follows the .END of the one before."""
    first = SourceFile("d.asm", ".ORIG x3000\nHALT\n.END\n")
    assembly = family("lc3").assemble(first, "default", {}, [SourceFile("r.asm", "TWICE RET\n")])
    assert [(d.code, d.span.source.name) for d in assembly.errors if d.span] == [("before-orig", "r.asm")]


def test_an_lc3_program_has_one_start():
    """A choice that cannot be had is refused, not passed over."""
    source = SourceFile("p.asm", ".ORIG x3000\nHALT\n.END\n")
    machine = family("lc3")
    with pytest.raises(UsageError, match=r"first \.ORIG"):
        machine.assemble(source, "default", {}, (), "main")


def test_nothing_above_the_machines_branches_on_the_name_of_one():
    """What differs between machines are their traits: a third machine is a folder, and rows in two files."""
    names = {*TRAITS, *(name for traits in TRAITS.values() for name in traits.profiles)}
    for path in (ROOT / "grader").rglob("*.py"):
        if "machines" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            sides = (node.left, *node.comparators) if isinstance(node, ast.Compare) else ()
            compared = {one.value for side in sides for one in ast.walk(side) if isinstance(one, ast.Constant)}
            # `default` is a profile, and a word that stands for other things as well.
            assert not (names - {"default"}) & compared, f"{path}:{node.lineno}"
