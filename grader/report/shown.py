"""Student text made safe to show, in the one place that knows which characters are not.

A student's program can print anything: terminal escapes, bidirectional overrides that turn a line around, characters
that no XML document may hold. Every report passes such text through one of these functions before its own escaping.
Nothing is dropped: an invisible character may be the very mistake.
"""

from __future__ import annotations

import json
import re
import shlex

from grader.transcript import visible

# Control characters except LF and tab; what turns, joins or hides text; odd line ends; surrogates and
# noncharacters; tags. Written out rather than taken from unicodedata, whose tables change with the Python release.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufdd0-\ufdef\U000e0000-\U000e0fff"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
    + "]"
)
_ODD_BLANKS = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_YAML_WORDS = {"yes", "off", "true", "false", "null"}  # that are no texts, among words of letters
# The names of ASCII, since few fonts have the symbols of the U+2400 block.
_ASCII = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US"
)
_NAMES = _ASCII.split()
_SYMBOLS = {0x2400 + code: f"⟨{name}⟩" for code, name in enumerate(_NAMES)} | {0x2421: "⟨DEL⟩"}
_LINE_ESCAPES = {ord("\n"): "\\n", ord("\t"): "\\t"}


def plain(text: str) -> str:
    """The text with every unsafe character as ``⟨ESC⟩`` or ``⟨U+202E⟩``; LF, tab and blanks stay."""
    return _UNSAFE.sub(_symbol, text)


def line(text: str) -> str:
    """The text as one line: like ``plain``, with LF as ``⏎`` and tab as ``⇥``."""
    return plain(text).replace("\n", "⏎").replace("\t", "⇥")


def command(text: str) -> str:
    r"""A command of a shell as one line that does the same when it is pasted: words with unsafe characters as ``$'\e[2J'``."""
    if _is_safe(text):
        return text
    words = shlex.split(text)
    return " ".join(shlex.quote(word) if _is_safe(word) else f"$'{_escaped(word)}'" for word in words)


def _is_safe(text: str) -> bool:
    return not _UNSAFE.search(text) and not set(text) & set("\n\t")


def _escaped(word: str) -> str:
    """A word as a shell reads it between ``$'`` and ``'``."""

    def escape(match: re.Match[str]) -> str:
        code = ord(match[0])
        if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name that is no UTF-8, as Python decodes it
            return f"\\x{code - 0xDC00:02x}"
        return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

    return _UNSAFE.sub(escape, re.sub(r"[\\']", r"\\\g<0>", word)).translate(_LINE_ESCAPES)


def key(typed: str) -> str:
    """An input as it is shown on a key: one line, blanks as ``␣``; the empty line is Enter alone."""
    return line(typed).replace(" ", "␣") or "⏎"


def exposed(text: str) -> str:
    """Text that ``visible`` marked: like ``plain``, with symbols as names and odd blanks such as U+00A0 made visible."""
    return _ODD_BLANKS.sub(_symbol, plain(text.translate(_SYMBOLS)))


def marked(text: str) -> str:
    """Raw output with everything made visible: blanks as ``·``, line ends as ``⏎``, the rest as ``exposed`` does."""
    return exposed(visible(text))


def clipped(text: str, limit: int) -> str:
    """The text when it has at most ``limit`` characters, else its two ends and how much is missing between them."""
    if len(text) <= limit:
        return text
    # A fault is more often near the beginning; the end shows how the run ended.
    head, tail = limit - limit // 4, limit // 4
    return f"{text[:head]}\n… {len(text) - head - tail:,} characters not shown …\n{text[len(text) - tail :]}"


def _symbol(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return f"⟨{_NAMES[code]}⟩"
    return "⟨DEL⟩" if code == 0x7F else f"⟨U+{code:04X}⟩"


def pasted(value: str) -> str:
    """A value as YAML; texts that YAML would read differently, such as ``no``, ``12`` or ``a: b``, get quotes."""
    if re.fullmatch("[A-Za-z]{3,40}", value) and value.casefold() not in _YAML_WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)
