"""review.html: what could not be read or settled, which a person decides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from grader.batch.files import write
from grader.report import page

REVIEW_LIST = "review.html"
_IN_FULL = 100  # of what a person decides, told with their dialogues
_Same = tuple[str, str, tuple[str, ...]]  # what an item concerns, its title, and the codes of its findings


class Waiting:
    """What a person decides, as grades come in one at a time: the weightiest are held whole, of the others their names."""

    def __init__(self) -> None:
        self._found: list[page.ForPerson] = []
        self._remarks: dict[_Same, page.ForPerson] = {}
        self._sorted = 0
        self._also: defaultdict[_Same, list[tuple[str, str]]] = defaultdict(list)

    @property
    def number(self) -> int:
        """How many items the list has."""
        return len(self._found) + len(self._remarks)

    def leave_out(self, concerns: Collection[str]) -> None:
        """Drop what is told of the class as a whole."""
        self._remarks = {key: one for key, one in self._remarks.items() if not one.about or one.about not in concerns}

    def add(self, items: Sequence[page.ForPerson]) -> None:
        """Take in those of one grade."""
        for one in items:
            key = _same(one)
            if one.points:
                self._found.append(one)
            elif key in self._remarks:
                self._also[key].append((one.submission, one.name))
            else:
                self._remarks[key] = one
        if len(self._found) >= self._sorted + _IN_FULL:
            self._sort()

    def _sort(self) -> None:
        self._sorted = len(self._found)
        self._found.sort(key=lambda one: -one.points)
        self._found[_IN_FULL:] = [replace(one, cases=()) for one in self._found[_IN_FULL:]]

    def parts(self) -> tuple[list[page.ForPerson], list[page.ForPerson]]:
        """Those that are told in full, and the others."""
        self._sort()
        remarks = [replace(one, also=tuple(self._also[key])) for key, one in self._remarks.items()]
        return [*self._found[:_IN_FULL], *remarks], self._found[_IN_FULL:]


def _same(one: page.ForPerson) -> _Same:
    """What two items share that are told as one: a report that is missing is another item than one that cannot be opened."""
    return one.about, one.title, tuple(finding.code for told in one.cases for finding in told.case.findings)


def write_waiting(path: Path, title: str, waiting: Waiting, of_class: page.OfClass) -> None:
    """Write the list of what a person decides; where there is nothing there is none."""
    if waiting.number or of_class.most or of_class.zeros:
        write(path, [page.review_page(title, *waiting.parts(), of_class)])
    else:
        path.unlink(missing_ok=True)
