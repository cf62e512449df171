"""Which lines of an assembly source were never executed: the runs of visible cases once more, on a machine that marks what it executes.

It is found when all is judged, and tells nothing of a verdict: code that nothing leads to may be needless, or the way into it is
missing. Repeated are the runs that a report shows, then others up to a number of instructions, or until all was executed. The last ones
come first, since games that are found by experiment begin with many that are alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby

from grader.grading.scripts import Inputs
from grader.grading.trial import Trial
from grader.machines.image import Content
from grader.machines.records import UNRECORDED
from grader.results import CaseResult, Coverage, Verdict, Visibility
from grader.sessions.session import play
from grader.sessions.simulated import SimulatedProgram
from grader.transcript import EndingKind

BUDGET = 1_000_000
"""So many instructions are executed for this: uncompiled, as in a browser, they take some seconds."""

_Run = tuple[str, int | None, Inputs, bool]
"""A profile, a seed, what is typed, and whether Enter is typed after it."""


def coverage(trial: Trial, results: Iterable[CaseResult]) -> tuple[Coverage, ...]:
    """The lines of each source file that no run of a visible case has executed; nothing for other programs."""
    if trial.built.family is None or not trial.built.programs or trial.spent_up:
        return ()
    visible = [result for result in results if result.visibility is Visibility.VISIBLE]
    code = _code(trial)
    executed: defaultdict[str, set[int]] = defaultdict(set)
    spent, runs = 0, 0
    for profile, seed, inputs, enter in _runs(trial, visible):
        program = trial.built.programs[profile]
        done = spent >= BUDGET or all(code[name] <= executed[name] for name in code)
        if done or not isinstance(program, SimulatedProgram):
            break
        session = program.start(profile, seed=seed, observe=True, experiment=UNRECORDED)
        play(session, inputs, enter=enter)
        spent += session.instructions
        runs += 1
        origins = program.image.origins
        for address in session.machine.observations.executed & origins.keys():
            span = origins[address].span
            executed[span.source.name].add(span.line)
    found = []
    for name in (source.name for source in trial.built.sources if runs and code[source.name]):
        stretches = groupby(sorted(code[name]), key=executed[name].__contains__)
        missed = [[*lines] for was_executed, lines in stretches if not was_executed]
        ends = tuple((lines[0], lines[-1]) for lines in missed)
        found.append(Coverage(name, runs, len(code[name]), sum(map(len, missed)), ends))
    return tuple(found)


def _code(trial: Trial) -> defaultdict[str, set[int]]:
    """The lines with instructions, by the names of their files."""
    code: defaultdict[str, set[int]] = defaultdict(set)
    for program in trial.built.programs.values():
        if isinstance(program, SimulatedProgram):
            for origin in program.image.origins.values():
                if origin.content is Content.CODE:
                    code[origin.span.source.name].add(origin.span.line)
    return code


def _runs(trial: Trial, visible: Iterable[CaseResult]) -> Iterable[_Run]:
    """The runs of these cases, each once: those that a report shows, then the others. None that has used up its instructions."""
    cases, programs = {case.id: case for case in trial.spec.cases}, trial.built.programs
    shown: list[_Run] = []
    others: list[_Run] = []
    for result in visible:
        if not result.usage.turns or result.verdict is Verdict.TIME_LIMIT:
            continue
        case, profile = cases.get(result.id), result.profile if result.profile in programs else next(iter(programs))
        if result.turns:
            inputs = tuple(turn.typed for turn in result.turns if turn.typed is not None)
            shown.append((profile, None, inputs, False))
        if case is not None and case.machine is not None:
            others += ((profile, None, tuple(inputs), True) for inputs in case.machine.play)
        dialect = trial.memory.dialects.get(profile)
        if case is not None and case.game is not None and dialect is not None:
            games = dialect.of(trial.spec.games.get(case.game)).known
            ended = (one for one in games if one.transcript.ending.kind is not EndingKind.BUDGET)
            others += ((profile, one.seed, one.transcript.inputs, False) for one in ended)
    return dict.fromkeys((*shown, *reversed(others)))
