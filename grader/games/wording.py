"""A referee and a reader for a program that talks a game over in words of its own, by what was learned of them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

from grader.games.ground import Ground
from grader.games.referee import Answers, HeapGame, Heard, Referee
from grader.reading.heaps import Manner, Wording


@dataclass(frozen=True, slots=True)
class LearnedReader:
    """Reads turns by a learned wording, as the facts of the spec."""

    game: HeapGame
    wording: Wording

    def read(self, text: str, *, ended: bool, wants: str = "line") -> Heard:
        """What a turn says; whatever it prints before it waits asks for a move."""
        facts = self.game.facts(self.wording.read(text, ended=ended))
        return Heard(facts, "move" if text.strip() and not ended else None, ended, wants)


def in_manner(referee: Referee, manner: Manner) -> Referee:
    """The referee, with moves typed as a program takes them."""

    def answers(state: Hashable, question: str) -> Answers:
        may = referee.answers(state, question)
        return Answers(tuple(map(manner.typed, may.legal)), tuple(map(manner.typed, may.illegal)))

    def answer(state: Hashable, question: str, text: str) -> Hashable:
        return referee.answer(state, question, manner.meant(text))

    return replace(referee, answers=answers, answer=answer, ground=referee.ground and _typed_in(referee.ground, manner))


def _typed_in(ground: Ground, manner: Manner) -> Ground:
    def typed(state: Hashable, question: str, aim: Hashable) -> str | None:
        text = ground.typed(state, question, aim)
        return None if text is None else manner.typed(text)

    return replace(ground, typed=typed)
