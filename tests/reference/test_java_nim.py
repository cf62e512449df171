"""The rules of java-nim, the protocol, the words that its spec reads, and its referee on scripted dialogues."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from grader.games.follow.following import Followed, Reader, Rulings, drawing, follow, repeating
from grader.games.heaps import facing
from grader.games.heaps.facing import MOVE
from grader.games.referee import UNREAD, Answers, of_module
from grader.sessions.reference import SpeakingReference, load, script
from grader.spec.kinds.runs import GameSet
from grader.spec.loader import load_assignment
from grader.transcript import Ending, EndingKind
from tests.scripted import Scripted

ROOT = Path(__file__).parents[2]
rules = load(ROOT / "reference" / "java_nim")
REFEREE = of_module(rules, "java_nim")
TEXT = load_assignment(ROOT / "specs" / "java-nim.yaml").spec.text
READER = Reader(TEXT)
START = REFEREE.starts[0]

PROTOCOL = ["3", "4", "9", "3", "2", "3", "1", "1", "1", "2", "1", "3", "2", "3", "1"]


def told(inputs: list[str]) -> list[str]:
    """The output of the reference before each input and after the last."""
    return [turn.text({}) for turn in script(rules.play, tuple(inputs), echo=False).turns]


def board(*rows: int) -> str:
    """Three rows as a program draws them."""
    return "".join(f"{number}. Reihe: {'|' * n}\n" for number, n in enumerate(rows, 1))


ROW = "Welche Reihe? "
COUNT = "Wie viele? "
COMPUTER_WINS = "Der Computer hat gewonnen!\n"
USER_WINS = "Sie haben gewonnen!\n"
SIZES = ["Anzahl der 1. Reihe: ", "Anzahl der 2. Reihe: ", "Anzahl der 3. Reihe: "]


def followed(inputs: str, *lines: str) -> Followed:
    """A game in which this is typed and said; the numbers to begin with are asked for first."""
    return follow(Scripted(*SIZES, *lines), Rulings(REFEREE, READER), repeating(tuple(inputs.split())))


def messages(game: Followed) -> list[str]:
    """The sentences on its faults."""
    return [fault.message for _, fault in game.faults]


def faults(inputs: str, *lines: str) -> list[str]:
    """The kinds of faults in such a game, one after the other."""
    return [fault.kind for _, fault in followed(inputs, *lines).faults]


def test_a_row_that_is_printed_twice_begins_no_other_board() -> None:
    """The rows are those that are shown, and the game is left where the scripted program ends; rows that are wrong are told."""
    twice = board(3, 4, 7).replace("1. Reihe: |||\n", "1. Reihe: |||\n" * 2)
    after = "Der Computer ist am Zug!\n" + board(3, 4, 6) + ROW
    assert faults("3 4 9 3 2", board(3, 4, 9) + ROW, COUNT, twice + after) == ["ended-early"]
    assert faults("3 4 9 3 2", board(3, 4, 9) + ROW, COUNT, board(3, 4, 8) + after) == ["wrong-board"]


def test_behind_a_wrong_board_nothing_is_said_of_the_moves_of_the_computer() -> None:
    """They follow from rows that nobody knows: the same move is poor where the board before it was right."""
    begins = f"{board(3, 4, 9)}{ROW}", COUNT
    poor = f"Der Computer ist am Zug!\n{board(1, 4, 8)}{ROW}"
    assert faults("3 4 9 3 1", *begins, f"{board(3, 4, 8)}{poor}", "")[:1] == ["poor-move"]
    assert faults("3 4 9 3 1", *begins, f"{board(2, 4, 8)}{poor}", "")[:1] == ["wrong-board"]
    assert "poor-move" not in faults("3 4 9 3 1", *begins, f"{board(2, 4, 8)}{poor}", "")


def test_who_wins_is_named_too_early_where_the_move_of_the_computer_is_not_announced_as_before() -> None:
    """With a row left “You win” names the wrong winner behind the turn of the computer, whose last move need not be shown."""
    turn = "Der Computer ist am Zug!\n"
    lines = f"{board(1, 2, 3)}{ROW}", COUNT, f"{board(1, 2, 0)}{turn}{board(1, 1, 0)}{ROW}", COUNT
    assert faults("1 2 3 3 3 1 1", *lines, f"{board(0, 1, 0)}{USER_WINS}") == ["ended-early"]
    assert faults("1 2 3 3 3 1 1", *lines, f"{board(0, 1, 0)}{turn}{USER_WINS}") == ["wrong-winner"]
    assert faults("1 2 3 3 3 1 1", *lines, f"{board(0, 1, 0)}{COMPUTER_WINS}") == []


def test_who_wins_in_mid_game_is_named_too_early_where_no_board_shows_the_move_of_the_computer() -> None:
    """No move takes the matches of two rows; those of one row the computer may have taken."""
    turn = f"Der Computer ist am Zug!\n{COMPUTER_WINS}{ROW}"
    game = followed("1 2 3 3 3 1", f"{board(1, 2, 3)}{ROW}", COUNT, f"{board(1, 2, 0)}{turn}", "")
    assert messages(game) == ["a winner is named, although no move can take all that is left: rows of 1, 2, 0"]
    assert faults("1 2 3 3 3 1 1", *WON, f"{board(0, 1, 0)}{turn}", "") == ["plays-on"]


def test_too_many_may_be_right_where_another_row_has_changed_as_well() -> None:
    """A program that exchanges rows behind the first board takes 9 of the 13 that it holds, though it shows 8 there."""
    begins = f"{board(13, 8, 10)}{ROW}", COUNT
    reply = f"Der Computer ist am Zug!\n{board(8, 2, 10)}{ROW}"
    assert "too-many-taken" not in faults("13 8 10 2 9", *begins, f"{board(8, 4, 10)}{reply}", "")
    assert "too-many-taken" in faults("13 8 10 2 9", *begins, f"{board(13, 0, 10)}{reply}", "")


def begun(inputs: str, *lines: str) -> list[str]:
    """The kinds of faults of a program that asks for its numbers in these turns."""
    game = follow(Scripted(*lines), Rulings(REFEREE, READER), repeating(tuple(inputs.split())))
    return [fault.kind for _, fault in game.faults]


# ---------------------------------------------------------------------------------------------------------- the protocol


def test_the_protocol_is_played_as_it_is_printed() -> None:
    """The game of the text: each board, the computer's moves where none wins, too, and the end without a board."""
    turns = told(PROTOCOL)
    assert turns[0] == "NIM-Spiel\n-----\nStreichhoelzeranzahl der 1. Reihe: "
    assert turns[3].startswith(
        "\nAktueller Spielstand:\n-----\n1. Reihe: |||\n2. Reihe: ||||\n3. Reihe: |||||  ||||\n\nSie "
    )
    after = [shown(turn) for turn in turns[5::2]]
    assert after == [
        ((3, 4, 7), (2, 4, 7)), ((2, 4, 6), (1, 4, 6)), ((0, 4, 6), (0, 4, 4)), ((0, 3, 4), (0, 3, 3)), ((0, 3, 1), (0, 1, 1)),
        ((0, 1, 0),),
    ]  # fmt: skip
    assert turns[-1].endswith("\n\nDer Computer ist am Zug!\n\nDer Computer hat dieses Spiel gewonnen!\n")


def shown(text: str):
    """The boards in a text."""
    return rules.DUEL.game.turn(READER.read(text, ended=False)).boards


def test_the_user_may_win() -> None:
    """Whoever takes the last match is named the winner, below the empty board."""
    last = told(["1", "1", "1", "1", "1", "3", "1"])[-1]
    assert last.endswith("1. Reihe: \n2. Reihe: \n3. Reihe: \n\nSie haben dieses Spiel gewonnen!\n")


@pytest.mark.parametrize(
    "wrong", [("4", "1"), ("0", "1"), ("-1", "1"), ("1", "0"), ("1", "-1"), ("1", "3"), ("x", "1")]
)
def test_the_reference_refuses_what_is_no_move(wrong) -> None:
    """The row is asked for again, and nothing has changed."""
    turns = told(["2", "2", "2", *wrong, "1", "2"])
    assert turns[5] == "Ungueltiger Zug!\nAus welcher Reihe moechten Sie Streichhoelzer entnehmen? "
    assert "1. Reihe: \n2. Reihe: ||\n3. Reihe: ||\n" in turns[7]


def test_the_reference_refuses_rows_of_less_than_one() -> None:
    """The same row is asked for again."""
    assert (
        told(["-3", "0", "2"])[1]
        == told(["-3", "0", "2"])[2]
        == "Ungueltige Anzahl!\nStreichhoelzeranzahl der 1. Reihe: "
    )


# ------------------------------------------------------------------------------------------------- the words of the spec


@pytest.mark.parametrize(
    "text",
    [
        "Aus welcher Reihe moechten Sie Streichhoelzer entnehmen? ", "Reihe (1-3): ", "Geben Sie die Reihe ein: ",
        "Sie sind an der Reihe!\nReihe: ", "Ungueltige Anzahl! Bitte erneut.\nReihe waehlen [1..3]: ", "Which row? ",
    ],
)  # fmt: skip
def test_a_row_is_asked_for_in_many_words(text) -> None:
    """The question that stands last counts, and being at one's turn is no question."""
    assert READER.read(text, ended=False).question == "row"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Wieviele Streichhoelzer moechten Sie entnehmen? ", "amount"),
        ("Falsche Reihe!\nAnzahl: ", "amount"),
        ("Aus welcher Reihe und wie viele Streichhoelzer? ", "move"),
        ("Reihe, Anzahl: ", "move"),
        ("Wie viele Hölzer aus der gewählten Reihe? ", "amount"),
        ("Streichhoelzeranzahl der 2. Reihe: ", "amount-2"),
        ("Wie viele Streichhölzer soll die dritte Reihe haben? ", "amount-3"),
        ("Bitte eingeben:\nReihe 1: ", "amount-1"),
        ("Größe der 2. Reihe: ", "amount-2"),
        ("Startwert Reihe 3 = ", "amount-3"),
        ("Das geht nicht, bitte noch einmal: ", "repeat"),
        ("Noch ein Spiel (j/n)? ", "again"),
        ("Wie heissen Sie? ", None),
    ],
)
def test_other_questions_are_told_apart(text, question) -> None:
    """Numbers with the row that they are for, the same once more, another game; other questions are not known."""
    assert READER.read(text, ended=False).question == question


@pytest.mark.parametrize(
    "text",
    [
        board(3, 0, 6), "Reihe 1: |||\nReihe 2:\nReihe 3: ||||| |\n", "1: ***\n2: \n3: ******\n", "1. Reihe: 3\n2. Reihe: 0\n3. Reihe: 6\n",
        "Reihe 1 (3): |||\nReihe 2 (0): \nReihe 3 (6): |||||  |\n", "1. Reihe: |||\r\n3. Reihe: | | | | | |\r\n",
        "[1] |||\n[2] \n[3] ||||| |\n",
    ],
)  # fmt: skip
def test_a_board_is_read_in_many_forms(text) -> None:
    """Marks of any kind or numbers, in groups or not; a row that is left out is empty."""
    assert shown(f"Aktueller Spielstand:\n-----\n{text}\nSie sind am Zug!\n") == ((3, 0, 6),)


def test_boards_are_told_apart_where_a_row_comes_again() -> None:
    """Rows that are left out, because they are empty, begin no board."""
    assert shown("1. Reihe: |\n3. Reihe: ||\n1. Reihe: |\n3. Reihe: |\n") == ((1, 0, 2), (1, 0, 1))


def test_a_question_is_no_board() -> None:
    """A row at the end of a turn, where the program waits for a number, is not part of a board."""
    assert shown("NIM\n1. Reihe: ") == ()


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Der Computer hat dieses Spiel gewonnen!", "computer-wins"),
        ("Schade, du hast leider verloren.", "computer-wins"),
        ("Diesmal gewinnt der Computer", "computer-wins"),
        ("Der Computer hat gegen Sie gewonnen", "computer-wins"),
        ("Spieler 2 gewinnt", "computer-wins"),
        ("Die Maschine gewinnt!", "computer-wins"),
        ("Sie haben gegen den Computer gewonnen!", "user-wins"),
        ("Glueckwunsch, Sie gewinnen!", "user-wins"),
        ("Der Computer hat verloren.", "user-wins"),
        ("Gewinner: Spieler", "user-wins"),
    ],
)
def test_a_winner_is_named_in_many_words(text, fact) -> None:
    """The first player and the first verb of a clause say who wins."""
    said = {said.name for said in READER.read(text + "\n", ended=True).facts}
    assert said & {"computer-wins", "user-wins"} == {fact}


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("Der Computer nimmt 2 Streichhoelzer aus Reihe 1.", (1, 2)),
        ("Ich nehme aus der 3. Reihe 12 Hölzer", (3, 12)),
        ("Der Computer ist am Zug!", None),
        ("Sie spielen gegen den Computer mit 3 Reihen.", None),
    ],
)
def test_what_the_computer_says_that_it_takes_is_read(text, move) -> None:
    """The row and the number in either order."""
    claim = rules.DUEL.game.turn(READER.read(text + "\n", ended=True)).claim
    assert (claim and (claim[0] + 1, claim[1])) == move


# ------------------------------------------------------------------------------------------------------------ the referee


WON = (f"{board(1, 2, 3)}{ROW}", COUNT, f"{board(1, 2, 0)}{board(1, 1, 0)}{ROW}", COUNT)
"""1, 2, 3; the user takes row 3, the computer one from row 2."""


def test_a_right_game_has_no_faults() -> None:
    """Boards after both moves, the last one left out as in the protocol, and the computer takes the last match."""
    assert faults("1 2 3 3 3 1 1", *WON, f"{board(0, 1, 0)}{COMPUTER_WINS}") == []
    assert faults("1 2 3 3 3 1 1", *WON, f"{board(0, 1, 0)}{board(0, 0, 0)}{COMPUTER_WINS}") == []


@pytest.mark.parametrize(
    ("last", "kinds"),
    [
        (f"{board(0, 1, 0)}{USER_WINS}", ["wrong-winner"]),
        (f"{board(0, 1, 0)}{COMPUTER_WINS}{USER_WINS}", ["wrong-winner"]),
        (f"{board(0, 1, 0)}{board(0, 0, 0)}", ["no-winner"]),
        (f"{board(0, 1, 0)}Das Spiel ist vorbei.\n", [UNREAD]),
        (f"{board(0, 1, 0)}So eine Niederlage!\n", [UNREAD]),
        (COMPUTER_WINS, ["no-board-after-user"]),
        (board(0, 1, 0), ["no-winner"]),  # the computer took the last one, or the game ended too early
    ],
)
def test_the_end_is_judged(last, kinds) -> None:
    """Another winner, none, one that cannot be read, and the board that is missing before the computer's last move."""
    assert faults("1 2 3 3 3 1 1", *WON, last) == kinds


def test_a_winner_that_cannot_be_read_is_no_winner_that_was_named() -> None:
    """Somebody says something about the end: a person looks, and nothing is earned by it."""
    game = followed("1 2 3 3 3 1 1", *WON, f"{board(0, 1, 0)}Das Spiel ist vorbei.\n")
    assert (game.occasions["end"], game.occasions.get("win")) == (1, None)


def test_an_end_before_the_last_match_is_early() -> None:
    """Two rows are left and the program is over."""
    assert faults("1 2 3 3 3", *WON[:2], board(1, 2, 0)) == ["ended-early"]
    assert faults("1 2 3 3 3", *WON[:2], f"{board(1, 2, 0)}{board(1, 1, 0)}") == ["ended-early"]


def test_a_computer_that_makes_all_moves_leaves_none_to_the_user() -> None:
    """Its game has begun: it is over before the user has made a move."""
    game = followed("1 1 2", f"{board(1, 1, 2)}{board(1, 1, 0)}{board(0, 1, 0)}{COMPUTER_WINS}")
    assert messages(game) == ["the program ends before the user has made a move"]


def test_a_board_that_breaks_off_says_nothing() -> None:
    """Whatever ends a program in the middle of a board, no move is read from it."""
    assert faults("1 2 3 3 3", *WON[:2], f"{board(1, 2, 0)}1. Reihe: |\n") == ["ended-early"]


@pytest.mark.parametrize(
    ("turn", "kinds"),
    [
        (f"{board(1, 2, 3)}{COUNT}", []),
        (f"{board(1, 2, 2)}{COUNT}", ["wrong-board"]),
        (f"Falsch! {ROW}", ["refused-legal"]),
        ("Wie heissen Sie? ", [UNREAD]),
    ],
)
def test_a_row_with_matches_is_taken(turn, kinds) -> None:
    """The number is asked for, and the board is as it was."""
    assert faults("1 2 3 3", WON[0], turn, "") == kinds
    assert faults("1 2 3 3", WON[0], "") == ["ended-early"]


def test_asking_after_the_last_match_goes_on() -> None:
    """To ask for a row is a fault; to offer another game, or to begin one, is not."""
    assert faults("1 2 3 3 3 1 1", *WON, f"{board(0, 1, 0)}{COMPUTER_WINS}{ROW}", "") == ["plays-on"]
    offer = f"{board(0, 1, 0)}{COMPUTER_WINS}Noch ein Spiel? "
    assert faults("1 2 3 3 3 1 1", *WON, offer, "") == []
    assert (
        faults("1 2 3 3 3 1 1", *WON, f"{board(0, 1, 0)}{COMPUTER_WINS}Streichhoelzeranzahl der 1. Reihe: ", "") == []
    )
    assert faults("1 2 3 3 3 1 1", *WON, f"{board(0, 1, 0)}{COMPUTER_WINS}Streichhoelzeranzahl der 2. Reihe: ", "") == [
        "plays-on"
    ]


@pytest.mark.parametrize(
    ("turn", "kinds"),
    [
        (f"{board(1, 2, 0)}{board(1, 1, 0)}{ROW}", []),
        (f"{board(1, 2, 0)}{board(1, 0, 0)}{ROW}", ["poor-move"]),
        (f"{board(1, 2, 0)}{board(0, 1, 0)}{ROW}", ["illegal-move"]),
        (f"{board(1, 2, 0)}{board(1, 3, 0)}{ROW}", ["illegal-move"]),
        (f"{board(1, 2, 0)}Der Computer ist am Zug!\n{board(1, 2, 0)}{ROW}", ["illegal-move"]),
        (f"{board(1, 2, 1)}{board(1, 0, 1)}{ROW}", ["wrong-board"]),
        (f"{board(1, 2, 1)}{board(1, 1, 0)}{ROW}", ["wrong-board"]),
        (f"{board(1, 2, 0)}{board(1, 1, 0)}{board(0, 1, 0)}{ROW}", ["illegal-move"]),
        (f"{board(1, 1, 0)}{ROW}", ["no-board-after-user"]),
        (f"{board(1, 2, 0)}{ROW}", []),
        (f"{board(1, 2, 0)}Ich nehme 1 aus Reihe 2.\n{ROW}", ["no-board-after-computer"]),
        (f"{board(1, 2, 0)}Ich nehme 1 aus Reihe 2.\n{board(1, 1, 0)}{ROW}", []),
        (f"{board(1, 2, 0)}Ich nehme 2 aus Reihe 2.\n{board(1, 1, 0)}{ROW}", ["wrong-telling"]),
        (f"{board(1, 2, 0)}Ich nehme 1 aus Reihe 3.\n{ROW}", ["illegal-move"]),
        (f"{board(1, 2, 0)}{board(1, 1, 0)}{COMPUTER_WINS}{ROW}", ["wrong-winner"]),
        ("Zu viele!\nWie viele? ", ["refused-legal"]),
        (f"Falsch!\n{ROW}", ["refused-legal"]),
        (f"{board(1, 2, 3)}{ROW}", ["refused-legal"]),
        (f"{board(1, 2, 0)}{board(1, 1, 0)}Wie heissen Sie? ", [UNREAD]),
    ],
)
def test_a_turn_of_the_computer_is_judged(turn, kinds) -> None:
    """After 3 from row 3 of 1, 2, 3: what is shown and told must be true, by the rules, and the move of the strategy."""
    assert faults("1 2 3 3 3", *WON[:2], turn, "") == kinds


def test_boards_that_were_never_read_are_not_missing() -> None:
    """If no board could be read since the game began, nobody knows whether it is shown."""
    odd = "I: a\nII: bb\nIII: ccc\n"
    lines = (f"{odd}{ROW}", COUNT, f"{odd}Ich nehme 1 aus Reihe 2.\n{odd}{ROW}", "")
    assert faults("1 2 3 3 3", *lines) == [UNREAD]
    assert followed("1 2 3 3 3", *lines).occasions.keys() & {"board-user", "board-computer"} == set()
    assert faults("1 2 3 3 3", f"{board(1, 2, 3)}{ROW}", *lines[1:]) == [
        "no-board-after-user",
        "no-board-after-computer",
    ]


def test_where_no_move_wins_any_is_right() -> None:
    """At an exclusive or of 0 the computer may take what it likes."""
    lines = (f"{board(1, 2, 4)}{ROW}", COUNT)
    for after in ((0, 2, 3), (1, 0, 3), (1, 2, 0)):
        assert faults("1 2 4 3 1", *lines, f"{board(1, 2, 3)}{board(*after)}{ROW}", "") == []


@pytest.mark.parametrize(
    ("typed", "turns", "kinds"),
    [
        ("4", (ROW, ""), []),
        ("4", (COUNT, f"Falsch! {ROW}", ""), []),
        ("4", (COUNT, COUNT, ""), ["wrong-row-taken"]),
        ("4", (COUNT, f"{board(1, 2, 2)}{ROW}", ""), ["wrong-row-taken"]),
        ("0", (f"{board(1, 2, 3)}Falsch! {ROW}", ""), []),
        ("4", ("",), ["wrong-row-taken"]),
        ("3 0", (COUNT, f"Falsch! {COUNT}", ""), []),
        ("3 0", (COUNT, f"Falsch! {ROW}", ""), []),
        ("3 0", (COUNT, "Bitte erneut: ", ""), []),
        ("3 0", (COUNT, f"Der Computer ist am Zug!\n{board(1, 2, 3)}{ROW}", ""), ["zero-taken"]),
        ("3 -1", (COUNT, f"{board(1, 2, 4)}{ROW}", ""), ["negative-taken"]),
        ("3 4", (COUNT, f"{board(1, 2, 0)}{board(1, 1, 0)}{ROW}", ""), ["too-many-taken"]),
        ("3 4", (COUNT, COMPUTER_WINS), ["too-many-taken"]),
        ("3 4", (COUNT, f"Falsch! Dort liegen:\n2. Reihe: ||\n3. Reihe: |||\n{COUNT}", ""), []),
    ],
)
def test_a_wrong_answer_must_be_refused(typed, turns, kinds) -> None:
    """It, or the whole move, is asked for again, and the board is as it was."""
    typed = f"1 2 3 {typed}" + (" 1" if turns[0] == COUNT and typed in ("4", "0") else "")
    assert faults(typed, f"{board(1, 2, 3)}{ROW}", *turns)[:1] == kinds


@pytest.mark.parametrize(("typed", "kinds"), [("4", ["wrong-row-taken"]), ("3", ["crash"])])
def test_a_program_that_breaks_refuses_nothing(typed, kinds) -> None:
    """If a refusal was due it is missing; else the program broke, and that is all."""
    talk = Scripted(*SIZES, WON[0], "", ending=Ending(EndingKind.EXCEPTION, "ended"))
    game = follow(talk, Rulings(REFEREE, READER), repeating(("1", "2", "3", typed)))
    assert [fault.kind for _, fault in game.faults] == kinds


def test_a_refusal_without_end_is_charged_as_that() -> None:
    """“Ungueltig!” for ever refuses the answer and asks nothing again, whatever kind of answer it was; once it may be the last word."""
    for typed, kind in (("4", "too-many"), ("0", "zero")):
        for times, fault in ((99, "turn-lost"), (1, f"{kind}-taken")):
            talk = Scripted(
                *SIZES, *WON[:2], "Ungueltig!\n" * times, ending=Ending(EndingKind.NEVER_ENDS, "it never ends")
            )
            game = follow(talk, Rulings(REFEREE, READER), repeating(("1", "2", "3", "3", typed)))
            assert [one.kind for _, one in game.faults] == [fault]
            assert game.occasions.get(kind, 0) == (times > 1)


def test_an_empty_row_must_be_refused() -> None:
    """At once or with the number; where only the number is asked for again nothing can be right."""
    assert faults("1 2 3 3 3 3", *WON[:3], ROW, "")[:1] == []
    assert faults("1 2 3 3 3 3 1", *WON[:3], COUNT, ROW, "")[:1] == []
    assert faults("1 2 3 3 3 3 1", *WON[:3], COUNT, COUNT, "") == ["empty-row-taken"]


def test_a_negative_size_must_be_refused() -> None:
    """The same row, or all of them, are asked for again; the next row, or the game, are not."""
    one, two, three = SIZES
    good = f"{board(1, 2, 3)}{ROW}"
    assert begun("-1 1 2 3", one, one, two, three, good, "") == []
    assert begun("1 -1 1 2 3", one, two, one, two, three, good, "") == []
    assert begun("-1", one, two, "") == ["negative-start-taken"]
    assert begun("1 2 -4", *SIZES, f"{board(1, 2, 0)}{ROW}", "") == ["negative-start-taken"]
    bare = "Anzahl: "
    assert begun("-1 1 2", bare, bare, bare, f"{board(0, 1, 2)}{ROW}", "") == ["negative-start-taken"]
    assert begun("-1 1 2 3", bare, bare, bare, bare, good, "") == []


@pytest.mark.parametrize("rows", [(1, 1, 3), (1, 2, 2), (1, 1, 1), (2, 2, 3)])
def test_a_question_that_names_a_wrong_row_refuses_nothing(rows) -> None:
    """Where the first board shows all three numbers each was taken, though the same row seems to be asked for again."""
    asked = [f"Anzahl der {row}. Reihe: " for row in rows]
    assert begun("1 2 3", *asked, f"{board(1, 2, 3)}{ROW}", "") == []


def test_sizes_are_taken_as_typed() -> None:
    """Another board, a size that is refused, and a game that begins too early."""
    assert begun("1 2 3", *SIZES, f"{board(1, 2, 4)}{ROW}", "") == ["wrong-start"]
    assert begun("1 2 2", SIZES[0], SIZES[1], SIZES[1], "") == ["refused-legal"]
    assert begun("1 2", SIZES[0], SIZES[1], f"{board(1, 2, 0)}{ROW}", "") == ["wrong-start"]
    assert begun("2 3", SIZES[1], SIZES[2], f"{board(0, 2, 3)}{ROW}", "") == ["wrong-start"]
    assert begun("1 2", SIZES[0], SIZES[1], ROW, "") == [UNREAD]
    assert begun("3 2", SIZES[2], SIZES[1], SIZES[0], "") == [UNREAD]
    assert begun("1", SIZES[0], "") == ["ended-early"]
    assert begun("1 2 3", *SIZES, f"{board(1, 2, 3)}{COUNT}", "") == [UNREAD]
    good = f"{board(1, 2, 3)}{ROW}"
    assert begun("5 1 2 3", SIZES[0], *SIZES, good, "") == ["refused-legal"]
    assert begun("1 1 1", *[SIZES[0]] * 4, "") == ["refused-legal"]
    bare = "Anzahl: "
    assert begun("2 -1 1 2 3", bare, bare, bare, bare, bare, f"{board(1, 2, 3)}{ROW}", "") == []


def test_the_player_is_strong_in_every_other_game() -> None:
    """Only winning moves are typed then, and no negative numbers to begin with; the same wrong answers are tried."""
    assert [start.own.strong for start in REFEREE.starts] == [False, True]
    assert [REFEREE.answers(start, "amount").illegal for start in REFEREE.starts] == [("-1", "-4"), ()]
    weak, strong = (start._replace(possible=((4, 2, 3),), asks="move") for start in REFEREE.starts)
    assert (REFEREE.answers(weak, "row").legal, REFEREE.answers(strong, "row").legal) == (("1", "2", "3"), ("1",))
    taken = REFEREE.answer(strong, "row", "1")
    assert REFEREE.answers(taken._replace(asks=facing.COUNT), "amount").legal == ("3",)
    assert REFEREE.answers(weak, "row").illegal == REFEREE.answers(strong, "row").illegal == ("0", "4", "5", "-1")


def test_wrong_answers_are_wrong_by_one_and_by_more() -> None:
    """A number above the row, zero and below; a row that became empty is also wrong."""
    state = START._replace(possible=((0, 2, 3),), asks="move")
    assert REFEREE.answers(state, "row").illegal[-1] == "1"
    state = REFEREE.answer(state, "row", "2")._replace(asks=facing.COUNT)
    assert REFEREE.answers(state, "amount").illegal == ("0", "-1", "-3", "3", "7")


# ------------------------------------------------------------------------------- one mistake, and the game that follows it


def test_a_wrong_start_is_judged_once_and_the_game_goes_on_from_it() -> None:
    """A program that shows a match more than was typed, and plays with it, is right in all that follows."""
    game = followed(
        "1 2 2 3 3 1 1", f"{board(1, 2, 3)}{ROW}", COUNT, f"{board(1, 2, 0)}{board(1, 1, 0)}{ROW}", COUNT,
        f"{board(0, 1, 0)}{COMPUTER_WINS}",
    )  # fmt: skip
    assert messages(game) == ["rows of 1, 2, 2 were typed to begin with, but the first board shows rows of 1, 2, 3"]


def test_boards_that_are_only_drawn_wrongly_are_no_wrong_game() -> None:
    """A match is drawn for each empty row: the rest is right by the rules, and what ends the game early is only what is drawn."""
    game = followed(
        "1 2 3 3 3 1 1", f"{board(1, 2, 3)}{ROW}", COUNT, f"{board(1, 2, 1)}{board(1, 1, 1)}{ROW}", COUNT,
        f"{board(1, 1, 1)}{board(1, 1, 1)}{COMPUTER_WINS}",
    )  # fmt: skip
    assert {fault.kind for _, fault in game.faults} == {"wrong-board"}


def test_a_single_board_before_the_computer_s_turn_is_the_user_s() -> None:
    """A match too many is gone, and the computer's last move is not shown: the board is not missing, it is wrong."""
    lines = (f"{board(4, 1, 1)}{ROW}", COUNT, f"{board(4, 0, 1)}{board(3, 0, 1)}{ROW}", COUNT)
    one, turn = board(2, 0, 0), "Der Computer ist am Zug!\n"
    assert faults("4 1 1 2 1 3 1", *lines, f"{one}{turn}{COMPUTER_WINS}") == ["poor-move", "wrong-board"]
    assert faults("4 1 1 2 1 3 1", *lines, f"{turn}{one}{ROW}", "")[:2] == ["poor-move", "no-board-after-user"]


@pytest.mark.parametrize("illegal", ["0", "1/3"])
def test_a_match_that_is_drawn_for_an_empty_row_is_one_mistake(monkeypatch, illegal) -> None:
    """Where the computer's move would be right if a row were empty, the user tries to take what is shown of it."""

    def drawn(rows):
        yield board(*(max(n, 1) for n in rows))

    monkeypatch.setitem(rules.play.__globals__, "_board", drawn)
    games = GameSet.model_validate({"games": 30, "seed": 2, "illegal": illegal})
    found, seen = Counter(), Counter()
    for number in range(games.games):
        talk = SpeakingReference(rules.play, echo=False)
        game = follow(talk, Rulings(REFEREE, READER), drawing(games, number), start=REFEREE.start(number))
        found.update(fault.kind for _, fault in game.faults)
        seen.update(game.occasions)
    assert found.keys() == {"wrong-board"}
    assert min(seen[name] for name in ("won", "end", "win", "reply", "moved")) > 10


def test_a_computer_that_leaves_one_match_of_a_row_is_believed_when_it_can_be_taken() -> None:
    """It should have taken the whole row: the fault is found as soon as the match that is shown proves to be there."""
    lines = (f"{board(2, 1, 2)}{ROW}", COUNT, f"{board(2, 1, 1)}{board(1, 1, 1)}{ROW}")
    state = followed("2 1 2 3 1", *lines, "").states[-1]
    assert (REFEREE.answers(state, "row").legal, state.in_doubt) == (("1",), 0)
    taken = f"{board(0, 1, 1)}{board(0, 1, 0)}{ROW}"
    assert faults("2 1 2 3 1 1 1", *lines, COUNT, taken, "")[:1] == ["poor-move"]
    idle = f"{board(2, 1, 1)}Der Computer ist am Zug!\n{board(2, 1, 1)}{ROW}"
    assert faults("2 1 2 3 1 1 2", *lines[:2], idle, COUNT, taken, "") == ["illegal-move"]
    assert faults("2 1 2 3 1 1", *lines, f"Die Reihe ist leer! {ROW}", "")[:1] == ["wrong-board"]
    assert faults("2 1 2 3 1 1 1", *lines, COUNT, f"Zu viele! {ROW}", "")[:1] == ["wrong-board"]


def test_only_what_means_the_same_in_both_is_typed_after_a_wrong_board() -> None:
    """Where five are shown and four are meant, five are not taken, and six are too many."""
    state = START._replace(possible=((5, 1, 0), (4, 1, 1)), asks="move")
    assert REFEREE.answers(state, "row").legal == ("1", "2")
    assert REFEREE.answers(state, "row").illegal == ("0", "4", "5", "-1")
    state = REFEREE.answer(state, "row", "1")
    assert REFEREE.answers(state._replace(asks=facing.COUNT), "amount") == Answers(
        ("1", "2", "3", "4"), ("0", "-1", "-3", "6", "10")
    )


def test_a_computer_whose_board_is_not_shown_is_followed_by_the_next() -> None:
    """The board after the user's next move tells what the computer took; that it was not shown is the one mistake."""
    lines = (f"{board(2, 2, 3)}{ROW}", COUNT, f"{board(2, 2, 2)}{ROW}", COUNT)
    assert faults("2 2 3 3 1 1 1", *lines, f"{board(1, 2, 0)}{ROW}", "") == ["no-board-after-computer"]
    assert faults("2 2 3 3 1 1 1", *lines, f"{board(1, 2, 1)}{ROW}", "") == ["no-board-after-computer", "poor-move"]
    assert faults("2 2 3 3 1 1 1", *lines, f"{board(1, 2, 2)}{ROW}", "") == ["illegal-move"]
    refused = followed("2 2 3 3 1 2 1 1 1", *lines, f"Falsch! {ROW}", COUNT, f"{board(1, 2, 0)}{ROW}", "")
    assert [fault.kind for _, fault in refused.faults] == ["no-board-after-computer"]


@pytest.mark.parametrize(
    ("typed", "turn", "kinds"),
    [
        ("3 4", f"Falsch!\nDer Computer ist am Zug!\n{board(1, 2, 3)}{board(1, 2, 2)}{ROW}", ["turn-lost"]),
        ("3 4", f"Der Computer ist am Zug!\n{board(1, 2, 3)}{board(1, 2, 2)}{ROW}", ["too-many-taken"]),
        ("3 -1", f"Zu wenig!\n{board(1, 2, 2)}{ROW}", ["turn-lost"]),
        ("3 0", f"Falsch!\nDer Computer ist am Zug!\n{board(1, 2, 2)}{ROW}", ["turn-lost"]),
        ("3 0", f"{board(1, 2, 3)}{board(1, 2, 2)}{ROW}", ["zero-taken"]),
        ("3 4", f"{board(1, 2, 0)}{board(1, 1, 0)}{ROW}", ["too-many-taken"]),
        ("3 -1", f"{board(1, 2, 4)}{board(1, 2, 3)}{ROW}", ["negative-taken"]),
    ],
)
def test_a_turn_that_is_lost_is_another_mistake_than_an_answer_that_is_accepted(typed, turn, kinds) -> None:
    """Nothing is taken and the computer moves: without a word of refusal the answer was accepted."""
    assert faults(f"1 2 3 {typed}", f"{board(1, 2, 3)}{ROW}", COUNT, turn, "") == kinds


def test_the_game_goes_on_after_an_answer_that_was_accepted() -> None:
    """From the board that is shown: the next wrong answer is also judged."""
    lines = (f"{board(1, 2, 3)}{ROW}", COUNT, f"{board(1, 2, 4)}{board(1, 2, 3)}{ROW}", f"Falsch! {ROW}", "")
    game = followed("1 2 3 3 -1 4", *lines)
    assert messages(game) == ["the program accepts taking -1 from row 3: at least one match must be taken"]
    assert (game.occasions["negative"], game.occasions["wrong-row"], game.occasions["refusal"]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("typed", "turns", "message"),
    [
        ("4", (COUNT, f"{board(1, 2, 2)}{ROW}"), "the program accepts row 4: there are the rows 1, 2 and 3"),
        ("3 4", (COUNT, f"{board(1, 2, 0)}{board(1, 1, 0)}{ROW}"), "the program accepts taking 4 from row 3: the row has not so many matches"),
        ("3 0", (COUNT, f"{board(1, 2, 3)}{board(1, 2, 2)}{ROW}"), "the program accepts taking 0 from row 3: at least one match must be taken"),
        ("4", (COUNT, COUNT), "after row 4 the program asks only for the number again, and no number can be right"),
    ],
)  # fmt: skip
def test_faults_are_told_in_the_words_of_the_assignment(typed, turns, message) -> None:
    """The input, and why it is no move."""
    typed = f"1 2 3 {typed}" + (" 1" if typed == "4" else "")
    assert messages(followed(typed, f"{board(1, 2, 3)}{ROW}", *turns, "")) == [message]


def test_legal_answers_that_are_refused_do_not_stop_the_game() -> None:
    """A number to begin with, a row and a number are asked for again, and the game goes on."""
    one, two, three = SIZES
    assert begun("9 1 2 3", one, one, two, three, f"{board(1, 2, 3)}{ROW}", "") == ["refused-legal"]
    lines = (
        f"{board(1, 2, 3)}{ROW}",
        f"Falsch! {ROW}",
        COUNT,
        f"Falsch! {COUNT}",
        f"{board(1, 2, 2)}{board(1, 2, 1)}{ROW}",
    )
    assert faults("1 2 3 3 3 3 1", *lines, "") == ["refused-legal", "refused-legal", "poor-move"]


def test_rows_that_are_numbered_from_0_are_three_rows() -> None:
    """The question for row 1 comes second: the first number is not refused by it, and a negative one behind it is."""
    zero, one, two = (f"Anzahl der {row}. Reihe: " for row in range(3))
    first = f"{board(1, 2, 3)}{ROW}"
    assert begun("1 2 3", zero, one, two, first, "") == []
    assert begun("-1 1 -2 2 3", zero, zero, one, one, two, first, "") == []


@pytest.mark.parametrize("labels", ["123", "223", "113", "012", "234"])
def test_rows_by_any_names_are_read_by_their_places_once_they_show_what_was_typed(labels) -> None:
    """The names are a matter of form: the moves, and what the board shows, are right."""

    def drawn(*rows: int) -> str:
        return "".join(f"{label}. Reihe: {'|' * n}\n" for label, n in zip(labels, rows, strict=True))

    reply = f"{drawn(1, 2, 0)}Der Computer ist am Zug!\n{drawn(1, 1, 0)}{ROW}"
    assert faults("1 2 3 3 3", f"{drawn(1, 2, 3)}{ROW}", COUNT, reply, "") == []


def test_a_legal_move_that_is_carried_out_and_called_invalid_is_a_false_alarm() -> None:
    """The message is a mistake of its own: nothing is refused."""
    reply = f"{board(1, 2, 0)}Der Computer ist am Zug!\n{board(1, 1, 0)}{ROW}"
    first = f"{board(1, 2, 3)}{ROW}"
    assert faults("1 2 3 3 3", first, COUNT, f"Das ist nicht moeglich!\n{reply}", "") == ["called-invalid"]
    assert faults("1 2 3 3 3", first, COUNT, reply, "") == []


def test_a_number_that_is_not_asked_for_is_one_mistake() -> None:
    """The program takes what it shows: the game goes on from there, up to its end."""
    replies = f"{board(1, 2, 2)}{board(0, 2, 2)}{ROW}", f"{board(0, 2, 1)}{board(0, 1, 1)}{ROW}", f"{board(0, 1, 0)}"
    game = followed(
        "1 2 3 3 3 3", f"{board(1, 2, 3)}{ROW}", *replies[:2], f"{replies[2]}{board(0, 0, 0)}{COMPUTER_WINS}"
    )
    assert [fault.kind for _, fault in game.faults] == ["wrong-board"] * 3
    assert messages(game)[0] == "after row 3 the program does not ask for a number, and takes 1"
    assert (game.occasions["moved"], game.occasions["reply"], game.occasions["win-2"]) == (3, 3, 0)


def test_what_is_asked_for_once_may_be_waited_for_in_silence() -> None:
    """One question for the three numbers, and one for a row and a number: the program prints nothing before the rest."""
    lines = (
        "Anzahl der Streichhoelzer: ",
        "",
        "",
        f"{board(1, 2, 3)}{ROW}",
        "",
        f"{board(1, 2, 0)}{board(1, 1, 0)}{ROW}",
        "",
    )
    game = follow(Scripted(*lines, f"Falsch! {ROW}", ""), Rulings(REFEREE, READER), repeating(tuple("1233341")))
    assert [fault.kind for _, fault in game.faults] == []
    assert (game.occasions["reply"], game.occasions["refusal"]) == (1, 1)
    assert begun("1 2", "Anzahl: ", "Anzahl: ", f"{board(1, 2, 0)}{ROW}", "") == ["wrong-start"]
    assert begun("-1 1 2", "Anzahl: ", "", "", f"{board(0, 1, 2)}{ROW}", "") == ["negative-start-taken"]
    assert begun("1 2 3", "", "", "", "", "") == ["silent"]
    assert begun("1 2 3", "", "", "", f"{board(1, 2, 3)}{ROW}", "") == []
    at_once = "Aus welcher Reihe und wie viele? "
    lines = (
        f"{board(1, 2, 3)}{at_once}",
        "",
        f"Falsch! {at_once}",
        "",
        f"{board(1, 2, 0)}{board(1, 1, 0)}{at_once}",
        "",
    )
    assert faults("1 2 3 3 9 3 3", *lines) == []


def test_two_people_and_no_computer_are_no_game_against_it() -> None:
    """The board changes by the moves that are typed alone: the computer takes nothing."""
    lines = (f"{board(1, 2, 3)}{ROW}", COUNT, f"{board(1, 2, 2)}{ROW}", COUNT, f"{board(1, 2, 1)}{ROW}", "")
    game = followed("1 2 3 3 1 3 1", *lines)
    assert [fault.kind for _, fault in game.faults] == ["illegal-move"]
    assert "reply" not in game.occasions


def test_an_early_end_is_one_mistake() -> None:
    """Whoever is named then: the game ended while there are matches."""
    last = f"{board(1, 2, 0)}{board(1, 1, 0)}{COMPUTER_WINS}"
    assert faults("1 2 3 3 3", *WON[:2], last) == ["ended-early"]
    assert faults("1 2 3 3 3", *WON[:2], f"{board(1, 2, 0)}{USER_WINS}") == ["ended-early"]


def test_a_winner_that_is_named_after_one_more_question_is_judged_then() -> None:
    """Asking for a row after the last match is one mistake, and naming the wrong winner another."""
    asked = f"{board(0, 1, 0)}{board(0, 0, 0)}{ROW}"
    assert faults("1 2 3 3 3 1 1 1", *WON, asked, COMPUTER_WINS) == ["plays-on"]
    assert faults("1 2 3 3 3 1 1 1", *WON, asked, USER_WINS) == ["plays-on", "wrong-winner"]


def test_a_second_winner_comes_of_a_turn_too_many() -> None:
    """Behind the right name the game goes on, and the next mover finds no match and is named as well. Named first, a wrong one counts."""
    both = f"{board(0, 1, 0)}{COMPUTER_WINS}Sie sind am Zug!\n{USER_WINS}"
    assert faults("1 2 3 3 3 1 1", *WON, f"{both}{ROW}", "") == ["plays-on"]
    assert faults("1 2 3 3 3 1 1", *WON, f"{board(0, 1, 0)}{USER_WINS}{COMPUTER_WINS}{ROW}", "") == [
        "wrong-winner",
        "plays-on",
    ]
    assert faults("1 2 3 3 3 1 1", *WON, both) == ["wrong-winner"]


@pytest.mark.parametrize(("winner", "kinds"), [(COMPUTER_WINS, ["crash"]), (USER_WINS, ["wrong-winner", "crash"])])
def test_the_winner_counts_where_the_program_breaks_behind_it(winner, kinds) -> None:
    """It may be named and printed for ever."""
    talk = Scripted(*SIZES, *WON, f"{board(0, 1, 0)}{winner}", ending=Ending(EndingKind.OUTPUT_LIMIT, "ended"))
    game = follow(talk, Rulings(REFEREE, READER), repeating(("1", "2", "3", "3", "3", "1", "1")))
    assert ([fault.kind for _, fault in game.faults], game.occasions["win"]) == (kinds, 1)


def test_a_first_board_without_matches_could_not_be_read() -> None:
    """Matches may be drawn by marks that nobody thought of, unless each row is refused as an empty one."""
    blank = f"{board(0, 0, 0)}{ROW}"
    assert begun("1 2 3 1 1", *SIZES, blank, COUNT, f"{board(0, 0, 0)}{ROW}", "") == []
    assert begun("1 2 3 1 1", *SIZES, blank, COUNT, f"Der Computer ist am Zug! {ROW}", "") == [UNREAD]
    assert begun("1 2 3 1 2", *SIZES, blank, f"Falsch! {ROW}", f"Falsch! {ROW}", "") == []


@pytest.mark.parametrize(
    "text",
    [
        "9" * 5000, f"1. Reihe: {'9' * 5000}\n", f"1. Reihe: {'9' * 18}\n2. Reihe: 1\n3. Reihe: 0\n",
        f"1. Reihe: {'|' * 65536}\n", "|" * 65536, f"1. Reihe: {'| ' * 32768}\n", " " * 65536, "[" * 65536,
        "Der Computer nimmt ² aus Reihe ٣\n", f"Ich nehme {'9' * 5000} aus Reihe 1\n", f"Ich nehme 5 aus Reihe {'1' * 5000}\n",
        "\udc80 gewonnen" * 9, "1. Reihe:\n1. Reihe:\n", "3. Reihe: |\n", f"{COMPUTER_WINS}{USER_WINS}",
    ],
)  # fmt: skip
def test_nothing_that_a_program_prints_is_our_error(text) -> None:
    """Long numbers, long rows and odd digits are heard like anything else, at every point of a game."""
    rows = (1, 2, 3)
    begun = START._replace(possible=(rows,), asks="move")
    taken = REFEREE.answer(begun, "row", "3")._replace(asks=facing.COUNT)
    drawn = taken._replace(possible=(rows, (1, 2, 2)))
    for state in (
        START, REFEREE.answer(START, "amount", "3"), REFEREE.answer(START, "amount", "-1"), REFEREE.answer(begun, "row", "3"),
        REFEREE.answer(begun, "row", "4"), REFEREE.answer(taken, "amount", "3")._replace(seen=True), REFEREE.answer(taken, "amount", "9"),
        REFEREE.answer(drawn, "amount", "2"), REFEREE.answer(taken, "amount", "1")._replace(unseen=True),
        begun._replace(possible=((0, 0, 0),), over=True, winner=1),
    ):  # fmt: skip
        for question, ended in product(("", ROW, COUNT, SIZES[1], "Noch ein Spiel? "), (True, False)):
            heard = READER.read(text + question, ended=ended)
            ruling = REFEREE.hear(state, heard)
            assert REFEREE.last_words(state, heard)
            if heard.question and not ended and not any(fault.stops for fault in ruling.faults):
                answers = REFEREE.answers(ruling.state, heard.question)
                assert answers.legal or answers.leaves


def test_the_reference_plays_without_a_fault() -> None:
    """Games with and without wrong answers; the computer wins some of them, and the user others."""
    winners = set()
    for number in range(24):
        wanted = GameSet(games=24, seed=2, illegal=Fraction(number % 2, 3))
        game = follow(SpeakingReference(rules.play, echo=False), Rulings(REFEREE, READER), drawing(wanted, number))
        assert (game.faults, game.transcript.ending.kind) == ((), EndingKind.ENDED)
        winners.add(game.transcript.turns[-1].output.splitlines()[-1])
    assert winners == {"Sie haben dieses Spiel gewonnen!", "Der Computer hat dieses Spiel gewonnen!"}


def test_something_is_typed_where_nothing_is_shown_to_be_left() -> None:
    """A program that numbers its rows from -1 shows one row of three, which is empty, and asks for a row."""
    state = START._replace(possible=((0, 0, 0),), unseen=True, asks=MOVE)
    assert REFEREE.answers(state, "row").legal
