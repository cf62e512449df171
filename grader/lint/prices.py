"""The price list of a spec: what each of its fixtures loses, the dearest first, so that the order can be seen at a glance.

A fixture is a program with one defect in a folder ``<verdict>/<defect>/`` with the grade that it must get, ``expected.yaml``
(fixtures/README.md). The list is made of these declared grades; that programs really get them is a test's to say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from fractions import Fraction
from pathlib import Path
from typing import Any

import yaml

from grader.errors import UsageError
from grader.results import Verdict
from grader.scoring import rounded
from grader.spec.kinds import KINDS
from grader.spec.loader import Assignment
from grader.spec.model import Spec
from grader.values import dataclass

DECLARED = "expected.yaml"


@dataclass(frozen=True, slots=True)
class Price:
    """The price of one defect: in all, open points that a person decides on, and the loss of each criterion by id.

    ``losses`` has None if a criterion is open, and ``left_open`` the points of those that are open in part.
    """

    defect: str
    verdict: str
    lost: Fraction
    open: Fraction
    losses: Mapping[str, Fraction | None]
    left_open: Mapping[str, Fraction] = field(default_factory=dict)


def fixtures_of(spec_path: Path, spec: Spec) -> Path:
    """The folder of a spec's fixtures: ``fixtures/<assignment>`` beside its own folder or in it, or else ``fixtures`` beside the spec.

    Raises UsageError if no such folder exists.
    """
    here = spec_path.resolve().parent
    named = [parent / "fixtures" / spec.assignment for parent in (here.parent, here)]
    own = here / "fixtures"
    for folder in (*named, own):
        if folder.is_dir():
            return folder
    hint = "`grader lint --fixtures` and `grader fixtures --folder` name it"
    raise UsageError(f"`{spec.assignment}` has no fixtures", place=str(own), hint=hint)


def accepted_fixtures(assignment: Assignment) -> list[Path]:
    """The programs that were handed in as the accepted fixtures of a spec, if it has any."""
    try:
        folder = fixtures_of(assignment.path, assignment.spec)
    except UsageError:
        return []
    return sorted(folder.glob(f"{Verdict.ACCEPTED}/*/submission"))


def prices(spec: Spec, folder: Path) -> tuple[Price, ...]:
    """The price of each fixture in ``folder``, the highest first, then by name. Raises UsageError if ``folder`` has no fixture."""
    by_loss = sorted(_prices(spec, folder), key=lambda price: (-price.lost, -price.open, price.defect))
    if not by_loss:
        raise UsageError("no fixtures are here", place=str(folder), hint=f"a fixture is <verdict>/<defect>/{DECLARED}")
    return tuple(by_loss)


def table(spec: Spec, listed: Sequence[Price]) -> str:
    """The list as a table in Markdown, which can be read as it is."""
    rows: list[Sequence[str]] = [("lost", "open", "program", "verdict", "where")]
    for price in listed:
        cells = []
        for name, lost in price.losses.items():
            left_open = price.left_open.get(name)
            parts = (f"−{_number(lost)}" if lost else "", f"{_number(left_open)} open" if left_open else "")
            cells.append(f"{name} {'open' if lost is None else ' and '.join(filter(None, parts))}")
        waiting = _number(price.open) if price.open else ""
        rows.append((_number(price.lost), waiting, price.defect, price.verdict, ", ".join(cells)))
    whole = _number(_automatic(spec))
    return f"{whole} points are judged automatically:\n\n{markdown(rows, right=(0, 1))}\n"


def markdown(rows: Sequence[Sequence[str]], right: Collection[int]) -> str:
    """Rows as a table in Markdown, the first one as its head; the columns ``right`` are numbers.

    A last column of texts is not padded: it may be long.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if len(widths) - 1 not in right:
        widths[-1] = 0
    lines = []
    for row in rows:
        cells = enumerate(zip(row, widths, strict=True))
        padded = (cell.rjust(width) if at in right else cell.ljust(width) for at, (cell, width) in cells)
        lines.append(f"| {' | '.join(padded)} |")
    rules = (f"{'-' * (max(width, 1) + 1)}{':' if at in right else '-'}" for at, width in enumerate(widths))
    return "\n".join((lines[0], f"|{'|'.join(rules)}|", *lines[1:]))


def _number(value: Fraction) -> str:
    return f"{rounded(value, Fraction(1, 100)):g}"


def _automatic(spec: Spec) -> Fraction:
    manual = {case.criterion for case in spec.cases if KINDS[case.kind].by_hand}
    judged = (one for one in spec.rubric if one.kind == "points" and not one.manual and one.id not in manual)
    return sum((one.points for one in judged), Fraction(0))


def _prices(spec: Spec, folder: Path) -> Iterator[Price]:
    most = {criterion.id: criterion.points for criterion in spec.rubric}
    for path in sorted(folder.glob(f"*/*/{DECLARED}")):
        grade = declared_in(path)
        losses: dict[str, Fraction | None] = {}
        left_open: dict[str, Fraction] = {}
        with _read_as_a_grade(path):
            score = Fraction(str(grade["score"]))
            for name, points in grade["criteria"].items():
                if name not in most:
                    raise UsageError(f"the rubric has no criterion `{name}`", place=str(path))
                # A criterion that is open in part has two numbers, and one that is open as a whole has none.
                if isinstance(points, dict):
                    left_open[name] = Fraction(str(points["open"]))
                    points = points["points"]  # noqa: PLW2901 -- what is earned of a criterion that is open in part
                losses[name] = None if points is None else most[name] - Fraction(str(points)) - left_open.get(name, 0)
        whole = (most[name] for name, lost in losses.items() if lost is None)
        waiting = sum((*whole, *left_open.values()), Fraction(0))
        lost = _automatic(spec) - score - waiting
        yield Price(path.parent.name.replace("-", " "), path.parents[1].name, lost, waiting, losses, left_open)


def declared_in(path: Path) -> dict[str, Any]:
    """The grade that a fixture declares, as it is written; nothing if it has no such file. Raises UsageError."""
    with _read_as_a_grade(path):
        grade = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else {}
        return dict(grade.items())


@contextmanager
def _read_as_a_grade(path: Path) -> Iterator[None]:
    """Raises UsageError if the file of a fixture declares no grade."""
    try:
        yield
    except (OSError, UnicodeError, yaml.YAMLError, TypeError, KeyError, ValueError, AttributeError) as error:
        message = f"this declares no grade: {type(error).__name__}"
        raise UsageError(message, place=str(path), hint="it needs `score`, `criteria` and `cases`") from error
