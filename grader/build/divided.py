"""Tests in C and C++ apart from the program that they try: two processes, and only that of the tests can tell results.

Theory of operation. The course's files make a program of their own, compiled without anything that was handed in. What was handed in makes a
library. It offers the names that the tests lack, and no others, so that a `printf` of a student's stays the student's. A runtime of
ours (divided.c) is linked with both. It runs the library in a second process, which shares the memory of the tests, but
neither their descriptors nor their C library. What a library runs as it is loaded is taken out of its table, and runs there as well.

Whatever cannot be divided so, such as a function that is chosen while the library is loaded, gives no product: a person looks then.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Final

from grader.build import gcc
from grader.build.chosen import SUFFIXES
from grader.build.course.lot import Lot
from grader.build.pieces import Piece
from grader.build.recipe import AFTER_ALL, Task
from grader.build.tool import TOOL_LIMITS, Product
from grader.errors import JudgeError
from grader.sandbox import Limits
from grader.spec.kinds.tests import UnitTests

_FILES: Final = ("divided.c", "divided_heap.c", "divided.cpp", "divided.h")
_OURS: Final = {f"grader_{name}": Path(__file__).with_name(name).read_bytes() for name in _FILES}
_RUNTIME: Final = "grader_divided.so"
_LIBRARY: Final = "grader_student.so"  # as in divided.c
_PROGRAM: Final = "grader_tests"
_NAMES: Final = "grader_names"
_FIXED: Final = ("-Wl,-z,now", "-Wl,-z,relro")  # what is not looked up later is read-only by then
# A student's code that could name Unity's own variables would say that nothing failed.
_UNITY: Final = re.compile(r"(?i)^unity\w*\.c$")
_LACKS: Final = re.compile(r"undefined reference to [`'](?P<name>[^'\n]+)'")
_DECLARES: Final = re.compile(
    r"(?m)^[ \t]*(?!return\b|else\b)(?:[A-Za-z_]\w*[ \t*]++)+(?P<name>[A-Za-z_]\w*)\s*\([^;{}]{0,500}\)\s*;"
)
_SHOWN: Final = 500
_SPARE_MEMORY: Final = 48 << 20  # the stack, variables and tables of two processes


def limits(bounds: Limits, heap: int) -> Limits:
    """The limits of both processes together. A call from one to the other takes up to forty microseconds: a test may make fifty thousand.

    All of the heap counts as used, since memory that two share is told only so.
    """
    assert bounds.address_space is not None
    return replace(
        bounds,
        cpu=3 * bounds.cpu,
        memory=bounds.memory + heap + _SPARE_MEMORY,
        processes=bounds.processes + 1,
        address_space=bounds.address_space + heap + _SPARE_MEMORY,
    )


def environment(heap: int) -> dict[str, str]:
    """The variable that tells the runtime how many bytes the heap has."""
    return {"GRADER_HEAP": str(heap)}


COMMAND: Final = f"./{_PROGRAM}"


def product_of(task: Task, tests: UnitTests, version: str) -> Product:
    """The program of the tests, the library and the runtime; no files where they cannot be built apart. Raises JudgeError where a tool of ours fails."""
    # What the course supports programs with is on the side of the tests, which may call it; the library finds it there as well.
    lot = Lot(task.spec, task.chosen.language, task.support, tests, task.workshop)
    words = ("apart", gcc.recipe(lot.language).name, version, sha256(b"".join(_OURS.values())).hexdigest())
    course = task.workshop.product(lot.ingredients(*words), partial(_course, lot))
    if _NAMES not in course.files:
        return course
    names = tuple(name for name in task.names if name not in lot.texts)
    return task.workshop.product(task.ingredients(*words), partial(_joined, task, lot, course, names))


def _flags(lot: Lot) -> tuple[list[str], list[str]]:
    """The course's options of the compiler, and the libraries that it names."""
    libraries = [flag for flag in lot.flags if flag.startswith("-l")]
    return [flag for flag in lot.flags if flag not in libraries] + [*AFTER_ALL], [*libraries, "-lm"]


def _course(lot: Lot) -> Product:
    """The files of the tests, compiled alone, the runtime, and the names that they lack, which are the student's."""
    flags, libraries = _flags(lot)
    ours = gcc.our_part(lot.workshop, lot.language, tuple(flags)).files
    files = {**ours}
    with lot.workshop.cage().furnish({**lot.contents, **ours, **_OURS}) as cage:
        # Behind one `-x c` g++ takes the first file for C, and the next for C++.
        sources = [word for name in ("grader_divided.c", "grader_divided_heap.c") for word in ("-x", "c", name)]
        thrown = ("-x", "c++", "grader_divided.cpp") if lot.language == "cpp" else ()
        made = ("-O2", "-fno-builtin", "-fPIC", "-shared", *_FIXED, *sources, *thrown, "-o", _RUNTIME, "-ldl")
        run = gcc.run_gcc(cage, lot.language, *made)
        runtime = cage.take(_RUNTIME, TOOL_LIMITS.file_size) if run.succeeded else None
        if runtime is None:
            raise JudgeError(f"the compiler refuses what runs tests apart: {run.errors.strip()[:_SHOWN]}")
        for name in lot.ending(*SUFFIXES[lot.language]):
            hidden = ("-fvisibility=hidden",) if _UNITY.match(PurePosixPath(name).name) else ()
            part = f"{PurePosixPath(name).name}.o"
            run = gcc.run_gcc(cage, lot.language, *flags, *hidden, "-c", name, "-o", part)
            data = cage.take(part, TOOL_LIMITS.file_size) if run.succeeded else None
            if data is None:
                return Product({}, run.errors)
            files[part] = data
        warned = ("-Wl,--warn-unresolved-symbols", "-Wl,--no-demangle", "-o", _PROGRAM)
        run = gcc.run_gcc(cage, lot.language, *flags, *files, *warned, *libraries)
    if not run.succeeded:
        return Product({}, run.errors)
    lacked = {match["name"] for match in _LACKS.finditer(run.errors)}
    # What the course declares itself is the student's even where the C library has a function of this name.
    declared = {match["name"] for file in lot.files for match in _DECLARES.finditer(Piece.of(file).slashed)}
    names = "\n".join(sorted(lacked | declared)).encode()
    return Product({**files, _RUNTIME: runtime, _NAMES: names})


def _joined(task: Task, lot: Lot, course: Product, names: tuple[str, ...]) -> Product:
    """The library of what was handed in, and the program of the tests that calls it."""
    flags, libraries = _flags(lot)
    wanted = course.files[_NAMES].decode().split()
    parts = {name: data for name, data in course.files.items() if name != _NAMES}
    exported = f"{{ {'global: ' * bool(wanted)}{''.join(f'{name}; ' for name in wanted)}local: *; }};\n"
    with task.workshop.cage().furnish({**task.files, **parts, _NAMES: exported.encode()}) as cage:
        hides = ("-fPIC", "-shared", f"-Wl,--version-script={_NAMES}", "-Wl,-z,noexecstack", *_FIXED)
        run = gcc.run_gcc(cage, lot.language, *flags, *hides, *gcc.plain(cage, names), "-o", _LIBRARY, *libraries)
        library = cage.take(_LIBRARY, TOOL_LIMITS.file_size) if run.succeeded else None
        sealed = None if library is None else _sealed(library, wanted)
        if sealed is None:
            return Product({}, run.errors)
        cage.put(_LIBRARY, sealed)
        objects = (name for name in parts if name != _RUNTIME)
        linked = (*objects, "-Wl,--no-as-needed", f"./{_LIBRARY}", f"./{_RUNTIME}", "-Wl,-rpath,$ORIGIN", *_FIXED)
        run = gcc.run_gcc(cage, lot.language, *flags, *linked, "-o", _PROGRAM, *libraries)
        program = cage.take(_PROGRAM, TOOL_LIMITS.file_size) if run.succeeded else None
    if program is None:
        return Product({}, run.errors)
    return Product({_PROGRAM: program, _LIBRARY: sealed, _RUNTIME: parts[_RUNTIME]})


# ------------------------------------------------------------------------------------------- what is run as a library is loaded

_HEADER: Final = struct.Struct("<32xQQ6xHHHHH")  # where the tables of segments and sections lie, with sizes and numbers
_SECTION: Final = struct.Struct("<4xI16xQQI20x")  # what it is, where it lies, its size, and the section of its texts
_RELOCATION: Final = struct.Struct("<8xI12x")
_SYMBOL: Final = struct.Struct("<IBBH16x")
_ENTRY: Final = struct.Struct("<QQ")
_SYMBOLS, _DYNAMIC, _RELOCATIONS = 11, 6, 4
_CHOSEN_RELOCATION, _CHOSEN_FUNCTION = 37, 10  # by a function of the library's, as it is loaded
_SET_ASIDE: Final = 0x60000000  # as in divided.c
_RUN: Final = (12, 13, 25, 26, 27, 28, 32, 33)  # INIT, FINI, and the arrays of both with their sizes


def _sealed(library: bytes, wanted: Collection[str]) -> bytes | None:
    """The library without what would be run as it is loaded; None where that cannot be taken out, or where it offers other names."""
    made = bytearray(library)
    _, at, _, _, _, count, _ = _HEADER.unpack_from(library)
    sections = [_SECTION.unpack_from(library, at + 64 * number) for number in range(count)]
    for kind, start, size, _ in sections:
        if kind == _RELOCATIONS:
            kinds = (kind for (kind,) in _RELOCATION.iter_unpack(library[start : start + size]))
            if _CHOSEN_RELOCATION in kinds:
                return None
        elif kind == _DYNAMIC:
            for place in range(start, start + size, _ENTRY.size):
                tag, value = _ENTRY.unpack_from(library, place)
                if tag in _RUN:
                    _ENTRY.pack_into(made, place, tag + _SET_ASIDE, value)
    return bytes(made) if _offered(library, sections) <= {*wanted} else None


def _offered(library: bytes, sections: Sequence[tuple[int, int, int, int]]) -> set[str]:
    """The names that a library defines for others; one that is no name where a function is chosen as it is loaded."""
    symbols: set[str] = set()
    for kind, start, size, link in sections:
        if kind == _SYMBOLS:
            texts = sections[link][1]
            for name, info, _, section in _SYMBOL.iter_unpack(library[start : start + size]):
                if section:
                    text = library[texts + name : library.index(b"\0", texts + name)]
                    symbols.add("" if info & 15 == _CHOSEN_FUNCTION else text.decode("utf-8", "replace"))
    return symbols
