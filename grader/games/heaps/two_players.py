"""How a game of heaps for two players is talked over, found out by trying: what shows the heaps, who is asked, and what refuses.

A program may show its heaps as numbers or as rows of marks, call its players as it likes, and take its heaps by other letters or by
numbers. None of that is looked up in patterns. Moves are tried in a few manners of typing them; the right manner is the one under
which they fall off the heaps that the first text shows. Who is asked is the word that changes from turn to turn. A refusal is
known by words that nothing but illegal moves brings about. What is learned only names things: it never finds a fault.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from grader.games.event import COMPUTER, USER, Asked, Event, Named, Refused, Shown
from grader.games.heaps.corrections import Corrections
from grader.games.heaps.duel import Duel
from grader.games.heaps.entry import Entry, tried_manners
from grader.games.heaps.facing import MOVE
from grader.games.heaps.hearing import NOTHING, Wording
from grader.games.heaps.lessons import last_line, way_in
from grader.games.heaps.manner import Manner
from grader.games.heaps.moving import less
from grader.games.heaps.talk import Talk
from grader.games.learn.table import digest
from grader.reading.display import Display, Heaps, displays, lines
from grader.reading.learned import Learned, Lesson
from grader.reading.names import named_winner
from grader.reading.runs import Runs
from grader.spec.expectations import ENTER
from grader.values import dataclass

_TOKEN = re.compile(r"\w+|[^\w\s]")

ENOUGH = 3
"""Test moves, of four, that must fall off the right heaps: a program with a mistake in one heap is still read."""

_MOVES = ((0, 2), (1, 3), (2, 1), (1, 1))


@dataclass(frozen=True, slots=True)
class Names(Wording):
    """The learned words of one program: its names of the ``players``, and words of refusal.

    ``asking`` are the words of a question, with an empty one in the place of the player.
    """

    asking: tuple[str, ...] = ()
    players: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """All that was learned, for a person to check."""
        manner = self.talk.entry.manner
        move = manner.takes(1, 2)[0].removesuffix(ENTER) + " and Enter" * manner.enter
        players = f"the players are {' and '.join(self.players)}" if self.players else "nothing tells who is asked"
        refusal = f"a refusal says “{self.refusal}”" if self.refusing else "a refusal says nothing"
        return "; ".join((f"B2 is typed as {move}", f"heaps are read from “{self.display.quote}”", players, refusal))

    @property
    def refusal(self) -> str:
        """The words of a refusal, as staff write them."""
        return " ".join(sorted(self.refusing))

    def events(self, text: str, *, ended: bool = False) -> tuple[Event, ...]:
        """The events of a text: the heaps that it shows last, whether it refuses, and who is asked, or else who has won."""
        assert isinstance(self.display, Display), "the heaps are shown"
        boards, rest = _boards(text, self.display)
        words = _TOKEN.findall(rest)
        asked = None if ended else self._asked(words)
        winner = self._winner(text) if asked is None else None
        return (
            *map(Shown, boards[-1:]),
            *(Refused(quote=word) for word in words if word.casefold() in self.refusing),
            *(Asked(MOVE, player) for player in (asked,) if player is not None),
            *(Named(player) for player in (winner,) if player is not None),
        )

    def question(self, text: str) -> str | None:
        """A move is asked for wherever something is printed."""
        return MOVE if text.strip() else None

    def _asked(self, words: Sequence[str]) -> int | None:
        last = words[-len(self.asking) :] if self.asking else ()
        if len(last) != len(self.asking) or not last:
            return None
        other = [word for word, known in zip(last, self.asking, strict=True) if known and word != known]
        named = next(word for word, known in zip(last, self.asking, strict=True) if not known)
        return (USER, COMPUTER)[self.players.index(named)] if not other and named in self.players else None

    def _winner(self, text: str) -> int | None:
        """The player whom a line names as the winner, or the other one, where it names who has lost."""
        names = [name.casefold() for name in self.players]
        winners = (named_winner(names, line) for line in reversed(text.splitlines()))
        return next(((USER, COMPUTER)[winner] for winner in winners if winner is not None), None)


def learn(runs: Runs, duel: Duel, given: Corrections) -> Names | None:
    """The words of a program that waits for its first move, with what staff have set; None where no moves fall off any heaps."""
    found = given.tried(lambda some: _learned(runs, duel, some))
    if found is None:
        return None
    if given.players is not None and set(given.players) == set(found.players):
        found = replace(found, players=given.players)
    elif given.players is not None:
        told = f"it asks {' and '.join(found.players)}" if found.players else "nothing tells who is asked"
        given.refuse("players", told)
    manner = found.talk.entry.manner
    if given.refusal is not None and given.refusal <= _refused(runs, duel, manner):
        found = replace(found, refusing=given.refusal)
    elif given.refusal is not None:
        given.refuse("refusal", "this is not said after an illegal move")
    return found


def lessons(wording: Names, given: Corrections) -> Learned:
    """The table of what was learned."""
    players, refusal = wording.players, wording.refusal
    asks = f"the players are {' and '.join(players)}" if players else "nothing tells who is asked"
    says = "these words are said of illegal moves alone" if refusal else "a refusal says nothing"
    entry, duel = wording.talk.entry, wording.talk.duel
    table = (
        *way_in(entry, duel, wording.talk.runs.run(()).output),
        Lesson("players", " / ".join(players), asks),
        Lesson("refusal", refusal, says, refusal),
    )
    said = (entry.manner.one_of_last, wording.display.quote, *wording.asking, *sorted(wording.refusing))
    return Learned(table, digest(said), given.unheeded)


def _learned(runs: Runs, duel: Duel, given: Corrections) -> Names | None:
    begun = runs.run(()).output
    shown = (given.heaps,) if isinstance(given.heaps, Display) else displays(begun, duel.starts[0])
    trials = (
        (_fitting(runs, duel, manner, display), manner, display)
        for display in shown
        for manner in tried_manners(duel, given)
    )
    fitting, manner, display = max(trials, key=lambda trial: trial[0], default=(0, None, None))
    if fitting < ENOUGH or manner is None or display is None:
        return None
    texts = runs.run([part for heap in range(len(duel.labels)) for part in manner.takes(heap, 1)]).turns
    tails = [_boards(text, display)[1] for text in texts]
    asking, players = next(filter(all, (_question([*map(last_line, tails)]), _question(tails))), ((), ()))
    usual = {word for text in texts for word in _words(text)}
    unusual = _refused(runs, duel, manner) - usual
    refusing = frozenset(filter(str.isalnum, unusual)) or unusual  # a mark tells a refusal where no word does
    talk = Talk(runs, duel, Entry((), (), display, manner))
    return Names(talk, NOTHING, refusing=refusing, asking=asking, players=players)


def _fitting(runs: Runs, duel: Duel, manner: Manner, display: Display) -> int:
    """How many of a few legal moves show as they must, each judged by the heaps before it."""
    before, fitting = duel.starts[0], 0
    run = runs.run([part for move in _MOVES for part in manner.takes(*move)])
    for move, text in zip(_MOVES, run.turns[1:], strict=False):
        boards = _boards(text, display)[0]
        if not boards:
            break
        fitting += boards[-1] == less(before, move)
        before = boards[-1]
    return fitting


def _refused(runs: Runs, duel: Duel, manner: Manner) -> frozenset[str]:
    """The words after illegal moves at the start, without those that only repeat what was typed."""
    found: set[str] = set()
    for move in duel.illegal:
        run = runs.run(manner.typed(move))
        typed = "".join(run.answers).casefold()
        found |= {word for word in _words("".join(run.turns[1:])) if word not in typed}
    return frozenset(found)


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
