"""Where two texts part, and how to show it."""

from __future__ import annotations

from grader.transcript import visible

_WINDOW = 160


def first_difference(expected: str, actual: str) -> tuple[str, str]:
    """The two texts from the line of their first difference on, made visible and cut after a few lines."""
    start = expected.rfind("\n", 0, parting(expected, actual)) + 1
    return _window(expected, start), _window(actual, start)


def parting(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginnings."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _window(text: str, start: int) -> str:
    lines = text[start : start + _WINDOW].splitlines(keepends=True)
    return visible("".join(lines[:3])).rstrip("\n") or "(nothing)"


def after_inputs(typed: tuple[str, ...]) -> str:
    """``after B2, A1`` or ``at the start``: the inputs that led to a turn, the last few of them, without their Enter."""
    if not typed:
        return "at the start"
    shown = ", ".join(visible(text.removesuffix("\n")) or "an empty line" for text in typed[-3:])
    return f"after {'…, ' if len(typed) > 3 else ''}{shown}"
