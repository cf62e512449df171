"""How long a program is waited for: its whole limit, until two runs have hung, and never too short for one that is only slow."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from grader.sessions.native import NativeProgram
from grader.sessions.session import play
from grader.transcript import Ending, EndingKind

CPU, WALL = 0.25, 1.5
MUSES = r"""
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void compute(int milliseconds)
{
    clock_t begun = clock();
    while (clock() - begun < milliseconds * (CLOCKS_PER_SEC / 1000))
        ;
}

int main(void)
{
    char what;
    int milliseconds;
    STARTS
    while (printf("? "), scanf(" %c%d", &what, &milliseconds) == 2)
        if (what == 'c')
            compute(milliseconds);
        else
            usleep(1000 * milliseconds);
    return 0;
}
"""
"""Computes (c) or sleeps (s) for so many milliseconds, as it is told."""


@pytest.fixture
def make(program_of) -> Callable[[str], NativeProgram]:
    """Makes the program, which begins with these statements."""
    limits = {"cpu": f"{CPU} s", "wall": f"{WALL} s"}
    return lambda starts="": program_of(MUSES.replace("STARTS", starts), limits)


def run(program: NativeProgram, *inputs: str) -> tuple[Ending, float]:
    """How a run with these inputs ended, and how many seconds it took."""
    begun = time.monotonic()
    return play(program.start(""), [f"{text}\n" for text in inputs]).ending, time.monotonic() - begun


@pytest.mark.parametrize(("hangs", "limit"), [("c60000", CPU), ("s60000", WALL)])
def test_a_program_that_hung_twice_is_waited_for_a_sixth_of_its_limit(make, hangs, limit):
    """Behind whatever input it hangs, computing or asleep, and it is said that it was stopped sooner."""
    program = make()
    full = [run(program, *["c1"] * number, hangs) for number in range(2)]
    later = [run(program, *["c1"] * number, hangs) for number in range(2, 5)]
    assert [ending.kind for ending, _ in full + later] == [EndingKind.TIME_LIMIT] * 5
    assert all(seconds > limit for _, seconds in full)
    assert max(seconds for _, seconds in later) < min(
        seconds for _, seconds in full
    )  # on a busy machine all take longer
    assert len({ending.message for ending, _ in later}) == 1
    assert full[0][0].message in later[0][0].message
    assert "stopped sooner" in later[0][0].message


@pytest.mark.parametrize("unit", ["c", "s"])
def test_a_slow_program_that_never_hung_has_its_whole_limit(make, unit):
    """However quick it was before: nothing is shortened for one that has always come to its end."""
    program = make()
    most = int(800 * (CPU if unit == "c" else WALL))
    for milliseconds in (1, 1, most, 1, most):
        assert run(program, f"{unit}{milliseconds}")[0].kind is EndingKind.STILL_WAITING


def test_one_time_out_shortens_nothing(make):
    """It may have been a busy machine."""
    program = make()
    assert run(program, "c60000")[0].kind is EndingKind.TIME_LIMIT
    assert run(program, "c200")[0].kind is EndingKind.STILL_WAITING


def test_a_program_that_is_slow_and_hangs_has_ten_times_its_longest_turn(make):
    """Two hangs take nothing from the turns that it ends."""
    program = make()
    assert run(program, "c1", "c22")[0].kind is EndingKind.STILL_WAITING
    for hangs in (["c60000"], ["c1", "c60000"]):
        assert run(program, *hangs)[0].kind is EndingKind.TIME_LIMIT
    assert run(program, "c1", "c100")[0].kind is EndingKind.STILL_WAITING
    assert run(program, "c1", "c100")[0].kind is EndingKind.STILL_WAITING


def test_a_program_may_start_up_slowly_in_every_run(make):
    """The first turn has the whole limit, and says nothing of how long a turn takes."""
    program = make("compute(100);")
    for hangs in (["c60000"], ["c1", "c60000"]):
        assert run(program, *hangs)[0].kind is EndingKind.TIME_LIMIT
    assert run(program, "c1")[0].kind is EndingKind.STILL_WAITING
    assert "stopped sooner" in run(program, "c2", "c60000")[0].message


def test_many_turns_that_are_too_long_together_do_not_shorten_any(make):
    """A run may pass its limit without a turn that hangs: no turn after it is cut for being as long as those."""
    program = make()
    for number in range(2):
        assert run(program, *["c20"] * (20 + number))[0].kind is EndingKind.TIME_LIMIT
    assert run(program, *["c20"] * 9)[0].kind is EndingKind.STILL_WAITING
