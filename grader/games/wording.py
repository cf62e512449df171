"""A referee and a reader for a program that talks a game over in words of its own, by what was learned of them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from grader.games.following import Reads
from grader.games.ground import Ground
from grader.games.referee import Answers, Fault, HeapGame, Heard, Referee, Ruling
from grader.reading.heaps import Manner, Wording
from grader.values import dataclass

MOVED = "moved"
"""The occasion of a legal move that was carried out, by which each referee of heaps calls it."""


@dataclass(frozen=True, slots=True)
class LearnedReader:
    """Reads turns by a learned wording, as the facts of the spec; what of them was not learned by its patterns."""

    game: HeapGame
    wording: Wording
    patterns: Reads

    def read(self, text: str, *, ended: bool, wants: str = "line") -> Heard:
        """What a turn says; whatever it prints before it waits asks for a move."""
        facts = self.game.facts(self.wording.read(text, ended=ended))
        known = {fact.name for fact in facts}
        usual = self.patterns.read(text, ended=ended, wants=wants).facts if ended else ()
        facts = (*facts, *(fact for fact in usual if fact.name in self.game.usual and fact.name not in known))
        return Heard(facts, "move" if text.strip() and not ended else None, ended, wants)


def in_manner(referee: Referee, manner: Manner) -> Referee:
    """The referee, with moves typed as a program takes them."""

    def answers(state: Hashable, question: str) -> Answers:
        may = referee.answers(state, question)
        return Answers(tuple(map(manner.typed, may.legal)), tuple(map(manner.typed, may.illegal)))

    def answer(state: Hashable, question: str, text: str) -> Hashable:
        return referee.answer(state, question, manner.meant(text))

    def hear(state: Hashable, heard: Heard) -> Ruling:
        ruling = referee.hear(state, heard)
        moved = MOVED in ruling.occasions
        return replace(ruling, faults=(*ruling.faults, wants_enter)) if moved else ruling

    kind = referee.heaps.enter if referee.heaps and manner.enter else ""
    wants_enter = Fault(kind, "after a move it waits for Enter")
    heard = hear if kind else referee.hear
    return replace(
        referee, hear=heard, answers=answers, answer=answer, ground=referee.ground and _typed_in(referee.ground, manner)
    )


def _typed_in(ground: Ground, manner: Manner) -> Ground:
    def typed(state: Hashable, question: str, aim: Hashable) -> str | None:
        text = ground.typed(state, question, aim)
        return None if text is None else manner.typed(text)

    return replace(ground, typed=typed)
