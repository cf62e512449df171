"""The loop both ways: as installed (compiled, where it was built) and from its source."""

import importlib.util
import sys
from pathlib import Path

import pytest

from grader.machines.mips import loop, machine


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
    return loop_from_source("mips_loop_from_source")


@pytest.fixture
def loop_without_cython(monkeypatch):
    """The loop run from its source where Cython is not installed."""
    monkeypatch.setitem(sys.modules, "cython", None)
    return loop_from_source("mips_loop_without_cython")


@pytest.fixture(params=["installed", "from-source"])
def each_loop(request, monkeypatch, source_loop):
    """Machines of the test run on this loop."""
    chosen = loop if request.param == "installed" else source_loop
    monkeypatch.setattr(machine, "loop", chosen)
    return chosen
