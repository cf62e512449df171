"""The recorded programs against what MARS said about each; the exceptions are read from the documentation."""

import re

import pytest

from grader.machines.mips.assembler import assemble
from grader.source import SourceFile
from tests.machines.vectors import differences_told, recorded

VECTORS = recorded("mips/programs.json")
ERROR = re.compile(r"^Error in prog\.s line (\d+) column (\d+): (.*)$", re.MULTILINE)


def said_here(vector):
    """Line, column and words of each error."""
    entry = "main" if "sm" in vector["options"].split() else "first"
    assembly = assemble(SourceFile("prog.s", vector["source"]), entry=entry)
    return [(str(error.span.line), str(error.span.column), error.message) for error in assembly.errors]


def test_every_difference_from_mars_is_documented_and_every_documented_one_is_real():
    """The programs on which our errors differ from those of MARS are exactly those that the document gives a reason for."""
    different = {v["name"] for v in VECTORS if said_here(v) != ERROR.findall(v["results"]["mars"]["out"])}
    assert different == {
        name for names, _ in differences_told("mips-assembler.md", "`mars` and MARS\n") for name in names
    }


@pytest.mark.parametrize("dialect", ["mars", "spim", "mipsy"])
def test_no_recorded_program_makes_it_raise(dialect):
    """Each program gets an image or errors, never both and never neither."""
    for vector in VECTORS:
        assembly = assemble(SourceFile("prog.s", vector["source"]), dialect=dialect)
        assert (assembly.image is None) == bool(assembly.errors), vector["name"]
