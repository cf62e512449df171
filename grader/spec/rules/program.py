"""Rules on files and the program: what is handed in, where the reference lies, what is built, and what a language can do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath

from grader.bundled import reference_path, support_path
from grader.machines.families import TRAITS
from grader.spec.document import Loc
from grader.spec.hints import near
from grader.spec.kinds.io import content_problems, file_problems
from grader.spec.kinds.runs import EXPLORED
from grader.spec.model import PROFILES, Program
from grader.spec.problem import Problem
from grader.spec.rules.draft import Draft, Rule


def file_names(draft: Draft) -> Iterator[Problem]:
    """A file is named by a relative path with forward slashes, and once."""
    seen: dict[str, str] = {}
    for key in ("required", "optional") if draft.submission else ():
        for index, name in enumerate(getattr(draft.submission, key)):
            loc: Loc = ("submission", key, index)
            path = PurePosixPath(name)
            # Names come out of archives, which have slashes on every system.
            odd = name in ("", ".") or "\\" in name or name != str(path) or ".." in path.parts
            if odd or path.is_absolute() or PureWindowsPath(name).drive:
                hint = "a path inside the submission, with forward slashes, such as nim.asm or src/Nim.java"
                yield Problem("file-name", f"{name!r} cannot be the name of a file in a submission", loc, hint)
            elif name.casefold() in seen:
                message = f"`{name}` is listed already, as {seen[name.casefold()]}"
                yield Problem("duplicate-file", message, loc, "remove one")
            seen.setdefault(name.casefold(), key)


def student_id(draft: Draft) -> Iterator[Problem]:
    """The pattern of a student number does not find a number in an empty name."""
    pattern = draft.submission.student_id if draft.submission else None
    if pattern is not None and re.search(pattern, ""):
        message = "the pattern finds a student number where there is none"
        yield Problem("empty-match", message, ("submission", "student_id"), "demand one character")


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # no file has so long a name
        return False


def reference(draft: Draft) -> Iterator[Problem]:
    """The reference is a file or folder that is there, by a path relative to the spec."""
    if draft.reference is None:
        return
    loc = ("reference",)
    named = PurePosixPath(draft.reference)
    elsewhere = named.is_absolute() or PureWindowsPath(draft.reference).drive
    if elsewhere or "\\" in draft.reference or "\0" in draft.reference:
        message = "a reference is named by a path relative to the spec, with forward slashes"
        yield Problem("reference", message, loc, "such as ../reference/lc3_nim.py")
        return
    path = reference_path(draft.folder, draft.reference)
    # A reference in Python, or a model program as students write it.
    endings = {".py", *(PurePosixPath(name).suffix for name in (draft.program.sources if draft.program else ()))}
    if not _is_there(path):
        beside = sorted(p.name for p in path.parent.iterdir() if p.suffix in endings) if _is_there(path.parent) else []
        yield Problem("reference", f"there is no file {path}", loc, near(named.name, beside, "there are"))
    elif path.is_dir() and path.resolve() == draft.folder.resolve():
        hint = "put the model program into a folder of its own"
        yield Problem("reference", "this is the folder of the spec itself", loc, hint)
    elif draft.program is not None and not path.is_dir() and path.suffix not in endings:
        hint = f"it ends in {', '.join(sorted(endings))}"
        message = f"`{draft.reference}` is neither Python nor a program as students write it"
        yield Problem("reference", message, loc, hint)


_SIMULATED_ONLY = ("profiles", "dialect")
_FOLDER_ONLY = ("start", "seed")
_NATIVE_ONLY = ("flags", "main", "terminal")


def sources(draft: Draft) -> Iterator[Problem]:
    """The sources of the program are among the files that are handed in; a pattern stands for what is there."""
    if draft.program is None or draft.submission is None:
        return
    for index, name in enumerate(draft.program.sources):
        if "*" not in name and name not in draft.submission.listed:
            hint = near(name, draft.submission.listed, "handed in are")
            yield Problem("source", f"`{name}` is not among the files handed in", ("program", "sources", index), hint)


# What assemblers and compilers leave beside a source, and what teachers name by mistake.
_MACHINE_CODE = (".bin", ".obj", ".o", ".hex", ".out", ".exe", ".class", ".jar", ".pyc")


def machine_code(draft: Draft) -> Iterator[Problem]:
    """A program is built from its sources: nothing runs machine code that was handed in."""
    for index, name in enumerate(draft.program.sources if draft.program else ()):
        if name.casefold().endswith(_MACHINE_CODE):
            message = f"`{name}` is machine code, and programs are built from sources"
            hint = "name the file from which it is made, such as nim.asm or nim.c"
            yield Problem("source", message, ("program", "sources", index), hint)


def languages(draft: Draft) -> Iterator[Problem]:
    """A simulated language is the only one, its sources are named or have patterns, and no key belongs to other languages."""
    program = draft.program
    if program is None:
        return
    if program.simulated and len(program.language) > 1:
        hint = "make a spec for each"
        yield Problem("languages", f"`{program.simulated}` cannot be one of several", ("program", "language"), hint)
    names = [name for name in program.sources if "*" not in name]
    # .EXTERNAL is unknown to all common assemblers, and none links files. MIPS programs are linked as by MARS.
    machine = TRAITS.get(program.simulated or "")
    if machine and not machine.joins and len(names) > 1:
        yield Problem("source", f"{machine.called} is one file", ("program", "sources"), "name one source")
    if program.simulated and 0 < len(names) < len(program.sources):
        message, hint = "a simulated program has names or patterns", 'nim.asm, or "*.asm"'
        yield Problem("source", message, ("program", "sources"), hint)
    for key in _foreign_keys(program):
        message = f"`{key}` says nothing about programs in this language"
        yield Problem("foreign-key", message, ("program", key), "remove it", at_key=True)


def _foreign_keys(program: Program) -> list[str]:
    foreign = [*_NATIVE_ONLY] if program.simulated else [*_SIMULATED_ONLY]
    if not program.simulated or not TRAITS[program.simulated].folder:
        foreign += _FOLDER_ONLY
        # A machine without a folder has no system calls that open files.
        foreign += ["files"] if program.simulated else []
    return [key for key in foreign if key in program.model_fields_set]


def flags(draft: Draft) -> Iterator[Problem]:
    """Flags are for a language that the program may be in."""
    if draft.program is None:
        return
    for name in draft.program.flags:
        if name not in draft.program.language:
            hint = f"its languages are {', '.join(draft.program.language)}"
            yield Problem("flags", f"no program is in `{name}` here", ("program", "flags", name), hint, at_key=True)


def profiles(draft: Draft) -> Iterator[Problem]:
    """A profile is one of the language's, and is tried once."""
    if draft.program is None or draft.program.simulated is None:
        return
    known, tried = PROFILES[draft.program.simulated], draft.program.profiles
    written = "profiles" in draft.program.model_fields_set
    for index, name in enumerate(tried):
        if name not in known:
            loc: Loc = ("program", "profiles", index) if written else ("program",)
            hint = f"its profiles are {', '.join(known)}"
            yield Problem("foreign-profile", f"`{name}` is no profile of this language", loc, hint)
        if name in tried[:index]:
            at = ("program", "profiles", index)
            yield Problem("duplicate-profile", f"`{name}` is tried already", at, "remove one")


def support(draft: Draft) -> Iterator[Problem]:
    """What is built along is a file that is there, by a path relative to the spec."""
    for index, name in enumerate(draft.program.support if draft.program else ()):
        odd = PurePosixPath(name).is_absolute() or "\\" in name or "\0" in name
        if odd or not support_path(draft.folder, name).is_file():
            loc: Loc = ("program", "support", index)
            yield Problem("support", f"there is no file {draft.folder / name}", loc, "a path relative to the spec")


def files(draft: Draft) -> Iterator[Problem]:
    """The files of every run can be read, and have names that they can have."""
    if draft.program is None:
        return
    loc: Loc = ("program", "files")
    for name, content in draft.program.files.items():
        yield from content_problems(draft.folder, (*loc, name), content, given=True)
    yield from file_problems(loc, draft.program.files, draft.program.sources)


def sanitize(draft: Draft) -> Iterator[Problem]:
    """Checks of memory are for compilers that have them."""
    program = draft.program
    if program is not None and "sanitize" in program.model_fields_set and not {*program.language} <= {"c", "cpp"}:
        message = "only programs in C and C++ are compiled with checks of memory"
        yield Problem("foreign-key", message, ("program", "sanitize"), "remove it", at_key=True)


def games(draft: Draft) -> Iterator[Problem]:
    """Games need questions, so that the referee knows what is asked; their share of illegal answers is at most all."""
    used = {case.game for case in draft.cases.values()}
    for name, games in draft.games.items():
        loc: Loc = ("games", name)
        if draft.text and not draft.text.questions:
            hint = "list in `text.questions` what programs ask for"
            yield Problem("no-questions", "a game needs to know what the program asks", loc, hint, at_key=True)
        if games.illegal > 1:
            yield Problem("share", "a share is at most 1", (*loc, "illegal"), "such as 1/3")
        # A draft that is not whole may lack the case that uses them.
        if draft.complete and draft.game is None and name not in used:
            yield Problem.idle(f"no case looks at the games `{name}`", loc, "remove them, or add a case")


def explored(draft: Draft) -> Iterator[Problem]:
    """Beside a game that is explored there are no sets of games, but a reference, and a case that looks at it."""
    if draft.game is None or not draft.complete:
        return
    if draft.games:
        message = "`games` are for a referee, and `game` says that programs are explored"
        hint = "remove `games`: what is played is found out for each program"
        yield Problem("games-explored", message, ("games",), hint, at_key=True)
    if draft.reference is None:
        message, hint = "a `game` needs a reference that has the rules", "add `reference: PATH`"
        yield Problem("no-reference", message, ("game",), hint, at_key=True)
    if all(case.game != EXPLORED for case in draft.cases.values()):
        yield Problem.idle("no case looks at the game", ("game",), f"add a case with `game: {EXPLORED}`, or remove it")


RULES: tuple[Rule, ...] = (
    file_names, student_id, reference, sources, machine_code, languages, flags, profiles, support, files, sanitize, games, explored
)  # fmt: skip
