"""Kills what the grader runs, as a machine without memory does, or an administrator; and gives it less than it needs."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

_CGROUPS = Path("/sys/fs/cgroup")


@dataclass
class Kills:
    """How many processes were sent the signal so far."""

    number: int = 0


def processes(whom: Callable[[str], bool]) -> Iterator[int]:
    """The processes below this one whose command line, words parted by blanks, is wanted."""
    for pid in _below(os.getpid()):
        with suppress(OSError):
            if whom(Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")):
                yield pid


def kill(whom: Callable[[str], bool], sent: int = signal.SIGKILL) -> int:
    """Send a signal to all that are wanted, and say how many there were."""
    number = 0
    for pid in processes(whom):
        with suppress(ProcessLookupError):
            os.kill(pid, sent)
            number += 1
    return number


@contextmanager
def killer(whom: Callable[[str], bool], most: int, sent: int = signal.SIGKILL) -> Iterator[Kills]:
    """Send a signal to each process that is wanted as soon as it is there, up to ``most`` of them."""
    kills, over = Kills(), threading.Event()
    seen: set[tuple[int, str]] = set()

    def watch() -> None:
        while not over.is_set() and kills.number < most:
            for pid in processes(whom):
                with suppress(OSError):
                    born = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
                    if (pid, born) not in seen and kills.number < most:
                        seen.add((pid, born))
                        os.kill(pid, sent)
                        kills.number += 1
            time.sleep(0.001)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield kills
    finally:
        over.set()
        thread.join()


def until_gone(leader: subprocess.Popen[Any]) -> None:
    """Wait until no process of a group is left; workers end when they have finished what they were at."""
    leader.wait()
    with suppress(ProcessLookupError):
        while True:
            os.killpg(leader.pid, 0)
            time.sleep(0.01)


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """For a while our process may write no larger file, which is the nearest thing to a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def small_disk(options: str) -> Iterator[Path]:
    """A disk in memory with options such as ``size=200m``, which everybody may enter; skips where none can be mounted."""
    disk = Path(tempfile.mkdtemp())  # not below the folder of a test, which nobody else may enter
    disk.chmod(0o711)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"{options},mode=1777", "disk", disk], check=False).returncode:
        disk.rmdir()
        pytest.skip("no disk can be mounted here")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)
        disk.rmdir()


@contextmanager
def cgroup(controller: str, size: int) -> Iterator[str]:
    """The command for a shell to join a new cgroup with a limit of bytes, or processes.

    Skips if cgroups cannot be made.
    """
    for top, limit in (
        (_CGROUPS / controller, {"memory": "memory.limit_in_bytes", "pids": "pids.max"}[controller]),
        (_CGROUPS, f"{controller}.max"),
    ):
        folder = top / f"grader-test-{os.getpid()}"
        try:
            folder.mkdir()
        except OSError:
            continue
        try:
            (folder / limit).write_text(str(size))
        except OSError:
            folder.rmdir()
            continue
        try:
            yield f"echo $$ > {folder}/cgroup.procs"
        finally:
            for _ in range(100):
                for process in (folder / "cgroup.procs").read_text().split():
                    with suppress(ProcessLookupError):
                        os.kill(int(process), signal.SIGKILL)
                with suppress(OSError):
                    folder.rmdir()
                    break
                time.sleep(0.1)
        return
    pytest.skip("no cgroup can be made here")


def _below(root: int) -> Iterator[int]:
    """All descendants of a process, by what each says of its parent: lists of children are not reliable while they come and go."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208  (as quick as can be: a compiler is gone in no time)
        if name.isdecimal():
            with suppress(OSError):
                parent = int(Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(name))
    left = [root]
    while left:
        below = children.get(left.pop(), [])
        yield from below
        left += below
