"""``decisions.yaml``: what staff decided of mistakes that are alike, and the table of such mistakes over a class.

m3f2a9c0:
  accept: true                    # or `price: 1`, or only a `comment: …`
  why: the text leaves it open
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from grader.batch.sheet import read_text, write_text
from grader.errors import SpecError, UsageError
from grader.grading.deciding import NONE_DECIDED, Decision, Decisions, Mistake
from grader.results import Number
from grader.source import Diagnostic, Severity
from grader.spec.document import REFUSED, Document, Loc
from grader.spec.loader import yaml_file
from grader.spec.values import read_fraction

FILE_NAME = "decisions.yaml"
_KEYS = ("accept", "price", "comment", "why", "about")
_HINT = "a decision is written `KEY:`, and below it, indented, `accept: true`, `price: 1` or `comment: …`, and `why: …`"
_NAMED = 5


@dataclass
class Group:
    """One mistake over a class: the first finding that shows it, how many submissions have it, and the first of them."""

    first: Mistake
    count: int = 0
    submissions: list[str] = field(default_factory=list)
    points: Number = 0

    @property
    def named(self) -> str:
        """The first submissions, and that there are more."""
        return ", ".join(self.submissions) + (", …" if self.count > len(self.submissions) else "")


class Groups:
    """The mistakes of a class, as grades come in one at a time."""

    def __init__(self) -> None:
        self._groups: dict[str, Group] = {}

    def add(self, submission: str, found: tuple[Mistake, ...]) -> None:
        """Count the mistakes of one submission."""
        for mistake in found:
            group = self._groups.setdefault(mistake.key, Group(mistake))
            group.count += 1
            if len(group.submissions) < _NAMED:
                group.submissions.append(submission)

    def listed(self) -> list[Group]:
        """The groups, those of most submissions first."""
        return sorted(self._groups.values(), key=lambda group: (-group.count, group.first.key))

    def get(self, key: str) -> Group | None:
        """The group of this name."""
        return self._groups.get(key)


def load_decisions(path: Path) -> Decisions:
    """The decisions in a file; none where there is no file. Raises SpecError with every problem, each with its place."""
    if not path.exists():
        return NONE_DECIDED
    document = yaml_file(path, "file of decisions")
    problems = [problem for problem in document.problems if problem.code != "empty"]
    data = document.data
    if data is REFUSED or not isinstance(data, dict):
        if problems or data not in (REFUSED, None):
            raise SpecError(tuple(problems) or (_problem(document, (), "names of mistakes are expected"),))
        return NONE_DECIDED
    found = {}
    for key, values in data.items():
        if not isinstance(values, dict):
            problems.append(_problem(document, (key,), f"the mistake {key} needs a decision"))
            continue
        problems += [
            _problem(document, (key, name), f"`{name}` is no part of a decision")
            for name in values
            if name not in _KEYS
        ]
        try:
            found[key] = _decision(values)
        except ValueError as fault:
            problems.append(_problem(document, (key,), f"the decision on {key}: {fault}"))
    if problems:
        raise SpecError(tuple(problems))
    return found


def _decision(values: dict[str, object]) -> Decision:
    accept = values.get("accept", False)
    if not isinstance(accept, bool):
        raise ValueError("`accept` is true or false")
    price = read_fraction(values["price"]) if "price" in values else None
    comment, why = (str(values.get(name, "") or "") for name in ("comment", "why"))
    if accept and price is not None:
        raise ValueError("it is either accepted or has a price")
    if not (accept or price is not None or comment):
        raise ValueError("nothing is decided")
    return Decision(accept, price, comment, why)


def _problem(document: Document, loc: Loc, message: str) -> Diagnostic:
    return Diagnostic(Severity.ERROR, "decision", message, document.key_span(loc), _HINT)


def add_decision(path: Path, group: Group, decision: Decision) -> None:
    """Write a decision into the file, after what is in it. Raises UsageError where there is one on this mistake already."""
    key = group.first.key
    if key in load_decisions(path):
        raise UsageError(f"there is a decision on {key} already", place=str(path), hint="change it there")
    lines = [f"{key}:", f"  about: {_quoted(group.first.finding.message)}"]
    if decision.accept:
        lines.append("  accept: true")
    if decision.price is not None:
        lines.append(f"  price: {decision.price}")
    lines += [f"  {name}: {_quoted(text)}" for name in ("comment", "why") if (text := getattr(decision, name))]
    held = read_text(path)
    write_text(path, held + ("\n" if held and not held.endswith("\n") else "") + "\n".join(lines) + "\n")


def _quoted(text: str) -> str:
    """The text between double quotes, which YAML reads as JSON does."""
    return json.dumps(text[:300])
