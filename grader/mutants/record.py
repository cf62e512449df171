"""The results of mutants as JSON lines: each is kept when it is there, so that a proof goes on where it was left."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.errors import UsageError
from grader.mutants.mutant import Mutant
from grader.mutants.outcome import Loss, Outcome
from grader.values import dataclass

SCHEMA = "grader/proof/1"


@dataclass(frozen=True, slots=True)
class Shown:
    """The shortest game that shows a mutant: the answers, what both programs show after the last, and whether both say the same."""

    inputs: tuple[str, ...]
    original: str
    mutant: str
    free: bool


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one mutant. ``warm`` is None where nothing was learned of its original; ``seconds`` are of our computing."""

    name: str
    program: str
    rule: str
    outcome: Outcome
    cold: Loss | None = None
    warm: Loss | None = None
    shown: Shown | None = None
    note: str = ""
    seconds: float = 0.0

    @classmethod
    def of(
        cls,
        mutant: Mutant,
        outcome: Outcome,
        cold: Loss | None = None,
        warm: Loss | None = None,
        shown: Shown | None = None,
        note: str = "",
    ) -> Result:
        """The result of a mutant."""
        return cls(mutant.name, mutant.program, mutant.edit.rule, outcome, cold, warm, shown, note)

    @property
    def cold_points(self) -> Mapping[str, Fraction]:
        """What the grade as any submission takes off, by criterion."""
        return self.cold.points if self.cold is not None else {}

    def after(self, seconds: float) -> Result:
        """The same with the time that it took."""
        return replace(self, seconds=round(seconds, 2))


def as_data(result: Result) -> dict[str, Any]:
    """A result as JSON has it; points are exact, as texts."""
    data: dict[str, Any] = {
        "name": result.name,
        "program": result.program,
        "rule": result.rule,
        "outcome": str(result.outcome),
        "seconds": result.seconds,
    }
    for key, one in (("cold", result.cold), ("warm", result.warm)):
        if one is not None:
            points = {name: str(lost) for name, lost in one.points.items()}
            data[key] = {"lost": points, "open": str(one.open), "cases": list(one.cases)}
    if result.shown is not None:
        shown = result.shown
        data["game"] = {
            "inputs": list(shown.inputs),
            "original": shown.original,
            "mutant": shown.mutant,
            "free": shown.free,
        }
    return data | ({"note": result.note} if result.note else {})


def of_data(data: Mapping[str, Any]) -> Result:
    """The result that ``as_data`` wrote. Raises KeyError, ValueError."""
    game = data.get("game")
    return Result(
        data["name"],
        data["program"],
        data["rule"],
        Outcome(data["outcome"]),
        _loss(data.get("cold")),
        _loss(data.get("warm")),
        Shown(tuple(game["inputs"]), game["original"], game["mutant"], game["free"]) if game else None,
        data.get("note", ""),
        data["seconds"],
    )


def _loss(data: Mapping[str, Any] | None) -> Loss | None:
    if data is None:
        return None
    points = {name: Fraction(lost) for name, lost in data["lost"].items()}
    return Loss(points, Fraction(data["open"]), tuple(data["cases"]))


class Record:
    """A file with a line for each result; only lines with the same ``key`` count, which stands for spec and judge."""

    def __init__(self, path: Path, key: str) -> None:
        """Opens the file, or begins it. Raises UsageError where it cannot be written."""
        self._path, self._key = path, key
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        except OSError as error:
            raise UsageError(f"cannot write it: {error.strerror}", place=str(path)) from error

    def results(self) -> dict[str, Result]:
        """The results that count, by name; a line that was cut short by an end of the process is left out."""
        found: dict[str, Result] = {}
        for line in self._path.read_text(encoding="utf-8").splitlines():
            try:
                data = json.loads(line)
                if data["key"] == self._key:
                    found[data["name"]] = of_data(data)
            except (ValueError, KeyError, TypeError):
                continue
        return found

    def keep(self, result: Result) -> None:
        """Writes one more result."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": self._key, **as_data(result)}, ensure_ascii=True) + "\n")


def document(assignment: str, results: Iterable[Result]) -> str:
    """All results as one JSON text."""
    whole = {"schema": SCHEMA, "assignment": assignment, "mutants": [as_data(result) for result in results]}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
