"""The price list of a spec: what each of its fixtures loses, the dearest first, so that the order can be seen at a glance.

A fixture is a program with one defect in a folder ``<verdict>/<defect>/`` with the grade that it must get, ``expected.yaml``
(fixtures/README.md). The list is made of these declared grades; that programs really get them is a test's to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from pathlib import Path

import yaml

from grader.errors import UsageError
from grader.scoring import rounded
from grader.spec.model import Spec
from grader.values import dataclass

DECLARED = "expected.yaml"


@dataclass(frozen=True, slots=True)
class Price:
    """What one defect costs: in all, what a person has yet to say of it, and what each criterion loses, by id.

    ``losses`` has None where a criterion is open, and ``left_open`` the points of those that are open in part.
    """

    defect: str
    verdict: str
    lost: Fraction
    open: Fraction
    losses: Mapping[str, Fraction | None]
    left_open: Mapping[str, Fraction] = field(default_factory=dict)


def fixtures_of(spec_path: Path, spec: Spec) -> Path:
    """The folder of a spec's fixtures: ``fixtures/<assignment>`` beside its own folder or in it, or else ``fixtures`` beside the spec.

    Raises UsageError where there is none of them.
    """
    here = spec_path.resolve().parent
    named = [parent / "fixtures" / spec.assignment for parent in (here.parent, here)]
    own = here / "fixtures"
    for folder in (*named, own):
        if folder.is_dir():
            return folder
    hint = "`grader lint --fixtures` and `grader fixtures --folder` name it"
    raise UsageError(f"`{spec.assignment}` has no fixtures", place=str(own), hint=hint)


def prices(spec: Spec, folder: Path) -> tuple[Price, ...]:
    """What each fixture in ``folder`` costs, the dearest first, then by name. Raises UsageError where there is none."""
    found = sorted(_prices(spec, folder), key=lambda price: (-price.lost, -price.open, price.defect))
    if not found:
        raise UsageError("no fixtures are here", place=str(folder), hint=f"a fixture is <verdict>/<defect>/{DECLARED}")
    return tuple(found)


def table(spec: Spec, listed: Sequence[Price]) -> str:
    """The list as a table in Markdown, which can be read as it is."""
    rows = [("lost", "open", "defect", "verdict", "where"), *(_row(price) for price in listed)]
    widths = [max(len(row[at]) for row in rows) for at in range(4)]
    lines = [_line(row, widths) for row in rows]
    lines.insert(
        1,
        "|".join(["", *(f"{'-' * (width + 1)}{':' if at < 2 else '-'}" for at, width in enumerate(widths)), "---", ""]),
    )
    return f"Of {_number(_automatic(spec))} points that are judged automatically:\n\n" + "\n".join(lines) + "\n"


def _line(row: tuple[str, ...], widths: Sequence[int]) -> str:
    cells = [
        cell.rjust(width) if at < 2 else cell.ljust(width)
        for at, (cell, width) in enumerate(zip(row, widths, strict=False))
    ]
    return f"| {' | '.join((*cells, row[4]))} |"


def _row(price: Price) -> tuple[str, str, str, str, str]:
    where = ", ".join(f"{name} {_where(price, name)}" for name in price.losses)
    return _number(price.lost), _number(price.open) if price.open else "", price.defect, price.verdict, where


def _where(price: Price, name: str) -> str:
    lost, left_open = price.losses[name], price.left_open.get(name)
    parts = (f"−{_number(lost)}" if lost else "", f"{_number(left_open)} open" if left_open else "")
    return "open" if lost is None else " and ".join(filter(None, parts))


def _number(value: Fraction) -> str:
    return f"{rounded(value, Fraction(1, 100)):g}"


def _automatic(spec: Spec) -> Fraction:
    manual = {case.criterion for case in spec.cases if case.kind == "manual"}
    return sum(
        (c.points for c in spec.rubric if c.kind == "points" and not c.manual and c.id not in manual), Fraction(0)
    )


def _prices(spec: Spec, folder: Path) -> Iterator[Price]:
    most = {criterion.id: criterion.points for criterion in spec.rubric}
    for path in sorted(folder.glob(f"*/*/{DECLARED}")):
        score, left, left_open = _declared(path)
        unknown = left.keys() - most.keys()
        if unknown:
            raise UsageError(f"the rubric has no criterion `{min(unknown)}`", place=str(path))
        losses = {
            name: None if points is None else most[name] - points - left_open.get(name, 0)
            for name, points in left.items()
        }
        whole = (most[name] for name, lost in losses.items() if lost is None)
        waiting = sum((*whole, *left_open.values()), Fraction(0))
        lost = _automatic(spec) - score - waiting
        yield Price(path.parent.name.replace("-", " "), path.parents[1].name, lost, waiting, losses, left_open)


def _declared(path: Path) -> tuple[Fraction, Mapping[str, Fraction | None], Mapping[str, Fraction]]:
    """The score of a fixture, the points of the criteria that are not full, None where one is open, and what is open of them in part."""
    try:
        grade = yaml.safe_load(path.read_text(encoding="utf-8"))
        declared = grade["criteria"].items()
        halves = {name: points for name, points in declared if isinstance(points, dict)}
        left = {
            name: None if points is None else _exact(halves[name]["points"] if name in halves else points)
            for name, points in declared
        }
        return _exact(grade["score"]), left, {name: _exact(points["open"]) for name, points in halves.items()}
    except (OSError, UnicodeError, yaml.YAMLError, TypeError, KeyError, ValueError, AttributeError) as error:
        message = f"this declares no grade: {type(error).__name__}"
        raise UsageError(message, place=str(path), hint="it needs `score`, `criteria` and `cases`") from error


def _exact(number: object) -> Fraction:
    return Fraction(str(number))
