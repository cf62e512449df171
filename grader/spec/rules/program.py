"""Rules on files and the program: what is handed in, where the reference lies, what is built, and what a language can do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath

from grader.bundled import reference_path, support_path
from grader.machines.families import TRAITS
from grader.spec.kinds.content import content_problems, file_problems, is_relative
from grader.spec.kinds.runs import EXPLORED, GameSet
from grader.spec.model import PROFILES, Program, SubmissionRules
from grader.spec.problem import At, Problem, near
from grader.spec.rules.draft import Draft

# ------------------------------------------------------------------------------------------------------- what is handed in


def file_names(at: At[SubmissionRules]) -> Iterator[Problem]:
    """A file is named by a relative path with forward slashes, and once."""
    seen: dict[str, str] = {}
    for key in ("required", "optional"):
        for index, name in enumerate(getattr(at.part, key)):
            path = PurePosixPath(name)
            # Names come out of archives, which have slashes on every system.
            odd = name in ("", ".") or "\\" in name or name != str(path) or ".." in path.parts
            if odd or path.is_absolute() or PureWindowsPath(name).drive:
                hint = "a path inside the submission, with forward slashes, such as nim.asm or src/Nim.java"
                message = f"{name!r} cannot be the name of a file in a submission"
                yield at.problem("file-name", message, key, index, hint=hint)
            elif name.casefold() in seen:
                message = f"`{name}` is listed already, as {seen[name.casefold()]}"
                yield at.problem("duplicate-file", message, key, index, hint="remove one")
            seen.setdefault(name.casefold(), key)


def student_id(at: At[SubmissionRules]) -> Iterator[Problem]:
    """The pattern of a student number does not find a number in an empty name."""
    if at.part.student_id is not None and re.search(at.part.student_id, ""):
        message = "the pattern finds a student number in an empty name"
        yield at.problem("empty-match", message, "student_id", hint="demand one character")


# ------------------------------------------------------------------------------------------------------------- the program


def sources(at: At[Program]) -> Iterator[Problem]:
    """The sources of the program are among the files that are handed in; a pattern stands for what is there."""
    submission = at.draft.submission
    for index, name in enumerate(at.part.sources if submission else ()):
        if submission and "*" not in name and name not in submission.listed:
            hint = near(name, submission.listed, "handed in are")
            yield at.problem("source", f"`{name}` is not among the files handed in", "sources", index, hint=hint)


# Endings of files that assemblers and compilers leave beside a source, and that teachers name by mistake.
_MACHINE_CODE = (".bin", ".obj", ".o", ".hex", ".out", ".exe", ".class", ".jar", ".pyc")


def machine_code(at: At[Program]) -> Iterator[Problem]:
    """A program is built from its sources; only machine code of the LC-3 is read as a program."""
    readable = TRAITS[at.part.simulated].code if at.part.simulated else ()
    for index, name in enumerate(at.part.sources):
        if name.casefold().endswith(_MACHINE_CODE) and not (readable and name.casefold().endswith(readable)):
            message = f"`{name}` is machine code, and programs are built from sources"
            hint = "name the file from which it is made, such as nim.asm or nim.c"
            yield at.problem("source", message, "sources", index, hint=hint)


def languages(at: At[Program]) -> Iterator[Problem]:
    """A simulated language is the only one, its sources are named or have patterns, and no key belongs to other languages."""
    program = at.part
    if program.simulated and len(program.language) > 1:
        message = f"`{program.simulated}` cannot be one of several"
        yield at.problem("languages", message, "language", hint="make a spec for each")
    names = [name for name in program.sources if "*" not in name]
    # .EXTERNAL is unknown to all common assemblers, and none links files. MIPS programs are linked as by MARS.
    machine = TRAITS.get(program.simulated or "")
    if machine and not machine.joins and len(names) > 1:
        yield at.problem("source", f"{machine.called} is one file", "sources", hint="name one source")
    if program.simulated and 0 < len(names) < len(program.sources):
        message = "a simulated program has names or patterns"
        yield at.problem("source", message, "sources", hint='nim.asm, or "*.asm"')
    foreign = ("flags", "main", "terminal") if machine else ("profiles", "dialect")
    if not machine or not machine.folder:
        # A machine without a folder has no system calls that open files.
        foreign = (*foreign, "start", "seed", *(["files"] if machine else []))
    for key in foreign:
        if key in program.model_fields_set:
            yield at.foreign(f"`{key}` says nothing about programs in this language", key)
    if "sanitize" in program.model_fields_set and not {*program.language} <= {"c", "cpp"}:
        yield at.foreign("only programs in C and C++ are compiled with checks of memory", "sanitize")


def flags(at: At[Program]) -> Iterator[Problem]:
    """Flags are for a language that the program may be in."""
    for name in at.part.flags:
        if name not in at.part.language:
            hint = f"its languages are {', '.join(at.part.language)}"
            yield at.problem("flags", f"no program is in `{name}` here", "flags", name, hint=hint, at_key=True)


def profiles(at: At[Program]) -> Iterator[Problem]:
    """A profile is one of the language's, and is tried once."""
    known = PROFILES.get(at.part.simulated or "", ())
    for index, name in enumerate(at.part.profiles if known else ()):
        if name not in known:
            # One that nobody wrote is a default of ours.
            steps = ("profiles", index) if "profiles" in at.part.model_fields_set else ()
            message = f"`{name}` is no profile of this language"
            yield at.problem("foreign-profile", message, *steps, hint=f"its profiles are {', '.join(known)}")
        if name in at.part.profiles[:index]:
            yield at.problem("duplicate-profile", f"`{name}` is tried already", "profiles", index, hint="remove one")


def support(at: At[Program]) -> Iterator[Problem]:
    """Support files exist, by paths relative to the spec."""
    folder = at.draft.folder
    for index, name in enumerate(at.part.support):
        if not is_relative(name) or not support_path(folder, name).is_file():
            message = f"there is no file {folder / name}"
            yield at.problem("support", message, "support", index, hint="a path relative to the spec")


def files(at: At[Program]) -> Iterator[Problem]:
    """The files of every run can be read, and have names that they can have."""
    for name, content in at.part.files.items():
        yield from content_problems(at, ("files", name), content, given=True)
    yield from file_problems(at, ("files",), at.part.files, at.part.sources)


# ------------------------------------------------------------------------------------------------- the reference, and games


def reference(at: At[Draft]) -> Iterator[Problem]:
    """The reference is a file or folder that is there, by a path relative to the spec."""
    draft, name = at.draft, at.draft.reference
    if name is None:
        return
    if not is_relative(name) or PureWindowsPath(name).drive:
        message = "a reference is named by a path relative to the spec, with forward slashes"
        yield at.problem("reference", message, "reference", hint="such as ../reference/lc3_nim.py")
        return
    path = reference_path(draft.folder, name)
    # A reference in Python, or a model program as students write it.
    endings = {".py", *(PurePosixPath(source).suffix for source in (draft.program.sources if draft.program else ()))}
    if not _is_there(path):
        beside = sorted(p.name for p in path.parent.iterdir() if p.suffix in endings) if _is_there(path.parent) else []
        hint = near(PurePosixPath(name).name, beside, "there are")
        yield at.problem("reference", f"there is no file {path}", "reference", hint=hint)
    elif path.is_dir() and path.resolve() == draft.folder.resolve():
        hint = "put the model program into a folder of its own"
        yield at.problem("reference", "this is the folder of the spec itself", "reference", hint=hint)
    elif draft.program is not None and not path.is_dir() and path.suffix not in endings:
        message = f"`{name}` is neither Python nor a program as students write it"
        yield at.problem("reference", message, "reference", hint=f"it ends in {', '.join(sorted(endings))}")


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # no file has so long a name
        return False


def games(at: At[GameSet]) -> Iterator[Problem]:
    """Games need questions, so that the referee knows what is asked; their share of illegal answers is at most all."""
    draft, name = at.draft, at.loc[-1]
    if draft.text and not draft.text.questions:
        hint = "list in `text.questions` what programs ask for"
        yield at.problem("no-questions", "a game needs to know what the program asks", hint=hint, at_key=True)
    if at.part.illegal > 1:
        yield at.problem("share", "a share is at most 1", "illegal", hint="such as 1/3")
    # A draft that is not whole may lack the case that uses them.
    if draft.complete and draft.game is None and all(case.game != name for case in draft.cases.values()):
        yield at.idle(f"no case looks at the games `{name}`", hint="remove them, or add a case")


def explored(at: At[Draft]) -> Iterator[Problem]:
    """Beside a game that is explored there are no sets of games, but a reference, and a case that looks at it."""
    draft = at.draft
    if draft.game is None or not draft.complete:
        return
    if draft.games:
        message = "`games` are for a referee, and `game` says that programs are explored"
        hint = "remove `games`: what is played is found out for each program"
        yield at.problem("games-explored", message, "games", hint=hint, at_key=True)
    if draft.reference is None:
        message, hint = "a `game` needs a reference that has the rules", "add `reference: PATH`"
        yield at.problem("no-reference", message, "game", hint=hint, at_key=True)
    if all(case.game != EXPLORED for case in draft.cases.values()):
        yield at.idle("no case looks at the game", "game", hint=f"add a case with `game: {EXPLORED}`, or remove it")


SUBMISSION = (file_names, student_id)
PROGRAM = (sources, machine_code, languages, flags, profiles, support, files)
GAMES = (games,)
SPEC = (reference, explored)
