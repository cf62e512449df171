"""39 programs against what other simulators recorded; the differences are read from the documentation."""

import re

import pytest

from grader.machines.lc3 import machine
from grader.machines.lc3.assembler import assemble
from grader.machines.lc3.profiles import PROFILES
from grader.machines.stop import StopKind
from grader.source import SourceFile
from tests.machines.vectors import differences_told, recorded

VECTORS = recorded("lc3/runtime.json")
COMPARISONS = [
    ("lc3tools", "lc3tools", "lc3tools"),
    ("lc3tools-ignore-privilege", "lc3tools-ignpriv", "lc3tools with --ignore-privilege"),
    ("classic", "lc3sim", "lc3sim"),
]
BAD_ENDINGS = (
    StopKind.OFF_END,
    StopKind.DATA_EXECUTED,
    StopKind.ILLEGAL_INSTRUCTION,
    StopKind.ACCESS_VIOLATION,
    StopKind.PRIVILEGE_VIOLATION,
)
SYSTEM_USES = {0, 1, 6}  # registers that the operating system has changed when a simulator stops


def documented(profile, tool):
    """The programs of the table under the heading for this comparison, with what they differ in."""
    told = differences_told("lc3-machine.md", f"`{profile}` and {tool}\n")
    return {name: set(what.split(", ")) for (name,), what in told}


def made_here(vector, profile):
    """Output, count, whether it ended well, and registers."""
    image = assemble(SourceFile(vector["name"], vector["source"])).image
    made = machine.Machine(image, PROFILES[profile])
    made.feed(vector["input"].encode("latin-1"))
    made.close_input()
    stop = made.run()
    return {
        "output": made.take_output().decode("latin-1"),
        "count": stop.instructions,
        "ending": stop.kind not in BAD_ENDINGS,
        "registers": dict(enumerate(made.registers)),
    }


def made_there(result):
    """The same from a record, as far as it has it; a simulator's own dump of registers is no output."""
    printed, state = result
    there = {"output": re.split(r"PC=x|Illegal instruction at", printed)[0]}
    if state.startswith("ok="):
        there["ending"] = state.startswith("ok=1")
        there["count"] = int(re.search(r" n=(\d+)", state)[1])
        there["registers"] = dict(enumerate(int(word, 16) for word in state.split(" R=")[1].split()))
    else:
        there["registers"] = {int(n): int(word, 16) for n, word in re.findall(r"R(\d)=x([0-9A-F]{4})", printed)}
    return there


def differences(here, there):
    """The names of what is not equal."""
    found = {key for key in there.keys() - {"registers"} if here[key] != there[key]}
    if any(here["registers"][n] != word for n, word in there["registers"].items() if n not in SYSTEM_USES):
        found.add("registers")
    return found


@pytest.mark.usefixtures("each_loop")
@pytest.mark.parametrize(("profile", "column", "tool"), COMPARISONS, ids=[c[0] for c in COMPARISONS])
def test_programs_run_as_recorded_but_for_what_the_documentation_says(profile, column, tool):
    """Exactly the programs of the table differ, and in exactly what it says, compiled and not."""
    found = {v["name"]: differences(made_here(v, profile), made_there(v["results"][column])) for v in VECTORS}
    assert {name: differing for name, differing in found.items() if differing} == documented(profile, tool)


@pytest.mark.parametrize("profile", list(PROFILES))
def test_both_ways_of_running_give_the_same_results(profile, source_loop, monkeypatch):
    """Output, count and registers of all programs are equal, as installed and from source."""
    as_installed = [made_here(vector, profile) for vector in VECTORS]
    monkeypatch.setattr(machine, "loop", source_loop)
    assert [made_here(vector, profile) for vector in VECTORS] == as_installed


def test_there_are_39_programs():
    """So that none is lost from the file."""
    assert len(VECTORS) == 39
