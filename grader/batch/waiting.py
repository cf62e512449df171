"""review.html: what could not be read or settled, which a person decides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from grader.batch.files import write
from grader.report import page

REVIEW_LIST = "review.html"
_IN_FULL = 100  # of what a person decides, told with their dialogues


class Waiting:
    """What a person decides, as grades come in one at a time: the weightiest are held whole, of the others their names."""

    def __init__(self) -> None:
        self._found: list[page.ForPerson] = []
        self._remarks: dict[str, page.ForPerson] = {}
        self._sorted = 0
        self._also: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)

    @property
    def number(self) -> int:
        """How many items the list has."""
        return len(self._found) + len(self._remarks)

    def add(self, items: Sequence[page.ForPerson]) -> None:
        """Take in those of one grade."""
        for one in items:
            if one.points:
                self._found.append(one)
            elif one.title in self._remarks:
                self._also[one.title].append((one.submission, one.name))
            else:
                self._remarks[one.title] = one
        if len(self._found) >= self._sorted + _IN_FULL:
            self._sort()

    def _sort(self) -> None:
        self._sorted = len(self._found)
        self._found.sort(key=lambda one: -one.points)
        self._found[_IN_FULL:] = [replace(one, cases=()) for one in self._found[_IN_FULL:]]

    def parts(self) -> tuple[list[page.ForPerson], list[page.ForPerson]]:
        """Those that are told in full, and the others."""
        self._sort()
        remarks = [replace(one, also=tuple(self._also[title])) for title, one in self._remarks.items()]
        return [*self._found[:_IN_FULL], *remarks], self._found[_IN_FULL:]


def write_waiting(path: Path, title: str, waiting: Waiting) -> None:
    """Write the list of what a person decides; where there is nothing there is none."""
    if waiting.number:
        write(path, [page.review_page(title, *waiting.parts())])
    else:
        path.unlink(missing_ok=True)
