"""Programs whose pile is always the same: they ask for no number of stones.

There are no fresh games to measure others by. So what is true is what is told, if it falls by what was typed and one or two more,
turn after turn; a program that does not tell it is not followed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from grader.games.learn.way import search
from grader.games.pile.beginning import pairs
from grader.games.pile.play import Play
from grader.games.pile.plays import Player
from grader.games.pile.rules import Rules
from grader.games.pile.talk import LARGER, USER, Part, Talk, ones
from grader.reading.keys import LEVELS, NO_KEY, key
from grader.reading.runs import Answers, Runs
from grader.reading.slots import Slot, segments
from grader.reading.truth import Future
from grader.values import dataclass

MOST_RUNS = 40
"""So many runs are made to find the way."""

TURNS = 4
"""In so many turns the number must fall."""

MOVES = ((), ("2",), ("1", "2"), ("2", "2"), ("1", "1", "2"), ("2", "1", "2"), ("2", "2", "2"))
"""The first moves of the user in the games that are played; then he takes one stone each time."""


@dataclass(frozen=True, slots=True)
class Counted:
    """How a program with a pile of its own is talked to, the slot that tells the stones, and how many it begins with."""

    talk: Talk
    slot: Slot
    stones: int


def find_fixed(runs: Runs, rules: Rules) -> Counted | None:
    """The way to a question for a move at which the number of stones that is told falls as the rules say."""
    found = search(runs, lambda answers: _falling(runs, rules, answers), MOST_RUNS)
    if found is None:
        return None
    lead, slot = found
    stones = _told(runs, lead, slot) or 0
    anew = key(runs.run(()).output) if lead else NO_KEY
    for at in range(len(lead)):
        for program, user in pairs(runs.run(lead[:at]).output):
            ours, users = (_told(runs, (*lead[:at], text, *lead[at + 1 :]), slot) for text in (program, user))
            if ours is not None and users is not None and users - ours in rules.moves(users):
                parts: tuple[str | Part, ...] = (*lead[:at], Part.FIRST, *lead[at + 1 :])
                return Counted(Talk(parts, (program, user), level=LEVELS[0], anew=anew), slot, users)
    return Counted(Talk(lead, level=LEVELS[0], anew=anew), slot, stones)


def counted_as_set(
    runs: Runs, rules: Rules, parts: tuple[str | Part, ...], firsts: tuple[str, str] | None
) -> Counted | None:
    """The same with answers before the game that a person has set; None where no number falls as the rules say."""
    first = rules.game.first
    anew = key(runs.run(()).output) if parts else NO_KEY
    asked = (firsts or (str(first.program), str(first.user))) if Part.FIRST in parts else ()
    talk = Talk(parts, asked, level=LEVELS[0], anew=anew)
    lead = talk.answers(0, USER)
    slot = _falling(runs, rules, lead)
    return None if slot is None else Counted(talk, slot, _told(runs, lead, slot) or 0)


def _told(runs: Runs, answers: Answers, slot: Slot) -> int | None:
    run = runs.run(answers)
    return told(run.output, slot) if run.ending is None else None


def told(text: str, slot: Slot) -> int | None:
    """The last number at this place of a text."""
    alike = [one.values for one in segments(text) if one.skeleton == slot.skeleton and slot.number < len(one.values)]
    return alike[-1][slot.number] if alike else None


def _falling(runs: Runs, rules: Rules, lead: Answers) -> Slot | None:
    """The slot that says after each move how many stones are left, from the first question on."""
    run = runs.run((*lead, *ones(2 * LARGER)))
    outputs = [wait.output for wait in run.waits[len(lead) : -1]][: TURNS + 1]
    # A turn may have thousands of slots: each turn is read once, and not once for each slot.
    turns = [{slot: value for one in segments(output) for slot, value in one.slots()} for output in outputs]
    for slot in turns[0] if turns else ():
        known = [turn[slot] for turn in turns if slot in turn]
        falls = [before - after - 1 for before, after in pairwise(known)]
        if len(known) > TURNS and all(fall in rules.moves(LARGER) for fall in falls):
            return slot
    return None


def told_player(runs: Runs, player: Player) -> ToldPlayer | None:
    """The same program, followed by what it tells; None where it does not tell that."""
    slot = _falling(runs, player.rules, player.talk.answers(LARGER, USER))
    return None if slot is None else ToldPlayer(runs, player.talk, player.rules, slot)


class ToldPlayer(Player):
    """Plays games with a program that lets nobody but itself begin: no fresh game shows how others must go on."""

    def __init__(self, runs: Runs, talk: Talk, rules: Rules, slot: Slot) -> None:
        super().__init__(runs, talk, rules)
        self.slot = slot

    def with_talk(self, runs: Runs, talk: Talk) -> ToldPlayer:
        """The same with what was found of the talk."""
        return ToldPlayer(runs, talk, self.rules, self.slot)

    @property
    def known(self) -> Mapping[int, Future]:
        """No fresh games."""
        return {}

    @cached_property
    def always_begins(self) -> bool:
        """Whether the program begins though the user was let."""
        usual = self.usual
        left = self.begun(usual, usual.asked[0]) if usual.asked else None
        return left is not None and left < usual.stones

    def begun(self, play: Play, at: int) -> int | None:
        """What is told at the first question for a move."""
        return self.stones(play, at, ())

    def stones(self, play: Play, at: int, likely: Sequence[int]) -> int | None:  # noqa: ARG002  what is told is all that is known
        """What is told at this wait."""
        before = max((asked for asked in play.asked if asked < at), default=play.opening - 1)
        return told(play.said(before, at), self.slot)


class CountedPlayer(ToldPlayer):
    """Plays games with a program whose pile is its own."""

    def __init__(self, runs: Runs, counted: Counted, rules: Rules) -> None:
        super().__init__(runs, counted.talk, rules, counted.slot)
        self._pile = counted.stones
        self.largest = 0

    def with_talk(self, runs: Runs, talk: Talk) -> CountedPlayer:
        """The same with what was found of the talk."""
        return CountedPlayer(runs, Counted(talk, self.slot, self._pile), self.rules)

    def play(self, stones: int, mover: int, takes: Sequence[str] = ()) -> Play:  # noqa: ARG002  it is always the same
        """A game of its own pile."""
        return super().play(self._pile, mover, takes)

    def samples(self) -> list[Play]:
        """A few games in which the user moves differently."""
        return [self.play(0, mover, takes) for takes in MOVES[:3] for mover in self.movers]

    def plan(self) -> list[tuple[int, int, tuple[str, ...]]]:
        """Games with the first moves of the user."""
        return [(0, mover, takes) for mover in self.movers for takes in MOVES]

    @property
    def tried(self) -> tuple[int, ...]:
        """Its own pile."""
        return (self._pile,)

    @property
    def short(self) -> tuple[int, ...]:
        """Its own pile."""
        return (self._pile,)
