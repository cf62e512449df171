"""Arithmetic on constants as SPIM and mipsy have it: ``WIDTH*4``, ``N - 1``, ``1 << 3``."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence

from grader.machines.mips.dialect import integer

_WORD = re.compile(r"'(?:\\.|[^'\\])'|0[xX][0-9A-Fa-f]+|[0-9]+|[A-Za-z_.][\w.]*|<<|>>|[-+*/%&|^~()]|\S")
_LEVELS: tuple[Mapping[str, Callable[[int, int], int]], ...] = (
    {"|": operator.or_},
    {"^": operator.xor},
    {"&": operator.and_},
    {"<<": lambda a, b: a << (b & 31), ">>": lambda a, b: a >> (b & 31)},
    {"+": operator.add, "-": operator.sub},
    {"*": operator.mul, "/": lambda a, b: a // b if b else 0, "%": lambda a, b: a % b if b else 0},
)
_DEPTH = 40
_OPERATORS = frozenset(("+", "-", "*", "/", "%", "&", "|", "^", "~", "<<", ">>"))
_ANY = re.compile(r"[-+*/%&|^~<>]")
_BETWEEN = re.compile(r"(?<!\s)[-+*/%&|^~<>]|[-+*/%&|^~<>](?![0-9])")  # not the sign of a number in a list
_NAME = re.compile(r"[A-Za-z_.][\w.$]*")


def folded(words: Sequence[str], constants: Mapping[str, int]) -> int | None:
    """The value of an expression as a signed number of 32 bits, or None when it is none."""
    parts = _WORD.findall(" ".join(words))
    if not parts or len(parts) > 200:
        return None
    reading = _Reading(parts, constants)
    try:
        value = reading.level(0, 0)
    except _NoExpressionError:
        return None
    return (value + (1 << 31)) % (1 << 32) - (1 << 31) if not reading.words else None


def reckoned(words: Sequence[str], constants: Mapping[str, int], *, signs_join: bool) -> list[str]:
    """The words with each expression replaced by its value: ``SIZE * 4``, ``-MAX``; after a label, ``+ 8`` or ``- 4``.

    Commas are no words: of ``MAX, -1`` as of ``MAX -1`` these are two. ``signs_join`` says that they make one number.
    """
    if constants.keys().isdisjoint(words) and (_ANY if signs_join else _BETWEEN).search(" ".join(words)) is None:
        return list(words)  # as most lists of numbers are
    found: list[str] = []
    run: list[str] = []
    for word in [*words, ""]:
        is_value = bool(word) and word not in _OPERATORS and folded([word], constants) is not None
        after_value = bool(run) and run[-1] not in _OPERATORS
        if word in _OPERATORS or (is_value and (not after_value or (signs_join and word[0] in "+-"))):
            run.append(word)
            continue
        found += _settled(run, found, constants)
        run = [word] if is_value else []
        found += [] if is_value or not word else [word]
    return found + _settled(run, found, constants)


def _settled(run: list[str], before: Sequence[str], constants: Mapping[str, int]) -> list[str]:
    """What an expression comes to behind the words before it; itself where it is none."""
    if len(run) < 2 and (not run or (run[0] not in constants and integer(run[0]) is not None)):
        return run
    after_label = bool(before) and before[-1] not in constants and _NAME.fullmatch(before[-1]) is not None
    if after_label and run[0] in ("+", "-"):
        value = folded(run if run[0] == "-" else run[1:], constants)
        return run if value is None else ["+", str(value)]
    value = folded(run, constants)
    return run if value is None else [str(value)]


class _NoExpressionError(Exception):
    """The words are no expression of known constants."""


class _Reading:
    def __init__(self, words: list[str], constants: Mapping[str, int]) -> None:
        self.words = words[::-1]
        self._constants = constants

    def level(self, which: int, depth: int) -> int:
        """Read operators of one level of precedence and above."""
        if which == len(_LEVELS):
            return self._value(depth)
        value = self.level(which + 1, depth)
        while self.words and self.words[-1] in _LEVELS[which]:
            value = _LEVELS[which][self.words.pop()](value, self.level(which + 1, depth)) & 0xFFFF_FFFF_FFFF
        return value

    def _value(self, depth: int) -> int:
        if not self.words or depth > _DEPTH:
            raise _NoExpressionError
        word = self.words.pop()
        if word in "-+~":
            value = self._value(depth + 1)
            return -value if word == "-" else ~value if word == "~" else value
        if word == "(":
            value = self.level(0, depth + 1)
            if not self.words or self.words.pop() != ")":
                raise _NoExpressionError
            return value
        found = integer(word, octal=False) if word not in self._constants else self._constants[word]
        if found is None:
            raise _NoExpressionError
        return found
