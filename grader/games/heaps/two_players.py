"""How a game of heaps for two players is talked over, found out by trying: what shows the heaps, who is asked, and what refuses.

A program may show its heaps as numbers or as rows of marks, call its players as it likes, and take its heaps by other letters or by
numbers. None of that is looked up in patterns. Moves are tried in a few manners of typing them; the right manner is the one under
which they fall off the heaps that the first text shows. The word that changes from turn to turn names the player who is asked. A refusal is
known by words that nothing but illegal moves brings about. Learning only names things: it never finds a fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.games.event import COMPUTER, USER, Asked, Event, Named, Partly, Refused, Shown
from grader.games.heaps.corrections import Corrections
from grader.games.heaps.duel import Duel, Manner
from grader.games.heaps.entry import find, seen
from grader.games.heaps.facing import MOVE
from grader.games.heaps.hearing import NOTHING, Talk, Wording
from grader.games.heaps.lessons import way_in
from grader.games.hear.display import Display, Heaps, lines
from grader.games.hear.names import named_winner
from grader.games.hear.runs import Runs
from grader.games.hear.slots import segments
from grader.games.learn.questions import last_line
from grader.games.learn.table import digest
from grader.results import Learned, Lesson
from grader.spec.expectations import ENTER
from grader.values import dataclass

_TOKEN, _WORD = re.compile(r"\w+|[^\w\s]"), re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True, slots=True)
class Names(Wording):
    """The learned words of one program: its names of the ``players``, and words of refusal.

    ``asking`` are the words of a question, with an empty one in the place of the player. ``crowns`` are clauses of the end that
    name whoever has won, a sign in the place of the name, and ``ends`` those that are said whoever has won.
    """

    asking: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    crowns: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()

    @property
    def sentence(self) -> str:
        """All that was learned, for a person to check."""
        manner = self.talk.entry.manner
        move = manner.takes(1, 2)[0].removesuffix(ENTER) + " and Enter" * manner.enter
        players = (
            f"the players are {' and '.join(self.players)}" if self.players else "nothing tells which player is asked"
        )
        refusal = f"a refusal says “{self.refusal}”" if self.refusing else "a refusal says nothing"
        return "; ".join((f"B2 is typed as {move}", f"heaps are read from “{self.display.quote}”", players, refusal))

    @property
    def refusal(self) -> str:
        """The words of a refusal, as staff write them."""
        return " ".join(sorted(self.refusing))

    def events(self, text: str, *, ended: bool = False) -> tuple[Event, ...]:
        """The events of a text: the heaps that it shows last, whether it refuses, and who is asked, or else who has won."""
        assert isinstance(self.display, Display), "the heaps are shown"
        blocks, rest = boards(text, self.display)
        words = _TOKEN.findall(rest)
        mover = None if ended else self.player_asked(text)
        counts = seen(text, self.display)
        some = any(count is not None for count in counts)
        return (
            *map(Shown, blocks[-1:]),
            *((Partly(counts),) if some and not blocks else ()),
            *(Refused(quote=word) for word in words if word.casefold() in self.refusing),
            *(Asked(MOVE, player) for player in (mover,) if player is not None),
            *(self._winner(text, ended=ended) if mover is None else ()),
        )

    def question(self, text: str) -> str | None:
        """A move is asked for wherever something is printed."""
        return MOVE if text.strip() else None

    def player_asked(self, text: str) -> int | None:
        """The player whom the end of a text asks; None if it asks nobody."""
        assert isinstance(self.display, Display), "the heaps are shown"
        words = _TOKEN.findall(boards(text, self.display)[1])
        last = words[-len(self.asking) :] if self.asking else ()
        if len(last) != len(self.asking) or not last:
            return None
        other = [word for word, usual in zip(last, self.asking, strict=True) if usual and word != usual]
        name = next(word for word, usual in zip(last, self.asking, strict=True) if not usual)
        return (USER, COMPUTER)[self.players.index(name)] if not other and name in self.players else None

    def _winner(self, text: str, *, ended: bool) -> Iterator[Named]:
        """The winner whom a line names, or the other one, where it names who has lost; else whom a clause does that names each winner.

        None is named where the end says something else: whom that names could not be read.
        """
        names = [name.casefold() for name in self.players]
        winners = (named_winner(names, line) for line in reversed(text.splitlines()))
        crowned = {player for clause, player in self.mentions(text) if clause in self.crowns}
        winner = next((one for one in winners if one is not None), None)
        if winner is not None:
            yield Named((USER, COMPUTER)[winner])
        elif len(crowned) == 1:
            yield Named(crowned.pop())
        elif ended and self.news(text) - self.ends:
            yield Named(None)

    def mentions(self, text: str) -> Iterator[tuple[str, int]]:
        """The clauses of an end that mention one player, a sign in the place of the name, and whom they mention."""
        for clause in self.news(text):
            words = _TOKEN.findall(clause)
            places = [at for at, name in enumerate(self.players) if name.casefold() in words]
            if len(places) == 1:
                name = self.players[places[0]].casefold()
                yield " ".join("*" if word == name else word for word in words), (USER, COMPUTER)[places[0]]

    def news(self, text: str) -> frozenset[str]:
        """The clauses with words in them that are never said within games."""
        new = (one for one in segments(text) if one.skeleton not in self.inner)
        board = (slot.line for slot in self.display.slots)
        lines = {"".join(line.split()) for line in board}
        return frozenset(
            one.text.casefold() for one in new if _WORD.search(one.text) and "".join(one.text.split()) not in lines
        )


def learn(runs: Runs, duel: Duel, corrections: Corrections, *, usual: bool = False) -> Names | None:
    """The words of a program that waits for its first move, with what staff have set; None if nothing comes of any moves.

    ``usual`` says that a program nothing of whose moves comes out is typed moves in the manner of the assignment.
    """
    names = corrections.tried(lambda some: _names(runs, duel, some, usual=usual))
    if names is None:
        return None
    if corrections.players is not None and set(corrections.players) == set(names.players):
        names = replace(names, players=corrections.players)
    elif corrections.players is not None:
        sentence = f"it asks {' and '.join(names.players)}" if names.players else "nothing tells which player is asked"
        corrections.refuse("players", sentence)
    manner = names.talk.entry.manner
    if corrections.refusal is not None and corrections.refusal <= _words_of_refusal(runs, duel, manner):
        names = replace(names, refusing=corrections.refusal)
    elif corrections.refusal is not None:
        corrections.refuse("refusal", "this is not said after an illegal move")
    return names


def lessons(wording: Names, corrections: Corrections) -> Learned:
    """The table of what was learned."""
    players, refusal = wording.players, wording.refusal
    asks = f"the players are {' and '.join(players)}" if players else "nothing tells which player is asked"
    says = "the program says these words only after illegal moves" if refusal else "a refusal says nothing"
    entry, duel = wording.talk.entry, wording.talk.duel
    table = (
        *way_in(entry, duel, wording.talk.runs.run(()).output),
        Lesson("players", " / ".join(players), asks),
        Lesson("refusal", refusal, says, refusal),
    )
    parts = (entry.manner.one_of_last, wording.display.quote, *wording.asking, *sorted(wording.refusing))
    return Learned(table, digest(parts), corrections.unheeded)


def _names(runs: Runs, duel: Duel, corrections: Corrections, *, usual: bool) -> Names | None:
    entry = find(runs, duel, corrections, usual=usual)
    if entry is None:
        return None
    manner, display, playable = entry.manner, entry.display, entry.playable
    assert isinstance(display, Display), "the heaps are shown"
    texts = runs.run([part for heap in _turns(playable, duel) for part in manner.takes(heap, 1)]).turns
    tails = [boards(text, display)[1] for text in texts]
    asking, players = next(filter(all, (_question([*map(last_line, tails)]), _question(tails))), ((), ()))
    refusals = [runs.run(manner.typed(move)) for move in duel.illegal]
    # If no move has an effect, legal ones are refused as well: only the first text is sure to refuse nothing.
    usual_words = {word for text in (texts if playable else texts[:1]) for word in _words(text)}
    unusual = _words_of_refusal(runs, duel, manner) - usual_words
    refusing = frozenset(filter(str.isalnum, unusual)) or unusual  # a mark tells a refusal where no word does
    talk = Talk(runs, duel, entry)
    inner = frozenset(one.skeleton for text in (*texts, *(run.output for run in refusals)) for one in segments(text))
    names = Names(talk, NOTHING, refusing=refusing, asking=asking, players=players, inner=inner)
    return _with_ends(runs, duel, names)


def _turns(playable: Sequence[int], duel: Duel) -> tuple[int, ...]:
    """The heaps of three moves of one thing each: those that can be played, the largest of them last."""
    heaps = playable or range(len(duel.labels))
    return tuple(heaps[min(at, len(heaps) - 1)] for at in range(len(duel.labels)))


def _words_of_refusal(runs: Runs, duel: Duel, manner: Manner) -> frozenset[str]:
    """The words after illegal moves at the start, without those that only repeat what was typed."""
    words: set[str] = set()
    for move in duel.illegal:
        run = runs.run(manner.typed(move))
        echo = "".join(run.answers).casefold()
        words |= {word for word in _words("".join(run.turns[1:])) if word not in echo}
    return frozenset(words)


def _words(text: str) -> set[str]:
    """The words and marks of a text, without numbers, echoed keys and rows of marks."""
    tokens = (word.casefold() for word in _TOKEN.findall(text))
    return {word for word in tokens if not word.isdigit() and (len(set(word)) > 1 or not word.isalnum())}


def _with_ends(runs: Runs, duel: Duel, names: Names) -> Names:
    """The words with what is said at the end of four games: each player wins two."""
    start, manner = duel.starts[0], names.talk.entry.manner
    finals: dict[int, list[str]] = {USER: [], COMPUTER: []}
    for order in (range(len(start)), range(len(start))[::-1]):
        whole = [(heap, start[heap]) for heap in order]
        last, count = whole[-1]
        for moves in (whole, [*whole[:-1], (last, count - 1), (last, 1)]):
            run = runs.run([part for move in moves for part in manner.takes(*move)])
            if run.taken == run.answers and names.player_asked(run.output) is None:
                finals[duel.game.wins((COMPUTER, USER)[len(moves) % 2])].append(run.output)
    right: dict[str, set[int]] = {}
    wrong: set[str] = set()
    for winner, texts in finals.items():
        for clause, player in (mention for text in texts for mention in names.mentions(text)):
            right.setdefault(clause, set()).add(winner)
            wrong |= {clause} if player != winner else set()
    crowns = frozenset(clause for clause, winners in right.items() if len(winners) > 1 and clause not in wrong)
    words = [frozenset().union(*map(names.news, texts)) for texts in finals.values()]
    both = words[0] & words[1]
    return replace(names, crowns=crowns, ends=frozenset(one for one in both if not [*names.mentions(one)]))


def boards(text: str, display: Display) -> tuple[list[Heaps], str]:
    """The boards that a text shows, and the text behind the last of them."""
    blocks = display.boards(text)
    behind = blocks[-1][0] + 1 if blocks else 0
    return [heaps for _, heaps in blocks], "\n".join(lines(text)[behind:])


# --------------------------------------------------------------------------------------------------------- who is asked


def _question(tails: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words with which a question ends, and the two names that take turns in it; nothing if none do."""
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
