"""The standard streams, which may be closed, on a full disk, or read by a program that has stopped reading."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

from grader.errors import UsageError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_STREAMS = {"stdin": "r", "stdout": "w", "stderr": "w"}


class Output(io.FileIO):
    """Standard output or standard error. ``unread`` is set once nobody takes what is printed.

    Once the reader has gone, as in ``grader lint | head``, nothing more is printed; the exit code stays the same.
    """

    def __init__(self, descriptor: int, *, must: bool) -> None:
        """Print to a descriptor; with ``must`` a failure is an error, unless only the reader has gone."""
        super().__init__(descriptor, "w", closefd=False)
        self.unread = False
        self._must = must

    def write(self, data: ReadableBuffer) -> int:
        """Print. Raises UsageError if the disk is full or the like, once: the same bytes are tried again at the exit."""
        size = memoryview(data).nbytes
        # Python would try the same bytes again when it exits, and print a traceback.
        if self.unread:
            return size
        try:
            return super().write(data)
        except OSError as error:
            self.unread = True
            if self._must and not isinstance(error, BrokenPipeError):
                raise UsageError(f"cannot print: {error.strerror}", place="standard output") from error
            return size


def prepare() -> None:
    """Open the streams that are closed on the null device, and print through ``Output``: for a whole process, once.

    A closed one must be opened: the next file would have its number, and get what others print.
    """
    for name, mode in _STREAMS.items():
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(descriptor, True)
            setattr(sys, name, os.fdopen(descriptor, mode, encoding="utf-8"))
        elif mode == "w" and getattr(sys, name) is getattr(sys, f"__{name}__"):
            stream, must = getattr(sys, name), name == "stdout"
            stream.flush()
            output = Output(stream.fileno(), must=must)
            by_line = not must or output.isatty()
            text = io.TextIOWrapper(io.BufferedWriter(output), stream.encoding, stream.errors, line_buffering=by_line)
            setattr(sys, name, text)


def put(data: bytes) -> None:
    """Print at once, past the buffer.

    Otherwise output cut short by Ctrl-C would be printed again when the buffer is emptied.
    """
    sys.stdout.flush()
    raw = getattr(sys.stdout.buffer, "raw", None)
    if raw is None:  # a buffer in memory, not a file
        sys.stdout.buffer.write(data)
        return
    rest = memoryview(data)
    while rest:
        rest = rest[raw.write(rest) :]


def unread() -> bool:
    """Whether nobody reads standard output any more."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return isinstance(raw, Output) and raw.unread
