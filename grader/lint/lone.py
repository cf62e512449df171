"""Facts that are read in a number on a line of its own.

Programs repeat what was typed, and then such a number is no row of a board and no count: a right program would lose by it what the
referee makes of the fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.source import Severity
from grader.spec.model import Spec
from grader.spec.problem import Problem

NUMBERS = ("0", "1", "2", "3", "7", "12", "36")
"""What users of games type, and what a board may hold."""

_AROUND = ("{}\n", "{}\nWhat next? ", "\n{}\n")


def lone_numbers(spec: Spec) -> Iterator[Problem]:
    """The facts of a spec with games whose pattern finds a number that stands alone."""
    for at, fact in enumerate(spec.text.facts if spec.games else ()):
        pattern = re.compile(fact.pattern, re.IGNORECASE)
        number = next((one for one in NUMBERS if any(pattern.search(text.format(one)) for text in _AROUND)), None)
        if number is not None:
            message = f"a number on a line of its own, such as {number}, is read as `{fact.name}`: a program that repeats what was typed says the same"
            hint = "ask for a word, a mark or a blank beside the number: (?=[123][^\\r\\n])"
            yield Problem("lone-number", message, ("text", "facts", at, "pattern"), hint, severity=Severity.WARNING)
