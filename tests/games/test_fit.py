"""The joint fit: the cheapest explanation by departures and meanings."""

from __future__ import annotations

from grader.games.learn.fit import Departure, Departures, Foretold, Number, fit, meant

COSTS = {"left": 0.0, "turns": 0.35}
ENDS = Departure("end", "one", "it ends with one", "ended-early")
COUNTS = Departure("count", "twice", "it counts twice", "wrong-count")


def numbers(*pairs: tuple[int, int]) -> list[Number]:
    """Numbers at one place: what is printed, and how many are left."""
    return [Number("left", "left", value, {"left": left}) for value, left in pairs]


def foretold(wrong: dict[Departures, int]):
    """The number of wrong waits by hypothesis, 3 where none is given; ten ends are right."""
    return lambda departures, _most: Foretold(wrong.get(departures, 3), 10, list)


def test_right_rules_that_explain_all_are_the_verdict():
    """A departure that explains as much costs more."""
    found = fit((ENDS, COUNTS), foretold({(): 0, (ENDS,): 0}), COSTS)
    assert found is not None
    assert found.is_sure
    assert not found.best.departures


def test_a_departure_that_alone_explains_the_waits_is_the_diagnosis():
    """It is charged; a hypothesis with wrong waits is no rival of it."""
    found = fit((ENDS, COUNTS), foretold({(): 1, (ENDS,): 0}), COSTS)
    assert found is not None
    assert found.is_sure
    assert found.best.charges == {"ended-early"}


def test_two_explanations_with_other_charges_leave_a_program_open():
    """Nobody can say which of them it is."""
    found = fit((ENDS, COUNTS), foretold({(ENDS,): 0, (COUNTS,): 0}), COSTS)
    assert found is not None
    assert not found.is_sure
    assert len(found.rivals) == 1


def test_two_departures_are_found_together():
    """No single one explains the waits."""
    found = fit((ENDS, COUNTS), foretold({(ENDS, COUNTS): 0}), COSTS)
    assert found is not None
    assert found.best.departures == (ENDS, COUNTS)


def test_a_place_means_what_most_of_its_numbers_are():
    """One of seven is wrong: the place still tells it, and misses once."""
    right = [(n, n) for n in range(2, 8)]
    meaning = meant(numbers(*right, (5, 1)), COSTS)["left"]
    assert (meaning.name, meaning.misses) == ("left", 1)


def test_a_place_that_is_always_off_by_one_is_a_wrong_count_with_eight_values_and_not_with_seven():
    """With fewer values something else is off by chance."""
    off = [(n + 1, n) for n in range(2, 10)]
    assert meant(numbers(*off), COSTS)["left"].shift == 1
    assert meant(numbers(*off[:7]), COSTS)["left"].name == ""


def test_a_departure_is_not_believed_if_over_twice_as_many_numbers_mean_nothing_as_were_foretold():
    """A program that adds up all that is typed is no pile from which no stones are taken. Ten ends are right here."""

    def printing(odd: int):
        told = [Number("odd", "odd", 100 + n * n, {}) for n in range(odd)]
        return lambda departures, _most: Foretold(0 if departures == (ENDS,) else 3, 10, lambda: told)

    believed = [fit((ENDS,), printing(odd), COSTS).is_sure for odd in (20, 21)]  # type: ignore[union-attr]
    assert believed == [True, False]


def test_a_place_that_is_seldom_off_hinders_no_departure_where_another_place_always_tells_the_same():
    """“1 of your 3 moves were perfect” looks like the count of the stones, which stands in a line of its own."""

    def printing(*others: str):
        def foretell(departures: Departures, _most: int) -> Foretold:
            seldom = numbers(*((n, n) for n in range(2, 12)), (5, 1))
            told = [Number(place, place, n, {"left": n}) for place in others for n in range(2, 12)]
            return Foretold(0 if departures == (ENDS,) else 3, 10, lambda: [*seldom, *told])

        return foretell

    alone, beside = (fit((ENDS,), printing(*others), COSTS) for others in ((), ("count",)))
    assert alone is not None
    assert beside is not None
    assert (alone.is_sure, beside.is_sure) == (False, True)
