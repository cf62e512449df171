"""The way into a program, past menus and names."""

from collections.abc import Iterator

from grader.reading.opening import MOST, named, offered, search
from grader.reading.runs import Runs
from grader.sessions.reference import Line, Play, SpeakingReference


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


def runs(play) -> Runs:
    """The runs of a play."""
    return Runs(lambda _seed: SpeakingReference(play, echo=False))


def test_the_way_leads_past_what_comes_before():
    """What the menu offers is tried, and anything goes at the other questions."""
    made = runs(menu)
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

    made = runs(endless)
    assert search(made, lambda _typed: None) is None
    assert made.number <= MOST


def test_what_is_offered_is_read_in_brackets_lists_and_pairs():
    """Short words only, and longer ones of a list; as they are printed, and then small."""
    assert offered("Play again? (y/n) ") == ("y", "n")
    assert offered("1) play\n2) rules\n") == ("1", "2")
    assert offered("[N]ew game") == ("N", "n")
    assert offered("Level (normal, expert): ") == ("normal", "expert")
    assert offered("Who begins (the user or me)? ") == ()


def test_words_of_a_question_may_be_what_it_wants():
    """Those of its last line, the last ones where there are many."""
    assert named("5 left.\nOpening side, machine or user: ") == ("Opening", "side", "machine", "or", "user")
