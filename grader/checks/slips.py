"""Is a difference in text one of form or one of substance, and if of form, of which kinds, and where?

Theory. A turn is compared line by line. Lines that are equal but for blanks, case and punctuation belong together, whatever
stands between them; each pair is then looked at for itself. Each kind of slip of form has a normaliser that wipes out just
that kind of difference, and the kinds of a pair are the least grave set of normalisers under which it is equal: starting from
all of them, the gravest is left out first, as long as the lines stay equal. So a line with a blank too many does not hide
the next, which is misspelt: every difference of a turn is found. The echo of what was typed is tried as present and as
missing: whichever explanation is the lighter one is taken.

Lines that belong to none may still *say* the same in other words. What a turn says is its facts, read by the spec's
patterns. Where the facts of the turn are equal, other lines are slips of wording, or lines missing or too many. Where they
differ it depends on the case, which may judge only some of them by value: a case on refusals need not mind whose turn it
is. Where what it judges is the same, other cases judge that difference; else, or without facts, it is a defect. Lines
that state facts which differ are then no slips, but the others are judged for their form all the same. A turn that says facts of
other names is another turn, such as a refusal where a move is due: whole lines of it are then neither missing nor too many.

No other case reads a line that states nothing where one should state something, as ``P1, choose a row`` does. It is a slip of
wording, also where the fact that it lacks must be said. Nor does any other case mind a line that stands there once more, such as
the whole board: the referee hears the last one. It is a line too many.

Everything here takes time that grows with the length of the text and no faster: students print megabytes of blanks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from enum import Enum
from itertools import zip_longest

from grader.bounded import remembered
from grader.checks.explain import parting
from grader.checks.facts import Facts, Judging
from grader.spec.model import Fact as FactRule
from grader.spec.model import SlipKind
from grader.values import dataclass

ALIGNED_LINES = 200
"""Of longer texts that differ the lines are only counted: to align them takes time that grows with their product."""


class Substance(Enum):
    """What two texts state, compared: the same, other things that the case does not judge, or other things that it does."""

    SAME = "the same"
    ELSEWHERE = "for other cases to judge"
    DEFECT = "a defect"


@dataclass(frozen=True, slots=True)
class Slip:
    """One difference of form: its kind, what it is in words, and the lines in which it stands, empty where there is none."""

    kind: SlipKind
    message: str
    expected: str = ""
    actual: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """What distinguishes two texts: what they state, and every slip of form. Equal texts have neither."""

    substance: Substance = Substance.SAME
    slips: tuple[Slip, ...] = ()

    @property
    def kinds(self) -> tuple[SlipKind, ...]:
        """The kinds of its slips, each once, from the least to the gravest."""
        seen = {slip.kind for slip in self.slips}
        return tuple(kind for kind in SlipKind if kind in seen)


# A class shows the same boards again and again: so a submission took 95 ms instead of 157.
@remembered
def compare(
    expected: str, actual: str, echo: str, rules: tuple[FactRule, ...], judging: Judging | None = None
) -> Difference:
    """What distinguishes ``actual`` from ``echo + expected``. ``judging`` says how each fact is judged, None for all by value."""
    if actual == echo + expected:
        return Difference()
    facts = Facts(rules, judging)
    readings = [_compare_lines(echo + expected, actual, facts)]
    if echo:
        bare = _without_echo(actual, echo)
        (substance, kinds), silent = _compare_lines(expected, bare, facts)
        printed = actual[: len(actual) - len(bare)]
        missing = Slip(SlipKind.ECHO, f"“{echo.rstrip()}” does not appear when it is typed", echo, printed)
        without = Difference(silent.substance, (missing, *silent.slips))
        # of two equally light explanations the echo's: a symbol that is not echoed is no slip of punctuation
        readings.insert(0 if not actual.startswith(echo) else 1, ((substance, kinds + 1), without))
    return min(readings, key=lambda reading: reading[0])[1]


def _compare_lines(expected: str, actual: str, facts: Facts) -> tuple[tuple[int, int], Difference]:
    """What distinguishes two texts, and the weight of all that does, whole lines that are not charged among it."""
    lines, actual_lines = _Lines(expected), _Lines(actual)
    pairs = tuple(_pairs(lines, actual_lines, facts))
    by_form = all(pair.kind is _Match.FORM for pair in pairs)
    substance = Substance.SAME if by_form else _substance(expected, actual, facts)
    same = substance is Substance.SAME
    difference = Difference(substance, tuple(slip for pair in pairs for slip in pair.slips(facts, same=same)))
    weight = (list(Substance).index(substance), len(difference.kinds))
    if same:
        return weight, difference
    whole = [pair for pair in pairs if pair.kind is _Match.FORM]
    # Lines that only one of two turns has are charged if they are turns of one sort. Their order says nothing: lines that state equal
    # numbers in other places are easily aligned wrongly.
    if facts.names(expected) == facts.names(actual):
        whole.append(_unaligned(lines, actual_lines))
    slips = [slip for pair in whole for slip in pair.slips(facts, same=same)]
    if substance is Substance.ELSEWHERE:  # else the defect is the charge
        slips += [slip for pair in pairs for slip in pair.unreadable(facts)]
        slips += [_other_words("", line) for line in _repeated(expected, actual, facts)]
    return weight, Difference(substance, tuple(slips))


def _repeated(expected: str, actual: str, facts: Facts) -> Iterator[str]:
    """The lines that stand there once more, in a turn that states nothing else than it should, and some of that again.

    What must be said, such as a question, is no mere text where it comes twice: something was answered, or refused, in between.
    """
    wanted, seen = (Counter(facts.read(text)) for text in (expected, actual))
    optional = {rule.name for rule in facts.rules if rule.optional}
    if wanted < seen and not set(seen) - set(wanted) and all(fact.name in optional for fact in seen - wanted):
        pair = _unaligned(_Lines(expected), _Lines(actual))
        # A board that is drawn twice after each move would cost as many slips as it has lines.
        yield from dict.fromkeys(line for line in pair.actual if facts.read(line))


def _substance(expected: str, actual: str, facts: Facts) -> Substance:
    """What two texts state, compared; without facts nothing is known of texts that differ in more than form.

    A text that states all that it should, and something optional besides, such as the board once more, has lines too many.
    Where nothing should be stated, as after the last answer, something else happens.
    """
    if not facts.rules:
        return Substance.DEFECT
    wanted, seen = facts.read(expected), facts.read(actual)
    besides = {rule.name for rule in facts.rules if rule.optional and wanted} - {fact.name for fact in wanted}
    if wanted == tuple(fact for fact in seen if fact.name not in besides):
        return Substance.SAME
    if facts.judging is None:
        return Substance.DEFECT
    judged, judged_seen = facts.judged(expected), facts.judged(actual)
    if judged == judged_seen:
        return Substance.ELSEWHERE
    # lines in other words, which state nothing, in the place of facts that the case does not judge by value: these are slips
    missing = set(facts.names(expected)).difference(facts.names(actual)).intersection(facts.judging.by_value)
    lacks = not Counter(judged_seen) - Counter(judged) and not missing and not _lacking(expected, actual, facts)
    return Substance.ELSEWHERE if lacks else Substance.DEFECT


def states_otherwise(expected: str, actual: str, facts: Facts) -> bool:
    """Whether a text states other values than it should, or lacks facts in whose place no line in other words stands."""
    if facts.names(expected) == facts.names(actual):
        return facts.read(expected) != facts.read(actual)
    return bool(_lacking(expected, actual, facts))


def _lacking(expected: str, actual: str, facts: Facts) -> Counter[str]:
    """The facts, by name, that a text should state and that it does not, without those in whose place a line in other words stands."""
    pairs = _pairs(_Lines(expected), _Lines(actual), facts)
    unread = [slip.expected for pair in pairs for slip in pair.unreadable(facts)]
    in_other_words = Counter(name for line in unread for name in facts.names(line))
    return Counter(facts.names(expected)) - Counter(facts.names(actual)) - in_other_words


def _without_echo(actual: str, echo: str) -> str:
    """``actual`` less as much of the echo as stands at its start, in order, with gaps allowed."""
    at = 0
    for char in echo:
        if actual.startswith(char, at):
            at += 1
    return actual[at:]


# ---------------------------------------------------------------------------------------------------------------- lines


class _Lines:
    """A text as the lines that hold something, the blank ones before each, and what follows the last."""

    def __init__(self, text: str) -> None:
        self.texts: list[str] = []
        self.gaps: list[tuple[str, ...]] = []
        gap: list[str] = []
        for line in text.split("\n"):
            if line.strip():
                self.texts.append(line)
                self.gaps.append(tuple(gap))
                gap = []
            else:
                gap.append(line)
        self.gaps.append(tuple(gap))
        self.keys = [_key(line) for line in self.texts]
        self.open_end = not gap  # the last line has no line end


class _Match(Enum):
    FORM = "equal but for form"
    OTHER = "other words, or nothing"


@dataclass(frozen=True, slots=True)
class _Pair:
    """Stretches of two texts that belong together. The lines of OTHER match in nothing but their place."""

    kind: _Match
    expected: tuple[str, ...]
    actual: tuple[str, ...]
    found: tuple[Slip, ...] = ()

    def slips(self, facts: Facts, *, same: bool) -> Iterator[Slip]:
        """The slips in it; lines that state something are none where the turns do not state the ``same``."""
        if self.kind is _Match.FORM:
            yield from self.found
            return
        # each pair once: what prints without end says the same line thousands of times
        pairs = list(dict.fromkeys(zip_longest(self.expected, self.actual, fillvalue="")))
        if not same:
            pairs = [pair for pair in pairs if facts.read(pair[0]) == facts.read(pair[1])]
        for wanted, seen in pairs:
            yield _other_words(wanted, seen)

    def unreadable(self, facts: Facts) -> Iterator[Slip]:
        """The lines in whose place a line stands that states less: ``PILE A: ooo``.

        “Ben wins.” in the place of “Player 2 wins.” states that somebody wins. Who it is the cases of games judge, by the names that a
        program has for its players.
        """
        pairs = zip(self.expected, self.actual, strict=False) if self.kind is _Match.OTHER else ()
        for wanted, seen in dict.fromkeys(pairs):
            if set(facts.read(seen)) < set(facts.read(wanted)):
                yield _other_words(wanted, seen)


def _pairs(expected: _Lines, actual: _Lines, facts: Facts) -> Iterator[_Pair]:
    """The two texts in stretches, in their order."""
    if max(len(expected.keys), len(actual.keys)) > ALIGNED_LINES:
        yield _unaligned(expected, actual)
        return
    # Python’s guess which lines are junk begins at 200 lines, where ours end: equal frames of a board would be such.
    codes = SequenceMatcher(None, expected.keys, actual.keys, autojunk=False).get_opcodes()
    together = True  # the stretch before this one is matched, so that the gap between them can be compared
    for tag, e1, e2, a1, a2 in codes:
        if tag != "equal":
            yield _replaced(tuple(expected.texts[e1:e2]), tuple(actual.texts[a1:a2]), facts)
            together = False
            continue
        for e, a in zip(range(e1, e2), range(a1, a2), strict=True):
            slips = list(_gap(expected.gaps[e], actual.gaps[a], before=expected.texts[e])) if together else []
            last = e + 1 == len(expected.texts) and expected.open_end
            line, printed = expected.texts[e], actual.texts[a]
            slips += _line_slips(line, printed, last=last)
            # lines that are equal but for form, unless they state something with marks alone, as ``1. Reihe: |||`` does
            marks = any(slip.kind is SlipKind.PUNCTUATION for slip in slips)
            kind = _Match.OTHER if marks and facts.read(line) != facts.read(printed) else _Match.FORM
            yield _Pair(kind, (line,), (printed,), tuple(slips))
            together = True
    if together:
        yield _Pair(_Match.FORM, (), (), tuple(_end(expected, actual)))


def _replaced(expected: tuple[str, ...], actual: tuple[str, ...], facts: Facts) -> _Pair:
    """Lines that match in nothing but their place; rules of marks, and lines that only break elsewhere, differ in form."""
    words, printed_words = (_key(" ".join(lines)) for lines in (expected, actual))
    # Rocks drawn as `|||` are marks that state something, and rules under a title are not.
    if words == printed_words == _MARKS and not any(facts.read(line) for line in (*expected, *actual)):
        rules = (_other_words(*pair) for pair in zip_longest(expected, actual, fillvalue=""))
        return _Pair(_Match.FORM, expected, actual, tuple(replace(rule, kind=SlipKind.PUNCTUATION) for rule in rules))
    # Lines that only break elsewhere say every word of what is expected.
    if words != printed_words or words == _MARKS:
        return _Pair(_Match.OTHER, expected, actual)
    joined, printed = " ".join(expected), " ".join(actual)
    elsewhere = f"lines break elsewhere in {_quoted(joined)}"
    spacing = Slip(SlipKind.SPACING, elsewhere, "\n".join(expected), "\n".join(actual))
    of_blanks = (SlipKind.SPACING, SlipKind.TRAILING_BLANK)
    others = (slip for slip in _line_slips(joined, printed) if slip.kind not in of_blanks)
    return _Pair(_Match.FORM, expected, actual, (spacing, *others))


def _unaligned(expected: _Lines, actual: _Lines) -> _Pair:
    """Two long texts as the lines that only one of them has, whatever their order."""
    wanted, seen = Counter(expected.keys), Counter(actual.keys)
    missing, extra = wanted - seen, seen - wanted
    return _Pair(
        _Match.OTHER,
        tuple(line for line, key in zip(expected.texts, expected.keys, strict=True) if key in missing),
        tuple(line for line, key in zip(actual.texts, actual.keys, strict=True) if key in extra),
    )


def _other_words(expected: str, actual: str) -> Slip:
    """A line in other words, or one that is missing or too many: then the other is empty."""
    if expected and actual:
        message = f"{_quoted(actual)} stands where {_quoted(expected)} is expected"
        return Slip(SlipKind.WORDING, message, expected, actual)
    kind = SlipKind.MISSING if expected else SlipKind.EXTRA
    message = f"the line {_quoted(expected or actual)} {'is missing' if expected else 'does not belong there'}"
    return Slip(SlipKind.PUNCTUATION if _key(expected or actual) == _MARKS else kind, message, expected, actual)


def _gap(expected: tuple[str, ...], actual: tuple[str, ...], before: str) -> Iterator[Slip]:
    """The slips in the blank lines before a line, or before the end where there is no such line."""
    more = len(actual) - len(expected)
    where = _quoted(before or "the end")
    texts = tuple("\n".join((*gap, before) if before else gap) for gap in (expected, actual))
    if more:
        yield Slip(SlipKind.BLANK_LINE, f"{_amount(more, 'blank line')} before {where}", *texts)
    elif actual != expected:
        yield Slip(SlipKind.TRAILING_BLANK, f"a blank line before {where} holds blanks", *texts)


def _end(expected: _Lines, actual: _Lines) -> Iterator[Slip]:
    """What follows the last line that holds something."""
    if not (expected.texts and actual.texts):
        yield from _gap(expected.gaps[-1], actual.gaps[-1], before="")
        return
    last = expected.texts[-1]
    texts = tuple(lines.texts[-1] + "".join(f"\n{blank}" for blank in lines.gaps[-1]) for lines in (expected, actual))
    if expected.open_end != actual.open_end:
        where = "is missing" if actual.open_end else "is too many"
        yield Slip(SlipKind.SPACING, f"the line end {where} after {_quoted(last)}", *texts)
    elif len(expected.gaps[-1]) != len(actual.gaps[-1]):
        more = len(actual.gaps[-1]) - len(expected.gaps[-1])
        yield Slip(SlipKind.BLANK_LINE, f"{_amount(more, 'blank line')} after {_quoted(last)}", *texts)
    elif expected.gaps[-1] != actual.gaps[-1]:
        yield Slip(SlipKind.TRAILING_BLANK, f"blanks are too many after {_quoted(last)}", *texts)


# -------------------------------------------------------------------------------------------------------- slips of a line

# The sign of a number is none, nor is the point of .5.
# Marks are taken by runs: programs draw lines and boards of them.
_PUNCTUATION = re.compile(r"[^\w\s.-]+|_+|-(?!\d)|\.(?!\d)|(?<=[\w.])\.")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)(?:[^\w\s-]|_)(?=\d)")
_BLANKS = re.compile(r"\s+")
_NUMBERS_APART = re.compile(r"(?<=\d)\s+(?=\d)")
_APART = "\x00"


def _bare(text: str) -> str:
    """The text without punctuation; what stands between two digits keeps them apart: 2.50 is not 250."""
    return _PUNCTUATION.sub("", _BETWEEN_DIGITS.sub(" ", text))


def _closed_up(text: str) -> str:
    """The text without blanks, but for one that keeps two numbers apart: 1 2 is not 12."""
    return _BLANKS.sub("", _NUMBERS_APART.sub(_APART, text)).replace(_APART, " ")


# The key of a line of marks alone: one rule under a title is as good as another.
_MARKS = ""


@remembered
def _key(line: str) -> str:
    """What a line is but for its form."""
    return _closed_up(_bare(line)).casefold()


# From the least grave to the gravest.
_NORMALISERS: tuple[tuple[SlipKind, Callable[[str], str]], ...] = (
    (SlipKind.TRAILING_BLANK, lambda text: text.rstrip(" \t")),
    (SlipKind.CASE, str.casefold),
    (SlipKind.PUNCTUATION, _bare),
    (SlipKind.SPACING, _closed_up),
)


def _line_slips(expected: str, actual: str, *, last: bool = False) -> Iterator[Slip]:
    """The slips of one line; the blanks at the end of the ``last`` one, behind which a program waits, are not trailing."""
    if expected == actual:
        return
    if _key(expected) == _MARKS and _closed_up(expected) != _closed_up(actual):
        yield Slip(SlipKind.PUNCTUATION, _words(expected, actual, expected), expected, actual)
        return
    kinds = [kind for kind, _ in _NORMALISERS if not (last and kind is SlipKind.TRAILING_BLANK)]
    for kind in tuple(reversed(kinds)):
        if _normal(expected, kinds, kind) == _normal(actual, kinds, kind):
            kinds.remove(kind)
    for kind in kinds:
        message = _MESSAGES[kind](_normal(expected, kinds, kind), _normal(actual, kinds, kind), expected)
        yield Slip(kind, message, expected, actual)


def _normal(text: str, kinds: Sequence[SlipKind], without: SlipKind) -> str:
    """The text under the normalisers of these kinds but one."""
    for kind, normalise in _NORMALISERS:
        if kind in kinds and kind is not without:
            text = normalise(text)
    return text


# -------------------------------------------------------------------------------------------------------------- messages

# How many characters of a line are quoted in a message.
_QUOTED = 48


def _quoted(text: str) -> str:
    bare = " ".join(text.split())
    return f"“{bare if len(bare) <= _QUOTED else bare[:_QUOTED] + '…'}”"


def _amount(more: int, what: str) -> str:
    number = "one" if abs(more) == 1 else str(abs(more))
    verb = "is" if abs(more) == 1 else "are"
    return f"{number} {what}{'' if abs(more) == 1 else 's'} {verb} {'too many' if more > 0 else 'missing'}"


def _trailing(expected: str, actual: str, line: str) -> str:
    return f"{_amount(len(actual) - len(expected), 'blank')} at the end of the line {_quoted(line)}"


def _spacing(expected: str, actual: str, line: str) -> str:
    at = parting(expected, actual)
    blanks = [len(text[at:]) - len(text[at:].lstrip()) for text in (expected, actual)]
    before = " ".join(expected[:at].split())
    if len(before) > _QUOTED:
        before = "…" + before[-_QUOTED:].partition(" ")[2]
    where = f"after “{before}”" if before else f"before {_quoted(line)}"
    return f"{_amount(blanks[1] - blanks[0], 'blank')} {where}" if blanks[0] != blanks[1] else f"blanks differ {where}"


def _words(expected: str, actual: str, line: str) -> str:
    wanted, seen = expected.split(), actual.split()
    pair = next(((one, other) for one, other in zip(wanted, seen, strict=False) if one != other), (line, actual))
    return f"{_quoted(pair[1])} stands where {_quoted(pair[0])} is expected"


_MESSAGES: dict[SlipKind, Callable[[str, str, str], str]] = {
    SlipKind.TRAILING_BLANK: _trailing,
    SlipKind.SPACING: _spacing,
    SlipKind.CASE: _words,
    SlipKind.PUNCTUATION: _words,
}
