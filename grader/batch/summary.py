"""The result of a batch, for messages."""

from __future__ import annotations

from pathlib import Path

from grader.batch.identified import REVIEW
from grader.batch.opening import Opened
from grader.batch.outputs import REVIEW_LIST, Reported, write_outputs
from grader.errors import EXIT_JUDGE, EXIT_OK, EXIT_USAGE
from grader.report.overview import Conditions
from grader.report.words import listed, plural
from grader.values import dataclass

_MOST_TOLD = 20  # lines on ignored files: a download of a class may lie beside hundreds of others
_SLOW = 2.0  # seconds: a submission that is graded in less is not worth a word
_NAMED = 5  # names of people who handed in nothing, and of the slowest submissions


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a batch.

    ``graded`` submissions were graded now, and ``resumed`` ones before; the grader failed on ``judge_errors``.
    Sentences are ``ignored`` (things in the sources that are not submissions), ``doubts``, and ``read_as`` (recognised
    downloads). So are ``changes`` since the last call, and ``notes`` on parts of marks.csv that are not understood.
    ``reported`` is the reports' account of the class. ``slowest`` is the slowest hundredth, with seconds.
    """

    folder: Path
    reported: Reported
    graded: int
    resumed: int = 0
    judge_errors: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    read_as: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    slowest: tuple[tuple[str, float], ...] = ()

    @classmethod
    def of(cls, opened: Opened, jobs: int) -> Summary:
        """Write the reports of a graded batch, and return its summary."""
        store, reported = opened.store, write_outputs(opened, jobs)
        owners, failed = store.owners(), tuple(sorted(store.judge_errors()))
        doubts = (*store.call.doubts, *(f"{one.submission}: {note}" for one in owners for note in one.notes))
        times = sorted(store.seconds().items(), key=lambda one: -one[1])[: max(1, len(owners) // 100)]
        slowest = tuple(one for one in times if one[1] >= _SLOW)
        return cls(opened.out, reported, len(owners), judge_errors=failed, doubts=doubts, slowest=slowest)

    @property
    def conditions(self) -> Conditions:
        """The conditions under which programs were run."""
        return self.reported.conditions

    @property
    def total(self) -> int:
        """All submissions of the batch."""
        return self.graded + self.resumed

    @property
    def exit_code(self) -> int:
        """4 if the grader failed on any submission, 2 if no submission has a program, else 0; scores do not matter."""
        if self.judge_errors:
            return EXIT_JUDGE
        # In a misread download no submission has a program: a script must not take that for a class of zeros.
        return EXIT_USAGE if self.conditions.nothing_found else EXIT_OK

    def sentence(self) -> str:
        """The result for a terminal: a line, and one for each thing that a person should know."""
        before = f", {self.resumed} of them before" if self.resumed else ""
        where = f", {tiers}" if (tiers := self.conditions.sentence()) else ""
        lines = [*self.read_as, *(f"since the last call {change}" for change in self.changes)]
        review = f", {self.reported.to_look_at} to look at" if self.reported.to_look_at else ""
        lines += [f"{plural(self.total, 'submission')} graded{before}{where}{review}"]
        if self.judge_errors:
            lines.append(f"the grader failed on {', '.join(self.judge_errors)}; the same command tries again")
        lines += self.notes
        lines += [f"not taken for a submission: {what}" for what in self.ignored[:_MOST_TOLD]]
        if len(self.ignored) > _MOST_TOLD:
            lines.append(f"… and {len(self.ignored) - _MOST_TOLD} more; `--plan` lists all")
        if absent := self.reported.absent:
            more = f" and {len(absent) - _NAMED} more" if len(absent) > _NAMED else ""
            lines.append(f"{len(absent)} on the roster handed in nothing: {', '.join(absent[:_NAMED])}{more}")
        if self.slowest:
            lines.append(f"slowest: {listed([f'{name} ({taken:.1f} s)' for name, taken in self.slowest], _NAMED)}")
        if self.reported.waiting:
            items = plural(self.reported.waiting, "item")
            lines.append(f"look first at {self.folder / REVIEW_LIST}: {items} for a person to decide")
        if self.reported.undecided:
            count = self.reported.undecided
            lines.append(f"{count} not found on the roster: decide in {self.folder / REVIEW}, and call again")
        if self.next_command:
            lines.append(f"then: {self.next_command}")
        return "\n".join(lines)

    @property
    def next_command(self) -> str:
        """The next command to use; empty if an earlier line already names it."""
        if self.judge_errors or self.reported.undecided or not self.total:
            return ""
        if self.reported.mistakes:
            return f"grader decide {self.folder}    settles {plural(self.reported.mistakes, 'mistake')} that several students made"
        if self.reported.manual:
            return f"grader mark {self.folder}    asks for points that staff give"
        return f"grader export {self.folder} --to SYSTEM --into FILE    fills the scores in"
