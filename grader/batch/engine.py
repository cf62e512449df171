"""The identity of the grader behind a verdict: its version, and a digest of the code that judges.

In a checkout, code changes while the version stays: yesterday's verdicts would be kept as if today's code had reached
them. Code that only scores or shows is left out, since kept verdicts are scored and shown anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import grader
from grader import __version__

_HERE = Path(grader.__file__).parent
_SHOWING = {"languages", "report"}
_COMMANDS = {"batch", "cli", "doctor.py", "kit", "lint", "mutants", "pytest_plugin.py", "__main__.py"}
_NOT_JUDGING = {*_SHOWING, *_COMMANDS, "scoring.py", "shares.py"}
# Files that verdicts depend on: sources, the launcher in C, the Java server, words and specs of the package.
_SUFFIXES = {".py", ".c", ".h", ".java", ".yaml", ".html", ".css", ".po"}
_MADE = "machines"  # compiled from Python in some installations only: the same code may differ here
_DIGITS = 12  # digits of a digest: two versions of the code in one store never share this many by chance


@cache
def engine() -> str:
    """The version and the digest of the code that verdicts depend on: ``0.1.0+3f2a9c0d1b2e``."""
    return f"{__version__}+{_digest(path for path in _HERE.iterdir() if path.name not in _NOT_JUDGING)}"


@cache
def prover() -> str:
    """The same for the code that makes and plays mutants."""
    return _digest([_HERE / "mutants"])


@cache
def renderer() -> str:
    """The same for the code that the look of a page depends on."""
    return _digest([_HERE / name for name in _SHOWING])


def _digest(places: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    files = (file for place in places for file in (place.rglob("*") if place.is_dir() else [place]))
    for path in sorted(file for file in files if file.suffix in _SUFFIXES):
        if path.suffix == ".c" and path.is_relative_to(_HERE / _MADE):
            continue
        name = path.relative_to(_HERE).as_posix()
        digest.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\0".encode())
    return digest.hexdigest()[:_DIGITS]
