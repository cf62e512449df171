"""The keys of `source` and `files` cases, which look at what was handed in."""

from __future__ import annotations

from pydantic import Field

from grader.spec.languages import Language
from grader.spec.values import Pattern, Points, SpecModel


class Construct(SpecModel):
    """A construct of a language, found by a tree-sitter query."""

    name: str = Field(min_length=1)
    """What findings call it: `a lambda`, `output parameters`."""
    query: str = Field(min_length=1)
    """A tree-sitter query for the grammar of the language; where it has a capture `@found`, that is what is pointed at."""
    language: Language | None = None
    """The language that it is for, where a student may choose."""
    least: int = Field(default=0, ge=0)
    """It must be found so often."""
    most: int | None = Field(default=None, ge=0)
    """It may be found so often; 0 forbids it."""
    hint: str = ""
    """What to do instead."""


class SourceRules(SpecModel):
    """What the source must look like."""

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
    """At least so many functions or methods besides `main` are defined."""
    constructs: tuple[Construct, ...] = ()
    """What the syntax tree of a C, C++, Java or Python source must or must not hold."""

    @property
    def forbids(self) -> bool:
        """Whether something may not occur, or only so often."""
        return bool(self.forbidden) or any(construct.most is not None for construct in self.constructs)


class FilesRules(SpecModel):
    """What is handed in besides the program, and under which name. Skipped when only a file was handed in."""

    handed_in_as: Pattern | None = None
    """A pattern for the whole name of the archive or folder, without its extension."""
    folder: Pattern | None = None
    """A pattern for the name of the one folder that holds everything."""
    example: str = ""
    """A name that fits, such as `PB07210340 LAB04`: what a student is told of the pattern."""
    present: str | None = None
    """A file that must be there, wherever: `report.pdf`, or `*.pdf` for any file of that name."""
    pdf_pages: int | None = Field(default=None, ge=1)
    """That file must be a PDF with at least so many pages."""
