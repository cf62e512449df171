"""Reading RAR archives into memory by libarchive, if the extra ``archives`` and libarchive are installed.

The maintained readers of RAR in Python start a foreign program, which only the sandbox may do; libarchive reads in this
process, and only RAR formats. It reads an archive from beginning to end, so one member costs the unpacking of all that
are wanted. The output is counted as it comes, and nothing is ever written to disk.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any, BinaryIO

from grader.intake.archive import Allowance, Limits, Listed, PackedTogether, Plan, UnreadableError, plan_of, refusal_of
from grader.intake.encoding import decode_names
from grader.intake.names import shown

_NEW = b"Rar!\x1a\x07\x01"
WITHOUT = "a RAR archive, which is read only where libarchive is installed (pip install 'grader[archives]'); please pack it as zip"


def opened(stream: BinaryIO, size: int, limits: Limits) -> RarArchive:
    """The archive in a stream. Raises UnreadableError if it is damaged or too large, or libarchive is not here."""
    try:
        import libarchive
    except (ImportError, OSError, AttributeError, TypeError):  # the system's library may be missing, or too old
        raise UnreadableError(WITHOUT) from None
    # libarchive reads it from memory, where all of it must lie first.
    if size > limits.total_bytes:
        raise UnreadableError("a RAR archive that is larger than what may be in it")
    data = stream.read()
    try:
        with _entries(libarchive, data) as entries:
            plan = plan_of(_listed(entries, limits))
    except libarchive.ArchiveError as fault:
        raise UnreadableError(f"a damaged RAR archive ({_complaint(fault)})") from fault
    if not (plan.members or plan.folders or plan.problems):  # to its reader a beginning without an end is an end
        raise UnreadableError("an empty or damaged RAR archive")
    return RarArchive(libarchive, data, plan, limits)


class RarArchive(PackedTogether):
    """A RAR archive with its plan."""

    def __init__(self, library: Any, data: bytes, plan: Plan, limits: Limits) -> None:
        super().__init__(len(data), plan)
        self._library, self._data, self._limits = library, data, limits

    @cached_property
    def unpacked(self) -> dict[int, bytes | str]:
        """The bytes of each wanted member, or why it cannot be read.

        A damaged member makes all later ones unreadable.
        """
        unpacked: dict[int, bytes | str] = {}
        wanted = {member.number for member in self.members}
        whole = Allowance(self._limits, archive_bytes=self.size)
        number = -1
        try:
            with _entries(self._library, self._data) as entries:
                for number, entry in enumerate(entries):
                    if number in wanted:
                        unpacked[number] = whole.gathered(map(bytes, entry.get_blocks()))
        except UnreadableError as fault:
            unpacked[number] = str(fault)
        except self._library.ArchiveError as fault:
            unpacked[number] = f"damaged ({_complaint(fault)})"
        return unpacked


@contextmanager
def _entries(library: Any, data: bytes) -> Iterator[Iterator[Any]]:
    """The members in their order, read only as RAR."""
    with library.memory_reader(data, format_name="rar5" if data.startswith(_NEW) else "rar") as archive:
        yield iter(archive)


def _listed(entries: Iterator[Any], limits: Limits) -> list[Listed]:
    """The directory. Raises UnreadableError beyond the limit of members."""
    listed: list[tuple[str | bytes, Listed]] = []
    for number, entry in enumerate(entries, start=1):
        limits.require_members(number)
        refusal = refusal_of(link=entry.issym or entry.islnk, plain=entry.isfile or entry.isdir)
        listed.append((entry.pathname or "", Listed("", entry.size or 0, entry.isdir, refusal)))
    # old packers write names in the encoding of their system, and do not say which: libarchive gives those as bytes
    decoded = iter(decode_names([name for name, _ in listed if isinstance(name, bytes)]))
    return [replace(one, path=next(decoded) if isinstance(name, bytes) else name) for name, one in listed]


def _complaint(fault: Any) -> str:
    """The complaint of the library, without the address in memory that its text has: each run has another one."""
    return shown(str(fault.msg)) or "no reason is given"
