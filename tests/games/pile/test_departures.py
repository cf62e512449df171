"""Programs that depart from the rules of a pile: what explains them, and what is charged."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.games.pile.fitting import explained
from grader.sessions.reference import Line, Play
from tests.games.pile.small import RIGHT, kinds, player, study


def test_right_rules_explain_a_right_program():
    """Nothing departs."""
    known = explained(player(RIGHT.play))
    assert known is not None
    assert not known.explanation.departures


@pytest.mark.parametrize("taken", [0, 3, -2], ids=["they stay", "three are taken off", "they are added"])
def test_a_wrong_count_in_one_branch_is_one_fault(taken):
    """A program with a branch for each number took two stones and left them; its strategy and its turns were charged, or nothing."""
    program = replace(RIGHT, off=lambda take: taken if take == 2 else 1)
    assert kinds(program.play) == {"wrong-count"}


def test_a_game_that_goes_on_below_zero_is_the_fault_of_the_move_that_led_there():
    """A program that always takes two waits for a pile of zero exactly: legal moves end it, and one edit cost its move and its end."""
    assert kinds(replace(RIGHT, best=lambda _: 2, over=lambda n: n == 0).play) == {"poor-move-1", "poor-move-2"}


def plays_below_zero() -> Play:
    """A program that goes on with no stone, and prints what is left behind each move: -2 at its end."""
    n = yield from RIGHT.pile()
    mover = yield from RIGHT.ask(RIGHT.first, lambda n: n in (0, 1))
    while n >= 0:
        if mover:
            n -= yield from RIGHT.ask(RIGHT.take, lambda take: RIGHT.legal(take, n))  # noqa: B023
        else:
            yield RIGHT.takes(RIGHT.best(n))
            n -= RIGHT.best(n)
        yield RIGHT.left(n)
        mover = 1 - mover
    yield RIGHT.ends[mover]


def test_a_count_below_zero_at_the_end_is_the_fault_of_the_move_that_led_there():
    """That the game goes on is charged, and not the count beside it."""
    assert kinds(plays_below_zero) == {"plays-on"}


def leaves(last: int = 0, off: int = 0) -> Play:
    """A program that says behind each move what it leaves, with ``off`` more behind the user's, and ends there if that is at most ``last``."""
    n = yield from RIGHT.pile()
    mover = yield from RIGHT.ask(RIGHT.first, lambda n: n in (0, 1))
    while True:
        take = (yield from RIGHT.ask(RIGHT.take, lambda take: RIGHT.legal(take, n))) if mover else RIGHT.best(n)  # noqa: B023
        n -= take
        yield f"Du nimmst {take}, dann sind es {n + off}.\n" if mover else f"Ich nehme {take}, dann sind es {n}.\n"
        mover = 1 - mover
        if n <= last:
            break
    yield RIGHT.ends[mover]


@pytest.mark.parametrize(
    ("changes", "found"),
    [({}, set()), ({"last": 1}, {"ended-early"}), ({"off": 1}, {"wrong-count"})],
    ids=["right", "ends with one stone", "one too many behind the user's moves"],
)
def test_what_is_left_is_judged_behind_each_move(changes, found):
    """A game of one stone may be played by a program that ends others with one, and what is left at the end may always be the same."""
    assert kinds(lambda: leaves(**changes)) == found


def begins_itself() -> Play:
    """A program that prints the question who moves first, and reads no answer: it begins."""
    n = yield from RIGHT.pile()
    yield RIGHT.first
    yield from RIGHT.turns(n, 0)


def test_a_question_that_reads_no_answer_is_one_fault():
    """The answers to it are moves; as answers they made six faults. Nothing is said of what is answered, since nothing is."""
    assert kinds(begins_itself) == {"unasked-first"}


def test_no_answer_is_accepted_to_a_question_that_reads_none():
    """“17 answers to who moves first that were accepted” stood below “it reads no answer to who moves first”."""
    found, _ = study(begins_itself)
    assert not {"first", "begin-0", "begin-1"} & {name for game in found.games for name in game.occasions}


def never_passes_the_turn() -> Play:
    """A program in which whoever begins makes all moves."""
    n = yield from RIGHT.pile()
    mover = yield from RIGHT.ask(RIGHT.first, lambda n: n in (0, 1))
    while n > 0:
        yield RIGHT.left(n)
        if mover:
            n -= yield from RIGHT.ask(RIGHT.take, lambda take: RIGHT.legal(take, n))  # noqa: B023
        else:
            yield RIGHT.takes(RIGHT.best(n))
            n -= RIGHT.best(n)
    yield RIGHT.ends[mover]


def test_no_number_of_stones_shows_a_departure_that_shows_at_the_end():
    """“The same player always moves, here with 0 stones left” was said of a game of two stones in which the program took both."""
    found, _ = study(never_passes_the_turn)
    messages = {fault.message for game in found.games for _, fault in game.faults}
    assert "the same player always moves" in messages
    assert not any("with 0 stones" in message for message in messages)


def test_moves_that_no_rule_foretells_are_followed_by_what_is_told():
    """A program that divides by four tells what is left, so that each of its moves is known; of a silent one nobody knows them."""
    by_four = replace(RIGHT, best=lambda n: 2 if n % 4 == 0 else 1)
    assert kinds(by_four.play) == {"poor-move-0", "poor-move-1", "poor-move-2"}
    found, _ = study(replace(by_four, left=lambda _n: "").play)
    assert found.obstacle


def looks_for_0_and_2() -> Play:
    """A program that takes 2 as who moves first for 1, and begins itself then."""
    n = yield from RIGHT.pile()
    yield from RIGHT.ask(RIGHT.first, lambda n: n in (0, 2))
    yield from RIGHT.turns(n, 0)


def test_an_answer_that_is_accepted_is_told_by_the_question_behind_it():
    """The program refused all that was typed behind it as moves: its waits and numbers came as if the answer had been refused."""
    assert kinds(looks_for_0_and_2) == {"refused-first", "accepted-first"}


def pauses_at_the_end() -> Play:
    """A program that refuses one stone, and waits for Enter at its end."""
    yield from replace(RIGHT, legal=lambda take, n: take == 2 and take <= n).play()
    yield "Weiter mit Enter."
    yield Line()


def moves_on_alone(*, asks: bool = True) -> Play:
    """A program that moves alone behind the first move of the user, or if it ``asks`` for none from the first move on."""
    n = yield from RIGHT.pile()
    mover = (yield from RIGHT.ask(RIGHT.first, lambda n: n in (0, 1))) and asks
    while n > 0:
        yield RIGHT.left(n)
        take = (yield from RIGHT.ask(RIGHT.take, lambda take: RIGHT.legal(take, n))) if mover else RIGHT.best(n)  # noqa: B023
        yield "" if mover else "Ich nehme etwas.\n"
        n, mover = n - take, False
    yield RIGHT.ends[1]


@pytest.mark.parametrize(
    ("play", "charged"),
    [(pauses_at_the_end, {"refused-take"}), (moves_on_alone, {"wrong-turn"})],
    ids=["it refuses one, and pauses", "it moves on alone"],
)
def test_a_program_without_longer_games_for_more_stones_is_judged_if_rules_explain_it(play, charged):
    """Both were said to play no game, and lost everything."""
    assert kinds(play) == charged


def test_moves_of_the_program_are_counted_where_the_user_never_moves():
    """It was said to make too few moves itself."""
    found, _ = study(lambda: moves_on_alone(asks=False))
    assert sum(game.occasions.get("computer", 0) for game in found.games) > 5
    assert not any(game.occasions.get("taken") for game in found.games)


def test_a_program_that_ends_behind_the_first_move_plays_no_game():
    """It may play by any rule: it tells no move behind that one."""

    def play() -> Play:
        n = yield from RIGHT.pile()
        mover = yield from RIGHT.ask(RIGHT.first, lambda n: n in (0, 1))
        yield RIGHT.left(n)
        take = (yield from RIGHT.ask(RIGHT.take, lambda take: RIGHT.legal(take, n))) if mover else RIGHT.best(n)
        yield "" if mover else RIGHT.takes(take)
        yield RIGHT.left(n - take)
        yield RIGHT.ends[1 - mover]

    found, _ = study(play)
    assert not found.obstacle
    assert not any(game.occasions.get("taken") for game in found.games)


def test_old_rows_of_a_table_are_old_where_only_rules_tell_the_way_in():
    """They were read as what is left now: a program that refuses one stone is asked no longer for more stones."""

    def play() -> Play:
        n = yield from RIGHT.pile()
        mover = yield from RIGHT.ask(RIGHT.first, lambda n: n in (0, 1))
        rows = ""
        while n > 0:
            take = (yield from RIGHT.ask(RIGHT.take, lambda take: take == 2 <= n)) if mover else RIGHT.best(n)  # noqa: B023
            n, mover = n - take, 1 - mover
            rows += f"Zug | {take} | {n}\n"
            yield f"Wer | nimmt | bleibt\n{rows}"
        yield RIGHT.ends[mover]

    assert kinds(play) == {"refused-take"}


def refusing(word: str) -> Play:
    """A program that refuses every number; at a word it says something else, if that is not empty."""
    while True:
        yield "Wie viele Hölzchen? "
        text = yield Line()
        yield f"{text} geht nicht!\n" if text.isdigit() or not word else word


def test_a_program_that_refuses_every_number_plays_no_game():
    """It says another thing behind a word, so that it wants a number."""
    found, _ = study(lambda: refusing("Das ist keine Zahl!\n"))
    assert not found.obstacle
    sentence = "the program refuses every number of stones"
    assert {fault.message for game in found.games for _, fault in game.faults} == {sentence}
    assert not any(game.occasions.get("taken") for game in found.games)


@pytest.mark.parametrize("right", ["", "Nur 0 und 1!\n"], ids=["in its own way", "as all numbers"])
def test_a_program_that_refuses_0_and_1_plays_no_game(right):
    """It asks for ever who moves first: with a message for 2 alone, or for all, in which 0 and 1 are no quotation of what was typed."""

    def play() -> Play:
        yield from RIGHT.pile()
        while True:
            yield RIGHT.first
            text = yield Line()
            yield right if text in ("0", "1") else "Nur 0 und 1!\n" if text.isdigit() else "Das ist keine Zahl!\n"

    found, _ = study(play)
    assert not found.obstacle
    sentence = "the program refuses 0 and 1 as the answer to who moves first"
    assert {fault.message for game in found.games for _, fault in game.faults} == {sentence}
    assert not any(game.occasions.get("taken") for game in found.games)


def test_a_program_that_refuses_words_as_it_refuses_numbers_is_left_open():
    """It may want a word that nobody has typed."""
    found, _ = study(lambda: refusing(""))
    assert found.obstacle


def test_a_message_behind_an_allowed_answer_to_one_question_is_none_of_the_other():
    """It was shown at a refused number of stones, as if nothing were said there alone."""

    def play() -> Play:
        n = yield from RIGHT.pile()
        mover = yield from RIGHT.ask(RIGHT.first, lambda n: n in (0, 1))
        yield RIGHT.no if mover else ""
        yield from RIGHT.turns(n, mover)

    found, _ = study(play)
    sentences = {fault.message for game in found.games for _, fault in game.faults}
    assert sentences
    assert not any(sentence.startswith(("0 ", "-5 ")) for sentence in sentences)


def test_a_wrong_answer_behind_which_the_program_moves_alone_to_the_end_is_accepted():
    """Its log of moves, as no right game has it, was taken for a message, and the end for that of a program that does not ask again."""

    def play() -> Play:
        n = yield from RIGHT.pile()
        mover = yield from RIGHT.ask(RIGHT.first, lambda n: n in (-1, 0, 1))
        log = ""
        while n > 0:
            yield f"Bisher: {log}.\n{RIGHT.left(n)}"
            own = mover != 1
            take = RIGHT.best(n) if own else (yield from RIGHT.ask(RIGHT.take, lambda take: RIGHT.legal(take, n)))  # noqa: B023
            yield RIGHT.takes(take) if own else ""
            log += " ich" if own else " du"
            n, mover = n - take, 1 - mover
        yield RIGHT.ends[mover == 1]

    assert kinds(play) == {"accepted-first"}


@pytest.mark.parametrize(
    ("left", "found"),
    [
        (lambda n: f"{n - 1} good stones and 1 poisoned one.\n", set()),
        (lambda n: f"{n - 1} stones beside 2 of another game.\n", {"wrong-count"}),
        (lambda n: f"{n - 1} stones.\n", {"wrong-count"}),
    ],
    ids=["in two parts", "another number beside it", "one too few"],
)
def test_a_count_may_be_told_in_parts(left, found):
    """“4 good stones and 1 poisoned one” are five; a count that is one too few without the last one is wrong."""
    assert kinds(replace(RIGHT, left=left).play) == found
