"""What subroutines do to registers, and what they mean by it: found by experiment.

**Contents.** A subroutine that leaves 0 in a register changes nothing that anybody sees where the register held 0 at the
call. So programs are watched from random contents, in as many registers as let the program say what it says from zeros.

**Results.** A register that a subroutine changes and its caller reads may be a result, or read by accident: stored before
use, or taken for what it held earlier. So the run is repeated with the register put back, at each return, to what it held
at the call. Where the dialogue is then another, and no nearer to what it should be, the new value was needed: a result. Else
the old one does as well or better, and the register was clobbered. What is found to be clobbered stays put back in the
runs that follow, so that all of it together, which is what a student is told to do, leaves the program as good as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from grader.checks import dialogue
from grader.checks import ending as endings
from grader.checks.facts import read_facts
from grader.checks.machine import Kept, Watched
from grader.grading.trial import Trial, given
from grader.machines.memory import noise
from grader.machines.records import Experiment, Use
from grader.sessions.evidence import Evidence
from grader.sessions.session import WAITS_ON, play
from grader.spec.expectations import Script
from grader.spec.model import Case, Judged
from grader.transcript import Transcript, Turn, Usage

_SEED = 75
_TEXT = dialogue.Scope((Judged.TEXT,))

Wrongness = tuple[int, int, int]
"""How far a turn is from what was expected: whether the run stops there and should not, facts, slips."""

Run = Callable[[Experiment], Sequence[Evidence]]


def watch(trial: Trial, case: Case, profile: str, plain: Sequence[Evidence]) -> Watched:
    """The runs of a case from random contents of registers, and what subroutines mean by the registers that they change.

    ``plain`` are the runs from zeros.
    """
    rules = given(case.machine)

    def run(experiment: Experiment) -> Sequence[Evidence]:
        sessions = ((trial.observed(profile, experiment), inputs) for inputs in rules.play)
        return [session.evidence(play(session, inputs)) for session, inputs in sessions]

    experiment, runs = _from_noise(run, plain)
    by_convention = {name.upper() for name in rules.results}
    scripts = [trial.scripts.expected(inputs) for inputs in rules.play] if trial.spec.reference else []
    exempt = {number for number, name in enumerate(runs[0].family.registers) if name.upper() in by_convention}
    meant, mending = set[Kept](), set[Kept]()
    restored, *open_ = _steps(runs, exempt)
    meant |= _paired(runs)
    current = runs
    for step in (one for one in open_ if not one <= meant):
        after = run(replace(experiment, restored=restored | step))
        outcome = _compared(trial, scripts, current, after)
        if outcome > 0:
            meant |= step
            continue
        if outcome < 0:
            mending |= step
        restored, current = restored | step, after
    return Watched(tuple(runs), frozenset(meant), frozenset(mending))


def _from_noise(run: Run, plain: Sequence[Evidence]) -> tuple[Experiment, Sequence[Evidence]]:
    """The experiment with random contents in all registers that do not change what is said, and its runs."""
    family = plain[0].family
    experiment, runs = Experiment(), plain
    for register, value in zip(family.kept, noise(_SEED, len(family.kept)), strict=True):
        tried = Experiment({**experiment.contents, register: value})
        after = run(tried)
        if all(
            _first_difference(one.transcript, two.transcript) is None for one, two in zip(plain, after, strict=True)
        ):
            experiment, runs = tried, after
    return experiment, runs


def _steps(runs: Sequence[Evidence], exempt: set[int]) -> Iterator[frozenset[Kept]]:
    """All changes that nobody reads, together, and then each other change for itself."""
    read: dict[Kept, bool] = {}
    for run in runs:
        for change in run.observations.changes:
            kept = (change.routine.address, change.register)
            read[kept] = read.get(kept, False) or change.use is Use.READ
        for imbalance in run.observations.imbalances:  # whoever has a stack reads where it is
            read[imbalance.routine.address, run.family.stack] = True
    changed = {kept: used for kept, used in read.items() if kept[1] not in exempt}
    yield frozenset(kept for kept, used in changed.items() if not used)
    yield from (frozenset({kept}) for kept, used in sorted(changed.items()) if used)


def _paired(runs: Sequence[Evidence]) -> set[Kept]:
    """The stack pointer of subroutines that push where others pop: each of them is meant, whatever becomes of the words."""
    grown: dict[Kept, bool] = {}
    for run in runs:
        for one in run.observations.imbalances:
            grown.setdefault((one.routine.address, run.family.stack), one.after > one.before)
    return set(grown) if len(set(grown.values())) == 2 else set()


# ------------------------------------------------------------------------------------------------ which dialogue is better


def _compared(trial: Trial, scripts: Sequence[Script], before: Sequence[Evidence], after: Sequence[Evidence]) -> int:
    """What became of the dialogues: 0 where all stayed as they were, below where one came nearer to what it should be.

    Without a reference nobody knows, and what is another dialogue counts as worse.
    """
    signs = [0]
    for number, (one, two) in enumerate(zip(before, after, strict=True)):
        turn = _first_difference(one.transcript, two.transcript)
        if turn is None:
            continue
        if not scripts:
            return 1
        wrong, still = (_wrongness(trial, scripts[number], run.transcript, turn) for run in (one, two))
        signs.append(-1 if still < wrong else 1)
    return max(signs) or min(signs)


def _first_difference(one: Transcript, two: Transcript) -> int | None:
    """The first turn, from 0, in which two runs differ; that in which the shorter one stops is one."""
    for number, (turn, other) in enumerate(zip(one.turns, two.turns, strict=False)):
        if turn != other:
            return number
    same = len(one.turns) == len(two.turns) and one.ending.kind is two.ending.kind
    return None if same else min(len(one.turns), len(two.turns)) - 1


def _wrongness(trial: Trial, script: Script, transcript: Transcript, at: int) -> Wrongness:
    """How wrong a turn is."""
    output = transcript.turns[at].output
    stops = at == len(transcript.turns) - 1
    if at >= len(script.turns):
        return 1, 0, 0
    expected_to_stop = at == len(script.turns) - 1
    wanted = Script((replace(script.turns[at], typed=None),))
    lone = Transcript((Turn(output),), WAITS_ON, Usage())
    judged = dialogue.judge(wanted, lone, trial.spec.text, trial.bindings, _TEXT)
    facts = trial.spec.text.facts
    said, due = (Counter(read_facts(text, facts)) for text in (output, judged.differences.get(1, output)))
    broken = stops and endings.faulty(transcript.ending)
    return int(broken or stops != expected_to_stop), ((said - due) + (due - said)).total(), len(judged.findings)
