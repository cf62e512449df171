"""The machines by the language that is written for them: how to assemble, how to run, which editions there are.

Only this module chooses the reader of an LC-3 or MIPS program. A family is imported when it
is asked for: a grader of one need not wait for the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Protocol

from grader.values import dataclass

if TYPE_CHECKING:  # a spec is read before any machine is imported
    from grader.machines.assembler import Statement
    from grader.machines.computer import Computer
    from grader.machines.image import Assembly, Image
    from grader.machines.listing import Notation
    from grader.machines.observe import Call
    from grader.source import Diagnostic, SourceFile


@dataclass(frozen=True, slots=True)
class Traits:
    """One language, as far as it is known without its machine: a spec is read, and a file chosen, before any is imported.

    ``called`` is what people call a program. ``profiles`` and ``dialects`` stand with the usual one first; a test holds them
    to what the machine has. ``suffixes`` end the names of sources, and ``signs`` finds lines that speak for the language.
    ``comment`` begins a comment, and ``register`` is what looks like a register. ``leads`` matches operations after which
    another instruction than the next may run. ``operations`` are all operations, of a language in which any other word is a label.

    Words have ``bits`` bits, in ``cells`` addresses, and each address holds a ``unit``. ``conventions`` are ways to pass
    arguments, the usual one first. ``first`` is the number of the register for the first argument, and ``result`` that for
    the result. ``link`` names the register of return addresses, and ``returns`` says how a routine ends.
    ``zeroed`` says that memory starts as zeros, on which programs may count. ``idle`` are four templates: what a program
    begins with, a routine that only returns, room below a label, and what a program ends with. ``main`` is the label that a
    program begins at.

    ``code`` ends the names of files with machine code, in the languages for which it is read. ``joins``: several files make a program. ``folder``: programs are given files, arguments, a start and a seed. Under the
    profiles ``bare`` they get no arguments. ``echoes``: a program reads keys, and prints them by itself. ``paints``: the machine has a bitmap display. ``call_room`` is free memory beside
    any program: where the things of a call go, its stack pointer, and the address that it returns to. ``run_room`` is free
    beside most programs. Without these the grader looks for room.
    """

    called: str
    profiles: tuple[str, ...]
    dialects: tuple[str, ...]
    suffixes: tuple[str, ...]
    signs: re.Pattern[str]
    comment: str
    register: re.Pattern[str]
    bits: int
    cells: int
    unit: str
    conventions: tuple[str, ...]
    first: int
    result: int
    link: str
    returns: str
    idle: tuple[str, str, str, str]
    leads: re.Pattern[str]
    operations: re.Pattern[str] | None = None
    main: str = ""
    zeroed: bool = False
    code: tuple[str, ...] = ()
    joins: bool = False
    folder: bool = False
    bare: tuple[str, ...] = ()
    echoes: bool = False
    paints: bool = False
    call_room: tuple[range, int, int] | None = None
    run_room: range | None = None


TRAITS: Mapping[str, Traits] = {
    # .EXTERNAL is unknown to the common assemblers of the LC-3, and none of them links files: a program is one file.
    "lc3": Traits(
        called="an LC-3 program",
        profiles=("default", "lc3tools", "lc3tools-ignore-privilege", "classic"),
        dialects=("default", "lc3tools", "lc3as"),
        suffixes=(".asm",),
        code=(".bin", ".hex", ".obj"),
        signs=re.compile(
            r"(?mi)^[^;#\"\n]*?(?:\.(?:orig|fill|blkw|stringz)\b|\b(?:trap|puts|getc|lea|jsr|brn?z?p?)\b|\br[0-7]\b)"
        ),
        comment=";",
        register=re.compile(r"[Rr][0-9]+"),
        bits=16,
        cells=1,
        unit="word",
        conventions=("registers", "lc3-frame"),
        first=0,
        result=0,  # where the traps of the LC-3 give theirs
        link="R7",
        returns="End the routine with RET.",
        idle=(".ORIG x3000", "{} RET", "{} .BLKW 32", ".END"),
        echoes=True,
        leads=re.compile(r"br[nzp]*|jmp|jsrr?|ret|rti|trap|getc|out|puts|in|putsp|halt"),
        operations=re.compile(
            r"(?i)br[nzp]{0,3}|add|and|not|ldi?|ldr|lea|sti?|str|jmp|jsrr?|ret|rti|trap|getc|out|puts|in|putsp|halt|\.\w+"
        ),
    ),
    "mips": Traits(
        called="a MIPS program",
        profiles=("mars", "spim", "mipsy"),
        dialects=("mars", "spim", "mipsy"),
        suffixes=(".asm", ".s"),
        signs=re.compile(
            r"(?mi)^[^;#\"\n]*?(?:\.(?:data|text|globl|asciiz|word|space|macro|eqv)\b|\bsyscall\b|\$[a-z0-9]+)"
        ),
        comment="#",
        register=re.compile(r"\$\w+"),
        bits=32,
        cells=4,
        unit="byte",
        conventions=("o32", "registers"),
        first=4,
        result=2,
        link="$ra",
        returns="End the routine with jr $ra.",
        leads=re.compile(r"b\w*|j\w*|syscall|eret|t(eq|ne|ge|lt)\w*"),
        idle=(".text", "{}: jr $ra", ".data\n{}: .space 128", ""),
        main="main",
        zeroed=True,
        joins=True,  # as MARS links them with its setting to assemble all files in a folder
        folder=True,
        bare=("mipsy",),
        paints=True,
        # Blocks lie below the top of the stack that MARS sets, and the stack of the call below them; the return leads to
        # the word before all code.
        call_room=(range(0x7FFF_8000, 0x7FFF_F000), 0x7FFF_7F00, 0x003F_FFFC),
        # Behind the first 32 KiB of the data segment, which programs of beginners do not fill.
        run_room=range(0x1001_8000, 0x1001_F000),
    ),
}
"""The languages that a machine is for. To add one: its row here, a maker in ``_MAKERS``, and its folder."""

# One line that reads like assembly proves nothing: prose names registers and traps as well.
_FEWEST_SIGNS = 5


class Assembler(Protocol):
    """Assembles ``source``, and ``more`` files after it, into one program.

    ``files`` are what the sources may include, by their paths. ``entry`` is the start of the program: ``first`` is
    its first instruction, ``main`` its label of that name, and the empty string the usual start of the dialect.
    """

    def __call__(
        self,
        source: SourceFile,
        dialect: str,
        files: Mapping[str, SourceFile],
        more: Sequence[SourceFile] = (),
        entry: str = "",
    ) -> Assembly:
        """An image, or all diagnostics. Raises UsageError for ``entry`` where there is no such choice."""


@dataclass(frozen=True, slots=True)
class Start:
    """How a machine begins: the edition, limits, contents, and what is kept.

    - ``bare``: leave out the text that the machine itself prints at an end, since it is no output of the program.
    - ``entry``: the start of the program, on a machine with that choice. ``first`` is the first instruction, ``main`` the
      label of that name if there is one, and the empty string the choice made at assembly.
    - ``called``: routines are called one by one, and return to an address that no program has.
    - ``files``: the files that the file calls of a MIPS program find.
    - ``arguments``: the arguments of its ``main``.
    - ``random_seed``: the seed of generators that the program does not seed, if ``seed`` is None.
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


Reading = tuple["SourceFile", "tuple[Diagnostic, ...]"]
"""A file as text, and what is to be said of it."""


@dataclass(frozen=True, slots=True)
class Family:
    """One language with its machine: its traits, its assembler, and how it is written.

    ``assemble`` and ``machine(image, start)`` make what their names say; ``statements`` reads a source for checks on it.
    ``disassembled`` makes assembly text of a file of machine code, where the language has such files.
    ``notation`` is how listings write its numbers. ``operations`` are its mnemonics and directives. ``registers`` are the
    names of the general registers by number, ``kept`` the numbers of those that a subroutine is to keep, ``stack`` is the
    stack pointer's. ``address`` writes an address as its people write it. ``decimal`` is the template of a number in an
    instruction, and ``number`` reads one, or gives None for another word. ``spelling`` maps mnemonics in capital letters to
    their proper spelling, where that has capitals. ``drops_off`` says that running off the end is a normal end, ``includes``
    that a source can include others. ``told_by_codes`` are the subroutines and registers that answer by the condition codes, if it has them.
    """

    language: str
    assemble: Assembler
    machine: Callable[[Image, Start], Computer]
    statements: Callable[[SourceFile], tuple[Statement, ...]]
    notation: Notation
    operations: frozenset[str]
    registers: tuple[str, ...]
    kept: tuple[int, ...]
    stack: int
    address: Callable[[int], str]
    number: Callable[[str], int | None]
    decimal: str = "{}"
    spelling: Mapping[str, str] = field(default_factory=dict)
    drops_off: bool = False
    includes: bool = False
    disassembled: Callable[[str, bytes], Reading] | None = None
    told_by_codes: Callable[[Image, Sequence[Call]], frozenset[tuple[int, int]]] | None = None

    @property
    def traits(self) -> Traits:
        """Facts about the language that do not need its machine."""
        return TRAITS[self.language]

    def read(self, name: str, data: bytes, *, as_code: bool | None = None) -> Reading:
        """A file of a program as assembly text; ``as_code`` says whether it is machine code, which its name tells otherwise."""
        from grader.source import SourceFile

        as_code = name.casefold().endswith(self.traits.code) if as_code is None else as_code
        if as_code and self.disassembled is not None:
            return self.disassembled(name, data)
        return SourceFile.from_bytes(name, data), ()

    def dialect_of(self, profile: str) -> str:
        """The dialect that programs for a profile are written in: the one of its name, or the usual one."""
        return profile if profile in self.traits.dialects else self.traits.dialects[0]


def language_of(source: SourceFile) -> str:
    """The language that a source looks like, by what its lines hold; LC-3 where nothing speaks for either."""
    return max(TRAITS, key=lambda language: len(TRAITS[language].signs.findall(source.text)))


def reads_as(language: str, source: SourceFile) -> bool:
    """Whether a file of any name reads like a program in this language: several of its lines speak for it."""
    return len(TRAITS[language].signs.findall(source.text)) >= _FEWEST_SIGNS and language_of(source) == language


def language_with(profile: str) -> str | None:
    """The language that has a profile of this name, or None."""
    return next((language for language, traits in TRAITS.items() if profile in traits.profiles), None)


def family(language: str) -> Family:
    """The family of a language: ``lc3`` or ``mips``. Raises KeyError for another."""
    return _MAKERS[language]()


def _lc3() -> Family:
    from grader.machines.lc3.assembler import assemble, statements
    from grader.machines.lc3.dialect import OPERATIONS, number
    from grader.machines.lc3.isa import told_by_codes
    from grader.machines.lc3.machine import Machine
    from grader.machines.lc3.machine_code import as_assembly
    from grader.machines.lc3.profiles import PROFILES
    from grader.machines.listing import Notation

    def machine(image: Image, start: Start) -> Computer:
        edition = PROFILES[start.profile]
        edition = replace(edition, farewell=b"", faults={}) if start.bare else edition
        return Machine(
            image, edition, seed=start.seed, budget=start.budget, output_limit=start.output_limit, observe=start.observe
        )

    return Family(
        language="lc3",
        assemble=assemble,
        machine=machine,
        statements=statements,
        notation=Notation(digits=4, step=1),
        operations=frozenset(OPERATIONS),
        registers=Machine.NAMES,
        kept=Machine.KEPT,
        stack=Machine.STACK,
        address=lambda address: f"x{address:04X}",
        number=number,
        decimal="#{}",
        spelling=OPERATIONS,
        disassembled=as_assembly,
        told_by_codes=told_by_codes,
    )


def _mips() -> Family:
    from grader.machines.listing import Notation
    from grader.machines.mips.assembler import assemble
    from grader.machines.mips.dialect import DIALECTS, MARS_DIRECTIVES, integer
    from grader.machines.mips.kinds import CALLER
    from grader.machines.mips.lines import statements
    from grader.machines.mips.machine import Machine
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
        assemble=assemble,
        machine=machine,
        statements=statements,
        notation=Notation(digits=8, step=4),
        operations=frozenset((*DIALECTS["mars"].forms.by_name, *MARS_DIRECTIVES)),
        registers=Machine.NAMES,
        kept=Machine.KEPT,
        stack=Machine.STACK,
        address=lambda address: f"0x{address:08x}",
        number=integer,
        drops_off=True,
        includes=True,
    )


_MAKERS: Mapping[str, Callable[[], Family]] = {"lc3": _lc3, "mips": _mips}
