"""``learned.yaml``: corrections by staff of what was learned about programs with their own wording.

# the digest of a wording, as the staff page shows it: values of what was learned, by their keys
3f2a9c0d51e7b84c:
winner: mover
undo: y
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from grader.errors import SpecError
from grader.source import Diagnostic, Severity
from grader.spec.document import REFUSED, Document, Loc
from grader.spec.loader import yaml_file

FILE_NAME = "learned.yaml"

Corrections = Mapping[str, Mapping[str, str]]
"""Values by the keys of lessons, for each wording."""

NONE: Corrections = {}

ANY_WORDING = ""
"""The wording of values that hold for a program with any words; files do not have it."""

_HINT = "a correction is written `WORDING:`, and below it, indented, `KEY: VALUE` as the staff page shows them"


def load_corrections(path: Path) -> Corrections:
    """The corrections in a file; an empty one corrects nothing.

    Raises SpecError with every problem, each with its place; UsageError where the file cannot be read.
    """
    document = yaml_file(path, "file of corrections")
    data = document.data
    # Staff may take the last correction out again: an empty file corrects nothing.
    problems = [problem for problem in document.problems if problem.code != "empty"]
    if data is REFUSED or not isinstance(data, dict):
        if problems or data not in (REFUSED, None):
            raise SpecError(tuple(problems) or (_problem(document, (), "expected: wordings with their corrections"),))
        return NONE
    for wording, values in data.items():
        if not isinstance(values, dict):
            problems.append(_problem(document, (wording,), f"the wording {wording} needs keys with values"))
            continue
        problems += [
            _problem(document, (wording, key), f"the value of `{key}` is no single word or text")
            for key, value in values.items()
            if isinstance(value, dict | list) or value is None
        ]
    if problems:
        raise SpecError(tuple(problems))
    # YAML reads `true` and `false` as such, and a lesson knows them as they were typed.
    return {
        wording: {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in values.items()}
        for wording, values in data.items()
    }


def _problem(document: Document, loc: Loc, message: str) -> Diagnostic:
    return Diagnostic(Severity.ERROR, "correction", message, document.key_span(loc), _HINT)
