"""Programs of one line, graded as programs are: what they earn is what a spec without games gives for nothing.

A stub knows what the cases look for, and nothing of the task. It prints nothing, or one thing whatever is typed: a text that some case
expects, or all of them. What looks at a source or at files is taken as met, since a stub can be written in any way. What only a real
run shows (routines, registers, unit tests) is taken as not met.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from grader.errors import JudgeError
from grader.grading import Judge
from grader.lint.gifts import MadeUp, MadeUpSession, gift, given_away, worth
from grader.lint.repetitions import example
from grader.results import CaseResult, Verdict
from grader.spec.kinds import KINDS
from grader.spec.loader import Assignment
from grader.spec.model import Case, Spec
from grader.spec.problem import Problem
from grader.spec.script_text import read_script
from grader.values import dataclass

MOST = Fraction(1, 5)
"""The largest share of what is judged automatically that a stub may earn."""

_TEXTS = 8  # of the spec, each of which makes two stubs
_QUOTED = 40


@dataclass(frozen=True, slots=True)
class Stub:
    """A program of one line: what it prints first, what after each input, and whether it ends instead of asking for any."""

    manner: str
    text: str = ""
    again: bool = False
    ends: bool = False

    @property
    def program(self) -> MadeUp:
        """The program."""
        return MadeUp(lambda _seed: StubSession(self))


class StubSession(MadeUpSession):
    """A session of a stub. It ends where its input does."""

    wants = "line"

    def __init__(self, stub: Stub) -> None:
        self._stub = stub
        super().__init__(stub.text, over=stub.ends)

    def send(self, text: str) -> None:  # noqa: ARG002 -- a session's signature
        """Print the same again, or nothing."""
        self.output = self._stub.text if self._stub.again else ""

    def close_input(self) -> None:
        """End: a loop over lines is over."""
        self.over = True


def stubs(spec: Spec) -> Iterator[Stub]:
    """The stubs that are tried under a spec."""
    yield Stub("prints nothing and ends", ends=True)
    yield Stub("prints nothing and reads on")
    texts = list(dict.fromkeys(text for case in spec.cases for text in _expected(case, spec) if text.strip()))
    whole = "".join(text if text.endswith("\n") else f"{text}\n" for text in texts)
    for text in texts[:_TEXTS]:
        shown = " ".join(text.split())
        quoted = f"“{shown if len(shown) <= _QUOTED else shown[:_QUOTED] + '…'}”"
        yield Stub(f"prints {quoted} and ends", text, ends=True)
        yield Stub(f"prints {quoted} whatever is typed", text, again=True)
    if len(texts) > 1:
        yield Stub("prints all that is looked for, whatever is typed", whole, again=True)


def _expected(case: Case, spec: Spec) -> Iterator[str]:
    """Texts that a case expects, as the spec spells them out."""
    for step in case.dialogue or ():
        if step.expect is not None:
            yield example(str(step.expect))
    for pair in case.io or ():
        if pair.output is not None:
            yield pair.output.text
    if case.transcript is not None:
        yield from (turn.text({}) for turn in read_script(case.transcript, spec.text, ends=None).turns)


def _gives(case: Case, spec: Spec) -> bool:
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
    heard = any(KINDS[case.kind].heard and _gives(case, spec) for case in spec.cases)
    if not worth(spec, automatic) or not heard:
        return  # where nothing is given to a program, to print one text is the task
    judge = Judge(assignment)
    try:
        gifts = (gift(judge, stub.manner, stub.program, _tried) for stub in stubs(spec))
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
        hint = f"let a case refuse what is wrong there, {other}"
        yield given_away(f"a program that {most.manner} {earns}", hint)


def _tried(result: CaseResult) -> CaseResult:
    """The result, met where the source or the files decide it, and not met where no stub can be run."""
    if result.kind in ("source", "files"):
        return replace(result, verdict=Verdict.ACCEPTED, met=True)
    if KINDS[result.kind].heard or result.verdict.blames_student:
        return result
    return replace(result, verdict=Verdict.NOT_SHOWN, met=False, share=None)
