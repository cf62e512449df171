"""Which tier this machine gives: found by putting one up and running something in it."""

from __future__ import annotations

from functools import cache

from grader.errors import JudgeError
from grader.sandbox.cage import Cage, complete
from grader.sandbox.command import Command, Limits
from grader.sandbox.tiers import Tier

_MODEST = Limits(
    cpu=2, wall=5, memory=64 << 20, output=1 << 10, processes=4, file_size=1 << 20, files=16, address_space=None
)


@cache
def best_tier() -> Tier:
    """The strongest tier in which a program runs here; BARE where none of the others does.

    Raises:
        JudgeError: not even a bare program can be run.
    """
    for tier in Tier:
        if tier is Tier.BARE or _works(tier):
            return tier
    raise JudgeError("no tier of the sandbox is known")


def _works(tier: Tier) -> bool:
    try:
        with Cage(tier) as cage:
            return complete(cage, Command(argv=("true",), limits=_MODEST)).status.exit_code == 0
    except JudgeError:
        return False
