"""A transcript of a spec against what the reference prints when the same is typed: where they first differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grader.sessions.reference import PlayFunction, ReferenceSession, script
from grader.source import Severity
from grader.spec.document import Loc
from grader.spec.expectations import ENTER, Choice, Script, merged
from grader.spec.model import TextRules
from grader.spec.problem import Problem
from grader.spec.script_text import Part, Token, read_tokens
from grader.transcript import visible
from grader.values import dataclass

SHOWN = 24
"""How many characters of a difference are shown."""


def transcript_problems(
    rules: TextRules, text: str, loc: Loc, play: PlayFunction, *, model: bool = False
) -> Iterator[Problem]:
    """Where a transcript first differs from what the reference prints when the same is typed.

    A ``model`` program knows no choices: it prints one of the alternatives.
    """
    tokens = [one for token in _tokens(text, rules) for one in _split(token)]
    inputs = tuple(token.value for token in tokens if token.part is Part.TYPED)
    for problem in input_problems(play, inputs, loc):
        if problem.severity is Severity.ERROR:
            yield problem
            return
    here = [_Unit(token.part, token.value) for token in tokens]
    there = list(_units(script(play, inputs, echo=False)))
    if model:
        there = _with_choices(there, here, rules)
    at = next((n for n, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    if at == len(here) == len(there):
        return
    lines = text.removesuffix("\n").split("\n")
    line, column = (tokens[at].line, tokens[at].column) if at < len(tokens) else (len(lines), len(lines[-1]) + 1)
    difference = f"first difference {_stretch(here, at)} instead of {_stretch(there, at)}"
    message = f"the transcript is not what the reference prints: {difference}"
    yield Problem("transcript", message, loc, within=(line, column, column + 1))


def input_problems(play: PlayFunction, inputs: tuple[str, ...], loc: Loc) -> list[Problem]:
    """What is wrong with the first input that the reference cannot take: an error, or a warning when it has ended."""
    session = ReferenceSession(play)
    for number, text in enumerate(inputs, 1):
        if session.request is None:
            message = f"the reference has ended before input {number}, {text!r}: it is never typed"
            return [Problem.warning("never-typed", message, loc, "remove it")]
        wrong = session.request.misfit(text)
        if wrong:
            message = f"for input {number} the reference asks for {wrong}"
            return [Problem("input", message, loc, "one input answers one request of the reference")]
        session.answer(text)
    return []


@dataclass(frozen=True, slots=True)
class _Unit:
    """The least part of a dialogue that can differ: one character, one input or one choice."""

    part: Part
    value: str


def _tokens(text: str, rules: TextRules) -> Iterator[Token]:
    """The parts of a transcript; where a terminal shows what is typed, the line end after an input belongs to it."""
    enter = ENTER if rules.echo == "terminal" else ""
    typed = False
    for token in read_tokens(text, rules)[0]:
        shown_enter, typed = typed and token.value == enter, token.part is Part.TYPED
        if not shown_enter:
            yield replace(token, value=token.value + enter) if typed else token


def _split(token: Token) -> Iterator[Token]:
    """A token of text as one of each character."""
    if token.part is not Part.TEXT:
        yield token
        return
    for at, char in enumerate(token.value):
        yield replace(token, value=char, column=token.column + at)


def _units(told: Script) -> Iterator[_Unit]:
    for turn in told.turns:
        for piece in merged(turn.pieces):
            if isinstance(piece, Choice):
                yield _Unit(Part.CHOICE, piece.name)
            else:
                yield from (_Unit(Part.TEXT, char) for char in piece)
        if turn.typed is not None:
            yield _Unit(Part.TYPED, turn.typed)


def _with_choices(there: list[_Unit], here: list[_Unit], rules: TextRules) -> list[_Unit]:
    """What a model program prints, with the choices of a transcript wherever one of their alternatives stands."""
    units: list[_Unit] = []
    at = 0
    for unit in here:
        alternatives = rules.choices.get(unit.value, ()) if unit.part is Part.CHOICE else ()
        for alternative in sorted(alternatives, key=len, reverse=True):
            if there[at : at + len(alternative)] == [_Unit(Part.TEXT, char) for char in alternative]:
                units.append(unit)
                at += len(alternative)
                break
        else:
            units += there[at : at + 1]
            at += 1
    return units + there[at:]


_SHAPES = {Part.TEXT: "{}", Part.TYPED: "‹{}›", Part.CHOICE: "«{}»"}


def _stretch(units: list[_Unit], at: int) -> str:
    """What stands at a place up to the end of its line, with blanks made visible."""
    shown = ""
    for unit in units[at : at + SHOWN]:
        shown += _SHAPES[unit.part].format(visible(unit.value).strip("\n"))
        if unit.value == "\n":
            break
    return f"“{shown}”" if shown else "the end"
