"""What programs that were made up earn, graded as programs are: it is what a spec gives for nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from fractions import Fraction

from grader.build.built import Built
from grader.grading import Judge
from grader.grading.trial import Trial
from grader.results import CaseResult, Verdict
from grader.scoring import score
from grader.sessions.session import USUAL, Session, Setup
from grader.spec.model import Spec
from grader.spec.problem import Problem
from grader.submission import Submission
from grader.transcript import Ending, EndingKind
from grader.values import dataclass


class MadeUpSession:
    """The session of a program that was made up: ``output`` is what it prints until it waits, or ends where it is ``over``."""

    instructions = 0
    how_waits = "exact"

    def __init__(self, output: str, *, over: bool) -> None:
        self.output = output
        self.over = over

    def advance(self) -> Ending | None:
        """Wait, or end."""
        return Ending(EndingKind.ENDED, "the program ends") if self.over else None

    def take_output(self) -> bytes:
        """What was printed since last taken."""
        text, self.output = self.output, ""
        return text.encode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True)
class MadeUp:
    """A program that was made up; ``session`` begins a run of it, by the seed of its random numbers."""

    session: Callable[[int | None], Session]

    def start(self, profile: str, *, seed: int | None = None, setup: Setup = USUAL) -> Session:  # noqa: ARG002 -- a program's signature
        """A session at the beginning."""
        return self.session(seed)

    def on_trial(self, judge: Judge) -> Trial:
        """The program in front of a judge."""
        return judge.trial(_NOTHING, self.built)

    @property
    def built(self) -> Built:
        """The program as if it had been built."""
        return Built(Verdict.ACCEPTED, PROFILE, programs={PROFILE: self}, usual=PROFILE)


PROFILE = "made-up"
_NOTHING = Submission(PROFILE, PROFILE, ())


@dataclass(frozen=True, slots=True)
class Gift:
    """What a program that was made up earns: points of ``most``, which are judged automatically, and its results."""

    manner: str
    points: Fraction
    most: Fraction
    results: tuple[CaseResult, ...]

    @property
    def share(self) -> Fraction:
        """The share of the points."""
        return self.points / self.most if self.most else Fraction(0)

    @property
    def cases(self) -> tuple[str, ...]:
        """The cases that pay."""
        return tuple(result.id for result in self.results if result.met and result.criterion)


def gift(judge: Judge, manner: str, program: MadeUp, taken: Callable[[CaseResult], CaseResult]) -> Gift:
    """What a program earns; ``taken`` says what a result is taken for that is not the program's own doing."""
    spec = judge.assignment.spec
    judged = judge.results(_NOTHING, program.built, {case.id for case in judge.cases})
    results = tuple(map(taken, judged.cases))
    automatic = {criterion.id for criterion in spec.rubric if not criterion.manual}
    return Gift(manner, earned(spec, results, automatic), worth(spec, automatic), results)


def worth(spec: Spec, criteria: Collection[str]) -> Fraction:
    """The most that these criteria are worth together."""
    return sum((one.points for one in spec.rubric if one.kind == "points" and one.id in criteria), Fraction(0))


def earned(spec: Spec, results: Iterable[CaseResult], criteria: Collection[str]) -> Fraction:
    """What results earn of these criteria."""
    scored = score(spec, tuple(results)).criteria
    return sum((Fraction(str(one.points or 0)) for one in scored if one.id in criteria), Fraction(0))


def given_away(message: str, hint: str) -> Problem:
    """The warning that a program earns too much."""
    return Problem.warning("given-away", message, ("rubric",), hint, at_key=True)
