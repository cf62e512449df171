"""Canvas: ``liwei_LATE_1021_5540_nim.asm``, all files of a class side by side.

The name is a sortable one without its blanks and commas (``Li, Wei``), in lower case, or that of a group; then come the
user's number and the file's. Where marking is anonymous they read ``LATE_anon_x9Y2a_5540_nim.asm``. A text typed into the browser
ends in ``_text.html``, a link in ``_link.html``. Who hands in a file again under the same name finds ``-1``, ``-2``, … put into it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from grader.intake.downloads.listing import Download, Found, Listing, Part
from grader.intake.names import is_archive
from grader.submission import Identifier, IdKind, Origin, Submitter

SYSTEM = "Canvas"
_WHO = r"(?:(?P<name>.+?)(?P<late>_LATE)?_(?P<user>\d+)|(?P<unnamed>LATE_)?anon_(?P<anonymous>[A-Za-z0-9]+?))"
_FILE = re.compile(rf"\A{_WHO}_(?P<attachment>\d+)_(?P<file>.+)", re.DOTALL)
_TEXT = re.compile(rf"\A{_WHO}_(?P<what>text|link)\.html")
_COUNTED = re.compile(r"-(\d+)(?=\.[^.]+\Z)")
_TYPED = {"text": "a text typed into the browser", "link": "a link"}


def uncounted(name: str) -> str:
    """A file's name without the number that Canvas may have put into it; ``ex-1.c`` may as well be the student's own."""
    return _COUNTED.sub("", name)


def attempts(names: Sequence[str], demanded: Collection[str]) -> Iterator[tuple[int, ...]]:
    """The files of a student that are attempts at one file, as places in ``names``, which are in the order in which Canvas got them.

    They are attempts where the name without a number is ``demanded``, or is that of an archive that is there as well: other names with
    numbers, such as ``ex-1.c`` and ``ex-2.c``, are the student's own.
    """
    together: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(names):
        together[name if name in demanded else uncounted(name)].append(at)
    for base, places in together.items():
        if len(places) > 1 and (base in demanded or (base in names and is_archive(base))):
            yield tuple(places)


def number(name: str) -> int:
    """The number that Canvas may have put into a file's name; 0 where there is none."""
    match = _COUNTED.search(name)
    return int(match[1]) if match else 0


def read(listing: Listing) -> Download | None:
    """The listing as a download of Canvas; None where no name is one of Canvas."""
    files: dict[tuple[str, str], list[re.Match[str]]] = defaultdict(list)
    typed: list[re.Match[str]] = []
    for name in listing.files:
        if match := _TEXT.fullmatch(name):
            typed.append(match)
        elif match := _FILE.fullmatch(name):
            files[_owner(match)].append(match)
    if not files and not typed:
        return None
    fitting = frozenset(match.string for match in [*typed, *(match for each in files.values() for match in each)])
    ignored = [f"{match.string}: {_TYPED[match['what']]}, not a program" for match in typed]
    return Download(SYSTEM, tuple(_found(each) for each in files.values()), fitting, tuple(ignored))


def _owner(match: re.Match[str]) -> tuple[str, str]:
    return match["name"] or "", match["user"] or match["anonymous"]


def _is_late(match: re.Match[str]) -> bool:
    return bool(match["late"] or match["unnamed"])


def _found(files: list[re.Match[str]]) -> Found:
    """The set of files of one owner; where two downloads lie in one folder, those that came late are the later set."""
    late = any(map(_is_late, files))
    counting = [match for match in files if _is_late(match) == late]
    earlier = tuple(f"{match.string}: a later attempt counts" for match in files if _is_late(match) != late)
    name, number = _owner(files[0])
    kind = IdKind.USER if files[0]["user"] else IdKind.ANONYMOUS
    who = Submitter(name, (Identifier(kind, number),))
    ordered = sorted(counting, key=lambda match: int(match["attachment"]))
    parts = tuple(Part(match.string, match["file"]) for match in ordered)
    return Found(Origin(SYSTEM, (who,), late=late, earlier=earlier, platform_name=parts[0].path), parts)
