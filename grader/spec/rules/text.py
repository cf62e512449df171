"""Rules on how text is compared: choices, facts, slips and who pays for them, and the transcripts themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain

from grader.spec.hints import near
from grader.spec.model import Fact, Question, SlipKind
from grader.spec.problem import Problem
from grader.spec.rules.draft import Draft, Rule
from grader.spec.script_text import MARKS, Part, read_tokens
from grader.spec.values import FORGIVE


def blank_mark(draft: Draft) -> Iterator[Problem]:
    """The mark of a blank is visible, and is no letter, digit or other mark."""
    blank = draft.text.blank if draft.text else "·"
    if blank in MARKS or blank.isspace() or blank.isalnum() or not blank.isprintable():
        hint = "such as · or ␣"
        yield Problem("blank-mark", f"{blank!r} cannot stand for a blank", ("text", "blank"), hint)


def choices(draft: Draft) -> Iterator[Problem]:
    """A choice has two alternatives at least, and all are different."""
    for name, alternatives in (draft.text.choices if draft.text else {}).items():
        loc = ("text", "choices", name)
        if len(alternatives) < 2:
            message = f"`{name}` leaves nothing open: it needs two alternatives"
            yield Problem("choice", message, loc, 'such as ["\\n", ""]')
        for index, text in enumerate(alternatives):
            if text in alternatives[:index]:
                yield Problem("choice", f"`{name}` has the alternative {text!r} twice", (*loc, index), "remove one")


def unused_choices(draft: Draft) -> Iterator[Problem]:
    """A choice stands in some transcript; where there is a reference it may print it instead, and ``lint`` looks."""
    # The reference may print the choice; lint plays it and looks.
    if draft.text is None or draft.reference is not None or not draft.complete:
        return
    transcripts = (case.transcript for case in draft.cases.values() if case.transcript is not None)
    tokens = chain.from_iterable(read_tokens(text, draft.text)[0] for text in transcripts)
    used = {token.value for token in tokens if token.part is Part.CHOICE}
    for name in draft.text.choices:
        if name not in used:
            message, loc = f"no transcript has the choice `{name}`", ("text", "choices", name)
            hint = f"write «{name}» where the text leaves it open, or remove it"
            yield Problem("unused-choice", message, loc, hint, at_key=True)


def facts(draft: Draft) -> Iterator[Problem]:
    """Facts have different names, say something, by groups that have names, and ``lengths`` names groups of their pattern."""
    known = draft.text.facts if draft.text else ()
    yield from _named(known, "facts", "fact", "facts need different names", "said")
    for index, fact in enumerate(known):
        loc = ("text", "facts", index)
        pattern = re.compile(fact.pattern, re.IGNORECASE)
        # Two readers once took such a group differently, and found a value here and none there.
        if pattern.groups > len(pattern.groupindex):
            hint = "write (?P<name>…) for what the fact says, and (?:…) for the rest"
            yield Problem("unnamed-group", "the pattern has a group without a name", (*loc, "pattern"), hint)
        for at, group in enumerate(fact.lengths):
            if group not in pattern.groupindex:
                hint = near(group, pattern.groupindex, "its groups, written (?P<name>…), are")
                yield Problem("unknown-group", f"the pattern has no group `{group}`", (*loc, "lengths", at), hint)


def questions(draft: Draft) -> Iterator[Problem]:
    """Questions have different names and are asked by something."""
    known = draft.text.questions if draft.text else ()
    yield from _named(known, "questions", "question", "write alternatives into one pattern: a|b", "asked")


def _named(parts: Sequence[Fact | Question], key: str, noun: str, hint: str, done: str) -> Iterator[Problem]:
    """Patterns have different names, and match something."""
    seen: set[str] = set()
    for index, part in enumerate(parts):
        loc = ("text", key, index)
        if part.name in seen:
            yield Problem("duplicate-id", f"there is a {noun} `{part.name}` already", (*loc, "name"), hint)
        seen.add(part.name)
        # It would be found in each turn of each program.
        if re.search(part.pattern, "", re.IGNORECASE):
            message = f"the pattern matches where nothing is {done}"
            yield Problem("empty-match", message, (*loc, "pattern"), "demand one character")


def facts_of_cases(draft: Draft) -> Iterator[Problem]:
    """What a case judges by name are facts of the spec."""
    known = [fact.name for fact in draft.text.facts] if draft.text else []
    for index, case in draft.cases.items():
        for key, names in (("facts", case.facts or ()), ("mentions", case.mentions)):
            for at, name in enumerate(names):
                if draft.text and name not in known:
                    hint = near(name, known, "the facts are")
                    yield Problem("unknown-fact", f"there is no fact `{name}`", ("cases", index, key, at), hint)
        if case.mentions and case.facts is None:
            message = "without `facts` all facts are judged, so that there is nothing left to mention"
            yield Problem("idle-mentions", message, ("cases", index, "mentions"), "add `facts: []`", at_key=True)


def payers(draft: Draft) -> Iterator[Problem]:
    """Whoever pays for a slip exists, is not filled in by hand, and is worth the price."""
    if draft.text is None:
        return
    if draft.text.criterion is not None:
        yield from _payer(draft, draft.text.criterion, ("text", "criterion"))
    for kind, slip in draft.text.slips.items():
        loc = ("text", "slips", kind.value)
        payer = slip.criterion or draft.text.criterion
        paying = draft.by_criterion.get(payer or "")
        if slip.criterion is not None:
            yield from _payer(draft, slip.criterion, (*loc, "criterion"))
        if slip.price == FORGIVE:
            continue
        if payer is None:
            hint = "name one in `text.criterion`, or as {price: 1, criterion: format}"
            yield Problem("payer", f"no criterion pays for the slip `{kind.value}`", loc, hint, at_key=True)
        elif isinstance(slip.price, Fraction) and paying and slip.price > paying.points:
            message = f"the slip costs {slip.price}, and `{payer}` is worth only {paying.points}"
            yield Problem("price", message, (*loc, "price"), "write `whole` for all of it")


def _payer(draft: Draft, name: str, loc: tuple[str, ...]) -> Iterator[Problem]:
    known = [word for _, word in draft.criterion_names]
    if name not in known:
        yield Problem("unknown-criterion", f"there is no criterion `{name}`", loc, near(name, known, "criteria"))
    elif name in draft.by_criterion and draft.by_criterion[name].manual:
        message = f"a person fills `{name}` in, so it cannot pay for slips"
        yield Problem("manual", message, loc, "choose another criterion, or remove its `manual: true`")


def idle_slips(draft: Draft) -> Iterator[Problem]:
    """A price is for a slip that can happen."""
    if draft.text is None:
        return
    if SlipKind.ECHO in draft.text.slips and draft.text.echo != "program":
        message, loc = "nothing is echoed here, so this slip cannot happen", ("text", "slips", SlipKind.ECHO.value)
        hint = "write `echo: program` in `text` if programs print what is typed"
        yield Problem("idle-slip", message, loc, hint, at_key=True)
    for kind in () if draft.text.facts else (SlipKind.WORDING, SlipKind.MISSING, SlipKind.EXTRA):
        if kind in draft.text.slips:
            hint = "say in `text.facts` what a turn must say in any wording"
            message = "without facts, other words are a defect, so this slip cannot happen"
            yield Problem.warning("idle-slip", message, ("text", "slips", kind.value), hint, at_key=True)


def transcripts(draft: Draft) -> Iterator[Problem]:
    """A transcript is not empty, its marks are paired, its choices known, its blanks at line ends visible."""
    if draft.text is None:
        return
    for index, case in draft.cases.items():
        loc = ("cases", index, "transcript")
        if case.transcript is None:
            continue
        if not case.transcript.strip("\n"):
            hint = "write `transcript: |` and the text below it, indented"
            yield Problem("empty-transcript", "the transcript is empty", loc, hint)
        for found in read_tokens(case.transcript, draft.text)[1]:
            within = (found.line, found.column, found.end_column)
            yield Problem(found.code, found.message, loc, found.hint, within=within)


RULES: tuple[Rule, ...] = (
    blank_mark, choices, unused_choices, facts, questions, facts_of_cases, payers, idle_slips, transcripts
)  # fmt: skip
