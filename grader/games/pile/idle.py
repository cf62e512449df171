"""Programs in which no game was found: those that play none have shown nothing, and any other may want what we did not type."""

from __future__ import annotations

from grader.checks.ending import faulty
from grader.games.learn.questions import USUAL, named, offered
from grader.games.ledger import Game
from grader.games.pile.lessons import unread
from grader.games.pile.talk import ones
from grader.games.study import Study
from grader.reading.keys import key
from grader.reading.runs import Run, Runs

QUESTIONS = 5
"""So many questions a program that has no game may ask and ask again."""

SET_UP = 2
"""So many questions come before the first move; one that comes before may want a word that nobody has typed."""

HEARD = (("7", "1"), ("7", "0"), ("1", "7"), ("2", "2"), ("5", "1", "2", "1", "2", "2"))
"""What is typed at first to see whether anything depends on it, then 1 up to the end."""

LONGEST = 60
"""So many answers at most bring such a game to its end."""

UNREAD_PROGRAM = "no answer was found after which it plays a game that is longer the more stones there are"


def idle(runs: Runs) -> Study:
    """The study of a program in which no game was found: one that ends, hears nothing, or whose game nothing brings on, shows nothing.

    Any other may want an answer of which we did not think.
    """
    tried = [runs.run((*lead, *ones(10))) for lead in (("7", "1"), ("7", "0"), ("1", "7"))]
    if not heedless(runs) and not all(_ends_soon(run) or _stands_still(runs, run) for run in tried):
        return Study(obstacle=UNREAD_PROGRAM, learned=unread(tried[0]))
    games = [Game(run) for run in tried]
    for game in games:
        game.broke()
    return Study(tuple(game.followed() for game in games))


def heedless(runs: Runs) -> bool:
    """Whether a program plays to its end and says the same whatever is typed: it knows a game by heart.

    One that never ends may only want a word that nobody has typed.
    """
    played = [runs.run((*lead, *ones(LONGEST))) for lead in HEARD]
    if any(run.ending is None or faulty(run.ending) or len(run.taken) <= QUESTIONS for run in played):
        return False
    return len({run.turns for run in played}) == 1


def _ends_soon(run: Run) -> bool:
    """Whether it ends behind its first questions."""
    return run.ending is not None and len(run.taken) <= QUESTIONS


def _stands_still(runs: Runs, run: Run) -> bool:
    """Whether it takes the answers to its first questions, and then says the same after any answer."""
    turns = run.turns
    last = len(turns) - 1
    while last > 0 and turns[last] == turns[last - 1]:
        last -= 1
    if run.ending is not None or not 1 < last <= QUESTIONS or key(turns[0]) == key(turns[1]):
        return False
    if len({key(turn) for turn in turns[: last + 1]}) <= SET_UP:
        return False
    texts = dict.fromkeys((*USUAL, "3", *offered(turns[last]), *named(turns[last])))
    later = [runs.run((*run.answers[:last], text, "1", "1", "1")) for text in texts]
    return all(one.output == run.output or (one.ending is not None and faulty(one.ending)) for one in later)
