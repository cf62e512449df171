"""The command that shows a run again, for whoever reads the report: students have their own files, staff what was handed in."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace

from grader.results import Grade

_OPTIONS = ("--input", "--input-file", "--argument", "--file", "--profile", "--seed")
_FLAGS = ("--end",)


def named_as(grade: Grade, program: Sequence[str]) -> Grade:
    """The grade with commands that name the program by these words, in place of those that a judge could know."""
    cases = tuple(replace(case, again=_named(case.again, program)) if case.again else case for case in grade.cases)
    return replace(grade, cases=cases)


def in_batch(grade: Grade) -> Grade:
    """The grade with commands for the folder of the batch that it is in, wherever that lies."""
    return named_as(grade, ["--batch", ".", grade.submission])


def _named(command: str, program: Sequence[str]) -> str:
    given = shlex.split(command)
    if given[1:2] == ["call"]:  # the name of the main source comes first, and then the routine with its arguments
        return shlex.join(["grader", "call", *program, *given[3:]])
    words = iter(given)
    kept: list[str] = []
    for word in words:  # the value of an option may be any word, that of another option included
        if word in _FLAGS:
            kept.append(word)
        elif word in _OPTIONS:
            kept += [word, next(words)]
    return shlex.join(["grader", "run", *program, *kept])
