"""Words that several reports share: verdicts, points, the first thing to fix, and one case in plain lines.

Functions with a ``language`` write for students; the sentences in the grade are translated before
(``report.translation``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from grader import results
from grader.languages import ENGLISH, Language
from grader.report import shown
from grader.results import (
    NOT_SHOWN,
    CaseResult,
    CriterionResult,
    Finding,
    Grade,
    Number,
    Status,
    Verdict,
    Visibility,
    Weight,
)
from grader.source import display_width
from grader.values import dataclass

PHRASES = {
    Verdict.ACCEPTED: "accepted",
    Verdict.FORM: "only slips of form",
    Verdict.WRONG_ANSWER: "wrong answer",
    Verdict.NOT_SHOWN: "not shown",
    Verdict.RUNTIME_ERROR: "runtime error",
    Verdict.TIME_LIMIT: "time limit",
    Verdict.MEMORY_LIMIT: "memory limit",
    Verdict.OUTPUT_LIMIT: "output limit",
    Verdict.COMPILE_ERROR: "does not build",
    Verdict.MISSING_FILE: "missing file",
    Verdict.NOT_TERMINATING: "never ends",
    Verdict.SKIPPED: "skipped",
    Verdict.UNJUDGED: "could not be tried",
    Verdict.NEEDS_REVIEW: "needs review",
    Verdict.JUDGE_ERROR: "our error",
}
OUR_FAULT = "Part of this could not be graded through our fault; no points were taken for it."
NOTHING_JUDGED = "Nothing could be graded automatically; a person decides, and no points were taken."
OPEN_PHRASES = {
    Status.MANUAL: "A person grades this",
    Status.NEEDS_REVIEW: "A person decides",
    Status.JUDGE_ERROR: "Not graded, through our error",
}
_ROOT_CAUSES = (Verdict.MISSING_FILE, Verdict.COMPILE_ERROR)  # nothing else is worth fixing before these
_PLAIN_WORD = re.compile(r"\A[^\W\d_]++(?: |$)")
_LAST_INPUTS = 12  # of a finding: what led to it, in one line
_BLOCK_LIMIT = 1200  # characters of a quote, some fifteen lines: a program in a loop prints megabytes
_LABELS = ("inputs", "expected", "actual", "output", "position")
_STRETCHES = 8  # of lines that were never executed, in one sentence

Role = (
    Literal["finding", "slip", "note", "detail", "source", "step", "hint"]
    | Literal["inputs", "expected", "actual", "output", "reading", "position"]
    | Literal["errors", "basis", "ending", "again"]
)

_ROLES: dict[Weight, Role] = {Weight.DEFECT: "finding", Weight.SLIP: "slip", Weight.NOTE: "note"}


@dataclass(frozen=True, slots=True)
class Line:
    """One physical line of the details of a case, safe to show, and its role, which decides the colour."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Advice:
    """The first thing to fix: a case, and the finding that says how; None if the verdict says everything."""

    case: CaseResult
    finding: Finding | None


def number(points: Number, language: Language = ENGLISH) -> str:
    """Points as people write them: ``17.5``, and ``20`` for 20.0."""
    return str(int(points)) if points == int(points) else language.number(repr(points))


def sentence(text: str) -> str:
    """The text with a capital in front where it begins with a plain word, and not with a name such as ``nim.asm``."""
    word = _PLAIN_WORD.match(text)
    return text[:1].upper() + text[1:] if word and word[0].islower() else text


def plural(count: Number | str, noun: str) -> str:
    """``1 point``, ``2 points``."""
    return f"{count} {noun}" if str(count) == "1" else f"{count} {noun}s"


def listed(names: Sequence[str], most: int) -> str:
    """The first few names for a sentence, and that there are more: ``a, b, …``."""
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


def points_of(criterion: CriterionResult, language: Language = ENGLISH) -> str:
    """``4.5 / 6``, ``open / 6``, ``3, 2 open / 6``; ``-1.5`` for a deduction, ``+2 / 5`` for a bonus."""
    most = number(criterion.max_points, language)
    if criterion.points is None:
        return language.word("open / {most}", most=most)
    earned = earned_of(criterion, language)
    if criterion.open:
        still = number(criterion.open, language)
        earned = language.word("{points}, {open} open", points=earned, open=still)
    return earned if criterion.kind == "deduction" else f"{earned} / {most}"


def earned_of(criterion: CriterionResult, language: Language = ENGLISH) -> str:
    """The decided points that a criterion adds to the score: ``4.5``, ``-1.5`` for a deduction, ``+2`` for a bonus."""
    if criterion.kind == "deduction":
        return number(-criterion.lost, language)
    sign = "+" if criterion.kind == "bonus" else ""
    return f"{sign}{number(criterion.points or 0, language)}"


def loses(criterion: CriterionResult) -> bool:
    """Whether points were lost under a criterion, whether or not others are open. A missed bonus is no loss."""
    return criterion.kind != "bonus" and criterion.lost > 0


def mark(criterion: CriterionResult) -> str:
    """The sign before a criterion: ``✗`` where points are lost, ``?`` where points are open and none is lost, else ``✓``."""
    return "✗" if loses(criterion) else "?" if criterion.open else "✓"


def score_line(grade: Grade, language: Language = ENGLISH, later: Number = 0) -> str:
    """``17.5 of 20 points``, and how many more are open, or judged ``later``, after the deadline."""
    if later and not grade.max_points:
        return language.words(
            "no points are judged before you hand in, and {number} point after",
            "no points are judged before you hand in, and {number} points after",
            number(later, language),
        )
    text = _score(grade, language)
    more = number(later, language)
    if not later:
        return text
    return language.word("{score}; {points} more are judged after you hand in", score=text, points=more)


def _score(grade: Grade, language: Language) -> str:
    score = number(grade.score, language)
    most = number(grade.max_points)
    text = language.words("{score} of {number} point", "{score} of {number} points", most, score=score)
    if grade.complete:
        return text
    # A choice of cases is not a whole grade, even if nothing is open.
    if not grade.open_points:
        return language.word("{score}; not complete", score=text)
    return language.word("{score}, {open} still open", score=text, open=number(grade.open_points, language))


def phrase(verdict: Verdict, language: Language = ENGLISH) -> str:
    """A verdict in words."""
    return language.word(PHRASES[verdict])


def charged(charge: results.Charge, language: Language = ENGLISH) -> str:
    """A charge in one line: ``-1.5 a blank line is missing (charged once)``."""
    points, message = number(charge.points, language), shown.line(charge.message)
    return language.word("-{points} {message} (charged once)", points=points, message=message)


def why(criterion: CriterionResult, language: Language = ENGLISH) -> str:
    """The reason why a criterion lacks points, or who decides on them; empty for full points."""
    if criterion.given:
        return sentence(shown.line(criterion.given))
    reason = sentence(shown.line(criterion.reason))
    if criterion.points is None:
        return reason or language.word(OPEN_PHRASES.get(criterion.status, "open"))
    if not criterion.open:
        return reason if criterion.points < criterion.max_points else ""
    still = number(criterion.open, language)
    if criterion.status is Status.JUDGE_ERROR:
        who = language.words(
            "{number} point is open, through our error", "{number} points are open, through our error", still
        )
    else:
        who = language.words("a person decides about {number} point", "a person decides about {number} points", still)
    return sentence("; ".join(filter(None, (reason, who))))


def adjustment(one: results.Adjustment, language: Language = ENGLISH) -> str:
    """A decision of staff on the whole grade, with its points, as ``Handed in late: 1 day (-10)``."""
    text = sentence(shown.line(one.message))
    step = f" ({'+' if one.points > 0 else ''}{number(one.points, language)})" if one.points else ""
    return language.word("Comment of staff: {text}", text=text) if one.kind == "comment" else f"{text}{step}"


def verdicts(cases: Iterable[CaseResult]) -> tuple[tuple[Verdict, int], ...]:
    """The number of cases with each verdict that occurs, in the order of ``Verdict``."""
    counts = Counter(case.verdict for case in cases)
    return tuple((verdict, counts[verdict]) for verdict in Verdict if counts[verdict])


def fix_first(grade: Grade) -> Advice | None:
    """The case to look at first: one that keeps everything from running, else the dearest.

    Visible ones before hidden ones.

    Several cases may show a slip at one price; then the case made for this slip is taken, since it has the hint.
    """
    failed = [case for case in grade.cases if case.verdict.blames_student]
    if not failed:
        return None
    # Any number of cases may show a slip at one price, so the price of one case says nothing.
    payers = {c.id for c in grade.criteria for charge in c.charges if charge.cases}

    def rank(case: CaseResult) -> tuple[bool, bool, Number, bool, bool]:
        hidden = case.visibility is not Visibility.VISIBLE
        return case.verdict not in _ROOT_CAUSES, hidden, -case.price, case.met, case.criterion not in payers

    case = min(failed, key=rank)
    order = (Weight.DEFECT, Weight.SLIP, Weight.NOTE)
    return Advice(case, min(case.findings, key=lambda f: order.index(f.weight), default=None))


# Notes on how a program was understood; its student need do nothing.
_TECHNICAL = frozenset({"result-register", "own-words", "unread"})


def remarks(grade: Grade) -> tuple[tuple[CaseResult, Finding], ...]:
    """The notes on accepted cases, each once with the first case that has it: a warning, or a start that depends on chance."""
    notes: dict[tuple[str, str, str], tuple[CaseResult, Finding]] = {}
    for case in grade.cases:
        for finding in case.findings if case.verdict is Verdict.ACCEPTED else ():
            if finding.weight is Weight.NOTE and finding.code not in _TECHNICAL:
                notes.setdefault((finding.code, finding.message, finding.place), (case, finding))
    return tuple(notes.values())


def remark(finding: Finding, language: Language = ENGLISH) -> Iterator[Line]:
    """A note on an accepted case, line by line: what it says, the line of the source, the hint."""
    return (line for line in _finding(finding, language) if line.role in ("note", "source", "hint"))


@dataclass(frozen=True, slots=True)
class Alike:
    """A case, and the others with the same finding.

    A turn that could not be read is reported once, not for each case.
    """

    case: CaseResult
    alike: tuple[CaseResult, ...]

    @property
    def number(self) -> int:
        """The number of cases."""
        return 1 + len(self.alike)


def once(cases: Iterable[CaseResult]) -> tuple[Alike, ...]:
    """The cases, grouped by equal verdict and finding."""
    groups: dict[object, list[CaseResult]] = {}
    for case in cases:
        # One question that could not be read leaves dozens of cases open with the same sentence.
        same = (case.verdict, case.findings[0].code, case.findings[0].message) if case.findings else case.id
        groups.setdefault(same, []).append(case)
    return tuple(Alike(first, tuple(rest)) for first, *rest in groups.values())


def basis(case: CaseResult, language: Language = ENGLISH) -> str:
    """The basis of a verdict: ``based on 45 moves of the computer, in 16 games; not seen: refusals``.

    Empty without counts.
    """
    if not case.occasions:
        return ""
    counted = [
        language.word("{number} {label}", number=language.number(one.count), label=one.label)
        for one in case.occasions
        if one.count
    ]
    what, many = language.listed(counted), case.kind in ("game", "differential") and case.runs > 1
    parts = []
    if counted and many:
        number = language.number(case.runs)
        parts.append(language.word("based on {what}, in {number} games", what=what, number=number))
    elif counted:
        parts.append(language.word("based on {what}", what=what))
    # “based on 0 returns from subroutines” read as if there were something to judge. A fault is shown whatever else is not seen.
    # A program that printed without end at C9 was charged for that, and told that no move of too many rocks was seen.
    lacks = not case.verdict.blames_student or any(one.code == NOT_SHOWN for one in case.findings)
    unseen = [one.label for one in case.occasions if not one.count]
    if unseen and lacks:
        parts.append(language.word("not seen: {what}", what=language.listed(unseen)))
    judged = "; ".join(parts)
    # “Proved over all 0 positions”, where each turn was a stranger's, read as if the computer had never moved.
    return f"{language.say(case.proof.sentence)}; {judged}" if case.proof and case.proof.known else judged


def never_executed(grade: Grade, language: Language = ENGLISH) -> Iterator[str]:
    """A sentence for each file with lines that were never executed: the lines, and the number of runs."""
    for one in grade.coverage:
        if one.never:
            shown = [f"{first}–{last}" if last > first else str(first) for first, last in one.never[:_STRETCHES]]
            lines = f"{language.listed(shown)}{' …' if len(one.never) > _STRETCHES else ''}"
            file = f"{one.file}: " if len(grade.coverage) > 1 else ""
            text = language.words(
                "line {lines} was never executed in {runs}. Is a jump or call to it missing, or is it not needed?",
                "lines {lines} were never executed in {runs}. Is a jump or call to them missing, or are they not needed?",
                one.missed,
                lines=lines,
                runs=language.words("{number} run", "{number} runs", one.runs),
            )
            yield f"{file}{text}"


def inputs(finding: Finding) -> str:
    """The inputs that led to a finding, the last dozen of them: ``B2 A1 C6``."""
    keys = [shown.key(typed) for typed in finding.typed]
    return f"… {' '.join(keys[-_LAST_INPUTS:])}" if len(keys) > _LAST_INPUTS else " ".join(keys)


def ending(case: CaseResult) -> str:
    """How the run of a case ended, in a sentence; empty if a finding says just that."""
    return "" if any(finding.message == case.ending for finding in case.findings) else case.ending


def tell(case: CaseResult, language: Language = ENGLISH) -> Iterator[Line]:
    """All details of a case except its dialogue, line by line."""
    for finding in case.findings:
        yield from _finding(finding, language)
    if case.errors:
        yield from _block("errors", case.errors, language, "stderr")
    if rests_on := basis(case, language):
        yield Line("basis", shown.line(rests_on))
    if ending(case):
        yield Line("ending", language.word("ending: {text}", text=shown.line(ending(case))))
    if case.again:
        yield Line("again", language.word("see it again: {command}", command=shown.command(case.again)))


def _finding(finding: Finding, language: Language) -> Iterator[Line]:
    yield Line(_ROLES[finding.weight], _headline(finding, language))
    if finding.detail:
        yield Line("detail", shown.line(finding.detail))
    if finding.typed:
        yield Line("inputs", f"{_margin('inputs', language)}{inputs(finding)}")
    if finding.expected:
        yield from _block("expected", finding.expected, language)
    if finding.expected or finding.actual:
        yield from _block("actual", finding.actual, language)
    if finding.output:
        yield from _block("output", finding.output, language)
    for text in finding.reading:
        yield Line("reading", f"{_margin('', language)}{shown.line(text)}")
    if finding.position:
        yield from _block("position", finding.position, language)
    yield from (Line("source", text) for text in _lines(finding.excerpt))
    if finding.steps:
        yield Line("step", language.word("last steps:"))
    for step in finding.steps:
        yield Line("step", f"  {shown.line(step)}")
    if finding.hint:
        yield Line("hint", language.word("hint: {text}", text=shown.line(finding.hint)))


def _headline(finding: Finding, language: Language) -> str:
    """A finding in one line: its weight if it is no defect, its place in the source, its turn, its message."""
    text = shown.line(finding.message)
    if finding.turn is not None:
        text = language.word("turn {number}: {text}", number=language.number(finding.turn), text=text)
    # what an assembler or compiler says begins with its place already
    if finding.place and not finding.message.startswith(finding.place):
        text = f"{shown.line(finding.place)}: {text}"
    if finding.weight is Weight.SLIP:
        return language.word("slip: {text}", text=text)
    return language.word("note: {text}", text=text) if finding.weight is Weight.NOTE else text


def _block(role: Role, text: str, language: Language, label: str = "") -> Iterator[Line]:
    """A quote, behind the word for its role or another ``label``."""
    for index, piece in enumerate(_lines(text) or [language.word("(nothing)")]):
        yield Line(role, f"{_margin((label or role) if index == 0 else '', language)}{piece}")


def _margin(label: str, language: Language) -> str:
    """The label left of a quote, padded to the widest label; a Chinese sign takes two columns."""
    text = language.word(label) if label else ""
    width = max(display_width(language.word(one)) for one in _LABELS)
    return f"  {text}{' ' * (width - display_width(text))} │ "


def _lines(text: str) -> list[str]:
    return shown.exposed(shown.clipped(text, _BLOCK_LIMIT)).removesuffix("\n").split("\n") if text else []
