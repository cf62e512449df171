"""How fast a student gets an answer: commands beside a bare Python, and assembling beside lc3lab.

``python -m benchmarks.command_speed``. The ratio is the bar: it says what a command costs over starting Python at all.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from grader.machines.lc3.assembler import assemble
from grader.source import SourceFile

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "fixtures/lc3-nim/accepted/stack-in-r6/submission/nim.asm"


def best(run: Callable[[], object], times: int) -> float:
    """The shortest of several runs, in milliseconds."""
    durations = []
    for _ in range(times):
        began = time.perf_counter()
        run()
        durations.append(time.perf_counter() - began)
    return 1000 * min(durations)


def command(*words: str) -> float:
    """A command in a process of its own, in milliseconds."""
    return best(lambda: subprocess.run([sys.executable, *words], check=True, capture_output=True), 7)


def longest() -> str:
    """The longest program among the correct fixtures."""
    programs = (ROOT / "fixtures/lc3-nim/accepted").glob("*/submission/nim.asm")
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in programs if path.is_file()]
    return max(texts, key=lambda text: text.count("\n"))


def assembling(text: str) -> dict[str, float]:
    """The same source through each assembler that is installed, in milliseconds."""
    times = {"ours": best(lambda: assemble(SourceFile("nim.asm", text)), 50)}
    if find_spec("lc3lab"):
        from lc3lab import assemble as assemble_lc3lab

        times["lc3lab"] = best(lambda: assemble_lc3lab(text), 50)
    return times


def main() -> None:
    """Print both tables."""
    bare = command("-c", "pass")
    print(f"{'python -c pass':<34}{bare:8.0f} ms")
    for words in (("--help",), ("check", "-q", "lc3-nim", str(PROGRAM))):
        took = command("-m", "grader", *words)
        print(f"{'grader ' + ' '.join(words[:3]):<34}{took:8.0f} ms{took / bare:8.1f} x")
    text = longest()
    times = assembling(text)
    for name, took in times.items():
        head = f"assembling {text.count(chr(10))} lines, {name}"
        print(f"{head:<34}{took:8.2f} ms{took / times['ours']:8.1f} x")


if __name__ == "__main__":
    main()
