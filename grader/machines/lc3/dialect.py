"""How LC-3 assembly text is written: numbers, strings, labels, directives, and what single tools refuse.

The default dialect takes all that lc3tools takes, and more, because students are right under the assembler that they
were taught. A strict dialect only refuses. It never gives a program other words, except for texts
with escapes that its tool prints as they are written. It refuses things that the default dialect warns about,
named by the code of the warning. It also has Refusals: ways of writing that the default dialect takes in silence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from grader.machines.lc3.isa import TABLE
from grader.machines.lexer import lexer
from grader.machines.table import Form
from grader.values import dataclass

LEXER = lexer(comment=";", separators=",:")

ORIG, END, FILL, BLKW, STRINGZ = DIRECTIVES = (".ORIG", ".END", ".FILL", ".BLKW", ".STRINGZ")

INSTRUCTIONS: Mapping[str, tuple[Form, ...]] = TABLE.forms

FORMS: Mapping[str, tuple[Form, ...]] = {forms[0].name: forms for forms in INSTRUCTIONS.values()}
"""The same, by the proper spelling."""

OPERATIONS: Mapping[str, str] = {
    **{name: forms[0].name for name, forms in INSTRUCTIONS.items()},
    **{name: name for name in DIRECTIVES},
}
"""Every mnemonic and directive in upper case, with its proper spelling."""

REGISTERS: Mapping[str, int] = {f"{r}{number}": number for r in "Rr" for number in range(8)}

ESCAPES = {"n": 0x0A, "t": 0x09, "r": 0x0D, "\\": 0x5C, '"': 0x22, "0": 0x00, "e": 0x1B}

_DECIMAL = r"#?(?P<decimal>[-+]?[0-9]+)"
_HEX = r"(?P<hex_sign>-?)0?[xX](?P<hex_inner>-?)(?P<hex>[0-9A-Fa-f]+)"
_BINARY = r"(?P<binary_sign>-?)0?[bB](?P<binary_inner>-?)(?P<binary>[01]+)"
_NUMBER = re.compile(f"{_DECIMAL}|{_HEX}|{_BINARY}")
_DIGITS_READ = 64  # more are only more out of range, and converting a million of them takes time


def number(word: str) -> int | None:
    """The value of a number (``#-5``, ``x1F``, ``x-1F``, ``0x1F``, ``b101``) or of a character, or None for a name.

    No range is checked; a number of more than 64 digits counts as its first 64.
    """
    if word[0] == "'":
        return _character(word)
    match = _NUMBER.fullmatch(word)
    if match is None:
        return None
    if match["decimal"] is not None:
        return int(match["decimal"][:_DIGITS_READ])
    base, digits, signs = (16, "hex", "hex") if match["hex"] is not None else (2, "binary", "binary")
    if match[f"{signs}_sign"] and match[f"{signs}_inner"]:
        return None
    value = int(match[digits][:_DIGITS_READ], base)
    return -value if match[f"{signs}_sign"] or match[f"{signs}_inner"] else value


def _character(word: str) -> int | None:
    if len(word) == 3 and word[2] == "'":
        return ord(word[1])
    if len(word) == 4 and word[1] == "\\" and word[3] == "'":
        return ESCAPES.get(word[2], ord("'") if word[2] == "'" else None)
    return None


def is_binary_looking(name: str) -> bool:
    """Whether a name such as ``b1`` reads as a binary number, which the 2nd edition's assembler did not have."""
    return re.fullmatch("[bB][01]+", name) is not None


def _shortened(word: str) -> set[str]:
    """The word, and the word with any one letter left out: two words a slip apart have one of these in common."""
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


_SLIP_LENGTHS = range(3, 10)
_SLIPS = {
    short: name for name in reversed(tuple(INSTRUCTIONS)) if len(name) in _SLIP_LENGTHS for short in _shortened(name)
}


def misspelt(word: str) -> str:
    """The mnemonic that ``word`` is one slip away from (a letter wrong, missing, added or swapped), or nothing.

    Unlike a search for the nearest name this is quick enough for every line; words with digits are taken for names.
    """
    if len(word) not in _SLIP_LENGTHS or not word.isalpha():
        return ""
    meant = (_SLIPS[short] for short in sorted(_shortened(word.upper()), reverse=True) if short in _SLIPS)
    return OPERATIONS.get(next(meant, ""), "")


_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def text_of(word: str, kept: str = "") -> tuple[list[int], list[str]]:
    """The words of a ``.STRINGZ`` operand, its zero included, and the escapes in it that mean nothing.

    Characters beyond ASCII become their UTF-8 bytes, one a word, whatever encoding the source is in. An unknown escape
    stays as it is, backslash and all, and so does one of a letter in ``kept``. The quotes are taken off where they are; the
    closing one may be missing.
    """
    text = word
    if word.startswith('"'):
        text = word[1:-1] if is_closed(word) else word[1:]
    if "\\" not in text:
        return [*text.encode("utf-8", "replace"), 0], []
    codes: list[int] = []
    unknown: list[str] = []
    at = 0
    for match in _ESCAPED.finditer(text):
        codes += text[at : match.start()].encode("utf-8", "replace")
        code = ESCAPES.get(match[1])
        if code is None or match[1] in kept:
            unknown.append(match[0])
            codes += match[0].encode("utf-8", "replace")
        else:
            codes.append(code)
        at = match.end()
    return [*codes, *text[at:].encode("utf-8", "replace"), 0], unknown


def is_closed(word: str) -> bool:
    """Whether a string has its closing quote: one that no backslash escapes."""
    return len(word) > 1 and word.endswith('"') and (len(word) - len(word[:-1].rstrip("\\"))) % 2 == 1


class Part(StrEnum):
    """The part of a statement that a Refusal looks at."""

    LABEL = "label"
    MNEMONIC = "mnemonic"
    OPERAND = "operand"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A way of writing that one tool does not take: where ``pattern`` is all of a ``part``, ``what`` is refused."""

    code: str
    part: Part
    pattern: re.Pattern[str]
    what: str


@dataclass(frozen=True, slots=True)
class Dialect:
    """Refusals beyond the default: diagnostics that become errors, by code, and ways of writing.

    ``kept_escapes``: letters after a backslash that stay as they are written. ``commas``: operands must be separated by one
    comma each, and nothing else may hold a comma or colon but ``LABEL:``.
    """

    name: str
    errors: frozenset[str] = frozenset()
    refusals: tuple[Refusal, ...] = ()
    commas: bool = False
    kept_escapes: str = ""


def _refusal(code: str, part: Part, pattern: str, what: str) -> Refusal:
    return Refusal(code, part, re.compile(pattern, re.IGNORECASE), what)


_C_NUMBERS = _refusal("c-number", Part.OPERAND, r"-?0[xb]-?[0-9a-f]+", "a number that begins with 0x or 0b")
_SIGN_FIRST = _refusal("sign-first", Part.OPERAND, r"-0?[xb][0-9a-f]+", "a sign before the x or b")
_PLUS = _refusal("plus-sign", Part.OPERAND, r"#?\+[0-9]+", "a plus sign")
_CHARACTERS = _refusal("character", Part.OPERAND, r"'.{1,2}'", "a character as a number")
_NUMBERS = (_C_NUMBERS, _SIGN_FIRST, _PLUS, _CHARACTERS)

COMMAS = _refusal("commas", Part.OPERAND, "", "anything but one comma between two operands, and commas elsewhere")

_LC3TOOLS = Dialect(
    "lc3tools",
    frozenset(
        {"after-end", "binary-label", "byte-order-mark", "digit-label", "label-case", "missing-end", "odd-blank"}
        | {"several-labels", "stray-end"}
    ),
    (
        *_NUMBERS,
        _refusal("escape", Part.OPERAND, r'".*\\\\"', r"a string that ends in \\ (it reads the quote as escaped)"),
    ),
    kept_escapes="0e",
)

_LC3AS = Dialect(
    "lc3as",
    frozenset(
        {"byte-order-mark", "label-case", "odd-blank", "several-blocks", "unclosed-string", "unknown-escape"}
        | {"unquoted-string", "binary-number", "digit-label", "comment-sign"}
    ),
    (
        *_NUMBERS,
        _refusal("escape", Part.OPERAND, r'".*(?<!\\)(\\\\)*\\0.*', r"the escape \0"),
        _refusal(
            "label-characters", Part.LABEL, r"(?![a-z][a-z0-9_]*\Z).*", "a label of other signs than letters and digits"
        ),
        _refusal("unknown-mnemonic", Part.MNEMONIC, "PUTC|NOP", "PUTC and NOP"),
    ),
    commas=True,
)

DIALECTS: Mapping[str, Dialect] = {dialect.name: dialect for dialect in (Dialect("default"), _LC3TOOLS, _LC3AS)}
