"""One language: fixed words by their English, sentences of ours recognised and said in it, numbers and lists as it writes them."""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from grader.languages.templates import NUMBER, Saying, Templates

CODES = ("en", "de", "zh", "vi")
"""The languages that a spec may name."""

_FOLDER = Path(__file__).with_name("catalogues")
_NAMES = {"en": "English", "de": "Deutsch", "zh": "中文", "vi": "Tiếng Việt"}
# Browsers choose the shapes of characters by this tag: zh alone may mean the traditional ones.
_TAGS = {"zh": "zh-Hans"}
_DEFAULT_PLURAL = "n != 1"
_ESCAPED = re.compile(r"\\(.)")
_FORM = re.compile(r"msgstr\[\d\]")
_SIGNS = {"n": "\n", "t": "\t"}


# Catalogues in the PO format of gettext, as far as ours use it: texts, plurals, several lines; comments are read over.


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
            raise ValueError(f"line {number} is not a line of a catalogue: {line}")
        content = quoted[1:-1]
        if "\\" in content:
            content = _ESCAPED.sub(lambda match: _SIGNS.get(match[1], match[1]), content)
        if name == "msgid":
            if entry is not None:
                yield entry
            entry = Entry("")
        elif name and name not in ("msgid_plural", "msgstr") and not _FORM.fullmatch(name):
            raise ValueError(f"line {number} is not a line of a catalogue: {line}")
        key = name or key
        assert entry is not None
        if key == "msgid":
            entry.english += content
        elif key == "msgid_plural":
            entry.plural += content
        elif name:
            entry.forms.append(content)
        else:
            entry.forms[-1] += content
    if entry is not None:
        yield entry


def header(text: str) -> dict[str, str]:
    """The fields of a header, by their names."""
    pairs = (line.partition(":") for line in text.splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}


class Language:
    """How one language says what we say. English says it as it is written.

    ``words`` is the catalogue of the fixed words of reports, ``messages`` that of the sentences that findings, endings and the like are.
    ``earlier`` has sentences that kept records hold and that are worded differently today, each with a sentence of ``messages``.
    Raises KeyError if that one is missing.
    """

    def __init__(self, code: str, words: str = "", messages: str = "", earlier: str = "") -> None:
        self.code = code
        texts = {entry.english: entry for entry in entries(words)}
        head = texts.pop("", Entry("", forms=[""]))
        self._texts = {english: entry for english, entry in texts.items() if all(entry.forms)}
        # which plural form a number takes: ``nplurals=2; plural=(n != 1);``
        rule = re.search(r"plural=([^;]+)", header(head.forms[0]).get("Plural-Forms", ""))
        self._form: Callable[[int], int] = gettext.c2py(rule[1] if rule else _DEFAULT_PLURAL)
        said = {entry.english: entry.forms[0] for entry in entries(messages) if entry.english and entry.forms[0]}
        former = {entry.english: said[entry.forms[0]] for entry in entries(earlier) if entry.english}
        self._templates = Templates({**former, **said}.items())
        # Each catalogue says by this one entry how its language writes numbers.
        example = self.word("1,234.5")
        self._thousands, self._decimal = example[1], example[5]

    @property
    def tag(self) -> str:
        """Its tag in HTML."""
        return _TAGS.get(self.code, self.code)

    @property
    def name(self) -> str:
        """Its name in the language itself."""
        return _NAMES.get(self.code, self.code)

    def word(self, english: str, **places: object) -> str:
        """A fixed text of a report, by its English, with its places filled in."""
        entry = self._texts.get(english)
        text = english if entry is None else entry.forms[0]
        return text.format(**places) if places else text

    def form(self, one: str, many: str, count: float | str) -> str:
        """The form of a fixed text that a number takes, with its places: of ``{number} case``, ``{number} cases``."""
        entry = self._texts.get(one)
        whole = int(str(count)) if str(count).isdecimal() else 2  # 1.5 and 1,234 are also many
        return (one, many)[whole != 1] if entry is None else entry.forms[self._form(whole)]

    def words(self, one: str, many: str, count: float | str, **places: object) -> str:
        """A fixed text that hangs on a number, which stands in its place ``{number}``."""
        return self.form(one, many, count).format(number=self.number(count), **places)

    def number(self, number: float | str) -> str:
        """A number, or its text in English, as this language writes it."""
        text = str(number)
        if not NUMBER.fullmatch(text):
            return text
        whole, point, part = text.partition(".")
        return whole.replace(",", self._thousands) + (self._decimal + part if point else "")

    def listed(self, items: tuple[str, ...] | list[str]) -> str:
        """Several things as a list: with commas, and ``and`` before the last."""
        if not items:
            return ""
        *before, last = items
        text = before[0] if before else ""
        for item in before[1:]:
            text = self.word("{first}, {second}", first=text, second=item)
        return self.word("{first} and {second}", first=text, second=last) if text else last

    def say(self, text: str) -> str:
        """A sentence of ours in this language; one that it does not know stays as it is."""
        if self.code == "en" or not text:
            return text
        return self._saying().said(text) or text

    def knows(self, text: str) -> bool:
        """Whether it can say a sentence."""
        return self._saying().said(text) is not None

    def _saying(self) -> Saying:
        return Saying(self._templates, self.word, self.number)


ENGLISH = Language("en")
"""The language in which everything is written."""


@cache
def language(code: str) -> Language:
    """The language by its code, one of ``CODES``; any other is English, as a record of another grader may name it."""
    if code not in CODES or code == "en":
        return ENGLISH
    paths = (_FOLDER / code / "words.po", _FOLDER / code / "messages.po", _FOLDER / "earlier.po")
    return Language(code, *(path.read_text(encoding="utf-8") for path in paths))
