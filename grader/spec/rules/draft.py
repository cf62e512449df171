"""A Draft: those parts of a spec that are valid by themselves, for rules to read.

A typing error in one case hides nothing about the others. The *name* of an invalid part is known anyway: misspelt
points do not cause a complaint that their criterion does not exist, or that nothing rests on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

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
    def of(cls, source: object, folder: Path) -> Draft:
        """The draft of a valid Spec, which is all of it, or of the data of a file that is no valid spec as a whole."""
        whole = isinstance(source, Spec)
        parts: dict[str, Any] = source if isinstance(source, dict) else {}
        if isinstance(source, Spec):
            parts = {key: getattr(source, key) for key in Spec.model_fields}
        rubric, cases = _items(parts.get("rubric")), _items(parts.get("cases"))
        games, game = parts.get("games"), parts.get("game")
        reference, secret = (
            text if isinstance(text := parts.get(key), str) else None for key in ("reference", "secret")
        )
        return cls(
            folder,
            complete=whole,
            submission=_valid(SubmissionRules, parts.get("submission", {})),
            program=_valid(Program, parts.get("program")),
            text=_valid(TextRules, parts.get("text", {})),
            reference=reference,
            game=None if game is None else _valid(Game, game),
            games=_each(GameSet, games if isinstance(games, dict) else {}),
            rubric=_each(Criterion, rubric),
            cases=_each(Case, cases),
            criterion_names=_words(rubric, "id"),
            case_names=_words(cases, "id"),
            claimed=frozenset(word for _, word in _words(cases, "criterion")),
            secret=secret,
            reveal=parts.get("reveal"),
            rounding=parts["rounding"] if whole else None,
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
        # If two have one name, cases mean the first.
        return {c.id: c for _, c in sorted(self.rubric.items(), reverse=True)}


def _valid(model: type[M], part: object) -> M | None:
    """A part as its model, which it may be already; None if it is not valid."""
    try:
        return model.model_validate(part)
    except ValidationError:
        return None


def _each(model: type[M], items: Mapping[K, object]) -> dict[K, M]:
    return {key: part for key, item in items.items() if (part := _valid(model, item)) is not None}


def _items(data: object) -> dict[int, object]:
    return dict(enumerate(data)) if isinstance(data, list | tuple) else {}


def _words(items: Mapping[int, object], key: str) -> Names:
    """The text under ``key`` in each item that has one."""
    named = ((i, item.get(key) if isinstance(item, dict) else getattr(item, key, None)) for i, item in items.items())
    return tuple((i, word) for i, word in named if isinstance(word, str))
