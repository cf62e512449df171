"""The file that starts a program, and the files that belong to it: told by their contents.

Assembly is linked as MARS does with its setting “assemble all files in directory”, without files that the program does not
use. A file belongs to it if it defines a global name that the files before it use. A file that another one includes is part
of that one already. Classes, C sources without `main` and Python modules all belong to the one that starts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import PurePosixPath

from grader.machines.families import TRAITS
from grader.source import SourceFile
from grader.submission import SubmittedFile
from grader.values import dataclass

MOST_FILES = 100
"""If more files could be a program, none is looked at: a person does."""
_MOST_TEXT = 1 << 20

# A text without an end goes on to the end of its line: to look for another end from each quote would take the square of it.
_TEXTS = r"\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?"
_HASH_COMMENTS = re.compile(rf"(?P<text>{_TEXTS})|#[^\n]*")
_SLASH_COMMENTS = re.compile(rf"(?P<text>{_TEXTS})|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
# Bounded, since a file without a brace would be looked through again from each `main(`.
_DEFINES_MAIN = re.compile(r"\bmain\s*\([^;{}()]{0,200}\)\s*\{")
_JAVA_MAIN = re.compile(r"\bvoid\s+main\s*\(")
_PACKAGE = re.compile(r"(?m)^[ \t]*package[ \t]+([\w.]+)")
_RUNS_WHEN_STARTED = re.compile(r"(?m)^if[ \t]+__name__\b")
_DOES_SOMETHING = re.compile(
    r"(?m)^(?:(?:while|for|if|with|try|print|main)\b|(?!(?:def|class|import|from)\b)\w+(?:\.\w+)*[ \t]*\()"
)
# Nothing is given back: blanks without end behind a `from` took the square of their length.
_IMPORT = re.compile(r"(?m)^[ \t]*+(?:from[ \t]++([\w.]++)[ \t]++)?+import[ \t]++\(?([\w., \t]++)")

_LABEL = re.compile(r"(?m)^[ \t]*([A-Za-z_.$][\w.$]*)[ \t]*:")
_WORD = re.compile(r"[A-Za-z_.$][\w.$]*")
_GLOBAL = re.compile(r"(?m)\.(?:globl|global)\b([^\n]*)")
_EXTERN = re.compile(r"(?m)\.extern[ \t]+([A-Za-z_.$][\w.$]*)")
_INCLUDE = re.compile(r"(?m)\.include[ \t]+\"([^\"\n]+)\"")
_INSTRUCTION = re.compile(r"\$\w|\bsyscall\b")


@dataclass(frozen=True)
class Piece:
    """One file that may be a part of a program, read."""

    file: SubmittedFile
    source: SourceFile

    @classmethod
    def of(cls, file: SubmittedFile) -> Piece:
        """The file, read up to the largest size of a source."""
        return cls(file, SourceFile.from_bytes(file.path, file.data[:_MOST_TEXT]))

    @cached_property
    def slashed(self) -> str:
        """The text without comments and strings, as C and Java write them."""
        return _SLASH_COMMENTS.sub(" ", self.source.text)

    @property
    def defines_main(self) -> bool:
        """Whether a source has a ``main`` as C and C++ write it."""
        return _DEFINES_MAIN.search(self.slashed) is not None

    @cached_property
    def code(self) -> str:
        """The assembly without strings, which are no names."""
        return _HASH_COMMENTS.sub(" ", self.source.text)

    @cached_property
    def labels(self) -> frozenset[str]:
        """The labels that it defines."""
        return frozenset(_LABEL.findall(self.code))

    @cached_property
    def offered(self) -> frozenset[str]:
        """The names that it defines for other files."""
        named = {word for line in _GLOBAL.findall(self.code) for word in _WORD.findall(line)}
        return frozenset(named & self.labels) | frozenset(_EXTERN.findall(self.code))

    @cached_property
    def wanted(self) -> frozenset[str]:
        """The words that it does not define itself."""
        return frozenset(_WORD.findall(self.code)) - self.labels

    @cached_property
    def included(self) -> frozenset[str]:
        """The names of the files that it includes, without folders."""
        uncommented = _HASH_COMMENTS.sub(lambda comment: comment["text"] or "", self.source.text)
        written = _INCLUDE.findall(uncommented)
        return frozenset(PurePosixPath(path.replace("\\", "/")).name.casefold() for path in written)


def distinct(files: Sequence[SubmittedFile]) -> list[SubmittedFile]:
    """The files without copies, which are no programs of their own; line ends and blanks at them make no difference."""
    first: dict[str, SubmittedFile] = {}
    for file in files:
        first.setdefault("\n".join(line.rstrip() for line in Piece.of(file).source.lines).strip(), file)
    return list(first.values())


def starts_of(language: str, files: Sequence[SubmittedFile]) -> list[SubmittedFile]:
    """The files of one language that could start a program, in their order."""
    if language in TRAITS and not TRAITS[language].joins:  # such a program is one file
        return list(files)
    return [piece.file for piece in _STARTS.get(language, _linked_starts)([Piece.of(file) for file in files])]


def program_of(language: str, start: SubmittedFile, files: Sequence[SubmittedFile]) -> tuple[SubmittedFile, ...]:
    """The files that make up the program which this one starts: that one first, the others in their order."""
    if language not in TRAITS:
        return (start, *(file for file in files if file is not start))
    if not TRAITS[language].joins:
        return (start,)
    linked = _linked(Piece.of(start), _not_included([Piece.of(file) for file in files]))
    return tuple(piece.file for piece in linked)


def left_out(chosen: Sequence[SubmittedFile], files: Sequence[SubmittedFile]) -> list[SubmittedFile]:
    """The files that are no part of the program, neither chosen nor included by another."""
    own = _not_included([Piece.of(file) for file in files])
    return [piece.file for piece in own if piece.file not in chosen]


def _linked_starts(pieces: Sequence[Piece]) -> list[Piece]:
    """The files with a label ``main``; else those with instructions that no other one uses."""
    own = _not_included(pieces)
    # MARS begins there with the setting that those use who write several files.
    mains = [piece for piece in own if "main" in piece.labels]
    if mains:
        return mains
    running = [piece for piece in own if _INSTRUCTION.search(piece.code)]
    used = {other.file.path for piece in running for other in _linked(piece, own)[1:]}
    return [piece for piece in running if piece.file.path not in used]


def _not_included(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces without those that others include: these come with them, and are not assembled twice."""
    included = {name for piece in pieces for name in piece.included - {piece.file.name.casefold()}}
    return [piece for piece in pieces if piece.file.name.casefold() not in included] or list(pieces)


def _linked(start: Piece, pieces: Sequence[Piece]) -> list[Piece]:
    """The start with every piece that defines what it uses, and what those use, in the order of the pieces."""
    taken = {start.file.path}
    waiting = [start]
    while waiting:
        piece = waiting.pop()
        for other in pieces:
            if other.file.path not in taken and not piece.wanted.isdisjoint(other.offered):
                taken.add(other.file.path)
                waiting.append(other)
    return [start, *(p for p in pieces if p.file.path in taken and p.file.path != start.file.path)]


def _java_starts(pieces: Sequence[Piece]) -> list[Piece]:
    """The files with a ``main``, or those that define one class twice: both cannot be compiled together."""
    by_name: dict[tuple[str, str], list[Piece]] = {}
    for piece in pieces:
        package = _PACKAGE.search(piece.slashed)
        by_name.setdefault((package[1] if package else "", piece.file.name), []).append(piece)
    # An old copy beside the new one: javac refuses both as one class.
    twice = [piece for same in by_name.values() if len(same) > 1 for piece in same]
    return twice or [piece for piece in pieces if _JAVA_MAIN.search(piece.slashed)]


def _python_starts(pieces: Sequence[Piece]) -> list[Piece]:
    """The files that do something when they are run, without those that another imports."""
    named = (part for piece in pieces for match in _IMPORT.findall(piece.source.text) for part in match)
    imported = {word.rpartition(".")[2] for part in named for word in re.split(r"[\s,]+", part)}
    alone = [piece for piece in pieces if PurePosixPath(piece.file.name).stem not in imported]
    running = [piece for piece in alone if _DOES_SOMETHING.search(piece.source.text)]
    return [piece for piece in pieces if piece in running or _RUNS_WHEN_STARTED.search(piece.source.text)]


def _c_starts(pieces: Sequence[Piece]) -> list[Piece]:
    return [piece for piece in pieces if piece.defines_main]


_STARTS = {"c": _c_starts, "cpp": _c_starts, "java": _java_starts, "python": _python_starts}
