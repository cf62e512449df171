"""Java programs: a fresh JVM for each run, or one JVM that runs a program again and again.

Theory of operation. A JVM takes longer to start than a game of Nim takes to play. Under the profile ``java shared`` one JVM
with a host of ours (grader/java/CaseHost.java) serves all runs of a program: each has its own class loader, and so statics as
new, its own System.in and System.out, and a main thread. The host reports over a socket that the program asks for input or has
ended. Whatever it says could be forged by the program, which gains nothing by it: it could ask and end by itself. A run that is
left in any other state than ended or waiting costs the JVM, and so does one that leaves files, threads or hooks behind.

What a program changed in the classes of Java itself stays all the same. So only programs that refer to nothing by which such a
trace could be left are run so (grader/build/java_traces.py), and runs for hidden cases have a JVM of their own, ``java shared,
hidden``: whatever such a run should leave behind, nothing that a student is shown comes out of it. The profile ``java``, a plain
JVM for each run whose waits the sandbox sees, decides on whatever is not accepted under the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from grader.errors import JudgeError
from grader.sandbox import Cage, Command, Event, Process, Span
from grader.sandbox import Limits as CageLimits
from grader.sessions import jdk
from grader.sessions.java_endings import Endings
from grader.sessions.java_shared import Machine, SharedSession
from grader.sessions.native import KEPT_ERRORS
from grader.sessions.patience import Patience
from grader.sessions.session import USUAL, Setup
from grader.source import SourceFile
from grader.spec.model import Limits
from grader.transcript import Ending, decode

SHARED: Final = "java shared"
SHARED_HIDDEN: Final = "java shared, hidden"
FRESH: Final = "java"

HOST_PACKAGE: Final = "grader/host/"
"""Where the classes of our host lie, among those of a program."""

_HOST: Final = "grader.host.CaseHost"
_PROGRAM_JAR: Final = "program.jar"
_HOST_JAR: Final = "host.jar"
_STACK: Final = 8 << 20  # bytes of a thread's stack: what a C program has
_START_SECONDS: Final = (
    1.0  # for a JVM to start, of computing and of waiting, in its first turn: it is not the program's time
)
_SHARED_SECONDS: Final = 1.5  # for a run in the shared JVM; a game of Nim takes some milliseconds
_RUNS: Final = 8  # so many runs that take as long as that, or print all they may, are the limit of a shared JVM: half of it serves hundreds
_HOST_THREADS: Final = 320  # more than the host has and parks
_OPEN_FILES: Final = 256
_HOST_FLAGS: Final = (
    *(f"--add-opens=java.base/java.{package}=ALL-UNNAMED" for package in ("io", "lang", "util")),
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:hashCode=2",  # one hash code for all objects: else they would tell how many runs there were before
)


class JvmProgram:
    """A compiled Java program that can be started again and again: starting it ends the session before.

    ``classes`` are class files by their paths, those of our host among them; ``main`` is the name of the class to start.
    ``sources`` are the student's files, for places in them; ``files`` lie in the folder in which it runs. Fresh JVMs run in one
    cage that ``another`` makes, on a terminal if so wished; each shared one runs in one of its own, and never on a terminal.
    """

    def __init__(
        self,
        another: Callable[[], Cage],
        classes: Mapping[str, bytes],
        main: str,
        limits: Limits,
        *,
        sources: tuple[SourceFile, ...] = (),
        files: Mapping[str, bytes] = MappingProxyType({}),
        terminal: bool = False,
    ) -> None:
        host = {path: data for path, data in classes.items() if path.startswith(HOST_PACKAGE)}
        own = students(classes)
        names = frozenset(path.removesuffix(".class").replace("/", ".") for path in own)
        self._endings = Endings(limits, names, sources)
        self._files = {**files, _PROGRAM_JAR: jdk.jar(own), _HOST_JAR: jdk.jar(host)}
        self._main = main
        self._limits = limits
        self._patience = Patience(limits)  # with fresh JVMs
        self._terminal = terminal
        self._another = another
        self._cage: Cage | None = None  # for fresh JVMs
        self._machines: dict[str, Machine] = {}  # by profile
        self._session: FreshSession | SharedSession | None = None

    def start(self, profile: str, *, seed: int | None = None, setup: Setup = USUAL) -> FreshSession | SharedSession:
        """A session at the start of the program: under SHARED, SHARED_HIDDEN, or else FRESH.

        ``Math.random`` draws the numbers of ``seed`` under the first two. Java seeds all else by its clock, which nobody sets.

        A run that is set up has a machine of its own: its files would be there for the next.

        Raises:
            JudgeError: no JVM can be started.
        """
        if self._session is not None:
            self._session.leave()
        shared = profile in (SHARED, SHARED_HIDDEN) and setup.plain
        self._session = self._start_shared(profile, seed or 0) if shared else self._start_fresh(setup)
        return self._session

    def _start_fresh(self, setup: Setup) -> FreshSession:
        if self._cage is not None and self._cage.lost:
            self._cage.close()
            self._cage = None
        if self._cage is None:
            self._cage = self._another().furnish({name: self._files[name] for name in self._files.keys() - {_HOST_JAR}})
        self._cage.clean()
        for name, data in setup.files.items():
            self._cage.lay(name, data)
        argv = (*java_command(self._cage, self._limits), "-cp", _PROGRAM_JAR, self._main, *setup.arguments)
        command = Command(argv, jvm_limits(self._limits), jdk.ENVIRONMENT, terminal=self._terminal)
        cage, limit = self._cage, self._limits.storage
        left = lambda: {name: cage.take(name, limit) for name in setup.wanted}  # noqa: E731
        return FreshSession(self._cage.start(command), self._endings, self._patience, left)

    def _start_shared(self, profile: str, seed: int) -> SharedSession:
        if profile in self._machines and self._machines[profile].lost:
            self._machines.pop(profile).close()
        if profile not in self._machines:
            self._machines[profile] = self._make_machine()
        self._machines[profile].be_ready()
        return SharedSession(self._machines[profile], self._endings, seed)

    def _make_machine(self) -> Machine:
        cage = self._another().furnish(self._files)
        argv = (
            *java_command(cage, self._limits),
            *_HOST_FLAGS,
            "-cp",
            _HOST_JAR,
            _HOST,
            _PROGRAM_JAR,
            self._main,
            str(_STACK),
        )
        limits = shared_limits(self._limits)
        turn = Span(limits.wall / _RUNS, 2 * limits.wall / _RUNS)
        return Machine(cage, Command(argv, limits, jdk.ENVIRONMENT, control=True), turn)

    def close(self) -> None:
        """End what runs, and the cages."""
        if self._session is not None:
            self._session.leave()
            self._session = None
        for held in (*self._machines.values(), self._cage):
            if held is not None:
                held.close()
        self._machines.clear()
        self._cage = None


class FreshSession:
    """One run in a JVM of its own. ``left`` are the files that were wanted, once it has ended."""

    def __init__(
        self,
        process: Process,
        endings: Endings,
        patience: Patience,
        take_files: Callable[[], Mapping[str, bytes | None]] = dict,
    ) -> None:
        self._process = process
        self._take_files = take_files
        self._errors = b""
        self.left: Mapping[str, bytes | None] = {}
        self._endings = endings
        self._patience = patience
        self._first = True  # whether nothing was typed yet
        self._output = b""

    def advance(self) -> Ending | None:
        """Run until the program waits for input (None) or has ended."""
        if self._patience.wait(self._process, first=self._first) is Event.WAITS:
            return None
        status = self._process.status
        if status is None:
            raise JudgeError("the sandbox tells of an end and not of how it came")
        self._output += self._process.take_output()
        self._errors = self._process.take_errors()
        self.left = self._take_files()
        ending = self._endings.of_machine(status, self._errors or self._output)  # a terminal shows both
        return replace(self._patience.told(ending), errors=decode(self._errors)[-KEPT_ERRORS:])

    def take_output(self) -> bytes:
        """What was printed since last taken."""
        printed, self._output = self._output + self._process.take_output(), b""
        return printed

    def take_errors(self) -> bytes:
        """What was written to standard error since last taken."""
        said, self._errors = self._errors or self._process.take_errors(), b""
        return said

    def send(self, text: str) -> None:
        """Give it what was typed, as UTF-8."""
        self._first = False
        self._process.send(text.encode("utf-8", "surrogateescape"))

    def close_input(self) -> None:
        """Nothing more will be typed: reads find the end of input."""
        self._first = False
        self._process.close_input()

    def leave(self) -> None:
        """Nobody will go on with this session."""
        self._process.kill()

    @property
    def how_waits(self) -> str:
        """How it is known that the program waits: ``exact``, ``proc`` or ``timeout``."""
        return self._process.how_waits

    @property
    def wants(self) -> str:
        """What a program asks for: a terminal gives lines."""
        return "line"

    @property
    def instructions(self) -> int:
        """Nobody counts them."""
        return 0


def students(classes: Mapping[str, bytes]) -> dict[str, bytes]:
    """The classes of a program without those of our host."""
    return {path: data for path, data in classes.items() if not path.startswith(HOST_PACKAGE)}


def java_command(cage: Cage, limits: Limits) -> tuple[str, ...]:
    """The command of a JVM, up to what it shall run."""
    return (jdk.java(), *jdk.FLAGS, f"-Xmx{limits.memory}", f"-Xss{_STACK}", f"-Djava.io.tmpdir={cage.path}")


def jvm_limits(limits: Limits) -> CageLimits:
    """The limits of one run, with what a JVM needs for itself on top."""
    return CageLimits(
        cpu=limits.cpu + _START_SECONDS,
        wall=limits.wall + _START_SECONDS,
        memory=limits.memory + jdk.OWN_MEMORY,
        output=limits.output,
        processes=limits.processes + jdk.OWN_THREADS,
        file_size=limits.storage,
        files=_OPEN_FILES,
        address_space=None,  # a JVM reserves far more than it uses
    )


def shared_limits(limits: Limits) -> CageLimits:
    """The limits of a JVM for many runs: at least half of them are left for each, see ``Machine``.

    What takes longer than ``_SHARED_SECONDS`` is tried again in a fresh JVM, which decides: it need not hang here first.
    """
    run = jvm_limits(limits)
    wall = _RUNS * min(run.cpu, _SHARED_SECONDS)
    threads = run.processes + _HOST_THREADS
    return replace(run, cpu=2 * wall, wall=wall, output=_RUNS * limits.output, processes=threads)
