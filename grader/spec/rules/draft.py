"""A Draft: those parts of a spec that are valid by themselves, for rules to read.

A typing error in one case hides nothing about the others. What an invalid part is *called* is known all the same: nobody
is told that a criterion does not exist, or that nothing rests on it, because its points were misspelt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from grader.spec.game import Game
from grader.spec.kinds.runs import GameSet
from grader.spec.model import Case, Criterion, Program, Spec, SubmissionRules, TextRules
from grader.spec.problem import Problem
from grader.spec.values import SpecModel
from grader.values import dataclass

M = TypeVar("M", bound=SpecModel)
Names = tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Draft:
    """The valid parts of a spec, lists by their index in the file; None for what is invalid or was not said.

    ``game`` is what programs are explored for, ``games`` are sets by name. ``criterion_names`` and ``case_names`` hold the ids of all items, invalid ones too, and
    ``claimed`` every criterion that a case names. ``folder`` is where the spec lies, ``secret`` the file that it names for its secret, ``reveal`` the day for what is hidden. ``complete`` says that every part is
    valid.
    """

    folder: Path
    complete: bool
    submission: SubmissionRules | None
    program: Program | None
    text: TextRules | None
    reference: str | None
    rounding: Fraction | None
    game: Game | None
    games: Mapping[str, GameSet]
    rubric: Mapping[int, Criterion]
    cases: Mapping[int, Case]
    criterion_names: Names
    case_names: Names
    claimed: frozenset[str]
    secret: str | None = None
    reveal: object = None

    @classmethod
    def of(cls, spec: Spec, folder: Path) -> Draft:
        """The draft of a valid spec: all of it."""
        return cls(
            folder,
            True,
            spec.submission,
            spec.program,
            spec.text,
            spec.reference,
            spec.rounding,
            spec.game,
            spec.games,
            dict(enumerate(spec.rubric)),
            dict(enumerate(spec.cases)),
            tuple((i, c.id) for i, c in enumerate(spec.rubric)),
            tuple((i, c.id) for i, c in enumerate(spec.cases)),
            frozenset(c.criterion for c in spec.cases if c.criterion is not None),
            spec.secret,
            spec.reveal,
        )

    @classmethod
    def of_parts(cls, data: object, folder: Path) -> Draft:
        """The draft of a spec that is not valid as a whole, from the data of its file."""
        parts = data if isinstance(data, dict) else {}
        rubric, cases = _items(parts.get("rubric")), _items(parts.get("cases"))
        reference = parts.get("reference")
        return cls(
            folder,
            False,
            _valid(SubmissionRules, parts.get("submission", {})),
            _valid(Program, parts.get("program")),
            _valid(TextRules, parts.get("text", {})),
            reference if isinstance(reference, str) else None,
            None,
            _valid(Game, parts["game"]) if parts.get("game") is not None else None,
            _named(GameSet, parts.get("games")),
            _each(Criterion, rubric),
            _each(Case, cases),
            _words(rubric, "id"),
            _words(cases, "id"),
            frozenset(word for _, word in _words(cases, "criterion")),
            secret if isinstance(secret := parts.get("secret"), str) else None,
            parts.get("reveal"),
        )

    @cached_property
    def by_criterion(self) -> dict[str, Criterion]:
        """The valid criteria by id, the first of two that are called alike."""
        return {c.id: c for _, c in sorted(self.rubric.items(), reverse=True)}


Rule = Callable[[Draft], Iterator[Problem]]


def _valid(model: type[M], data: object) -> M | None:
    try:
        return model.model_validate(data)
    except ValidationError:
        return None


def _each(model: type[M], items: Mapping[int, object]) -> dict[int, M]:
    tried = ((i, _valid(model, item)) for i, item in items.items())
    return {i: part for i, part in tried if part is not None}


def _named(model: type[M], data: object) -> dict[str, M]:
    tried = ((name, _valid(model, item)) for name, item in (data.items() if isinstance(data, dict) else ()))
    return {name: part for name, part in tried if part is not None}


def _items(data: object) -> dict[int, object]:
    return dict(enumerate(data)) if isinstance(data, list) else {}


def _words(items: Mapping[int, object], key: str) -> Names:
    """The text under ``key`` in each item that has one."""
    named = ((i, item.get(key)) for i, item in items.items() if isinstance(item, dict))
    return tuple((i, word) for i, word in named if isinstance(word, str))
