"""Tic-tac-toe as a family: what is true of its games and labels, and how small programs are read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from types import ModuleType

import pytest

from grader.games.board.corrections import rows
from grader.games.board.idle import playless
from grader.games.board.opening import opened
from grader.games.board.rules import OTHER, Spot, Words, full
from grader.games.families.fourinarow.rules import RULES as FALLING
from grader.games.families.tictactoe import method
from grader.games.families.tictactoe.plan import cell
from grader.games.families.tictactoe.rules import KINDS, RULES, wrong
from grader.games.hear.runs import Runs
from grader.games.learn.questions import word_lists
from grader.games.methods import FAMILIES
from grader.sessions.reference import Line, Play
from grader.spec.game import Game, TicTacToe
from tests.scripted import runs_of


def _played():
    """The lines that are completed aside, each with its player, and the games themselves with their last positions."""
    aside, lasts = [], []
    for moves, wins in RULES.games:
        spot = Spot(RULES.start, "A")
        for pieces, move in enumerate((*moves, None)):
            for other in wins.get(pieces, ()):
                after = RULES.after(spot, other)
                lines = tuple(
                    cells for _, cells in RULES.lines if all(after.position[one] == spot.mover for one in cells)
                )
                aside.append((lines, spot.mover))
            if move is not None:
                spot = RULES.after(spot, move)
                assert not RULES.made(spot.position, move)
        lasts.append(spot.position)
    return aside, lasts


def test_each_line_is_completed_alone_by_each_player_and_each_direction_three_times() -> None:
    """Eight lines and two players; only the last game completes two at once, with the ninth move."""
    aside, lasts = _played()
    *alone, last = aside
    assert all(len(lines) == 1 for lines, _ in alone)
    assert {(lines[0], player) for lines, player in alone} == {(one, who) for _, one in RULES.lines for who in "AB"}
    direction = {cells: name for name, cells in RULES.lines}
    assert min(Counter(direction[lines[0]] for lines, _ in alone).values()) >= 3
    assert len(last[0]) == 2
    assert [full(position) for position in lasts] == [True] * (len(lasts) - 1) + [False]


def test_cells_are_counted_from_the_lowest_row_and_typed_from_the_top() -> None:
    """Whatever their labels are, they are nine different ones."""
    assert RULES.drawn(RULES.dropped(RULES.start, cell("3"), "A"), (), ("X", "O")).splitlines()[0] == "|   |   | X |"
    assert RULES.drawn(RULES.dropped(RULES.start, cell("7"), "A"), (), ("X", "O")).splitlines()[2] == "| X |   |   |"
    assert RULES.labels["1-9"][cell("7")] == ("7",)
    assert RULES.labels["1-3 and 1-3"][cell("3")] == ("1", "3")
    assert RULES.labels["column A-C, row 1-3"][cell("3")] == ("C1",)
    assert {len(set(labels)) for labels in RULES.labels.values()} == {9}


def test_wrong_cells_are_none_of_the_board() -> None:
    """Neither at once nor together with the next answer; a taken cell was taken before."""
    for name, labels in RULES.labels.items():
        for one in wrong(labels, "line"):
            if one.kind == "missing":
                assert one.typed not in labels, name
            else:
                assert labels.index(one.typed) in one.before
        assert len(list(wrong(labels, "line"))) >= len(KINDS[name].missing)


def test_a_row_of_the_table_leads_to_each_family() -> None:
    """Every section of a spec has one."""
    assert list(FAMILIES) == list(Game.model_fields)
    assert Game(tictactoe=TicTacToe()).family == "tictactoe"


def test_the_sentences_of_all_games_on_boards_have_the_same_places() -> None:
    """So that what the frame fills in stands in each of them; only where pieces fall is there a row from below."""
    for field in fields(Words):
        ours, theirs = (set(re.findall(r"{(\w+)}", getattr(rules.words, field.name))) for rules in (RULES, FALLING))
        assert ours == theirs - {"row"} or field.name == "hangs"


def program(name: str, asked: Callable[[str], Play], *, passes: bool = False) -> Runs:
    """A right program that takes cells by labels of this name; ``passes`` loses the turn at a refusal."""
    labels = {label: number for number, label in enumerate(RULES.labels[name])}

    def play() -> Play:
        spot = Spot(RULES.start, "A")
        while True:
            yield board(spot.position)
            typed = yield from asked(spot.mover)
            move = labels.get(tuple(typed))
            if move is None or RULES.lands(spot.position, move) is None:
                yield "No.\n"
                spot = Spot(spot.position, OTHER[spot.mover]) if passes else spot
                continue
            mover, spot = spot.mover, RULES.after(spot, move)
            if RULES.made(spot.position, move) or full(spot.position):
                yield board(spot.position)
                yield f"{mover} wins!\n" if RULES.made(spot.position, move) else "Nobody wins.\n"
                return

    return runs_of(play)


def board(position: str) -> str:
    """The board, without a frame."""
    rows = (" ".join(position[3 * column + row] for column in range(3)) for row in (2, 1, 0))
    return "\n".join(rows).replace("A", "X").replace("B", "O") + "\n"


def once(mover: str):
    """One question for a cell."""
    yield f"{mover}: "
    return [(yield Line())]


def once_each(mover: str):
    """A question for each part of a cell, which is asked again alone where there is no such row or column."""
    parts = []
    for part in ("row", "column"):
        typed = ""
        while typed not in ("1", "2", "3"):
            yield f"{mover}, {part}: "
            typed = yield Line()
        parts.append(typed)
    return parts


def twice(mover: str):
    """A question for each part of a cell."""
    yield f"{mover}, first: "
    first = yield Line()
    yield "And then: "
    return [first, (yield Line())]


@pytest.mark.parametrize("name", RULES.labels)
def test_cells_are_read_by_any_labels(name) -> None:
    """A number, a pair in one line or in two answers, and rows or columns first."""
    opening = opened(RULES, program(name, twice if " and " in name else once))
    assert opening.name == name
    assert (opening.answers, opening.beginner) == ((), "A")


LOST = {"turn-lost-taken", "turn-lost-missing"}


@pytest.mark.parametrize(
    ("asked", "name", "passes", "kinds"),
    [
        (once, "1-9", False, set()),
        (twice, "1-3 and 1-3", False, set()),
        (once_each, "1-3 and 1-3", False, set()),
        (once_each, "column 1-3 and row 1-3", False, set()),
        (once, "1-9", True, LOST),
        (twice, "1-3 and 1-3", True, LOST),
        (once_each, "1-3 and 1-3", True, {"turn-lost-taken"}),  # a missing row costs nothing: it is asked again
    ],
)
def test_a_small_program_is_explored(asked, name, passes, kinds) -> None:
    """A right one has no fault, and all occasions come about; a turn that is lost is seen."""
    way = method(TicTacToe(), ModuleType("reference"))
    study = way.explore(program(name, asked, passes=passes), {})
    assert {fault.kind for game in study.games for _, fault in game.faults} == kinds
    seen: Counter[str] = Counter()
    for game in study.games:
        seen.update(game.occasions)
    due = set(way.tables.occasions) - {"answers"} - ({"refusal"} if passes else set())
    assert {one for one in due if seen[one] < 3} <= {"won-2"}


ROWS, COLUMNS = ("top", "middle", "bottom"), ("left", "centre", "right")


@pytest.mark.parametrize(
    ("text", "lists"),
    [
        ("Row (top, middle, bottom)? ", [["top", "middle", "bottom"]]),
        ("Where (oben/mitte/unten links/mitte/rechts): ", [["oben", "mitte", "unten"], ["links", "mitte", "rechts"]]),
        ("top, middle or bottom, then left, centre or right, as in: top left ", [list(ROWS), list(COLUMNS)]),
        ("1, 2 or 3? ", []),
        ("yes or no? ", []),
    ],
)
def test_words_that_a_question_lists_are_found(text, lists) -> None:
    """Three words for the rows, and three for the columns."""
    assert word_lists(text, {9, 3}) == lists


def words(question: str) -> Runs:
    """A program that takes a row and a column as two words in one line, and puts a mark there."""

    def play() -> Play:
        spot = Spot(RULES.start, "A")
        while True:
            yield board(spot.position) + question
            row, _, column = (yield Line()).partition(" ")
            if row in ROWS and column in COLUMNS:
                move = 3 * COLUMNS.index(column) + 2 - ROWS.index(row)
                spot = spot if RULES.lands(spot.position, move) is None else RULES.after(spot, move)

    return runs_of(play)


def test_a_program_that_wants_words_which_nobody_knows_does_not_stand_still() -> None:
    """Its question says that it wants no number. One that asks for a number from 1 to 9 refuses all of them."""
    opening = opened(RULES, words("Top, middle or bottom, then left, centre or right: "))
    cells = next(row for row in rows(RULES) if row.key == "cells")
    assert cells.parse(opening.name) == opening.dialogue.labels  # staff can set what the table shows
    assert playless(RULES, words("Your move, in words: ")) is None
    assert playless(RULES, words("Your move, from 1 to 9: "))
