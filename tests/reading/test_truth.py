"""States by their futures."""

from grader.reading.truth import Likeness, alike, beginnings, future, states

KNOWN = {n: (*(f"{left} left" for left in range(n - 1, 0, -1)), "over") for n in range(1, 6)}


def test_the_same_future_is_the_same_state():
    """Of five fresh games one goes on like this."""
    assert states(("2 left", "1 left", "over"), KNOWN) == (3,)
    assert states(("ouch",), KNOWN) == ()


def test_a_counter_of_turns_is_no_part_of_the_state():
    """Where no future is the same in all its numbers the one counts with which most of them agree."""
    known = {n: tuple(f"turn {k}: {left} left" for k, left in enumerate(range(n, 0, -1))) for n in (3, 4)}
    assert states(("turn 5: 3 left", "turn 6: 2 left", "turn 7: 1 left"), known) == (3,)


def test_what_a_game_began_with_is_no_part_of_the_state():
    """A program that says "3 of 5 left" says 5 in the whole game: that this is so in a game of five stones tells nothing."""
    known = {
        n: (*(f"I take {1 + left % 2}: {left} of {n} left" for left in range(n - 2, 0, -2)), f"over after {n} of {n}")
        for n in range(2, 8)
    }
    seen = ("I take 2: 1 of 4 left", "over after 4 of 4")
    assert states(seen, known) == (4,)
    assert states(seen, known, beginnings(known)) == (3,)
    assert {slot.number for slot in beginnings(known)} == {0, 1, 2}


def test_what_was_taken_so_far_is_no_part_of_the_state():
    """Of two games with as many stones left the one that is under way has other totals, and further numbers of its turns."""

    def game(stones: int) -> tuple[str, ...]:
        said, mine, yours, turn = [], 0, 0, 0
        while stones > 1:
            takes = 2 if (stones - 1) % 3 == 0 else 1
            stones, mine, yours, turn = stones - 1 - takes, mine + takes, yours + 1, turn + 2
            said.append(f"turn {turn}: {stones} left, I took {mine}, you {yours}, both {mine + yours}")
        return (*said, "over")

    known = {n: game(n) for n in range(2, 9)}
    under_way = game(8)[1:]
    assert states(under_way, known) == (7,)
    assert states(under_way, known, beginnings(known)) == (6, 7)  # of either four are left after the next moves


def test_silent_games_of_the_same_length_are_not_told_apart():
    """Both are named, and more must be tried."""
    assert states(("You: ",), {1: ("You: ",), 2: ("You: ",)}) == (1, 2)


def test_what_is_said_for_ever_is_said_once():
    """A program that refuses everything has the same future however long it was asked."""
    assert future(["a", "no", "no", "no"], ended=False) == ("a", "no")
    assert future(["a", "no", "no"], ended=True) == ("a", "no", "no")


def test_futures_are_alike_in_words_or_exactly():
    """Numbers differ, words do not; another number of turns is another future."""
    assert alike(("3 left",), ("3 left",)) is Likeness.EXACT
    assert alike(("3 left",), ("4 left",)) is Likeness.WORDS
    assert alike(("3 left",), ("3 gone",)) is alike(("3 left",), ("3 left", "x")) is Likeness.NONE
