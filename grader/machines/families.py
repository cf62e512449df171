"""The machines by the language that is written for them: how to assemble, how to run, which editions there are.

What reads an LC-3 program and what reads a MIPS program is chosen here and nowhere above. A family is imported when it
is asked for: a grader of one need not wait for the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Protocol

from grader.machines.assembler import Statement
from grader.machines.computer import Computer
from grader.machines.image import Assembly, Image
from grader.machines.listing import Notation
from grader.source import SourceFile
from grader.values import dataclass

PROFILES_OF: Mapping[str, tuple[str, ...]] = {
    "lc3": ("default", "lc3tools", "lc3tools-ignore-privilege", "classic"),
    "mips": ("mars", "spim", "mipsy"),
}
"""The profiles of each language, the usual one first; a test holds them to what the machines have."""

DIALECTS_OF: Mapping[str, tuple[str, ...]] = {
    "lc3": ("default", "lc3tools", "lc3as"),
    "mips": ("mars", "spim", "mipsy"),
}
"""The dialects of each language's assembler, the usual one first; held to the assemblers by the same test."""

_SIGNS = {
    "lc3": re.compile(
        r"(?mi)^[^;#\"\n]*?(?:\.(?:orig|fill|blkw|stringz)\b|\b(?:trap|puts|getc|lea|jsr|brn?z?p?)\b|\br[0-7]\b)"
    ),
    "mips": re.compile(
        r"(?mi)^[^;#\"\n]*?(?:\.(?:data|text|globl|asciiz|word|space|macro|eqv)\b|\bsyscall\b|\$[a-z0-9]+)"
    ),
}

_FEWEST_SIGNS = 5


Files = Mapping[str, SourceFile]
More = Sequence[SourceFile]


class Assembler(Protocol):
    """Assembles ``source``, and ``more`` files after it, into one program.

    ``files`` are what the sources may include, by their paths. ``entry`` is where the program begins: ``first``, at its
    first instruction, ``main``, at its label of that name, or the empty string for what is usual in the dialect.
    """

    def __call__(self, source: SourceFile, dialect: str, files: Files, more: More = (), entry: str = "") -> Assembly:
        """An image, or all diagnostics. Raises UsageError for ``entry`` where there is no such choice."""


@dataclass(frozen=True, slots=True)
class Start:
    """How a machine begins: the edition, limits, contents, and what is kept.

    ``bare`` leaves out what the machine itself prints at an end: it is no output of the program. ``entry`` is where the
    program begins, of a machine with that choice: ``first``, its first instruction, or ``main``, its label of that name
    where it has one; the empty string is as it was assembled. ``called`` says that its routines are called one by one: they
    return to an address that no program has. ``files`` are what the file calls of a MIPS program find,
    ``arguments`` what its ``main`` is called with,
    and ``random_seed`` begins the generators that it does not seed, where ``seed`` is None.
    """

    profile: str
    budget: int
    output_limit: int
    seed: int | None = None
    observe: bool = False
    bare: bool = False
    entry: str = ""
    called: bool = False
    files: Mapping[str, bytes] = field(default_factory=dict)
    random_seed: int = 0
    arguments: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Family:
    """One language: its assembler, machine, and how it writes and calls things.

    ``assemble`` and ``machine(image, start)`` make what their names say; ``statements`` reads a source for checks on it.
    ``notation`` is how listings write its numbers. ``operations`` are its mnemonics and directives; ``registers`` are the
    names of the general registers by number, ``kept`` the numbers of those that a subroutine is to keep, ``stack`` is the
    stack pointer's. ``address`` writes an address as its people write it. ``drops_off`` says that running off the end is a
    normal end, ``includes`` that a source can include others.
    """

    language: str
    dialects: tuple[str, ...]
    assemble: Assembler
    machine: Callable[[Image, Start], Computer]
    statements: Callable[[SourceFile], tuple[Statement, ...]]
    notation: Notation
    operations: frozenset[str]
    registers: tuple[str, ...]
    kept: tuple[int, ...]
    stack: int
    address: Callable[[int], str]
    drops_off: bool = False
    includes: bool = False

    def dialect_of(self, profile: str) -> str:
        """The dialect that programs for a profile are written in: the one of its name, or the usual one."""
        return profile if profile in self.dialects else self.dialects[0]


def language_of(source: SourceFile) -> str:
    """The language that a source looks like, by what its lines hold; LC-3 where nothing speaks for either."""
    return max(_SIGNS, key=lambda language: len(_SIGNS[language].findall(source.text)))


def reads_as(language: str, source: SourceFile) -> bool:
    """Whether a file of any name reads like a program in this language: several of its lines speak for it."""
    return len(_SIGNS[language].findall(source.text)) >= _FEWEST_SIGNS and language_of(source) == language


def language_with(profile: str) -> str | None:
    """The language that has a profile of this name, or None."""
    return next((language for language, names in PROFILES_OF.items() if profile in names), None)


def family(language: str) -> Family:
    """The family of a language: ``lc3`` or ``mips``. Raises KeyError for another."""
    makers = {"lc3": _lc3, "mips": _mips}
    return makers[language]()


def _lc3() -> Family:
    from grader.machines.lc3.assembler import assemble, statements
    from grader.machines.lc3.dialect import DIALECTS, OPERATIONS
    from grader.machines.lc3.machine import COMPARED, STACK, Machine
    from grader.machines.lc3.profiles import PROFILES

    def machine(image: Image, start: Start) -> Computer:
        edition = PROFILES[start.profile]
        edition = replace(edition, farewell=b"", faults={}) if start.bare else edition
        return Machine(
            image, edition, seed=start.seed, budget=start.budget, output_limit=start.output_limit, observe=start.observe
        )

    return Family(
        language="lc3",
        dialects=tuple(DIALECTS),
        assemble=assemble,
        machine=machine,
        statements=statements,
        notation=Notation(digits=4, step=1),
        operations=frozenset(OPERATIONS),
        registers=tuple(f"R{number}" for number in range(8)),
        kept=COMPARED,
        stack=STACK,
        address=lambda address: f"x{address:04X}",
    )


def _mips() -> Family:
    from grader.machines.mips.assembler import assemble
    from grader.machines.mips.dialect import DIALECTS, MARS_DIRECTIVES
    from grader.machines.mips.isa import REGISTER_NAMES
    from grader.machines.mips.kinds import CALLER
    from grader.machines.mips.lines import statements
    from grader.machines.mips.machine import KEPT, Machine
    from grader.machines.mips.profiles import PROFILES

    def machine(image: Image, start: Start) -> Computer:
        edition = PROFILES[start.profile]
        edition = replace(edition, return_address=CALLER) if start.called else edition
        return Machine(
            replace(image, entry=image.entries.get(start.entry, image.entry)), edition, seed=start.seed,
            budget=start.budget, output_limit=start.output_limit, observe=start.observe,
            random_seed=start.random_seed, files=start.files, arguments=start.arguments,
        )  # fmt: skip

    return Family(
        language="mips",
        dialects=tuple(DIALECTS),
        assemble=assemble,
        machine=machine,
        statements=statements,
        notation=Notation(digits=8, step=4),
        operations=frozenset((*DIALECTS["mars"].forms.by_name, *MARS_DIRECTIVES)),
        registers=tuple(REGISTER_NAMES),
        kept=KEPT,
        stack=29,
        address=lambda address: f"0x{address:08x}",
        drops_off=True,
        includes=True,
    )
