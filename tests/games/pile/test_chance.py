"""Programs that play by chance: each game is followed for itself, by what it says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random, SystemRandom

import pytest

from grader.games.pile.exploring import UNSTEADY
from grader.games.pile.plays import PLAYS_BY_CHANCE
from grader.sessions.reference import Line, Play
from tests.games.pile.small import RIGHT, Program, kinds, study

DRAWN = SystemRandom()


def any_move(n: int) -> int:
    """One stone or two, as it comes, of as many as there are."""
    return DRAWN.choice((1, 2)[:n])


POOR = {"poor-move-0", "poor-move-1", "poor-move-2"}


class Drawing:
    """The small program with a computer that plays as it comes, and takes what it says that it takes."""

    def __init__(self, **changed: object) -> None:
        self._program = replace(RIGHT, **changed)  # type: ignore[arg-type]
        self._best: Callable[[int], int] = self._program.best if "best" in changed else any_move

    def play(self) -> Play:
        """The game."""
        moves: dict[int, int] = {}
        program = replace(self._program, best=lambda n: moves.setdefault(n, self._best(n)))
        yield from program.play()


def good_where_it_can_win(n: int) -> int:
    """The move of the strategy, and any where the program cannot win."""
    return any_move(n) if n % 3 == 1 else RIGHT.best(n)


def test_a_program_that_plays_by_chance_where_it_cannot_win_is_judged_but_for_that():
    """It loses what its poor moves cost, and its table and its remark say that it plays by chance."""
    found, _ = study(Drawing(best=good_where_it_can_win).play)
    assert not found.obstacle
    assert found.notes == {"by-chance": PLAYS_BY_CHANCE}
    assert {fault.kind for game in found.games for _, fault in game.faults} == {"poor-move-1"}


def test_all_that_is_judged_of_others_comes_about():
    """Each kind of wrong answer is tried, and each remainder seen several times."""
    found, _ = study(Drawing().play)
    seen = sum((Counter(game.occasions) for game in found.games), Counter())
    assert {"bad-stones", "bad-first", "bad-take", "bad-too-many", "message", "win-user", "win-program"} <= set(seen)
    assert all(seen[f"remainder-{number}"] >= 5 for number in range(3))


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, set()),
        ({"fewest": -9}, {"accepted-stones"}),
        ({"legal": lambda take, n: take in (0, 1, 2) and take <= n}, {"accepted-take"}),
        ({"legal": lambda take, n: 0 < take <= 3 and take <= n}, {"accepted-take"}),
        ({"legal": lambda take, _n: take in (1, 2)}, {"accepted-too-many"}),
        ({"no": ""}, {"no-message"}),
        ({"ends": RIGHT.ends[::-1]}, {"wrong-winner"}),
        ({"first": ""}, {"unasked-first"}),
    ],
    ids=[
        "nothing",
        "negative stones",
        "no stone taken",
        "three taken",
        "too many taken",
        "no message",
        "winner",
        "first",
    ],
)
def test_a_mistake_beside_chance_is_charged_for_itself(changed, expected):
    """What it tells of its own next question is enough to see it."""
    assert kinds(Drawing(**changed).play) - POOR == expected


def test_one_stone_may_be_told_in_another_form():
    """“There is 1 here.” tells what “There are 2 here.” tells; the program was left to a person."""
    assert kinds(Drawing(left=lambda n: f"There {'is' if n == 1 else 'are'} {n} here.\n").play) - POOR == set()


def test_another_name_in_each_game_changes_no_question():
    """A question may have other words in each game of a program that plays by chance."""
    names = Random(0)

    def named_by_lot() -> Play:
        name = names.choice(("Ada", "Babbage", "Curie", "Dijkstra", "Erdős", "Fermat"))
        yield from replace(RIGHT, first=f"Who starts (0 = {name}, 1 = you)? ").play()

    assert kinds(named_by_lot) == set()


WORDS = ("a single stone", "a pair of stones")


class Echoes(Program):
    """A program that also tells the moves of the user in words."""

    def ask(self, question: str, allowed: Callable[[int], bool]) -> Play:
        """An answer that is allowed."""
        answer = yield from super().ask(question, allowed)
        if question == self.take:
            yield f"You pick {WORDS[answer - 1]}.\n"
        return answer


def test_moves_in_words_are_told_whatever_the_name_of_the_program():
    """“Ada picks a pair of stones.” is said in a few games only, and “You pick a pair of stones.” in others."""
    names = Random(0)

    def named_by_lot() -> Play:
        name = names.choice(("Ada", "Babbage", "Curie", "Dijkstra", "Erdős", "Fermat"))
        yield from Echoes(takes=lambda n: f"{name} picks {WORDS[n - 1]}.\n").play()

    assert kinds(named_by_lot) == set()


def test_a_program_that_says_never_how_many_stones_are_left_waits_for_a_person():
    """Nothing else would tell what came of an answer."""
    found, _ = study(Drawing(left=lambda _n: "").play)
    assert found.obstacle == UNSTEADY


def test_a_wrong_move_that_is_taken_once_it_is_typed_twice_is_charged():
    """A wrong answer that is refused is typed twice in another game."""
    found = kinds(_takes_the_second)
    assert found - POOR == {"accepted-second"}


def _takes_the_second() -> Play:
    n = yield from RIGHT.ask("Stones? ", lambda n: n > 0)
    mover = yield from RIGHT.ask("Who begins (0 = I, 1 = you)? ", lambda n: n in (0, 1))
    while n > 0:
        yield f"{n} left.\n"
        move = any_move(n)
        if mover:
            yield "Yours? "
            move = int((yield Line()))
            if move not in (1, 2) or move > n:
                yield "No.\nYours? "
                move = int((yield Line()))
            if move > n:
                yield f"There are {n}.\nYours? "
                move = int((yield Line()))
        else:
            yield f"I take {move}.\n"
        n -= move
        mover = 1 - mover
    yield "You win!\n" if mover else "I win!\n"
