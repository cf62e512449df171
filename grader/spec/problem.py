"""One problem of a spec, by the node it is about; and its way to a Diagnostic with a place in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.source import Diagnostic, Severity
from grader.values import dataclass

if TYPE_CHECKING:
    from grader.spec.document import Document, Loc


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a node of a spec.

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
    def idle(cls, message: str, loc: Loc, hint: str = "remove it") -> Problem:
        """The problem of a key that has no effect."""
        return cls("idle-key", message, loc, hint, at_key=True)

    @classmethod
    def warning(cls, code: str, message: str, loc: Loc, hint: str, *, at_key: bool = False) -> Problem:
        """A problem that does not stop anybody from grading."""
        return cls(code, message, loc, hint, at_key, severity=Severity.WARNING)


def locate(problem: Problem, document: Document) -> Diagnostic:
    """The problem with its place; steps of its ``loc`` that name no node are left out."""
    loc = document.settle(problem.loc)
    if problem.within and loc == problem.loc:
        span = document.span_within(loc, *problem.within)
    else:
        span = document.key_span(loc) if problem.at_key else document.value_span(loc)
    return Diagnostic(problem.severity, problem.code, problem.message, span, problem.hint)
