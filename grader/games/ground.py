"""The ground of a game: the places in which its user is asked, and the ways that lead on from each, by the rules alone.

A referee whose positions can all be tried offers, besides its other parts:

- ``POSITIONS``, what is counted, in the plural and in the words of the assignment: ``positions in which the computer moves``;
- ``place(state, question)``, the place in which a question is asked. It is None if the place is not known for sure, or if this
  is only a part of a question, such as the number after the row;
- ``ways(place)``, the ways from there, those first that shall be tried first;
- ``typed(state, question, aim)``, the answer to a question for going a way (its ``answer``), or for beginning in a place;
  None if that cannot be said;
- where the user types with what a game begins, ``openings(largest)``, the places in which one can begin.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from grader.values import dataclass

Place = Hashable
"""A position in which the user is asked, and what else a program may go by, such as who began the game."""


@dataclass(frozen=True, slots=True)
class Way:
    """The answers that may be given in a place.

    ``answer`` is the move as the referee writes it. ``leads`` names what comes of it by the rules, before the program has done
    anything; ways that lead to the same are the same to the program. ``counts`` is the position that is tried by going it, None
    where it only leads on. ``stays`` says that it must be refused, ``wins`` that the user wins after it if she plays as well as
    possible, ``ends`` that the game is over.
    """

    answer: str | tuple[int, ...]
    leads: Hashable
    counts: Hashable = None
    stays: bool = False
    wins: bool = False
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Ground:
    """The ground that a referee offers, the optional part filled in."""

    label: str
    place: Callable[[Hashable, str], Place | None]
    ways: Callable[[Place], tuple[Way, ...]]
    typed: Callable[[Hashable, str, Hashable], str | None]
    openings: Callable[[int], tuple[Place, ...]] = lambda _largest: ()
