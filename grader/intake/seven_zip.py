"""Reading 7z archives into memory by py7zr, where the extra ``archives`` is installed.

A 7z archive packs many files as one, so that whoever reads the last unpacks them all: what the directory declares is held to the
limits as a whole before anything is unpacked, and what comes out is counted besides. Nothing is ever written to disk: py7zr is given
a place in memory for each file that is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, BinaryIO

from grader.errors import GraderError
from grader.intake.archive import Allowance, Archive, Limits, Listed, Member, UnreadableError, plan_of
from grader.intake.names import shown

MAGIC = b"7z\xbc\xaf\x27\x1c"
WITHOUT = "a 7z archive, which is read only where py7zr is installed (pip install 'grader[archives]')"


def opened(stream: BinaryIO, size: int, limits: Limits) -> Archive:
    """The archive in a stream. Raises UnreadableError where it is damaged, encrypted or too large, or py7zr is not here."""
    try:
        import py7zr
    except ImportError:
        raise UnreadableError(WITHOUT) from None
    try:
        opened = py7zr.SevenZipFile(stream, "r")
        encrypted = opened.needs_password()
        listed = opened.list()
    except (GraderError, MemoryError):  # of the machine's: the disk, or too little memory
        raise
    except (
        Exception
    ) as fault:  # py7zr trusts a directory: one that was changed ends in asserts, None for an object, and absurd sums
        raise UnreadableError(f"a damaged 7z archive ({shown(str(fault)) or type(fault).__name__})") from fault
    if encrypted:
        raise UnreadableError("a 7z archive that is encrypted")
    if len(listed) > limits.members:
        raise UnreadableError(f"more than {limits.members} members, the limit for an archive")
    whole = Allowance(limits, archive_bytes=size)
    whole.limits = Limits(limits.members, limits.total_bytes, limits.total_bytes, limits.free_bytes, limits.ratio)
    whole.require(sum(max(0, info.uncompressed or 0) for info in listed))
    return SevenZipArchive(opened, listed, size, limits)


class SevenZipArchive(Archive):
    """A 7z archive with its plan. Its files are unpacked together, when the first is read."""

    def __init__(self, opened: Any, listed: Sequence[Any], size: int, limits: Limits) -> None:
        self._opened = opened
        self._names = [info.filename for info in listed]
        self._most = limits.total_bytes
        self._unpacked: dict[int, bytes] | None = None
        super().__init__(size, plan_of(map(_listed, listed)))

    def read(self, member: Member, allowance: Allowance) -> bytes:
        """The bytes of a member, or UnreadableError: damaged, or over the limits."""
        allowance.require(member.size)
        if self._unpacked is None:
            self._unpacked = self._all()
        data = self._unpacked.get(member.number)
        if data is None:
            raise UnreadableError("damaged")
        allowance.spend(len(data))
        return data

    def _all(self) -> dict[int, bytes]:
        from py7zr.io import BytesIOFactory

        factory = BytesIOFactory(self._most)
        wanted = {self._names[member.number]: member.number for member in self.members}
        try:
            self._opened.extract(targets=list(wanted), factory=factory)
        except (GraderError, MemoryError):
            raise
        except Exception:  # noqa: BLE001 -- as above, and each of its seven decoders has exceptions of its own
            return {}
        return {
            wanted[name]: held.read() for name, held in factory.products.items() if name in wanted and not held.seek(0)
        }


def _listed(info: Any) -> Listed:
    refusal = "is a link" if info.is_symlink else ""
    if not (refusal or info.is_file or info.is_directory):
        refusal = "is neither a file nor a folder"
    return Listed(info.filename, info.uncompressed or 0, info.is_directory, refusal)
