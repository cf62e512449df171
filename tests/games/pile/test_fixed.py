"""Programs with a pile of their own, followed by what they tell."""

from __future__ import annotations

from contextlib import suppress

from grader.games.pile.fitting import explained
from grader.games.pile.opening import find_fixed, fixed_as_set
from grader.games.pile.plays import Player, with_pauses
from grader.games.pile.talk import USER, Part
from grader.sessions.reference import Play
from tests.games.pile.small import RIGHT, RULES, asked, player
from tests.reference.test_floods import JOINED, within_seconds
from tests.scripted import runs_of


def twelve(tells: bool = True) -> Play:
    """A game of twelve stones, which the user begins."""
    n, mover = 12, 1
    while n:
        yield f"{n} left.\n" if tells else ""
        take = int((yield from RIGHT.ask("Yours? ", lambda take: take in (1, 2)))) if mover else RIGHT.best(n)
        n, mover = max(n - take, 0), 1 - mover
    yield "You win.\n" if mover else "I win.\n"


def test_the_pile_is_what_is_told_at_the_start():
    """A number that falls turn by turn as the rules say is what is left."""
    runs = runs_of(twelve)
    found = find_fixed(runs, RULES)
    assert found is not None
    assert found.pile == 12
    player = explained(with_pauses(Player(runs, found, RULES)))
    assert player is not None
    played = player.rounds(player.play(0, USER))
    assert [one.ours for one in played[1:-1]] == [1, 2, 2, 2]


def test_a_silent_pile_of_its_own_is_not_followed():
    """There are no fresh games to measure by, and nothing is told."""
    assert find_fixed(runs_of(lambda: twelve(tells=False)), RULES) is None


def test_a_pile_is_looked_for_behind_marks_in_time_that_grows_with_them_and_not_faster():
    """Each turn is read once, however many numbers stand in it."""

    def marked() -> Play:
        play, answer = twelve(), None
        with suppress(StopIteration):
            while True:
                piece = play.send(answer)  # type: ignore[arg-type]  # None begins it
                answer = yield JOINED + piece if isinstance(piece, str) else piece

    with within_seconds():
        find_fixed(runs_of(marked), RULES)


def test_the_way_to_it_can_be_set():
    """By a person, with what lets whom begin."""

    def behind() -> Play:
        while (yield from asked("Word? ")) != "sesame":
            yield "No.\n"
        yield from twelve()

    found = fixed_as_set(runs_of(behind), RULES, ("sesame",), None)
    assert found is not None
    assert (found.pile, found.parts) == (12, ("sesame",))
    assert fixed_as_set(runs_of(behind), RULES, ("1", Part.FIRST), None) is None


def test_a_game_that_others_do_not_go_on_like_may_be_told():
    """Any program that tells what is left can be followed by that."""
    assert player(RIGHT.play).told() is not None
