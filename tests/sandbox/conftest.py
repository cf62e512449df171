"""Programs in C, compiled once, and a way to play one scenario in every tier that this machine has."""

from __future__ import annotations

import ctypes
import functools
import os
import subprocess
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from grader.errors import JudgeError
from grader.sandbox import Cage, Command, Limits, Process, Tier
from grader.sandbox.wire import LAUNCHER

LIMITS = Limits(
    cpu=5,
    wall=20,
    memory=128 << 20,
    output=1 << 20,
    processes=16,
    file_size=16 << 20,
    files=64,
    address_space=None,
)
NOBODY = 65534
TIERS_OF_ROOT = (Tier.STRONG, Tier.CONTAINER)

Scenario = Callable[[Tier], None]


@functools.cache
def compiled(source: str, *flags: str) -> bytes:
    """The program that gcc makes of a source."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "program")
        command = ["gcc", "-O0", "-x", "c", "-", "-o", target, *flags, "-lpthread"]
        subprocess.run(command, input=source.encode(), check=True, capture_output=True)
        return target.read_bytes()


def command(
    *words: str, terminal: bool = False, watch: bool = True, control: bool = False, **limits: object
) -> Command:
    """A command with the usual limits, except those that are given."""
    return Command(
        words or ("./program",),
        replace(LIMITS, **limits),  # type: ignore[arg-type]
        {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        terminal=terminal,
        watch_reads=watch,
        control=control,
    )


@pytest.fixture
def start() -> Callable[..., Process]:
    """``start(cage, source, …)`` compiles a C program outside, puts it into the cage and starts it."""

    def start_source(cage: Cage, source: str, *flags: str, **options: object) -> Process:
        cage.put("program", compiled(source, *flags), executable=True, kept=True)
        return cage.start(command(**options))  # type: ignore[arg-type]

    return start_source


def stands(tier: Tier) -> str:
    """Why a cage of this tier cannot be had here; empty if it can."""
    try:
        with Cage(tier):
            return ""
    except JudgeError as error:
        return str(error)


def become_nobody() -> None:
    """Be an ordinary user from now on."""
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def played_in_child(scenario: Scenario, tier: Tier, prepare: Callable[[], None]) -> str:
    """The complaints of a scenario, played in a child of ours that has given something up."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(told)
        complaint = "the scenario did not come to its end"
        try:
            prepare()
            trouble = stands(tier)
            if trouble:
                complaint = f"skip {trouble}"
            else:
                scenario(tier)
                complaint = ""
        except BaseException:  # noqa: BLE001 (told to the parent, which raises it)
            complaint = traceback.format_exc()
        finally:
            os.write(tell, complaint.encode()[:60000])
            os._exit(0)
    os.close(tell)
    with os.fdopen(told, "rb") as pipe:
        complaint = pipe.read().decode()
    os.waitpid(child, 0)
    return complaint


def judge(complaint: str) -> None:
    """Skip or fail as a child says; nothing if all was well there."""
    if complaint.startswith("skip "):
        pytest.skip(complaint[5:])
    if complaint:
        pytest.fail(complaint, pytrace=False)


@pytest.fixture
def without_capabilities() -> Callable[..., None]:
    """``without_capabilities(scenario, number, …)`` plays it in the container tier as root that lacks some capabilities."""

    def play(scenario: Scenario, *numbers: int) -> None:
        if os.geteuid() != 0:
            pytest.skip("only root has capabilities to lose")
        prctl = ctypes.CDLL(None, use_errno=True).prctl

        def lose() -> None:
            for number in numbers:
                assert prctl(24, number, 0, 0, 0) == 0  # PR_CAPBSET_DROP: for what we execute

        judge(played_in_child(scenario, Tier.CONTAINER, lose))

    return play


@pytest.fixture(
    params=[tier if tier is Tier.STRONG else pytest.param(tier, marks=pytest.mark.share(3)) for tier in Tier]
)  # a whole run plays all in the strongest one, and a third in each of the others
def in_tier(request: pytest.FixtureRequest) -> Callable[[Scenario], None]:
    """``in_tier(scenario)`` plays it in one tier after the other: as root, or as an ordinary user where the tier is for them."""
    tier: Tier = request.param

    def play(scenario: Scenario) -> None:
        if os.geteuid() == 0 and tier not in TIERS_OF_ROOT:
            if not os.access(LAUNCHER, os.X_OK) or not _reachable(LAUNCHER):
                pytest.skip("an ordinary user cannot reach this checkout")
            complaint = played_in_child(scenario, tier, become_nobody)
        else:
            complaint = stands(tier)
            if complaint:
                complaint = f"skip {complaint}"
            else:
                scenario(tier)
        judge(complaint)

    return play


def _reachable(path: Path) -> bool:
    return all(parent.stat().st_mode & 0o001 for parent in path.resolve().parents)


@pytest.fixture
def tier() -> Tier:
    """The strongest tier of this machine, for what is the same in all."""
    for tier in Tier:
        trouble = stands(tier)
        if not trouble:
            return tier
    pytest.fail(f"no cage can be had here: {trouble}; grader doctor says what is missing", pytrace=False)


@pytest.fixture
def run_as() -> Callable[..., Command]:
    """``run_as(*words, **limits)`` makes a command with the usual limits."""
    return command


@pytest.fixture
def compile_c() -> Callable[..., bytes]:
    """``compile_c(source, *flags)`` is what gcc makes of it."""
    return compiled
