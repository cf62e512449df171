"""Numbers in texts: where they stand."""

import pytest

from grader.games.hear.slots import Slot, key, numbered, segments, skeleton, slot_of


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("There are 5 stones left, I take 2.", [("ther are # ston left", (5,)), ("i take #", (2,))]),
        ("Pile: ooooo (5)\nYour move: ", [("pile ~o #", (5, 5)), ("your move", ())]),
        ("Il reste trois pierres !", [("il rest # pier", (3,))]),
        ("o o o o", [("~o", (4,))]),
        ("Pile: (o) (o) (o) ", [("pile ~(o)", (3,))]),
        ("Pile: (o)", [("pile ~(o)", (1,))]),
        ("[][][][]", [("~[]", (4,))]),
        ("<( o )( o )>", [("~(o)", (2,))]),
        ("Pile: [ ]", [("pile", ())]),
        ("~ ~ ~\nooo", [("~~", (3,)), ("~o", (3,))]),
        ("call() it", [("call it", ())]),
        ("桌上有二十三颗。", [("桌上有 # 颗", (23,))]),
        ("winner . . . : computer", [("winn comp", ())]),
        ("7-2=5", [("# # #", (7, 2, 5))]),
        ("\x1b[31m3\x1b[0m left", [("# left", (3,))]),
    ],
)
def test_a_text_is_clauses_with_numbers(text, clauses):
    """Digits, words and drawn marks are numbers; what is left is the same for one stone and for several."""
    assert [(one.skeleton, one.values) for one in segments(text)] == clauses


@pytest.mark.parametrize("text", ["Turn #3: 5 stones of 21 left", "Pile: ooo (3)", "Haufen: (o)(o)", "Restano nove"])
def test_a_slot_can_be_written_and_read_again(text):
    """The text that people see of a slot names it."""
    (clause,) = segments(text)
    for slot, _ in clause.slots():
        assert slot_of(clause.marked(slot.number)) == slot
    assert slot_of(text) is None
    assert slot_of("<n> of <n>") is None


def test_clauses_of_one_word_are_told_apart_by_all_of_it():
    """A rule that ends in "przegrywa" is not what is said to the loser, though both have one stem."""
    (rule,), (result,) = segments("przegrywa."), segments("Przegrałeś!")
    assert rule.skeleton == result.skeleton
    assert rule.wording != result.wording


def test_words_are_the_same_with_other_endings():
    """``stone`` and ``stones`` have the same stem."""
    assert skeleton("1 stone is left") == skeleton("7 stones is left")


def test_the_places_of_a_slot_are_counted():
    """“5”, “- 1” and “4” are two places of one slot, and one of another."""
    assert [one[1:] for one in numbered("5\n- 1\n4")] == [
        (Slot("#", 0), 0, 5),
        (Slot("#", 0), 1, 1),
        (Slot("#", 0), 2, 4),
    ]


def test_a_key_is_the_last_line_without_its_numbers():
    """The same question has the same key, whatever was said before it; more lines tell more."""
    assert key("You have 7 stones.\nHow many (1 or 2)? ") == key("You have 1 stone.\n\nHow many (1 or 2)? ")
    assert key("Who begins?\n> ", 2) != key("How many?\n> ", 2)
