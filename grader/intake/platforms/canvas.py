"""Canvas: ``liwei_LATE_1021_5540_nim.asm``, all files of a class side by side.

The name is a sortable one without its blanks and commas (``Li, Wei``), in lower case, or that of a group; then come the
user's number and the file's. Anonymous marking makes them ``LATE_anon_x9Y2a_5540_nim.asm``. A text typed into the
browser ends in ``_text.html``, a link in ``_link.html``. Canvas puts ``-1``, ``-2``, … into the name of a file that is
handed in again.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from grader.intake.names import is_archive, shown
from grader.intake.platforms.platform import Download, Found, Gradebook, Listing, Part, Platform
from grader.submission import Identifier, IdKind, Origin, Submitter

SYSTEM = "Canvas"
_WHO = r"(?:(?P<name>.+?)(?P<late>_LATE)?_(?P<user>\d+)|(?P<unnamed>LATE_)?anon_(?P<anonymous>[A-Za-z0-9]+?))"
_FILE = re.compile(rf"\A{_WHO}_(?P<attachment>\d+)_(?P<file>.+)", re.DOTALL)
_TEXT = re.compile(rf"\A{_WHO}_(?P<what>text|link)\.html")
_COUNTED = re.compile(r"-(\d+)(?=\.[^.]+\Z)")
_TYPED = {"text": "a text typed into the browser", "link": "a link"}


def read(listing: Listing) -> Download | None:
    """The listing as a download of Canvas; None if no name is one of Canvas."""
    files: dict[tuple[str, str], list[re.Match[str]]] = defaultdict(list)
    fitting, ignored = [], []
    for name in listing.files:
        if match := _TEXT.fullmatch(name):
            ignored.append(f"{name}: {_TYPED[match['what']]}, not a program")
        elif match := _FILE.fullmatch(name):
            files[match["name"] or "", match["user"] or match["anonymous"]].append(match)
        else:
            continue
        fitting.append(name)
    if not fitting:
        return None
    submissions = tuple(_submission(owner, matches, listing.programs) for owner, matches in files.items())
    return Download(SYSTEM, submissions, frozenset(fitting), tuple(ignored))


def _is_late(match: re.Match[str]) -> bool:
    return bool(match["late"] or match["unnamed"])


def _submission(owner: tuple[str, str], files: Sequence[re.Match[str]], programs: Collection[str]) -> Found:
    """The last attempt of one owner at each file; a sentence reports each earlier attempt, and a note a doubtful set.

    If two downloads lie in one folder, the late files are the later set.
    """
    # Staff unpack a second download over the first: then both sets lie there.
    late = any(map(_is_late, files))
    earlier = [f"{match.string}: a later attempt counts" for match in files if _is_late(match) != late]
    ordered = sorted((one for one in files if _is_late(one) == late), key=lambda match: int(match["attachment"]))
    names = [match["file"] for match in ordered]
    notes: list[str] = []
    superseded: set[int] = set()
    for places in _attempts(names, programs):
        numbers = [int(match[1]) if (match := _COUNTED.search(names[at])) else 0 for at in places]
        # Canvas counts up; other orders mean names that the student gave.
        if numbers != sorted(numbers):
            listed = ", ".join(shown(names[at]) for at in places)
            order = "Canvas got these files in another order than that of their numbers"
            notes.append(f"{listed}: {order}; which one is the latest?")
            continue
        *before, last = places
        superseded.update(before)
        why = f"{shown(names[last])} counts, which Canvas got last: it numbers a file that is handed in again"
        earlier += [f"{shown(names[at])}: an earlier attempt; {why}" for at in before]
    counting = [match for at, match in enumerate(ordered) if at not in superseded]
    who = Submitter(owner[0], (Identifier(IdKind.USER if files[0]["user"] else IdKind.ANONYMOUS, owner[1]),))
    origin = Origin(SYSTEM, (who,), late=late, earlier=tuple(earlier), platform_name=ordered[0].string)
    return Found(origin, tuple(_parts(counting, programs)), tuple(notes))


def _attempts(names: Sequence[str], programs: Collection[str]) -> Iterator[list[int]]:
    """Attempts at one file, as indices into ``names``, which are in the order in which Canvas got them.

    Files are attempts if the name without a number is one of ``programs``, or the name of an archive that is also
    there. Other names with numbers, such as ``ex-1.c`` and ``ex-2.c``, are the student's own.
    """
    together: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(names):
        together[name if name in programs else _COUNTED.sub("", name)].append(at)
    for base, places in together.items():
        if len(places) > 1 and (base in programs or (base in names and is_archive(base))):
            yield places


def _parts(files: Sequence[re.Match[str]], programs: Collection[str]) -> Iterator[Part]:
    """The files, under their names without Canvas's number if the spec asks for that name."""
    names = [match["file"] for match in files]
    bare = [_COUNTED.sub("", name) for name in names]
    for match, name in zip(files, bare, strict=True):
        wanted = name in programs and name not in names and bare.count(name) == 1
        yield Part(match.string, name if wanted else match["file"])


PLATFORM = Platform(
    "canvas",
    read,
    heads={IdKind.NUMBER: "sisuserid", IdKind.LOGIN: "sisloginid", IdKind.USER: "canvasuserid"},
    nobody=("pointspossible", "studenttest", "teststudent"),
    gradebook=Gradebook(
        r".+ \(\d+\)",
        ("ID", "SIS User ID", "SIS Login ID"),
        ("Student",),
        skips="Points Possible",
        feedback=lambda name: f"{name.rpartition('.')[0] or name}.html",  # called as the file that the user handed in
    ),
)
