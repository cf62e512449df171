"""The MIPS assembler: from any text to an image, or to every reason why there is none.

``lines`` turns sources into words, with ``.include`` and ``.eqv``; ``placing`` gives everything an address, with
``directives`` and ``macros``; ``encoding`` makes the words by the ``forms``, whose tables are ``isa`` and ``pseudo``. The
rules of the language are in ``dialect``, what to tell a student in ``explain``. Messages are MARS's own; hints are ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from grader.machines.assembler import Report, refuse_source
from grader.machines.image import Assembly
from grader.machines.mips import explain
from grader.machines.mips.dialect import DIALECTS, LEXER, Dialect, dialect_named
from grader.machines.mips.encoding import Encoding
from grader.machines.mips.placing import Placing
from grader.source import Diagnostic, Severity, SourceFile

_COMPARED = 100_000  # characters: longer sources are not assembled as other dialects to find out what they look like
_NONE: Mapping[str, SourceFile] = MappingProxyType({})


def assemble(
    source: SourceFile,
    *,
    dialect: str = "mars",
    files: Mapping[str, SourceFile] = _NONE,
    more: Sequence[SourceFile] = (),
    start: Literal["first", "main"] = "first",
) -> Assembly:
    """Assemble ``source``, and ``more`` files after it into one program, as the named dialect (mars, spim, mipsy).

    ``files`` are those that ``.include`` can name, by their paths in the submission. ``start`` is where a program for
    MARS begins: at its first instruction, or at a global label ``main`` where it has one.

    Never raises on what a source holds: it returns an image, or None and all errors, each with place and hint.

    Raises:
        UsageError: there is no such dialect.
    """
    rules = dialect_named(dialect)
    assembly = _assembled(source, rules, files, more, start)
    if assembly.image is not None:
        return assembly
    return Assembly(None, (*assembly.diagnostics, *_other_dialect(source, rules, files, more)))


def _assembled(
    source: SourceFile, rules: Dialect, files: Mapping[str, SourceFile], more: Sequence[SourceFile], start: str
) -> Assembly:
    for one in (source, *more):
        refusal = refuse_source(one)
        if refusal is not None:
            return Assembly(None, (refusal,))
    report = Report(LEXER)
    placing = Placing(rules, report, files)
    for one in (source, *more):
        placing.file(one)
    image = Encoding(placing, report).image(_entry(placing, source, start, report))
    return Assembly(None if report.failed else image, report.diagnostics())


def _entry(placing: Placing, source: SourceFile, start: str, report: Report) -> int:
    """The address at which the program starts, with a word about ``main`` where it matters."""
    main = placing.globals.get("main")
    if placing.rules.needs_main:
        main = main or next((scope.labels["main"] for scope in placing.scopes if "main" in scope.labels), None)
        if main is None:
            message = "The following symbols are undefined: main"
            report.error(
                "no-main", message, source.span(1, 1), "write main: before the first instruction of the program"
            )
    elif not placing.code:
        if not report.failed:
            report.warning(
                "no-program",
                "there are no instructions in this program",
                source.span(1, 1),
                "write .text before the instructions",
            )
    elif start == "first":
        if main is not None and main.address != placing.rules.text and not main.in_data:
            message = "the program starts at its first instruction, which is not main"
            report.warning(
                "main-elsewhere",
                message,
                main.line.span,
                "write j main as the first instruction, or move main to the top",
            )
        return placing.rules.text
    return main.address if main is not None else placing.rules.text


def _other_dialect(
    source: SourceFile, rules: Dialect, files: Mapping[str, SourceFile], more: Sequence[SourceFile]
) -> tuple[Diagnostic, ...]:
    """A note that says which dialect a program looks like that does not assemble under its own."""
    if len(source.text) > _COMPARED:
        return ()
    found = explain.signs(source.lines, rules.name)
    for other in DIALECTS.values():
        if other is not rules and _assembled(source, other, files, more, "first").image is not None:
            sign = next((f": line {line} has {what}" for name, what, line in found if name == other.name), "")
            message = f"this program assembles as {other.title}{sign}"
            hint = f"it is assembled as {rules.title} here; change what is {other.title}'s"
            return (Diagnostic(Severity.NOTE, "other-dialect", message, source.span(1, 1), hint),)
    if found:
        name, what, line = found[0]
        message = f"this looks like a program for {DIALECTS[name].title}: it has {what}"
        return (
            Diagnostic(
                Severity.NOTE, "other-dialect", message, source.span(line, 1), f"it is assembled as {rules.title} here"
            ),
        )
    return ()
