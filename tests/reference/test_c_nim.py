"""The rules of three heaps, the transcript that plays them, and the referee that hears others play."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from grader.games.event import Begins, Event, Named, Score, Told
from grader.games.follow.following import Followed, Reader, Rulings, drawing, follow, repeating
from grader.games.heaps.departures import departures
from grader.games.heaps.moving import Move, Position, allowed, legal
from grader.games.heaps.own_rules import conducted, departed
from grader.games.referee import UNREAD, Referee, of_module
from grader.sessions.reference import SpeakingReference, load, script
from grader.spec.expectations import ENTER
from grader.spec.kinds.runs import GameSet
from grader.spec.loader import load_assignment
from tests.scripted import ENDED, Scripted

ROOT = Path(__file__).parents[2]
rules = load(ROOT / "reference" / "c_nim")
REFEREE = of_module(rules, "c_nim")
TEXT = load_assignment(ROOT / "specs" / "c-nim.yaml").spec.text
READER = Reader(TEXT)
move_of = rules.turns.move_of

SAMPLE = ("c2", "B2", "D4", "c2", "c1", "b1", "b1", "Y", "a5", "b3", "p", "n")
"""What is typed in the sample run of the assignment."""

USER_WINS = ("c2", "C1", "b1", "B1", "b1", "B1")
"""The only game that the user wins against a perfect computer."""


class Talking(SpeakingReference):
    """The reference as it speaks, with ``said`` to change each of its turns."""

    def __init__(self, said: Callable[[str], str] = str) -> None:
        super().__init__(rules.play, echo=False)
        self._said = said

    def take_output(self) -> bytes:
        """What the reference prints, changed."""
        return self._said(super().take_output().decode()).encode()


def board(player: int, a: int, b: int, c: int) -> str:
    """The head of a turn as the sample run shows it."""
    return f"\nPlayer {player}\nHeaps:\nA: {a}\nB: {b}\nC: {c}\n"


ASK = "Enter the letter of the heap and number of stones to remove: "
AGAIN = "\nDo you want to play again? (y/n) "
FIRST = "Player 1 goes first this time!\n" + board(1, 5, 4, 3) + ASK


def scores(user: int, computer: int) -> str:
    """The scoreboard."""
    return f"\n* * * * *\nCurrent Score:\nPlayer 1 (Human): {user}\nPlayer 2 (Computer): {computer}\n"


def heard(turns: tuple[str, ...], typed: tuple[str, ...], *, ends: bool = False) -> tuple[str, ...]:
    """The kinds of faults in a scripted dialogue; the last turn is heard without an answer."""
    return kinds(follow(Scripted(*turns, ending=ENDED if ends else None), Rulings(REFEREE, READER), repeating(typed)))


def kinds(followed: Followed) -> tuple[str, ...]:
    """The kinds of faults, in their order."""
    return tuple(fault.kind for _, fault in followed.faults)


def messages(turns: tuple[str, ...], typed: tuple[str, ...]) -> list[str]:
    """What is said of the faults in a scripted dialogue."""
    return [
        fault.message
        for _, fault in follow(Scripted(*turns, ending=None), Rulings(REFEREE, READER), repeating(typed)).faults
    ]


def told(inputs: tuple[str, ...]) -> str:
    """The whole dialogue of the reference as a terminal shows it."""
    turns = script(rules.play, inputs, echo=False).turns
    return "".join(turn.text({}) + (turn.typed or "") for turn in turns)


# ------------------------------------------------------------------------------------------------------------ the rules


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("c2", (2, 2)),
        ("C2", (2, 2)),
        (" c 2 ", (2, 2)),
        ("c02", (2, 2)),
        ("c-1", (2, -1)),
        ("a10", (0, 10)),
        ("d4", (3, 4)),
    ],
)
def test_a_typed_move_is_a_letter_and_a_number(typed: str, move: Move) -> None:
    """Case and blanks do not matter."""
    assert move_of(typed) == move


@pytest.mark.parametrize("typed", ["", "c", "2", "2c", "cc2", "c2.5", "c٣"])
def test_what_is_no_letter_and_number_is_no_move(typed: str) -> None:
    """Neither half alone, nor the wrong way round, nor digits of other scripts."""
    assert move_of(typed) == rules.turns.NO_MOVE


# ------------------------------------------------------------------------------------------------------- the transcript


def test_the_sample_run_is_played() -> None:
    """The moves of the computer, the refusals and the scores are those of the assignment."""
    text = told(SAMPLE)
    assert text.startswith("Welcome to the Ancient Game of Nim\nPlayer 1 is you (the human)\n")
    assert [line for line in text.splitlines() if line.startswith("COMPUTER")] == [
        *["COMPUTER moves a1"] * 5,
        "COMPUTER moves b1",
        "COMPUTER moves c3",
    ]
    assert text.count("Illegal move! Try again.\n\nPlayer 1\n") == 2
    assert text.endswith(
        "C: 3\nCOMPUTER moves c3\nPlayer 2 wins!\n"
        + scores(0, 2)
        + AGAIN
        + "p\nBad input! Try again.\n"
        + AGAIN
        + "n\n"
    )
    assert script(rules.play, SAMPLE, echo=False).ends


def test_the_loser_starts_the_next_game() -> None:
    """After a game of the user the computer moves first; after one of the computer the user does."""
    text = told((*USER_WINS, "y"))
    assert "Player 1 wins!\n" + scores(1, 0) + AGAIN + "y\nPlayer 2 goes first this time!\n" in text
    assert text.endswith(board(2, 5, 4, 3) + "COMPUTER moves c2\n" + board(1, 5, 4, 1) + ASK)
    assert "Player 2 wins!\n" + scores(0, 1) + AGAIN + "y\nPlayer 1 goes first" in told(("a5", "b3", "y"))


@pytest.mark.parametrize("answer", ["n", "N"])
def test_the_program_ends_on_no(answer: str) -> None:
    """Either n ends it; either y and any other letter do not."""
    assert script(rules.play, ("a5", "b3", answer), echo=False).ends
    for other in ("y", "Y", "p"):
        assert not script(rules.play, ("a5", "b3", other), echo=False).ends


@pytest.mark.parametrize("typed", ["d1", "a0", "a-1", "a6", "b5", "c4", "nonsense"])
def test_an_illegal_move_is_refused(typed: str) -> None:
    """The heaps are shown as they were, and the same is asked again."""
    assert told((typed,)).endswith(f"{typed}\nIllegal move! Try again.\n{board(1, 5, 4, 3)}{ASK}")


# --------------------------------------------------------------------------------------------------------- the referee


def test_it_is_a_referee() -> None:
    """It has all parts of one, and names each kind of fault once."""
    assert REFEREE.faults == rules.FAULTS
    assert set(rules.OCCASIONS_OF) == set(rules.FAULTS)
    assert len(set(rules.FAULTS)) == len(rules.FAULTS)


@pytest.mark.parametrize("illegal", ["0", "1/3", "1"])
def test_the_reference_has_no_fault(illegal: str) -> None:
    """Forty matches of legal and illegal answers are followed to their end without a fault."""
    game = GameSet.model_validate({"games": 40, "seed": 5, "illegal": illegal, "inputs": 40})
    for number in range(game.games):
        assert kinds(follow(Talking(), Rulings(REFEREE, READER), drawing(game, number))) == ()


def test_users_play_every_second_game_well() -> None:
    """The first game of one match is played at random, that of the next well; every legal move may be typed in both."""
    first, second = rules.STARTS
    for match, well in ((first, False), (second, True), (first._replace(own=first.own._replace(games=1)), True)):
        answers = rules.answers(match._replace(possible=((5, 4, 3),)), "move").legal
        moves = {*map(rules.turns.say, legal((5, 4, 3)))}
        assert set(answers) == moves | {move.upper() for move in moves}
        assert (answers.count("c2") > len(answers) / 3) is well


def test_illegal_answers_are_illegal_everywhere() -> None:
    """Wherever the user may be asked, what must be refused is no legal move, and each kind of it occurs."""
    for heaps in filter(any, product(range(6), range(5), range(4))):
        match = rules.START._replace(possible=(heaps,))
        wrong = rules.answers(match, "move").illegal
        reasons = {rules.answer(match, "move", text).wrong for text in wrong}
        assert reasons == {"letter", "zero", "negative", "too-many"}


CHANGED = {
    "no-starter": ("Player 1 goes first this time!\n", ""),
    "no-board": ("B: 2\nC: 1\nCOMPUTER", "COMPUTER"),
    "untold-move": ("COMPUTER moves a1\n", ""),
    "no-winner": ("Player 2 wins!\n", ""),
    "no-score": ("Player 1 (Human): 0\n", ""),
    "wrong-score": ("(Computer): 1", "(Computer): 7"),
    "wrong-winner": ("Player 2 wins!", "Player 1 wins!"),
    "wrong-starter": ("Player 1 goes first", "Player 2 goes first"),
    "no-message": ("Illegal move! Try again.\n", ""),
    "wrong-board": ("B: 2\n", "B: 0\n"),
    "wrong-start": ("A: 5\nB: 4\nC: 3\nEnter", "A: 3\nB: 4\nC: 5\nEnter"),
}


@pytest.mark.parametrize("kind", CHANGED)
def test_what_is_told_must_be_true(kind: str) -> None:
    """The reference with one of its lines changed has just that fault; unchanged it has none."""
    before, after = CHANGED[kind]
    assert kinds(follow(Talking(), Rulings(REFEREE, READER), repeating(SAMPLE))) == ()
    changed = follow(Talking(lambda text: text.replace(before, after)), Rulings(REFEREE, READER), repeating(SAMPLE))
    assert kind in kinds(changed)
    if kind != "wrong-start":  # the game that is played has other heaps than those that are told
        assert set(kinds(changed)) == {kind}


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (board(2, 5, 4, 1) + "COMPUTER moves a1\n" + board(1, 4, 4, 1) + ASK, ()),
        (board(2, 5, 4, 1) + "COMPUTER moves A 1\n" + board(1, 4, 4, 1) + ASK, ()),
        ("COMPUTER moves a1\n" + board(1, 4, 4, 1) + ASK, ("no-board",)),
        (board(2, 5, 4, 1) + "COMPUTER moves a1\n" + ASK, ("no-board",)),
        (board(2, 5, 4, 1) + board(1, 4, 4, 1) + ASK, ("untold-move",)),
        (board(1, 4, 4, 1) + ASK, ("no-board", "untold-move")),
        (board(2, 5, 4, 1) + board(2, 4, 4, 1) + "COMPUTER moves a1\n" + board(1, 4, 4, 1) + ASK, ()),
        ("A: 5 B: 4 C: 1\nI took 1 stone from heap A.\nA: 4 B: 4 C: 1\nYour move: ", ()),
        ("COMPUTER moves a1\n" + ASK, ("no-board",)),
        (board(2, 5, 4, 1) + "COMPUTER moves b1\n" + board(1, 5, 3, 1) + ASK, ("wrong-stall",)),
        (board(2, 5, 4, 1) + "COMPUTER moves a2\n" + board(1, 3, 4, 1) + ASK, ("wrong-stall",)),
        (board(2, 5, 4, 1) + "COMPUTER moves a6\n" + board(1, 0, 4, 1) + ASK, ("illegal-move",)),
        (board(2, 5, 4, 1) + "COMPUTER moves a0\n" + board(1, 5, 4, 1) + ASK, ("illegal-move",)),
        (board(2, 5, 4, 1) + "COMPUTER moves d1\n" + board(1, 5, 4, 1) + ASK, ("illegal-move",)),
        (board(2, 5, 4, 1) + "COMPUTER moves a1\n" + board(1, 5, 3, 1) + ASK, ("wrong-board",)),
        (board(2, 4, 4, 1) + "COMPUTER moves b1\n" + board(1, 4, 4, 1) + ASK, ("wrong-board",)),
        (board(2, 5, 4, 1) + "COMPUTER moves a1\n" + board(1, 3, 4, 1) + ASK, ("wrong-board",)),
        (board(2, 5, 4, 1) + board(1, 5, 4, 1) + ASK, ("illegal-move",)),
        (ASK, ("no-board",)),
        ("Illegal move! Try again.\n" + board(1, 5, 4, 3) + ASK, ("refused-legal",)),
        (board(1, 5, 4, 3) + ASK, ("refused-legal",)),
        (
            "Illegal move!\n" + board(2, 5, 4, 1) + "COMPUTER moves a1\n" + board(1, 4, 4, 1) + ASK,
            ("refused-legal",),
        ),
        ("Player 2 wins!\n" + scores(0, 1) + AGAIN, ("ended-early",)),
        (AGAIN, ("ended-early",)),
        (board(2, 5, 4, 1).replace("B: 4", "B: 4\nB: 4") + "COMPUTER moves a1\n" + board(1, 4, 4, 1) + ASK, ()),
        (board(1, 5, 4, 3) + board(2, 5, 4, 1) + "COMPUTER moves a1\n" + board(1, 4, 4, 1) + ASK, ()),
        (board(1, 5, 4, 2) + board(2, 5, 4, 1) + "COMPUTER moves a1\n" + board(1, 4, 4, 1) + ASK, ("wrong-board",)),
        (
            board(2, 5, 4, 1) + "COMPUTER moves a1\n" + board(1, 4, 4, 1) + "Illegal move!\n" + board(1, 4, 4, 1) + ASK,
            ("read-twice",),
        ),
        (
            board(2, 5, 4, 1) + "COMPUTER moves a1\nIllegal move!\n" + board(1, 4, 4, 1) + ASK,
            ("refused-legal",),
        ),
    ],
)
def test_the_answer_to_a_move(answer: str, fault: tuple[str, ...]) -> None:
    """After c2 there is no winning move, and one stone of heap A must be taken; how that is told is free."""
    assert heard((FIRST, answer), ("c2",)) == fault


def test_heaps_that_are_shown_in_part_are_not_called_missing() -> None:
    """Beside a board without one of its heaps no sentence says that nothing is shown."""
    answer = board(2, 5, 4, 1).replace("B: 4\n", "") + "COMPUTER moves a1\n" + board(1, 4, 4, 1) + ASK
    assert messages((FIRST, answer), ("c2",)) == [
        "after the legal move c2 the program shows only a part of what is left"
    ]
    begins = FIRST.replace("C: 3\n", "")
    assert messages((begins,), ()) == [
        "a game begins, but the program shows only a part of the heaps before the first move"
    ]


@pytest.mark.parametrize(
    ("move", "fault"), [("b1", ()), ("b2", ("poor-move",)), ("c3", ("poor-move",)), ("a1", ("illegal-move",))]
)
def test_a_winning_move_must_be_made(move: str, fault: tuple[str, ...]) -> None:
    """After a5 only b1 wins."""
    at = Position((0, 4, 3), 2)
    after = at.after(move_of(move)) if allowed(at.heaps, move_of(move)) else at
    answer = board(2, 0, 4, 3) + f"COMPUTER moves {move}\n" + board(1, *after.heaps) + ASK
    assert heard((FIRST, answer), ("a5",)) == fault


@pytest.mark.parametrize(
    ("typed", "kind"),
    [
        ("d4", "letter-taken"),
        ("a0", "zero-taken"),
        ("b-1", "negative-taken"),
        ("c4", "too-many-taken"),
        ("a10", "too-many-taken"),
    ],
)
def test_what_is_illegal_must_be_refused(typed: str, kind: str) -> None:
    """A refusal has a message, leaves the heaps alone, shows them, and asks the user again."""
    again = board(1, 5, 4, 3) + ASK
    refused = "Illegal move! Try again.\n"
    gone_on = board(2, 5, 4, 3) + "COMPUTER moves c2\n" + board(1, 5, 4, 1) + ASK
    draw = (typed,)
    assert heard((FIRST, refused + again), draw) == ()
    assert heard((FIRST, "You cannot do that.\n" + again), draw) == ()
    assert heard((FIRST, again), draw) == ("no-message",)
    assert heard((FIRST, refused + ASK), draw) == ("no-board",)
    assert heard((FIRST, refused), draw) == ("no-board",)
    assert heard((FIRST, gone_on), draw) == (kind,)
    assert heard((FIRST, board(1, 4, 3, 2) + ASK), draw) == (kind,)
    assert heard((FIRST, refused + gone_on), draw) == ("turn-lost",)
    assert heard((FIRST, refused + "Player 0 wins!\n" + scores(0, 1) + AGAIN), draw) == ("turn-lost",)
    assert heard((FIRST, refused + board(1, 4, 3, 2) + ASK), draw) == ("carried-out",)
    assert heard((FIRST, refused + board(1, 4, 3, 2) + board(1, 4, 3, 2) + ASK), draw) == ("carried-out",)
    assert heard((FIRST, board(1, 4, 3, 2) + refused + again), draw) == ()
    assert heard((FIRST, ""), draw, ends=True) == (kind,)


@pytest.mark.parametrize(("typed", "left"), [("b-1", (5, 5, 3)), ("c4", (5, 4, 0)), ("c4", (5, 4, -1))])
def test_a_refused_move_may_be_carried_out_before_the_computer_moves(typed: str, left: tuple[int, int, int]) -> None:
    """It is not accepted as well: that would be two rules broken by one mistake."""
    gone_on = board(2, *left) + "COMPUTER moves a1\n" + board(1, 4, *left[1:]) + ASK
    assert heard((FIRST, "Illegal move! Try again.\n" + gone_on), (typed,)) == ("carried-out",)


def test_after_a_refusal_of_what_is_legal_the_game_goes_on() -> None:
    """The heaps are as they were, and another move is judged."""
    moved = board(2, 5, 4, 2) + "COMPUTER moves a2\n" + board(1, 3, 4, 2) + ASK
    refused = "Illegal move!\n" + board(1, 5, 4, 3) + ASK
    assert messages((FIRST, refused, moved), ("C2", "c1")) == [
        "C2 is legal with A 5, B 4, C 3, but the program refuses it",
        "with A 5, B 4, C 2 the computer takes a2; c1 would have kept the win",
    ]
    first, second, third = end_of_a_game(scores(0, 1) + AGAIN)
    assert heard((first, second, third, AGAIN, FIRST), ("a5", "b3", "Y", "y")) == ("answer-refused",)


def end_of_a_game(rest: str) -> tuple[str, str, str]:
    """A game that the computer wins after a5 and b3, and what follows it."""
    one = board(2, 0, 4, 3) + "COMPUTER moves b1\n" + board(1, 0, 3, 3) + ASK
    return FIRST, one, board(2, 0, 0, 3) + "COMPUTER moves c3\nPlayer 2 wins!\n" + rest


@pytest.mark.parametrize(
    ("rest", "fault"),
    [
        (scores(0, 1) + AGAIN, ()),
        (AGAIN, ("no-score",)),
        (scores(1, 0) + AGAIN, ("wrong-score",)),
        (scores(-1, 1) + AGAIN, ("wrong-score",)),
        (scores(0, 1) + board(1, 0, 0, 0) + ASK, ("plays-on",)),
        (scores(0, 1) + AGAIN + "Bad input! Try again.\n" + AGAIN, ("read-twice",)),
        ("Illegal move!\n" + scores(0, 1) + AGAIN, ("refused-legal",)),
        (scores(0, 1) + "What now? ", (UNREAD,)),
    ],
)
def test_the_end_of_a_game(rest: str, fault: tuple[str, ...]) -> None:
    """The score is shown, and another game is offered; a question that nobody can read goes to a person."""
    assert heard(end_of_a_game(rest), ("a5", "b3")) == fault


def test_a_program_may_not_end_without_asking() -> None:
    """An end after the first game, or in the middle of one, is a fault of its own."""
    assert heard(end_of_a_game(scores(0, 1)), ("a5", "b3"), ends=True) == ("never-asks",)
    assert heard(end_of_a_game("")[:2], ("a5",), ends=True) == ("ended-early",)


@pytest.mark.parametrize(
    ("answer", "reply", "ends", "fault"),
    [
        ("Y", FIRST, False, ()),
        ("y", "Bad input! Try again.\n" + AGAIN, False, ("answer-refused",)),
        ("y", AGAIN, False, ("answer-refused",)),
        ("Y", "", True, ("answer-refused",)),
        ("y", "Player 2 goes first this time!\n" + board(2, 5, 4, 3) + "COMPUTER moves c2\n" + board(1, 5, 4, 1) + ASK, False, ("wrong-starter",)),
        ("y", board(2, 5, 4, 3) + "COMPUTER moves c2\n" + board(1, 5, 4, 1) + ASK, False, ("no-starter", "wrong-starter")),
        ("y", "Player 2 goes first this time!\n" + board(1, 5, 4, 3) + ASK, False, ("wrong-starter",)),
        ("y", "Player 1 goes first this time!\n" + board(1, 0, 0, 0) + ASK, False, ("wrong-start",)),
        ("n", "Good bye!\n", True, ()),
        ("N", "Bad input! Try again.\n" + AGAIN, False, ("answer-refused",)),
        ("n", AGAIN, False, ("does-not-stop",)),
        ("n", "Press any key. ", False, ("bad-end",)),
        ("N", FIRST, False, ("does-not-stop",)),
        ("p", "Bad input! Try again.\n" + AGAIN, False, ()),
        ("p", "Bad input! Try again.\n", False, ()),
        ("p", AGAIN, False, ("no-message",)),
        ("p", FIRST, False, ("answer-taken",)),
        ("p", "", True, ("answer-taken",)),
    ],
)  # fmt: skip
def test_the_answers_to_another_game(answer: str, reply: str, ends: bool, fault: tuple[str, ...]) -> None:
    """Either y begins one, which the loser starts, either n ends the program, anything else is refused."""
    assert heard((*end_of_a_game(scores(0, 1) + AGAIN), reply), ("a5", "b3", answer), ends=ends) == fault


def test_the_computer_starts_after_it_has_lost() -> None:
    """After a game of the user the computer must move first, whether that is announced or not."""
    turns = script(rules.play, USER_WINS, echo=False).turns
    before = tuple(turn.text({}) for turn in turns)
    typed = tuple((turn.typed or "").removesuffix(ENTER) for turn in turns[:-1])
    moved = board(2, 5, 4, 3) + "COMPUTER moves c2\n" + board(1, 5, 4, 1) + ASK
    assert heard((*before, "Player 2 goes first this time!\n" + moved), (*typed, "y")) == ()
    assert heard((*before, moved), (*typed, "y")) == ("no-starter",)
    assert heard((*before, board(1, 5, 4, 3) + ASK), (*typed, "y")) == ("no-starter", "wrong-starter")
    assert heard((*before, "Player 2 goes first this time!\n" + board(1, 5, 4, 3) + ASK), (*typed, "y")) == (
        "wrong-starter",
    )


# ------------------------------------------------------------------------------------------------ how others may say it


@pytest.mark.parametrize(
    "said",
    [
        "COMPUTER moves a1",
        "Computer moved A 1",
        "computer takes 1 stone from heap a",
        "I remove 1 from A",
        "Player 2 takes 1 stones from pile A.",
        "The computer removed 1 stone from heap A.",
        "Computer chooses heap a and removes 1",
    ],
)
def test_moves_of_the_computer_in_other_words(said: str) -> None:
    """A move is also read in ordinary wordings."""
    assert rules.turns.stated(READER.read(said, ended=False)) == (Told(0, 1),)


@pytest.mark.parametrize(
    ("said", "event", "player"),
    [
        ("Player 2 wins!", Named, 2),
        ("Player 1 (Human) has won.", Named, 1),
        ("You win!", Named, 1),
        ("You lose!", Named, 2),
        ("The winner is Player 1", Named, 1),
        ("Computer wins", Named, 2),
        ("Player 2 goes first this time!", Begins, 2),
        ("Player 1 will go first", Begins, 1),
        ("I start.", Begins, 2),
        ("Player 1 (Human): 0", Score, 1),
        ("Computer: 3", Score, 2),
    ],
)
def test_players_in_other_words(said: str, event: type[Event], player: int) -> None:
    """Whoever wins, starts or is counted is named by number or in a word."""
    (found,) = rules.turns.stated(READER.read(said, ended=False))
    assert (type(found), found.player) == (event, player)


@pytest.mark.parametrize("said", ["A: 5\nB: 4\nC: 3\n", "A 5\nB 4\nC 3\n", "Heap A = 5, heap B = 4, heap C = 3"])
def test_heaps_in_other_forms(said: str) -> None:
    """A letter and a number are a heap; a move within a sentence is not."""
    assert [(f.values["heap"], f.number("stones")) for f in READER.read(said, ended=False).facts] == [
        ("a", 5),
        ("b", 4),
        ("c", 3),
    ]


@pytest.mark.parametrize(
    ("said", "question"),
    [
        (ASK, "move"),
        ("Your move? ", "move"),
        ("Illegal move! Try again.\n" + ASK, "move"),
        ("Illegal move! Try again: ", "retry"),
        (AGAIN, "again"),
        ("Another game (Y/N)? ", "again"),
        ("Bad input! Try again.\n" + AGAIN, "again"),
        ("Hello. ", None),
    ],
)
def test_questions_in_other_words(said: str, question: str | None) -> None:
    """What is asked last counts, and a call to try again repeats the question before."""
    assert READER.read(said, ended=False).question == question


def test_the_greeting_says_nothing_of_the_game() -> None:
    """No fact is read from the greeting, from the head of a turn but its heaps, or from the question."""
    greeting = "Welcome to the Ancient Game of Nim\nPlayer 1 is you (the human)\nPlayer 2 is me (the computer)\n\n"
    assert READER.read(greeting, ended=False).facts == ()
    facts = [said for said in READER.read(board(1, 5, 4, 3) + ASK, ended=False).facts if said.name != "ask"]
    assert [(said.name, said.values["heap"], said.number("stones")) for said in facts] == [
        ("heap", "a", 5),
        ("heap", "b", 4),
        ("heap", "c", 3),
    ]


# --------------------------------------------------------------------------------------- one mistake is charged once


def played(turns: tuple[str, ...], *typed: str) -> Followed:
    """A scripted dialogue, followed."""
    return follow(Scripted(*turns, ending=None), Rulings(REFEREE, READER), repeating(typed))


def test_a_wrong_start_is_judged_once_and_followed() -> None:
    """A program that begins with 3, 4 and 5 is right in all that follows from them."""
    first = "Player 1 goes first this time!\n" + board(1, 3, 4, 5) + ASK
    second = board(2, 3, 4, 1) + "COMPUTER moves b2\n" + board(1, 3, 2, 1) + ASK
    followed = played((first, second, "Illegal move! Try again.\n" + board(1, 3, 2, 1) + ASK), "c4", "a4")
    assert kinds(followed) == ("wrong-start",)
    assert (followed.occasions["won"], followed.occasions["too-many"]) == (1, 1)


def test_after_wrong_heaps_nothing_of_the_game_is_judged_but_the_next_one_is() -> None:
    """What the program makes of heaps that it shows wrongly follows from that: its refusals, its moves, its winner."""
    second = board(2, 5, 3, 3) + "COMPUTER moves a1\n" + board(1, 4, 3, 3) + ASK
    third = board(2, 4, 3, 1) + "COMPUTER moves c3\n" + board(1, 4, 3, 0) + ASK
    wins = "Player 2 wins!\n" + scores(0, 1) + AGAIN
    followed = played(
        (FIRST, second, third, "Illegal move!\n" + board(1, 4, 3, 0) + ASK, wins, FIRST), "b2", "c2", "a1", "a1", "y"
    )
    assert kinds(followed) == ("wrong-board",)
    assert followed.states[-1].doubtful is False
    assert (followed.occasions["start"], followed.occasions.get("win")) == (2, None)


def test_a_move_that_is_accepted_though_it_is_illegal_is_one_mistake() -> None:
    """The game goes on from the heaps that are shown then, and other moves are judged in it."""
    accepted = board(2, 5, 4, 3) + "COMPUTER moves c2\n" + board(1, 5, 4, 1) + ASK
    refused = "Illegal move! Try again.\n" + board(1, 5, 4, 1) + ASK
    followed = played((FIRST, accepted, refused), "a0", "x1")
    assert [fault.message for _, fault in followed.faults] == [
        "the program accepts a0: the number of stones must be greater than 0"
    ]
    assert (followed.occasions["zero"], followed.occasions["letter"], followed.occasions["refusal"]) == (1, 1, 1)


def test_a_turn_that_is_lost_at_a_refusal_is_one_mistake() -> None:
    """The computer moves, and the game goes on."""
    lost = "Illegal move!\n" + board(2, 5, 4, 3) + "COMPUTER moves c2\n" + board(1, 5, 4, 1) + ASK
    refused = "Illegal move! Try again.\n" + board(1, 5, 4, 1) + ASK
    assert heard((FIRST, lost, refused), ("c4", "x1")) == ("turn-lost",)


def test_a_wrong_winner_leaves_the_score_and_the_starter_open() -> None:
    """Whoever is counted, and whoever starts then, follows from it."""
    first, second, third = end_of_a_game(scores(1, 0) + AGAIN)
    third = third.replace("Player 2 wins", "Player 1 wins")
    again = FIRST.replace("Player 1 goes", "Player 2 goes").replace(
        board(1, 5, 4, 3), board(2, 5, 4, 3) + "COMPUTER moves c2\n" + board(1, 5, 4, 1)
    )
    assert heard((first, second, third, again), ("a5", "b3", "y")) == ("wrong-winner",)
    assert heard((first, second, third, FIRST), ("a5", "b3", "y")) == ("wrong-winner",)


def test_a_player_whom_there_is_not_is_one_mistake() -> None:
    """“Player 0” starts or wins: somebody is named, and it is not who must be."""
    for player in ("0", "-4664"):  # a variable that is never set
        assert heard((FIRST.replace("Player 1 goes", f"Player {player} goes"),), ()) == ("wrong-starter",)
    first, second, third = end_of_a_game(scores(0, 1) + AGAIN)
    assert messages((first, second, third.replace("Player 2 wins", "Player 0 wins")), ("a5", "b3")) == [
        "player 2 took the last of the stones and wins, but the program names player 0 as the winner"
    ]


def test_a_player_whom_there_is_not_plays_a_game_alone() -> None:
    """The computer makes all moves of “Player 0”: the score of that game is believed, and no player of the two begins wrongly."""
    zero = "Player 0 goes first this time!\n" + board(0, 5, 4, 3) + "COMPUTER moves c2\nPlayer 0 wins!\n" + scores(0, 1)
    game = played((zero + AGAIN, *end_of_a_game(scores(0, 2) + AGAIN)), "y", "a5", "b3")
    assert kinds(game) == ("wrong-starter",)
    begins = [row.sentence for rows in departures(REFEREE.duel, [game]) for row in rows if row.field == "begins"]
    assert begins == ["player 2 begins, and not player 1"]  # where two people play


@pytest.mark.parametrize(
    ("typed", "said", "follows"),
    [
        ("x1", "Illegal move! Try again.\n" + board(1, 8, 4, 3), True),
        ("c0", "Illegal move! Try again.\n" + board(1, 2, 4, 3), True),
        ("e2", "Illegal move! Try again.\n" + board(2, 0, 2, 3) + "COMPUTER moves b2\n" + board(1, 0, 0, 3), True),
        ("b5", "Illegal move! Try again.\n" + board(1, 5, -1, 3), False),
        ("b-1", "Illegal move! Try again.\n" + board(1, 5, 5, 3), False),
        ("e2", board(2, 5, 4, 1) + "COMPUTER moves a1\n" + board(1, 4, 4, 1), False),
    ],
)
def test_what_writes_over_the_heaps_follows_from_wrong_heaps(typed: str, said: str, *, follows: bool) -> None:
    """A wrong answer that changes other heaps, or by another number, is no move: where legal moves leave wrong heaps it costs nothing."""
    (fault,) = (fault for _, fault in played((FIRST, said + ASK), typed).faults)
    assert fault.about == (("wrong-board",) if follows else ())


def test_no_position_is_drawn_where_nobody_knows_it() -> None:
    """Beside heaps below nothing stood those before the user's move."""
    below = board(2, 5, 4, 1) + "COMPUTER moves c5\n" + board(1, 5, 4, -4) + ASK
    assert played((FIRST, below), "c2").positions == {2: ""}
    assert played((FIRST, board(1, 5, 4, 3) + ASK), "c2").positions == {2: "a: 5\nb: 4\nc: 3"}


def test_a_computer_that_never_had_a_turn_did_not_take_nothing() -> None:
    """A program that carries out a legal move, calls it invalid and asks again has kept the turn."""
    called = [f"Illegal move! Try again.\n{board(1, 5, 4, stones)}{ASK}" for stones in (1, 0)]
    assert set(heard((FIRST, *called), ("c2", "c1"))) == {"refused-legal"}


def test_a_computer_that_moves_several_times_in_one_turn_makes_one_mistake() -> None:
    """It does not also show wrong heaps, and one that calls its own moves invalid is charged for that alone."""
    moves = [board(2, 5, 4, 1) + "COMPUTER moves a1\n", board(2, 4, 4, 1) + "COMPUTER moves c1\n"]
    rest = board(1, 4, 4, 0) + ASK
    assert heard((FIRST, "".join(moves) + rest), ("c2",)) == ("illegal-move",)
    assert messages((FIRST, moves[0] + "Illegal move! Try again.\n" + moves[1] + rest), ("c2",)) == [
        "the computer moves, and then the program calls that move invalid"
    ]
    twice = moves[0] + "The computer takes 1 from A.\n" + board(1, 4, 4, 1) + ASK
    assert heard((FIRST, twice), ("c2",)) == ()  # the same move is told twice


def test_of_a_turn_in_which_a_program_breaks_only_moves_of_the_computer_are_judged() -> None:
    """Heaps below nothing are never empty, so that a computer which takes too many moves without end."""
    at = rules.answer(rules.START._replace(possible=((5, 4, 3),), asks="move"), "move", "a4")
    turn = board(2, 1, 4, 3) + "COMPUTER moves a2\n" + board(2, -1, 4, 3) + "COMPUTER moves a-2\n"
    ruling = REFEREE.last_words(at, READER.read(turn, ended=False))
    assert [fault.kind for fault in ruling.faults] == ["illegal-move"]
    assert REFEREE.last_words(at, READER.read(board(2, 2, 4, 3), ended=False)).faults == ()


def test_a_move_counts_as_carried_out_though_the_turn_behind_it_breaks() -> None:
    """The gate said that no move is carried out of computers whose turn never ended. One that is called illegal is not accepted."""
    at = rules.answer(rules.START._replace(possible=((5, 4, 3),), asks="move"), "move", "c2")
    illegal = "Illegal move! Try again.\n"
    for turn, moved in (
        (board(2, 5, 4, 1), True),
        ((board(2, 5, 4, 1) + "COMPUTER moves 97\n" + illegal) * 2, True),
        (illegal + board(1, 5, 4, 1), False),
        (board(2, 5, 4, 3), False),
        ("", False),
    ):
        assert REFEREE.last_words(at, READER.read(turn, ended=False)).occasions == (("moved",) if moved else ())


def test_a_game_that_ends_too_early_is_one_mistake() -> None:
    """The winner that is named is believed, and the next game is judged."""
    ended = "Player 1 wins!\n" + scores(1, 0) + AGAIN
    assert heard((FIRST, ended, FIRST), ("a5", "y")) == ("ended-early", "wrong-starter")
    assert heard((FIRST, AGAIN, FIRST), ("a5", "y")) == ("ended-early",)
    begins_and_ends = "Player 2 goes first this time!\nPlayer 0 wins!\n" + scores(0, 2) + AGAIN
    assert heard((*end_of_a_game(scores(0, 1) + AGAIN), begins_and_ends), ("a5", "b3", "y")) == (
        "wrong-starter",
        "ended-early",
    )


def test_a_computer_that_moves_illegally_is_followed() -> None:
    """The heaps that are shown next are those of the game."""
    turn = board(2, 5, 4, 1) + "COMPUTER moves a0\n" + board(1, 5, 4, 1) + ASK
    stall = board(2, 4, 4, 1) + "COMPUTER moves c1\n" + board(1, 4, 4, 0) + ASK
    assert heard((FIRST, turn, stall), ("c2", "a1")) == ("illegal-move",)


def test_a_computer_that_never_moves_is_told_from_one_that_is_not_read() -> None:
    """The heaps of the next turn tell, and what must be refused is no matter of that."""
    still = board(1, 5, 4, 1) + ASK
    refused = "Illegal move! Try again.\n" + still
    assert heard((FIRST, still), ("c2",)) == ()
    assert heard((FIRST, still, refused, board(1, 4, 4, 1) + ASK), ("c2", "a0", "a1")) == ("illegal-move",)
    assert heard((FIRST, still, board(1, 3, 4, 1) + ASK), ("c2", "a1")) == ("no-board",)
    assert heard((FIRST, still, "Illegal move! Try again.\n" + board(1, 4, 4, 1) + ASK), ("c2", "a0")) == (UNREAD,)


def test_a_program_that_refuses_everything_gives_few_occasions() -> None:
    """Nothing was moved, and the computer never had a turn."""
    refused = "Illegal move! Try again.\n" + board(1, 5, 4, 3) + ASK
    followed = played((FIRST, *[refused] * 5), "c2", "C2", "a1", "d1", "a0")
    assert set(kinds(followed)) == {"refused-legal"}
    assert not {"moved", "reply", "end"} & set(followed.occasions)


@pytest.mark.parametrize(
    "text",
    [
        "9" * 5000,
        "COMPUTER moves a" + "9" * 5000,
        "COMPUTER moves a-" + "9" * 5000,
        "A: " + "9" * 5000 + "\nB: 4\nC: 3\n" + ASK,
        "Player 1 (Human): " + "7" * 5000,
        "A: ٣ B: ² C: 3" + ASK,
        "A: " * 20000,
        "\udc80 Player 1 wins! " * 9,
        board(1, 10**9, 4, 3) + ASK,
        board(1, -3, 4, 3) + ASK,
        board(2, 0, 0, 0) + "Player 2 wins!" + board(1, 0, 0, 0) + ASK,
    ],
)
def test_nothing_that_a_program_prints_is_our_error(text: str) -> None:
    """Long numbers and odd digits are heard like anything else, at every point of a match, and a game goes on after them."""
    begun = rules.START._replace(possible=((5, 4, 3),), asks="move")
    for match in (
        rules.START,
        rules.answer(begun, "move", "c2"),
        rules.answer(begun, "move", "a0"),
        rules.answer(begun._replace(doubtful=True), "move", "c2"),
        rules.answer(begun._replace(unseen=True), "move", "a0"),
        rules.answer(rules.START, "again", "y"),
        rules.answer(rules.START, "again", "n"),
        rules.answer(rules.START, "again", "p"),
    ):
        for ended in (True, False):
            ruling = REFEREE.hear(match, READER.read(text, ended=ended))
            said = READER.read(text, ended=ended).question
            if said and not any(fault.stops for fault in ruling.faults):
                assert rules.answers(ruling.state, said).legal


def test_a_program_that_breaks_has_not_done_what_was_due() -> None:
    """It neither refused nor ended as it should; after no it plays no other game, though."""
    at = rules.START._replace(possible=((5, 4, 3),), asks="move")
    assert rules.due(at) == ""
    assert rules.due(rules.answer(at, "move", "a0")) == "zero-taken"
    stopped = rules.answer(rules.START, "again", "N")
    assert rules.due(stopped) == "bad-end"
    assert REFEREE.last_words(stopped, READER.read("", ended=True)).occasions == ("no",)


def test_a_question_for_another_game_that_goes_round_for_ever_is_no_game_that_never_ends() -> None:
    """The game has ended as it must: the program breaks where it must take an answer."""
    at = rules.answer(rules.START._replace(possible=((0, 0, 4),), asks="move"), "move", "c1")
    turn = (
        board(2, 0, 0, 3)
        + "COMPUTER moves c3\nPlayer 2 wins!\n"
        + scores(0, 1)
        + (AGAIN + "Bad input! Try again.\n") * 9
    )
    ruling = REFEREE.last_words(at, READER.read(turn, ended=True))
    assert (ruling.faults, rules.due(ruling.state)) == ((), "answer-refused")
    assert {"end", "win", "score"} <= set(ruling.occasions)


def test_a_program_that_breaks_behind_a_legal_move_may_break_by_its_refusal() -> None:
    """Its own move is refused for ever as that of the user is."""
    at = rules.START._replace(possible=((5, 4, 3),), asks="move")
    assert "refused-legal" in REFEREE.follows(rules.answer(at, "move", "a5"))
    assert REFEREE.follows(rules.answer(at, "move", "a6")) == ()


def test_the_enter_of_the_last_answer_is_one_mistake_at_the_last_move_too() -> None:
    """Behind the refusal of nothing that was typed stand the old heaps: those are no news."""
    first = FIRST.replace("C: 3", "C: 1").replace("A: 5", "A: 0").replace("B: 4", "B: 0")
    turn = "Illegal move! Try again.\n" + board(1, 0, 0, 1) + ASK + "Player 1 wins!\n" + scores(1, 0) + AGAIN
    assert "wrong-board" not in heard((first, turn), ("c1",))
    shown = board(2, 0, 0, 1) + "Player 1 wins!\n" + scores(1, 0) + AGAIN
    assert "wrong-board" in heard((first, shown), ("c1",))


def test_a_refusal_that_changes_the_heaps_is_no_move_of_the_computer() -> None:
    """The text fixes how the computer tells its move: heaps behind a refusal are those of the refused one."""
    refused = "Illegal move! Try again.\n" + board(1, 0, 4, 3) + ASK
    assert messages((FIRST, refused), ("A4",)) == ["A4 leaves A 1, B 4, C 3, but the program shows A 0, B 4, C 3"]


@pytest.mark.parametrize(("heaps", "faults"), [((11, 4, 3), ()), ((67, 4, 3), ()), ((-1, 4, 3), ("too-many-taken",))])
def test_a_program_that_adds_what_is_taken_takes_any_number(
    heaps: tuple[int, int, int], faults: tuple[str, ...]
) -> None:
    """It judges a move by what that leaves: the heaps are its mistake, and not the number."""
    typed = "b6" if heaps[0] == 67 else "a6"
    assert heard((FIRST, board(1, *heaps) + ASK), (typed,)) == faults


def test_heaps_of_more_than_nine_are_told_as_they_are_shown() -> None:
    """A 67 was told as A 10."""
    told = messages((FIRST, board(1, 67, 4, 3) + ASK), ("a1",))
    assert told == ["a1 leaves A 4, B 4, C 3, but the program shows A 67, B 4, C 3"]


def test_who_begins_by_a_wrong_score_follows_from_the_score() -> None:
    """The score gives the game to the user, and the computer begins as its loser: only who begins by neither makes a second mistake."""
    first, second, third = end_of_a_game(scores(1, 0) + AGAIN)
    begins = FIRST.replace("Player 1 goes", "Player 2 goes")
    followed = played((first, second, third, begins), "a5", "b3", "y")
    starter = next(fault for _, fault in followed.faults if fault.kind == "wrong-starter")
    assert starter.about == ("wrong-score",)
    first, second, third = end_of_a_game(scores(0, 5) + AGAIN)
    followed = played((first, second, third, begins), "a5", "b3", "y")
    assert [fault.about for _, fault in followed.faults if fault.kind == "wrong-starter"] == [()]


def test_a_computer_that_plays_the_turns_of_the_user_is_named_in_its_place() -> None:
    """It says that player 1 begins, and moves: its own win is then that of player 1, and the one exchange is charged by who begins."""
    first = "Player 1 goes first this time!\n" + board(1, 5, 4, 3) + "COMPUTER moves c2\n" + board(2, 5, 4, 1) + ASK
    rest = board(1, 0, 4, 1) + "COMPUTER moves b3\n" + board(2, 0, 1, 1) + ASK
    last = board(1, 0, 0, 1) + "COMPUTER moves c1\nPlayer 1 wins!\n" + scores(1, 0) + AGAIN
    assert set(heard((first, rest, last), ("a5", "b1"))) == {"wrong-starter"}
    right = FIRST, board(2, 0, 4, 3) + "COMPUTER moves b1\n" + board(1, 0, 3, 3) + ASK
    assert "wrong-winner" in heard(
        (*right, board(2, 0, 0, 3) + last.partition("1\n")[2].replace("c1", "c3")), ("a5", "b3")
    )


@pytest.mark.parametrize("typed", ["a" + "1" * 5000, "a-" + "1" * 5000, "a" + " " * 70000, "a²"])
def test_what_no_number_can_hold_is_no_move(typed: str) -> None:
    """However long it is."""
    assert move_of(typed) == rules.turns.NO_MOVE


def test_whether_a_strategy_that_takes_nothing_is_a_poor_one_as_well_is_left_to_a_person():
    """Illegal moves are charged. The poor moves between them may come of the same mistake, but nobody calls the strategy right."""
    poor = board(2, 5, 4, 2) + "COMPUTER moves a1\n" + board(1, 4, 4, 2) + ASK
    nothing = board(2, 3, 4, 2) + "COMPUTER moves a0\n" + board(1, 3, 4, 2) + ASK
    again = board(2, 2, 4, 2) + "COMPUTER moves a0\n" + board(1, 2, 4, 2) + ASK

    def played(referee: Referee) -> Followed:
        turns = Scripted(FIRST, poor, nothing, again, ending=None)
        return follow(turns, Rulings(referee, READER), repeating(("c1", "a1", "a1")))

    assert set(kinds(played(REFEREE))) == {"poor-move", "illegal-move"}
    found = departed(REFEREE, [played(REFEREE), played(REFEREE)])
    judged = {fault.kind: fault.about for _, fault in played(conducted(REFEREE, found)).faults}
    assert judged == {"illegal-move": (), UNREAD: ("poor-move",)}
