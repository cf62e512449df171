r"""The record: a whole grade as JSON, there and back. It is for staff; project a grade with ``for_student`` first.

The keys are ``schema`` and then the fields of ``results.Grade`` and its parts, in their order. The sources are left
out: they are the student's own. A lone surrogate (a file name that was not UTF-8) is written as its JSON escape, so
that the text can always be encoded as UTF-8.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from grader.errors import UsageError
from grader.report.document import View
from grader.results import Grade

if TYPE_CHECKING:
    from pydantic import TypeAdapter

SCHEMA = "grader/grade/2"
_BEFORE = "grader/grade/1"  # had no criterion that is open in part, and no open points for each criterion
SCHEMA_OF_MANY = "grader/grades/1"
_MOST_DIGITS = 60  # digits of a whole number in a record: no float holds hundreds
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def to_data(grade: Grade) -> dict[str, Any]:
    """The grade as dictionaries, lists, strings, numbers and booleans."""
    fields: dict[str, Any] = _adapter().dump_python(grade, mode="json", exclude={"sources"})
    return {"schema": SCHEMA, **fields}


def from_data(data: Mapping[str, object], *, place: str = "") -> Grade:
    """The grade that ``to_data`` wrote, now or in the form before.

    Raises UsageError, at ``place``, if the data is not a record.
    """
    from pydantic import ValidationError

    if data.get("schema") not in (SCHEMA, _BEFORE):
        schema = data.get("schema", "no schema")
        raise UsageError(f"not a record of a grade: found {schema!r}", place=place, hint=f"expected {SCHEMA!r}")
    try:
        grade = _adapter().validate_python({name: value for name, value in data.items() if name != "schema"})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"damaged record: {where}: {first['msg']}", place=place, hint="grade it again") from error
    if data["schema"] == SCHEMA:
        return grade
    # in the form before, either all points of a criterion were open, or nothing
    criteria = (replace(one, open=one.max_points) if one.points is None else one for one in grade.criteria)
    return replace(grade, criteria=tuple(criteria))


def dump(grade: Grade) -> str:
    """The record as JSON text, indented by two and ended by a newline."""
    return _json(to_data(grade)) + "\n"


def document(view: View) -> str:
    """The record of what the audience may see."""
    return dump(view.shown)


def load(text: str, *, place: str = "") -> Grade:
    """The grade in the text of one record. Raises UsageError on any other text."""
    try:
        data = json.loads(text, parse_int=_whole, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"not JSON: {error}", place=place, hint="give the file that grade --json wrote") from error
    if not isinstance(data, dict):
        raise UsageError("not a record of a grade: a JSON object was expected", place=place)
    return from_data(data, place=place)


def _whole(text: str) -> int:
    # Python raises its own error for thousands of digits, and reads hundreds as a number that no float holds.
    if len(text) > _MOST_DIGITS:
        raise ValueError(f"a number of {len(text)} digits")
    return int(text)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:_MOST_DIGITS]} is no number of a grade")
    return number


def piece(grade: Grade) -> str:
    """The entry of one grade in grades.json."""
    return _json(to_data(grade)).replace("\n", "\n    ")


def joined(assignment: str, pieces: Iterable[str]) -> Iterator[str]:
    """The text of grades.json from its pieces."""
    yield f'{{\n  "schema": {_json(SCHEMA_OF_MANY)},\n  "assignment": {_json(assignment)},\n  "grades": ['
    separator = "\n    "
    for held in pieces:
        yield separator + held
        separator = ",\n    "
    yield "]\n}\n" if separator == "\n    " else "\n  ]\n}\n"


def _json(data: object) -> str:
    text = json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)
    return _LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


@cache
def _adapter() -> TypeAdapter[Grade]:
    from pydantic import TypeAdapter

    return TypeAdapter(Grade)
