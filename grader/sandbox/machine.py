"""The memory that this machine, or our cgroup, has left; and how often its kernel killed for lack of memory.

Sources: proc(5), and the kernel's admin-guide/cgroup-v2.rst, cgroup-v1/memory.rst and cgroup-v1/pids.rst. A value that cannot be read sets no bound.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

_CGROUPS: Final = Path("/sys/fs/cgroup")
_MEMORY: Final = {
    "": ("memory.max", "memory.current", "memory.events", "inactive_file", "active_file"),
    "memory": (
        *("memory.limit_in_bytes", "memory.usage_in_bytes", "memory.oom_control"),
        *("total_inactive_file", "total_active_file"),
    ),
}
"""Files by the controller's name in /proc/self/cgroup (none in version 2): limit, use, events; and the key for cached files in the use."""

_PROCESSES: Final = {"": ("pids.max", "pids.current"), "pids": ("pids.max", "pids.current")}
"""Files by the same names: limit and use. A thread counts as a process."""

MORE_MEMORY: Final = "give the grader more memory, or let fewer work at once: -j 1; the same command goes on"
"""Advice for too little memory."""


def total_memory() -> int:
    """Bytes of memory that this machine has, or that our cgroup may use."""
    bounds = (int(text) for folder, names in _cgroups(_MEMORY) if (text := _text(folder / names[0])).isdigit())
    return min((_of_machine("MemTotal:"), *bounds))


def free_memory() -> int:
    """Bytes of memory that can be used now, cached files counted as free: the kernel drops them first."""
    free = _of_machine("MemAvailable:")
    for folder, (limit, use, _, *cached) in _cgroups(_MEMORY):
        bound, used = _text(folder / limit), _text(folder / use)
        if bound.isdigit() and used.isdigit():
            held = _text(folder / "memory.stat")
            free = min(free, int(bound) - int(used) + sum(_field(held, name) for name in cached))
    return max(0, free)


def memory_kills() -> int:
    """The number of processes that the kernel has killed so far for lack of memory, here and in all that our cgroup holds."""
    events = (_field(_text(folder / names[2]), "oom_kill") for folder, names in _cgroups(_MEMORY))
    return _field(_text(Path("/proc/vmstat")), "oom_kill") + sum(events)


def free_processes() -> int:
    """Processes and threads that our cgroup may still start; `sys.maxsize` where it has no limit of them."""
    # A container with `--pids-limit 7` had gcc start everything but ld: a right program was a compile error. With 30 the
    # machine of a Java program could not start its threads, and what it printed of that was a wrong answer.
    left = (bound - int(used) for use, bound in _most_processes() if (used := _text(use)).isdigit())
    return max(0, min(left, default=sys.maxsize))


@cache
def _most_processes() -> tuple[tuple[Path, int], ...]:
    """The limits of processes that hold for us, each with the file that says how many there are."""
    # Read once: nobody moves a grader to another container, and to look before each run would take as long as ten exchanges.
    limits = ((folder / use, _text(folder / limit)) for folder, (limit, use) in _cgroups(_PROCESSES))
    return tuple((use, int(bound)) for use, bound in limits if bound.isdigit())


def _cgroups(names: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Our cgroup and those above it, each with the names of its files; several where both versions are mounted."""
    for line in _text(Path("/proc/self/cgroup")).splitlines():
        _, controllers, path = line.split(":", 2)
        controller = next((name for name in controllers.split(",") if name in names), None)
        if controller is None:
            continue
        top = _CGROUPS / controller
        inside = top / path.lstrip("/")
        for folder in (inside, *inside.parents):
            if folder.is_relative_to(top):
                yield folder, names[controller]


def _of_machine(name: str) -> int:
    return _field(_text(Path("/proc/meminfo")), name) * 1024 or sys.maxsize


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def _field(text: str, name: str) -> int:
    """The number behind a name at the beginning of a line; 0 if there is no such line."""
    lines = (line.split() for line in text.splitlines())
    return next((int(words[1]) for words in lines if len(words) > 1 and words[0] == name), 0)
