"""The output of ``check`` and ``grade``: plain text, coloured on demand, never wider than asked.

Student output cannot reach the terminal as control codes: everything goes through ``shown`` before rich sees it. We
tell rich the width and the colour, so that it asks neither the environment nor the terminal.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.report import shown, words
from grader.report.document import PLAIN, Look
from grader.report.waiting import notes_on_points
from grader.results import CaseResult, Charge, CriterionResult, Grade, Verdict, Weight

_ROLES: Mapping[str, Sequence[str]] = {
    "bold": ("finding",),
    "yellow": ("slip", "errors"),
    "red": ("actual", "output"),
    "green": ("expected", "position"),
    "cyan": ("inputs", "again"),
    "blue": ("hint",),
    "dim": ("note", "reading", "step", "basis", "ending"),
}
_STYLES = {role: style for style, roles in _ROLES.items() for role in roles}  # lines of other roles are plain
_SIGNS = {"?": "yellow", "✗": "red", "✓": "green"}
_BODY = 4  # columns: indent of the details of a case
_TWO_LINES = 160  # characters, of a terminal of 80 columns
_CLAUSE = re.compile("[:;] ")
MOST_LINES = 10  # lines of a report that is shown whole
# The inputs are left out: they stand in the command.
_GIST = ("finding", "slip", "detail", "expected", "actual", "source", "errors", "hint", "again")
# Remarks and evidence in the order in which they are left out to save room. A place, a hint and a command always stay.
_SPARED: Sequence[words.Role] = ("note", "errors", "source", "expected", "actual")
_STEPS = (0, 1, 2, 3, 5)  # of these: one of two texts tells nothing without the other

_REMARKS = 3  # on accepted cases, in a brief report
_ACCOUNTS = 5  # cases shown in full after the first; the others show again once these are mended


def render(grade: Grade, look: Look = PLAIN, *, verbose: bool = False) -> str:
    """A grade: the score, what to fix first, the cases that failed and how to see them again, notes for staff.

    ``verbose`` adds the accepted cases, and how the program was understood. For a student, project the grade first, and
    give it in the language of the look.
    """
    page, language = _Page(look), look.language
    parts = [*page.head(grade), *page.first(grade), *page.diagnostics(grade), *page.failed(grade), *page.remarks(grade)]
    if verbose:
        parts += _separate([page.case_line(case) for case in grade.cases if case.verdict is Verdict.ACCEPTED])
        parts += page.learned(grade)
    never = map(words.sentence, words.never_executed(grade, language))
    parts += _separate([Text(shown.line(text), "dim") for text in never])
    shown_above = {grade.alarm, *notes_on_points(grade.criteria, grade.cases)}
    notes = [note for note in grade.review if note not in shown_above]
    if grade.alarm in grade.review:  # a student is told of no alarm
        parts += _separate([Text(shown.line(grade.alarm), "bold red")])
    parts += _separate([Text(f"look at: {shown.line(note)}", "yellow") for note in notes])
    if grade.has_judge_error:
        parts += _separate([Text(language.word(words.OUR_FAULT), "bold red")])
    elif grade.nothing_judged:
        parts += _separate([Text(language.word(words.NOTHING_JUDGED), "bold yellow")])
    return _print(parts, look)


def brief(grade: Grade, look: Look = PLAIN, *, more: str = "") -> str:
    """The score, and what to fix first, in ten lines at most, a command as one of them.

    ``more`` is the command that shows the rest. To keep to ten lines, the least important parts are left out.
    """
    page = _Page(look)
    for left_out in _STEPS:
        text = _print(page.brief(grade, more, _SPARED[:left_out]), look)
        if text.count("\n") <= MOST_LINES:
            break
    return text


def _cut(text: str) -> str:
    """The part of a text that fits into two lines: it may quote a program, which may print anything."""
    return text if len(text) <= _TWO_LINES else f"{text[:_TWO_LINES]}…"


def _print(parts: Iterable[RenderableType], look: Look) -> str:
    # rich would look at the terminal, at the environment and for Jupyter, and read what a program printed as markup
    console = Console(
        file=io.StringIO(),
        width=look.width,
        force_terminal=look.colour,
        color_system="standard" if look.colour else None,
        no_color=not look.colour,
        force_jupyter=False,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
        _environ={},
    )
    with console.capture() as captured:
        console.print(Group(*parts), crop=False)  # a command is longer than the terminal is wide
    text = captured.get()
    return "\n".join(line.rstrip() for line in text.split("\n")) if not look.colour else text


class _Page:
    """The parts of a report in one language."""

    def __init__(self, look: Look) -> None:
        self._language = look.language
        self._later = look.later
        self._ = look.language.word

    def head(self, grade: Grade) -> Iterator[RenderableType]:
        owner = shown.line(grade.student or grade.submission)
        yield Text(f"{shown.line(grade.title)}: {owner}", "bold")
        score = words.score_line(grade, self._language, self._later.points)
        yield Text(score, "bold" if grade.points_lost else "bold green")
        say = self._language
        counts = ", ".join(
            f"{say.number(count)} {words.phrase(one, say)}" for one, count in words.verdicts(grade.cases)
        )
        yield Text(self._("cases: {counts}", counts=counts) if counts else self._("no cases"), "dim")
        if self._later.cases:
            yield Text(self._after_handing_in(), "dim")
        yield Text()
        yield self._rubric(grade.criteria)

    def _rubric(self, criteria: Iterable[CriterionResult]) -> Table:
        table = Table.grid(padding=(0, 2))
        table.add_column(width=1)
        table.add_column(justify="right", no_wrap=True)
        table.add_column(ratio=1)
        for criterion in criteria:
            sign = words.mark(criterion)
            style = _SIGNS[sign]
            account = Text(shown.line(criterion.title))
            if reason := words.why(criterion, self._language):
                account.append(f"\n{reason}", "dim")
            for charge in criterion.charges:
                account.append(f"\n{self._charge(charge)}", "yellow")
            table.add_row(Text(sign, style), Text(words.points_of(criterion, self._language), style), account)
        return table

    def _charge(self, charge: Charge) -> str:
        if not charge.cases:
            return words.charged(charge, self._language)
        return self._language.words(
            "-{points} {message} (charged once, seen in {number} case)",
            "-{points} {message} (charged once, seen in {number} cases)",
            len(charge.cases),
            points=words.number(charge.points, self._language),
            message=shown.line(charge.message),
        )

    def first(self, grade: Grade) -> Iterator[RenderableType]:
        advice = words.fix_first(grade)
        if advice is None:
            return
        yield from _heading(self._("What to fix first"), "bold blue")
        yield self.case_line(advice.case)
        yield from self._account(advice.case)

    def failed(self, grade: Grade) -> Iterator[RenderableType]:
        """The other cases: the first few failures in full, each kind of slip once, the rest in one line each."""
        advice = words.fix_first(grade)
        known_slips = {f.code for f in advice.case.slips} if advice else set()
        others = [c for c in grade.cases if c.verdict is not Verdict.ACCEPTED and not (advice and c is advice.case)]
        if others:
            yield from _heading(self._("And then") if advice else self._("Not accepted"), "bold")
        accounts = 0
        again: list[str] = []
        for case in others:
            if not case.verdict.blames_student:
                continue
            fresh = tuple(f for f in case.findings if f.weight is not Weight.SLIP or f.code not in known_slips)
            if case.verdict is Verdict.FORM and not any(f.weight is Weight.SLIP for f in fresh):
                again.append(shown.line(case.id))
                continue
            yield self.case_line(case)
            if accounts < _ACCOUNTS and fresh:
                accounts += 1
                yield from self._account(replace(case, findings=fresh))
            known_slips |= {f.code for f in case.slips}
        if again:
            yield _aside(self._("the same slips, at no further cost, in {cases}", cases=", ".join(again)))
        yield from self._open(others)

    def _open(self, others: Iterable[CaseResult]) -> Iterator[RenderableType]:
        """The cases that blame nobody: those that wait for a person, equal ones once, and those that were not run."""
        left = [case for case in others if not case.verdict.blames_student]
        for group in words.once(case for case in left if case.verdict is not Verdict.SKIPPED and not case.excused):
            yield self.case_line(group.case)
            yield from self._account(group.case)
            if group.alike:
                yield _aside(self._("the same in {cases}", cases=", ".join(shown.line(c.id) for c in group.alike)))
        excused = [shown.line(case.id) for case in left if case.excused]
        if excused:
            yield _aside(
                self._("not judged, since the mistake is charged elsewhere: {cases}", cases=", ".join(excused))
            )
        skipped = [shown.line(case.id) for case in left if case.verdict is Verdict.SKIPPED]
        if skipped:
            yield _aside(self._("skipped: {cases}", cases=", ".join(skipped)))

    def learned(self, grade: Grade) -> Iterator[RenderableType]:
        if not grade.learned:
            return
        yield from _heading(self._("How the program was understood"), "bold")
        for lesson in grade.learned:
            yield Padding(Text(shown.line(lesson.sentence)), (0, 0, 0, 2))
            if lesson.quote:
                yield Padding(Text(f"“{shown.line(lesson.quote)}”", "dim"), (0, 0, 0, _BODY))

    def diagnostics(self, grade: Grade) -> Iterator[RenderableType]:
        if not grade.diagnostics:
            return
        yield from _heading(self._("What the assembler or compiler said"), "bold")
        for message in grade.diagnostics:
            yield Padding(Text(shown.plain(message)), (0, 0, 0, _BODY))

    def case_line(self, case: CaseResult) -> RenderableType:
        style = "red" if case.verdict.blames_student else "green" if case.verdict is Verdict.ACCEPTED else "yellow"
        text = Text(shown.line(case.id), "bold")
        text.append(f" {words.phrase(case.verdict, self._language)}", style)
        if case.title and case.title != case.id:
            text.append(f": {shown.line(case.title)}")
        return Padding(text, (0, 0, 0, 2))

    def brief(self, grade: Grade, more: str, spared: Collection[words.Role]) -> Iterator[RenderableType]:
        """The score, and what to fix first without the ``spared`` lines."""
        advice = words.fix_first(grade)
        score = f"{shown.line(grade.title)}: {words.score_line(grade, self._language, self._later.points)}"
        yield Text(score, "bold" if grade.points_lost else "bold green")
        if advice is not None:
            yield Text(self._("What to fix first"), "bold blue")
            yield self.case_line(replace(advice.case, title=_cut(advice.case.title)))
            yield from self._gist(advice, spared)
        elif grade.max_points:  # else nothing is known yet
            judged = all(case.verdict is Verdict.ACCEPTED for case in grade.cases)
            yield Text(
                self._("Nothing to fix") if judged else self._("Nothing to fix in the cases that were judged"), "green"
            )
        notes = words.remarks(grade)
        shown_notes = () if "note" in spared else notes[:_REMARKS]
        lines = [next(words.remark(finding, self._language)).text for _, finding in shown_notes]
        for line in lines:
            yield Padding(Text(_cut(line), _STYLES["note"]), (0, 0, 0, 2))
        whole = sum(_cut(line) == line for line in lines)
        failed, left = self._left(grade, first=advice, notes=len(notes) - whole)
        if failed and more:
            yield _unbroken(f"{left}: {more}", "dim")
        elif left:
            yield Text(left, "dim")
        if grade.has_judge_error:
            yield Text(self._(words.OUR_FAULT), "bold red")

    def _left(self, grade: Grade, *, first: words.Advice | None, notes: int) -> tuple[bool, str]:
        """A count of everything besides the case that is shown ``first``, and whether a longer report says more."""
        say = self._language
        others = Counter(case.verdict is Verdict.FORM for case in grade.cases if case.verdict.blames_student)
        if first is not None:
            others[first.case.verdict is Verdict.FORM] -= 1
        forms, failed = others[True], others[False]
        open_ = sum(not (c.verdict is Verdict.ACCEPTED or c.verdict.blames_student or c.excused) for c in grade.cases)
        untried = say.words("{number} case could not be judged here", "{number} cases could not be judged here", open_)
        in_form = say.words("{number} more case has slips of form", "{number} more cases have slips of form", forms)
        # A command may follow, which shows all but the cases that are judged later: so these come first.
        parts = [
            self._after_handing_in() if self._later.cases else "",
            say.words("{number} more case failed", "{number} more cases failed", failed) if failed else "",
            in_form if forms else "",
            untried if open_ else "",
            say.words("{number} remark", "{number} remarks", notes) if notes else "",
        ]
        return bool(forms or failed or open_ or notes), ", ".join(filter(None, parts))

    def _after_handing_in(self) -> str:
        count, say = self._later.cases, self._language
        return say.words(
            "{number} case is judged after you hand in", "{number} cases are judged after you hand in", count
        )

    def remarks(self, grade: Grade) -> Iterator[RenderableType]:
        """The notes on accepted cases."""
        notes = words.remarks(grade)
        if notes:
            yield from _heading(self._("Remarks, which cost nothing"), "bold")
        for _, finding in notes:
            first, *rest = words.remark(finding, self._language)
            yield Padding(_styled(first), (0, 0, 0, 2))
            yield from map(_indented, rest)

    def _gist(self, advice: words.Advice, spared: Collection[words.Role]) -> Iterator[RenderableType]:
        """One finding: what is wrong, where, the first lines of both texts, the hint, and the command that shows it again."""
        finding = advice.finding
        if finding is None:
            return
        if finding.detail:  # the finding says more than the reason does
            finding = replace(finding, message=_CLAUSE.split(finding.message)[0])
        shown_roles = {"errors"} if finding.steps else set[str]()  # a trace of the program's is told in our words
        case = replace(advice.case, findings=(finding,), occasions=(), ending="")
        for line in words.tell(case, self._language):
            if line.role in _GIST and line.role not in shown_roles and line.role not in spared:
                shown_roles.add(line.role)
                whole = line.role in {"detail", "hint", "again"}
                yield _indented(line if whole else replace(line, text=_cut(line.text)))

    def _account(self, case: CaseResult) -> Iterator[RenderableType]:
        for line in words.tell(case, self._language):
            yield _indented(line)


def _heading(text: str, style: str) -> list[RenderableType]:
    return [Text(), Text(text, style)]


def _aside(text: str) -> RenderableType:
    return Padding(Text(text, "dim"), (0, 0, 0, 2))


def _indented(line: words.Line) -> RenderableType:
    if line.role == "again":  # padding would fill it up with blanks, and cut what is longer
        return _unbroken(f"{' ' * _BODY}{line.text}", _STYLES[line.role])
    return Padding(_styled(line), (0, 0, 0, _BODY))


def _styled(line: words.Line) -> Text:
    return Text(line.text, _STYLES.get(line.role, ""), tab_size=8)


def _unbroken(text: str, style: str) -> Text:
    """A command on one unbroken line, so that it can be pasted.

    A terminal wraps it, and still copies it as one line.
    """
    return Text(text, style, no_wrap=True, overflow="ignore")


def _separate(lines: Sequence[RenderableType]) -> list[RenderableType]:
    """The lines below an empty one; nothing if there are no lines."""
    return [Text(), *lines] if lines else []
