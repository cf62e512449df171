"""The referee of lc3-nim, in which two players type the moves of a game.

The decisions of a game of heaps are those of `grader.games.heaps`. Special here are moves of two keys, players who must alternate, and
a program that halts when the game is over.
"""

from __future__ import annotations

from typing import NamedTuple

from grader.games.ground import Way
from grader.games.heaps import positions
from grader.games.heaps.facing import HeapsGame, State, Turn
from grader.games.heaps.moving import Heaps, emptied, legal, less
from grader.games.heaps.refusing import ELSEWHERE, TAKEN, judged, resumed
from grader.games.heaps.ruling import last_words_of, ruled
from grader.games.referee import Answers, Fault, Heard, Ruling

from . import rules
from .faults import AFTER_DOUBT, OCCASIONS, OCCASIONS_OF, WHY
from .rules import ROWS
from .turns import turn

RIGHT: Heaps = rules.State().rocks


def _tell(rocks: Heaps) -> str:
    return ", ".join(f"{row} {n}" for row, n in zip(ROWS, rocks, strict=True))


GAME = HeapsGame(
    occasions_of=OCCASIONS_OF,
    occasions=OCCASIONS,
    tell=_tell,
    say=lambda move: f"{ROWS[move[0]]}{move[1]}",
    things="rocks",
    players={1: "player 1", 2: "player 2"},
    why=WHY,
    computer=False,
    last_wins=False,
    halts=True,
    board_doubts=True,
    after_doubt=AFTER_DOUBT,
)

_STRANGE_ROWS = ("D2", "E1", "Z1", "@1", "&2", "11")
_STRANGE_COUNTS = ("A*", "B!", "C/", "A:", "B ", "C+")
_ANYTHING = ("A1", "B1", "C1")


class Keys(NamedTuple):
    """What the referee remembers besides.

    ``refusals`` are the moves that were refused since the last board. ``waits`` says that the program wants one more key after a move.
    ``nobody`` says that a player was asked whom there is not: a register that a subroutine spoils makes “Player 0” of the next, and a
    winner of the same kind follows from it.
    """

    refusals: tuple[str, ...] = ()
    waits: bool = False
    nobody: bool = False


START = State(seen=True, own=Keys())


# --- what is typed


def answers(state: State, _question: str) -> Answers:
    """What may be typed now, and what must be refused: only what means the same in all positions that are possible."""
    if state.own.waits:
        return Answers(("\n",))
    if state.over:
        return Answers(_ANYTHING)
    moves = _moves(state.heaps)
    legal = tuple(move for move in moves if all(not _why_wrong(move, rocks) for rocks in state.possible))
    wrong = tuple(
        move for move in _wrong_moves(state.heaps) if all(_why_wrong(move, rocks) for rocks in state.possible)
    )
    return Answers(legal or moves or _ANYTHING, wrong)


def answer(state: State, _question: str, text: str) -> State:
    """The state after two keys were typed; what comes of them is settled by what the program says next."""
    if state.own.waits or state.over:
        return state._replace(own=state.own._replace(waits=False)) if state.own.waits else state
    row = ROWS.find(text[:1])
    wrong = _why_wrong(text, state.heaps)
    move = None if row < 0 else (row, 0 if wrong else int(text[1:]))
    return state._replace(typed=text, wrong=wrong, move=move)


def _moves(rocks: Heaps) -> tuple[str, ...]:
    return tuple(GAME.say(move) for move in legal(rocks) if move[1] <= 9)


def _wrong_moves(rocks: Heaps) -> tuple[str, ...]:
    """Invalid moves, about as many of each kind."""
    rows = tuple(zip(ROWS, rocks, strict=True))
    lower = tuple(f"{row.lower()}{min(n, 2)}" for row, n in rows if n)
    above = tuple(f"{row}{n + 1}" for row, n in rows if n < 9) + tuple(f"{row}9" for row, n in rows if n < 9)
    zeros = tuple(f"{row}0" for row, _ in rows)
    return (*_STRANGE_ROWS, *_STRANGE_COUNTS, *lower * 2, *zeros * 2, *above)


def _why_wrong(move: str, rocks: Heaps) -> str:
    """Why a move is invalid; empty where it is valid."""
    row, count = move[:1], move[1:]
    if row not in ROWS or not row:
        return "lower-case" if row in ROWS.lower() else "wrong-row"
    if not (count.isascii() and count.isdigit()):
        return "no-digit"
    if count == "0":
        return "zero"
    return "too-many" if int(count) > rocks[ROWS.index(row)] else ""


# --- all positions that can be reached

POSITIONS = "positions, with every valid move and every kind of invalid one"


def place(state: State, _question: str) -> rules.State | None:
    """The rocks, and whose turn it is; None where either is not known for sure."""
    known = positions.sure(state) and not state.own.nobody and not state.own.waits
    return rules.State(state.heaps, state.player) if known else None


def ways(place: rules.State) -> tuple[Way, ...]:
    """What is typed there: invalid moves of each kind, and then every valid one."""
    invalid = (Way(move, leads=(place, move), counts=place, stays=True) for move in _one_of_each(place))
    return (*invalid, *(_way(place, move) for move in _moves(place.rocks)))


def _way(place: rules.State, move: str) -> Way:
    return Way(move, leads=(place, move), counts=place, ends=not any(rules.result(place, move).rocks))


def _one_of_each(place: rules.State) -> tuple[str, ...]:
    """Invalid moves for one position: one of each kind, another in another position; in each row one rock too many, and none."""
    rows = tuple(zip(ROWS, place.rocks, strict=True))
    at = sum(place.rocks) + place.rocks[0] + place.player
    strange = (_STRANGE_ROWS[at % len(_STRANGE_ROWS)], _STRANGE_COUNTS[at % len(_STRANGE_COUNTS)])
    left = tuple(f"{row.lower()}{min(n, 2)}" for row, n in rows if n)
    above = tuple(f"{row}{n + 1}" for row, n in rows if n < 9)
    return (*strange, left[at % len(left)], f"{ROWS[at // 3 % len(ROWS)]}0", *above)


def typed(state: State, question: str, aim: object) -> str | None:
    """What is typed for a way: its answer, as long as it is known where that leads."""
    return str(aim) if place(state, question) else None


# --- what is said


def hear(state: State, heard: Heard) -> Ruling:
    """Rule on what the program said up to its next wait, or to its end."""
    said, players = turn(heard)
    stranger = bool(players) and said.player is None
    if not state.possible and not state.over:
        return _first(state, said, players)
    if not state.over and not (said.boards or players or said.winners or said.refuses or said.ended):
        return _waits_on(state)
    ruling = ruled(
        GAME,
        state,
        said,
        wrong=lambda state, said: _refusal(state, said, len(players)),
        rest=lambda state, _: Ruling(state),
    )
    after, faults, occasions = ruling.state, ruling.faults, ruling.occasions
    if state.wrong:
        return _next(after, said, stranger, faults, occasions, refused=state)
    if state.own.nobody and after.over and said.winners and not said.winners & {1, 2}:
        faults = tuple(fault for fault in faults if fault.kind not in ("wrong-winner", "no-winner"))
        occasions = tuple(name for name in occasions if not name.startswith("win-"))
    if after.over:
        banner = ("banner",) if "moved" in occasions and said.finishes else ()
        return Ruling(after, faults, (*occasions, *banner))
    return _after_move(state, ruling, said, players)


def last_words(state: State, heard: Heard) -> Ruling:
    """Of a turn in which the program broke, the winner: a program may name it and never halt."""
    ruling = last_words_of(GAME, state, turn(heard)[0])
    return Ruling(state, ruling.faults, (*ruling.occasions, "banner")) if ruling.occasions else ruling


def due(state: State) -> str:
    """What a program that breaks now fails to do: to refuse, or to halt."""
    if state.wrong:
        return f"{state.wrong}-taken"
    row, count = state.move or (0, 0)
    last = any(count >= rocks[row] and not any(emptied(rocks, row)) for rocks in state.possible) if count else False
    return "no-halt" if state.over or last else ""


def position(state: State) -> str:
    """The rocks that there must be, as the assignment draws them; empty before the first board."""
    return "\n".join(f"ROW {row}: {'o' * rocks}" for row, rocks in zip(ROWS, state.heaps, strict=False))


def _first(state: State, said: Turn, players: tuple[int, ...]) -> Ruling:
    """The first board and the first question."""
    nobody = bool(players) and said.player is None
    own = state.own._replace(nobody=nobody)
    begun = state._replace(possible=said.boards or (RIGHT,), player=said.player or 1, own=own)
    if said.ended or not (said.boards or players):
        return Ruling(begun)
    faults = []
    if not said.boards:
        faults.append(Fault("wrong-start", "the game begins, and the board with its three rows is not shown"))
    elif begun.heaps != RIGHT:
        shown = f"the rows begin with {_tell(RIGHT)} rocks, and {_tell(begun.heaps)} are shown"
        faults.append(Fault("wrong-start", shown))
    if players and players[-1] != 1:
        faults.append(Fault("no-alternation", f"player 1 always goes first, and player {players[-1]} is asked"))
    return Ruling(begun, tuple(faults), ("start",))


def _waits_on(state: State) -> Ruling:
    """Two keys were typed, and the program wants another: the text says that Enter is not needed."""
    waits = state._replace(own=state.own._replace(waits=True))
    if state.wrong:
        return Ruling(waits)
    return Ruling(
        waits, (Fault("further-key", f"after the two keys of {state.typed} it waits for another key"),), ("move",)
    )


def _refusal(state: State, said: Turn, prompts: int) -> Ruling:
    """An invalid move was typed; one that is refused twice was taken for the row of another move."""
    end, faults, occasions = judged(GAME, state, said)
    if prompts > 1 and end not in (TAKEN, ELSEWHERE):
        message = f"{state.typed} is refused twice: read both keys of a move before you judge it"
        faults = (*faults, Fault("twice-refused", message))
    return GAME.ruling(resumed(state, said), faults, occasions)


def _next(
    state: State, said: Turn, stranger: bool, faults: tuple[Fault, ...], occasions: tuple[str, ...], refused: State
) -> Ruling:
    """The state in which the next move is asked for after an invalid one."""
    refusals = (*state.own.refusals, refused.typed) if not said.boards else ()
    own = Keys(refusals, nobody=state.own.nobody or stranger)
    return Ruling(state._replace(player=said.player or refused.player, typed="", own=own), faults, occasions)


def _after_move(state: State, ruling: Ruling, said: Turn, players: tuple[int, ...]) -> Ruling:
    """After a valid move the other player is asked. A wrong board may be that of a move that was refused, and carried out all the same."""
    after, faults, occasions = ruling.state, ruling.faults, ruling.occasions
    kinds = {fault.kind for fault in faults}
    if "refused-legal" in kinds or (state.doubtful and "moved" not in occasions and after.possible == state.possible):
        player = said.player or state.player
        return Ruling(after._replace(player=player, typed="", own=Keys(nobody=state.own.nobody)), faults, occasions)
    refused = _carried_out(state, said) if "wrong-board" in kinds else ""
    if refused:
        message = f"{refused} was refused, and yet its rocks are taken: {_tell(said.boards[0])} rocks are left"
        faults = (*(fault for fault in faults if fault.kind != "wrong-board"), Fault("carried-out", message))
        after = after._replace(possible=said.boards, doubtful=state.doubtful)
    if players and players[-1] == state.player:
        faults = (
            *faults,
            Fault("no-alternation", f"after {state.typed}, a valid move, player {players[-1]} is asked again"),
        )
    if players and said.player is None:
        strange = f"after {state.typed}, a valid move, player {players[-1]} is asked, whom there is not"
        faults = (*faults, Fault("no-alternation", strange))
    turns = ("turn",) if players and "wrong-board" not in {fault.kind for fault in faults} else ()
    own = Keys(nobody=state.own.nobody or (bool(players) and said.player is None))
    asked = after._replace(player=said.player or 3 - state.player, typed="", own=own)
    return Ruling(asked, faults, (*occasions, *turns))


def _carried_out(state: State, said: Turn) -> str:
    """The refused move that explains a board, empty where none does: its row alone differs, and it is not that of the last move."""
    expected = less(state.heaps, state.move)
    rows = [row for row, one, other in zip(ROWS, expected, said.boards[0], strict=True) if one != other]
    explaining = (move for move in state.own.refusals if rows == [move[0].upper()] != [state.typed[0]])
    return next(explaining, "")
