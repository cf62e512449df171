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
from grader.results import Verdict
from grader.scoring import rounded
from grader.spec.kinds import KINDS
from grader.spec.loader import Assignment
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


def accepted_fixtures(assignment: Assignment) -> list[Path]:
    """The programs that were handed in as the accepted fixtures of a spec, if it has any."""
    try:
        folder = fixtures_of(assignment.path, assignment.spec)
    except UsageError:
        return []
    return sorted(folder.glob(f"{Verdict.ACCEPTED}/*/submission"))


def prices(spec: Spec, folder: Path) -> tuple[Price, ...]:
    """What each fixture in ``folder`` costs, the dearest first, then by name. Raises UsageError where there is none."""
    found = sorted(_prices(spec, folder), key=lambda price: (-price.lost, -price.open, price.defect))
    if not found:
        raise UsageError("no fixtures are here", place=str(folder), hint=f"a fixture is <verdict>/<defect>/{DECLARED}")
    return tuple(found)


def table(spec: Spec, listed: Sequence[Price]) -> str:
    """The list as a table in Markdown, which can be read as it is."""
    rows = [("lost", "open", "defect", "verdict", "where"), *map(_row, listed)]
    lost, waiting, defect, verdict = (max(len(row[at]) for row in rows) for at in range(4))
    form = f"| {{:>{lost}}} | {{:>{waiting}}} | {{:{defect}}} | {{:{verdict}}} | {{}} |"
    head, *lines = (form.format(*row) for row in rows)
    rule = "|".join(
        ("", f"{'-' * (lost + 1)}:", f"{'-' * (waiting + 1)}:", "-" * (defect + 2), "-" * (verdict + 2), "---", "")
    )
    whole = _number(_automatic(spec))
    return f"Of {whole} points that are judged automatically:\n\n" + "\n".join((head, rule, *lines)) + "\n"


def _row(price: Price) -> tuple[str, str, str, str, str]:
    cells = []
    for name, lost in price.losses.items():
        left_open = price.left_open.get(name)
        parts = (f"−{_number(lost)}" if lost else "", f"{_number(left_open)} open" if left_open else "")
        cells.append(f"{name} {'open' if lost is None else ' and '.join(filter(None, parts))}")
    waiting = _number(price.open) if price.open else ""
    return _number(price.lost), waiting, price.defect, price.verdict, ", ".join(cells)


def _number(value: Fraction) -> str:
    return f"{rounded(value, Fraction(1, 100)):g}"


def _automatic(spec: Spec) -> Fraction:
    manual = {case.criterion for case in spec.cases if KINDS[case.kind].by_hand}
    judged = (one for one in spec.rubric if one.kind == "points" and not one.manual and one.id not in manual)
    return sum((one.points for one in judged), Fraction(0))


def _prices(spec: Spec, folder: Path) -> Iterator[Price]:
    most = {criterion.id: criterion.points for criterion in spec.rubric}
    for path in sorted(folder.glob(f"*/*/{DECLARED}")):
        score, left, left_open = _declared(path)
        unknown = left.keys() - most.keys()
        if unknown:
            raise UsageError(f"the rubric has no criterion `{min(unknown)}`", place=str(path))
        losses: dict[str, Fraction | None] = {}
        for name, points in left.items():
            losses[name] = None if points is None else most[name] - points - left_open.get(name, 0)
        whole = (most[name] for name, lost in losses.items() if lost is None)
        waiting = sum((*whole, *left_open.values()), Fraction(0))
        lost = _automatic(spec) - score - waiting
        yield Price(path.parent.name.replace("-", " "), path.parents[1].name, lost, waiting, losses, left_open)


def _declared(path: Path) -> tuple[Fraction, Mapping[str, Fraction | None], Mapping[str, Fraction]]:
    """The score of a fixture, the points of the criteria that are not full, None where one is open, and what is open of them in part."""
    left: dict[str, Fraction | None] = {}
    left_open: dict[str, Fraction] = {}
    try:
        grade = yaml.safe_load(path.read_text(encoding="utf-8"))
        for name, points in grade["criteria"].items():
            if isinstance(points, dict):
                left_open[name] = Fraction(str(points["open"]))
            earned = points["points"] if name in left_open else points
            left[name] = None if points is None else Fraction(str(earned))
        return Fraction(str(grade["score"])), left, left_open
    except (OSError, UnicodeError, yaml.YAMLError, TypeError, KeyError, ValueError, AttributeError) as error:
        message = f"this declares no grade: {type(error).__name__}"
        raise UsageError(message, place=str(path), hint="it needs `score`, `criteria` and `cases`") from error
