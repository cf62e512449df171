"""The rules of four in a row, the dialogue that plays them, and the referee that follows programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import partial, reduce
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.sessions.reference import Line, ReferenceSession, load, script

rules = load(Path(__file__).parents[2] / "reference" / "mips_connect4")
State, moves, result, outcome = rules.State, rules.moves, rules.result, rules.outcome

# A game in which nobody gets four in a line.
TIE = "656173566152215676422337377473141445425321"


def after(entries: Iterable[str], state=None):
    """The state after columns as typed; an open move is kept."""

    def step(state, entry: str):
        state = result(state, entry)
        return result(state, "keep") if state.open_move is not None and outcome(state) is None else state

    return reduce(step, entries, state or State())


def owning(cells: Iterable[tuple[int, int]], owner: int):
    """A position in which exactly these cells hold pieces of ``owner``, above pieces of nobody."""
    heights = {c: 1 + max(r for col, r in cells if col == c) for c, _ in cells}
    columns = tuple(
        tuple(owner if (c, r) in cells else 0 for r in range(heights.get(c, 0))) for c in range(rules.COLUMNS)
    )
    return State(columns=columns)


@st.composite
def games(draw):
    """Every state of a game of legal and other entries, in order."""
    states = [State(draw(st.sampled_from((1, 2))))]
    while outcome(states[-1]) is None:
        here = states[-1]
        legal = moves(here)
        odd = here.open_move is None and draw(st.integers(0, 15)) == 0
        move = draw(st.sampled_from(("0", "8", "-1", "x", "", "11") if odd else legal))
        states.append(result(here, move))
    return states


def test_there_are_69_lines() -> None:
    """24 across, 21 upwards, 12 on each slant; no two are the same, and each has four different cells."""
    assert len({frozenset(line) for line in rules.LINES}) == 69
    steps = Counter((line[1][0] - line[0][0], line[1][1] - line[0][1]) for line in rules.LINES)
    assert steps == {(1, 0): 24, (0, 1): 21, (1, 1): 12, (1, -1): 12}
    assert all(len(set(line)) == 4 for line in rules.LINES)


def test_each_line_wins_and_three_of_it_do_not() -> None:
    """Four pieces of one player in a line win for that player; any three of them do not, nor three and one other."""
    for line, player in product(rules.LINES, (1, 2)):
        assert outcome(owning(line, player)) == player
        for missing in line:
            assert outcome(owning([cell for cell in line if cell != missing], player)) is None


def test_no_line_goes_across_an_edge() -> None:
    """Every four cells that follow one another in the numbering of the cells, but not on the board, win nothing."""
    columns, rows = rules.COLUMNS, rules.ROWS
    lines = {frozenset(line) for line in rules.LINES}
    for by in (1, rows - 1, rows, rows + 1, columns - 1, columns, columns + 1):
        for start in range(columns * rows - 3 * by):
            numbers = [start + n * by for n in range(4)]
            for cells in ([divmod(n, rows) for n in numbers], [divmod(n, columns)[::-1] for n in numbers]):
                wins = outcome(owning(cells, 1))
                assert (wins == 1) == (frozenset(cells) in lines)


@pytest.mark.parametrize(
    ("entries", "winner"),
    [
        ("1647362", 1),  # across
        ("74451312", 2),
        ("1412171", 1),  # upwards
        ("31216151", 2),
        ("46354646655", 1),  # rising to the right
        ("4366546655", 2),
        ("7654657432544", 1),  # falling to the right
        ("3213241211", 2),
    ],
)
def test_a_game_is_won_in_each_direction(entries: str, winner: int) -> None:
    """The last piece wins, and the one before did not."""
    assert outcome(after(entries[:-1])) is None
    assert outcome(after(entries)) == winner
    assert moves(after(entries)) == ()


def test_a_full_board_is_a_tie() -> None:
    """After 41 pieces the game goes on; the 42nd ends it."""
    assert Counter(TIE) == dict.fromkeys("1234567", 6)
    assert outcome(after(TIE[:-1])) is None
    assert moves(after(TIE[:-1])) == (TIE[-1],)
    assert outcome(after(TIE)) == rules.TIE


def test_the_first_piece_of_each_player_stays() -> None:
    """Nobody may take back a first piece; after the second one it is asked."""
    assert result(State(), "4").open_move is None
    assert result(after("4"), "4").open_move is None
    assert moves(result(after("44"), "4")) == ("undo", "keep")
    assert moves(result(after("444"), "4")) == ("undo", "keep")


@pytest.mark.parametrize("first", [1, 2])
def test_a_move_is_taken_back_three_times(first: int) -> None:
    """An undo restores the board and leaves the turn; after three of them the fourth move stands."""
    state = after("44", State(first))
    for left in (2, 1, 0):
        before, state = state, result(result(state, "5"), "undo")
        assert (state.columns, state.player) == (before.columns, first)
        assert state.undos[first - 1] == left
    state = result(state, "5")
    assert state.open_move is None
    assert state.player == 3 - first
    assert state.undos[2 - first] == 3
    assert result(state, "5").open_move is not None


@pytest.mark.parametrize("wrong", ["0", "8", "-1", "", "x", "1.0", "01", "1111111"])
def test_three_wrong_columns_lose(wrong: str) -> None:
    """The same player moves again after the first and the second; the third ends the game for the opponent."""
    twice = after([wrong, wrong])
    assert (twice.player, twice.violations, outcome(twice)) == (1, (2, 0), None)
    assert twice.columns == State().columns
    assert outcome(result(twice, wrong)) == 2


def test_a_full_column_is_a_violation() -> None:
    """Six pieces fit; the seventh is refused."""
    full = after("444444")
    assert "4" in moves(after("44444"))
    assert "4" not in moves(full)
    assert result(full, "4") == replace(full, violations=(1, 0))


def test_violations_are_counted_for_each_player() -> None:
    """Two of one player and two of the other end nothing; they are not forgotten by a good move."""
    state = after(["9", "9", "1", "9", "9", "1"])
    assert (state.violations, outcome(state)) == ((2, 2), None)
    assert outcome(result(state, "9")) == 2


@given(games())
def test_every_game_keeps_the_rules(states) -> None:
    """Pieces alternate, undos and violations are counted, nobody overfills a column, and the game ends in 42 pieces."""
    first = states[0].player
    for before, here in pairwise(states):
        pieces = Counter(owner for column in here.columns for owner in column)
        assert pieces[first] - pieces[3 - first] in (0, 1)
        assert all(len(column) <= rules.ROWS for column in here.columns)
        assert all(0 <= left <= rules.UNDOS for left in here.undos)
        assert sum(here.violations) - sum(before.violations) in (0, 1)
        assert (here.open_move is None) or here.player == before.player
    assert outcome(states[-1]) in (rules.TIE, 1, 2)
    assert moves(states[-1]) == ()


@given(games())
def test_players_and_sides_are_alike(states) -> None:
    """The mirror image of a position with the players exchanged has the mirrored outcome and moves."""
    for state in states:
        mirrored = replace(
            state,
            player=3 - state.player,
            columns=tuple(tuple(3 - owner for owner in column) for column in reversed(state.columns)),
            undos=state.undos[::-1],
            violations=state.violations[::-1],
            open_move=None if state.open_move is None else rules.COLUMNS - 1 - state.open_move,
        )
        swap = {None: None, rules.TIE: rules.TIE, 1: 2, 2: 1}
        assert outcome(mirrored) == swap[outcome(state)]
        if state.open_move is None:
            assert moves(mirrored) == tuple(str(8 - int(m)) for m in reversed(moves(state)))


@given(games())
def test_taking_back_restores(states) -> None:
    """Wherever a move is open, taking it back leaves the board as it was and costs one undo, and keeping it passes on."""
    for before, here in pairwise(states):
        if here.open_move is None or outcome(here) is not None:
            continue
        back, kept = result(here, "undo"), result(here, "keep")
        assert back.columns == before.columns
        assert sum(back.undos) == sum(here.undos) - 1
        assert (back.player, kept.player) == (here.player, 3 - here.player)
        assert kept.columns == here.columns


def told(inputs: Iterable[str], first: int = 1) -> tuple[str, ...]:
    """The output of the reference in each turn."""
    played = script(partial(rules.play, first), tuple(inputs), echo=False)
    return tuple(turn.text({}) for turn in played.turns)


@pytest.mark.parametrize("first", [1, 2])
def test_the_starting_player_picks_the_piece(first: int) -> None:
    """Either player may start; the pick is asked again until it is X or O, and the opponent gets the other one."""
    turns = told(["Z", "O", "4"], first)
    assert f"Player {first} starts." in turns[0]
    assert "only X and O" in turns[1]
    assert f"Player {first} (O), choose a column" in turns[2]
    assert f"Player {3 - first} (X), choose a column" in turns[3]


def test_a_game_is_played_to_the_end() -> None:
    """Undo is asked after the second piece, and not after the winning one."""
    turns = told(["X", "1", "7", "1", "n", "7", "n", "1", "n", "6", "n", "1"])
    assert "undo this move, 3 left" in turns[4]
    assert turns[-1].endswith("Player 1 (X) wins!\n")
    assert "undo" not in turns[-1]


def test_an_undone_piece_leaves_the_board() -> None:
    """The board after an undo is the one before the move, and the same player is asked."""
    turns = told(["X", "1", "7", "1", "maybe", "y"])
    assert "Answer y or n." in turns[5]
    assert turns[6] == turns[3]


def test_the_dialogue_says_why_a_column_is_refused() -> None:
    """Full and missing columns are told apart; the third violation names the loser and the winner."""
    turns = told(["X", "1", "1", "1", "n", "1", "n", "1", "n", "1", "n", "1", "8", "x"])
    assert "Column 1 is full. Player 1 has 1 of 3 violations." in turns[-3]
    assert "There is no column 8. Player 1 has 2 of 3 violations." in turns[-2]
    assert turns[-1].endswith("player 1 loses.\nPlayer 2 (O) wins!\n")


def test_the_dialogue_ends_in_a_tie() -> None:
    """The tie game is announced as one."""
    inputs = [
        "X",
        *(text for n, column in enumerate(TIE) for text in ((column,) if n in (0, 1, 41) else (column, "n"))),
    ]
    assert told(inputs)[-1].endswith("It is a tie.\n")


def test_the_legal_answers_are_the_moves() -> None:
    """At a column request the legal answers are the columns that are not full."""
    session = ReferenceSession(rules.play)
    session.answer("X")
    for column in "444444":
        session.answer(column)
        if session.request == Line(legal=("y", "n")):
            session.answer("n")
    assert session.request == Line(legal=("1", "2", "3", "5", "6", "7"))
