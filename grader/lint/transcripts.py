"""A transcript of a spec against what the reference prints when the same is typed: where they first differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from grader.sessions.reference import PlayFunction, ReferenceSession, script
from grader.source import Severity
from grader.spec.document import Loc
from grader.spec.expectations import ENTER, Script, merged
from grader.spec.model import TextRules
from grader.spec.problem import Problem
from grader.spec.script_text import Part, read_tokens
from grader.transcript import visible

SHOWN = 24
"""How many characters of a difference are shown."""

Unit = tuple[Part, str]
"""The least part of a dialogue that can differ: one character, one input or one choice."""


def transcript_problems(
    rules: TextRules, text: str, loc: Loc, play: PlayFunction, *, model: bool = False
) -> Iterator[Problem]:
    """The first difference of a transcript from the reference's output for the same input.

    A ``model`` program knows no choices: it prints one of the alternatives.
    """
    written = [*_written(text, rules)]
    here = [unit for unit, _, _ in written]
    inputs = tuple(value for part, value in here if part is Part.TYPED)
    for problem in input_problems(play, inputs, loc):
        if problem.severity is Severity.ERROR:
            yield problem
            return
    there = [*_printed(script(play, inputs, echo=False))]
    if model:
        there = _with_choices(there, here, rules)
    at = next((n for n, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    if at == len(here) == len(there):
        return
    lines = text.removesuffix("\n").split("\n")
    _, line, column = written[at] if at < len(written) else ((), len(lines), len(lines[-1]) + 1)
    difference = f"first difference {_stretch(here, at)} instead of {_stretch(there, at)}"
    message = f"the transcript is not what the reference prints: {difference}"
    hint = _hint(here[at:], there[at:])
    yield Problem("transcript", message, loc, hint, within=(line, column, column + 1))


def _hint(here: Sequence[Unit], there: Sequence[Unit]) -> str:
    """Advice on the two commonest mistakes: marks that are missing around an input, and an echo of the wrong kind."""
    (part, text), (expected, typed) = here[0] if here else (None, ""), there[0] if there else (None, "")
    if expected is Part.TYPED and part is Part.TEXT:
        word = "".join(takewhile(str.strip, (char for kind, char in here if kind is Part.TEXT)))
        return f"if it is typed, write ‹{word}›" if word else ""
    if expected is Part.TYPED and part is Part.TYPED and typed == text + ENTER:
        return "if the terminal shows what is typed, as for C, C++, Java and Python, write `echo: terminal` in `text`"
    return ""


def input_problems(play: PlayFunction, inputs: tuple[str, ...], loc: Loc) -> list[Problem]:
    """The problem with the first input that the reference cannot take: an error, or a warning if it has ended."""
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


def _written(text: str, rules: TextRules) -> Iterator[tuple[Unit, int, int]]:
    """The units of a transcript, each with its line and column.

    If a terminal shows typed input, the line end after an input belongs to it.
    """
    enter = ENTER if rules.echo == "terminal" else ""
    typed = False
    for token in read_tokens(text, rules)[0]:
        shown_enter, typed = typed and token.value == enter, token.part is Part.TYPED
        value = token.value + enter if typed else token.value
        for at, piece in enumerate(value if token.part is Part.TEXT else (value,)):
            if not shown_enter:
                yield (token.part, piece), token.line, token.column + at


def _printed(script: Script) -> Iterator[Unit]:
    for turn in script.turns:
        for piece in merged(turn.pieces):
            yield from ((Part.TEXT, char) for char in piece) if isinstance(piece, str) else ((Part.CHOICE, piece.name),)
        if turn.typed is not None:
            yield Part.TYPED, turn.typed


def _with_choices(there: list[Unit], here: list[Unit], rules: TextRules) -> list[Unit]:
    """The output of a model program, with the choices of a transcript wherever one of their alternatives stands."""
    units: list[Unit] = []
    at = 0
    for part, value in here:
        alternatives = rules.choices.get(value, ()) if part is Part.CHOICE else ()
        for alternative in sorted(alternatives, key=len, reverse=True):
            if there[at : at + len(alternative)] == [(Part.TEXT, char) for char in alternative]:
                units.append((part, value))
                at += len(alternative)
                break
        else:
            units += there[at : at + 1]
            at += 1
    return units + there[at:]


_SHAPES = {Part.TEXT: "{}", Part.TYPED: "‹{}›", Part.CHOICE: "«{}»"}


def _stretch(units: list[Unit], at: int) -> str:
    """The text from a place to the end of its line, with blanks made visible."""
    shown = ""
    for part, value in units[at : at + SHOWN]:
        shown += _SHAPES[part].format(visible(value).strip("\n"))
        if value == "\n":
            break
    return f"“{shown}”" if shown else "the end"
