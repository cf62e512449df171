"""The dialogue of c-nim: greeting, heaps, moves and scores, exactly as a program must print them."""

from __future__ import annotations

from collections.abc import Generator, Mapping

from grader.games.heaps.facing import COMPUTER, USER
from grader.games.heaps.moving import Position, allowed, balancing, legal
from grader.sessions.reference import Choice, Line, Play

from .inputs import either_case
from .turns import LETTERS, RIGHT, move_of, say


def play() -> Play:
    """The whole dialogue. Places that the assignment leaves open are named choices of the spec."""
    yield "Welcome to the Ancient Game of Nim\nPlayer 1 is you (the human)\nPlayer 2 is me (the computer)\n"
    yield Choice("greeting-line", "\n")
    wins, starter, again = {USER: 0, COMPUTER: 0}, USER, True
    while again:
        winner = yield from _game(starter)
        wins[winner] += 1
        yield from _scoreboard(wins)
        again = yield from _asked_again()
        starter = 3 - winner
    yield Choice("last-newline", "")


def _game(starter: int) -> Generator[str | Choice | Line, str, int]:
    """One game; returns its winner."""
    yield f"Player {starter} goes first this time!\n"
    position = Position(RIGHT, starter)
    while any(position.heaps):
        yield _board(position)
        moves = legal(position.heaps)
        if position.player == COMPUTER:
            move = (balancing(position.heaps) or moves)[0]
            yield f"COMPUTER moves {say(move)}\n"
        else:
            yield "Enter the letter of the heap and number of stones to remove: "
            move = move_of((yield Line(legal=either_case(tuple(map(say, moves))))))
            if not allowed(position.heaps, move):
                yield "Illegal move! Try again.\n"
                continue
        position = position.after(move)
    winner = 3 - position.player
    yield f"Player {winner} wins!\n"
    return winner


def _board(position: Position) -> str:
    heaps = "".join(f"{letter.upper()}: {n}\n" for letter, n in zip(LETTERS, position.heaps, strict=True))
    return f"\nPlayer {position.player}\nHeaps:\n{heaps}"


def _scoreboard(wins: Mapping[int, int]) -> Play:
    yield "\n"
    yield Choice("stars", "* * * * *")
    yield "\nCurrent Score:\nPlayer 1 (Human):"
    yield Choice("user-gap", " ")
    yield f"{wins[USER]}\nPlayer 2 (Computer):"
    yield Choice("computer-gap", " ")
    yield f"{wins[COMPUTER]}\n"


def _asked_again() -> Generator[str | Choice | Line, str, bool]:
    while True:
        yield "\nDo you want to play again? (y/n) "
        typed = (yield Line(legal=("y", "Y", "n", "N"))).strip().lower()
        if typed in ("y", "n"):
            return typed == "y"
        yield "Bad input! Try again.\n"
