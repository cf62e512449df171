"""The details of pages: differences in three parts, dialogues cut to a readable size."""

import pytest

from grader.report import view
from grader.report.view import Difference
from grader.results import JudgedTurn, Verdict
from tests.report.sample_grades import case, compile_error, complete, full_marks


@pytest.mark.parametrize(
    ("expected", "actual", "parts"),
    [
        ("abc", "abd", ("ab", "c", "d", "")),
        ("abcX", "abdX", ("ab", "c", "d", "X")),
        ("aa", "aaa", ("aa", "", "a", "")),
        ("", "x", ("", "", "x", "")),
        ("same", "same", ("same", "", "", "")),
    ],
)
def test_a_difference_has_three_parts(expected: str, actual: str, parts: tuple[str, str, str, str]) -> None:
    """The common beginning and end are told once, without overlap."""
    d = Difference.of(expected, actual)
    assert (d.before, d.expected, d.actual, d.after) == parts
    assert (d.before + d.expected + d.after, d.before + d.actual + d.after) == (expected, actual)


def _dialogue(count: int, differs: int | None) -> tuple[JudgedTurn, ...]:
    return tuple(JudgedTurn(f"out {n}", str(n), "other" if n == differs else None) for n in range(1, count + 1))


@pytest.mark.parametrize(("count", "shown"), [(1, 1), (110, 110), (111, 50)])
def test_a_long_dialogue_is_cut(count: int, shown: int) -> None:
    """Up to a number all turns are shown; of more the first, those around the first difference, and the last."""
    turns = view.dialogue(case("c", Verdict.WRONG_ANSWER, turns=_dialogue(count, None)))
    assert len(turns) == shown
    assert sum(turn.skipped for turn in turns) + len(turns) == count


def test_the_turn_that_differs_is_always_shown() -> None:
    """In a dialogue of a thousand turns the first that differs is shown with its neighbours, and gaps are announced."""
    judged = case("c", Verdict.WRONG_ANSWER, turns=_dialogue(1000, 500))
    turns = view.dialogue(judged)
    numbers = [turn.number for turn in turns]
    assert {1, 499, 500, 501, 1000} <= set(numbers)
    assert view.first_different(judged) == 500
    assert sum(turn.skipped for turn in turns) + len(turns) == 1000


def test_a_huge_turn_is_shown_around_its_difference() -> None:
    """The place of a difference near the end of a megabyte is shown."""
    same = "x" * 1_000_000
    (turn,) = view.dialogue(case("c", turns=(JudgedTurn(same + "WRONG", None, same + "RIGHT"),)))
    assert turn.difference is not None
    assert turn.difference.expected.startswith("RIGH")
    assert turn.difference.actual.startswith("WRON")
    assert len(turn.difference.before) < 1000


def test_a_huge_turn_without_difference_is_clipped() -> None:
    """The two ends of an expected megabyte are shown."""
    (turn,) = view.dialogue(case("c", turns=(JudgedTurn("x" * 1_000_000, None),)))
    assert len(turn.output) < view.TURN_LIMIT + 60


def test_the_bar_divides_the_maximum() -> None:
    """Earned, lost and open points add up to the maximum."""
    for grade, parts in ((full_marks(), (90, 0, 10)), (complete(), (100, 0, 0)), (compile_error(), (0, 90, 10))):
        share = view.Share.of(grade)
        assert (share.earned, share.lost, share.open) == parts
