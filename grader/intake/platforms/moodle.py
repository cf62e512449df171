"""Moodle: folders ``Li Wei_4711_assignsubmission_file`` (a ``_`` may follow), or all files side by side.

The number is that of a participant in this assignment, not the user's. The name may have the group's before it (``Group
3-Li Wei``). Blind marking gives everybody one name (``Participant``, in the site's language) with different numbers. A
text typed into the browser lies in a folder of its own, ``…_onlinetext``.
"""

from __future__ import annotations

import re
from collections import defaultdict

from grader.intake.platforms.platform import Download, Found, Gradebook, Listing, Part, Platform
from grader.submission import Identifier, IdKind, Origin, Submitter

SYSTEM = "Moodle"
_NAME = re.compile(r"\A(?P<name>.+?)_(?P<id>\d+)_assignsubmission_(?P<plugin>[a-z]+)(?:_(?P<file>.*))?", re.DOTALL)
# A class of two may be two students of one name.
_FEWEST_BLIND = 3


def read(listing: Listing) -> Download | None:
    """The listing as a download of Moodle; None if no name is one of Moodle."""
    parts: dict[tuple[str, str], list[Part]] = defaultdict(list)
    fitting: set[str] = set()
    ignored: list[str] = []
    for name, within in sorted(listing.names.items()):
        match = _NAME.fullmatch(name)
        if match is None:
            continue
        fitting.add(name)
        if match["plugin"] != "file":
            typed = match["plugin"] == "onlinetext"
            what = "a text typed into the browser" if typed else f"what “{match['plugin']}” holds"
            ignored.append(f"{name}: {what}, not a program")
        elif within is not None and not within:
            ignored.append(f"{name}: an empty folder")
        else:
            parts[match["name"], match["id"]].append(Part(name, "" if within is not None else match["file"] or name))
    if not fitting:
        return None
    # a whole class of one name has none: it is a word for everybody
    names = {name for name, _ in parts}
    # Three of one name in a class and nobody else are a word of the site's language.
    blind = names == {"Participant"} or (len(names) == 1 and len(parts) >= _FEWEST_BLIND)
    submissions = []
    for (name, number), held in parts.items():
        who = Submitter("" if blind else name, (Identifier(IdKind.PARTICIPANT, number),))
        submissions.append(Found(Origin(SYSTEM, (who,), platform_name=held[0].path), tuple(held)))
    return Download(SYSTEM, tuple(submissions), frozenset(fitting), tuple(ignored))


def _feedback(name: str) -> str:
    """The page of a participant, in the folder that the download had for the participant's files."""
    match = re.match(r".+_\d+_assignsubmission_file", name, re.DOTALL)
    return f"{match[0]}_/feedback.html" if match else ""


PLATFORM = Platform(
    "moodle",
    read,
    heads={IdKind.PARTICIPANT: "participantid"},
    gradebook=Gradebook(
        r"Grade",
        ("Identifier", "ID number", "Email address", "Username"),
        ("Full name",),
        maximum="Maximum grade",
        translated=True,
        feedback=_feedback,
    ),
)
