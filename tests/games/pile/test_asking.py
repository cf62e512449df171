"""Questions that are missing in programs with a pile: one thing is left out in each small program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from grader.sessions.reference import Line, Play
from tests.games.pile.small import RIGHT, Program, kinds, study

BANNER = "***\nNIM: 1 or 2 are taken, the last one loses.\n***\n"


@dataclass(frozen=True)
class Greeting(Program):
    """A program with a banner above its first question."""

    banner: str = BANNER

    def play(self) -> Play:
        """The game."""
        yield self.banner
        yield from super().play()


class AsksAgain(Program):
    """A program that prints its questions only behind refusals."""

    def ask(self, question: str, allowed: Callable[[int], bool]) -> Play:
        """An answer that is allowed."""
        asked = ""
        while True:
            yield asked
            text = yield Line()
            if text.lstrip("-").isdigit() and allowed(int(text)):
                return int(text)
            yield self.no
            asked = question


RULES = {
    "a banner is no question": (Greeting(stones=""), {"unasked-stones"}),
    "a banner with a question below it": (Greeting(), set()),
    "a sentence that no refusal repeats": (
        Greeting(stones="", banner="How many stones shall I take?\n", no="No!\n"),
        set(),
    ),
    "a sentence without a prompt that each refusal repeats": (replace(RIGHT, stones="Type the number.\n"), set()),
    "nothing stands before who begins": (replace(RIGHT, first=" "), {"unasked-first"}),
    "both questions stand in one line": (
        replace(RIGHT, stones="Stones, and who begins (0 is me, 1 is you)? ", first=" "),
        set(),
    ),
    "a count is no question": (replace(RIGHT, take=""), {"unasked-take"}),
    "a count with a prompt": (replace(RIGHT, take="", left=lambda n: f"{n} > "), set()),
    "the same sentence before each move": (replace(RIGHT, take="Take one or two.\n"), set()),
    "only refusals bring the questions": (AsksAgain(), {"unasked-stones", "unasked-first", "unasked-take"}),
    "no prompt anywhere": (Greeting(stones="", first="", take="Your turn.\n"), {"unasked-first"}),
}


@pytest.mark.parametrize(("program", "found"), RULES.values(), ids=RULES)
def test_a_question_is_a_prompt_or_what_a_refusal_repeats(program, found):
    """A greeting and a count ask for nothing."""
    assert kinds(program.play) == found


def test_a_missing_question_is_shown_where_its_answer_is_read():
    """Each question is missed in the turn before its answer."""
    found, _ = study(replace(RIGHT, stones="", first=" ", take=" ").play)
    turns = {fault.kind: turn for game in found.games for turn, fault in game.faults}
    assert turns == {"unasked-stones": 1, "unasked-first": 2, "unasked-take": 3}
