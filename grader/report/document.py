"""One grade as every form of report takes it. A form is a module with a function ``document``, and a row in `grader grade`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from grader.languages import ENGLISH, Language
from grader.report.ahead import NO_LATER, Later
from grader.results import Grade, for_student
from grader.values import dataclass

Audience = Literal["staff", "student"]


@dataclass(frozen=True, slots=True)
class View:
    """A grade as its ``audience`` may see it, the ``whole`` of it, and what the command line knows beside it.

    ``grain`` is that of scores, ``seconds`` are the times of cases by their ids, ``now`` the time as 2026-11-23T02:39:01Z.
    """

    shown: Grade
    whole: Grade
    audience: Audience
    grain: Fraction
    seconds: Mapping[str, float]
    environment: Mapping[str, str]
    now: str

    @property
    def student(self) -> Grade:
        """The projection for the student: what goes to a student's system, whatever the audience."""
        return for_student(self.whole)


@dataclass(frozen=True, slots=True)
class Look:
    """How a report looks on a terminal: its width in columns, colour, the language; ``later`` is what is judged after the handing in."""

    width: int = 100
    colour: bool = False
    language: Language = ENGLISH
    later: Later = NO_LATER


PLAIN = Look()
