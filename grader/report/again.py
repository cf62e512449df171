"""The command that shows a run again. Students run it on their own files, staff on the files that were handed in."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace

from grader.results import Grade

_OPTIONS = ("--input", "--input-file", "--argument", "--file", "--profile", "--start", "--seed")
_FLAGS = ("--end", "--no-end")
LONG = 200  # characters of input in a command: a longer one fills two lines of a terminal, and goes into a file


def named_as(grade: Grade, program: Sequence[str]) -> Grade:
    """The grade with commands that name the program by these words; a judge does not know the user's paths."""
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


def with_files(grade: Grade, lay: Callable[[str], str]) -> Grade:
    """The grade with commands that name a file for each long input; ``lay`` makes the file of an input, and is its name."""
    cases = tuple(
        replace(case, again=_with_file(case.again, lay)) if len(case.again) > LONG else case for case in grade.cases
    )
    return replace(grade, cases=cases)


def _with_file(command: str, lay: Callable[[str], str]) -> str:
    """The command with a file in place of a long ``--input``, whose text does not end the input by itself."""
    words = iter(shlex.split(command))
    kept: list[str] = []
    open_end = False
    for word in words:
        if word not in _OPTIONS:
            kept.append(word)
            open_end = open_end and word not in _FLAGS
        elif len(value := next(words)) > LONG and word == "--input":
            kept += ["--input-file", lay(value)]
            open_end = True
        else:
            kept += [word, value]
    return shlex.join([*kept, *(["--no-end"] if open_end else [])])
