"""The decisions that all referees of heaps share, on a game of two heaps that no assignment has."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.games.heaps.facing import AGAIN, COMPUTER, MOVE, USER, FirstMove, HeapsGame, State, Turn
from grader.games.heaps.moving import Heaps, between, legal, less
from grader.games.heaps.refusing import CARRIED_OUT, ELSEWHERE, LOST, REFUSED, TAKEN, became
from grader.games.heaps.replying import ended
from grader.games.heaps.witness import alike, follows, moved
from grader.games.referee import Ruling

KINDS = (
    "wrong-board", "no-board", "refused-legal", "illegal-move", "poor-move", "wrong-telling", "ended-early", "plays-on",
    "wrong-winner", "no-winner",
)  # fmt: skip
GAME = HeapsGame(
    occasions_of=dict.fromkeys(KINDS, ("move",)),
    occasions={"move": "moves", "moved": "moves carried out"},
    tell=lambda heaps: " and ".join(map(str, heaps)),
    say=lambda move: f"{move[1]} of heap {move[0] + 1}",
    things="nuts",
    players={USER: "the user", COMPUTER: "the computer"},
    why={"too-many": "the heap has not so many", "zero": "at least one is taken"},
    winning=lambda heaps: [move for move in legal(heaps) if len(set(less(heaps, move))) == 1],
)
START = State(possible=((3, 2),), asks=MOVE, seen=True)
TAKEN_TWO = START._replace(move=(0, 2), typed="2 of heap 1")


def kinds(ruling: Ruling) -> list[str]:
    """The kinds of faults in a ruling."""
    return [fault.kind for fault in ruling.faults]


def test_a_move_takes_from_one_heap() -> None:
    """The difference between two positions is a legal move, or nothing."""
    assert between((3, 2), (3, 1)) == (1, 1)
    assert between((3, 2), (2, 1)) is between((3, 2), (4, 2)) is between((3, 2), (3, 2)) is None


@pytest.mark.parametrize(
    ("boards", "told", "found"),
    [
        (((1, 2), (1, 1)), None, []),
        (((1, 2), (0, 2)), None, ["poor-move"]),
        (((1, 2), (1, 1)), (0, 1), ["wrong-telling"]),
        (((1, 2), (0, 1)), None, ["illegal-move"]),
        (((1, 1),), None, ["no-board"]),
        (((2, 2), (1, 1)), None, ["wrong-board"]),
        (((3, 2),), None, ["refused-legal"]),
        ((), (1, 1), ["no-board"]),
    ],
)
def test_the_position_after_a_turn_is_seen_from_heaps_or_told(
    boards: tuple[Heaps, ...], told, found: list[str]
) -> None:
    """After 2 of heap 1 the heaps 1 and 2 are left, and 1 of heap 2 wins for the computer."""
    assert kinds(moved(GAME, TAKEN_TWO, Turn(boards, claim=told, asks=MOVE))) == found


def test_after_wrong_heaps_both_positions_are_possible() -> None:
    """Those that are shown, and those that the moves leave; the next heaps tell which there are."""
    state = moved(GAME, TAKEN_TWO, Turn(((2, 2), (2, 1)), asks=MOVE)).state
    assert isinstance(state, State)
    assert state.possible == ((2, 1), (1, 1))
    after = moved(GAME, state._replace(move=(1, 1)), Turn(((1, 0), (0, 0)), asks=AGAIN)).state
    assert isinstance(after, State)
    assert (after.over, after.winner) == (True, COMPUTER)


def test_where_the_text_fixes_how_a_move_is_told_it_is_believed_first() -> None:
    """Then the heaps are wrong, and not what is told."""
    game = replace(GAME, told_first=True)
    assert kinds(moved(game, TAKEN_TWO, Turn(((1, 2), (0, 2)), claim=(1, 1), asks=MOVE))) == ["wrong-board"]


@pytest.mark.parametrize(
    ("wrong", "turn", "end"),
    [
        ("zero", Turn(asks=MOVE), REFUSED),
        ("zero", Turn(((3, 2),), announced=True, asks=MOVE), TAKEN),
        ("too-many", Turn(((3, 2),), announced=True, asks=MOVE), TAKEN),
        ("zero", Turn(((3, 2),), announced=True, asks=MOVE, refuses=True), LOST),
        ("zero", Turn(ended=True, refuses=True), LOST),
        ("zero", Turn(((0, 0),), asks=MOVE, refuses=True), CARRIED_OUT),
        ("zero", Turn(((1, 2), (3, 2)), announced=True, asks=MOVE, refuses=True), REFUSED),
        ("zero", Turn(((3, 2), (1, 2)), announced=True, asks=MOVE, refuses=True), LOST),
        ("too-many", Turn(((0, 2), (0, 1)), announced=True, asks=MOVE), TAKEN),
        ("too-many", Turn(((3, 0),), asks=MOVE), ELSEWHERE),
        ("zero", Turn(ended=True), TAKEN),
    ],
)
def test_what_became_of_a_wrong_answer(wrong: str, turn: Turn, end: str) -> None:
    """It is refused where nothing changes and the same is asked; a turn is lost where nothing changes and the game goes on."""
    assert became(GAME, START._replace(move=(0, 9), wrong=wrong, typed="9 of heap 1"), turn) == end


@pytest.mark.parametrize(
    ("winners", "asks", "found"),
    [({USER}, "", []), ({COMPUTER}, "", ["wrong-winner"]), (set(), AGAIN, ["no-winner"]), (set(), MOVE, ["plays-on"])],
)
def test_the_winner_is_named_when_nothing_is_left(winners: set[int], asks: str, found: list[str]) -> None:
    """The player who took the last one has won; a program that asks for a move first may still name the winner."""
    turn = Turn(winners=frozenset(winners), asks=asks)
    assert kinds(ended(GAME, START, turn, USER, (), ())) == found


@pytest.mark.parametrize(("announces", "found"), [(True, ["ended-early"]), (False, ["no-winner"])])
def test_a_program_that_just_ends_with_one_heap_left_has_one_fault(announces: bool, found: list[str]) -> None:
    """If it announces each move of the computer it made none now; else it may have taken the last one, and names no winner."""
    state = START._replace(possible=((3, 0),), move=(0, 1), announces=announces)
    assert kinds(moved(GAME, state, Turn(((2, 0),), ended=True))) == found


def test_a_break_behind_a_legal_move_may_follow_from_that_move() -> None:
    """A program that carries it out wrongly breaks by that; behind any other answer it does not."""
    assert follows(TAKEN_TWO) == ("wrong-board", "refused-legal")
    assert follows(START) == follows(TAKEN_TWO._replace(wrong="too-many")) == ()


def test_an_assignment_knows_only_the_faults_that_it_lists() -> None:
    """Faults that it does not list are ignored."""
    silent = replace(GAME, occasions_of={"poor-move": ("move",)})
    assert kinds(moved(silent, TAKEN_TWO, Turn(((1, 1),), asks=MOVE))) == []


def test_a_program_that_knows_a_game_by_heart_shows_the_same_whatever_is_typed() -> None:
    """After three different first moves the same heaps are a fault of all games together; after two, or where one differs, none."""

    def begun(move: tuple[int, int], left: tuple[int, ...]) -> State:
        return State(first_move=FirstMove(move, left, frozenset({move[0]})))

    learned = [begun((0, 1), (3, 3, 8)), begun((1, 2), (3, 3, 8)), begun((2, 5), (3, 3, 8))]
    assert [fault.kind for fault in alike(learned)] == ["same-boards"]
    assert not alike(learned[:2])
    assert not alike([*learned, begun((0, 2), (1, 5, 8))])
