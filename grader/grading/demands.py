"""What grading by a spec may use of the machine at once: asked for before anything is graded, so that no student pays for what it lacks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from grader.spec.model import Spec

if TYPE_CHECKING:
    from grader.sandbox import Limits


def demand(spec: Spec) -> None:
    """Raise LaunchError where this machine does not let a program have what it may need."""
    for limits in demanded(spec):
        from grader.sandbox import demand_limits

        demand_limits(limits)


def demanded(spec: Spec) -> Iterator[Limits]:
    """The limits of everything that is started for a submission; nothing where its programs are simulated. One runs at a time."""
    program = spec.program
    if program.simulated:
        return
    from grader.build.tool import TOOL_LIMITS
    from grader.sessions.native import cage_limits

    yield TOOL_LIMITS
    if "java" in program.language:
        from grader.build.java_server import SERVER_LIMITS
        from grader.sessions.jvm import shared_limits

        yield SERVER_LIMITS  # it stays between two submissions
        yield shared_limits(spec.limits)
    else:
        yield cage_limits(spec.limits, sanitized=program.sanitize)


def memory_demanded(spec: Spec) -> int:
    """How many bytes of memory all that runs at once for a submission may use; 0 where its programs are simulated."""
    limits = [one.memory for one in demanded(spec)]
    return sum(limits[1:]) if "java" in spec.program.language else max(limits, default=0)
