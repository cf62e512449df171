"""The way into a program, past menus and names."""

from collections.abc import Iterator

import pytest

from grader.games.hear.runs import Runs
from grader.games.learn.questions import named, offered
from grader.games.learn.way import NATIVE, may_be_typed, search, ways
from grader.sessions.reference import Line, Play, SpeakingReference
from grader.transcript import Ending, EndingKind
from tests.scripted import runs_of


def menu() -> Play:
    """A program behind a menu, a name and a pause."""
    while (yield from asked("[P]lay\n[Q]uit\nYour choice: ")) != "p":
        yield "What?\n"
    yield "Your name: "
    yield f"Hello {(yield Line())}! "
    yield from asked("(press Enter)")
    yield from asked("Here we are: ")


def asked(question: str) -> Iterator[str | Line]:
    """The answer to a question."""
    yield question
    return (yield Line())


def test_the_way_leads_past_what_comes_before():
    """The answers that the menu offers are tried, and anything goes at the other questions."""
    made = runs_of(menu)
    answers, found = search(made, lambda typed: made.run(typed).output.endswith("Here we are: ") or None)
    assert (answers[0], len(answers), found) == ("p", 3, True)


def test_a_program_that_asks_a_thousand_things_is_given_up():
    """After so many moments that were looked at the search ends, by its cap and not by patience."""

    def endless() -> Play:
        number = 0
        while True:
            number += 1
            yield f"Question {'x' * number}? "
            yield Line()

    made = runs_of(endless)
    assert search(made, lambda _typed: None) is None
    assert made.number <= NATIVE.waits + 2


def test_what_is_offered_is_read_in_brackets_lists_and_pairs():
    """Short words only, and longer ones of a list; as they are printed, and then small."""
    assert offered("Play again? (y/n) ") == ("y", "n")
    assert offered("1) play\n2) rules\nChoice: ") == ("1", "2")
    assert offered("1=red, 2=blue: ") == ("1", "2")
    assert offered("Play X or O? ") == ("X", "O", "x", "o")
    assert offered("[N]ew game") == ("N", "n")
    assert offered("Level (normal, expert): ") == ("normal", "expert")
    assert offered("Who begins (the user or me)? ") == ()


@pytest.mark.parametrize(
    "text", ["FOUR IN A ROW\nName: ", "Warning 3 of 3\nColumn: ", "| 1 | 2 |\n| X | O |\nPlayer 1: "]
)
def test_a_title_and_a_board_offer_nothing(text):
    """Typed as a name, the A of “FOUR IN A ROW” would be that of both players."""
    assert offered(text) == ()


def test_no_two_questions_get_the_same_name():
    """Behind the same name for both nobody could tell who begins."""

    def names() -> Play:
        for number in (1, 2):
            yield from asked(f"FOUR IN A ROW. Name of player {number}: ")
        yield from asked("Here we are: ")

    made = runs_of(names)
    led = [answers for answers, run, _ in ways(made, NATIVE) if run.output == "Here we are: "]
    assert led
    assert all(one != two or one.isdigit() for one, two in led if one)


def test_words_of_a_question_may_be_what_it_wants():
    """Those of its last line, the last ones where there are many."""
    assert named("5 left.\nOpening side, machine or user: ") == ("Opening", "side", "machine", "or", "user")


class Questions(SpeakingReference):
    """A play that hangs at words, except at three of them."""

    def advance(self) -> Ending | None:
        """Wait, end or hang."""
        ending = super().advance()
        return Ending(EndingKind.TIME_LIMIT, "it hangs") if self._hangs else ending

    def send(self, text: str) -> None:
        """Hang at a word."""
        self._hangs = text.strip() not in ("y", "n", "no") and text.strip().isalpha()
        super().send(text)

    _hangs = False


def two_numbers() -> Play:
    """Questions at which any number goes."""
    yield from asked("How many? ")
    yield from asked("Which of them? ")


def numbers() -> Play:
    """Questions for numbers, and one that offers words and goes on behind nothing else."""
    yield from two_numbers()
    while (yield from asked("Sure (y/n)? ")) not in ("y", "n"):
        yield "What?\n"


@pytest.mark.parametrize(
    ("lead", "text", "before", "after"),
    [
        ((), "Bob", False, False),
        (("1",), "n", True, False),
        (("1",), "2", True, True),
        (("1",), "", True, True),
        (("1", "1"), "y", True, True),
        (("1", "1"), "no", True, True),
    ],
    ids=["it hangs", "numbers lead on", "a number", "Enter", "offered", "no number leads on"],
)
def test_a_word_goes_to_no_question_for_a_number_once_one_has_broken_the_program(lead, text, before, after):
    """It is given where it is offered, or where no number leads on: else what comes of it is no matter of the program."""
    made = Runs(lambda _seed: Questions(numbers, echo=False))
    assert may_be_typed(made, lead, text) is before
    made.run(("Ann",))
    assert may_be_typed(made, lead, text) is after


def test_a_program_that_hangs_at_words_loses_one_run_by_them():
    """Three that hang are all that a program has: looking for a way in must not use them up."""

    def for_ever() -> Play:
        while True:
            yield from two_numbers()

    made = Runs(lambda _seed: Questions(for_ever, echo=False))
    search(made, lambda _typed: None)
    hung = [then for _, _, then in made.steps() if then.ending and then.ending.kind is EndingKind.TIME_LIMIT]
    assert len(hung) == 1
