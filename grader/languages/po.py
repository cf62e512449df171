"""Catalogues in the PO format of gettext, as far as ours use it: texts, plurals, several lines; comments are read over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_ESCAPED = re.compile(r"\\(.)")
_FORM = re.compile(r"msgstr\[\d\]")
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
        if not line or line.startswith("#"):
            continue
        name, blank, quoted = ("", " ", line) if line.startswith('"') else line.partition(" ")
        if not blank or len(quoted) < 2 or quoted[0] != '"' or quoted[-1] != '"' or (entry is None and name != "msgid"):
            raise ValueError(f"line {number} is none of a catalogue: {line}")
        said = quoted[1:-1]
        if "\\" in said:
            said = _ESCAPED.sub(lambda found: _SIGNS.get(found[1], found[1]), said)
        if name == "msgid":
            if entry is not None:
                yield entry
            entry = Entry("")
        elif name and name not in ("msgid_plural", "msgstr") and not _FORM.fullmatch(name):
            raise ValueError(f"line {number} is none of a catalogue: {line}")
        key = name or key
        assert entry is not None
        if key == "msgid":
            entry.english += said
        elif key == "msgid_plural":
            entry.plural += said
        elif name:
            entry.forms.append(said)
        else:
            entry.forms[-1] += said
    if entry is not None:
        yield entry


def header(text: str) -> dict[str, str]:
    """The fields of a header, by their names."""
    pairs = (line.partition(":") for line in text.splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}
