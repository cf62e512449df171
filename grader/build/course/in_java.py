"""The files of a course in Java, compiled without what a student hands in.

A compiler that misses classes tells what is missing as an error like any other. So only some errors count: those of syntax, behind
which javac looks for nothing; a package of others, such as `org.junit`; and all of them where nothing is missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from grader.build.course.lot import MISTAKE, Lot
from grader.build.java import read, tools
from grader.source import Diagnostic, Severity

_SYNTAX: Final = re.compile(
    r"expected\d*|illegal-.*|not-stmt|premature-eof|unclosed-.*|orphaned|else-without-if|(?:catch|finally)-without-try|malformed-.*|invalid-.*"
)
_OTHERS: Final = re.compile(r"package (?:org|com|net|io|java|javax|junit)\b")
_MISSING: Final = ("cant-resolve", "cant-ref", "doesnt-exist")


def mistakes(lot: Lot) -> tuple[Diagnostic, ...]:
    """What is wrong with the course's classes, whatever is handed in. Raises JudgeError where a tool of ours fails."""
    sources = tuple(lot.texts[name] for name in lot.ending(".java"))
    if not sources:
        return ()
    jars = {name: lot.contents[name] for name in lot.ending(".jar")}
    product = lot.workshop.product(
        lot.ingredients(tools()), lambda: lot.workshop.java.make((), sources, lot.flags, jars)
    )
    errors = [one for one in read(product, sources).diagnostics if one.severity is Severity.ERROR]
    missing = any(one.code.startswith(_MISSING) for one in errors)
    certain = [one for one in errors if not missing or _SYNTAX.fullmatch(one.code) or _is_of_others(one)]
    return tuple(Diagnostic(Severity.ERROR, MISTAKE, one.message, one.span) for one in _first_of_each(certain))


def _is_of_others(one: Diagnostic) -> bool:
    return one.code == "doesnt-exist" and _OTHERS.match(one.message) is not None


def _first_of_each(errors: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The errors, of those on one line the first."""
    lines = {(one.span.source.name, one.span.line) if one.span else ("", 0): one for one in reversed(errors)}
    return tuple(one for one in errors if one in lines.values())
