"""The results of mutants: what the judge makes of each beside its original, and JSON lines of that.

A result is kept as soon as it is there, so that a proof goes on where it was left.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.errors import SpecError, refusals
from grader.mutants.mutant import Mutant
from grader.results import Grade
from grader.source import Diagnostic, Severity
from grader.spec.loader import yaml_file
from grader.transcript import visible
from grader.values import dataclass

SCHEMA = "grader/proof/1"


class Outcome(StrEnum):
    """Outcomes of a mutant; the first three are no visible mutants or no mutants at all."""

    UNBUILT = "unbuilt"  # the compiler or assembler refuses it
    UNSTEADY = "unsteady"  # its original plays by chance, so that nothing can be compared
    EQUIVALENT = "equivalent"  # it shows nothing else in any scene
    CHARGED = "charged"
    SURVIVES = "survives"  # it earns what its original earns
    MISREAD = "misread"  # with the words of its original as corrections, where they fit it, it earns something else
    OPEN = "open"  # nothing is charged, and more is left to a person than for the original
    JUDGE_ERROR = "judge-error"

    @property
    def visible(self) -> bool:
        """Whether the mutant's output differs from the original's."""
        return self not in (Outcome.UNBUILT, Outcome.UNSTEADY, Outcome.EQUIVALENT)

    @property
    def explained(self) -> bool:
        """Whether a file of survivors must say why the spec lives with it."""
        return self in (Outcome.SURVIVES, Outcome.MISREAD, Outcome.OPEN, Outcome.JUDGE_ERROR)


@dataclass(frozen=True, slots=True)
class Loss:
    """The loss of a grade against the original's: points by criterion, points that are ``open``, and the failed ``cases``."""

    points: Mapping[str, Fraction]
    open: Fraction
    cases: tuple[str, ...]


def loss(original: Grade, grade: Grade) -> Loss:
    """The loss of a mutant against its original."""
    before = {one.id: Fraction(str(one.lost)) for one in original.criteria if one.points is not None}
    points: dict[str, Fraction] = {}
    for one in grade.criteria:
        more = Fraction(str(one.lost)) - before.get(one.id, Fraction(0))
        if one.id in before and one.points is not None and more > 0:
            points[one.id] = more
    met = {case.id for case in original.cases if case.met}
    failed = tuple(case.id for case in grade.cases if case.id in met and not case.met and case.verdict.blames_student)
    more = Fraction(str(grade.open_points)) - Fraction(str(original.open_points))
    return Loss(points, max(more, Fraction(0)), failed)


def outcome(cold: Loss, warm: Loss | None) -> Outcome:
    """The outcome of a visible mutant; ``warm`` is None if nothing was learned of the original.

    A program that a correction does not fit is left to a person, as a whole or in part, which says nothing against how it is read without
    the correction.
    """
    fits = warm is not None and not (warm.open > cold.open and warm.points in ({}, cold.points))
    if warm is not None and fits and (cold.points, cold.open) != (warm.points, warm.open):
        return Outcome.MISREAD
    if cold.points:
        return Outcome.CHARGED
    return Outcome.OPEN if cold.open else Outcome.SURVIVES


@dataclass(frozen=True, slots=True)
class Shown:
    """The shortest game that shows a mutant: the answers, what both programs show after the last, and whether both say the same."""

    inputs: tuple[str, ...]
    original: str
    mutant: str
    free: bool

    @property
    def typed(self) -> str:
        """All answers in one line, each Enter as a mark."""
        return visible("".join(self.inputs)).replace("\n", "")


@dataclass(frozen=True, slots=True)
class Result:
    """The result for one mutant. ``warm`` is None if nothing was learned of its original; ``seconds`` are of our computing."""

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
    def of(cls, mutant: Mutant, outcome: Outcome, **others: Any) -> Result:
        """The result of a mutant, with ``others`` of its fields."""
        return cls(mutant.name, mutant.program, mutant.edit.rule, outcome, **others)


def as_data(result: Result) -> dict[str, Any]:
    """A result as JSON has it; points are exact, as texts."""
    data = {key: value for key, value in asdict(result).items() if value is not None and value != ""}
    for one in (data[key] for key in ("cold", "warm") if key in data):
        one["lost"] = {name: str(points) for name, points in one.pop("points").items()}
        one["open"] = str(one["open"])
    return data | ({"game": data.pop("shown")} if "shown" in data else {})


def of_data(data: Mapping[str, Any]) -> Result:
    """The result that ``as_data`` wrote. Raises KeyError, ValueError."""
    game, outcome = data.get("game"), Outcome(data["outcome"])
    shown = Shown(tuple(game["inputs"]), game["original"], game["mutant"], game["free"]) if game else None
    cold, warm = _loss(data.get("cold")), _loss(data.get("warm"))
    names = (data["name"], data["program"], data["rule"])
    return Result(*names, outcome, cold, warm, shown, data.get("note", ""), data["seconds"])


def _loss(data: Mapping[str, Any] | None) -> Loss | None:
    if data is None:
        return None
    points = {name: Fraction(lost) for name, lost in data["lost"].items()}
    return Loss(points, Fraction(data["open"]), tuple(data["cases"]))


class Record:
    """A file with a line for each result; only lines with the same ``key`` count, which stands for spec and judge."""

    def __init__(self, path: Path, key: str) -> None:
        """Opens the file, or begins it. Raises UsageError if it cannot be written."""
        self._path, self._key = path, key
        with refusals("cannot write it: {}", path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()

    def results(self) -> dict[str, Result]:
        """The results that count, by name; a line that was cut short by an end of the process is left out."""
        by_name: dict[str, Result] = {}
        for line in self._path.read_text(encoding="utf-8").splitlines():
            try:
                data = json.loads(line)
                if data["key"] == self._key:
                    by_name[data["name"]] = of_data(data)
            except (ValueError, KeyError, TypeError):
                continue
        return by_name

    def keep(self, result: Result) -> None:
        """Writes one more result."""
        with self._path.open("a", encoding="utf-8") as file:
            # A line that is cut off in the midst of a character could not be read back: ASCII has none of several bytes.
            file.write(json.dumps({"key": self._key, **as_data(result)}, ensure_ascii=True) + "\n")


def document(assignment: str, results: Iterable[Result]) -> str:
    """All results as one JSON text."""
    whole = {"schema": SCHEMA, "assignment": assignment, "mutants": [as_data(result) for result in results]}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


# ------------------------------------------------------------------------------------------------------ the survivors

# `NAME.survivors.yaml` beside a spec says why it lives with each mutant that it does not charge. Each key is a sentence,
# with the names of the mutants that it explains below it, as `grader lint --prove` prints them.

SUFFIX = ".survivors.yaml"

_HINT = "write a sentence, a colon, and below it a list of names as `grader lint --prove` prints them"


def survivors_file(spec: Path) -> Path:
    """The file that explains the survivors of a spec."""
    return spec.with_name(spec.name.removesuffix(spec.suffix) + SUFFIX)


def reasons_in(path: Path) -> Mapping[str, str]:
    """The reason for each mutant, by its name; none where there is no such file. Raises SpecError with every problem."""
    if not path.is_file():
        return {}
    document = yaml_file(path, "file of survivors")
    data = document.data
    problems = [problem for problem in document.problems if problem.code != "empty"]
    reasons: dict[str, str] = {}
    for reason, names in data.items() if isinstance(data, dict) else ():
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            span = document.key_span((reason,))
            problems.append(Diagnostic(Severity.ERROR, "survivors", "a list of mutants is expected", span, _HINT))
            continue
        reasons |= dict.fromkeys(names, str(reason))
    if problems:
        raise SpecError(tuple(problems))
    return reasons


def unexplained(results: Iterable[Result], reasons: Mapping[str, str]) -> tuple[Result, ...]:
    """The mutants that no sentence explains and that are not charged."""
    return tuple(result for result in results if result.outcome.explained and result.name not in reasons)


def outdated(results: Iterable[Result], reasons: Mapping[str, str]) -> tuple[str, ...]:
    """The names of mutants that a sentence explains although they are charged now."""
    return tuple(result.name for result in results if not result.outcome.explained and result.name in reasons)
