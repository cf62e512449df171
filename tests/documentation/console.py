r"""Plays a page of the documentation: writes the files that it shows, types the commands, and compares what they print.

A page may hold in fenced blocks:

- ```` ```console ````: lines that begin with ``$ `` are commands, one after the other in one folder; the lines behind a
  command, up to the next one, are what it prints, errors included. A command ends in ``\`` where the next line goes on with it.
  ```` ```console not-run ```` is shown and not typed: for what installs, downloads or never ends. Say on the page why.
- ```` ```yaml lab/lab.yaml ````: a file of that name, with these lines; any language will do. With ``>>`` before the name they
  are put behind what the file has. A block without a name is only shown.

``follow(page, folder)`` does all of it, in the order of the page; ``folder`` may hold what the page takes for granted. Text is
compared roughly: blanks are one blank, and empty lines do not matter. ``…`` stands for any text, and on a line of its own
for any lines. A command with nothing behind it must succeed, and may print what it likes. ``cd`` holds for all that follows.

A plain ``grader`` command is called in this process, which is quick; all else goes to a shell, in which ``grader`` is
also ours. In a test, take the fixture ``followed``: ``pytest --accept`` then writes the present output of commands into
the page, except where its text has a ``…``::

    def test_the_tutorial_for_courses_works_as_it_stands(followed):
        followed("docs/tutorial-course.md")
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from grader.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
WIDTH = "100"
"""How wide the terminal is that pages show."""
SHELL = set("|&;<>()$`*?[]#~=!{}\\")
"""Signs that only a shell understands."""
FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,})(?P<info>[^`\n]*)$")


@dataclass(frozen=True)
class Block:
    """A fenced block: the words behind its fence, its lines, and the number of the first of them."""

    words: tuple[str, ...]
    lines: tuple[str, ...]
    line: int

    @property
    def file(self) -> str:
        """The file that it shows; empty for none."""
        return "" if len(self.words) < 2 or self.words[0] == "console" else self.words[-1]


@dataclass(frozen=True)
class Command:
    """A command of a page: what is typed, what the page shows of its output, and the lines of that, from and up to."""

    text: str
    shown: tuple[str, ...]
    first: int
    last: int


@dataclass(frozen=True)
class Printed:
    """The output of a command, errors included, and its exit code."""

    text: str
    code: int


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page, in their order."""
    begun: tuple[str, tuple[str, ...], int] | None = None
    lines: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if begun is None:
            if fence is not None:
                begun = fence["ticks"], tuple(fence["info"].split()), number + 1
        elif fence is not None and fence["ticks"] == begun[0] and not fence["info"]:
            yield Block(begun[1], tuple(lines), begun[2])
            begun, lines = None, []
        else:
            lines.append(line)


def commands(block: Block) -> Iterator[Command]:
    """The commands of a block."""
    typed, shown, first = "", [], block.line
    for number, line in enumerate(block.lines, block.line):
        if typed.endswith("\\"):
            typed, first = f"{typed}\n{line}", number + 1
        elif line.startswith("$ "):
            if typed:
                yield Command(typed, tuple(shown), first, number)
            typed, shown, first = line.removeprefix("$ "), [], number + 1
        else:
            assert typed, f"line {number}: a block of console begins with a command behind `$ `"
            shown.append(line)
    if typed:
        yield Command(typed, tuple(shown), first, block.line + len(block.lines))


def matches(shown: tuple[str, ...], printed: str) -> bool:
    """Whether a text is, roughly, what a page shows."""
    wanted = [" ".join(line.split()) for line in shown if line.strip()]
    parts = [r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + "\n" for line in wanted]
    printed = printed.removeprefix("\ufeff")  # a terminal does not show the mark that tells spreadsheets of UTF-8
    got = "".join(f"{' '.join(line.split())}\n" for line in printed.splitlines() if line.strip())
    return re.fullmatch("".join(parts), got) is not None


def follow(page: Path, folder: Path, *, accept: bool = False) -> None:
    """Do all that a page says, in a folder. Raises AssertionError with the place of the first thing that is not so.

    With ``accept`` the page is rewritten where a command prints something else.
    """
    text = page.read_text(encoding="utf-8")
    lines = text.splitlines()
    news: list[tuple[Command, Printed]] = []
    environment = _environment(folder)
    where = folder
    for block in blocks(text):
        if block.file:
            _write(block, where)
        if block.words != ("console",):
            continue
        for command in commands(block):
            if command.text.startswith("cd "):
                where = (where / command.text.removeprefix("cd ").strip()).resolve()
                continue
            printed = run(command.text, where, environment)
            if command.shown and not matches(command.shown, printed.text):
                assert accept, _differs(page, command, printed)
                assert "…" not in "".join(command.shown), _differs(page, command, printed)
                news.append((command, printed))
            assert command.shown or printed.code == 0, _differs(page, command, printed)
    for command, printed in reversed(news):
        lines[command.first - 1 : command.last - 1] = printed.text.strip("\n").splitlines()
    if news:
        page.write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(command: str, folder: Path, environment: Mapping[str, str]) -> Printed:
    """The output of a command in a folder."""
    if command.startswith("grader ") and not SHELL & set(command):
        return _called(shlex.split(command)[1:], folder, environment)
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=300, check=False,
    )  # fmt: skip
    return Printed(done.stdout.decode(), done.returncode)


def _called(arguments: list[str], folder: Path, environment: Mapping[str, str]) -> Printed:
    """The output and exit code of our command line, called in this process."""
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    before = Path.cwd()
    os.chdir(folder)
    code: object = 0
    try:
        with (
            Path(os.devnull).open(encoding="utf-8") as nothing,  # a file, as a command looks whether it is a terminal
            patch.dict(os.environ, environment, clear=True),
            patch.object(sys, "stdin", nothing),
            redirect_stdout(printed),
            redirect_stderr(printed),
        ):
            main(arguments)
    except SystemExit as done:
        code = done.code
    finally:
        os.chdir(before)
    assert isinstance(printed.buffer, io.BytesIO)
    return Printed(printed.buffer.getvalue().decode(), code if isinstance(code, int) else 0)


def _environment(folder: Path) -> dict[str, str]:
    """The environment of the commands: ours, with our ``grader`` first on the path, outside of the folder that is shown."""
    commands = folder.parent / f"{folder.name}-commands"
    commands.mkdir(exist_ok=True)
    starter = commands / "grader"
    starter.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m grader "$@"\n', encoding="utf-8")
    starter.chmod(0o755)
    search = [str(commands), str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    return {
        **os.environ,
        "PATH": os.pathsep.join(search),
        "PYTHONPATH": str(ROOT),
        "COLUMNS": WIDTH,
        "LC_ALL": "C.UTF-8",
    }


def _write(block: Block, folder: Path) -> None:
    """Write the file that a block shows, or put its lines behind what the file has."""
    path = folder / block.file
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a" if ">>" in block.words else "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in block.lines)


def _differs(page: Path, command: Command, printed: Printed) -> str:
    """The complaint about a command that does something else than the page says."""
    shown = "\n".join(command.shown) or "(nothing is shown: it should succeed)"
    return (
        f"{page.name}, before line {command.first}: $ {command.text}\n"
        f"--- the page shows\n{shown}\n--- it prints, and exits with {printed.code}\n{printed.text}"
    )
