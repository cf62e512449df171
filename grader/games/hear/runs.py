"""Runs of one program as a function of what is typed: the same answers give the same run, and each is made only once.

An experiment asks "what would come of these answers?" some thousand times. On a simulated machine a run continues a known one from
its wait, by a fork in microseconds. A native program is started anew and given all answers. A question that was asked before costs
nothing in both cases. A run that ended also answers for longer inputs, and each run for the shorter inputs on its way.

Programs that do not do the same twice are no function of their answers. ``Runs.steady`` says whether this one is.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from typing import cast

from grader.bounded import LONGEST_TURN
from grader.sessions.session import WAITS_ON, Forking, Session, WithErrors, give
from grader.spec.expectations import ENTER
from grader.transcript import Ending, EndingKind, Transcript, Turn, Usage, decode
from grader.values import dataclass

Answers = tuple[str, ...]

LIVE = 24 if sys.platform == "emscripten" else 400
"""Maximum waiting sessions that are kept for forks, those that were used last; one of an LC-3 holds some 200 KiB.

A session of a MIPS program holds 9 MiB. They cost nothing if nothing was written; but in a browser memory is there as soon as it is asked for.
"""


MOST = 20_000
"""Maximum runs of one program, where no fewer are asked for."""

SELDOM = 16
"""Forked runs for one question whether they are allowed: a fork takes microseconds, and a look at the clock takes longer."""

PATIENCE = 3
"""Maximum runs that take too long, before no more are made."""

USED_UP = 0.15
"""The weight of a run that used up its instructions among those that took too long: it takes 40 ms, and the others seconds."""

FLOODS = 8
"""Maximum turns that are too long to be read whole, before no more runs are made: the part that is left out might say anything."""


REPEATED = 8
"""Number of the longest runs that are made again, to see whether they hang on chance. A program that moves by chance
where it cannot win draws one move in each of them. With three repeated, two gradings of six saw all three go the same way again."""


class SpentError(Exception):
    """No further run is made: the program has used up the runs of its exploration. The message is a sentence."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A moment in which a program waits, or its end: what it printed since the answer before, and for what it waits.

    ``wants`` is a ``key``, a ``line``, an ``integer`` or another number; ``place`` is where in its code a simulated program
    waits, empty elsewhere. ``ending`` is None but in the last moment of a program that ended. ``seen`` is what was seen of it
    beside its text, where something is looked at. ``aside`` was written to the error stream since: nobody knows where in the
    output it would stand.
    """

    output: str
    wants: str = ""
    place: tuple[int, ...] = ()
    ending: Ending | None = None
    seen: str = ""
    aside: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """The deeds of a program given ``answers``: a moment before each answer that it took, and the one after the last."""

    answers: Answers
    waits: tuple[Wait, ...]

    @property
    def last(self) -> Wait:
        """The moment after all answers, or the end of the program, if that came before."""
        return self.waits[-1]

    @property
    def ending(self) -> Ending | None:
        """How the program ended; None if it waits for more."""
        return self.last.ending

    @property
    def output(self) -> str:
        """The output since the last answer that it took."""
        return self.last.output

    @property
    def turns(self) -> tuple[str, ...]:
        """The output before each answer that it took, and after the last."""
        return tuple(wait.output for wait in self.waits)

    @property
    def taken(self) -> Answers:
        """The answers that it took before it ended."""
        return self.answers[: len(self.waits) - 1]

    def transcript(self) -> Transcript:
        """The run as a report shows it: a line is typed with its Enter, a key without."""
        texts = (
            text if wait.wants == "key" else text + ENTER for text, wait in zip(self.taken, self.waits, strict=False)
        )
        turns = (*(Turn(wait.output, text) for wait, text in zip(self.waits, texts, strict=False)), Turn(self.output))
        size = sum(len(text.encode()) for text in self.turns)
        ending = self.ending or WAITS_ON
        errors = "".join((*(wait.aside for wait in self.waits), ending.errors))
        return Transcript(turns, replace(ending, errors=errors), Usage(0, len(turns), size))


@dataclass(eq=False, slots=True)
class _Moment:
    """A moment in the tree of all runs, and those that follow it by each answer."""

    wait: Wait
    next: dict[str, _Moment] = field(default_factory=dict)


class Runs:
    """The runs of one program, made as they are asked for.

    ``start`` begins a session, from random numbers by a seed where there is such a choice. ``allowed`` is called before
    runs, each native one, and raises where the submission has used up its budget. ``most`` runs are made at most, and
    ``patience`` that take too long: behind that a SpentError is raised. ``ended_by`` are the answers behind which the
    program ended, each with the kind of its end. ``steady`` is False once a program did not do the same with the same
    answers, and ``hung`` is True once a run took too long.
    """

    def __init__(
        self,
        start: Callable[[int | None], Session],
        *,
        most: int = MOST,
        patience: int = PATIENCE,
        allowed: Callable[[], None] = lambda: None,
    ) -> None:
        self._start = start
        self._most = most
        self._patience = float(patience)
        self._floods = FLOODS
        self._allowed = allowed
        self._roots: dict[int | None, _Moment] = {}
        self._runs: dict[tuple[Answers, int | None], Run] = {}
        self._paths: dict[tuple[Answers, int | None], list[_Moment]] = {}
        self._live: OrderedDict[_Moment, Session] = OrderedDict()
        self._kind: type[Session] | None = None
        self._forks = self._errors = False
        self._look: Callable[[Session], str] | None = None
        self.number = 0
        self.instructions = 0
        self.ended_by: set[tuple[str, EndingKind]] = set()
        self.steady = True
        self.hung = False

    def run(self, answers: Sequence[str], seed: int | None = None) -> Run:
        """The run that these answers give. Raises SpentError, and what ``allowed`` raises."""
        inputs = tuple(answers)
        run = self._runs.get((inputs, seed))
        if run is None:
            path = self._path(inputs, seed)
            if not path or (path[-1].wait.ending is None and len(path) <= len(inputs)):
                path = self._new_path(inputs, seed, path)
            self._paths[inputs, seed] = path
            run = self._runs[inputs, seed] = Run(inputs, tuple([moment.wait for moment in path]))
        return run

    def go_on(self, patience: float) -> None:
        """Make a few more runs, though too many took too long: so many that take too long as well."""
        self._patience = max(self._patience, patience)

    def session(self, answers: Sequence[str], seed: int | None = None) -> Session | None:
        """The session that waits behind these answers, to be looked at and left as it is; None if the program has ended."""
        inputs = tuple(answers)
        if self.run(inputs, seed).ending is not None:
            return None
        path = self._path(inputs, seed)
        if path[-1] not in self._live:
            path = self._new_path(inputs, seed, path)
        return self._live[path[-1]]

    def look(self, look: Callable[[Session], str] | None) -> None:
        """Forget all runs, and from now on note at each moment what is seen so beside the text."""
        self._look = look
        self._roots.clear()
        self._runs.clear()
        self._paths.clear()
        self._live.clear()

    def by_chance(self) -> bool:
        """Whether one of the longest runs goes otherwise with other random numbers, or where a program has its own ones, once more."""
        fresh = (run for (_, seed), run in self._runs.items() if seed is None)
        # A run that took too long would take as long once more, and few of them are made.
        whole = (run for run in fresh if run.ending is None or run.ending.kind is EndingKind.ENDED)
        # A grade hung on the second in which a C program seeded its random numbers.
        longest = sorted(whole, key=lambda run: -len(run.waits))[:REPEATED]
        try:
            return any(self.run(run.answers, 1).turns != run.turns for run in longest)
        except SpentError:
            return False  # nothing more can be seen of it

    def steps(self) -> Iterator[tuple[Wait, str, Wait]]:
        """Every step of every run, once: where it waited, what was answered there, and what came of it."""
        queue = list(self._roots.values())
        while queue:
            moment = queue.pop()
            for text, then in moment.next.items():
                yield moment.wait, text, then.wait
                queue.append(then)

    def _path(self, answers: Answers, seed: int | None) -> list[_Moment]:
        """The moments on the way of these answers, as far as it was ever gone."""
        # Most runs go on from another by one answer: a game of forty-two pieces is asked for piece by piece.
        before = self._paths.get((answers[:-1], seed)) if answers else None
        if before is not None and len(before) == len(answers):
            after = before[-1].next.get(answers[-1])
            return before if after is None else [*before, after]
        moment = self._roots.get(seed)
        if moment is None:
            return []
        path = [moment]
        for text in answers:
            moment = moment.next.get(text)
            if moment is None:
                break
            path.append(moment)
        return path

    def _new_path(self, answers: Answers, seed: int | None, known: list[_Moment]) -> list[_Moment]:
        """The moments of a new run, continued from the last known moment whose session is left, or else from the start."""
        if not self._forks or self.number % SELDOM == 0:
            self._allowed()
        if self.number >= self._most:
            raise SpentError(f"it was run {self.number:,} times, which is the limit")
        if self._patience <= 0:
            raise SpentError("it took too long in several runs, so it was not run again")
        if self._floods <= 0:
            raise SpentError("it prints more in its turns than we can read")
        self.number += 1
        at, session = self._taken_up(known)
        before = session.instructions if session else 0
        if session is None:
            session = self._start(seed)
            if type(session) is not self._kind:  # asked once: to look at a protocol takes longer than a fork
                self._kind, self._forks = type(session), isinstance(session, Forking)
                self._errors = not self._forks and isinstance(session, WithErrors)
            if self._forks:  # one start, and all else is forked from it
                session = cast(Forking, session).fork()  # the next start uses the same machine
            else:
                self._live.clear()
            # A moment that was run again lost the tree behind it: in a browser no board was found in memory by that.
            known = [self._moment(session, known[0] if known else None), *known[1:]]
            self._roots[seed] = known[0]
        path = known[: at + 1]
        for number in range(at, len(answers)):
            moment, text = path[-1], answers[number]
            if moment.wait.ending is not None:
                break
            give(session, text)
            path.append(self._moment(session, known[number + 1] if number + 1 < len(known) else None))
            moment.next[text] = path[-1]
            if path[-1].wait.ending is not None:
                self.ended_by.add((text, path[-1].wait.ending.kind))
        self.instructions += session.instructions - before
        self._keep(path[-1], session)
        return path

    def _taken_up(self, known: list[_Moment]) -> tuple[int, Session | None]:
        """The last known moment with a session: a fork of it, or, of a native program, the one session that still waits there."""
        for at in range(len(known) - 1, -1, -1):
            live = self._live.get(known[at])
            if live is None:
                continue
            if not self._forks:
                return at, self._live.pop(known[at])
            self._live.move_to_end(known[at])
            return at, cast(Forking, live).fork()
        return 0, None

    def _moment(self, session: Session, known: _Moment | None) -> _Moment:
        """The moment to which a session comes: the known one, where this one repeats it."""
        ending = session.advance()
        output = decode(session.take_output())
        if ending is not None and ending.kind in (EndingKind.BUDGET, EndingKind.TIME_LIMIT):
            self._patience -= USED_UP if ending.kind is EndingKind.BUDGET else 1
            self.hung = True
        if known is not None:
            self.steady &= known.wait.output == output and (known.wait.ending is None) == (ending is None)
            if self.steady:
                return known
            self._runs.clear()
            self._paths.clear()
        self._floods -= ending is None and len(output) > LONGEST_TURN
        place = cast(Forking, session).place if ending is None and self._forks else ()
        view = self._look(session) if self._look else ""
        # A program that refuses on cerr or System.err was said to give no message: a terminal shows both streams.
        aside = decode(cast(WithErrors, session).take_errors()) if ending is None and self._errors else ""
        return _Moment(Wait(output, "" if ending else session.wants, place, ending, view, aside))

    def _keep(self, moment: _Moment, session: Session) -> None:
        if moment.wait.ending is None:
            self._live[moment] = session
        if len(self._live) > LIVE:
            self._live.popitem(last=False)
