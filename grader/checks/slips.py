"""Differences between texts: in substance or in form; and if in form, their kinds and places.

Theory. A turn is compared line by line. Lines that differ only in blanks, case and punctuation are paired, whatever
stands between them; each pair is then examined alone. The lines of a pair have the same content, so each of its
characters is held beside its partner, with the marks and blanks before it. What differs in one place is one slip. So
every difference of a turn is found: an extra blank in one line does not hide a misspelling in the next. The echo of the
input is tried as present and as missing, and the lighter explanation is taken.

Lines without a partner may still *say* the same in other words. A turn says its facts, read by the spec's patterns. If
the facts of the turn are equal, other lines are slips of wording, or missing or extra lines. If facts differ, the case
decides, since it may judge only some of them by value: a case on refusals may ignore whose turn it is. If the judged
facts are equal, the difference is left to other cases; otherwise, or without facts, it is a defect. Then lines with
different facts are not slips, but the other lines are still judged for their form. A turn with facts of other names is
another turn, such as a refusal instead of a move: its lines are neither missing nor extra.

A line such as ``P1, choose a row`` may state nothing if a fact is expected. No other case judges it, so it is a slip
of wording, even if the fact must be said. A line that is repeated, such as the whole board, is an extra line: no other
case notices it, since the referee hears the last one.

All algorithms here are linear in the length of the text: students print megabytes of blanks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from enum import Enum
from itertools import zip_longest

from grader.bounded import remembered
from grader.checks.facts import Fact, Facts, Judging
from grader.checks.line_slips import MARKS, Slip, amount, content, line_slips, quoted
from grader.spec.model import Fact as FactRule
from grader.spec.model import SlipKind
from grader.values import dataclass

ALIGNED_LINES = 200
"""Maximum lines that are aligned.

In longer texts they are only counted, since alignment takes time that grows with the product.
"""


class Substance(Enum):
    """The facts of two texts, compared: the same, a difference that the case does not judge, or one that it does."""

    SAME = "the same"
    ELSEWHERE = "for other cases to judge"
    DEFECT = "a defect"


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of two texts: in substance, and every slip of form. Equal texts have none."""

    substance: Substance = Substance.SAME
    slips: tuple[Slip, ...] = ()

    @property
    def kinds(self) -> tuple[SlipKind, ...]:
        """The kinds of its slips, each once, from the least to the gravest."""
        seen = {slip.kind for slip in self.slips}
        return tuple(kind for kind in SlipKind if kind in seen)


# A class shows the same boards again and again: with this cache a submission takes 95 ms instead of 157.
@remembered
def compare(
    expected: str, actual: str, echo: str, rules: tuple[FactRule, ...], judging: Judging | None = None
) -> Difference:
    """The difference of ``actual`` from ``echo + expected``.

    ``judging`` is how each fact is judged, None for all by value.
    """
    if actual == echo + expected:
        return Difference()
    facts = Facts(rules, judging)
    readings = [_compare_lines(echo + expected, actual, facts)]
    if echo:
        lacking, bare = _without_echo(actual, echo)
        (substance, kinds), silent = _compare_lines(expected, bare, facts)
        printed = actual[: len(actual) - len(bare)]
        missing = Slip(SlipKind.ECHO, f"“{lacking.rstrip()}” does not appear when it is typed", echo, printed)
        without = Difference(silent.substance, (missing, *silent.slips)) if lacking else silent
        # if both weigh the same, the one with the echo: a symbol that is not echoed is not a slip of punctuation
        readings.insert(0 if not actual.startswith(echo) else 1, ((substance, kinds + 1), without))
    return min(readings, key=lambda reading: reading[0])[1]


def _compare_lines(expected: str, actual: str, facts: Facts) -> tuple[tuple[int, int], Difference]:
    """The difference of two texts, and its full weight, with whole lines that are not charged."""
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
    # Lines that only one turn has are charged if both turns have facts of the same names. Order is ignored: lines with
    # equal numbers in other places are easily aligned wrongly.
    if facts.names(expected) == facts.names(actual):
        whole.append(_unaligned(lines, actual_lines))
    slips = [slip for pair in whole for slip in pair.slips(facts, same=same)]
    if substance is Substance.ELSEWHERE:  # otherwise the defect is charged
        slips += [slip for pair in pairs for slip in pair.unreadable(facts)]
        slips += [_other_words("", line) for line in _repeated(expected, actual, facts)]
    return weight, Difference(substance, tuple(slips))


def _repeated(expected: str, actual: str, facts: Facts) -> Iterator[str]:
    """The repeated lines of a turn whose facts are all expected, with optional ones repeated.

    A required fact, such as a question, is not mere text if it comes twice: something was answered or refused in between.
    """
    wanted, seen = (Counter(facts.read(text)) for text in (expected, actual))
    optional = {rule.name for rule in facts.rules if rule.optional}
    if wanted < seen and not set(seen) - set(wanted) and all(fact.name in optional for fact in seen - wanted):
        pair = _unaligned(_Lines(expected), _Lines(actual))
        # A board that is drawn twice after each move would cost as many slips as it has lines.
        yield from dict.fromkeys(line for line in pair.actual if facts.read(line))


def _substance(expected: str, actual: str, facts: Facts) -> Substance:
    """The facts of two texts, compared; without fact rules, any difference beyond form is a defect.

    A text with all expected facts and an additional optional one, such as the board once more, has extra lines.
    If no fact is expected, as after the last answer, any fact is a difference.
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
    # lines without facts, in the place of facts that the case does not judge by value, are slips
    missing = set(facts.names(expected)).difference(facts.names(actual)).intersection(facts.judging.by_value)
    more = Counter(judged_seen) - Counter(judged) - _cut_short(expected, actual, facts)
    lacks = not more and not missing and not _lacking(expected, actual, facts)
    return Substance.ELSEWHERE if lacks else Substance.DEFECT


def _cut_short(expected: str, actual: str, facts: Facts) -> Counter[Fact]:
    """The facts of lines that are the beginning of what is expected there, as they are judged."""
    # “Player 2” without “ Wins.” reads like a question, and nobody is asked: it cost the whole format.
    slips = [slip for pair in _pairs(_Lines(expected), _Lines(actual), facts) for slip in pair.unreadable(facts)]
    cut = [slip.actual for slip in slips if _is_cut(slip.expected, slip.actual, facts)]
    return Counter(fact for line in cut for fact in facts.judged(line))


def _is_cut(wanted: str, seen: str, facts: Facts) -> bool:
    """Whether a line is the beginning of another one, by whole words, and states nothing of the same name, as “ROW A:” does."""
    if not set(facts.names(wanted)).isdisjoint(facts.names(seen)):
        return False
    first = wanted.split()[: len(seen.split())]
    return bool(first) and content(" ".join(first)) == content(seen) != content(wanted)


def states_otherwise(expected: str, actual: str, facts: Facts) -> bool:
    """Whether a text states wrong values, or lacks facts and has no line in other words in their place."""
    if facts.names(expected) == facts.names(actual):
        return facts.read(expected) != facts.read(actual)
    return bool(_lacking(expected, actual, facts))


def _lacking(expected: str, actual: str, facts: Facts) -> Counter[str]:
    """The names of missing facts, except those with a line in other words in their place."""
    pairs = _pairs(_Lines(expected), _Lines(actual), facts)
    unread = [slip.expected for pair in pairs for slip in pair.unreadable(facts)]
    in_other_words = Counter(name for line in unread for name in facts.names(line))
    return Counter(facts.names(expected)) - Counter(facts.names(actual)) - in_other_words


def _without_echo(actual: str, echo: str) -> tuple[str, str]:
    """What of the echo does not appear, and ``actual`` without the rest of it, in order: at its start, or each key behind its own question.

    All of it counts as missing where it stands at the start: this is then the reading in which nothing is echoed.
    """
    at, lacking, questions = 0, "", ""
    for number, char in enumerate(echo):
        # TRAP x23 asks “Input a character> ” for each key, and shows it there: three points were lost for keys that all could see.
        asked = re.compile(rf"(\s*+[^\n]*[?:>][ ]){re.escape(char)}(?=\n|\Z)").match(actual, at)
        if actual.startswith(char, at):
            at += 1
        elif asked and number:  # the question of the first key stands before the turn
            questions, at = questions + asked[1], asked.end()
        else:
            lacking += char
    return lacking or ("" if questions else echo), questions + actual[at:]


# ---------------------------------------------------------------------------------------------------------------- lines


class _Lines:
    """A text as its lines with text, the blank lines before each, and those after the last."""

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
        self.keys = [content(line) for line in self.texts]
        self.open_end = not gap  # the last line has no line end


class _Match(Enum):
    FORM = "equal except form"
    OTHER = "other words, or nothing"


@dataclass(frozen=True, slots=True)
class _Pair:
    """Stretches of two texts that belong together. The lines of OTHER match only in their place.

    ``asks`` says that both end with the question of their turn.
    """

    kind: _Match
    expected: tuple[str, ...]
    actual: tuple[str, ...]
    found: tuple[Slip, ...] = ()
    asks: bool = False

    def slips(self, facts: Facts, *, same: bool) -> Iterator[Slip]:
        """The slips in it; lines with facts are not slips unless the turns state the ``same``."""
        if self.kind is _Match.FORM:
            yield from self.found
            return
        # each pair once: an endless output repeats a line thousands of times
        pairs = list(dict.fromkeys(zip_longest(self.expected, self.actual, fillvalue="")))
        if not same:
            pairs = [pair for pair in pairs if facts.read(pair[0]) == facts.read(pair[1])]
        for wanted, seen in pairs:
            # “oooyROW B: ooooo” lacks a line end, and no line.
            if seen or not any(wanted in line for line in self.actual):
                yield _other_words(wanted, seen)

    def unreadable(self, facts: Facts) -> Iterator[Slip]:
        """The expected lines replaced by a line with fewer facts: ``PILE A: ooo``.

        “Ben wins.” in the place of “Player 2 wins.” states that somebody wins. The cases of games judge who it is, by the
        program's own names for its players.
        """
        # Questions stand last: behind a refusal that came twice, “1, choose a row” cost the whole format once more.
        actual = self.actual[-len(self.expected) :] if self.asks else self.actual
        pairs = zip(self.expected, actual, strict=False) if self.kind is _Match.OTHER else ()
        for wanted, seen in dict.fromkeys(pairs):
            if set(facts.read(seen)) < set(facts.read(wanted)) or _is_cut(wanted, seen, facts):
                yield _other_words(wanted, seen)
        if self.asks and (len(self.expected), len(self.actual)) == (2, 1):
            # “That is no move. Once more: ” is a message and a question: it cost the whole format.
            (message, question), (line,) = self.expected, self.actual
            if facts.read(question) and set(facts.read(line)) <= set(facts.read(message)):
                yield _other_words(question, line)


def _pairs(expected: _Lines, actual: _Lines, facts: Facts) -> Iterator[_Pair]:
    """The two texts in stretches, in their order."""
    if max(len(expected.keys), len(actual.keys)) > ALIGNED_LINES:
        yield _unaligned(expected, actual)
        return
    # Python guesses junk lines in texts of 200 lines or more; ours end there. It would take equal frames of a board for
    # junk.
    codes = SequenceMatcher(None, expected.keys, actual.keys, autojunk=False).get_opcodes()
    together = True  # the stretch before this one is matched, so that the gap between them can be compared
    for tag, e1, e2, a1, a2 in codes:
        if tag != "equal":
            pair = _replaced(tuple(expected.texts[e1:e2]), tuple(actual.texts[a1:a2]), facts)
            lasts = e2 == len(expected.texts) and a1 < a2 == len(actual.texts)
            yield replace(pair, asks=lasts and expected.open_end and actual.open_end and pair.kind is _Match.OTHER)
            together = False
            continue
        for e, a in zip(range(e1, e2), range(a1, a2), strict=True):
            slips = list(_gap(expected.gaps[e], actual.gaps[a], before=expected.texts[e])) if together else []
            last = e + 1 == len(expected.texts) and expected.open_end
            line, printed = expected.texts[e], actual.texts[a]
            slips += line_slips(line, printed, last=last)
            # lines that differ only in form, unless marks alone state something, as in ``1. Reihe: |||``
            marks = any(slip.kind is SlipKind.PUNCTUATION for slip in slips)
            kind = _Match.OTHER if marks and facts.read(line) != facts.read(printed) else _Match.FORM
            yield _Pair(kind, (line,), (printed,), tuple(slips))
            together = True
    if together:
        yield _Pair(_Match.FORM, (), (), tuple(_end(expected, actual)))


def _replaced(expected: tuple[str, ...], actual: tuple[str, ...], facts: Facts) -> _Pair:
    """Lines that match only in their place; rules of marks and lines that break at other places differ only in form."""
    words, printed_words = (content(" ".join(lines)) for lines in (expected, actual))
    # Rocks drawn as `|||` are marks that state something, and rules under a title are not.
    if words == printed_words == MARKS and not any(facts.read(line) for line in (*expected, *actual)):
        rules = (_other_words(*pair) for pair in zip_longest(expected, actual, fillvalue=""))
        return _Pair(_Match.FORM, expected, actual, tuple(replace(rule, kind=SlipKind.PUNCTUATION) for rule in rules))
    # Lines that break at other places have every expected word.
    if words != printed_words or words == MARKS:
        return _Pair(_Match.OTHER, expected, actual)
    joined, printed = " ".join(expected), " ".join(actual)
    elsewhere = f"lines break elsewhere in {quoted(joined)}"
    spacing = Slip(SlipKind.SPACING, elsewhere, "\n".join(expected), "\n".join(actual))
    # A mark in the place of a line end, as in “C0:Invalid move. Try again.”, is one slip.
    of_ends = (SlipKind.SPACING, SlipKind.TRAILING_BLANK, SlipKind.PUNCTUATION)
    others = (slip for slip in line_slips(joined, printed) if slip.kind not in of_ends)
    return _Pair(_Match.FORM, expected, actual, (spacing, *others))


def _unaligned(expected: _Lines, actual: _Lines) -> _Pair:
    """Two long texts as the lines that only one of them has, in any order."""
    wanted, seen = Counter(expected.keys), Counter(actual.keys)
    missing, extra = wanted - seen, seen - wanted
    return _Pair(
        _Match.OTHER,
        tuple(line for line, key in zip(expected.texts, expected.keys, strict=True) if key in missing),
        tuple(line for line, key in zip(actual.texts, actual.keys, strict=True) if key in extra),
    )


def _other_words(expected: str, actual: str) -> Slip:
    """A line in other words, or a missing or extra one: then the other is empty."""
    if expected and actual:
        message = f"{quoted(actual)} stands where {quoted(expected)} is expected"
        return Slip(SlipKind.WORDING, message, expected, actual)
    kind = SlipKind.MISSING if expected else SlipKind.EXTRA
    message = f"the line {quoted(expected or actual)} {'is missing' if expected else 'does not belong there'}"
    return Slip(SlipKind.PUNCTUATION if content(expected or actual) == MARKS else kind, message, expected, actual)


def _gap(expected: tuple[str, ...], actual: tuple[str, ...], before: str) -> Iterator[Slip]:
    """The slips in the blank lines before a line, or before the end if there is no line."""
    more = len(actual) - len(expected)
    where = quoted(before or "the end")
    texts = tuple("\n".join((*gap, before) if before else gap) for gap in (expected, actual))
    if more:
        yield Slip(SlipKind.BLANK_LINE, f"{amount(more, 'blank line')} before {where}", *texts)
    elif actual != expected:
        yield Slip(SlipKind.TRAILING_BLANK, f"a blank line before {where} holds spaces", *texts)


def _end(expected: _Lines, actual: _Lines) -> Iterator[Slip]:
    """The slips after the last line with text."""
    if not (expected.texts and actual.texts):
        yield from _gap(expected.gaps[-1], actual.gaps[-1], before="")
        return
    last = expected.texts[-1]
    texts = tuple(lines.texts[-1] + "".join(f"\n{blank}" for blank in lines.gaps[-1]) for lines in (expected, actual))
    if expected.open_end != actual.open_end:
        where = "is missing" if actual.open_end else "is too many"
        yield Slip(SlipKind.SPACING, f"the line end {where} after {quoted(last)}", *texts)
    elif len(expected.gaps[-1]) != len(actual.gaps[-1]):
        more = len(actual.gaps[-1]) - len(expected.gaps[-1])
        yield Slip(SlipKind.BLANK_LINE, f"{amount(more, 'blank line')} after {quoted(last)}", *texts)
    elif expected.gaps[-1] != actual.gaps[-1]:
        yield Slip(SlipKind.TRAILING_BLANK, f"spaces are too many after {quoted(last)}", *texts)
