"""The attacks in fixtures/hostile as values."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import yaml

from grader.submission import Submission, SubmittedFile

FOLDER = Path(__file__).parents[2] / "fixtures" / "hostile"
KNOWS = SubmittedFile("knows.h", (FOLDER / "knows.h").read_bytes())
"""The headers of attacks in C on the cage."""

_NOTE = "attack.yaml"
_LANGUAGES = {".c": "c", ".cpp": "cpp", ".java": "java"}


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack.

    ``against`` is what it attacks: the cage, what the grader makes of a run, or the compiler. It is stopped if nothing that
    it was after is observed and it ends in one of ``ends`` (on the cage), or is graded with one of ``verdicts`` (else).
    With ``hidden`` a secret of ours is typed in a hidden case before. An attack that is ``endless`` can only end at a
    limit of time, and is given little.
    """

    name: str
    title: str
    against: Literal["cage", "grader", "compiler"]
    stopped: str
    observed: str
    submission: Submission
    language: str
    ends: tuple[str, ...] = ("ended",)
    verdict: tuple[str, ...] = ()
    terminal: bool = False
    hidden: bool = False
    endless: bool = False


def read_attack(folder: Path) -> Attack:
    """The attack in a folder."""
    note = yaml.safe_load((folder / _NOTE).read_text(encoding="utf-8"))
    for key in ("ends", "verdict"):
        if key in note:
            note[key] = (note[key],) if isinstance(note[key], str) else tuple(note[key])
    sources = sorted(path for path in folder.iterdir() if path.name != _NOTE)
    language = next(_LANGUAGES[path.suffix] for path in sources)
    files = tuple(SubmittedFile(path.name, path.read_bytes()) for path in sources)
    return Attack(name=folder.name, submission=Submission(folder.name, "S", files), language=language, **note)


ATTACKS = {path.parent.name: read_attack(path.parent) for path in sorted(FOLDER.glob(f"*/{_NOTE}"))}
