"""The game of one pile: its rules, the words in which programs tell it, and the referee that follows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.games.following import read
from grader.games.solving import Solver
from grader.sessions.reference import Line, ReferenceSession, load, script
from grader.spec.loader import load_assignment

ROOT = Path(__file__).parents[2]
game = load(ROOT / "reference" / "pile_nim.py")
spec = load_assignment(ROOT / "specs" / "pile-nim.yaml").spec
Position = game.Position

PROGRAM, USER = game.PROGRAM, game.USER


# ----------------------------------------------------------------------------------------------------------- the rules


def test_one_or_two_stones_may_be_taken_if_there_are_so_many() -> None:
    """Of two stones two may be taken, of one stone one, of none nothing."""
    assert [game.moves(Position(n)) for n in (0, 1, 2, 3, 100)] == [(), (1,), (1, 2), (1, 2), (1, 2)]


def test_who_takes_the_last_stone_loses() -> None:
    """The winner is the one who would be next, and there is none as long as a stone is left."""
    assert game.result(Position(3, USER), 2) == Position(1, PROGRAM)
    assert game.outcome(Position(1, PROGRAM)) is None
    assert game.outcome(game.result(Position(1, PROGRAM), 1)) == USER
    assert game.outcome(game.result(Position(2, USER), 2)) == PROGRAM


@pytest.mark.parametrize("stones", range(1, 40))
def test_the_strategy_of_the_text_is_the_best(stones: int) -> None:
    """It makes the one move that wins where there is one, and takes one stone where none wins."""
    solver = Solver(game.moves, game.result, lost=lambda _: False)
    winning = solver.winning(Position(stones))
    assert game.advised(stones) in game.moves(Position(stones))
    assert winning == ((game.advised(stones),) if stones % 3 != 1 else ())
    assert stones % 3 != 1 or game.advised(stones) == 1


# -------------------------------------------------------------------------------------------------------- the dialogue


def told(*inputs: str) -> list[str]:
    """What the reference prints in each turn."""
    return [turn.text({}) for turn in script(game.play, inputs, echo=False).turns]


def test_the_reference_plays_a_game() -> None:
    """It asks for the pile and for who begins, tells each of its moves, and names the winner."""
    assert told("5", "1", "1", "1", "1") == [
        "How many stones shall be in the pile? ",
        "Who moves first (0 = program, 1 = user)? ",
        "Stones left: 5\nHow many do you take? ",
        "Stones left: 4\nThe computer takes 1.\nStones left: 3\nHow many do you take? ",
        "Stones left: 2\nThe computer takes 1.\nStones left: 1\nHow many do you take? ",
        "You took the last stone: the computer wins.\n",
    ]
    assert told("1", "0")[-1] == "Stones left: 1\nThe computer takes 1.\nYou win!\n"


@pytest.mark.parametrize(
    ("before", "wrong", "right"),
    [((), ("0", "-1", "", "x", "²"), "1"), (("4",), ("2", "-1", "01x"), "0"), (("4", "1"), ("0", "3", "-1"), "2")],
)
def test_the_reference_asks_again(before, wrong, right) -> None:
    """An answer that is not allowed changes nothing, however often it comes."""
    question = told(*before)[-1].splitlines()[-1]
    turns = told(*before, *wrong, right)
    for turn in turns[len(before) + 1 : -1]:
        assert turn.startswith("Invalid: it must be ")
        assert turn.endswith(f"\n{question}")
    assert turns[-1] == told(*before, right)[-1]


def test_two_of_one_stone_are_refused() -> None:
    """At the last stone only one may be taken."""
    session = ReferenceSession(game.play)
    for text in ("1", "1"):
        session.answer(text)
    assert session.request == Line(legal=("1",))
    assert told("1", "1", "2", "1")[-2:] == [
        "Invalid: it must be 1 or 2, and not more than there are.\nHow many do you take? ",
        told("1", "1", "1")[-1],
    ]


# ------------------------------------------------------------------------------------------------------------- words


def heard(text: str):
    """What the referee makes of a text."""
    return game._told(read(text, spec.text, ended=False))


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("How many stones would you like to start with? ", "stones"),
        ("Enter the initial number of stones: ", "stones"),
        ("How many stones are in the pile? ", "stones"),
        ("How many stones do you want in the pile at the beginning of the game? ", "stones"),
        ("Please enter the starting number of stones (> 0): ", "stones"),
        ("What size should the pile be? Size of pile: ", "stones"),
        ("Number of stones must be greater than 0. Enter it: ", "stones"),
        ("Players take 1 or 2 stones in turn.\nHow many stones shall there be in total? ", "stones"),
        ("Welcome! You and I remove one or two stones.\nEnter a positive number of stones: ", "stones"),
        ("Who moves first (0 = program, 1 = user)? ", "first"),
        ("Who goes first?\n0 - program\n1 - user\n", "first"),
        ("Do you want to go first? (1 = yes, 0 = no) ", "first"),
        ("Who should start, me (0) or you (1)? ", "first"),
        ("Please enter 0 or 1: ", "first"),
        ("Enter 0 for the computer to begin, or 1 to begin yourself: ", "first"),
        ("First player: ", "first"),
        ("There are 7 stones left.\nHow many stones do you want to take? ", "take"),
        ("How many do you remove? ", "take"),
        ("How many stones from the pile will you take (1-2)? ", "take"),
        ("Number of stones to take: ", "take"),
        ("Take one or two: ", "take"),
        ("You must take 1 or 2 stones: ", "take"),
        ("Your turn: ", "take"),
        ("Your move? ", "take"),
        ("It's your turn! Enter 1 or 2: ", "take"),
        ("Stones you would like to remove: ", "take"),
        ("You go first!\nHow many stones will you pick up? ", "take"),
        ("I take 2. 5 stones are left in the pile. What do you take? ", "take"),
        ("Would you like to play again? ", "new-game"),
        ("Another game (y/n)? ", "new-game"),
        ("Try again: ", "again"),
        ("Invalid input! ", "again"),
        ("Enter a number: ", "some"),
        ("> ", "some"),
        ("Stones: ", "some"),
        ("What is your name? ", None),
        ("Press Enter to continue", None),
        ("Do you know the rules? (y/n) ", None),
        ("", None),
    ],
)
def test_a_question_is_known_in_many_words(text, question) -> None:
    """The question that stands last is the one that counts; what is no question of this game is none."""
    assert read(text, spec.text, ended=False).question == question


@pytest.mark.parametrize(
    ("text", "lefts"),
    [
        ("There are 7 stones left.", (7,)),
        ("There is 1 stone left in the pile.", (1,)),
        ("There are now 7 stones in the pile", (7,)),
        ("There are currently 12 stones remaining in the pile.", (12,)),
        ("There are 5 stones.", (5,)),
        ("7 stones remain.", (7,)),
        ("7 stone(s) remaining", (7,)),
        ("7 left", (7,)),
        ("There is one stone left.", (1,)),
        ("two stones are left", (2,)),
        ("Stones remaining: 7", (7,)),
        ("Remaining stones: 7", (7,)),
        ("Stones left = 7", (7,)),
        ("Stones left 7", (7,)),
        ("Stones left in the pile: 7", (7,)),
        ("Number of stones left: 7", (7,)),
        ("Stones left after your move: 7\nStones left after computer's move: 6", (7, 6)),
        ("The number of stones left is 7.", (7,)),
        ("The number of stones is now 7.", (7,)),
        ("Pile: 7", (7,)),
        ("The pile has 7 stones.", (7,)),
        ("The pile now contains 7 stones", (7,)),
        ("The pile is now at 7.", (7,)),
        ("Current pile: 7", (7,)),
        ("Number of stones in the pile: 7", (7,)),
        ("--- Stones: 7 ---", (7,)),
        ("You have 7 stones left.", (7,)),
        ("Computer takes 2, leaving 5 stones.", (5,)),
        ("The computer takes 2 stones and leaves 5.", (5,)),
        ("I take 2, so there are 5 left.", (5,)),
        ("That leaves 5 in the pile.", (5,)),
        ("We are down to 5 stones", (5,)),
        ("7 stones in the pile", (7,)),
        ("0 stones left", (0,)),
        ("There are no stones left.", (0,)),
        ("No more stones!", (0,)),
        ("The pile is empty.", (0,)),
        ("There are -1 stones left.", (-1,)),
        ("Stones remaining: -1", (-1,)),
        ("Computer took 2\nRemaining stones: 5", (5,)),
        ("Computer took 2 stones\nStones left: 5", (5,)),
        ("5 stones left. Computer takes 2. 3 stones left.", (5, 3)),
        ("Computer takes 2 stones. How many do you take? ", ()),
        ("How many stones do you take (1 or 2)? ", ()),
        ("The number must be greater than 0.", ()),
        ("You may take 1 or 2 stones.", ()),
        ("You may take 1 or 2 remaining stones.", ()),
        ("Take from the stones left: 1 or 2?", ()),
        ("There are 2 players.", ()),
        ("You have 2 choices", ()),
        ("Computer's turn: 2 stones", ()),
    ],
)
def test_what_is_left_is_known_in_many_words(text, lefts) -> None:
    """Each count is read once, and other numbers are not taken for counts."""
    assert heard(text).lefts == lefts


@pytest.mark.parametrize(
    ("text", "mine", "yours", "nobodys"),
    [
        ("Computer takes 2", (2,), (), ()),
        ("The computer removed 1 stone.", (1,), (), ()),
        ("I take two stones.", (2,), (), ()),
        ("I'll take 1.", (1,), (), ()),
        ("I will remove one stone", (1,), (), ()),
        ("I have taken 2 stones", (2,), (), ()),
        ("I take a stone.", (1,), (), ()),
        ("Computer chooses to remove 2", (2,), (), ()),
        ("The program decided to take 1 stone.", (1,), (), ()),
        ("Computer's turn.\nComputer takes 2 stones", (2,), (), ()),
        ("My turn: I take 2", (2,), (), ()),
        ("Computer's move: 2", (2,), (), ()),
        ("Computer: 2", (2,), (), ()),
        ("My move is 1", (1,), (), ()),
        ("Number of stones the computer takes: 2", (2,), (), ()),
        ("Stones taken by the computer: 2", (2,), (), ()),
        ("2 stones were removed by the computer.", (2,), (), ()),
        ("The computer took away 2 stones", (2,), (), ()),
        ("CPU picks up 2", (2,), (), ()),
        ("Your opponent takes 1 stone", (1,), (), ()),
        ("The computer takes 3", (3,), (), ()),
        ("You took 2 stones.", (), (2,), ()),
        ("You removed 1 stone. The computer removed 2 stones.", (2,), (1,), ()),
        ("Player removes 2", (), (2,), ()),
        ("Your move: 2", (), (2,), ()),
        ("Took 2 stones", (), (), (2,)),
        ("2 stones removed.", (), (), (2,)),
        ("Removing 2 stones", (), (), (2,)),
        ("Hal takes 2", (), (), (2,)),
        ("How many stones do you take? 1 / 2", (), (), ()),
        ("Will you take 1 or 2 stones?", (), (), ()),
        ("You must take 1 or 2", (), (), ()),
        ("Take 1 or 2: ", (), (), ()),
        ("You can't take 3 stones.", (), (), ()),
        ("The computer takes the first move. There are 7 stones left.", (), (), ()),
        ("Computer's turn: 5 stones left", (), (), ()),
        ("Your turn: 5 stones left", (), (), ()),
        ("Your move (1 or 2): ", (), (), ()),
        ("It is the computer's turn. There are 5 stones", (), (), ()),
    ],
)
def test_a_move_is_known_in_many_words(text, mine, yours, nobodys) -> None:
    """Who took how many stones is read, and prompts are not taken for moves."""
    said = heard(text)
    assert (said.mine, said.yours, said.nobodys) == (mine, yours, nobodys)


@pytest.mark.parametrize(
    ("text", "winners"),
    [
        ("You win!", {USER}),
        ("You have won the game.", {USER}),
        ("Congratulations, you are the winner!", {USER}),
        ("The computer loses.", {USER}),
        ("I lose.", {USER}),
        ("The winner is the user", {USER}),
        ("Winner: Player", {USER}),
        ("The loser is the computer!", {USER}),
        ("You beat the computer!", {USER}),
        ("The computer took the last stone, so you win.", {USER}),
        ("Human wins", {USER}),
        ("Computer wins!", {PROGRAM}),
        ("I win!", {PROGRAM}),
        ("You lose.", {PROGRAM}),
        ("Sorry, you lost.", {PROGRAM}),
        ("You have been beaten", {PROGRAM}),
        ("The computer has beaten you: you are the loser", {PROGRAM}),
        ("The computer beat you.", {PROGRAM}),
        ("The winner is... the computer", {PROGRAM}),
        ("GAME OVER - THE PROGRAM WON", {PROGRAM}),
        ("You took the last stone. You lose! Computer wins!", {PROGRAM}),
        ("You win! The computer wins!", {PROGRAM, USER}),
        ("Whoever takes the last stone loses.", set()),
        ("The player who takes the last stone loses the game.", set()),
        ("You took the last stone.", set()),
        ("Player 1 wins", set()),
        ("You did not win", set()),
    ],
)
def test_the_winner_is_known_from_either_side(text, winners) -> None:
    """Who wins is read, whoever is said to win or to lose; the rules of the game are not taken for a result."""
    assert heard(text).winners == winners


@pytest.mark.parametrize(
    "text",
    ["Invalid input.", "Error!", "It must be 1 or 2.", "You can't take that many.", "Please enter 0 or 1", "Try again", "That is not allowed",
     "Too many stones", "Out of range", "Wrong number", "There aren't that many stones", "Only one or two", "Has to be at least 1", "Nope!"],
)  # fmt: skip
def test_a_refusal_is_known_in_many_words(text) -> None:
    """Messages of many kinds count as such."""
    assert "refusal" in heard(text).names
