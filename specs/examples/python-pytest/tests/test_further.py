"""Tests that are not given out."""

import measures
import pytest


def test_mean_of_negative_numbers():
    assert measures.mean([-1, -3]) == -2


def test_median_of_unsorted():
    assert measures.median([9, 1, 7, 5, 3]) == 5


def test_median_of_fractions():
    assert measures.median([0.5, 0.25, 0.75, 1]) == pytest.approx(0.625)


def test_tallies_are_apart():
    first, second = measures.Tally(), measures.Tally()
    first.add(1)
    assert second.count(1) == 0


def test_guard():
    """Fails on purpose: where it passes the results were made up."""
    assert measures is None
