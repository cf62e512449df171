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
    made, ``programs`` the names of the sources that the spec asks for. ``read`` gives the first bytes of a file by its
    name, for data that a system wrote beside the submissions; empty if it cannot be read.
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
    """One submission of a download; ``notes`` are sentences on doubts."""

    origin: Origin
    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Download:
    """A listing, understood as a download.

    ``fitting`` are the names in the form of the ``system``; ``ignored`` are sentences on fitting names without a
    program.
    """

    system: str
    found: tuple[Found, ...]
    fitting: frozenset[str]
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gradebook:
    """The gradebook of a platform: a pattern for the heading of scores; headings of identifying columns, best first.

    A row whose first cell begins with ``skips`` is not a student's: it has the maximum of each column. Otherwise the
    heading of the scores or the column ``maximum`` may have it. If ``translated``, the headings may be in the course's
    language: then the first column identifies, and the scores stand before their maximum. ``feedback`` turns the
    platform's name of a submission into the name of a page in an archive of feedback, which tells the platform the
    owner.
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
    """A learning platform: ``name``, reader of its downloads, heads and rows of its rosters, and ``gradebook``.

    ``heads`` are heads of columns by the kind of their cells, in lower case without blanks; ``nobody`` are names of
    rows that are not students, written in the same way.
    """

    name: str
    read: Callable[[Listing], Download | None]
    heads: Mapping[str, str] = field(default_factory=dict)
    nobody: tuple[str, ...] = ()
    gradebook: Gradebook | None = None


def shared_start(names: Sequence[str], separator: str) -> str:
    """The name of the assignment: the beginning that all names share, up to its last ``separator``."""
    pairs = zip(min(names), max(names), strict=False)
    shared = "".join(char for char, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return shared[: shared.rfind(separator) + 1]
