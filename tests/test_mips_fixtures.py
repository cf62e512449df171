"""The three four-in-a-row programs, each played on our machine in step with the referee."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest

from grader.machines.mips.assembler import assemble
from grader.machines.mips.machine import Machine
from grader.machines.mips.profiles import PROFILES
from grader.machines.stop import StopKind
from grader.sessions.reference import load
from grader.source import SourceFile

ROOT = Path(__file__).parents[1]
rules = load(ROOT / "reference" / "mips_connect4")

TIE = "656173566152215676422337377473141445425321"
WINS = {  # by direction and whether the starting player wins
    "across": ("1647362", "74451312"),
    "upwards": ("1412171", "31216151"),
    "rising": ("46354646655", "4366546655"),
    "falling": ("7654657432544", "3213241211"),
}


@dataclass(frozen=True)
class Style:
    """How one program is talked to, and what it says."""

    name: str
    profile: str
    opening: tuple[str, ...]  # inputs up to the first board, with which the starting player takes marks[0]
    marks: str
    cell: str  # a pattern of one row of the board, its cells in groups
    keep: str
    undo: str
    first_column: int = 1
    line_end: str = "\n"
    asks_first: bool = False  # asks about undo before the column is judged

    def start(self, seed: int) -> Game:
        """A game that has come to the first board."""
        path = ROOT / "fixtures" / "mips-connect4" / "accepted" / self.name / "submission" / "connect4.s"
        assembly = assemble(SourceFile("connect4.s", path.read_text()), dialect=self.profile)
        assert assembly.image is not None, assembly.diagnostics
        opening = tuple(text.format(seed=seed) for text in self.opening)
        return Game(self, Machine(assembly.image, PROFILES[self.profile], random_seed=seed), opening)


class Game:
    """One program at play, beside the state that the referee says it is in."""

    def __init__(self, style: Style, machine: Machine, opening: Iterable[str]) -> None:
        self.style, self.machine = style, machine
        self.said = ""
        self._advance()
        said = self.said
        for text in opening:
            self.type(text)
            said += self.said
        first = re.search(r"(?:player (?=. begins)|Player (?=. goes)|first move goes to Player )([12])", said)
        assert first is not None, said
        self.first = int(first[1])
        self.state = rules.State(self.first)

    def _advance(self) -> None:
        stop = self.machine.run()
        self.ended = stop.final
        self.normal = stop.kind in (StopKind.HALTED, StopKind.RETURNED)
        self.said = self.machine.take_output().decode("latin-1")

    def type(self, text: str) -> None:
        """Type an input and run on to the next wait or the end."""
        assert not self.ended, self.said
        self.machine.feed((text + self.style.line_end).encode())
        self._advance()

    def enter(self, column: int, *, undo: bool = False) -> None:
        """Play a column counted from 1, and answer the question about undo as the state says it is asked."""
        text = str(column - 1 + self.style.first_column)
        may_undo = self._may_undo()
        before = self.state
        self.type(text)
        if self.style.asks_first:
            if may_undo:
                assert "undo" in self.said
                self.type(self.style.undo if undo else self.style.keep)
            if may_undo and undo:
                left = tuple(n - (i == before.player - 1) for i, n in enumerate(before.undos))
                self.state = replace(before, undos=left)
                return
            self.state = rules.result(before, str(column))
            self._agree(column)
            if self.state.open_move is not None:
                self.state = rules.result(self.state, "keep")
            return
        self.state = rules.result(before, str(column))
        self._agree(column)
        if self.state.open_move is not None:
            assert "undo" in self.said
            self.type(self.style.undo if undo else self.style.keep)
            self.state = rules.result(self.state, "undo" if undo else "keep")
            if undo:
                assert self.board() == self.expected()

    def _may_undo(self) -> bool:
        player = self.state.player
        return any(player in column for column in self.state.columns) and self.state.undos[player - 1] > 0

    def _agree(self, column: int) -> None:
        """The board, the refusal and the end are what the referee says."""
        outcome = rules.outcome(self.state)
        assert self.ended == (outcome is not None), self.said
        board = self.board()
        if board:
            assert board == self.expected(), self.said
        else:
            wanted = "full" if 1 <= column <= 7 else "no such column|invalid"
            assert re.search(wanted, self.said, re.IGNORECASE), self.said
        if outcome is not None:
            assert self.normal
            assert self.winner() == outcome

    def winner(self) -> int | None:
        """Whom the last text names as the winner; 0 for a tie."""
        if re.search(r"\b(tie|tied|draw)\b", self.said):
            return 0
        named = re.search(r"Player ([12])(?: \(.\))? (?:wins|has won)|winner is Player ([12])", self.said)
        return int(named[1] or named[2]) if named else None

    def board(self) -> list[str]:
        """The rows of the last board that was printed, from the top."""
        rows = ["".join(m.groups()) for m in re.finditer(self.style.cell, self.said, re.MULTILINE)]
        return rows[-6:]

    def expected(self) -> list[str]:
        """The rows that the referee's state would print."""
        empty = {"mars-macros": " ", "spim-main": ".", "keys-bitboards": "-"}[self.style.name]
        shown = {0: empty, self.first: self.style.marks[0], 3 - self.first: self.style.marks[1]}
        cells = ([rules.piece(self.state, (c, r)) for c in range(7)] for r in reversed(range(6)))
        return ["".join(shown[owner] for owner in row) for row in cells]


STYLES = (
    Style("mars-macros", "mars", ("2",), "OX", r"^\|" + r"([ XO])\|" * 7 + "$", "0", "1"),
    Style("spim-main", "spim", ("{seed}", "o"), "OX", "^ " + "([.XO])" * 7 + "$", "", "u", asks_first=True),
    Style("keys-bitboards", "mars", ("p", "y"), "YR", "^ " + " ([-RY])" * 7 + "$", "k", "u", 0, ""),
)
by_style = pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)


@by_style
def test_either_player_may_start(style: Style) -> None:
    """Within twenty seeds both players have started."""
    assert {style.start(seed).first for seed in range(20)} == {1, 2}


@by_style
@pytest.mark.parametrize("direction", WINS)
@pytest.mark.parametrize("who", [0, 1])
def test_each_direction_wins_for_each_player(style: Style, direction: str, who: int) -> None:
    """The last piece ends the game, for the player who dropped it."""
    game = style.start(5)
    for column in WINS[direction][who]:
        game.enter(int(column))
    assert game.winner() == (game.first if who == 0 else 3 - game.first)


@by_style
def test_a_full_board_is_a_tie(style: Style) -> None:
    """The 42nd piece ends the game, but the program names nobody as the winner."""
    game = style.start(5)
    for column in TIE:
        game.enter(int(column))
    assert game.winner() == 0


@by_style
@pytest.mark.parametrize("column", [4, 8, 9])
def test_three_violations_lose(style: Style, column: int) -> None:
    """A full and a missing column are refused; the third one gives the game to the opponent."""
    game = style.start(5)
    for _ in range(6):
        game.enter(4)
    for _ in range(3):
        game.enter(column)
    assert game.winner() == 3 - game.first


@by_style
def test_three_moves_are_taken_back(style: Style) -> None:
    """Each undo leaves the board as it was; the fourth move stands unasked, and the opponent still has three."""
    game = style.start(5)
    for column, undo in ((4, False), (4, False), (1, True), (2, True), (3, True), (5, False), (6, True), (7, False)):
        game.enter(column, undo=undo)
    assert sorted(game.state.undos) == [0, 2]


@by_style
def test_random_games_follow_the_referee(style: Style) -> None:
    """Games of random columns, right and wrong, and undos show the referee's board at every step."""
    for seed in range(8):
        follow(style, seed)


def follow(style: Style, seed: int) -> None:
    """Play one random game in step with the referee."""
    random = Random(seed)
    game = style.start(seed)
    while not game.ended:
        odd = random.random() < 0.04
        game.enter(random.choice((8, 9) if odd else range(1, 8)), undo=random.random() < 0.2)
