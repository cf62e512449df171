"""``decisions.yaml``: the decisions of staff on mistakes, and the table of mistakes over a class.

m3f2a9c0:
  accept: true                    # or `price: 1`, or only a `comment: …`
  why: the text leaves it open
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from grader.batch.sheet import read_text, write_text
from grader.errors import SpecError
from grader.grading.deciding import NONE_DECIDED, Decision, Decisions, Mistake, deciding
from grader.report.overview import CLASS
from grader.source import Diagnostic, Severity
from grader.spec.document import REFUSED, Loc
from grader.spec.loader import yaml_file
from grader.spec.values import read_fraction

FILE_NAME = "decisions.yaml"
_KEYS = ("accept", "price", "comment", "why", "about")
_HINT = "a decision is written `KEY:`, and below it, indented, `accept: true`, `price: 1` or `comment: …`, and `why: …`"
_NAMED = 5  # submissions named with a mistake: enough to look at, even if half of a class has it


@dataclass
class Tally:
    """The number of submissions that have something, and the first of them."""

    count: int = 0
    submissions: list[str] = field(default_factory=list)

    def add(self, submission: str) -> None:
        """Count one submission that has it."""
        self.count += 1
        if len(self.submissions) < _NAMED:
            self.submissions.append(submission)

    @property
    def named(self) -> str:
        """The first submissions, and that there are more."""
        return ", ".join(self.submissions) + (", …" if self.count > len(self.submissions) else "")


@dataclass(kw_only=True)
class Variant(Tally):
    """One mistake over a class: the first finding that shows it, and the cases that do."""

    first: Mistake
    cases: dict[str, None] = field(default_factory=dict)


@dataclass(kw_only=True)
class Group(Tally):
    """Mistakes of one code, criterion and kind of defect: the variants, and their total cost for the class.

    ``lost`` and ``waiting`` are points: lost, and open until somebody decides.
    """

    key: str
    variants: dict[str, Variant] = field(default_factory=dict)
    lost: Fraction = Fraction(0)
    waiting: Fraction = Fraction(0)

    @property
    def first(self) -> Mistake:
        """The first mistake of the group."""
        return next(iter(self.variants.values())).first

    @property
    def listed(self) -> list[Variant]:
        """The variants, those of most submissions first."""
        return sorted(self.variants.values(), key=lambda variant: (-variant.count, variant.first.key))

    def decided(self, decisions: Decisions) -> Mapping[str, Decision]:
        """The decisions that hold for any of its variants, by their names."""
        return {
            key: one for variant in self.variants.values() for key, one in deciding(variant.first, decisions).items()
        }


class Groups:
    """The mistakes of a class, as grades come in one at a time."""

    def __init__(self) -> None:
        self._groups: dict[str, Group] = {}
        self._class = 0

    def add(self, submission: str, mistakes: Sequence[Mistake]) -> None:
        """Count the mistakes of one submission."""
        self._class += 1
        seen = set()
        for mistake in mistakes:
            group = self._groups.setdefault(mistake.group, Group(key=mistake.group))
            variant = group.variants.setdefault(mistake.key, Variant(first=mistake))
            variant.add(submission)
            variant.first = replace(variant.first, old=variant.first.old | mistake.old)
            variant.cases |= dict.fromkeys(mistake.cases)
            if mistake.group not in seen:
                seen.add(mistake.group)
                group.add(submission)
                group.lost += mistake.lost
                group.waiting += mistake.waiting

    def listed(self) -> list[Group]:
        """The groups: the costliest first; last those that most of the class has at no cost."""

        def rank(one: Group) -> tuple[bool, Fraction, int, str]:
            return self.of_class(one), -(one.lost + one.waiting), -one.count, one.key

        return sorted(self._groups.values(), key=rank)

    def of_class(self, group: Group) -> bool:
        """Tells whether more than half of a class has it, at no cost."""
        return not (group.lost or group.waiting) and self._class >= CLASS and 2 * group.count > self._class

    def get(self, key: str) -> tuple[Group, Variant | None] | None:
        """The group with this name, or with a variant of this name; names of earlier versions also count."""
        if key in self._groups:
            return self._groups[key], None
        for group in self._groups.values():
            for name, variant in group.variants.items():
                if key == name or key in variant.first.old:
                    return group, variant
        return None


def decisions_in(folder: Path) -> Decisions:
    """The decisions in the folder of a batch; empty without the file.

    Raises SpecError with every problem and its place.
    """
    path = folder / FILE_NAME
    if not path.exists():
        return NONE_DECIDED
    document = yaml_file(path, "file of decisions")
    problems = [problem for problem in document.problems if problem.code != "empty"]
    data = document.data

    def refuse(loc: Loc, message: str) -> None:
        problems.append(Diagnostic(Severity.ERROR, "decision", message, document.key_span(loc), _HINT))

    decisions = {}
    if isinstance(data, dict):
        for key, values in data.items():
            if not isinstance(values, dict):
                refuse((key,), f"the mistake {key} needs a decision")
                continue
            for name in values:
                if name not in _KEYS:
                    refuse((key, name), f"`{name}` is no part of a decision")
            try:
                decisions[key] = _decision(values)
            except ValueError as fault:
                refuse((key,), f"the decision on {key}: {fault}")
    elif not problems and data not in (REFUSED, None):
        refuse((), "names of mistakes are expected")
    if problems:
        raise SpecError(tuple(problems))
    return decisions


def _decision(values: dict[str, object]) -> Decision:
    accept = values.get("accept", False)
    if not isinstance(accept, bool):
        raise ValueError("`accept` is true or false")
    price = read_fraction(values["price"]) if "price" in values else None
    comment, why, about = (str(values.get(name, "") or "") for name in ("comment", "why", "about"))
    if accept and price is not None:
        raise ValueError("it is either accepted or has a price")
    if not (accept or price is not None or comment):
        raise ValueError("nothing is decided")
    return Decision(accept, price, comment, why, about)


def add_decision(path: Path, key: str, decision: Decision) -> None:
    """Write the decision on a variant or a group into the file, after what is in it."""
    # YAML reads a text between double quotes as JSON does; a message may quote a whole board, so that it is cut
    about, comment, why = (json.dumps(text[:300]) for text in (decision.about, decision.comment, decision.why))
    lines = [f"{key}:", f"  about: {about}"]
    lines += ["  accept: true"] if decision.accept else []
    lines += [f"  price: {decision.price}"] if decision.price is not None else []
    lines += [f"  comment: {comment}"] if decision.comment else []
    lines += [f"  why: {why}"] if decision.why else []
    # The file is only appended to, so that comments of staff stay.
    held = read_text(path)
    write_text(path, held + ("\n" if held and not held.endswith("\n") else "") + "\n".join(lines) + "\n")
