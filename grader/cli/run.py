"""``grader run``: play a program by hand or from a pipe."""

from __future__ import annotations

import importlib
import os
import re
import select
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

import click

from grader.checks.ending import ended
from grader.cli import options, program
from grader.cli.program import HandedIn, Simulated, read_bytes
from grader.cli.streams import put, unread
from grader.errors import EXIT_OK, EXIT_POINTS_LOST
from grader.report import shown
from grader.sessions.session import Session, Setup
from grader.sessions.simulated import as_keys, escaped, unescaped
from grader.spec.model import Limits
from grader.transcript import Ending
from grader.values import dataclass

_END_OF_INPUT = re.compile(rb"[\x04\0]")  # Ctrl-D as a key; a zero where it was typed before keys were wanted
_CHUNK = 4096  # bytes of one look; more comes with the next one

# Milliseconds after which a wait for a key begins anew: only then does Python notice a Ctrl-C that came just before the
# wait.
_LOOK = 500
_OUTPUT_LIMIT = 1 << 30  # bytes: a program that is played by hand may print as much as it likes


@dataclass(frozen=True, slots=True)
class Options:
    """The arguments and options of `grader run`."""

    files: tuple[Path, ...] = options.argument(nargs=-1, required=True, type=click.Path(path_type=Path))
    spec: str | None = options.option(
        "--spec", "Build and limit the program as this spec says; FILES is then a submission, or an archive of one."
    )
    batch: Path | None = options.handed_in_to(
        "Run what FILES, a student of this batch, handed in: by number, name or the name of the page."
    )
    profile: str | None = program.profile_option()
    start: str | None = options.option(
        "--start", "Start of a MIPS program; by default the usual one.", type=click.Choice(("first", "main"))
    )
    keys: str = options.text("--input", "What to type first (\\n is Enter); the rest comes from standard input.")
    end: bool | None = options.option(
        "--end/--no-end",
        "End the input behind what --input types, or leave it open behind --input-file: the rest comes from standard input.",
        default=None,
    )
    input_file: Path | None = options.option(
        "--input-file", "Give the program this file as its whole input.", type=options.FILE_HERE
    )
    arguments: tuple[str, ...] = options.option(
        "--argument", "A word behind the program's name; once for each.", multiple=True
    )
    given: tuple[str, ...] = options.option(
        "--file",
        "A file that the program finds in its folder: NAME from here, with this TEXT (\\n ends a line), or from PATH.",
        multiple=True,
        metavar="NAME[=TEXT|@PATH]",
    )
    seed: int | None = options.option(
        "--seed", "Draw other random numbers, and fill what a machine leaves open by them.", type=int
    )
    budget: int = options.budget("Instructions at most; a spec has its own.")
    trace: bool = options.trace()
    stats: bool = options.flag("--stats", "Write counts to standard error.")

    @property
    def setup(self) -> Setup:
        """The arguments and files of the program. Raises UsageError if a file cannot be read."""
        return Setup(self.arguments, dict(map(_file, self.given)))

    @property
    def ends(self) -> bool:
        """Whether the input ends after ``first``."""
        return self.input_file is not None if self.end is None else self.end


@options.command(Options)
def run(asked: Options) -> int:
    """Build and run FILES: LC-3 or MIPS by what the first looks like, C, C++, Java or Python by its name.

    Several files make one program, which begins with the first. With --spec or --batch the program is found, built and
    limited as it is for grading. Standard output gets exactly what the program prints; all else goes to standard error. On a
    terminal a key or a line is read, as the program asks (Ctrl-D ends the input). The exit code is 0 after a normal end, and 1
    after any other. It is 0 as well if all of --input is typed, nothing comes from standard input, and the program waits for more.
    """
    setup = asked.setup
    if asked.input_file is not None:
        if asked.keys:
            raise click.UsageError("--input-file is the whole input: leave out --input")
        whole = read_bytes(asked.input_file).decode("utf-8", "surrogateescape")
        asked = replace(asked, keys=escaped(whole))
    handed_in = _handed_in(asked)
    if handed_in is None:
        limits = Limits(instructions=asked.budget, output=_OUTPUT_LIMIT)
        built = program.simulated(asked.files, asked.profile, limits, entry=asked.start or "")
        return _played_on_machine(built, setup, asked)
    if handed_in.spec.program.simulated:
        return _played_on_machine(program.as_graded(handed_in, asked.profile), setup, asked)
    if asked.trace:
        from grader.cli.submissions import warn

        warn("--trace shows instructions of LC-3 and MIPS programs; this program runs without it")
    # A native program reads lines, so that each is given when it waits, and not all at once.
    lines = unescaped(asked.keys).encode("utf-8", "surrogateescape").splitlines(keepends=True)

    def play(session: Session) -> int:
        def send(typed: bytes) -> None:
            session.send(typed.decode("utf-8", "surrogateescape"))

        return _played(session, lines, send, session.advance, asked)

    return program.play_native(handed_in, play, setup, asked.seed)


def _handed_in(asked: Options) -> HandedIn | None:
    """The submission to build, by a spec or in the usual way; None for files of a simulated machine.

    Raises UsageError.
    """
    if asked.batch is not None:
        if len(asked.files) != 1 or asked.spec is not None:
            raise click.UsageError("with --batch name one student and leave out --spec: the batch has its own")
        return HandedIn.in_batch(asked.batch, str(asked.files[0]))
    for file in asked.files:
        if not file.exists():
            raise click.BadParameter(f"Path '{file}' does not exist.", param_hint="'FILES...'")
    named = asked.spec is not None or program.is_native(asked.files)
    return HandedIn.named(asked.files, asked.spec) if named else None


def _file(option: str) -> tuple[str, bytes]:
    """The name and contents of a file that is given on the command line."""
    sign = next((char for char in option if char in "=@"), "")
    name, _, rest = option.partition(sign) if sign else (option, "", "")
    if sign == "=":
        return name, unescaped(rest).encode("utf-8", "surrogateescape")
    return name, read_bytes(Path(rest or name))


def _played_on_machine(simulated: Simulated | None, setup: Setup, asked: Options) -> int:
    """Play a simulated program that was built. Raises UsageError if its machine has no arguments or files to give to a program."""
    if simulated is None:
        return EXIT_POINTS_LOST
    machine = simulated.program.family.traits
    if not machine.folder and not setup.plain:
        raise click.UsageError(f"{machine.called} has neither arguments nor files")
    if simulated.profile in machine.bare and setup.arguments:
        raise click.UsageError(f"{simulated.profile} hands a program no arguments")
    session = simulated.program.start(simulated.profile, seed=asked.seed, setup=setup)
    advance = partial(session.trace, partial(click.echo, err=True)) if asked.trace else session.advance
    return _played(session, [as_keys(unescaped(asked.keys))], session.type_bytes, advance, asked)


def _played(
    session: Session,
    first: list[bytes],
    give: Callable[[bytes], None],
    advance: Callable[[], Ending | None],
    asked: Options,
) -> int:
    """Give the program input whenever it waits: ``first``, then standard input, or the end; then print how it ended.

    The program is abandoned once nobody reads its output.
    """
    rest = iter(first)
    in_line = False  # whether the cursor stands behind something
    # A finding's command types what led to it: to end the input there would show students an error that they have not made.
    stops = bool(asked.keys) and asked.end is None and asked.input_file is None
    with Keyboard() as keyboard:
        while True:
            ending = advance()
            printed = session.take_output()
            put(printed)
            in_line = not printed.endswith(b"\n") if printed else in_line
            if unread():
                return EXIT_POINTS_LOST
            if ending is not None:
                _report(session, ending, stats=asked.stats, in_line=in_line)
                return EXIT_OK if ended(ending) else EXIT_POINTS_LOST
            typed = next(rest, b"")
            if not typed and not asked.ends:
                typed = keyboard.read(session.wants)
                stops = stops and not typed
            if typed:
                give(typed)
                in_line = in_line and not (keyboard.shows_lines and typed.endswith(b"\n"))
            elif stops and not keyboard.is_terminal:
                line = "\n" if in_line else ""
                click.echo(f"{line}grader: all of --input is typed, and the program waits for more", err=True)
                return EXIT_OK
            else:
                session.close_input()


def _report(session: Session, ending: Ending, *, stats: bool, in_line: bool) -> None:
    """Print to standard error how it ended, if not normally, and its statistics, on lines of their own."""
    lines: list[str] = []
    if not ended(ending):
        where = f"{ending.place}: " if ending.place else ""
        lines += [f"grader: {where}{ending.message}", *filter(None, [ending.excerpt]), *ending.last_steps]
    if ending.errors and not ending.last_steps:  # else they are the last lines of it
        lines.insert(0, shown.plain(ending.errors.rstrip("\n")))
    if stats:
        lines.append(f"grader: {session.instructions} instructions")
    if lines:
        click.echo(("\n" if in_line else "") + "\n".join(lines), err=True)


# ------------------------------------------------------------------------------------------------------- the keyboard


class Keyboard:
    """Standard input of a program that is played by hand. The terminal is left as it was found."""

    def __init__(self) -> None:
        self._descriptor = sys.stdin.fileno()
        self.is_terminal = os.isatty(self._descriptor)
        self._by_key = False
        self._ended = False
        if self.is_terminal:
            # Before the program asks: Python drops a Ctrl-C that comes within an import, and the program waited on.
            with suppress(ImportError):  # Windows has none, and no terminal that needs it
                importlib.import_module("termios")

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
        return self.is_terminal and not self._by_key

    def read(self, wanted: str) -> bytes:
        """The next input for a program that waits for a ``key``, a ``line`` or a number; empty at the end of input."""
        if self._ended:
            return b""
        # A pipe has no keys: what is in it is given as it comes.
        if not self.is_terminal:
            return os.read(self._descriptor, _CHUNK)
        # A MIPS program may read a line by one service and a key by another.
        if self._by_key != (wanted == "key"):
            self._send_keys(on=not self._by_key)
        if not self._by_key:
            return os.read(self._descriptor, _CHUNK)
        keys = select.poll()
        keys.register(self._descriptor, select.POLLIN)
        while not keys.poll(_LOOK):
            pass
        typed, *after = _END_OF_INPUT.split(os.read(self._descriptor, _CHUNK), maxsplit=1)
        self._ended = bool(after)
        return typed

    def _send_keys(self, *, on: bool) -> None:
        """Make the terminal pass on each key at once, unseen; or pass on lines that it edits and shows."""
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
