"""``make prove``: proves each bundled spec by mutants of some of its right programs, and writes docs/proofs.md.

The programs are written by different hands: no two of them are copies of each other. Unchanged results of earlier
proofs are kept in reports/proofs.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "proofs.md"

PROVED: Mapping[str, tuple[int, str]] = {
    "lc3-nim": (
        415,
        (
            "board-as-strings data-first-table-of-rows stack-in-r6 jump-table instructions-patched-at-run-time"
            " pushes-and-pops-by-subroutines counts-on-zero-in-memory polling-the-devices"
        ),
    ),
    "c-nim": (
        340,
        (
            "heaps-in-an-array fgets-and-sscanf struct-and-unbuffered only-read-and-write reads-by-getchar"
            " scanf-and-three-ints old-style-definitions takes-from-the-last-winning-heap"
        ),
    ),
    "java-nim": (
        368,
        (
            "a-scanner-for-each-number buffered-reader-and-an-array bytes-from-system-in exceptions-for-what-is-wrong"
            " asks-again-for-a-number-in-a-range objects-in-several-files scanner-and-static-methods stream-tokenizer-and-recursion"
        ),
    ),
    "pile-nim": (
        350,
        (
            "c-coins-on-the-table c-fgets-and-terse c-functions-and-number-words c-loops-in-main cpp-lambdas-and-getline"
            " java-scanner-in-main java-static-methods-and-a-table java-three-classes players-have-numbers python-class-with-a-bot"
        ),
    ),
    "mips-connect4": (
        378,
        (
            "any-key-before-each-turn cells-in-brackets-and-u-or-k keys-bitboards mars-macros names-menu-and-clock"
            " players-are-called-by-their-marks spim-main the-result-in-words-of-its-own"
            " undo-is-a-key-where-a-column-is-asked-for"
        ),
    ),
}
"""The number of mutants for each spec, and the accepted fixtures that they change. ``specs/NAME.survivors.yaml`` is complete for them."""

HEAD = """\
# What each spec misses

Right programs that are changed in one place each: `grader lint --prove` makes these *mutants* by rules and grades every one that shows
in a game. A mutant is *charged* if it costs points. It *survives* if it costs none, and is *open* if it is left to a person. It is
*misread* if its points change once the words of its original are known. `make prove` writes this page; the sentences in bold stand in
`specs/NAME.survivors.yaml`, which explains each mutant that is not charged.
"""


def main() -> int:
    """The exit code: the worst of all proofs."""
    parts, worst = [HEAD], 0
    for name, (number, programs) in PROVED.items():
        paths = [f"fixtures/{name}/accepted/{program}/submission" for program in programs.split()]
        command = [sys.executable, "-m", "grader", "lint", "--prove", name, *paths]
        options = ["--mutants", str(number), "-o", f"reports/proofs/{name}"]
        print(f"== {name}", file=sys.stderr, flush=True)
        done = subprocess.run([*command, *options], cwd=ROOT, stdout=subprocess.PIPE, check=False)  # noqa: S603 -- our own command
        parts.append(done.stdout.decode())
        worst = max(worst, done.returncode)
    PAGE.write_text("\n".join(parts), encoding="utf-8")
    return worst


if __name__ == "__main__":
    sys.exit(main())
