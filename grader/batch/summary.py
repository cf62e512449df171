"""What a batch came to, and how far it is, for whoever tells it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from grader.batch.identified import REVIEW
from grader.batch.outputs import Reported
from grader.batch.waiting import REVIEW_LIST
from grader.errors import EXIT_JUDGE, EXIT_OK, EXIT_USAGE
from grader.report.conditions import Conditions
from grader.report.words import plural
from grader.values import dataclass

_MOST_TOLD = 20  # lines on what was left out
_SLOW = 2.0  # seconds
_NAMED = 5  # of those who handed in nothing, and of the slowest


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a batch is: ``done`` of ``total`` submissions, and the one just finished (empty at the beginning)."""

    done: int
    total: int
    submission: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a batch came to.

    ``graded`` submissions were graded now and ``resumed`` had been before; ``judge_errors`` are those in whose grading
    the grader failed; ``ignored`` holds a sentence for each thing in the sources that was taken for no submission, ``doubts``
    one for each that is not sure, and ``read_as`` how downloads were understood; ``absent`` are those on the roster who handed in
    nothing, and ``undecided`` submitters are to be looked for on it by a person; ``conditions`` say in which tier of the sandbox
    programs were run; ``changes`` what has changed since the last call,
    ``notes`` what in marks.csv means nothing to us; ``reported`` is what the reports say of the class, and ``slowest`` are those that
    took longest, one in a hundred, with their seconds.
    """

    folder: Path
    graded: int
    resumed: int
    judge_errors: tuple[str, ...]
    ignored: tuple[str, ...]
    conditions: Conditions = Conditions()
    read_as: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    undecided: int = 0
    changes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reported: Reported | None = None
    slowest: tuple[tuple[str, float], ...] = ()

    @property
    def total(self) -> int:
        """All submissions of the batch."""
        return self.graded + self.resumed

    @property
    def exit_code(self) -> int:
        """4 when the grader failed on any submission, 2 when no program was found in any, else 0: scores never decide it."""
        if self.judge_errors:
            return EXIT_JUDGE
        return EXIT_USAGE if self.conditions.nothing_found else EXIT_OK

    def sentence(self) -> str:
        """What the batch came to, for a terminal: a line, and one for each thing that a person should know of."""
        before = f", {self.resumed} of them before" if self.resumed else ""
        where = f", {said}" if (said := self.conditions.sentence()) else ""
        lines = [*self.read_as, *(f"since the last call {change}" for change in self.changes)]
        review = f", {self.reported.to_look_at} to look at" if self.reported and self.reported.to_look_at else ""
        lines += [f"{plural(self.total, 'submission')} graded{before}{where}{review}"]
        if self.judge_errors:
            lines.append(f"the grader failed on {', '.join(self.judge_errors)}; the same command tries again")
        lines += self.notes
        lines += [f"not taken for a submission: {told}" for told in self.ignored[:_MOST_TOLD]]
        if len(self.ignored) > _MOST_TOLD:
            lines.append(f"… and {len(self.ignored) - _MOST_TOLD} more; `--plan` lists all")
        if self.absent:
            more = f" and {len(self.absent) - _NAMED} more" if len(self.absent) > _NAMED else ""
            lines.append(f"{len(self.absent)} on the roster handed in nothing: {', '.join(self.absent[:_NAMED])}{more}")
        if self.slowest:
            told = ", ".join(f"{name} ({seconds:.1f} s)" for name, seconds in self.slowest[:_NAMED])
            lines.append(f"slowest: {told}{', …' if len(self.slowest) > _NAMED else ''}")
        if self.reported and self.reported.waiting:
            lines.append(
                f"look first at {self.folder / REVIEW_LIST}: {plural(self.reported.waiting, 'item')} for a person to decide"
            )
        if self.undecided:
            lines.append(f"{self.undecided} not found on the roster: decide in {self.folder / REVIEW}, and call again")
        if self.next_command:
            lines.append(f"then: {self.next_command}")
        return "\n".join(lines)

    @property
    def next_command(self) -> str:
        """The one command to go on with; empty where that is known by what was said before."""
        if self.judge_errors or self.undecided or self.reported is None or not self.total:
            return ""
        if self.reported.mistakes:
            return f"grader decide {self.folder}    settles once what {plural(self.reported.mistakes, 'mistake')} of several cost"
        if self.reported.manual:
            return f"grader mark {self.folder}    asks for points that staff give"
        return f"grader export {self.folder} --to SYSTEM --into FILE    fills the scores in"


def slowest(seconds: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """One in a hundred, the slowest first; none where it is hardly worth a word."""
    ordered = sorted(seconds.items(), key=lambda one: -one[1])
    return tuple(one for one in ordered[: max(1, len(ordered) // 100)] if one[1] >= _SLOW)
