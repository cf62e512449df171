"""Our end of the socket to a launcher: starts it, and turns its messages into values.

The messages are laid out in launcher.h; every ``struct`` format here has its twin there.
"""

from __future__ import annotations

import array
import errno
import fcntl
import os
import socket
import struct
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from grader.errors import JudgeError
from grader.sandbox.command import Command, Wall
from grader.values import dataclass

LAUNCHER: Final = Path(__file__).with_name("launcher")

_SETUP, _START, _KILL, _LOOK = 1, 2, 3, 4
_HELLO, _READY, _FAILED, _ENDED, _LOOKED = 1, 2, 3, 4, 5
_FAILURE = struct.Struct("=Ii64s")
_END = struct.Struct("=IiIIQQQ")
_LOOK_ANSWER = struct.Struct("=IiQ")
_WATCH_READS, _CONTROL = 1, 2
_LARGEST = 128 * 1024  # of a message; the launcher takes a little more
_STOP_SECONDS = 10.0  # for a launcher to end after its socket has closed

BUSY, WAITS, CANNOT_TELL = 0, 1, 2  # what a look at the processes can tell


@dataclass(frozen=True, slots=True)
class Hello:
    """The cage stands; a descriptor of the folder that it works in."""

    folder: int


@dataclass(frozen=True, slots=True)
class Ready:
    """The program is about to start; ``listener`` tells of its reads, None if the kernel has no such thing."""

    listener: int | None


@dataclass(frozen=True, slots=True)
class Ended:
    """The program and all that it started are gone: as wait(2) says, ``limit`` as numbered in launcher.h, in µs, bytes, µs."""

    wait_status: int
    limit: int
    cpu: int
    peak: int
    asleep: int


@dataclass(frozen=True, slots=True)
class Looked:
    """The state of the processes: BUSY, WAITS or CANNOT_TELL; and the µs that the run has computed so far."""

    answer: int
    cpu: int


Message = Hello | Ready | Ended | Looked


class LaunchError(JudgeError):
    """The sandbox cannot be set up, or its launcher failed: our fault or the machine's, never the student's."""


@contextmanager
def refused(failed: str, hint: str, place: str = "") -> Iterator[None]:
    """A refusal by the system is never the student's fault: raises LaunchError with what to try."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.EFBIG:
            hint = "ulimit -f limits the files that this shell lets us write"
        raise LaunchError(f"{failed}: {error.strerror or error}", place=place, hint=hint) from error


class Launcher:
    """A running launcher. ``socket`` can be polled for messages to ``receive``; ``gone`` is set once it is seen to have died."""

    gone = False

    def __init__(
        self, walls: Wall, uid: int, work_size: int, work_files: int, paths: Sequence[Path], hidden: Sequence[Path]
    ) -> None:
        """Start a launcher and tell it about the cage.

        ``paths`` are the work folder and what else can be read; ``hidden`` is what in these, or in the system's folders,
        cannot.
        """
        if not LAUNCHER.exists():  # before anything that only Linux has
            hint = "it is compiled when the grader is installed on Linux with a C compiler; "
            hint += "python setup.py build_ext --inplace shows why it was not"
            raise LaunchError("the sandbox's launcher is not there", place=str(LAUNCHER), hint=hint)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket = ours
        with theirs:
            try:
                self._child = _start(theirs)
            except BaseException:
                ours.close()
                raise
        head = struct.pack("=IIIIQII", _SETUP, walls, uid, work_files, work_size, len(paths), len(hidden))
        self._send(head + _strings([os.fsencode(path) for path in (*paths, *hidden)]))

    def start(self, command: Command, descriptors: Sequence[int]) -> None:
        """Ask for a program with these standard streams (and the control socket); READY or a failure follows."""
        limits = command.limits
        flags = _WATCH_READS * command.watch_reads | _CONTROL * command.control
        variables = [f"{name}={value}" for name, value in command.environment.items()]
        bounds = (limits.memory, limits.processes, limits.file_size, limits.files, limits.address_space or 0)
        cpu = round(limits.cpu * 1e6)
        head = struct.pack("=II6QII", _START, flags, cpu, *bounds, len(command.argv), len(variables))
        self._send(head + _strings([os.fsencode(text) for text in (*command.argv, *variables)]), descriptors)

    def kill(self) -> None:
        """Ask for the program's end; ENDED follows. Nothing happens if it has ended already."""
        self._send(struct.pack("=I", _KILL))

    def look(self) -> None:
        """Ask whether the program waits for input, as /proc tells, and what it has computed; LOOKED follows."""
        self._send(struct.pack("=I", _LOOK))

    def receive(self) -> Message:
        """The next message, waiting for it.

        Raises:
            LaunchError: the launcher reports that it failed, or is gone.
        """
        try:
            data, descriptors, _, _ = socket.recv_fds(self.socket, 4096, 1, socket.MSG_CMSG_CLOEXEC)
        except ConnectionResetError:
            data, descriptors = b"", []
        if not data:
            self.gone = True
            raise LaunchError("the sandbox's launcher has died", hint="was it killed, or the machine out of memory?")
        return _message(data, descriptors)

    def settle(self, *, looking: bool) -> None:
        """After a failure: pass over what still comes about that program, unless the launcher has died of it.

        If a look is asked for, its answer comes as well, before the end or after it.
        """
        ended = False
        with suppress(LaunchError):
            while looking or not ended:
                message = self.receive()
                ended = ended or isinstance(message, Ended)
                looking = looking and not isinstance(message, Looked)

    def close(self) -> None:
        """End the launcher and with it everything in its cage."""
        if not self._hangs_up():
            self._child.kill()
            self._child.wait()
            raise LaunchError("the sandbox's launcher did not end")
        self._child.wait()

    def _hangs_up(self) -> bool:
        """Close the socket; whether the launcher does the same in time, which is the last that it does."""
        with self.socket:
            self.socket.settimeout(_STOP_SECONDS)
            try:
                self.socket.shutdown(socket.SHUT_WR)
                while self.socket.recv(_LARGEST):
                    continue
            except TimeoutError:
                return False
            except OSError:  # it is gone
                return True
        return True

    def _send(self, data: bytes, descriptors: Sequence[int] = ()) -> None:
        if len(data) > _LARGEST:
            raise LaunchError(f"a command of {len(data)} bytes is too long for the sandbox")
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
        try:
            self.socket.sendmsg([data], rights)
        except OSError as error:
            self.gone = True
            raise LaunchError(f"the sandbox's launcher cannot be reached: {error}") from error


def _start(end: socket.socket) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            ["launcher", str(end.fileno())],  # noqa: S607 (its name; `executable` says which)
            executable=LAUNCHER,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={},
            pass_fds=(end.fileno(),),
            start_new_session=True,
        )
    except OSError as error:
        short = error.errno in (errno.EAGAIN, errno.ENOMEM)  # of processes or memory; the file is as it should be
        hint = "ulimit -a and the machine's load say what is short" if short else "make install"
        message = f"the sandbox's launcher cannot be started: {error.strerror}"
        raise LaunchError(message, place=str(LAUNCHER), hint=hint) from error


def _strings(texts: Sequence[bytes]) -> bytes:
    if any(b"\0" in text for text in texts):
        raise LaunchError("a command for the sandbox holds a NUL character")
    return b"".join(text + b"\0" for text in texts)


def _message(data: bytes, descriptors: list[int]) -> Message:
    (kind,) = struct.unpack_from("=I", data)
    descriptor = descriptors[0] if descriptors else None
    if kind == _ENDED:
        _, wait_status, limit, _, cpu, peak, asleep = _END.unpack(data)
        return Ended(wait_status, limit, cpu, peak, asleep)
    if kind == _FAILED:
        _, error, step = _FAILURE.unpack(data)
        where = step.rstrip(b"\0").decode("utf-8", "replace")
        message = f"the sandbox failed at {where}: {os.strerror(error)}"
        raise LaunchError(message, hint="grader doctor says what works here")
    if kind == _LOOKED:
        _, answer, cpu = _LOOK_ANSWER.unpack(data)
        return Looked(answer, cpu)
    return Hello(descriptor) if kind == _HELLO and descriptor is not None else Ready(descriptor)


# --------------------------------------------------------------------------------------------------------- notices of reads
# The listener's side of seccomp's user notification: seccomp_unotify(2).

_RECEIVE: Final = 0xC0502100  # SECCOMP_IOCTL_NOTIF_RECV
_SEND: Final = 0xC0182101  # SECCOMP_IOCTL_NOTIF_SEND
_NOTICE: Final = struct.Struct("=QI68x")  # struct seccomp_notif: id, pid, and what we do not need
_LETS_GO: Final = struct.Struct("=QqiI")  # struct seccomp_notif_resp: id, value, error, flags
_CONTINUE: Final = 1  # SECCOMP_USER_NOTIF_FLAG_CONTINUE: the kernel does the read itself


@dataclass(frozen=True, slots=True)
class Notice:
    """A task that is about to read its standard input, and is held until it is let go. ``task`` is 0 if we cannot see it."""

    number: int
    task: int


def next_notice(listener: int) -> Notice | None:
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
        fcntl.ioctl(listener, _SEND, _LETS_GO.pack(notice.number, 0, 0, _CONTINUE))
    except OSError as error:
        if error.errno != errno.ENOENT:
            raise
