"""A dialogue judged turn by turn: what was printed up to each wait, against what should have been.

Turns are compared one by one, so that a slip in one does not disturb the next: the comparison resynchronises at every
input. The first defect is reported with its place; what follows from it is only counted. Slips are reported once per kind.

A choice that the assignment leaves open is bound by the first turn that shows it, and stays bound for the submission.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import nlargest
from itertools import product, zip_longest

from grader.checks import ending as endings
from grader.checks import numbers
from grader.checks.explain import after_inputs, first_difference
from grader.checks.facts import Judging, judged_facts, read_facts
from grader.checks.slips import Difference, Slip, Substance, compare, states_otherwise
from grader.reading.facts import Fact
from grader.results import Finding, Verdict, Weight
from grader.spec.expectations import ExpectedTurn, Script
from grader.spec.kinds.runs import BOTH, Judged
from grader.spec.model import Case, SlipKind, TextRules
from grader.spec.numbers import Tolerance
from grader.spec.values import FORGIVE
from grader.transcript import EndingKind, Transcript
from grader.values import dataclass

Bindings = Mapping[str, str]

_MANY = 100
"""Of more readings of a turn the likeliest are weighed: each takes half a millisecond, and a spec may leave thousands open."""

ELSEWHERE = "judged-elsewhere"
"""The code of a note: the text states something else than it should, and this case does not judge it."""

_GRAVITY = {kind: rank for rank, kind in enumerate(SlipKind, start=1)}
_IN_OTHER_WORDS = {SlipKind.WORDING, SlipKind.MISSING, SlipKind.EXTRA}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a check says of one run: a verdict, whether the case is met, findings, and the choices as they are bound now.

    ``differences`` maps a turn (from 1) to the text that was expected there, where it was another.
    """

    verdict: Verdict
    met: bool
    findings: tuple[Finding, ...]
    bindings: Bindings
    differences: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class _Compared:
    """One turn against its expectation: what distinguishes them, the text that was expected, and the choices that it binds."""

    difference: Difference
    expected: str
    bindings: Bindings

    @property
    def weight(self) -> tuple[int, int]:
        """How far the turn is from what was expected: by what it states, and by its form."""
        substance = list(Substance).index(self.difference.substance)
        return substance, sum(_GRAVITY[kind] for kind in self.difference.kinds)

    @property
    def in_other_words(self) -> bool:
        """Whether the turn is too unlike the expectation to show what the program chose."""
        return self.difference.substance is not Substance.SAME or bool(_IN_OTHER_WORDS & set(self.difference.kinds))


@dataclass(frozen=True, slots=True)
class Scope:
    """What of a dialogue a case judges: its text, its ending or both, and how it judges facts (None for all by value).

    ``tolerance`` is the case's own for numbers, in place of that of the text rules. ``where`` says where a text stands, for
    findings: ``in out.txt``; the inputs before it say so where it is empty.
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
    verdict = Verdict.WRONG_ANSWER if findings else Verdict.ACCEPTED
    if ended is not None:
        verdict = endings.VERDICTS[transcript.ending.kind]
        verdict = Verdict.WRONG_ANSWER if verdict is Verdict.ACCEPTED else verdict
        findings.insert(0, ended)
    met = all(f.weight is not Weight.DEFECT for f in findings)
    if met:
        verdict = Verdict.FORM if any(f.weight is Weight.SLIP for f in findings) else Verdict.ACCEPTED
    return Judgement(verdict, met, tuple(findings), bindings, differences)


class _Text:
    """The comparison of one dialogue's text: what it found so far, and the choices as they are bound by now."""

    def __init__(self, rules: TextRules, scope: Scope, bindings: Bindings) -> None:
        self._rules = rules
        self._facts = scope.facts
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
                first[slip.kind] = _finding(slip, turn, typed, self._rules, self._where)
        slips = [first[kind] for kind in SlipKind if kind in first]
        return [*_first(self._defects), *slips, *(self._elsewhere[:1] if not self._defects else ())]

    def judge(self, script: Script, transcript: Transcript, *, told: bool) -> None:
        """Compare turn by turn; a turn that was cut short is compared as far as it goes where the ending is ``told``: it says why."""
        cut = told and (len(transcript.turns) < len(script.turns) or endings.faulty(transcript.ending))
        for number, (wanted, turn) in enumerate(zip(script.turns, transcript.turns, strict=False), start=1):
            if not (cut and number == len(transcript.turns) and self._begins(wanted, turn.output)):
                self._judge_turn(number, wanted, transcript)

    def _begins(self, wanted: ExpectedTurn, actual: str) -> bool:
        readings = _alternatives(wanted, self._rules, self.bindings)
        return any((wanted.echo + self._near(text, actual, wanted.echo)).startswith(actual) for text, _ in readings)

    def _near(self, text: str, actual: str, echo: str) -> str:
        """What is expected behind the echo, with the numbers that were printed where they are near enough."""
        return numbers.adapted(text, actual.removeprefix(echo), self._rules)

    def _judge_turn(self, number: int, wanted: ExpectedTurn, transcript: Transcript) -> None:
        actual = transcript.turns[number - 1].output
        compared = self._compare(wanted, actual)
        self.bindings = compared.bindings
        difference, typed = compared.difference, transcript.inputs_before(number)
        if difference.slips or difference.substance is Substance.DEFECT:
            self.differences[number] = compared.expected
        self._slips += [(slip, number, typed) for slip in difference.slips]
        if difference.substance is Substance.DEFECT:
            self._defects.append(self._defect(compared.expected, actual, number, typed))
        elif difference.substance is Substance.ELSEWHERE and states_otherwise(
            compared.expected, actual, self._rules.facts
        ):
            self._elsewhere.append(self._stated_otherwise(compared.expected, actual, number, typed))

    def _compare(self, wanted: ExpectedTurn, actual: str) -> _Compared:
        """The best reading of a turn over the alternatives that are still open."""
        readings = list(_alternatives(wanted, self._rules, self.bindings))
        for text, bound in readings:  # equal is told fast, and a slip slowly
            if wanted.echo + text == actual:
                return _Compared(Difference(), actual, bound)
        if len(readings) > _MANY:
            readings = nlargest(_MANY, readings, key=lambda reading: _alike(wanted.echo + reading[0], actual))
        best = min((self._read(wanted, bound, actual) for _, bound in readings), key=lambda one: one.weight)
        return replace(best, bindings=self.bindings) if best.in_other_words else best

    def _read(self, wanted: ExpectedTurn, bound: Bindings, actual: str) -> _Compared:
        text = self._near(wanted.text(bound), actual, wanted.echo)
        return _Compared(self._weigh(text, actual, wanted.echo), wanted.echo + text, bound)

    def _weigh(self, text: str, actual: str, echo: str) -> Difference:
        """What a difference is; a slip without a price is a defect, and so is silence where something must be said.

        Where numbers count, another number is no slip, whatever its line may look like.
        """
        if not actual.strip() and (echo + text).strip():
            return Difference(Substance.DEFECT)
        difference = compare(text, actual, echo, self._rules.facts, self._facts)
        priced = tuple(slip for slip in difference.slips if slip.kind in self._rules.slips)
        counted = self._rules.tolerance is not None and self._facts is None
        if len(priced) == len(difference.slips) and not (counted and not numbers.same(text, actual.removeprefix(echo))):
            return difference
        return Difference(Substance.DEFECT, priced)

    def _stated_otherwise(self, expected: str, actual: str, turn: int, typed: tuple[str, ...]) -> Finding:
        """A note of what the text states otherwise, and what other cases judge."""
        wanted, found = first_difference(expected, actual)
        _, clause = _what_differs(expected, actual, self._rules, None)
        where = self._where or after_inputs(typed)
        return Finding(
            ELSEWHERE,
            f"{clause}, {where}",
            turn,
            hint="Other cases judge that.",
            weight=Weight.NOTE,
            typed=typed,
            expected=wanted,
            actual=found,
        )

    def _defect(self, expected: str, actual: str, turn: int, typed: tuple[str, ...]) -> Finding:
        wanted, found = first_difference(expected, actual)
        code, clause = _what_differs(expected, actual, self._rules, self._facts)
        where = self._where or after_inputs(typed)
        return Finding(code, f"{clause}, {where}", turn, typed=typed, expected=wanted, actual=found)


def _without_moved(slips: Sequence[tuple[Slip, int, tuple[str, ...]]]) -> list[tuple[Slip, int, tuple[str, ...]]]:
    """The slips but for lines too many that are missing in another turn: they were printed too late, or too early."""
    missing = {"".join(slip.expected.split()) for slip, _, _ in slips if slip.kind is SlipKind.MISSING}
    extra = [one for one in slips if one[0].kind is SlipKind.EXTRA and "".join(one[0].actual.split()) in missing]
    return [one for one in slips if one not in extra]


def _alike(text: str, actual: str) -> tuple[int, int]:
    """How much two texts have in common at their beginnings and ends: but for blanks and case, and then as they are."""
    bare, bare_actual = ("".join(one.split()).casefold() for one in (text, actual))
    return _in_common(bare, bare_actual), _in_common(text, actual)


def _in_common(one: str, other: str) -> int:
    return sum(
        next((n for n, (a, b) in enumerate(zip(*pair, strict=False)) if a != b), min(len(one), len(other)))
        for pair in ((one, other), (reversed(one), reversed(other)))
    )


def _alternatives(wanted: ExpectedTurn, rules: TextRules, bindings: Bindings) -> Iterator[tuple[str, Bindings]]:
    """Each text that the turn may have, with the bindings that it implies."""
    unbound = [name for name in wanted.choices if name not in bindings]
    if not unbound:
        yield wanted.text(bindings), bindings
        return
    for texts in product(*(rules.choices.get(name, ()) for name in unbound)):
        bound = {**bindings, **dict(zip(unbound, texts, strict=True))}
        yield wanted.text(bound), bound


_HINTS = {SlipKind.ECHO: "Print each key as soon as your program has read it: nobody sees otherwise what was typed."}
"""Hints on slips whose message does not say already how to mend them."""


def _finding(slip: Slip, turn: int, typed: tuple[str, ...], rules: TextRules, where: str) -> Finding:
    forgiven = rules.slips[slip.kind].price == FORGIVE
    wanted, found = first_difference(slip.expected, slip.actual)
    return Finding(
        code=str(slip.kind),
        message=f"{slip.message}, {where or after_inputs(typed)}",
        turn=turn,
        hint=_HINTS.get(slip.kind, ""),
        weight=Weight.NOTE if forgiven else Weight.SLIP,
        typed=typed,
        expected=wanted,
        actual=found,
    )


def _what_differs(expected: str, actual: str, rules: TextRules, judging: Judging | None) -> tuple[str, str]:
    """A slug and a clause for the first fact that differs; for the text as a whole where the spec knows no facts."""
    if not actual:
        return "no-output", "nothing is printed"
    wanted, found = (judged_facts(text, rules.facts, judging) for text in (expected, actual))
    at = next((i for i, pair in enumerate(zip_longest(wanted, found)) if pair[0] != pair[1]), None)
    if at is None:
        apart = numbers.first_apart(expected, actual, rules.tolerance) if rules.tolerance is not None else None
        return apart or ("text", "the text differs")
    if at < min(len(wanted), len(found)):
        clause = _number(wanted[at], found[at], rules)
        if clause:
            return f"wrong-{wanted[at].name}", clause
    quote_wanted, quote_found = (_quote(text, at, rules, judging) for text in (expected, actual))
    if at >= len(found):
        return f"missing-{wanted[at].name}", f"{quote_wanted} is missing"
    if at >= len(wanted):
        return f"extra-{found[at].name}", f"{quote_found} does not belong there"
    return f"wrong-{wanted[at].name}", f"{quote_found} stands where {quote_wanted} is expected"


def _number(wanted: Fact, found: Fact, rules: TextRules) -> str:
    """What is said of the first value of a fact that is another number; empty where it is not numbers that differ."""
    if wanted.name != found.name:
        return ""
    rule = next(rule for rule in rules.facts if rule.name == wanted.name)
    tolerance = rule.tolerance or rules.tolerance
    one, other = next(
        ((a, b) for a, b in zip(wanted.values.values(), found.values.values(), strict=True) if a != b), ("", "")
    )
    if tolerance is None or not (numbers.is_number(one) and numbers.is_number(other)):
        return ""
    return numbers.said_of(one, other, tolerance)


def _quote(text: str, at: int, rules: TextRules, judging: Judging | None) -> str:
    """The words of a text that state one of the facts that the case minds, in quotes."""
    facts = read_facts(text, rules.facts)
    minded = [fact for fact in facts if judging is None or judging.minds(fact.name, rules.facts)]
    return f"“{' '.join(minded[at].quote.split())}”" if at < len(minded) else ""


def _first(defects: list[Finding]) -> list[Finding]:
    """The first defect, and a note of how many turns differ after it."""
    if len(defects) < 2:
        return defects
    count = len(defects) - 1
    later = f"{count} later turn{'s differ' if count > 1 else ' differs'}, too; mend the first one before you look at the rest"
    return [defects[0], Finding("later-turns", later, weight=Weight.NOTE)]


def _judge_ending(script: Script, transcript: Transcript, judged: bool) -> Finding | None:
    """The finding on how the run ended, or None when that is as expected or not judged."""
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
