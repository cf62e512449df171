"""Files of a batch: each is written beside its place and moved there when it is whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.errors import UsageError, refusals

STORE = "grades.db"
GONE = "the folder of the batch was removed, and its grades with it: the same command grades all anew"
_HALF = ".part"
_MEND = "all grades are kept: correct that, and the same command writes the reports"
_LARGEST = 64 << 20  # bytes: marks and gradebooks of a class have a few kilobytes, so a larger file is the wrong one


def read(path: Path) -> bytes:
    """The bytes of a file that staff or a platform wrote. Raises UsageError if it cannot be read, or is too large."""
    with refusals("cannot be read ({})", path), path.open("rb") as stream:
        data = stream.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise UsageError(f"is larger than {_LARGEST >> 20} MiB", place=str(path), hint="is this the right file?")
    return data


def clean(folder: Path, pattern: str, current: set[str]) -> None:
    """Remove files whose names have this pattern, except the current ones."""
    for stale in folder.glob(pattern):
        if stale.name not in current:
            stale.unlink()


def write(path: Path, chunks: Iterable[str]) -> None:
    """Write a file. Raises UsageError if that fails; then the old file stays."""
    with replaced(path) as half, half.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(chunks)


@contextmanager
def replaced(path: Path, hint: str = _MEND) -> Iterator[Path]:
    """A place beside a file, from which it is moved when it is whole. Raises as `written`; then the old file stays."""
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
    """Raises UsageError if a write fails; the hint says that grades are kept, or that the folder is gone."""
    try:
        yield
    except OSError as fault:
        if hint and not any((folder / STORE).exists() for folder in list(path.parents)[:2]):
            hint = GONE  # pages lie one folder deeper than the store
        raise UsageError(f"cannot be written ({fault.strerror})", place=str(path), hint=hint) from fault


def make_folder(out: Path) -> None:
    """Make the folder of a batch. Raises UsageError if it cannot be."""
    with refusals("cannot be made ({})", out):
        out.mkdir(parents=True, exist_ok=True)
