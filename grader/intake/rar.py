"""Reading RAR archives into memory by libarchive, where the extra ``archives`` and the system's libarchive are installed.

The kept readers of RAR in Python start a foreign program, which nothing but the sandbox may do; libarchive reads in this process, and
of RAR formats alone. It reads an archive from its beginning to its end, so that whoever reads one member unpacks all that are wanted:
what comes out is counted as it comes, and nothing is ever written to disk.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, BinaryIO

from grader.intake.archive import Allowance, Archive, Limits, Listed, Member, Plan, UnreadableError, plan_of
from grader.intake.encoding import decode_names
from grader.intake.names import shown

MAGIC = b"Rar!\x1a\x07"
_NEW = b"Rar!\x1a\x07\x01"
WITHOUT = "a RAR archive, which is read only where libarchive is installed (pip install 'grader[archives]'); please pack it as zip"


def opened(stream: BinaryIO, size: int, limits: Limits) -> Archive:
    """The archive in a stream. Raises UnreadableError where it is damaged or too large, or libarchive is not here."""
    try:
        import libarchive
    except (ImportError, OSError, AttributeError, TypeError):  # the system's library may be missing, or too old
        raise UnreadableError(WITHOUT) from None
    if size > limits.total_bytes:
        raise UnreadableError("a RAR archive that is larger than what may be in it")
    data = stream.read()
    try:
        with _entries(libarchive, data) as entries:
            plan = plan_of(_listed(entries, limits))
    except libarchive.ArchiveError as fault:
        raise UnreadableError(f"a damaged RAR archive ({_told(fault)})") from fault
    if not (plan.members or plan.folders or plan.problems):  # to its reader a beginning without an end is an end
        raise UnreadableError("an empty or damaged RAR archive")
    return _RarArchive(libarchive, data, plan, limits)


class _RarArchive(Archive):
    """A RAR archive with its plan. Its files are unpacked together, when the first is read."""

    def __init__(self, library: Any, data: bytes, plan: Plan, limits: Limits) -> None:
        super().__init__(len(data), plan)
        self._library = library
        self._data = data
        self._limits = limits
        self._unpacked: dict[int, bytes | str] | None = None

    def read(self, member: Member, allowance: Allowance) -> bytes:
        """The bytes of a member, or UnreadableError: damaged, encrypted, or over the limits."""
        allowance.require(member.size)
        if self._unpacked is None:
            self._unpacked = self._all()
        data = self._unpacked.get(member.number, "damaged")
        if isinstance(data, str):
            raise UnreadableError(data)
        allowance.spend(len(data))
        return data

    def _all(self) -> dict[int, bytes | str]:
        """The bytes of each member that is wanted, or why it cannot be read; after the first that is damaged nothing is known."""
        found: dict[int, bytes | str] = {}
        wanted = {member.number for member in self.members}
        whole = Allowance(self._limits, archive_bytes=self.size)
        number = -1
        try:
            with _entries(self._library, self._data) as entries:
                for number, entry in enumerate(entries):
                    if number in wanted:
                        found[number] = _bytes(entry, whole)
        except UnreadableError as fault:
            found[number] = str(fault)
        except self._library.ArchiveError as fault:
            found[number] = f"damaged ({_told(fault)})"
        return found


def _bytes(entry: Any, whole: Allowance) -> bytes:
    pieces = []
    for piece in entry.get_blocks():
        whole.spend(len(piece))
        pieces.append(bytes(piece))
    return b"".join(pieces)


@contextmanager
def _entries(library: Any, data: bytes) -> Iterator[Iterator[Any]]:
    """The members in their order, by the reader of RAR and no other."""
    with library.memory_reader(data, format_name="rar5" if data.startswith(_NEW) else "rar") as archive:
        yield iter(archive)


def _listed(entries: Iterator[Any], limits: Limits) -> list[Listed]:
    """The directory. Raises UnreadableError beyond the limit of members."""
    listed: list[tuple[str | bytes, Listed]] = []
    for number, entry in enumerate(entries):
        if number >= limits.members:
            raise UnreadableError(f"more than {limits.members} members, the limit for an archive")
        refusal = "is a link" if entry.issym or entry.islnk else ""
        if not (refusal or entry.isfile or entry.isdir):
            refusal = "is neither a file nor a folder"
        listed.append((entry.pathname or "", Listed("", entry.size or 0, entry.isdir, refusal)))
    # old packers write names in the encoding of their system, and do not say which: libarchive gives those as bytes
    decoded = iter(decode_names([name for name, _ in listed if isinstance(name, bytes)]))
    return [replace(one, path=next(decoded) if isinstance(name, bytes) else name) for name, one in listed]


def _told(fault: Any) -> str:
    """What the library complains of: its own text has the address of the archive, which is another in each run."""
    return shown(str(fault.msg)) or "no reason is given"
