"""From the files of a submission to a program that can be run, or to what the student must fix first.

Assembled programs are made in ``simulated``; compiled and interpreted ones in ``native``, which needs a sandbox. Each is
imported only where a spec asks for such a language.

A file of another type than the spec asks for is named in a sentence, where else a linker or an assembler would say what it makes of
it. Only a file that does not build is looked at for that: a name that is no more than unusual costs nobody anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from grader.build.built import Built
from grader.build.chosen import SUFFIXES, code_of, suffixes_of
from grader.errors import JudgeError
from grader.machines.families import TRAITS, reads_as
from grader.results import Finding, Verdict
from grader.source import SourceFile
from grader.spec.loader import Assignment
from grader.spec.model import Program
from grader.submission import Submission

if TYPE_CHECKING:
    from grader.build.workshop import Workshop

__all__ = ["Built", "build"]


def build(assignment: Assignment, submission: Submission, workshop: Workshop | None = None) -> Built:
    """Find the sources that the spec asks for and build them. Never raises for anything in a submission.

    A workshop is needed for all but simulated programs: without one JudgeError is raised, as when a tool of ours fails.
    """
    program = assignment.spec.program
    if program.simulated:
        from grader.build.simulated import build_simulated

        built = build_simulated(assignment.spec, submission, assignment.support)
    elif workshop is None:
        raise JudgeError("compiled programs are built in a workshop, which is missing here")
    else:
        from grader.build.native import build_native

        built = build_native(assignment.spec, assignment.support, submission, workshop, assignment.tests)
    # A linker said of an assembly file that it is no linker script, and an assembler asked a Python program for its
    # .ORIG.
    source = built.source if built.verdict is Verdict.COMPILE_ERROR else None
    finding = wrong_type(program, source) if source is not None else None
    return built if finding is None else replace(built, findings=(finding,), diagnostics=())


_CALLED: Mapping[str, str] = {
    "c": "a C program",
    "cpp": "a C++ program",
    "java": "a Java program",
    "python": "a Python program",
    **{language: traits.called for language, traits in TRAITS.items()},
}
_NO_SOURCE = (".pdf", ".doc", ".docx", ".odt", ".png", ".jpg", ".class", ".exe", ".o", ".obj", ".bin")
_JAVA = re.compile(r"\b(?:class|interface|enum|record)\s{1,20}\w{1,100}[^{;]{0,300}\{")
"""A type of Java: a program under a name such as Nim.txt is compiled, and its mistakes are named."""
_TYPED = "hand in the text that you typed, saved as UTF-8, not what a compiler made of it"
_ASSEMBLY = frozenset(suffix for traits in TRAITS.values() for suffix in traits.suffixes)
_KIN = frozenset({".c", *SUFFIXES["cpp"]})
"""A C compiler takes C++ by its name, and a program in one may be meant as one in the other."""


def wrong_type(program: Program, source: SourceFile) -> Finding | None:
    """The finding that a file is of another type than the spec asks for; None where neither its name nor its lines say so."""
    kind = _other_type(program, source)
    if not kind:
        return None
    wanted_kind = " or ".join(_CALLED[language] for language in program.language)
    names = [name for name in program.sources if "*" not in name]
    binary = "\0" in source.text
    hint = _TYPED if binary else f"the name of the file to hand in: {', '.join(names or program.sources)}"
    return Finding("wrong-type", f"{source.name} is {kind}, but the assignment asks for {wanted_kind}", hint=hint)


def _other_type(program: Program, source: SourceFile) -> str:
    """The kind of a file that is not the program that the spec asks for; empty if it may be one."""
    suffix = PurePosixPath(source.name).suffix.casefold()
    usual = {*code_of(program), *(end for language in program.language for end in suffixes_of(language))}
    if program.simulated and suffix in _ASSEMBLY:
        # All machines use these: the lines must speak for the other.
        return next((_CALLED[one] for one in TRAITS if one != program.simulated and reads_as(one, source)), "")
    binary = not program.simulated and "\0" in source.text
    as_asked = suffix in usual or (suffix in _KIN and _KIN & usual)
    if not binary and (as_asked or (program.simulated and reads_as(program.simulated, source))):
        return ""
    if binary or suffix in _NO_SOURCE:
        return "no source text"
    if suffix in _ASSEMBLY:
        return "an assembly program"
    other = next((_CALLED[language] for language, ends in SUFFIXES.items() if suffix in ends), "")
    # A compiler takes nothing by such a name, or reads prose as a program; an assembler's messages on lines of text help.
    return other or ("" if program.simulated or _JAVA.search(source.text) else "no source text")
