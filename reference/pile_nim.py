"""The reference for pile-nim (Lab06): the rules of the game, and the game itself.

``python reference/pile_nim.py`` plays it on a terminal. One pile; the program and the user take one or two stones in turn;
whoever takes the last stone loses. Other programs are followed by experiment (``grader.games.pile``), in whatever words they use.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from grader.sessions.reference import Line, Play, perform

PROGRAM, USER = 0, 1


def moves(stones: int) -> tuple[int, ...]:
    """How many stones may be taken."""
    return (1, 2)[:stones]


def result(stones: int, move: int) -> int:
    """How many are left after a legal move."""
    return stones - move


def best(stones: int) -> int:
    """How many of ``stones`` the strategy of the text takes: by the remainder of dividing them by three."""
    return 2 if stones % 3 == 0 else 1


def outcome(stones: int, mover: int) -> int | None:
    """The winner once no stone is left: who is next, for the other one took the last; None while the game goes on."""
    return mover if stones == 0 else None


def play() -> Play:
    """The whole dialogue, in words of our own: the assignment leaves them open."""
    piles = tuple(map(str, range(1, 26)))
    stones = yield from _ask("How many stones shall be in the pile? ", piles, lambda n: n > 0, "at least 1")
    mover = yield from _ask("Who moves first (0 = program, 1 = user)? ", ("0", "1"), lambda n: n in (0, 1), "0 or 1")
    while outcome(stones, mover) is None:
        yield f"Stones left: {stones}\n"
        if mover == PROGRAM:
            move = best(stones)
            yield f"The computer takes {move}.\n"
        else:
            legal = moves(stones)
            rule = "1 or 2, and not more than there are"
            move = yield from _ask("How many do you take? ", tuple(map(str, legal)), legal.__contains__, rule)
        stones, mover = result(stones, move), 1 - mover
    yield "You took the last stone: the computer wins.\n" if mover == PROGRAM else "You win!\n"


def _ask(
    question: str, legal: tuple[str, ...], allowed: Callable[[int], bool], rule: str
) -> Generator[str | Line, str, int]:
    """Ask until the answer is a number that is allowed."""
    while True:
        yield question
        answer = yield Line(legal=legal)
        digits = answer.strip().removeprefix("-")
        if digits.isascii() and digits.isdigit() and allowed(int(answer)):
            return int(answer)
        yield f"Invalid: it must be {rule}.\n"


if __name__ == "__main__":
    perform(play)
