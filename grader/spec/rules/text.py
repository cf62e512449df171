"""Rules on how text is compared: choices, facts, slips and who pays for them, and the transcripts themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain

from grader.spec.model import Case, Fact, Question, SlipKind, TextRules
from grader.spec.problem import At, Problem, near
from grader.spec.script_text import MARKS, Part, read_tokens
from grader.spec.values import FORGIVE


def blank_mark(at: At[TextRules]) -> Iterator[Problem]:
    """The mark of a blank is visible, and is no letter, digit or other mark."""
    blank = at.part.blank
    if blank in MARKS or blank.isspace() or blank.isalnum() or not blank.isprintable():
        yield at.problem("blank-mark", f"{blank!r} cannot stand for a blank", "blank", hint="such as · or ␣")


def choices(at: At[TextRules]) -> Iterator[Problem]:
    """A choice has two alternatives at least, and all are different."""
    for name, alternatives in at.part.choices.items():
        if len(alternatives) < 2:
            message = f"`{name}` leaves nothing open: it needs two alternatives"
            yield at.problem("choice", message, "choices", name, hint='such as ["\\n", ""]')
        for index, text in enumerate(alternatives):
            if text in alternatives[:index]:
                message = f"`{name}` has the alternative {text!r} twice"
                yield at.problem("choice", message, "choices", name, index, hint="remove one")


def unused_choices(at: At[TextRules]) -> Iterator[Problem]:
    """A choice stands in some transcript."""
    # The reference may print the choice; lint plays it and looks.
    if at.draft.reference is not None or not at.draft.complete:
        return
    transcripts = (case.transcript for case in at.draft.cases.values() if case.transcript is not None)
    tokens = chain.from_iterable(read_tokens(text, at.part)[0] for text in transcripts)
    used = {token.value for token in tokens if token.part is Part.CHOICE}
    for name in at.part.choices:
        if name not in used:
            message = f"no transcript has the choice `{name}`"
            hint = f"write «{name}» where the text leaves it open, or remove it"
            yield at.problem("unused-choice", message, "choices", name, hint=hint, at_key=True)


def facts(at: At[TextRules]) -> Iterator[Problem]:
    """Facts have different names, say something, by groups that have names, and ``lengths`` names groups of their pattern."""
    yield from _named(at, at.part.facts, "fact", "facts need different names", "said")
    for index, fact in enumerate(at.part.facts):
        pattern = re.compile(fact.pattern, re.IGNORECASE)
        # Two readers once took such a group differently, and found a value here and none there.
        if pattern.groups > len(pattern.groupindex):
            message = "the pattern has a group without a name"
            hint = "write (?P<name>…) for what the fact says, and (?:…) for the rest"
            yield at.problem("unnamed-group", message, "facts", index, "pattern", hint=hint)
        for place, group in enumerate(fact.lengths):
            if group not in pattern.groupindex:
                message = f"the pattern has no group `{group}`"
                hint = near(group, pattern.groupindex, "its groups, written (?P<name>…), are")
                yield at.problem("unknown-group", message, "facts", index, "lengths", place, hint=hint)


def questions(at: At[TextRules]) -> Iterator[Problem]:
    """Questions have different names and are asked by something."""
    yield from _named(at, at.part.questions, "question", "write alternatives into one pattern: a|b", "asked")


def _named(at: At[TextRules], parts: Sequence[Fact | Question], noun: str, hint: str, done: str) -> Iterator[Problem]:
    """Patterns have different names, and match something."""
    seen: set[str] = set()
    for index, part in enumerate(parts):
        steps = (f"{noun}s", index)
        if part.name in seen:
            yield at.problem("duplicate-id", f"there is a {noun} `{part.name}` already", *steps, "name", hint=hint)
        seen.add(part.name)
        # It would be found in each turn of each program.
        if re.search(part.pattern, "", re.IGNORECASE):
            message = f"the pattern matches where nothing is {done}"
            yield at.problem("empty-match", message, *steps, "pattern", hint="demand one character")


def payers(at: At[TextRules]) -> Iterator[Problem]:
    """The criterion that pays for a slip exists, is not filled in by hand, and is worth the price."""
    if at.part.criterion is not None:
        yield from _payer(at, at.part.criterion, "criterion")
    for kind, slip in at.part.slips.items():
        steps = ("slips", kind.value)
        payer = slip.criterion or at.part.criterion
        paying = at.draft.by_criterion.get(payer or "")
        if slip.criterion is not None:
            yield from _payer(at, slip.criterion, *steps, "criterion")
        if slip.price == FORGIVE:
            continue
        if payer is None:
            hint = "name one in `text.criterion`, or as {price: 1, criterion: format}"
            message = f"no criterion pays for the slip `{kind.value}`"
            yield at.problem("payer", message, *steps, hint=hint, at_key=True)
        elif isinstance(slip.price, Fraction) and paying and slip.price > paying.points:
            message = f"the slip costs {slip.price}, and `{payer}` is worth only {paying.points}"
            yield at.problem("price", message, *steps, "price", hint="write `whole` for all of it")


def _payer(at: At[TextRules], name: str, *steps: str) -> Iterator[Problem]:
    known, criterion = [word for _, word in at.draft.criterion_names], at.draft.by_criterion.get(name)
    if name not in known:
        hint = near(name, known, "criteria")
        yield at.problem("unknown-criterion", f"there is no criterion `{name}`", *steps, hint=hint)
    elif criterion is not None and criterion.manual:
        message = f"a person fills `{name}` in, so it cannot pay for slips"
        yield at.problem("manual", message, *steps, hint="choose another criterion, or remove its `manual: true`")


def idle_slips(at: At[TextRules]) -> Iterator[Problem]:
    """A price is for a slip that can happen."""
    if SlipKind.ECHO in at.part.slips and at.part.echo != "program":
        message = "nothing is echoed here, so this slip cannot happen"
        hint = "write `echo: program` in `text` if programs print what is typed"
        yield at.problem("idle-slip", message, "slips", SlipKind.ECHO.value, hint=hint, at_key=True)
    for kind in () if at.part.facts else (SlipKind.WORDING, SlipKind.MISSING, SlipKind.EXTRA):
        if kind in at.part.slips:
            message = "without facts, other words are a defect, so this slip cannot happen"
            hint = "say in `text.facts` what a turn must say in any wording"
            yield at.warning("idle-slip", message, "slips", kind.value, hint=hint, at_key=True)


def facts_of_cases(at: At[Case]) -> Iterator[Problem]:
    """The facts that a case names are facts of the spec."""
    case, text = at.part, at.draft.text
    known = [fact.name for fact in text.facts] if text else []
    for key, names in (("facts", case.facts or ()), ("mentions", case.mentions)):
        for place, name in enumerate(names if text else ()):
            if name not in known:
                hint = near(name, known, "the facts are")
                yield at.problem("unknown-fact", f"there is no fact `{name}`", key, place, hint=hint)
    if case.mentions and case.facts is None:
        message = "without `facts` all facts are judged, so nothing is left to mention"
        yield at.problem("idle-mentions", message, "mentions", hint="add `facts: []`", at_key=True)


def transcripts(at: At[Case]) -> Iterator[Problem]:
    """A transcript is not empty, its marks are paired, its choices known, its blanks at line ends visible."""
    text, rules = at.part.transcript, at.draft.text
    if text is None or rules is None:
        return
    if not text.strip("\n"):
        hint = "write `transcript: |` and the text below it, indented"
        yield at.problem("empty-transcript", "the transcript is empty", "transcript", hint=hint)
    for one in read_tokens(text, rules)[1]:
        within = (one.line, one.column, one.end_column)
        yield at.problem(one.code, one.message, "transcript", hint=one.hint, within=within)


TEXT = (blank_mark, choices, unused_choices, facts, questions, payers, idle_slips)
CASES = (facts_of_cases, transcripts)
