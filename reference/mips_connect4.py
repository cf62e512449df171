"""The reference for mips-connect4 (Four in a Row): a playable game, its rules, and the referee that follows programs.

``python reference/mips_connect4.py`` plays it on a terminal. Two players drop pieces into seven columns of six; four of
one's own in a line win, across, upwards or on a slant. After the first piece each player may take back three moves, each
before the opponent's turn. A column that does not exist or is full is a violation; the third one loses the game. A full
board is a tie.

Wording is each program's own: what other programs share with this one is the order of events, not the text. Where the
assignment leaves the order open, this one judges a column first and asks about taking back afterwards, and asks nothing
once the game is decided.

The referee hears facts, as the patterns of the spec read them, and what is read of a program is read nowhere else. Whose
turn it is shows what came of the last column: players are known by what the program itself calls them. Where that cannot
be read, nothing is judged (``unread``).

The referee follows the program's own game. What a board shows is where it goes on; a board that is wrong may also only be
drawn wrongly, so that what should be there is remembered as well. Such a game is in doubt from then on: what ends it counts
where it is right in either position, and costs nothing where it is not. Of games in which moves were taken back only the
taking back is judged, not the end.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from random import choice
from typing import TypeVar

from grader.games.referee import UNREAD, Answers, Fault, Heard, Ruling
from grader.reading.facts import Fact
from grader.sessions.reference import Line, Play, perform

COLUMNS = 7
ROWS = 6
UNDOS = 3
VIOLATIONS = 3
TIE = 0

Cell = tuple[int, int]
Marks = dict[int, str]
Marked = tuple[str | None, str | None, str | None]
T = TypeVar("T")
Part = Generator[str | Line, str, T]
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def _lines() -> tuple[tuple[Cell, ...], ...]:
    """Every four cells (column, row from the bottom) in a line: 24 across, 21 upwards, 24 on a slant."""
    starts = ((c, r, dc, dr) for dc, dr in _DIRECTIONS for c in range(COLUMNS) for r in range(ROWS))
    runs = (tuple((c + n * dc, r + n * dr) for n in range(4)) for c, r, dc, dr in starts)
    return tuple(run for run in runs if run[3][0] < COLUMNS and 0 <= run[3][1] < ROWS)


LINES = _lines()


@dataclass(frozen=True, slots=True)
class State:
    """A position: whose turn it is, the pieces, and what each player has used up.

    ``columns`` holds the players (1 or 2) whose pieces lie in each column, from the bottom. ``undos`` are those left,
    ``violations`` those made. ``open_move`` is the column of a piece that its player may still take back; the turn passes
    when it is kept.
    """

    player: int = 1
    columns: tuple[tuple[int, ...], ...] = ((),) * COLUMNS
    undos: tuple[int, int] = (UNDOS, UNDOS)
    violations: tuple[int, int] = (0, 0)
    open_move: int | None = None


def moves(state: State) -> tuple[str, ...]:
    """Every legal move: a column from ``1``, or ``undo`` and ``keep`` while the last piece may be taken back."""
    if outcome(state) is not None:
        return ()
    if state.open_move is not None:
        return ("undo", "keep")
    return tuple(str(n) for n, column in enumerate(state.columns, 1) if len(column) < ROWS)


def result(state: State, move: str) -> State:
    """The state after a legal move; any other in place of a column is a violation, and the same player moves again."""
    if state.open_move is not None:
        return undo(state) if move == "undo" else _pass_on(state)
    if move not in moves(state):
        return replace(state, violations=_changed(state.violations, state.player, 1))
    dropped = _drop(state, int(move) - 1)
    if outcome(dropped) is None and _may_undo(dropped):
        return dropped
    return _pass_on(dropped)


def undo(state: State) -> State:
    """The state after the open move was taken back: its player moves again."""
    assert state.open_move is not None, "only an open move can be taken back"
    columns = list(state.columns)
    columns[state.open_move] = columns[state.open_move][:-1]
    left = _changed(state.undos, state.player, -1)
    return replace(state, columns=tuple(columns), undos=left, open_move=None)


@lru_cache(maxsize=256)
def outcome(state: State) -> int | None:
    """The winner, by four in a line or by the opponent's third violation; TIE on a full board; None in between."""
    for player in (1, 2):
        if state.violations[player - 1] >= VIOLATIONS:
            return 3 - player
    for player in (1, 2):
        if _has_line(state, player):
            return player
    return TIE if all(len(column) == ROWS for column in state.columns) else None


def _has_line(state: State, player: int) -> bool:
    """Whether a player has four in a line, by one bit a cell, with a clear bit above each column that ends its lines."""
    bits = 0
    for number, column in enumerate(state.columns):
        for row, owner in enumerate(column):
            if owner == player:
                bits |= 1 << number * (ROWS + 1) + row
    steps = (across * (ROWS + 1) + up for across, up in _DIRECTIONS)
    return any(bits & bits >> step & bits >> 2 * step & bits >> 3 * step for step in steps)


def piece(state: State, cell: Cell) -> int:
    """The player whose piece lies in a cell (column and row from 0, from the left and the bottom); 0 where none does."""
    column, row = cell
    return state.columns[column][row] if row < len(state.columns[column]) else 0


def _drop(state: State, column: int) -> State:
    columns = list(state.columns)
    columns[column] = (*columns[column], state.player)
    return replace(state, columns=tuple(columns), open_move=column)


def _may_undo(state: State) -> bool:
    """A player's first piece stays; later ones may be taken back as long as there are undos left."""
    pieces = sum(column.count(state.player) for column in state.columns)
    return pieces > 1 and state.undos[state.player - 1] > 0


def _pass_on(state: State) -> State:
    return replace(state, player=3 - state.player, open_move=None)


def _changed(counts: tuple[int, int], player: int, by: int) -> tuple[int, int]:
    """The counts of both players with one of them changed."""
    one, two = counts
    return (one + by, two) if player == 1 else (one, two + by)


def play(first: int = 1) -> Play:
    """A whole game. ``first`` is the starting player, who picks a piece."""
    yield f"Four in a Row\nPlayer {first} starts.\n"
    marks = yield from _pick(first)
    state = State(first)
    yield _board(state, marks)
    while outcome(state) is None:
        state = yield from _step(state, marks)
    winner = outcome(state)
    if VIOLATIONS in state.violations:
        yield f"That was violation {VIOLATIONS}: player {state.player} loses.\n"
    yield f"Player {winner} ({marks[winner]}) wins!\n" if winner else "It is a tie.\n"


def _pick(first: int) -> Part[Marks]:
    """Ask the starting player for a piece until it is one."""
    while True:
        yield f"Player {first}, pick your piece, X or O: "
        mark = yield Line(legal=("X", "O"))
        if mark in ("X", "O"):
            return {first: mark, 3 - first: "O" if mark == "X" else "X"}
        yield "There are only X and O.\n"


def _step(state: State, marks: Marks) -> Part[State]:
    """Ask for one move, and say what came of it."""
    name = f"Player {state.player} ({marks[state.player]})"
    if state.open_move is not None:
        left = state.undos[state.player - 1]
        yield f"{name}, undo this move, {left} left? (y/n): "
        answer = yield Line(legal=("y", "n"))
        if answer not in ("y", "n"):
            yield "Answer y or n.\n"
            return state
        after = result(state, "undo" if answer == "y" else "keep")
        if answer == "y":
            yield _board(after, marks)
        return after
    yield f"{name}, choose a column (1-{COLUMNS}): "
    column = yield Line(legal=moves(state))
    after = result(state, column)
    yield _board(after, marks) if column in moves(state) else _refusal(column, after)
    return after


def _refusal(column: str, after: State) -> str:
    wrong = (
        f"Column {column} is full." if column in map(str, range(1, COLUMNS + 1)) else f"There is no column {column}."
    )
    return f"{wrong} Player {after.player} has {after.violations[after.player - 1]} of {VIOLATIONS} violations.\n"


def _board(state: State, marks: Marks) -> str:
    """The grid, the top row first."""
    shown = {0: " ", **marks}
    rows = (" | ".join(shown[piece(state, (c, r))] for c in range(COLUMNS)) for r in reversed(range(ROWS)))
    return "\n" + "".join(f"| {row} |\n" for row in rows) + "  " + "   ".join(map(str, range(1, COLUMNS + 1))) + "\n\n"


# --------------------------------------------------------------------------------------------------------- the referee

DIRECTIONS = ("across", "upwards", "rising", "falling")
"""What the lines are called, in the order in which they are tried."""

FAULTS = (
    "missed-across",
    "missed-upwards",
    "missed-rising",
    "missed-falling",
    "missed-tie",
    "false-win",
    "false-tie",
    "wrong-winner",
    "wrong-board",
    "unclear-board",
    "refused-legal",
    "no-alternation",
    "ended-early",
    "unclear-result",
    "undo-not-asked",
    "undo-first",
    "undo-turn",
    "undo-board",
    "undo-fourth",
    "unclear-undo",
    "accepted-full",
    "accepted-missing",
    "turn-lost-full",
    "turn-lost-missing",
    "carried-out-full",
    "carried-out-missing",
    "third-violation",
    "lost-early",
    "wrong-loser",
    "unclear-loser",
    "same-start",
    "unclear-start",
    "over",
)
"""What cases may judge; ``over`` is none: it leaves a program that has told the result, or that nothing more is to be had of."""

OCCASIONS = {
    "move": "legal moves",
    "moved": "legal moves that were carried out",
    "board": "boards after a legal move",
    "across": "lines across",
    "upwards": "lines upwards",
    "rising": "lines on the rising slant",
    "falling": "lines on the falling slant",
    "won-1": "lines of the starting player that were announced as a win",
    "won-2": "lines of the other player that were announced as a win",
    "full-board": "full boards without a line",
    "undoable": "moves that may be taken back",
    "undone": "moves that were taken back",
    "used-up": "moves after a third undo",
    "first": "first moves in games in which an undo is offered later",
    "full": "pieces for a full column",
    "missing": "pieces for a column that does not exist",
    "refusal": "wrong columns that were refused",
    "third": "third violations",
    "lost": "third violations after which the game ends",
    "begun": "games whose first player was told",
}
OCCASIONS_OF = {
    **{f"missed-{direction}": (direction,) for direction in DIRECTIONS},
    "missed-tie": ("full-board",),
    # Only who ends games by lines shows that nothing else ends them so.
    "false-win": ("won-1", "won-2"),
    "false-tie": ("move",),
    "wrong-winner": ("won-1", "won-2"),
    "wrong-board": ("board",),
    "unclear-board": ("move",),
    "refused-legal": ("moved",),
    "no-alternation": ("moved",),
    "ended-early": ("moved",),
    "unclear-result": ("move",),
    "undo-not-asked": ("undoable",),
    "undo-first": ("first",),
    "undo-turn": ("undone",),
    "undo-board": ("undone",),
    "undo-fourth": ("used-up",),
    "unclear-undo": ("move",),
    "accepted-full": ("full",),
    "accepted-missing": ("missing",),
    "turn-lost-full": ("full",),
    "turn-lost-missing": ("missing",),
    "carried-out-full": ("full",),
    "carried-out-missing": ("missing",),
    "third-violation": ("third",),
    "lost-early": ("refusal",),
    "wrong-loser": ("lost",),
    "unclear-loser": ("move",),
    "same-start": ("begun",),
    "unclear-start": ("move",),
}

_NUMBERS = tuple(str(n) for n in range(3, 1000, 17))
"""What is typed where a program wants a number to shuffle with."""

_MOST_SETTING_UP = 12
"""A program that has asked so many questions before a first column does not understand our answers."""

_STUCK = 3
"""A program that has refused so many legal columns, one after the other, refuses them for ever."""

_UNSEEN = 4
"""After so many pieces without a board that can be read none is hoped for."""


_WINS = """
1721413 61737472 244523311 6313214462 523142244114323 31212163424443 667262322143133413144 422432523454311311
3517423141211143323443622 24243143372313324224577111 4216432312367374233446654221111
53522354114311116626332374424472 3646562 75747362 522357344 5522734314 3235345152244 63425232444355
3252464523244333565 447535222224345533 3245254543325457475226313 25731411425533352324623544
4423332545531263374624261521455 2424554322334232345473167555 4462563 15566374 433546576 6535166344 623734544536526
35356543116644 6136635564444135315 633645411363445655 4344643644553336565713625 2544323324565755667544364673
2315134654643534454336575262676 33144675116462163656513455331544 6141725 36171514 646745725 6577364435
265457544576627 55254744267766 55545367766467744 5736647415653665374774 7343455413654675666741577
42466477371574545726165615 7544732351627647477446563565635 67456557532347556674134766371144 1617131 31314171
411217141 11315121 111312151 6111513151 2525272 32721252 722426252 22326242 222321262 5222423212 3137323 43534373
433736353 33531353 333232363 1333637343 4345434 64242414 244741434 44645424 444247424 5444641464 5356545 25256545
655151515 55451545 555352535 1555354575 6263646 56264656 166464656 66364636 666767656 6566464646 7174757 27173717
177473737 77174767 777176767 7277173737 12234442433 4134443322 34333644222112414 374124612233634474
322223333714411644424 711153222243242413334434 45233254455 3453525544 24277554325554433 424266545415433355
62232655333445555633444 45344327772255274655743325 3654413556366 546364576645 655663344745566 766543635525346664
24354356363553546546636 376537636156664724541455 4626635757717 745565667737 7655575447516162677 44765415671566274177
6112665764655155464774777 5767643766267457546537 41327131122 2314132211 21122322313446711 2112137414332231
121331222421126444133 11427132134443232211 5523233642234 3244253322 32422343254433552 335533342342742272
33735445524146122237322 732242515512143434331522 6352544543233 463316445533 15525433643764433 7543464634553363
4466446344155555665333363 15141523437434635475337566 7617546345544 644536475415 5563656451344771474
344645526546147725 76735476545447646242255 416777662456554455665414
"""
WINS = tuple(_WINS.split())
"""For each line, in the order of ``LINES``, a game that who begins wins with it alone, and one that the other wins."""

_TIES = """
166655653457446444515712762332121271333727 156375132377454114274154672432517252663636
522647145142265527377124315635474367661313 217322257527755523533737613446161141644664
324267377467347762231512162654435341551615 264641332553644775535564412162361217231777
543244475415417755763113151667337222366622 137213716152272716522136656374675444443553
613162775465567753233244631763115427124245 745751721471553734752122463343531126426666
767212453133347253346664276644551755212171 674514742744765221437276163233325155516316
467235235565433261116325413157744224177667 557325417634444531746737235532212627116661
552432234447242754135261157651761673173366 644577261151126324566335445723412233165777
751326431535415653326612265131262744747774 227672264114437136334352624715576514613575
377314533145354737127456615447512122226666
"""
TIES = tuple(_TIES.split())
"""Games in which nobody wins; together they hold every row of four across an edge that a game without a line can hold."""


@dataclass(frozen=True, slots=True)
class Seat:
    """What the referee remembers of a game. Player 1 of ``game`` is who begins, whatever the program calls that player.

    ``names`` are what the program calls the two, and ``beginner`` the number of who begins, empty where it told none.
    ``lowest`` is its number for the first column, None where it told none. ``column`` is the last column typed, in our own
    numbers, until its move is settled, and ``undo`` what was answered to taking it back, both empty
    before. ``may`` is what may be typed now, and ``yes`` what takes a move back. ``special`` are keys that mean something
    else than a column. ``board`` says that its boards can be read, and ``marks`` are those of an empty cell and of the two,
    None where not known yet. ``other`` is what the position is if a wrong board was only drawn wrongly, and ``doubtful``
    that this game went wrong, so that its end shows nothing more that is wrong.

    ``talks`` says that it has spoken of taking back, ``offers`` that it has asked for it, ``first`` that it asked at a first
    move, ``undone`` that a move was taken back in this game, ``again`` that the last one was, ``taken`` from which columns.
    ``setting_up`` counts the answers before the first column, ``stuck`` the legal columns refused since the last piece,
    ``pieces`` those that were placed.

    How the game is played: ``plan`` are the columns to be played, without taking back; empty where columns are drawn, and
    ``stack`` says that they are heaped up.
    """

    game: State = State()
    names: tuple[str, str] = ("", "")
    beginner: str = ""
    lowest: int | None = None
    asked: str = ""
    column: str = ""
    undo: str = ""
    may: Answers = Answers(())
    yes: str = ""
    special: frozenset[str] = frozenset()
    board: bool = False
    marks: Marked = (None, None, None)
    other: State | None = None
    doubtful: bool = False
    talks: bool = False
    offers: bool = False
    first: bool = False
    undone: bool = False
    taken: str = ""
    again: bool = False
    setting_up: int = 0
    stuck: int = 0
    pieces: int = 0
    plan: str = ""
    stack: bool = False


START = Seat()

STARTS = (START,) * 16 + (Seat(stack=True),) * 16 + tuple(Seat(plan=plan) for plan in (*WINS, *TIES))
"""How each game of a case begins: columns drawn, columns heaped up, and then a game for each line and for each tie."""


def hear(seat: Seat, heard: Heard) -> Ruling:
    """Rule on one turn of the program."""
    told = _told(heard)
    seat = _learning(seat, told)
    asked = seat.asked if told.question == "retry" else told.question
    if told.ended or asked == "again":
        return _finished(seat, told)
    if asked == "column":
        return _asks_column(seat, told)
    if asked in ("undo", "keep") and seat.column:
        return _asks_undo(seat, told, asked)
    if seat.names[0] and (told.results or (_decided(seat) and asked != "key")):
        return _finished(seat, told)
    return _sets_up(seat, told, asked) if asked else Ruling(seat)


def _learning(seat: Seat, told: _Told) -> Seat:
    """What holds from now on, whatever was asked."""
    return replace(
        seat,
        lowest=seat.lowest if told.lowest is None else told.lowest,
        special=seat.special | told.special,
        talks=seat.talks or told.speaks_of_undo,
        beginner=seat.beginner if seat.names[0] else told.beginner or seat.beginner,
    )


def answers(seat: Seat, question: str) -> Answers:  # noqa: ARG001  what is asked was understood when it was heard
    """What may be typed at the question that was heard last."""
    return seat.may


def answer(seat: Seat, question: str, text: str) -> Seat:  # noqa: ARG001
    """The state after an answer: what comes of a column is settled by what the program says next."""
    if seat.asked == "column":
        return replace(seat, column=str(int(text) + 1 - _lowest(seat)), undo="")
    if seat.asked in ("undo", "keep"):
        return replace(seat, undo="yes" if text == seat.yes else "no")
    return replace(seat, setting_up=seat.setting_up + 1)


def due(seat: Seat) -> str:
    """What a program leaves undone that breaks now: an end, an undo, or a refusal."""
    if seat.undo == "yes":
        return "undo-turn"
    if seat.doubtful or not seat.column:
        return ""
    if _is_wrong(seat):
        return "third-violation" if _decided(seat) else f"accepted-{_why_wrong(seat)}"
    return _missed_kind(_kept(seat.game, seat.column)) if _decided(seat) else ""


def across(seats: Sequence[Seat]) -> tuple[Fault, ...]:
    """What is wrong with games taken together: each begins with other random numbers, and the same player always starts."""
    begun = {seat.beginner for seat in seats if seat.names[0]}
    if "" in begun:
        return (Fault("unclear-start", "who of the two players begins could not be read"),)
    if len(begun) != 1 or len(seats) == 1:
        return ()
    return (Fault("same-start", f"in all of {len(seats)} games player {begun.pop()} begins"),)


# ------------------------------------------------------------------------------------------------- what a turn tells

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Told:
    """What one turn tells. Players are called by the names that the program has for them."""

    question: str
    ended: bool
    wants: str
    mover: str
    beginner: str
    winners: frozenset[str]
    losers: frozenset[str]
    tie: bool
    refused: bool
    speaks_of_undo: bool
    lowest: int | None
    options: tuple[tuple[str, str], ...]
    special: frozenset[str]
    rows: tuple[Row, ...]

    @property
    def results(self) -> bool:
        """Whether it tells how the game ended."""
        return bool(self.winners or self.losers or self.tie)

    @property
    def refuses(self) -> bool:
        """Whether it speaks of something wrong, or asks for another try."""
        return self.refused or self.question == "retry"

    def keys(self, *meanings: str) -> tuple[str, ...]:
        """The keys that it offers for one of these, and that can be typed at what it waits for."""
        return tuple(key for meaning, key in self.options if meaning in meanings and self.takes(key))

    def takes(self, text: str) -> bool:
        """Whether a text can be typed at what it waits for."""
        if self.wants == "key":
            return len(text) == 1
        return self.wants != "integer" or text.isdigit()


_NAMES = {"one": "1", "first": "1", "two": "2", "second": "2"}
_UNDO = ("undo", "redo", "take", "cancel")
_KEEP = ("keep", "continue", "confirm", "play", "go", "accept", "not")
_BEGIN = ("play", "start", "new", "begin", "go")


def _told(heard: Heard) -> _Told:
    facts = {name: [fact for fact in heard.facts if fact.name == name] for name in {fact.name for fact in heard.facts}}
    beginners = [_name(fact) for fact in facts.get("beginner", ())]
    movers = beginners + [_name(fact) for fact in facts.get("mover", ())]
    options = tuple(option for fact in facts.get("option", ()) for option in _options(_groups(fact)))
    lows = [int(bool(fact.values["one"])) for fact in facts.get("columns", ())]
    return _Told(
        question=(heard.question or "").removesuffix("-alone"),
        ended=heard.ended,
        wants=heard.wants,
        mover=movers[-1] if movers else "",
        beginner=next((name for name in beginners if name in ("1", "2")), ""),
        winners=frozenset(_name(fact) for fact in facts.get("winner", ())),
        losers=frozenset(_name(fact) for fact in facts.get("loser", ())),
        tie="tie" in facts,
        refused="refused" in facts,
        speaks_of_undo="undo" in facts,
        lowest=lows[-1] if lows else None,
        options=options,
        special=frozenset(key for meaning, key in options if meaning not in ("x", "o", "red", "yellow")),
        rows=tuple(row for fact in facts.get("row", ()) if (row := _row(_groups(fact))) != _HEADERS[row[0] == "1"]),
    )


_HEADERS = (tuple("0123456"), tuple("1234567"))


Groups = tuple[tuple[str, str], ...]


def _groups(fact: Fact) -> Groups:
    return tuple(fact.values.items())


def _group(groups: Groups, prefix: str) -> str:
    """The text of the one group of this family that took part in the match; empty where none did."""
    return next((text for name, text in groups if text and name.startswith(prefix)), "")


def _name(fact: Fact) -> str:
    name = _group(_groups(fact), "who")
    return _NAMES.get(name, name)


@lru_cache
def _row(groups: Groups) -> Row:
    """The seven cells of one row of a board, in whichever of its manners it was read."""
    cells = dict(groups)
    manners = (tuple(cells[f"{manner}{n}"] for n in range(1, COLUMNS + 1)) for manner in "abcd")
    return next((row for row in manners if any(row)), ("",) * COLUMNS)


@lru_cache
def _options(groups: Groups) -> tuple[tuple[str, str], ...]:
    """What a program offers to type, by what it means; groups with great letters hold great ones."""
    if _group(groups, "bits"):
        return (("yes", "1"), ("no", "0"))
    if _group(groups, "other"):
        return (("other", "n"), ("other", "0"))
    if _group(groups, "enter"):
        return ((_group(groups, "w"), ""),)
    if _group(groups, "yes") or _group(groups, "YES"):
        return (
            ("yes", _group(groups, "yes") or _group(groups, "YES").upper()),
            ("no", _group(groups, "no") or _group(groups, "NO").upper()),
        )
    return ((_group(groups, "w"), _group(groups, "k") or _group(groups, "K").upper()),)


# ---------------------------------------------------------------------------------------------------- setting the game up


def _sets_up(seat: Seat, told: _Told, asked: str) -> Ruling:
    """It asks something before the game, or to have a key pressed."""
    legal = tuple(text for text in _settings(seat, told, asked) if told.takes(text))
    if not legal or (seat.setting_up >= _MOST_SETTING_UP and not seat.names[0]) or asked == "undo":
        return _unread(seat, f"what it wants where it asks for “{asked}” could not be read")
    return Ruling(replace(seat, asked=asked, may=Answers(tuple(dict.fromkeys(legal)))))


def _settings(seat: Seat, told: _Told, asked: str) -> tuple[str, ...]:
    if asked == "seed":
        return _NUMBERS
    if asked == "key":
        return ("1",)
    if asked == "name":
        return ("Player 2" if seat.asked == "name" else "Player 1",)
    if asked == "mark":
        own = ("X", "O") if seat.asked != "mark" else ("x", "o")
        return told.keys("x", "o", "red", "yellow") or own
    return told.keys(*_BEGIN) if asked == "menu" else ()


# -------------------------------------------------------------------------------------------------------------- columns


def _asks_column(seat: Seat, told: _Told) -> Ruling:  # noqa: PLR0911  one for each thing that it may mean
    """It asks for a column: the game begins, or what was typed before is settled."""
    if not seat.names[0]:
        return _begins(seat, told)
    if not seat.column:
        return _asking(seat, told)
    if told.results and _decided(seat) and not seat.doubtful:
        return _finished(seat, told)
    seat, same = _mover(seat, told)
    if same is None:
        return _unread(seat, "whose turn it is could not be read")
    ruling = _taken_back(seat, told, same) if seat.undo == "yes" else _settled(seat, told, same)
    if seat.lowest is None and any(_by_number(seat, fault) for fault in ruling.faults):
        return _unread(seat, "how its columns are numbered could not be read")
    if any(fault.stops for fault in ruling.faults):
        return ruling
    after = ruling.state
    assert isinstance(after, Seat), "this referee has no other states"
    asking = _asking(after, told)
    return Ruling(asking.state, (*ruling.faults, *asking.faults), ruling.occasions)


def _begins(seat: Seat, told: _Told) -> Ruling:
    if not told.mover:
        return _unread(seat, "whose turn it is could not be read")
    board = len(told.rows) == ROWS and _empty(told)
    beginner = seat.beginner or (told.mover if told.mover in ("1", "2") else "")
    begun = replace(seat, names=(told.mover, ""), beginner=beginner, board=board)
    if board:
        begun = replace(begun, marks=(told.rows[0][0], None, None))
    return replace(_asking(begun, told), occasions=("begun",) if beginner else ())


_BY_NUMBER = ("undo-board", "accepted-missing", "accepted-full", "turn-lost-missing", "turn-lost-full")
"""Faults that would be none if its columns were numbered otherwise."""


def _by_number(seat: Seat, fault: Fault) -> bool:
    """Whether a fault would be none if its columns were numbered otherwise: the last column would be missing then."""
    if fault.kind == "refused-legal":
        return seat.column == str(COLUMNS) or len(_open(seat.game)) < COLUMNS
    return fault.kind in _BY_NUMBER


def _mover(seat: Seat, told: _Told) -> tuple[Seat, bool | None]:
    """Whether the player who typed the last column is asked again; None where that could not be read."""
    player = seat.game.player
    if not told.mover:
        return seat, None if not seat.names[1] else (told.refuses or seat.undo == "yes")
    if told.mover not in seat.names:
        if seat.names[1]:
            return seat, None
        seat = replace(seat, names=(seat.names[0], told.mover))
    return seat, seat.names.index(told.mover) + 1 == player


def _settled(seat: Seat, told: _Told, same: bool) -> Ruling:
    """A column was typed and not taken back, and a column is asked for."""
    if _is_wrong(seat):
        return _after_wrong_column(seat, told, same)
    placed, still = _seen(seat, told, _kept(seat.game, seat.column)), _seen(seat, told, seat.game)
    if same and not seat.names[1] and not (still or (not told.rows and (told.refuses or seat.board))):
        return _unread(seat, "whose turn it is could not be read")
    if same and not placed and (told.refuses or still or not seat.undo or not seat.names[1]):
        return _refuses_legal(seat)
    if outcome(_kept(seat.game, seat.column)) is not None and not seat.doubtful:
        return _unseen_end(seat, "result") if _empty(told) else _missed(seat)
    return _placed(seat, told, same)


def _is_wrong(seat: Seat) -> bool:
    """Whether the column that was typed must be refused."""
    return seat.column not in _open(seat.game)


def _why_wrong(seat: Seat) -> str:
    return "full" if seat.column in map(str, range(1, COLUMNS + 1)) else "missing"


def _open(game: State) -> tuple[str, ...]:
    """The columns that take a piece, whether or not the game is over."""
    return tuple(str(n) for n, column in enumerate(game.columns, 1) if len(column) < ROWS)


def _kept(game: State, column: str) -> State:
    """The game after a column that was not taken back, be it legal or a violation."""
    if column in _open(game):
        return _pass_on(_drop(game, int(column) - 1))
    return replace(game, violations=_changed(game.violations, game.player, 1))


def _settles(seat: Seat, game: State, other: State | None) -> Seat:
    """The state when it is settled what came of a column."""
    return replace(seat, game=game, other=other, column="", undo="", again=False)


def _to_player(game: State | None, player: int) -> State | None:
    return None if game is None else replace(game, player=player)


def _placed(seat: Seat, told: _Told, same: bool) -> Ruling:
    """A legal column took its piece, and the game goes on."""
    due = _undoable(seat) and not seat.again
    faults = [_never_asked(seat)] if due and not seat.undo else []
    who = seat.game.player
    if same:
        kind = "undo-turn" if seat.undo else "no-alternation"
        faults.append(Fault(kind, f"after column {_said(seat)} was played the same player is asked for a column again"))
    after, other = (_kept(game, seat.column) if game else None for game in (seat.game, seat.other))
    assert after is not None, "there is always a position"
    if same:
        after, other = replace(after, player=who), _to_player(other, who)
    moved = _moves(seat, told, same=same)
    settled = replace(_settles(seat, after, other), stuck=0 if moved else seat.stuck + 1, pieces=seat.pieces + 1)
    used_up = _has_piece(seat.game) and not seat.game.undos[who - 1]
    kind = _kind_of_board(seat, told, after) if _seen(settled, told, after) is False else "wrong-board"
    board, wrong = _follow(settled, told, kind, f"column {_said(seat)} was played")
    shown = _readable(settled, told)
    seen = {
        "move": True,
        "moved": moved,
        "board": shown,
        "undoable": due,
        "used-up": used_up,
    }
    unseen = board.pieces == _UNSEEN and not board.board
    if unseen:
        faults.append(Fault("unclear-board", "a board of six rows and seven columns could not be read"))
    if settled.stuck == _STUCK:
        wrong = (*wrong, Fault("over", "no piece is ever placed", stops=True))
    return Ruling(board, (*faults, *wrong), tuple(name for name, is_seen in seen.items() if is_seen))


def _moves(seat: Seat, told: _Told, *, same: bool) -> bool:
    """Whether a game moves on: by what its board shows, or where none can be read by whose turn it is."""
    return not _seen(seat, told, seat.game) if _readable(seat, told) else not same


def _refuses_legal(seat: Seat) -> Ruling:
    """A legal column was refused, or has no effect, and the same player is asked again."""
    refused = replace(_settles(seat, seat.game, seat.other), stuck=seat.stuck + 1, doubtful=True)
    faults: tuple[Fault, ...] = ()
    if not seat.doubtful and _may_be_left(seat):
        message = f"column {_said(seat)} is not full after a move was taken back, and it is refused"
        faults = (Fault("undo-board", message),)
    elif not seat.doubtful:
        faults = (
            Fault(
                "refused-legal", f"column {_said(seat)} is not full, and it is refused, or a piece in it has no effect"
            ),
        )
    if refused.stuck == _STUCK:
        faults = (*faults, Fault("over", "it refuses one legal column after the other", stops=True))
    return Ruling(refused, faults, ("move",))


def _may_be_left(seat: Seat) -> bool:
    """Whether the pieces that were taken back from this column would fill it if they were still there."""
    return len(seat.game.columns[int(seat.column) - 1]) + seat.taken.count(seat.column) >= ROWS


NEW_GAME = "it begins another game, and how this one ended could not be read"


def _unseen_end(seat: Seat, what: str) -> Ruling:
    return _stopped(seat, f"unclear-{what}", NEW_GAME)


def _missed(seat: Seat) -> Ruling:
    """The game is decided, and it goes on."""
    after = _kept(seat.game, seat.column)
    if seat.undone:
        return _stopped(seat, "over", "after moves were taken back the end of a game is not judged")
    kind, occasions = _missed_kind(after), ("move", "moved", *_ends(after))
    if outcome(after) == TIE:
        message = "all 42 cells are taken, and it asks for a column"
    else:
        line = _made(after)[0]
        places = ", ".join(f"column {column + 1} row {row + 1}" for column, row in line)
        message = f"there are four in a line ({places}), and it asks for a column"
    return replace(_stopped(seat, kind, message), occasions=occasions)


def _made(after: State) -> list[tuple[Cell, ...]]:
    """The lines of the winner."""
    return [line for line in LINES if {piece(after, cell) for cell in line} == {outcome(after)}]


def _direction(line: tuple[Cell, ...]) -> str:
    (column, row), (next_column, next_row) = line[:2]
    return DIRECTIONS[_DIRECTIONS.index((next_column - column, next_row - row))]


def _missed_kind(after: State) -> str:
    return "missed-tie" if outcome(after) == TIE else f"missed-{_direction(_made(after)[0])}"


def _ends(after: State) -> tuple[str, ...]:
    """The occasions that a decided game gives to end it."""
    return ("full-board",) if outcome(after) == TIE else tuple(dict.fromkeys(map(_direction, _made(after))))


def _said(seat: Seat) -> str:
    """The column that was typed, in the program's own numbers."""
    return _typed(seat, (seat.column,))[0]


# ------------------------------------------------------------------------------------------------------ columns that are wrong


def _after_wrong_column(seat: Seat, told: _Told, same: bool) -> Ruling:
    """A column that does not exist or is full was typed, and a column is asked for."""
    after = _kept(seat.game, seat.column)
    occasion = _why_wrong(seat)
    third = after.violations[seat.game.player - 1] >= VIOLATIONS
    changed = _seen(seat, told, seat.game) is False
    if not same and (changed or not told.refuses):
        return replace(_accepts(seat, told, occasion), occasions=(occasion,))
    occasions = (occasion, "refusal", *(("third",) if third else ()))
    if third and not seat.doubtful and _empty(told) and any(seat.game.columns):
        return _unseen_end(seat, "loser")
    if third:
        message = f"column {_said(seat)} is the third violation of a player, and the game goes on"
        kind = "over" if seat.doubtful else "third-violation"
        return replace(_stopped(seat, kind, message), occasions=occasions)
    other = None if seat.other is None else _kept(seat.other, seat.column)
    player = seat.game.player if same else 3 - seat.game.player
    settled = _settles(seat, replace(after, player=player), _to_player(other, player))
    faults = []
    if not same:
        faults.append(
            Fault(
                f"turn-lost-{occasion}", f"column {_said(seat)} is refused, and the other player is asked for a column"
            )
        )
    settled, wrong = _follow(settled, told, f"carried-out-{occasion}", f"column {_said(seat)} was refused")
    return Ruling(settled, (*faults, *wrong), occasions)


_WHY = {"full": "this column is full", "missing": "there is no such column"}


def _accepts(seat: Seat, told: _Told, why: str) -> Ruling:
    """A wrong column was taken, and the other player is asked: what its board shows is where the game goes on."""
    player = 3 - seat.game.player
    settled = _settles(seat, replace(seat.game, player=player), _to_player(seat.other, player))
    settled, _ = _follow(settled, told, "over", "")
    fault = Fault(f"accepted-{why}", f"column {_said(seat)} was accepted: {_WHY[why]}")
    return Ruling(replace(settled, doubtful=True), () if seat.doubtful and why == "full" else (fault,))


def _decided(seat: Seat) -> bool:
    """Whether the last column, unless it is taken back, ends the game."""
    return bool(seat.column) and seat.undo != "yes" and outcome(_kept(seat.game, seat.column)) is not None


def _asking(seat: Seat, told: _Told) -> Ruling:
    """A column is to be typed: one that means the same in each position that is possible."""
    in_both = [n for n in _open(seat.game) if seat.other is None or n in _open(seat.other)]
    legal = tuple(in_both) or _open(seat.game)
    if not legal:
        return Ruling(seat, (Fault("over", "no column takes a piece any more", stops=True),))
    number = sum(map(len, seat.game.columns))
    if seat.plan[number : number + 1] in legal:
        legal = (seat.plan[number],)
    elif seat.stack:
        highest = max(len(seat.game.columns[int(n) - 1]) for n in legal)
        legal = tuple(n for n in legal if len(seat.game.columns[int(n) - 1]) == highest)
    may = Answers(
        _typed(seat, legal), tuple(t for t in _wrong_columns(seat) if t not in seat.special and told.takes(t))
    )
    return Ruling(replace(seat, asked="column", column="", undo="", may=may))


def _wrong_columns(seat: Seat) -> tuple[str, ...]:
    games = (seat.game, seat.other or seat.game)
    full = tuple(str(n) for n in range(1, COLUMNS + 1) if all(len(game.columns[n - 1]) == ROWS for game in games))
    missing = ("0", "8", "9") if _lowest(seat) else ("8", "9", "10")
    return _typed(seat, full * 2) if seat.stack else _typed(seat, (*full * 2, *missing))


def _typed(seat: Seat, columns: Sequence[str]) -> tuple[str, ...]:
    """Our numbers of columns as the program numbers them."""
    return tuple(str(int(column) - 1 + _lowest(seat)) for column in columns)


def _lowest(seat: Seat) -> int:
    """The number of the first column: one, unless the program says that it is zero."""
    return 1 if seat.lowest is None else seat.lowest


# ---------------------------------------------------------------------------------------------------------- taking back


def _asks_undo(seat: Seat, told: _Told, asked: str) -> Ruling:
    """It asks whether the last move shall be taken back, before or after it has judged the column."""
    left = seat.game.undos[seat.game.player - 1]
    if seat.undo and (left or seat.undo == "no"):
        return _unread(seat, "it asks about taking back again, and why could not be read")
    yes_means, no_means = ("no", "yes") if asked == "keep" else ("yes", "no")
    yes = told.keys(*_UNDO) or told.keys(yes_means)
    no = told.keys(*_KEEP) or told.keys(no_means)
    no = no or tuple(key for key in told.keys("other") if key not in yes)
    if not yes or not no:
        return _unread(seat, "how to take a move back, and how to keep it, could not be read")
    first = not _has_piece(seat.game)
    wrong = first and not seat.first and not seat.doubtful
    message = f"after column {_said(seat)}, the first move of a player, it offers to take the move back"
    faults = (Fault("undo-first", message),) if wrong else ()
    occasions = () if seat.offers or first else ("first",)
    seat = replace(seat, asked=asked, yes=yes[0], offers=seat.offers or not first, first=seat.first or first)
    fixed = seat.plan or seat.undo or first
    may = Answers((no[0],) if fixed else (yes[0], no[0]) if left else (yes[0],))
    seat, wrong_board, shown = _board_before_undo(seat, told)
    return Ruling(replace(seat, may=may), (*faults, *wrong_board), (*occasions, *shown))


def _board_before_undo(seat: Seat, told: _Told) -> tuple[Seat, tuple[Fault, ...], tuple[str, ...]]:
    """A board that is shown before the question about taking back: with the piece in question, or still without it."""
    if seat.undo or _is_wrong(seat):
        return seat, (), ()
    after = _kept(seat.game, seat.column)
    trusting = _trusting(seat, told, after)
    if trusting is not None:
        return trusting, (), ("board",)
    if seat.doubtful or _seen(seat, told, after) is not False or _shows(told, seat.game):
        return seat, (), ()
    message = f"column {_said(seat)} was played, and the board does not show that"
    kind = _kind_of_board(seat, told, after)
    return replace(seat, doubtful=True), () if kind == "over" else (Fault(kind, message),), ()


def _kind_of_board(seat: Seat, told: _Told, after: State) -> str:
    """What a wrong board is a fault of: of the undo, where all is there and a piece more after one was taken back."""
    if not seat.undone:
        return "wrong-board"
    shown = _position(replace(seat, game=after), told)
    if shown is None or not seat.again:
        return "over"
    there = replace(after, columns=shown)
    cells = [(column, row) for column in range(COLUMNS) for row in range(ROWS) if piece(there, (column, row))]
    more = len(cells) > sum(map(len, after.columns))
    return "undo-board" if more else "over"


def _taken_back(seat: Seat, told: _Told, same: bool) -> Ruling:
    """The last column was to be taken back, and a column is asked for."""
    before = seat.game
    if before.undos[before.player - 1] == 0:
        if same and told.refuses:
            return _unread(seat, "what came of a fourth undo could not be read")
        if same:
            message = f"after column {_said(seat)} a fourth move of the same player is taken back"
            return replace(_stopped(seat, "undo-fourth", message), occasions=("used-up",))
        return _settled(replace(seat, undo="no"), told, same)
    player = before.player if same else 3 - before.player
    left = _changed(before.undos, before.player, -1)
    game = replace(before, undos=left, player=player)
    other = None if seat.other is None else replace(seat.other, undos=left, player=player)
    back = replace(_settles(seat, game, other), undone=True, again=same, taken=seat.taken + seat.column)
    message = f"column {_said(seat)} was taken back, and the other player is asked for a column"
    faults = () if same else (Fault("undo-turn", message),)
    kind = "over" if seat.doubtful else "undo-board"
    back, wrong = _follow(back, told, kind, f"column {_said(seat)} was taken back")
    return Ruling(back, (*faults, *wrong), ("undone",))


def _has_piece(game: State) -> bool:
    return any(game.player in column for column in game.columns)


def _undoable(seat: Seat) -> bool:
    return _has_piece(seat.game) and seat.game.undos[seat.game.player - 1] > 0


def _never_asked(seat: Seat) -> Fault:
    if seat.talks and not seat.offers:
        return Fault("unclear-undo", "it speaks of taking back, and how to do it could not be read")
    message = f"after column {_said(seat)} it does not offer to take the move back, which the player may still do"
    return Fault("undo-not-asked", message)


# --------------------------------------------------------------------------------------------------------------- boards


def _readable(seat: Seat, told: _Told) -> bool:
    """Whether this turn shows a board that can be relied on."""
    return seat.board and bool(told.rows) and not len(told.rows) % ROWS


def _seen(seat: Seat, told: _Told, game: State) -> bool | None:
    """Whether the last board shows a position, in whatever marks; None where no board can be relied on."""
    if not _readable(seat, told):
        return None
    shows = _shows(told, game)
    return None if seat.lowest is None and not shows else shows


def _follow(seat: Seat, told: _Told, kind: str, what: str) -> tuple[Seat, tuple[Fault, ...]]:
    """The game as the last board shows it, and what is wrong with that: a fault of this kind, or none where it is ``over``."""
    trusting = _trusting(seat, told, seat.game)
    if trusting is not None:
        return trusting, ()
    if _seen(seat, told, seat.game) is not False:
        return seat, ()
    if seat.other is not None and _shows(told, seat.other):
        return replace(seat, game=seat.other, other=seat.game), ()
    shown = _position(seat, told)
    message = f"{what}, and the board does not show that{_difference(seat.game, shown)}"
    faults = () if kind == "over" else (Fault(kind, message),)
    seat = replace(seat, doubtful=True)
    if shown is None:
        return seat, faults
    return replace(seat, game=replace(seat.game, columns=shown), other=seat.game), faults


def _trusting(seat: Seat, told: _Told, game: State) -> Seat | None:
    """The state after a board that shows these pieces: boards and the numbers of columns can be relied on from now on."""
    if not told.rows or len(told.rows) % ROWS or not any(game.columns) or not _shows(told, game):
        return None
    return replace(seat, board=True, lowest=_lowest(seat), marks=_learned(seat.marks, told, game))


Columns = tuple[tuple[int, ...], ...]


def _cells(told: _Told) -> list[tuple[Cell, str]]:
    """The cells of the last board and the marks in them."""
    return list(zip(_CELLS, sum(told.rows[-ROWS:], ()), strict=True))


_CELLS = tuple((column, row) for row in reversed(range(ROWS)) for column in range(COLUMNS))


@lru_cache(maxsize=1 << 12)
def _owners(columns: Columns) -> tuple[int, ...]:
    """The player whose piece lies in each cell, in the order of a board; 0 where none does."""
    return tuple(piece(State(columns=columns), cell) for cell in _CELLS)


def _learned(marks: Marked, told: _Told, game: State) -> Marked:
    """The marks of an empty cell and of the two players, as far as this board tells them."""
    seen = dict(zip(_owners(game.columns), (mark for _, mark in _cells(told)), strict=True))
    empty, one, two = (seen.get(owner, marks[owner]) for owner in (0, 1, 2))
    return empty, one, two


def _position(seat: Seat, told: _Told) -> Columns | None:
    """The pieces that the last board shows; None where it shows other marks than before, or pieces in the air."""
    owners = {mark: owner for owner, mark in enumerate(seat.marks) if mark is not None}
    cells = _cells(told)
    unknown = {mark for _, mark in cells} - owners.keys()
    nameless = [owner for owner, mark in enumerate(seat.marks) if mark is None]
    if len(unknown) == 1 and nameless:  # who has played the last piece brought the new mark
        owners[unknown.pop()] = 3 - seat.game.player if 3 - seat.game.player in nameless else nameless[0]
    if unknown:
        return None
    shown = {cell: owners[mark] for cell, mark in cells}
    columns = [[shown[column, row] for row in range(ROWS)] for column in range(COLUMNS)]
    heights = [next((row for row, owner in enumerate(column) if not owner), ROWS) for column in columns]
    if any(any(column[height:]) for column, height in zip(columns, heights, strict=True)):
        return None
    return tuple(tuple(column[:height]) for column, height in zip(columns, heights, strict=True))


def _difference(game: State, shown: Columns | None) -> str:
    """Where a board first differs from what should be there."""
    if shown is None:
        return ""
    cells = ((column, row) for row in range(ROWS) for column in range(COLUMNS))
    there = replace(game, columns=shown)
    column, row = next(cell for cell in cells if piece(game, cell) != piece(there, cell))
    found, due = (bool(piece(state, (column, row))) for state in (there, game))
    what = "another piece lies" if found and due else "a piece lies" if found else "no piece lies"
    return f": {what} in column {column + 1}, row {row + 1} from below"


def _shows(told: _Told, game: State) -> bool:
    """Whether the last board shows a position, in whatever marks."""
    pairs = set(zip(_owners(game.columns), (mark for _, mark in _cells(told)), strict=True))
    return len({owner for owner, _ in pairs}) == len({mark for _, mark in pairs}) == len(pairs)


def _empty(told: _Told) -> bool:
    """Whether the last board that could be read is an empty one."""
    return len(told.rows) >= ROWS and len(set(sum(told.rows[-ROWS:], ()))) == 1


# -------------------------------------------------------------------------------------------------------------- the end


def _finished(seat: Seat, told: _Told) -> Ruling:
    """It ends, or goes on to something else than this game."""
    over = () if told.ended else (Fault("over", "the game is over", stops=True),)
    if not seat.names[0] or not seat.column:
        if told.ended:
            return _stopped(seat, "ended-early", "it ends before the game is over")
        return _unread(seat, "what it wants could not be read")
    winners = _winners(seat, told)
    violates = _is_wrong(seat)
    if seat.undone and not violates:
        return Ruling(seat, over)
    if not violates and _ends_elsewhere(seat, told):
        seat = replace(seat, doubtful=True)
    games = tuple(game for game in (seat.game, seat.other) if game is not None)
    rulings = [_ending(seat, game, winners, told) for game in games]
    right = next((ruling for ruling in rulings if not ruling.faults), None)
    if right is None and seat.doubtful:  # what follows from a mistake that is charged already
        return Ruling(seat, over)
    ruling = right or rulings[0]
    return replace(ruling, faults=(*ruling.faults, *over))


def _ends_elsewhere(seat: Seat, told: _Told) -> bool:
    """Whether the last board shows other pieces than were played. Marks of its own for the winning line are none."""
    after = _kept(seat.game, seat.column)
    if _seen(seat, told, after) is not False or _shows(told, seat.game):
        return False
    return _position(replace(seat, game=after), told) is not None


def _ending(seat: Seat, game: State, winners: frozenset[int], told: _Told) -> Ruling:
    """What an end shows, and what is wrong with it, in a position that is possible."""
    typed = _kept(game, seat.column)
    after = outcome(typed) if seat.undo != "yes" else None
    if seat.column not in _open(game):
        third = typed.violations[game.player - 1] >= VIOLATIONS
        fault = _loss(seat, 3 - game.player if third else None, winners, told)
        named = bool(winners) and -1 not in winners
        seen = (_why_wrong(seat), "refusal", *(("third",) if third else ()), *(("lost",) if third and named else ()))
        return Ruling(seat, (fault,) if fault else (), seen)
    wrong = _end(after, winners, told)
    seen = ("move", "moved", *(() if after is None else _ends(typed)))
    if after in (1, 2) and len(winners & {1, 2}) == len(winners) == 1:
        seen = (*seen, f"won-{after}")
    return Ruling(seat, (wrong,) if wrong else (), seen)


def _winners(seat: Seat, told: _Told) -> frozenset[int]:
    """Who has won, as the program says; -1 for a name that nobody was called by."""
    one, two = seat.names[0], seat.names[1] or _OPPOSITE.get(seat.names[0], "?")
    numbers = {one: 1, two: 2}
    won = {numbers.get(name, -1) for name in told.winners}
    return frozenset(won | {3 - numbers[name] for name in told.losers if name in numbers})


_OPPOSITE = {"1": "2", "2": "1", "x": "o", "o": "x", "red": "yellow", "yellow": "red", "a": "b", "b": "a"}


def _end(after: int | None, winners: frozenset[int], told: _Told) -> Fault | None:  # noqa: PLR0911  a table
    """What is wrong with the end of a game after a legal column."""
    if after is None and winners:
        return Fault("false-win", "it announces a winner without four in a line")
    if after is None and told.tie:
        return Fault("false-tie", "it announces a tie before the board is full")
    if after is None:
        return Fault("ended-early", "the game ends before anybody has won") if told.ended else _unclear("result")
    if after == TIE and winners:
        return Fault("false-win", "it announces a winner where nobody has four in a line")
    if after == TIE:
        return None if told.tie else _unclear("result")
    if not winners:
        return Fault("false-tie", "it announces a tie after four in a line") if told.tie else _unclear("result")
    if -1 in winners:
        return _unclear("result")
    return None if winners == {after} else Fault("wrong-winner", "it names the wrong player as the winner")


def _loss(seat: Seat, after: int | None, winners: frozenset[int], told: _Told) -> Fault | None:
    """What is wrong with the end of a game after a violation."""
    if after is None:
        known = winners or told.tie or told.ended
        message = f"column {_said(seat)} is not the third violation of a player, and the game ends"
        return Fault("lost-early", message) if known else _unclear("loser")
    if not winners or -1 in winners:
        return _unclear("loser")
    return None if winners == {after} else Fault("wrong-loser", "after a third violation it names the wrong winner")


def _unclear(what: str) -> Fault:
    return Fault(f"unclear-{what}", "how the game ended could not be read", stops=True)


def _unread(seat: Seat, message: str) -> Ruling:
    return _stopped(seat, UNREAD, message)


def _stopped(seat: Seat, kind: str, message: str) -> Ruling:
    """A fault after which the game is not followed any further."""
    return Ruling(seat, (Fault(kind, message, stops=True),))


def position(seat: Seat) -> str:
    """The grid that there must be, the top row first, with the pieces of both players as 1 and 2; empty before the first piece."""
    return _board(seat.game, {1: "1", 2: "2"}).strip("\n") if any(seat.game.columns) else ""


if __name__ == "__main__":
    perform(partial(play, choice((1, 2))))
