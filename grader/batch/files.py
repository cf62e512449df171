"""Files of a batch: each is written beside its place and moved there when it is whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.errors import UsageError

STORE = "grades.db"
GONE = "the folder of the batch was removed, and its grades with it: the same command grades all anew"
_HALF = ".part"
_MEND = "all grades are kept: mend that, and the same command writes the reports"


def clean(folder: Path, pattern: str, current: set[str]) -> None:
    """Remove what has names of this pattern, and is none of the current files."""
    for stale in folder.glob(pattern):
        if stale.name not in current:
            stale.unlink()


def write(path: Path, chunks: Iterable[str]) -> None:
    """Write a file. Raises UsageError where it cannot be written; then what was there before stays."""
    with replaced(path) as half, half.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(chunks)


@contextmanager
def replaced(path: Path, hint: str = _MEND) -> Iterator[Path]:
    """A place beside a file, from which it is moved when it is whole. Raises what `written` does; then what was there before stays."""
    half = path.with_name(path.name + _HALF)
    with written(path, hint):
        try:
            yield half
            half.replace(path)
        except BaseException:
            half.unlink(missing_ok=True)
            raise


@contextmanager
def written(path: Path, hint: str = _MEND) -> Iterator[None]:
    """Raises UsageError where something cannot be written; the hint says that grades are kept, or that the folder is gone."""
    try:
        yield
    except OSError as fault:
        said = kept_or_gone(path, hint) if hint else ""
        raise UsageError(f"cannot be written ({fault.strerror})", place=str(path), hint=said) from fault


def kept_or_gone(path: Path, hint: str) -> str:
    """The hint of a file that cannot be written, which says that grades are kept; another where the folder of the batch is gone."""
    if any((folder / STORE).exists() for folder in list(path.parents)[:2]):
        return hint
    return GONE


def make_folder(out: Path) -> None:
    """Make the folder of a batch. Raises UsageError where it cannot be."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise UsageError(f"cannot be made ({fault.strerror})", place=str(out)) from fault
