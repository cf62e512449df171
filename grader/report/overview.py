"""A batch at a glance: a small row for each grade, statistics, and the conditions of judging.

``Provenance.sandbox`` says under which conditions a program was judged: the tier of the sandbox, and after a comma
which of its waits were guessed. It is empty if nothing ran in a sandbox: for simulated programs, and if no program was
found.

Submissions with repeated judge errors are a concern of their own: a student who can provoke these leaves points open.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from grader.report import shown
from grader.report.waiting import note, notes_on_points, waiting
from grader.report.words import plural, verdicts
from grader.results import INSIDE, MANY_ERRORS, CaseResult, Grade, Number, Status, Verdict
from grader.values import dataclass

BINS = 10  # columns of the chart of scores
CLASS = 5  # submissions: fewer are no "most of the class", so each is shown by itself

_MOST_FAILED = 8  # cases that the overview names: more would hide the one that the class did not understand
_QUOTED = re.compile(r"‘[^’]{0,200}’")
_BEFORE_ANY_RUN = (Verdict.COMPILE_ERROR, Verdict.MISSING_FILE)


@dataclass(frozen=True, slots=True)
class Cell:
    """The points of one criterion in a row, earned and ``open``; ``points`` is None while nothing is decided."""

    id: str
    title: str
    points: Number | None
    max_points: Number
    open: Number = 0


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence for staff on one submission.

    ``about`` is equal for the notes of one concern; ``title`` is its name, if it has one.
    """

    about: str
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Zero:
    """The reason why a submission earned nothing: the code of its first failure, and a sentence."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Common:
    """A concern of most of a class or of several zeros: its sentence, and who has it.

    ``about`` is that of the notes.
    """

    text: str
    submissions: tuple[str, ...]
    about: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """The row of one grade in the index: small, so that a batch need not hold its grades."""

    submission: str
    student: str
    student_id: str
    score: Number
    max_points: Number
    open_points: Number
    complete: bool
    cells: tuple[Cell, ...]
    verdicts: tuple[tuple[Verdict, int], ...]
    failed: tuple[tuple[str, str], ...]
    notes: tuple[Note, ...]
    sandbox: str
    cut_short: bool = False
    alarm: str = ""
    late: bool = False
    mistakes: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    zero: Zero | None = None
    unsettled: bool = False
    course_faults: tuple[str, ...] = ()

    @classmethod
    def of(cls, grade: Grade, mistakes: tuple[str, ...] = ()) -> Row:
        """The row of a grade; ``failed`` holds id and title of the cases that failed through the submission.

        ``sandbox`` says where it was run, as in ``Provenance``; ``cut_short`` that judging was broken off.
        ``alarm`` is the warning to staff of many judge errors, ``course_faults`` the faults in files of the course.
        ``mistakes`` are the names of its mistakes. ``undecided`` has the concern of each case that needs review, empty
        if points hang on it. ``zero`` is the reason why nothing was earned; ``unsettled`` says that automatic points are open.
        """
        return cls(
            submission=grade.submission,
            student=grade.student,
            student_id=grade.student_id,
            score=grade.score,
            max_points=grade.max_points,
            open_points=grade.open_points,
            complete=grade.complete,
            cells=tuple(Cell(c.id, c.title, c.points, c.max_points, c.open) for c in grade.criteria),
            verdicts=verdicts(grade.cases),
            failed=tuple((c.id, c.title) for c in grade.cases if c.verdict.blames_student and not c.met),
            notes=_notes(grade),
            sandbox=grade.provenance.sandbox,
            cut_short=any(case.over_budget for case in grade.cases),
            alarm=grade.alarm,
            late=grade.origin.late,
            mistakes=mistakes,
            undecided=tuple(_concern(case) for case in grade.cases if case.verdict is Verdict.NEEDS_REVIEW),
            zero=_zero(grade),
            unsettled=bool(grade.open_points) and any(c.open and c.status is not Status.MANUAL for c in grade.criteria),
            course_faults=grade.course_faults,
        )

    def without(self, concerns: frozenset[str]) -> Row:
        """The row without the concerns of the whole class."""
        left = tuple(note for note in self.notes if note.about not in concerns)
        return replace(self, notes=left, undecided=tuple(one for one in self.undecided if one not in concerns))

    def cases(self, *, accepted: bool) -> int:
        """The number of cases that were accepted, or failed through the submission."""
        wanted = (v for v in self.verdicts if (v[0] is Verdict.ACCEPTED if accepted else v[0].blames_student))
        return sum(count for _, count in wanted)

    @property
    def without_program(self) -> bool:
        """Whether no program was found."""
        return self.score <= 0 and Verdict.MISSING_FILE in dict(self.verdicts)

    @property
    def judge_error(self) -> bool:
        """Whether a case failed through a fault of the grader."""
        return Verdict.JUDGE_ERROR in dict(self.verdicts)

    @property
    def needs_review(self) -> bool:
        """Whether a case could not be read, so that a person decides."""
        return bool(self.undecided)

    @property
    def to_look_at(self) -> bool:
        """Whether a person should look at the submission before the scores go out, manual criteria apart."""
        return bool(self.notes or self.zero) or self.judge_error or self.needs_review


def _notes(grade: Grade) -> tuple[Note, ...]:
    """The sentences for staff. Those on one case without points share a concern, in all submissions.

    Cases on which points hang are not among them: they are in the list of open decisions.
    """
    of_cases = {note(case): case for case in waiting(grade.criteria, grade.cases) if not case.criterion}
    with_points = notes_on_points(grade.criteria, grade.cases)
    notes = []
    for text in grade.review:
        if text in with_points:
            continue
        case = of_cases.get(text)
        notes.append(Note(_concern(case), text, case.title) if case else Note(text, text))
    return tuple(notes)


def _concern(case: CaseResult) -> str:
    """The concern of a case that needs review.

    Empty if points hang on it: a person decides these for each submission.
    """
    return "" if case.criterion else f"case {case.id}"


def _zero(grade: Grade) -> Zero | None:
    """The reason for no automatic points at all; None if some were earned, or nothing was graded."""
    judged = [c for c in grade.criteria if c.points is not None and not c.given]
    failed = [case for case in grade.cases if case.verdict.blames_student]
    if not judged or not failed or any(c.points for c in judged):
        return None
    case = next((one for one in failed if one.verdict in _BEFORE_ANY_RUN), failed[0])
    if not case.findings:
        return Zero(str(case.verdict), case.title)
    first = case.findings[0]
    if case.verdict is not Verdict.MISSING_FILE:
        return Zero(first.code, first.message)
    why = first.hint.partition(";")[0]  # a broken archive and a lone object file are different causes
    return Zero(f"{first.code} {why}", f"{first.message}: {why}" if why else first.message)


def most_of_class(rows: Sequence[Row]) -> tuple[tuple[Common, ...], list[Row]]:
    """The concerns of more than half of a class, and the rows without them: a row shows only its own concerns."""
    held: defaultdict[str, list[tuple[Row, Note]]] = defaultdict(list)
    for row in rows:
        for about, one in {one.about: one for one in row.notes}.items():
            held[about].append((row, one))
    if len(rows) < CLASS:
        return (), list(rows)
    wide = {about: each for about, each in held.items() if 2 * len(each) > len(rows)}
    concerns = frozenset(wide)
    common = []
    for about, each in wide.items():  # one sentence for all: the only one, or their subject with an example
        first = each[0][1]
        same = all(note.text == first.text for _, note in each)
        why = first.text.partition(f" ({about.removeprefix('case ')}): ")[2]
        text = first.text if same else f"{first.title} (one of them: {why})"
        common.append(Common(text, tuple(row.submission for row, _ in each), about))
    return tuple(common), [row.without(concerns) for row in rows]


def zeros(rows: Sequence[Row]) -> tuple[Common, ...]:
    """The submissions that earned nothing, a line for each cause, the most frequent first."""
    causes: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.zero:
            # a compiler has one code for all its errors: there the message counts, without the names in quotes
            message = _QUOTED.sub("", row.zero.message) if row.zero.code in ("compiler", "linker") else ""
            causes[f"{row.zero.code} {message}"].append(row)
    lines = []
    for each in sorted(causes.values(), key=lambda each: -len(each)):
        messages = list(dict.fromkeys(row.zero.message for row in each if row.zero))
        more = f" (and {len(messages) - 1} alike)" if len(messages) > 1 else ""
        lines.append(Common(messages[0] + more, tuple(row.submission for row in each)))
    return tuple(lines)


@dataclass(frozen=True, slots=True)
class Statistics:
    """The figures above the index. ``bins`` counts scores by tenths of the maximum, the full score in the last.

    ``mean`` and ``median`` are text with at most one decimal; empty without rows.
    Both and ``bins`` leave out the ``unsettled`` submissions: their automatic points are open, so their scores are not final.
    ``most_failed`` holds id, title and count of the cases that failed most often.
    """

    count: int
    mean: str
    median: str
    open: int
    to_look_at: int
    judge_errors: int
    bins: tuple[int, ...]
    most_failed: tuple[tuple[str, str, int], ...]
    unsettled: int = 0

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Statistics:
        """The statistics of a batch, which may have no rows."""
        settled = [row for row in rows if not row.unsettled]
        scores = [row.score for row in settled]
        shares = [row.score / row.max_points if row.max_points else 0 for row in settled]
        bins = Counter(min(BINS - 1, max(0, int(share * BINS))) for share in shares)
        titles = {case: title for row in rows for case, title in row.failed}
        failed = Counter(case for row in rows for case, _ in row.failed)
        return cls(
            count=len(rows),
            mean=f"{statistics.fmean(scores):.1f}".removesuffix(".0") if scores else "",
            median=f"{statistics.median(scores):.1f}".removesuffix(".0") if scores else "",
            open=sum(not row.complete for row in rows),
            to_look_at=sum(row.to_look_at for row in rows),
            judge_errors=sum(row.judge_error for row in rows),
            bins=tuple(bins[index] for index in range(BINS)),
            most_failed=tuple((case, titles[case], times) for case, times in failed.most_common(_MOST_FAILED)),
            unsettled=len(rows) - len(settled),
        )


# ---------------------------------------------------------------------------------------------------------- conditions

_BARE = "bare"
_RIGHTS = (
    f"ran with the rights of whoever called the grader (tier {_BARE}). "
    "They could read the expected output, reach the network and change files, these reports among them"
)
_MISUNDERSTOOD = "Perhaps what was handed in was not understood: `grader batch … --plan` shows how it was"

_TOLD = 5  # submissions with an alarm that the overview tells in full; it only names the others


@dataclass(frozen=True, slots=True)
class Concern:
    """A reason why grades are less certain: a sentence, and the submissions concerned; empty if all are."""

    text: str
    submissions: tuple[str, ...]
    grave: bool


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of a whole batch: the number of submissions judged in each tier, and concerns, the gravest first.

    ``nothing_found`` says that no submission had a program: probably the sources were misunderstood.
    """

    tiers: tuple[tuple[str, int], ...] = ()
    concerns: tuple[Concern, ...] = ()
    nothing_found: bool = False

    @classmethod
    def of_rows(cls, rows: Sequence[Row]) -> Conditions:
        """The conditions of a batch, with the submissions that could not be judged properly."""
        conditions, total = cls.of((row.submission, row.sandbox) for row in rows), len(rows)
        failed = [row for row in rows if row.alarm]
        cut_short = [row.submission for row in rows if row.cut_short]
        empty = [row.submission for row in rows if row.without_program]
        # One concern for each fault of the course's files: each submission told it again.
        faults: defaultdict[str, list[str]] = defaultdict(list)
        for row in rows:
            for fault in row.course_faults:
                faults[fault].append(row.submission)
        concerns: list[Concern] = []
        # Three failures in one submission are no accident: a student who can provoke them leaves points open.
        if failed:
            submissions = [row.submission for row in failed]
            alarms = "; ".join(f"{row.submission}, {shown.line(row.alarm)}" for row in failed[:_TOLD])
            text = f"the grader failed on {MANY_ERRORS} cases or more of {_share(submissions, total)}: {alarms}"
            concerns.append(Concern(text, tuple(submissions), grave=True))
        for fault, submissions in faults.items():
            open_by_it = f"The points of {_share(submissions, total)} stay open by it: correct the file, and call again"
            concerns.append(Concern(f"{shown.line(fault)}. {open_by_it}", _named(submissions, total), grave=True))
        # If half of a class has no program, probably one download was taken for one submission.
        if empty and 2 * len(empty) >= total:
            held = "the only submission" if total == 1 else _share(empty, total)
            text = f"no program was found in {held}. {_MISUNDERSTOOD}"
            concerns.append(Concern(text, _named(empty, total), grave=True))
        concerns += conditions.concerns
        if cut_short:
            text = f"{_share(cut_short, total)} used up the budget and had cases that were not judged: their points are open"
            concerns.append(Concern(text, tuple(cut_short), grave=False))
        nothing_found = bool(rows) and len(empty) == total
        return replace(conditions, concerns=tuple(concerns), nothing_found=nothing_found)

    @classmethod
    def of(cls, judged: Iterable[tuple[str, str]]) -> Conditions:
        """The conditions of submissions, each with the ``sandbox`` of its provenance."""
        tiers: defaultdict[str, list[str]] = defaultdict(list)
        guessed: defaultdict[str, list[str]] = defaultdict(list)
        for submission, sandbox in judged:
            tier, *guesses = sandbox.split(", ")
            if tier:
                tiers[tier].append(submission)
            for guess in guesses:
                guessed[guess].append(submission)
        counts = tuple((tier, len(held)) for tier, held in sorted(tiers.items()))
        total = sum(count for _, count in counts)
        concerns = []
        if _BARE in tiers:
            text = f"without a sandbox: {_share(tiers[_BARE], total)} {_RIGHTS}"
            concerns.append(Concern(text, _named(tiers[_BARE], total), grave=True))
        for how, held in sorted(guessed.items()):
            text = f"{_share(held, total)} had their {how}, not by an event: grades that a busy machine may change"
            if how == INSIDE:
                text = f"{_share(held, total)} had their {how}, which could have written results itself"
            concerns.append(Concern(text, _named(held, total), grave=False))
        return cls(counts, tuple(concerns))

    def sentence(self) -> str:
        """The tiers in which the programs were run; empty if no program was run."""
        if len(self.tiers) < 2:
            return "".join(f"run in the sandbox tier {tier}" for tier, _ in self.tiers)
        return f"run in the sandbox tiers {', '.join(f'{tier} ({count})' for tier, count in self.tiers)}"


def _share(submissions: list[str], total: int) -> str:
    count = len(submissions)
    return f"all {plural(total, 'submission')}" if count == total else f"{count} of {plural(total, 'submission')}"


def _named(submissions: list[str], total: int) -> tuple[str, ...]:
    return () if len(submissions) == total else tuple(submissions)
