"""The keys of `source`, `files` and `manual` cases, which look at what was handed in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from pydantic import Field

from grader.spec.kinds.kind import Entry, Kind, contradictions, demands
from grader.spec.languages import Language
from grader.spec.problem import Problem, near
from grader.spec.values import Pattern, Points, SpecModel


class Construct(SpecModel):
    """A construct of a language, found by a tree-sitter query."""

    name: str = Field(min_length=1)
    """Its name in findings: `a lambda`, `output parameters`."""
    query: str = Field(min_length=1)
    """A tree-sitter query for the grammar of the language; where it has a capture `@found`, that is what is pointed at."""
    language: Language | None = None
    """The language that it is for, where a student may choose."""
    least: int = Field(default=0, ge=0)
    """The least number of matches."""
    most: int | None = Field(default=None, ge=0)
    """The largest number of matches; 0 forbids it."""
    hint: str = ""
    """A hint on what to do instead."""


class SourceRules(SpecModel):
    """The demands on the source."""

    builds: bool = False
    """It assembles or compiles without an error."""
    required: tuple[str, ...] = ()
    """Mnemonics or directives that must occur."""
    forbidden: tuple[str, ...] = ()
    """Mnemonics or directives that must not occur."""
    labels: tuple[str, ...] = ()
    """Labels that must be defined."""
    comments: Points | None = None
    """The least share of lines of code with a comment, such as 1/3."""
    functions: int = Field(default=0, ge=0)
    """The least number of functions or methods, without `main`."""
    constructs: tuple[Construct, ...] = ()
    """Constructs that a C, C++, Java or Python source must or must not have."""

    @property
    def forbids(self) -> bool:
        """Whether something may not occur, or only so often."""
        return bool(self.forbidden) or any(construct.most is not None for construct in self.constructs)


class FilesRules(SpecModel):
    """The files handed in besides the program, and their names. Skipped if only one file was handed in."""

    handed_in_as: Pattern | None = None
    """A pattern for the whole name of the archive or folder, without its extension."""
    folder: Pattern | None = None
    """A pattern for the name of the one folder that holds everything."""
    example: str = ""
    """A name that fits, such as `PB07210340 LAB04`. Students see it instead of the pattern."""
    present: str | None = None
    """A file that must be there, wherever: `report.pdf`, or `*.pdf` for any file of that name."""
    pdf_pages: int | None = Field(default=None, ge=1)
    """The least number of pages of that file, which must be a PDF."""


# ------------------------------------------------------------------------------------------------------------------ rules

_OF_ASSEMBLY = ("required", "forbidden", "labels")
_OF_SYNTAX = ("functions", "constructs")


def language(at: Entry[SourceRules]) -> Iterator[Problem]:
    """A case looks for what sources in this language have."""
    for key in _OF_SYNTAX if at.draft.simulated else _OF_ASSEMBLY:
        if at.draft.program and key in at.part.model_fields_set:
            yield at.foreign(f"`{key}` cannot be looked for in sources of this language", key)


def constructs(at: Entry[SourceRules]) -> Iterator[Problem]:
    """A construct is demanded or limited, in one of the languages."""
    known = at.draft.program.language if at.draft.program else ()
    for number, construct in enumerate(at.part.constructs if known else ()):
        steps = ("constructs", number)
        if not construct.least and construct.most is None:
            message = f"`{construct.name}` is neither required nor forbidden"
            yield at.problem("demands-nothing", message, *steps, hint="add `least` or `most`")
        # Grammars name their nodes differently: no query fits two.
        if construct.language is None and len(known) > 1:
            hint = f"add `language`: one of {', '.join(known)}"
            yield at.problem("language", "a query is written for one language", *steps, hint=hint)
        elif construct.language not in (None, *known):
            yield at.problem("language", f"no program is in `{construct.language}` here", *steps, "language")


def contradictory(at: Entry[SourceRules]) -> Iterator[Problem]:
    """No word is both required and forbidden."""
    required, forbidden = ({word.upper() for word in words} for words in (at.part.required, at.part.forbidden))
    yield from contradictions(at, sorted(required & forbidden), "required")


def examples(at: Entry[FilesRules]) -> Iterator[Problem]:
    """A name that must fit a pattern is shown to students by an example, or told in a hint: they read no patterns."""
    example = at.part.example
    patterns = [pattern for pattern in (at.part.handed_in_as, at.part.folder) if pattern is not None]
    for pattern in patterns if example else ():
        # An example that does not fit would lead students into the very mistake.
        if not re.fullmatch(pattern, example):
            hint = "an example is a whole name, without `.zip`; for two patterns make two cases"
            yield at.problem("example", f"the example does not fit {pattern}", "example", hint=hint)
    if example and not patterns:
        hint = "it shows what `handed_in_as` or `folder` asks for"
        yield at.idle("an example without a pattern has no effect", "example", hint=hint)
    # A hint that quoted the pattern told first-year students nothing.
    if patterns and not at.case.hint and not example:
        message = "students do not learn the required name, because they see no patterns"
        hint = "add `example: NAME`, or a `hint` to the case"
        yield at.warning("untold", message, hint=hint, at_key=True)


def deliverables(at: Entry[FilesRules]) -> Iterator[Problem]:
    """A file that is looked for is one that can be handed in; pages are counted in a file that is named."""
    present, submission = at.part.present, at.draft.submission
    if at.part.pdf_pages is not None and present is None:
        yield at.idle("`pdf_pages` is about the file in `present`", "pdf_pages", hint="add `present: report.pdf`")
    if present is not None and submission is not None and present not in submission.listed:
        hint = near(present, submission.listed, "`submission` lists")
        yield at.problem("file", f"`{present}` is not among the files handed in", "present", hint=hint)


_HANDED_IN = partial(Kind, judge="handed_in", runs=False, builds=False)
SOURCE = _HANDED_IN(
    "source", (language, demands, constructs, contradictory), handed_in=True, shows=lambda rules: rules.forbids
)
_MANNER = frozenset({"pdf_pages", "example"})
FILES = _HANDED_IN("files", (demands, examples, deliverables), handed_in=True, of_program=False, manner=_MANNER)
MANUAL = _HANDED_IN("manual", by_hand=True, of_program=False)
