"""A game of three heaps in words of its own: what is learned of it by trying, for programs that talk it over in many ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from grader.games.event import Asked, Event, Named, Refused, Shown
from grader.games.heaps.corrections import NOTHING_SET
from grader.games.heaps.duel import Keys
from grader.games.heaps.facing import MOVE
from grader.games.heaps.two_players import Names, learn
from grader.games.hear.runs import Runs
from grader.transcript import Ending, EndingKind
from reference.lc3_nim import DUEL
from tests.scripted import Written

START = (3, 5, 8)
MOVES = [(heap, count) for heap in "ABCDabc@1Z&" for count in "0123456789*"]


def keys(manner: Keys, move: tuple[str, str]) -> str:
    """The input for a move of the assignment."""
    return manner.typed(move)[0]


def learned(table: Table) -> Names | None:
    """The lessons from a program."""
    return learn(Runs(lambda _seed: replace(table)), DUEL, NOTHING_SET)


@dataclass
class Table(Written):
    """A program in the words that it is given; it takes two keys, and who takes the last has lost.

    It is right where it neither ``keeps`` a heap as it is nor ``refuses`` to take anything of one.
    """

    board: Callable[[tuple[int, ...]], str]
    ask: str = "Player {}: "
    players: tuple[str, str] = ("1", "2")
    refusal: str = "Invalid. "
    end: str = "{winner} wins.\n"
    manner: Keys = field(default_factory=lambda: Keys("ABC", "ABC"))
    heaps: tuple[int, ...] = START
    turn: int = 0
    keys: str = ""
    out: str | None = None
    wants: str = "key"
    keeps: str = ""
    refuses: str = ""

    def advance(self) -> Ending | None:
        """Take the keys that were typed, two by two."""
        if self.out is None:
            self.out = self.board(self.heaps) + self.ask.format(self.players[0])
        size = 3 if self.manner.enter else 2
        while len(self.keys) >= size and any(self.heaps):
            typed, self.keys = self.keys[:size], self.keys[size:]
            self.out += self._made(next((move for move in MOVES if keys(self.manner, move) == typed), ("", "")))
        return None if any(self.heaps) else Ending(EndingKind.ENDED, "ended")

    def _made(self, move: tuple[str, str]) -> str:
        heap = "ABC".find(move[0]) if move[0] else -1
        if move[0] in self.refuses or heap < 0 or not move[1].isdigit() or not 1 <= int(move[1]) <= self.heaps[heap]:
            return self.refusal + self.ask.format(self.players[self.turn])
        taken = int(move[1]) if move[0] not in self.keeps else 0
        self.heaps = tuple(n - taken if at == heap else n for at, n in enumerate(self.heaps))
        self.turn = 1 - self.turn
        if any(self.heaps):
            return self.board(self.heaps) + self.ask.format(self.players[self.turn])
        return self.end.format(winner=self.players[self.turn], loser=self.players[1 - self.turn])

    def take_output(self) -> bytes:
        """What was printed."""
        text, self.out = self.out or "", ""
        return text.encode()

    def send(self, text: str) -> None:
        """Type keys."""
        self.keys += text

    def fork(self) -> Table:
        """Another in the same state."""
        return replace(self)


def marks(mark: str, names: str = "123") -> Callable[[tuple[int, ...]], str]:
    """Heaps as rows of marks."""
    return lambda heaps: "".join(f"{name}) {mark * n}\n" for name, n in zip(names, heaps, strict=True))


def in_a_line(heaps: tuple[int, ...]) -> str:
    """All heaps in one line, as numbers."""
    return "Links {}, Mitte {}, rechts {}\n".format(*heaps)


def in_lines(heaps: tuple[int, ...]) -> str:
    """Numbers behind names that are numbers, in a frame."""
    return "-----\n" + "".join(f"| row {at}: {n} |\n" for at, n in enumerate(heaps)) + "-----\n"


TABLES = {
    "as the text has it": Table(marks("o", "ABC")),
    "stars, rows by digits": Table(marks("*"), manner=Keys("123", "ABC")),
    "bars set apart": Table(marks("| "), manner=Keys("123", "ABC", count_first=True)),
    "numbers in a line, in German": Table(
        in_a_line, "{} ist am Zug: ", ("Anna", "Bert"), "Das geht nicht! ", "{loser} verliert.\n", Keys("abc", "ABC")
    ),
    "numbers from row 0": Table(
        in_lines, "Now {} >", ("X", "O"), "?? no such thing\n", "{winner} has won", Keys("012", "ABC")
    ),
    "zeros as marks": Table(marks("0", "ABC")),
    "with Enter": Table(marks("*"), manner=Keys("123", "ABC", enter=True)),
    "a mark alone refuses": Table(marks("o"), refusal="!\n", manner=Keys("123", "ABC")),
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_a_program_in_its_own_words_is_read(table: Table) -> None:
    """How moves are typed, the heaps, who is asked, a refusal, and who has won."""
    session, wording = replace(table), learned(table)
    session.advance()
    session.take_output()
    assert wording is not None
    assert wording.talk.entry.manner == table.manner
    seen: list[tuple[Event, ...]] = []
    for move in (("B", "5"), ("A", "0"), ("C", "8"), ("A", "1"), ("A", "2")):
        session.send(keys(table.manner, move))
        ended = session.advance() is not None
        seen.append(tuple(dict.fromkeys(wording.events(session.take_output().decode(), ended=ended))))
    assert seen == [
        (Shown((3, 0, 8)), Asked(MOVE, 2)),
        (Refused(), Asked(MOVE, 2)),
        (Shown((3, 0, 0)), Asked(MOVE, 1)),
        (Shown((2, 0, 0)), Asked(MOVE, 2)),
        (Named(1),),
    ]


@pytest.mark.parametrize("board", [lambda heaps: f"{sum(heaps)} left\n", lambda heaps: ""])
def test_a_program_that_shows_no_three_heaps_is_not_read(board: Callable[[tuple[int, ...]], str]) -> None:
    """Nothing is guessed."""
    assert learned(Table(board)) is None


def test_two_rows_with_one_name_are_not_read_as_two_heaps() -> None:
    """One of them has a wrong name, and a board that lacks a row is for the referee to charge. Rows without any name are read."""
    wording = learned(Table(marks("o", "BBC")))
    assert wording is None or wording.display.boards(marks("o", "BBC")((3, 5, 8))) == ()
    bare = learned(Table(lambda heaps: "".join(f"> {'o' * n}\n" for n in heaps)))
    assert bare is not None
    assert len(bare.display.boards("> ooo\n> ooooo\n> oo\n")) == 1


@pytest.mark.parametrize(
    "manner", [Keys("123", "ABC"), Keys("ABC", "ABC"), Keys("abc", "ABC", count_first=True), Keys("012", "ABC")]
)
def test_what_is_typed_means_one_move(manner: Keys) -> None:
    """Each move is typed otherwise: legal moves are legal in the program's manner, and wrong ones are wrong."""
    moves = [tuple(move) for move in ("A1", "B1", "C1", "C8", "D2", "D1", "@1", "11", "A*", "a2", "Z1", "&2")]
    assert len({keys(manner, (heap, count)) for heap, count in moves}) == len(moves)
    legal = {keys(manner, (heap, "1")) for heap in "ABC"}
    assert not legal & {keys(manner, (heap, "1")) for heap in "D@1Z&"}


@pytest.mark.parametrize(
    ("players", "text", "winner"),
    [
        (("uno", "dos"), "¡Dos gana!\n", 1),
        (("Anne", "Luc"), "Luc a gagné.\n", 1),
        (("Ala", "Ola"), "Wygrywa Ala\n", 0),
        (("1", "2"), "Pierde el jugador 1 y gana el jugador 2\n", 1),
        (("1", "2"), "Player 1 loses. The winner is player 2.\n", 1),
        (("1", "2"), "Player 1 took the last stone - winner: player 2\n", 1),
        (("1", "2"), "Player 2 beats player 1\n", 1),
        (("1", "2"), "Player 2 was beaten by player 1\n", 0),
        (("1", "2"), "Player 2 has lost\n", 0),
        (("1", "2"), "Player 1 and player 2 say goodbye\n", None),
        (("1", "2"), "Game over\n", None),
    ],
)
def test_a_winner_is_named_in_any_of_the_languages(players: tuple[str, str], text: str, winner: int | None) -> None:
    """The words of winning and losing are those of all other games."""
    wording = learned(TABLES["numbers from row 0"])
    assert wording is not None
    events = replace(wording, players=players).events(text, ended=True)
    named = [one.player for one in events if isinstance(one, Named) and one.player]
    assert named == ([] if winner is None else [winner + 1])


DIGITS = Keys("123", "ABC")
BROKEN = {
    "two heaps never shrink": Table(marks("*"), manner=DIGITS, keeps="AB"),
    "nothing is taken off two heaps": Table(marks("*"), manner=DIGITS, refuses="BC"),
    "other numbers in a heap": Table(marks("*"), manner=DIGITS, heaps=(3, 4, 8)),
    "hundreds in a heap": Table(marks("*"), manner=DIGITS, heaps=(3, 4000, 8)),
    "a heap is not shown": Table(lambda heaps: marks("*")((heaps[0], 0, heaps[2])).replace("2) \n", ""), manner=DIGITS),
}


@pytest.mark.parametrize("table", BROKEN.values(), ids=BROKEN)
def test_a_program_that_breaks_rules_is_read_in_its_own_words(table: Table) -> None:
    """Which rules are broken is for the referee to say: how a move is typed shows in the moves that come out."""
    wording = learned(table)
    assert wording is not None
    assert wording.talk.entry.manner == DIGITS


def test_a_program_that_carries_out_no_move_is_typed_moves_as_the_assignment_has_them() -> None:
    """It asks again behind each of them, in words that no pattern reads; where patterns read it they do."""
    table = Table(marks("*"), refuses="ABC", refusal="Invalid.\n")
    runs = Runs(lambda _seed: replace(table))
    wording = learn(runs, DUEL, NOTHING_SET, usual=True)
    assert learn(runs, DUEL, NOTHING_SET) is None
    assert wording is not None
    assert wording.talk.entry.manner == Keys("ABC", "ABC")
    assert Refused() in wording.events("Invalid.\nPlayer 1: ")


@pytest.mark.parametrize(
    ("end", "named"),
    [
        ("{winner} takes the cup\n", [1]),
        ("The cup goes to {loser}\n", [None]),
        ("Blah {winner} {loser}\n", [None]),
        ("Game over\n", []),
    ],
)
def test_a_clause_that_mentions_each_winner_names_him(end: str, named: list[int | None]) -> None:
    """One that mentions each loser, or both, could not be read; one that is said of both winners names nobody."""
    table = Table(marks("o", "ABC"), players=("Red", "Blue"), end=end)
    wording = learned(table)
    assert wording is not None
    last = end.format(winner="Red", loser="Blue")
    assert [one.player for one in wording.events(last, ended=True) if isinstance(one, Named)] == named
