"""Every position of a program on a simulated machine: its session is forked in each place, and every way is gone from there once."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable
from dataclasses import field
from types import MappingProxyType

from grader.games.following import Followed, Reads, listen, rule
from grader.games.ground import Place, Way
from grader.games.proving import Explorer
from grader.games.referee import ANSWERS, UNREAD, Fault, Referee, Ruling
from grader.sessions.session import WAITS_ON, Forking
from grader.spec.expectations import ENTER
from grader.transcript import Ending, EndingKind, Transcript, Turn, Usage, decode
from grader.values import dataclass

Inputs = tuple[str, ...]

MOST_HANGS = 20
"""After so many ways on which the program ran out of instructions no more are gone: each of them takes long."""

MOST_WAYS, MOST_PRINTED = 12_000, 8 << 20
"""After so many ways, or bytes printed on them, no more are gone: three rows of rocks take 6,294 ways, and half a mebibyte."""


@dataclass(frozen=True, slots=True)
class _Parked:
    """A session that waits in a place; ``inputs`` were typed to come there, the last ``refused`` of them in the place itself."""

    session: Forking
    state: Hashable
    question: str
    place: Place
    inputs: Inputs
    refused: int = 0

    def fork(self) -> _Parked:
        """The same with a session of its own."""
        return _Parked(self.session.fork(), self.state, self.question, self.place, self.inputs, self.refused)


class Forks:
    """The ways of one program, those first that are near the beginning.

    What must be refused is typed in one session, one after the other, as long as it is. ``shows`` has for each kind of fault
    answers that may show it, and more of them that do. ``instructions`` is what all forks executed.
    """

    def __init__(self, explorer: Explorer, referee: Referee, reader: Reads, *, spent_up: Callable[[], bool]) -> None:
        """Nothing is tried yet; ``spent_up`` says when to stop."""
        self._map = explorer
        self._referee = referee
        self._reader = reader
        self._spent_up = spent_up
        self._todo: deque[_Parked] = deque()
        self._seen: set[Place] = set()
        self._faults: dict[str, Fault] = {}
        self._occasions: Counter[str] = Counter()
        self._turns = self._printed = self._hangs = 0
        self.shows: dict[str, tuple[Inputs, Inputs]] = {}
        self.instructions = 0

    def explore(self, session: Forking) -> Followed | None:
        """All ways as if they were one game; None where the program does not come to a place from which they could be gone."""
        begun, _ = self._heard(session, self._referee.start(0), (), ())
        if begun is None:
            return None
        self._map.begins(begun.place)
        self._park(begun)
        while self._todo and not self._enough:
            self._leave(self._todo.popleft())
        usage = Usage(self.instructions, self._turns, self._printed)
        faults = tuple((1, fault) for fault in self._faults.values())
        occasions = MappingProxyType(dict(self._occasions))
        return Followed(Transcript((Turn(""),), WAITS_ON, usage), faults, occasions=occasions)

    @property
    def _enough(self) -> bool:
        """Whether the program has had all the work that it may make."""
        much = self._hangs >= MOST_HANGS or self._turns >= MOST_WAYS or self._printed >= MOST_PRINTED
        return much or self._spent_up()

    def _leave(self, parked: _Parked) -> None:
        refusing: _Parked | None = None
        for way in self._map.ways(parked.place):
            if way.stays:
                after = self._go(refusing or parked.fork(), way)
                refusing = after if after is not None and after.place == parked.place else None
            else:
                self._go(parked.fork(), way)

    def _go(self, parked: _Parked, way: Way) -> _Parked | None:
        """Go a way; where the program waits then, None where it waits in no place."""
        text = self._map.ground.typed(parked.state, parked.question, way.answer)
        if text is None:
            return None
        session = parked.session
        before = session.instructions
        session.send(text if session.wants == "key" else text + ENTER)
        self._occasions[ANSWERS] += 1
        state = self._referee.answer(parked.state, parked.question, text)
        refused = parked.refused + 1 if way.stays else 0
        shorter = parked.inputs[: len(parked.inputs) - parked.refused]
        after, read = self._heard(session, state, (*shorter, text), (*parked.inputs, text), refused)
        self.instructions += session.instructions - before
        if after is None:
            self._map.ended(way, known=read)
            return None
        self._map.led(parked.place, way, after.place)
        if not way.stays:  # behind what should have been refused the program may hold something else than it shows
            self._park(after)
        return after

    def _heard(
        self, session: Forking, state: Hashable, shorter: Inputs, inputs: Inputs, refused: int = 0
    ) -> tuple[_Parked | None, bool]:
        """Where the program waits then, None where it waits in no place; and whether what it did was read."""
        ending = session.advance()
        printed = session.take_output()
        output = decode(printed)
        heard = listen(self._reader, self._referee, state, output, ending, "" if ending else session.wants)
        ruling = rule(self._referee, state, heard, output, ending)
        self._note(ruling, ending, (shorter, inputs))
        self._printed += len(printed)
        if ending is not None or any(fault.stops for fault in ruling.faults):
            return None, not any(fault.kind == UNREAD for fault in ruling.faults)
        question = heard.question or ""
        place = self._map.ground.place(ruling.state, question)
        if place is None:
            return None, False
        return _Parked(session, ruling.state, question, place, inputs, refused), True

    def _park(self, parked: _Parked) -> None:
        if parked.place not in self._seen and len(self._seen) < self._map.most_places:
            self._seen.add(parked.place)
            self._todo.append(parked)

    def _note(self, ruling: Ruling, ending: Ending | None, inputs: tuple[Inputs, Inputs]) -> None:
        for fault in ruling.faults:
            self._faults.setdefault(fault.kind, fault)
            self.shows.setdefault(fault.kind, inputs)
        self._occasions.update(ruling.occasions)
        self._turns += 1
        self._hangs += ending is not None and ending.kind is EndingKind.BUDGET


@dataclass
class Covering:
    """What is known of a program by one set: the map of its positions, the games for it, and the forks, where it was forked."""

    explorer: Explorer
    forks: Forks | None = None
    walked: list[Followed] = field(default_factory=list)
