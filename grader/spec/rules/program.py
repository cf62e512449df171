"""Rules on the program: its sources, what is built along with it, and what its language can do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from grader.bundled import support_path
from grader.spec.document import Loc
from grader.spec.hints import near
from grader.spec.model import PROFILES, Case, Program
from grader.spec.problem import Problem
from grader.spec.rules.draft import Draft, Rule

_SIMULATED_ONLY = ("profiles", "dialect")
_MIPS_ONLY = ("start", "seed")
_NATIVE_ONLY = ("flags", "main", "terminal")
_OF_ASSEMBLY = ("required", "forbidden", "labels")
_OF_SYNTAX = ("functions", "constructs")


def sources(draft: Draft) -> Iterator[Problem]:
    """The sources of the program are among the files that are handed in; a pattern stands for what is there."""
    if draft.program is None or draft.submission is None:
        return
    known = (*draft.submission.required, *draft.submission.optional)
    for index, name in enumerate(draft.program.sources):
        if "*" not in name and name not in known:
            hint = near(name, known, "handed in are")
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
            yield Problem(
                "duplicate-profile", f"`{name}` is tried already", ("program", "profiles", index), "remove one"
            )


def support(draft: Draft) -> Iterator[Problem]:
    """What is built along is a file that is there, by a path relative to the spec."""
    for index, name in enumerate(draft.program.support if draft.program else ()):
        if (
            PurePosixPath(name).is_absolute()
            or "\\" in name
            or "\0" in name
            or not support_path(draft.folder, name).is_file()
        ):
            loc: Loc = ("program", "support", index)
            yield Problem("support", f"there is no file {draft.folder / name}", loc, "a path relative to the spec")


def kinds(draft: Draft) -> Iterator[Problem]:
    """A case looks at what programs in this language have."""
    program = draft.program
    if program is None:
        return
    for index, case in draft.cases.items():
        loc: Loc = ("cases", index)
        if case.call and not program.simulated:
            message = "only routines of a simulated program can be called"
            yield Problem("foreign-kind", message, (*loc, "call"), "use `dialogue` or `tests`", at_key=True)
        if case.machine and not program.simulated:
            message = "only a simulated program has a machine to look into"
            yield Problem(
                "foreign-kind", message, (*loc, "machine"), "use `transcript`, `dialogue` or `game`", at_key=True
            )
        elif case.machine and case.machine.bitmap and program.simulated != "mips":
            message = "only a MIPS program paints a bitmap"
            yield Problem("foreign-key", message, (*loc, "machine", "bitmap"), "remove it", at_key=True)
        for key in _foreign_to_source(program, case):
            message = f"`{key}` cannot be looked for in sources of this language"
            yield Problem("foreign-key", message, (*loc, "source", key), "remove it", at_key=True)


def _foreign_to_source(program: Program, case: Case) -> list[str]:
    foreign = _OF_SYNTAX if program.simulated else _OF_ASSEMBLY
    return [key for key in foreign if case.source and key in case.source.model_fields_set]


def constructs(draft: Draft) -> Iterator[Problem]:
    """A construct is demanded or limited, in one of the languages."""
    if draft.program is None:
        return
    for index, case in draft.cases.items():
        for at, construct in enumerate(case.source.constructs if case.source else ()):
            loc: Loc = ("cases", index, "source", "constructs", at)
            if not construct.least and construct.most is None:
                yield Problem(
                    "demands-nothing", f"`{construct.name}` may be there or not", loc, "add `least` or `most`"
                )
            if construct.language is None and len(draft.program.language) > 1:
                hint = f"one of {', '.join(draft.program.language)}"
                yield Problem("language", "a query is written for one language", loc, f"add `language`: {hint}")
            elif construct.language not in (None, *draft.program.language):
                yield Problem("language", f"no program is in `{construct.language}` here", (*loc, "language"))


def games(draft: Draft) -> Iterator[Problem]:
    """Games need questions, by which the referee knows what is asked; their share of illegal answers is at most all."""
    for name, games in draft.games.items():
        loc: Loc = ("games", name)
        if draft.text and not draft.text.questions:
            hint = "list in `text.questions` what programs ask for"
            yield Problem("no-questions", "a game needs to know what the program asks", loc, hint, at_key=True)
        if games.illegal > 1:
            yield Problem("share", "a share is at most 1", (*loc, "illegal"), "such as 1/3")


RULES: tuple[Rule, ...] = (sources, machine_code, languages, flags, profiles, support, kinds, constructs, games)
