"""Clones of GitHub: a folder for each repository, ``lab04-octocat``, as Classroom and Classroom 50 name them.

What tells a clone from any folder is git: its own folder, or ``.github``, which Classroom puts there. What all names begin with is the
assignment, and the rest the user's name, or a team's.
"""

from __future__ import annotations

import re

from grader.intake.downloads.listing import Download, Found, Listing, Part, shared_start
from grader.submission import Identifier, IdKind, Origin, Submitter

SYSTEM = "GitHub"
_USER = re.compile(r"[A-Za-z0-9](?:-?[A-Za-z0-9_]){0,99}")


def read(listing: Listing) -> Download | None:
    """The listing as clones of one assignment; None where its folders are no repositories or share no beginning."""
    clones = [name for name in listing.folders if name in listing.repositories or _has_github(listing, name)]
    prefix = shared_start(clones, "-") if len(clones) > 1 else ""
    users = {name: name.removeprefix(prefix) for name in clones}
    if not prefix or not all(map(_USER.fullmatch, users.values())):
        return None
    found = tuple(_found(name, user) for name, user in users.items())
    return Download(SYSTEM, found, frozenset(clones))


def _has_github(listing: Listing, name: str) -> bool:
    return ".github" in (listing.names[name] or ())


def _found(name: str, user: str) -> Found:
    return Found(Origin(SYSTEM, (Submitter("", (Identifier(IdKind.GITHUB, user),)),)), (Part(name, name),))
