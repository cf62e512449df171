"""The loop of the machine that a folder is named after, both ways: as installed (compiled, where it was built) and from its source."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.loaded import module_of


def loop_from_source(machine):
    """A module with the loop run from its source, whether or not there is a compiled one beside it."""
    module = module_of(Path(machine.__file__).with_name("loop.py"))
    assert not module.COMPILED
    return module


@pytest.fixture(scope="module")
def machine(request):
    """The module of the machine."""
    return import_module(f"grader.machines.{request.path.parent.name}.machine")


@pytest.fixture(scope="module")
def source_loop(machine):
    """The loop run from its source."""
    return loop_from_source(machine)


@pytest.fixture
def loop_without_cython(machine, monkeypatch):
    """The loop run from its source where Cython is not installed."""
    monkeypatch.setitem(sys.modules, "cython", None)
    return loop_from_source(machine)


@pytest.fixture(params=["installed", "from-source"])
def each_loop(request, machine, monkeypatch, source_loop):
    """Machines of the test run on this loop."""
    chosen = machine.loop if request.param == "installed" else source_loop
    monkeypatch.setattr(machine, "loop", chosen)
    return chosen
