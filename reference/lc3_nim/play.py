"""The dialogue of lc3-nim: boards, questions and refusals, exactly as a program must print them."""

from __future__ import annotations

from grader.sessions.reference import Choice, Keys, Play

from .rules import ROWS, START, State, moves, outcome, result


def play() -> Play:
    """The whole dialogue. What the assignment leaves open is a named choice of the spec."""
    state = START
    yield from _board(state)
    while outcome(state) is None:
        yield f"Player {state.player}, choose a row and number of rocks: "
        move = yield Keys(2, legal=moves(state))
        yield "\n"
        if move not in moves(state):
            yield "Invalid move. Try again.\n"
            continue
        state = result(state, move)
        yield Choice("blank-line", "\n")
        if outcome(state) is None:
            yield from _board(state)
    yield f"Player {outcome(state)} Wins."
    yield Choice("last-newline", "\n")


def _board(state: State) -> Play:
    for row, rocks in zip(ROWS, state.rocks, strict=True):
        yield f"ROW {row}:"
        if rocks:
            yield " " + "o" * rocks
        else:
            yield Choice("empty-row", " ")
        yield "\n"
