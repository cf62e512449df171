"""Reading 7z archives into memory by py7zr, where the extra ``archives`` is installed.

A 7z archive packs many files as one, so reading the last one unpacks them all. The total that the directory declares is
therefore held to the limits before anything is unpacked, and the output is counted as well. Nothing is ever written to
disk: py7zr gets a place in memory for each wanted file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, BinaryIO

from grader.errors import GraderError
from grader.intake.archive import Allowance, Limits, Listed, PackedTogether, UnreadableError, plan_of, refusal_of
from grader.intake.names import shown

WITHOUT = "a 7z archive, which is read only where py7zr is installed (pip install 'grader[archives]')"


def opened(stream: BinaryIO, size: int, limits: Limits) -> SevenZipArchive:
    """The archive in a stream. Raises UnreadableError if it is damaged, encrypted or too large, or py7zr is not here."""
    try:
        import py7zr
    except ImportError:
        raise UnreadableError(WITHOUT) from None
    # py7zr trusts a directory: one that was changed ends in asserts, None for an object, and absurd sums
    try:
        opened = py7zr.SevenZipFile(stream, "r")
        encrypted = opened.needs_password()
        listed = opened.list()
    except (GraderError, MemoryError):  # of the machine's: the disk, or too little memory
        raise
    except Exception as fault:
        raise UnreadableError(f"a damaged 7z archive ({shown(str(fault)) or type(fault).__name__})") from fault
    if encrypted:
        raise UnreadableError("a 7z archive that is encrypted")
    # Reading one member unpacks all, so the declared total is checked first.
    limits.require_members(len(listed))
    whole = Allowance(replace(limits, member_bytes=limits.total_bytes), archive_bytes=size)
    whole.require(sum(max(0, info.uncompressed or 0) for info in listed))
    return SevenZipArchive(opened, listed, size, limits)


class SevenZipArchive(PackedTogether):
    """A 7z archive with its plan."""

    def __init__(self, opened: Any, listed: Sequence[Any], size: int, limits: Limits) -> None:
        self._opened = opened
        self._names = [info.filename for info in listed]
        self._most = limits.total_bytes
        entries = []
        for info in listed:
            refusal = refusal_of(link=info.is_symlink, plain=info.is_file or info.is_directory)
            entries.append(Listed(info.filename, info.uncompressed or 0, info.is_directory, refusal))
        super().__init__(size, plan_of(entries))

    @cached_property
    def unpacked(self) -> dict[int, bytes | str]:
        """The bytes of each wanted member; if one is damaged, no member can be read."""
        from py7zr.io import BytesIOFactory

        factory = BytesIOFactory(self._most)
        wanted = {self._names[member.number]: member.number for member in self.members}
        try:
            self._opened.extract(targets=list(wanted), factory=factory)
        except (GraderError, MemoryError):
            raise
        except Exception:  # noqa: BLE001 -- as above, and each of its seven decoders has exceptions of its own
            return {}
        products = ((wanted[name], held) for name, held in factory.products.items() if name in wanted)
        # The factory leaves each file at its end.
        return {number: held.read() for number, held in products if not held.seek(0)}
