"""The rules of a pile as a simulator with faults: the right ones, and the named ways in which programs depart from them.

``course`` foretells each wait of a game, whatever is typed, for any hypothesis of the fit (``games.learn.fit``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import chain, product, repeat
from typing import TypeVar, cast

from grader.games.learn.fit import Departure, Departures
from grader.games.pile.rules import Rules
from grader.games.pile.talk import PROGRAM, USER, Part, Talk
from grader.values import dataclass

T = TypeVar("T")

Moves = tuple[tuple[int, int, int], bool]
"""The stones that the program takes by the remainder of three, and whether it takes at most what is left."""

TAKE, OVER, ENDLESS = "take", "over", "endless"
"""The foretold kinds of waits beside the questions before the game: the question for a move, the end, or moves of the program for ever."""

LONGEST = 100
"""Moves that the program makes one after the other before it is foretold to go on for ever: more than it has stones."""

MOST_TOLD = 3
"""The most stones that the program is believed to have taken where it tells how many are left: it may take more than are allowed."""

_WINNER = frozenset({"wrong-winner", "no-winner"})
_MOVES = frozenset({"poor-move-0", "poor-move-1", "poor-move-2"})
_END = frozenset({"plays-on", "ended-early", "broken-off"})
_LAST = frozenset({"accepted-too-many"})

_FIRST = frozenset({"refused-stones", "refused-first", "wrong-begin"})

_NO_LAST = _WINNER | _END | _LAST
"""If the last stone cannot be taken, nobody sees the end, the winner, and two stones taken of one."""

# fmt: off
GOES_BELOW = Departure("end", lambda left, _start: left == 0, "the game goes on when more stones were taken than were left", "", _WINNER | _END)
NEVER_ENDS = Departure("end", lambda _left, _start: False, "the game never ends: it goes on when no stone is left", "plays-on", _WINNER | _LAST)
PROGRAM_BEGINS = Departure("begins", lambda _beginner: PROGRAM, "the program begins, whatever is answered to who moves first", "wrong-begin")
USER_BEGINS = Departure("begins", lambda _beginner: USER, "the user begins, whatever is answered to who moves first", "wrong-begin")
ALL_STONES = Departure("refused-stones", "all", "the program refuses every number of stones", "refused-stones")
ALL_FIRST = Departure("refused-first", "all", "the program refuses 0 and 1 as the answer to who moves first", "refused-first")
LEAST = Departure("refused-take", lambda take, _left, _start: take == 1, "the program refuses 1 as the number of stones and as a move, and 0 as the answer to who moves first", "refused-take", _NO_LAST | _FIRST)
NEVER_MOVES = Departure("turn", lambda _who, _first, _take: USER, "the program never moves", "wrong-turn", _NO_LAST | _MOVES)
ONLY_MOVES = Departure("turn", lambda _who, _first, _take: PROGRAM, "the user never moves", "wrong-turn", _NO_LAST | _MOVES)
# fmt: on
"""Departures that are also asked for elsewhere: what else follows from them, or is said of them."""

ROWS = (
    Departure("end", lambda left, _start: left <= 1, "the game ends when one stone is left, and not when none is", "ended-early", _WINNER | _LAST),
    # It looks at the stones behind each move, and not before the first: that it took the last stone with the others cost three criteria.
    Departure("end", lambda left, start: left <= 0 or left == 1 < start, "the game ends when one stone is left, if it began with more", "ended-early", _WINNER | _LAST),
    Departure("end", lambda left, _start: left == 1, "the game ends when one stone is left, and goes on when none is", "ended-early", _WINNER | _LAST),
    # Legal moves end such a game. The move that left fewer than none is charged, and one edit cost both.
    GOES_BELOW,
    Departure("end", lambda left, _start: left < 0, "the game goes on when no stone is left", "plays-on", _WINNER | _LAST),
    NEVER_ENDS,
    PROGRAM_BEGINS,
    USER_BEGINS,
    Departure("begins", lambda beginner: 1 - beginner, "who moves first is the wrong way round", "wrong-begin"),
    ALL_STONES,
    ALL_FIRST,
    Departure("refused-take", lambda _take, _left, _start: True, "the program refuses every allowed number of stones", "refused-take", _NO_LAST),
    Departure("refused-take", lambda _take, left, _start: left > 1, "the program refuses to let the user take stones where more than one is left", "refused-take", _NO_LAST),
    LEAST,
    Departure("refused-stones", "1", "the program refuses 1 as the number of stones", "refused-stones"),
    Departure("refused-first", "0", "the program refuses 0 as the answer to who moves first", "refused-first"),
    Departure("refused-first", "1", "the program refuses 1 as the answer to who moves first", "refused-first"),
    Departure("refused-take", lambda take, _left, _start: take == 1, "the program refuses to let the user take 1 stone", "refused-take", _NO_LAST),
    Departure("refused-take", lambda take, _left, _start: take == 2, "the program refuses to let the user take 2 stones", "refused-take"),
    Departure("refused-take", lambda take, left, _start: take >= left, "the program refuses to let the user take the last stones", "refused-take", _NO_LAST),
    Departure("refused-take", lambda take, left, _start: take == left == 1, "the program refuses to let the user take the last stone", "refused-take", _NO_LAST),
    Departure("refused-take", lambda take, left, _start: take == left == 2, "the program refuses to let the user take the last 2 stones", "refused-take"),
    Departure("refused-take", lambda take, left, _start: take == 2 or take >= left, "the program refuses to let the user take 2 stones, or the last stone", "refused-take", _NO_LAST),
    Departure("refused-take", lambda take, left, start: take == 2 and left == start, "the program refuses to let the user take 2 stones in the first move", "refused-take"),
    Departure("refused-take", lambda take, left, _start: take == 1 < left, "the program refuses to let the user take 1 stone where more than one is left", "refused-take"),
    NEVER_MOVES,
    ONLY_MOVES,
    Departure("turn", lambda who, _first, _take: who, "the same player always moves", "wrong-turn", _NO_LAST | _MOVES),
    Departure("turn", lambda _who, _first, _take: USER, "after a move of the user it is the user's turn again", "wrong-turn", _NO_LAST | _MOVES),
    Departure("turn", lambda _who, _first, _take: PROGRAM, "after a move of the program it is the program's turn again", "wrong-turn", _NO_LAST | _MOVES),
    Departure("turn", lambda who, _first, take: who if who == USER and take > 1 else 1 - who, "after the user takes two stones it is the user's turn again", "wrong-turn", _NO_LAST),
    Departure("turn", lambda who, first, _take: who if first == USER else 1 - who, "where the user moves first the same player always moves", "wrong-turn", _NO_LAST),
    Departure("turn", lambda who, first, _take: who if first == PROGRAM else 1 - who, "where the program moves first the same player always moves", "wrong-turn", _NO_LAST),
    Departure("left", lambda left, take, who: left if who == USER else left - take, "the program does not take the user's stones off the pile", "wrong-count", _NO_LAST),
    Departure("left", lambda left, take, who: left if who == USER and left > 2 else left - take, "the program takes the user's stones off the pile only where one or two are left", "wrong-count", _NO_LAST),
    Departure("left", lambda left, take, who: left if who == PROGRAM else left - take, "the program does not take its own stones off the pile", "wrong-count", _NO_LAST, "program"),
    # a program that takes its stones off in two branches, one for each number, may be wrong in one of them
    Departure("left", lambda left, take, who: left if (who, take) == (PROGRAM, 1) else left - take, "where the program takes one stone, it leaves that stone on the pile", "wrong-count", _NO_LAST, "program"),
    Departure("left", lambda left, take, who: left if (who, take) == (PROGRAM, 2) else left - take, "where the program takes two stones, it leaves them on the pile", "wrong-count", _NO_LAST, "program"),
    Departure("left", lambda left, take, who: left + 1 if (who, take) == (PROGRAM, 1) else left - take, "where the program takes one stone, it adds that stone to the pile", "wrong-count", _NO_LAST),
    Departure("left", lambda left, take, who: left + 2 if (who, take) == (PROGRAM, 2) else left - take, "where the program takes two stones, it adds them to the pile", "wrong-count", _NO_LAST),
    Departure("left", lambda left, take, who: left - 3 if (who, take) == (PROGRAM, 2) else left - take, "where the program takes two stones, it takes three off the pile", "wrong-count", _NO_LAST, "program"),
    Departure("left", lambda left, _take, _who: left, "no stones are taken off the pile", "wrong-count", _NO_LAST),
    Departure("left", lambda left, take, _who: left + take, "the program adds stones that are taken to the pile", "wrong-count", _NO_LAST),
    Departure("left", lambda left, take, who: left + take if who == USER else left - take, "the program adds the user's stones to the pile", "wrong-count", _NO_LAST),
    Departure("left", lambda left, take, who: left + take if who == PROGRAM else left - take, "the program adds its own stones to the pile", "wrong-count", _NO_LAST),
    Departure("left", lambda left, take, who: left - 1 if who == USER else left - take, "the program takes one stone off the pile for each move of the user", "wrong-count", _NO_LAST, "user"),
    Departure("left", lambda left, take, who: left - 1 if who == PROGRAM else left - take, "the program takes one stone off the pile for each move of its own", "wrong-count", _NO_LAST, "program"),
    Departure("left", lambda left, take, who: left - 2 if who == USER else left - take, "the program takes two stones off the pile for each move of the user", "wrong-count", _NO_LAST, "user"),
    Departure("left", lambda left, take, who: left - 2 if who == PROGRAM else left - take, "the program takes two stones off the pile for each move of its own", "wrong-count", _NO_LAST, "program"),
    Departure("more", "accepted", "more stones may be taken than are left", "accepted-too-many"),
)  # fmt: skip
"""The ways in which programs depart from the rules of a pile, beside their moves.

Where the value is a function, it is the rule that they play by instead: ``Custom`` says with which numbers it is asked.
"""


def departures(rules: Rules) -> tuple[Departure, ...]:
    """All known ways in which programs depart from these rules."""
    return (*ROWS, *moves(rules))


def moves(rules: Rules) -> tuple[Departure, ...]:
    """The departures in the moves of the program: other numbers by the remainder of dividing by three, at most what is left, or more."""
    best = tuple(rules.best(3 + remainder) for remainder in range(3))
    triples = [
        *product((1, 2), (1, 2), (1, 2)),
        (0, 1, 1),
        (2, 0, 1),
        (2, 1, 0),
        (2, 0, 0),
        (3, 1, 1),
        (2, 3, 1),
        (2, 1, 3),
    ]
    rows: list[Departure] = []
    for triple, most in product(triples, (True, False)):
        sentence = f"of a pile with remainder 0, 1, 2 by three the program takes {', '.join(map(str, triple))}"
        charge, hides = "", frozenset[str]()
        if 0 in triple:  # who takes no stone has not moved
            sentence = "the program must move, but asks for the next move"
            charge, hides = "wrong-turn", _MOVES | _WINNER
        if (triple, most) != (best, True) and (most or triple[1] > 1):
            rows.append(Departure("moves", (triple, most), sentence, charge, hides))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class Moment:
    """A wait as it is foretold, or the end: what is asked, and what happened since the wait before.

    ``before`` are the stones at the wait before, ``yours`` those that the user took there, 0 if they were refused. ``between`` are the
    stones that the program found. ``ours`` are its moves since, and ``left`` the stones after each of these. ``moves`` are all those of
    the game, each with its player.
    """

    asks: str | Part
    before: int = 0
    yours: int = 0
    between: int = 0
    ours: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    start: int = 0
    moves: tuple[tuple[int, int], ...] = ()
    refused: bool = False

    @property
    def after(self) -> int:
        """How many stones there are now."""
        return self.left[-1] if self.left else self.between

    @property
    def movers(self) -> str:
        """The players who have moved since the wait before."""
        return "U" * bool(self.yours) + "P" * min(len(self.ours), 2) + "E" * (self.asks == OVER)


REFUSED, ACCEPTED, LOST, ENDS, ANEW = "refused", "accepted", "turn-lost", "ends", "anew"
"""The possible effects of a wrong answer. After an accepted one the program or the user begins."""

AS = tuple(f"{ACCEPTED}-{mover}" for mover in (PROGRAM, USER))


@dataclass(frozen=True)
class Custom:
    """The rules that a hypothesis plays by; ``wrong`` is what comes of the first wrong answer, the second one …, and of all behind these."""

    rules: Rules
    changes: Mapping[str, object] = field(default_factory=dict)
    wrong: tuple[str, ...] = (REFUSED,)

    @classmethod
    def of(cls, rules: Rules, departures: Departures) -> Custom:
        """The rules with these departures."""
        return cls(rules, {one.field: one.value for one in departures})

    def _by(self, field: str, right: T, *numbers: int) -> T:
        """The value that a departure in this field makes of these numbers; the ``right`` one without a departure."""
        rule = self.changes.get(field)
        return (
            right if rule is None else cast("Callable[..., T]", rule)(*numbers)
        )  # a type that is built costs as much as the call

    def begins(self, beginner: int) -> int:
        """The player who begins."""
        alone = {NEVER_MOVES.value: USER, ONLY_MOVES.value: PROGRAM}.get(self.changes.get("turn"))
        return self._by("begins", beginner, beginner) if alone is None else alone

    @property
    def _refuses_least(self) -> bool:
        """Whether the least number is refused at every question."""
        return self.changes.get("refused-take") is LEAST.value

    def refuses_first(self, mover: int) -> bool:
        """Whether the answer that lets this player begin is refused."""
        kind = self.changes.get("refused-first")
        return kind in (str(mover), "all") or (mover == PROGRAM and self._refuses_least)

    def refuses_stones(self, stones: int) -> bool:
        """Whether a game of so many stones is refused."""
        kind = self.changes.get("refused-stones")
        return stones < 1 or kind in (str(stones), "all") or (stones == 1 and self._refuses_least)

    def refuses(self, take: int, left: int, start: int) -> bool:
        """Whether the user may not take so many of those that are left, in a game that began with ``start``."""
        more = "more" in self.changes and 1 <= take <= self.rules.most
        return not (more or self.allows(take, left)) or self._by("refused-take", False, take, left, start)

    def allows(self, take: int, left: int) -> bool:
        """Whether the rules allow to take so many."""
        return 1 <= take <= min(self.rules.most, left)

    def is_over(self, left: int, start: int) -> bool:
        """Whether the game is over with so many stones, if it began with ``start``."""
        return self._by("end", left <= 0, left, start)

    def move(self, left: int) -> int:
        """How many stones the program takes of so many."""
        row = self.changes.get("moves")
        if row is None:
            return self.rules.best(left)
        triple, most = cast(Moves, row)
        take = triple[left % 3]
        return min(take, left) if most and left > 0 else take

    def then(self, left: int, take: int, who: int) -> int:
        """How many stones are left after a move."""
        return self._by("left", left - take, left, take, who)

    def next(self, who: int, first: int, take: int) -> int:
        """The player to move after a move."""
        return self._by("turn", 1 - who, who, first, take)


def course(custom: Custom, talk: Talk, answers: Sequence[str], lefts: Sequence[int | None] = ()) -> Iterator[Moment]:
    """Each wait that is foretold where these answers are typed, up to the end of the game or the last answer.

    ``lefts`` are the stones that the program tells before each wait, where its moves are those that it tells.
    """
    texts, wrong, counts = iter(answers), chain(custom.wrong[:-1], repeat(custom.wrong[-1])), iter(lefts)
    stones, beginner, at = talk.pile or 0, USER, 0
    comes = ""
    while at < len(talk.parts):
        part = talk.parts[at]
        next(counts, None)
        yield Moment(part if isinstance(part, Part) else "", refused=comes == REFUSED)
        text = next(texts, None)
        if text is None:
            return
        comes = ""
        if part is Part.STONES:
            number = _number(text)
            comes = next(wrong) if number < 1 else REFUSED if custom.refuses_stones(number) else ""
            stones = stones if comes == REFUSED else number
        elif part is Part.FIRST:
            is_first = text in talk.firsts
            comes = (REFUSED if custom.refuses_first(talk.firsts.index(text)) else "") if is_first else next(wrong)
            beginner = talk.firsts.index(text) if is_first else AS.index(comes) if comes in AS else beginner
        if comes == ENDS:
            yield Moment(OVER)
            return
        at = 0 if comes == ANEW else at + (comes != REFUSED)
    yield from _game(custom, stones, beginner, texts, wrong, counts)


def _game(
    custom: Custom, stones: int, beginner: int, texts: Iterator[str], wrong: Iterator[str], counts: Iterator[int | None]
) -> Iterator[Moment]:
    first = turn = custom.begins(beginner)
    left = before = between = stones
    yours, comes = 0, ""
    moves: list[tuple[int, int]] = []
    while True:
        ours: list[int] = []
        lefts: list[int] = []
        number = next(counts, None)
        while turn == PROGRAM and not custom.is_over(left, stones) and len(ours) < LONGEST:
            take = left - number if number is not None and 0 < left - number <= MOST_TOLD else custom.move(left)
            left = custom.then(left, take, PROGRAM)
            ours.append(take)
            lefts.append(left)
            moves.append((PROGRAM, take))
            turn = custom.next(PROGRAM, first, take)
        over = custom.is_over(left, stones) or comes == ENDS
        asks = OVER if over else TAKE if turn == USER else ENDLESS
        is_refused = comes in (REFUSED, LOST)
        yield Moment(asks, before, yours, between, tuple(ours), tuple(lefts), stones, tuple(moves), is_refused)
        text = next(texts, None)
        if asks != TAKE or text is None:
            return
        before, take = left, _number(text)
        comes = REFUSED if custom.refuses(take, left, stones) else ""
        if comes and not custom.allows(take, left):
            comes = next(wrong)
        yours = 0 if comes in (REFUSED, LOST, ENDS) else take
        if comes in ("", ACCEPTED):
            left = custom.then(left, take, USER)
            moves.append((USER, take))
        if comes not in (REFUSED, ENDS):
            turn = custom.next(USER, first, take)
        between = left


def _number(text: str) -> int:
    return int(text) if text.lstrip("-").isdigit() else 0
