"""Texts as YAML takes them for texts."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 ._-]*[A-Za-z0-9]")
_WORDS = frozenset({"true", "false", "null"})


def quoted(text: str) -> str:
    """The text, in quotes where it needs them, between brackets too."""
    plain = _PLAIN.fullmatch(text) and text.casefold() not in _WORDS
    return text if plain else "'" + text.replace("'", "''") + "'"
