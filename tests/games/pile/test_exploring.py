"""Programs with a pile in any words, followed by experiment: small ones, each with one thing changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import pytest

from grader.games.referee import UNREAD
from grader.sessions.reference import Line, Play
from tests.games.pile.small import METHOD, REFERENCE, RIGHT, Program, kinds, study


@pytest.mark.parametrize(
    "program",
    [
        RIGHT,
        replace(RIGHT, left=lambda n: "o" * n + "\n"),
        replace(RIGHT, left=lambda n: f"{n} Stück da, 21 waren es nie.\n"),
        replace(RIGHT, stones="> ", first=">> ", take="# "),
        replace(RIGHT, takes=lambda n: ("Ich nehme eins weg.\n", "Ich nehme ein Paar.\n")[n - 1]),
        replace(RIGHT, takes=lambda n: f"Rechner: -{n}\n"),
        replace(RIGHT, left=lambda n: f"{n}\n", takes=lambda n: f"-{n}\n"),
        replace(RIGHT, left=lambda n: "~ ~ ~\n<" + "(o) " * n + ">\n"),
        replace(RIGHT, left=lambda n: "o\n" * n),
        replace(RIGHT, left=lambda n: "\n".join("o" * min(5, n - at) for at in range(0, n, 5)) + "\n"),
        replace(RIGHT, left=lambda n: "=" * n + "\n"),
        replace(RIGHT, left=lambda n: " ".join(map(str, range(1, n + 1))) + "\n"),
        replace(RIGHT, stones="Wer zuletzt nimmt, verliert.\nHölzchen? ", ends=("Verloren!\n", "Gewonnen!\n")),
    ],
    ids=[
        "german",
        "drawn",
        "with a number that says nothing",
        "without words",
        "move in words",
        "move below zero",
        "move below zero in no words",
        "drawn in brackets under an ornament",
        "drawn upright",
        "drawn in rows of five",
        "drawn in signs",
        "drawn as numbers",
        "result of one word that stands in the rules as well",
    ],
)
def test_right_programs_are_right(program):
    """In any words, and whatever is drawn."""
    assert kinds(program.play) == set()


def test_the_reference_is_right_and_quickly_followed():
    """In few runs all occasions come about, and its move is seen from all piles from 1 to 60."""
    found, runs = study(REFERENCE.play)
    occasions = sum((Counter(game.occasions) for game in found.games), Counter())
    assert all(occasions[name] for names in METHOD.tables.occasions_of.values() for name in names)
    assert found.learned.lessons[-1].sentence == "the move of the program was seen from all piles from 1 to 60"
    assert not any(game.faults for game in found.games)
    assert len(found.games) < 60
    assert runs.number < 700


@pytest.mark.parametrize(
    ("program", "found"),
    [
        (replace(RIGHT, best=lambda _n: 1), {"poor-move-0"}),
        (replace(RIGHT, best=lambda n: 2 if n % 3 == 0 or n == 41 else 1), {"poor-move-2"}),
        (replace(RIGHT, best=lambda n: min(n, 2)), {"poor-move-1", "poor-move-2"}),
        (replace(RIGHT, best=lambda _: 2), {"poor-move-1", "poor-move-2"}),
        (replace(RIGHT, left=lambda n: f"Es liegen {n + 1} da.\n"), {"wrong-count"}),
        (replace(RIGHT, left=lambda _n: ""), {"untold-left"}),
        (replace(RIGHT, takes=lambda _n: "Ich nehme.\n"), {"untold-move"}),
        (replace(RIGHT, ends=("Du gewinnst.\n", "Du verlierst.\n")), {"wrong-winner"}),
        (replace(RIGHT, ends=("Ende.\n", "Ende.\n")), {"no-winner"}),
        (replace(RIGHT, ends=("Spieler 7 gewinnt.\n", "Spieler 8 gewinnt.\n")), {UNREAD}),
        (replace(RIGHT, no=""), {"no-message"}),
        (replace(RIGHT, legal=lambda take, n: take in (1, 2, 3) and take <= n), {"accepted-take"}),
        (replace(RIGHT, legal=lambda take, n: take in (-1, 1, 2) and take <= n), {"accepted-take"}),
        (replace(RIGHT, legal=lambda take, _n: take in (1, 2)), {"accepted-too-many"}),
        (replace(RIGHT, over=lambda n: n <= 1), {"ended-early"}),
        (replace(RIGHT, over=lambda n: n < 0), {"plays-on"}),
        (replace(RIGHT, fewest=2), {"refused-stones"}),
        (replace(RIGHT, legal=lambda take, n: take == 2 and take <= n), {"refused-take"}),
        (replace(RIGHT, first=""), {"unasked-first"}),
        (replace(RIGHT, stones=""), {"unasked-stones"}),
        (replace(RIGHT, fewest=0), {"accepted-stones"}),
        (replace(RIGHT, fewest=0, first="Wer beginnt (0 Rechner, 1 du)? ", begins="Es geht los.\n"), {"accepted-stones"}),
    ],
    ids=[
        "always one", "wrong at 41 only", "always two", "two of one", "one too many", "left untold", "move untold", "winner exchanged",
        "no winner", "unknown names", "no message", "three", "minus one", "more than left", "one left", "goes on with none",
        "refuses one stone", "refuses to take one", "nobody is asked",
        "waits for the stones in silence",
        "pile of none", "pile of none after a greeting",
    ],
)  # fmt: skip
def test_each_mistake_is_found_and_no_other(program, found):
    """One thing is changed, and what is found is that."""
    assert kinds(program.play) == found


def named_by_hal() -> Play:
    """A right program that greets with its name, asks for the user's, and names the winner."""
    yield "Hello, I am HAL. And you are? "
    name = yield Line()
    yield from replace(
        RIGHT,
        take=f"{name}, your pick: ",
        takes=lambda n: f"Minus {n}.\n",
        ends=("HAL wins.\n", f"{name} wins.\n"),
    ).play()


def test_a_question_for_a_name_tells_nobody_whose_moves_are_asked_for():
    """The user is who is named where he moves: what is asked before the game says nothing."""
    assert kinds(named_by_hal) == set()


def test_a_silent_program_is_followed_by_its_futures_alone():
    """It tells nothing, and its moves are known: one that is poor is found, and that nothing is told."""
    silent = replace(RIGHT, left=lambda _n: "", takes=lambda _n: "")
    assert kinds(silent.play) == {"untold-left", "untold-move"}
    assert kinds(replace(silent, best=lambda _n: 1).play) >= {"poor-move-0"}


def test_a_right_program_that_never_says_the_same_twice_is_not_blamed():
    """The same answers bring something else, so that no run says anything of another: each is judged by what it says itself."""
    numbers = iter(range(10_000))
    found, _ = study(replace(RIGHT, left=lambda n: f"{n} ({next(numbers)})\n").play)
    assert found.notes
    assert not found.obstacle
    assert not any(game.faults for game in found.games)


def test_another_game_is_not_misjudged():
    """A program in which the number of stones changes nothing is not followed, and not blamed."""

    def sums() -> Play:
        total = 0
        while True:
            yield f"Sum {total}, next: "
            text = yield Line()
            total += int(text) if text.isdigit() else 1

    found, _ = study(sums)
    assert found.obstacle
    assert not found.games


def test_a_mistake_in_one_position_is_shown_from_there():
    """The shortest game that shows it begins with so many stones, and the program."""
    found, _ = study(replace(RIGHT, best=lambda n: 2 if n % 3 == 0 or n == 41 else 1).play)
    shown = min((game for game in found.games if game.faults), key=lambda game: game.faults[0][0])
    assert shown.transcript.inputs_before(shown.faults[0][0]) == ("41\n", "0\n")


def test_a_pile_of_its_own_is_charged_once():
    """A program that asks for no number of stones is followed by what it tells; the rest of its game is judged."""

    def fixed() -> Play:
        n, mover = 21, 1
        while n:
            yield f"{n} left. "
            if mover:
                take = ""
                while not (take in ("1", "2") and int(take) <= n):
                    yield "Yours (1 or 2): " if not take else "No! Yours (1 or 2): "
                    take = yield Line()
            else:
                take = "1"
                yield "I take 1.\n"
            n, mover = n - int(take), 1 - mover
        yield "You win!\n" if mover else "I win!\n"

    assert kinds(fixed) == {"unasked-stones", "unasked-first", "poor-move-0"}


def test_a_program_that_always_begins_is_followed_by_what_it_tells():
    """No fresh game begins with the user, so that numbers are taken as told; that he cannot begin is charged, and no move."""

    def begins() -> Play:
        n = int((yield from asked("Pile? ", lambda n: n > 0)))
        yield from asked("First, 0 or 1? ", lambda n: n in (0, 1))
        mover = 0
        while n:
            yield f"{n} left\n"
            take = (yield from asked("Yours? ", lambda take: take in (1, 2) and take <= n)) if mover else RIGHT.best(n)  # noqa: B023
            yield "" if mover else f"I take {take}\n"
            n, mover = n - take, 1 - mover
        yield "You win\n" if mover else "I win\n"

    def asked(question: str, allowed: Callable[[int], bool]) -> Play:
        return (yield from replace(RIGHT, no="No.\n").ask(question, allowed))

    assert kinds(begins) - {UNREAD} == {"wrong-begin"}


ALIKE = {"stones": "Enter: ", "first": "Enter: ", "take": "Enter: "}
ANSWER = {
    "stones": "Wie viele?\nAntwort: ",
    "first": "Wer beginnt (0 Rechner, 1 du)?\nAntwort: ",
    "take": "Wie viele nimmst du?\nAntwort: ",
}
MISTAKES: dict[str, dict[str, object]] = {
    "right": {},
    "accepts-0": {"legal": lambda take, n: take in (0, 1, 2) and take <= n},
    "no-message": {"no": ""},
    "starts-with-0": {"fewest": 0},
    "starts-with-2": {"fewest": 2},
    "exchanged": {"ends": ("Du gewinnst.\n", "Du verlierst.\n")},
    "asks-not-who-begins": {"first": ""},
}


@pytest.mark.share(4)
@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("questions", [ALIKE, ANSWER], ids=["enter", "answer"])
def test_questions_that_end_alike_change_nothing(questions, mistake):
    """With “Enter: ” at every question a program is charged what it is charged with questions of its own."""
    same = Program(**MISTAKES[mistake])
    changed = {part: words for part, words in questions.items() if getattr(same, part)}
    assert kinds(replace(same, **changed).play) == charged(mistake)


@cache
def charged(mistake: str) -> set[str]:
    """The kinds of faults of a program with questions of its own."""
    return kinds(Program(**MISTAKES[mistake]).play)


@dataclass(frozen=True)
class Terse(Program):
    """A program that says every move in the same few words, whoever makes it."""

    said: str = "took {take}, left {left}\n"
    shown: str = ""
    listed: str = ""
    """What is said of each move once more, when all are made."""

    def play(self) -> Play:
        """The game."""
        n = yield from self.ask("How many? ", lambda n: n > 0)
        mover = yield from self.ask("Who (0/1)? ", lambda n: n in (0, 1))
        moves: list[str] = []
        while n > 0:
            yield self.shown.format(left=n)
            take = (yield from self.ask("Your take? ", lambda take: self.legal(take, n))) if mover else self.best(n)  # noqa: B023
            n -= take
            yield "" if mover and self.shown else self.said.format(take=take, left=n, of=n + take, mover=mover)
            moves.append(self.listed.format(who=("me", "you")[mover], take=take))
            mover = 1 - mover
        yield ", ".join(moves) + "\n" * bool(self.listed)
        yield ("You lose.\n", "You win.\n")[mover]


TERSE = {
    "one line for both": Terse(),
    "with numbers of players": Terse(said="Player {mover} takes {take}; pile {left}\n"),
    "nothing but numbers": Terse(said="- {take}\n", shown="{left}\n"),
    "a list of moves below zero at the end": Terse(
        said="I take {take}.\n", shown="Pile {left}\n", listed="{who} -{take}"
    ),
}


@pytest.mark.parametrize("terse", TERSE.values(), ids=TERSE)
@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, set()),
        ({"best": lambda _n: 1}, {"poor-move-0"}),
        ({"legal": lambda take, n: take in (1, 2, 3) and take <= n}, {"accepted-take"}),
        ({"no": ""}, {"no-message"}),
    ],
    ids=["right", "takes one", "accepts three", "no message"],
)
def test_numbers_in_the_same_words_are_told_apart_by_their_place(terse, change, found):
    """“5”, “- 1”, “4”: the last one is what is left, and the one before it the move."""
    assert kinds(replace(terse, **change).play) == found


@pytest.mark.share(2)
@pytest.mark.parametrize("said", ["{mover} took {take}, left {left}\n", "{mover} took {take} of {of}.\nLeft {left}.\n"])
@pytest.mark.parametrize(
    "best", [lambda n: n % 4 or 1, lambda n: 3 if n % 4 == 0 else 1], ids=["the remainder", "three"]
)
def test_moves_by_the_remainder_of_four_are_followed_by_what_is_told_behind_them(said, best):
    """No row of moves by three explains them: the stones that it tells do, and not those that it tells before a move."""
    assert kinds(Terse(said=said, best=best).play) == {"poor-move-0", "poor-move-1", "poor-move-2"}


def messages(program: Program) -> set[str]:
    """The kinds of faults that are found, each with its sentence."""
    found, _ = study(program.play)
    assert not found.obstacle
    return {f"{fault.kind}: {fault.message}" for game in found.games for _, fault in game.faults}


@pytest.mark.parametrize(
    ("program", "faults"),
    [
        (
            replace(RIGHT, most=12),
            {
                "refused-stones: the program refuses 14 as the number of stones, but any number greater than zero is allowed"
            },
        ),
        (replace(RIGHT, most=20), set()),
        (
            replace(RIGHT, counted=lambda n: int(str(n)[0])),
            {"refused-stones: 10 was typed as the number of stones, but the program begins with 1"},
        ),
        (
            replace(RIGHT, counted=lambda n: min(n, 20)),
            {"refused-stones: 60 was typed as the number of stones, but the program begins with 20"},
        ),
    ],
    ids=["at most twelve", "at most twenty", "the first digit", "twenty where more is typed"],
)
def test_the_number_of_stones_that_is_typed_is_that_of_the_game(program, faults):
    """A small limit is charged, one of 20 is not, and another number than was typed is."""
    assert messages(program) == faults


def test_a_small_limit_hides_no_refusal():
    """Wrong answers are put into a game of as many stones as were typed: no refusal of 14 is taken for one."""
    found, _ = study(replace(RIGHT, most=10).play)
    occasions = {name for game in found.games for name in game.occasions}
    assert {"bad-stones", "bad-first", "bad-take", "bad-too-many", "message", "refused"} <= occasions


@pytest.mark.parametrize("beginner", [0, 1])
def test_each_end_is_judged_by_its_own_sentence(beginner):
    """A program that swaps the winner only where one player begins is wrong in those games alone, and each is quoted by its own end."""
    program = replace(
        RIGHT,
        ends=("Computer wins.\n", "You win.\n"),
        named=lambda winner, first: 1 - winner if first == beginner else winner,
    )
    found, _ = study(program.play)
    wrong = [(game, fault) for game in found.games for _, fault in game.faults]
    assert {fault.kind for _, fault in wrong} == {"wrong-winner"}
    for game, fault in wrong:
        assert game.transcript.inputs[1] == f"{beginner}\n"
        assert fault.message.split("“")[1].split("”")[0] in game.transcript.turns[-1].output
