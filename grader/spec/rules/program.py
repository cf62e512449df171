"""Rules on the program: its sources, what is built along with it, and what its language can do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from grader.bundled import support_path
from grader.spec.document import Loc
from grader.spec.hints import near
from grader.spec.kinds.io import content_problems, file_problems
from grader.spec.kinds.runs import EXPLORED
from grader.spec.model import PROFILES, Program
from grader.spec.problem import Problem
from grader.spec.rules.draft import Draft, Rule

_SIMULATED_ONLY = ("profiles", "dialect")
_MIPS_ONLY = ("start", "seed")
_NATIVE_ONLY = ("flags", "main", "terminal")


def sources(draft: Draft) -> Iterator[Problem]:
    """The sources of the program are among the files that are handed in; a pattern stands for what is there."""
    if draft.program is None or draft.submission is None:
        return
    for index, name in enumerate(draft.program.sources):
        if "*" not in name and name not in draft.submission.listed:
            hint = near(name, draft.submission.listed, "handed in are")
            yield Problem("source", f"`{name}` is not among the files handed in", ("program", "sources", index), hint)


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
    if program.simulated == "lc3" and len(names) > 1:
        yield Problem("source", "an LC-3 program is one file", ("program", "sources"), "name one source")
    if program.simulated and 0 < len(names) < len(program.sources):
        message, hint = "a simulated program has names or patterns", 'nim.asm, or "*.asm"'
        yield Problem("source", message, ("program", "sources"), hint)
    for key in _foreign_keys(program):
        message = f"`{key}` says nothing about programs in this language"
        yield Problem("foreign-key", message, ("program", key), "remove it", at_key=True)


def _foreign_keys(program: Program) -> list[str]:
    foreign = [*_NATIVE_ONLY] if program.simulated else [*_SIMULATED_ONLY]
    if program.simulated != "mips":
        foreign += _MIPS_ONLY
    if program.simulated == "lc3":
        foreign.append("files")
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
    sources, machine_code, languages, flags, profiles, support, files, sanitize, games, explored
)  # fmt: skip
