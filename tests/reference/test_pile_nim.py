"""The game of one pile: its rules, the words in which programs tell it, and the referee that follows them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from grader.games.following import drawing, follow
from grader.games.reading import Reader
from grader.games.referee import CRASH, UNREAD, of_module
from grader.games.solving import Solver
from grader.sessions.reference import Line, ReferenceSession, SpeakingReference, load, script
from grader.spec.loader import load_assignment

ROOT = Path(__file__).parents[2]
game = load(ROOT / "reference" / "pile_nim.py")
REFEREE = of_module(game, "pile_nim.py")
spec = load_assignment(ROOT / "specs" / "pile-nim.yaml").spec
READER = Reader(spec.text)
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
    return game._told(Reader(spec.text).read(text, ended=False))


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
        ("Stones in the heap?\n", "some"),
        ("Welcome to Nim.\n", None),
        ("What is your name? ", None),
        ("Press Enter to continue", None),
        ("Do you know the rules? (y/n) ", None),
        ("", None),
    ],
)
def test_a_question_is_known_in_many_words(text, question) -> None:
    """The question that stands last is the one that counts; what is no question of this game is none."""
    assert Reader(spec.text).read(text, ended=False).question == question


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
        ("[7 stones]", (7,)),
        ("7 stones\nYour turn: ", (7,)),
        ("== 7 stones ==", (7,)),
        ("It's 7 stones now.", (7,)),
        ("Stones: ooooooo (7)", (7,)),
        ("Stones: \u25cf\u25cf (2)", (2,)),
        ("- 1 stone\n- 2 stones\n", ()),
        ("Stones to take (1)", ()),
        ("Computer takes 2 stones. How many do you take? ", ()),
        ("How many stones do you take (1 or 2)? ", ()),
        ("The number must be greater than 0.", ()),
        ("You may take 1 or 2 stones.", ()),
        ("You may take 1 or 2 remaining stones.", ()),
        ("Take from the stones left: 1 or 2?", ()),
        ("I take 2 of the 5 stones left.", ()),
        ("There are 2 players.", ()),
        ("You have 2 choices", ()),
        ("Computer's turn: 2 stones", ()),
    ],
)
def test_what_is_left_is_known_in_many_words(text, lefts) -> None:
    """Each count is read once, and other numbers are not taken for counts."""
    assert heard(text).lefts == lefts


@pytest.mark.parametrize(
    "text", ["There are \u0663 stones left.", "s\u0130x stones left", "The computer takes \u0662."]
)
def test_letters_and_digits_that_only_look_alike_are_none(text) -> None:
    """What is a digit or a letter to Unicode alone is nothing that was read, and no fault of ours."""
    said = heard(text)
    assert (said.lefts, said.mine, said.numbers) == ((), (), ())


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
        ("You took the last stone and lost!", {PROGRAM}),
        ("Comp has to take the last stone and loses", {USER}),
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
     "Too many stones", "Out of range", "Wrong number", "There aren't that many stones", "Only one or two", "Has to be at least 1", "Nope!",
     "5 is neither 0 nor 1.", "I asked for 0 or 1.", "You need some stones", "Enter 0 or 1.", "No cheating"],
)  # fmt: skip
def test_a_refusal_is_known_in_many_words(text) -> None:
    """Messages of many kinds count as such."""
    assert "refusal" in heard(text).names


# ----------------------------------------------------------------------------------------------------------- the referee

STONES, FIRST, TAKE = "How many stones in the pile? ", "Who moves first (0/1)? ", "How many do you take? "
OPENING = (STONES, "7", FIRST, "1", f"There are 7 stones left. {TAKE}")
"""A game of seven stones that the user begins."""


def left(stones: int) -> str:
    """How many stones are left, and the question."""
    return f"There are {stones} stones left. {TAKE}"


def played_out(*lines: str, ends: bool = True):
    """What the referee makes of a dialogue, what the program says and what is typed in turn: faults, state and occasions."""
    state, found, seen = game.START, [], Counter()
    says, types = lines[::2], lines[1::2]
    for number, said in enumerate(says):
        last = number == len(says) - 1
        ruling = game.hear(state, READER.read(said, ended=ends and last))
        found += [fault.kind for fault in ruling.faults if fault.kind != "left"]
        seen.update(ruling.occasions)
        state = ruling.state
        stopped = any(fault.stops for fault in ruling.faults)
        if not last:
            assert not stopped, f"it follows no further than {said!r}: {ruling.faults}"
            can = game.answers(state, "")
            assert types[number] in (*can.legal, *can.illegal)
            state = game.answer(state, "", types[number])
    return found, state, seen


def ruled(*lines: str, ends: bool = True):
    """What the referee finds in a dialogue, and the state in the end."""
    return played_out(*lines, ends=ends)[:2]


def kinds(*lines: str, ends: bool = True) -> list[str]:
    """The kinds of faults in a dialogue."""
    return ruled(*lines, ends=ends)[0]


def test_a_game_without_a_fault_has_none() -> None:
    """Seven stones, the user begins and loses."""
    moves = ("2", f"I take 1. {left(4)}", "1", f"I take 2. {left(1)}", "1", "You took the last stone. You lose!")
    assert kinds(*OPENING, *moves) == []


def test_a_game_that_the_program_loses_has_none() -> None:
    """One stone, and the program begins."""
    assert kinds(STONES, "1", FIRST, "0", "There is 1 stone left. I take 1. You win!") == []


@pytest.mark.parametrize(
    "turn",
    [
        f"The computer takes 1. {TAKE}\nStones left: 4\n",
        f"There are 5 stones left.\nThe computer takes 1.\nThere are 4 stones left.\n{TAKE}",
        f"You took 2 stones. 5 stones left. The computer takes 1. {TAKE}",
        f"2 stones removed, 5 left. 1 stone removed, 4 left. {TAKE}",
        f"2 stones were taken. 1 stone was taken. 4 stones left. {TAKE}",
    ],
)
def test_a_turn_may_be_told_in_many_ways(turn) -> None:
    """The count before the program's move, after it or both, and the user's own move, may be told."""
    faults, state = ruled(*OPENING, "2", turn, ends=False)
    assert faults == []
    assert state.position == Position(4, USER)


def test_the_questions_may_come_in_either_order() -> None:
    """Who moves first may be asked before the number of stones."""
    assert kinds(FIRST, "0", STONES, "2", f"I take 1. There is 1 stone left. {TAKE}", "1", "You lose!") == []


def test_a_bare_prompt_is_the_question_that_is_due() -> None:
    """A program may ask for everything with a colon; a refusal asks for the same again."""
    opening = ("Stones: ", "0", "Wrong. : ", "3", "First: ", "1", "3 left: ")
    assert kinds(*opening, "3", "You can't. : ", "2", "I take 1. You win!") == []


def test_what_is_asked_follows_from_the_game_where_the_words_mislead() -> None:
    """Rules beside a question, and a pile in the question for a move, are no other question."""
    start = ("How many stones shall there be? You may take 1 or 2 of them in each turn. ", "7", FIRST, "1")
    odd = "There are {} stones left. How many stones from the pile? "
    assert Reader(spec.text).read(start[0], ended=False).question == "take"
    assert Reader(spec.text).read(odd, ended=False).question == "stones"
    moves = ("2", f"I take 1. {odd.format(4)}", "3", f"Invalid. {odd.format(4)}", "1")
    assert kinds(*start, odd.format(7), *moves, f"I take 2. {odd.format(1)}", ends=False) == []
    assert kinds(*start, odd.format(7), "2", f"Invalid. {odd.format(7)}", ends=False) == ["refused-take"]
    assert kinds(*OPENING, "3", f"Invalid. Let us begin once more. {STONES}", ends=False) == ["not-repeated"]


@pytest.mark.parametrize(
    ("stones", "move", "fault"),
    [
        *((9, n, [] if n == 2 else ["poor-move-0"]) for n in (0, 1, 2, 3)),
        *((10, n, [] if n == 1 else ["poor-move-1"]) for n in (1, 2, 3)),
        *((11, n, [] if n == 1 else ["poor-move-2"]) for n in (1, 2)),
    ],
)
def test_each_move_is_held_against_the_strategy(stones, move, fault) -> None:
    """One move is right for each number of stones; the fault has the remainder for its name."""
    start = (STONES, str(stones), FIRST, "0")
    assert kinds(*start, f"I take {move}. {left(stones - move)}", ends=False) == fault


@pytest.mark.parametrize(
    ("refused", "accepted", "fault"),
    [
        ((STONES, "0"), f"OK. {FIRST}", "accepted-stones"),
        ((STONES, "7", FIRST, "2"), left(7), "accepted-first"),
        ((*OPENING, "3"), f"I take 1. {left(3)}", "accepted-take"),
        ((*OPENING, "0"), f"I take 1. {left(6)}", "accepted-take"),
        ((*OPENING[:1], "1", FIRST, "1", left(1), "2"), "You took the last stone. You lose!", "accepted-too-many"),
    ],
)
def test_an_illegal_answer_is_refused_or_not(refused, accepted, fault) -> None:
    """The same question with a message is a refusal; to go on, or to end, is none."""
    question = next(text for text in (TAKE, FIRST, STONES) if text in refused[-2])
    assert kinds(*refused, f"That is not allowed. {question}", ends=False) == []
    assert kinds(*refused, "That is not allowed. Try again: ", ends=False) == []
    assert kinds(*refused, f"That is not allowed. {question}", refused[-1], f"Invalid! {question}", ends=False) == []
    assert kinds(*refused, accepted, ends="lose" in accepted) == [fault]
    assert kinds(*refused, "That is not allowed.", ends=True) == ["not-repeated"]


def test_a_refusal_has_a_message() -> None:
    """The question alone, in the words in which it was asked, is no message; other words are one, or might be."""
    assert kinds(*OPENING, "3", f"No! Take 1 or 2. {TAKE}", ends=False) == []
    assert kinds(*OPENING, "3", TAKE, ends=False) == ["no-message"]
    assert kinds(*OPENING, "3", left(7), ends=False) == ["no-message"]
    assert kinds(*OPENING, "3", "", ends=False) == ["no-message"]
    assert kinds(*OPENING, "3", f"Hm, hm. {TAKE}", ends=False) == [UNREAD]
    assert kinds(*OPENING, "3", f"Invalid. {TAKE}", "3", f"Invalid. {TAKE}", ends=False) == []
    assert kinds(*OPENING, "3", "Well: ", ends=False) == [UNREAD]
    assert kinds("Stones: ", "0", "Above 0! Stones: ", ends=False) == [UNREAD]


def test_a_game_that_goes_on_is_no_refusal_whatever_it_asks() -> None:
    """A move of the program, or a count, after an illegal answer tells that it was taken, though the question is not known."""
    assert kinds(STONES, "7", FIRST, "2", "The pile has 7 stones. You: ", ends=False) == ["accepted-first"]
    assert kinds(*OPENING, "3", "I take 1. 3 stones are left. You: ", ends=False) == ["accepted-take"]
    assert kinds(*OPENING, "3", "7 stones are left. You: ", ends=False) == [UNREAD]
    assert kinds(STONES, "7", FIRST, "2", "You: ", ends=False) == [UNREAD]


def test_a_game_goes_on_after_an_illegal_move_was_carried_out() -> None:
    """What the program accepts is taken off the pile, so that later answers can be judged."""
    faults, state = ruled(*OPENING, "3", f"I take 1. {left(3)}", "3", f"Invalid. {TAKE}", ends=False)
    assert faults == ["accepted-take"]
    assert state.position == Position(3, USER)
    assert kinds(*OPENING, "3", f"You took 3 stones. {TAKE}", ends=False) == ["accepted-take", UNREAD]
    assert kinds(*OPENING, "3", f"You took 3 stones? Invalid! {TAKE}", ends=False) == []


@pytest.mark.parametrize(
    ("asked", "answer", "again", "fault"),
    [
        ((STONES,), "1", f"At least 2, please. {STONES}", "refused-stones"),
        ((STONES, "7", FIRST), "0", f"Invalid. {FIRST}", "refused-first"),
        (OPENING, "2", f"Invalid. {TAKE}", "refused-take"),
        (OPENING, "2", f"You cannot do that. {left(7)}", "refused-take"),
    ],
)
def test_a_legal_answer_is_accepted_or_not(asked, answer, again, fault) -> None:
    """A legal answer that is refused is a fault each time, and the game goes on with another."""
    other = "1" if fault == "refused-first" else answer
    assert kinds(*asked, answer, again, ends=False) == [fault]
    assert kinds(*asked, answer, again, other, again, ends=False)[0] == fault


def test_both_questions_must_be_asked() -> None:
    """Without one of them the game is followed from what is told."""
    assert kinds(STONES, "7", left(7), "1", f"I take 2. {left(4)}", ends=False) == ["unasked-first"]
    assert kinds(STONES, "7", f"I take 1. {left(6)}", ends=False) == ["unasked-first"]
    assert kinds(FIRST, "1", left(21), "1", f"I take 1. {left(19)}", ends=False) == ["unasked-stones"]


def test_who_was_chosen_moves_first() -> None:
    """The program moves first after 0, the user after 1."""
    assert kinds(STONES, "7", FIRST, "0", left(7), ends=False) == ["wrong-begin"]
    assert kinds(STONES, "7", FIRST, "1", f"I take 1. {left(6)}", ends=False) == ["wrong-begin"]
    assert kinds(STONES, "7", FIRST, "0", f"I take 1. {left(6)}", ends=False) == []


def test_the_players_alternate() -> None:
    """A program that does not move after the user has left its turn out; if it may have moved, a person looks."""
    assert kinds(*OPENING, "2", left(5), ends=False) == ["wrong-turn"]
    assert kinds(*OPENING, "2", f"The computer's turn! {left(5)}", ends=False) == [UNREAD]
    assert kinds(*OPENING, "2", f"Now it is up to you. {TAKE}", ends=False) == [UNREAD]


@pytest.mark.parametrize(
    "turn",
    [
        f"I take 1. {left(5)}",
        f"I take 1. {left(3)}",
        f"4 stones left. 5 stones left. I take 1. {TAKE}",
        f"There are 5 stones left. I take 1. {left(5)}",
        f"There are 7 stones left. I take 1. {left(4)}",
        f"I take 1. 4 stones left. 5 stones left. {TAKE}",
        f"You took 1 stone. I take 1. {left(4)}",
        left(8),
    ],
)
def test_what_is_told_must_be_true(turn) -> None:
    """A false count is one fault, and the game goes on: no move is held against a count that may be wrong."""
    faults, state = ruled(*OPENING, "2", turn, ends=False)
    assert faults == ["wrong-count"]
    assert state.position.mover == USER
    assert kinds(*OPENING, "2", turn, "0", f"Invalid. {TAKE}", ends=False) == ["wrong-count"]


def test_a_false_count_is_held_against_what_is_true_at_that_point() -> None:
    """Before the program's move it is what the user left, after it what the program left."""

    def said(turn: str) -> list[str]:
        state = ruled(*OPENING, ends=False)[1]
        told = Reader(spec.text).read(turn, ended=False)
        return [fault.message for fault in game.hear(game.answer(state, "", "2"), told).faults]

    assert said(f"7 stones left. I take 1. {left(4)}") == ["it says that 7 stones are left, and there are 5"]
    assert said(f"5 stones left. I take 1. {left(6)}") == ["it says that 6 stones are left, and there are 4"]
    assert said(f"4 stones left. 5 stones left. I take 1. {TAKE}") == [
        "it says that 5 stones are left, and there are 4"
    ]


def test_after_a_false_count_the_program_is_followed() -> None:
    """It plays with what it shows, or with what there is: the first move that fits one of the two alone tells which."""
    six = (*OPENING, "2", f"I take 1. {left(5)}")  # there are 4
    assert ruled(*six, ends=False)[1].piles == (5, 4)
    shown = (*six, "1", f"There are 4 stones left. I take 1. {left(3)}")
    assert ruled(*shown, ends=False)[0] == ["wrong-count"]
    assert ruled(*shown, ends=False)[1].piles == (3,)
    true = (*six, "1", f"There are 4 stones left. I take 2. {left(2)}")
    assert ruled(*true, ends=False)[0] == ["wrong-count"]
    assert ruled(*true, ends=False)[1].piles == (1,)
    assert kinds(*shown, "1", f"I take 2. {left(1)}", ends=False) == ["wrong-count", "wrong-count"]
    assert kinds(*true, "1", "You lose!") == ["wrong-count"]


def test_after_a_false_count_refusals_are_judged() -> None:
    """What the program shows is where the stones must stay."""
    doubtful = (*OPENING, "2", f"I take 1. {left(5)}", "3")
    assert kinds(*doubtful, f"Invalid. {left(5)}", ends=False) == ["wrong-count"]
    assert kinds(*doubtful, TAKE, ends=False) == ["wrong-count", "no-message"]
    assert kinds(*doubtful, f"I take 1. {left(1)}", ends=False) == ["wrong-count", "accepted-take"]


def test_both_numbers_must_be_told() -> None:
    """The move must be told, and how many stones are left; a number that nothing explains may be one of them."""
    assert kinds(*OPENING, "2", left(4), ends=False) == ["untold-move"]
    assert kinds(*OPENING, "2", f"2 stones removed. {left(4)}", ends=False) == ["untold-move"]
    assert kinds(*OPENING, "2", f"I take 1. {TAKE}", ends=False) == ["untold-left"]
    assert kinds(*OPENING, "2", f"5 - 1 = 4. {left(4)}", ends=False) == [UNREAD]
    assert kinds(*OPENING, "2", f"I take 1: 5 became 4. {TAKE}", ends=False) == [UNREAD]
    assert kinds(*OPENING, "2", f"{left(4)} (1 or 2)", ends=False) == ["untold-move"]


def test_the_game_ends_with_the_last_stone() -> None:
    """Not before, and not later; what it asks after the end is its own affair."""
    near = (STONES, "2", FIRST, "1", left(2))
    assert kinds(*near, "1", "I take 1. You win!") == []
    assert kinds(*near, "1", "I take 1. You win! Play again? ", ends=False) == []
    assert kinds(*near, "1", "I take 1. You win!\nPress a key", ends=False) == []
    assert kinds(*near, "1", f"I take 1. There are 0 stones left. {TAKE}", ends=False) == ["plays-on"]
    assert kinds(*near, "1", "One stone is left. You win!") == ["untold-move"]
    assert kinds(*near, "1", "One stone is left. You lose!") == ["ended-early"]
    assert kinds(*OPENING, "2", "I take 1. Goodbye.") == ["broken-off"]
    assert kinds(STONES, "4", FIRST, "0", "I take 1. Goodbye.") == ["broken-off"]
    assert kinds(STONES, "3", FIRST, "0", "I take 1. Goodbye.") == ["poor-move-0", "ended-early"]
    assert kinds(STONES, "5", "Goodbye.") == ["broken-off"]


def test_the_winner_must_be_named() -> None:
    """Whoever did not take the last stone; words of a result that name nobody are for a person to read."""
    near = (STONES, "1", FIRST, "1", left(1), "1")
    assert kinds(*near, "You lose!") == []
    assert kinds(*near, "I win!") == []
    assert kinds(*near, "You win!") == ["wrong-winner"]
    assert kinds(*near, "Congratulations!") == ["wrong-winner"]
    assert kinds(*near, "Bye.") == ["no-winner"]
    assert kinds(*near, "Player 1 wins.") == []
    later = (STONES, "2", FIRST, "0", f"I take 1. {left(1)}", "1")
    assert kinds(*later, "You win! No, I win!") == [UNREAD]
    assert kinds(*later, "Better luck next time.") == [UNREAD]
    assert kinds(*later, "Player 1 wins.") == [UNREAD]
    assert kinds(*later, "Bye.") == ["no-winner"]


def test_what_the_referee_finds_has_a_name() -> None:
    """The referee lists every kind that the spec judges, and one that nothing judges: a game that is left."""
    judged = {kind for case in spec.cases for kind in case.faults}
    assert (judged - {CRASH}) | {"left"} == set(game.FAULTS)
    assert "left" not in judged


def test_a_refusal_is_due_after_an_illegal_answer() -> None:
    """Whoever breaks then has not refused it; after a legal answer nothing is due."""
    for answer, fault in (("2", ""), ("3", "accepted-take")):
        state = game.answer(ruled(*OPENING, ends=False)[1], "", answer)
        assert game.due(state) == fault


def occasions(*lines: str, ends: bool = True) -> Counter[str]:
    """How often each occasion came about in a dialogue."""
    return played_out(*lines, ends=ends)[2]


def test_each_occasion_is_counted_where_it_came_about() -> None:
    """A game of three stones: what was accepted, refused, moved, told and ended, each as often as it was seen."""
    opening = (STONES, "0", f"Invalid. {STONES}", "3", FIRST, "5", f"Invalid. {FIRST}", "1")
    moves = (left(3), "3", f"Invalid. {TAKE}", "1", f"I take 1. {left(1)}", "2", f"Invalid. {TAKE}", "1", "You lose!")
    assert occasions(*opening, *moves) == {
        "stones": 1, "first": 1, "begun": 1, "begin-1": 1, "bad-stones": 1, "bad-first": 1, "bad-take": 1, "bad-too-many": 1,
        "refused": 4, "message": 4, "taken": 2, "computer": 1, "turn": 1, "remainder-2": 1, "count": 2, "told": 1, "end": 1,
        "win-program": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    "lines",
    [
        ("Hello.",),
        (*OPENING[:4], "Bye."),
        (*OPENING, "1", f"Invalid. {left(7)}", "2", f"Invalid. {left(7)}", "1", "Bye."),
        (*OPENING, "1", left(7), "1", left(7), "1", "Bye."),
        (*OPENING[:4], TAKE, "1", TAKE, "1", TAKE, "1", TAKE),
        (*OPENING, "1", f"Player 2! {left(6)}", "1", f"Player 1! {left(5)}", "2", f"Player 2! {left(3)}", "1", "Bye."),
    ],
)
def test_a_program_that_plays_no_game_shows_no_move_of_the_computer(lines) -> None:
    """It ends, refuses all, takes all without effect, asks the same for ever, or lets two persons play."""
    ends = lines[-1] != TAKE
    assert not occasions(*lines, ends=ends).keys() & {"computer", "told", "win-user", "win-program", "remainder-0"}
    assert UNREAD not in kinds(*lines, ends=ends)


def test_moves_that_are_not_told_at_all_are_for_a_person_to_judge() -> None:
    """A program that asks and asks, and then names a winner, has played something."""
    assert kinds(*OPENING[:4], TAKE, "1", TAKE, "1", TAKE, "1", "You win!") == [UNREAD]


@pytest.mark.parametrize(
    ("refused", "since", "instead"),
    [
        ((STONES, "0"), "Invalid, too few.", "the program ends"),
        ((STONES, "0"), f"Invalid, too few. {FIRST}", "something else is asked"),
        ((*OPENING, "3"), "Invalid. Bye.", "the program ends"),
        ((*OPENING, "3"), f"Invalid. The game begins anew. {STONES}", "something else is asked"),
        ((*OPENING, "3"), f"Invalid, you lose your turn. I take 1. {left(6)}", "the program moves"),
        ((STONES, "1", FIRST, "1", left(1), "2"), "Invalid. I take 1. You win!", "the program moves"),
    ],
)
def test_a_request_is_repeated_after_a_wrong_answer(refused, since, instead) -> None:
    """A refusal after which the same is not asked again is one fault, whatever the answer was: the answer itself was refused."""
    found, _, seen = played_out(*refused, since, ends="?" not in since)
    assert found[0] == "not-repeated"
    assert not [kind for kind in found if kind.startswith(("accepted", "wrong-turn", "wrong-count"))]
    assert seen["refused"] == seen["message"] == 1
    state = ruled(*refused[:-1], ends=False)[1]
    told = Reader(spec.text).read(since, ended="?" not in since)
    assert instead in game.hear(game.answer(state, "", refused[-1]), told).faults[0].message


def test_a_wrong_answer_is_refused_as_often_as_it_is_typed() -> None:
    """One that is accepted when it is typed once more is one fault, whatever is asked."""
    assert kinds(*OPENING, "3", f"Invalid. {TAKE}", "3", f"I take 1. {left(3)}", ends=False) == ["accepted-second"]
    assert kinds(STONES, "7", FIRST, "5", f"Invalid. {FIRST}", "5", left(7), ends=False) == ["accepted-second"]
    state = ruled(*OPENING, "3", f"Invalid. {TAKE}", ends=False)[1]
    assert game.answers(state, "").illegal == ("3",)


def test_a_game_goes_on_where_who_begins_is_asked_in_another_way() -> None:
    """One fault for the 0 and the 1 that are not accepted: what is wanted instead is typed, and who then begins is believed."""
    asks = "Do you want to go first (y/n)? "
    start = (STONES, "7", asks, "0", f"Please answer y or n. {asks}", "1", f"Please answer y or n. {asks}")
    assert set(game.answers(ruled(*start, ends=False)[1], "").legal) == {"y", "n"}
    assert kinds(*start, "y", left(7), "2", f"I take 1. {left(4)}", ends=False) == ["refused-first"]
    assert kinds(*start, "n", f"I take 1. {left(6)}", ends=False) == ["refused-first"]


def test_what_the_question_offers_is_no_wrong_answer() -> None:
    """That 1 is the computer and 2 the user is one mistake: 2 is not typed as an answer that must be refused."""
    state = ruled(STONES, "7", "Who goes first (1 = computer, 2 = user)? ", ends=False)[1]
    assert game.answers(state, "").illegal == ("-1", "5")


def test_the_last_stone_may_be_taken_for_the_user() -> None:
    """The game ends early, which is one fault; that the winner is the right one is seen all the same."""
    lines = (STONES, "2", FIRST, "0", "I take 1. There is 1 stone left. You must take it. The computer wins!")
    assert kinds(*lines) == ["ended-early"]
    assert occasions(*lines)["win-program"] == 1
    assert kinds(*lines[:-1], "I take 1. There is 1 stone left. You win!") == ["ended-early"]


def test_a_winner_by_false_counts_is_not_charged_again() -> None:
    """A program that plays with other stones than there are names the winner of its own game."""
    lines = (STONES, "3", FIRST, "1", left(3), "2", f"I take 1. {left(1)}", "1", "You win!")
    assert kinds(*lines) == ["wrong-count"]


@pytest.mark.parametrize(
    "text",
    [
        "There are " + "9" * 5000 + " stones left. I take " + "8" * 5000 + " stones. ",
        "-" * 70_000,
        "pile: " + "o " * 33_000,
        "it " * 8_000,
        "stones left in the pile " * 1000,
        "There are \u0663 stones. \u0130 take \u00b2 stones, s\u0131x left. \u2028\u0000\ud7ff ",
    ],
    ids=["numbers of 5,000 digits", "one long line", "many blanks", "one word", "many words", "odd letters"],
)
def test_whatever_is_printed_is_heard(text) -> None:
    """No text is too long or too odd: wherever it comes the game goes on, or is left to a person."""
    for before in ((), (STONES, "7"), OPENING[:4], (*OPENING, "1"), (*OPENING, "3")):
        ruled(*before, text)
        ruled(*before, text + TAKE, ends=False)


# --------------------------------------------------------------------------------------------------- the games of the spec


def played(name: str):
    """The games of a set as the reference plays them."""
    rules = spec.games[name]
    return [
        follow(
            SpeakingReference(game.play, echo=False),
            REFEREE,
            Reader(spec.text),
            drawing(rules, n),
            start=REFEREE.start(n),
        )
        for n in range(rules.games)
    ]


@pytest.mark.parametrize("case", sorted(spec.games))
def test_the_referee_finds_no_fault_in_the_reference(case) -> None:
    """What the reference says is read rightly in every game of the spec."""
    assert [followed.faults for followed in played(case) if any(f.kind != "left" for _, f in followed.faults)] == []


@pytest.mark.parametrize("case", ["legal", "legal-more"])
def test_the_games_show_what_they_must(case) -> None:
    """Both begin, both win, and the program moves with every remainder, with the last stone of all too."""
    games = played(case)
    starts = {tuple(turn.typed.strip() for turn in one.transcript.turns[:2]) for one in games}
    said = "".join(turn.output for one in games for turn in one.transcript.turns)
    assert {first for _, first in starts} == {"0", "1"}
    assert any(stones == "1" for stones, _ in starts)
    assert said.count("You win!") >= 2
    assert said.count("the computer wins") >= 2
    before = [int(n) for n in re.findall(r"Stones left: (\d+)\nThe computer", said)]
    assert {n % 3 for n in before} == {0, 1, 2}
    assert {1, 2, 3} <= set(before)


@pytest.mark.parametrize("case", ["wrong", "wrong-more"])
def test_the_games_type_every_kind_of_illegal_answer(case) -> None:
    """Below, above, and one more than is left, at each question."""
    typed = {
        (
            next(text for text in ("Who", "take", "pile") if text in turn.output),
            turn.typed.strip(),
            "left: 1\n" in turn.output,
        )
        for one in played(case)
        for turn in one.transcript.turns[:-1]
    }
    for question, text in (("pile", "0"), ("pile", "-1"), ("Who", "2"), ("Who", "-1"), ("take", "0"), ("take", "3")):
        assert any((question, text, one_left) in typed for one_left in (True, False))
    assert ("take", "2", True) in typed
