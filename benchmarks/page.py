"""Writes docs/benchmarks.md and benchmarks/ratios.json; ``--quick`` prints what a small class costs beside the ratios that are committed.

    python -m benchmarks.page [--count N] [--times N] [--before CHECKOUT] [--load TEXT] [--classes-only]
    python -m benchmarks.page --quick

A ratio is the CPU time of a fixed loop in Python (``yardstick``), divided by that of a submission. It is nearly the same on every machine; a
larger one is better. The quick way asserts nothing: it marks ratios that fell by a third, and ends with 0.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.classes import ASSIGNMENTS, COUNT, HEAD, Figures, measured, shown

ROOT = Path(__file__).resolve().parents[1]
PAGE, RATIOS = ROOT / "docs/benchmarks.md", ROOT / "benchmarks/ratios.json"
QUICK = 8
"""Submissions of the quick way: four right programs and four mutants, whose grading takes seconds."""
FALLEN = 2 / 3
STEPS = 3_000_000

TEXT = """\
# How fast it is

`make bench` writes this page. Figures were measured on {machine}; {load}.

## A class as students write it

{count} submissions for each assignment: right programs of different hands, with comments, a spare routine and other names, and as many mutants
of them (`benchmarks/students.py`). CPU seconds are user and system time of all processes of `grader batch -j 1`, compilers and programs
included, the best of {times}; builds are not kept. *Before* is the grader of revision 2cc9205 on the same programs, measured in turn{without}.
The split is of one process: building, programs, judging; the report is what a batch takes beside that.

```text
{classes}
```

## Ratios

`make bench-quick` compares with these ratios. Each is the CPU time of a loop of {steps:,} steps in Python ({yardstick:.2f} s here), divided
by that of a submission. The class has {quick} submissions.

```text
{ratios}
```
"""


def yardstick() -> float:
    """CPU seconds of a fixed loop in Python, the best of three."""

    def loop() -> float:
        began, total = time.process_time(), 0
        for step in range(STEPS):
            total = (total * 31 + step) & 0xFFFF
        return time.process_time() - began

    return min(loop() for _ in range(3))


def quick_ratios() -> Iterator[tuple[str, float]]:
    """The ratio of each assignment, by a small class that is graded once."""
    for name in ASSIGNMENTS:
        yield name, yardstick() / measured(name, QUICK, 1, None)["now cpu"]


def compare() -> None:
    """Print the ratios of now beside those that are committed."""
    committed: Mapping[str, float] = json.loads(RATIOS.read_text(encoding="utf-8")) if RATIOS.exists() else {}
    print(f"{'ratio':<14} {'now':>7} {'committed':>10}")
    for name, ratio in quick_ratios():
        mark = "   fell by a third" if ratio < committed.get(name, 0.0) * FALLEN else ""
        print(f"{name:<14} {ratio:7.2f} {committed.get(name, 0.0):10.2f}{mark}", flush=True)


def others() -> Iterator[str]:
    """The output of the other benchmarks, each under its name."""
    for path in sorted((ROOT / "benchmarks").glob("*_speed.py")):
        done = subprocess.run(
            [sys.executable, "-m", f"benchmarks.{path.stem}"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        said = done.stdout.rstrip() if done.returncode == 0 else "did not run on this machine"
        yield f"\n## benchmarks/{path.name}\n\n```text\n{said}\n```\n"


def write(options: argparse.Namespace) -> None:
    """Measure, and write the page and the ratios."""
    lines: list[str] = []
    for name in options.assignments or ASSIGNMENTS:
        figures: Figures = measured(name, options.count, options.times, options.before)
        lines.append(shown(name, figures))
        print(lines[-1], file=sys.stderr, flush=True)
    ratios = dict(quick_ratios())
    text = TEXT.format(
        machine=f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
        load=options.load or f"load {os.getloadavg()[0]:.1f}",
        count=options.count,
        times=options.times,
        without="" if options.before else " (not measured this time)",
        classes="\n".join([HEAD, *lines]),
        steps=STEPS,
        yardstick=yardstick(),
        quick=QUICK,
        ratios="\n".join(f"{name:<14} {ratio:7.2f}" for name, ratio in ratios.items()),
    )
    PAGE.write_text(text + "".join([] if options.classes_only else others()), encoding="utf-8")
    RATIOS.write_text(
        json.dumps({name: round(ratio, 2) for name, ratio in ratios.items()}, indent=2) + "\n", encoding="utf-8"
    )


def main() -> None:
    """Write, or compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("assignments", nargs="*")
    parser.add_argument("--quick", action="store_true", help="compare a small class with what is committed")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--times", type=int, default=2)
    parser.add_argument("--before", type=Path, help="another checkout with its .venv")
    parser.add_argument("--load", default="", help="in words, what else the machine did")
    parser.add_argument("--classes-only", action="store_true", help="leave the other benchmarks out")
    options = parser.parse_args()
    if options.quick:
        compare()
    else:
        write(options)


if __name__ == "__main__":
    main()
