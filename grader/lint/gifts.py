"""The earnings of made-up programs, which are graded like submissions: points that a spec gives for nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from grader.build.built import Built
from grader.errors import JudgeError
from grader.grading import Judge
from grader.grading.trial import Trial
from grader.lint.patterns import example
from grader.results import CaseResult, Verdict
from grader.scoring import score
from grader.sessions.session import USUAL, Session, Setup
from grader.spec.kinds import KINDS
from grader.spec.loader import Assignment
from grader.spec.model import Case, Spec
from grader.spec.problem import Problem
from grader.spec.script_text import read_script
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
        """The output since the last call."""
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
        return judge.on_trial(_NOTHING, self.built)

    @property
    def built(self) -> Built:
        """The program as if it had been built."""
        return Built(Verdict.ACCEPTED, PROFILE, programs={PROFILE: self}, usual=PROFILE)


PROFILE = "made-up"
_NOTHING = Submission(PROFILE, PROFILE, ())


@dataclass(frozen=True, slots=True)
class Gift:
    """The earnings of a made-up program: points of ``most``, which are judged automatically, and its results."""

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
    """The earnings of a program; ``taken`` replaces a result that is not the program's own doing."""
    spec = judge.assignment.spec
    judged = judge.results(_NOTHING, program.built, {case.id for case in judge.cases})
    results = tuple(map(taken, judged.cases))
    automatic = {criterion.id for criterion in spec.rubric if not criterion.manual}
    return Gift(manner, earned(spec, results, automatic), worth(spec, automatic), results)


def worth(spec: Spec, criteria: Collection[str]) -> Fraction:
    """The most that these criteria are worth together."""
    return sum((one.points for one in spec.rubric if one.kind == "points" and one.id in criteria), Fraction(0))


def earned(spec: Spec, results: Iterable[CaseResult], criteria: Collection[str]) -> Fraction:
    """The points that results earn under these criteria."""
    scored = score(spec, tuple(results)).criteria
    return sum((Fraction(str(one.points or 0)) for one in scored if one.id in criteria), Fraction(0))


def given_away(message: str, hint: str) -> Problem:
    """The warning that a program earns too much."""
    return Problem.warning("given-away", message, ("rubric",), hint, at_key=True)


# ------------------------------------------------------------------------------------------------ programs of one line

MOST = Fraction(1, 5)
"""The largest share of what is judged automatically that a stub may earn."""

_TEXTS = 8  # maximum number of texts of the spec that make stubs, two each
_QUOTED = 40  # characters quoted of a stub's text


class Stub(MadeUpSession):
    """A session of a program of one line, which prints a text, and the same ``again`` whatever is typed. It ends where its input does."""

    wants = "line"

    def __init__(self, text: str = "", *, again: bool = False, ends: bool = False) -> None:
        super().__init__(text, over=ends)
        self._again = text if again else ""

    def send(self, text: str) -> None:  # noqa: ARG002 -- a session's signature
        """Print the same again, or nothing."""
        self.output = self._again

    def close_input(self) -> None:
        """End: a loop over lines is over."""
        self.over = True


def _stub(text: str = "", *, again: bool = False, ends: bool = False) -> MadeUp:
    return MadeUp(lambda _seed: Stub(text, again=again, ends=ends))


def stubs(spec: Spec) -> Iterator[tuple[str, MadeUp]]:
    """The stubs that are tried under a spec, each with what it does."""
    yield "prints nothing and ends", _stub(ends=True)
    yield "prints nothing and reads on", _stub()
    texts = list(dict.fromkeys(text for case in spec.cases for text in _expected(case, spec) if text.strip()))
    # One that prints all texts of a spec passes each case that only looks for something.
    whole = "".join(text if text.endswith("\n") else f"{text}\n" for text in texts)
    for text in texts[:_TEXTS]:
        shown = " ".join(text.split())
        quoted = f"“{shown if len(shown) <= _QUOTED else shown[:_QUOTED] + '…'}”"
        yield f"prints {quoted} and ends", _stub(text, ends=True)
        yield f"prints {quoted} whatever is typed", _stub(text, again=True)
    if len(texts) > 1:
        yield "prints every expected text, whatever is typed", _stub(whole, again=True)


def _expected(case: Case, spec: Spec) -> Iterator[str]:
    """Texts that a case expects, as the spec spells them out."""
    for step in case.dialogue or ():
        if step.expect is not None:
            yield example(str(step.expect))
    for output in case.printed:
        if output.output is not None:
            yield output.output.text
        yield from output.contains
        if output.matches is not None:
            yield example(output.matches)
    if case.transcript is not None:
        yield from (turn.text({}) for turn in read_script(case.transcript, spec.text, ends=None).turns)


def _depends(case: Case, spec: Spec) -> bool:
    """Whether a case gives a program something on which its output can depend."""
    if case.transcript is not None:
        return bool(read_script(case.transcript, spec.text, ends=None).inputs)
    typed = any(step.send is not None or step.keys is not None for step in case.dialogue or ())
    given = any(pair.input is not None or pair.arguments or pair.files or pair.folder for pair in case.io or ())
    return typed or given or bool(case.play) or case.differential is not None


def earned_by_stubs(assignment: Assignment) -> Iterator[Problem]:
    """The stub that earns most, where that is too much."""
    spec = assignment.spec
    automatic = {criterion.id for criterion in spec.rubric if not criterion.manual}
    heard = any(KINDS[case.kind].heard and _depends(case, spec) for case in spec.cases)
    if not worth(spec, automatic) or not heard:
        return  # where nothing is given to a program, to print one text is the task
    judge = Judge(assignment)
    try:
        gifts = (gift(judge, manner, stub, _tried) for manner, stub in stubs(spec))
        most = max(gifts, key=lambda gift: gift.points)
    except JudgeError:
        return  # the reference is broken, which is told of where it is played
    finally:
        judge.close()
    if most.share > MOST:
        decided = {result.criterion for result in most.results}
        idle = {one.id for one in spec.rubric if one.kind == "points" and one.id in automatic} - decided
        by = ", ".join((*most.cases, *(f"`{name}`, which no case decides" for name in sorted(idle))))
        earns = f"earns {float(most.points):g} of {float(most.most):g} points that are judged automatically, by {by}"
        other = "expect what depends on the input, or require a case that shows that"
        yield given_away(f"a program that {most.manner} {earns}", f"let a case refuse what is wrong there, {other}")


def _tried(result: CaseResult) -> CaseResult:
    """The result, met where the source or the files decide it, and not met where no stub can be run."""
    if KINDS[result.kind].handed_in:
        return replace(result, verdict=Verdict.ACCEPTED, met=True)
    if KINDS[result.kind].heard or result.verdict.blames_student:
        return result
    return replace(result, verdict=Verdict.NOT_SHOWN, met=False, share=None)
