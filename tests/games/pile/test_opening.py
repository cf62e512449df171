"""The way into a program: the question for the number of stones, who begins, and pauses on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from grader.games.pile.opening import as_set, find, pairs
from grader.games.pile.talk import PROGRAM, USER, Part, Talk
from grader.sessions.reference import Play
from tests.games.pile.small import RIGHT, Program, answered, asked, player
from tests.scripted import runs_of


def talk_of(play: Callable[[], Play]) -> Talk:
    """How a play is talked to."""
    found = find(runs_of(play))
    assert found is not None
    return found


def after(*questions: str) -> Play:
    """The right program behind questions at which anything goes."""
    for question in questions:
        yield from asked(question)
    yield from RIGHT.play()


def turned(program: Program) -> Play:
    """A program that asks who begins before it asks for the stones."""
    mover = yield from program.ask(program.first, lambda n: n in (0, 1))
    yield from told_first(program, str(mover))


def told_first(program: Program, mover: str) -> Play:
    """The program, which has been told already who begins."""
    game, answer, last = program.play(), None, ""
    while True:
        try:
            said = game.send(answer)
        except StopIteration:
            return
        if isinstance(said, str):
            answer, last = None, said
            if said != program.first:
                yield said
        elif last == program.first:
            answer = mover
        else:
            answer = yield said


@pytest.mark.parametrize(
    ("play", "parts"),
    [
        (RIGHT.play, (Part.STONES, Part.FIRST)),
        (lambda: after("Name? "), ("1", Part.STONES, Part.FIRST)),
        (lambda: after("Name? ", "Go on with any key: "), ("1", "1", Part.STONES, Part.FIRST)),
        (lambda: turned(RIGHT), (Part.FIRST, Part.STONES)),
        (replace(RIGHT, first="").play, (Part.STONES,)),
    ],
    ids=["stones, first", "a name", "a name and a pause", "first, stones", "nobody is asked"],
)
def test_the_way_into_a_program_is_found(play, parts):
    """Past names and pauses, in either order."""
    assert talk_of(play).parts == parts


def asked_otherwise() -> Play:
    """A program that asks for the stones last, and in other words once it has refused a number; one stone is too few for it."""
    mover = yield from RIGHT.ask(RIGHT.first, lambda n: n in (0, 1))
    n = int((yield from asked("Stones? ")))
    while n < 2:
        n = int((yield from asked("Too few.\nOnce more: ")))
    answers = iter((str(n), str(mover)))
    game = replace(RIGHT, stones="\0", first="\0").play()
    next(game)
    said = next(game)
    while True:
        try:
            if isinstance(said, str):
                said = next(game) if said == "\0" else game.send((yield said))
            else:
                said = game.send(next(answers, None) or (yield said))
        except StopIteration:
            return


@pytest.mark.parametrize(
    "play", [lambda: turned(replace(RIGHT, fewest=2)), asked_otherwise], ids=["same words", "others"]
)
def test_a_last_answer_that_is_refused_is_no_game(play):
    """One stone is refused, with the same question or another one behind it: no game of one stone is judged."""
    found = player(play)
    assert found.play(1, USER).refused == 1
    assert found.play(2, USER).refused is None
    assert found.play(8, PROGRAM).refused is None


def by_word(ours: str, users: str, question: str) -> Play:
    """A program that takes two words for who begins."""
    n = yield from RIGHT.ask("Stones? ", lambda n: n > 0)
    word = ""
    while word not in (ours, users):
        word = yield from asked(question)
    game = told_first(replace(RIGHT, stones="\0"), "0" if word == ours else "1")
    next(game)
    next(game)
    said = game.send(str(n))
    while True:
        answer = yield said
        try:
            said = game.send(answer)
        except StopIteration:
            return


@pytest.mark.parametrize(
    ("ours", "users", "question"),
    [
        ("m", "u", "Opening side, m(achine) / u(ser): "),
        ("M", "U", "Opening side, M(achine) / U(ser): "),
        ("n", "y", "Do you begin? "),
        ("machine", "user", "Opening side, machine or user: "),
        ("cpu", "me", "Who begins (cpu, me)? "),
    ],
)
def test_who_begins_is_found_in_words(ours, users, question):
    """Among the answers that the question offers, or the players that it names, one lets the program begin."""
    assert talk_of(lambda: by_word(ours, users, question)).firsts == (ours, users)


def test_who_begins_is_found_though_one_game_has_as_many_turns_either_way():
    """A program that takes the remainder plays nine stones in as many turns, whoever begins, and eight in one less if it does."""
    found = talk_of(replace(RIGHT, best=lambda n: n % 3 or 1).play)
    assert found.firsts == ("0", "1")
    assert found.proved


def test_the_answers_of_the_text_are_tried_first():
    """0 lets the program begin, as the assignment says; what a question offers comes last."""
    tried = list(pairs("Who begins, machine or user (m/u)? "))
    assert tried[0] == ("0", "1")
    assert ("m", "u") in tried
    assert ("machine", "user") in tried
    assert len(tried) < 20


def test_a_choice_that_changes_nothing_is_taken_for_that_of_the_text():
    """The question is there, and the answers do not do what they say: they are those of the text, and nothing is proved."""
    found = talk_of(lambda: answered(RIGHT.play, RIGHT.first, lambda typed: "1" if typed == "0" else typed))
    assert (found.firsts, found.proved) == (("0", "1"), False)


def test_an_opening_that_a_person_has_set_is_taken_as_it_is():
    """The answers before the game are his; what lets whom begin is found out if he does not say it."""
    runs = runs_of(lambda: after("Name? "))
    found = as_set(runs, ("Ann", Part.STONES, Part.FIRST), None)
    assert found is not None
    assert (found.parts, found.firsts, found.proved) == (("Ann", Part.STONES, Part.FIRST), ("0", "1"), True)
    assert as_set(runs, (Part.STONES,), None) is None


def test_a_program_without_a_pile_has_no_way_into_it():
    """If numbers of stones change nothing, there is no such question."""

    def greets() -> Play:
        for _ in range(5):
            yield from asked("Well? ")

    assert find(runs_of(greets)) is None


def paused(question: str) -> Play:
    """The right program, which waits for Enter before each of its moves, and asks whether to go on behind the end."""
    while True:
        game, answer = RIGHT.play(), None
        while True:
            try:
                said = game.send(answer)
            except StopIteration:
                break
            if isinstance(said, str) and said.startswith("Ich"):
                yield from asked(question)
            answer = yield said
        if (yield from asked("Again (y/n)? ")) == "n":
            return


def test_pauses_and_what_is_asked_behind_the_end_are_no_moves():
    """Any answer brings the same at the one, and the other comes in every game once, and last."""
    found = player(lambda: paused("(Enter) "))
    assert len(found.talk.pauses) == 1
    assert len(found.talk.after) == 1
    assert len(found.play(8, USER).move_waits) == len(player(RIGHT.play).play(8, USER).move_waits)
    assert found.talk.answers(8, PROGRAM) == ("8", "0")


def test_the_question_for_the_stones_is_found_whatever_legal_moves_the_program_makes():
    """One that takes one stone of small piles and two of large ones has seven turns with 13 stones and with 20."""

    def play() -> Play:
        stones = yield from RIGHT.ask(RIGHT.stones, lambda n: n > 0)
        take = 1 if stones < 20 else 2
        while stones > 0:
            stones -= yield from RIGHT.ask(f"{stones} left. You take: ", lambda n: n in (1, 2) and n <= stones)  # noqa: B023
            if stones:
                yield f"I take {min(take, stones)}.\n"
                stones -= min(take, stones)
        yield "Over.\n"

    assert talk_of(play).parts == (Part.STONES,)
