"""Programs in a line or two."""

import pytest

from grader.machines.lc3 import machine
from grader.machines.lc3.assembler import assemble
from grader.machines.lc3.profiles import PROFILES
from grader.source import SourceFile


@pytest.fixture(scope="session")
def image():
    """``image("AND R0, R0, #0 | HALT")``: assembled at x3000; `` | `` ends a line."""

    def assembled(text, origin="x3000"):
        source = f".ORIG {origin}\n{text}\n.END\n".replace(" | ", "\n")
        assembly = assemble(SourceFile("test.asm", source))
        assert assembly.image is not None, [d.one_line() for d in assembly.errors]
        return assembly.image

    return assembled


@pytest.fixture(scope="session")
def machine_for(image):
    """``machine_for(text, profile="default", **options)``: a machine with the program."""

    def made(text, profile="default", origin="x3000", **options):
        return machine.Machine(image(text, origin), PROFILES[profile], **options)

    return made


@pytest.fixture(scope="session")
def play(machine_for):
    """``play(text, keys=b"", **options)``: the kind of the ending with all ``keys`` typed, the output, the machine."""

    def played(text, keys=b"", **options):
        made = machine_for(text, **options)
        made.feed(keys)
        made.close_input()
        stop = made.run()
        return stop.kind.value, made.take_output(), made

    return played
