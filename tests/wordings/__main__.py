"""Write programs to a folder: ``python -m tests.wordings --game pile --known --number 60 --seed 1 FOLDER``."""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.wordings.made import made, write


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.wordings", description=__doc__)
    parser.add_argument("--game", choices=("pile", "board"), required=True)
    part = parser.add_mutually_exclusive_group(required=True)
    part.add_argument("--known", dest="part", action="store_const", const="known")
    part.add_argument("--set-aside", dest="part", action="store_const", const="aside")
    parser.add_argument("--number", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    for number in range(options.number):
        write(made(f"{options.game}-{options.part}-{options.seed}-{number}"), options.folder)


if __name__ == "__main__":
    main()
