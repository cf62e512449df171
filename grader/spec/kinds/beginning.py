"""The beginning of a run and its expected output: the same keys for all kinds of cases that run the program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from pydantic import Field

from grader.machines.families import TRAITS
from grader.spec.kinds.call import Things
from grader.spec.kinds.content import Steps, Text, content_problems, file_problems
from grader.spec.kinds.dialogue import looked_for
from grader.spec.kinds.kind import words
from grader.spec.problem import At, Problem
from grader.spec.things import numbers_in
from grader.spec.values import ONE_OR_SEVERAL, Pattern, SpecModel, any_of


class Beginning(SpecModel):
    """The beginning of a run, apart from typed input."""

    arguments: tuple[str, ...] = ()
    """The words behind the program's name on its command line. A MIPS program gets them as from `pa` of MARS: their number in
    `$a0`, the address of their addresses in `$a1`."""
    files: dict[str, Text] = Field(default_factory=dict)
    """Files that the program finds in its folder, by their names there."""
    given: Things = Field(default={})
    """The contents of a simulated machine: of a register (`R0: 12`), a label (`COUNT: 5`, `NAME: Anna`, `ROW: [3, 1,
    2]`), an address (`x4000`), or a block of our own (`@list`) whose address others hold."""
    keys: dict[int, str] = Field(default_factory=dict)
    """Keys that a simulated machine gets after so many instructions, or as soon as its program waits for one. They are for
    programs that look at the keyboard by themselves, or are interrupted by it."""


Passages = Annotated[tuple[str, ...], ONE_OR_SEVERAL, any_of({"type": "string"}, {"type": "array"})]


class Printed(SpecModel):
    """The expected output of a run."""

    output: Text | None = None
    """Its whole output. Without this key what it prints is not judged."""
    any_order: bool = False
    """Whether the lines of `output` may come in any order."""
    contains: Passages = ()
    """A text that must stand somewhere in what it prints, exactly; or a list of such texts."""
    matches: Pattern | None = None
    """A regular expression that must be found in what it prints."""
    says: str = ""
    """A phrase that tells students what `matches` looks for: they never read a regular expression."""
    checker: str | None = None
    """A function of the reference, `check(typed: str, printed: str) -> str`, that says in a sentence what is wrong with what was
    printed; the empty text says that it is right."""

    @property
    def expectation(self) -> str:
        """The description of `matches` for students; empty without `says`, unless the pattern is plain text."""
        return looked_for(self.matches or "", self.says)

    @property
    def demands(self) -> bool:
        """Whether anything that is printed is judged."""
        return self.output is not None or bool(self.contains or self.matches or self.checker)

    @property
    def shows(self) -> bool:
        """Whether a program that prints nothing fails the case, as far as the spec can tell."""
        silent = self.output is None or not self.output.text.strip()
        return not silent or bool(self.contains or self.matches or self.checker)


# ------------------------------------------------------------------------------------------------------------------ rules

# The kernel bounds them too, and MARS lays them out below its stack.
MOST_ARGUMENTS = 100
LONGEST_ARGUMENTS = 16 << 10
"""Bytes of all arguments of a run together."""

_FOLDER = {"arguments": "arguments", "files": "files", "writes": "files", "exit": "exit code"}
_MACHINE = {"given": "registers and labels to fill", "keys": "keys that come by the number of its instructions"}


def begun(at: At[Any], runs: Iterable[tuple[Steps, Beginning]]) -> Iterator[Problem]:
    """Each run is given what programs in this language have, and what can be handed to one."""
    program = at.draft.program
    machine = TRAITS[at.draft.simulated] if at.draft.simulated else None
    bare = [name for name in program.profiles if machine and name in machine.bare] if program else []
    for steps, run in runs:
        yield from _arguments(at, (*steps, "arguments"), run)
        for name, content in run.files.items():
            yield from content_problems(at, (*steps, "files", name), content, given=True)
        yield from file_problems(at, (*steps, "files"), run.files, program.sources if program else ())
        yield from words(at, (((*steps, "given", *loc), number) for loc, number in numbers_in(run.given)))
        for key, lacking in _FOLDER.items() if machine and not machine.folder else ():
            if key in run.model_fields_set:
                hint = "remove it: it has keys and a display"
                yield at.foreign(f"{machine.called if machine else ''} has no {lacking}", *steps, key, hint=hint)
        for key, lacking in _MACHINE.items() if program and not machine else ():
            if key in run.model_fields_set:
                hint = "remove it: only simulated machines have that"
                yield at.foreign(f"a program of the computer itself has no {lacking}", *steps, key, hint=hint)
        if run.arguments and bare:
            message = f"{bare[0]} hands a program no arguments"
            yield at.foreign(message, *steps, "arguments", hint=f"remove the profile `{bare[0]}`")


def _arguments(at: At[Any], steps: Steps, run: Beginning) -> Iterator[Problem]:
    """Arguments can be handed to a program: without the character that ends them, and not too many."""
    for place, word in enumerate(run.arguments):
        if "\0" in word:
            message = "no argument can hold the character U+0000"
            yield at.problem("argument", message, *steps, place, hint="remove it")
    size = sum(len(word.encode("utf-8", "surrogateescape")) + 1 for word in run.arguments)
    if len(run.arguments) > MOST_ARGUMENTS or size > LONGEST_ARGUMENTS:
        message = f"a run has at most {MOST_ARGUMENTS} arguments with {LONGEST_ARGUMENTS:,} bytes"
        yield at.problem("argument", message, *steps, hint="put it into a file, or into the input")


def printed(at: At[Any], runs: Iterable[tuple[Steps, Printed]]) -> Iterator[Problem]:
    """The expected output of each run can be looked for, and an empty output does not have it."""
    for steps, run in runs:
        if run.any_order and (run.output is None or run.output.exact):
            yield at.idle("`any_order` is about the lines of `output`, compared as text", *steps, "any_order")
        if run.says and run.matches is None:
            yield at.idle("`says` tells what `matches` looks for, which is missing", *steps, "says")
        empty = [place for place, text in enumerate(run.contains) if not text.strip()]
        for place in empty:
            message = "every program passes this, even one that prints nothing"
            yield at.problem("demands-nothing", message, *steps, "contains", place, hint="remove it")
        if run.matches is not None and re.search(run.matches, ""):
            message = "the pattern is found where nothing is printed"
            yield at.problem("demands-nothing", message, *steps, "matches", hint="demand one character")
        if run.checker is not None and at.draft.reference is None:
            message = "a `checker` is a function of the reference, and the spec has none"
            yield at.problem("no-reference", message, *steps, "checker", hint="add `reference: PATH` to the spec")
