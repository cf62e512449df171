"""Answers that must be refused: games with wrong answers in them, as the rules of the program foretell them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from grader.games.pile.refusing import Refusals
from grader.games.pile.talk import USER
from grader.games.pile.wrong_answers import Judge
from grader.sessions.reference import Play
from tests.games.pile.small import RIGHT, asked, known, study


def tried(play: Callable[[], Play]) -> tuple[set[str], Counter[str]]:
    """The kinds of faults, and the occasions."""
    found = known(play)
    games = {one: found.rounds(one) for one in (found.play(n, USER) for n in range(1, 10))}
    refusals = Refusals(found, Judge(games, found.talk))
    refusals.explore()
    plays = {*found.plays, *refusals.player.plays}
    kinds = {fault.kind for one in plays for _, fault in one.faults}
    return kinds, sum((one.occasions for one in plays), Counter())


def test_a_right_program_refuses_everything_with_a_message():
    """Each kind of wrong answer was tried."""
    kinds, occasions = tried(RIGHT.play)
    assert kinds == set()
    assert {"bad-stones", "bad-first", "bad-take", "bad-too-many", "message", "refused"} <= set(occasions)


def ends_at_a_wrong_move(last: str = "That is wrong.\n") -> Play:
    """A program that ends where a move is wrong, with these last words."""
    n = yield from RIGHT.ask("Stones? ", lambda n: n > 0)
    while n > 0:
        yield f"{n} left.\n"
        take = int((yield from asked("Yours? ")))
        if take not in (1, 2) or take > n:
            yield last
            return
        n -= take
        if n > 0:
            yield f"I take {RIGHT.best(n)}.\n"
            n -= RIGHT.best(n)
    yield "Over.\n"


def checks_once(*, again: bool = True) -> Play:
    """A program that asks again once, and takes the second answer as it is; or says that the first is wrong, and takes that."""
    n = yield from RIGHT.ask("Stones? ", lambda n: n > 0)
    while n > 0:
        yield f"{n} left.\n"
        take = int((yield from asked("Yours? ")))
        if take not in (1, 2) or take > n:
            yield "Wrong!\n"
            take = int((yield from asked("Yours? ")) or "0") if again else take
        n -= take
        if n > 0:
            yield f"I take {RIGHT.best(n)}.\n"
            n -= RIGHT.best(n)
    yield "Over.\n"


def waits_after_a_refusal(message: str = "No! Press Enter. ") -> Play:
    """The right program, which waits for Enter behind each refusal."""
    game, answer = replace(RIGHT, no="\0").play(), None
    while True:
        try:
            said = game.send(answer)
        except StopIteration:
            return
        answer = None
        if said == "\0":
            yield from asked(message)
        else:
            answer = yield said


def test_a_pause_behind_a_refusal_is_no_answer():
    """The answer there is swallowed, and then the question comes again: it was refused, with a message."""
    kinds, occasions = tried(waits_after_a_refusal)
    assert kinds == set()
    assert {"bad-stones", "bad-first", "bad-take", "bad-too-many", "message", "refused"} <= set(occasions)


@pytest.mark.parametrize(
    ("play", "found"),
    [
        (replace(RIGHT, no="").play, {"no-message"}),
        (replace(RIGHT, begins="So nicht!\n").play, {"no-message"}),
        (replace(RIGHT, fewest=0).play, {"accepted-stones"}),
        (replace(RIGHT, fewest=-9).play, {"accepted-stones"}),
        (replace(RIGHT, legal=lambda take, n: take in (0, 1, 2) and take <= n).play, {"accepted-take"}),
        (replace(RIGHT, legal=lambda take, _n: take in (1, 2)).play, {"accepted-too-many"}),
        (ends_at_a_wrong_move, {"not-repeated"}),
        (lambda: ends_at_a_wrong_move(""), {"accepted-take", "accepted-too-many"}),
        (lambda: ends_at_a_wrong_move("Over.\n"), {"accepted-take", "accepted-too-many"}),
        (checks_once, {"accepted-second"}),
        (lambda: checks_once(again=False), {"accepted-take", "accepted-too-many"}),
    ],
    ids=[
        "no message",
        "the message behind right answers as well",
        "a pile of none",
        "a pile below zero",
        "nothing is taken",
        "more than is left",
        "it ends with a message",
        "it ends without a word",
        "it ends as right games do",
        "checked once",
        "taken with a message",
    ],
)
def test_each_way_of_not_refusing_is_told(play, found):
    """The answers that were accepted, those that were refused and not asked for again, and those refused once."""
    assert tried(play)[0] == found


def doubts(text: str, question: str = RIGHT.take, no: str = RIGHT.no) -> Play:
    """The right program, which says its message also behind this answer to this question, and accepts it."""
    game, answer, asks = replace(RIGHT, no=no).play(), None, ""
    while True:
        try:
            said = game.send(answer)
        except StopIteration:
            return
        answer = yield said
        if answer == text and asks == question:
            yield no
        asks = said


@pytest.mark.parametrize("take", ["1", "2"])
def test_a_message_behind_a_move_that_is_allowed_is_told_there(take):
    """Its message for -1 is right, and was called the same as after allowed answers."""
    found, _ = study(lambda: doubts(take))
    messages = {fault.message for game in found.games for _, fault in game.faults}
    stones = "1 stone" if take == "1" else "2 stones"
    assert messages == {f"{stones} may be taken, but the program says “So nicht!”"}


def test_a_message_is_not_read_as_a_move():
    """“Du nimmst 1 oder 2.” behind each 1 was read as the move of the user, which it seemed to tell each time."""
    found, _ = study(lambda: doubts("1", no="Nein, falsch. Du nimmst 1 oder 2.\n"))
    shown = [(game, turn) for game in found.games for turn, fault in game.faults if fault.kind == "no-message"]
    assert shown
    assert not any("oder" in reading for game, turn in shown for reading in game.readings[turn])


@pytest.mark.parametrize(
    ("text", "question", "purpose"),
    [
        ("1", RIGHT.first, "the answer to who moves first"),
        ("0", RIGHT.first, "the answer to who moves first"),
        ("2", RIGHT.stones, "the number of stones"),
    ],
)
def test_a_message_behind_an_allowed_answer_before_the_game_is_told_there(text, question, purpose):
    """The other answers bring no message: the right refusal of 2 was said to be as after all that are allowed."""
    found, _ = study(lambda: doubts(text, question))
    messages = {fault.message for game in found.games for _, fault in game.faults}
    assert messages == {f"{text} is allowed as {purpose}, but the program says “So nicht!”"}
