"""An ``io`` case, judged: each input in a run of its own, compared with the expected output.

The case earns the share of the runs that are right. A demand that an empty program also meets, such as to print
nothing, counts only together with a run that shows something.
"""

from __future__ import annotations

import shlex
from dataclasses import replace
from random import Random

from grader.checks import dialogue, streams
from grader.checks import ending as endings
from grader.checks.dialogue import Bindings, Scope
from grader.checks.explain import parting
from grader.games.arguments import Values, draw, shrunk
from grader.grading.budget import TOO_LONG
from grader.grading.trial import PASTED, SHOWN_OUTPUT, Judgement, Trial, case_result, given, show_again
from grader.results import CaseResult, Finding, JudgedTurn, Verdict, Weight
from grader.sessions.session import Piped, Setup, pipe
from grader.sessions.simulated import escaped
from grader.spec.kinds.call import named
from grader.spec.kinds.content import Content
from grader.spec.kinds.io import PLACE, Pair
from grader.spec.kinds.runs import Judged
from grader.spec.model import Case
from grader.spec.ranges import read_range
from grader.transcript import Usage, decode, visible
from grader.values import dataclass

TOLD = 3
"""Maximum failed runs that are shown one by one; the others are counted."""

_LATER = "later-turns"
_QUOTED = 40  # maximum characters of an input or of arguments that name a run in a sentence
_SHOWN_INPUT = 1000  # characters of an input that a report shows
_TYPED = 20_000
"""Maximum characters of a text without a file that a command types: a shell takes 128 KiB in one word."""


@dataclass(frozen=True, slots=True)
class _Run:
    """One pair, its run, and the result."""

    pair: Pair
    piped: Piped
    compared: dialogue.Judgement
    counts: bool = True

    @property
    def right(self) -> bool:
        return self.compared.met and self.counts


def judge(trial: Trial, case: Case, profile: str) -> Judgement:
    """The result of all runs together."""
    pairs = given(case.io)
    scope = Scope.of(case, case.judges)
    runs: list[_Run] = []
    bindings = trial.bindings
    for number, pair in enumerate(pairs, start=1):
        bench = _Bench(trial, profile, scope, bindings)
        one = bench.run(pair, _where(pair, number, len(pairs))) if not pair.draws else bench.first_wrong(pair)
        runs.append(one)
        bindings = one.compared.bindings
    # An empty program also prints nothing if nothing is due: without a run that shows something it earns nothing.
    if not any(run.compared.met and run.pair.shows for run in runs):
        runs = [replace(run, counts=run.pair.shows) for run in runs]
    result = _result(trial, case, profile, runs)
    reads, breaks = sum(run.piped.reads for run in runs), sum(endings.faulty(run.piped.ending) for run in runs)
    return Judgement(result, bindings, reads, breaks)


@dataclass(frozen=True, slots=True)
class _Bench:
    """The rules for judging each run of a case."""

    trial: Trial
    profile: str
    scope: Scope
    bindings: Bindings

    def run(self, pair: Pair, where: str) -> _Run:
        """One run, compared with its expectations."""
        text = pair.input.text if pair.input is not None else ""
        piped = run(self.trial, pair, text, self.profile)
        wrong = ""
        if pair.checker is not None and Judged.TEXT in self.scope.judges:
            wrong = self.trial.scripts.wrong(pair.checker, text, decode(piped.output))
        rules = self.trial.spec.text
        return _Run(pair, piped, streams.compare(pair, piped, rules, self.bindings, self.scope, where, wrong))

    def first_wrong(self, pair: Pair) -> _Run:
        """The failing run with the smallest values among drawn inputs, or the last run if all are right."""
        ranges = {name: read_range(one) for name, one in named(pair.draws).items()}
        tried: dict[str, _Run] = {}

        def fails(values: Values) -> bool:
            if self.trial.spent_up:
                return False
            drawn = filled(pair, values)
            key = repr((drawn.input, drawn.arguments))
            if key not in tried:
                tried[key] = self.run(drawn, _where(drawn, 1, 1))
            wrong.append(tried[key])
            return not tried[key].compared.met

        wrong: list[_Run] = []
        for number in range(pair.games):
            values = draw(ranges, Random(f"{pair.seed}/{number}"))  # noqa: S311 -- it must be the same each time
            if not fails(values):
                continue
            if wrong[-1].piped.ending.kind in TOO_LONG:  # smaller ones would take as long
                return wrong[-1]
            first, smallest = wrong[-1], shrunk(ranges, values, fails, attempts=_SMALLER)
            fails(smallest)
            note = f"first seen in run {number + 1} of {pair.games}, shrunk to the smallest that fails"
            last = wrong[-1] if not wrong[-1].compared.met else first
            findings = (*last.compared.findings, Finding("shrunk", note, weight=Weight.NOTE))
            return replace(last, compared=replace(last.compared, findings=findings))
        return wrong[-1]


_SMALLER = 100
"""Maximum smaller inputs that are tried: each is a run of the program."""


def filled(pair: Pair, values: Values) -> Pair:
    """The pair with drawn values in its input and its arguments."""

    def put(text: str) -> str:
        return PLACE.sub(lambda place: _written(values[place[1]]) if place[1] in values else place[0], text)

    text = None if pair.input is None else Content(put(pair.input.text))
    return pair.model_copy(
        update={"input": text, "arguments": tuple(map(put, pair.arguments)), "draws": {}, "name": ""}
    )


def _written(value: object) -> str:
    """A drawn value as it is typed: the items of a row are separated by blanks."""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def run(trial: Trial, pair: Pair, text: str, profile: str) -> Piped:
    """A run that is given all of a text at once, with the arguments and files of a pair."""
    session = trial.start(profile, setup=Setup.of(pair, tuple(pair.writes)))
    piped = pipe(session, text, bit_by_bit=trial.spec.program.simulated is not None)
    if trial.spec.program.terminal:  # which turns each line end into two characters
        piped = replace(piped, output=piped.output.replace(b"\r\n", b"\n"))
    return piped


def _result(trial: Trial, case: Case, profile: str, runs: list[_Run]) -> CaseResult:
    failed = [run for run in runs if not run.compared.met]
    right = sum(run.right for run in runs)
    shown = failed[0] if failed else runs[0]
    findings_of_runs = (finding for run in failed[:TOLD] for finding in run.compared.findings)
    findings = [finding for finding in findings_of_runs if finding.weight is Weight.DEFECT]
    if len(failed) > TOLD:
        more = len(failed) - TOLD
        rest = f"{more} more run{'s also fail' if more > 1 else ' also fails'}; correct the first ones before you look at the others"
        findings.append(Finding(_LATER, rest, weight=Weight.NOTE))
    slips: dict[str, Finding] = {}
    for finding in (one for run in runs for one in run.compared.findings if one.weight is not Weight.DEFECT):
        slips.setdefault(finding.code, finding)
    findings += slips.values()
    if failed and right and not case.whole:
        findings.append(Finding("share", f"{right} of {len(runs)} runs are right", weight=Weight.NOTE))
    verdict = failed[0].compared.verdict if failed else Verdict.ACCEPTED
    if not failed and any(finding.weight is Weight.SLIP for finding in slips.values()):
        verdict = Verdict.FORM
    return replace(
        case_result(case, verdict, tuple(replace(finding, turn=None) for finding in findings), met=not failed),
        usage=sum((run.piped.usage for run in runs), Usage()),
        turns=_turns(shown),
        ending=shown.piped.ending.message,
        again=_again(trial, shown.pair, profile),
        runs=len(runs),
        share=(right, len(runs)) if failed and right and not case.whole else None,
    )


def _turns(run: _Run) -> tuple[JudgedTurn, ...]:
    """The input, and the output; of long texts only the part in which they differ."""
    output, expected = decode(run.piped.output), run.compared.differences.get(1)
    start = 0 if expected is None else max(0, parting(expected, output) - SHOWN_OUTPUT // 2)
    printed = JudgedTurn(_part(output, start), None, None if expected is None else _part(expected, start))
    text = run.pair.input.text if run.pair.input is not None else ""
    return (JudgedTurn("", _part(text, 0, _SHOWN_INPUT)), printed) if text else (printed,)


def _part(text: str, start: int, most: int = SHOWN_OUTPUT) -> str:
    before = f"({start:,} characters before, as expected)\n" if start else ""
    more = len(text) - start - most
    return before + text[start : start + most] + (f"\n… and {more:,} characters more" if more > 0 else "")


def _where(pair: Pair, number: int, count: int) -> str:
    """A phrase that names the run: by its name, or by its input if that is short."""
    if pair.name:
        return f"with “{pair.name}”"
    text = visible(pair.input.text) if pair.input is not None else ""
    parts = [f"the input {text.removesuffix(chr(10)).replace(chr(10), ' ')}"] if 0 < len(text) <= _QUOTED else []
    words = shlex.join(pair.arguments)
    parts += [f"the arguments {words}"] if 0 < len(words) <= _QUOTED else []
    if parts:
        return f"with {' and '.join(parts)}"
    if not text and not pair.arguments:
        return "with no input"
    return f"in run {number} of {count}" if count > 1 else "in its run"


def _again(trial: Trial, pair: Pair, profile: str) -> str:
    """The command that shows the run again; empty if its texts are too long for a command and in no file."""
    shown = show_again(trial, (), profile, begun=pair)
    words, text = shlex.split(shown), pair.input
    if text is not None and text.text and len(text.text) <= (PASTED if text.path else _TYPED):
        words += ["--input", escaped(text.text), "--end"]
    elif text is not None and text.text:
        if not text.path:
            return ""
        words += ["--input-file", text.path]
    else:
        words.append("--end")
    return shlex.join(words) if shown else ""
