"""A case written by playing: what a reference or any program prints when something is typed, as a transcript in YAML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from textwrap import indent
from typing import cast

from grader.errors import JudgeError, UsageError
from grader.grading.scripts import ModelProgram, model_of
from grader.sessions.reference import PlayFunction, load, script
from grader.spec.expectations import ENTER, Choice, Script, merged
from grader.spec.loader import Assignment
from grader.spec.model import Spec
from grader.spec.problem import near
from grader.spec.script_text import ENTER_MARK, write_script
from grader.values import dataclass

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 ._-]*[A-Za-z0-9]")
_WORDS = frozenset({"true", "false", "null"})

ENDS = frozenset({ENTER, ""})  # the alternatives of a choice that stands at the end of a run


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded dialogue, and the number of inputs that were not typed, since the program had ended."""

    script: Script
    left: int


def play(
    assignment: Assignment, program: Path | None, inputs: Iterable[str], heard: Callable[[str], None] | None = None
) -> Recorded:
    """Play the reference, or another ``program`` as if it had been handed in; ``heard`` is told what it prints.

    Raises UsageError where there is no reference, the program does not build or breaks, or an input does not fit.
    """
    echo = assignment.spec.text.echo == "program"
    rest = iter(inputs)
    with ExitStack() as stack:
        try:
            played = script(_play(assignment, program, stack), rest, echo=echo, heard=heard)
        except JudgeError as error:
            raise UsageError(error.message, place=error.place, hint=error.hint) from error
    return Recorded(_with_last(played, assignment.spec), sum(1 for _ in rest) if played.ends else 0)


def _play(assignment: Assignment, program: Path | None, stack: ExitStack) -> PlayFunction:
    model = program or model_of(assignment)
    if model is not None:
        return stack.enter_context(closing(ModelProgram(assignment, model))).play
    if assignment.reference is None:
        hint = "--program names a program to play"
        raise UsageError("the spec names no reference", place=str(assignment.path), hint=hint)
    return cast("PlayFunction", load(assignment.reference).play)


def _with_last(played: Script, spec: Spec) -> Script:
    """The dialogue with the choice that stands at the end of other transcripts, where a program that has ended knows of no choices."""
    ends = [f"«{name}»" for name, alternatives in spec.text.choices.items() if set(alternatives) == ENDS]
    transcripts = [case.transcript.rstrip(ENTER) for case in spec.cases if case.transcript is not None]
    mark = next((mark for mark in ends if any(text.endswith(mark) for text in transcripts)), "")
    *before, last = played.turns
    if not mark or not played.ends or not last.pieces or isinstance(last.pieces[-1], Choice):
        return played
    choice = Choice(mark[1:-1], spec.text.choices[mark[1:-1]][0])
    pieces = merged((*last.pieces[:-1], last.pieces[-1].removesuffix(ENTER), choice))
    return replace(played, turns=(*before, replace(last, pieces=pieces)))


def as_case(assignment: Assignment, played: Script, id: str, title: str, criterion: str) -> str:
    """The YAML of a case, as it stands in the list `cases`. Raises UsageError if the name is taken, or the spec has no such criterion."""
    spec = assignment.spec
    known, taken = [one.id for one in spec.rubric], {case.id for case in spec.cases}
    if criterion and criterion not in known:
        raise UsageError(f"the spec has no criterion `{criterion}`", hint=near(criterion, known, "criteria"))
    if id in taken:
        raise UsageError(f"the spec has a case `{id}` already", hint="--id names another")
    text = write_script(played, spec.text)
    typed = " ".join(one.removesuffix(ENTER) or ENTER_MARK for one in played.inputs)
    free = next(name for number in range(1, len(taken) + 2) if (name := f"recorded-{number}") not in taken)
    lines = [
        f"  - id: {id or free}",
        f"    title: {quoted(title or (f'Typed: {typed}' if typed.strip() else 'Nothing is typed'))}",
        *([f"    criterion: {criterion}"] if criterion else []),
        # A block that ends in an empty line keeps it only behind `|+`.
        f"    transcript: {'|+' if text.endswith(ENTER) else '|'}",
        indent(text, " " * 6),
    ]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """The text as YAML takes it for a text, in quotes where it needs them, between brackets too."""
    plain = _PLAIN.fullmatch(text) and text.casefold() not in _WORDS
    return text if plain else "'" + text.replace("'", "''") + "'"
