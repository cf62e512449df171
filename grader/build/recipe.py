"""How programs in one language are made and started: one value for each language that needs no machine of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path

from grader.build.product import Product
from grader.build.workshop import Workshop
from grader.sandbox import Cage
from grader.sessions.native import Explain
from grader.source import Diagnostic, SourceFile
from grader.values import dataclass

Files = Mapping[str, bytes]
Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recipe:
    """One language.

    ``version`` is the command that asks the tool for its version; ``name`` changes when what ``make`` does changes.
    ``ours(cage, flags)`` makes what is linked into every program; None where there is no such thing.
    ``make(cage, files, sources, flags)`` builds ``sources``, which are names among ``files``; ``check`` only looks
    whether they can be, where they are no program by themselves. ``read(product, sources)``
    are the tool's messages with their places. ``command(main)`` starts the program whose main source is ``main``.
    ``readable`` is what its cage must show, ``explain`` knows the language's own endings.
    ``notes`` is the file of the program, where it can note the lines at which it breaks (``build.notes``); empty elsewhere.
    """

    name: str
    version: tuple[str, ...]
    make: Callable[[Cage, Files, Names, Names], Product]
    check: Callable[[Cage, Files, Names, Names], Product]
    read: Callable[[Product, Mapping[str, SourceFile]], tuple[Diagnostic, ...]]
    command: Callable[[str], tuple[str, ...]]
    environment: Mapping[str, str] = field(default_factory=dict)
    readable: tuple[Path, ...] = ()
    explain: Explain | None = None
    notes: str = ""
    ours: Callable[[Cage, Names], Product] | None = None

    def program(self, workshop: Workshop, files: Files, sources: Names, flags: Names) -> Product:
        """The program of these files, and what the compiler said; what is linked into every program is made once for these flags.

        Raises JudgeError when a tool of ours fails.
        """
        ours = self._ours(workshop, flags)
        with workshop.cage(self.readable) as cage:
            return self.make(cage, {**files, **ours}, sources, flags)

    def _ours(self, workshop: Workshop, flags: Names) -> Files:
        make = self.ours
        if make is None:
            return {}

        def made() -> Product:
            with workshop.cage(self.readable) as cage:
                return make(cage, flags)

        words = ("ours", self.name, workshop.version(self.version, self.readable), *flags)
        return workshop.product((word.encode("utf-8", "surrogateescape") for word in words), made).files
