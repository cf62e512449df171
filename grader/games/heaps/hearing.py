"""The learned words of one program of heaps, and the events that are heard by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from types import MappingProxyType

from grader.games import event
from grader.games.event import Acting, Begins, Event, Named, Refused, Score, Shown, Told
from grader.games.heaps.duel import COMPUTER, USER
from grader.games.heaps.talk import Talk
from grader.games.heaps.telling import LETTERS, Source, Telling
from grader.games.heaps.walks import Walks
from grader.games.hear.display import Display, beside, lines
from grader.games.hear.names import FAINT, polarity
from grader.games.hear.slots import Segment, Slot, segments
from grader.values import dataclass

NOTHING: Mapping[str, str] = MappingProxyType({})

PLAYERS = {USER: event.USER, COMPUTER: event.COMPUTER}
"""The players of events, as words know them."""


@dataclass(frozen=True, slots=True)
class Wording:
    """All that was learned of the words of one program.

    ``names`` is what it may call the players. ``tellings`` are the places where the computer’s moves are told, a heap and a number
    each; ``turn`` are sentences that come with each of them. ``starts`` has sentences that say who begins, ``scores`` the places
    for the wins of the user and the computer, and ``refusing`` sentences that are said of illegal answers alone.
    """

    talk: Talk
    names: Mapping[str, str]
    tellings: tuple[tuple[Source, Source], ...] = ()
    turn: frozenset[str] = frozenset()
    starts: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    scores: tuple[Slot, Slot] | tuple[()] = ()
    faint: bool = False
    """Whether it tells the winner apart that somebody is said to win, or to lose, without a word for whom."""
    inner: frozenset[str] = frozenset()
    """Sentences in the middle of games."""
    named: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """Sentences that are said of one winner alone, and whom they name, empty if that could not be read."""
    refusing: frozenset[str] = frozenset()
    wins: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """Sentences that name a winner, as staff have set them."""
    more: bool = False
    """Whether something changes from turn to turn that could not be read, while no heaps are read: it may show them."""

    def of_end(self, segment: Segment) -> bool:
        """Whether a sentence is never said within games, and is no score; “You cannot lose what you never had” may be a refusal."""
        within = segment.skeleton in self.inner or segment.skeleton in self.refusing
        return not within and not any(slot in self.scores for slot, _ in segment.slots())

    def polarity(self, text: str) -> float:
        """How much a sentence says that the user has won; below 0 that the computer did."""
        score = polarity(text.replace("-", " "), self.names) or 0.0
        return score if abs(score) > FAINT or self.faint else 0.0

    def whom(self, text: str) -> str:
        """The winner that a text names, as it is understood; empty if it names nobody."""
        ear = _Ear(self)
        for segment in segments(text):
            ear.hear(segment)
        winner = next((one.player for one in ear.all() if isinstance(one, Named)), None)
        return next((player for player, number in PLAYERS.items() if number == winner), "")

    @property
    def sentence(self) -> str:
        """All that was learned, in one sentence for a person."""
        move = " and then ".join(self.talk.entry.manner.takes(1, 2))
        parts = [f"two from the second heap are typed as {move}", f"heaps are read from “{self.display.quote}”"]
        if self.tellings:
            parts.append(f"the computer’s move from “{self.tellings[0][1].skeleton}”")
        if self.refusing:
            parts.append(f"a refusal says “{min(self.refusing)}”")
        return "; ".join(parts)

    @property
    def display(self) -> Display | Telling | Walks:
        """The place that shows the heaps."""
        return self.talk.entry.display

    def events(self, text: str, *, ended: bool = False) -> tuple[Event, ...]:
        """The events of a text, in its order; ``ended`` says that the program ends with it."""
        boards = dict(self.display.boards(text))
        ear = _Ear(self, ended=ended)
        for number, line in enumerate(lines(text)):
            for segment in segments(beside(line, self.display.slots)):
                ear.hear(segment)
            if number in boards:
                ear.events.append(Shown(boards[number]))
        return ear.all()

    def question(self, text: str) -> str | None:
        """The question at the end of a text, as far as it is known."""
        return self.talk.kinds.get(self.talk.key(text))


class _Ear:
    """Hears the sentences of one text."""

    def __init__(self, wording: Wording, *, ended: bool = False) -> None:
        self._wording, self._ended = wording, ended
        self.events: list[Event] = []
        self._heap: int | None = None
        self._scores: dict[int, int] = {}
        self._won = 0.0
        self._named: set[str | None] = set()
        self._set: set[str] = set()
        self._refusal: tuple[Refused, ...] = ()
        self._end = ""

    def hear(self, segment: Segment) -> None:
        """One sentence."""
        wording, sentence, quote = self._wording, segment.text.casefold(), segment.text
        starter = wording.starts.get(sentence) or wording.starts.get(segment.wording)
        if starter:
            self.events.append(Begins(PLAYERS[starter], quote=quote))
        if segment.skeleton in wording.turn and Acting() not in self.events:
            self.events.append(Acting(quote=quote))
        if segment.skeleton in wording.refusing:
            self._refusal = (Refused(quote=quote),)
        for where, count in wording.tellings:
            at, amount = where.value(segment, LETTERS), count.value(segment, LETTERS)
            self._heap = self._heap if at is None else at
            if amount is not None and self._heap is not None:
                self.events.append(Told(self._heap, amount, quote=quote))
                self._heap = None
        values = dict(segment.slots())
        self._scores |= {side: values[slot] for side, slot in enumerate(wording.scores) if slot in values}
        if sentence in wording.wins:
            self._set.add(wording.wins[sentence])
        elif wording.of_end(segment) or sentence in wording.named:
            self._won += wording.polarity(quote)
            self._named.add(wording.named.get(sentence))
            self._end = quote
        elif self._ended and polarity(quote) is not None:
            # A computer that cheats leaves no game to learn from who wins: “Leider verloren” was charged for naming nobody.
            self._named.add("")
            self._end = quote

    def all(self) -> tuple[Event, ...]:
        """All that was heard; what is said of the end stands last."""
        wins = [self._scores[side] for side in sorted(self._scores)]
        score = map(Score, PLAYERS.values(), wins) if len(wins) > 1 else ()
        return (*self.events, *self._refusal, *self._winner(), *score)

    def _winner(self) -> Iterator[Named]:
        names = self._named - {None}
        if len(self._set) == 1:
            yield Named(PLAYERS[next(iter(self._set))])
        elif self._won:
            yield Named(PLAYERS[USER if self._won > 0 else COMPUTER], quote=self._end)
        elif names:
            players = {who for who in names if who}
            yield Named(PLAYERS[players.pop()] if len(players) == 1 else None, quote=self._end)
