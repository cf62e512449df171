"""The page of pairs that are alike: both sources side by side, with the lines that both share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from grader.report.page import render
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Program:
    """One submission: who handed it in, their number, and the files of the program by name and text.

    In a pair ``lines`` are those, each with the number of its file, that the other program has as well.
    """

    submission: str
    name: str
    student_id: str
    language: str
    sources: tuple[tuple[str, str], ...]
    lines: frozenset[tuple[int, int]] = frozenset()

    def files(self) -> Iterator[tuple[str, list[tuple[bool, str, str]]]]:
        """Each file by its name, in pieces: whether both share it, the numbers of its lines, and the lines."""
        for file, (name, text) in enumerate(self.sources):
            lines = list(enumerate(text.expandtabs(8).splitlines(), 1))
            pieces = []
            for shared, group in groupby(lines, lambda line: (file, line[0]) in self.lines):  # noqa: B023  used at once
                held = list(group)
                numbers = "\n".join(str(number) for number, _ in held)
                pieces.append((shared, numbers, "\n".join(line for _, line in held)))
            yield name, pieces


@dataclass(frozen=True, slots=True)
class Pair:
    """Two that are alike, and how much of the shorter one the other has."""

    first: Program
    second: Program
    alike: float

    @property
    def percent(self) -> int:
        """The same as the page shows it."""
        return round(100 * self.alike)


def pairs_page(title: str, pairs: Sequence[Pair]) -> str:
    """The page, for staff. It has no verdict: what it means that two are alike only a person can tell."""
    return render("pairs.html", title=title, pairs=pairs)
