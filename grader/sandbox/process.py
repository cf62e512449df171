"""A running program, seen by events: it waits for input, it has ended, it went over a limit.

Theory of operation. A seccomp filter holds every ``read`` of descriptor 0 until we let it go, and tells us of it on the
listener. At that moment the program has read whatever it was given (FIONREAD says 0), and all that it printed is in the pipe:
that is a turn, exactly.

The filter sees neither a program that polls before it reads, nor one that reads a copy of its standard input. It also misses a
second reader that we let go together with the first. For these we look at /proc after some silence. If the kernel has no listener, only
/proc is left; if /proc is closed as well, only a long silence. ``how_waits`` says which it was.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import time
from contextlib import suppress
from typing import Final

from grader.sandbox import wire
from grader.sandbox.command import WALLS, Event, HowWaits, LimitName, Limits, Span, Status
from grader.sandbox.streams import Streams
from grader.sandbox.wire import Launcher, LaunchError, Notice

_FIRST_LOOK: Final = {"exact": 0.004, "proc": 0.001, "timeout": 0.5}  # seconds of silence
_LAST_LOOK: Final = 0.064  # the longest pause between two looks at a program that computes in silence
# In a row, until we believe that /proc is closed: of a program that just starts it is for a moment.
_BLIND_LOOKS: Final = 10
_LAUNCHER_LIMITS: Final[dict[int, LimitName]] = {1: "cpu", 2: "memory", 3: "processes", 4: "file-size"}
SIGNAL_LIMITS: Final[dict[int, LimitName]] = {signal.SIGXCPU: "cpu", signal.SIGXFSZ: "file-size"}
"""Signals with which the kernel tells a process that it passed a limit of ours."""


class Process:
    """One program in a cage.

    ``status`` is None until it has ended, by itself or over a limit. ``silent`` is then set if nobody holds its output pipes
    any more, as must be when nothing of it is left. ``how_waits`` is known once it was waited for. ``took`` is how long the
    last wait was; what it computed since the last look at it is not known, and taken for all of that time.
    """

    def __init__(self, launcher: Launcher, streams: Streams, limits: Limits, control: socket.socket | None) -> None:
        """Take over a program that the launcher was told to start; ``Cage.start`` makes these."""
        self.status: Status | None = None
        self.silent = False
        self.how_waits: HowWaits = "exact"
        self._launcher = launcher
        self._streams = streams
        self._started = False
        self._listener: int | None = None
        self._control = control
        self._last_words = b""  # on the control socket
        self._held: list[Notice] = []
        self._waits = False
        self._closing = False
        self._looking = False
        self._outdated = False  # it was asked for before the last input, and may tell of the wait before that
        self._blind = 0
        self._wall = limits.wall
        self._wall_left = WALLS * limits.wall
        self._awaited: tuple[object, ...] = ()  # what `_polled` is made for
        self._polled = select.poll()
        self.took = Span(0.0, 0.0)
        self._most: Span | None = None  # of this wait
        # µs computed at the first and at the last look of this wait, and when that last look was.
        self._looks: tuple[int, int, float] | None = None
        status = os.fstat(streams.child_ends[0])
        self._input = (status.st_dev, status.st_ino)
        self._silence = _FIRST_LOOK[self.how_waits]
        streams.started()

    # ------------------------------------------------------------------------------------------------- what a driver does

    def wait_event(self, most: Span | None = None) -> Event:
        """Wait until the program waits for input, says something on the control socket, or has ended.

        A program that still waits for input, since none was sent, is said to wait again. One that goes on for longer than
        ``most`` is over its limit, as it is past those of the whole run.

        Raises:
            LaunchError: it could not be started, or the launcher failed.
        """
        if self.status is not None:
            return self._final()
        self._await_start()
        if self._waits and self._control is None and not _is_ready(self._launcher.socket.fileno()):
            return Event.WAITS
        begun = time.monotonic()
        self._most, self._looks = most, None
        try:
            return self._watch(begun + min(self._wall, self._wall_left, most.wall if most else self._wall))
        finally:
            self._note(begun, time.monotonic())

    def _note(self, begun: float, ended: float) -> None:
        first, last, seen = self._looks or (0, 0, begun)
        self.took = Span((last - first) / 1e6 + ended - seen, ended - begun)
        self._wall_left -= self.took.wall

    def take_output(self) -> bytes:
        """The standard output since the last call (on a terminal: all that appeared on it)."""
        return self._streams.output.take()

    def take_errors(self) -> bytes:
        """The standard error since the last call."""
        return self._streams.errors.take()

    def take_control(self) -> bytes:
        """The bytes written to the control socket since the last call, also before its end; empty if nothing, or if it closed the socket."""
        if self._control is not None:
            with suppress(BlockingIOError, ConnectionError):
                return self._control.recv(1 << 20)
        words, self._last_words = self._last_words, b""
        return words

    def send(self, data: bytes) -> None:
        """Give it input. If the program has ended or closed its input, the data is lost."""
        if self.status is None and not self._closing:
            self._streams.output.begin_turn()
            self._streams.errors.begin_turn()
            self._streams.feed.write(data)
            self._go_on()

    def close_input(self) -> None:
        """Let it find the end of input after what it was given."""
        if self.status is None and not self._closing:
            self._closing = True
            self._streams.end_input()
            self._go_on()

    def send_control(self, data: bytes) -> None:
        """Write to the control socket; lost if the program has closed it."""
        if self._control is not None and self.status is None:
            self._outdated = self._looking
            with suppress(BlockingIOError, ConnectionError):
                self._control.sendall(data)

    def kill(self) -> None:
        """End it and all that it started; ``status`` is then set."""
        if self.status is None:
            self._stop(None)

    def abandon(self) -> None:
        """Give back what it holds, since its launcher failed or is about to end, and the program with it."""
        if self.status is None:
            self.status = Status(None, signal.SIGKILL, None, 0.0, 0)
            self._close()

    # --------------------------------------------------------------------------------------------------------- the events

    def _watch(self, deadline: float) -> Event:
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                return self._stop("wall")
            silence = left if self._looking else min(left, self._silence)
            ready = self._poll(silence)
            event = self._deal_with(ready) if ready else self._after_silence(silence)
            if self._streams.broken and self.status is None:
                return self._stop(None)
            if event is not None:
                return event

    def _poll(self, seconds: float) -> dict[int, int]:
        """The next event within a number of seconds."""
        feed, readable = self._streams.feed, self._streams.readable
        awaited = (readable, self._listener, self._control, bool(feed.waiting))
        if awaited != self._awaited:
            self._awaited, self._polled = awaited, select.poll()
            for source in (*readable, self._launcher.socket, self._listener, self._control):
                if source is not None:
                    self._polled.register(source, select.POLLIN)
            if feed.waiting:  # on a terminal output comes from this descriptor as well
                both = feed.descriptor in readable
                self._polled.register(feed.descriptor, select.POLLOUT | (select.POLLIN if both else 0))
        return dict(self._polled.poll(max(1, seconds * 1000)))

    def _deal_with(self, ready: dict[int, int]) -> Event | None:
        """Deal with one thing that happened; each takes in the output that came before it."""
        launcher = self._launcher.socket.fileno()
        if launcher not in ready or len(ready) > 1:
            self._silence = _FIRST_LOOK[self.how_waits]
        if self._streams.feed.waiting:
            self._feed_more()
        if launcher in ready:
            return self._hear()
        if self._control is not None and self._control.fileno() in ready:
            return self._hear_control()
        if self._listener is not None and self._listener in ready:
            return self._asked(ready[self._listener])
        return self._stop("output") if self._drain_over() else None

    def _asked(self, what: int) -> Event | None:
        """A task is about to read standard input."""
        assert self._listener is not None
        if not what & select.POLLIN:  # all tasks that the filter watched are gone
            self._drop_listener()
            return None
        notice = wire.next_notice(self._listener)
        if notice is None:
            return None
        if self._streams.unread() or self._feed_more() or not self._reads_input(notice):
            wire.let_go(self._listener, notice)
            return None
        if self._closing:
            self._streams.end_input()
            wire.let_go(self._listener, notice)
            return None
        self._held.append(notice)
        return self._now_waits()

    def _after_silence(self, seconds: float) -> Event | None:
        """Nothing happened: ask the launcher to look, and wait longer before the next look."""
        if self._looking or self._silence > seconds:
            return None  # it was the wall clock that woke us
        if self.how_waits == "timeout":
            return self._now_waits()
        self._silence = min(2 * self._silence, _LAST_LOOK)
        self._looking = True
        self._streams.unread()  # all that was typed is handed over: who sleeps now has it, and wants more
        self._launcher.look()
        return None

    def _await_start(self) -> None:
        if self._started:
            return
        message = self._receive()
        if not isinstance(message, wire.Ready):
            self.abandon()
            raise LaunchError("the sandbox's launcher does not answer as it should", hint="is it of another version?")
        self._started = True
        self._listener = message.listener
        if self._listener is None:
            self.how_waits, self._silence = "proc", _FIRST_LOOK["proc"]

    def _receive(self) -> wire.Message:
        """The launcher's next message. If it says that something failed, the program is gone as well."""
        try:
            return self._launcher.receive()
        except LaunchError:
            self._launcher.settle(looking=self._looking)
            self.abandon()
            raise

    def _hear(self) -> Event | None:
        """A message from the launcher."""
        message = self._receive()
        if isinstance(message, wire.Ended):
            return self._ended(message, None)
        if isinstance(message, wire.Looked):
            return self._seen(message.answer, message.cpu)
        return None

    def _seen(self, answer: int, cpu: int) -> Event | None:
        """The result of a look."""
        self._looking = False
        if self._outdated:
            self._outdated = False
            return None
        first = self._looks[0] if self._looks else cpu
        self._looks = first, cpu, time.monotonic()
        if self._most is not None and cpu - first > self._most.cpu * 1e6:
            return self._stop("cpu")
        self._blind = self._blind + 1 if answer == wire.CANNOT_TELL else 0
        if self._blind >= _BLIND_LOOKS and self._listener is None:
            self.how_waits, self._silence = "timeout", _FIRST_LOOK["timeout"]
        if answer != wire.WAITS or self._streams.unread() or self._streams.feed.waiting:
            return None
        if self._listener is not None and _is_ready(self._listener):
            return None  # the same read, about to be told exactly
        if not self._closing:
            self.how_waits = "proc"
        return self._now_waits()

    def _now_waits(self) -> Event | None:
        """The event of a wait for input; None if the input has ended, which the program is then told again, as by a terminal."""
        if self._closing:
            self._streams.end_input()
            return None
        if self._drain_over():
            return self._stop("output")
        self._waits = True
        self._silence = _FIRST_LOOK[self.how_waits]
        return Event.WAITS

    def _hear_control(self) -> Event | None:
        if self._drain_over():
            return self._stop("output")
        assert self._control is not None
        with suppress(BlockingIOError, ConnectionError):
            if self._control.recv(1, socket.MSG_PEEK):
                return Event.CONTROL
        self._control.close()  # the program closed its end
        self._control = None
        return None

    # ---------------------------------------------------------------------------------------------------------- its parts

    def _drain_over(self) -> bool:
        self._streams.drain()
        return self._streams.output.over or self._streams.errors.over

    def _feed_more(self) -> bool:
        """Give more of the input that waits for room; whether there was any."""
        feed = self._streams.feed
        waiting = bool(feed.waiting)
        if waiting:
            feed.flush()
            if self._closing and not feed.waiting:
                self._streams.end_input()
        return waiting

    def _go_on(self) -> None:
        self._waits = False
        self._outdated = self._looking
        if self._listener is not None:
            for notice in self._held:
                wire.let_go(self._listener, notice)
        self._held.clear()

    def _reads_input(self, notice: Notice) -> bool:
        """Is descriptor 0 of the task still the input that we gave it? Where we may not look, it is."""
        try:
            status = os.stat(f"/proc/{notice.task}/fd/0")  # noqa: PTH116 (a Path costs as much as the rest of a turn)
        except OSError:
            return True
        return (status.st_dev, status.st_ino) == self._input

    def _stop(self, limit: LimitName | None) -> Event:
        """Kill it, and wait until nothing of it is left."""
        self._await_start()
        self._launcher.kill()
        while True:
            message = self._receive()
            if isinstance(message, wire.Ended):
                return self._ended(message, limit)
            self._looking = False

    def _ended(self, message: wire.Ended, limit: LimitName | None) -> Event:
        if self._drain_over() and limit is None:
            limit = "output"
        code = os.waitstatus_to_exitcode(message.wait_status)
        number = -code if code < 0 else None
        self.status = Status(
            exit_code=code if code >= 0 else None,
            signal=number,
            limit=_LAUNCHER_LIMITS.get(message.limit) or limit or SIGNAL_LIMITS.get(number or 0),
            cpu=message.cpu / 1e6,
            peak=message.peak,
            asleep=message.asleep / 1e6,
        )
        while self._looking:  # its answer must not be taken for one about the next program
            self._looking = not isinstance(self._receive(), wire.Looked)
        self.silent = not self._streams.readable
        self._close()
        return self._final()

    def _final(self) -> Event:
        return Event.LIMIT if self.status is not None and self.status.limit else Event.ENDED

    def _close(self) -> None:
        self._streams.close()
        self._drop_listener()
        if self._control is not None:
            self._last_words = self.take_control()
            self._control.close()
            self._control = None

    def _drop_listener(self) -> None:
        if self._listener is not None:
            os.close(self._listener)
            self._listener = None


def _is_ready(descriptor: int) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))
