"""What can be said of pairs of input and output once their files are read: they fit into the limits, and their numbers are read as such."""

from __future__ import annotations

from collections.abc import Iterator

from grader.checks.numbers import grouped
from grader.source import Severity
from grader.spec.kinds.io import Pair
from grader.spec.model import Case, Limits, Spec
from grader.spec.problem import Problem
from grader.transcript import decode


def pairs_problems(spec: Spec) -> Iterator[Problem]:
    """Every problem of the pairs, of each kind the first in a case."""
    for index, case in enumerate(spec.cases):
        told: set[str] = set()
        for problem in _problems(spec, case, ("cases", index, "io")):
            if problem.code not in told:
                told.add(problem.code)
                yield problem


def _problems(spec: Spec, case: Case, loc: tuple[str | int, ...]) -> Iterator[Problem]:
    for pair in case.io or ():
        yield from _too_much(pair, spec.limits, loc)
        if case.tolerance or spec.text.tolerance:
            texts = (content for content in (pair.output, pair.errors, *pair.writes.values()) if content is not None)
            word = next((word for content in texts for word in grouped(decode(content.data))), "")
            if word:
                message = f"`{word}` is expected, and is compared letter by letter, although there is a tolerance"
                hint = "a number is written without commas for thousands"
                yield Problem("grouped", message, loc, hint, severity=Severity.WARNING)


def _too_much(pair: Pair, limits: Limits, loc: tuple[str | int, ...]) -> Iterator[Problem]:
    """A right program must be able to print and write what is expected, and its folder to hold what it is given."""
    printed = max((len(text.data) for text in (pair.output, pair.errors) if text is not None), default=0)
    if printed > limits.output:
        message = f"{printed:,} bytes are to be printed, and `limits.output` is {limits.output:,}"
        yield Problem("output-limit", message, loc, "raise `limits.output`")
    files = (*pair.files.values(), *pair.writes.values())
    stored = sum(len(text.data) for text in files)
    if stored > limits.storage:
        message = f"the files of a run hold {stored:,} bytes, and `limits.storage` is {limits.storage:,}"
        yield Problem("storage-limit", message, loc, "raise `limits.storage`")
