"""Places of submissions: on disk, or inside an archive on disk. Only names are looked at."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path

from grader.errors import UsageError, refusals
from grader.intake.archive import DOWNLOAD, Allowance, Archive, UnreadableError, open_archive
from grader.intake.collect import list_folder
from grader.intake.course import start_of
from grader.intake.encoding import readable_names
from grader.intake.names import clean, is_archive, joined
from grader.intake.platforms.platform import Listing
from grader.submission import Form
from grader.values import dataclass

Tree = dict[str, "Tree | None"]  # None stands for a file

# Bytes of a file that a platform wrote, such as the metadata of Gradescope for a class.
_MOST_READ = 16 << 20


@dataclass(frozen=True)
class Place:
    """A place on disk, or inside an archive on disk; there ``tree`` holds the names below it."""

    name: str
    form: Form
    path: Path
    member: str = ""
    tree: Tree | None = field(default=None, repr=False)


def place_of(path: Path) -> Place:
    """The place that a path names. Raises UsageError when nothing is there that could be read."""
    # `grader batch .` has a path without a name.
    name = clean(readable_names([path.name or path.resolve().name])[0])
    with refusals("cannot be read ({})", path):
        mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        return Place(name, Form.FOLDER, path)
    if not stat.S_ISREG(mode):
        raise UsageError("is neither a file nor a folder", place=str(path))
    return Place(name, form_of_file(name), path)


def form_of_file(name: str) -> Form:
    """The form of a submission that is a file of this name."""
    return Form.ARCHIVE if is_archive(name) else Form.FILE


def on_disk(folder: Path, odd: Callable[[str], None]) -> tuple[Place, ...]:
    """The places in a folder on disk. Links and special files are left out; ``odd`` is called with their names."""
    places = []
    for name, entry in list_folder(folder):
        mode = entry.stat(follow_symlinks=False).st_mode
        if stat.S_ISDIR(mode):
            places.append(Place(name, Form.FOLDER, Path(entry.path)))
        elif stat.S_ISREG(mode):
            places.append(Place(name, form_of_file(name), Path(entry.path)))
        else:
            odd(name)
    return tuple(places)


def in_archive(place: Place, archive: Archive) -> tuple[Place, ...]:
    """The places at the top of an archive."""
    root: Tree = {}
    for path in archive.folders:
        _descend(root, path.split("/"))
    for member in archive.members:
        *parents, name = member.path.split("/")
        _descend(root, parents).setdefault(name, None)
    return in_tree(place, root)


def _descend(tree: Tree, parts: Sequence[str]) -> Tree:
    for part in parts:
        below = tree.get(part)
        if below is None:
            below = tree[part] = {}
        tree = below
    return tree


def in_tree(place: Place, tree: Mapping[str, Tree | None]) -> tuple[Place, ...]:
    """The places in a folder of an archive."""
    places = []
    for name, below in sorted(tree.items()):
        form = form_of_file(name) if below is None else Form.FOLDER
        places.append(Place(name, form, place.path, joined(place.member, name), below))
    return tuple(places)


@contextmanager
def listing(places: Sequence[Place], programs: frozenset[str]) -> Iterator[Listing]:
    """The names of places that lie side by side, as platforms see them; the names in an archive are one listing.

    ``programs`` are the names of the sources that the spec asks for.
    """
    by_name = {place.name: place for place in places}
    names = {place.name: _within(place) for place in places}
    loose = [place for place in places if place.form is Form.FOLDER and not place.member]
    repositories = frozenset(place.name for place in loose if os.path.lexists(place.path / ".git"))
    inside = next((place.path for place in places if place.member), None)
    if inside is None:
        yield Listing(names, repositories, lambda name: start_of(by_name[name].path, _MOST_READ), programs)
        return
    with open_archive(inside, DOWNLOAD) as archive:

        def read(name: str) -> bytes:
            member = archive.by_path.get(by_name[name].member)
            try:
                return archive.read(member, Allowance(DOWNLOAD)) if member else b""
            except UnreadableError:
                return b""

        yield Listing(names, repositories, read, programs)


def _within(place: Place) -> Sequence[str] | None:
    if place.form is not Form.FOLDER:
        return None
    if place.tree is not None:
        return tuple(place.tree)
    try:
        return tuple(name for name, _ in list_folder(place.path))
    except OSError:
        return ()
