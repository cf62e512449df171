"""A user id for each cage, so that limits per user count one cage alone, and one cage cannot reach another."""

from __future__ import annotations

import secrets
import socket

from grader.sandbox.wire import LaunchError
from grader.values import dataclass

# Free by convention: neither Debian's and Fedora's users nor systemd's dynamic ones (61184 and up) lie here.
FIRST, LAST = 60800, 61183


@dataclass(frozen=True, slots=True)
class Uid:
    """A user id that is ours until ``release``. Its lock ends with the process that holds it, however that ends."""

    number: int
    lock: socket.socket

    def release(self) -> None:
        """Let others have it."""
        self.lock.close()


def take_uid() -> Uid:
    """A user id that no other cage on this machine uses.

    Raises:
        LaunchError: all are taken.
    """
    # Starting anywhere keeps apart the graders of two containers, which do not see each other's locks.
    start = secrets.randbelow(LAST + 1 - FIRST)
    for step in range(LAST + 1 - FIRST):
        number = FIRST + (start + step) % (LAST + 1 - FIRST)
        lock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            lock.bind(f"\0grader-sandbox-{number}")
        except OSError:
            lock.close()
        else:
            return Uid(number, lock)
    raise LaunchError(f"all user ids from {FIRST} to {LAST} are taken by other cages", hint="fewer at once: -j")
