"""Where two texts part, and how to show it."""

from __future__ import annotations

from grader.transcript import visible

_WINDOW = 160
_SHORT = 8  # so many inputs are a short game, of which each says how it came to the end


def first_difference(expected: str, actual: str) -> tuple[str, str]:
    """The two texts from the line of their first difference on, made visible and cut after a few lines."""
    at = parting(expected, actual)
    start = expected.rfind("\n", 0, at) + 1
    if at - start < _WINDOW // 2:
        return _window(expected, start), _window(actual, start)
    start = at - _WINDOW // 4  # a line without an end, as of a program that never prints one, would hide the difference
    return f"…{_window(expected, start)}", f"…{_window(actual, start)}"


def parting(one: str | bytes, other: str | bytes) -> int:
    """How many characters, or bytes, two texts have in common at their beginnings."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _window(text: str, start: int) -> str:
    lines = text[start : start + _WINDOW].splitlines(keepends=True)
    return visible("".join(lines[:3])).rstrip("\n") or "(nothing)"


def after_inputs(typed: tuple[str, ...]) -> str:
    """``after B2, A1`` or ``at the start``: the inputs that led to a turn without their Enter; of many the last few."""
    if not typed:
        return "at the start"
    last = typed if len(typed) <= _SHORT else typed[-3:]
    shown = ", ".join(visible(text.removesuffix("\n")) or "an empty line" for text in last)
    return f"after {shown}" if last == typed else f"after {len(typed)} inputs, the last {shown}"
