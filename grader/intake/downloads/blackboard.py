"""Blackboard: ``Lab04_s1021_attempt_2026-11-02-09-15-00_nim.asm``, all files of all attempts side by side.

Each attempt has a text without a file's name, ``…_attempt_2026-11-02-09-15-00.txt``, which begins with the student's name and
login: ``Name: Wei Li (s1021)``. Both the assignment's name and a login may have ``_`` in them: that text tells where the login
begins, or else what all names begin with.
"""

from __future__ import annotations

import re
from collections import defaultdict

from grader.intake.downloads.listing import Download, Found, Listing, Part, shared_start
from grader.intake.names import clean
from grader.submission import Identifier, IdKind, Origin, Submitter
from grader.values import dataclass

SYSTEM = "Blackboard"
_NAME = re.compile(
    r"\A(?P<head>.+)_attempt_(?P<when>\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)(?:_(?P<file>.+)|(?P<text>\.txt))", re.DOTALL
)
_FIRST_LINE = re.compile(
    r"\A[^:：]{1,40}[:：]\s{0,9}(?P<name>[^\r\n]{1,200}?)\s{0,9}\((?P<login>[^()\r\n]{1,100})\)[^\S\r\n]{0,99}(?:[\r\n]|\Z)"
)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One attempt of one head, which is the assignment's name and a login: its files, and the text on it."""

    when: str
    files: tuple[Part, ...]
    texts: tuple[str, ...]


def read(listing: Listing) -> Download | None:
    """The listing as a download of Blackboard; None where no name is one of Blackboard."""
    matches = [match for name in listing.files if (match := _NAME.fullmatch(name))]
    if not matches:
        return None
    heads: dict[str, list[re.Match[str]]] = defaultdict(list)
    for match in matches:
        heads[match["head"]].append(match)
    common = shared_start(list(heads), "_") if len(heads) > 1 else _all_but_last(next(iter(heads)))
    found: list[Found] = []
    ignored: list[str] = []
    for head, each in heads.items():
        attempts = _attempts(each)
        who = _submitter(head, common, attempts, listing)
        handed_in = [attempt for attempt in attempts if attempt.files]
        if not handed_in:
            ignored += [f"{text}: an attempt without a file" for text in attempts[-1].texts]
            continue
        counting, *earlier = reversed(handed_in)
        last = attempts[-1]
        notes = (f"the attempt of {last.when} has no file; that of {counting.when} counts",) if last != counting else ()
        left = tuple(f"{part.path}: a later attempt counts" for attempt in earlier for part in attempt.files)
        group = who.ids[0].value if " " in who.ids[0].value else ""
        found.append(Found(Origin(SYSTEM, (who,), group, attempt=counting.when, earlier=left), counting.files, notes))
    return Download(SYSTEM, tuple(found), frozenset(m.string for m in matches), tuple(ignored))


def _attempts(matches: list[re.Match[str]]) -> list[_Attempt]:
    """The attempts of one student, the latest last."""
    files: dict[str, list[Part]] = defaultdict(list)
    texts: dict[str, list[str]] = defaultdict(list)
    for match in matches:
        if match["text"]:
            texts[match["when"]].append(match.string)
        else:
            files[match["when"]].append(Part(match.string, match["file"]))
    return [_Attempt(when, tuple(files[when]), tuple(texts[when])) for when in sorted({*files, *texts})]


def _all_but_last(head: str) -> str:
    """The assignment where there is one student alone: a login seldom has a ``_``."""
    return head[: head.rfind("_") + 1]


def _submitter(head: str, common: str, attempts: list[_Attempt], listing: Listing) -> Submitter:
    for text in (text for attempt in reversed(attempts) for text in attempt.texts):
        said = listing.read(text).decode("utf-8-sig", "replace").lstrip()
        match = _FIRST_LINE.match(said)
        if match and (head == match["login"] or head.endswith(f"_{match['login']}")):
            return Submitter(clean(match["name"]), (Identifier(IdKind.LOGIN, match["login"]),))
    login = head[len(common) :] or head
    return Submitter("", (Identifier(IdKind.LOGIN, login),))
