"""One problem of a spec, by the node it is about; the way to it from a part of a draft, and its way to a place in the file.

Hints have one wording for keys, ids, choices and kinds (``near``).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from grader.source import Diagnostic, Severity
from grader.values import dataclass

if TYPE_CHECKING:  # the model is made of the keys of kinds, whose rules stand beside them
    from grader.spec.document import Document, Loc
    from grader.spec.rules.draft import Draft

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of a node of a spec.

    ``loc`` leads to the node; with ``at_key`` the place is its key rather than its value. ``within`` is a stretch of the
    text that the node holds: line, column and end column from 1, the end not included.
    """

    code: str
    message: str
    loc: Loc
    hint: str = ""
    at_key: bool = False
    within: tuple[int, int, int] | None = None
    severity: Severity = Severity.ERROR

    @classmethod
    def warning(cls, code: str, message: str, loc: Loc, hint: str, *, at_key: bool = False) -> Problem:
        """A problem that does not stop anybody from grading."""
        return cls(code, message, loc, hint, at_key, severity=Severity.WARNING)


@dataclass(frozen=True)
class At(Generic[T]):
    """A valid part of a draft, as its rules see it, and the way to it. Each rule looks at one part and at its draft."""

    draft: Draft
    loc: Loc
    part: T

    def problem(self, code: str, message: str, *steps: str | int, hint: str = "", **others: Any) -> Problem:
        """A problem of the node that ``steps`` lead to from the part, with ``others`` of its fields."""
        return Problem(code, message, (*self.loc, *steps), hint, **others)

    def warning(self, code: str, message: str, *steps: str | int, hint: str, at_key: bool = False) -> Problem:
        """A problem that does not stop anybody from grading."""
        return Problem.warning(code, message, (*self.loc, *steps), hint, at_key=at_key)

    def idle(self, message: str, *steps: str | int, hint: str = "remove it") -> Problem:
        """The problem of a key that has no effect."""
        return self.problem("idle-key", message, *steps, hint=hint, at_key=True)

    def foreign(self, message: str, *steps: str | int, hint: str = "remove it") -> Problem:
        """The problem of a key, or without ``steps`` of a kind, that programs in this language do not have."""
        return self.problem("foreign-key" if steps else "foreign-kind", message, *steps, hint=hint, at_key=True)


def locate(problem: Problem, document: Document) -> Diagnostic:
    """The problem with its place; steps of its ``loc`` that name no node are left out."""
    loc = document.settle(problem.loc)
    if problem.within and loc == problem.loc:
        span = document.span_within(loc, *problem.within)
    else:
        span = document.key_span(loc) if problem.at_key else document.value_span(loc)
    return Diagnostic(problem.severity, problem.code, problem.message, span, problem.hint)


# words of a hint: a spec with fifty cases would fill a page
_LISTED = 12
_COMPARED = 300  # no spec has more of a kind, and comparing every two of thousands takes minutes


def near(word: str, known: Iterable[str], where: str) -> str:
    """``did you mean `format`?``, or the known words where none is near; ``where`` says what they are."""
    words = list(known)
    matches = difflib.get_close_matches(word, words[:_COMPARED], n=1, cutoff=0.6)
    # `LC3` for `lc3` shares too few letters with it to be near.
    matches = matches or [known for known in words if known.lower() == word.lower()]
    if matches:
        return f"did you mean `{matches[0]}`?"
    if not words:
        return f"{where}: none"
    listed = ", ".join(words[:_LISTED]) + (", …" if len(words) > _LISTED else "")
    return f"{where}: {listed}"
