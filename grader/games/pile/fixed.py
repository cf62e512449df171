"""Programs whose pile is always the same: they ask for no number of stones.

No fresh games can measure others. So the told number is the truth, if in each turn it falls by the typed number and one or two
more. A program that does not tell the number is not followed.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from grader.games.hear.runs import Answers, Runs
from grader.games.hear.slots import NO_KEY, Slot, key, slots_of
from grader.games.learn.way import search
from grader.games.pile.beginning import pairs
from grader.games.pile.rules import Rules
from grader.games.pile.talk import LARGER, USER, Part, Talk, last_number, ones

MOST_RUNS = 40
"""Maximum runs to find the way."""

TURNS = 4
"""Turns in which the number must fall."""


def find_fixed(runs: Runs, rules: Rules) -> Talk | None:
    """The way to a question for a move at which the number of stones that is told falls as the rules say."""
    outcome = search(runs, lambda answers: falling(runs, rules, answers), MOST_RUNS)
    if outcome is None:
        return None
    lead, slot = outcome
    talk = Talk(lead, anew=key(runs.run(()).output) if lead else NO_KEY, slot=slot)
    for at in range(len(lead)):
        for program, user in pairs(runs.run(lead[:at]).output):
            ours, users = (_stones(runs, (*lead[:at], text, *lead[at + 1 :]), slot) for text in (program, user))
            if ours is not None and users is not None and users - ours in rules.moves(users):
                parts: tuple[str | Part, ...] = (*lead[:at], Part.FIRST, *lead[at + 1 :])
                return replace(talk, parts=parts, firsts=(program, user), pile=users)
    return replace(talk, pile=_stones(runs, lead, slot) or 0)


def fixed_as_set(
    runs: Runs, rules: Rules, parts: tuple[str | Part, ...], firsts: tuple[str, str] | None
) -> Talk | None:
    """The same with answers before the game that a person has set; None if no number falls as the rules say."""
    first = rules.game.first
    answers = (firsts or (str(first.program), str(first.user))) if Part.FIRST in parts else ()
    talk = Talk(parts, answers, anew=key(runs.run(()).output) if parts else NO_KEY)
    lead = talk.answers(0, USER)
    slot = falling(runs, rules, lead)
    return None if slot is None else replace(talk, slot=slot, pile=_stones(runs, lead, slot) or 0)


def _stones(runs: Runs, answers: Answers, slot: Slot) -> int | None:
    run = runs.run(answers)
    return last_number(run.output, slot) if run.ending is None else None


def falling(runs: Runs, rules: Rules, lead: Answers, since: int = 0) -> Slot | None:
    """The slot that says after each move how many stones are left, from the first question on, or ``since`` so many later."""
    run = runs.run((*lead, *ones(2 * LARGER)))
    outputs = [wait.output for wait in run.waits[len(lead) : -1]][since : since + TURNS + 1]
    # A turn may have thousands of slots: each turn is read once, and not once for each slot.
    turns = [dict(slots_of(output)) for output in outputs]
    for slot in turns[0] if turns else ():
        values = [turn[slot] for turn in turns if slot in turn]
        falls = [before - after - 1 for before, after in pairwise(values)]
        if len(values) > TURNS and all(0 < fall <= rules.most + 1 for fall in falls):  # some take three
            return slot
    return None
