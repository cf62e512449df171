"""How MIPS assembly text is written: words, numbers, strings, registers, and what tells the dialects apart.

``mars`` is MARS 4.5; ``spim`` is SPIM 8 and 9 (QtSpim); ``mipsy`` is mipsy. They differ in what they take, in what a
pseudo-instruction becomes, and in where text begins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache

from grader.machines.lexer import lexer
from grader.machines.mips.forms import HIGH, LOW, NEGATIVE, SMALL, WIDE, Forms, basic_forms, pseudo_forms
from grader.machines.mips.isa import REGISTER_NAMES, TABLE, TEXT
from grader.machines.mips.pseudo import PSEUDOS
from grader.machines.mips.pseudo_others import MIPSY_PSEUDOS, SPIM_PSEUDOS
from grader.values import dataclass

_EXPONENT = r"[-+]?[0-9][0-9.]*[eE][-+][0-9]+(?![0-9A-Za-z_])"
_AFTER_REGISTER = r"(?:(?<=\$[0-9])|(?<=\$[a-z0-9]{2})|(?<=\$f[0-9]{2})|(?<=\$zero))"
_SIGNED = rf"(?:(?<![0-9A-Za-z_.$])|{_AFTER_REGISTER})[-+][0-9][^\s\"#,():+-]*"  # also the -4 of $sp-4, not of label-4
_PLAIN = r"[^\s\"#,():+-]+"
LEXER = lexer(comment="#", separators=",", punctuation="():", word=f"{_EXPONENT}|{_SIGNED}|{_PLAIN}|[-+]")

_MIPSY_DIRECTIVES = frozenset((
    ".data", ".text", ".kdata", ".ktext", ".word", ".half", ".byte", ".float", ".double", ".ascii", ".asciiz",
    ".space", ".align", ".globl",
))  # fmt: skip
_WITH_EXTERN = _MIPSY_DIRECTIVES | {".extern", ".set"}
MARS_DIRECTIVES = _WITH_EXTERN | {".eqv", ".macro", ".end_macro", ".include"}
IGNORED = frozenset((
    ".alias", ".asm0", ".bgnb", ".end", ".endb", ".ent", ".file", ".fmask", ".frame", ".lab", ".livereg",
    ".loc", ".mask", ".noalias", ".option", ".verstamp", ".vreg",
))  # fmt: skip
"""Directives that SPIM reads and does nothing about."""
_SPIM_DIRECTIVES = _WITH_EXTERN | {".rdata", ".sdata", ".comm", ".lcomm"} | IGNORED


@dataclass(frozen=True)
class Dialect:
    """The differences between one assembler and another.

    - ``text``: the address of the program's first instruction.
    - ``equates``: it knows ``NAME = 4`` and arithmetic on constants.
    - ``operation_labels``: a label may have the name of an instruction.
    - ``small_letters``: mnemonics and directives are known only in lower case.
    - ``reserves_at``: only the assembler may use ``$at``.
    """

    name: str
    title: str
    directives: frozenset[str]
    text: int = TEXT
    needs_main: bool = False
    equates: bool = False
    semicolons: bool = False
    operation_labels: bool = True
    small_letters: bool = False
    reserves_at: bool = False

    @property
    def forms(self) -> Forms:
        """All ways to write its instructions."""
        return _forms(self.name)


@cache
def _forms(name: str) -> Forms:
    basic = [form for forms in TABLE.forms.values() for form in forms]
    rows = {"mars": PSEUDOS, "spim": SPIM_PSEUDOS, "mipsy": MIPSY_PSEUDOS}[name]
    if name == "mipsy":
        basic = [form for form in basic if not any(letter in "DSTc" for letter in form.letters)]
    return Forms((*basic_forms(basic), *pseudo_forms(rows)))


_MARS = Dialect("mars", "MARS", MARS_DIRECTIVES)
_MIPSY = Dialect("mipsy", "mipsy", _MIPSY_DIRECTIVES, needs_main=True, equates=True, semicolons=True)
# Before the program SPIM has nine words of its own, which call main and exit.
_SPIM = Dialect("spim", "SPIM", _SPIM_DIRECTIVES, TEXT + 0x24, needs_main=True, equates=True, semicolons=True)
_SPIM = replace(_SPIM, operation_labels=False, small_letters=True, reserves_at=True)

DIALECTS: Mapping[str, Dialect] = {dialect.name: dialect for dialect in (_MARS, _SPIM, _MIPSY)}


REGISTERS: Mapping[str, int] = {
    **{name: number for number, name in enumerate(REGISTER_NAMES)},
    **{f"${number}": number for number in range(32)},
    **{f"$0{number}": number for number in range(10)},
}
FLOAT_REGISTERS: Mapping[str, int] = {f"$f{number}": number for number in range(32)}

_ESCAPES = {"n": 10, "t": 9, "r": 13, "\\": 92, "'": 39, '"': 34, "b": 8, "f": 12, "0": 0}
_INTEGER = re.compile(r"[-+]?(?:0[xX][0-9A-Fa-f]+|[0-9]+)")
_REAL = re.compile(r"[-+]?(?:[0-9]++\.?[0-9]*+|\.[0-9]+)(?:[eE][-+]?[0-9]+)?[fFdD]?")
_NAME = re.compile(r"[^\W\d][\w.$]*|[.$][\w.$]*")
_DIGITS_READ = 64  # more are only more out of range, and converting a million of them takes time


@lru_cache(maxsize=4096)
def classify(word: str, dialect: str = "mars") -> tuple[str, int | None]:
    """The kind of an operand's word, as one character of a shape, and its value if it has one.

    Registers, names, punctuation and sizes of numbers as in ``forms``; besides ``s`` a string, ``x`` a real number,
    ``m`` a macro parameter, ``e`` none of these. Numbers are signed values of 32 bits.
    """
    register = REGISTERS.get(word.lower() if dialect == "mipsy" else word)
    if register is None and word == "$s8" and dialect == "spim":
        register = REGISTERS["$fp"]
    if register is not None:
        return "r", register
    if word in FLOAT_REGISTERS:
        return "f", FLOAT_REGISTERS[word]
    if word[0] in '():+-"' and (len(word) == 1 or word[0] == '"'):
        return ("s" if word[0] == '"' else word), None
    value = integer(word, octal=dialect != "spim")
    if value is not None:
        return size_of(value), value
    return _kind_of_name(word), None


def _kind_of_name(word: str) -> str:
    if word[0] == "%" and len(word) > 1:
        return "m"
    if _REAL.fullmatch(word):
        return "x"
    return "L" if _NAME.fullmatch(word) else "e"


def size_of(value: int) -> str:
    """The character of a shape for a number of this value."""
    if 0 <= value <= 65535:
        return SMALL if value < 32 else LOW if value < 32768 else HIGH
    return NEGATIVE if -32768 <= value < 0 else WIDE


def integer(word: str, *, octal: bool = True) -> int | None:
    """The value of a number or character as MARS reads it, wrapped to 32 bits with a sign; None for another word."""
    if word[0] == "'":
        return _character(word)
    if _INTEGER.fullmatch(word) is None:
        return None
    word = word[:_DIGITS_READ]
    digits = word.lstrip("+-")
    if digits[:2] in ("0x", "0X"):
        value = int(word, 16)
        if len(digits) > 10 and not -(1 << 31) <= value < 1 << 31:
            return None
    elif octal and digits[0] == "0" and len(digits) > 1 and not set(digits) & {"8", "9"}:
        value = int(word, 8)
    else:
        value = int(word)
    if value < -(1 << 31):
        return None
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def _character(word: str) -> int | None:
    inner = word[1:-1]
    if len(word) < 3 or word[-1] != "'":
        return None
    if len(inner) == 1:
        return ord(inner) if inner != "\\" else None
    if inner[0] == "\\":
        if len(inner) == 2:
            return _ESCAPES.get(inner[1])
        if re.fullmatch(r"\\[0-3][0-7]{2}", inner):
            return int(inner[1:], 8)
    return None


def real(word: str) -> float | None:
    """The value of a real number or an integer as ``.float`` takes it, or None."""
    if _REAL.fullmatch(word) is None:
        return None
    return float(word.rstrip("fFdD"))


_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SPIM_ESCAPED = re.compile(r'\\(?:(?P<sign>[nt"])|[0-3](?P<octal>[0-7]{2})|(?P<end>0)|X(?P<hex>[0-9A-F]{2}))')


def bytes_of(word: str, dialect: str) -> bytes:
    """The bytes of a quoted string, without a closing zero.

    MARS keeps the low byte of each UTF-16 unit and drops the backslash of an escape that it does not know; the others
    keep UTF-8 and the backslash. For SPIM a zero ends the string.
    """
    text = word[1:-1] if len(word) > 1 else ""
    if "\\" in text:
        if dialect == "spim":
            text = _SPIM_ESCAPED.sub(_spim_escaped, text).partition("\0")[0]
        else:
            text = _ESCAPED.sub(lambda match: _escaped(match[1], dialect), text)
    if dialect == "mars":
        return text.encode("utf-16-le", "surrogatepass")[::2]
    return text.encode("utf-8", "surrogatepass")


def _escaped(char: str, dialect: str) -> str:
    if char in _ESCAPES:
        return chr(_ESCAPES[char])
    return char if dialect == "mars" else f"\\{char}"


def _spim_escaped(match: re.Match[str]) -> str:
    """An escape of SPIM 8, which drops the first of three octal digits: 033 is right, 101 is 1."""
    if match["sign"]:
        return {"n": "\n", "t": "\t"}.get(match["sign"], match["sign"])
    if match["octal"]:
        return chr(int(match["octal"], 8))
    return chr(int(match["hex"], 16)) if match["hex"] else "\0"
