"""Where the grader keeps from one call to the next what it can make again."""

from __future__ import annotations

import os
from pathlib import Path


def kept_folder(name: str) -> Path:
    """``$XDG_CACHE_HOME/grader/NAME``, as the XDG Base Directory specification has it."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    if Path(cache).is_absolute():
        return Path(cache) / "grader" / name
    try:
        home = Path.home()
    except RuntimeError:  # a user without a name and without HOME, as in a container
        home = Path("/")
    return home / ".cache" / "grader" / name
