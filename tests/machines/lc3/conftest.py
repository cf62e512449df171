"""Programs in a line or two, and the loop both ways: as installed (compiled, where it was built) and from its source."""

import importlib.util
import sys
from pathlib import Path

import pytest

from grader.machines.lc3 import loop, machine
from grader.machines.lc3.assembler import assemble
from grader.machines.lc3.profiles import PROFILES
from grader.source import SourceFile


def loop_from_source(name):
    """A module of this name with the loop run from its source, whether or not there is a compiled one beside it."""
    path = Path(machine.__file__).with_name("loop.py")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert not module.COMPILED
    return module


@pytest.fixture(scope="session")
def source_loop():
    """The loop run from its source."""
    return loop_from_source("lc3_loop_from_source")


@pytest.fixture
def loop_without_cython(monkeypatch):
    """The loop run from its source where Cython is not installed."""
    monkeypatch.setitem(sys.modules, "cython", None)
    return loop_from_source("lc3_loop_without_cython")


@pytest.fixture(params=["installed", "from-source"])
def each_loop(request, monkeypatch, source_loop):
    """Machines of the test run on this loop."""
    chosen = loop if request.param == "installed" else source_loop
    monkeypatch.setattr(machine, "loop", chosen)
    return chosen


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
