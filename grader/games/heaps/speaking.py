"""A referee that speaks with a program in the program's own manner, and a reader that knows what was learned of its words.

The referee of the assignment speaks of moves. Here they are typed as this program takes them, in one answer or in two. Answers before a
game and in pauses are typed as well, and only whole moves are ruled on.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import cast

from grader.bounded import remembered
from grader.games.event import Named
from grader.games.follow.following import Reads
from grader.games.ground import Ground, Place
from grader.games.heaps.duel import Duel, Typed
from grader.games.heaps.facing import AGAIN, COUNT, MOVE, SIZE, State, Typing
from grader.games.heaps.hearing import LEAD, Wording
from grader.games.referee import UNREAD, Answers, Fault, Heard, Referee, Ruling

_LEADS = f"{LEAD}:"

MOVED = "moved"
"""The occasion of a legal move that was carried out, as each referee of heaps calls it."""


class OwnWords:
    """Reads turns by what was learned."""

    def __init__(self, wording: Wording, patterns: Reads) -> None:
        """Read by this wording, and by the ``patterns`` of the spec which of two people has won, where it names nobody.

        A program may ask in words of its own, and name the winner in those of the assignment.
        """
        self._wording, self._patterns = wording, patterns
        self.read = remembered(self._read)

    def _read(self, text: str, *, ended: bool, wants: str = "line") -> Heard:
        """The events of a turn, and its question by its last lines."""
        wording, kind = self._wording, None if ended else self._wording.question(text)
        question = _LEADS + wording.talk.leads[wording.talk.key(text)] if kind == LEAD else kind
        events = wording.events(text, ended=ended)
        game = wording.talk.duel.game
        if ended and not game.computer and not any(isinstance(one, Named) and one.player for one in events):
            usual = game.stated(self._patterns.read(text, ended=ended, wants=wants))
            names = [one for one in usual if isinstance(one, Named)]
            events = (*(one for one in events if not (names and isinstance(one, Named))), *names)
        return Heard((), question, ended, wants, events=events)


class Speaker:
    """Makes the assignment's referee one that speaks as a program does."""

    def __init__(self, referee: Referee, wording: Wording) -> None:
        self._referee, self._talk = referee, wording.talk
        duel, manner = wording.talk.duel, wording.talk.entry.manner
        self._duel: Duel = duel
        self._manner = manner
        self._plain = manner.is_usual(duel)
        """Whether the referee itself asks for moves in this manner."""
        self._parts = lru_cache(maxsize=None)(manner.typed)
        self._typed = lru_cache(maxsize=1 << 10)(self._all_typed)
        self._split = lru_cache(maxsize=1 << 10)(lambda texts: tuple((text[:1], text[1:]) for text in texts))
        self._unshown = duel.unshown if wording.more else ""
        self._oddly = duel.oddly if manner.labels.casefold() != duel.labels.casefold() else ""

    def referee(self) -> Referee:
        """That referee."""
        inner = self._referee
        ground = inner.ground and self._ground(inner.ground)
        return replace(
            inner, hear=self._hear, answers=self._answers, answer=self._answer, silence=self._silence, ground=ground
        )

    # -------------------------------------------------------------------------------------------------------- hearing

    def _hear(self, before: Hashable, heard: Heard) -> Ruling:
        state, question = cast(State, before), heard.question or ""
        first, events = state.typing.held, (*state.typing.events, *heard.events)
        if self._is_menu(state, question):
            question, heard = AGAIN, replace(heard, question=AGAIN)
        if question.startswith(_LEADS) or (first is not None and question == COUNT):
            return Ruling(state._replace(typing=state.typing._replace(events=events)))
        if first is not None:
            legal, illegal = self._moves(state)
            state = self._carried(state, (*illegal, *legal)[0])
        last = state.typing.kept if question == COUNT else None
        kind = MOVE if question == COUNT and not self._plain else heard.question
        ruling = self._referee.hear(state, replace(heard, events=events, question=kind))
        after = cast(State, ruling.state)._replace(typing=Typing(kept=last))
        faults = (*map(self._unread, ruling.faults), *self._odd(question, heard, ruling))
        return Ruling(after, faults, ruling.occasions)

    def _is_menu(self, state: State, question: str) -> bool:
        """Whether the question, for more than Enter, is one that comes before the sizes of the heaps, and a game has begun.

        “(1) Play (2) Rules (3) Quit” comes back behind each game. With 1 for an answer another game began, and the first one seemed to go on.
        """
        return self._duel.sizes and bool(state.possible) and question.startswith(_LEADS) and question != _LEADS

    def _unread(self, fault: Fault) -> Fault:
        """The fault, or that it is not known: heaps may be shown that could not be read."""
        if fault.kind != self._unshown:
            return fault
        may = "a text that we could not read changes from turn to turn; it may show the heaps"
        return Fault(UNREAD, may, about=(fault.kind,))

    def _odd(self, question: str, heard: Heard, ruling: Ruling) -> Iterator[Fault]:
        """Faults of its odd words at such a question: each kind is charged once, however often it is found."""
        duel, talk = self._duel, self._talk
        if self._oddly and question == MOVE:
            first = self._parts((duel.labels[0], "1"))[0]
            yield Fault(self._oddly, f"the first heap is not taken by its letter: it is typed as {first}")
        if duel.yes and question == AGAIN and talk.yes.casefold() != "y":
            yield Fault(duel.yes, f"y is no answer: another game begins after {talk.yes}")
        if duel.unlike and question == MOVE and heard.events:
            yield Fault(duel.unlike, "what it prints is not what the sample run of the assignment prints")
        if duel.enter and self._manner.enter and MOVED in ruling.occasions:
            yield Fault(duel.enter, "after a move it waits for Enter")

    def _silence(self, before: Hashable) -> str:
        if cast(State, before).typing.held is not None:
            return COUNT
        kind = self._talk.kinds.get("", "")
        return kind or (SIZE if self._referee.silence(before) else "")

    # ------------------------------------------------------------------------------------------------------ answering

    def _answers(self, before: Hashable, question: str) -> Answers:
        if self._is_menu(cast(State, before), question):
            return self._referee.answers(before, AGAIN)
        if question.startswith(_LEADS):
            return Answers((question.removeprefix(_LEADS),), forced=True)
        if question == AGAIN:
            may = self._referee.answers(before, AGAIN)
            return replace(may, legal=tuple(map(self._yes, may.legal)))
        if question == SIZE or self._plain:
            return self._referee.answers(before, question)
        return self._typed(*self._moves(cast(State, before)), 0 if question == MOVE else -1)

    def _answer(self, before: Hashable, question: str, text: str) -> State:
        state = cast(State, before)
        if question.startswith(_LEADS):
            return state
        if question == AGAIN:
            back = {self._yes(one): one for one in ("n", "y")}
            text = text if text in "ynYN" else back.get(text, text)
        elif question != SIZE and not self._plain:
            if question == MOVE and self._manner.apart:
                return state._replace(typing=state.typing._replace(held=text, kept=text))
            part = 0 if question == MOVE else -1
            choices = (one for moves in self._moves(state) for one in moves if self._parts(one)[part] == text)
            move = next(choices, None)
            # A game that is heard again by a wrong departure has heaps in which nobody would type this.
            return state._replace(doubtful=True) if move is None else self._carried(state, move)
        return cast(State, self._referee.answer(state, question, text))

    def _all_typed(self, legal: tuple[Typed, ...], illegal: tuple[Typed, ...], part: int) -> Answers:
        """One part of each of these moves, as they are typed."""
        good = tuple(self._parts(move)[part] for move in legal)
        known = set(good)
        bad = tuple(text for move in illegal if (text := self._parts(move)[part]) not in known)
        return Answers(good or bad, bad)

    def _yes(self, text: str) -> str:
        return self._talk.yes if text in "yY" and self._talk.yes.casefold() != "y" else text

    def _moves(self, state: State) -> tuple[tuple[Typed, ...], tuple[Typed, ...]]:
        """The legal moves and illegal ones; where one part is typed, those that begin with it."""
        legal, illegal = self._all_moves(state)
        first = state.typing.held if state.typing.held is not None else state.typing.kept
        if first is None:
            return legal, illegal
        good, bad = (tuple(move for move in moves if self._parts(move)[0] == first) for moves in (legal, illegal))
        return good, bad or (() if good else illegal)

    def _all_moves(self, state: State) -> tuple[tuple[Typed, ...], tuple[Typed, ...]]:
        may = self._referee.answers(state, MOVE)
        if not self._duel.apart:
            return self._split(may.legal), self._split(may.illegal)
        legal: list[Typed] = []
        illegal: list[Typed] = [(heap, "1") for heap in may.illegal]
        for heap in may.legal:
            counts = self._referee.answers(self._heap_taken(state, heap), COUNT)
            legal += [(heap, count) for count in counts.legal]
            illegal += [(heap, count) for count in counts.illegal]
        return tuple(legal), tuple(illegal)

    def _heap_taken(self, state: State, heap: str) -> Hashable:
        """The state in which the assignment's own question for the number would come."""
        return self._referee.hear(self._referee.answer(state, MOVE, heap), Heard((), COUNT)).state

    def _carried(self, state: State, move: Typed) -> State:
        """The state after a whole move was typed."""
        if not self._duel.apart:
            after = self._referee.answer(state, MOVE, "".join(move))
        else:
            after = self._referee.answer(self._heap_taken(state, move[0]), COUNT, move[1])
        return cast(State, after)._replace(typing=state.typing._replace(held=None))

    # --------------------------------------------------------------------------------------------------------- ground

    def _ground(self, ground: Ground) -> Ground:
        def place(before: Hashable, question: str) -> Place | None:
            asks_part = question in (COUNT, SIZE) or question.startswith(_LEADS)
            return None if asks_part or cast(State, before).typing.held is not None else ground.place(before, question)

        def typed(before: Hashable, question: str, aim: Hashable) -> str | None:
            if question in (SIZE, AGAIN) or self._plain:
                text = ground.typed(before, question, aim)
                return self._yes(text) if text and question == AGAIN else text
            first = ground.typed(before, MOVE, aim)
            if first is None:
                return None
            second = (
                ground.typed(self._heap_taken(cast(State, before), first), COUNT, aim)
                if self._duel.apart
                else first[1:]
            )
            return None if second is None else self._parts((first[:1], second))[0 if question == MOVE else -1]

        return replace(ground, place=place, typed=typed)
