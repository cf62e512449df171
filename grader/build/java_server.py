"""Our end of the compile server: starts it in a cage, asks it, and believes nothing that it says beyond what is there.

Each message is a length (four bytes, the highest first) and so many bytes; text inside is a length and UTF-8. grader/java/CompileServer.java describes their contents.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Mapping
from enum import IntEnum
from pathlib import Path
from typing import Final, NamedTuple

from grader.build.tool import Watch
from grader.errors import JudgeError
from grader.sandbox import Cage, Closing, Command, Event, Limits, Tier
from grader.sessions import jdk
from grader.source import SourceFile
from grader.values import dataclass

SOURCE: Final = "CompileServer.java"
_CLASS: Final = "grader.host.CompileServer"
_JAR: Final = "server.jar"
_LARGEST: Final = 32 << 20  # bytes of an answer
_HEAP: Final = 512 << 20
_SHOWN: Final = 500
_STACK: Final = 16 << 20  # a deeply nested expression needs it
_MEMORY: Final = _HEAP + jdk.OWN_MEMORY
_THREADS: Final = 16 + jdk.OWN_THREADS
SERVER_LIMITS: Final = Limits(
    40.0, 20.0, _MEMORY, 2 * _LARGEST, _THREADS, file_size=1 << 20, files=256, address_space=None
)
"""Of a server. All requests add up, and it is replaced when half is used, so that 10 seconds are left for each."""


class Outcome(IntEnum):
    """The result of a request."""

    FAILED = 0
    COMPILED = 1
    WRONG_FLAGS = 2
    BROKEN = 3  # said by no server: it ended, or what it said is no answer


class Complaint(NamedTuple):
    """A diagnostic of javac. ``file`` is the index of a source, -1 for none; the rest are offsets in its UTF-16, -1 for none."""

    kind: str
    code: str
    message: str
    file: int
    position: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Answer:
    """``said`` is what the compiler printed besides its complaints; ``classes`` are files by their paths."""

    outcome: Outcome
    said: str
    classes: Mapping[str, bytes]
    mains: tuple[str, ...]
    complaints: tuple[Complaint, ...]


def no_answer(message: str) -> Answer:
    """The stand-in for an answer, with the reason as its complaint."""
    return Answer(Outcome.BROKEN, "", {}, (), (Complaint("ERROR", "compiler", message, -1, -1, -1, -1),))


class Server(Closing):
    """A running compile server in a cage of its own; a context manager.

    ``version`` is what it says of its compiler, ``served`` the number of requests so far.
    """

    def __init__(self, tier: Tier, classes: Mapping[str, bytes], hidden: tuple[Path, ...] = ()) -> None:
        """Start it, from its classes where there are any, else from its source; it can read nothing that is ``hidden``.

        Raises:
            JudgeError: there is no JDK, or the sandbox fails.
        """
        self.served = 0
        self._cage = Cage(tier, readable=jdk.readable(), hidden=hidden)
        self._heard = bytearray()
        self._seconds = 0.0
        self._printed = 0
        self._jars: set[str] = set()
        try:
            self._cage.put(*((_JAR, jdk.jar(classes)) if classes else (SOURCE, jdk.own_source(SOURCE))))
            program = ("-cp", _JAR, _CLASS) if classes else (SOURCE,)
            argv = (jdk.java(), *jdk.FLAGS, f"-Xmx{_HEAP}", f"-Xss{_STACK}", *program)
            self._watch = Watch(SERVER_LIMITS)
            self._process = self._cage.start(Command(argv, self._watch.limits, jdk.ENVIRONMENT))
            hello = self._hear()
            if isinstance(hello, Answer):
                self.passed_limit()
                hint = "is it a JDK, 17 or newer? sudo apt-get install default-jdk-headless"
                raise JudgeError(f"the Java compiler does not start: {hello.complaints[0].message}", hint=hint)
            self.version = _Reader(hello).text()
        except BaseException:
            self._cage.close()
            raise

    @property
    def serves(self) -> bool:
        """Can it take one more request?"""
        used_up = self._seconds > SERVER_LIMITS.wall / 2 or self._printed > SERVER_LIMITS.output / 2
        return self._process.status is None and not used_up

    def hold(self, jars: Mapping[str, bytes]) -> None:
        """Lay archives of the course's into its folder, each once, where the compiler finds them by these names."""
        for name, data in jars.items():
            if name not in self._jars:
                self._cage.put(name, data)
                self._jars.add(name)

    def ask(self, request: bytes) -> Answer:
        """The answer to a request; where it is `no_answer`, the server has ended."""
        self.served += 1
        self._process.send(request)
        heard = self._hear()
        if isinstance(heard, Answer):
            return heard
        try:
            return _answer(_Reader(heard))
        except ValueError as error:
            self._process.kill()
            return no_answer(f"the compiler's answer cannot be read: {error}")

    def _hear(self) -> bytes | Answer:
        """The next whole message, or `no_answer`."""
        begun = time.monotonic()
        try:
            while self._process.wait_event() is Event.WAITS:
                printed = self._process.take_output()
                self._printed += len(printed)
                self._heard += printed
                length = int.from_bytes(self._heard[:4], "big")
                # It waits for the next request only when it has said all: bytes too few or too many are no answer.
                if len(self._heard) != length + 4:
                    self._process.kill()
                    return no_answer("the compiler's answer is no message")
                message, self._heard = bytes(self._heard[4:]), bytearray()
                return message
            status = self._process.status
            if status is not None and status.limit is not None:
                return no_answer(f"it passed its limit: {status.limit}")
            return no_answer(why_it_broke(self._process.take_errors().decode("utf-8", "replace")))
        finally:
            self._seconds += time.monotonic() - begun

    def passed_limit(self) -> str:
        """The limit that the server passed, empty where it ended by itself or lives. Raises DisturbedToolError where neither did it."""
        status = self._process.status
        return self._watch.passed_limit("the Java compiler", status) if status is not None else ""

    def close(self) -> None:
        """End it, and its cage."""
        self._cage.close()


def why_it_broke(output: str) -> str:
    """A sentence on a compiler that broke."""
    if "StackOverflowError" in output:
        return "the compiler gave up: something is nested too deeply"
    if "OutOfMemoryError" in output:
        return "the compiler gave up: something is too large for its memory"
    return f"the compiler broke: {output.strip()[:_SHOWN] or 'it said nothing'}"


def request(flags: tuple[str, ...], sources: tuple[SourceFile, ...], support: tuple[SourceFile, ...]) -> bytes:
    """A message that asks to compile sources of a student together with those of the course."""
    parts = [_number(len(flags)), *map(_text, flags), _number(len(sources)), _number(len(sources) + len(support))]
    for source in sources + support:
        parts += (_text(source.name), _text(source.text))
    whole = b"".join(parts)
    return _number(len(whole)) + whole


def _number(value: int) -> bytes:
    return struct.pack(">i", value)


def _text(text: str) -> bytes:
    data = text.encode("utf-8", "replace")
    return _number(len(data)) + data


def _answer(reader: _Reader) -> Answer:
    answer = Answer(
        outcome=Outcome(reader.take(1)[0]),
        said=reader.text(),
        classes={reader.text(): reader.data() for _ in range(reader.number())},
        mains=tuple(reader.text() for _ in range(reader.number())),
        complaints=tuple(_complaint(reader) for _ in range(reader.number())),
    )
    reader.end()
    return answer


def _complaint(reader: _Reader) -> Complaint:
    kind, code, message = reader.text(), reader.text(), reader.text()
    return Complaint(kind, code, message, reader.number(), reader.number(), reader.number(), reader.number())


class _Reader:
    """Reads a message from its beginning; each method raises ValueError where the message does not hold what is asked for."""

    def __init__(self, message: bytes) -> None:
        self._message = message
        self._at = 0

    def take(self, count: int) -> bytes:
        if not 0 <= count <= len(self._message) - self._at:
            raise ValueError(f"{count} bytes at {self._at} of {len(self._message)}")
        self._at += count
        return self._message[self._at - count : self._at]

    def number(self) -> int:
        return int.from_bytes(self.take(4), "big", signed=True)

    def data(self) -> bytes:
        return self.take(self.number())

    def text(self) -> str:
        return self.data().decode("utf-8")

    def end(self) -> None:
        if self._at != len(self._message):
            raise ValueError(f"{len(self._message) - self._at} bytes too many")
