"""The tiers of isolation, strongest first, and the walls that each is made of.

What each stops, and what stays open in it, stands in docs/sandbox.md.
"""

from __future__ import annotations

import os
from enum import IntFlag, StrEnum

from grader.errors import JudgeError


class Tier(StrEnum):
    """How well a program is locked in."""

    STRONG = "strong"  # root on a machine: namespaces, another user, filters
    NAMESPACED = "namespaced"  # an ordinary user: namespaces, filters
    CONTAINER = "container"  # root where namespaces are refused, as in Docker: another user, Landlock, filters
    USER = "user"  # an ordinary user where namespaces are refused: Landlock, filters
    BARE = "bare"  # limits alone


class Wall(IntFlag):
    """What the launcher can put up; the numbers are those of ``enum wall`` in launcher.h."""

    ROOM = 1  # namespaces and a root of its own
    BORROWED = 2  # the room lies inside a user namespace
    OTHER_UID = 4
    LANDLOCK = 8  # demanded; where a room is, Landlock is used if the kernel has it
    DENY = 16  # system calls are filtered


WALLS = {
    Tier.STRONG: Wall.ROOM | Wall.OTHER_UID | Wall.DENY,
    Tier.NAMESPACED: Wall.ROOM | Wall.BORROWED | Wall.DENY,
    Tier.CONTAINER: Wall.OTHER_UID | Wall.LANDLOCK | Wall.DENY,
    Tier.USER: Wall.LANDLOCK | Wall.DENY,
    Tier.BARE: Wall(0),
}


def walls_for(tier: Tier) -> Wall:
    """The walls of a tier.

    Raises:
        JudgeError: the tier does not fit who we are: root must not run programs as itself, and only root can as others.
    """
    root = os.geteuid() == 0
    if tier in (Tier.STRONG, Tier.CONTAINER) and not root:
        raise JudgeError(f"the sandbox tier {tier} needs root", hint="namespaced and user are the tiers of other users")
    if tier in (Tier.NAMESPACED, Tier.USER) and root:
        message = f"the sandbox tier {tier} would run programs as root"
        raise JudgeError(message, hint="strong and container are the tiers of root")
    return WALLS[tier]
