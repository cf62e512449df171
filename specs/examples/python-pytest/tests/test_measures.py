"""The tests that are given out with the lab."""

import measures
import pytest


def test_mean_of_one():
    assert measures.mean([7]) == 7


def test_mean_of_several():
    assert measures.mean([1, 2, 4]) == pytest.approx(7 / 3)


def test_mean_of_nothing():
    with pytest.raises(ValueError, match="no numbers"):
        measures.mean([])


def test_median_of_odd():
    assert measures.median([3, 5, 9]) == 5


def test_median_of_even():
    assert measures.median([3, 5, 8, 9]) == pytest.approx(6.5)


def test_median_leaves_its_list():
    numbers = [9, 3, 5]
    measures.median(numbers)
    assert numbers == [9, 3, 5]


class TestTally:
    """Tally counts how often each number was added."""

    def test_starts_empty(self):
        assert measures.Tally().count(1) == 0

    def test_adds(self):
        tally = measures.Tally()
        tally.add(1)
        assert tally.count(1) == 1

    def test_counts(self):
        tally = measures.Tally()
        for number in (1, 2, 1, 1):
            tally.add(number)
        assert (tally.count(1), tally.count(2)) == (3, 1)

    def test_most_common(self):
        tally = measures.Tally()
        for number in (4, 2, 2, 4, 9):
            tally.add(number)
        assert tally.most_common() == 2, "of numbers that are equally common it is the smallest"
