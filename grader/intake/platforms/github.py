"""Clones of GitHub: a folder for each repository, ``lab04-octocat``, as Classroom and Classroom 50 name them.

A clone is known by the folder of git, or by ``.github``, which Classroom puts there. The beginning that all names share
is the assignment; the rest is the name of a user or a team.
"""

from __future__ import annotations

import re

from grader.intake.platforms.platform import Download, Found, Gradebook, Listing, Part, Platform, shared_start
from grader.submission import Identifier, IdKind, Origin, Submitter

SYSTEM = "GitHub"
_USER = re.compile(r"[A-Za-z0-9](?:-?[A-Za-z0-9_]){0,99}")


def read(listing: Listing) -> Download | None:
    """The listing as clones of one assignment; None if its folders are no repositories or share no beginning."""
    within = listing.names
    clones = [one for one in listing.folders if one in listing.repositories or ".github" in (within[one] or ())]
    prefix = shared_start(clones, "-") if len(clones) > 1 else ""
    users = {name: name.removeprefix(prefix) for name in clones}
    if not prefix or not all(map(_USER.fullmatch, users.values())):
        return None
    owners = {name: Submitter("", (Identifier(IdKind.GITHUB, user),)) for name, user in users.items()}
    submissions = (Found(Origin(SYSTEM, (who,)), (Part(name, name),)) for name, who in owners.items())
    return Download(SYSTEM, tuple(submissions), frozenset(clones))


PLATFORM = Platform(
    "classroom50",
    read,
    heads={IdKind.GITHUB: "github githubusername githubuser githublogin"},
    gradebook=Gradebook(
        r"points_awarded|score", ("github_username", "username", "roster_identifier", "student"), ("name",)
    ),
)
