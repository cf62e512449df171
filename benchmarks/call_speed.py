"""How long 1,000 calls of a small routine take, drawn, made and judged, as a ratio to what Python itself needs for a loop.

    python -m benchmarks.call_speed [CALLS]

The yardstick is a loop of as many times 100 additions in Python, run beside them, so that a busy machine slows both. The
result is the computing time of a whole grading, assembling included; the best of several.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from grader.grading import Grading
from grader.spec.loader import load_assignment
from grader.submission import Form, Submission, SubmittedFile

REPEATS = 15

SPEC = """\
assignment: calls
title: Calls
submission: {{required: [p.asm]}}
program: {{language: {language}, sources: [p.asm], profiles: [{profile}]}}
reference: reference.py
rubric: [{{id: works, points: 1, title: Works}}]
cases:
  - {{id: builds, title: It assembles, source: {{builds: true}}}}
  - {{id: calls, title: It works, criterion: works, call: {{{call}, games: {calls}}}}}
"""
GCD = """
        .ORIG x3000
GCD     NOT R2, R1
        ADD R2, R2, #1
        ADD R2, R0, R2
        BRz DONE
        BRn SWAP
        ADD R0, R2, #0
        BR GCD
SWAP    NOT R2, R2
        ADD R1, R2, #1
        BR GCD
DONE    RET
        .END
"""
MIPS_GCD = """
gcd:    beq  $a0, $a1, done
        blt  $a0, $a1, swap
        sub  $a0, $a0, $a1
        j    gcd
swap:   sub  $a1, $a1, $a0
        j    gcd
done:   move $v0, $a0
        jr   $ra
"""
REFERENCE = "import math\n\ndef gcd(a: int, b: int) -> int:\n    return math.gcd(a, b)\n"
CASES = (
    ("lc3", "default", GCD, "routine: GCD, reference: gcd, arguments: {R0: 1..200, R1: 1..200}"),
    ("mips", "mars", MIPS_GCD, "routine: gcd, reference: gcd, arguments: [1..200, 1..200]"),
)


def best(work: Callable[[], object]) -> float:
    """The computing time of the fastest of several times, in ms."""
    times = []
    for _ in range(REPEATS):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return 1000 * min(times)


def additions(count: int) -> int:
    """The yardstick: Python's own loop."""
    total = 0
    for number in range(100 * count):
        total += number
    return total


def main(calls: int) -> None:
    """Measure both machines, and print a line for each."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "reference.py").write_text(REFERENCE)
        for language, profile, source, call in CASES:
            path = folder / f"{language}.yaml"
            path.write_text(SPEC.format(language=language, profile=profile, call=call, calls=calls))
            submission = Submission("s", "S", (SubmittedFile("p.asm", source.encode()),), Form.FOLDER)
            with Grading(load_assignment(path)) as grading:
                assert grading.grade(submission).score == 1
                ours = best(lambda grading=grading, submission=submission: grading.grade(submission))  # type: ignore[misc]
            loop = best(lambda: additions(calls))
            print(f"{language}: {calls:,} calls in {ours:.1f} ms, {ours / loop:.1f} times a loop of {loop:.1f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
