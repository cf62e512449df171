"""Arithmetic on constants as SPIM and mipsy have it: ``WIDTH*4``, ``N - 1``, ``1 << 3``."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence

from grader.machines.mips.dialect import integer

_WORD = re.compile(r"'(?:\\.|[^'\\])'|0[xX][0-9A-Fa-f]+|[0-9]+|[A-Za-z_.][\w.]*|<<|>>|[-+*/%&|^~()]|\S")
_MOST_WORDS = 200  # of an expression: no parser should meet a line that nests without end
_RESULTS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_,
    ast.LShift: lambda a, b: a << (b & 31),
    ast.RShift: lambda a, b: a >> (b & 31),
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda a, b: a // b if b else 0,
    ast.Mod: lambda a, b: a % b if b else 0,
}
_SIGNS: Mapping[type[ast.unaryop], Callable[[int], int]] = {
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
    ast.UAdd: operator.pos,
}
_OPERATORS = frozenset(("+", "-", "*", "/", "%", "&", "|", "^", "~", "<<", ">>"))
_ANY = re.compile(r"[-+*/%&|^~<>]")
_BETWEEN = re.compile(r"(?<!\s)[-+*/%&|^~<>]|[-+*/%&|^~<>](?![0-9])")  # not the sign of a number in a list
_NAME = re.compile(r"[A-Za-z_.][\w.$]*")


def folded(words: Sequence[str], constants: Mapping[str, int]) -> int | None:
    """The value of an expression as a signed number of 32 bits; None if it has no value.

    Its operators have the precedence of Python's, so that Python's parser reads it once names are replaced by numbers.
    """
    parts = _WORD.findall(" ".join(words))
    if not parts or len(parts) > _MOST_WORDS:
        return None
    numbers = [part if part in _OPERATORS or part in "()" else _number(part, constants) for part in parts]
    try:
        value = _value(ast.parse(" ".join(numbers), mode="eval").body)
    except (SyntaxError, KeyError, MemoryError):
        return None
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def _number(word: str, constants: Mapping[str, int]) -> str:
    """The number that a word stands for, as Python writes it; what no expression has where it stands for none."""
    value = constants[word] if word in constants else integer(word, octal=False)
    return "$" if value is None else f"({value})"


def _value(node: ast.expr) -> int:
    """The value of a part of an expression. Raises KeyError if it is more than operators and numbers."""
    if isinstance(node, ast.BinOp):
        return _RESULTS[type(node.op)](_value(node.left), _value(node.right)) & 0xFFFF_FFFF_FFFF
    if isinstance(node, ast.UnaryOp):
        return _SIGNS[type(node.op)](_value(node.operand))
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    raise KeyError(node)


def reckoned(words: Sequence[str], constants: Mapping[str, int], *, signs_join: bool) -> list[str]:
    """The words with each expression replaced by its value: ``SIZE * 4``, ``-MAX``; after a label, ``+ 8`` or ``- 4``.

    Commas are no words: of ``MAX, -1`` as of ``MAX -1`` these are two. ``signs_join`` says that they make one number.
    """
    if constants.keys().isdisjoint(words) and (_ANY if signs_join else _BETWEEN).search(" ".join(words)) is None:
        return list(words)  # as most lists of numbers are
    words_out: list[str] = []
    run: list[str] = []
    for word in [*words, ""]:
        is_value = bool(word) and word not in _OPERATORS and folded([word], constants) is not None
        after_value = bool(run) and run[-1] not in _OPERATORS
        if word in _OPERATORS or (is_value and (not after_value or (signs_join and word[0] in "+-"))):
            run.append(word)
            continue
        words_out += _settled(run, words_out, constants)
        run = [word] if is_value else []
        words_out += [] if is_value or not word else [word]
    return words_out + _settled(run, words_out, constants)


def _settled(run: list[str], before: Sequence[str], constants: Mapping[str, int]) -> list[str]:
    """The value of an expression behind the words before it, as words; unchanged words if they are no expression."""
    if len(run) < 2 and (not run or (run[0] not in constants and integer(run[0]) is not None)):
        return run
    after_label = bool(before) and before[-1] not in constants and _NAME.fullmatch(before[-1]) is not None
    if after_label and run[0] in ("+", "-"):
        value = folded(run if run[0] == "-" else run[1:], constants)
        return run if value is None else ["+", str(value)]
    value = folded(run, constants)
    return run if value is None else [str(value)]
