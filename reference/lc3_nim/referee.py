"""The referee of lc3-nim, in which two players type the moves of a game.

The decisions of a game of heaps are those of `grader.games.heaps`. Special here are moves of two keys, players who must alternate, and
a program that halts when the game is over.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from grader.games.event import NOBODY, Asked, Misnamed
from grader.games.heaps.facing import MOVE, State, Turn
from grader.games.heaps.moving import emptied, less
from grader.games.heaps.refusing import ELSEWHERE, LOST, REFUSED, TAKEN, judged, resumed
from grader.games.heaps.replying import ABOUT_WINNERS
from grader.games.heaps.witness import last_words_of, ruled
from grader.games.referee import Fault, Heard, Ruling

from .game import GAME, RIGHT, Keys, tell
from .turns import ROWS


def hear(state: State, heard: Heard) -> Ruling:
    """Rule on what the program said up to its next wait, or to its end."""
    said, players = _turn(heard)
    stranger = bool(players) and said.player is None
    said = state.sees(said._replace(speaks=heard.aside or bool(heard.words - state.own.opening)), RIGHT)
    if state.wrong and said.refuses and not said.ended:  # a banner in the place of the question ends no game
        said = said._replace(winners=frozenset(), asks=MOVE)
    if not state.possible and not state.over:
        return _first(state, said, players, heard.words)
    if not state.over and not (said.boards or players or said.winners or said.refuses or said.ended):
        return _waits_on(state)
    ruling = ruled(
        GAME,
        state,
        said,
        wrong=lambda state, said: _refusal(state, said, players),
        rest=lambda state, _: Ruling(state),
    )
    after, faults, occasions = ruling.state, ruling.faults, ruling.occasions
    if state.wrong:
        return _next(after, said, stranger, faults, occasions, refused=state)
    if state.own.nobody and after.over and said.winners and not said.winners & {1, 2}:
        faults = tuple(fault for fault in faults if fault.kind not in ("wrong-winner", "no-winner"))
        occasions = tuple(name for name in occasions if not name.startswith("win-"))
    if not state.own.named:  # no question named a player who can be read: the winner is told in the same way
        faults = tuple(one for one in faults if one.about != ABOUT_WINNERS)
    if after.over:
        early = said.ended and any(fault.kind == "ended-early" for fault in faults)
        banner = ("banner",) if early or ("moved" in occasions and said.finishes) else ()
        return Ruling(after, faults, (*occasions, *banner))
    return _after_move(state, ruling, said, players)


def last_words(state: State, heard: Heard) -> Ruling:
    """The ruling on a turn in which the program broke: it may carry out a move or refuse one, or name the winner, and never halt."""
    turn = _turn(heard)[0]
    if state.wrong and turn.refuses:  # it was charged for accepting what it calls invalid, as it printed that for ever
        return Ruling(state._replace(wrong=LOST, plain=None), (), (state.wrong, "refusal"))
    ruling = last_words_of(GAME, state, turn)
    return Ruling(state, ruling.faults, (*ruling.occasions, "banner")) if ruling.occasions and turn.winners else ruling


def due(state: State) -> str:
    """The duty that a program neglects if it breaks now: to refuse and to ask again, or to halt."""
    if state.wrong == LOST:
        return "turn-lost"
    if state.wrong == "no-digit" and state.move and state.move[1] > 9:
        return "too-many-taken"  # “:” is ten where the program counts: it broke by that as by nine, and paid for both
    if state.wrong:
        return f"{state.wrong}-taken"
    row, count = state.move or (0, 0)
    last = any(count >= rocks[row] and not any(emptied(rocks, row)) for rocks in state.possible) if count else False
    return "no-halt" if state.over or last else ""


def position(state: State) -> str:
    """The rocks that there must be, as the assignment draws them; empty before the first board."""
    return "\n".join(f"ROW {row}: {'o' * rocks}" for row, rocks in zip(ROWS, state.left, strict=False))


@lru_cache(maxsize=1 << 12)  # a departure from the rules has each turn looked at three times
def _turn(heard: Heard) -> tuple[Turn, tuple[int, ...]]:
    """The turn, and all players that the program asks. A player who does not exist is left out of the turn. Only the end asks for no move."""
    said = GAME.turn(heard)
    players = tuple(one.player for one in said.events if isinstance(one, Asked) and one.player is not None)
    return said._replace(asks="" if said.winners or said.ended else MOVE), players


def _first(state: State, said: Turn, players: tuple[int, ...], words: frozenset[str]) -> Ruling:
    """The first board and the first question."""
    nobody = bool(players) and said.player is None
    own = state.own._replace(nobody=nobody, first=said.player is not None, opening=words)
    begun = state._replace(possible=said.boards or (RIGHT,), player=said.player or 1, own=own)
    if said.ended or not (said.boards or players):
        return Ruling(begun)
    faults = []
    if said.part is not None and not said.boards:  # its rows are wrong in all boards, not in the first alone
        faults.append(Fault("no-board", "the game begins, but the board lacks some of its rows"))
    elif not said.boards:
        lacks = "the game begins, but the program does not show the board with its three rows"
        faults.append(Fault("wrong-start", lacks, causes=("no-board",)))
    elif begun.heaps != RIGHT:
        shown = f"the rows begin with {tell(RIGHT)} rocks, but the program shows {tell(begun.heaps)}"
        faults.append(Fault("wrong-start", shown))
    if players and players[-1] == NOBODY:
        faults.append(Fault("no-alternation", "player 1 always goes first, but the first question names no player"))
    elif players and players[-1] != 1:
        faults.append(Fault("no-alternation", f"player 1 always goes first, but the program asks player {players[-1]}"))
    return Ruling(begun, (*faults, *_wrong_names(said)), ("start",))


def _wrong_names(said: Turn) -> tuple[Fault, ...]:
    """The fault of a row that has the name of another: all else is judged by where the rows stand."""
    rows = [ROWS[one.heap] for one in said.events if isinstance(one, Misnamed)]
    return tuple(
        Fault("no-board", f"the board calls row {row} by the name of another row", passes=True) for row in rows
    )


def _waits_on(state: State) -> Ruling:
    """Two keys were typed, and the program wants another: the text says that Enter is not needed."""
    waits = state._replace(own=state.own._replace(waits=True))
    if state.wrong:
        return Ruling(waits)
    return Ruling(
        waits,
        (Fault("further-key", f"after the two keys {state.typed} the program must go on, but waits for another key"),),
        ("move",),
    )


def _refusal(state: State, said: Turn, players: tuple[int, ...]) -> Ruling:
    """An invalid move was typed; one that is refused twice was taken for the row of another move."""
    prompts, said = len(players), _other_asked(state, said, players)
    end, faults, occasions = judged(GAME, state, said, RIGHT)
    if players and players[-1] not in (1, 2):
        strange = f"after {state.typed} the program must ask the same again, but asks player {players[-1]}, who does not exist"
        if players[-1] == NOBODY:
            strange = f"after {state.typed} the program must ask the same again, but the question names no player"
        faults = tuple(replace(one, message=strange) if one.kind == "turn-lost" else one for one in faults)
    # Nobody can tell whether “Player 5” and “Player /” are the same player who is asked again.
    if state.own.nobody:
        faults = tuple(one for one in faults if one.kind != "no-message")
    elif end == REFUSED and (state.own.named or state.own.first) and said.boards and not (players or said.refuses):
        return Ruling(resumed(state, said)._replace(doubtful=True))
    if prompts > 1 and end not in (TAKEN, ELSEWHERE):
        message = f"the program refuses {state.typed} twice: it must read both keys of a move before it judges them"
        faults = (*faults, Fault("twice-refused", message))
    return GAME.ruling(resumed(state, said), faults, occasions)


def _other_asked(state: State, said: Turn, players: tuple[int, ...]) -> Turn:
    """The turn, with the other player in the place of one who does not exist: a program that counted D2 as a row asked player 4 next."""
    stranger = bool(players) and said.player is None and not state.own.nobody
    return said._replace(player=3 - state.player) if stranger else said


def _next(
    state: State, said: Turn, stranger: bool, faults: tuple[Fault, ...], occasions: tuple[str, ...], refused: State
) -> Ruling:
    """The state in which the next move is asked for after an invalid one."""
    refusals = (*state.own.refusals, refused.typed) if not said.boards else ()
    own = _kept(state, refusals, nobody=stranger)
    return Ruling(state._replace(player=said.player or refused.player, typed="", own=own), faults, occasions)


def _after_move(state: State, ruling: Ruling, said: Turn, players: tuple[int, ...]) -> Ruling:
    """After a valid move the other player is asked. A wrong board may be that of a move that was refused, and yet carried out."""
    after, faults, occasions = ruling.state, ruling.faults, ruling.occasions
    kinds = {fault.kind for fault in faults}
    if "refused-legal" in kinds or (state.doubtful and "moved" not in occasions and after.possible == state.possible):
        player = said.player or state.player
        return Ruling(after._replace(player=player, typed="", own=_kept(state)), faults, occasions)
    refused = _carried_out(state, said) if "wrong-board" in kinds else ""
    if refused:
        message = f"the program refuses {refused}, but takes its rocks anyway: {tell(said.boards[0])} rocks are left"
        faults = (*(fault for fault in faults if fault.kind != "wrong-board"), Fault("carried-out", message))
        after = after._replace(possible=said.boards, doubtful=state.doubtful)
    if players and players[-1] == state.player:
        faults = (
            *faults,
            Fault("no-alternation", f"after the valid move {state.typed} the program asks player {players[-1]} again"),
        )
    if players and said.player is None:
        strange = f"after the valid move {state.typed} the program asks player {players[-1]}, who does not exist"
        if players[-1] == NOBODY:
            strange = f"after the valid move {state.typed} the question names no player"
        faults = (*faults, Fault("no-alternation", strange))
    # A wrong board may be that of a move which was refused: then the same player is asked rightly.
    other = said.player == 3 - state.player
    turns = ("turn",) if players and (other or "wrong-board" not in {fault.kind for fault in faults}) else ()
    faults = (*faults, *_wrong_names(said))
    own = _kept(state, nobody=bool(players) and said.player is None, named=bool(players))
    asked = after._replace(player=said.player or 3 - state.player, typed="", own=own)
    return Ruling(asked, faults, (*occasions, *turns))


def _kept(state: State, refusals: tuple[str, ...] = (), *, nobody: bool = False, named: bool = False) -> Keys:
    """The part of what the referee remembers that holds for the whole game, and what came up in this turn."""
    own = state.own
    return Keys(refusals, nobody=own.nobody or nobody, named=own.named or named, first=own.first, opening=own.opening)


def _carried_out(state: State, said: Turn) -> str:
    """The refused move that explains a board, empty where none does: its row alone lacks what it takes, and it is not that of the last move."""
    expected = less(state.heaps, state.move)
    pairs = [pair for pair in zip(ROWS, expected, said.boards[0], strict=True) if pair[1] != pair[2]]
    row, due, shown = pairs[0] if len(pairs) == 1 else ("", 0, 0)
    # Moves from row B took as many from row C as well: it was said that C9 is refused, and yet carried out.
    if due <= shown or shown == max(due - state.move[1], 0):
        return ""
    there = (
        (move, due - ord(move[1]) + ord("0")) for move in state.own.refusals if row == move[0].upper() != state.typed[0]
    )
    # A row with less than nothing may be drawn with one rock.
    return next((move for move, left in there if shown == max(left, 0) or left < 0 <= shown <= 1), "")
