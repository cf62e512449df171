"""What a person types at a terminal while a program runs: keys or lines, as the program asks; else what a pipe has.

While keys are wanted the terminal hands on each one at once and shows none: the program prints what it wants seen. It
stays so from the first key that is wanted, and changes without throwing away what was typed ahead.
"""

from __future__ import annotations

import os
import re
import select
import sys
from types import TracebackType
from typing import Self

_END_OF_INPUT = re.compile(rb"[\x04\0]")  # Ctrl-D as a key; a zero where it was typed before keys were wanted
_CHUNK = 4096  # bytes of one look; more comes with the next one

_LOOK = 500
"""After so many milliseconds a wait for a key begins anew. Python notices a Ctrl-C that comes just before the wait no sooner."""


class Keyboard:
    """Standard input of a program that is played by hand. The terminal is left as it was found."""

    def __init__(self) -> None:
        self._descriptor = sys.stdin.fileno()
        self._is_terminal = os.isatty(self._descriptor)
        self._by_key = False
        self._ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._by_key:
            self._send_keys(on=False)

    @property
    def shows_lines(self) -> bool:
        """Whether the terminal shows what is typed, and with it the Enter that ends a line."""
        return self._is_terminal and not self._by_key

    def read(self, wanted: str) -> bytes:
        """What is typed next, for a program that waits for a ``key``, a ``line`` or a number; nothing once it has ended."""
        if self._ended:
            return b""
        if not self._is_terminal:
            return os.read(self._descriptor, _CHUNK)
        if self._by_key != (wanted == "key"):
            self._send_keys(on=not self._by_key)
        if not self._by_key:
            return os.read(self._descriptor, _CHUNK)
        self._wait()
        typed, *after = _END_OF_INPUT.split(os.read(self._descriptor, _CHUNK), maxsplit=1)
        self._ended = bool(after)
        return typed

    def _wait(self) -> None:
        """Wait for a key, or for the end of the input."""
        keys = select.poll()
        keys.register(self._descriptor, select.POLLIN)
        while not keys.poll(_LOOK):
            pass

    def _send_keys(self, *, on: bool) -> None:
        """Have each key handed on at once and unseen, or lines that the terminal edits and shows."""
        import termios

        mode = termios.tcgetattr(self._descriptor)
        if on:
            self._lines = mode
            mode = [*mode[:3], mode[3] & ~(termios.ICANON | termios.ECHO | termios.IEXTEN), *mode[4:]]
            mode[6] = [*mode[6]]
            mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
        else:
            mode = self._lines
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, mode)  # never TCSAFLUSH: it drops what was typed ahead
        self._by_key = on
