"""The way into a program: answers that lead from its start to a moment that is looked for, past menus, names and pauses."""

from __future__ import annotations

import re
from collections.abc import Callable
from heapq import heappop, heappush
from typing import TypeVar

from grader.reading.keys import key
from grader.reading.runs import Answers, Runs
from grader.reading.slots import plain

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
