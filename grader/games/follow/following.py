"""One game followed: the program talks, the referee hears, and answers are drawn until the game is over."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Hashable, Mapping
from dataclasses import field, replace
from functools import cache, cached_property, lru_cache, partial
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeVar

from grader.bounded import LONGEST_REMEMBERED, LONGEST_RUN, bounded, remembered
from grader.checks.ending import faulty
from grader.checks.facts import Fact, FactReader
from grader.errors import JudgeError
from grader.games.event import Event
from grader.games.ground import Place
from grader.games.referee import ANSWERS, CRASH, SILENT, UNREAD, Answers, Fault, Heard, Referee, Ruling
from grader.sessions.session import Account, Session
from grader.spec.expectations import ENTER
from grader.spec.kinds.runs import GameSet
from grader.spec.model import TextRules
from grader.transcript import Ending, EndingKind, Transcript, visible
from grader.values import dataclass

H = TypeVar("H", bound=Hashable)

Draw = Callable[[Answers, Hashable, str], str | None]
"""Chooses what to type, or None to leave the game, by what may be typed, the referee's state and the question."""


class Reads(Protocol):
    """Whatever reads turns."""

    def read(self, text: str, *, ended: bool, wants: str = "line") -> Heard:
        """The facts and the question of a turn."""


QUOTED = 60
"""Characters of a question that could not be read that are quoted."""


@dataclass(frozen=True, slots=True)
class Followed:
    """A game that was followed: what was said, and each fault with the number of its turn.

    ``positions`` draws the position after a turn, by the numbers of turns with faults. ``readings`` says how such turns were read, in a
    game that was found by experiment.
    ``occasions`` counts what came about, by the referee's names. ``seed`` is that of the program's own random numbers, where it was given one.

    ``heard`` and ``states`` hold, for each turn, what was read in it and the referee's state after it; a game that was found by
    experiment has neither.
    """

    transcript: Transcript
    faults: tuple[tuple[int, Fault], ...]
    seed: int | None = None
    occasions: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    heard: tuple[Heard, ...] = ()
    states: tuple[Hashable, ...] = ()
    readings: Mapping[int, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    positions: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))

    def reading(self, turn: int) -> tuple[str, ...]:
        """How a turn was read."""
        if not self.heard:
            return self.readings.get(turn, ())
        heard = self.heard[turn - 1]
        return tuple(dict.fromkeys(map(_reading, heard.facts or heard.events)))

    @property
    def broke(self) -> bool:
        """Whether the program broke, which is then the last of the faults."""
        return faulty(self.transcript.ending)

    @property
    def stop(self) -> Fault | None:
        """The fault after which the referee could not follow a program that was still there; None if there was no such."""
        last = self.faults[-1][1] if self.faults else None
        # An explored game is played to its end whatever is found in it; one that broke was not there any more.
        alive = self.transcript.ending.kind is EndingKind.STILL_WAITING or not (self.states or self.broke)
        return last if last is not None and last.stops and alive else None


REMEMBERED = 1 << 14
"""Turns whose rulings a worker remembers, in 90 MB for lc3-nim: a right program is heard in 6,300. Four times as many took 350 MB for a
class of 72, and no less time."""


CHANGED = 4
"""Maximum changed referees whose rulings a worker remembers: those of a program under all profiles, and of some that depart alike."""


class Stand:
    """A state of a game in which a question stands. It is equal to itself alone: to hash a state takes longer than to look a turn up."""

    def __init__(self, referee: Referee, state: Hashable, question: str) -> None:
        self._referee = referee
        self.state, self.question = state, question

    @cached_property
    def answers(self) -> Answers:
        """The inputs that may be typed. Raises JudgeError if the referee knows no answer."""
        answers = self._referee.answers(self.state, self.question)
        if not (answers.legal or answers.leaves):
            raise JudgeError(f"the referee lets the program ask “{self.question}” and knows no answer to it")
        return answers

    @cached_property
    def place(self) -> Place | None:
        """The place on the referee's ground, None if it is not known."""
        return self._referee.known_ground.place(self.state, self.question)

    @cached_property
    def typed(self) -> Callable[[Hashable], str | None]:
        """The input for going a way, by the answer of that way."""
        return cache(partial(self._referee.known_ground.typed, self.state, self.question))


class Ruled(NamedTuple):
    """A reading of a turn, the ruling on it, the state of the game after it, and whether nothing more can be ruled on."""

    heard: Heard
    ruling: Ruling
    stand: Stand
    stops: bool


class Rulings:
    """A referee and a reader, with a memory: their rulings are pure, and all programs of a class say much the same.

    If they learn while they listen, nothing may be remembered (``pure``).
    """

    def __init__(self, referee: Referee, reader: Reads, *, pure: bool = True) -> None:
        self.referee, self.reader = referee, reader
        self._pure = pure
        most = REMEMBERED if pure else 0
        self._remembered = lru_cache(most)(self._rule)
        self._stand = lru_cache(most)(partial(Stand, referee))
        self._changed = lru_cache(CHANGED if pure else 0)(self._change)

    def by(self, change: Callable[[Referee, H], Referee], what: H) -> Rulings:
        """The rulings of the referee after a ``change`` to it, on what the same reader reads."""
        return self._changed(change, what)

    def _change(self, change: Callable[[Referee, Any], Referee], what: Hashable) -> Rulings:
        return Rulings(change(self.referee, what), self.reader, pure=self._pure)

    def begin(self, start: Hashable) -> Stand:
        """The state of a game before the program prints."""
        return self._stand(start, "")

    def after(
        self,
        stand: Stand,
        answer: str | None,
        output: str,
        ending: Ending | None,
        wants: str,
        *,
        silent: bool = False,
        aside: bool = False,
    ) -> Ruled:
        """The ruling on a turn that printed ``output`` after an ``answer``; None if nothing was typed yet.

        ``silent`` says that nothing was printed in any turn, ``aside`` that the program wrote to the error stream in this one.
        """
        method = self._remembered if len(output) <= LONGEST_REMEMBERED else self._rule
        return method(stand, answer, output, ending, wants, silent, aside)

    def _rule(
        self,
        stand: Stand,
        answer: str | None,
        output: str,
        ending: Ending | None,
        wants: str,
        silent: bool,
        aside: bool,
    ) -> Ruled:
        referee, state = self.referee, stand.state
        if answer is not None:
            state = referee.answer(state, stand.question, answer)
        heard = listen(self.reader, referee, state, output, ending, "" if ending else wants)
        heard = replace(heard, aside=True) if aside else heard
        ruling = rule(referee, state, heard, output, ending, silent=silent)
        stand, stops = self._stand(ruling.state, heard.question or ""), any(fault.stops for fault in ruling.faults)
        return Ruled(heard, ruling, stand, stops)


def follow(session: Session, rulings: Rulings, draw: Draw, *, start: Hashable = None) -> Followed:
    """Play one game to its end, to a fault that stops it, or until nothing more is drawn.

    The turn in which a program breaks was cut short: only its last words are ruled on. It is a crash, or where
    something was due of it, such as a refusal, the fault of not doing that.

    ``start`` is the state to begin with, where it is not the referee's first one.
    """
    referee, answer = rulings.referee, None
    stand = rulings.begin(referee.start(0) if start is None else start)
    account = Account(session)
    faults: list[tuple[int, Fault]] = []
    occasions: Counter[str] = Counter()
    turns: list[tuple[Heard, Hashable]] = []
    positions: dict[int, str] = {}
    while True:
        ending = account.listen()
        wants = "" if ending else session.wants
        # A program that refuses on its error stream was said to give no message: a terminal shows both streams.
        aside = bool(account.aside.strip())
        heard, ruling, stand, stops = rulings.after(
            stand, answer, account.output, ending, wants, silent=account.silent, aside=aside
        )
        turns.append((heard, stand.state))
        if ruling.faults:  # only these are shown: to draw each position of some thousand games would take longest
            faults += [(account.turn, fault) for fault in ruling.faults]
            positions[account.turn] = referee.position(stand.state)
        occasions.update(ruling.occasions)
        if ending is not None or stops:
            break
        answer = None if stand.answers.leaves else draw(stand.answers, stand.state, stand.question)
        if answer is None:
            break
        occasions[ANSWERS] += 1
        # An Enter behind a key would be the next key.
        account.say(answer if wants == "key" else answer + ENTER)
    return Followed(
        account.closed(ending),
        tuple(faults),
        occasions=MappingProxyType(occasions),
        heard=tuple(heard for heard, _ in turns),
        states=tuple(state for _, state in turns),
        positions=MappingProxyType(positions),
    )


def _reading(fact: Fact | Event) -> str:
    """How a stretch of output was read: ``“COMPUTER moves a1” was read as move: heap a, count 1``."""
    # Of a row with 3,595 rocks a finding said that it has 200.
    cut = str(LONGEST_RUN) if len(fact.quote) > LONGEST_RUN else ""
    values = ", ".join(f"{name} {value}{'+' if value == cut else ''}" for name, value in fact.values.items() if value)
    reading = f"{fact.name}{': ' if values else ''}{values}"
    quote = " ".join(fact.quote.split())  # heaps that were learned by experiment have no words of their own
    # A finding said that “” was read as a winner.
    return f"“{quote}” was read as {reading}" if quote else f"the output was read as {reading}"


def listen(reader: Reads, referee: Referee, state: Hashable, output: str, ending: Ending | None, wants: str) -> Heard:
    """The facts of a turn that printed ``output``, and waits or has ended; one without output may ask by its silence."""
    heard = reader.read(output, ended=ending is not None, wants=wants)
    # Programs ask once for a row and a number, and read both: the wait without a word left the game to a person.
    if ending is None and not output.strip():
        return replace(heard, question=referee.silence(state) or None)
    return heard


def rule(
    referee: Referee, state: Hashable, heard: Heard, output: str, ending: Ending | None, *, silent: bool = False
) -> Ruling:
    """The referee's ruling on a turn. ``silent`` says that nothing was printed in any turn."""
    if ending is not None and faulty(ending):  # its last turn was cut short: a board may lack its last rows
        ruling = _check(referee, referee.last_words(state, heard))
        # A game that ended in this turn as it should leaves the question for another one, and what was refused in it is refused.
        kind = referee.due(ruling.state) or CRASH
        broken = Fault(kind, ending.message, stops=True, about=referee.follows(state))
        return replace(ruling, faults=(*ruling.faults, broken))
    ruling = _check(referee, referee.hear(state, heard))
    if heard.question is not None or heard.ended or any(fault.stops for fault in ruling.faults):
        return ruling
    if silent:
        unasked = Fault(SILENT, "it waits for input, but has printed nothing", stops=True)
    else:
        lines = output.split("\n")
        words = next((visible(line.strip()) for line in reversed(lines) if line.strip()), "")[:QUOTED]
        unasked = Fault(UNREAD, f"it waits for input, but we could not read what it asks for: “{words}”", stops=True)
    return replace(ruling, faults=(*ruling.faults, unasked))


def _check(referee: Referee, ruling: Ruling) -> Ruling:
    """The ruling, if it names nothing but what the referee lists. Raises JudgeError."""
    # No case of a spec could name such a fault: it would never be judged.
    for fault in ruling.faults:
        if fault.kind != UNREAD and fault.kind not in referee.faults:
            raise JudgeError(f"the referee finds {fault.kind}, which its FAULTS do not list")
    for name in ruling.occasions:
        if name not in referee.occasions:
            raise JudgeError(f"the referee reports {name}, which its OCCASIONS do not list")
    return ruling


def drawing(game: GameSet, number: int) -> Draw:
    """Answers for game ``number`` (from 0), drawn by the case's seed: the same on every machine."""
    random = Random(f"{game.seed}/{number}")
    budget, illegal = (
        game.inputs,
        float(game.illegal),
    )  # an answer is drawn at each turn, and fractions are compared slowly

    def draw(answers: Answers, *_: object) -> str | None:
        nonlocal budget
        if answers.forced:  # a pause costs no input: a program with many pauses would be asked for fewer moves
            return answers.legal[0]
        budget -= 1
        if budget < 0:
            return None
        wrong = bool(answers.illegal) and random.random() < illegal
        among = answers.illegal if wrong else answers.legal
        return among[int(random.random() * len(among))]

    return draw


def repeating(inputs: tuple[str, ...]) -> Draw:
    """The given answers in their order, as long as each is one that may be typed where it comes."""
    rest = iter(inputs)

    def draw(answers: Answers, *_: object) -> str | None:
        answer = next(rest, "")
        # A shrunk list of answers may come to a question at which they mean nothing: there the game is left.
        known = (*answers.legal, *answers.illegal)
        return next((text for text in (answer, answer.removesuffix(ENTER)) if text in known), None)

    return draw


# ------------------------------------------------------------------------------------------------------ reading a turn

_WORD = re.compile(r"[^\W\d_]{2}")
"""Two letters: an echoed key is no word."""


class Reader:
    """Reads facts and the question from turns; one for all submissions of a spec."""

    def __init__(self, rules: TextRules, own_events: Callable[[Heard], tuple[Event, ...]] = lambda _turn: ()) -> None:
        """Compile the patterns of ``facts`` and ``questions``; ``own_events`` makes events of the facts of a turn.

        A turn is read once for each text: a proof of all positions hears the same texts some hundred times.
        """
        self._facts = FactReader(rules.facts)
        self._questions = [(rule.name, re.compile(rule.pattern, re.IGNORECASE)) for rule in rules.questions]
        self._own_events = own_events
        self.read = remembered(self._read)

    def _read(self, text: str, *, ended: bool, wants: str = "line") -> Heard:
        """The facts of a turn; the question is the one whose last match stands latest.

        ``wants`` is what the session says that it waits for.
        """
        # A line of wide blank cells held the board pattern of one spec for 14 s, and a program was graded for 511 s.
        view = bounded(text)
        # The last match of each pattern counts. The question of lc3-nim is any sign, and a turn has a hundred signs.
        last = [(name, deque(pattern.finditer(view), maxlen=1)) for name, pattern in self._questions]
        places = [(match.start(), name) for name, matches in last for match in matches]
        question = None if ended else max(places, default=(0, None), key=lambda item: item[0])[1]
        # The last line is a question, which states nothing if it names a player who does not exist.
        lines = {" ".join(line.split()) for line in view.split("\n")[:-1] if _WORD.search(line)}
        words = frozenset(line for line in lines if not self._facts.facts(line))
        heard = Heard(self._facts.facts(text), question, ended, wants, words)
        return replace(heard, events=self._own_events(heard))
