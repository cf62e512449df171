"""The HTML pages: one self-contained file for a submission, and one for a batch. No network, no clock, no images.

Two layers keep student text from being more than text. Every expression of a template goes through ``shown.plain``, and
the template engine escapes the result. A policy in each page forbids the browser to run or load anything; the only
exception is the script of the index, named by its digest.

The rows of the index are data. The script shows them as text, one screen at a time, so a class of thousands opens at
once.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cache, partial
from typing import TYPE_CHECKING

from grader.languages import ENGLISH, Language, language
from grader.report import shown, view, waiting, words
from grader.report.document import Audience, View
from grader.report.overview import Common, Conditions, Row, Statistics, most_of_class, zeros
from grader.report.translation import translated
from grader.results import CaseResult, Grade, Number, Verdict
from grader.values import dataclass

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

    from grader.spec.model import Spec

__all__ = ["ForPerson", "Neighbours", "OfClass", "Row", "Same", "index_page", "review_page", "student_page"]

_NAMED = 20  # submissions that a concern names
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The submissions before and after one in its batch, each by identifier and label; None at an end."""

    before: tuple[str, str] | None = None
    after: tuple[str, str] | None = None


def student_page(grade: Grade, *, audience: Audience, neighbours: Neighbours | None = None) -> str:
    """The page of one submission.

    For a student the grade is projected first, so that nothing else can be shown, and translated.

    ``neighbours`` are given for a staff page of a batch, which links to their pages and to the overview.
    """
    spoken = language(grade.language) if audience == "student" else ENGLISH
    seen = translated(grade, spoken) if audience == "student" else grade
    failed = [case for case in seen.cases if case.verdict.blames_student]
    accepted = [case for case in seen.cases if case.verdict is Verdict.ACCEPTED]
    return render(
        "student.html",
        spoken,
        grade=seen,
        staff=audience == "staff",
        advice=words.fix_first(seen),
        failed=[case for case in failed if case.verdict is not Verdict.FORM],
        slipped=[case for case in failed if case.verdict is Verdict.FORM],
        waiting=words.once(c for c in seen.cases if c.verdict in (Verdict.NEEDS_REVIEW, Verdict.JUDGE_ERROR)),
        untried=[case for case in seen.cases if case.verdict is Verdict.UNJUDGED],
        skipped=[case for case in seen.cases if case.verdict is Verdict.SKIPPED],
        accepted=accepted,
        remarks=words.remarks(seen),
        verdicts=words.verdicts(seen.cases),
        blamed={case.criterion: case.id for case in reversed(failed)},
        criterion={criterion.id: criterion for criterion in seen.criteria},
        share=view.Share.of(seen),
        listings=view.listings(seen),
        never_executed=tuple(words.never_executed(seen, spoken)),
        neighbours=neighbours,
    )


def document(view: View) -> str:
    """The page of a view."""
    return student_page(view.shown, audience=view.audience)


@dataclass(frozen=True, slots=True)
class Same:
    """A mistake of several submissions: the name of its group, a sentence, how many and who have it, and the decision.

    ``name`` is its argument for `grader decide`, ``more`` counts its other variants, and ``points`` are its cost for
    the class.
    """

    key: str
    message: str
    criterion: str
    count: int
    submissions: tuple[str, ...]
    decided: str = ""
    name: str = ""
    more: int = 0
    points: Number = 0


@dataclass(frozen=True, slots=True)
class ForPerson:
    """A decision for a person: the points that hang on it, its title, and the cases that show it.

    ``points`` include those of the cases that were not run since these wait, the ``resting`` ones.
    A decision without points is listed once, at the first submission that needs it; ``also`` has the others, by
    identifier and name. ``about`` is the concern of a case without a criterion, as in a `Note`.
    """

    submission: str
    name: str
    title: str
    points: Number
    cases: tuple[words.Alike, ...]
    about: str = ""
    also: tuple[tuple[str, str], ...] = ()
    resting: tuple[CaseResult, ...] = ()

    @classmethod
    def of(cls, grade: Grade, spec: Spec) -> tuple[ForPerson, ...]:
        """The open decisions of a grade, one for each criterion; manual criteria are left out."""
        rests = waiting.resting(spec, grade.cases)
        behind = frozenset().union(*rests.values())
        by_criterion: dict[str, list[CaseResult]] = {}
        for case in waiting.waiting(grade.criteria, grade.cases):
            if case.id not in behind:
                by_criterion.setdefault(case.criterion or f"case {case.id}", []).append(case)
        titles = {criterion.id: criterion.title for criterion in grade.criteria}
        items = []
        for name, cases in by_criterion.items():
            held_up = frozenset().union(*(rests.get(case.id, frozenset()) for case in cases))
            items.append(
                cls(
                    grade.submission,
                    grade.student or grade.submission,
                    titles.get(name) or cases[0].title or cases[0].id,
                    waiting.weight(spec, grade, {case.id for case in cases} | held_up),
                    words.once(cases),
                    "" if cases[0].criterion else name,
                    resting=tuple(case for case in grade.cases if case.id in held_up),
                )
            )
        return tuple(items)


@dataclass(frozen=True, slots=True)
class OfClass:
    """Notes on a class as a whole: concerns of ``most`` of it, and ``zeros``, a line for each cause; with everybody's name."""

    most: tuple[Common, ...] = ()
    zeros: tuple[Common, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    count: int = 0

    @classmethod
    def of(cls, rows: Sequence[Row]) -> tuple[OfClass, list[Row]]:
        """The notes on the class of these rows, and the rows without them."""
        most, left = most_of_class(rows)
        names = {row.submission: row.student or row.submission for row in rows}
        return cls(most, zeros(rows), names, len(rows)), left


def review_page(
    title: str, items: Sequence[ForPerson], more: Sequence[ForPerson], of_class: OfClass | None = None
) -> str:
    """The list of open decisions with inputs and dialogues; ``more`` submissions are only named."""
    whole = of_class or OfClass()
    return render("review.html", title=title, items=items, more=more, of_class=whole, named_at_most=_NAMED)


def index_page(
    title: str,
    rows: Iterable[Row],
    *,
    doubts: Sequence[str] = (),
    absent: Sequence[str] = (),
    same: Sequence[Same] = (),
    waiting: int = 0,
) -> str:
    """The page of a batch, for staff: statistics, and a table that links to ``staff/<submission>.html``.

    ``doubts`` are about the batch as a whole, for example whether a folder is a submission. ``absent`` are the people
    on the roster who handed in nothing. ``same`` are the mistakes of several submissions, the dearest first.
    ``waiting`` counts the open decisions.
    """
    of_class, held = OfClass.of(tuple(rows))
    script = render("index.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return render(
        "index.html",
        title=title,
        names=of_class.names,
        of_class=of_class,
        named_at_most=_NAMED,
        noted=sum(bool(row.notes) for row in held),
        data=_data(held, same),
        doubts=doubts,
        absent=absent,
        same=same,
        waiting=waiting,
        columns=held[0].cells if held else (),
        max_points=held[0].max_points if held else None,
        statistics=Statistics.of(held),
        conditions=Conditions.of_rows(held),
        script_digest=digest,
    )


def _data(rows: Sequence[Row], same: Sequence[Same]) -> Markup:
    """The rows as JSON that is safe in a page, for the script; each note is in it once, however many rows have it."""
    from markupsafe import Markup

    notes: dict[str, int] = {}
    cases: dict[str, int] = {}
    titles = {case: title for row in rows for case, title in row.failed}
    numbers = {one.key: number for number, one in enumerate(same)}
    data = {
        "max": [cell.max_points for cell in rows[0].cells] if rows else [],
        "rows": [
            [
                shown.plain(row.submission),
                shown.plain(row.student) + (" (late)" if row.late else ""),
                shown.plain(row.student_id),
                row.score,
                row.open_points,
                [[c.points, c.open] if c.points is not None and c.open else c.points for c in row.cells],
                [cases.setdefault(case, len(cases)) for case, _ in row.failed],
                row.cases(accepted=True),
                row.to_look_at + 2 * row.needs_review + 4 * row.judge_error + 8 * (row.zero is not None),
                [notes.setdefault(shown.plain(words.sentence(note.text)), len(notes)) for note in row.notes],
                [numbers[key] for key in row.mistakes if key in numbers],
            ]
            for row in rows
        ],
    }
    named = {
        "criteria": [[shown.plain(cell.id), shown.plain(cell.title)] for cell in rows[0].cells] if rows else [],
        "cases": [[case, shown.plain(titles[case])] for case in cases],
        "mistakes": [[one.key, shown.line(one.message)] for one in same],
    }
    text = json.dumps({**data, "notes": [*notes], **named}, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.translate(_ESCAPES))  # noqa: S704 -- nothing in it can end the element, nor be an entity


def render(template: str, spoken: Language = ENGLISH, **context: object) -> str:
    """A page from one of our templates, in a language. All values in ``context`` are shown as plain text."""
    return _environment(spoken).get_template(template).render(context)


@cache
def _environment(spoken: Language) -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("grader.report"),
        autoescape=True,
        # A misspelt name would be an empty cell.
        undefined=StrictUndefined,
        # Every expression of a template goes through it, so no template can forget to make a text safe.
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "number": partial(words.number, language=spoken),
        "plural": words.plural,
        "phrase": partial(words.phrase, language=spoken),
        "points": partial(words.points_of, language=spoken),
        "loses": words.loses,
        "earned": partial(words.earned_of, language=spoken),
        "why": partial(words.why, language=spoken),
        "adjustment": partial(words.adjustment, language=spoken),
        "sentence": words.sentence,
        "basis": partial(words.basis, language=spoken),
        "ending": words.ending,
        "key": shown.key,
        "line": shown.line,
        "breakable": _breakable,
        "command": shown.command,
        "yaml": shown.pasted,
        "dialogue": view.dialogue,
        "differs": view.first_different,
        "difference": view.of_finding,
    }
    environment.globals |= {
        "_": lambda english, **places: _filled(spoken.word(english), places),
        "ngettext": lambda one, many, count, **places: _filled(
            spoken.form(one, many, count), {"number": spoken.number(f"{count:,}"), **places}
        ),
        "tag": spoken.tag,
    }
    return environment


def _breakable(name: str) -> Markup:
    """A name that may be broken after each hyphen, and in a word of more than 12 letters, so that a table with many columns fits."""
    from markupsafe import Markup, escape

    # The ids of criteria are the heads of narrow columns. "constructs" and "subroutines" have 10 and 11 letters and stay whole.
    pieces = re.findall(r"[^-]{1,12}-?|-", shown.plain(name))
    return Markup("<wbr>").join(map(escape, pieces))


def _filled(text: str, places: Mapping[str, object]) -> Markup:
    """A fixed text as markup of ours; the values in its places are plain text."""
    from markupsafe import Markup

    markup = Markup(text)  # noqa: S704 -- the text is ours, its places are escaped
    return markup.format(**{name: _finalize(value) for name, value in places.items()}) if places else markup


def _finalize(value: object) -> object:
    """A value that a template writes. Text that is not markup yet is made safe to show before it is escaped."""
    return value if not isinstance(value, str) or hasattr(value, "__html__") else shown.plain(value)
