"""What a strict dialect refuses in one statement beyond the default dialect's diagnostics."""

from __future__ import annotations

from collections.abc import Iterator

from grader.machines.assembler import Statement, Word
from grader.machines.lc3.dialect import COMMAS, LEXER, Dialect, Part, Refusal


def refused(statement: Statement, dialect: Dialect) -> Iterator[tuple[Refusal, Word]]:
    """Each way of writing that ``dialect`` refuses in a statement, and the word at fault."""
    labels = len(statement.labels)
    parts = {
        Part.LABEL: (statement.labels, 0),
        Part.MNEMONIC: ((statement.mnemonic,), labels),
        Part.OPERAND: (statement.operands, labels + 1),
    }
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
