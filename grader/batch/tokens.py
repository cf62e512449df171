"""What similarity looks at of a program: its shape, blind to what costs a copyist nothing to change.

Names, labels, registers, numbers of lines, comments, blanks and texts are left out. Statements of which none leads elsewhere stand in
an order that their own shape gives, so that moving independent lines about changes nothing. Assembly is read by rules of our own, for
LC-3 and MIPS; other languages by the lexers of Pygments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from grader.values import dataclass

if TYPE_CHECKING:
    from pygments.lexer import Lexer

ASSEMBLY = ("lc3", "mips")


@dataclass(frozen=True, slots=True)
class Shape:
    """One token: its form, and the file (by number) and line that it stands in."""

    form: str
    file: int
    line: int


_Statement = tuple[Shape, ...]


def shapes(language: str, sources: Sequence[tuple[str, str]]) -> list[Shape]:
    """The tokens of a program, whose files are given by name and text."""
    found: list[Shape] = []
    for number, (name, text) in enumerate(sources):
        if language in ASSEMBLY:
            found += _settled(_lines(language, text, number))
        else:
            found += _settled(_statements(_lexer(PurePosixPath(name).suffix.casefold(), language), text, number))
    return found


def _settled(statements: Iterable[tuple[_Statement, bool]]) -> Iterator[Shape]:
    """The tokens of all statements; those between two that lead elsewhere in an order that hangs on their form alone."""
    run: list[_Statement] = []
    for statement, leads in statements:
        if not leads:
            run.append(statement)
            continue
        yield from _sorted(run)
        yield from statement
        run.clear()
    yield from _sorted(run)


def _sorted(run: Sequence[_Statement]) -> Iterator[Shape]:
    for statement in sorted(run, key=lambda one: [shape.form for shape in one]):
        yield from statement


# ------------------------------------------------------------------------------------------------------------ assembly

_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?|\'(?:[^\'\\]|\\.)\'')
_NUMBER = re.compile(r"\A(?:[#x+-]*+[0-9][0-9a-fx]*|x-?[0-9a-f]+|#-?[0-9]+|b[01]+)", re.IGNORECASE)
_REGISTER = {"lc3": re.compile(r"r[0-7]", re.IGNORECASE), "mips": re.compile(r"\$\w+")}
_LABEL = re.compile(r"\A\s*+([A-Za-z_.$][\w.$]*+)\s*+:")
_WORDS = re.compile(r"[^\s,()]+")
_COMMENT = {"lc3": ";", "mips": "#"}
_OPERATIONS = re.compile(
    r"br[nzp]{0,3}|add|and|not|ld|ldi|ldr|lea|st|sti|str|jmp|jsr|jsrr|ret|rti|trap|getc|out|puts|in|putsp|halt|\.\w+",
    re.IGNORECASE,
)
_LEADS = {
    "lc3": re.compile(r"br[nzp]*|jmp|jsrr?|ret|rti|trap|getc|out|puts|in|putsp|halt"),
    "mips": re.compile(r"b\w*|j\w*|syscall|eret|t(eq|ne|ge|lt)\w*"),
}
_SAME = {"brnzp": "br", ".blkw": ".fill", ".asciiz": ".ascii"}


def _lines(language: str, text: str, file: int) -> Iterator[tuple[_Statement, bool]]:
    """A statement a line; where a label stands before code something may lead to it, so that no line is moved across."""
    for number, raw in enumerate(text.splitlines(), 1):
        line = _STRING.sub(" ‹text› ", raw).partition(_COMMENT[language])[0]
        labelled = False
        while match := _LABEL.match(line):
            labelled, line = True, line[match.end() :]
        words = _WORDS.findall(line)
        if language == "lc3" and words and not _OPERATIONS.fullmatch(words[0]):
            labelled, words = True, words[1:]
        if labelled and not (words and words[0].startswith(".")):
            yield (), True
        if words:
            form = _form(language, words)
            yield (Shape(form, file, number),), _LEADS[language].fullmatch(words[0].casefold()) is not None


def _form(language: str, words: Sequence[str]) -> str:
    """One line: its operation, and of what kind each operand is."""
    operation = words[0].casefold()
    return " ".join((_SAME.get(operation, operation), *(_operand(language, word) for word in words[1:])))


def _operand(language: str, word: str) -> str:
    """The kind of an operand: a register, a number, a text or a label."""
    if _REGISTER[language].fullmatch(word):
        return "r"
    if _NUMBER.fullmatch(word):
        return "n"
    return "s" if word == "‹text›" else "l"


# ----------------------------------------------------------------------------------------------------- other languages

_CONTROL = re.compile(
    "if|else|for|while|do|switch|case|default|return|break|continue|goto|try|catch|except|finally|raise|throw|def|class|with|yield"
)


@cache
def _lexer(suffix: str, language: str) -> Lexer:
    from pygments.lexers.c_cpp import CLexer, CppLexer
    from pygments.lexers.jvm import JavaLexer
    from pygments.lexers.python import PythonLexer

    by_suffix = {".java": JavaLexer, ".py": PythonLexer, ".c": CLexer, ".h": CLexer}
    by_language = {"java": JavaLexer, "python": PythonLexer, "c": CLexer}
    lexer: Lexer = by_suffix.get(suffix, by_language.get(language, CppLexer))(stripnl=False)
    return lexer


def _statements(lexer: Lexer, text: str, file: int) -> Iterator[tuple[_Statement, bool]]:
    """Statements end with a semicolon or a brace, in Python with the line; one with a word of control leads elsewhere."""
    from pygments.token import Token

    python = lexer.name == "Python"
    held: list[Shape] = []
    leads, depth, line = False, 0, 1
    for kind, value in lexer.get_tokens(text):
        at, line = line, line + value.count("\n")
        if kind in Token.Comment:
            continue
        if not value.strip():
            if python and "\n" in value and depth == 0 and held:
                yield tuple(held), leads
                held, leads = [], False
            continue
        form = _kind(kind, value)
        depth += (value in "([{") - (value in ")]}") if python else (value == "(") - (value == ")")
        held.append(Shape(form, file, at))
        leads = leads or _CONTROL.fullmatch(value) is not None or (not python and value in "{}")
        if not python and depth <= 0 and value in ";{}":
            yield tuple(held), leads
            held, leads, depth = [], False, 0
    if held:
        yield tuple(held), leads


def _kind(kind: object, value: str) -> str:
    """The form of one token: names are names, numbers are numbers, texts are texts."""
    from pygments.token import Token

    forms = ((Token.Name, "n"), (Token.Literal.Number, "0"), (Token.Literal, "s"), (Token.Keyword.Type, "t"))
    for family, form in forms:
        if kind in family:
            return form
    return value.strip()
