"""A proof from its programs to its figures, on all cores and from where it was left.

Of each mutant: is it visible, what do its grades take off, and which is the shortest game that shows it?
"""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from grader.batch.engine import engine, prover
from grader.batch.pool import Done, GivenUp, run_pool
from grader.batch.values import Progress
from grader.errors import GraderError, UsageError
from grader.games.follow.following import Reader
from grader.games.follow.sampling import shrink
from grader.games.hear.runs import Wait
from grader.games.learn.questions import question
from grader.grading import Grading
from grader.grading.budget import OverBudgetError
from grader.grading.trial import Trial
from grader.mutants.drawing import Original, mutants, originals
from grader.mutants.mutant import Mutant
from grader.mutants.record import Loss, Outcome, Record, Result, Shown, loss, outcome
from grader.mutants.scenes import Scene, Seen, Suite, Typed, scenes
from grader.results import Grade, Verdict
from grader.spec.corrections import ANY_WORDING, NONE
from grader.spec.loader import Assignment
from grader.values import dataclass

SHRINKING, SHRINKING_NATIVE = 120, 40
"""Maximum shorter games that are tried: each is a run of two programs."""

Setup = Callable[[], AbstractContextManager[Callable[[Mutant], Result]]]

PATIENCE = 3
"""Time for a mutant, in times of a submission: it is graded at most twice and played once."""


MOST_SHOWN = 3_000
"""Maximum characters of a turn that a result keeps."""

_SIGNS = re.compile(r"\d+|(?<![^\W_])[^\W\d_](?![^\W_])|[^\w\s]|_")
_OVER = "used up its budget"


def prove(
    assignment: Assignment,
    paths: Sequence[Path],
    number: int,
    *,
    jobs: int,
    record: Record | None,
    unsafe: bool = False,
    progress: Callable[[Progress], None] = lambda _: None,
) -> tuple[Result, ...]:
    """The results of the first ``number`` mutants, in their order.

    Results that ``record`` has are not worked out again. Raises UsageError if there is no program, JudgeError where no worker can start.
    """
    programs = originals(assignment, paths)
    wanted = mutants(assignment.spec, programs)[:number]
    # A file of random bytes would be proved to 100 %: of its no mutants all are charged.
    if not wanted:
        hint = "do they build? a mutant changes one instruction, or one node of the syntax tree"
        raise UsageError("no mutant can be made of these programs", place=str(assignment.path), hint=hint)
    known = record.results() if record is not None else {}
    results = {one.name: known[one.name] for one in wanted if one.name in known}
    left = [one for one in wanted if one.name not in results]
    progress(Progress(len(results), len(wanted), ""))
    hidden = tuple(path.resolve().parent for path in paths)
    setup = partial(proving, assignment, programs, hidden=hidden, unsafe=unsafe)
    # mutants of one program follow each other, so that few workers need its original
    left.sort(key=lambda one: one.program)
    for result in _proved(setup, left, jobs, PATIENCE * assignment.spec.limits.submission.last_resort):
        results[result.name] = result
        if record is not None:
            record.keep(result)
        progress(Progress(len(results), len(wanted), result.name))
    return tuple(results[one.name] for one in wanted)


def key(assignment: Assignment) -> str:
    """Everything that the results of a proof depend on, apart from the mutants: the spec and the judge."""
    return f"{assignment.fingerprint} {engine()} {prover()}"


def _proved(setup: Setup, tasks: Sequence[Mutant], jobs: int, limit: float) -> Iterator[Result]:
    """The results in any order; no mutant may take more seconds than ``limit`` where there are workers."""
    if jobs == 1:
        with setup() as work:
            yield from map(work, tasks)
        return
    with closing(run_pool(setup, tasks, jobs, limit=limit)) as done:
        for one in done:
            if isinstance(one, Done):
                yield one.result
            else:
                note = one.reason if isinstance(one, GivenUp) else f"it took more than {one.seconds:g} s"
                yield Result.of(one.task, Outcome.JUDGE_ERROR, note=note)


@dataclass(frozen=True, slots=True)
class Staged:
    """The facts about an original: its grade, what was learned of its words, and what it shows in each scene.

    ``profiles`` are those under which it shows that, and ``answers`` what was ever typed at each of its questions.
    """

    grade: Grade
    learned: Mapping[str, str]
    profiles: tuple[str, ...]
    shows: tuple[tuple[Scene, Seen], ...]
    answers: Mapping[str, set[str]]


@contextmanager
def proving(
    assignment: Assignment, originals: Sequence[Original], *, hidden: tuple[Path, ...] = (), unsafe: bool = False
) -> Iterator[Callable[[Mutant], Result]]:
    """The work of one process on a mutant. The scenes of an original are played once, when its first mutant comes."""
    with Grading(assignment, unsafe=unsafe, hidden=hidden) as grading:
        yield Prover(grading, originals).result


class Prover:
    """Proves the mutants of some originals, one after the other."""

    def __init__(self, grading: Grading, originals: Sequence[Original]) -> None:
        self._spec = spec = grading.assignment.spec
        self._grading = grading
        self._originals = {one.name: one for one in originals}
        self._staged: dict[str, Staged] = {}
        self._reader = Reader(spec.text)

    def result(self, mutant: Mutant) -> Result:
        """The outcome of one mutant. A fault of ours is an outcome of its own."""
        began = time.process_time()
        try:
            if mutant.program not in self._staged:
                self._staged[mutant.program] = self._set_up(self._originals[mutant.program])
            staged = self._staged[mutant.program]
            began = time.process_time()
            result = self._result(mutant, staged)
        except GraderError as error:
            result = Result.of(mutant, Outcome.JUDGE_ERROR, note=str(error))
        return replace(result, seconds=round(time.process_time() - began, 2))

    # ---------------------------------------------------------------------------------------------------- the original

    def _set_up(self, original: Original) -> Staged:
        grade = self._graded(original.name, None, {})
        with self._grading.trial(original.submission) as trial:
            profile, *others = trial.profiles if trial.built.programs else ("",)
            first = [(scene, _seen(scene, trial, profile)) for scene in scenes(trial, profile)]
            # If an original depends on chance, it differs the second time. Such a scene tells nothing of its mutants.
            shows = tuple((scene, seen) for scene, seen in first if _seen(scene, trial, profile) == seen)
            # The judge counts the best of all profiles: a mutant is visible only if each of these shows it.
            alike = (one for one in others if not _differs(trial, one, shows))
            profiles = (profile, *alike)
        answers = defaultdict[str, set[str]](set)
        for output, typed in (turn for scene, seen in shows if isinstance(scene, Typed) for turn in seen.turns[:-1]):
            answers[question(Wait(output))].add(typed)
        learned = {lesson.key: lesson.value for lesson in grade.learned if lesson.key}
        return Staged(grade, learned, profiles, shows, answers)

    # ------------------------------------------------------------------------------------------------------ the mutant

    def _result(self, mutant: Mutant, staged: Staged) -> Result:
        if not staged.shows:
            return Result.of(mutant, Outcome.UNSTEADY)
        submission = mutant.made_of(self._originals[mutant.program].submission)
        with self._grading.trial(submission) as trial:
            if trial.built.verdict is not Verdict.ACCEPTED:
                return Result.of(mutant, Outcome.UNBUILT)
            if not all(_differs(trial, profile, staged.shows) for profile in staged.profiles):
                # Unit tests show only what they ask for: a mutant that they do not notice survives, and a person says whether it is equivalent.
                if all(isinstance(scene, Suite) for scene, _ in staged.shows):
                    return Result.of(mutant, Outcome.SURVIVES, note="no test notices it")
                return Result.of(mutant, Outcome.EQUIVALENT)
        cold = self._loss(mutant, staged, {})
        warm = self._loss(mutant, staged, staged.learned) if staged.learned else None
        if cold is None or (staged.learned and warm is None):
            return Result.of(mutant, Outcome.JUDGE_ERROR, note="a case of its grade is a judge error")
        result = outcome(cold, warm)
        shown = None if result is Outcome.CHARGED else self._shortest(mutant, staged)
        return Result.of(mutant, result, cold=cold, warm=warm, shown=shown)

    def _loss(self, mutant: Mutant, staged: Staged, learned: Mapping[str, str]) -> Loss | None:
        """The loss of the mutant in a grade; None if the grader failed on a case."""
        grade = self._graded(mutant.program, mutant, learned)
        return None if grade.has_judge_error else loss(staged.grade, grade)

    def _graded(self, name: str, mutant: Mutant | None, learned: Mapping[str, str]) -> Grade:
        # A mutant has the words of its original, and another digest of them.
        self._grading.corrections = {ANY_WORDING: learned}
        submission = self._originals[name].submission
        try:
            return self._grading.grade(submission if mutant is None else mutant.made_of(submission))
        finally:
            self._grading.corrections = NONE

    # -------------------------------------------------------------------------------------------------- the shortest game

    def _shortest(self, mutant: Mutant, staged: Staged) -> Shown | None:
        """The shortest game that shows a mutant, of answers that were typed at such questions before."""
        original = self._originals[mutant.program].submission
        with self._grading.trial(original) as whole, self._grading.trial(mutant.made_of(original)) as changed:
            profile = staged.profiles[0]
            accounts = [(scene, seen, _seen(scene, changed, profile)) for scene, seen in staged.shows]
            differing = [one for one in accounts if one[1] != one[2]]
            if not differing:
                return None
            scene, seen, other = min(differing, key=lambda one: (_parting(one[1], one[2]), repr(one[0])))
            if not isinstance(scene, Typed):
                return self._shown(seen, other)
            pairs: dict[tuple[str, ...], tuple[Seen, Seen]] = {}

            def differs(inputs: tuple[str, ...]) -> bool:
                one = _seen(Typed(inputs), whole, profile)
                known = (typed in staged.answers.get(question(Wait(text)), ()) for text, typed in one.turns[:-1])
                if one.inputs != inputs or not all(known):
                    return False
                pairs[inputs] = (one, _seen(Typed(inputs), changed, profile))
                return pairs[inputs][0] != pairs[inputs][1]

            inputs = seen.inputs[: _parting(seen, other)]
            if not differs(inputs):
                return self._shown(seen, other)
            # A run of a compiled program takes a process, and one of a simulated program a millisecond.
            slow = self._spec.program.simulated is None
            return self._shown(*pairs[shrink(inputs, differs, attempts=SHRINKING_NATIVE if slow else SHRINKING)])

    def _shown(self, one: Seen, other: Seen) -> Shown:
        at = _parting(one, other)
        inputs = tuple(typed for _, typed in one.turns[:at])
        # Only the wording differs where both end alike, and state the same things in as many turns.
        alike = one.ending == other.ending and len(one.turns) == len(other.turns)
        pairs = zip(one.turns, other.turns, strict=False)
        free = alike and all(self._facts(a) == self._facts(b) for (a, _), (b, _) in pairs)
        return Shown(inputs, _told(one, at), _told(other, at), free=free)

    def _facts(self, text: str) -> object:
        """The facts and the question of a turn; in a game that programs tell in any words its numbers and signs."""
        if self._grading.scripts.method is not None:
            return signs(text)
        if not self._spec.text.facts:
            return text
        heard = self._reader.read(text, ended=False)
        return [(fact.name, dict(fact.values)) for fact in heard.facts], heard.question


def signs(text: str) -> list[str]:
    """The numbers, punctuation and lone letters of a text, in their order: what stays where a game is told in other words.

    A lone letter may be a piece of a board, so that another order of them is another board.
    """
    return _SIGNS.findall(text)


def _differs(trial: Trial, profile: str, shows: Sequence[tuple[Scene, Seen]]) -> bool:
    """Whether a program's output differs from the original's in any scene.

    One that shows the same under any profile is right, as the judge has it.
    """
    return any(_seen(scene, trial, profile) != seen for scene, seen in shows)


def _seen(scene: Scene, trial: Trial, profile: str) -> Seen:
    try:
        return scene.seen(trial, profile)
    except OverBudgetError:
        return Seen((), _OVER)


def _parting(one: Seen, other: Seen) -> int:
    """The number of the first turn, from 0, in which two accounts differ: so many answers come before it."""
    pairs = zip(one.turns, other.turns, strict=False)
    last = min(len(one.turns), len(other.turns)) - 1
    return next((at for at, ((a, _), (b, _)) in enumerate(pairs) if a != b), max(last, 0))


def _told(seen: Seen, at: int) -> str:
    """The output of a program in a turn, and its ending if that is the last turn."""
    if at >= len(seen.turns):
        return f"({seen.ending})"
    text = seen.turns[at][0]
    cut = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
    return cut if at < len(seen.turns) - 1 else f"{cut}\n({seen.ending})"
