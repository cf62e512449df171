"""Moodle: folders ``Li Wei_4711_assignsubmission_file`` (a ``_`` may follow), or all files side by side.

The number is that of a participant in this assignment, not the user's. The name may have the group's before it (``Group
3-Li Wei``). Where marking is blind all have the same name (``Participant``, in the site's language) and another number. A text typed into the
browser lies in a folder of its own, ``…_onlinetext``.
"""

from __future__ import annotations

import re
from collections import defaultdict

from grader.intake.downloads.listing import Download, Found, Listing, Part
from grader.submission import Identifier, IdKind, Origin, Submitter
from grader.values import dataclass

SYSTEM = "Moodle"
_NAME = re.compile(r"\A(?P<name>.+?)_(?P<id>\d+)_assignsubmission_(?P<plugin>[a-z]+)(?:_(?P<file>.*))?", re.DOTALL)
_FEWEST_BLIND = 3


@dataclass(frozen=True, slots=True)
class _Owner:
    name: str
    number: str


def read(listing: Listing) -> Download | None:
    """The listing as a download of Moodle; None where no name is one of Moodle."""
    parts: dict[_Owner, list[Part]] = defaultdict(list)
    fitting: set[str] = set()
    ignored: list[str] = []
    for name, within in sorted(listing.names.items()):
        match = _NAME.fullmatch(name)
        if match is None:
            continue
        fitting.add(name)
        if match["plugin"] != "file":
            what = (
                "a text typed into the browser"
                if match["plugin"] == "onlinetext"
                else f"what “{match['plugin']}” holds"
            )
            ignored.append(f"{name}: {what}, not a program")
        elif within is not None and not within:
            ignored.append(f"{name}: an empty folder")
        else:
            owner = _Owner(match["name"], match["id"])
            parts[owner].append(Part(name, "" if within is not None else match["file"] or name))
    if not fitting:
        return None
    blind = _is_blind(list(parts))
    found = tuple(_found(owner, tuple(each), blind=blind) for owner, each in parts.items())
    return Download(SYSTEM, found, frozenset(fitting), tuple(ignored))


def _is_blind(owners: list[_Owner]) -> bool:
    """Whether the name is a word for everybody: a whole class of one name has none."""
    names = {owner.name for owner in owners}
    return names == {"Participant"} or (len(names) == 1 and len(owners) >= _FEWEST_BLIND)


def _found(owner: _Owner, parts: tuple[Part, ...], *, blind: bool) -> Found:
    who = Submitter("" if blind else owner.name, (Identifier(IdKind.PARTICIPANT, owner.number),))
    return Found(Origin(SYSTEM, (who,), platform_name=parts[0].path), parts)
