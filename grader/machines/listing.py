"""An assembly as people and programs read it: a listing, blocks in hexadecimal, the symbols, and JSON.

A machine says with Notation how its addresses and words are written; the rest is the same for all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from grader.machines.image import Assembly, Image
from grader.source import Diagnostic, SourceFile, expand
from grader.values import dataclass

_WORDS_SHOWN = 4  # of a statement that makes many words: .BLKW 1000 is not worth a thousand lines


@dataclass(frozen=True, slots=True)
class Notation:
    """How a machine writes its numbers: hexadecimal digits of a word, and how far one word is from the next."""

    digits: int
    step: int

    def hex(self, value: int) -> str:
        """``value`` in lower-case hexadecimal, with all digits and no prefix."""
        return f"{value:0{self.digits}x}"


def hex_blocks(image: Image, notation: Notation) -> str:
    """One line for each block: ``3000: 5020 f025``; each line ends with a newline."""
    return "".join(
        f"{notation.hex(block.origin)}:{''.join(f' {notation.hex(word)}' for word in block.words)}\n"
        for block in image.blocks
    )


def symbols(image: Image, notation: Notation) -> str:
    """One line for each label in the order of addresses: its address and its name, as spelt at its definition."""
    ordered = sorted(image.symbols.items(), key=lambda symbol: symbol[1])
    return "".join(f"{notation.hex(address)}  {name}\n" for name, address in ordered)


def listing(assembly: Assembly, sources: Sequence[SourceFile], notation: Notation) -> str:
    """Each source line with the address and the word that it makes in front, then the labels, then the diagnostics.

    Further words of a line follow it, one in a line. With several files each has its name above it; included files
    stand after assembled ones. Without an image, the diagnostics are all there is.
    """
    parts: list[str] = []
    if assembly.image is not None:
        made = _words_by_line(assembly.image, notation)
        shown = _with_included(sources, assembly.image)
        for source in shown:
            parts += [f"{source.name}:"] if len(shown) > 1 else []
            for number, text in enumerate(source.lines, 1):
                parts += _lines_for(number, expand(text), made.get((source.name, number), []), notation)
            parts.append("")
        parts += ["Symbols:", symbols(assembly.image, notation)]
    parts += [diagnostic.render() for diagnostic in assembly.diagnostics]
    return "\n".join(parts).rstrip("\n") + "\n"


def _lines_for(number: int, text: str, words: list[tuple[int, int]], notation: Notation) -> Iterator[str]:
    blank = " " * (2 * notation.digits + 2)
    first = f"{notation.hex(words[0][0])}  {notation.hex(words[0][1])}" if words else blank
    yield f"{first}  {number:>5}  {text}".rstrip()
    for address, word in words[1:_WORDS_SHOWN]:
        yield f"{notation.hex(address)}  {notation.hex(word)}"
    if len(words) > _WORDS_SHOWN:
        yield f"{'…':<{notation.digits}}  {len(words) - _WORDS_SHOWN} more words, up to {notation.hex(words[-1][0])}"


def _with_included(sources: Sequence[SourceFile], image: Image) -> list[SourceFile]:
    """The sources, and after them the other files that made words, in the order of the addresses of these."""
    shown = {source.name: source for source in sources}
    for _, origin in sorted(image.origins.items(), key=lambda placed: placed[0]):
        shown.setdefault(origin.span.source.name, origin.span.source)
    return list(shown.values())


def _words_by_line(image: Image, notation: Notation) -> dict[tuple[str, int], list[tuple[int, int]]]:
    """Address and word of all that each line of each file made; where blocks overlap, a word counts for the later line."""
    made: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for block in image.blocks:
        for place, word in enumerate(block.words):
            address = block.origin + notation.step * place
            span = image.origins[address].span
            made.setdefault((span.source.name, span.line), []).append((address, word))
    return made


def as_json(assembly: Assembly, sources: Sequence[SourceFile], notation: Notation) -> str:
    """The assembly as one JSON object, schema ``grader/assembly/1``; ends with a newline.

    - ``source``, ``sources``: the name of the first file, and those of all that were assembled.
    - ``blocks``: the origin and the words as numbers; null if there are errors.
    - ``symbols``: the addresses by label.
    - ``lines``: the file, number, text and first address of each source line that made words.
    - ``diagnostics``: severity, code, message, hint, file, line, column and end column. The last four are null if a diagnostic
      is about no line.
    """
    image = assembly.image
    made = _words_by_line(image, notation) if image else {}
    texts = {source.name: source for source in _with_included(sources, image)} if image else {}
    ranks = {name: rank for rank, name in enumerate(texts)}
    document = {
        "schema": "grader/assembly/1",
        "source": sources[0].name,
        "sources": [source.name for source in sources],
        "blocks": [{"origin": block.origin, "words": list(block.words)} for block in image.blocks] if image else None,
        "symbols": dict(image.symbols) if image else None,
        "entry": image.entry if image else None,
        "lines": [
            {
                "file": name,
                "line": line,
                "address": words[0][0],
                "words": len(words),
                "text": texts[name].lines[line - 1],
            }
            for (name, line), words in sorted(made.items(), key=lambda at: (ranks[at[0][0]], at[0][1]))
        ],
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in assembly.diagnostics],
    }
    return json.dumps(document, ensure_ascii=False) + "\n"


def _diagnostic(diagnostic: Diagnostic) -> dict[str, str | int | None]:
    span = diagnostic.span
    return {
        "severity": diagnostic.severity.value,
        "code": diagnostic.code,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "file": span.source.name if span else None,
        "line": span.line if span else None,
        "column": span.column if span else None,
        "end_column": span.end_column if span else None,
    }
