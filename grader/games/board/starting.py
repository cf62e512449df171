"""Who begins: whether the first question for a column is to different players when the program's random numbers are others."""

from __future__ import annotations

import re

from grader.games.board.account import Account
from grader.games.board.asked import COLUMN, key_of
from grader.games.board.opening import Opening
from grader.games.board.position import START, Spot
from grader.games.board.telling import Telling
from grader.reading.runs import Answers, Run, Runs

SEEDS = 16

FEWEST = 4
"""So many beginnings are looked at, even where both players were seen to begin."""

NUMBERS = ("3", "20", "37", "54", "71", "88", "105", "122", "139", "156", "173", "190")
"""What is typed where a program wants a number to shuffle with."""

_NUMBER = re.compile(r"[03-9]|\d{2,}")
"""Numbers that name no player."""

QUICK = (3, 2, 3, 2, 3, 2, 3)
"""A game that who begins wins."""


def started(runs: Runs, opening: Opening, account: Account, told: Telling) -> None:
    """Start the program from other random numbers, and with other numbers typed, until the beginner is another."""
    named = any(told.called.prompts.values())
    seen: set[tuple[str, str]] = set()
    first, number = None, 0
    for answers, seed in _beginnings(runs, opening):
        run = runs.run(answers, seed)
        if run.ending is not None:
            continue
        what = _first(opening, run, seed, named=named)
        if what is None:
            continue
        game = account.begin(run, seed)
        game.saw("begun")
        first = first or game
        seen.add(what)
        number += 1
        if len(seen) > 1 and number >= FEWEST:
            return
    if first is None or len(seen) > 1:
        return
    who = "the same player begins in every game"
    first.fault("same-start", f"{who}, with {SEEDS} different random numbers", first.run)


def _beginnings(runs: Runs, opening: Opening) -> list[tuple[Answers, int | None]]:
    """The answers and seeds with which the program is begun: other random numbers, and other numbers where they are typed."""
    found: list[tuple[Answers, int | None]] = [(opening.answers, None)]
    found += [(opening.answers, seed) for seed in range(1, SEEDS + 1)]
    for at, text in enumerate(opening.answers):
        if not re.fullmatch(r"\d+", text):
            continue
        key = key_of(runs.run(opening.answers[: at + 1]).last)
        for number in NUMBERS:
            answers = (*opening.answers[:at], number, *opening.answers[at + 1 :])
            after = runs.run(answers[: at + 1])
            if after.ending is None and (key_of(after.last)[0], key_of(after.last)[1]) == key[:2]:
                found.append((answers, None))
    return found


def _first(opening: Opening, run: Run, seed: int | None, *, named: bool) -> tuple[str, str] | None:
    """What may tell who begins: the mark of the first piece, and what is said; None where no column is asked for."""
    dialogue = opening.dialogue
    before, dialogue.seed = dialogue.seed, seed
    try:
        found = dialogue.situation(run.answers, ())
        if found is None:
            return None
        told = "".join(run.turns)
        if not named:
            told += _end(opening, run.answers, Spot(START, found.mover))
        return found.mover, _NUMBER.sub("#", told)
    finally:
        dialogue.seed = before


def _end(opening: Opening, answers: Answers, spot: Spot) -> str:
    """What is said at the end of a game that who begins wins."""
    text = ""
    for column in QUICK:
        reached = opening.dialogue.drop(answers, spot, column)
        answers, text = reached.answers, reached.run.output
        if reached.kind != COLUMN.kind:
            break
        spot = spot.after(column)
    return text
