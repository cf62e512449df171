"""The HTML pages: one self-contained file for a submission, and one for a batch. No network, no clock, no images.

Two layers keep student text from being more than text. Every expression of a template goes through ``shown.plain`` and
is then escaped by the template engine; and a policy in each page forbids the browser to run or load anything, but for
the one script of the index, named by its digest.

The rows of the index are data, which that script shows a screenful at a time, as text: a class of thousands opens at once.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from grader.report import shown, view, words
from grader.report.conditions import Conditions
from grader.report.overview import Row, Statistics
from grader.results import Grade, Verdict, for_student

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

__all__ = ["Row", "Same", "index_page", "student_page"]

Audience = Literal["staff", "student"]

_NAMED = 20  # submissions that a concern names
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def student_page(grade: Grade, *, audience: Audience) -> str:
    """The page of one submission. For a student the grade is projected first, so that nothing else can be shown."""
    seen = for_student(grade) if audience == "student" else grade
    failed = [case for case in seen.cases if case.verdict.blames_student]
    accepted = [case for case in seen.cases if case.verdict is Verdict.ACCEPTED]
    return _render(
        "student.html",
        grade=seen,
        staff=audience == "staff",
        advice=words.fix_first(seen),
        failed=[case for case in failed if case.verdict is not Verdict.FORM],
        slipped=[case for case in failed if case.verdict is Verdict.FORM],
        waiting=words.once(c for c in seen.cases if c.verdict in (Verdict.NEEDS_REVIEW, Verdict.JUDGE_ERROR)),
        untried=[case for case in seen.cases if case.verdict is Verdict.UNJUDGED],
        skipped=[case for case in seen.cases if case.verdict is Verdict.SKIPPED],
        accepted=accepted,
        verdicts=words.verdicts(seen.cases),
        blamed={case.criterion: case.id for case in reversed(failed)},
        criterion={criterion.id: criterion for criterion in seen.criteria},
        share=view.Share.of(seen),
    )


@dataclass(frozen=True, slots=True)
class Same:
    """A mistake that several have: its name for decisions, what it is, how many and who have it, and what was decided."""

    key: str
    message: str
    criterion: str
    count: int
    submissions: tuple[str, ...]
    decided: str = ""


def index_page(
    title: str,
    rows: Iterable[Row],
    *,
    doubts: Sequence[str] = (),
    absent: Sequence[str] = (),
    same: Sequence[Same] = (),
) -> str:
    """The page of a batch, for staff: statistics, and a table that links to ``staff/<submission>.html``.

    ``doubts`` say what is not sure of the batch as a whole, such as what is a submission; ``absent`` are those on the roster
    who handed in nothing; ``same`` are the mistakes that several have, the most frequent first.
    """
    held = tuple(rows)
    script = _render("index.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return _render(
        "index.html",
        title=title,
        names={row.submission: row.student or row.submission for row in held},
        named_at_most=_NAMED,
        noted=sum(bool(row.review) for row in held),
        data=_data(held),
        doubts=doubts,
        absent=absent,
        same=same,
        columns=held[0].cells if held else (),
        max_points=held[0].max_points if held else None,
        statistics=Statistics.of(held),
        conditions=Conditions.of_rows(held),
        script_digest=digest,
    )


def _data(rows: Sequence[Row]) -> Markup:
    """The rows as JSON that can stand in a page: what the script shows, and each note once, however many have it."""
    from markupsafe import Markup

    notes: dict[str, int] = {}
    data = {
        "max": [cell.max_points for cell in rows[0].cells] if rows else [],
        "rows": [
            [
                shown.plain(row.submission),
                shown.plain(row.student) + (" (late)" if row.late else ""),
                shown.plain(row.student_id),
                row.score,
                row.open_points,
                [cell.points for cell in row.cells],
                row.cases(accepted=False),
                row.cases(accepted=True),
                row.to_look_at + 2 * row.needs_review + 4 * row.judge_error,
                [notes.setdefault(shown.plain(words.sentence(note)), len(notes)) for note in row.review],
            ]
            for row in rows
        ],
    }
    text = json.dumps({**data, "notes": [*notes]}, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.translate(_ESCAPES))  # noqa: S704 -- nothing in it can end the element, nor be an entity


def _render(template: str, **context: object) -> str:
    return _environment().get_template(template).render(context)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("grader.report"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "number": words.number,
        "plural": words.plural,
        "phrase": words.PHRASES.__getitem__,
        "points": words.points_of,
        "loses": words.loses,
        "why": words.why,
        "adjustment": words.adjustment,
        "sentence": words.sentence,
        "basis": words.basis,
        "ending": words.ending,
        "key": shown.key,
        "line": shown.line,
        "dialogue": view.dialogue,
        "differs": view.first_different,
        "difference": view.of_finding,
    }
    return environment


def _finalize(value: object) -> object:
    """Whatever a template writes: text that is not markup already is made safe to show, before it is escaped."""
    return value if not isinstance(value, str) or hasattr(value, "__html__") else shown.plain(value)
