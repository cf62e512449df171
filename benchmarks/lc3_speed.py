"""The LC-3 machine's speed beside two simulators from PyPI, and what forking and resetting cost.

    python -m benchmarks.lc3_speed

Three programs (a counting loop, a sieve, a recursion) run for millions of instructions on each. Numbers are millions of
instructions a second of CPU time, the best of several runs; the ratio is what carries over to other computers. A
simulator that is not installed is left out, with the command that adds it.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from grader.machines.image import Image
from grader.machines.lc3 import loop
from grader.machines.lc3.assembler import assemble
from grader.machines.lc3.machine import Machine
from grader.machines.lc3.profiles import PROFILES
from grader.source import SourceFile

RUNS = 5

COUNTING = """.ORIG x3000
        LD   R1, ROUNDS
OUTER   LD   R2, COUNT
INNER   ADD  R2, R2, #-1
        BRp  INNER
        ADD  R1, R1, #-1
        BRp  OUTER
        HALT
ROUNDS  .FILL {rounds}
COUNT   .FILL 30000
        .END
"""

SIEVE = """.ORIG x3000
        LD   R7, ROUNDS
AGAIN   LEA  R0, FLAGS
        LD   R1, SIZE
        AND  R2, R2, #0
CLEAR   STR  R2, R0, #0
        ADD  R0, R0, #1
        ADD  R1, R1, #-1
        BRp  CLEAR
        AND  R3, R3, #0
        ADD  R3, R3, #2
NEXT    LEA  R4, FLAGS
        ADD  R4, R4, R3
        LDR  R5, R4, #0
        BRnp SKIP
        ADD  R4, R4, R3
        ADD  R6, R3, #0
MARK    LD   R0, END
        ADD  R0, R0, R4
        BRzp SKIP
        STR  R6, R4, #0
        ADD  R4, R4, R3
        BR   MARK
SKIP    ADD  R3, R3, #1
        LD   R0, LAST
        ADD  R0, R0, R3
        BRn  NEXT
        ADD  R7, R7, #-1
        BRp  AGAIN
        HALT
ROUNDS  .FILL {rounds}
SIZE    .FILL 8000
LAST    .FILL -8000
END     .FILL xB09F              ; minus the address after FLAGS
FLAGS   .BLKW 8000
        .END
"""

RECURSION = """.ORIG x3000
        LD   R5, ROUNDS
MAIN    LD   R6, STACK
        AND  R0, R0, #0
        ADD  R0, R0, #15
        JSR  FIB
        ADD  R5, R5, #-1
        BRp  MAIN
        HALT
FIB     ADD  R6, R6, #-3
        STR  R7, R6, #0
        STR  R1, R6, #1
        ADD  R1, R0, #-2
        BRn  DONE
        STR  R0, R6, #2
        ADD  R0, R0, #-1
        JSR  FIB
        ADD  R1, R0, #0
        LDR  R0, R6, #2
        ADD  R0, R0, #-2
        JSR  FIB
        ADD  R0, R0, R1
DONE    LDR  R1, R6, #1
        LDR  R7, R6, #0
        ADD  R6, R6, #3
        RET
ROUNDS  .FILL {rounds}
STACK   .FILL xFD00
        .END
"""

PROGRAMS = {"counting": (COUNTING, 600), "sieve": (SIEVE, 120), "recursion": (RECURSION, 1000)}  # and full rounds


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a program: instructions executed, and seconds of CPU."""

    instructions: int
    seconds: float

    @property
    def speed(self) -> float:
        """Millions of instructions a second."""
        return self.instructions / self.seconds / 1e6


def image_of(text: str) -> Image:
    """The program, which is known to assemble."""
    image = assemble(SourceFile("benchmark.asm", text)).image
    assert image is not None
    return image


def run_ours(text: str, *, observe: bool = False) -> Run:
    """Our machine, in the plain loop or the observed one."""
    machine = Machine(image_of(text), PROFILES["default"], budget=10**9, observe=observe)
    began = time.process_time()
    stop = machine.run()
    return Run(stop.instructions, time.process_time() - began)


def run_observed(text: str) -> Run:
    """The observed loop."""
    return run_ours(text, observe=True)


def run_ensemble(text: str) -> Run:
    """lc3-ensemble, in Rust, as its autograder package runs it."""
    from ensemble_test import core

    simulator = core.Simulator()
    simulator.load_code(text)
    began = time.process_time()
    simulator.run()
    return Run(simulator.instructions_run, time.process_time() - began)


def run_lc3lab(text: str) -> Run:
    """lc3lab, in Python."""
    import lc3lab

    simulator = lc3lab.LC3()
    simulator.load(lc3lab.assemble(text))
    began = time.process_time()
    simulator.run(max_instr=10**9)
    return Run(simulator.icount, time.process_time() - began)


def best(run: Callable[[str], Run], text: str, runs: int) -> float:
    """The highest speed of several runs."""
    return max(run(text).speed for _ in range(runs))


def microseconds(action: Callable[[], object], times: int = 1000) -> float:
    """The time of one call: the best of several averages."""
    averages = []
    for _ in range(RUNS):
        began = time.perf_counter()
        for _ in range(times):
            action()
        averages.append((time.perf_counter() - began) / times * 1e6)
    return min(averages)


ENGINES = (
    # name, how to run it, the part of the full rounds that it runs in about a second, the module that it needs
    ("ours", run_ours, 1, None),
    ("ours, observed", run_observed, 10, None),
    ("lc3-ensemble-test", run_ensemble, 20, "ensemble_test"),
    ("lc3lab", run_lc3lab, 200, "lc3lab"),
)


def installed(module: str | None) -> bool:
    """Whether an engine can be run here."""
    return module is None or importlib.util.find_spec(module) is not None


def speeds() -> dict[str, list[float]]:
    """Millions of instructions a second by engine, in the order of the programs."""
    return {
        name: [best(run, text.format(rounds=max(1, rounds // part)), RUNS) for text, rounds in PROGRAMS.values()]
        for name, run, part, module in ENGINES
        if installed(module)
    }


def print_speeds(found: dict[str, list[float]]) -> None:
    """A row for each engine, with how many times faster ours is."""
    print(f"{'million instructions / s':26}" + "".join(f"{name:>16}" for name in PROGRAMS))
    for name, row in found.items():
        ratios = [f"{speed:.2f} ({ours / speed:.0f}x)" for speed, ours in zip(row, found["ours"], strict=True)]
        print(f"{name:26}" + "".join(f"{cell:>16}" for cell in ratios))
    for name in {engine[0] for engine in ENGINES} - found.keys():
        print(f"{name:26} is not installed: pip install {name}")


def main() -> None:
    """Measure and print."""
    print(f"the loop is {'compiled' if loop.COMPILED else 'not compiled: build it first, as make does'}")
    print_speeds(speeds())
    machine = Machine(image_of(RECURSION.format(rounds=1)), PROFILES["default"])
    print(f"fork {microseconds(machine.fork):.1f} us, reset {microseconds(machine.reset):.1f} us", end=", ")
    seeds = count()
    print(f"reset with a new seed {microseconds(lambda: machine.reset(next(seeds))):.1f} us")


if __name__ == "__main__":
    main()
