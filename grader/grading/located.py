"""The lines at which a program broke, put beside what was found when all is judged: no verdict can hang on them.

A program in C or C++ is run once more with the inputs of a finding, and notes where it is (``build.notes``). Where it breaks the
lines are the same each time. In which loop it was when its time was up is found by samples, which differ from run to run: they are
taken where one person waits for one report, and never for what must come out the same again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from grader.build import Built
from grader.checks.whereabouts import Whereabouts, Whole, broken, endless, whole_line
from grader.grading.scripts import Inputs
from grader.results import CaseResult, Finding, Verdict, Weight

MOST_RUNS, MOST_SAMPLED = 6, 2
"""So many runs of a submission are made for this at most, and so many in which samples are taken: these take long."""

_WHEN = {
    Verdict.TIME_LIMIT: "its time was up",
    Verdict.OUTPUT_LIMIT: "it was stopped",
    Verdict.MEMORY_LIMIT: "its memory was used up",
}


def located(built: Built, results: Iterable[CaseResult], *, samples: bool) -> tuple[CaseResult, ...]:
    """The results, with the lines at which the program broke; with ``samples`` also the loops in which it was when it was stopped."""
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
    """What is known by now of where one program breaks."""

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
        found = self._known.get(key)
        if found is None:
            return case
        hint = found.hint or finding.hint
        told = replace(finding, place=found.place, excerpt=found.excerpt, detail=found.sentence, hint=hint)
        return replace(case, findings=tuple(told if one is finding else one for one in case.findings))

    def _looked(self, inputs: Inputs, when: str) -> Whereabouts | None:
        """Where it breaks; or where it was ``when`` it was stopped, if that is what came about."""
        assert self._built.notes is not None
        try:
            notes = self._built.notes(inputs, bool(when))
            if not notes:
                return None
            return endless(notes, self._whole, when) if when else broken(notes[-1], self._whole)
        except Exception:  # noqa: BLE001 -- what is only said beside a verdict must never cost one
            return None
