"""The only place that starts a foreign program, compilers included: a cage with a work folder, limits and walls.

Import it where it is needed, not at the top of what simulated machines go through: it is for Linux alone.
"""

from grader.sandbox.cage import Cage, Closing, complete, demand_limits, room_for
from grader.sandbox.command import OWN_BREAKS, Command, Completed, Event, Limits, Span, Status, Tier
from grader.sandbox.machine import MORE_MEMORY, free_memory, memory_kills, total_memory
from grader.sandbox.process import Process
from grader.sandbox.proofs import Proof, best_tier, exposed, prove
from grader.sandbox.wire import LaunchError

__all__ = ["OWN_BREAKS", "Command", "Completed", "Event", "LaunchError", "Limits", "Process", "Span", "Status"]
__all__ += [
    "Cage",
    "Closing",
    "Proof",
    "Tier",
    "best_tier",
    "complete",
    "demand_limits",
    "exposed",
    "prove",
    "room_for",
]
__all__ += ["MORE_MEMORY", "free_memory", "memory_kills", "total_memory"]
