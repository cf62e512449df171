"""From LC-3 assembly text to statements, one for each line that holds anything."""

from __future__ import annotations

from collections.abc import Iterator

from grader.machines.assembler import Report, Statement
from grader.machines.lc3.dialect import LEXER, OPERATIONS, REGISTERS, misspelt, number
from grader.machines.lc3.explain import NO_SUCH_INSTRUCTION
from grader.machines.lexer import is_plain
from grader.source import SourceFile, Span


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
            code = line[: len(line) - len(comment)] if words else line
            span = Span(source, line_number, len(code) - len(code.lstrip()) + 1, len(code.rstrip()) + 1)
            labels = _labels(words, line)
            yield _statement(words, labels, comment, span)


def _statement(words: list[str], labels: int, comment: str, span: Span) -> Statement:
    if labels == len(words):
        return Statement(tuple(words), "", (), comment, span)
    mnemonic = words[labels]
    return Statement(
        tuple(words[:labels]), OPERATIONS.get(mnemonic.upper(), mnemonic), tuple(words[labels + 1 :]), comment, span
    )


def _labels(words: list[str], line: str) -> int:
    """How many words stand before the operation; all of them when there is none."""
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
    """For words of which none is an operation: 0 when the first looks like one misspelt, 1 when the second does."""
    first, second, *rest = words
    if line[line.index(first) + len(first) :].lstrip(" \t").startswith(":"):
        return 2 if len(words) == 2 and line.rstrip().endswith(":") else 1
    if second in REGISTERS or number(second) is not None or _means_operation(first):
        return 0
    return 1 if _means_operation(second) or (rest and rest[0] in REGISTERS) else 0


def _means_operation(word: str) -> bool:
    return bool(misspelt(word)) or word.upper() in NO_SUCH_INSTRUCTION
