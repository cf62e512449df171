"""122 programs against what MARS and SPIM recorded; the differences are read from the documentation."""

import re
from dataclasses import replace

import pytest

from grader.machines.mips import machine
from grader.machines.mips.assembler import assemble
from grader.machines.mips.profiles import PROFILES
from grader.machines.stop import StopKind
from grader.source import SourceFile
from tests.machines.vectors import differences_told, recorded

VECTORS = recorded("mips/programs.json")
FAILED = "\nProcessing terminated due to errors.\n\n"
NO_IMAGE = "not assembled"


def documented(profile):
    """The programs of the table under the heading for this profile: the machine's, and the assembler's."""
    told = [
        (name, what.startswith("assembler: ")) for (name,), what in differences_told("mips.md", f"`{profile}` and ")
    ]
    return {name for name, by in told if not by}, {name for name, by in told if by}


def played(vector, profile, **changes):
    """The program's machine at its end, and the stop; None where it is not assembled."""
    options = vector["options"].split()
    source = vector["source"].encode("latin-1").decode("utf-8")
    entry = "main" if "sm" in options else ""
    image = assemble(SourceFile("prog.s", source), dialect=profile, entry=entry).image
    if image is None:
        return None
    budget = next((int(option) for option in options if option.isdigit()), 1_000_000)
    made = machine.Machine(image, replace(PROFILES[profile], **{"delayed": "db" in options, **changes}), budget=budget)
    made.feed(vector["stdin"].encode("latin-1"))
    made.close_input()
    return made, made.run()


def framed(output, stop, budget):
    """The program's output in the frame in which MARS puts it, by the kind of ending and its message."""
    if stop.kind in (StopKind.HALTED, StopKind.OFF_END):
        return output + "\n"
    if stop.kind is StopKind.RETURNED:
        return f"{output}Error in : invalid program counter value: 0x00000000\n{FAILED}"
    if stop.kind in (StopKind.INPUT_ENDED, StopKind.BUDGET):
        limit = budget if stop.kind is StopKind.BUDGET else -1
        return f"{output}\nProgram terminated when maximum step limit {limit} reached.\n\n"
    if stop.message.startswith("Runtime"):
        return f"{output}Error in prog.s line {stop.span.line}: {stop.message}\n{FAILED}"
    return f"{output}Error in : {stop.message}\n{FAILED}"


def as_mars(vector, **changes):
    """The output that MARS would have, and its exit code."""
    result = played(vector, "mars", **changes)
    if result is None:
        return NO_IMAGE
    made, stop = result
    text = framed(made.take_output().decode("latin-1"), stop, 1000)
    return text, "0" if stop.kind is not StopKind.HALTED else str(made.exit_code)


def mars_record(vector):
    """The output of MARS after its warnings."""
    result = vector["results"]["mars"]
    text = re.sub(r"^(Warning in .*\n)+\n", "", result["out"])
    return NO_IMAGE if re.match(r"Error in prog\.s line \d+ column", text) else (text, result["rc"])


def as_spim(vector):
    """The output that SPIM would have, and its exit code."""
    result = played(vector, "spim")
    if result is None:
        return NO_IMAGE
    made, _ = result
    return made.take_output().decode("latin-1"), str(made.exit_code)


def spim_record(vector):
    """The output of SPIM after its banner. It runs what stands before an error; an assembler refuses."""
    result = vector["results"]["spim8"]
    refused = "(parser)" in result["err"] or "undefined symbol" in result["err"]
    return NO_IMAGE if refused else (result["out"].split("exceptions.s\n", 1)[-1], result["rc"])


def as_mipsy(vector):
    """The output that mipsy would have up to an error, its exit code, and the first words of the error."""
    result = played(vector, "mipsy", delayed=False)
    if result is None:
        return NO_IMAGE
    made, stop = result
    well = stop.kind in (StopKind.HALTED, StopKind.RETURNED)
    code, error = (made.exit_code, "") if well else (1, stop.message.split(":")[0])
    return made.take_output().decode("latin-1"), str(code), error


def mipsy_record(vector):
    """The output of mipsy up to an error, its exit code, and the first words of the error."""
    result = vector["results"]["mipsy"]
    output, _, error = re.sub(r"\n{1,2}error: ", "\x01", result["out"], count=1).partition("\x01")
    return NO_IMAGE if "failed to" in result["err"] else (output, result["rc"], error.split("\n")[0])


@pytest.mark.usefixtures("each_loop")
@pytest.mark.parametrize(
    ("profile", "here", "there"),
    [("mars", as_mars, mars_record), ("spim", as_spim, spim_record), ("mipsy", as_mipsy, mipsy_record)],
    ids=["mars", "spim", "mipsy"],
)
def test_programs_run_as_recorded_but_for_what_the_documentation_says(profile, here, there):
    """Exactly the programs of the table differ, compiled and not."""
    differing = {vector["name"] for vector in VECTORS if here(vector) != there(vector)}
    machines, assemblers = documented(profile)
    assert differing == machines | assemblers


@pytest.mark.parametrize("name", ["read_char", "read_char_empty"])
def test_without_a_window_a_key_is_the_first_of_a_line(name):
    """The profile can be told to read as MARS does in a terminal."""
    vector = next(vector for vector in VECTORS if vector["name"] == name)
    assert as_mars(vector, key_by_key=False) == mars_record(vector)


def test_there_are_122_programs():
    """So that none is lost from the file."""
    assert len(VECTORS) == 122
