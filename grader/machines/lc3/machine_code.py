"""LC-3 machine code as the assembly text that it says: words of 0 and 1, words in hexadecimal, and object files.

The first word is the address at which the program lies, and where it starts. Each line becomes the instruction that it holds, on the
same line and with the same comment. So all that reads assembly reads machine code as well, and whatever quotes a line shows the
instruction instead of sixteen digits.
"""

from __future__ import annotations

import re

from grader.machines.families import Reading
from grader.machines.lc3.dialect import ORIG
from grader.machines.lc3.isa import ADDRESS_SPACE, disassemble
from grader.source import Diagnostic, Severity, SourceFile, Span
from grader.values import dataclass

_TOOLS_HEADER = b"\x1c\x30\x15\xc0\x01"
"""The first bytes of an object file of lc3tools; two bytes of its version follow."""

# lc3tools and LC3Edit know `;` alone. A right program whose author writes `//` is no worse a program.
_LINE = re.compile(r"[ \t]*+(?P<word>(?:(?!;|//|#)[^\n])*+)(?P<comment>[^\n]*)")


@dataclass(frozen=True, slots=True)
class _Form:
    """How a text writes words: its digits, how many make a word, and the hint on a line that is wrong."""

    base: int
    digits: str
    count: int
    hint: str


_BINARY = _Form(2, "01", 16, "a word is 16 digits 0 and 1, and a comment begins with ;")
_HEXADECIMAL = _Form(16, "0123456789abcdefABCDEF", 4, "a word is 4 hexadecimal digits, and a comment begins with ;")
_ADDRESS_FIRST = "the first word is the address at which the program lies, such as x3000"


def as_assembly(name: str, data: bytes) -> Reading:
    """The assembly text of a file of machine code, and what is to be said of it.

    If a diagnostic is an error, the text is that of the file. A file with assembly text comes back as it is.
    """
    # PowerShell saves text as UTF-16, in which half of the bytes are 0.
    is_text = data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" not in data
    if name.casefold().endswith(".obj") or not is_text:
        return _of_object(name, data)
    source = SourceFile.from_bytes(name, data)
    # The comment behind the first word often says `.ORIG x3000`.
    if any(ORIG in match["word"].upper() for line in source.lines if (match := _LINE.match(line))):
        # Assembly text that is saved under such a name can be graded; staff decide what the name costs.
        message = "this is assembly text, and machine code is asked for"
        return source, (Diagnostic(Severity.WARNING, "assembly-text", message, source.span(1, 1), _BINARY.hint),)
    return _of_text(source)


def _of_text(source: SourceFile) -> Reading:
    """Words that are written one to a line, in digits, with comments behind them."""
    form = _form_of(source)
    lines: list[str] = []
    errors: list[Diagnostic] = []
    remarks: tuple[Diagnostic, ...] = ()
    started = False
    for number, text in enumerate(source.lines, start=1):
        match = _LINE.match(text)
        written = match["word"].rstrip() if match else ""
        if not match or not written:
            lines.append(_comment(text))
            continue
        indent = match.start("word")
        wrong = _wrong(written, form)
        if wrong is not None:
            at, end, message = wrong
            span = source.span(number, indent + at + 1, indent + end + 1)
            errors.append(Diagnostic(Severity.ERROR, "no-word", message, span, form.hint))
            continue
        word = int(_bare(written, form), form.base)
        if started:
            statement = disassemble(word)
        else:
            started, statement, remarks = True, f"{ORIG} x{word:04X}", _odd_origin(word, source.line_span(number))
        comment = _comment(match["comment"])
        lines.append(f"{' ' * indent}{statement}{'  ' * bool(comment)}{comment}")
    if not errors and not started:
        message = "there is no word of machine code in this file"
        errors.append(Diagnostic(Severity.ERROR, "no-word", message, source.span(1, 1), _ADDRESS_FIRST))
    if errors:
        return source, tuple(errors)
    return SourceFile(source.name, "\n".join([*lines, ".END", ""]), source.encoding), remarks


def _odd_origin(word: int, span: Span | None) -> tuple[Diagnostic, ...]:
    """A warning where the first word looks like an instruction: without its address the program would lie anywhere."""
    if word % 0x10 == 0 and word >= 0x3000:
        return ()
    message = f"the program lies at x{word:04X}, because that is its first word"
    return (Diagnostic(Severity.WARNING, "odd-origin", message, span, _ADDRESS_FIRST),)


def _form_of(source: SourceFile) -> _Form:
    """How a text writes its words: by the name of the file, or else by its first word."""
    suffix = source.name.casefold()[-4:]
    if suffix in (".bin", ".hex"):
        return _HEXADECIMAL if suffix == ".hex" else _BINARY
    words = (match["word"].split() for line in source.lines if (match := _LINE.match(line)))
    first = next(("".join(parts) for parts in words if parts), "")
    return _BINARY if set(first) <= {"0", "1", "_"} and len(first) > _HEXADECIMAL.count else _HEXADECIMAL


def _bare(written: str, form: _Form) -> str:
    """The digits of a word alone: fields may be set off by blanks or `_`, and hexadecimal may begin with x or 0x."""
    bare = "".join(written.replace("_", "").split())
    return re.sub(r"\A0?[xX]", "", bare) if form is _HEXADECIMAL else bare


def _wrong(written: str, form: _Form) -> tuple[int, int, str] | None:
    """Why something is no word, and from which to which of its characters; None if it is one."""
    bare = _bare(written, form)
    start = len(written) - len(re.sub(r"\A0?[xX]", "", written)) if form is _HEXADECIMAL else 0
    strange = next((at for at, char in enumerate(written) if at >= start and char not in f"{form.digits}_ \t"), None)
    if strange is not None:
        return strange, strange + 1, f"{written[strange]} is no digit of machine code"
    if len(bare) != form.count:
        message = "one digit stands in this line" if len(bare) == 1 else f"{len(bare)} digits stand in this line"
        return 0, len(written), message
    return None


def _comment(text: str) -> str:
    """A comment as the assembler writes it, whatever sign it begins with."""
    bare = text.strip().lstrip(";/#").strip()
    return f"; {bare}" if bare else ""


# ------------------------------------------------------------------------------------------------------------- object files


def _of_object(name: str, data: bytes) -> Reading:
    """Words as bytes, the higher one first; or the records that lc3tools writes."""
    words = _records(data) if data.startswith(_TOOLS_HEADER) else _words(data)
    if not words:
        message = "this is not a complete object file of the LC-3, which has 2 bytes for each word"
        return SourceFile(name, ""), (Diagnostic(Severity.ERROR, "broken-object", message, None, _ADDRESS_FIRST),)
    lines: list[str] = []
    for word, is_address in words:
        # A file of lc3tools may hold several blocks.
        lines += [".END"] if is_address and lines else []
        lines.append(f"{ORIG} x{word:04X}" if is_address else disassemble(word))
    return SourceFile(name, "\n".join([*lines, ".END", ""])), _odd_origin(words[0][0], None)


def _words(data: bytes) -> list[tuple[int, bool]]:
    """Each word, and whether it is the address at which the next ones lie; none where the data cannot be an object file."""
    # Beyond all memory it is no program, but a picture or an archive with another name.
    if len(data) % 2 or len(data) > 2 * ADDRESS_SPACE:
        return []
    return [(int.from_bytes(data[at : at + 2], "big"), at == 0) for at in range(0, len(data), 2)]


def _records(data: bytes) -> list[tuple[int, bool]]:
    """The same of a file of lc3tools: a record is a word, whether that is an address, and a line of the source."""
    words: list[tuple[int, bool]] = []
    at = len(_TOOLS_HEADER) + 2
    while at < len(data) and len(words) <= ADDRESS_SPACE:
        record = data[at : at + 7]
        at += 7 + int.from_bytes(record[3:7], "little")
        words.append((int.from_bytes(record[:2], "little"), record[2:3] == b"\1"))
    return words if at == len(data) and words and words[0][1] else []
