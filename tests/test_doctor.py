"""The findings on a machine, and the sentences on missing parts."""

import os
import sys
from pathlib import Path

import pytest

from grader import bundled, doctor, sandbox
from grader.errors import JudgeError
from grader.machines.lc3 import loop


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def put(folder: Path, name: str, script: str) -> None:
    """Make a program of these lines of shell."""
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


@pytest.mark.parametrize("tool", doctor.TOOLS, ids=lambda tool: tool.name)
def test_a_tool_that_is_there_has_its_version(tool: doctor.Tool) -> None:
    """Every tool of the tests' machine is there, works, and says a dotted version."""
    part = doctor.examine(tool)
    assert part.well, part
    assert part.state[0].isdigit()
    assert "." in part.state


@pytest.mark.parametrize(
    ("printed", "version"),
    [
        ("gcc (Debian 12.2.0-14+deb12u1) 12.2.0", "12.2.0"),
        ("gcc (Ubuntu 13.3.0-6ubuntu2~24.04) 13.3.0\nCopyright (C) 2023.1", "13.3.0"),
        ("javac 17.0.15", "17.0.15"),
        ("javac 21", "21"),
        ("", "found"),
    ],
)
def test_a_version_is_the_last_number_of_the_first_line(programs: Path, printed: str, version: str) -> None:
    """The packager's own number before it and the copyright after it are not taken for the version."""
    put(programs, "gcc", f"printf '%s' '{printed}'")
    assert doctor.examine(doctor.GCC).state == version


def test_a_missing_tool_says_what_is_lost(programs: Path) -> None:
    """Without a tool the languages that need it are named, and the package that brings it."""
    part = doctor.examine(doctor.JAVAC)
    assert (part.well, part.state) == (False, "missing")
    assert part.trouble == "no programs in java"
    assert part.remedy == "install, by their Debian names: default-jdk-headless"


def test_where_apt_get_is_the_remedy_is_a_command(programs: Path) -> None:
    """On Debian and its kin the remedy can be pasted into a shell."""
    put(programs, "apt-get", "exit 0")
    assert doctor.examine(doctor.JAVAC).remedy.startswith("sudo apt-get install ")
    assert doctor.examine(doctor.JAVAC).remedy.endswith(" default-jdk-headless")


def test_a_tool_that_fails_is_broken(programs: Path) -> None:
    """A tool that cannot say its version counts as missing, with the first line that it printed as the reason."""
    put(programs, "javac", "echo 'no runtime here' >&2; exit 1")
    part = doctor.examine(doctor.JAVAC)
    assert (part.well, part.state) == (False, "broken")
    assert part.trouble == "no programs in java: no runtime here"


def test_the_sandbox_says_its_tier_and_what_it_stops() -> None:
    """Programs can be caged on the tests' machine, and the attacks were tried."""
    part = doctor.sandbox()
    assert part.well, part
    assert part.state.partition(",")[0] in ("strong", "namespaced", "container", "user")
    assert " attacks" in part.state


@pytest.mark.parametrize("tier", ["bare", "user"])
def test_bare_limits_are_no_sandbox(monkeypatch: pytest.MonkeyPatch, tier: str) -> None:
    """With limits only no program of others is graded; the next better tier will do."""
    monkeypatch.setattr(sandbox, "best_tier", lambda: sandbox.Tier(tier))
    monkeypatch.setattr(
        sandbox, "prove", lambda tier, readable: (sandbox.Proof("network", tier != "bare", "opens a socket"),)
    )
    part = doctor.sandbox()
    assert part.well is (tier == "user")
    assert ("not network" in part.state) is (tier == "bare")


def test_a_sandbox_in_which_the_key_can_be_read_grades_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs are asked for the grader's own specs and references, among all that they need to read."""
    asked: list[tuple[Path, ...]] = []

    def prove(tier: sandbox.Tier, readable: tuple[Path, ...]) -> tuple[sandbox.Proof, ...]:
        asked.append(readable)
        return (sandbox.Proof("read-key", False, "reads the specs and references of the grader"),)

    monkeypatch.setattr(sandbox, "best_tier", lambda: sandbox.Tier.USER)
    monkeypatch.setattr(sandbox, "prove", prove)
    part = doctor.sandbox()
    assert not part.well
    assert "answer key" in part.trouble
    assert Path(sys.base_prefix) in asked[0]


def test_a_sandbox_that_cannot_be_made_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason and what to do stand beside the languages that are lost."""

    def broken() -> sandbox.Tier:
        raise JudgeError("there is no launcher", hint="make install")

    monkeypatch.setattr(sandbox, "best_tier", broken)
    part = doctor.sandbox()
    assert (part.state, part.remedy) == ("broken", "make install")
    assert part.trouble == "no programs in c, cpp, java or python: there is no launcher"


def test_every_machine_has_its_run_loop_looked_at() -> None:
    """Each machine that has a run loop is named by the language of its programs."""
    assert "lc3 run loop" in [part.name for part in doctor.run_loops()]
    assert all(part.state.startswith(("compiled", "uncompiled")) for part in doctor.run_loops())


@pytest.mark.parametrize("shipped", [True, False])
def test_a_loop_is_compiled_anew_as_it_was_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, programs: Path, shipped: bool
) -> None:
    """In a checkout make compiles the loop; an installed package needs a compiler, headers and another installation."""
    put(programs, "apt-get", "exit 0")
    if shipped:
        (tmp_path / "package" / "specs").mkdir(parents=True)
    monkeypatch.setattr(bundled, "_HERE", tmp_path / "package")
    monkeypatch.setattr(loop, "__file__", str(tmp_path / "loop.py"))
    remedy = doctor.run_loop("lc3").remedy
    assert (remedy == "make install") is not shipped
    assert (" gcc " in remedy and "-dev && python" in remedy and "pip install" in remedy) is shipped


def test_an_uncompiled_loop_costs_time_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop as Python source is named with its cost and its remedy, and stands in the way of nothing."""
    monkeypatch.setattr(loop, "__file__", str(tmp_path / "loop.py"))
    part = doctor.run_loop("lc3")
    assert part.state == "uncompiled"
    assert "slower" in part.trouble
    assert part.remedy
    assert part.well


def test_files_of_a_wheel_have_no_age(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of a wheel are written in any order: there an older extension is as it should be."""
    (tmp_path / "specs").mkdir()
    source, extension = tmp_path / "loop.py", tmp_path / "loop.so"
    source.touch()
    extension.touch()
    os.utime(extension, (0, 0))
    monkeypatch.setattr(bundled, "_HERE", tmp_path)
    monkeypatch.setattr(loop, "__file__", str(extension))
    assert doctor.run_loop("lc3").state == "compiled"


@pytest.mark.parametrize("age", [-10, 10])
def test_a_loop_older_than_its_source_is_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, age: int) -> None:
    """An extension that is older than loop.py runs something else than what is read; a newer one is as it should be."""
    source, extension = tmp_path / "loop.py", tmp_path / "loop.so"
    source.touch()
    extension.touch()
    now = source.stat().st_mtime
    os.utime(extension, (now, now - age))
    monkeypatch.setattr(loop, "__file__", str(extension))
    assert doctor.run_loop("lc3").well is (age < 0)


def test_a_simulated_spec_needs_no_tool() -> None:
    """The LC-3 spec can be graded where there is neither compiler nor sandbox."""
    missing = {tool: doctor.Part(tool.name, "missing", "gone") for tool in doctor.TOOLS}
    assert doctor.bundled_spec("lc3-nim", missing, doctor.Part("sandbox", "missing", "gone")).well


def test_a_spec_names_what_it_lacks() -> None:
    """A spec whose language needs a tool or the sandbox cannot be graded without, and names what is missing alone."""
    tools = {tool: doctor.Part(tool.name, "12.2.0") for tool in doctor.TOOLS}
    caged, gone = doctor.Part("sandbox", "strong"), doctor.Part("sandbox", "missing", "gone")
    assert doctor.bundled_spec("c-nim", tools, caged).well
    assert doctor.bundled_spec("c-nim", tools, gone).trouble == "needs sandbox"
    without = {**tools, doctor.GCC: doctor.Part("gcc", "missing", "gone")}
    assert doctor.bundled_spec("c-nim", without, gone).trouble == "needs gcc and sandbox"
    assert doctor.bundled_spec("java-nim", without, caged).well


def test_a_wrong_spec_is_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bundled spec that does not load shows its first problem, and one such spec makes the machine unwell."""
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "odd.yaml").write_text("assignment: 7\n")
    monkeypatch.setattr(bundled, "_CHECKOUT", tmp_path)
    diagnosis = doctor.diagnose()
    assert [part.state for part in diagnosis.specs] == ["wrong"]
    assert "odd.yaml:1" in diagnosis.specs[0].trouble
    assert not diagnosis.well


def test_a_machine_without_specs_is_unwell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation that lost its specs is not called ready."""
    monkeypatch.setattr(bundled, "_CHECKOUT", tmp_path)
    assert not doctor.diagnose().well


@pytest.mark.parametrize(("machine", "troubled"), [("x86_64", False), ("aarch64", True)])
def test_where_tests_in_c_have_no_process_of_their_own_is_told(
    monkeypatch: pytest.MonkeyPatch, machine: str, *, troubled: bool
) -> None:
    """That is a remark, and no reason to grade nothing."""
    monkeypatch.setattr("platform.machine", lambda: machine)
    part = doctor.unit_tests()
    assert ("tests in C and C++ share a process" in part.trouble, part.well) == (troubled, True)
