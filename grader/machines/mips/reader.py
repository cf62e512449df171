"""MIPS text as statements, one for each line that holds anything: for checks on source code, comments included."""

from __future__ import annotations

from grader.machines.assembler import Statement
from grader.machines.mips.dialect import DIALECTS, LEXER, MARS_DIRECTIVES
from grader.source import SourceFile, Span


def statements(source: SourceFile) -> tuple[Statement, ...]:
    """The statements of ``source`` in order, comment lines included; any text has some reading.

    Mnemonics and directives are in small letters where they are known; an address is one operand, ``4($sp)``.
    """
    found = (_statement(source, number, text) for number, text in enumerate(source.lines, 1))
    return tuple(statement for statement in found if statement is not None)


def _statement(source: SourceFile, number: int, text: str) -> Statement | None:
    text = LEXER.tidy(text)[0]
    words = LEXER.words(text)
    if not words:
        return None
    comment = words.pop() if words[-1][0] == "#" else ""
    code = text[: len(text) - len(comment)] if words else text
    span = Span(source, number, len(code) - len(code.lstrip()) + 1, len(code.rstrip()) + 1)
    first = 0
    while words[first + 1 : first + 2] == [":"]:
        first += 2
    labels, words = tuple(words[:first:2]), words[first:]
    mnemonic = words[0] if words else ""
    known = mnemonic.lower() in DIALECTS["mars"].forms.by_name or mnemonic.lower() in MARS_DIRECTIVES
    operands = _operands(words[1:])
    return Statement(labels, mnemonic.lower() if known else mnemonic, operands, comment, span)


def _operands(words: list[str]) -> tuple[str, ...]:
    """The words with those of one address joined: ``label+4($t0)``."""
    found: list[str] = []
    for word in words:
        goes_on = word in ("(", ")", "+") or (found and found[-1][-1] in "(+" and found[-1][0] != '"')
        if goes_on and found:
            found[-1] += word
        else:
            found.append(word)
    return tuple(found)
