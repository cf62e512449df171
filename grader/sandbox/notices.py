"""Notices of reads: the listener's side of seccomp's user notification (seccomp_unotify(2))."""

from __future__ import annotations

import errno
import fcntl
import struct
from typing import Final

from grader.values import dataclass

_RECEIVE: Final = 0xC0502100
_SEND: Final = 0xC0182101
_NOTICE: Final = struct.Struct("=QI68x")  # struct seccomp_notif: id, pid, and what we do not need
_ANSWER: Final = struct.Struct("=QqiI")  # struct seccomp_notif_resp: id, value, error, flags
_CONTINUE: Final = 1


@dataclass(frozen=True, slots=True)
class Notice:
    """A task that is about to read its standard input, and is held until it is let go. ``task`` is 0 if we cannot see it."""

    number: int
    task: int


def receive(listener: int) -> Notice | None:
    """The next notice; None if its task has gone away meanwhile."""
    buffer = bytearray(_NOTICE.size)  # the kernel demands zeros
    try:
        fcntl.ioctl(listener, _RECEIVE, buffer)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.EINTR):
            return None
        raise
    number, task = _NOTICE.unpack(buffer)
    return Notice(number, task)


def let_go(listener: int, notice: Notice) -> None:
    """Let the read happen. A task that is gone, or was interrupted and will ask again, is passed over."""
    try:
        fcntl.ioctl(listener, _SEND, _ANSWER.pack(notice.number, 0, 0, _CONTINUE))
    except OSError as error:
        if error.errno != errno.ENOENT:
            raise
