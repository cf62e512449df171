"""A program of ten lines that plays with a pile, whose words and rules can be changed, and what is found of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.games.follow.study import Study
from grader.games.hear.runs import Runs
from grader.games.methods import method
from grader.games.pile.fitting import Explained, explained
from grader.games.pile.opening import find
from grader.games.pile.plays import Player, with_pauses
from grader.games.pile.rules import rules
from grader.sessions.reference import Line, Play, load
from grader.spec.game import Game, Pile
from tests.scripted import runs_of

REFERENCE = load(Path(__file__).parents[3] / "reference" / "pile_nim.py")
RULES = rules(Pile(), REFERENCE)
METHOD = method(Game.model_validate({"pile": {}}), REFERENCE)


@dataclass(frozen=True)
class Program:
    """A program of ten lines, in words and with rules that can be changed."""

    stones: str = "Wie viele Hölzchen? "
    first: str = "Wer beginnt (0 Rechner, 1 du)? "
    take: str = "Du nimmst: "
    left: Callable[[int], str] = lambda n: f"Es liegen {n} da.\n"
    takes: Callable[[int], str] = lambda n: f"Ich nehme {n}.\n"
    no: str = "So nicht!\n"
    ends: tuple[str, str] = ("Du verlierst.\n", "Du gewinnst.\n")
    best: Callable[[int], int] = lambda n: 2 if n % 3 == 0 else 1
    legal: Callable[[int, int], bool] = lambda take, n: take in (1, 2) and take <= n
    over: Callable[[int], bool] = lambda n: n <= 0
    off: Callable[[int], int] = lambda take: take
    """The stones that fall off the pile for a move of its own."""
    fewest: int = 1
    most: int = 99
    counted: Callable[[int], int] = lambda n: n
    named: Callable[[int, int], int] = lambda winner, _first: winner
    begins: str = ""

    def play(self) -> Play:
        """The game."""
        n = yield from self.pile()
        mover = (yield from self.ask(self.first, lambda n: n in (0, 1))) if self.first else 1
        yield self.begins
        yield from self.turns(n, mover)

    def pile(self) -> Play:
        """The number of stones."""
        return self.counted((yield from self.ask(self.stones, lambda n: self.fewest <= n <= self.most)))

    def turns(self, n: int, mover: int) -> Play:
        """The moves of a game with so many stones: 0 is the program, 1 the user."""
        first = mover
        while not self.over(n):
            yield self.left(n)
            if mover:
                n -= yield from self.ask(self.take, lambda take: self.legal(take, n))  # noqa: B023
            else:
                yield self.takes(self.best(n))
                n -= self.off(self.best(n))
            mover = 1 - mover
        yield self.ends[self.named(mover, first)]

    def ask(self, question: str, allowed: Callable[[int], bool]) -> Play:
        """An answer that is allowed, after as many questions as that takes."""
        while True:
            yield question
            text = yield Line()
            if text.lstrip("-").isdigit() and allowed(int(text)):
                return int(text)
            yield self.no


def study(play: Callable[[], Play], corrections: Mapping[str, str] | None = None) -> tuple[Study, Runs]:
    """The findings on a play, and on one whose understanding is corrected."""
    runs = runs_of(play)
    return METHOD.explore(runs, corrections or {}), runs


def kinds(play: Callable[[], Play]) -> set[str]:
    """The kinds of faults that are found."""
    found, _ = study(play)
    assert not found.obstacle
    return {fault.kind for game in found.games for _, fault in game.faults}


RIGHT = Program()


def answered(play: Callable[[], Play], question: str, changed: Callable[[str], str]) -> Play:
    """A program that takes another answer for the one that is given to a question."""
    game, last, answer = play(), "", None
    while True:
        try:
            said = game.send(answer)
        except StopIteration:
            return
        answer = yield said
        if isinstance(said, str):
            last = said
        elif last == question:
            answer = changed(answer)


def player(play: Callable[[], Play]) -> Player:
    """A player of games with this program."""
    runs = runs_of(play)
    talk = find(runs)
    assert talk is not None
    return with_pauses(Player(runs, talk, RULES))


def known(play: Callable[[], Play]) -> Explained:
    """A player of games with this program, who knows its rules."""
    found = explained(player(play))
    assert found is not None
    return found


def asked(question: str) -> Play:
    """The answer to a question at which anything goes."""
    yield question
    return (yield Line())
