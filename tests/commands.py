"""Commands as their users call them, each in a process of its own that has the grader imported already.

To start Python and to import the grader takes longer than most commands: one process does it here, and is forked for each command.
What a start itself does, and what becomes of pipes, terminals and signals, is tried with processes that are started as a user's are.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory

_TIMEOUT = 120
_OUTPUTS = {1: "stdout", 2: "stderr"}


def run(*arguments: object, typed: bytes = b"", env: Mapping[str, str | None] | None = None) -> CompletedProcess[bytes]:
    """What ``grader ARGUMENTS`` does with this input, of 64 KiB at most, and with these variables; None takes one away.

    Raises TimeoutError if it does not end.
    """
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.imported"])
    words = [str(argument) for argument in arguments]
    variables = {name: value for name, value in {**os.environ, **(env or {})}.items() if value is not None}
    with TemporaryDirectory() as made:
        folder = Path(made)
        process = context.Process(target=_run, args=(words, typed, folder, Path.cwd(), variables))
        process.start()
        process.join(_TIMEOUT)
        if process.exitcode is None:
            process.kill()
            raise TimeoutError(f"grader {' '.join(words)}")
        written = [(folder / name).read_bytes() for name in _OUTPUTS.values()]
    return CompletedProcess(words, process.exitcode, *written)


def run_text(*arguments: object, typed: str = "", env: Mapping[str, str | None] | None = None) -> CompletedProcess[str]:
    """The same in text."""
    done = run(*arguments, typed=typed.encode(), env=env)
    return CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def _run(words: Sequence[str], typed: bytes, folder: Path, where: Path, environment: Mapping[str, str]) -> None:
    from grader.cli.main import main

    reading, writing = os.pipe()
    os.write(writing, typed)
    os.close(writing)
    os.dup2(reading, 0)
    for number, name in _OUTPUTS.items():
        with (folder / name).open("wb") as file:
            os.dup2(file.fileno(), number)
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(n, "w" if n else "r", closefd=False) for n in range(3))
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(where)
    sys.argv = ["grader", *words]
    main(words)
