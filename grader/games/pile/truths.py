"""The meanings that a number of a pile program may have, with what each costs a hypothesis, and what is true of each in a step."""

from __future__ import annotations

from collections.abc import Mapping

from grader.games.pile.departures import TAKE, Moment
from grader.games.pile.rounds import AFTER, BEFORE, BETWEEN, OURS, YOURS
from grader.games.pile.talk import PROGRAM, USER

EACH, START = "each", "start"
"""The meanings of a number that tells the stones behind each move in turn, and with how many the game began."""

TYPED = "typed"
"""The meaning of “7 is too many” behind an answer before the game that was refused."""

OURS_BELOW, YOURS_BELOW = "program-below-zero", "user-below-zero"
"""The meanings of “-2”, where “7” tells what is left."""

COSTS: Mapping[str, float] = {
    AFTER: 0,
    BETWEEN: 0,
    OURS: 0,
    YOURS: 0,
    EACH: 0,
    OURS_BELOW: 0.05,
    YOURS_BELOW: 0.05,
    BEFORE: 0.1,
    START: 0.1,
    TYPED: 0.1,
    "program-before": 0.3,
    "all-of-the-user": 0.3,
    "all-of-the-program": 0.3,
    "all": 0.3,
    "most": 0.3,
    "move-of-the-user": 0.35,
    "move-of-the-program": 0.35,
    "move": 0.4,
    "next-move": 0.4,
    "player": 0.4,
    "player-from-1": 0.4,
}
"""The meanings that a number may have, with what each costs. Counters cost most: in short games they are equal to other things by chance."""


def true(moment: Moment, time: int) -> Mapping[str, int]:
    """The truths for a number in a step, by name, if its slot came so often before in the step."""
    both: list[int] = [sum(take for who, take in moment.moves if who == player) for player in (PROGRAM, USER)]
    number = [sum(who == player for who, _ in moment.moves) for player in (PROGRAM, USER)]
    mover = USER if moment.asks == TAKE else PROGRAM
    numbers = {
        AFTER: moment.after,
        BEFORE: moment.before,
        START: moment.start,
        "all-of-the-user": both[USER],
        "all-of-the-program": both[PROGRAM],
        "all": sum(both),
        "most": min(2, moment.after),
        "move-of-the-user": number[USER] + (moment.asks == TAKE),
        "move-of-the-program": number[PROGRAM],
        "move": sum(number),
        "next-move": sum(number) + 1,
        "player": mover,
        "player-from-1": mover + 1,
    }
    if moment.yours:
        numbers |= {YOURS: moment.yours, YOURS_BELOW: -moment.yours, BETWEEN: moment.between}
    if moment.ours:
        numbers[OURS] = moment.ours[min(time, len(moment.ours) - 1)]
        numbers[OURS_BELOW] = -numbers[OURS]
    # a screen that is drawn anew while the program moves still shows its move before
    takes = [take for who, take in moment.moves if who == PROGRAM]
    if len(takes) > len(moment.ours):
        numbers["program-before"] = takes[-len(moment.ours) - 1]
    if len(takes) > len(moment.ours) or len(moment.ours) > 1:
        each = (moment.between, *moment.left)
        numbers[EACH] = each[min(time, len(each) - 1)]
    return numbers
