"""The match of c-nim: who starts a game, the score, and whether another is played."""

from __future__ import annotations

from dataclasses import replace

from grader.games.event import Asked, Begins, Named, Score
from grader.games.heaps.facing import AGAIN, COMPUTER, MOVE, USER, State, Turn
from grader.games.heaps.replying import asked, replied
from grader.games.referee import Fault, Ruling

from .game import GAME, WHY, Match
from .turns import RIGHT, begins, follows, passes, tell

OWN_CALLED_WRONG = Fault("refused-legal", "the computer moves, and then the program calls that move invalid")


def resumed(state: State, turn: Turn) -> State:
    """The match as the program itself shows it, after something happened that should not: the game goes on from there."""
    if turn.asks == AGAIN and state.possible:
        known = {one.player: one.wins for one in turn.events if isinstance(one, Score)}
        match = state.own.after(0)._replace(wins=(known.get(USER), known.get(COMPUTER)))
        return _between(state, AGAIN, match)
    shown = turn.boards[-1] if turn.boards else ()
    known = follows(shown)
    possible = (shown,) if known else state.possible or (RIGHT,)
    return state._replace(
        possible=possible if turn.asks != AGAIN else (), asks=turn.asks, move=None, wrong="", unseen=False,
        doubtful=state.doubtful or not known,
    )  # fmt: skip


# --- a game begins


def begun(state: State, turn: Turn) -> Ruling:
    """A game begins: who starts is told, or seen from who moves first; the heaps are those of the text."""
    due = state.own.starter
    starter = _starter(turn, due)
    faults: list[Fault] = []
    if turn.starter is None and turn.asks != AGAIN and (turn.boards or not turn.ended):
        faults.append(Fault("no-starter", "a game begins, but the program does not say who goes first"))
    wrong = next((who for who in (turn.starter, starter) if due and who not in (None, due)), None)
    if wrong is not None:
        # One that counts every game for the computer also takes the user for its loser: the score has charged that.
        about = ("wrong-score",) if state.own.credited else ()
        sentence = f"player {wrong} starts the game, but player {due} must start"
        faults.append(Fault("wrong-starter", sentence, about=about))
    heaps = _first_heaps(turn, starter)
    if heaps != RIGHT:
        wrong_heaps = f"a game begins with {tell(RIGHT)}, not with {tell(heaps)}"
        faults.append(Fault("wrong-start", wrong_heaps, stops=not follows(heaps)))
    own = state.own._replace(exchanged=turn.starter == due != starter if due else state.own.exchanged)
    game = state._replace(possible=(heaps,), player=USER, doubtful=False, unseen=False, own=own)
    shown = heaps in (turn.boards[: turn.own] if turn.claim and starter == COMPUTER else turn.boards)
    seen = bool(turn.boards or turn.claim)
    if starter == USER or not follows(heaps) or not (seen or turn.finishes):
        # “Player 0 goes first”: the computer made all moves of that game, and its score was held against the program later.
        ruling = Ruling(resumed(game, turn) if turn.asks == AGAIN else asked(game, turn))
        missing = turn.asks == MOVE and not turn.boards
    else:
        ruling = replied(GAME, game, tuple(board for board in turn.boards if board != heaps), turn)
        missing = not shown and (seen or not turn.finishes)  # a game that ends as it begins has no first move
    if missing:
        lacks = "a game begins, but the program does not show the heaps before the first move"
        if turn.part is not None:
            lacks = "a game begins, but the program shows only a part of the heaps before the first move"
        faults.append(Fault("no-board", lacks))
    if turn.calls_reply_wrong:
        faults.append(OWN_CALLED_WRONG)
    elif turn.refuses and turn.asks == MOVE:
        faults.append(Fault("read-twice", "a game begins, and the program refuses a move that nobody made"))
    noted: tuple[str, ...] = ("start",) if seen or turn.starter is not None else ()
    if noted and due:
        noted = (*noted, f"after-{3 - due}" if state.own.games else "first")
    if turn.asks == MOVE and not ruling.state.over:
        noted = (*noted, "asked", *["heaps"] * (len(turn.boards) - 1))
    return GAME.ruling(ruling.state, (*faults, *ruling.faults), (*noted, *ruling.occasions))


def _starter(turn: Turn, due: int) -> int:
    """The player who makes the first move: a computer that is said to start, and shows the same heaps twice, has not moved."""
    if turn.claim is not None and not turn.finishes:
        return COMPUTER
    still = turn.asks == MOVE and turn.claim is None and len(set(turn.boards)) == 1
    if still and not (turn.starter == COMPUTER and len(turn.boards) > 1):
        return USER
    return turn.starter if turn.starter in (USER, COMPUTER) else due or USER


def _first_heaps(turn: Turn, starter: int) -> tuple[int, ...]:
    """The heaps of the start, as they are shown: where only those after a move of the computer are, they are right."""
    before = turn.boards[: turn.own] if turn.claim else turn.boards
    alone = starter == COMPUTER and turn.claim is None and len(before) == 1
    return RIGHT if alone or not before else before[0]


def next_game(state: State, turn: Turn) -> int:
    """The event with which another game begins behind the end of one, though nobody was asked for it; 0 if none does."""
    kinds = [type(one) for one in turn.events]
    if not state.possible or Begins not in kinds or Asked(AGAIN) in turn.events:
        return 0
    at = kinds.index(Begins)
    return at if {Named, Score} & set(kinds[:at]) else 0


# --- a game is over


def over(ruling: Ruling, turn: Turn) -> Ruling:
    """After a game the score is shown, and another game is offered; one that the program plays on is followed."""
    state = ruling.state
    if any(fault.stops for fault in ruling.faults) or not (state.over or turn.ended):
        return ruling
    kinds = {fault.kind for fault in ruling.faults}
    early = "ended-early" in kinds
    if turn.ended and (early or not state.over):
        faults = tuple(fault for fault in ruling.faults if fault.kind != "ended-early")
        ended = Fault("ended-early", "the program ends in the middle of a game", stops=True)
        return Ruling(state, (*faults, ended), (*ruling.occasions, "end"))
    if turn.asks == MOVE:
        faults = tuple(replace(fault, stops=fault.kind == "plays-on") for fault in ruling.faults)
        heaps = turn.boards[-1] if turn.boards and follows(turn.boards[-1]) else state.heaps
        return Ruling(
            state._replace(possible=(heaps,), over=False, empty=False, named=False, doubtful=True),
            faults,
            ruling.occasions,
        )
    believed = next((who for who in (USER, COMPUTER) if turn.winners == {who}), 0)
    winner = believed if early or state.doubtful else 0 if "wrong-winner" in kinds else state.winner
    match, scores = _scored(state.own.after(winner), turn)
    # Who plays the turns of the other is also named in the place of the other: that is one exchange, and who begins shows it.
    exchanged = state.own.exchanged and turn.winners == {3 - state.winner}
    faults = (*(one for one in ruling.faults if not (exchanged and one.kind == "wrong-winner")), *scores)
    occasions = tuple(name for name in ruling.occasions if name != "end" and not (early and name == "win"))
    if len({one.player for one in turn.events if isinstance(one, Score)}) == 2:
        occasions = (*occasions, "score")
    elif not early or turn.winners:
        faults = (
            *faults,
            Fault("no-score", "the game is over, but the program does not show the score of both players"),
        )
    if turn.ended:
        faults = (*faults, Fault("never-asks", "the program ends without asking for another game", stops=True))
    elif turn.refuses and passes(turn):
        faults = (*faults, Fault("read-twice", "the program refuses an answer that nobody gave"))
    return GAME.ruling(_between(state, turn.asks, match), faults, (*occasions, "end"))


def _scored(match: Match, turn: Turn) -> tuple[Match, tuple[Fault, ...]]:
    """The score as it is shown, which is believed, and what is wrong with it."""
    faults = []
    shown = {}
    for score in (one for one in turn.events if isinstance(one, Score)):
        player, wins = score.player, score.wins
        true = match.wins[player - 1]
        if true is not None and wins != true:
            told = "?" if wins is None else wins
            sentence = f"player {player} has won {true} games, but the score says {told}"
            faults.append(Fault("wrong-score", sentence, passes=True))
        shown[player] = wins
    wins = tuple(shown.get(player, match.wins[player - 1]) for player in (USER, COMPUTER))
    others = tuple(known if known is None else known + (1 if player == match.starter else -1)
                   for player, known in zip((USER, COMPUTER), match.wins, strict=True))  # fmt: skip
    return match._replace(wins=wins, credited=bool(match.starter) and wins == others), tuple(faults)


def _between(state: State, asks: str, match: Match) -> State:
    """The state between two games."""
    return State(asks=asks, typed=state.typed, seen=True, first_move=state.first_move, own=match, conduct=state.conduct)


def after_answer(state: State, turn: Turn) -> Ruling:
    """Another game was asked for, or something that is no answer was typed."""
    goes_on = turn.ended or turn.asks == MOVE or begins(turn) or bool(turn.winners)
    if state.wrong and goes_on:
        ends = " and ends" if turn.ended else ""
        taken = Fault("answer-taken", f"the program accepts {state.typed}{ends}: {WHY['answer']}", stops=turn.ended)
        return Ruling(resumed(state, turn), (taken,), ("answer",))
    if state.wrong:
        silent = Fault("no-message", f"the program refuses {state.typed} without an error message")
        return Ruling(state._replace(wrong=""), () if turn.refuses or turn.speaks else (silent,), ("answer",))
    if (turn.ended or turn.asks == AGAIN) and not begins(turn) and not turn.winners:
        told = Fault("answer-refused", f"no other game begins after the answer {state.typed}", stops=turn.ended)
        return Ruling(state, (told,), ("yes",))
    ruling = over(begun(state, turn), turn)
    return Ruling(ruling.state, ruling.faults, ("yes", *ruling.occasions))


def after_no(state: State, turn: Turn) -> Ruling:
    """The user has said no: the program must end."""
    if turn.ended:
        return Ruling(state, (), ("no",))
    if turn.refuses and turn.asks == AGAIN:
        fault = Fault("answer-refused", f"{state.typed} is a valid answer, but the program refuses it")
        return Ruling(state._replace(own=state.own._replace(stopped=False)), (fault,), ("no",))
    if not turn.asks and not turn.events:
        fault = Fault("bad-end", f"after {state.typed} the program must end, but waits for input", stops=True)
    else:
        fault = Fault(
            "does-not-stop", f"after {state.typed} (no other game) the program must end, but goes on", stops=True
        )
    return Ruling(state, (fault,), ("no",))
