"""What a program says in one turn of a game: the facts, and the question with which it waits."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from grader.bounded import bounded, remembered
from grader.games.event import Event
from grader.games.referee import Heard
from grader.reading.facts import FactReader
from grader.spec.model import TextRules

_WORD = re.compile(r"[^\W\d_]{2}")
"""Two letters: an echoed key is no word."""


class Reader:
    """Reads facts and the question from turns; one for all submissions of a spec."""

    def __init__(self, rules: TextRules, stated: Callable[[Heard], tuple[Event, ...]] = lambda _heard: ()) -> None:
        """Compile the patterns of ``facts`` and ``questions``; ``stated`` makes events of the facts of a turn.

        A turn is read once for each text: a proof of all positions hears the same texts some hundred times.
        """
        self._facts = FactReader(rules.facts)
        self._questions = [(rule.name, re.compile(rule.pattern, re.IGNORECASE)) for rule in rules.questions]
        self._question = remembered(self._asked)
        self._words = remembered(self._other_words)
        self._stated = stated
        self.read = remembered(self._read)

    def _read(self, text: str, *, ended: bool, wants: str = "line") -> Heard:
        """What a turn says; the question is the one whose last match stands latest.

        ``wants`` is what the session says that it waits for.
        """
        question = None if ended else self._question(text)
        heard = Heard(self._facts.facts(text), question, ended, wants, self._words(text))
        return replace(heard, events=self._stated(heard))

    def _other_words(self, text: str) -> frozenset[str]:
        *whole, _question = bounded(text).split(
            "\n"
        )  # a question may name a player whom there is not, and states nothing then
        lines = {" ".join(line.split()) for line in whole if _WORD.search(line)}
        return frozenset(line for line in lines if not self._facts.facts(line))

    def _asked(self, text: str) -> str | None:
        seen = bounded(text)
        asked = [(match.start(), name) for name, pattern in self._questions for match in pattern.finditer(seen)]
        return max(asked, default=(0, None), key=lambda item: item[0])[1]
