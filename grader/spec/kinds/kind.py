"""A kind of case: all that tells it from the others below ``grader.grading``, where ``grading.kinds`` has its judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from grader.spec.problem import At, Problem
from grader.spec.things import word_problem
from grader.values import dataclass

if TYPE_CHECKING:  # the model is made of the keys of kinds
    from grader.spec.document import Loc
    from grader.spec.model import Case

T = TypeVar("T")


@dataclass(frozen=True)
class Entry(At[T]):
    """What stands below the key of a kind in a case, as the rules of that kind see it."""

    case: Case
    kind: Kind


KindRule = Callable[[Entry[Any]], Iterator[Problem]]


@dataclass(frozen=True)
class Kind:
    """A kind of case: what the loader, the rules, the scoring and ``lint`` know of it."""

    name: str
    """Its key in a case."""
    rules: tuple[KindRule, ...] = ()
    """The rules for what stands below that key."""
    keys: frozenset[str] = frozenset()
    """The keys beside it that only some kinds of cases have."""
    runs: bool = True
    """Whether the program is run for a case."""
    builds: bool = True
    """Whether there must be a program that builds."""
    handed_in: bool = False
    """Whether only what was handed in is looked at: a program that was made up passes in any form."""
    by_hand: bool = False
    """Whether a person judges it, so that no program can fail it by itself."""
    of_program: bool = True
    """Whether the program is looked at, or at least its source."""
    plays: bool = False
    """Whether the reference plays a case, so that ``lint`` can try it."""
    heard: bool = False
    """Whether the text that a program prints decides: then a program that always prints the same may pass."""
    judge: str = ""
    """The module of ``grading.kinds`` that judges it, where that is not called as the kind is."""
    reference: str = ""
    """What a reference is needed for, as in "a reference that writes the text"; empty where none is needed."""
    moves: Callable[[Any], str] = lambda _: ""
    """What to do where the reference does not tell which moves are legal; empty where a case does not need that."""
    manner: frozenset[str] = frozenset()
    """The keys below that demand nothing: they say how something is looked at."""
    shows: Callable[[Any], bool] = lambda _: False
    """Whether `shows` has a meaning beside it: where a program that does nothing would pass."""


OF_TEXT = frozenset({"facts", "mentions", "tolerance"})
"""The keys of cases in which a whole text is compared."""


def demands(at: Entry[Any]) -> Iterator[Problem]:
    """A case demands something: one of its keys says more than how something is looked at."""
    keys = [key for key in type(at.part).model_fields if key not in at.kind.manner]
    plain = type(at.part)()
    # A case that demands nothing gives its points to every program, and nobody notices.
    if all(getattr(at.part, key) == getattr(plain, key) for key in keys):
        yield at.problem("demands-nothing", f"`{at.case.id}` demands nothing", hint=f"add one of {', '.join(keys)}")


def contradictions(at: Entry[Any], words: Iterable[str], *steps: str) -> Iterator[Problem]:
    """Words that are both required and forbidden."""
    for word in words:
        message = f"{word} is both required and forbidden"
        yield at.problem("contradiction", message, *steps, hint="remove one", at_key=True)


def traps(at: Entry[Any]) -> Iterator[Problem]:
    """No trap vector is both required and forbidden."""
    both = set(at.part.required_traps) & set(at.part.forbidden_traps)
    yield from contradictions(at, (f"x{vector:02X}" for vector in sorted(both)), "required_traps")


def words(at: At[Any], numbers: Iterable[tuple[Loc, int]]) -> Iterator[Problem]:
    """Numbers that do not fit into a word of the machine: a larger one would lose its upper half without a word."""
    language = at.draft.simulated
    for loc, number in numbers if language else ():
        if language and (message := word_problem(number, language)):
            yield at.problem("range", message, *loc)
