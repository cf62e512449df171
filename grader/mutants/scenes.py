"""Scenes: what is done with a program, and what is seen of it. A mutant is visible if it shows something else in one of them.

============ =======================================================================================
``Typed``    answers are typed where the program waits, as in a game, a dialogue or a transcript.
``Given``    a run with its input as a file, its arguments and its files, as in an ``io`` case.
``Entered``  one call of a routine of a simulated program, as in a ``call`` case.
``Suite``    the course's unit tests, as in a ``tests`` case.
============ =======================================================================================

The scenes of an original are random games in its own dialect, and what the cases of its spec do, as it is and varied.
Games are drawn by the spec's own referee, who hears the original as the judge hears it. An original that is explored is played as
the exploration played it, and then by random answers: to each question one of those that were ever typed at it. If a
spec has only dialogues, their answers are mixed in the same way, some with other numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Protocol, TypeVar

from grader.checks.ending import ended, faulty
from grader.checks.routine import Wanted
from grader.games.arguments import draw
from grader.games.hear.runs import Runs, SpentError
from grader.games.learn.questions import question
from grader.grading.kinds.call import Bench, Drawing, written
from grader.grading.kinds.io import filled, run
from grader.grading.kinds.tests import results
from grader.grading.trial import Trial, given
from grader.sessions.laying import MissingLabelError
from grader.sessions.routine import Call
from grader.sessions.session import END_OF_INPUT, USUAL, Setup, play
from grader.sessions.simulated import SimulatedProgram
from grader.spec.expectations import ENTER
from grader.spec.kinds.call import named
from grader.spec.kinds.io import Pair
from grader.spec.kinds.runs import GameSet
from grader.spec.kinds.tests import UnitTests
from grader.spec.model import Case
from grader.spec.ranges import read_range
from grader.transcript import Ending, EndingKind, decode
from grader.values import dataclass

T = TypeVar("T")

SETS = tuple(GameSet(games=1, seed=20, illegal=Fraction(share), inputs=80) for share in ("0", "1/5", "1/2", "3/4"))
"""Sets of drawn games: none, some illegal answers that valid moves follow, and many. A board of 42 pieces is filled, and then some."""

LONGEST = 80
"""Maximum answers in a random game."""

WALKS, WALKS_NATIVE = 40, 20
"""Random games of an original that is explored."""

STUDIED = 60
"""Maximum games of an exploration that are scenes: the longest, which hold most."""

VARIED = 8
"""Variations of each input, dialogue or call of a case."""

_NUMBER = re.compile(r"-?\d+")


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
        """The output of the program. Raises OverBudgetError, and JudgeError if the grader fails."""


@dataclass(frozen=True, slots=True)
class Typed:
    """Answers that are typed one after the other, each with its Enter where the original was given one."""

    inputs: tuple[str, ...]
    setup: Setup = USUAL

    def seen(self, trial: Trial, profile: str) -> Seen:
        """The dialogue up to the last answer, or to the end."""
        transcript = play(trial.start(profile, setup=self.setup), self.inputs)
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
        """The output of the run, the files that it wrote and left, and its exit code."""
        piped = run(trial, self.pair, self.text, profile)
        left = "".join(f"\n[{name}] {decode(data or b'')}" for name, data in sorted(piped.left.items()))
        output = decode(piped.output) + left
        code = "" if self.pair.exit is None else f" with {piped.ending.code}"
        return Seen((("", self.text), (output, "")), f"{_how(piped.ending)}{code}")


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
        """The output and result of the call, the memory that it left, and the registers that it changed and should keep."""
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
        output = f"{decode(seen.outcome.output)}\nreturns {values!r}\nchanges {' '.join(changed)}"
        return Seen((("", self.call.told), (output, "")), str(seen.outcome.stop.kind))


@dataclass(frozen=True, slots=True)
class Suite:
    """One run of unit tests."""

    tests: UnitTests

    def seen(self, trial: Trial, profile: str) -> Seen:  # noqa: ARG002 -- tests are built once
        """The verdict of each test, with what it says."""
        verdicts = results(trial, self.tests)
        turns = tuple(
            (f"{name}: {verdict} {findings[0].message if findings else ''}", "")
            for name, (verdict, findings) in verdicts.items()
        )
        return Seen(turns, "ended")


def scenes(trial: Trial, profile: str) -> tuple[Scene, ...]:
    """All scenes of the original that is on trial, each once, the cases of the spec first. Raises OverBudgetError."""
    candidates = [scene for case in trial.spec.cases for scene in _of_case(trial, case)]
    # A closed input cannot be mixed with others: nothing can be typed behind it.
    plain = (scene for scene in candidates if isinstance(scene, Typed) and scene.setup.plain)
    typed = [scene.inputs for scene in plain if END_OF_INPUT not in scene.inputs]
    if any(case.game for case in trial.spec.cases):
        samples = trial.dialect(profile).samples(SETS)
        candidates += map(Typed, islice(dict.fromkeys(game.transcript.inputs for game in samples), STUDIED))
        if trial.scripts.method is not None:  # else its games are drawn, by answers that fit what was said
            runs = trial.memory.runs[profile]
            candidates += map(Typed, _walks(trial, runs, _answers(runs)))
    elif typed:
        candidates += map(Typed, _mixed(trial, profile, typed))
    # Cases on one set of tests, or with one input, would be played once each.
    known: dict[str, Scene] = {}
    for scene in candidates:
        known.setdefault(repr(scene.tests.same_run if isinstance(scene, Suite) else scene), scene)
    return tuple(known.values())


def _random(seed: str) -> Random:
    return Random(seed)  # noqa: S311 -- it must be the same each time


def _one_of(items: Sequence[T], random: Random) -> T:
    return items[int(random.random() * len(items))]  # `choice` may draw another one in another version of Python


# ------------------------------------------------------------------------------------------------------------------- games


def _mixed(trial: Trial, profile: str, typed: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Random dialogues of the answers that cases type, and of such answers with other numbers."""
    runs = Runs(lambda seed: trial.start(profile, seed=seed))
    for inputs in typed:
        runs.run([text.removesuffix(ENTER) for text in inputs])
    answers = _answers(runs)
    random = _random("mixed")
    for known in answers.values():
        known[:] = sorted({*known, *(_changed(text, random) for text in known for _ in range(VARIED))})
    yield from _walks(trial, runs, answers)


def _answers(runs: Runs) -> dict[str, list[str]]:
    """All that was ever typed at each question."""
    answers: dict[str, set[str]] = {}
    for before, answer, _ in runs.steps():
        answers.setdefault(question(before), set()).add(answer)
    return {asked: sorted(known) for asked, known in answers.items()}


def _walks(trial: Trial, runs: Runs, answers: Mapping[str, list[str]]) -> Iterator[tuple[str, ...]]:
    for number in range(WALKS if trial.spec.program.simulated else WALKS_NATIVE):
        yield _walk(runs, answers, _random(f"walk/{number}"))


def _walk(runs: Runs, answers: Mapping[str, list[str]], random: Random) -> tuple[str, ...]:
    """A random game: what is typed at a question is one of the answers that were ever typed at it."""
    inputs: list[str] = []
    typed: list[str] = []
    try:
        while len(inputs) < LONGEST:
            wait = runs.run(inputs).last
            known = answers.get(question(wait), [])
            if wait.ending is not None or not known:
                break
            answer = _one_of(known, random)
            inputs.append(answer)
            typed.append(answer if wait.wants == "key" else answer + ENTER)
    except SpentError:
        pass
    return tuple(typed)


# ------------------------------------------------------------------------------------------------------- cases of a spec


def _of_case(trial: Trial, case: Case) -> Iterator[Scene]:
    if case.tests is not None:
        yield Suite(case.tests)
    elif case.call is not None:
        yield from _calls(trial, case)
    elif case.io is not None:
        for pair in _drawn(given(case.io)):
            text = pair.input.text if pair.input is not None else ""
            lines = text.splitlines(keepends=True)
            varied = map("".join, _varied(lines, f"{case.id}/{text}", mended=False))
            yield from (Given(pair, one) for one in (text, *varied))
    elif case.dialogue is not None:
        typed = tuple(
            END_OF_INPUT if step.close else step.keys or f"{step.send}{ENTER}"
            for step in case.dialogue
            if step.close or step.keys or step.send is not None
        )
        setup = Setup.of(case.starts)
        yield from (Typed(one, setup) for one in (typed, *_varied(typed, case.id, mended=True)))
    elif case.transcript is not None or case.play is not None:
        yield Typed(trial.scripts.dialogue(case).inputs, Setup.of(case.starts))
    elif case.differential is not None:
        yield from (Typed(script.inputs) for script in trial.scripts.games(case, case.differential)[:STUDIED])


def _drawn(pairs: Sequence[Pair]) -> Iterator[Pair]:
    """The pairs, and of one whose input is drawn a few that are."""
    for pair in pairs:
        ranges = {name: read_range(one) for name, one in named(pair.draws).items()}
        random = _random(f"inputs/{pair.seed}")
        yield from (filled(pair, draw(ranges, random)) for _ in range(VARIED if ranges else 0))
        yield from () if ranges else (pair,)


def _varied(typed: Sequence[str], seed: str, *, mended: bool) -> Iterator[tuple[str, ...]]:
    """The answers with one of them changed, left out or given twice; a changed one may be ``mended`` by the right one behind it."""
    random = _random(seed)
    for _ in range(VARIED if typed else 0):
        at, kind = int(random.random() * len(typed)), int(random.random() * 4)
        one, changed, other = typed[at], _changed(typed[at], random), _changed(typed[at], random)
        middle = ((), (one, one), (changed,), (other, one) if mended else (other,))[kind]
        yield (*typed[:at], *middle, *typed[at + 1 :])


def _changed(text: str, random: Random) -> str:
    """The text with another number in the place of one of its own; without a number with its letters turned round."""
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return text[::-1] if len(text.strip()) > 1 else text.swapcase()
    match = _one_of(numbers, random)
    value = int(match[0])
    other = _one_of((value + 1, value - 1, -value, 0, value * 2, value * 10, value // 2), random)
    return f"{text[: match.start()]}{other}{text[match.end() :]}"


# ------------------------------------------------------------------------------------------------------------------- calls


def _calls(trial: Trial, case: Case) -> Iterator[Entered]:
    """The call of a case and variations of it, or calls that are drawn as the case draws them, by another seed."""
    rules = given(case.call)
    if not rules.drawn:
        call, wanted = written(rules)
        yield Entered(case, call, wanted)
        random = _random(case.id)
        for number in range(VARIED if any(isinstance(thing, int) for thing in call.arguments.values()) else 0):
            changed = {
                name: thing + _one_of((1, -1, 2, -2, 0), random) if isinstance(thing, int) else thing
                for name, thing in call.arguments.items()
            }
            yield Entered(case, call._replace(arguments=changed, number=number), wanted)
        return
    family = trial.built.family
    assert family is not None, "only routines of simulated programs are called"
    drawn = Drawing(rules, trial.scripts.function(rules.reference or ""), family)
    random = _random(f"calls/{rules.seed}")
    for number in range(VARIED * VARIED):
        values = draw(drawn.ranges, random)
        expected = drawn.wanted(values)
        if expected is not None:
            yield Entered(case, drawn.call(values, number), expected)
