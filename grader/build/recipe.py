"""Files to build and ways to build them: those of one program, and a recipe for each language that runs on this computer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path, PurePosixPath

from grader.build import sanitizer
from grader.build.built import Built, findings_of, rendered
from grader.build.chosen import HEADERS, SUFFIXES, Chosen
from grader.build.tool import Product
from grader.build.workshop import Workshop
from grader.results import Verdict
from grader.sessions.native import Explain
from grader.source import Diagnostic, Severity, SourceFile
from grader.spec.kinds.tests import UnitTests
from grader.spec.model import Spec
from grader.submission import Submission, SubmittedFile
from grader.values import dataclass

AFTER_ALL = ("-idirafter", ".")
"""Headers of the course are found in ``<>`` as well; those of the system that have the same name go before them."""

SOURCE_LIMIT = 1 << 20
BESIDE_LIMIT = 16 << 20
"""How many bytes of other files are put beside the sources."""
BESIDE_FILES = 1000
"""How many of them, with their folders: a cage holds only so many."""
_SHOWN_NAME = 60
# A hundred Chinese letters are 300 bytes, and one such name was a fault of ours.
_LONGEST_NAME = 255  # bytes, for a file system; elsewhere they are letters, and an archive has no limit


@dataclass(frozen=True, slots=True)
class Task:
    """One program to be built: what was chosen of the submission, and what the course hands out (``support``).

    ``tests`` are the files of its tests, by their paths in the spec. ``aside`` gives sources another name to be compiled by, since
    their ``main`` must not be one.
    """

    spec: Spec
    support: tuple[SubmittedFile, ...]
    submission: Submission
    chosen: Chosen
    sources: tuple[SourceFile, ...]
    workshop: Workshop
    tests: Mapping[str, SubmittedFile] = field(default_factory=dict)
    aside: Mapping[str, str] = field(default_factory=dict)

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags of the spec for the compiler of this language."""
        flags = self.spec.program.flags.get(self.chosen.language, ())
        compiled = self.chosen.language in ("c", "cpp")
        headers = compiled and any(file.path.casefold().endswith(HEADERS) for file in self.support)
        checked = sanitizer.FLAGS if self.spec.program.sanitize else ()
        return (*flags, *(AFTER_ALL if headers else ()), *checked)

    @property
    def names(self) -> tuple[str, ...]:
        """The files to compile, the main one first, those of the course last."""
        suffixes = SUFFIXES[self.chosen.language]
        given = (f.path for f in self.support if PurePosixPath(f.path).suffix.casefold() in suffixes)
        return (*(self.aside.get(source.name, source.name) for source in self.sources), *given)

    @property
    def texts(self) -> Mapping[str, SourceFile]:
        """Files that a compiler may complain of, by name: the student's sources, and the files of the course."""
        given = {f.path: SourceFile.from_bytes(f.path, f.data) for f in self.support if not f.path.endswith(".jar")}
        return {**given, **{source.name: source for source in self.sources}}

    @property
    def files(self) -> Mapping[str, bytes]:
        """Everything that is put into the folder: sources as UTF-8, whatever they were handed in as."""
        # Students’ editors write UTF-16, Latin-1 and marks, which no compiler reads alike.
        texts = {source.name: source.text.encode("utf-8", "surrogateescape") for source in self.sources}
        ours = {name: content.data for name, content in self.spec.program.files.items()}
        # The student's source without its `main`, which the student wrote to try it: the tests have one.
        put_aside = '#define main grader_main_put_aside\n#include "{}"\n#undef main\n'
        wrapped = {new: put_aside.format(name).encode("utf-8", "surrogateescape") for name, new in self.aside.items()}
        return {**self._beside(), **ours, **{file.path: file.data for file in self.support}, **texts, **wrapped}

    def _beside(self) -> dict[str, bytes]:
        """The other files that were handed in, as far as there is room: a program may include or read them.

        Names that no file system holds are left out: a name that is too long, or a file and a folder that share a name.
        """
        ours = [*(file.path for file in (*self.support, *self.chosen.files)), *self.spec.program.files]
        others = [file for file in self.submission.files if file not in self.chosen.files and _can_be(file.path)]
        names = set(ours)
        folders = {above for path in (*(file.path for file in others), *ours) for above in _folders(path)}
        room, taken = BESIDE_LIMIT, set[str]()
        files: dict[str, bytes] = {}
        for file in others:
            more = {file.path, *_folders(file.path)} - taken
            # Submissions had 900 files, names of a hundred Chinese letters, and a file that was a folder too: each
            # broke a cage.
            fits = len(file.data) <= room and len(taken) + len(more) <= BESIDE_FILES
            if fits and file.path not in folders and not names & more:
                room -= len(file.data)
                taken |= more
                files[file.path] = file.data
        return files

    def ingredients(self, *words: str) -> list[str | bytes]:
        """All that the product depends on: these words, the flags, the names, and the contents of all files."""
        contents = (part for file in sorted(self.files.items()) for part in file)
        return [self.chosen.language, *words, *self.flags, "--", *self.names, "--", *contents]

    def built(self, diagnostics: tuple[Diagnostic, ...], tools: str = "", review: Iterable[str] = ()) -> Built:
        """The facts about any attempt to build; there are no programs in it yet."""
        wrong = any(d.severity is Severity.ERROR for d in diagnostics)
        return Built(
            Verdict.COMPILE_ERROR if wrong else Verdict.ACCEPTED,
            self.chosen.language,
            (*findings_of(diagnostics), *self.chosen.findings),
            self.sources,
            diagnostics=rendered(diagnostics),
            review=(*self.chosen.review, *review),
            tools=tools,
            sandbox=str(self.workshop.tier),
        )

    def too_large(self) -> Iterator[Diagnostic]:
        """A complaint about each source that is over the limit, or has a name that no file system takes."""
        for file in self.chosen.files:
            if len(file.data) > SOURCE_LIMIT:
                message = f"{file.path} has {len(file.data):,} bytes; a source has at most {SOURCE_LIMIT:,}"
                yield Diagnostic(Severity.ERROR, "too-large", message, None, "hand in the source alone")
        for file in self.chosen.files:
            if not _can_be(file.path):
                shown = file.path[:_SHOWN_NAME]
                message = f"{shown}… has a name of more than {_LONGEST_NAME} bytes, which no system allows"
                yield Diagnostic(Severity.ERROR, "too-long", message, None, "give it a shorter name")


def _folders(path: str) -> list[str]:
    return [str(above) for above in PurePosixPath(path).parents][:-1]


def _can_be(path: str) -> bool:
    return all(len(name.encode("utf-8", "surrogateescape")) <= _LONGEST_NAME for name in path.split("/"))


@dataclass(frozen=True, slots=True)
class Recipe:
    """One language.

    ``name`` changes when what ``make`` does changes; ``version(workshop)`` is that of the tool.
    ``make(task, tests)`` builds the sources of a task, along with tests of the course where there are some. ``read(product, texts)``
    are the tool's messages with their places in ``texts``, which are named as they were compiled.
    ``readable()`` is what the cage of a program must show; it raises JudgeError where the language is not installed.
    ``command(main)`` starts the program whose main source is ``main``, ``explain`` knows the language's own endings.
    ``notes`` is the file of the program, where it can note the lines at which it breaks (``build.notes``); empty elsewhere.
    """

    name: str
    version: Callable[[Workshop], str]
    make: Callable[[Task, UnitTests | None], Product]
    read: Callable[[Product, Mapping[str, SourceFile]], tuple[Diagnostic, ...]]
    readable: Callable[[], tuple[Path, ...]] = tuple
    environment: Mapping[str, str] = field(default_factory=dict)
    command: Callable[[str], tuple[str, ...]] = lambda _: ()
    explain: Explain | None = None
    notes: str = ""

    def explains(self, task: Task) -> Explain | None:
        """The function that words the endings of a task's program."""
        return sanitizer.explains(task.sources, self.explain) if task.spec.program.sanitize else self.explain
