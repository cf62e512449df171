"""The place where two texts begin to differ, and how to show it."""

from __future__ import annotations

import re

from grader.transcript import visible

_WINDOW = 160  # characters shown from a first difference on: two lines of a terminal
_SHORT = 8  # inputs: a game up to this length is quoted whole


def first_difference(expected: str, actual: str) -> tuple[str, str]:
    """The two texts from the line of their first difference on, made visible and cut after a few lines."""
    at = parting(expected, actual)
    start = expected.rfind("\n", 0, at) + 1
    if at - start < _WINDOW // 2:
        return _window(expected, start), _window(actual, start)
    start = at - _WINDOW // 4  # in a line without end the difference would be out of sight
    return f"…{_window(expected, start)}", f"…{_window(actual, start)}"


def parting(one: str | bytes, other: str | bytes) -> int:
    """The number of characters, or bytes, that two texts share at their beginnings."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _window(text: str, start: int) -> str:
    lines = text[start : start + _WINDOW].splitlines(keepends=True)
    return visible("".join(lines[:3])).rstrip("\n") or "(nothing)"


def after_inputs(typed: tuple[str, ...]) -> str:
    """``after B2, A1`` or ``at the start``: the last few inputs that led to a turn, without their Enter."""
    if not typed:
        return "at the start"
    last = typed if len(typed) <= _SHORT else typed[-3:]
    shown = ", ".join(visible(text.removesuffix("\n")) or "an empty line" for text in last)
    return f"after {shown}" if last == typed else f"after {len(typed)} inputs, the last {shown}"


def with_inputs(message: str, typed: tuple[str, ...]) -> str:
    """A message with the inputs that led to its turn: ``the program accepts 4: there is no such row, after A2``.

    A last input that the message names itself is left out: ``the program accepts B0: …, after B0`` said it twice.
    """
    last = re.escape(visible(typed[-1].removesuffix("\n"))) if typed else ""
    if last and re.search(rf"^{last} (is|was|leaves) |\b(after|move|accepts|refuses) {last}(?!\w)", message):
        return f"{message}, {after_inputs(typed[:-1])}" if typed[1:] else message
    return f"{message}, {after_inputs(typed)}"
