"""The interface of a referee: the rules of a game, and of talking it over, as pure functions on immutable states.

A referee module (``reference/<game>.py``) offers:

- ``START``, the state before the program has said anything;
- ``FAULTS``, every kind of fault that it may find except ``unread`` and ``crash``: cases choose from them;
- ``OCCASIONS``, the name of each kind of occasion in the words of the assignment, in the plural;
- ``OCCASIONS_OF``, by kind of fault, the occasions on which a fault of this kind could show: where they did not come about nothing is
  judged;
- ``hear(state, heard)``, which takes what the program said in one turn and rules on it;
- ``answers(state, question)``, what may be typed now, and what must be refused;
- ``answer(state, question, text)``, the state after that was typed;
- where a turn that was cut short, because the program broke in it, still shows something, ``last_words(state, heard)``, which rules
  on that alone;
- where a program that breaks leaves something undone that was due, ``due(state)``, the kind of fault that this is, or "";
- where a program may break by a fault that shows otherwise as well, ``follows(state)``, the kinds of faults that this may be;
- where a position can be drawn, ``position(state)``, a few lines that a report shows with a fault, or "";
- where one question may want two answers, such as a row and a number, ``silence(state)``, the question that is meant by a turn in
  which nothing is printed, or "";
- where games should not all begin alike, ``STARTS``: game after game takes the next of these states instead of ``START``;
- where programs may talk a game of heaps over in words of their own, ``DUEL``, a `grader.games.heaps.duel.Duel`;
- where every position can be tried, the parts that `grader.games.ground` lists;
- in a kit, where ``play`` is cut out, ``VOCABULARY``, the words that the assignment says in its games;
- where something shows in many games alone, ``across(states)``, the faults of all games of a case, from their last states;
- ``RESEEDS``, False if games need no random numbers of their own for that.

A state holds all that the referee must remember: the position, whose move it is, whether a refusal is due. States are
hashable, so that later a search can tell which it has seen.

The decisions that referees of heaps have in common are in `grader.games.heaps`; such a module adds what is special to its assignment.

A referee goes on after a fault wherever it can, from the state that the program itself shows. After a fault that ``stops`` a game
nothing more of it is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, lru_cache
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from grader.checks.facts import Fact
from grader.errors import JudgeError
from grader.games.event import Event
from grader.games.ground import Ground
from grader.values import dataclass

if TYPE_CHECKING:
    from grader.games.heaps.duel import Duel

S = TypeVar("S", bound=Hashable)

UNREAD = "unread"
"""The kind of fault that says: the program may be right, but we could not read it. A person decides."""

SILENT = "silent"
"""The kind of fault that says: the program waits and has not printed anything yet. Nothing is unread; no case judges it."""

CRASH = "crash"
"""The kind of fault that says: the program broke, ran out of time or printed without end. It is found without a referee."""

AFTER_REFUSAL = "after-refusal"
"""The kind of fault that says: after a refusal the program does wrong what it does right where nothing was refused. Forks find it."""


@dataclass(frozen=True)
class Heard:
    """The statement of a program in one turn: its facts in the order of the text, and the question with which it waits.

    ``question`` is None if the program ended (``ended``), or where none of the spec's questions was found. ``wants`` is
    what it waits for: a ``line``, a ``key``, an ``integer`` or another number. ``words`` are the lines with words in them that state
    no fact. ``events`` are said in words that were learned, or made of the facts. ``aside`` says that the program also wrote to the
    error stream.
    """

    facts: tuple[Fact, ...]
    question: str | None = None
    ended: bool = False
    wants: str = "line"
    words: frozenset[str] = field(default=frozenset(), compare=False)
    events: tuple[Event, ...] = ()
    aside: bool = False

    def __hash__(self) -> int:
        """The hash of what is compared."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Referees remember what they make of a turn. To hash all its facts took a tenth of a ruling, and a program prints few different turns.
        return hash((self.facts, self.question, self.ended, self.wants, self.events))


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that a program did wrong: a kind, which cases choose to judge, and a sentence for the student.

    ``stops`` says that the referee cannot follow the game any further. If a text could not be read, ``about`` are the
    kinds of faults that it may hide; empty if that may be any kind. If the program broke, they are those that it may follow from. A fault is
    free where games of the same set show a fault of a kind in ``causes``, which explains it. ``passes`` says that the game is known for sure
    behind the fault, so that later ones do not follow from it.
    """

    kind: str
    message: str
    stops: bool = False
    about: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()
    passes: bool = False


@dataclass(frozen=True, slots=True)
class Ruling:
    """The state after a turn, the faults in it, and the occasions that it gave for faults, by name, each as often as it came."""

    state: Hashable
    faults: tuple[Fault, ...] = ()
    occasions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answers:
    """The inputs for a question: ``legal`` answers, and ``illegal`` ones, which the program must refuse.

    ``forced`` says that there is no choice, whatever game is played: a pause, or the rest of a move. ``leaves`` says that the game is over
    and nothing more is typed. The program may offer another game by a menu, and nobody knows which answer ends it.
    """

    legal: tuple[str, ...]
    illegal: tuple[str, ...] = ()
    forced: bool = False
    leaves: bool = False


ANSWERS = "answers"
"""The occasion for a crash: something was typed. It is counted without a referee."""

_LABELS = MappingProxyType({ANSWERS: "answers"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """The kinds of faults that a referee, or a way of exploring, may find, and the occasions on which each could show.

    ``occasions`` is what each kind of occasion is called, ``occasions_of`` has the kinds for each kind of fault. ``position`` draws a
    state, and ``across`` rules on all games together, from their last states.
    """

    faults: tuple[str, ...]
    occasions: Mapping[str, str] = field(default_factory=lambda: _LABELS)
    occasions_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    position: Callable[[Hashable], str] = lambda _state: ""
    across: Callable[[Sequence[Hashable]], tuple[Fault, ...]] = lambda _states: ()

    def occasions_for(self, faults: Sequence[str]) -> tuple[str, ...]:
        """The occasions on which any of these kinds of faults could show, each once."""
        names = (name for kind in faults for name in ((ANSWERS,) if kind == CRASH else self.occasions_of.get(kind, ())))
        return tuple(dict.fromkeys(names))


@dataclass(frozen=True, slots=True, kw_only=True)
class Referee(Tables):
    """The names that a referee module offers, the optional parts filled in. None of its functions changes anything.

    ``reseeds`` says that games are also judged together, so that each must begin with random numbers of its own.
    """

    hear: Callable[[Hashable, Heard], Ruling]
    answers: Callable[[Hashable, str], Answers]
    answer: Callable[[Hashable, str, str], Hashable]
    starts: tuple[Hashable, ...]
    last_words: Callable[[Hashable, Heard], Ruling] = lambda state, _heard: Ruling(state)
    due: Callable[[Hashable], str] = lambda _state: ""
    follows: Callable[[Hashable], tuple[str, ...]] = lambda _state: ()
    silence: Callable[[Hashable], str] = lambda _state: ""
    reseeds: bool = False
    ground: Ground | None = None
    duel: Duel | None = None

    @property
    def known_ground(self) -> Ground:
        """Its ground. Raises JudgeError if it knows none."""
        if self.ground is None:
            hint = "grader.games.ground says what a referee offers for that"
            raise JudgeError("the referee does not know its positions, so that they cannot all be tried", hint=hint)
        return self.ground

    def start(self, number: int) -> Hashable:
        """The state with which game ``number`` (from 0) begins."""
        return self.starts[number % len(self.starts)]


def tables(occasions: Mapping[str, str], occasions_of: Mapping[str, tuple[str, ...]]) -> Tables:
    """The tables of a way of exploring, which finds the kinds of faults of ``occasions_of``; the occasion of a crash is added."""
    return Tables(faults=tuple(occasions_of), occasions={**_LABELS, **occasions}, occasions_of=occasions_of)


_PARTS = ("START", "FAULTS", "OCCASIONS", "OCCASIONS_OF", "hear", "answers", "answer")


def of_module(module: object, place: str) -> Referee:
    """The referee that a reference module is. Raises JudgeError if it lacks a part, or names an occasion that it has not."""
    missing = [name for name in _PARTS if not hasattr(module, name)]
    if missing:
        hint = "grader.games.referee says what a referee offers"
        raise JudgeError(f"the reference is no referee: it has no {', '.join(missing)}", place=place, hint=hint)
    # A test may hand in an object with these parts in place of a module.
    offer = vars(module) if isinstance(module, ModuleType) else {n: getattr(module, n) for n in dir(module)}
    unknown = {name for names in offer["OCCASIONS_OF"].values() for name in names} - offer["OCCASIONS"].keys()
    if unknown:  # found here rather than in the middle of a game
        raise JudgeError(f"OCCASIONS_OF names {', '.join(sorted(unknown))}, which OCCASIONS does not", place=place)
    return Referee(
        starts=offer.get("STARTS") or (offer["START"],),
        faults=offer["FAULTS"],
        occasions={**_LABELS, **offer["OCCASIONS"]},
        occasions_of=offer["OCCASIONS_OF"],
        reseeds=offer.get("RESEEDS", "across" in offer),
        ground=_ground(offer) if "POSITIONS" in offer else None,
        duel=offer.get("DUEL"),
        **_offered(offer, Referee, Tables),
    )


def _ground(offer: Mapping[str, Any]) -> Ground:
    """The ground of a module; the ways from a place are worked out once for all programs."""
    ground = Ground(offer["POSITIONS"], **_offered(offer, Ground))
    return replace(ground, ways=lru_cache(maxsize=1 << 12)(ground.ways))


def _offered(offer: Mapping[str, Any], *kinds: type) -> dict[str, Any]:
    """The functions of a module that are called like fields of these classes."""
    names = {name for kind in kinds for name in kind.__annotations__}
    return {name: offer[name] for name in names if callable(offer.get(name))}
