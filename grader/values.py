"""``dataclass`` for frozen values, which takes a quarter of the time to define one.

A command of ours defines some 250 of them at its start. Half of its start went into methods that ``dataclasses`` writes as text and
compiles, class by class. Here only ``__init__`` is made in that way; comparing, hashing and showing are the same code for all.
The type checker sees to it that values do not change. To refuse a change at run time would take a third of a definition, and
slow down each new value. Only the values that leave the library (``grader.results``) refuse it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, *, frozen: bool = False, **options: object) -> object:
        """``dataclasses.dataclass``, quicker for what is frozen."""
        if not frozen:
            return dataclasses.dataclass(cls, **options)
        make = dataclasses.dataclass(eq=False, repr=False, **options)
        return (lambda one: _completed(make(one))) if cls is None else _completed(make(cls))


def _completed(cls: Any) -> Any:
    """The class with the methods that it does not have itself."""
    fields = dataclasses.fields(cls)
    own = vars(cls)
    # A class that defines `__eq__` has a `__hash__` of None.
    if own.get("__hash__") is None:
        hashed = _values([one.name for one in fields if (one.compare if one.hash is None else one.hash)])
        cls.__hash__ = lambda self: hash(hashed(self))
    if "__eq__" not in own:
        compared = _values([one.name for one in fields if one.compare])
        cls.__eq__ = lambda self, other: (
            compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented
        )
    if "__repr__" not in own:
        cls.__repr__ = _shown
    return cls


def _values(names: list[str]) -> Callable[[object], object]:
    """A function that reads these fields of an object at once."""
    return attrgetter(*names) if names else lambda _: ()


def _shown(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in dataclasses.fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"
