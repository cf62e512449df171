"""Which tests a whole run has hangs on their names alone."""

from tests.chosen import is_chosen, left_out

NAMES = [f"program-{number}" for number in range(400)]


def test_about_one_of_so_many_is_chosen():
    """A tenth of four hundred names, up to what lots would differ by."""
    assert 25 <= sum(is_chosen(10, name) for name in NAMES) <= 55


def test_a_name_is_chosen_whatever_stands_beside_it():
    """One more test moves no other into a whole run or out of it, where any is chosen at all."""
    few, many = dict.fromkeys(NAMES[:200], 10), dict.fromkeys(NAMES, 10)
    assert left_out(few) == left_out(many) & few.keys()


def test_one_is_kept_where_none_is_chosen():
    """No test is left out with all of its parameters; with a share of one none is left out."""
    names = [name for name in NAMES if not is_chosen(10, name)][:5]
    assert len(left_out(dict.fromkeys(names, 10))) == 4
    assert left_out(dict.fromkeys(names, 1)) == frozenset()
