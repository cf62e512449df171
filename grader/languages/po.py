"""Catalogues in the PO format of gettext, as far as ours use it: texts, plurals, several lines; comments are read over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_LINE = re.compile(r'(?:(msgid|msgid_plural|msgstr)(?:\[(\d)\])?\s+)?"((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(.)")
_SIGNS = {"n": "\n", "t": "\t"}


@dataclass(slots=True)
class Entry:
    """One text: in English, in the plural where it has one, and in the other language, once for each of its plural forms."""

    english: str
    plural: str = ""
    forms: list[str] = field(default_factory=list)


def entries(text: str) -> Iterator[Entry]:
    """The entries of a catalogue in their order, the header first, whose English is empty. Raises ValueError."""
    entry: Entry | None = None
    key = ""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None or (entry is None and match[1] != "msgid"):
            raise ValueError(f"line {number} is none of a catalogue: {line}")
        said = _ESCAPED.sub(lambda found: _SIGNS.get(found[1], found[1]), match[3])
        if match[1] == "msgid":
            if entry is not None:
                yield entry
            entry = Entry("")
        key = match[1] or key
        assert entry is not None
        if key == "msgid":
            entry.english += said
        elif key == "msgid_plural":
            entry.plural += said
        elif match[1]:
            entry.forms.append(said)
        else:
            entry.forms[-1] += said
    if entry is not None:
        yield entry


def header(text: str) -> dict[str, str]:
    """The fields of a header, by their names."""
    pairs = (line.partition(":") for line in text.splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}
