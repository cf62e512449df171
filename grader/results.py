"""Verdicts, findings, case results and the Grade: everything known about one graded submission, as frozen values.

A Grade is computed once; every report only reads it. Points are numbers here, rounded by ``scoring`` and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType

from grader.source import SourceFile
from grader.submission import Origin
from grader.transcript import Turn, Usage

Number = int | float


def exact(points: Number, *less: Number) -> Number:
    """``points`` less the others, exact in their decimal digits: 20 - 17.9 is 2.1."""
    # In floats it is 2.1000000000000014.
    rest = Decimal(repr(points)) - sum(Decimal(repr(one)) for one in less)
    return int(rest) if rest == int(rest) else float(rest)


class Verdict(StrEnum):
    """The closed judgement of a case; the glossary says what each means."""

    ACCEPTED = "accepted"
    FORM = "form"
    WRONG_ANSWER = "wrong-answer"
    NOT_SHOWN = "not-shown"
    RUNTIME_ERROR = "runtime-error"
    TIME_LIMIT = "time-limit"
    MEMORY_LIMIT = "memory-limit"
    OUTPUT_LIMIT = "output-limit"
    COMPILE_ERROR = "compile-error"
    MISSING_FILE = "missing-file"
    NOT_TERMINATING = "not-terminating"
    SKIPPED = "skipped"
    UNJUDGED = "unjudged"
    NEEDS_REVIEW = "needs-review"
    JUDGE_ERROR = "judge-error"

    @property
    def blames_student(self) -> bool:
        """Whether the case failed through the submission: not ours, not open, not merely skipped."""
        return self not in _NOBODYS_FAULT


_NOBODYS_FAULT = frozenset(
    {Verdict.ACCEPTED, Verdict.SKIPPED, Verdict.UNJUDGED, Verdict.NEEDS_REVIEW, Verdict.JUDGE_ERROR}
)


NOT_SHOWN = "not-shown"
"""The code of the finding that says: what a case judges did not come about often enough."""

OVER_BUDGET = "over-budget"
"""The code of the finding that says: this case was not judged, since the submission had used up its budget."""

COURSE_FAULT = "course-fault"
"""The code of a finding that says: a file of the course is wrong, so that points are open."""

DISTURBED = "disturbed"
"""The code of the finding that says: the machine killed or held up what we ran for this case, which failed by that."""

INSIDE = "unit tests in one process with the program"
"""The end of the sentence ``Provenance.sandbox`` for a program that could have written the results of its tests itself."""

UNBELIEVED = "test-results"
"""The code of the finding that says: the results of unit tests do not hold together, and a person looks."""


MANY_ERRORS = 3  # judge errors in one submission that are no accident: something in it may provoke them

_TOLD = 120  # characters of a message of ours that an alarm quotes


class Visibility(StrEnum):
    """The part of a case that a student may see: all of it, only that it failed, or nothing."""

    VISIBLE = "visible"
    HIDDEN = "hidden"
    STAFF = "staff"


class Reveals(StrEnum):
    """The part of a failed hidden case that its student sees.

    - `full`: all of it, as if it were visible
    - `input`: the inputs up to the turn in which it failed, but no printed or expected text
    - `turn`: the turn in which it failed
    - `verdict`: only that it failed
    """

    FULL = "full"
    INPUT = "input"
    TURN = "turn"
    VERDICT = "verdict"


class Status(StrEnum):
    """The cases that the points of a criterion rest on. Only a graded criterion has points."""

    GRADED = "graded"
    MANUAL = "manual"
    NEEDS_REVIEW = "needs-review"
    JUDGE_ERROR = "judge-error"


class Weight(StrEnum):
    """The meaning of a finding for its case: a defect fails it, a slip is charged once per kind, a note costs nothing."""

    DEFECT = "defect"
    SLIP = "slip"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found.

    - ``code``: a stable slug; for a slip, its kind.
    - ``turn``: the turn, from 1. ``typed``: the inputs that led there.
    - ``expected``, ``actual``: the texts around the first difference, with blanks and control characters made visible.
    - ``place``, ``excerpt``: the place in the student's source. ``detail``: one sentence on what happened there.
    - ``steps``: the last executed instructions.
    - ``subject``: names that tell it from other findings with this code: a label, a register, a file, a test. Decisions of staff
      use them, and never the message.
    - ``output``, ``reading``, ``position``: if a referee judges, the output of the turn, how each line was read, and a drawing of
      the game's position.
    """

    code: str
    message: str
    turn: int | None = None
    hint: str = ""
    weight: Weight = Weight.DEFECT
    typed: tuple[str, ...] = ()
    expected: str = ""
    actual: str = ""
    place: str = ""
    excerpt: str = ""
    steps: tuple[str, ...] = ()
    output: str = ""
    reading: tuple[str, ...] = ()
    position: str = ""
    detail: str = ""
    subject: tuple[str, ...] = ()


CHARGED_ELSEWHERE = "charged-elsewhere"
"""The code of the finding of an unjudged case whose mistake another case charges."""


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """One turn of a case as the report shows it; ``expected`` is None if the output was as expected."""

    output: str
    typed: str | None
    expected: str | None = None

    @classmethod
    def of(cls, turn: Turn, expected: str | None = None) -> JudgedTurn:
        """The turn with what was expected instead of its output, if that differs."""
        return cls(turn.output, turn.typed, expected)


@dataclass(frozen=True, slots=True)
class Occasion:
    """The number of occasions of one kind: ``count`` were seen, and at least ``needed`` must be.

    ``label`` says in the words of the assignment, and in the plural, what came about: ``moves of the computer``.
    """

    label: str
    count: int
    needed: int = 1

    @property
    def enough(self) -> bool:
        """Whether this was seen often enough for a case to be accepted."""
        return self.count >= self.needed

    @property
    def lack(self) -> str:
        """The lack of occasions, for a sentence: ``moves of the computer (none; at least 3 needed)``."""
        return f"{self.label} ({self.count or 'none'}; at least {self.needed} needed)"

    @property
    def need(self) -> str:
        """Things that were not counted, as words of a sentence: ``moves of the computer (at least 3 needed)``."""
        return f"{self.label} (at least {self.needed} needed)"


@dataclass(frozen=True, slots=True)
class Proof:
    """The part of a program's reachable positions that was tried: ``tried`` of the ``known`` ones.

    ``label`` says in the plural what they are: ``positions in which the computer moves``. ``why`` says what the proof lacks;
    empty if it is one. ``more`` says that positions may lie behind those that were not tried.
    """

    label: str
    tried: int
    known: int
    why: str = ""
    more: bool = False

    @property
    def sentence(self) -> str:
        """``proved over all 113 positions``, or how many were tried, and why not all."""
        if not self.why:
            return f"proved over all {self.known:,} {self.label}"
        if self.tried == self.known:
            return f"tried in all {self.known:,} {self.label}, and not proved: {self.why}"
        known = f"at least {self.known:,}" if self.more else f"{self.known:,}"
        return f"tried in {self.tried:,} of {known} {self.label}: {self.why}"


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of one case.

    - ``met``: whether it counts for its criterion and for cases that require it. It does if it is accepted or has slips only.
    - ``ending``: one sentence on how the run ended. ``again``: the command that shows the run again.
    - ``profile``: the machine profile or language edition under which the verdict was reached.
    - ``picture``: the painting of the program as a ``data:`` address of a PNG, if the spec asks for it.
    - ``errors``: the program's standard error.
    - ``occasions``: the occasions that the verdict rests on. ``runs``: the number of runs that had them.
    - ``proof``: how many positions were tried, if the case tries all.
    - ``share``: the earned part of its points, as numerator and denominator, for a case that can be met in part.
    - ``reveals``: the part of it that its student sees if it is hidden and failed.
    - ``price``: the points that a failed case loses, with the cases that were skipped because they require it.
    """

    id: str
    title: str
    kind: str
    criterion: str | None
    verdict: Verdict
    visibility: Visibility
    met: bool
    findings: tuple[Finding, ...] = ()
    usage: Usage = Usage()
    turns: tuple[JudgedTurn, ...] = ()
    ending: str = ""
    again: str = ""
    profile: str = ""
    picture: str = ""
    errors: str = ""
    occasions: tuple[Occasion, ...] = ()
    runs: int = 1
    proof: Proof | None = None
    share: tuple[int, int] | None = None
    reveals: Reveals = Reveals.VERDICT
    price: Number = 0

    @property
    def excused(self) -> bool:
        """Whether it could not be judged because of a mistake that another case charges."""
        return self.verdict is Verdict.UNJUDGED and any(one.code == CHARGED_ELSEWHERE for one in self.findings)

    @property
    def over_budget(self) -> bool:
        """Whether it was not judged since the submission had used up its budget."""
        return any(f.code == OVER_BUDGET for f in self.findings)

    @property
    def course_fault(self) -> str:
        """The mistake in a file of the course that kept us from judging; empty without one."""
        return next((f.message for f in self.findings if f.code == COURSE_FAULT), "")

    @property
    def slips(self) -> tuple[Finding, ...]:
        """The findings that are slips of form."""
        return tuple(f for f in self.findings if f.weight is Weight.SLIP)


@dataclass(frozen=True, slots=True)
class Charge:
    """A slip of one kind, charged once: how many points, and the cases in which it was seen."""

    slip: str
    points: Number
    cases: tuple[str, ...]
    message: str


@dataclass(frozen=True, slots=True)
class CriterionResult:
    """One line of the rubric: ``points`` that are earned for certain, and points that are ``open``; None and all where nothing is decided.

    ``status`` is ``graded``, or says why points are open. ``reason`` says in a sentence why not all are earned. ``kind`` is ``points``, ``deduction`` (what is missing of the points is taken off the score) or ``bonus`` (beyond the
    maximum: not to have it is no loss). ``given`` says in a sentence what staff gave, where the points are theirs.
    """

    id: str
    title: str
    points: Number | None
    max_points: Number
    status: Status
    charges: tuple[Charge, ...] = ()
    reason: str = ""
    kind: str = "points"
    given: str = ""
    open: Number = 0

    @property
    def lost(self) -> Number:
        """The points that are neither earned nor open, exact in decimal digits; negative if staff gave more than the maximum."""
        if self.points is None:
            return 0
        return exact(self.max_points, self.points, self.open)


@dataclass(frozen=True, slots=True)
class Given:
    """The points that staff gave under a criterion, as they were typed, and their comment."""

    points: Fraction
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of staff for one submission: points by criterion, days late, a score instead of all that, and a comment.

    ``reason`` is why the score is overridden, and ``sharing`` how many students share the submission.
    """

    given: Mapping[str, Given] = field(default_factory=dict)
    late: Fraction = Fraction(0)
    override: Fraction | None = None
    reason: str = ""
    comment: str = ""
    sharing: int = 1


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Something that staff said of a whole grade, in a sentence: ``points`` is what it adds to the score, 0 for a comment.

    ``kind`` is ``comment``, ``late``, ``override`` or ``decision``.
    """

    kind: str
    message: str
    points: Number = 0


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of a grade, so that it can be made again: digests, versions, seed.

    ``tools`` are the compiler or interpreter with their versions, and ``sandbox`` is the tier of the cage; both are empty for
    simulated programs. ``secret`` is a digest of the secret that draws hidden games, for staff.
    """

    spec_sha256: str
    submission_sha256: str
    grader_version: str
    seed: int
    tools: str = ""
    sandbox: str = ""
    secret: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One thing that was learned of how a program talks: a sentence for people, and the words of the program that show it.

    A correction names ``key`` and replaces ``value``, such as ``undo`` and ``y``; ``key`` is empty if nothing can be set.
    ``corrected`` says that a person has set the value.
    """

    key: str
    value: str
    sentence: str
    quote: str = ""
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class Learned:
    """All that was learned of one program's way of talking, in the order in which it was, and the digest of its wording.

    Learning names what a text means. It never finds a fault, and what could not be named charges nothing.

    Programs of the same ``wording`` say the same words at the same places: a correction of one holds for all. ``unheeded`` has a
    sentence for each key of a correction that could not be followed.
    """

    lessons: tuple[Lesson, ...] = ()
    wording: str = ""
    unheeded: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of an assembly source by ``runs`` of visible cases: ``missed`` of its ``lines`` with instructions were never executed.

    ``never`` are the stretches of such lines, each by its first and its last.
    """

    file: str
    runs: int
    lines: int
    missed: int = 0
    never: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Grade:
    """Everything known about one graded submission.

    - ``complete``: False while points are open, for a person or because we failed. ``open_points``: their number.
    - ``diagnostics``: the messages of the assembler or compiler, rendered.
    - ``review``: sentences on things that a person should look at.
    - ``learned``: the lessons from a program that talks in its own words. ``wording``: a digest of those words; a correction holds
      for all programs with the same digest.
    - ``origin``: the facts that the download of a learning platform has of the submission.
    - ``adjustments``: the statements of staff on the whole grade.
    - ``coverage``: the lines of an assembly source that were never executed.
    - ``sources``: the files of the program, the main one first; records do not hold them.
    - ``language``: the language for its student. The grade itself is in English.
    - ``revealed``: the day has come on which hidden cases are shown whole.
    """

    assignment: str
    title: str
    submission: str
    student: str
    score: Number
    max_points: Number
    complete: bool
    open_points: Number
    criteria: tuple[CriterionResult, ...]
    cases: tuple[CaseResult, ...]
    provenance: Provenance
    student_id: str = ""
    handed_in_as: str = ""
    diagnostics: tuple[str, ...] = ()
    review: tuple[str, ...] = ()
    learned: tuple[Lesson, ...] = ()
    wording: str = ""
    origin: Origin = Origin()
    adjustments: tuple[Adjustment, ...] = ()
    coverage: tuple[Coverage, ...] = ()
    sources: tuple[SourceFile, ...] = ()
    language: str = "en"
    revealed: bool = False

    @property
    def has_judge_error(self) -> bool:
        """Whether any case failed through our own fault."""
        return any(c.verdict is Verdict.JUDGE_ERROR for c in self.cases)

    @property
    def disturbed(self) -> bool:
        """Whether the machine disturbed us in any case, so that to grade once more, alone, may help."""
        return any(f.code == DISTURBED for c in self.cases for f in c.findings)

    @property
    def alarm(self) -> str:
        """A sentence for staff if we failed again and again, with the first message; empty if we did not."""
        errors = [case for case in self.cases if case.verdict is Verdict.JUDGE_ERROR and not case.course_fault]
        if len(errors) < MANY_ERRORS:
            return ""
        first = next((case.findings[0].message for case in errors if case.findings), "")[:_TOLD]
        return (
            f"alarm: the grader failed on {len(errors)} of {len(self.cases)} cases, first with “{first}”. What was handed in may "
            "provoke it, and points are open that may be lost: look at it by hand before they are given, and report the fault"
        )

    @property
    def course_faults(self) -> tuple[str, ...]:
        """A sentence on each file of the course that is wrong, so that cases could not be judged."""
        return tuple(dict.fromkeys(case.course_fault for case in self.cases if case.course_fault))

    @property
    def points_lost(self) -> bool:
        """Whether points are lost for certain under any criterion, bonus apart."""
        return any(c.lost > 0 for c in self.criteria if c.kind != "bonus")

    @property
    def nothing_judged(self) -> bool:
        """Whether points can be earned automatically and none of them was judged: all wait for a person, or for us."""
        open_to_us = (c for c in self.criteria if c.status is not Status.MANUAL and not c.given)
        automatic = [c for c in open_to_us if c.kind != "deduction"]
        return bool(automatic) and all(c.points is None for c in automatic)


HIDDEN_MESSAGE = "This case is hidden: it failed, and we do not show how."


def for_student(grade: Grade) -> Grade:
    """The projection of a grade that its student may see: no staff cases, and of hidden ones what their spec reveals."""
    cases = tuple(_opened(c, grade) for c in grade.cases if c.visibility is not Visibility.STAFF)
    visible = {c.id for c in cases if c.visibility is Visibility.VISIBLE}

    def projected(charge: Charge) -> Charge:
        seen = tuple(case for case in charge.cases if case in visible)
        return replace(charge, cases=seen, message=charge.message if seen else HIDDEN_MESSAGE)

    criteria = tuple(replace(c, charges=tuple(map(projected, c.charges))) for c in grade.criteria)
    shown = tuple(map(_project, cases))
    provenance = replace(grade.provenance, secret="")
    return replace(grade, cases=shown, criteria=criteria, provenance=provenance, review=())


def _opened(case: CaseResult, grade: Grade) -> CaseResult:
    """The case, visible where its day has come, or where it failed and a failure of it is shown whole.

    Before its day the command that shows it again is left out, which may name the seed of all its games.
    """
    reveals = case.verdict.blames_student and case.reveals is Reveals.FULL
    if case.visibility is not Visibility.HIDDEN or not (grade.revealed or reveals):
        return case
    return replace(case, visibility=Visibility.VISIBLE, again=case.again if grade.revealed else "")


def _project(case: CaseResult) -> CaseResult:
    if case.verdict is Verdict.JUDGE_ERROR:  # our own stack is nothing that a student could act on
        case = replace(case, findings=tuple(replace(f, steps=()) for f in case.findings))
    if case.visibility is Visibility.VISIBLE:
        return case
    findings = (_hidden(case),) if case.verdict.blames_student else ()
    silent = replace(case, ending="", again="", profile="", picture="", errors="", turns=(), occasions=(), proof=None)
    return replace(silent, findings=findings, usage=Usage(), price=0)


def _hidden(case: CaseResult) -> Finding:
    """The part of a failure that is shown: its place, or the inputs up to it, and never the printed or expected text."""
    defect = next((f for f in case.findings if f.turn is not None and f.weight is Weight.DEFECT), None)
    if defect is None or case.reveals not in (Reveals.INPUT, Reveals.TURN):
        return Finding("hidden", HIDDEN_MESSAGE)
    if case.reveals is Reveals.TURN:
        return Finding("hidden", f"This case is hidden: it failed in turn {defect.turn}.", defect.turn)
    when = "after what is typed here" if defect.typed else "before anything was typed"
    return Finding("hidden", f"This case is hidden: it failed {when}.", defect.turn, typed=defect.typed)
