"""What was learned of one program's way of talking: shown to people, and open to their correction.

Learning names what a text means. It never finds a fault, and what could not be named charges nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from grader.results import Lesson
from grader.values import dataclass

__all__ = ["Learned", "Lesson"]


@dataclass(frozen=True, slots=True)
class Learned:
    """All that was learned of one program, in the order in which it was, and the digest of its wording.

    Programs of the same ``wording`` say the same words at the same places: a correction of one holds for all. ``unheeded`` has a
    sentence for each key of a correction that could not be followed.
    """

    lessons: tuple[Lesson, ...] = ()
    wording: str = ""
    unheeded: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
