"""A Draft: those parts of a spec that are valid by themselves, for rules to read.

A typing error in one case hides nothing about the others. What an invalid part is *called* is known anyway: nobody
is told that a criterion does not exist, or that nothing rests on it, because its points were misspelt.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from grader.spec.game import Game
from grader.spec.kinds.runs import GameSet
from grader.spec.model import Case, Criterion, Program, Spec, SubmissionRules, TextRules
from grader.spec.values import SpecModel
from grader.values import dataclass

K = TypeVar("K")
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
    game: Game | None
    games: Mapping[str, GameSet]
    rubric: Mapping[int, Criterion]
    cases: Mapping[int, Case]
    criterion_names: Names
    case_names: Names
    claimed: frozenset[str]
    secret: str | None
    reveal: object
    rounding: Fraction | None = None

    @classmethod
    def of(cls, spec: Spec, folder: Path) -> Draft:
        """The draft of a valid spec: all of it."""
        keys = ("submission", "program", "text", "reference", "rounding", "game", "games", "secret", "reveal")
        return cls(
            folder,
            complete=True,
            **{key: getattr(spec, key) for key in keys},
            rubric=dict(enumerate(spec.rubric)),
            cases=dict(enumerate(spec.cases)),
            criterion_names=tuple((index, criterion.id) for index, criterion in enumerate(spec.rubric)),
            case_names=tuple((index, case.id) for index, case in enumerate(spec.cases)),
            claimed=frozenset(case.criterion for case in spec.cases if case.criterion is not None),
        )

    @classmethod
    def of_parts(cls, data: object, folder: Path) -> Draft:
        """The draft of a spec that is not valid as a whole, from the data of its file."""
        parts = data if isinstance(data, dict) else {}
        rubric, cases = _items(parts.get("rubric")), _items(parts.get("cases"))
        games = parts.get("games")
        return cls(
            folder,
            complete=False,
            submission=_valid(SubmissionRules, parts.get("submission", {})),
            program=_valid(Program, parts.get("program")),
            text=_valid(TextRules, parts.get("text", {})),
            reference=_text(parts.get("reference")),
            game=_valid(Game, parts["game"]) if parts.get("game") is not None else None,
            games=_each(GameSet, games if isinstance(games, dict) else {}),
            rubric=_each(Criterion, rubric),
            cases=_each(Case, cases),
            criterion_names=_words(rubric, "id"),
            case_names=_words(cases, "id"),
            claimed=frozenset(word for _, word in _words(cases, "criterion")),
            secret=_text(parts.get("secret")),
            reveal=parts.get("reveal"),
        )

    @property
    def simulated(self) -> str | None:
        """The language of the program, where it is one of a simulated machine; None for others, and where the program is invalid."""
        return self.program.simulated if self.program else None

    @cached_property
    def by_id(self) -> dict[str, Case]:
        """The valid cases by id, the last of two that are called alike."""
        return {case.id: case for case in self.cases.values()}

    @cached_property
    def by_criterion(self) -> dict[str, Criterion]:
        """The valid criteria by id, the first of two that are called alike."""
        # Of two that are called alike the first is the one that cases mean.
        return {c.id: c for _, c in sorted(self.rubric.items(), reverse=True)}


def _valid(model: type[M], data: object) -> M | None:
    try:
        return model.model_validate(data)
    except ValidationError:
        return None


def _text(data: object) -> str | None:
    return data if isinstance(data, str) else None


def _each(model: type[M], items: Mapping[K, object]) -> dict[K, M]:
    tried = ((key, _valid(model, item)) for key, item in items.items())
    return {key: part for key, part in tried if part is not None}


def _items(data: object) -> dict[int, object]:
    return dict(enumerate(data)) if isinstance(data, list) else {}


def _words(items: Mapping[int, object], key: str) -> Names:
    """The text under ``key`` in each item that has one."""
    named = ((i, item.get(key)) for i, item in items.items() if isinstance(item, dict))
    return tuple((i, word) for i, word in named if isinstance(word, str))
