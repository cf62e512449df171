"""Who is named as the winner, and the words of many languages that tell it."""

from importlib.resources import files

import pytest

from grader.games.hear.names import Naming, addressed, each_named, named_winner, naming, polarity
from grader.games.hear.words import PROGRAM, USER, mood, words


@pytest.mark.parametrize(
    ("text", "user"),
    [
        ("You win!", 1), ("The computer wins!", -1), ("The human has lost.", -1), ("The machine has won.", -1),
        ("Winner: user", 1), ("The computer has beaten you!", -1), ("You have been defeated.", -1),
        ("Der Computer hat dich besiegt.", -1), ("Du hast verloren.", -1), ("La computadora gana.", -1), ("¡Ganaste!", 1),
        ("tu as gagné", 1), ("Bạn thua!", -1), ("电脑赢了", -1), ("你赢了", 1), ("Ты выиграл!", 1), ("Komputer wygrał.", -1),
        ("Kazandın!", 1), ("Hai vinto!", 1), ("Você perdeu.", -1), ("You don't win.", -1), ("Congratulations!", 1),
        ("O senhor perdeu!", -1), ("Lei ha vinto.", 1), ("Pan przegrał.", -1), ("Ganhei!", -1),
        ("Vítěz: Počítač", -1), ("Du taber!", -1), ("Jeg vinder.", -1), ("Voitit!", 1), ("Tietokone voitti.", -1), ("Te nyertél!", 1),
        ("あなたの勝ちです", 1), ("당신이 졌습니다.", -1), ("Ви програли!", -1), ("winner=program", -1),
        ("winner . . . : computer", -1),
        ("Close this window.", None), ("Stones left: 3", None),
    ],
)  # fmt: skip
def test_a_sentence_says_who_won(text, user):
    """By a word of winning or losing and the player next to it; a sentence without such a word says nothing."""
    found = polarity(text)
    assert (found is None) if user is None else (found is not None and found * user > 0)


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("Pierde el jugador ann y gana el jugador bob", "bob"), ("Player bob loses. The winner is player ann.", "ann"),
        ("bob took the last stone - winner: ann", "ann"), ("bob wygrywa!", "bob"),
        ("Ann a gagné", "ann"), ("bob was beaten by ann", "ann"), ("ann beats bob", "ann"), ("bob loses.", "ann"),
        ("bob is disqualified!", "ann"), ("Người chơi bob bị loại.", "ann"), ("ann queda descalificado", "bob"),
        ("Congratulations, you win!", ""), ("ann, your move", ""), ("The game is over: ann - bob", ""),
    ],
)  # fmt: skip
def test_a_line_names_one_of_two_players_as_the_winner(text, winner):
    """Each verb belongs to the player of its own part of the line; words such as “player” or “you” name nobody beside names."""
    assert named_winner(("ann", "bob"), text) == {"ann": 0, "bob": 1, "": None}[winner]


@pytest.mark.parametrize(
    ("text", "winner"), [("Hurra!", USER), ("Oh weh!", PROGRAM), ("Game over.", ""), ("Ein Hurra dem Rechner!", "")]
)
def test_joy_fits_the_win_of_the_user_and_regret_that_of_the_program(text, winner):
    """Beside a player nobody knows whose joy it is."""
    assert mood(text) == winner


def test_words_come_in_eleven_languages_at_least():
    """They are data that comes with the package, and each file has all parts."""
    found = {path.name for path in files("grader.games.hear.words").iterdir() if path.name.endswith(".yaml")}
    assert {f"{name}.yaml" for name in ["de", "en", "es", "fr", "pt", "vi", "zh", "ru", "pl", "it", "tr"]} <= found
    assert words().numbers["sieben"] == words().numbers["seven"] == 7


def ends(user: str, program: str) -> dict[str, Naming]:
    """How the endings name the winners, in games that the user and the program have won."""
    found = naming({USER: [user], PROGRAM: [program]}, ["3 left. Your move:"], {})
    return {winner: verdict for winner, (verdict, _) in found.items()}


@pytest.mark.parametrize(
    ("user", "program", "verdicts"),
    [
        ("You win!", "You lose!", (Naming.RIGHT, Naming.RIGHT)),
        ("You win!", "Better luck next time.", (Naming.RIGHT, Naming.RIGHT)),
        ("You lose!", "You win!", (Naming.WRONG, Naming.WRONG)),
        ("You win!", "You win!", (Naming.RIGHT, Naming.WRONG)),
        ("Game over.", "Game over.", (Naming.NOBODY, Naming.NOBODY)),
        ("Player 1 wins.", "Player 0 wins.", (Naming.UNREAD, Naming.UNREAD)),
        (
            "This one goes to Bob. Bob 1, robot 0",
            "This one goes to the robot. Bob 0, robot 1",
            (Naming.RIGHT, Naming.RIGHT),
        ),
        ("Result: user 1 - 0 program", "Result: user 0 - 1 program", (Naming.RIGHT, Naming.RIGHT)),
        ("Result: user 0 - 1 program", "Result: user 1 - 0 program", (Naming.UNREAD, Naming.UNREAD)),
        ("The robot buys the coffee.", "The coffee is on Bob.", (Naming.UNREAD, Naming.UNREAD)),
        ("And the winner is ... you!", "And the winner is ... the program!", (Naming.RIGHT, Naming.RIGHT)),
        ("We have a winner! The program!", "We have a winner! The user!", (Naming.WRONG, Naming.WRONG)),
        ("WINNER\n-----\nthe user", "WINNER\n-----\nthe user", (Naming.RIGHT, Naming.WRONG)),
        ("Who has lost? The program.", "Who has lost? You.", (Naming.RIGHT, Naming.RIGHT)),
    ],
)
def test_endings_are_compared(user, program, verdicts):
    """The words when one player wins differ from those when the other does; the same for both is wrong for one of them."""
    assert tuple(ends(user, program).values()) == verdicts


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        (("Guest, 5 coins. 1 or 2?", "Guest, 3 coins. 1 or 2?"), {"guest": USER, "house": PROGRAM}),
        (("House waits. 1 or 2?",), {}),
        (("Guest, 5 coins. 1 or 2?", "1 or 2?"), {}),
        ((), {}),
    ],
)
def test_the_user_is_who_is_asked_for_his_moves(asked, names):
    """Two endings differ in a name; it is the user's where all questions have it, and nobody's where they name the program alone."""
    assert addressed({USER: ["Guest wins."], PROGRAM: ["House wins."]}, asked) == names


def test_a_program_is_known_by_the_name_that_its_moves_are_told_by():
    """“HAL picks 2.” and “HAL takes the crown.”: whoever is named at the end has won, in whatever words; the wrong way round is no proof."""
    mine, yours = "HAL takes the crown.", "Dave takes the crown."
    finals = {USER: [yours], PROGRAM: [mine]}
    movers = frozenset({"hal", "picks", "the"})
    assert {one for one, _ in naming(finals, [], {}, movers=movers).values()} == {Naming.RIGHT}
    assert {one for one, _ in naming(finals, [], {}).values()} == {Naming.UNREAD}
    swapped = {USER: [mine], PROGRAM: [yours]}
    assert {one for one, _ in naming(swapped, [], {}, movers=movers).values()} == {Naming.UNREAD}


def test_a_name_in_its_moves_tells_who_has_lost():
    """“The squirrel grabs 2.” says who the squirrel is, where it has lost; if that is the wrong player, nothing is sure."""
    movers = frozenset({"the", "squirrel", "grabs"})
    loses, lose = "The squirrel grabbed the last nut and loses.", "You grabbed the last nut and lose."
    assert {one for one, _ in naming({USER: [loses], PROGRAM: [lose]}, [], {}).values()} != {Naming.RIGHT}
    right = naming({USER: [loses], PROGRAM: [lose]}, [], {}, movers=movers)
    assert {one for one, _ in right.values()} == {Naming.RIGHT}
    wrong = naming({USER: [lose], PROGRAM: [loses]}, [], {}, movers=movers)
    assert {one for one, _ in wrong.values()} == {Naming.UNREAD}


def test_names_in_moves_and_in_questions_tell_who_has_beaten_whom():
    """“Teacher takes 2.” and “Pupil, how many?” say who is who."""
    finals = {USER: ["The pupil has beaten the teacher!"], PROGRAM: ["The teacher has beaten the pupil."]}
    found = naming(finals, [], {}, movers=frozenset({"teacher", "takes"}), asked=frozenset({"pupil", "how", "many"}))
    assert {one for one, _ in found.values()} == {Naming.RIGHT}
    assert {one for one, _ in naming(finals, [], {}).values()} != {Naming.RIGHT}


def test_each_end_names_whom_it_says_where_the_same_sentences_end_games_of_either():
    """“You win!” behind a game that the program won is wrong, though most of its games say “I win!”."""
    mine, yours = "I win! Better luck next time.\n", "You win! Congratulations.\n"
    found = each_named({USER: [yours], PROGRAM: [mine, yours]}, [])
    assert found == {mine: (PROGRAM, "I win!"), yours: (USER, "You win!")}


@pytest.mark.parametrize(
    ("user", "program"),
    [
        (["You win!"], ["I win!"]),
        (["I win!"], ["You win!"]),
        (["You win!"], ["You win!"]),
        (["Player 1 wins!", "Player 2 wins!"], ["Player 2 wins!", "Player 1 wins!"]),
        (["Hurra!\nYou win some.", "Hurra!\nI lose.", "Hurra!"], ["Oh!\nYou win some.", "Oh!\nYou lose some."]),
    ],
    ids=["right", "all wrong", "one for all", "numbers of players", "jokes"],
)
def test_ends_are_not_judged_alone_where_that_is_not_sure(user, program):
    """Each winner has sentences of his own, there is one for all, players have numbers, or jokes come by turns."""
    assert each_named({USER: user, PROGRAM: program}, []) == {}
