"""A dialogue judged turn by turn: the output up to each wait, against the expected one.

Turns are compared one by one, so that a slip in one does not disturb the next: the comparison resynchronises at every
input. The first defect is reported with its place; later turns that differ are only counted. Slips are reported once
per kind.

A choice that the assignment leaves open is bound by the first turn that shows it, and stays bound for the submission.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import nlargest
from itertools import product, zip_longest

from grader.checks import ending as endings
from grader.checks import numbers
from grader.checks.explain import after_inputs, first_difference, parting
from grader.checks.facts import Fact, Facts, Judging
from grader.checks.line_slips import Slip
from grader.checks.slips import Difference, Substance, compare, states_otherwise
from grader.results import Finding, Verdict, Weight
from grader.spec.expectations import ExpectedTurn, Script
from grader.spec.kinds.runs import BOTH, Judged
from grader.spec.model import Case, SlipKind, TextRules
from grader.spec.values import FORGIVE, Tolerance
from grader.transcript import EndingKind, Transcript
from grader.values import dataclass

Bindings = Mapping[str, str]

# Readings of a turn that are weighed, the likeliest: each takes half a millisecond, and a spec may leave thousands
# open.
_MANY = 100

ELSEWHERE = "judged-elsewhere"
"""The code of a note on a text that states something wrong which this case does not judge."""

_NUMBER = re.compile(r"\d+")

_GRAVITY = {kind: rank for rank, kind in enumerate(SlipKind, start=1)}
_IN_OTHER_WORDS = {SlipKind.WORDING, SlipKind.MISSING, SlipKind.EXTRA}


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result of a check of one run: a verdict, whether the case is met, findings, and the choices bound so far.

    ``differences`` maps each turn that differs (from 1) to its expected text.
    """

    verdict: Verdict
    met: bool
    findings: tuple[Finding, ...]
    bindings: Bindings
    differences: Mapping[int, str]

    @classmethod
    def of(
        cls, findings: Sequence[Finding], failed: Verdict, bindings: Bindings, differences: Mapping[int, str]
    ) -> Judgement:
        """The judgement of these findings; ``failed`` is the verdict if one of them is a defect."""
        weights = {finding.weight for finding in findings}
        passed = Verdict.FORM if Weight.SLIP in weights else Verdict.ACCEPTED
        met = Weight.DEFECT not in weights
        return cls(passed if met else failed, met, tuple(findings), bindings, differences)


@dataclass(frozen=True, slots=True)
class _Compared:
    """One turn against its expectation: the difference, the expected text, and the choices that it binds."""

    difference: Difference
    expected: str
    bindings: Bindings

    @property
    def weight(self) -> tuple[int, int]:
        """The distance of the turn from the expected text: first in its facts, then in its form."""
        substance = list(Substance).index(self.difference.substance)
        return substance, sum(_GRAVITY[kind] for kind in self.difference.kinds)

    @property
    def in_other_words(self) -> bool:
        """Whether the turn is too unlike the expectation to show the program's choices."""
        return self.difference.substance is not Substance.SAME or bool(_IN_OTHER_WORDS & set(self.difference.kinds))


@dataclass(frozen=True, slots=True)
class Scope:
    """The parts of a dialogue that a case judges: text, ending or both; and how it judges facts, None for all by value.

    ``tolerance`` is the case's own for numbers; it replaces that of the text rules. ``where`` is the place of a text in
    findings, such as ``in out.txt``; if it is empty, the inputs before the text are named.
    """

    judges: tuple[Judged, ...] = BOTH
    facts: Judging | None = None
    tolerance: Tolerance | None = None
    where: str = ""

    @classmethod
    def of(cls, case: Case, judges: tuple[Judged, ...]) -> Scope:
        """The scope of a case."""
        facts = None if case.facts is None else Judging(case.facts, case.mentions)
        return cls(judges, facts, case.tolerance)


def judge(script: Script, transcript: Transcript, rules: TextRules, bindings: Bindings, scope: Scope) -> Judgement:
    """Compare a transcript with its script, as far as ``scope`` says."""
    findings: list[Finding] = []
    differences: dict[int, str] = {}
    ended = _judge_ending(script, transcript, Judged.ENDING in scope.judges)
    if scope.tolerance is not None:
        rules = rules.model_copy(update={"tolerance": scope.tolerance})
    if Judged.TEXT in scope.judges:
        text = _Text(rules, scope, bindings)
        text.judge(script, transcript, told=ended is not None)
        bindings, findings, differences = text.bindings, text.findings, text.differences
    failed = Verdict.WRONG_ANSWER
    if ended is not None:
        findings.insert(0, ended)
        # A program that ends too soon is only wrong; one that broke has a verdict of its own.
        if not endings.ended(transcript.ending):
            failed = endings.VERDICTS[transcript.ending.kind]
    return Judgement.of(findings, failed, bindings, differences)


class _Text:
    """The comparison of one dialogue's text: the findings and bound choices so far."""

    def __init__(self, rules: TextRules, scope: Scope, bindings: Bindings) -> None:
        self._rules = rules
        self._facts = Facts(rules.facts, scope.facts)
        self._where = scope.where
        self._slips: list[tuple[Slip, int, tuple[str, ...]]] = []
        self._defects: list[Finding] = []
        self._elsewhere: list[Finding] = []
        self.bindings = bindings
        self.differences: dict[int, str] = {}

    @property
    def findings(self) -> list[Finding]:
        """The first defect, how many turns differ after it, and each kind of slip once."""
        first: dict[SlipKind, Finding] = {}
        for slip, turn, typed in _without_moved(self._slips):
            if slip.kind not in first:
                finding = self._finding(str(slip.kind), slip.message, slip.expected, slip.actual, turn, typed)
                forgiven = self._rules.slips[slip.kind].price == FORGIVE
                weight = Weight.NOTE if forgiven else Weight.SLIP
                first[slip.kind] = replace(finding, weight=weight, hint=_HINTS.get(slip.kind, ""))
        slips = [first[kind] for kind in SlipKind if kind in first]
        if not self._defects:
            return [*slips, *self._elsewhere[:1]]
        defect, *others = self._defects
        count = len(others)
        message = f"{count} later turn{'s also differ' if count > 1 else ' also differs'}; correct the first one before you look at the others"
        later = [Finding("later-turns", message, weight=Weight.NOTE)] if others else []
        return [defect, *later, *slips]

    def judge(self, script: Script, transcript: Transcript, *, told: bool) -> None:
        """Compare turn by turn.

        If the ending is ``told``, it explains a turn that was cut short, which is compared as far as it goes.
        """
        cut = told and (len(transcript.turns) < len(script.turns) or endings.faulty(transcript.ending))
        for number, (wanted, turn) in enumerate(zip(script.turns, transcript.turns, strict=False), start=1):
            # If a crash in the middle of a line were also charged as text, it would cost twice. If the ending is not
            # judged, the missing words are charged.
            last = cut and number == len(transcript.turns)
            if last:
                readings = _alternatives(wanted, self._rules, self.bindings)
                texts = (wanted.echo + self._near(text, turn.output, wanted.echo) for text, _ in readings)
                if any(text.startswith(turn.output) for text in texts):
                    continue
            self._judge_turn(number, wanted, turn.output, transcript.inputs_before(number), cut=last)

    def _near(self, text: str, actual: str, echo: str) -> str:
        """The expected text behind the echo, with the printed numbers if they are near enough."""
        return numbers.adapted(text, actual.removeprefix(echo), self._rules)

    def _judge_turn(self, number: int, wanted: ExpectedTurn, actual: str, typed: tuple[str, ...], *, cut: bool) -> None:
        compared = self._compare(wanted, actual)
        self.bindings = compared.bindings
        difference, expected = compared.difference, compared.expected
        if difference.slips or difference.substance is Substance.DEFECT:
            self.differences[number] = expected
        # A computer that begins makes the user player 2: that number is no wording of the text, and cost the format as well.
        free = _is_number if self._defects else lambda _slip: False
        # A game that ended too early, with a board in another spacing, paid for the question behind it as a missing line.
        slips = (slip for slip in difference.slips if not (cut and slip.kind is SlipKind.MISSING))
        self._slips += [(slip, number, typed) for slip in slips if not free(slip)]
        if difference.substance is Substance.DEFECT:
            code, clause = _what_differs(expected, actual, self._rules, self._facts)
            self._defects.append(self._finding(code, clause, expected, actual, number, typed))
        elif difference.substance is Substance.ELSEWHERE and states_otherwise(expected, actual, self._facts):
            _, clause = _what_differs(expected, actual, self._rules, Facts(self._rules.facts))
            note = self._finding(ELSEWHERE, clause, expected, actual, number, typed)
            self._elsewhere.append(replace(note, hint="Other cases judge that.", weight=Weight.NOTE))

    def _finding(
        self, code: str, clause: str, expected: str, actual: str, turn: int, typed: tuple[str, ...]
    ) -> Finding:
        wanted, printed = first_difference(expected, actual)
        message = f"{clause}, {self._where or after_inputs(typed)}"
        return Finding(code, message, turn, typed=typed, expected=wanted, actual=printed)

    def _compare(self, wanted: ExpectedTurn, actual: str) -> _Compared:
        """The best reading of a turn over the alternatives that are still open."""
        readings = list(_alternatives(wanted, self._rules, self.bindings))
        for text, bound in readings:  # equality is found fast, a slip slowly
            if wanted.echo + text == actual:
                return _Compared(Difference(), actual, bound)
        if len(readings) > _MANY:
            readings = nlargest(_MANY, readings, key=lambda reading: _alike(wanted.echo + reading[0], actual))
        compared = []
        for _, bound in readings:
            text = self._near(wanted.text(bound), actual, wanted.echo)
            compared.append(_Compared(self._weigh(text, actual, wanted.echo), wanted.echo + text, bound))
        # Choices are tried together: bound one after the other, two choices in one line were never found.
        best = min(compared, key=lambda one: one.weight)
        # A turn in other words does not show the choices, so it must not bind them for the whole submission.
        return replace(best, bindings=self.bindings) if best.in_other_words else best

    def _weigh(self, text: str, actual: str, echo: str) -> Difference:
        """The difference, weighed: a slip without a price is a defect, and so is silence if something must be said.

        If numbers count, a wrong number is not a slip, whatever its line may look like.
        """
        # A program that only printed “0 lines” once earned the points of a format.
        if not actual.strip() and (echo + text).strip():
            return Difference(Substance.DEFECT)
        difference = compare(text, actual, echo, self._facts.rules, self._facts.judging)
        priced = tuple(slip for slip in difference.slips if slip.kind in self._rules.slips)
        # Without this, two numbers run into one were a slip of spacing, and a lost decimal point one of punctuation.
        counted = self._rules.tolerance is not None and self._facts.judging is None
        if len(priced) == len(difference.slips) and not (counted and not numbers.same(text, actual.removeprefix(echo))):
            return difference
        return Difference(Substance.DEFECT, priced)


def _is_number(slip: Slip) -> bool:
    """Whether a slip is only another number: behind a defect that is a value, and may follow from it."""
    expected, actual = (_NUMBER.sub("0", text) for text in (slip.expected, slip.actual))
    return slip.kind is SlipKind.WORDING and expected == actual


def _without_moved(slips: Sequence[tuple[Slip, int, tuple[str, ...]]]) -> list[tuple[Slip, int, tuple[str, ...]]]:
    """The slips without extra lines that are missing in another turn: these were printed too late, or too early."""
    missing = {"".join(slip.expected.split()) for slip, _, _ in slips if slip.kind is SlipKind.MISSING}
    # Charged as missing and as too many, one line in the wrong place would cost twice.
    extra = [one for one in slips if one[0].kind is SlipKind.EXTRA and "".join(one[0].actual.split()) in missing]
    return [one for one in slips if one not in extra]


def _alike(text: str, actual: str) -> tuple[int, int]:
    """The length that two texts share at their beginnings and ends: without blanks and case, and then as they are."""
    bare = ["".join(one.split()).casefold() for one in (text, actual)]
    pairs = (bare, (text, actual))
    without_form, as_they_are = (parting(a, b) + parting(a[::-1], b[::-1]) for a, b in pairs)
    return without_form, as_they_are


def _alternatives(wanted: ExpectedTurn, rules: TextRules, bindings: Bindings) -> Iterator[tuple[str, Bindings]]:
    """Each text that the turn may have, with the bindings that it implies."""
    unbound = [name for name in wanted.choices if name not in bindings]
    if not unbound:
        yield wanted.text(bindings), bindings
        return
    for texts in product(*(rules.choices.get(name, ()) for name in unbound)):
        bound = {**bindings, **dict(zip(unbound, texts, strict=True))}
        yield wanted.text(bound), bound


# Hints for slips whose message does not say how to fix them.
_HINTS = {SlipKind.ECHO: "Print each key as soon as your program has read it. Otherwise nobody sees what was typed."}


def _what_differs(expected: str, actual: str, rules: TextRules, facts: Facts) -> tuple[str, str]:
    """A slug and a clause for the first fact that differs; for the whole text if the spec has no facts."""
    if not actual:
        return "no-output", "nothing is printed"
    wanted, seen = facts.judged(expected), facts.judged(actual)
    # The sides may have different numbers of facts: the longer one has the missing or extra fact.
    at = next((i for i, pair in enumerate(zip_longest(wanted, seen)) if pair[0] != pair[1]), None)
    if at is None:
        apart = numbers.first_apart(expected, actual, rules.tolerance) if rules.tolerance is not None else None
        return apart or ("text", "the text differs")
    if at < min(len(wanted), len(seen)):
        clause = _number(wanted[at], seen[at], rules)
        if clause:
            return f"wrong-{wanted[at].name}", clause
    texts = (expected, actual)
    quoted = [minded[at].quote if at < len(minded) else "" for minded in map(facts.minded, texts)]
    if quoted[0] == quoted[1]:  # “Player 2” wins and “Player 2” is asked: only the lines tell these facts apart
        pairs = zip(texts, quoted, strict=True)
        quoted = [next((line for line in text.splitlines() if quote in line), quote) for text, quote in pairs]
    quotes = [f"“{' '.join(quote.split())}”" for quote in quoted]
    if at >= len(seen):
        return f"missing-{wanted[at].name}", f"{quotes[0]} is missing"
    if at >= len(wanted):
        return f"extra-{seen[at].name}", f"{quotes[1]} does not belong there"
    return f"wrong-{wanted[at].name}", f"{quotes[1]} stands where {quotes[0]} is expected"


def _number(wanted: Fact, seen: Fact, rules: TextRules) -> str:
    """A clause on the first value of a fact that is a wrong number; empty if the difference is not a number."""
    if wanted.name != seen.name:
        return ""
    rule = next(rule for rule in rules.facts if rule.name == wanted.name)
    tolerance = rule.tolerance or rules.tolerance
    values = zip(wanted.values.values(), seen.values.values(), strict=True)
    one, other = next((pair for pair in values if pair[0] != pair[1]), ("", ""))
    if tolerance is None or not (numbers.is_number(one) and numbers.is_number(other)):
        return ""
    return numbers.said_of(one, other, tolerance)


def _judge_ending(script: Script, transcript: Transcript, judged: bool) -> Finding | None:
    """The finding on a wrong ending; None if the ending is as expected or not judged."""
    ending = transcript.ending
    unfinished = len(transcript.turns) < len(script.turns)
    if endings.faulty(ending):
        needed = unfinished or judged or script.ends is False
        return endings.explain(transcript) if needed else None
    if endings.ended(ending) and (unfinished or script.ends is False):
        turn = len(transcript.turns)
        typed = transcript.inputs_before(turn)
        message = f"the program ends where it should ask for input, {after_inputs(typed)}"
        return Finding("ended-early", message, turn, typed=typed, place=ending.place, excerpt=ending.excerpt)
    if ending.kind is EndingKind.STILL_WAITING and script.ends and judged:
        return endings.explain(transcript)
    return None
