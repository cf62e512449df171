"""A ``transcript: |`` text as a Script: a copied sample run with marks for typed input.

``‹B2›`` is an input, in which ``⏎`` is the key Enter. ``«name»`` is a choice of the spec. The mark ``text.blank`` is a
blank anywhere; at the end of a line it is necessary, because editors strip bare blanks and nobody sees them. One
newline at the very end is dropped: it belongs to the YAML block. Everything else is printed text. The line end after an
input is output of the program after its input. With ``echo: terminal``, however, it is Enter, typed with the input and
shown by the terminal. With ``echo: program`` the line end behind ``‹hello⏎›`` is the echo of that Enter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum

from grader.errors import SpecError, UsageError
from grader.source import Diagnostic, Severity, SourceFile
from grader.spec.expectations import ENTER, Choice, ExpectedTurn, Piece, Script, merged
from grader.spec.model import TextRules
from grader.spec.problem import near
from grader.values import dataclass

# None of these is on a keyboard or printed by programs of the assignments, so that nothing need be escaped.
MARKS = "‹›«»"
ENTER_MARK = "⏎"
"""The key Enter within an input: a program that reads keys gets it as any other."""
_TOKEN = re.compile(
    r"""‹(?P<typed>[^‹›«»]*)› | «(?P<choice>[^‹›«»]*)» | (?P<stray>[‹›«»])
      | (?P<bare>[ \t]+\Z) | [^‹›«»\ \t]+ | [ \t]""",
    re.VERBOSE,
)
_STRAY = {"‹": "not closed on its line", "›": "not opened", "«": "not closed on its line", "»": "not opened"}


class Part(Enum):
    """The kind of a part of a transcript."""

    TEXT = "text"
    TYPED = "typed"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class Token:
    """A part of a transcript and where it begins: line and column from 1 within the text."""

    part: Part
    value: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class TextProblem:
    """A problem of a transcript and its place within it: line and columns from 1, the end not included."""

    code: str
    message: str
    line: int
    column: int
    end_column: int
    hint: str = ""


def read_script(text: str, rules: TextRules, *, ends: bool | None) -> Script:
    """The dialogue that a transcript shows, its pieces merged; a choice's default is its first alternative.

    With ``rules.echo`` of ``program`` each input is expected again as the echo of the turn after it. ``ends`` is passed
    on. Raises SpecError with every problem; the transcripts of a loaded spec have none.
    """
    tokens, problems = read_tokens(text, rules)
    if problems:
        source = SourceFile("transcript", text)
        spans = [source.span(problem.line, problem.column, problem.end_column) for problem in problems]
        located = zip(problems, spans, strict=True)
        raise SpecError(tuple(Diagnostic(Severity.ERROR, one.code, one.message, at, one.hint) for one, at in located))
    return Script(tuple(_turns(tokens, rules)), ends)


def write_script(script: Script, rules: TextRules) -> str:
    """The transcript that reads as a script, without the newline that a YAML block adds. Raises UsageError if none does."""
    text = "".join(_written(script, rules))
    lines = [_seen(line, rules.blank) for line in text.split("\n")]
    text = "\n".join([_seen(lines[0], rules.blank, at_start=True), *lines[1:]])
    written = "".join(turn.text({}) + (turn.typed or "") for turn in script.turns)
    stray = next((mark for mark in MARKS + rules.blank if mark in written), "")
    instead = "write a `dialogue` of steps instead"
    if stray:
        message = f"what is printed or typed holds the mark {stray}, which means something else in a transcript"
        hint = "`text.blank` names another mark for a space" if stray == rules.blank else instead
        raise UsageError(message, hint=hint)
    for problem in read_tokens(f"{text}\n", rules)[1]:  # such as a tab at the end of a line
        raise UsageError(f"no transcript can hold this dialogue: {problem.message}", hint=instead)
    return text


def _written(script: Script, rules: TextRules) -> Iterator[str]:
    """The pieces of a transcript, with marks for all but text."""
    for turn in script.turns:
        yield from (f"«{piece.name}»" if isinstance(piece, Choice) else piece for piece in turn.pieces)
        if turn.typed is not None:
            typed = turn.typed.removesuffix(ENTER) if rules.echo == "terminal" else turn.typed
            yield f"‹{typed.replace(ENTER, ENTER_MARK) or ENTER_MARK}›"
            yield ENTER if _shows_enter(turn.typed, rules) else ""


def _seen(line: str, blank: str, *, at_start: bool = False) -> str:
    """A line with the blanks at its end as marks, or those at its start: YAML takes the indentation of a block from its first line."""
    kept = line.lstrip(" ") if at_start else line.rstrip(" ")
    marks = blank * (len(line) - len(kept))
    return marks + kept if at_start else kept + marks


def read_tokens(text: str, rules: TextRules) -> tuple[list[Token], list[TextProblem]]:
    """The parts of a transcript in order, and everything that is wrong with it."""
    tokens: list[Token] = []
    problems: list[TextProblem] = []
    lines = text.removesuffix("\n").split("\n")
    for number, line in enumerate(lines, 1):
        for match in _TOKEN.finditer(line):
            problem = _problem(match, number, rules)
            if problem:
                problems.append(problem)
            else:
                tokens.append(_token(match, number, rules))
        if number < len(lines):
            tokens.append(Token(Part.TEXT, "\n", number, len(line) + 1))
    return tokens, problems


def _token(match: re.Match[str], line: int, rules: TextRules) -> Token:
    column = match.start() + 1
    if match["choice"] is not None:
        return Token(Part.CHOICE, match["choice"], line, column)
    if match["typed"] is None:
        return Token(Part.TEXT, match[0].replace(rules.blank, " "), line, column)
    # The mark of a blank, since one at the end of an input is not seen.
    keys = match["typed"].replace(rules.blank, " ").replace(ENTER_MARK, ENTER)
    if rules.echo == "terminal":  # where Enter ends each input anyway, it may be written or not
        keys = keys.removesuffix(ENTER)
    return Token(Part.TYPED, keys, line, column)


def _problem(match: re.Match[str], line: int, rules: TextRules) -> TextProblem | None:
    """The problem of one match of ``_TOKEN``, if any."""
    place = (line, match.start() + 1, match.end() + 1)
    if match["stray"]:
        what = f"the mark {match[0]} is {_STRAY[match[0]]}"
        return TextProblem("mark", what, *place, hint="typed input is written ‹B2›, a choice «name»")
    if match["bare"]:
        hint = f"write each space as {rules.blank} if the program prints it, or delete it"
        return TextProblem("bare-blank", "spaces at the end of a line are invisible", *place, hint=hint)
    if match["typed"] == "":
        hint = "write the keys: ‹B2›, or ‹⏎› for Enter alone"
        return TextProblem("empty-input", "nothing is typed between ‹ and ›", *place, hint=hint)
    if match["choice"] is not None and match["choice"] not in rules.choices:
        name = match["choice"]
        hint = near(name, rules.choices, "`text.choices`")
        return TextProblem("unknown-choice", f"no choice is called {name!r}", *place, hint=hint)
    return None


def _turns(tokens: Iterable[Token], rules: TextRules) -> Iterator[ExpectedTurn]:
    pieces: list[Piece] = []
    echo = ""
    enter = ENTER if rules.echo == "terminal" else ""
    shown_enter = False
    for token in tokens:
        # A sample run shows the Enter of an echo as the end of its line: read again, it would be expected twice.
        typed = token.part is Part.TYPED
        skips, shown_enter = shown_enter and token.value == ENTER, typed and _shows_enter(token.value + enter, rules)
        if skips:
            continue
        if token.part is Part.TEXT:
            pieces.append(token.value)
        elif token.part is Part.CHOICE:
            pieces.append(Choice(token.value, rules.choices[token.value][0]))
        else:
            yield ExpectedTurn(merged(pieces), token.value + enter, echo)
            pieces, echo = [], token.value if rules.echo == "program" else ""
    yield ExpectedTurn(merged(pieces), None, echo)


def _shows_enter(typed: str, rules: TextRules) -> bool:
    """Whether a line ends behind this input because the terminal or the program shows its Enter. It is told once."""
    return rules.echo == "terminal" or (rules.echo == "program" and typed.endswith(ENTER))
