"""junit.xml of a batch, and what follows it where that would be too large to be read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Self, TextIO

from grader.batch.files import clean, write, written
from grader.batch.pages import Told
from grader.report import junit
from grader.spec.loader import Assignment

_BODY = ".body.part"
_PIECE = 1 << 20


class JUnit:
    """junit.xml and what follows it: suites are put aside as they come, since a document begins with its totals."""

    def __init__(self, out: Path, assignment: Assignment) -> None:
        self._out = out
        self._assignment = assignment.id
        self._fit = junit.submissions_in(len(assignment.spec.cases))
        self._counts: list[junit.Counts] = []
        self._written = 0
        self._stack = ExitStack()
        self._body: TextIO | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
        for body in self._out.glob(f"junit*{_BODY}"):
            body.unlink()

    def _path(self, number: int) -> Path:
        return self._out / f"junit{f'-{number + 1}' if number else ''}.xml"

    def add(self, number: int, one: Told) -> None:
        """Put the suite of a submission aside, as long as it may be after what is before it."""
        if number % self._fit == 0:
            self._stack.close()
            place = self._path(len(self._counts)).with_suffix(_BODY)
            with written(place):
                self._body = self._stack.enter_context(place.open("w", encoding="utf-8", newline=""))
            self._counts.append(junit.Counts())
            self._written = 0
        text = one.suites[junit.LIMITS.index(junit.limit(self._written))]
        self._written += len(text.encode())
        if self._body is not None:
            with written(self._path(len(self._counts) - 1)):
                self._body.write(text)
        held, more = self._counts[-1], one.counts
        self._counts[-1] = junit.Counts(
            held.tests + more.tests, held.failures + more.failures, held.errors + more.errors
        )

    def finish(self) -> None:
        """Write the documents, and remove those of a larger class."""
        with written(self._out):
            self._stack.close()
        for number, counts in enumerate(self._counts):
            write(self._path(number), self._document(number, counts))
        clean(self._out, "junit*.xml", {self._path(number).name for number in range(len(self._counts))})

    def _document(self, number: int, counts: junit.Counts) -> Iterator[str]:
        yield junit.head(self._assignment, counts)
        with self._path(number).with_suffix(_BODY).open(encoding="utf-8", newline="") as body:
            while text := body.read(_PIECE):
                yield text
        yield junit.TAIL
