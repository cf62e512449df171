"""A referee that is told what walks have found: the moves of a computer that neither shows heaps nor tells what it takes.

Only one run of a program can be there at a time, so that no walk is made within a game. The answer of the computer to a position is found
before. A game that comes to a new position is left there, a walk is made, and the game is played again (``look``). From then on the
program is believed to answer the position alike. When the referee finds a fault, the heaps before it are walked on the very path of that
game. A program that does not go by the position is left to a person.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import NamedTuple, cast

from grader.games.event import Acting, Begins, Event, Refused, Shown, Told
from grader.games.heaps.duel import COMPUTER, USER
from grader.games.heaps.facing import AGAIN, COUNT, MOVE, SIZE, State
from grader.games.heaps.hearing import LEAD, Wording
from grader.games.heaps.moving import between, legal, less
from grader.games.heaps.telling import Walks
from grader.games.hear.display import Heaps
from grader.games.hear.runs import Answers, SpentError
from grader.games.referee import UNREAD, Fault, Heard, Referee, Ruling

MOST_LOOKS = 400
"""Maximum walks for positions that are met in games."""

MOST_PAUSES = 3
"""Maximum pauses behind a move."""

CONFIRMED = 2
"""Refusals of one kind that must be seen to keep the heaps before that is believed of others."""

_MORE = "a text that we could not read changes from turn to turn; it may tell what the computer takes"

_UNKNOWN = "the computer must have moved, but we could not find out what it took"


class Walked(NamedTuple):
    """Heaps that are neither shown nor told, as far as walks found them.

    ``path`` is all that was typed; up to ``at`` it leads to the last question for a move, at which there were ``heaps``. ``parts`` were
    typed of a move since. ``sizes`` were typed to begin with, and ``won`` is who won the game before.
    """

    path: Answers = ()
    at: Answers = ()
    heaps: Heaps = ()
    parts: Answers = ()
    sizes: Heaps = ()
    won: str = ""


NOTHING = Walked()


class Inferring:
    """The known positions of one program, and the referee that hears of it.

    ``waits`` are questions for a move that are known already, with the heaps then.
    """

    def __init__(self, referee: Referee, wording: Wording, waits: Iterable[tuple[Answers, Heaps]]) -> None:
        assert isinstance(wording.display, Walks)
        talk = wording.talk
        self._referee, self._talk, self._duel = referee, talk, talk.duel
        self._walks, self._more = wording.display, wording.more
        self._known: dict[Hashable, Heaps | None] = {}
        self._kept: Counter[str] = Counter()
        self._aim: tuple[Hashable, Answers, Heaps] | None = None
        self._doubts: list[tuple[Answers, Heaps]] = []
        self._kinds: set[str] = set()
        self._sure: set[Answers] = set()
        self._varies = False
        self._budget = MOST_LOOKS
        if not self._duel.sizes:
            self._prepare(waits)

    def referee(self) -> Referee:
        """That referee."""
        return replace(self._referee, hear=self._hear, answer=self._answer)

    # ---------------------------------------------------------------------------------------------------- before games

    def _prepare(self, waits: Iterable[tuple[Answers, Heaps]]) -> None:
        """Find what each position is answered with that can be reached from these, on a short way."""
        todo = deque(sorted(waits, key=lambda wait: len(wait[0])))
        try:
            while todo:
                answers, heaps = todo.popleft()
                for rest, parts in self._moves(heaps):
                    if any(rest) and ("left", rest) not in self._known:
                        path = self._settled((*answers, *parts))
                        now = self._known["left", rest] = self._walked(path, rest)
                        if now is not None and any(now):
                            todo.append((path, now))
        except SpentError:
            return

    def _settled(self, path: Answers) -> Answers:
        """A path, and on through the pauses behind it."""
        for _ in range(MOST_PAUSES):
            run = self._talk.runs.run(path)
            question = self._talk.key(run.output)
            if run.ending is not None or self._talk.kinds.get(question) != LEAD:
                break
            path = (*path, self._talk.leads[question])
        return path

    def _moves(self, heaps: Heaps) -> Iterable[tuple[Heaps, Answers]]:
        """The heaps that each legal move leaves, and how it is typed."""
        for move in legal(heaps):
            yield less(heaps, move), self._walks.manner.takes(*move)

    def _walked(self, path: Answers, most: Heaps) -> Heaps | None:
        """The heaps by walks behind a path; none are left where the game is over, and None if nothing could be found."""
        run = self._talk.runs.run(path)
        kind = self._talk.kinds.get(self._talk.key(run.output), "") if run.ending is None else ""
        if kind == AGAIN and sum(map(bool, most)) == 1:
            return tuple(0 for _ in most)
        heaps = self._walks.heaps(run, most)
        if heaps is not None:
            self._sure.add(path)
        return heaps

    # -------------------------------------------------------------------------------------------------- between games

    def look(self) -> bool:
        """Find out what was missing in the last game, and try what was only believed; whether the game must be played again."""
        aim, doubts = self._aim, self._doubts
        self._aim, self._doubts = None, []
        try:
            if any(self._walked(path, heaps) != heaps for path, heaps in doubts if path not in self._sure):
                self._varies = True
                return True
            if aim is None or self._varies or not self._budget:
                return False
            self._budget -= 1
            key, path, most = aim
            self._known[key] = self._walked(path, most)
        except SpentError:
            self._budget = 0
            return False
        return self._known[key] is not None

    # --------------------------------------------------------------------------------------------------------- hearing

    def _hear(self, state: Hashable, heard: Heard) -> Ruling:
        before, question = _beside(state), heard.question or ""
        whole = question == MOVE or (question == COUNT and len(before.parts) > 1)
        if not whole and not heard.ended and question != AGAIN:
            return _with(before, self._referee.hear(state, heard))
        after = before._replace(parts=before.parts[:1] if question == COUNT else ())
        events: tuple[Event, ...] = ()
        if question == MOVE:
            now = None if self._varies else self._now(before, heard)
            if now is None:
                return Ruling(state, (Fault(UNREAD, _UNKNOWN, stops=True),))
            events, after = self._events(before, now), after._replace(at=before.path, heaps=now)
        elif question != COUNT:
            events, after = self._last(before), after._replace(heaps=(), sizes=(), won=self._winner(before))
        heard, untold = self._with_claims(heard, events, of_turn=question == MOVE)
        ruling = _with(after, self._referee.hear(state, heard))
        kinds = {fault.kind for fault in ruling.faults} - {UNREAD}
        if not kinds <= self._kinds:  # a kind is charged once: the first of its faults must rest on no mere belief
            self._kinds |= kinds
            self._doubts += [(one.at, one.heaps) for one in (before, after) if any(one.heaps)]
        return replace(ruling, faults=(*ruling.faults, *untold))

    def _now(self, state: Walked, heard: Heard) -> Heaps | None:
        """The heaps at a question for a move; None if they are not known yet, which is noted."""
        if not state.heaps:
            if state.sizes:
                return state.sizes
            return self._heaps_at(("begins", state.won), state.path, self._duel.starts[0])
        rest = self._left_of(state)
        if rest is not None:
            return self._heaps_at(("left", rest), state.path, state.heaps)
        kind = self._kind(state.parts)
        is_refused = Refused() in heard.events
        if is_refused and self._kept[kind] >= CONFIRMED:
            return state.heaps
        now = self._heaps_at(("wrong", state.heaps, state.parts), state.path, state.heaps)
        self._kept[kind] += now == state.heaps
        return now

    def _heaps_at(self, key: Hashable, path: Answers, most: Heaps) -> Heaps | None:
        if key not in self._known:
            self._aim = key, path, most
        return self._known.get(key)

    def _left_of(self, state: Walked) -> Heaps | None:
        """The heaps that the typed move leaves; None if it was not legal."""
        answer = tuple(part.casefold() for part in state.parts)
        texts = ((rest, tuple(part.casefold() for part in parts)) for rest, parts in self._moves(state.heaps))
        return next((rest for rest, parts in texts if parts == answer), None)

    def _kind(self, parts: Answers) -> str:
        """The kind of mistake in an answer, roughly: the heap, or the number by its sign."""
        labels = self._walks.manner.labels.casefold()
        signs = ("@" if part.casefold() in labels else re.sub(r"[1-9]\d*", "9", part.casefold()) for part in parts)
        return " ".join(re.sub(f"[{labels}]", "@", part) if part[:1].isalpha() else part for part in signs)

    def _events(self, state: Walked, now: Heaps) -> tuple[Event, ...]:
        """The events up to a question for a move, as a program states them that shows and tells."""
        if not state.heaps:
            return self._move(state.sizes or self._duel.starts[0], now)
        rest = self._left_of(state)
        if rest == now:  # it is the computer's turn, and the heaps stay
            return Shown(now), Acting(), Shown(now)
        if rest is not None or now == state.heaps:
            return self._move(rest or state.heaps, now)
        return self._move(state.heaps, now) or (Shown(now),)

    def _move(self, before: Heaps, now: Heaps) -> tuple[Event, ...]:
        move = between(before, now)
        return (Told(*move),) if move else ()

    def _last(self, state: Walked) -> tuple[Event, ...]:
        """The computer's last move of a game: what was left must have been one heap."""
        rest = self._left_of(state) if state.parts and state.heaps else None
        single = rest is not None and sum(map(bool, rest)) == 1
        return self._move(rest, tuple(0 for _ in rest)) if rest is not None and single else ()

    def _winner(self, state: Walked) -> str:
        if not state.heaps or not state.parts:
            return state.won
        return COMPUTER if any(self._left_of(state) or state.heaps) else USER

    def _with_claims(
        self, heard: Heard, events: tuple[Event, ...], *, of_turn: bool
    ) -> tuple[Heard, tuple[Fault, ...]]:
        """The turn with these events in it, and the fault that no text tells them."""
        duel, claims = self._duel, [one for one in heard.events if isinstance(one, Told)]
        move = next((event for event in events if isinstance(event, Told)), None)
        if move is not None and claims:
            others = tuple(one for one in heard.events if not isinstance(one, Told))
            return heard if claims[-1] == move else replace(heard, events=(*others, *events)), ()
        starts = tuple(one for one in heard.events if isinstance(one, Begins))
        others = tuple(one for one in heard.events if not isinstance(one, Begins))
        heard = replace(heard, events=(*starts, *events, *others))
        took = f"the computer took {move.count} from heap {duel.labels[move.heap].upper()}" if move else ""
        shows = f"the moves that the program accepts and refuses show that {took}, but the program does not say so"
        untold = Fault(UNREAD, _MORE, about=(duel.untold,)) if self._more else Fault(duel.untold, shows)
        return heard, (untold,) if move and of_turn and duel.untold else ()

    # ------------------------------------------------------------------------------------------------------- answering

    def _answer(self, state: Hashable, question: str, text: str) -> State:
        before = _beside(state)
        now = before._replace(path=(*before.path, text))
        if question == SIZE:
            now = now._replace(sizes=(*before.sizes, int(text)) if int(text) > 0 else before.sizes)
        elif question in (MOVE, COUNT):
            now = now._replace(parts=(text,) if question == MOVE else (*before.parts[:1], text))
        return cast(State, self._referee.answer(state, question, text))._replace(walked=now)


def _beside(state: Hashable) -> Walked:
    walked = cast(State, state).walked
    return NOTHING if walked is None else cast(Walked, walked)


def _with(walked: Walked, ruling: Ruling) -> Ruling:
    return replace(ruling, state=cast(State, ruling.state)._replace(walked=walked))
