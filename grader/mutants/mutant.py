"""A mutant: one change of one file of a right program."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from grader.source import SourceFile
from grader.submission import Submission, SubmittedFile
from grader.values import dataclass

T = TypeVar("T")

# Maximum characters of a changed stretch that the name of a mutant shows.
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a text: the characters from ``start`` up to ``end`` become ``text``, by a ``rule``.

    The offsets count in the text whose lines end with LF.
    """

    rule: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one file of a program; ``before`` is the stretch that changes, ``line`` and ``column`` its place from 1."""

    program: str
    file: str
    line: int
    column: int
    before: str
    edit: Edit

    @property
    def name(self) -> str:
        """The mutant in one line: ``stack-in-r6/nim.asm:57:9 condition: BRz → BRp``."""
        place = f"{self.program}/{self.file}:{self.line}:{self.column}"
        return f"{place} {self.edit.rule}: {_shown(self.before)} → {_shown(self.edit.text)}"

    def made_of(self, submission: Submission) -> Submission:
        """The submission with this change, in the encoding of its file."""
        original = next(file for file in submission.files if file.path == self.file)
        source = SourceFile.from_bytes(original.path, original.data)
        text = "\n".join(source.lines)
        changed = text[: self.edit.start] + self.edit.text + text[self.edit.end :]
        mutated = SubmittedFile(original.path, changed.encode(source.encoding, "replace"))
        return replace(submission, files=tuple(mutated if one is original else one for one in submission.files))


def mutant(program: str, source: SourceFile, edit: Edit) -> Mutant:
    """The mutant that an edit of a source makes."""
    text = "\n".join(source.lines)
    line = text.count("\n", 0, edit.start) + 1
    column = edit.start - (text.rfind("\n", 0, edit.start) + 1) + 1
    return Mutant(program, source.name, line, column, text[edit.start : edit.end], edit)


def by_lot(items: Sequence[T], seed: str) -> list[T]:
    """The items in an order that only the seed and their own text decide: the same on every machine."""
    # `shuffle` may draw another order in another version of Python.
    return sorted(items, key=lambda item: hashlib.sha256(f"{seed}\0{item}".encode("utf-8", "replace")).digest())


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return (line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…") or "nothing"
