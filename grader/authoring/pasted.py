"""A sample run as it stands in a handout, as a transcript of a spec: only what is typed must be told from what is printed.

Handouts mark what is typed in bold or underlined, which becomes ``**4**`` or ``<u>4</u>`` where it is pasted as Markdown or HTML; our own mark
is ``‹4›``. Programs print brackets and stars themselves, so other marks are taken only where the author names them, as ``[…]``.
"""

from __future__ import annotations

import re

from grader.errors import UsageError
from grader.spec.expectations import Choice, ExpectedTurn, Script, merged
from grader.spec.model import TextRules
from grader.spec.script_text import ENTER_MARK, read_script
from grader.values import dataclass

LAST = "last-newline"
"""The choice at the end of each pasted run: paper does not show whether a line ends behind its last word."""

# Bytes of a sample run. A spec has at most 1 MiB, in which each line is indented.
LONGEST = 256 << 10
ELLIPSIS = "…"
NO_INPUT = "none"
USUAL = ("‹…›", "<u>…</u>", "<b>…</b>", "**…**")
"""The marks that are looked for, the first that is found first."""

HOW = f"mark what is typed, as {', '.join(one.replace(ELLIPSIS, '4') for one in USUAL[:-1])} or {USUAL[-1].replace(ELLIPSIS, '4')}"
_ELSE = f"--typed '[{ELLIPSIS}]' names other marks, --typed '> {ELLIPSIS}' lines that are typed as a whole, --typed {NO_INPUT} says that nothing is typed"


@dataclass(frozen=True, slots=True)
class _Marks:
    """The text before and behind an input; with nothing behind, the input is the rest of the line."""

    before: str
    behind: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """Finds what is typed. A mark of stars is no part of a longer row of stars, which programs print."""
        before, behind = re.escape(self.before), re.escape(self.behind)
        if not self.behind:
            return re.compile(rf"^{re.escape(self.before.rstrip())} ?(?P<typed>.*)$", re.MULTILINE)
        inside = rf"{before}(?P<typed>(?:(?!{before}|{behind})[^\n])*){behind}"
        # Programs print rows of stars around their titles.
        stars = re.escape(self.before[0]) if self.before == self.before[0] * 2 else ""
        return re.compile(rf"(?<!{stars}){inside}(?!{stars})" if stars else inside)


def read_pasted(text: str, rules: TextRules, typed: str = "", *, keys: bool = False) -> Script:
    """The dialogue of a pasted sample run, which ends in the choice ``LAST``; ``typed`` are the marks, or `none`.

    If the program itself shows typed keys, several keys before the end of a line are a line that is typed with Enter, unless
    all are single ``keys``.
    Blanks at the ends of lines are left out: nobody saw them on paper. Raises UsageError where nothing is marked, or a mark is damaged.
    """
    # Word and PDF readers paste CRLF and a byte order mark.
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")
    printed = "\n".join(line.rstrip() for line in lines)
    if not printed.strip():
        raise UsageError("the sample run is empty")
    marks = None if typed == NO_INPUT else _marks_in(printed, typed)
    if marks is None:
        turns: tuple[ExpectedTurn, ...] = (ExpectedTurn((printed,)),)
    else:
        plain = printed if (marks.before, marks.behind) == ("‹", "›") else _remarked(printed, marks)
        turns = read_script(plain if keys else with_enter(plain, rules), rules, ends=None).turns
    *before, last = turns
    pieces = merged((*last.pieces, Choice(LAST, "\n")))
    return Script((*before, ExpectedTurn(pieces, None, last.echo)), ends=True)


_LINE = re.compile(rf"‹(?P<line>[^‹›{ENTER_MARK}\n]{{2,}})›(?=\n)")


def with_enter(transcript: str, rules: TextRules) -> str:
    """A transcript in which lines that are typed key by key end with Enter, as on an LC-3; elsewhere each input does anyway."""
    return _LINE.sub(rf"‹\g<line>{ENTER_MARK}›", transcript) if rules.echo == "program" else transcript


def _marks_in(text: str, typed: str) -> _Marks:
    """The marks that the author names, or those of the usual ones that are in the text. Raises UsageError where none is."""
    if typed and (typed.count(ELLIPSIS) != 1 or typed.startswith(ELLIPSIS)):
        raise UsageError(f"--typed must show with {ELLIPSIS} where the typed text stands", hint=_ELSE)
    for one in (typed,) if typed else USUAL:
        before, _, behind = one.partition(ELLIPSIS)
        marks = _Marks(before, behind)
        if marks.pattern.search(text):
            return marks
    what = f"no typed input is marked as {typed}" if typed else "no typed input is marked in the sample run"
    raise UsageError(what, hint=HOW if typed else f"{HOW}; {_ELSE}")


def _remarked(text: str, marks: _Marks) -> str:
    """The text with our own marks. Raises UsageError where it holds them already."""
    own = next((mark for mark in "‹›«»" if mark in text), "")
    if own:
        line = text[: text.index(own)].count("\n") + 1
        hint = "such an assignment needs a `dialogue` of steps"
        raise UsageError(f"the sample run prints {own}, which is a mark of the grader", place=f"line {line}", hint=hint)
    return marks.pattern.sub(lambda typed: f"‹{typed['typed'] or ENTER_MARK}›", text)


def decoded(data: bytes, name: str) -> str:
    """The text of a file. Raises UsageError where it is not UTF-8, holds nothing, or is too long for a sample run."""
    # A transcript of that length makes a spec that nothing reads: somebody named another file.
    if len(data) > LONGEST:
        raise UsageError(f"a sample run has at most {LONGEST >> 10} KiB", place=name, hint="is this the right file?")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError("the sample run is not UTF-8", place=name, hint="save it as UTF-8") from error
    if not text.strip():
        raise UsageError("the sample run is empty", place=name, hint="paste what the handout shows into it")
    return text
