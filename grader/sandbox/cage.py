"""The cage of one submission: a work folder, walls, and one program at a time inside."""

from __future__ import annotations

import os
import resource
import secrets
import socket
import stat
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, Self

from grader.bundled import own_folders
from grader.sandbox.command import Command, Completed, Event, Limits, Tier, Wall, walls_for
from grader.sandbox.folder import FOLDER, WorkFolder
from grader.sandbox.leftovers import OwnedFolder
from grader.sandbox.machine import free_processes
from grader.sandbox.outlet import Outlet
from grader.sandbox.process import Process
from grader.sandbox.shown import Shown
from grader.sandbox.streams import Pipes, Sockets, Streams, Terminal
from grader.sandbox.wire import Hello, Launcher, LaunchError, refused

WORK_SIZE: Final = 64 << 20  # bytes that a work folder may hold
_MOST_FILES: Final = 4096  # files that a work folder may hold
_ROOM_WORK: Final = "/box"  # the name of the work folder in a room, as in launcher.h
_SHARED: Final = 0o1770  # root's, and the program's group may write: what `put` placed can be read but not removed
_OWN: Final = 0o700  # for our user only
_PAGE: Final = 4096  # bytes
_MAPPED: Final = 3 << 30  # bytes of address space that a JVM maps and never uses
ELSEWHERE: Final = "give it room and rights, or name another folder in TMPDIR"


# Free by convention: neither Debian's and Fedora's users nor systemd's dynamic ones (61184 and up) lie here.
FIRST, LAST = 60800, 61183


def take_uid() -> tuple[int, socket.socket]:
    """A user id that no other cage on this machine uses until its lock is closed. The lock closes when the process that holds it ends, in whatever way.

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
            return number, lock
    raise LaunchError(f"all user ids from {FIRST} to {LAST} are taken by other sandboxes", hint="fewer at once: -j")


class Closing:
    """Something that is closed at the end of a ``with``."""

    def close(self) -> None:
        """End what runs, and give back what is held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class Cage(Closing):
    """A private, empty work folder and the walls of a tier around what is started in it. A context manager."""

    def __init__(
        self, tier: Tier, *, work_size: int = WORK_SIZE, readable: tuple[Path, ...] = (), hidden: tuple[Path, ...] = ()
    ) -> None:
        """Put up the walls.

        ``work_size`` is the bytes that the work folder may hold; ``readable`` are paths that can be read besides the
        system's programs and libraries. ``hidden`` are paths that cannot be read wherever they lie, the grader itself and the
        folder for temporary files always among them. If a hidden path lies in a readable one, or the other way round,
        the deeper one decides.

        Raises:
            LaunchError: the walls cannot be put up here.
        """
        self.tier = tier
        walls = walls_for(tier)
        self._room = bool(walls & Wall.ROOM)
        self._readable = readable
        self._hidden = (*hidden, *own_folders())
        self._work_size = work_size
        self._uid: int | None = None
        self._uid_lock: socket.socket | None = None
        if walls & Wall.OTHER_UID:
            self._uid, self._uid_lock = take_uid()
        self._outside: OwnedFolder | None = None
        self._process: Process | None = None
        self._folders: list[int] = []
        self._launcher: Launcher | None = None
        try:
            with refused("the sandbox cannot be set up", "ulimit -a shows the limits of this shell"):
                self._put_up(walls)
        except BaseException:
            self.close()
            raise

    def _put_up(self, walls: Wall) -> None:
        uid = self._uid or 0
        mode = _SHARED if self._uid else _OWN
        self.path = _ROOM_WORK if self._room else str(self._make_outside(mode, uid))
        # Other cages of our user may have their files in this folder.
        beside = (Path(self._outside.name).parent,) if self._outside else ()
        self._shown = shown = Shown(self._readable, (*self._hidden, *beside))
        paths = (Path(self.path), *shown.readable)
        self._launcher = Launcher(walls, uid, self._work_size, _MOST_FILES, paths, shown.hidden)
        hello = self._launcher.receive()
        if not isinstance(hello, Hello):
            raise LaunchError("the sandbox's launcher does not answer as it should", hint="is it of another version?")
        self._folders.append(hello.folder)
        if self._room:
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
            self._folders.append(os.open("tmp", flags, dir_fd=hello.folder))
            self._folders.append(os.open(_ROOM_WORK[1:], flags, dir_fd=hello.folder))
        self._work = WorkFolder(self._folders[-1], mode, uid if self._uid else -1)

    def _make_outside(self, mode: int, uid: int) -> Path:
        with refused("a folder for the sandbox cannot be made", ELSEWHERE, self._outside.name if self._outside else ""):
            self._outside = self._outside or OwnedFolder("cage")
            outside = Path(self._outside.name)
            outside.mkdir(exist_ok=True)  # in the bare tier a program may have removed this folder as well
            outside.chmod(0o711)
            work = outside / "work"
            work.mkdir()
            if self._uid:
                os.chown(work, -1, uid)
            work.chmod(mode)
            closed = [one for one in outside.parents if self._uid and not one.stat().st_mode & stat.S_IXOTH]
        if closed:
            # With TMPDIR in root's own folder, as in a container, gcc broke on every program that was handed in.
            raise LaunchError("programs run as another user, who may not enter", place=str(closed[-1]), hint=ELSEWHERE)
        return work

    def _folder(self) -> WorkFolder:
        """The work folder, usable; made anew if the program has removed it, which only the bare tier lets it do."""
        if self.tier is Tier.BARE and os.fstat(self._work.descriptor).st_nlink == 0:
            self._make_outside(_OWN, 0)
            os.close(self._folders.pop())
            self._folders.append(os.open(self.path, FOLDER))
            self._work.descriptor = self._folders[-1]
        self._work.unlock()
        return self._work

    # ------------------------------------------------------------------------------------------------------ the work folder

    def put(
        self, name: str, data: bytes, *, executable: bool = False, kept: bool = False, writable: bool = False
    ) -> None:
        """Write a file into the work folder, replacing what has its name; ``name`` may lie in sub-folders.

        If the program runs as another user, it can read but neither write nor remove the file, unless it is ``writable``. A ``kept``
        file survives ``clean``, which also undoes what a program did to it, and brings it back where a writable one replaced it.

        Raises:
            LaunchError: it does not fit, or the name leads outside.
        """
        with refused(f"{name}, {len(data):,} bytes, cannot be put into the work folder", self._how_to_fit, self.path):
            self._folder().put(name, data, executable=executable, kept=kept, writable=writable)

    def furnish(self, files: Mapping[str, bytes], *, executable: bool = False) -> Self:
        """Put files to be kept into the work folder; itself.

        A cage that cannot hold them all is closed, for with half of them it would fail a program that is right.

        Raises:
            LaunchError: they do not fit.
        """
        try:
            for name, data in files.items():
                self.put(name, data, executable=executable, kept=True)
        except BaseException:
            self.close()
            raise
        return self

    @property
    def _how_to_fit(self) -> str:
        return f"it holds {self._work_size:,} bytes in {_MOST_FILES:,} files" if self._room else ELSEWHERE

    def outlet(self, name: str, limit: int) -> Outlet:
        """A new file in the work folder that a program writes and we read meanwhile; to be closed. Raises LaunchError."""
        with refused("a file in the work folder cannot be made", "is its disk full?"):
            return self._folder().outlet(name, limit)

    def take(self, name: str, limit: int) -> bytes | None:
        """The bytes of a regular file of at most ``limit`` bytes in the work folder; None if there is no such file."""
        return self._folder().take(name, limit)

    def listing(self) -> tuple[str, ...]:
        """The regular files of the work folder, sorted, as paths with slashes."""
        return self._folder().listing()

    def is_clean(self) -> bool:
        """Whether the work folder holds the kept files as they were put, and no other regular file."""
        return self._folder().is_clean()

    def clean(self) -> None:
        """Kill what runs, and empty the work folder of all but kept files. Raises LaunchError if that fails."""
        if self._process is not None:
            self._process.kill()
        with refused("the work folder cannot be emptied", self._how_to_fit, self.path):
            if self._room:
                shown = (path.parts for path in self._shown.readable)
                spared = frozenset(parts[2] for parts in shown if parts[1] == "tmp" and len(parts) > 2)
                WorkFolder(self._folders[1], _SHARED if self._uid else _OWN, -1).clean(spared)
            self._folder().clean()

    @property
    def lost(self) -> bool:
        """Whether its launcher has died, so that nothing can be started in it any more."""
        return self._launcher is None or self._launcher.gone

    # ----------------------------------------------------------------------------------------------------------- programs

    def start(self, command: Command) -> Process:
        """Start a program. Only one runs at a time in a cage. The first wait tells whether it could be started.

        Raises:
            LaunchError: another one runs, the launcher cannot be reached, or this machine has less to give than the
                limits promise: what a program lacks then must not be taken for its own fault.
        """
        if self._launcher is None:
            raise LaunchError("the sandbox is closed")
        if self._process is not None and self._process.status is None:
            raise LaunchError(
                "another program still runs in this sandbox", hint="kill it first, or take another sandbox"
            )
        with refused("a program cannot be started", "ulimit -a shows the limits of this shell"):
            demand_limits(command.limits)
            self.demand_room()
            environment = {"HOME": self.path, "TMPDIR": self.path, **command.environment}
            kind = Terminal if command.terminal else Sockets if command.sealed else Pipes
            streams: Streams = kind(command.limits.output, self._uid)
            control, theirs = socket.socketpair() if command.control else (None, None)
            ends = (*streams.child_ends, *([theirs.fileno()] if theirs else []))
            self._launcher.start(replace(command, environment=environment), ends)
            if theirs is not None and control is not None:
                theirs.close()
                control.setblocking(False)
            self._process = Process(self._launcher, streams, command.limits, control)
            return self._process

    def demand_room(self) -> None:
        """Raise LaunchError where the work folder lies on a disk of the machine, which could not hold a full one."""
        work = self._folder().descriptor
        if self._room:
            return
        disk = os.fstatvfs(work)
        free = disk.f_bavail * disk.f_frsize
        if free < self._work_size:
            message = f"its disk has {free:,} bytes left, and a work folder may need {self._work_size:,}"
            raise LaunchError(message, place=self.path, hint=ELSEWHERE)
        # A disk may have room for bytes and for no more files, which gcc calls "No space left on device" as well. Some count none.
        if disk.f_files and disk.f_favail < _MOST_FILES:
            message = f"its disk has room for {disk.f_favail:,} more files, and a work folder may need {_MOST_FILES:,}"
            raise LaunchError(message, place=self.path, hint=ELSEWHERE)

    # ------------------------------------------------------------------------------------------------------------- the end

    def close(self) -> None:
        """Kill what runs, and take the walls and the work folder away."""
        launcher, self._launcher = self._launcher, None
        if self._process is not None:
            self._process.abandon()
        for descriptor in self._folders:
            os.close(descriptor)
        self._folders.clear()
        try:
            if launcher is not None:
                launcher.close()
        finally:
            if self._outside is not None:
                self._outside.cleanup()
                self._outside = None
            if self._uid_lock is not None:
                self._uid_lock.close()
                self._uid = self._uid_lock = None


def room_for(files: Mapping[str, bytes]) -> int:
    """The bytes of a work folder that these files take: each begins on a page of its own."""
    return sum(-(-len(data) // _PAGE) * _PAGE for data in files.values())


def complete(cage: Cage, command: Command, stdin: bytes = b"") -> Completed:
    """Run a program that needs no dialogue, such as a compiler, to its end.

    Raises:
        LaunchError: it cannot be started, or the launcher failed.
    """
    process = cage.start(replace(command, watch_reads=False))
    process.send(stdin)
    process.close_input()
    control = b""
    while process.wait_event() not in (Event.ENDED, Event.LIMIT):
        control += process.take_control()
    control += process.take_control()
    assert process.status is not None
    return Completed(process.status, process.take_output(), process.take_errors(), control)


def demand_limits(limits: Limits) -> None:
    """Raise LaunchError where this machine's own limits, or those of our cgroup, are lower: the launcher cannot lift them."""
    wanted = (
        ("RLIMIT_NPROC", limits.processes + 1, "-u 4096"),
        ("RLIMIT_FSIZE", limits.file_size, "-f unlimited"),
        ("RLIMIT_NOFILE", limits.files, "-n 1024"),
        ("RLIMIT_AS", limits.address_space or limits.memory + _MAPPED, "-v unlimited"),
    )
    for name, least, raised in wanted:
        _, most = resource.getrlimit(getattr(resource, name))
        if most != resource.RLIM_INFINITY and most < least:
            message = f"this machine's limit {name} is {most:,}, and a program may need {least:,}"
            raising = f"ulimit {raised} in a fresh shell, or by an administrator"
            hint = f"start the grader where it is higher: {raising}"
            raise LaunchError(message, hint=hint)
    free = free_processes()
    if free <= limits.processes:
        message = (
            f"this container lets us start {free:,} more processes, and a program may need {limits.processes + 1:,}"
        )
        raise LaunchError(message, hint="give it more, as by --pids-limit, or let fewer work at once: -j 1")
