"""The standard streams of a program: plain pipes, or a terminal. Both offer the same verbs, and none of them waits."""

from __future__ import annotations

import fcntl
import os
import secrets
import select
import socket
import struct
import termios
import time
from contextlib import suppress
from typing import Final

from grader.bounded import TURNS_PRINTED

_CHUNK: Final = 65536  # bytes read at once: as much as a pipe holds
_NONCE_SECONDS: Final = 1.0  # for a terminal to hand over what it holds; a program can stop it for good (tcflow)
_END_OF_INPUT: Final = b"\x04"  # as typed on a terminal


class Capture:
    """The text from one stream, cut at ``limit`` bytes in a turn and at ten times as many in all."""

    def __init__(self, limit: int) -> None:
        self._turn = self.limit = limit
        self.size = 0
        self._new = bytearray()

    @property
    def over(self) -> bool:
        """Was more printed than the limit allows?"""
        return self.size > self.limit

    def begin_turn(self) -> None:
        """Allow as much again: an answer is given."""
        self.limit = min(self.size + self._turn, TURNS_PRINTED * self._turn)

    def add(self, data: bytes) -> None:
        """Take in what was printed."""
        self._new += data[: max(0, self.limit - self.size)]
        self.size += len(data)

    def take(self) -> bytes:
        """The text since the last call."""
        data = bytes(self._new)
        self._new.clear()
        return data


class Feed:
    """Input on its way into a descriptor that takes only so much at a time."""

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self.waiting = b""

    def write(self, data: bytes) -> None:
        """Give what fits now; the rest waits for ``flush``."""
        self.waiting += data
        self.flush()

    def flush(self) -> None:
        """Give what fits now of what waits."""
        while self.waiting:
            try:
                self.waiting = self.waiting[os.write(self.descriptor, self.waiting) :]
            except BlockingIOError:
                return
            except OSError:  # nobody can read it any more; it is lost, as in a shell's pipe
                self.waiting = b""


class Pipes:
    """Three pipes.

    Pipes and a terminal have the same verbs. ``child_ends`` are descriptors for the program's standard input, output
    and error, and ``readable`` those to poll for output. Input goes into ``feed``. ``drain`` takes in all that was printed before it, up to the
    limits. ``broken`` says whether the program has spoilt them, so that nothing can be given to it or had from it any more.
    """

    broken = False

    def __init__(self, limit: int, owner: int | None) -> None:
        """Make the pipes; ``owner``, the program's user if not ours, may open its ends again as /dev/stdin and so on."""
        self.output, self.errors = Capture(limit), Capture(limit)
        self.closed = False
        input_end, ours = self._ends()
        output, output_end = self._ends()
        errors, errors_end = self._ends()
        self.feed = Feed(ours)
        self.child_ends = (input_end, output_end, errors_end)
        self._sources = {output: self.output, errors: self.errors}
        for descriptor in self._sources:
            os.set_blocking(descriptor, False)
        if owner is not None:
            for descriptor in self.child_ends:
                os.fchown(descriptor, owner, owner)

    def _ends(self) -> tuple[int, int]:
        """The end to read and the end to write of one stream."""
        return os.pipe2(os.O_CLOEXEC)

    @property
    def readable(self) -> tuple[int, ...]:
        """The ends of standard output and error; none once the program has closed them."""
        return tuple(self._sources)

    def started(self) -> None:
        """Close the program's ends."""
        for descriptor in self.child_ends:
            os.close(descriptor)

    def drain(self) -> None:
        """Read both pipes until they are empty."""
        for descriptor, capture in tuple(self._sources.items()):
            if not _read_all(descriptor, capture):
                os.close(descriptor)
                del self._sources[descriptor]

    def unread(self) -> int:
        """The number of bytes in the pipe."""
        return 0 if self.closed else _waiting_bytes(self.feed.descriptor)

    def end_input(self) -> None:
        """Close the pipe, once all input has gone into it."""
        if not self.closed and not self.feed.waiting:
            os.close(self.feed.descriptor)
            self.closed = True

    def close(self) -> None:
        """Close what is open."""
        self.feed.waiting = b""
        self.end_input()
        for descriptor in self._sources:
            os.close(descriptor)
        self._sources.clear()


class Sockets(Pipes):
    """Three sockets: unlike a pipe, none can be opened again by a path in /proc, and waited for without end."""

    def _ends(self) -> tuple[int, int]:
        reader, writer = socket.socketpair()
        return reader.detach(), writer.detach()


class Terminal:
    """A pseudo-terminal in cooked mode, with echo; it is nobody's controlling terminal."""

    def __init__(self, limit: int, owner: int | None) -> None:
        """Open the terminal; it belongs to ``owner``, the program's user, if that is not ours."""
        self.output, self.errors = Capture(limit), Capture(limit)
        self.closed = self.broken = False
        self._master, self._slave = os.openpty()
        self.feed = Feed(self._master)
        # A second opening: what the program does to the flags of its own must not reach ours.
        ours = os.open(os.ttyname(self._slave), os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC | os.O_NONBLOCK)
        self._own_slave = ours
        if owner is not None:
            os.fchown(self._slave, owner, owner)

    @property
    def child_ends(self) -> tuple[int, int, int]:
        """The terminal, three times."""
        return (self._slave, self._slave, self._slave)

    @property
    def readable(self) -> tuple[int, ...]:
        """The master, through which everything comes."""
        return (self._master,)

    def started(self) -> None:
        """Close the program's end; ours stays open."""
        os.close(self._slave)

    def drain(self) -> None:
        """Read the master until something comes back that we write ourselves: all older output is then in hand."""
        # Digits, which no flag of a terminal changes (OLCUC changes letters), and as many steps back. So the terminal's column is
        # what it was: the terminal judges tabs (XTABS) and carriage returns (ONOCR) by it.
        nonce = b"%032d" % secrets.randbelow(10**32) + b"\b" * 32
        got, left = b"", nonce
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        deadline = time.monotonic() + _NONCE_SECONDS
        while nonce not in got and len(got) <= self.output.limit and time.monotonic() < deadline:
            try:
                if left:
                    with suppress(BlockingIOError):  # nothing is taken while the terminal is stopped
                        left = left[os.write(self._own_slave, left) :]
                if poll.poll(_NONCE_SECONDS * 1000):
                    got += os.read(self._master, _CHUNK)
            except OSError:  # the program gave it another line discipline, or it hung up
                self.broken = True
                with suppress(OSError):
                    got += os.read(self._master, _CHUNK)
                break
        self.output.add(got.replace(nonce, b"", 1))

    def unread(self) -> int:
        """The number of bytes in the terminal's input: whole lines in cooked mode."""
        poll = select.poll()
        poll.register(self._own_slave, select.POLLIN)
        try:
            poll.poll(0)  # what was typed goes through a queue of the kernel, which is emptied when somebody polls
            return _waiting_bytes(self._own_slave)
        except OSError:
            self.broken = True
            return 0

    def end_input(self) -> None:
        """Type the end of input; a read after the next one needs it again."""
        self.closed = True
        self.feed.write(_END_OF_INPUT)

    def close(self) -> None:
        """Close both ends."""
        os.close(self._master)
        os.close(self._own_slave)


Streams = Pipes | Terminal


def _read_all(descriptor: int, capture: Capture) -> bool:
    """Read until there is nothing more now, or too much; False at the end of the stream."""
    while not capture.over:
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return True
        if not data:
            return False
        capture.add(data)
    return True


def _waiting_bytes(descriptor: int) -> int:
    (count,) = struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, b"\0\0\0\0"))
    return int(count)
