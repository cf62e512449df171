"""Who begins: by who moves first, not by what else is printed by chance."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from grader.games.board.playing import Player
from grader.games.board.result import ruled
from grader.games.board.starting import started
from grader.games.families.fourinarow.rules import RULES
from grader.sessions.reference import Play
from tests.games.board.programs import graded, verdicts
from tests.games.board.small import Small, account, opening_of

ACCEPTED = Path(__file__).parents[3] / "fixtures" / "mips-connect4" / "accepted"

JOKES = ("Why did the disc fall? ", "Two discs walk into a bar. ", "Knock knock. ")


class Joking(Small):
    """A program with a joke drawn by chance, and a number."""

    def play(self, seed: int) -> Play:
        """A game."""
        yield f"{JOKES[seed % 3]}Today's number is {seed * 37 % 101}.\n"
        yield from super().play(seed)


class Telling(Small):
    """A program that says who begins, and gives the first mark to him."""

    def play(self, seed: int) -> Play:
        """A game."""
        names = self.names[:: -1 if seed % 2 else 1]
        yield f"{names[0]} begins.\n"
        yield from type(self)(names=names, changes=False).game()

    def game(self) -> Play:
        """The game behind that."""
        yield from super().play(0)


class Blind(Small):
    """A program that shows no board."""

    @staticmethod
    def drawn(_position: str) -> str:
        """Nothing."""
        return "\n"


class Half(Small):
    """A program that shows a board only where the first player begins."""

    def play(self, seed: int) -> Play:
        """A game."""
        yield from (Blind if seed % 2 else Small)(names=self.names).play(seed)


def faults(small: Small) -> Counter[str]:
    """The findings on who begins."""
    games = account()
    opening = opening_of(small)
    player = Player(opening, games)
    for columns, aside in RULES.games[:3]:
        player.play(columns, aside)
    told = ruled(games, opening)
    before = len(games.games)
    started(opening, games, told)
    return Counter(fault.kind for game in games.games[before:] for _, fault in game.faults)


@pytest.mark.parametrize(
    ("small", "found"),
    [
        (Small(), []),
        (Small(changes=False), ["same-start"]),
        (Joking(), []),
        (Joking(changes=False), ["same-start"]),
        (Telling(), []),
        (Small(changes=False, names=("", "")), ["unclear-start"]),
        (Half(), []),
        (Half(names=("", "")), ["unclear-start"]),
    ],
    ids=[
        "changes",
        "same",
        "joke and changes",
        "joke and same",
        "marks by beginner",
        "no names",
        "half a board",
        "half a board, no names",
    ],
)
def test_who_begins_is_told_by_who_moves_first(small, found) -> None:
    """A joke by chance makes nobody begin, and a mark that is always the first hides nobody.

    Nobody is blamed where players have no names, nor where the games of one of them cannot be read: there words alone tell who begins.
    """
    assert list(faults(small)) == found


def test_a_program_that_breaks_with_the_other_mark_is_charged() -> None:
    """Whoever chooses O gives the other player a mark that is no text; with X all is right."""
    source = (ACCEPTED / "cells-in-brackets-and-u-or-k" / "submission" / "connect4.asm").read_text()
    broken = source.replace("    la $t1, text7\n    la $t2, text6\n", "    la $t1, text7\n    li $t2, 79\n")
    assert broken != source
    assert set(verdicts(graded(broken))) == {"unbroken"}


def test_a_mark_that_is_chosen_by_number_tells_nobody() -> None:
    """Players are “Player  (X)” and “Player  (O)”, since numbers are not printed, and whoever begins has chosen X as 1."""
    source = (ACCEPTED / "mars-macros" / "submission" / "connect4.s").read_text()
    nameless = source.replace(
        "        move    $a0, %reg\n        li      $v0, PRINT_INT\n        syscall\n", "        nop\n"
    )
    assert nameless != source
    assert verdicts(graded(nameless)) == {"random-start": "needs-review", "start-read": "needs-review"}


def test_a_turn_that_passes_for_one_beginner_alone_is_charged() -> None:
    """Where player 2 begins, the turn is always his: all other games are those that player 1 begins. Words tell that either may begin."""
    source = (ACCEPTED / "players-are-called-by-their-marks" / "submission" / "connect4.s").read_text()
    passes = "other_player:\n        li      $t0, 3\n"
    assert source.count(passes) == 1
    found = verdicts(graded(source.replace(passes, passes.replace("3", "4"))))
    assert found["legal"] == "wrong-answer"
    assert found.keys().isdisjoint({"random-start", "start-read"})
