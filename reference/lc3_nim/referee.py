"""The referee of lc3-nim, which follows the program's own game.

It judges the first board once, and goes on from the rocks that are shown. Where a board is not what the last move makes of the one
before, either the program plays on with what it shows, or it only shows it wrongly: both are kept as positions that are
possible, until a later board tells which it is, and only moves are typed that mean the same in both. A refusal is known by
what it is: the rocks stay, the same player is asked again, and a word says why.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from grader.games.ground import Way
from grader.games.referee import Answers, Fault, HeapGame, Heard, Ruling
from grader.reading.facts import Fact
from grader.reading.heaps import Seen

from .rules import ROWS, State

FAULTS = (
    "wrong-start",
    "wrong-board",
    "no-board",
    "refused-legal",
    "further-key",
    "no-alternation",
    "wrong-row-taken",
    "lower-case-taken",
    "zero-taken",
    "too-many-taken",
    "no-digit-taken",
    "twice-refused",
    "turn-lost",
    "carried-out",
    "no-message",
    "ended-early",
    "plays-on",
    "wrong-winner",
    "no-winner",
    "no-halt",
)

OCCASIONS = {
    "start": "first boards",
    "moved": "valid moves that were carried out",
    "move": "valid moves",
    "turn": "turns after a valid move",
    "wrong-row": "moves in a row that does not exist",
    "lower-case": "moves with a row in lower case",
    "zero": "moves of zero rocks",
    "too-many": "moves of more rocks than the row has",
    "no-digit": "moves whose number is no digit",
    "refusal": "invalid moves that were refused",
    "end": "games whose last rock was taken",
    "win-1": "games that player 1 won",
    "win-2": "games that player 2 won",
    "banner": "games that came to an end",
}
OCCASIONS_OF = {
    "wrong-start": ("start",),
    "wrong-board": ("move",),
    "no-board": ("move",),
    "refused-legal": ("move",),
    "further-key": ("move",),
    "no-alternation": ("turn",),
    "wrong-row-taken": ("wrong-row",),
    "lower-case-taken": ("lower-case",),
    "zero-taken": ("zero",),
    "too-many-taken": ("too-many",),
    "no-digit-taken": ("no-digit",),
    "twice-refused": ("wrong-row",),
    "turn-lost": ("refusal",),
    "carried-out": ("refusal",),
    "no-message": ("refusal",),
    "ended-early": ("end",),
    "plays-on": ("end",),
    "wrong-winner": ("win-1", "win-2"),
    "no-winner": ("win-1", "win-2"),
    "no-halt": ("banner",),
}

Rocks = tuple[int, ...]

_REASONS = {
    "wrong-row": "there is no such row",
    "lower-case": "rows are capital letters",
    "zero": "zero rocks is no valid move",
    "too-many": "the row has not so many rocks",
    "no-digit": "the number is no digit",
}
_STRANGE_ROWS = ("D2", "E1", "Z1", "@1", "&2", "11")
_STRANGE_COUNTS = ("A*", "B!", "C/", "A:", "B ", "C+")
_WRONG_MOVES = (*_STRANGE_ROWS, *_STRANGE_COUNTS)
_ANYTHING = ("A1", "B1", "C1")


@dataclass(frozen=True, slots=True)
class Seat:
    """What the referee remembers of a game.

    ``possible`` are the rocks that there may be, the likeliest first, none before the first board. ``player`` is who was asked
    last, 0 where that could not be read. ``typed`` is the last move, and ``wrong`` why it must be refused, empty where it
    is valid. ``refusals`` are the moves that were refused since the last board. ``waits`` says that the program wants one
    more key after a move. ``doubtful`` says that a board was wrong: what the program makes of its own rocks then follows
    from that, so that neither its refusals nor the end of the game are judged. ``nobody`` says that a player was asked whom
    there is not: a register that a subroutine spoils makes "Player 0" of the next, and a winner of the same kind follows
    from it. ``over`` says that the last rock was taken.
    """

    possible: tuple[Rocks, ...] = ()
    player: int = 1
    typed: str = ""
    wrong: str = ""
    refusals: tuple[str, ...] = ()
    waits: bool = False
    doubtful: bool = False
    nobody: bool = False
    over: bool = False


START = Seat()


def answers(seat: Seat, _question: str) -> Answers:
    """What may be typed now, and what must be refused: only what means the same in all positions that are possible."""
    if seat.waits:
        return Answers(("\n",))
    if seat.over:
        return Answers(_ANYTHING)
    legal = [move for move in _moves(seat.possible[0]) if all(not _why_wrong(move, rocks) for rocks in seat.possible)]
    wrong = [move for move in _wrong_moves(seat.possible[0]) if all(_why_wrong(move, rocks) for rocks in seat.possible)]
    return Answers(tuple(legal) or _moves(seat.possible[0]) or _ANYTHING, tuple(wrong))


def answer(seat: Seat, _question: str, text: str) -> Seat:
    """The state after two keys were typed; what comes of them is settled by what the program says next."""
    if seat.waits or seat.over:
        return replace(seat, waits=False)
    return replace(seat, typed=text, wrong=_why_wrong(text, seat.possible[0]))


def _moves(rocks: Rocks) -> tuple[str, ...]:
    return tuple(f"{row}{n}" for row, most in zip(ROWS, rocks, strict=True) for n in range(1, min(most, 9) + 1))


def _wrong_moves(rocks: Rocks) -> tuple[str, ...]:
    """Invalid moves, about as many of each kind."""
    rows = tuple(zip(ROWS, rocks, strict=True))
    lower = tuple(f"{row.lower()}{min(n, 2)}" for row, n in rows if n)
    above = tuple(f"{row}{n + 1}" for row, n in rows if n < 9) + tuple(f"{row}9" for row, n in rows if n < 9)
    zeros = tuple(f"{row}0" for row, _ in rows)
    return (*_WRONG_MOVES, *lower * 2, *zeros * 2, *above)


def _why_wrong(move: str, rocks: Rocks) -> str:
    """Why a move is invalid; empty where it is valid."""
    row, count = move[:1], move[1:]
    if row not in ROWS or not row:
        return "lower-case" if row in ROWS.lower() else "wrong-row"
    if not (count.isascii() and count.isdigit()):
        return "no-digit"
    if count == "0":
        return "zero"
    return "too-many" if int(count) > rocks[ROWS.index(row)] else ""


def _after(rocks: Rocks, move: str) -> Rocks:
    taken = ROWS.index(move[0])
    return tuple(max(n - int(move[1]), 0) if i == taken else n for i, n in enumerate(rocks))


# --- all positions that can be reached

POSITIONS = "positions, with every valid move and every kind of invalid one"


def place(seat: Seat, _question: str) -> State | None:
    """The rocks, and whose turn it is; None where either is not known for sure."""
    if len(seat.possible) != 1 or seat.doubtful or seat.nobody or seat.waits or seat.over or seat.player not in (1, 2):
        return None
    a, b, c = seat.possible[0]
    return State((a, b, c), seat.player) if a or b or c else None


def ways(place: State) -> tuple[Way, ...]:
    """What is typed there: invalid moves of each kind, and then every valid one."""
    invalid = (_way(place, move, stays=True) for move in _one_of_each(place))
    return (*invalid, *(_way(place, move) for move in _moves(place.rocks)))


def _way(place: State, move: str, *, stays: bool = False) -> Way:
    ends = not stays and not any(_after(place.rocks, move))
    return Way(move, leads=(place, move), counts=place, stays=stays, ends=ends)


def _one_of_each(place: State) -> tuple[str, ...]:
    """Invalid moves for one position: one of each kind, another in another position; in each row one rock too many, and none."""
    rows = tuple(zip(ROWS, place.rocks, strict=True))
    at = sum(place.rocks) + place.rocks[0] + place.player
    strange = (_STRANGE_ROWS[at % len(_STRANGE_ROWS)], _STRANGE_COUNTS[at % len(_STRANGE_COUNTS)])
    left = tuple(f"{row.lower()}{min(n, 2)}" for row, n in rows if n)
    above = tuple(f"{row}{n + 1}" for row, n in rows if n < 9)
    return (*strange, left[at % len(left)], f"{ROWS[at // 3 % len(ROWS)]}0", *above)


def typed(seat: Seat, question: str, aim: object) -> str | None:
    """What is typed for a way: its answer, as long as it is known where that leads."""
    return str(aim) if place(seat, question) else None


# --- what a turn shows


@dataclass(frozen=True, slots=True)
class _Turn:
    """What one turn shows: the last whole board and who is asked, None where there is none; who wins.

    ``prompts`` counts how often somebody is asked.
    """

    board: Rocks | None
    player: int | None
    prompts: int
    winners: frozenset[int]
    refuses: bool
    ended: bool

    @property
    def finishes(self) -> bool:
        """Whether the game is over for the program."""
        return bool(self.winners) or self.ended

    @property
    def empty(self) -> bool:
        """Whether nothing in it could be read."""
        return self.board is None and not (self.prompts or self.winners or self.refuses or self.ended)


def _turn(heard: Heard) -> _Turn:
    rows: dict[str, int] = {}
    board: Rocks | None = None
    for fact in heard.facts:
        if fact.name == "row":
            rows[fact.values["row"]] = fact.number("rocks") or 0
        if len(rows) == len(ROWS):
            board, rows = tuple(rows[row.lower()] for row in ROWS), {}
    players = [fact.number("player") or 0 for fact in heard.facts if fact.name == "prompt"]
    winners = frozenset(fact.number("player") or 0 for fact in heard.facts if fact.name == "winner")
    refuses = any(fact.name == "refusal" for fact in heard.facts)
    return _Turn(board, players[-1] if players else None, len(players), winners, refuses, heard.ended)


def hear(seat: Seat, heard: Heard) -> Ruling:
    """Rule on what the program said up to its next wait, or to its end."""
    turn = _turn(heard)
    if seat.over:
        return _after_the_end(seat, turn)
    if not seat.possible:
        return _first(seat, turn)
    if turn.empty:
        return _waits_on(seat)
    return _refusal(seat, turn) if seat.wrong else _valid_move(seat, turn)


def last_words(seat: Seat, heard: Heard) -> Ruling:
    """Of a turn in which the program broke, the winner: a program may name it and never halt."""
    turn = _turn(heard)
    if seat.over or seat.wrong or not seat.typed or not turn.winners or not _takes_last(seat):
        return Ruling(seat)
    wrong, occasions = _named(seat, turn)
    return Ruling(seat, wrong, ("end", *occasions))


def due(seat: Seat) -> str:
    """What a program that breaks now fails to do: to refuse, or to halt."""
    if seat.wrong:
        return f"{seat.wrong}-taken"
    return "no-halt" if seat.over or (seat.typed and _takes_last(seat)) else ""


def position(seat: Seat) -> str:
    """The rocks that there must be, as the assignment draws them; empty before the first board."""
    rows = zip(ROWS, seat.possible[0] if seat.possible else (), strict=False)
    return "\n".join(f"ROW {row}: {'o' * rocks}" for row, rocks in rows)


def _shown(rocks: Rocks) -> str:
    return ", ".join(f"{row} {n}" for row, n in zip(ROWS, rocks, strict=True))


# --- the first board


def _first(seat: Seat, turn: _Turn) -> Ruling:
    right = State().rocks
    stranger = _stranger(turn)
    player = 1 if turn.player is None or stranger else turn.player
    begun = replace(seat, possible=(turn.board or right,), player=player, nobody=stranger)
    if turn.ended or (turn.board is None and turn.player is None):
        return Ruling(begun)
    faults = []
    if turn.board is None:
        faults.append(Fault("wrong-start", "the game begins, and the board with its three rows is not shown"))
    elif turn.board != right:
        faults.append(
            Fault("wrong-start", f"the rows begin with {_shown(right)} rocks, and {_shown(turn.board)} are shown")
        )
    if turn.player not in (None, 1):
        faults.append(Fault("no-alternation", f"player 1 always goes first, and player {turn.player} is asked"))
    return Ruling(begun, tuple(faults), ("start",))


# --- programs in words of their own


def _stated(seen: Seen) -> tuple[Fact, ...]:
    """The facts that a text states, whatever its words."""
    heaps = zip(ROWS.lower(), seen.heaps or (), strict=False)
    facts = [Fact("row", {"row": row, "rocks": str(rocks)}) for row, rocks in heaps]
    facts += [Fact("refusal")] if seen.refuses else []
    facts += [Fact("prompt", {"player": str(seen.asked + 1)})] if seen.asked is not None else []
    facts += [Fact("winner", {"player": str(seen.winner + 1)})] if seen.winner is not None else []
    return tuple(facts)


HEAPS = HeapGame(State().rocks, ("D2", "A0", "A9", "A*", "a2", "11"), _stated, enter="further-key")


# --- a valid move


def _valid_move(seat: Seat, turn: _Turn) -> Ruling:
    """A valid move was typed: the rocks are taken, and the other player is asked, or the game is over."""
    after = tuple(dict.fromkeys(_after(rocks, seat.typed) for rocks in seat.possible))
    if _refused(seat, turn):
        fault = Fault("refused-legal", f"{seat.typed} is a valid move, and it is refused")
        return Ruling(_asked(seat, turn, seat.possible), () if seat.doubtful else (fault,), ("move",))
    if turn.finishes and (seat.doubtful or not all(map(any, after))):
        return _last_rock(seat, turn)
    if turn.finishes:
        return _early(seat, turn, after[0])
    if not any(map(any, after)) and not any(turn.board or ()):
        return _last_rock(seat, turn)
    faults, possible = _board_after(seat, turn, after)
    wrong = any(fault.kind == "wrong-board" for fault in faults)
    if turn.player == seat.player:
        message = f"after {seat.typed}, a valid move, player {turn.player} is asked again"
        faults = (*faults, Fault("no-alternation", message))
    if _stranger(turn):
        message = f"after {seat.typed}, a valid move, player {turn.player} is asked, whom there is not"
        faults = (*faults, Fault("no-alternation", message))
    changed = turn.board is not None and turn.board not in seat.possible
    seen = {
        "moved": changed,
        "turn": not wrong and turn.player is not None,
    }  # in a game that stands still nobody takes turns
    next_seat = replace(_asked(seat, turn, possible), doubtful=seat.doubtful or wrong)
    return Ruling(next_seat, faults, ("move", *(name for name in seen if seen[name])))


def _asked(seat: Seat, turn: _Turn, possible: tuple[Rocks, ...], player: int = 0) -> Seat:
    """The state in which a move is asked for."""
    refusals = (*seat.refusals, seat.typed) if seat.wrong and turn.board is None else ()
    stranger = _stranger(turn)
    asked = turn.player if turn.player is not None and not stranger else player or 3 - seat.player
    nobody = seat.nobody or stranger
    return replace(seat, possible=possible, player=asked, typed="", wrong="", refusals=refusals, nobody=nobody)


def _stranger(turn: _Turn) -> bool:
    return turn.player not in (None, 1, 2)


def _refused(seat: Seat, turn: _Turn) -> bool:
    """Whether a valid move was not taken: the rocks stay, and the same player is asked again with a word of refusal."""
    unchanged = turn.board is None or turn.board in seat.possible
    return unchanged and turn.refuses and not turn.finishes and turn.player in (None, seat.player)


def _board_after(seat: Seat, turn: _Turn, after: tuple[Rocks, ...]) -> tuple[tuple[Fault, ...], tuple[Rocks, ...]]:
    """What is wrong with the board after a valid move, and the positions that are possible now."""
    if turn.board is None:
        return (Fault("no-board", f"after {seat.typed}, a valid move, the board is not shown again"),), after
    if turn.board in after:
        return (), (turn.board,)
    refused = _carried_out(seat, after[0], turn.board)
    if refused:
        message = f"{refused} was refused, and yet its rocks are taken: {_shown(turn.board)} rocks are left"
        return (Fault("carried-out", message),), (turn.board,)
    message = f"{seat.typed} leaves {_shown(after[0])} rocks, and {_shown(turn.board)} are shown"
    return (Fault("wrong-board", message),), (turn.board, *after[:1])


def _carried_out(seat: Seat, expected: Rocks, board: Rocks) -> str:
    """The refused move that explains a board, empty where none does: its row alone differs, and it is not that of the last move."""
    rows = [row for row, one, other in zip(ROWS, expected, board, strict=True) if one != other]
    explaining = (move for move in seat.refusals if rows == [move[0].upper()] != [seat.typed[0]])
    return next(explaining, "")


def _waits_on(seat: Seat) -> Ruling:
    """Two keys were typed, and the program wants another: the text says that Enter is not needed."""
    fault = Fault("further-key", f"after the two keys of {seat.typed} it waits for another key")
    return Ruling(replace(seat, waits=True), () if seat.wrong else (fault,), () if seat.wrong else ("move",))


# --- an invalid move


def _refusal(seat: Seat, turn: _Turn) -> Ruling:
    """An invalid move was typed: the rocks must stay, the same player be asked again, and a message be shown."""
    if seat.doubtful:
        return Ruling(_asked(seat, turn, _kept(seat, turn), seat.player))
    kept = turn.board is None or turn.board in seat.possible
    same = turn.player in (None, seat.player) or _stranger(turn)
    occasion = (seat.wrong,)
    next_seat = _asked(seat, turn, _kept(seat, turn), seat.player)
    if turn.winners or not (turn.refuses or (kept and same and not turn.ended)):
        return Ruling(next_seat, _taken(seat, turn), occasion)
    faults = []
    if turn.ended:
        faults.append(Fault("turn-lost", f"{seat.typed} is refused, and the program ends instead of asking again"))
    elif not same:
        faults.append(
            Fault("turn-lost", f"{seat.typed} is refused, and player {turn.player} is asked instead of the same player")
        )
    if not kept and turn.board is not None:
        message = f"{seat.typed} is refused, and yet the board changes to {_shown(turn.board)} rocks"
        faults.append(Fault("carried-out", message))
    if turn.prompts > 1:  # what reads no second key after a wrong row takes it for the row of another move
        message = f"{seat.typed} is refused twice: read both keys of a move before you judge it"
        faults.append(Fault("twice-refused", message))
    if not turn.refuses:
        faults.append(Fault("no-message", f"{seat.typed} is refused without an error message"))
    return Ruling(next_seat, tuple(faults), (*occasion, "refusal"))


def _kept(seat: Seat, turn: _Turn) -> tuple[Rocks, ...]:
    return seat.possible if turn.board is None else (turn.board,)


def _taken(seat: Seat, turn: _Turn) -> tuple[Fault, ...]:
    """The fault of accepting an invalid move; none where it took rocks off another row: that rows are mixed up is judged once."""
    row, before = seat.typed[0], seat.possible[0]
    if (
        row in ROWS
        and turn.board is not None
        and turn.board[ROWS.index(row)] == before[ROWS.index(row)]
        and turn.board != before
    ):
        return ()
    outcome = ", and the program ends" if turn.ended else ""
    return (Fault(f"{seat.wrong}-taken", f"{seat.typed} was accepted: {_REASONS[seat.wrong]}{outcome}"),)


# --- the end


def _takes_last(seat: Seat) -> bool:
    """Whether the valid move that was typed takes the last rock, in a position that is possible."""
    return any(not any(_after(rocks, seat.typed)) for rocks in seat.possible)


def _last_rock(seat: Seat, turn: _Turn) -> Ruling:
    """The last rock was taken: the other player has won, and the program halts."""
    over = replace(seat, over=True)
    if not turn.finishes:
        fault = Fault("plays-on", "the last rock is taken, and the game goes on")
        return Ruling(over, () if seat.doubtful else (fault,), ("end",))
    faults, occasions = _named(seat, turn)
    if not turn.ended:
        halt = "the winner is named, and the program waits for input instead of halting"
        faults = (*faults, Fault("no-halt", halt, stops=True))
    return Ruling(over, faults, ("end", "moved", *occasions))


def _named(seat: Seat, turn: _Turn) -> tuple[tuple[Fault, ...], tuple[str, ...]]:
    """What is wrong with the winner that is named, and the occasions that it gives."""
    winner = 3 - seat.player
    took = f"player {seat.player} took the last rock, so that player {winner} wins"
    if not turn.winners:
        return (Fault("no-winner", f"{took}, and no winner is named"),), (f"win-{winner}", "banner")
    if seat.nobody and not turn.winners & {1, 2}:
        return (), ("banner",)
    wrong = turn.winners != {winner}
    faults = (Fault("wrong-winner", f"{took}, and player {min(turn.winners)} is named as the winner"),) if wrong else ()
    return faults, (f"win-{winner}", "banner")


def _after_the_end(seat: Seat, turn: _Turn) -> Ruling:
    """The game went on after the last rock: who wins is nobody's to say now."""
    if turn.ended or not turn.winners:
        return Ruling(seat)
    return Ruling(seat, (Fault("no-halt", "the winner is named, and the program does not halt", stops=True),))


def _early(seat: Seat, turn: _Turn, left: Rocks) -> Ruling:
    what = "a winner is named" if turn.winners else "the program ends"
    fault = Fault("ended-early", f"{what}, and there are rocks left: {_shown(left)}", stops=True)
    return Ruling(replace(seat, over=True), (fault,), ("move", "end"))
