"""Questions: the answers that a text offers, those that can be typed at a wait, and the answers that programs usually understand.

The map of a dialogue tells what a program asks, and to which question each answer led, over all runs of an exploration.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache

from grader.games.hear.runs import Runs, Wait
from grader.games.hear.slots import plain
from grader.values import dataclass

USUAL = ("1", "", "0", "y", "n", "2", "Ann")
"""Answers to try at an unknown question before the game, after those that it offers."""

GOES_ON = (
    "n",
    "y",
    "0",
    "1",
    "N",
    "Y",
    "2",
    "",
    "no",
    "yes",
    "u",
    "k",
    "c",
    "U",
    "3",
    "-1",
    "undo",
    "9",
    "j",
    "s",
    "o",
)
"""Answers to try at an unknown question within a game: “no” first, since most of these questions offer to take a move back."""

_LINES = 6
"""Number of last lines that may offer answers: a menu stands above its question."""

_LONGEST_LINE, _LONGEST_TEXT = 200, 4_000
"""Maximum number of characters that are looked at, of a line and of a turn: a program may print a flood."""

_OFFERS, _WORDS = 6, 8
"""Maximum number of offers, and of words of a line."""

_OR = "or|oder|ou|o|hay|lub|veya|или|或"
# In brackets or quotes, or beside a sign: of “FOUR IN A ROW” the A became the name of both players.
_OFFERED = re.compile(
    "|".join(
        (
            r"""[(\[<{'"‘“«]\s?(\w{1,6}|[^\w\s])\s?[)\]>}'"’”»]""",  # (h), “X”
            r"(?<!\w)(\w{1,6})(?= ?/ ?\w|\|\w)",  # h/t, h|t; with blanks around it “|” is the frame of a board
            r"(?:(?<=/) ?|(?<=\w\|))(\w{1,6})(?!\w)",
            r"^[ \t]{0,40}(\w)\s?[.):=-]",  # 1) play
            r"[,;(\[]\s?(\w{1,2})\s?:",  # (h: human, c: computer)
            r"(?<!\w)(\w{1,6}) ?= ?\w",  # 1=red
            r"(?<!=)= ?(\w{1,6})(?!\w)",  # yes = 1
            r"(?<!\w)(\w)\(\w{1,20}\)",  # n(ew)
            rf"(?<!\w)(\w)(?=\s(?:{_OR})\s\w(?!\w))",  # X or O
            rf"(?<=\s\w\s)(?:{_OR})\s(\w)(?!\w)",
        )
    ),
    re.MULTILINE,
)
_LISTED = re.compile(r"[(\[<]([^()\[\]<>\n]{3,60})[)\]>]")
_BETWEEN = re.compile(rf"\s?[,/|]\s?|\s(?:{_OR}|of)\s")
_ONE_WORD = re.compile(r"\w{1,12}")
_MOST_LISTED = 3, 400
"""The last lines of a question in which words may be listed, and the most characters of them: a program may print a flood."""

_WORD = r"\b[^\W\d_]{1,20}(?:-[^\W\d_]{1,20})?"
_AND = r"(?:\s?[,/|]\s?(?:(?:or|and|oder|und|ou|et|o|y|hay)\s)?|\s(?:or|and|oder|und|ou|et|o|y|hay)\s)"
_LIST = re.compile(rf"{_WORD}(?:{_AND}{_WORD}){{2,8}}")
_ALONE = re.compile(r"""(?<!\w)(-?\d+|[^\W_])(?!\w)|(?<=[\s(\[<'"])([^\w\s()\[\]<>'"])(?=[\s?,.:)\]>'"])""")


def last_lines(text: str, number: int) -> list[str]:
    """The last lines of a text that are not blank, at most ``number``."""
    return [line for line in text.split("\n") if line.strip()][-number:]


def last_line(text: str) -> str:
    """The last line of a text that is not blank, without blanks around it; empty for a blank text."""
    return "".join(last_lines(text[-_LONGEST_TEXT:], 1)).strip()


def offered(output: str) -> tuple[str, ...]:
    """Short answers that the last lines of a question offer: ``(h/t)``, ``[N]ew``, ``1) play``, ``(easy or hard)``, ``1=red``.

    A token counts in brackets, in quotes or beside a sign that sets it apart: “FOUR IN A ROW” offers no ``A``. The answers come as they
    are printed, and then in small letters: some programs take both, and some only one.
    """
    *above, question = [line[-_LONGEST_LINE:] for line in last_lines(plain(output), _LINES)] or [""]
    tokens: list[str] = []
    for text in (question, "\n".join(above)):
        tokens += [each for match in _OFFERED.finditer(text) for each in match.groups() if each]
        tokens += [each for match in _LISTED.finditer(text) for each in _listed(match[1])]
    texts = tuple(dict.fromkeys(tokens))[:_OFFERS]
    return tuple(dict.fromkeys((*texts, *map(str.lower, texts))))


def _listed(text: str) -> list[str]:
    """The words of a list of words; empty if a part of it is more than one word."""
    listed = [each.strip() for each in _BETWEEN.split(text)]
    return listed if len(listed) > 1 and all(map(_ONE_WORD.fullmatch, listed)) else []


def named(output: str) -> tuple[str, ...]:
    """The words of the last line of a question: it may want one of them."""
    line = "".join(last_lines(plain(output), 1))[-_LONGEST_LINE:]
    words = (word for word in re.findall(r"[^\W\d_]+", line) if _ONE_WORD.fullmatch(word))
    return tuple(dict.fromkeys(words))[-_WORDS:]


def alone(output: str, lines: int) -> tuple[str, ...]:
    """Letters, numbers and signs that stand alone in the last lines, those of the last line first: “type Z to take it back”."""
    last = reversed(last_lines(output, lines))
    return tuple(match[1] or match[2] for line in last for match in _ALONE.finditer(line[-_LONGEST_LINE:]))


@lru_cache(maxsize=1 << 8)
def mentioned(output: str) -> tuple[str, ...]:
    """All answers that the last lines of a question within a game may mean: offered, alone, or a short word."""
    words = re.findall(r"(?<!\w)([^\W\d_]{2,6})(?!\w)", last_line(output)[-_LONGEST_LINE:])
    return tuple(dict.fromkeys((*offered(output), *alone(output, 4), *words)))


def word_lists(text: str, lengths: Collection[int]) -> list[list[str]]:
    """The lists of words in the last lines of a question that have one of these numbers of words, in small letters: “Row (top, middle, bottom)?”.

    Only the first words of a longer list count, as many as in the shortest: “top, middle or bottom, then left, centre or right, as in” goes on behind them.
    """
    least, (lines, signs) = min(lengths), _MOST_LISTED
    question = "\n".join(last_lines(text[-signs:], lines)).lower()
    matches = (re.split(_AND, match[0]) for match in _LIST.finditer(question))
    return [words if len(words) in lengths else words[:least] for words in matches if len(words) >= least]


def allowed(answers: Iterable[str], wants: str) -> list[str]:
    """Those answers that can be typed at a wait for a ``key``, a ``line``, a ``confirmation`` or a number, each once."""
    if wants == "key":
        texts = [text[:1] or "\n" for text in answers]
    elif wants == "line":
        texts = list(answers)
    elif wants == "confirmation":  # a dialog with buttons: numbers were typed there, and no undo was found
        texts = [text for text in answers if text in ("y", "n")]
    else:
        texts = [text for text in answers if re.fullmatch(r"-?\d{1,9}", text)]
    return list(dict.fromkeys(texts))


# ------------------------------------------------------------------------------------------------ the map of a dialogue


END = "the end"
"""The sign for a program that has ended."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: the line with which it is asked, how often it was, and the answers by the question to which they led.

    ``line`` has numbers as ``#``, since "3 left. Take? " and "2 left. Take? " ask the same.
    """

    line: str
    times: int
    answers: tuple[tuple[str, tuple[str, ...]], ...]


def dialogue_map(runs: Runs) -> tuple[Asked, ...]:
    """The questions of a program, those that were asked most first; where an answer led, that where most led to first."""
    times: Counter[str] = Counter()
    led: dict[str, dict[str, Counter[str]]] = {}
    for before, answer, after in runs.steps():
        line, then = question(before), question(after)
        times[line] += 1
        led.setdefault(line, {}).setdefault(then, Counter())[answer] += 1
    questions = []
    for line, count in times.most_common():
        goals = sorted(led[line].items(), key=lambda goal: -goal[1].total())
        answers = ((then, tuple(text for text, _ in texts.most_common())) for then, texts in goals)
        questions.append(Asked(line, count, tuple(answers)))
    return tuple(questions)


def question(wait: Wait) -> str:
    """The last line of a wait that is not blank, numbers as ``#``."""
    return END if wait.ending is not None else re.sub(r"[0-9]+", "#", last_line(wait.output))
