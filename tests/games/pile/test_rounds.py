"""Games as rounds, and how many stones there were in each: by the rules that explain them, whatever the program says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.games.pile.proof import prove, shortest
from grader.games.pile.talk import PROGRAM, USER
from grader.games.pile.telling import telling
from tests.games.pile.small import RIGHT, RULES, known

SILENT = replace(RIGHT, left=lambda _n: "", takes=lambda _n: "")
LIAR = replace(RIGHT, left=lambda n: f"Es liegen {n + 3} da.\n")


@pytest.mark.parametrize("program", [RIGHT, SILENT, LIAR], ids=["tells", "tells nothing", "tells lies"])
def test_the_stones_are_known_by_the_rules(program):
    """The rules that explain all games foretell how many there are."""
    found = known(program.play)
    played = found.rounds(found.play(8, USER))
    assert [(one.before, one.yours, one.ours, one.after) for one in played[1:-1]] == [
        (8, 1, 1, 6),
        (6, 1, 1, 4),
        (4, 1, 2, 1),
    ]
    assert played[-1].over


def test_the_first_round_is_the_program_s_where_it_begins():
    """Nobody was asked before it."""
    found = known(RIGHT.play)
    first = found.rounds(found.play(9, PROGRAM))[0]
    assert (first.before, first.yours, first.ours, first.after) == (9, 0, 2, 7)
    assert first.movers == "P"


def test_a_silent_program_with_rules_of_its_own_is_known():
    """It always takes one, and says nothing."""
    found = known(replace(SILENT, best=lambda _n: 1).play)
    played = found.rounds(found.play(9, USER, ("2",)))
    assert [one.after for one in played[1:-1]] == [6, 4, 2]


def test_all_piles_are_tried_in_a_few_games():
    """The moves of the user are chosen such that numbers come that are missing, and what is told must add up to the end."""
    found = known(RIGHT.play)
    games = {play: found.rounds(play) for play in (found.play(n, USER) for n in range(1, 10))}
    learned = telling([one for played in games.values() for one in played], found.meanings)
    proof = prove(found, learned, frozenset({1, 2}))
    assert len(proof.piles) == RULES.game.plan.proved_to
    assert len(proof.games) <= 8


def test_a_liar_proves_nothing():
    """If the told numbers do not add up with the end, nothing of the long game is believed."""
    found = known(replace(LIAR, left=lambda n: f"Es liegen {n if n < 10 else n + 1} da.\n").play)
    games = {play: found.rounds(play) for play in (found.play(n, USER) for n in range(1, 10))}
    learned = telling([one for played in games.values() for one in played], found.meanings)
    assert len(prove(found, learned, frozenset()).piles) < RULES.game.plan.proved_to


def test_a_program_that_lists_its_game_at_the_end_is_seen_from_all_piles():
    """No two of its games end alike, but all numbers that it tells add up, and the game ends when it should."""

    def play():
        game, listed, answer = RIGHT.play(), [], None
        while True:
            try:
                said = game.send(answer)
            except StopIteration:
                yield f"So war es: {'; '.join(listed)}\n"
                return
            listed += [said.strip()] if isinstance(said, str) and said.startswith("Es liegen") else []
            answer = yield said

    found = known(play)
    games = {each: found.rounds(each) for each in (found.play(n, USER) for n in range(1, 10))}
    learned = telling([one for played in games.values() for one in played], found.meanings)
    assert prove(found, learned, frozenset(range(1, 10))).piles == frozenset(range(1, RULES.game.plan.proved_to + 1))


def test_a_poor_move_is_shown_from_its_own_position():
    """The shortest game that shows it begins with so many stones, and the program."""
    found = known(replace(RIGHT, best=lambda n: 2 if n % 3 == 0 or n == 41 else 1).play)
    games = {play: found.rounds(play) for play in (found.play(n, USER) for n in range(1, 10))}
    learned = telling([one for played in games.values() for one in played], found.meanings)
    proof = prove(found, learned, frozenset())
    assert {play.stones for play in shortest(found, learned, proof.poor)} == {41}
