"""Programs that play by chance: the same answers do not bring the same again, so that each game is a run of its own.

All that is known of the stones is told in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grader.games.hear.runs import Runs
from grader.games.pile.beginning import pairs
from grader.games.pile.plays import Player
from grader.games.pile.talk import PROGRAM, TRIED, USER, Part, Talk

PLAYS_BY_CHANCE = (
    "the program plays by chance: the same answers bring another game; each game was judged by what it says itself"
)


def by_chance(player: Player) -> Player | None:
    """The same program, each game followed for itself; None if it does not tell how many stones are left."""
    one = player.told(chance=True)
    if one is None:
        return None
    firsts = (one.with_talk(parts=talk.parts, firsts=talk.firsts) for talk in _firsts(player.runs, player.talk))
    first = next((each for each in firsts if _lets_begin(each)), None)
    return (first or one).with_talk(proved=first is not None)


def _firsts(runs: Runs, talk: Talk) -> Iterator[Talk]:
    """The talk with each pair of answers that may choose who begins."""
    for at, part in enumerate(talk.parts):
        if part is Part.STONES:
            continue
        trial = replace(talk, parts=(*talk.parts[:at], Part.FIRST, *talk.parts[at + 1 :]))
        question = runs.run(talk.answers(TRIED[0], USER)[:at]).output
        if talk.firsts:
            yield trial
        yield from (replace(trial, firsts=pair) for pair in pairs(question))


def _lets_begin(player: Player) -> bool:
    """Whether the program has moved before the first question after the one answer, and has not after the other."""
    for stones in TRIED:
        ours, users = (player.play(stones, mover) for mover in (PROGRAM, USER))
        counts = [
            player.talk.left(play.said(play.opening - 1, play.move_waits[0])) if play.move_waits else None
            for play in (ours, users)
        ]
        if counts[1] != stones or counts[0] not in [stones - move for move in player.rules.moves(stones)]:
            return False
    return True
