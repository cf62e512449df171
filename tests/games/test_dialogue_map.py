"""The map of a dialogue, from all runs of a program."""

from grader.games.hear.runs import Runs
from grader.games.learn.questions import END, Asked, dialogue_map
from tests.games.hear.test_runs import Adder


def test_the_map_says_what_is_asked_and_where_answers_lead():
    """Lines that differ by their numbers alone are one question; an answer that ends a program leads to the end."""
    runs = Runs(lambda _seed: Adder())
    for answers in (("1", "2", "0"), ("1", "5"), ("0",)):
        runs.run(answers)
    assert dialogue_map(runs) == (
        Asked("#", 3, (("#", ("2", "5")), (END, ("0",)))),
        Asked("start", 2, (("#", ("1",)), (END, ("0",)))),
    )
