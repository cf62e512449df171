"""A referee that is told what walks have found: the moves of a computer that neither shows heaps nor tells what it takes.

Only one run of a program can be there at a time, so that no walk is made within a game. What a position is answered with is found
before, or, where it is met for the first time, the game is left there, a walk is made, and the game is played again (``look``). From then
on the program is believed to answer the position alike, until the referee finds a fault: then the heaps before it are walked on the very
path of that game. A program that does not go by the position is left to a person.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Hashable, Iterable
from dataclasses import replace

from grader.games.ground import Ground
from grader.games.heaps.duel import COMPUTER, USER, Board, Event, Refusal, Starts, Told, Turn
from grader.games.heaps.entry import follows
from grader.games.heaps.hearing import Wording
from grader.games.heaps.talk import AGAIN, LEAD, MORE, MOVE, SIZE
from grader.games.heaps.walks import Walks
from grader.games.referee import UNREAD, Fault, Heard, Referee, Ruling
from grader.reading.display import Heaps
from grader.reading.runs import Answers, SpentError
from grader.values import dataclass

MOST_LOOKS = 400
"""So many walks are made at most for positions that are met in games."""

MOST_PAUSES = 3
"""So many pauses may follow a move."""

CONFIRMED = 2
"""So many refusals of one kind must be seen to keep the heaps before that is believed of others."""

_MORE = "something changes from turn to turn that could not be read: it may tell what the computer takes"

_UNKNOWN = "the computer must have moved, and what it took could not be found out"


@dataclass(frozen=True, slots=True)
class Inferred:
    """The state of the referee that speaks, and the heaps beside it.

    ``path`` is all that was typed; up to ``at`` it leads to the last question for a move, at which there were ``heaps``. ``parts`` were
    typed of a move since. ``sizes`` were typed to begin with, and ``won`` is who won the game before.
    """

    inner: Hashable
    path: Answers = ()
    at: Answers = ()
    heaps: Heaps = ()
    parts: Answers = ()
    sizes: Heaps = ()
    won: str = ""


def _inferred(state: Hashable) -> Inferred:
    assert isinstance(state, Inferred)
    return state


class Inferring:
    """What is known of the heaps of one program, and the referee that hears of it.

    ``waits`` are questions for a move that are known already, with the heaps then.
    """

    def __init__(self, referee: Referee, wording: Wording, waits: Iterable[tuple[Answers, Heaps]]) -> None:
        assert isinstance(wording.display, Walks)
        talk = wording.talk
        self._referee, self._talk, self._duel = referee, talk, talk.duel
        self._walks, self._more = wording.display, wording.more
        self._told = {fact.name for fact in self._duel.facts((Told(0, 1),))}
        self._starts = {fact.name for fact in self._duel.facts((Starts(USER),))}
        self._refusal = {fact.name for fact in self._duel.facts((Refusal(),))}
        self._known: dict[Hashable, Heaps | None] = {}
        self._kept: Counter[str] = Counter()
        self._wanted: tuple[Hashable, Answers, Heaps] | None = None
        self._doubts: list[tuple[Answers, Heaps]] = []
        self._kinds: set[str] = set()
        self._sure: set[Answers] = set()
        self._varies = False
        self._left = MOST_LOOKS
        if not self._duel.sizes:
            self._prepare(waits)

    def referee(self) -> Referee:
        """That referee."""
        inner = self._referee
        return replace(
            inner,
            starts=tuple(Inferred(start) for start in inner.starts),
            hear=self._hear,
            answers=lambda state, question: inner.answers(_inferred(state).inner, question),
            answer=self._answer,
            last_words=lambda state, heard: self._around(
                _inferred(state), inner.last_words(_inferred(state).inner, heard)
            ),
            due=lambda state: inner.due(_inferred(state).inner),
            position=lambda state: inner.position(_inferred(state).inner),
            silence=lambda state: inner.silence(_inferred(state).inner),
            across=lambda states: inner.across([_inferred(state).inner for state in states]),
            ground=inner.ground and self._ground(inner.ground),
        )

    def _ground(self, ground: Ground) -> Ground:
        return replace(
            ground,
            place=lambda state, question: ground.place(_inferred(state).inner, question),
            typed=lambda state, question, aim: ground.typed(_inferred(state).inner, question, aim),
        )

    # ---------------------------------------------------------------------------------------------------- before games

    def _prepare(self, waits: Iterable[tuple[Answers, Heaps]]) -> None:
        """Find what each position is answered with that can be reached from these, on a short way."""
        todo = deque(sorted(waits, key=lambda wait: len(wait[0])))
        try:
            while todo:
                answers, heaps = todo.popleft()
                for left, parts in self._moves(heaps):
                    if any(left) and ("left", left) not in self._known:
                        path = self._settled((*answers, *parts))
                        now = self._known["left", left] = self._walked(path, left)
                        if now is not None and any(now):
                            todo.append((path, now))
        except SpentError:
            return

    def _settled(self, path: Answers) -> Answers:
        """A path, and on through the pauses behind it."""
        for _ in range(MOST_PAUSES):
            run = self._talk.runs.run(path)
            asked = self._talk.key(run.output)
            if run.ending is not None or self._talk.kinds.get(asked) != LEAD:
                break
            path = (*path, self._talk.leads[asked])
        return path

    def _moves(self, heaps: Heaps) -> Iterable[tuple[Heaps, Answers]]:
        """What each legal move leaves, and how it is typed."""
        manner, duel = self._walks.manner, self._duel
        for heap, n in enumerate(heaps):
            for count in range(1, n + 1):
                left = tuple(m - count if at == heap else m for at, m in enumerate(heaps))
                yield left, manner.typed((duel.labels[heap], str(count)), duel.labels)

    def _walked(self, path: Answers, most: Heaps) -> Heaps | None:
        """The heaps by walks behind a path; none are left where the game is over, and None where nothing could be found."""
        run = self._talk.runs.run(path)
        kind = self._talk.kinds.get(self._talk.key(run.output), "") if run.ending is None else ""
        if kind == AGAIN and sum(map(bool, most)) == 1:
            return tuple(0 for _ in most)
        found = self._walks.heaps(run, most)
        if found is not None:
            self._sure.add(path)
        return found

    # -------------------------------------------------------------------------------------------------- between games

    def look(self) -> bool:
        """Find out what was missing in the last game, and try what was only believed; whether the game must be played again."""
        wanted, doubts = self._wanted, self._doubts
        self._wanted, self._doubts = None, []
        try:
            if any(self._walked(path, heaps) != heaps for path, heaps in doubts if path not in self._sure):
                self._varies = True
                return True
            if wanted is None or self._varies or not self._left:
                return False
            self._left -= 1
            key, path, most = wanted
            self._known[key] = self._walked(path, most)
        except SpentError:
            self._left = 0
            return False
        return self._known[key] is not None

    # --------------------------------------------------------------------------------------------------------- hearing

    def _hear(self, state: Hashable, heard: Heard) -> Ruling:
        before, question = _inferred(state), heard.question or ""
        whole = question == MOVE or (question == MORE and len(before.parts) > 1)
        if not whole and not heard.ended and question != AGAIN:
            return self._around(before, self._referee.hear(before.inner, heard))
        after = replace(before, parts=before.parts[:1] if question == MORE else ())
        events: tuple[Event, ...]
        if question == MOVE:
            now = None if self._varies else self._now(before, heard)
            if now is None:
                return Ruling(before, (Fault(UNREAD, _UNKNOWN, stops=True),))
            events, after = self._events(before, now), replace(after, at=before.path, heaps=now)
        elif question == MORE:
            events, now = (), before.heaps
        else:
            events, after = self._last(before), replace(after, heaps=(), sizes=(), won=self._winner(before))
        heard, untold = self._told_as(heard, events, of_turn=question == MOVE)
        ruling = self._around(after, self._referee.hear(before.inner, heard))
        kinds = {fault.kind for fault in ruling.faults} - {UNREAD}
        if not kinds <= self._kinds:  # a kind is charged once: the first of its faults must rest on no mere belief
            self._kinds |= kinds
            self._doubts += [(one.at, one.heaps) for one in (before, after) if any(one.heaps)]
        return replace(ruling, faults=(*ruling.faults, *untold))

    def _around(self, state: Inferred, ruling: Ruling) -> Ruling:
        return replace(ruling, state=replace(state, inner=ruling.state))

    def _now(self, state: Inferred, heard: Heard) -> Heaps | None:
        """The heaps at a question for a move; None where they are not known yet, which is noted."""
        if not state.heaps:
            if state.sizes:
                return state.sizes
            return self._found(("begins", state.won), state.path, self._duel.starts[0])
        left = self._left_of(state)
        if left is not None:
            return self._found(("left", left), state.path, state.heaps)
        kind = self._kind(state.parts)
        refused = any(fact.name in self._refusal for fact in heard.facts)
        if refused and self._kept[kind] >= CONFIRMED:
            return state.heaps
        now = self._found(("wrong", state.heaps, state.parts), state.path, state.heaps)
        self._kept[kind] += now == state.heaps
        return now

    def _found(self, key: Hashable, path: Answers, most: Heaps) -> Heaps | None:
        if key not in self._known:
            self._wanted = key, path, most
        return self._known.get(key)

    def _left_of(self, state: Inferred) -> Heaps | None:
        """What the move that was typed leaves; None where it was not legal."""
        typed = tuple(part.casefold() for part in state.parts)
        texts = ((left, tuple(part.casefold() for part in parts)) for left, parts in self._moves(state.heaps))
        return next((left for left, parts in texts if parts == typed), None)

    def _kind(self, parts: Answers) -> str:
        """What is wrong with an answer, roughly: the heap, or the number by its sign."""
        labels = self._walks.manner.labels.casefold()
        known = ("@" if part.casefold() in labels else re.sub(r"[1-9]\d*", "9", part.casefold()) for part in parts)
        return " ".join(re.sub(f"[{labels}]", "@", part) if part[:1].isalpha() else part for part in known)

    def _events(self, state: Inferred, now: Heaps) -> tuple[Event, ...]:
        """What happened up to a question for a move, as a program says it that shows and tells."""
        if not state.heaps:
            return self._move(state.sizes or self._duel.starts[0], now)
        left = self._left_of(state)
        if left == now:  # it is the computer's turn, and the heaps stay
            return Board(now), Turn(), Board(now)
        if left is not None or now == state.heaps:
            return self._move(left or state.heaps, now)
        return self._move(state.heaps, now) or (Board(now),)

    def _move(self, before: Heaps, now: Heaps) -> tuple[Event, ...]:
        if not follows(before, now):
            return ()
        at = next(heap for heap, n in enumerate(before) if n != now[heap])
        return (Told(at, before[at] - now[at]),)

    def _last(self, state: Inferred) -> tuple[Event, ...]:
        """The computer's last move of a game: what was left must have been one heap."""
        left = self._left_of(state) if state.parts and state.heaps else None
        single = left is not None and sum(map(bool, left)) == 1
        return self._move(left, tuple(0 for _ in left)) if left is not None and single else ()

    def _winner(self, state: Inferred) -> str:
        if not state.heaps or not state.parts:
            return state.won
        return COMPUTER if any(self._left_of(state) or state.heaps) else USER

    def _told_as(self, heard: Heard, events: tuple[Event, ...], *, of_turn: bool) -> tuple[Heard, tuple[Fault, ...]]:
        """What was heard with the facts of the events, and the fault that no text tells them."""
        duel = self._duel
        move = next((event for event in events if isinstance(event, Told)), None)
        if move is None or not any(fact.name in self._told for fact in heard.facts):
            begun = tuple(fact for fact in heard.facts if fact.name in self._starts)
            others = tuple(fact for fact in heard.facts if fact.name not in self._starts)
            heard = replace(heard, facts=(*begun, *duel.facts(events), *others))
            took = f"the computer took {move.count} from heap {duel.labels[move.heap].upper()}" if move else ""
            shows = f"what it accepts and refuses shows that {took}, and no text tells it"
            untold = Fault(UNREAD, _MORE, about=(duel.untold,)) if self._more else Fault(duel.untold, shows)
            return heard, (untold,) if move and of_turn and duel.untold else ()
        said = [fact.values for fact in heard.facts if fact.name in self._told]
        if dict(said[-1]) == dict(duel.facts((move,))[0].values):
            return heard, ()
        return replace(heard, facts=(*(f for f in heard.facts if f.name not in self._told), *duel.facts(events))), ()

    # ------------------------------------------------------------------------------------------------------- answering

    def _answer(self, state: Hashable, question: str, text: str) -> Inferred:
        before = _inferred(state)
        after = replace(before, inner=self._referee.answer(before.inner, question, text), path=(*before.path, text))
        if question == SIZE:
            return replace(after, sizes=(*before.sizes, int(text)) if int(text) > 0 else before.sizes)
        if question in (MOVE, MORE):
            return replace(after, parts=(text,) if question == MOVE else (*before.parts[:1], text))
        return after
