"""The MIPS assembler: from any text to an image, or to all errors that prevent one.

``lines`` turns sources into lines of words, with ``.include`` and ``.eqv``. ``placing`` gives everything an address, with
``directives`` and ``macros``. ``encoding`` makes machine words by the ``forms``, whose tables are ``isa`` and ``pseudo``. The
rules of the language are in ``dialect``, the messages for students in ``explain``. Messages are MARS's own; hints are ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from grader.machines.assembler import Report, named, refuse_source
from grader.machines.image import Assembly
from grader.machines.mips import explain
from grader.machines.mips.dialect import DIALECTS, LEXER, Dialect
from grader.machines.mips.encoding import Encoding
from grader.machines.mips.placing import Placing
from grader.source import Diagnostic, Severity, SourceFile

_COMPARED = 100_000  # characters: longer sources are not assembled as other dialects to find out what they look like
_NONE: Mapping[str, SourceFile] = MappingProxyType({})


def assemble(
    source: SourceFile,
    dialect: str = "mars",
    files: Mapping[str, SourceFile] = _NONE,
    more: Sequence[SourceFile] = (),
    entry: str = "",
) -> Assembly:
    """Assemble ``source``, and ``more`` files after it into one program, as the named dialect (mars, spim, mipsy).

    ``files`` are those that ``.include`` can name, by their paths in the submission. ``entry`` is the start of the program:
    ``first`` is its first instruction, ``main`` its label of that name if it has one (a global one for MARS). The empty string
    is the usual choice of the dialect.

    Never raises on what a source holds: it returns an image, or None and all errors, each with place and hint.

    Raises:
        UsageError: there is no such dialect.
    """
    rules = named(dialect, DIALECTS, "MIPS")
    sources = (source, *more)
    assembly = _assembled(sources, rules, files, entry or ("main" if rules.needs_main else "first"))
    if assembly.image is not None:
        return assembly
    return Assembly(None, (*assembly.diagnostics, *_other_dialect(sources, rules, files)))


def _assembled(sources: Sequence[SourceFile], rules: Dialect, files: Mapping[str, SourceFile], entry: str) -> Assembly:
    for source in sources:
        refusal = refuse_source(source)
        if refusal is not None:
            return Assembly(None, (refusal,))
    report = Report(LEXER)
    placing = Placing(rules, report, files)
    for source in sources:
        placing.file(source)
    entries = _entries(placing, sources[0], entry, report)
    image = Encoding(placing, report).image(entries.get(entry, rules.text))
    whole = replace(image, entries=entries, reserved=tuple(placing.reserved))
    return Assembly(None if report.failed else whole, report.diagnostics(sources))


def _entries(placing: Placing, source: SourceFile, entry: str, report: Report) -> dict[str, int]:
    """The addresses at which the program can start, with a word about ``main`` where it matters."""
    main = placing.globals.get("main")
    if placing.rules.needs_main:
        main = main or next((scope.labels["main"] for scope in placing.scopes if "main" in scope.labels), None)
        if main is None:
            message = "The following symbols are undefined: main"
            hint = "write main: before the first instruction of the program"
            report.error("no-main", message, source.span(1, 1), hint)
    elif not placing.code:
        if not report.failed:
            message, hint = "there are no instructions in this program", "write .text before the instructions"
            report.warning("no-program", message, source.span(1, 1), hint)
    elif entry == "first" and main is not None and main.address != placing.rules.text and not main.in_data:
        message = "the program starts at its first instruction, which is not main"
        hint = "write j main as the first instruction, or move main to the top"
        report.warning("main-elsewhere", message, main.line.span, hint)
    elif entry == "main" and main is None:
        local = (scope.labels["main"].line.span for scope in placing.scopes if "main" in scope.labels)
        own = next(local, source.span(1, 1))
        message = "there is no global label main: the program starts at its first instruction"
        report.warning("no-global-main", message, own, "write .globl main")
    return {"first": placing.rules.text} | ({"main": main.address} if main is not None else {})


def _other_dialect(
    sources: Sequence[SourceFile], rules: Dialect, files: Mapping[str, SourceFile]
) -> tuple[Diagnostic, ...]:
    """A note that says which dialect a program looks like that does not assemble under its own."""
    if sum(len(source.text) for source in sources) > _COMPARED:
        return ()
    signs = [(*sign, source) for source in sources for sign in explain.signs(source.lines, rules.name)]
    for other in DIALECTS.values():
        if other is not rules and _assembled(sources, other, files, "first").image is not None:
            own = ((what, line, at) for name, what, line, at in signs if name == other.name)
            what, line, at = next(own, ("", 0, sources[0]))
            place = f"line {line}" if len(sources) == 1 else f"line {line} of {at.name}"
            message = f"this program assembles as {other.title}" + (f": {place} has {what}" if what else "")
            hint = f"it is assembled as {rules.title} here; change what is {other.title}'s"
            return (Diagnostic(Severity.NOTE, "other-dialect", message, sources[0].span(1, 1), hint),)
    if signs:
        name, what, line, source = signs[0]
        message = f"this looks like a program for {DIALECTS[name].title}: it has {what}"
        hint = f"it is assembled as {rules.title} here"
        return (Diagnostic(Severity.NOTE, "other-dialect", message, source.span(line, 1), hint),)
    return ()
