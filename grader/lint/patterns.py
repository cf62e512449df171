"""Patterns that take long on a flood of output, found by trying them on such floods.

Two repetitions that take the same characters, beside or inside each other, go back over a long line again and again. The time of
``[ ]*x?[ ]*`` grows with the square of the length, that of ``([ ]*,?)*`` exponentially. Such patterns are hard to see and
easy to try. Each pattern is searched in texts that repeat one small piece: blanks, marks, letters, digits, the pattern's own
words, and mixtures of them. It is also searched in texts that lead it into each of its repetitions and then go on. A short text
grows until it is as long as a flood, or takes longer than allowed.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from random import Random
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

from grader.bounded import bounded
from grader.grading.budget import ended_after
from grader.spec.document import Loc
from grader.spec.model import Fact, Spec, TextRules
from grader.spec.problem import Problem
from grader.transcript import visible
from grader.values import dataclass

FLOOD = 1 << 16
"""Characters of a flood."""

BOUND = 1.0
"""Maximum seconds of computing that a pattern may take for a flood: most take a hundredth of that."""

POSSESSIVE = r"bound its repetitions: \d{1,9} for \d+, [^\n]{0,80} for .*; or let one keep what it has taken: [ ]*+"

# A short flood first: for most patterns it shows already that a whole one is in time.
_LENGTHS = (FLOOD >> 5, FLOOD >> 3, FLOOD)
_LINEAR = 6  # for four times the length; sixteen would be the square of it
_MIXTURES = 40  # floods of random pieces per pattern

CHARACTERS = (*" \t\n", "\r\n", *"\v\f\r\xa0\u2003\u3000\u200b10axoX_é|[](){")
MARKS = (*"-–=:.,!?*#/>'\"¦│║^$\\\0\x1b😀",)
MIXED = (
    "\n ", " \n", " \t", "  \n", "| ", "|   ", "|o", "| x ", "[ ]", "[x] ", "1 ", "1\n", "-1 ", "- ", ": ", "= ", "* ", "a ", "a1", "a: 1 ",
    " \t\n\v\f\r\xa0\u2003\u3000\u200b", "0123456789", "abcdefghijklmnopqrstuvwxyz", "()[]{}<>", "|!¦│║", "'\\", '"\\', "/*", "//",
)  # fmt: skip
# Cells of a board wider than programs draw them: where a cell ends decides how far a repetition goes back.
_WIDE = " " * 60
WIDE = (
    f"|{_WIDE}", f"[{_WIDE}]", f"{f'|{_WIDE}' * 7}x\n", f"{f'|{_WIDE}' * 8}\n", f"{f'[{_WIDE}]' * 8}\n", f"x{_WIDE}", f"1{_WIDE}", f":{_WIDE}",
)  # fmt: skip
"""Pieces of floods, for every pattern: single characters, mixtures of them, and boards of wide cells."""

_SURROGATES = re.compile("[\ud800-\udfff]")
_WORD = re.compile(r"[^\W\d_]{1,20}")
_NO_WORDS = re.compile(r"\\[AbBdDsSwWZ]|\(\?P<\w+>|\(\?[a-z-]+[:)]")
_AFTER = ("", " ", "\n", " 1 ", ": ", ", ", "-", _WIDE)
_BETWEEN = (" ", "\n", "1", "a", ".", "- ")
# A last character that fits nowhere makes a repetition give back, one by one, all that it has taken.
_LAST = ("", "\0", "\n\0")


@dataclass(frozen=True, slots=True)
class Flood:
    """A text of ``FLOOD`` characters: ``first`` once, or where it ``runs`` half of the text long, then one piece over and over, and ``last``."""

    piece: str
    first: str = ""
    runs: bool = False
    last: str = ""

    def text(self, length: int = FLOOD) -> str:
        """The flood, or a shorter one like it."""
        first = self.first * (length // 2 // len(self.first)) if self.runs else self.first
        return (first + self.piece * (length // len(self.piece) + 1))[: length - len(self.last)] + self.last


def floods(pattern: str = "") -> Iterator[Flood]:
    """Floods of every kind, and those made of the words of a pattern."""
    plain = (*CHARACTERS, *MARKS, *MIXED, *WIDE)
    words = tuple(dict.fromkeys(_WORD.findall(_NO_WORDS.sub(" ", pattern))))
    yield from map(Flood, plain)
    yield from (Flood(word + after) for word in words for after in _AFTER)
    yield from (Flood(piece, word) for word in words for piece in _BETWEEN)
    for before, piece in repetitions(pattern):
        if piece:
            yield from (Flood(piece, before, last=last) for last in _LAST)
    random = Random(pattern)  # noqa: S311  no secret
    for _ in range(_MIXTURES):
        yield Flood("".join(random.choice(plain + words) + random.choice(("", " ")) for _ in range(3)))


@dataclass(frozen=True, slots=True)
class Slow:
    """A flood for which a pattern needs longer than it may."""

    flood: Flood

    def sentence(self) -> str:
        """A description for the author of the pattern."""
        first = f" after {self.flood.first!r}" if self.flood.first else ""
        return f"the pattern needs more than {BOUND:g} s for {FLOOD >> 10} KiB of {self.flood.piece!r}{first}"


@lru_cache(maxsize=256)
def slow(pattern: str) -> Slow | None:
    """The first flood on which a pattern takes too long; None if it never does."""
    return slow_search(re.compile(pattern, re.IGNORECASE))


def slow_search(
    pattern: re.Pattern[str] | re.Pattern[bytes], more: Iterable[Flood] = (), *, usual: bool = True
) -> Slow | None:
    """The first flood for which a search needs longer than it may, of the ``usual`` ones and of ``more``."""
    written = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tried = chain(floods(_SURROGATES.sub("", written)) if usual else (), more)
    return next((Slow(flood) for flood in tried if not _in_time(pattern, flood)), None)


def _in_time(pattern: re.Pattern[str] | re.Pattern[bytes], flood: Flood) -> bool:
    """Whether a flood is searched in time.

    A short one is enough where even the square of its length would be in time, or where the time grows no faster than the length.
    """
    before = 0.0
    for length in _LENGTHS:
        text: Any = flood.text(length)
        if isinstance(pattern.pattern, bytes):
            text = text.encode()
        begun = time.process_time()
        try:
            # Computing time alone: on a busy machine a pattern would be slow one day, and not the next.
            with ended_after(BOUND, _TooLongError(), computing=True):
                for _ in pattern.finditer(text):
                    pass
        except _TooLongError:
            return False
        used = time.process_time() - begun
        longer = FLOOD / length
        if used * longer**2 < BOUND or (used < _LINEAR * before and used * longer * 2 < BOUND):
            return True
        before = used
    return used < BOUND


class _TooLongError(Exception):
    """The time is up."""


def slow_patterns(spec: Spec) -> Iterator[Problem]:
    """Patterns for which a program that prints without end would hold us up."""
    for loc, pattern in of_spec(spec):
        if (slowness := slow(pattern)) is not None:
            yield Problem.warning("slow-pattern", slowness.sentence(), loc, POSSESSIVE)


def unsaid_patterns(spec: Spec) -> Iterator[Problem]:
    """Patterns that a student is not told in words: a report shows no regular expression."""
    for number, case in enumerate(spec.cases):
        silent: list[tuple[str, Loc]] = []
        for at, step in enumerate(case.dialogue or ()):
            if step.expect is not None and not step.expectation:
                silent.append(("expect", ("cases", number, "dialogue", at, "expect")))
        silent += [
            ("matches", ("cases", number, case.kind)) for one in case.printed if one.matches and not one.expectation
        ]
        for key, loc in silent:
            message = f"students are not told what this `{key}` looks for: a report shows no regular expression"
            hint = "write beside it `says: …`, a phrase in the words of the assignment"
            yield Problem.warning("unsaid-pattern", message, loc, hint)


def of_spec(spec: Spec) -> Iterator[tuple[Loc, str]]:
    """Every pattern of a spec that is searched in what programs print, with its place."""
    facts = ((("text", "facts", n, "pattern"), fact.pattern) for n, fact in enumerate(spec.text.facts))
    questions = ((("text", "questions", n, "pattern"), one.pattern) for n, one in enumerate(spec.text.questions))
    steps = (
        (("cases", n, "dialogue", at, key), pattern)
        for n, case in enumerate(spec.cases)
        for at, step in enumerate(case.dialogue or ())
        for key, pattern in (("expect", step.expect), ("refuse", step.refuse))
        if pattern is not None
    )
    matches = (
        (("cases", n, case.kind), one.matches)
        for n, case in enumerate(spec.cases)
        for one in case.printed
        if one.matches
    )
    return chain(facts, questions, steps, matches)


# ---------------------------------------------------------------------- facts that say less, or more, than they should

NUMBERS = ("0", "1", "2", "3", "7", "12", "36")
"""Typical input of users of games, and typical contents of boards."""

_AROUND = ("{}\n", "{}\nWhat next? ", "\n{}\n")


def lone_numbers(spec: Spec) -> Iterator[Problem]:
    """The facts of a spec with games whose pattern finds a number that stands alone."""
    for at, fact in enumerate(spec.text.facts if spec.games else ()):
        pattern = re.compile(fact.pattern, re.IGNORECASE)
        number = next((one for one in NUMBERS if any(pattern.search(text.format(one)) for text in _AROUND)), None)
        if number is not None:
            message = f"a number on a line of its own, such as {number}, is read as `{fact.name}`: a program that repeats what was typed says the same"
            hint = "ask for a word, a mark or a space beside the number: (?=[123][^\\r\\n])"
            yield Problem.warning("lone-number", message, ("text", "facts", at, "pattern"), hint)


def lost_blanks(rules: TextRules, texts: Iterable[str]) -> Iterator[Problem]:
    """A warning for each group that says two different things in the reference which differ in blanks alone."""
    seen = [bounded(text) for text in dict.fromkeys(texts)]
    for index, fact in enumerate(rules.facts):
        for group, first, second in _alike(fact, seen):
            message = (
                f"the reference says “{visible(first)}” and “{visible(second)}” in the group `{group}`, which state the same: "
                "spaces within a group do not count"
            )
            hint = "where the place of a sign matters, let each place be a group of its own: (?P<left>.)(?P<right>.)"
            loc = ("text", "facts", index, "pattern")
            yield Problem.warning("lost-blanks", message, loc, hint)


def _alike(fact: Fact, texts: list[str]) -> Iterator[tuple[str, str, str]]:
    """Each group that has two values which differ in blanks alone, with both; blanks around a number mean nothing."""
    pattern = re.compile(fact.pattern, re.IGNORECASE)
    values: dict[str, dict[str, str]] = {group: {} for group in pattern.groupindex if group not in fact.lengths}
    reported: set[str] = set()
    for text in texts:
        for match in pattern.finditer(text):
            for group, value in match.groupdict(default="").items():
                bare = "".join(value.split())
                before = values.get(group, {}).setdefault(bare, value)
                if group not in reported and group in values and before != value and not bare.isdecimal():
                    reported.add(group)
                    yield group, before, value


# ---------------------------------------------------------------------------------------- the repetitions of a pattern

LONG = 40
"""A repetition that ends by itself after fewer times goes back over little."""

_CHARACTERS = (" ", "0", "a", "\n", "|", "-", "x", ".", "\t", "A", "'", '"', "[", "#", ":", "=", "_", "é", "\0")
_PIECES = 4  # of one repetition
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT)
_OF_ONE = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY)

_Node = tuple[Any, Any]


def repetitions(pattern: str, flags: int = 0) -> Iterator[tuple[str, str]]:
    """The text before each repetition of a pattern that has no end of its own, and a piece that it takes. Raises re.error."""
    tree = _parser.parse(pattern, flags)
    yield from dict.fromkeys(_Walk(tree.state).within([*tree], ""))


def example(pattern: str, flags: int = 0) -> str:
    """A short text in which a pattern is found, as far as characters alone decide that. Raises re.error."""
    tree = _parser.parse(pattern, flags)
    return _Walk(tree.state).text([*tree])


class _Walk:
    """One pattern."""

    def __init__(self, state: Any) -> None:
        self._state = state
        self._groups: dict[int | None, str] = {}

    def within(self, nodes: Sequence[_Node], before: str) -> Iterator[tuple[str, str]]:
        """The repetitions among nodes that follow a text, and in them."""
        for node in nodes:
            kind, rest = node
            if kind in _REPEATS and rest[1] >= LONG:
                yield from ((before, piece) for piece in self._pieces([*rest[2]]))
            for inner in _parts(node):
                yield from self.within(inner, before)
            before += self.text([node])

    def _pieces(self, body: Sequence[_Node]) -> Sequence[str]:
        of_one = len(body) == 1 and body[0][0] in _OF_ONE
        return self._taken(body[0])[:_PIECES] if of_one else [self.text(body)]

    def text(self, nodes: Sequence[_Node]) -> str:
        """A short text that nodes take."""
        return "".join(map(self._of_node, nodes))

    def _of_node(self, node: _Node) -> str:
        kind, rest = node
        if kind in _OF_ONE:
            return next(iter(self._taken(node)), "")
        if kind is _constants.GROUPREF:
            return self._groups.get(int(rest), "")
        if kind in (*_REPEATS, _constants.POSSESSIVE_REPEAT):
            return self.text([*rest[2]]) * int(rest[0])
        if parts := _parts(node):
            text = self.text(parts[0])
            if kind is _constants.SUBPATTERN:
                self._groups[rest[0]] = text
            return text
        return ""

    def _taken(self, node: _Node) -> list[str]:
        """The characters that a node of one takes: some of every kind, or else any."""
        takes = _compiler.compile(_parser.SubPattern(self._state, [node])).fullmatch
        own = [chr(value) for kind, value in node[1] if kind is _constants.LITERAL] if node[0] is _constants.IN else []
        own = [chr(node[1])] if node[0] is _constants.LITERAL else own
        usual = [one for one in dict.fromkeys((*_CHARACTERS, *own)) if takes(one)]
        return usual or [one for one in map(chr, range(128)) if takes(one)]


def _parts(node: _Node) -> list[list[_Node]]:
    """The sequences that lie in a node."""
    kind, rest = node
    if kind in (*_REPEATS, _constants.POSSESSIVE_REPEAT):
        return [[*rest[2]]]
    if kind is _constants.SUBPATTERN:
        return [[*rest[3]]]
    if kind is _constants.ATOMIC_GROUP:
        return [[*rest]]
    return [[*one] for one in rest[1]] if kind is _constants.BRANCH else []
