"""A referee that speaks with a program in the program's own manner, and a reader that knows what was learned of its words.

The referee of the assignment asks and answers as the assignment does. Here its moves are typed as this program takes them, in one
answer or in two, what must be typed before a game and in pauses is typed, and only whole moves are ruled on.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from functools import lru_cache

from grader.bounded import remembered
from grader.games.ground import Ground, Place
from grader.games.heaps.duel import Duel
from grader.games.heaps.hearing import Wording
from grader.games.heaps.manner import Move
from grader.games.heaps.talk import AGAIN, LEAD, MORE, MOVE, SIZE
from grader.games.referee import UNREAD, Answers, Fault, Heard, Referee, Ruling
from grader.reading.facts import Fact
from grader.values import dataclass

_LEADS = f"{LEAD}:"


class OwnWords:
    """Reads turns by what was learned."""

    def __init__(self, wording: Wording) -> None:
        """Read by this wording."""
        self.wording = wording
        self._read = remembered(self._said)

    def read(self, text: str, *, ended: bool, wants: str = "line") -> Heard:
        """What a turn says, and what it asks for by its last lines."""
        facts, question = self._read(text)
        return Heard(facts, None if ended else question, ended, wants)

    def _said(self, text: str) -> tuple[tuple[Fact, ...], str | None]:
        talk = self.wording.talk
        facts = talk.duel.facts(self.wording.events(text))
        key = talk.key(text)
        kind = talk.kinds.get(key)
        return facts, _LEADS + talk.leads[key] if kind == LEAD else kind


@dataclass(frozen=True, slots=True)
class Spoken:
    """The state of the assignment's referee, and what of a move is typed by now.

    ``held`` is the first part of a move whose second is still to be typed; ``kept`` the first part where only the second is asked for
    once more. ``facts`` were said since the last ruling.
    """

    inner: Hashable
    held: str | None = None
    kept: str | None = None
    facts: tuple[Fact, ...] = ()


def _spoken(state: Hashable) -> Spoken:
    assert isinstance(state, Spoken)
    return state


class Speaker:
    """Makes the assignment's referee one that speaks as a program does."""

    def __init__(self, referee: Referee, wording: Wording) -> None:
        self._referee = referee
        self._talk = wording.talk
        self._duel: Duel = wording.talk.duel
        self._manner = wording.talk.entry.manner
        manner, duel = self._manner, self._duel
        self._plain = duel.apart and manner.apart and not manner.count_first and manner.labels == duel.labels
        """Whether the referee itself asks for the two parts of a move in this order."""
        self._parts = lru_cache(maxsize=None)(self._divided)
        self._typed = lru_cache(maxsize=1 << 10)(self._all_typed)
        self._split = lru_cache(maxsize=1 << 10)(lambda texts: tuple(map(duel.split, texts)))
        self._unshown = duel.unshown if wording.more else ""
        self._oddly = duel.oddly if manner.labels.casefold() != duel.labels.casefold() else ""

    def referee(self) -> Referee:
        """That referee."""
        inner = self._referee
        return replace(
            inner,
            starts=tuple(Spoken(start) for start in inner.starts),
            hear=self._hear,
            answers=self._answers,
            answer=self._answer,
            last_words=lambda state, heard: self._around(_spoken(state), inner.last_words(_spoken(state).inner, heard)),
            due=lambda state: inner.due(_spoken(state).inner),
            position=lambda state: inner.position(_spoken(state).inner),
            silence=self._silence,
            across=lambda states: inner.across([_spoken(state).inner for state in states]),
            ground=inner.ground and self._ground(inner.ground),
        )

    # -------------------------------------------------------------------------------------------------------- hearing

    def _hear(self, state: Hashable, heard: Heard) -> Ruling:
        spoken = _spoken(state)
        facts, question = (*spoken.facts, *heard.facts), heard.question or ""
        if question.startswith(_LEADS):
            return Ruling(replace(spoken, facts=facts))
        if spoken.held is not None:
            if question == MORE:
                return Ruling(replace(spoken, facts=facts))
            move = next(iter(self._moves(spoken)[1]), None) or next(iter(self._moves(spoken)[0]))
            spoken = replace(spoken, inner=self._carried(spoken.inner, move), held=None)
        kept = spoken.kept if question == MORE else None
        asked = self._asked(question)
        ruling = self._referee.hear(spoken.inner, replace(heard, facts=facts, question=asked))
        ruling = replace(ruling, faults=tuple(map(self._unread, ruling.faults)))
        around = self._around(replace(spoken, kept=kept, facts=()), ruling)
        return replace(around, faults=(*around.faults, *self._odd(question, heard)))

    def _unread(self, fault: Fault) -> Fault:
        """The fault, or that it is not known: heaps may be shown that could not be read."""
        if fault.kind != self._unshown:
            return fault
        return Fault(
            UNREAD,
            "something changes from turn to turn that could not be read: it may show the heaps",
            about=(fault.kind,),
        )

    def _odd(self, question: str, heard: Heard) -> Iterator[Fault]:
        """What is odd about its words at such a question: each kind is charged once, however often it is found."""
        duel, talk = self._duel, self._talk
        if self._oddly and question == MOVE:
            first = self._parts((duel.labels[0], "1"))[0]
            yield Fault(self._oddly, f"the first heap is not taken by its letter: it is typed as {first}")
        if duel.yes and question == AGAIN and talk.yes.casefold() != "y":
            yield Fault(duel.yes, f"y is no answer: another game begins after {talk.yes}")
        if duel.unlike and question == MOVE and heard.facts:
            yield Fault(duel.unlike, "what it prints is not what the sample run of the assignment prints")

    def _asked(self, question: str) -> str | None:
        if question == MORE and not self._plain:
            question = MOVE
        return self._duel.asks.get(question) if question else None

    def _around(self, spoken: Spoken, ruling: Ruling) -> Ruling:
        return replace(ruling, state=replace(spoken, inner=ruling.state))

    def _silence(self, state: Hashable) -> str:
        spoken = _spoken(state)
        if spoken.held is not None:
            return MORE
        known = self._talk.kinds.get("", "")
        return known or (SIZE if self._referee.silence(spoken.inner) else "")

    # ------------------------------------------------------------------------------------------------------ answering

    def _answers(self, state: Hashable, question: str) -> Answers:
        spoken = _spoken(state)
        if question.startswith(_LEADS):
            return Answers((question.removeprefix(_LEADS),), forced=True)
        if question == AGAIN:
            may = self._referee.answers(spoken.inner, self._duel.asks[AGAIN])
            return Answers(tuple(map(self._yes, may.legal)), may.illegal)
        if question == SIZE or self._plain:
            return self._referee.answers(spoken.inner, self._asked(question) or "")
        return self._typed(*self._moves(spoken), 0 if question == MOVE else -1)

    def _answer(self, state: Hashable, question: str, text: str) -> Spoken:
        spoken = _spoken(state)
        if question.startswith(_LEADS):
            return spoken
        asked = self._asked(question) or ""
        if question == AGAIN:
            back = {self._yes(one): one for one in ("n", "y")}
            inner = self._referee.answer(spoken.inner, asked, text if text in "ynYN" else back.get(text, text))
            return replace(spoken, inner=inner)
        if question == SIZE or self._plain:
            return replace(spoken, inner=self._referee.answer(spoken.inner, asked, text))
        if question == MOVE and self._manner.apart:
            return replace(spoken, held=text, kept=text)
        part = 0 if question == MOVE else -1
        legal, illegal = self._moves(spoken)
        move = next(one for one in (*legal, *illegal) if self._parts(one)[part] == text)
        return replace(spoken, inner=self._carried(spoken.inner, move), held=None)

    def _all_typed(self, legal: tuple[Move, ...], illegal: tuple[Move, ...], part: int) -> Answers:
        """One part of each of these moves, as they are typed."""
        good = tuple(self._parts(move)[part] for move in legal)
        known = set(good)
        bad = tuple(text for move in illegal if (text := self._parts(move)[part]) not in known)
        return Answers(good or bad, bad)

    def _divided(self, move: Move) -> tuple[str, ...]:
        return self._manner.typed(move, self._duel.labels)

    def _yes(self, text: str) -> str:
        return self._talk.yes if text in "yY" and self._talk.yes.casefold() != "y" else text

    def _moves(self, spoken: Spoken) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
        """The legal moves and illegal ones; where one part is typed, those that begin with it."""
        legal, illegal = self._all_moves(spoken.inner)
        begun = spoken.held if spoken.held is not None else spoken.kept
        if begun is None:
            return legal, illegal
        good, bad = (tuple(move for move in moves if self._parts(move)[0] == begun) for moves in (legal, illegal))
        return good, bad or (() if good else illegal)

    def _all_moves(self, inner: Hashable) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
        may = self._referee.answers(inner, self._duel.asks[MOVE])
        if not self._duel.apart:
            return self._split(may.legal), self._split(may.illegal)
        legal: list[Move] = []
        illegal: list[Move] = [(heap, "1") for heap in may.illegal]
        for heap in may.legal:
            counts = self._referee.answers(self._heap_taken(inner, heap), self._duel.asks[MORE])
            legal += [(heap, count) for count in counts.legal]
            illegal += [(heap, count) for count in counts.illegal]
        return tuple(legal), tuple(illegal)

    def _heap_taken(self, inner: Hashable, heap: str) -> Hashable:
        taken = self._referee.answer(inner, self._duel.asks[MOVE], heap)
        return self._referee.hear(taken, Heard((), self._duel.asks[MORE])).state

    def _carried(self, inner: Hashable, move: Move) -> Hashable:
        """The referee's state after a whole move was typed."""
        if not self._duel.apart:
            return self._referee.answer(inner, self._duel.asks[MOVE], "".join(move))
        return self._referee.answer(self._heap_taken(inner, move[0]), self._duel.asks[MORE], move[1])

    # --------------------------------------------------------------------------------------------------------- ground

    def _ground(self, ground: Ground) -> Ground:
        def place(state: Hashable, question: str) -> Place | None:
            spoken = _spoken(state)
            if question not in (MOVE, AGAIN) or spoken.held is not None:
                return None
            return ground.place(spoken.inner, self._duel.asks.get(question, ""))

        def typed(state: Hashable, question: str, aim: Hashable) -> str | None:
            spoken = _spoken(state)
            if question in (SIZE, AGAIN) or self._plain:
                text = ground.typed(spoken.inner, self._asked(question) or "", aim)
                return self._yes(text) if text and question == AGAIN else text
            whole = self._whole(ground, spoken.inner, aim)
            return None if whole is None else self._parts(whole)[0 if question == MOVE else -1]

        return replace(ground, place=place, typed=typed)

    def _whole(self, ground: Ground, inner: Hashable, aim: Hashable) -> Move | None:
        first = ground.typed(inner, self._duel.asks[MOVE], aim)
        if first is None or not self._duel.apart:
            return None if first is None else self._duel.split(first)
        second = ground.typed(self._heap_taken(inner, first), self._duel.asks[MORE], aim)
        return None if second is None else (first, second)
