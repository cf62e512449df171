"""The MIPS machine's speed beside Debian's SPIM 8, in printing, and what forking and resetting cost.

    python -m benchmarks.mips_speed

Four programs (a counting loop, a sieve, a recursion, a negamax search of noughts and crosses) run on each. Numbers are
millions of instructions a second of CPU time, the best of several runs, SPIM's start subtracted; its instructions are
counted by our own run in its profile. Two more programs print.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from grader.machines.image import Image
from grader.machines.mips import loop
from grader.machines.mips.assembler import assemble
from grader.machines.mips.machine import Machine
from grader.machines.mips.profiles import PROFILES
from grader.source import SourceFile

RUNS = 5

COUNTING = """        .text
        .globl main
main:   li   $t1, {rounds}
outer:  li   $t0, 30000
inner:  addi $t0, $t0, -1
        bgtz $t0, inner
        addi $t1, $t1, -1
        bgtz $t1, outer
        li   $v0, 10
        syscall
"""

SIEVE = """        .data
flags:  .space 8000
        .text
        .globl main
main:   li   $s7, {rounds}
again:  la   $s0, flags
        li   $s1, 8000
        move $t0, $zero
clear:  add  $t1, $s0, $t0
        sb   $zero, 0($t1)
        addi $t0, $t0, 1
        blt  $t0, $s1, clear
        li   $t0, 2
next:   add  $t1, $s0, $t0
        lb   $t2, 0($t1)
        bnez $t2, skip
        add  $t3, $t0, $t0
mark:   bge  $t3, $s1, skip
        add  $t1, $s0, $t3
        li   $t4, 1
        sb   $t4, 0($t1)
        add  $t3, $t3, $t0
        b    mark
skip:   addi $t0, $t0, 1
        blt  $t0, $s1, next
        addi $s7, $s7, -1
        bgtz $s7, again
        li   $v0, 10
        syscall
"""

RECURSION = """        .text
        .globl main
main:   li   $s7, {rounds}
again:  li   $a0, 15
        jal  fib
        addi $s7, $s7, -1
        bgtz $s7, again
        li   $v0, 10
        syscall
fib:    addi $sp, $sp, -12
        sw   $ra, 0($sp)
        sw   $s0, 4($sp)
        sw   $a0, 8($sp)
        move $v0, $a0
        slti $t0, $a0, 2
        bnez $t0, done
        addi $a0, $a0, -1
        jal  fib
        move $s0, $v0
        lw   $a0, 8($sp)
        addi $a0, $a0, -2
        jal  fib
        add  $v0, $v0, $s0
done:   lw   $ra, 0($sp)
        lw   $s0, 4($sp)
        addi $sp, $sp, 12
        jr   $ra
"""

NEGAMAX = """        .data
board:  .word 1, 0, 0, 0, 0, 0, 0, 0, 0
lines:  .byte 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 3, 6, 1, 4, 7, 2, 5, 8, 0, 4, 8, 2, 4, 6
        .text
        .globl main
main:   li   $s7, {rounds}
again:  li   $a0, 2
        jal  search
        addi $s7, $s7, -1
        bgtz $s7, again
        li   $v0, 10
        syscall
search: addi $sp, $sp, -20          # $a0: who moves, 1 or 2; $v0: the value for that player
        sw   $ra, 0($sp)
        sw   $s0, 4($sp)
        sw   $s1, 8($sp)
        sw   $s2, 12($sp)
        sw   $s3, 16($sp)
        move $s2, $a0
        la   $t0, lines
        addi $t9, $t0, 24
line:   lb   $t1, 0($t0)
        lb   $t2, 1($t0)
        lb   $t3, 2($t0)
        sll  $t1, $t1, 2
        sll  $t2, $t2, 2
        sll  $t3, $t3, 2
        la   $t8, board
        add  $t1, $t1, $t8
        add  $t2, $t2, $t8
        add  $t3, $t3, $t8
        lw   $t1, 0($t1)
        lw   $t2, 0($t2)
        lw   $t3, 0($t3)
        beqz $t1, open
        bne  $t1, $t2, open
        bne  $t2, $t3, open
        li   $v0, -1
        b    out
open:   addi $t0, $t0, 3
        blt  $t0, $t9, line
        li   $s1, -2
        la   $s0, board
        li   $s3, 9
cell:   lw   $t0, 0($s0)
        bnez $t0, taken
        sw   $s2, 0($s0)
        li   $t0, 3
        sub  $a0, $t0, $s2
        jal  search
        sub  $v0, $zero, $v0
        sw   $zero, 0($s0)
        ble  $v0, $s1, taken
        move $s1, $v0
taken:  addi $s0, $s0, 4
        addi $s3, $s3, -1
        bgtz $s3, cell
        move $v0, $s1
        bne  $v0, -2, out
        li   $v0, 0
out:    lw   $ra, 0($sp)
        lw   $s0, 4($sp)
        lw   $s1, 8($sp)
        lw   $s2, 12($sp)
        lw   $s3, 16($sp)
        addi $sp, $sp, 20
        jr   $ra
"""

PRINTING = """        .data
cell:   .asciiz "| X "
        .text
main:   li   $s7, {rounds}
again:  la   $a0, cell
        li   $v0, 4
        syscall
        li   $a0, 10
        li   $v0, 11
        syscall
        addi $s7, $s7, -1
        bgtz $s7, again
        li   $v0, 10
        syscall
"""

PROGRAMS = {
    "counting": (COUNTING, 1000),
    "sieve": (SIEVE, 400),
    "recursion": (RECURSION, 2000),
    "negamax": (NEGAMAX, 10),
}
SPIM_PART = {"counting": 100, "sieve": 100, "recursion": 100, "negamax": 10}  # SPIM runs this part of the rounds


def image_of(text: str, dialect: str = "mars") -> Image:
    """The program, which is known to assemble."""
    image = assemble(SourceFile("benchmark.s", text), dialect=dialect).image
    assert image is not None
    return image


def run_ours(text: str, *, observe: bool = False) -> float:
    """Millions of instructions a second of our machine, in the plain loop or the observed one."""
    machine = Machine(image_of(text), PROFILES["mars"], budget=10**10, output_limit=1 << 30, observe=observe)
    began = time.process_time()
    stop = machine.run()
    return stop.instructions / (time.process_time() - began) / 1e6


def run_observed(text: str) -> float:
    """The observed loop."""
    return run_ours(text, observe=True)


def spim_seconds(text: str) -> float:
    """CPU seconds of SPIM, its start included."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "program.s")
        source.write_text(text, encoding="ascii")
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run(["spim", "-file", str(source)], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run_spim(text: str) -> float:
    """Millions of instructions a second of SPIM."""
    machine = Machine(image_of(text, "spim"), PROFILES["spim"], budget=10**10)
    instructions = machine.run().instructions
    start = min(spim_seconds("main: li $v0, 10\nsyscall\n") for _ in range(RUNS))
    return instructions / (spim_seconds(text) - start) / 1e6


def best(run: Callable[[str], float], text: str) -> float:
    """The highest speed of several runs."""
    return max(run(text) for _ in range(RUNS))


def microseconds(action: Callable[[], object], times: int = 1000) -> float:
    """The time of one call: the best of several averages."""
    averages = []
    for _ in range(RUNS):
        began = time.perf_counter()
        for _ in range(times):
            action()
        averages.append((time.perf_counter() - began) / times * 1e6)
    return min(averages)


def print_speeds() -> None:
    """A line for each program: ours, ours observed, SPIM's, and how many times faster ours is."""
    spim = shutil.which("spim") is not None
    print(f"{'million instructions / s':26}{'ours':>10}{'observed':>10}" + ("      SPIM 8   ratio" if spim else ""))
    for name, (text, rounds) in PROGRAMS.items():
        ours, observed = (
            best(run, text.format(rounds=max(1, rounds // part))) for run, part in ((run_ours, 1), (run_observed, 10))
        )
        line = f"{name:26}{ours:10.1f}{observed:10.1f}"
        if spim:
            theirs = best(run_spim, text.format(rounds=max(1, rounds // SPIM_PART[name])))
            line += f"{theirs:12.2f}{ours / theirs:7.0f}x"
        print(line)
    if not spim:
        print("SPIM is not installed: apt-get install spim")


def main() -> None:
    """Measure and print."""
    print(f"the loop is {'compiled' if loop.COMPILED else 'not compiled: build it first, as make does'}")
    print_speeds()
    print(f"{'printing':26}{best(run_ours, PRINTING.format(rounds=50_000)):10.1f}")
    machine = Machine(image_of(NEGAMAX.format(rounds=1)), PROFILES["mars"])
    machine.run()
    print(f"fork {microseconds(machine.fork):.1f} us, reset {microseconds(machine.reset):.1f} us", end=", ")
    text = SourceFile("benchmark.s", NEGAMAX.format(rounds=1))
    print(f"assemble {microseconds(lambda: assemble(text), 20) / 1000:.2f} ms", end=", ")
    image = image_of(NEGAMAX.format(rounds=1))
    print(f"new machine {microseconds(lambda: Machine(image, PROFILES['mars']), 20) / 1000:.2f} ms")


if __name__ == "__main__":
    main()
