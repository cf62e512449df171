"""Blackboard: ``Lab04_s1021_attempt_2026-11-02-09-15-00_nim.asm``, all files of all attempts side by side.

Each attempt has a text without a file's name, ``…_attempt_2026-11-02-09-15-00.txt``, which begins with the student's name and
login: ``Name: Wei Li (s1021)``. Both the assignment's name and a login may have ``_`` in them: that text tells where
the login begins, or else the beginning that all names share.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from grader.intake.names import clean
from grader.intake.platforms.platform import Download, Found, Gradebook, Listing, Part, Platform, shared_start
from grader.submission import Identifier, IdKind, Origin, Submitter

SYSTEM = "Blackboard"
_NAME = re.compile(
    r"\A(?P<head>.+)_attempt_(?P<when>\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)(?:_(?P<file>.+)|(?P<text>\.txt))", re.DOTALL
)
_FIRST_LINE = re.compile(
    r"\A[^:：]{1,40}[:：]\s{0,9}(?P<name>[^\r\n]{1,200}?)\s{0,9}\((?P<login>[^()\r\n]{1,100})\)[^\S\r\n]{0,99}(?:[\r\n]|\Z)"
)


def read(listing: Listing) -> Download | None:
    """The listing as a download of Blackboard; None if no name is one of Blackboard."""
    heads: dict[str, list[re.Match[str]]] = defaultdict(list)  # a head is the assignment's name and a login
    for name in listing.files:
        if match := _NAME.fullmatch(name):
            heads[match["head"]].append(match)
    if not heads:
        return None
    common = shared_start(list(heads), "_")  # of a student who is alone all but the login, which seldom has a _
    submissions: list[Found] = []
    ignored: list[str] = []
    for head, matches in heads.items():
        files: dict[str, list[Part]] = defaultdict(list)
        texts: dict[str, list[str]] = defaultdict(list)
        for match in matches:
            if match["text"]:
                texts[match["when"]].append(match.string)
            else:
                files[match["when"]].append(Part(match.string, match["file"]))
        last = max((*files, *texts))
        if not files:
            ignored += [f"{text}: an attempt without a file" for text in texts[last]]
            continue
        counting, *earlier = sorted(files, reverse=True)
        who = _submitter(head, common, (text for when in sorted(texts, reverse=True) for text in texts[when]), listing)
        notes = (f"the attempt of {last} has no file; that of {counting} counts",) if last != counting else ()
        left = tuple(f"{part.path}: a later attempt counts" for when in earlier for part in files[when])
        # Blackboard writes a group's name where the login stands; logins have no blanks.
        group = who.ids[0].value if " " in who.ids[0].value else ""
        origin = Origin(SYSTEM, (who,), group, attempt=counting, earlier=left)
        submissions.append(Found(origin, tuple(files[counting]), notes))
    fitting = frozenset(match.string for matches in heads.values() for match in matches)
    return Download(SYSTEM, tuple(submissions), fitting, tuple(ignored))


def _submitter(head: str, common: str, texts: Iterable[str], listing: Listing) -> Submitter:
    for text in texts:
        match = _FIRST_LINE.match(listing.read(text).decode("utf-8-sig", "replace").lstrip())
        if match and (head == match["login"] or head.endswith(f"_{match['login']}")):
            return Submitter(clean(match["name"]), (Identifier(IdKind.LOGIN, match["login"]),))
    return Submitter("", (Identifier(IdKind.LOGIN, head[len(common) :] or head),))


PLATFORM = Platform(
    "blackboard",
    read,
    gradebook=Gradebook(r".+\[Total Pts:.*\] ?\|\d+", ("Username", "Student ID"), ("First Name", "Last Name")),
)
