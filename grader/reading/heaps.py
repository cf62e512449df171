"""How a game of three heaps for two players is talked over, found out by trying: how a move is typed, and what shows what.

A program may show its heaps as numbers or as rows of marks, call its players as it likes, and take its heaps by other letters or by
numbers. None of that is looked up in patterns. Moves are tried in a few manners of typing them; the right manner is the one under
which they fall off the heaps that the first text shows. Who is asked is the word that changes from turn to turn. A refusal is
known by words that nothing but illegal moves brings about. What is learned only names things: it never finds a fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from grader.reading.display import Display, Heaps, displays, lines
from grader.reading.names import named_winner
from grader.sessions.session import Forking, Session
from grader.spec.expectations import ENTER
from grader.transcript import Ending, decode
from grader.values import dataclass

_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Manner:
    """How a move is typed: the characters that stand for the heaps, whether the number comes before them, and Enter behind."""

    heaps: str
    count_first: bool = False
    enter: bool = False

    def typed(self, move: str) -> str:
        """A move of the assignment, such as ``B2``, as this program takes it; what is wrong there is wrong here, too."""
        heap, count = self._swapped(move[:1]), move[1:]
        return (count + heap if self.count_first else heap + count) + ENTER * self.enter

    def meant(self, typed: str) -> str:
        """The move of the assignment that was typed."""
        typed = typed.removesuffix(ENTER)
        heap, count = (typed[-1:], typed[:-1]) if self.count_first else (typed[:1], typed[1:])
        return self._swapped(heap) + count

    def _swapped(self, heap: str) -> str:
        """The assignment's letter for this program's and the other way round; with those beside them, which are wrong in both."""
        ours = "@ABCD"
        theirs = "".join(map(chr, range(ord(self.heaps[0]) - 1, ord(self.heaps[-1]) + 2)))
        swap = {**dict(zip(theirs, ours, strict=True)), **dict(zip(ours, theirs, strict=True))}
        return swap.get(heap, heap)


MANNERS = tuple(
    Manner(heaps, first, enter)
    for enter in (False, True)
    for first in (False, True)
    for heaps in ("ABC", "123", "abc", "012")
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What one text shows: the heaps, who is asked and who has won (0 and 1), None where it is not shown, and whether it refuses."""

    heaps: Heaps | None = None
    asked: int | None = None
    winner: int | None = None
    refuses: bool = False


@dataclass(frozen=True, slots=True)
class Wording:
    """What was learned of one program: the manner of its moves, its slots, its names of the players, its words of refusal."""

    manner: Manner
    display: Display
    question: tuple[str, ...] = ()
    """The words of a question, with an empty one in the place of the player."""
    players: tuple[str, ...] = ()
    refusing: frozenset[str] = frozenset()

    @property
    def sentence(self) -> str:
        """What was learned, for a person to check."""
        enter = " and Enter" if self.manner.enter else ""
        parts = [f"B2 is typed as {self.manner.typed('B2').removesuffix(ENTER)}{enter}"]
        parts.append(f"heaps are read from “{self.display.quote}”")
        parts.append(f"the players are {' and '.join(self.players)}" if self.players else "nothing tells who is asked")
        parts.append(
            f"a refusal says “{' '.join(sorted(self.refusing))}”" if self.refusing else "a refusal says nothing"
        )
        return "; ".join(parts)

    def read(self, text: str, *, ended: bool) -> Seen:
        """What a text shows."""
        boards, rest = _boards(text, self.display)
        words = tuple(_TOKEN.findall(rest))
        asked = None if ended else self._asked(words)
        winner = self._winner(text) if asked is None else None
        refuses = any(word.casefold() in self.refusing for word in words)
        return Seen(boards[-1] if boards else None, asked, winner, refuses)

    def _asked(self, words: Sequence[str]) -> int | None:
        last = words[-len(self.question) :] if self.question else ()
        if len(last) != len(self.question) or not last:
            return None
        other = [word for word, known in zip(last, self.question, strict=True) if known and word != known]
        named = next(word for word, known in zip(last, self.question, strict=True) if not known)
        return self.players.index(named) if not other and named in self.players else None

    def _winner(self, text: str) -> int | None:
        """The player whom a line names as the winner, or the other one, where it names who has lost."""
        names = [name.casefold() for name in self.players]
        winners = (named_winner(names, line) for line in reversed(text.splitlines()))
        return next((winner for winner in winners if winner is not None), None)


def learn(
    session: Forking,
    start: Heaps,
    illegal: Iterable[str],
    manners: Sequence[Manner] = MANNERS,
    display: Display | None = None,
) -> Wording | None:
    """What can be learned of a program that waits for its first move; None where no manner of typing moves fits.

    ``illegal`` are moves of the assignment that must be refused at the start, of several kinds. Of manners these are tried, and the
    heaps are read by that display, where there is one.
    """
    begun = opening(session)
    trials = (
        (_fitting(session, manner, shown, start), manner, shown)
        for shown in (displays(begun, start) if display is None else (display,))
        for manner in manners
    )
    best = max(trials, key=lambda trial: trial[0], default=None)
    if best is None or best[0] < ENOUGH:
        return None
    _, manner, display = best
    texts = [begun, *(text for text, _ in _played(session, manner, ("A1", "B1", "C1")))]
    tails = [_boards(text, display)[1] for text in texts]
    question, players = next(filter(all, (_question([*map(_last_line, tails)]), _question(tails))), ((), ()))
    usual = {word for text in texts for word in _words(text)}
    unusual = frozenset[str]().union(*(words(session, manner, move) for move in illegal)) - usual
    refusing = frozenset(filter(str.isalnum, unusual))
    return Wording(manner, display, question, players, refusing or unusual)  # a mark tells a refusal where no word does


ENOUGH = 3
"""So many of four moves must fall off the right heaps: a program with a mistake in one heap is still read."""

_MOVES = ("A2", "B3", "C1", "B1")


def _fitting(session: Forking, manner: Manner, display: Display, start: Heaps) -> int:
    """How many of a few legal moves show as they must, each judged by the heaps before it."""
    before, fitting = start, 0
    for move, (text, _) in zip(_MOVES, _played(session, manner, _MOVES), strict=False):
        boards, _rest = _boards(text, display)
        if not boards:
            break
        heap = "ABC".index(move[0])
        fitting += boards[-1] == tuple(n - int(move[1]) if at == heap else n for at, n in enumerate(before))
        before = boards[-1]
    return fitting


def _played(session: Forking, manner: Manner, moves: Iterable[str]) -> Iterator[tuple[str, Ending | None]]:
    """What a program says after each of these moves, typed into a fork."""
    twin = session.fork()
    for move in moves:
        twin.send(manner.typed(move))
        text, ending = _said(twin)
        yield text, ending
        if ending is not None:
            return


def _said(session: Session) -> tuple[str, Ending | None]:
    ending = session.advance()
    return decode(session.take_output()), ending


def opening(session: Session) -> str:
    """What a program says up to its first question."""
    return _said(session)[0]


def words(session: Forking, manner: Manner, move: str) -> set[str]:
    """The words after a move at the start, without those that only repeat it."""
    typed = manner.typed(move)
    said = "".join(text for text, _ in _played(session, manner, (move,)))
    return {word for word in _words(said) if word not in typed.casefold()}


def _words(text: str) -> set[str]:
    """The words and marks of a text, without numbers, echoed keys and rows of marks."""
    found = (word.casefold() for word in _TOKEN.findall(text))
    return {word for word in found if not word.isdigit() and (len(set(word)) > 1 or not word.isalnum())}


def _boards(text: str, display: Display) -> tuple[list[Heaps], str]:
    """The boards that a text shows, and the text behind the last of them."""
    boards = display.boards(text)
    behind = boards[-1][0] + 1 if boards else 0
    return [heaps for _, heaps in boards], "\n".join(lines(text)[behind:])


# --------------------------------------------------------------------------------------------------------- who is asked


def _last_line(text: str) -> str:
    """The last line that says something: what stands before it, such as a frame, need not come with each question."""
    return next((line for line in reversed(text.splitlines()) if _TOKEN.search(line)), "")


def _question(tails: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words with which a question ends, and the two names that take turns in it; nothing where none do."""
    first, second, third, fourth = (tuple(_TOKEN.findall(tail)) for tail in (*tails, "", "", "", "")[:4])
    size = min(len(first), len(second), len(third))
    if not size or fourth[-size:] != second[-size:]:
        return (), ()
    one, two, again = (words[-size:] for words in (first, second, third))
    turning = [at for at in range(size) if one[at] != two[at]]
    if one != again or len(turning) != 1:
        return (), ()
    at = turning[0]
    return (*one[:at], "", *one[at + 1 :]), (one[at], two[at])
