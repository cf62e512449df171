"""Files of a batch: each is written beside its place and moved there when it is whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.errors import UsageError

_HALF = ".part"


def clean(folder: Path, pattern: str, current: set[str]) -> None:
    """Remove what has names of this pattern, and is none of the current files."""
    for stale in folder.glob(pattern):
        if stale.name not in current:
            stale.unlink()


def write(path: Path, chunks: Iterable[str]) -> None:
    """Write a file. Raises UsageError where it cannot be written; then what was there before stays."""
    half = path.with_name(path.name + _HALF)
    with written(path):
        try:
            with half.open("w", encoding="utf-8", newline="") as stream:
                stream.writelines(chunks)
            half.replace(path)
        except BaseException:
            half.unlink(missing_ok=True)
            raise


@contextmanager
def written(path: Path) -> Iterator[None]:
    """Say in a sentence what cannot be written."""
    try:
        yield
    except OSError as fault:
        hint = "all grades are kept: mend that, and the same command writes the reports"
        raise UsageError(f"cannot be written ({fault.strerror})", place=str(path), hint=hint) from fault
