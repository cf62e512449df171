"""The table of lessons that staff can set, for all families of games: a lesson is a row, and one reader takes the values of all.

Staff write a value in the form in which the lesson of its key shows it. A value that cannot be taken as true is left
out, with a sentence that says why. The program is then judged as it is understood without it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import field
from hashlib import sha256
from typing import Any, TypeVar

from grader.games.hear.display import OR
from grader.games.hear.slots import segments
from grader.results import Lesson
from grader.spec.problem import near
from grader.values import dataclass

ENTER, NONE = "Enter", "none"
"""How an empty answer is written, and nothing at all."""


@dataclass(frozen=True, slots=True)
class Row:
    """One lesson that staff can set.

    ``parse`` turns the value, without blanks around it, into what the field of the corrections holds, and raises ValueError with a
    sentence where it cannot. ``field`` is the name of that field, the key where it is empty. Several rows may fill one field: then
    ``part`` is the key of each in the mapping that the field holds.
    """

    key: str
    parse: Callable[[str], object]
    field: str = ""
    part: str = ""


@dataclass(frozen=True)
class Settings:
    """The values that staff have set of one program, as fields of a family; ``unheeded`` says of each key that is left out why."""

    unheeded: dict[str, str] = field(default_factory=dict, kw_only=True)

    def refuse(self, key: str, why: str) -> None:
        """Note that a correction is not followed; the first reason counts."""
        self.unheeded.setdefault(key, f"the correction of `{key}` is not followed: {why}")

    def heeds(self, key: str, texts: Iterable[object], said: Container[object]) -> bool:
        """Whether all of this is said somewhere in a game; else the correction is not followed."""
        is_said = all(text in said for text in texts)
        if not is_said:
            self.refuse(key, "this is never said in a game")
        return is_said


_Settings = TypeVar("_Settings", bound=Settings)


def settings(kind: type[_Settings], rows: Sequence[Row], values: Mapping[str, str]) -> _Settings:
    """The values of a file as ``kind``, read by the rows of its family; the others are ``unheeded``."""
    row_of = {row.key: row for row in rows}
    fields: dict[str, Any] = {}
    reasons: dict[str, str] = {}
    # One value that cannot be used leaves the others standing: a typing error may not open a whole program.
    for key, text in values.items():
        row = row_of.get(key)
        if row is None:
            reasons[key] = f"there is no such key; what can be set is {', '.join(row_of)}"
            continue
        try:
            value = row.parse(text.strip())
        except ValueError as error:
            reasons[key] = str(error)
            continue
        if row.part:
            fields.setdefault(row.field, {})[row.part] = value
        else:
            fields[row.field or key] = value
    result = kind(**fields)
    for key, why in reasons.items():
        result.refuse(key, why)
    return result


def answer(text: str) -> str:
    """An answer as staff write it: ``Enter`` stands for a line without text."""
    return "" if text.casefold() == ENTER.casefold() else text


def written(answers: Iterable[str], between: str = ", ") -> str:
    """Answers as staff write them."""
    return between.join(text or ENTER for text in answers)


def parts(value: str) -> tuple[str, ...]:
    """The answers of a value, with commas between; ``none`` has none."""
    return () if value == NONE else tuple(answer(text.strip()) for text in value.split(","))


def clauses(value: str) -> tuple[str, ...]:
    """The clauses of a value, with ``||`` between; ``none`` has none."""
    return tuple(clause.strip() for clause in value.split(OR.strip()) if clause.strip() not in ("", NONE))


def sentences(value: str) -> frozenset[str]:
    """The clauses of a value as texts are cut, in small letters."""
    return frozenset(one.text.casefold() for clause in clauses(value) for one in segments(clause))


def two_names(value: str) -> tuple[str, str]:
    """The names of two players, with a slash between. Raises ValueError."""
    names = [name.strip() for name in value.split("/")]
    if len(set(names)) != 2 or len(names) != 2 or not all(names):
        raise no_two_players(value)
    return names[0], names[1]


def no_two_players(value: str) -> ValueError:
    """The error of a value that does not tell two players apart."""
    return ValueError(f"“{value}” are not two players; write what each is called, such as red / blue")


RULES, RIGHT = "rules", "right"
"""The key of the rules that a program plays, and the value where they are the right ones."""

NO_RULES = "its games are not explained by that"
"""The reason why rules that staff have set are not taken as true."""


def rules_row(known: Iterable[str]) -> Row:
    """The row of the rules that a program plays: ``right``, or sentences of ``known`` departures from them."""
    sentences = {one.casefold(): one for one in known}

    def parse(value: str) -> frozenset[str]:
        if value.casefold() == RIGHT:
            return frozenset()
        for one in clauses(value):
            if one.casefold() not in sentences:
                raise ValueError(
                    f"“{one}” is no departure from the rules: {near(one, sentences.values(), 'these are')}"
                )
        return frozenset(sentences[one.casefold()] for one in clauses(value))

    return Row(RULES, parse)


def rules_lesson(sentences: Sequence[str]) -> Lesson:
    """The lesson of a program that departs from the rules."""
    return Lesson(RULES, OR.join(sentences), "; ".join(sentences))


def digest(texts: Iterable[str]) -> str:
    """The digest of a wording: programs with equal ones say the same words at the same places."""
    return sha256("\n".join(texts).encode()).hexdigest()[:16]
