"""Facts of the computer on which a batch runs: the day, and how many workers its cores and its memory allow."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, date, datetime

from grader.grading.budget import memory_demanded
from grader.spec.model import Spec

# Bytes of a worker itself, and of the parent: workers of c-nim and java-nim have 60 to 120 MiB resident.
_OWN = 192 << 20
_GIB = 1 << 30


def today() -> date:
    """The day of this computer's own time zone. Hidden cases are shown from a day on; no module below the commands asks for it."""
    return datetime.now(UTC).astimezone().date()


def cores() -> int:
    """The number of cores that this process may use; more workers would only hinder each other."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def usual_jobs(spec: Spec, warn: Callable[[str], None]) -> int:
    """The number of workers whose programs, at their limits, fit into the memory of this machine or of our cgroup.

    ``warn`` is called if these are fewer than the cores: with more, the kernel would kill any process.
    """
    wanted, each = cores(), memory_demanded(spec)
    if not each:
        return wanted
    from grader.sandbox import total_memory  # the sandbox is only for Linux

    total = total_memory()
    fitting = max(1, min(wanted, (total - _OWN) // (each + _OWN)))
    if fitting < wanted:
        warn(
            f"{total / _GIB:.1f} GiB of memory hold the limits of {fitting} of {wanted} workers, "
            f"with {(each + _OWN) / _GIB:.1f} GiB each: -j {fitting} is used, and -j {wanted} overrules that"
        )
    return fitting
