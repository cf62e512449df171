"""The nearest known word, as a hint: one wording for keys, ids, choices and kinds."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

# words of a hint: a spec with fifty cases would fill a page
_LISTED = 12
_COMPARED = 300  # no spec has more of a kind, and comparing every two of thousands takes minutes


def near(word: str, known: Iterable[str], where: str) -> str:
    """``did you mean `format`?``, or the known words where none is near; ``where`` says what they are."""
    words = list(known)
    found = difflib.get_close_matches(word, words[:_COMPARED], n=1, cutoff=0.6)
    # `LC3` for `lc3` shares too few letters with it to be near.
    found = found or [known for known in words if known.lower() == word.lower()]
    if found:
        return f"did you mean `{found[0]}`?"
    if not words:
        return f"{where}: none"
    listed = ", ".join(words[:_LISTED]) + (", …" if len(words) > _LISTED else "")
    return f"{where}: {listed}"
