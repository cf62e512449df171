"""The LC-3 assembler: from any text to an image, or to all errors that prevent one.

``reader`` turns lines into statements, ``placing`` gives them addresses, ``encoding`` makes the words. The rules of the
language are in ``dialect``, the encodings in ``isa``, what to tell a student in ``explain``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from grader.errors import UsageError
from grader.machines.assembler import Report, Statement, Word, named, refuse_source, short, span_of
from grader.machines.image import Assembly
from grader.machines.lc3.dialect import (
    COMMAS,
    DIALECTS,
    END,
    INSTRUCTIONS,
    LEXER,
    OPERATIONS,
    ORIG,
    REGISTERS,
    Dialect,
    Part,
    Refusal,
    misspelt,
    number,
)
from grader.machines.lc3.encoding import Encoding
from grader.machines.lc3.explain import NO_SUCH_INSTRUCTION
from grader.machines.lc3.placing import Placing
from grader.machines.lexer import is_plain
from grader.source import Diagnostic, Severity, SourceFile, Span


def assemble(
    source: SourceFile,
    dialect: str = "default",
    files: Mapping[str, SourceFile] | None = None,  # noqa: ARG001  an LC-3 source includes nothing
    more: Sequence[SourceFile] = (),
    entry: str = "",
) -> Assembly:
    """Assemble ``source``, and ``more`` files after it into one program, as the named dialect (``default``, ``lc3tools``, ``lc3as``).

    The program begins with the first block of the first file; all files share their labels.

    Never raises on what a source holds: it returns an image, or None and all errors, each with place and hint.

    Raises:
        UsageError: there is no such dialect, or an ``entry`` is asked for.
    """
    if entry:
        raise UsageError("an LC-3 program starts at its first .ORIG", hint="leave out where it is to start")
    rules = named(dialect, DIALECTS, "LC-3")
    sources = (source, *more)
    for one in sources:
        refusal = refuse_source(one) or _refuse_machine_code(one)
        if refusal is not None:
            return Assembly(None, (refusal,))
    report = Report(LEXER, rules.errors)
    placing = Placing(report, rules.kept_escapes)
    placing.place((_assembled(one, rules, report), one.span(1, 1)) for one in sources)
    image = Encoding(placing, report).image()
    _report_lone_labels(placing, report)
    return Assembly(None if report.failed else image, report.diagnostics(sources))


_MACHINE_WORD = re.compile(r"\A\s*+(?:(?:[01][ \t_]*){16}(?![0-9A-Za-z])|0?[xX]?[0-9A-Fa-f]{4}\s*(?:[;/#].*)?$)")
_LINE_OF_CODE = re.compile(r"\A\s*+[^\s;]")


def _refuse_machine_code(source: SourceFile) -> Diagnostic | None:
    """One error for a file whose lines are words of memory as numbers, as a loader takes them, instead of one per line."""
    if ORIG in source.text.upper():
        return None
    lines = [number for number, line in enumerate(source.lines, 1) if _LINE_OF_CODE.match(line)]
    words = [number for number in lines if _MACHINE_WORD.match(source.lines[number - 1])]
    if not words or words[0] != lines[0] or 2 * len(words) <= len(lines):
        return None
    message = "this is machine code, not assembly text: its lines are words of memory, written as numbers"
    hint = "hand in the .asm file that it was made from"
    return Diagnostic(Severity.ERROR, "machine-code", message, source.line_span(words[0]), hint)


def _assembled(source: SourceFile, rules: Dialect, report: Report) -> Iterator[Statement]:
    """The statements that are more than a comment, after what a strict dialect has against them."""
    strict = bool(rules.refusals) or rules.commas
    ended = False
    for statement in read(source, report):
        if statement.labels or statement.mnemonic:
            if strict and not (ended := statement.mnemonic != ORIG and (ended or statement.mnemonic == END)):
                for refusal, at in _refused(statement, rules):
                    report.error(refusal.code, f"{rules.name} refuses {refusal.what}", at)
            yield statement


def _report_lone_labels(placing: Placing, report: Report) -> None:
    """Warn of labels that look like an instruction without operands: every assembler loses it in silence."""
    for at, directive in placing.words_alone():
        name = at.statement.labels[at.position]
        meant = directive or misspelt(name)
        if directive or any(not form.letters for form in INSTRUCTIONS.get(meant.upper(), ())):
            message = f"{short(name)} is read as a label, so no instruction is assembled here"
            report.warning("misspelt-mnemonic", message, at, f"did you mean {meant}?")


def _refused(statement: Statement, dialect: Dialect) -> Iterator[tuple[Refusal, Word]]:
    """Each way of writing that ``dialect`` refuses in a statement, and the word at fault."""
    labels, rest = len(statement.labels), (statement.operands, len(statement.labels) + 1)
    parts = {Part.LABEL: (statement.labels, 0), Part.MNEMONIC: ((statement.mnemonic,), labels), Part.OPERAND: rest}
    for refusal in dialect.refusals:
        words, first = parts[refusal.part]
        for index, word in enumerate(words, first):
            if refusal.pattern.fullmatch(word):
                yield refusal, Word(statement, index)
    if dialect.commas:
        yield from _separators(statement)


def _separators(statement: Statement) -> Iterator[tuple[Refusal, Word]]:
    """The words that are not followed by what should follow: a comma between operands, nothing but blanks elsewhere."""
    labels = len(statement.labels)
    line = statement.span.text
    places = LEXER.places(line)
    words = labels + (1 if statement.mnemonic else 0) + len(statement.operands)
    for index in range(words):
        end = places[index + 1][0] if index + 1 < len(places) else len(line) + 1
        between = "".join(line[places[index][1] - 1 : end - 1].split())
        allowed = ("", ":") if index < labels else (",",) if labels < index < words - 1 else ("",)
        if between not in allowed:
            yield COMMAS, Word(statement, index)


def statements(source: SourceFile) -> tuple[Statement, ...]:
    """The statements of ``source`` in order, comment lines included; any text has some reading."""
    return tuple(read(source, Report(LEXER)))


def read(source: SourceFile, report: Report) -> Iterator[Statement]:
    """The statements of ``source``, one by one; characters that are not what they seem go to ``report``."""
    words_of = LEXER.words
    all_plain = is_plain(source.text)
    for line_number, raw in enumerate(source.lines, 1):
        line = raw
        if not all_plain:
            line, odd_ones = LEXER.tidy(raw)
            for odd in odd_ones:
                report.odd_character(odd, source.span(line_number, odd.column))
        words = words_of(line)
        if words:
            comment = words.pop() if words[-1][0] == ";" else ""
            span = span_of(source, line_number, line, comment if words else "")
            labels = _labels(words, line)
            yield _statement(words, labels, comment, span)


def _statement(words: list[str], labels: int, comment: str, span: Span) -> Statement:
    if labels == len(words):
        return Statement(tuple(words), "", (), comment, span)
    mnemonic = OPERATIONS.get(words[labels].upper(), words[labels])
    return Statement(tuple(words[:labels]), mnemonic, tuple(words[labels + 1 :]), comment, span)


def _labels(words: list[str], line: str) -> int:
    """The number of words before the operation; all words if no operation is there."""
    if not words or _is_operation(words[0]):
        return 0
    if len(words) == 1 or _is_operation(words[1]):
        return 1
    for at, word in enumerate(words):
        if _is_operation(word):
            return at
        if word in REGISTERS or word[0] in "\"'" or number(word) is not None:
            break
    return _labels_without_operation(words, line)


def _is_operation(word: str) -> bool:
    return word[0] == "." or word.upper() in OPERATIONS


def _labels_without_operation(words: list[str], line: str) -> int:
    """For words without an operation: 0 if the first looks like a misspelt one, 1 if the second does."""
    first, second, *rest = words
    if line[line.index(first) + len(first) :].lstrip(" \t").startswith(":"):
        return 2 if len(words) == 2 and line.rstrip().endswith(":") else 1
    if second in REGISTERS or number(second) is not None or _means_operation(first):
        return 0
    return 1 if _means_operation(second) or (rest and rest[0] in REGISTERS) else 0


def _means_operation(word: str) -> bool:
    return bool(misspelt(word)) or word.upper() in NO_SUCH_INSTRUCTION
