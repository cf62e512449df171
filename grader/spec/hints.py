"""The nearest known word, as a hint: one wording for keys, ids, choices and kinds."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_MANY = 12


def near(word: str, known: Iterable[str], where: str) -> str:
    """``did you mean `format`?``, or the known words where none is near; ``where`` says what they are."""
    words = list(known)
    found = difflib.get_close_matches(word, words, n=1, cutoff=0.6) or [w for w in words if w.lower() == word.lower()]
    if found:
        return f"did you mean `{found[0]}`?"
    if not words:
        return f"{where}: none"
    listed = ", ".join(words[:_MANY]) + (", …" if len(words) > _MANY else "")
    return f"{where}: {listed}"
