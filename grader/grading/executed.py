"""Lines of a source for reports, added after everything is judged: no verdict depends on them.

**Lines that were never executed** (assembly): the runs of visible cases once more, on a machine that marks what it
executes. Code that nothing leads to may be needless, or the way into it is missing. We repeat the runs that a report
shows, then others, up to a number of instructions or until everything was executed. The last runs come first, since
games that are found by experiment begin with many similar ones.

**Lines at which a program broke** (C and C++): it is run once more with the inputs of a finding, and notes where it is (``build.notes``).
The lines at which it breaks are the same each time. The loop in which it was at a timeout is found by samples, which
differ from run to run. So samples are only taken if one person waits for one report, and never for results that must be
reproducible.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

from grader.build import Built
from grader.checks.whereabouts import Whereabouts, Whole, broken, endless, whole_line
from grader.grading.scripts import Inputs
from grader.grading.trial import Trial
from grader.machines.image import Content
from grader.machines.records import UNRECORDED
from grader.results import CaseResult, Coverage, Finding, Verdict, Visibility, Weight
from grader.sessions.laying import MissingLabelError, NoRoomError
from grader.sessions.session import USUAL, Setup, play
from grader.sessions.simulated import SimulatedProgram
from grader.transcript import EndingKind

BUDGET = 1_000_000
"""Maximum instructions for this: uncompiled, as in a browser, they take some seconds."""

_Run = tuple[str, int | None, Inputs, bool, Setup]
"""A profile, a seed, the inputs, whether Enter is typed after them, and the beginning of the run."""


def coverage(trial: Trial, results: Iterable[CaseResult]) -> tuple[Coverage, ...]:
    """The lines of each source file that no run of a visible case has executed; empty for other programs."""
    if trial.built.family is None or not trial.built.programs or trial.spent_up:
        return ()
    visible = [result for result in results if result.visibility is Visibility.VISIBLE]
    code: defaultdict[str, set[int]] = defaultdict(set)  # the lines with instructions, by the names of their files
    images = (program.image for program in trial.built.programs.values() if isinstance(program, SimulatedProgram))
    for origin in (one for image in images for one in image.origins.values() if one.content is Content.CODE):
        code[origin.span.source.name].add(origin.span.line)
    executed: defaultdict[str, set[int]] = defaultdict(set)
    spent, runs = 0, 0
    for profile, seed, inputs, enter, setup in _runs(trial, visible):
        program = trial.built.programs[profile]
        # The runs of a report come first, and a large program would take seconds in a browser.
        done = spent >= BUDGET or all(code[name] <= executed[name] for name in code)
        if done or not isinstance(program, SimulatedProgram):
            break
        try:
            session = program.start(profile, seed=seed, setup=setup, observe=True, experiment=UNRECORDED)
        except (MissingLabelError, NoRoomError):  # a case has told it
            continue
        play(session, inputs, enter=enter)
        spent += session.instructions
        runs += 1
        origins = program.image.origins
        for address in session.machine.observations.executed & origins.keys():
            span = origins[address].span
            executed[span.source.name].add(span.line)
    coverages = []
    for name in (source.name for source in trial.built.sources if runs and code[source.name]):
        stretches = groupby(sorted(code[name]), key=executed[name].__contains__)
        missed = [[*lines] for was_executed, lines in stretches if not was_executed]
        ends = tuple((lines[0], lines[-1]) for lines in missed)
        coverages.append(Coverage(name, runs, len(code[name]), sum(map(len, missed)), ends))
    return tuple(coverages)


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
            shown.append((profile, None, inputs, False, Setup.of(case.starts if case is not None else None)))
        if case is not None and case.machine is not None:
            others += ((profile, None, tuple(run.play), True, Setup.of(run)) for run in case.machine.each)
        dialect = trial.memory.dialects.get(profile)
        if case is not None and case.game is not None and dialect is not None:
            games = dialect.of(trial.spec.games.get(case.game)).known
            ended = (one for one in games if one.transcript.ending.kind is not EndingKind.BUDGET)
            others += ((profile, one.seed, one.transcript.inputs, False, USUAL) for one in ended)
    return {repr(run): run for run in (*shown, *reversed(others))}.values()


# ------------------------------------------------------------------------------------------------------ where it broke

MOST_RUNS, MOST_SAMPLED = 6, 2
"""Maximum runs of a submission that are made for this, and of those in which samples are taken, which take long."""

_WHEN = {
    Verdict.TIME_LIMIT: "its time was up",
    Verdict.OUTPUT_LIMIT: "it was stopped",
    Verdict.MEMORY_LIMIT: "its memory was used up",
}


def located(built: Built, results: Iterable[CaseResult], *, samples: bool) -> tuple[CaseResult, ...]:
    """The results, with the lines at which the program broke; ``samples`` adds the loops in which it was stopped."""
    results = tuple(_with_lines(built, case) for case in results)
    wanted = {Verdict.RUNTIME_ERROR, *(_WHEN if samples else ())}
    if built.notes is None or not any(case.verdict in wanted for case in results):
        return results
    finder = _Finder(built)
    return tuple(finder.added(case) if case.verdict in wanted else case for case in results)


_PLACE = re.compile(r"\A(.+?):(\d{1,7})")


def _with_lines(built: Built, case: CaseResult) -> CaseResult:
    """The case with the source line beside each place that has none yet, as the traces of Python do not show them all."""
    sources = {source.name: source for source in built.sources}

    def shown(finding: Finding) -> Finding:
        match = _PLACE.fullmatch(finding.place)
        source = sources.get(match[1]) if match and not finding.excerpt else None
        return replace(finding, excerpt=whole_line(source, int(match[2]))) if match and source else finding

    findings = tuple(map(shown, case.findings))
    return case if findings == case.findings else replace(case, findings=findings)


class _Finder:
    """The places, known so far, where one program breaks."""

    def __init__(self, built: Built) -> None:
        self._built = built
        self._whole = Whole(built.language, built.sources)
        self._known: dict[tuple[Inputs, str], Whereabouts | None] = {}

    def added(self, case: CaseResult) -> CaseResult:
        """The case with the line in its finding on how the run ended."""
        defects = (one for one in case.findings if one.weight is Weight.DEFECT)
        finding = next((one for one in defects if one.turn is not None and not one.place), None)
        if finding is None:
            return case
        when = _WHEN.get(case.verdict, "")
        key = (finding.typed, when)
        made = sum(bool(stopped) is bool(when) for _, stopped in self._known)
        if key not in self._known and made < (MOST_SAMPLED if when else MOST_RUNS):
            self._known[key] = self._looked(*key)
        place = self._known.get(key)
        if place is None:
            return case
        hint = place.hint or finding.hint
        located = replace(finding, place=place.place, excerpt=place.excerpt, detail=place.sentence, hint=hint)
        return replace(case, findings=tuple(located if one is finding else one for one in case.findings))

    def _looked(self, inputs: Inputs, when: str) -> Whereabouts | None:
        """The place where it breaks, or where it was ``when`` it was stopped."""
        assert self._built.notes is not None
        try:
            notes = self._built.notes(inputs, bool(when))
            if not notes:
                return None
            return endless(notes, self._whole, when) if when else broken(notes[-1], self._whole)
        except Exception:  # noqa: BLE001 -- what is only said beside a verdict must never cost one
            return None
