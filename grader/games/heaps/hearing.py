"""The questions and the learned words of one program of heaps, and the events that are heard by them.

Questions are told apart by their last lines, and one that is new is found out by answering it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from types import MappingProxyType

from grader.games import event
from grader.games.event import Acting, Begins, Event, Named, Refused, Score, Shown, Told
from grader.games.heaps.duel import COMPUTER, USER, Duel
from grader.games.heaps.entry import Entry
from grader.games.heaps.facing import AGAIN, COUNT, MOVE, SIZE
from grader.games.heaps.moving import between, less
from grader.games.heaps.telling import LETTERS, Source, Telling, Walks
from grader.games.hear.display import Display, Heaps, beside, lines
from grader.games.hear.names import FAINT, polarity
from grader.games.hear.runs import Answers, Run, Runs
from grader.games.hear.slots import LEVELS, Segment, Slot, key, segments
from grader.games.learn.questions import offered
from grader.values import dataclass

LEAD, END = "lead", "end"
"""Waits beside the questions of a game: for anything before it; and the end of the program."""

YES = ("y", "j", "s", "o", "t", "ja", "yes", "1", "")


@dataclass
class Talk:
    """The questions of one program, by their last lines, and the answers to those before and after games."""

    runs: Runs
    duel: Duel
    entry: Entry
    level: int = LEVELS[0]
    kinds: dict[str, str] = field(default_factory=dict)
    leads: dict[str, str] = field(default_factory=dict)
    yes: str = "y"
    tries: tuple[str, ...] = ()
    """Answers that are tried first for another game."""
    by_trial: dict[tuple[str, int], str] = field(default_factory=dict)
    """The questions that were found out by answering them, each behind so many parts of a move."""

    def key(self, text: str) -> str:
        """The part of a question that is the same each time."""
        return key(beside(text, self.entry.display.slots), self.level)

    def know(self) -> None:
        """Find the questions of the opening and of a first move, by as few last lines as tell them apart, and no fewer than ``level``."""
        duel, entry = self.duel, self.entry
        opening = entry.opening(duel, duel.starts[0])
        parts = entry.manner.takes(0, 1)
        run = self.runs.run((*opening, *parts[:1]) if len(parts) > 1 else opening)
        kinds = [LEAD] * len(entry.lead) + [SIZE] * (len(opening) - len(entry.lead) - len(entry.between))
        kinds += [LEAD] * len(entry.between) + [MOVE] + [COUNT] * (len(parts) - 1)
        for level in LEVELS[LEVELS.index(self.level) :]:
            self.level = level
            pairs = {(self.key(text), kind) for text, kind in zip(run.turns, kinds, strict=False)}
            if len(pairs) == len(dict(pairs)):
                break
        for text, kind, answer in reversed(list(zip(run.turns, kinds, (*opening, "", ""), strict=False))):
            self.kinds[self.key(text)] = kind
            if kind == LEAD:
                self.leads[self.key(text)] = answer

    def kind(self, run: Run, heaps: Heaps, part: str = "", typed: int = 0, *, deep: bool = True) -> str:
        """The kind of question at the end of a run; empty if unknown. ``heaps`` are there then.

        ``typed`` parts of a move were typed before it, from the heap that ``part`` names. If it is ``deep``, a
        question may also be a pause, behind which another is known or found out.
        """
        if run.ending is not None:
            return END
        question = self.key(run.output)
        others = {kind for (key, _), kind in self.by_trial.items() if key == question}
        if question in self.kinds and not others:
            return self.kinds[question]
        if (question, typed) not in self.by_trial:
            kind = self._kind_by_trial(run, heaps, part, typed, deep=deep)
            if not kind:
                return self.kinds.get(question, "")
            self.by_trial[question, typed] = kind
            # “A number from 1 to 3, please: ” asks for a heap once more, or for a number
            self.kinds[question] = kind if others <= {kind} else self.duel.game.repeats or kind
        return self.by_trial[question, typed]

    def _kind_by_trial(self, run: Run, heaps: Heaps, part: str, typed: int, *, deep: bool) -> str:
        at = max(range(len(heaps)), key=lambda heap: heaps[heap], default=0)
        walked = isinstance(self.entry.display, Walks)
        if walked and heaps and self._is_pause(run, heaps):
            self.leads[self.key(run.output)] = ""
            return LEAD
        if heaps and heaps[at] and not walked:  # where walks are made all questions for moves are known
            whole = self.entry.manner.takes(at, 1)
            for kind, parts in ((MOVE, whole), (COUNT, whole[1:])):
                if parts and self._carried_out(run, parts, heaps, at, part if kind == COUNT else ""):
                    return kind
        if not heaps and self.duel.sizes and self._first_kind(self.runs.run((*run.answers, "3"))) in (SIZE, MOVE):
            return SIZE
        for text in dict.fromkeys((*self.tries, "y", *offered(run.output), *YES)):
            after = self.runs.run((*run.answers, text))
            if after.ending is None and self._begins(after):
                self.yes = text
                return AGAIN
        after = self.runs.run((*run.answers, ""))
        if deep and self.key(after.output) != self.key(run.output) and self.kind(after, heaps, part, typed, deep=False):
            self.leads[self.key(run.output)] = ""
            return LEAD
        return ""

    def _is_pause(self, run: Run, heaps: Heaps) -> bool:
        """Whether the game goes on from these heaps behind Enter, or behind one Enter after each player's move."""
        enters = (self.runs.run((*run.answers, *("",) * number)) for number in (1, 2))
        boards = (board for after in enters for board in self.shown(after, after.output, heaps))
        return any(board == heaps or between(heaps, board) for board in boards)

    def _first_kind(self, run: Run) -> str:
        return END if run.ending is not None else self.kinds.get(self.key(run.output), "")

    def _carried_out(self, run: Run, parts: Answers, heaps: Heaps, at: int, part: str) -> bool:
        """Whether these answers take one stone; ``part`` is the heap that was named before, where only a number is typed now."""
        if part and part in self.duel.labels:
            at = self.duel.labels.index(part)
        after = self.runs.run((*run.answers, *parts))
        rest = less(heaps, (at, 1))
        boards = self.shown(after, "\n".join(after.turns[len(run.turns) :]), rest)
        return any(board == rest or between(rest, board) for board in boards)

    def _begins(self, run: Run) -> bool:
        if self.duel.sizes:
            return self._first_kind(run) == SIZE or (self._first_kind(run) == LEAD and self.entry.lead != ())
        start = self.entry.start or self.duel.starts[0]
        boards = self.shown(run, run.output, start)
        if not self.entry.display.slots:
            return self._first_kind(run) in (MOVE, LEAD) and self.key(run.output) != self.key(run.turns[-2])
        return any(board == start or between(start, board) for board in boards)

    def shown(self, run: Run, text: str, rest: Heaps, most: Heaps = ()) -> list[Heaps]:
        """The heaps that a text shows, told or found by walks where a run waits; the user's move left the ``rest``, and no heap held more than in ``most`` before."""
        display = self.entry.display
        if not isinstance(display, Walks):
            return display.shown(text, rest)
        heaps = display.heaps(run, most or rest) if any(rest) else None
        return [] if heaps is None else [heaps]


# --------------------------------------------------------------------------------------------------------------- events


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
            won, named = wording.polarity(quote), wording.named.get(sentence, wording.named.get(segment.wording))
            self._won += won
            self._named.add(named)
            self._end = quote if won or named is not None else self._end
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
