"""A file in a work folder that a program writes, and that is read as it is written: what has been written once, nobody takes back."""

from __future__ import annotations

import os
import select
from threading import Event, Thread
from typing import Final

_ROOM: Final = 1 << 16  # bytes read at once: as much as a pipe holds
_PAUSE: Final = 20  # ms between two looks whether the program has ended


class Outlet:
    """A FIFO in the folder ``parent``, which a program takes for a file, and what came through it: at most ``limit`` bytes and one more.

    A second writer adds to it, and cannot replace what stands there.
    """

    def __init__(self, name: str, parent: int, limit: int) -> None:
        """Make it. Raises OSError if the folder takes none."""
        self._limit = limit
        self._written = bytearray()
        os.mkfifo(name, dir_fd=parent)
        # Open for both, so that it never comes to its end before the program begins to write.
        self._end = os.open(name, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW, dir_fd=parent)
        os.fchmod(self._end, 0o222)
        self._ended = Event()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def take(self) -> bytes | None:
        """The written bytes; None if nothing was written. Called once, when no program runs any more."""
        self._stop()
        return bytes(self._written) or None

    def _read(self) -> None:
        waiting = select.poll()
        waiting.register(self._end, select.POLLIN)
        while True:
            ended = self._ended.is_set()  # looked at before the last read
            if waiting.poll(_PAUSE):
                read = os.read(self._end, _ROOM)
                self._written += read[: max(0, self._limit + 1 - len(self._written))]
            elif ended:
                return

    def _stop(self) -> None:
        self._ended.set()
        self._reader.join()

    def close(self) -> None:
        """Stop reading."""
        self._stop()
        os.close(self._end)
