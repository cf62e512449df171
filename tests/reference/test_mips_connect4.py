"""The rules of four in a row, the dialogue that plays them, and the referee that follows programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import partial, reduce
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.games.reading import Reader
from grader.sessions.reference import Line, ReferenceSession, load, script
from grader.spec.loader import load_assignment

rules = load(Path(__file__).parents[2] / "reference" / "mips_connect4.py")
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


@pytest.mark.parametrize("line", rules.LINES)
@pytest.mark.parametrize("player", [1, 2])
def test_each_line_wins_and_three_of_it_do_not(line, player: int) -> None:
    """Four pieces of one player in a line win for that player; any three of them do not, nor three and one other."""
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
    """What the reference prints in each turn."""
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


# --------------------------------------------------------------------------------------------------------- the referee

ASSIGNMENT = load_assignment(Path(__file__).parents[2] / "specs" / "mips-connect4.yaml")
TEXT = ASSIGNMENT.spec.text
READER = Reader(TEXT)


def heard(text: str, *, ended: bool = False, wants: str = "line"):
    """What is read of a turn, by the patterns of the spec."""
    return READER.read(text, ended=ended, wants=wants)


def played(*dialogue: str, start=None, ended: str = "", wants: str = "line"):
    """The faults in the last turn of a game: text of the program and answers by turns, then text that ends it.

    That no board can be read is left out: most of these dialogues show none.
    """
    seat = start or rules.START
    for text, typed in zip(dialogue[::2], dialogue[1::2], strict=True):
        ruling = rules.hear(seat, heard(text, wants=wants))
        assert not kinds(ruling), (text, ruling.faults)
        question = heard(text).question
        may = rules.answers(ruling.state, question)
        assert typed in (*may.legal, *may.illegal), (text, may)
        seat = rules.answer(ruling.state, question, typed)
    ruling = rules.hear(seat, heard(ended, ended=not ended.endswith(("? ", ": "))))
    return kinds(ruling)


def kinds(ruling) -> list[str]:
    """The kinds of faults in a ruling, but for boards that cannot be read."""
    return [fault.kind for fault in ruling.faults if fault.kind != "unclear-board"]


def asks(player: int) -> str:
    """The question for a column."""
    return f"Player {player}, choose a column (1-7): "


UNDO = "Undo? (y/n) "


def columns(typed: str, first: int = 1) -> list[str]:
    """A dialogue of columns without a question about taking back, up to the last answer."""
    return [part for n, column in enumerate(typed) for part in (asks(first if n % 2 == 0 else 3 - first), column)]


def kept(typed: str) -> list[str]:
    """A dialogue of columns, each kept where that is asked, up to the last answer."""
    return [
        part for n, column in enumerate(typed) for part in (asks(1 + n % 2), column, *((UNDO, "n") if n > 1 else ()))
    ]


@pytest.mark.parametrize(("number", "line"), list(enumerate(rules.LINES)))
def test_each_line_is_won_by_either_player_in_a_game_of_its_own(number: int, line) -> None:
    """The last piece makes this line and no other, and nobody had one before."""
    for winner, game in enumerate(rules.WINS[2 * number : 2 * number + 2], start=1):
        end = after(game)
        assert outcome(after(game[:-1])) is None
        assert outcome(end) == winner
        made = [row for row in rules.LINES if {rules.piece(end, cell) for cell in row} == {winner}]
        assert made == [line]


def test_nobody_wins_the_ties() -> None:
    """Each is a full board without a line; together they have fours across an edge for either player, by each step."""
    assert all(outcome(after(game)) == rules.TIE for game in rules.TIES)
    seen = set()
    for game in rules.TIES:
        end = after(game)
        for by, cells in edges():
            owners = {rules.piece(end, cell) for cell in cells}
            seen |= {(by, owner) for owner in owners if len(owners) == 1}
    assert seen == {(by, owner) for by in {by for by, _ in edges()} for owner in (1, 2)}


def edges():
    """Four cells at equal steps in a numbering of the cells by rows or by columns, which are no line."""
    lines = {frozenset(line) for line in rules.LINES}
    for by, split in ((1, "rows"), (6, "rows"), (8, "rows"), (1, "columns"), (5, "columns"), (7, "columns")):
        for start in range(42 - 3 * by):
            numbers = [start + n * by for n in range(4)]
            cells = [divmod(n, 7)[::-1] if split == "rows" else divmod(n, 6) for n in numbers]
            if frozenset(cells) not in lines:
                yield (by, split), cells


@pytest.mark.parametrize(
    ("text", "question", "mover"),
    [
        ("Player 1 (X), your column (1-7): ", "column", "1"),
        ("It's X's turn. Drop a disc into one of the columns 1-7: ", "column", "x"),
        ("Player two: where do you want to drop your piece? (1..7) ", "column", "2"),
        ("O - select column 1-7 > ", "column", "o"),
        ("O please input a column 1 - 7:\n", "column", "o"),
        ("Player 'X', enter your move (1-7): ", "column", "x"),
        ("Player 2 - X's turn\nChoose a column (1-7): ", "column", "2"),
        ("PLAYER 2's TURN\nEnter column: ", "column", "2"),
        ("Player 1 placed a piece in column 3.\nTurn of player 2\nSelect a slot [0..6]: ", "column", "2"),
        ("Player 1: 3 undos left, Player 2: 3 undos left\nPlayer 2 to move, column 1-7: ", "column", "2"),
        ("Column 3 is full! Player 1 has 1 of 3 violations.\nPlayer 1, choose again: ", "retry", "1"),
        ("Player 1, which column (1-7, 0 to undo)? ", "column", "1"),
        ("Player 1 dropped into column 3. Undo? (y/n) ", "undo", ""),
        ("Do you want to take this move back?\n1. Yes\n2. No\n", "undo", ""),
        ("[k] keep or [u] undo, left: 3 > ", "undo", ""),
        ("Keep this move? (y/n) ", "keep", ""),
        ("Player 2, X or O? ", "mark", ""),
        ("Choose your color, R for red or Y for yellow: ", "mark", ""),
        ("Enter the name of player 1: ", "name", "1"),
        ("Type a number to shuffle the players: ", "seed", ""),
        ("1. Play\n2. Exit\nYour choice: ", "menu", ""),
        ("Press any key to continue...", "key", ""),
        ("Do you want to play again? ", "again", ""),
        ("Nguoi choi 1, chon cot: ", None, ""),
    ],
)
def test_ordinary_questions_are_read(text: str, question: str | None, mover: str) -> None:
    """By the last line that asks something, in whatever order the words come; and whose turn it is."""
    told = rules._told(heard(text))
    assert (told.question or None, told.mover if question != "name" else mover) == (question, mover)


@pytest.mark.parametrize(
    ("text", "wants", "legal"),
    [
        ("Undo? (y/n) ", "key", ("y", "n")),
        ("Do you want to undo? (Y/N) ", "key", ("Y", "N")),
        ("Undo this move? 2 left, 1 = yes, 0 = no: ", "integer", ("1", "0")),
        ("Undo?\n1. Yes\n2. No\n", "integer", ("1", "2")),
        ("[k] keep or [u] undo, left: 3 > ", "key", ("u", "k")),
        ("Press U to undo or any other key to go on. ", "key", ("U", "n")),
        ("Press 1 to undo, any other number to continue: ", "integer", ("1", "0")),
        ("Press Enter to play it, or u and Enter to undo (3 left): ", "line", ("u", "")),
        ("Keep this move? (y/n) ", "line", ("n", "y")),
        ("Undo? (1/0) ", "integer", ("1", "0")),
        ("Player 'O', press 1 to undo or 0 to continue. Remaining undos: 3\n", "integer", ("1", "0")),
        ("PLAYER 2 - UNDO (1/0)? ", "integer", ("1", "0")),
        ("Player #2: Undo? 1. Yes 0. No\n", "integer", ("1", "0")),
        ("Undo? (y/n) ", "integer", None),
        ("Undo? ", "line", None),
    ],
)
def test_how_to_take_back_is_read(text: str, wants: str, legal: tuple[str, ...] | None) -> None:
    """The key for it comes first, then the one to keep; where they are not told or cannot be typed, nothing is typed."""
    seat = replace(rules.START, game=after("12"), names=("1", "2"), asked="column", column="3")
    ruling = rules.hear(seat, heard(text, wants=wants))
    if legal is None:
        assert [fault.kind for fault in ruling.faults] == ["unread"]
    else:
        assert not ruling.faults
        assert rules.answers(ruling.state, "undo").legal == legal


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("Player 1 wins!", []),
        ("Congratulations, player 1! You won the game.", []),
        ("The winner is Player 1 (X)\n", []),
        ("Player 2 lost.", []),
        ("Player 2 wins!", ["wrong-winner"]),
        ("It is a tie.", ["false-tie"]),
        ("Bye.", ["unclear-result"]),
        (asks(2), ["missed-upwards"]),
    ],
)
def test_a_line_must_win(text: str, faults: list[str]) -> None:
    """After the fourth piece the right winner is announced, in whatever words; going on is the fault."""
    assert played(*kept("1212121"), ended=text) == faults


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        (asks(2), []),
        ("Player 1 wins!", ["false-win"]),
        ("Draw!", ["false-tie"]),
        ("Bye.", ["ended-early"]),
        ("Player 1, this column is full, choose a column again (1-7): ", ["refused-legal"]),
    ],
)
def test_three_in_a_line_do_not_win(text: str, faults: list[str]) -> None:
    """One piece earlier the game goes on."""
    assert played(*kept("12121"), ended=text) == faults


@pytest.mark.parametrize(
    ("text", "faults"), [("Nobody wins.", []), ("Player 2 wins", ["false-win"]), (asks(1), ["missed-tie"])]
)
def test_a_full_board_must_tie(text: str, faults: list[str]) -> None:
    """The 42nd piece ends the game without a winner."""
    assert played(*kept(TIE), ended=text) == faults


def test_a_tie_comes_not_before_the_last_piece() -> None:
    """After 41 pieces the game goes on."""
    assert played(*kept(TIE[:-1]), ended=asks(2)) == []
    assert played(*kept(TIE[:-1]), ended="Tie!") == ["false-tie"]


def test_taking_back_must_be_offered_after_the_first_pieces() -> None:
    """Not after the first piece of each player, but after the second; where it is only spoken of, a person looks."""
    assert played(*columns("12"), ended=asks(1)) == []
    assert played(*columns("123"), ended=asks(2)) == ["undo-not-asked"]
    spoken = ["Each player has three undos. " + asks(1), "1", *columns("21", first=2)[:2], asks(1), "3"]
    assert played(*spoken, ended=asks(2)) == ["unclear-undo"]
    assert played(*kept("123"), asks(2), "4", ended=asks(1)) == ["undo-not-asked"]


def test_who_takes_a_move_back_moves_again() -> None:
    """The same player is asked; the turn must not pass."""
    undone = [*columns("123"), UNDO, "y"]
    assert played(*undone, ended=asks(1)) == []
    assert played(*undone, ended=asks(2)) == ["undo-turn"]


def test_a_kept_move_passes_the_turn() -> None:
    """To ask the same player again after that is a fault of the undo."""
    assert played(*columns("123"), UNDO, "n", ended=asks(2)) == []
    assert played(*columns("123"), UNDO, "n", ended=asks(1)) == ["undo-turn"]


def test_a_fourth_move_is_not_taken_back() -> None:
    """Three are; to be asked a fourth time is no fault as long as the move stands."""
    thrice = [*columns("12"), *(part for column in "345" for part in (asks(1), column, UNDO, "y")), asks(1), "6"]
    assert played(*thrice, ended=asks(2)) == []
    assert played(*thrice, UNDO, "y", ended=asks(2)) == []
    assert played(*thrice, UNDO, "y", ended=asks(1)) == ["undo-fourth"]


def shown(state, empty: str = ".") -> str:
    """The board of a position."""
    rows = ("".join(f"{empty}XO"[rules.piece(state, (c, r))] for c in range(7)) for r in reversed(range(6)))
    return "\n" + "".join(f"{row}\n" for row in rows)


def test_boards_must_show_what_was_played() -> None:
    """In any marks; a piece that lies elsewhere, or stays after it was taken back, is a fault."""
    first = [shown(State()) + asks(1), "1"]
    assert played(*first, ended=shown(after("1")) + asks(2)) == []
    assert played(*first, ended=shown(after("1")).replace("X", "R") + asks(2)) == []
    assert played(*first, ended=shown(after("2")) + asks(2)) == ["wrong-board"]
    assert played(*columns("1"), ended=shown(after("2")) + asks(2)) == []
    undone = [*first, *columns("23", first=2)[:2], asks(1), "3", UNDO, "y"]
    assert played(*undone, ended=shown(after("12")) + asks(1)) == []
    assert played(*undone, ended=shown(after("123")) + asks(1)) == ["undo-board"]


@pytest.mark.parametrize(
    ("manner", "empty"),
    [("|{0}|{1}|{2}|{3}|{4}|{5}|{6}|", " "), ("[{0}][{1}][{2}][{3}][{4}][{5}][{6}]", " "), (" {0} {1} {2} {3} {4} {5} {6}", "-"),
     ("| {0} | {1} | {2} | {3} | {4} | {5} | {6} |", " "), ("|{0}{1}{2}{3}{4}{5}{6}|", "_")],
)  # fmt: skip
def test_boards_are_read_in_each_manner(manner: str, empty: str) -> None:
    """Between bars, in brackets, between blanks, side by side; the numbers of the columns are no row."""
    text = "\n".join(manner.format(*row) for row in shown(after("1214"), empty).split("\n")[1:7])
    told = rules._told(heard(f"{text}\n 1 2 3 4 5 6 7\n"))
    assert len(told.rows) == 6
    assert rules._shows(told, after("1214"))
    assert not rules._shows(told, after("1213"))


@pytest.mark.parametrize("wrong", ["0", "8", "9"])
def test_the_third_violation_must_lose(wrong: str) -> None:
    """The first two ask the same player again; the third makes the other one the winner."""
    twice = [asks(1), wrong, "No such column. " + asks(1), wrong]
    assert played(*twice, ended="No! " + asks(1)) == []
    assert played(*twice, ended="Player 2 wins") == ["lost-early"]
    assert played(*twice[:2], ended=asks(2)) == ["accepted-missing"]
    thrice = [*twice, asks(1), wrong]
    assert played(*thrice, ended="Player 1 loses.") == []
    assert played(*thrice, ended="Player 1 wins.") == ["wrong-loser"]
    assert played(*thrice, ended="The end.") == ["unclear-loser"]
    assert played(*thrice, ended=asks(1)) == ["third-violation"]


def test_a_full_column_must_be_refused() -> None:
    """Six pieces are taken by a column, the seventh is a violation."""
    full = [*kept("111111"), asks(1), "1"]
    assert played(*full, ended="Full. " + asks(1)) == []
    assert played(*full, ended=asks(2)) == ["accepted-full"]


def test_columns_from_zero_are_typed_from_zero() -> None:
    """Where the program says so; where it says nothing, a refusal of the last column is left to a person."""
    start = rules.hear(rules.START, heard("Player 1, column (0-6): ")).state
    assert rules.answers(start, "column").legal == tuple("0123456")
    assert "7" not in rules.answers(start, "column").legal
    silent = ["Player 1, column: ", "1", "Player 2, column: ", "7"]
    assert played(*silent, ended="No such column. Player 2, column: ") == ["unread"]


def test_special_keys_are_not_typed_as_columns() -> None:
    """A 0 that takes back or leaves is no column that must be refused."""
    start = rules.hear(rules.START, heard("Player 1, column (1-7), 0 to quit: ")).state
    assert "0" not in rules.answers(start, "column").illegal
    assert "8" in rules.answers(start, "column").illegal


def test_whose_turn_it_is_must_be_told() -> None:
    """Where nobody is named, or always the same one, a person judges."""
    assert played(ended="Column (1-7): ") == ["unread"]
    assert played(asks(1), "1", ended=asks(1)) == ["unread"]


@pytest.mark.parametrize(
    "text",
    ["The dice say that player 2 begins.", "Player 2 goes first.", "The first move goes to Player 2", "First player: 2",
     "Player 2, you are first.", "PLAYER 2 WILL START", "Player two has the first turn.", "The game starts with player 2"],
)  # fmt: skip
def test_who_begins_is_read(text: str) -> None:
    """In ordinary words, by number; who is named otherwise is no number."""
    assert rules._told(heard(text)).beginner == "2"
    assert rules._told(heard(text.replace("2", "X").replace("two", "X"))).beginner == ""


def test_the_same_beginner_in_all_games_is_a_fault() -> None:
    """One game with the other is enough; where no number is told, a person judges, and of unbegun games nothing is said."""
    one, two, marks = (replace(rules.START, names=("x", ""), beginner=name) for name in ("1", "2", ""))
    assert [fault.kind for fault in rules.across((one,) * 64)] == ["same-start"]
    assert rules.across((one,) * 63 + (two,)) == ()
    assert [fault.kind for fault in rules.across((one, two, marks))] == ["unclear-start"]
    assert rules.across((rules.START,) * 64) == ()


@pytest.mark.parametrize(
    ("columns", "typed", "undo", "due"),
    [
        ("121212", "1", "", "missed-upwards"),
        ("121212", "3", "", ""),
        (TIE[:-1], TIE[-1], "no", "missed-tie"),
        ("12", "1", "yes", "undo-turn"),
        ("12", "9", "", "accepted-missing"),
        ("111111", "1", "", "accepted-full"),
    ],
)
def test_a_program_that_breaks_leaves_undone_what_was_due(columns: str, typed: str, undo: str, due: str) -> None:
    """The end of a game, an undo, or a refusal; elsewhere it is a crash and nothing else."""
    assert rules.due(replace(rules.START, game=after(columns), column=typed, undo=undo)) == due


def test_the_games_of_the_spec_are_all_that_there_are() -> None:
    """Cases look at every beginning that the referee has, and at its lines before its ties."""
    games = {name: games.games for name, games in ASSIGNMENT.spec.games.items()}
    assert games["all"] == len(rules.STARTS)
    assert games["lines"] == len(rules.STARTS) - len(rules.TIES)


def test_another_game_is_no_missed_end() -> None:
    """An empty board after the last piece or violation is a new game: how the last one ended is for a person to say."""
    again = "Het!\n" + shown(State()) + asks(1)
    assert played(*kept("1212121"), ended=again) == ["unclear-result"]
    thrice = [*columns("12"), asks(1), "9", asks(1), "9", asks(1), "9"]
    assert played(*thrice, ended=again) == ["unclear-loser"]
    assert played(*thrice, ended=shown(after("12")) + asks(1)) == ["third-violation"]


def test_a_key_may_be_asked_for_in_between() -> None:
    """Nothing is settled by it, and the end may come after it."""
    key = "Press any key to continue..."
    assert played(*columns("1"), key, "1", ended=asks(2)) == []
    assert played(*kept("1212121"), key, "1", ended="Player 1 wins") == []
    assert played(*kept("1212121"), ended="Player 1 wins. " + key + " ? ") == ["over"]


def ruling_after(*dialogue: str, start=None):
    """The ruling on the last text of a dialogue, whatever was wrong before."""
    *before, last = dialogue
    seat = start or rules.START
    for text, typed in zip(before[::2], before[1::2], strict=True):
        ruling = rules.hear(seat, heard(text))
        assert typed in (*ruling.state.may.legal, *ruling.state.may.illegal), (text, ruling)
        seat = rules.answer(ruling.state, "", typed)
    return rules.hear(seat, heard(last, ended=not last.endswith(("? ", ": ", UNDO))))


OPENING = [shown(State()) + asks(1), "1"]


def test_a_wrong_board_is_judged_once_and_followed() -> None:
    """The game goes on from what the board shows: the next piece lies upon the one that fell elsewhere."""
    wrong = [*OPENING, shown(after("2")) + asks(2), "2"]
    assert kinds(ruling_after(*wrong[:-1])) == ["wrong-board"]
    assert not kinds(ruling_after(*wrong, shown(after("22")) + asks(1)))
    assert not kinds(
        ruling_after(*wrong, shown(after("12")) + asks(1))
    )  # it was only drawn wrongly, and is right again
    assert kinds(ruling_after(*wrong, shown(after("33")) + asks(1))) == ["wrong-board"]


def test_the_message_says_where_the_board_differs() -> None:
    """In columns and rows, as they are counted on the board."""
    (fault,) = ruling_after(*OPENING, shown(after("2")) + asks(2)).faults
    assert (
        fault.message
        == "column 1 was played, and the board does not show that: no piece lies in column 1, row 1 from below"
    )


def in_doubt(typed: str):
    """The state of a game in which player 1 has column 1 to play, after a wrong board; the board shows it, or shows nothing."""
    return replace(rules.START, game=after(typed), other=State(), names=("1", "2"), lowest=1, doubtful=True, column="1")


def test_the_end_of_a_game_in_doubt_costs_nothing() -> None:
    """Where it is right in one of the positions it has been shown; where it is right in none it follows from the mistake."""
    right = rules.hear(in_doubt("121212"), heard("Player 1 wins!", ended=True))
    assert (kinds(right), set(right.occasions)) == ([], {"move", "moved", "upwards", "won-1"})
    for text in ("Player 2 wins!", "It is a tie.", "Bye."):
        wrong = rules.hear(in_doubt("1212"), heard(text, ended=True))
        assert (kinds(wrong), wrong.occasions) == ([], ())
    assert not kinds(rules.hear(replace(in_doubt("121212"), undo="no"), heard(asks(2))))


def test_only_moves_are_typed_that_are_legal_in_each_position() -> None:
    """A column that is full in one of them is neither legal nor wrong."""
    may = rules.hear(replace(in_doubt("111111"), column="2"), heard(asks(2))).state.may
    assert "1" not in (*may.legal, *may.illegal)


def test_a_refusal_must_keep_the_turn_and_the_board() -> None:
    """That the other player is asked, or that a piece fell, is a fault of the refusal; the exact board is none."""
    wrong = [shown(State()) + asks(1), "9"]
    assert not kinds(ruling_after(*wrong, "There is no such column. " + asks(1)))
    assert not kinds(ruling_after(*wrong, "There is no such column.\n" + shown(State()) + asks(1)))
    assert kinds(ruling_after(*wrong, "There is no such column. " + asks(2))) == ["turn-lost-missing"]
    assert kinds(ruling_after(*wrong, asks(2))) == ["accepted-missing"]
    fell = [*OPENING, shown(after("1")) + asks(2), "9"]
    assert kinds(ruling_after(*fell, "No such column.\n" + shown(after("12")) + asks(2))) == ["carried-out-missing"]
    full = [part for n in range(6) for part in (asks(1 + n % 2), "1", *((UNDO, "n") if n > 1 else ()))]
    assert kinds(ruling_after(*full, asks(1), "1", "Column 1 is full. " + asks(2))) == ["turn-lost-full"]


def test_violations_count_where_the_turn_is_lost_as_well() -> None:
    """The third one of a player loses, whoever was asked in between."""
    lost = [part for n in range(5) for part in (asks(1 + n % 2), "9" if n % 2 == 0 else "8")]
    seat = rules.START
    for text, typed in zip(lost[::2], lost[1::2], strict=True):
        seat = rules.answer(rules.hear(seat, heard("No! " + text)).state, "", typed)
    assert kinds(rules.hear(seat, heard("Player 1 loses.", ended=True))) == []
    assert kinds(rules.hear(seat, heard("No! " + asks(2)))) == ["third-violation"]


def test_the_first_column_may_be_refused_for_ever() -> None:
    """A program that never takes a piece is left after three columns, and no piece was placed in front of us."""
    seat, found, seen = rules.START, [], []
    for _ in range(4):
        ruling = rules.hear(seat, heard(shown(State()) + "This column is full. " + asks(1)))
        found += kinds(ruling)
        seen += ruling.occasions
        if found[-1:] == ["over"]:
            break
        seat = rules.answer(ruling.state, "", "1")
    assert found == ["refused-legal", "over"]
    assert seen == ["begun", "move", "move", "move"]


def test_an_undo_at_the_first_move_is_a_fault_of_its_own() -> None:
    """It is told once for a game; the move is kept, and nothing of the undo is lost by it."""
    first = rules.hear(rules.answer(rules.hear(rules.START, heard(asks(1))).state, "", "1"), heard(UNDO))
    assert (kinds(first), first.state.may.legal) == (["undo-first"], ("n",))
    second = rules.answer(rules.hear(rules.answer(first.state, "", "n"), heard(asks(2))).state, "", "2")
    assert not kinds(rules.hear(second, heard(UNDO)))
    assert not kinds(ruling_after(*columns("123"), UNDO))


def test_a_turn_that_does_not_pass_is_a_fault() -> None:
    """The board shows the piece, and its player is asked again."""
    start = [*OPENING, shown(after("1")) + asks(2), "2"]
    assert kinds(ruling_after(*start, shown(after("12")) + asks(2))) == ["no-alternation"]
    assert kinds(ruling_after(*start, shown(after("1")) + asks(2))) == ["refused-legal"]


def test_occasions_come_only_from_what_was_seen() -> None:
    """A move that was carried out, its board, a line and its winner; a program that ends shows nothing."""
    assert ruling_after("Four in a row. " + asks(1)).occasions == ("begun",)
    assert ruling_after(*OPENING, shown(after("1")) + asks(2)).occasions == ("move", "moved", "board")
    assert ruling_after(*OPENING, asks(2)).occasions == ("move", "moved")
    assert ruling_after(*kept("1212121"), "Player 1 wins!").occasions == ("move", "moved", "upwards", "won-1")
    assert ruling_after(*kept("1212121"), "Bye.").occasions == ("move", "moved", "upwards")
    assert ruling_after(*kept(TIE), "A tie.").occasions == ("move", "moved", "full-board")
    assert ruling_after(*columns("123"), UNDO, "y", asks(1)).occasions == ("undone",)
    assert ruling_after("Welcome").occasions == ()


def test_a_board_before_the_question_about_taking_back_is_judged() -> None:
    """With the piece, or still without it; a piece elsewhere is wrong."""
    third = [*OPENING, shown(after("1")) + asks(2), "2", shown(after("12")) + asks(1), "3"]
    assert "board" in ruling_after(*third, shown(after("123")) + UNDO).occasions
    assert not kinds(ruling_after(*third, shown(after("12")) + UNDO))
    assert kinds(ruling_after(*third, shown(after("124")) + UNDO)) == ["wrong-board"]


def test_a_board_that_cannot_be_read_is_for_a_person() -> None:
    """It is told once, after four pieces, and is no fault of the play."""
    ruling = ruling_after(*kept("1234"), asks(1))
    assert [fault.kind for fault in ruling.faults] == ["unclear-board"]
    assert "unclear-board" not in [fault.kind for fault in ruling_after(*kept("12345"), asks(2)).faults]


@pytest.mark.parametrize(
    "text",
    ["9" * 5000, "Player " + "1" * 5000 + ", column (1-7): ", "|" * 65536, "x" * 65536, "Player 1 " * 7000,
     "Player ¹, column (1-7): ", "Player ١, column (1-٧): ", "\u202ePlayer 1\ud7ff column? ", "\0" * 5000],
)  # fmt: skip
def test_no_text_is_too_odd_to_be_heard(text: str) -> None:
    """Numbers of thousands of digits, very long lines and odd characters lead to a ruling, at the start and in a game."""
    for seat in (rules.START, replace(rules.hear(rules.START, heard(asks(1))).state, column="1")):
        for ended in (False, True):
            rules.hear(seat, heard(text, ended=ended))


def test_a_piece_that_stays_shows_at_the_next_board_too() -> None:
    """Where none is shown right after an undo: all that was played is there, and a piece more."""
    third = [*OPENING, shown(after("1")) + asks(2), "2", shown(after("12")) + asks(1), "3", UNDO, "y", asks(1), "4"]
    left = (*after("12").columns[:2], (1,), (1,), (), (), ())
    assert kinds(ruling_after(*third, shown(replace(after("12"), columns=left)) + UNDO)) == ["undo-board"]
    assert not kinds(ruling_after(*third, shown(after("124")) + UNDO))
    assert not kinds(ruling_after(*third, shown(after("125")) + UNDO))


def test_a_legal_column_that_is_refused_costs_nothing_more() -> None:
    """What the program makes of it, such as a violation that loses the game, follows from it."""
    refused = [asks(1), "4", asks(2), "4", "No! " + asks(2), "8"]
    assert kinds(ruling_after(*refused[:-1])) == ["refused-legal"]
    assert not kinds(ruling_after(*refused, "Player 2 loses."))


def test_the_last_board_tells_where_the_winning_piece_fell() -> None:
    """A line that it shows is no false win, wherever the piece should have fallen."""
    game = [asks(1), "1", asks(2), "2", asks(1), "1", UNDO, "n", asks(2), "2", UNDO, "n", asks(1), "1", UNDO, "n"]
    boards = iter(("", "1", "12", None, "121", None, "1212", None))
    told = [text if n % 2 else with_board(text, next(boards)) for n, text in enumerate(game)]
    last = [with_board(asks(2), "12121"), "2", UNDO, "n", with_board(asks(1), "121212"), "7"]
    assert kinds(ruling_after(*told, *last, "Player 1 wins!")) == ["false-win"]
    assert not kinds(ruling_after(*told, *last, shown(after("1212121")) + "Player 1 wins!"))


def with_board(text: str, typed: str | None) -> str:
    """A text after the board of these columns."""
    return text if typed is None else shown(after(typed)) + text
