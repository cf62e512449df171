"""Scenes: what is done with a program, and what is seen of it. A mutant is visible if it shows something else in one of them.

============ =======================================================================================
``Typed``    answers are typed where the program waits, as in a game, a dialogue or a transcript.
``Given``    a run with its input as a file, its arguments and its files, as in an ``io`` case.
``Entered``  one call of a routine of a simulated program, as in a ``call`` case.
``Suite``    the course's unit tests, as in a ``tests`` case.
============ =======================================================================================
"""

from __future__ import annotations

from typing import Protocol

from grader.checks.ending import ended, faulty
from grader.checks.routine import Wanted
from grader.grading.kinds.call import Bench
from grader.grading.kinds.tests import results
from grader.grading.trial import Trial
from grader.sessions.laying import MissingLabelError
from grader.sessions.piped import pipe
from grader.sessions.routine import Call
from grader.sessions.session import Setup, play
from grader.sessions.simulated import SimulatedProgram
from grader.spec.kinds.io import Pair
from grader.spec.kinds.tests import UnitTests
from grader.spec.model import Case
from grader.transcript import Ending, EndingKind, decode
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Seen:
    """The turns of a scene, each with what was done after it, and how it ended; ``""`` is done after the last turn."""

    turns: tuple[tuple[str, str], ...]
    ending: str

    @property
    def inputs(self) -> tuple[str, ...]:
        """All that was typed."""
        return tuple(typed for _, typed in self.turns[:-1])


class Scene(Protocol):
    """One thing that is done with a program."""

    def seen(self, trial: Trial, profile: str) -> Seen:
        """What the program shows. Raises OverBudgetError, and JudgeError where the grader fails."""


@dataclass(frozen=True, slots=True)
class Typed:
    """Answers that are typed one after the other, each with its Enter where the original was given one."""

    inputs: tuple[str, ...]

    def seen(self, trial: Trial, profile: str) -> Seen:
        """The dialogue up to the last answer, or to the end."""
        transcript = play(trial.start(profile), self.inputs)
        turns = tuple((turn.output, turn.typed or "") for turn in transcript.turns)
        ending = transcript.ending
        errors = "" if faulty(ending) else ending.errors
        return Seen(turns, f"{_how(ending)}{f': {errors}' if errors else ''}")


@dataclass(frozen=True, slots=True)
class Given:
    """A run that is given all of its input at once."""

    pair: Pair
    text: str

    def seen(self, trial: Trial, profile: str) -> Seen:
        """What the run printed, wrote and left, and its exit code."""
        files = {name: content.data for name, content in self.pair.files.items()}
        session = trial.start(profile, setup=Setup(self.pair.arguments, files, tuple(self.pair.writes)))
        piped = pipe(session, self.text, bit_by_bit=trial.spec.program.simulated is not None)
        left = "".join(f"\n[{name}] {decode(data or b'')}" for name, data in sorted(piped.left.items()))
        said = decode(piped.output) + left
        code = "" if self.pair.exit is None else f" with {piped.ending.code}"
        return Seen((("", self.text), (said, "")), f"{_how(piped.ending)}{code}")


def _how(ending: Ending) -> str:
    """How a program ended: any exit code is a normal end where the spec asks for none."""
    return str(EndingKind.ENDED if ended(ending) else ending.kind)


@dataclass(frozen=True, slots=True)
class Entered:
    """One call of a routine; ``wanted`` says where its results lie."""

    case: Case
    call: Call
    wanted: Wanted

    def seen(self, trial: Trial, profile: str) -> Seen:
        """What the call printed, returned and left, and which registers it changes that a routine should keep."""
        program = trial.built.programs[profile]
        assert isinstance(program, SimulatedProgram), "only routines of simulated programs can be called"
        try:
            bench = Bench(trial, self.case, program, profile)
            seen = bench.seen(self.call, self.wanted)
        except MissingLabelError as label:
            return Seen((("", self.call.told), ("", "")), f"has no label {label}")
        values = [pair.found for pair in (*seen.results, *seen.leaves)]
        before, after = seen.outcome.before, seen.outcome.after
        changed = [seen.family.registers[n] for n in seen.family.kept if before[n] != after[n]]
        said = f"{decode(seen.outcome.output)}\nreturns {values!r}\nchanges {' '.join(changed)}"
        return Seen((("", self.call.told), (said, "")), str(seen.outcome.stop.kind))


@dataclass(frozen=True, slots=True)
class Suite:
    """One run of unit tests."""

    tests: UnitTests

    def seen(self, trial: Trial, profile: str) -> Seen:  # noqa: ARG002 -- tests are built once
        """The verdict of each test, with what it says."""
        told = results(trial, self.tests)
        turns = tuple(
            (f"{name}: {verdict} {found[0].message if found else ''}", "") for name, (verdict, found) in told.items()
        )
        return Seen(turns, "ended")
