"""Every position of a program on a simulated machine: its session is forked in each place, and every way is gone from there once.

Then games go on from forks that have refused something. Where they do what they do not when nothing was refused, the refusal has
changed more than it shows.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random
from types import MappingProxyType

from grader.games.follow.following import Followed, Rulings, Stand
from grader.games.follow.proving import Explorer
from grader.games.ground import Place, Way
from grader.games.referee import AFTER_REFUSAL, ANSWERS, UNREAD, Fault, Ruling
from grader.sessions.session import WAITS_ON, Forking, give
from grader.transcript import EndingKind, Transcript, Turn, Usage, decode
from grader.values import dataclass

Inputs = tuple[str, ...]

MOST_HANGS = 20
"""Maximum ways on which the program may run out of instructions, before no more are gone: each takes 40 ms."""

MOST_WAYS, MOST_PRINTED = 12_000, 8 << 20
"""Maximum ways that are gone, and bytes that are printed on them: three rows of rocks take 6,294 ways, and half a mebibyte."""

GONE_ON = "gone-on"
"""The occasion for a fault after a refusal: a way is gone that leads on, in a session that has refused something before."""

PREFIXES = (1, 2, 99)
"""Refusals in a row behind which a game goes on, in one place after the other; 99 stands for all that there are."""


@dataclass(frozen=True, slots=True)
class _Parked:
    """A session that waits in a place; ``inputs`` were typed to come there, the last ``refused`` of them in the place itself.

    As many of these are ``proper`` as were refused without any fault; -1 where one was not.
    """

    session: Forking
    stand: Stand
    place: Place
    inputs: Inputs
    refusals: int = 0
    proper: int = 0

    def fork(self) -> _Parked:
        """The same with a session of its own."""
        fork = self.session.fork()
        return _Parked(fork, self.stand, self.place, self.inputs, self.refusals, self.proper)


@dataclass(frozen=True, slots=True)
class _Step:
    """The result of an answer: where the program waits ``after`` it, None if it waits in no place, the ruling, and what it printed.

    ``inputs`` were typed up to there.
    """

    after: _Parked | None
    ruling: Ruling
    output: bytes
    inputs: Inputs

    @property
    def unread(self) -> bool:
        """Whether what the program said could not be read."""
        return any(fault.kind == UNREAD for fault in self.ruling.faults)


class Forks:
    """The ways of one program, those first that are near the beginning.

    Input that must be refused is typed in one session, one after the other, as long as it is. ``shows`` has for each kind of fault
    answers that may show it, and more of them that do. ``instructions`` is what all forks executed.

    If the referee knows of faults ``after-refusal``, a game goes on to its end from a fork that has refused
    something, in each place another. A difference from the output without a refusal may be such a fault, and ``underlying`` is the kind
    that it would be alone. Every way is gone from where only the text differs.
    """

    def __init__(self, explorer: Explorer, rulings: Rulings, *, spent_up: Callable[[], bool]) -> None:
        """Nothing is tried yet; ``spent_up`` says when to stop."""
        self._map = explorer
        self._rulings = rulings
        self._spent_up = spent_up
        self._todo: deque[_Parked] = deque()
        self._places: set[Place] = set()
        self._faults: dict[str, Fault] = {}
        self._occasions: Counter[str] = Counter()
        self._turns = self._bytes = self._hangs = 0
        # what each way prints, and whether it shows a fault
        self._plain: defaultdict[Place, dict[Way, tuple[bytes, bool]]] = defaultdict(dict)
        self._refusing: list[_Parked] = []
        self.underlying = ""
        self.shows: dict[str, tuple[Inputs, Inputs]] = {}
        self.instructions = 0

    def explore(self, session: Forking) -> Followed | None:
        """All ways as if they were one game; None if the program does not come to a place from which they could be gone."""
        step = self._step(session, self._rulings.begin(self._rulings.referee.start(0)))
        self._note(step.ruling.faults, ((), ()))
        self._occasions.update(step.ruling.occasions)
        start = step.after
        if start is None:
            return None
        self._map.begins(start.place)
        self._park(start)
        while self._todo and not self._enough:
            parked = self._todo.popleft()
            ways = self._map.ways(parked.place)
            self._refuse(parked, [way for way in ways if way.stays])
            for way in (one for one in ways if not one.stays):
                self._go(parked.fork(), way)
        for number, refusing in enumerate(self._refusing):
            self._play_on(refusing, number)
        # All ways are one game: no single transcript shows them, and a report plays the way of a fault again.
        transcript = Transcript((Turn(""),), WAITS_ON, Usage(self.instructions, self._turns, self._bytes))
        faults = tuple((1, fault) for fault in self._faults.values())
        return Followed(transcript, faults, occasions=MappingProxyType(self._occasions))

    @property
    def _enough(self) -> bool:
        """Whether the program has had all the work that it may make."""
        much = self._hangs >= MOST_HANGS or self._turns >= MOST_WAYS or self._bytes >= MOST_PRINTED
        return much or self._spent_up()

    @property
    def _is_done(self) -> bool:
        """Whether no more is to be learned of what comes after a refusal."""
        return AFTER_REFUSAL in self._faults or self._enough

    def _refuse(self, parked: _Parked, ways: list[Way]) -> None:
        """Type all that must be refused in a place, and keep a fork from which a game can go on.

        In each place it comes in another order: so each kind comes behind each, and each is the last before a valid answer.
        """
        number = len(self._places) - len(self._todo)
        Random(number).shuffle(ways)
        due = min(len(ways), PREFIXES[number % len(PREFIXES)])
        refusing: _Parked | None = None
        for way in ways:
            after = self._go(refusing or parked.fork(), way)
            refusing = after if after is not None and after.place == parked.place else None
            if refusing is not None and refusing.proper == due and AFTER_REFUSAL in self._rulings.referee.faults:
                self._refusing.append(refusing.fork())

    def _go(self, parked: _Parked, way: Way) -> _Parked | None:
        """Go a way; where the program waits then, None if it waits in no place."""
        step = self._stepped(parked, way)
        if step is None:
            return None
        if step.ruling.faults:
            shorter = (*parked.inputs[: len(parked.inputs) - parked.refusals], step.inputs[-1])
            self._note(step.ruling.faults, (shorter, step.inputs))
        self._occasions.update(step.ruling.occasions)
        if step.after is None:
            self._map.ended(way, known=not step.unread)
        else:
            self._map.led(parked.place, way, step.after.place)
        if not way.stays:  # behind what should have been refused the program may hold something else than it shows
            self._plain[parked.place][way] = step.output, bool(step.ruling.faults)
            self._park(step.after)
        return step.after

    def _play_on(self, parked: _Parked, number: int) -> None:
        """Play a game to its end in a session that has refused something; which of the ways is gone is drawn by a number."""
        draw = Random(number)
        now: _Parked | None = parked.fork()
        while now is not None and not self._is_done:
            ways, before = [*self._plain.get(now.place, ())], now
            now, differs = self._gone_on(now, draw.choice(ways)) if ways else (None, False)
            if differs:
                again = self._come_again(parked, before)
                for way in ways:
                    self._gone_on(again.fork(), way)

    def _come_again(self, parked: _Parked, later: _Parked) -> _Parked:
        """A session that has come from where it was parked to a later place once more: few are wanted, and a fork at each step costs."""
        again = parked.fork()
        for text in later.inputs[len(parked.inputs) :]:
            give(again.session, text)
            again.session.advance()
            again.session.take_output()
        return replace(later, session=again.session)

    def _gone_on(self, parked: _Parked, way: Way) -> tuple[_Parked | None, bool]:
        """Go a way after a refusal: where the program waits then, and whether it prints something else than without one."""
        step = None if self._is_done else self._stepped(parked, way)
        if step is None:
            return None, False
        self._occasions[GONE_ON] += 1
        plain, faulty = self._plain[parked.place][way]
        if step.output == plain or faulty:  # a fault that shows without a refusal counts there, and not here
            return step.after, False
        faults = [fault for fault in step.ruling.faults if fault.kind != UNREAD]
        if faults:
            self.underlying = faults[0].kind
            self._note((replace(faults[0], kind=AFTER_REFUSAL),), (step.inputs, step.inputs))
        # If only the text differs nothing is wrong yet: the program holds something else, and all ways from there may show it.
        return step.after, True

    def _stepped(self, parked: _Parked, way: Way) -> _Step | None:
        """The result of a way's answer in a session; None if nothing can be typed for it."""
        text = parked.stand.typed(way.answer)
        if text is None:
            return None
        session = parked.session
        before = session.instructions
        give(session, text)
        self._occasions[ANSWERS] += 1
        step = self._step(session, parked.stand, text, (*parked.inputs, text), parked if way.stays else None)
        self.instructions += session.instructions - before
        return step

    def _step(
        self,
        session: Forking,
        before: Stand,
        answer: str | None = None,
        inputs: Inputs = (),
        refusing: _Parked | None = None,
    ) -> _Step:
        """The step of a program up to where it waits or ends; ``refusing`` is where it was, if it should refuse the answer."""
        ending = session.advance()
        output = session.take_output()
        wants = "" if ending else session.wants
        _, ruling, stand, stops = self._rulings.after(before, answer, decode(output), ending, wants)
        self._turns += 1
        self._hangs += ending is not None and ending.kind is EndingKind.BUDGET
        self._bytes += len(output)
        after = None
        place = stand.place if ending is None and not stops else None
        if place is not None:
            refusals = proper = 0
            if refusing is not None:
                refusals = refusing.refusals + 1
                proper = refusing.proper + 1 if refusing.proper >= 0 and not ruling.faults else -1
            after = _Parked(session, stand, place, inputs, refusals, proper)
        return _Step(after, ruling, output, inputs)

    def _park(self, parked: _Parked | None) -> None:
        if parked and parked.place not in self._places and len(self._places) < self._map.most_places:
            self._places.add(parked.place)
            self._todo.append(parked)

    def _note(self, faults: Iterable[Fault], inputs: tuple[Inputs, Inputs]) -> None:
        for fault in faults:
            self._faults.setdefault(fault.kind, fault)
            self.shows.setdefault(fault.kind, inputs)
