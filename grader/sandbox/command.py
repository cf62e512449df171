"""Commands, their walls and limits, and their results, as plain values.

docs/sandbox.md says what each tier of isolation stops, and what stays open in it.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from dataclasses import field
from enum import IntFlag, StrEnum
from typing import Final, Literal

from grader.errors import JudgeError
from grader.values import dataclass

HowWaits = Literal["exact", "proc", "timeout"]
WALLS: Final = 10
"""How many times the limit on one wait a whole run may take: who plays with pauses needs more than who computes."""

LimitName = Literal["cpu", "wall", "memory", "output", "processes", "file-size"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one run; all but ``files`` and ``file_size`` hold for the program and all that it starts together.

    ``cpu`` and ``wall`` are seconds. ``wall`` is the limit of each wait for the program, and ``WALLS`` times as much
    that of all waits. The time in which the program waits for us does not count. ``memory`` is resident bytes. ``output`` is bytes, for each
    of standard output and standard error. ``processes`` counts threads too. ``file_size`` is the bytes of one file,
    ``files`` the files open at once in one process. ``address_space`` is bytes of each process, None if a program
    reserves more than it uses, as a JVM.
    """

    cpu: float
    wall: float
    memory: int
    output: int
    processes: int
    file_size: int
    files: int
    address_space: int | None


@dataclass(frozen=True, slots=True)
class Span:
    """Seconds: of computing, and by the clock."""

    cpu: float
    wall: float


@dataclass(frozen=True, slots=True)
class Command:
    """One program to start: the words of its command, its limits and its whole environment.

    ``argv[0]`` with a slash is a path as the program sees it (its folder is the work folder), else a name in /bin or
    /usr/bin. ``HOME`` and ``TMPDIR`` are added to the environment if it has none; nothing else is. ``terminal`` gives it
    a terminal in cooked mode, with echo, for all three streams. ``watch_reads`` lets us know exactly when it reads its
    input. ``control`` gives it a stream socket to us as descriptor 3. ``sealed`` gives it streams that nobody can open again
    by a path such as /proc/self/fd/2, and no input: a compiler would wait for what it writes itself.
    """

    argv: tuple[str, ...]
    limits: Limits
    environment: Mapping[str, str] = field(default_factory=dict)
    terminal: bool = False
    watch_reads: bool = True
    control: bool = False
    sealed: bool = False


OWN_BREAKS: Final = frozenset(
    signal.Signals[f"SIG{name}"] for name in ("SEGV", "ABRT", "BUS", "ILL", "FPE", "TRAP", "SYS", "PIPE")
)
"""Signals of a program that breaks itself; others come from outside."""


class Event(StrEnum):
    """The events for which a process is waited."""

    WAITS = "waits"  # it asks for input and has read all that it was given; all that it printed before is here
    ENDED = "ended"  # by itself
    LIMIT = "limit"  # it was killed, or ended, over a limit
    CONTROL = "control"  # there are bytes on the control socket; all that it printed before them is here


@dataclass(frozen=True, slots=True)
class Status:
    """How a program ended: one of ``exit_code`` and ``signal`` is set, and ``limit`` if one was passed.

    ``cpu`` is seconds, of the program and all that it started; ``peak`` is bytes resident. ``asleep`` is the time in
    seconds in which all of it slept by its own doing, seen ten times a second. A process that was stopped, starved or
    waited for a disk did not sleep.
    """

    exit_code: int | None
    signal: int | None
    limit: LimitName | None
    cpu: float
    peak: int
    asleep: float = 0.0

    @property
    def killed(self) -> bool:
        """Whether a signal ended it that no mistake causes: the program sent it itself, or another process did."""
        return self.signal is not None and self.limit is None and self.signal not in OWN_BREAKS


@dataclass(frozen=True, slots=True)
class Completed:
    """A run that needed no dialogue: its status and all that it wrote, cut at the limit.

    ``control`` is what came on the control socket, where there is one.
    """

    status: Status
    output: bytes
    errors: bytes
    control: bytes = b""


class Tier(StrEnum):
    """Tiers of isolation, the strongest first."""

    STRONG = "strong"  # root on a machine: namespaces, another user, filters
    NAMESPACED = "namespaced"  # an ordinary user: namespaces, filters
    CONTAINER = "container"  # root where namespaces are refused, as in Docker: another user, Landlock, filters
    USER = "user"  # an ordinary user where namespaces are refused: Landlock, filters
    BARE = "bare"  # limits alone


class Wall(IntFlag):
    """The walls that the launcher can put up; the numbers are those of ``enum wall`` in launcher.h."""

    ROOM = 1  # namespaces and a root of its own
    BORROWED = 2  # the room lies inside a user namespace
    OTHER_UID = 4
    LANDLOCK = 8  # demanded; where a room is, Landlock is used if the kernel has it
    DENY = 16  # system calls are filtered


_WALLS_OF = {
    Tier.STRONG: Wall.ROOM | Wall.OTHER_UID | Wall.DENY,
    Tier.NAMESPACED: Wall.ROOM | Wall.BORROWED | Wall.DENY,
    Tier.CONTAINER: Wall.OTHER_UID | Wall.LANDLOCK | Wall.DENY,
    Tier.USER: Wall.LANDLOCK | Wall.DENY,
    Tier.BARE: Wall(0),
}


def walls_for(tier: Tier) -> Wall:
    """The walls of a tier.

    Raises:
        JudgeError: the tier does not fit who we are: root must not run programs as itself, and only root can as others.
    """
    root = os.geteuid() == 0
    if tier in (Tier.STRONG, Tier.CONTAINER) and not root:
        raise JudgeError(f"the sandbox tier {tier} needs root", hint="namespaced and user are the tiers of other users")
    if tier in (Tier.NAMESPACED, Tier.USER) and root:
        message = f"the sandbox tier {tier} would run programs as root"
        raise JudgeError(message, hint="strong and container are the tiers of root")
    return _WALLS_OF[tier]
