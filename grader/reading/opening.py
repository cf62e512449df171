"""The way into a program: answers that lead from its start to a moment that is looked for, past menus, names and pauses."""

from __future__ import annotations

import re
from collections.abc import Callable
from heapq import heappop, heappush
from typing import TypeVar

from grader.reading.keys import key
from grader.reading.runs import Answers, Runs
from grader.reading.slots import plain
from grader.transcript import Ending, EndingKind

T = TypeVar("T")

USUAL = ("1", "", "0", "y", "n", "2", "Ann", "Bob")
"""What is tried at a question that nobody has understood, after what it offers itself."""

DEEPEST = 6
"""So many answers at most lead to the moment."""

MOST = 24
"""So many moments are looked at."""

MOST_RUNS = 80
"""So many runs are made for it."""

_OFFERED = re.compile(
    r"[(\[<'\"‘“]\s?(\w{1,6})\s?[)\]>'\"’”]|\b(\w{1,6})\s?[/|]\s?(\w{1,6})\b|^[ \t]{0,40}(\w)\s?[.):=-]|(?<!\w)(\w)\(\w{1,20}\)",
    re.MULTILINE,
)
_LISTED = re.compile(r"[(\[<]([^()\[\]<>\n]{3,60})[)\]>]")
_BETWEEN = re.compile(r"\s?[,/|]\s?|\s(?:or|oder|ou|o|hay|lub|of|veya|или|或)\s")
_ONE_WORD = re.compile(r"\w{1,12}")
_LAST, _OFFERS = 6, 6


def offered(output: str) -> tuple[str, ...]:
    """Short answers that the last lines of a question seem to offer: ``(h/t)``, ``[N]ew``, ``1) play``, ``(easy or hard)``.

    As they are printed, and then in small letters: some programs take both, and some only one.
    """
    text = "\n".join([line for line in plain(output).splitlines() if line.strip()][-_LAST:])
    found = [each for match in _OFFERED.finditer(text) for each in match.groups() if each]
    found += [each for match in _LISTED.finditer(text) for each in _listed(match[1])]
    printed = tuple(dict.fromkeys(found))[:_OFFERS]
    return tuple(dict.fromkeys((*printed, *map(str.lower, printed))))


def _listed(text: str) -> list[str]:
    """The words of a list of words; none where anything in it is no single word."""
    listed = [each.strip() for each in _BETWEEN.split(text)]
    return listed if len(listed) > 1 and all(map(_ONE_WORD.fullmatch, listed)) else []


def named(output: str) -> tuple[str, ...]:
    """The words of the last line of a question: what it wants may be one of them."""
    lines = [line for line in plain(output).splitlines() if line.strip()][-1:]
    found = (word for word in re.findall(r"[^\W\d_]+", "".join(lines)[-_LONGEST:]) if _ONE_WORD.fullmatch(word))
    return tuple(dict.fromkeys(found))[-_WORDS:]


_LONGEST, _WORDS = 200, 8


def may_be_typed(runs: Runs, lead: Answers, text: str) -> bool:
    """Whether it may be tried to type ``text`` behind these answers: numbers may, and a word that does not break the program.

    A word can break a program that reads a number, or hang it. That says nothing of the program, and nobody may charge it; but
    three runs that hang are all that a program has. So once a word has done that, only a question that offers the word gets it,
    or one from which no number leads on.
    """
    if not text.isalpha():
        return True
    question = runs.run(lead).output
    if text not in offered(question) and _words_break(runs) and _takes_numbers(runs, lead, key(question)):
        return False
    return not broke(runs.run((*lead, text)).ending)


def _words_break(runs: Runs) -> bool:
    return any(text.isalpha() and broke(then.ending) for _, text, then in runs.steps())


def _takes_numbers(runs: Runs, lead: Answers, question: str) -> bool:
    """Whether a number leads from a question to another one."""
    answered = (runs.run((*lead, number)) for number in ("1", "0"))
    return any(run.ending is None and key(run.output) != question for run in answered)


def broke(ending: Ending | None) -> bool:
    """Whether an answer broke the program, or hung it; one that ends by itself may have been told to."""
    return ending is not None and ending.kind not in (EndingKind.ENDED, EndingKind.EXIT_CODE)


def search(runs: Runs, test: Callable[[Answers], T | None], most: int = MOST_RUNS) -> tuple[Answers, T] | None:
    """The cheapest answers after which ``test`` finds what it looks for, and what it found; None where there are none.

    ``most`` runs are made about, those of the test included.

    It costs most to go deeper, something to be asked the same again, and a little to try what is not tried first.
    """
    waiting: list[tuple[float, Answers]] = [(0.0, ())]
    seen: set[tuple[str, ...]] = set()
    last = runs.number + most
    for _ in range(MOST):
        if not waiting or runs.number > last:
            break
        cost, answers = heappop(waiting)
        if answers and not may_be_typed(runs, answers[:-1], answers[-1]):
            continue
        run = runs.run(answers)
        if run.ending is not None or run.turns in seen:
            continue
        seen.add(run.turns)
        found = test(answers)
        if found is not None:
            return answers, found
        if len(answers) == DEEPEST:
            continue
        again = len(run.turns) > 1 and key(run.output) == key(run.turns[-2])
        for rank, text in enumerate(dict.fromkeys((*offered(run.output), *USUAL))):
            heappush(waiting, (cost + 1 + 1.5 * again + 0.25 * rank, (*answers, text)))
    return None
