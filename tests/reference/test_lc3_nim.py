"""The rules of three rows of rocks, and the referee that follows other programs' own games."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.games.follow.following import Followed, Reader, Rulings, drawing, follow, repeating
from grader.games.referee import UNREAD, of_module
from grader.sessions.reference import SpeakingReference, load
from grader.spec.kinds.runs import GameSet
from grader.spec.loader import load_assignment
from grader.transcript import Ending, EndingKind
from tests.scripted import Scripted

ROOT = Path(__file__).parents[2]
rules = load(ROOT / "reference" / "lc3_nim")
REFEREE = of_module(rules, "lc3_nim")
SPEC = load_assignment(ROOT / "specs" / "lc3-nim.yaml").spec
READER = Reader(SPEC.text)
HALTED = Ending(EndingKind.ENDED, "halted")
BROKEN = Ending(EndingKind.NEVER_ENDS, "it never ends")
REFUSAL = "Invalid move. Try again.\n"


def board(a: int, b: int, c: int) -> str:
    """The three rows."""
    return f"\nROW A: {'o' * a}\nROW B: {'o' * b}\nROW C: {'o' * c}\n"


def asks(player: int) -> str:
    """The question."""
    return f"Player {player}, choose a row and number of rocks: "


OPENING = board(3, 5, 8) + asks(1)


def game(moves: str, *turns: str, ending: Ending | None = None) -> Followed:
    """The game in which these moves are typed and these turns are said."""
    typed = tuple("\n" if move == "⏎" else move for move in moves.split())
    return follow(Scripted(*turns, wants="key", ending=ending), Rulings(REFEREE, READER), repeating_keys(typed))


def repeating_keys(inputs: tuple[str, ...]):
    """The answers one after the other, Enter alone among them."""
    rest = iter(inputs)
    draw = repeating(tuple(text for text in inputs if text != "\n"))
    return lambda answers, *state: (
        "\n" if answers.legal == ("\n",) and "\n" in inputs else draw(answers) if next(rest, None) else None
    )


def kinds(followed: Followed) -> list[str]:
    """The kinds of its faults, in their order."""
    return [fault.kind for _, fault in followed.faults]


def messages(followed: Followed) -> list[str]:
    """The sentences on its faults."""
    return [fault.message for _, fault in followed.faults]


@pytest.mark.parametrize("illegal", ["0", "1/2"])
def test_the_reference_plays_without_a_fault(illegal):
    """Its own games, with and without invalid moves, are right in every turn, and either player wins some."""
    games = GameSet.model_validate({"games": 40, "seed": 3, "illegal": illegal, "inputs": 80})
    played = [
        follow(SpeakingReference(rules.play, echo=True), Rulings(REFEREE, READER), drawing(games, number))
        for number in range(games.games)
    ]
    assert [one.faults for one in played] == [()] * 40
    assert {name for one in played for name in ("win-1", "win-2") if one.occasions.get(name)} == {"win-1", "win-2"}


@pytest.mark.parametrize(
    ("opening", "found"),
    [
        (OPENING, []),
        (board(2, 5, 8) + asks(1), ["the rows begin with A 3, B 5, C 8 rocks, but the program shows A 2, B 5, C 8"]),
        ("ROW A: ooo\n" + asks(1), ["the game begins, but the board lacks some of its rows"]),
        (asks(1), ["the game begins, but the program does not show the board with its three rows"]),
        (board(3, 5, 8) + asks(2), ["player 1 always goes first, but the program asks player 2"]),
        (OPENING.replace("1", "#"), ["player 1 always goes first, but the first question names no player"]),
        (OPENING.replace("1", r"\xa2"), ["player 1 always goes first, but the first question names no player"]),
        (OPENING.replace("1", "A"), []),  # it may be the name of a player
        ("Welcome", [UNREAD]),
    ],
)
def test_the_start_is_judged(opening, found):
    """The first board and the first question must be there, and be right; what is neither could not be read."""
    if found == [UNREAD]:
        assert REFEREE.hear(REFEREE.start(0), READER.read(opening, ended=False)).occasions == ()
    else:
        assert messages(game("", opening)) == found


@pytest.mark.parametrize(
    ("moves", "turns", "causes"),
    [
        ("", (asks(1),), ("no-board",)),
        ("A:", (board(11, 5, 8) + asks(1), board(1, 5, 8) + asks(2)), ("too-many-taken", "wrong-start", "wrong-board")),
        ("A:", (OPENING, board(0, 5, 8) + asks(2)), ("too-many-taken",)),
        ("A*", (OPENING, board(0, 5, 8) + asks(2)), ()),
    ],
)
def test_a_fault_that_may_follow_from_another_names_that(moves, turns, causes):
    """A program that shows no board at all shows no first one. “A:” is ten rocks, which are too many for each right row."""
    assert game(moves, *turns).faults[-1][1].causes == causes


@pytest.mark.parametrize(("lost", "found"), [("ROW B: \n", []), ("ROW A: ooo\n", ["no-board"])])
def test_a_row_without_rocks_may_lose_its_name(lost, found):
    """Behind B5 all rocks that are left are shown where row B alone is not; a lost line is a slip of form, which others judge."""
    assert kinds(game("B5", OPENING, board(3, 0, 8).replace(lost, "") + asks(2))) == found


def test_a_row_with_the_name_of_another_is_read_where_it_stands():
    """“ROW A” for row B is one mistake: the rocks that are shown there are those of row B."""
    misnamed = [text.replace("ROW B", "ROW A") for text in (OPENING, board(3, 4, 8) + asks(2))]
    followed = game("B1", *misnamed)
    assert set(messages(followed)) == {"the board calls row B by the name of another row"}
    assert followed.occasions["moved"] == 1
    assert not any(fault.stops or not fault.passes for _, fault in followed.faults)


def test_a_row_that_is_printed_twice_has_not_the_name_of_another():
    """Row B stands twice, and row C is missing: that is a board in part, and not a row C with five rocks."""
    twice = "\nROW A: ooo\nROW B: ooooo\nROW B: ooooo\n" + asks(1)
    assert messages(game("", twice)) == ["the game begins, but the board lacks some of its rows"]


def test_a_row_that_is_shown_alone_shows_the_moves_from_it():
    """A program that draws row A alone carries out A2 before one's eyes, and B2 unseen."""
    row_a = [f"\nROW A: {'o' * n}\n" for n in (3, 1, 1)]
    followed = game("A2 B2", *(row + asks(player) for row, player in zip(row_a, (1, 2, 1), strict=True)))
    assert kinds(followed) == ["no-board"] * 3
    assert (followed.occasions["move"], followed.occasions["moved"]) == (2, 1)


def test_a_row_too_long_to_be_read_is_told_as_more_than_is_read():
    """A finding on 3,595 rocks said 200: longer runs are cut before they are read."""
    followed = game("", board(3595, 5, 8) + asks(1))
    assert messages(followed) == ["the rows begin with A 3, B 5, C 8 rocks, but the program shows A 200+, B 5, C 8"]
    assert [text.partition("” was read as ")[2] for text in followed.reading(1)][:2] == [
        "row: row a, rocks 200+",
        "row: row b, rocks 5",
    ]


def test_a_wrong_start_is_judged_once_and_the_game_goes_on_from_it():
    """A program that begins with two rocks in row A is right in all that follows from two rocks."""
    followed = game(
        "A2 C8 A1 B5", board(2, 5, 8) + asks(1), board(0, 5, 8) + asks(2), board(0, 5, 0) + asks(1),
        REFUSAL + asks(1), "\nPlayer 2 Wins.\n", ending=HALTED,
    )  # fmt: skip
    assert kinds(followed) == ["wrong-start"]
    assert (followed.occasions["win-2"], followed.occasions["too-many"], followed.occasions["moved"]) == (1, 1, 3)


def test_a_wrong_board_is_judged_and_believed():
    """If one rock too many is gone, the game goes on without it."""
    followed = game("B2 B2", OPENING, board(3, 2, 8) + asks(2), board(3, 0, 8) + asks(1))
    assert messages(followed) == ["B2 leaves A 3, B 3, C 8, but the program shows A 3, B 2, C 8"]


def test_a_board_that_is_only_drawn_wrongly_is_no_wrong_game():
    """One rock is shown for an empty row: what follows is right by the rules, and nothing more is found."""
    followed = game(
        "B5 A3 C8", OPENING, board(3, 1, 8) + asks(2), board(1, 1, 8) + asks(1), "Player 2 Wins.", ending=HALTED
    )
    assert kinds(followed) == ["wrong-board", "wrong-board"]


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (REFUSAL + asks(1), []),
        (board(3, 5, 8) + asks(1), ["the program refuses A0 without an error message"]),
        (REFUSAL + asks(2), ["after A0 the program must ask the same again, but player 2 is asked"]),
        (board(3, 5, 8) + asks(2), ["the program accepts A0: zero rocks is no valid move"]),
        (
            REFUSAL + board(2, 5, 8) + asks(1),
            ["the program refuses A0, but changes the heaps anyway: A 2, B 5, C 8 are left"],
        ),
        (
            REFUSAL + board(2, 5, 8) + asks(2),
            ["the program refuses A0, but changes the heaps anyway: A 2, B 5, C 8 are left"],
        ),
        (REFUSAL + board(3, 5, 8) + asks(1), []),
        (REFUSAL + "Player 1 Wins.\n", []),
    ],
)
def test_a_refusal_is_judged_by_what_it_is(answer, found):
    """The rocks stay, the same player is asked again, and a word says why; the board may be shown or not."""
    assert messages(game("A0", OPENING, answer)) == found


@pytest.mark.parametrize(
    ("move", "kind"),
    [
        ("D2", "wrong-row"),
        ("@1", "wrong-row"),
        ("a2", "lower-case"),
        ("A0", "zero"),
        ("A4", "too-many"),
        ("C9", "too-many"),
        ("A*", "no-digit"),
    ],
)
def test_each_kind_of_invalid_move_has_its_fault(move, kind):
    """An accepted input is named by its kind."""
    followed = game(move, OPENING, board(1, 1, 1) + asks(2))
    assert kinds(followed) == [f"{kind}-taken"]
    assert followed.occasions[kind] == 1


def test_a_refused_move_that_is_carried_out_shows_at_the_next_board():
    """Its row alone is wrong, and it is not that of the last move."""
    followed = game("A1 A9 C1", OPENING, board(2, 5, 8) + asks(2), REFUSAL + asks(2), board(0, 5, 7) + asks(1))
    assert messages(followed) == ["the program refuses A9, but takes its rocks anyway: A 0, B 5, C 7 rocks are left"]
    other = game("C9 B1", OPENING, REFUSAL + asks(1), board(3, 4, 7) + asks(2))  # C9 would take all rocks of its row
    assert messages(other) == ["B1 leaves A 3, B 4, C 8, but the program shows A 3, B 4, C 7"]


def test_a_valid_move_may_not_be_refused():
    """The game goes on with another move."""
    followed = game("C8 C1", OPENING, REFUSAL + asks(1), board(3, 5, 7) + asks(2))
    assert messages(followed) == ["C8 is legal with A 3, B 5, C 8, but the program refuses it"]


def test_players_take_turns():
    """Who is asked is judged by itself: the player who is asked is believed."""
    followed = game("A1 A1 A1", OPENING, board(2, 5, 8) + asks(1), board(1, 5, 8) + asks(2), board(0, 5, 8) + asks(1))
    assert kinds(followed) == ["no-alternation"]
    assert followed.occasions["turn"] == 3
    wrong = game("A1 A1", OPENING, board(1, 5, 8) + asks(2), board(1, 5, 8) + asks(2))  # the second may be a refusal
    assert (kinds(wrong)[0], wrong.occasions["turn"]) == ("wrong-board", 1)
    unnamed = game("A1", OPENING, board(2, 5, 8) + asks(2).replace("2", "#"))
    assert messages(unnamed) == ["after the valid move A1 the question names no player"]


def test_a_third_key_is_a_fault_of_its_own():
    """If the program waits for Enter after a move, Enter is typed, and the game goes on."""
    followed = game("A1 ⏎ A1", OPENING, "A1", board(2, 5, 8) + asks(2), board(1, 5, 8) + asks(1))
    assert kinds(followed) == ["further-key"]


ENDGAME = ("B5 C8 A3", OPENING, board(3, 0, 8) + asks(2), board(3, 0, 0) + asks(1))


def test_a_bare_name_at_the_end_asks_nobody():
    """“Player 2” alone, behind the last rock, may be a banner: nobody is asked, and a person decides. Behind a move it is a question."""
    assert kinds(game(*ENDGAME, "\nPlayer 2", ending=HALTED)) == [UNREAD]
    assert kinds(game("B5", OPENING, board(3, 0, 8) + "Player 2")) == []


@pytest.mark.parametrize(
    ("last", "ending", "found"),
    [
        ("\nPlayer 2 Wins.\n", HALTED, []),
        ("\nPlayer 1 Wins.\n", HALTED, ["wrong-winner"]),
        ("\nGame over.\n", HALTED, ["no-winner"]),
        ("\nPlayer # Wins.\n", HALTED, ["no-winner"]),
        ("\nPlayer 2, choose a row: ", HALTED, ["no-winner"]),
        ("\nPlayer 2 Wins.\n", None, ["no-halt"]),
        ("\nPlayer 2 Wins.\n", BROKEN, ["no-halt"]),
        ("\nPlayer 1 Wins.\n", BROKEN, ["wrong-winner", "no-halt"]),
        (board(0, 0, 0) + asks(2), None, ["plays-on"]),
        (board(1, 0, 0) + asks(2), None, ["wrong-board"]),
    ],
)
def test_the_end_is_judged(last, ending, found):
    """Who takes the last rock loses; the program names the other and halts; what it says before it hangs counts."""
    followed = game(*ENDGAME, last, ending=ending)
    assert kinds(followed) == found
    assert ("win-2" in followed.occasions) is ("plays-on" not in found and "wrong-board" not in found)


@pytest.mark.parametrize(
    ("move", "said", "found"),
    [
        ("A0", REFUSAL, "turn-lost"),
        ("A0", "", "zero-taken"),
        ("A*", "", "no-digit-taken"),
        ("A:", "", "too-many-taken"),
    ],
)
def test_a_program_that_breaks_behind_its_message_has_refused(move, said, found):
    """It neglects to ask again. One that breaks without a message neglects to refuse, and “:” is ten."""
    followed = game(move, OPENING, said, ending=BROKEN)
    assert kinds(followed) == [found]
    assert followed.occasions.get("zero", 0) == bool(said)


def test_a_question_that_cannot_be_read_tells_no_refusal():
    """A program that overwrote its own question was told that it refuses a2 without a message: it may have accepted it."""
    assert kinds(game("a2", OPENING, board(3, 5, 8) + asks(2).replace("Player", "Pl_yer"))) == []
    unnamed = asks(1).replace("Player 1", "You there")
    assert kinds(game("a2", board(3, 5, 8) + unnamed, board(3, 5, 8) + unnamed)) == ["no-message"]


def test_a_game_that_ends_too_early_is_told():
    """The rocks that are left are named."""
    followed = game("B5", OPENING, "Player 1 Wins.", ending=HALTED)
    assert messages(followed) == ["a winner is named, although there are rocks left: A 3, B 0, C 8"]


def test_after_a_wrong_board_neither_limits_nor_the_end_are_judged():
    """A program's play with its own rocks follows from the mistake that was charged."""
    followed = game("A1 B2 C9", OPENING, board(1, 5, 8) + asks(2), "Player 1 Wins.", ending=HALTED)
    assert kinds(followed) == ["wrong-board"]


@pytest.mark.parametrize(
    "text", ["9" * 5000, "ROW A: " + "o" * 65536, "Player ²: ٣", "\\udc80 Player 1 Wins" * 9, "ROW A:\nROW A:\n"]
)
def test_nothing_that_a_program_prints_is_our_error(text):
    """Long numbers, long rows and odd digits are heard like anything else, at every point of a game."""
    begun = rules.START._replace(possible=((3, 5, 8),))
    for seat in (
        rules.START,
        rules.answer(begun, "move", "A1"),
        rules.answer(begun, "move", "A9"),
        begun._replace(possible=((0, 0, 0),), over=True),
    ):
        for ended in (True, False):
            assert REFEREE.hear(seat, READER.read(text, ended=ended))


def test_a_player_who_does_not_exist_is_named_as_the_program_names_it() -> None:
    """A question for player 4 loses the turn; the report said that it was for player 2."""
    lost = game("D2", OPENING, REFUSAL + asks(4))
    assert messages(lost) == ["after D2 the program must ask the same again, but asks player 4, who does not exist"]
