"""A learning platform; and the names in an archive or a folder, with the submissions that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from itertools import takewhile

from grader.submission import Origin
from grader.values import dataclass


@dataclass(frozen=True)
class Listing:
    """The names of everything that lies side by side in an archive or a folder, without noise.

    ``names`` maps each to None for a file, and to the names within for a folder. ``repositories`` are the folders that git
    made, ``programs`` the names of the sources that the spec asks for. ``read`` gives the first bytes of a file by its name, for what a system wrote beside the submissions; nothing where it
    cannot be read.
    """

    names: Mapping[str, Collection[str] | None]
    repositories: frozenset[str] = frozenset()
    read: Callable[[str], bytes] = field(default=lambda _: b"", repr=False)
    programs: frozenset[str] = frozenset()

    @property
    def files(self) -> list[str]:
        """The names of files, in their order."""
        return sorted(name for name, within in self.names.items() if within is None)

    @property
    def folders(self) -> list[str]:
        """The names of folders, in their order."""
        return sorted(name for name, within in self.names.items() if within is not None)


@dataclass(frozen=True, slots=True)
class Part:
    """A file or folder of a listing that belongs to a submission, and the name under which the student handed it in.

    An empty ``name`` stands for a folder that the platform made: the student handed in its contents.
    """

    path: str
    name: str


@dataclass(frozen=True, slots=True)
class Found:
    """One submission of a download; ``notes`` are sentences on what is not sure of it."""

    origin: Origin
    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Download:
    """How a listing was understood.

    ``fitting`` are the names that are as the ``system`` writes them, ``ignored`` sentences on those of them that are no
    submission of a program.
    """

    system: str
    found: tuple[Found, ...]
    fitting: frozenset[str]
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gradebook:
    """The gradebook of one platform: a pattern for the heading of the column of scores, and headings of those that identify, the best first.

    ``skips`` is what the first cell of a row that is of nobody begins with. That row says the maximum of each column; else the heading of
    the scores may say it, or the column ``maximum``. Where ``translated`` the headings may be in the course's language: then the first column
    identifies, and the scores stand before their maximum. ``feedback`` makes of the name that a submission has there the name of a
    page in an archive of feedback, by which the platform knows whose it is.
    """

    score: str
    keys: tuple[str, ...]
    names: tuple[str, ...]
    skips: str = ""
    maximum: str = ""
    translated: bool = False
    feedback: Callable[[str], str] | None = None


@dataclass(frozen=True)
class Platform:
    """A learning platform by its ``name``: how a download of it is read, what is its own in rosters, and its gradebook.

    ``heads`` are heads of columns by what stands below them, each in lower case without blanks; ``nobody`` are names, written in the same way, of
    rows that are no students.
    """

    name: str
    read: Callable[[Listing], Download | None]
    heads: Mapping[str, str] = field(default_factory=dict)
    nobody: tuple[str, ...] = ()
    gradebook: Gradebook | None = None


def shared_start(names: Sequence[str], separator: str) -> str:
    """What all names begin with, up to the last ``separator`` in it, which is the name of the assignment."""
    pairs = zip(min(names), max(names), strict=False)
    shared = "".join(char for char, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return shared[: shared.rfind(separator) + 1]
