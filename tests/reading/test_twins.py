"""Whether an answer was refused, by twins, tried on programs of a few lines."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader.reading.slots import segments
from grader.reading.truth import Future, future
from grader.reading.twins import Goes, goes_on, message, put_in
from grader.sessions.reference import Line, Play
from tests.scripted import runs_of

QUESTION = "How old are you? "
ANSWERS = ("7", "8")


def program(answer_to_wrong: Callable[[str], Play]) -> Callable[[], Play]:
    """A program that asks for two ages; what it makes of a wrong one is given."""

    def play() -> Play:
        for _ in range(2):
            yield QUESTION
            age = yield Line()
            while age.startswith("-"):
                age = yield from answer_to_wrong(age)
            yield f"You are {age}.\n"
        yield "Bye.\n"

    return play


def asks_again(_age: str) -> Play:
    """Refuses."""
    yield f"No!\n{QUESTION}"
    return (yield Line())


def takes_it(age: str) -> Play:
    """Accepts."""
    yield "Hm.\n"
    return age.removeprefix("-")


def counts(_age: str) -> Play:
    """Refuses, and says how many waits there were."""
    yield f"No (turn 2)!\n{QUESTION}"
    return (yield Line())


def futures(play: Callable[[], Play], *wrong: str) -> tuple[Future, Future]:
    """What comes of the right answers without the wrong ones before them, and with these."""
    runs = runs_of(play)
    plain, twin = runs.run(ANSWERS), runs.run(put_in(ANSWERS, 0, *wrong))
    ours, theirs = ([wait.output for wait in run.waits] for run in (plain, twin))
    return future(ours[1:], ended=True), future(theirs[1 + len(wrong) :], ended=True)


def nothing(_text: str) -> list[int]:
    """No number means anything."""
    return []


def test_answers_are_put_in_before_one():
    """The one before which they stand is typed after them."""
    assert put_in(("7", "1", "1"), 1, "0", "3") == ("7", "0", "3", "1", "1")


def test_a_refusal_leaves_all_as_it_was():
    """The run goes on as its twin that was never asked twice, for one wrong answer and for several."""
    assert goes_on(*futures(program(asks_again), "-1"), nothing) is Goes.ALIKE
    assert goes_on(*futures(program(asks_again), "-1", "-5"), nothing) is Goes.ALIKE


def test_what_is_accepted_changes_what_comes():
    """The next question is answered one answer too early."""
    assert goes_on(*futures(program(takes_it), "-1"), nothing) is Goes.OTHERWISE


def test_numbers_that_mean_nothing_may_differ():
    """A program that counts turns has counted the wrong answer; what is known of its numbers must be the same."""

    def known(text: str) -> list[int]:
        return [value for one in segments(text) if one.skeleton.startswith("left") for value in one.values]

    plain, same, other = ("Turn 1.\nLeft: 5",), ("Turn 2.\nLeft: 5",), ("Turn 2.\nLeft: 4",)
    assert goes_on(plain, same, known) is Goes.ALIKE
    assert goes_on(plain, other, known) is Goes.OTHERWISE
    assert goes_on(plain, ("Bye.",), known) is Goes.OTHERWISE


def test_words_that_never_come_again_say_nothing():
    """All that we know of the numbers is the same, and the words are new each time: neither refused nor accepted."""

    def known(text: str) -> list[int]:
        return [value for one in segments(text) for value in one.values]

    plain, twin = ("Ant. 5 left", "Bee. 4 left", "Cat. 1 left"), ("Dog. 5 left", "Elk. 4 left", "Fox. 1 left")
    assert goes_on(plain, twin, known) is Goes.UNREAD
    assert goes_on(plain, twin[:2], known) is Goes.OTHERWISE
    assert goes_on(plain, twin, nothing) is Goes.OTHERWISE


@pytest.mark.parametrize(
    ("said", "usual", "is_one"),
    [
        (f"No!\n{QUESTION}", (), True),
        (QUESTION, (), False),
        (f"5 left.\n{QUESTION}", ("# left",), False),
        (f"No, 5 left.\n{QUESTION}", ("# left",), True),
        ("", (), False),
        (f"{QUESTION}{QUESTION}", (), False),
        (f"{QUESTION}!\nAgain.\n{QUESTION}", ("again",), True),
    ],
)
def test_a_message_is_what_is_neither_the_question_nor_usual(said, usual, is_one):
    """No word of it is understood."""
    assert message(said, QUESTION, usual) is is_one
