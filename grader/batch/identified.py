"""The owners of submissions, by the roster: sure matches go into the reports, others into ``roster-review.csv``.

Only reports depend on the roster, so another roster, or a decision, needs no run. A person decides in the column
``decision`` of that file: an identifier or a name of the roster, or ``-`` for nobody. The next call reads it, and keeps
it.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from grader.batch.rows import origin_of
from grader.batch.store import Store
from grader.errors import UsageError
from grader.intake.names import shown
from grader.intake.plan import Plan
from grader.intake.roster import Match, Person, Roster, load_roster
from grader.report.table import cell, separator_of, text_of
from grader.results import Grade
from grader.submission import Identifier, IdKind, Origin, Submitter
from grader.values import dataclass

REVIEW = "roster-review.csv"
_COLUMNS = ("submission", "student", "ids", "confidence", "why", "suggestion", "decision")
_NOBODY = "-"

_Key = tuple[str, str]  # A submission and the name of one of its submitters


def _claimed(student: str, student_id: str, origin: Origin) -> tuple[Submitter, ...]:
    """The submitters without the roster; a number found in names belongs to the only submitter."""
    number = (Identifier(IdKind.NUMBER, student_id),) if student_id else ()
    if not origin.submitters:
        return (Submitter(student, number),)
    # A number in the names of a group's files may be that of any member.
    if len(origin.submitters) > 1 or origin.submitters[0].known_by:
        return origin.submitters
    (who,) = origin.submitters
    return (replace(who, ids=(*who.ids, *number)),)


@dataclass(frozen=True)
class Identified:
    """The submitters of each submission; ``absent`` are people on the roster who handed in nothing."""

    submitters: Mapping[str, tuple[Submitter, ...]] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    absent: tuple[Person, ...] = ()
    review: tuple[Mapping[str, str], ...] = ()

    def outline(self) -> str:
        """A line on the submitters of each submission, and a list of people who handed in nothing."""
        lines = ["by the roster:"]
        for submission, people in self.submitters.items():
            notes = "; ".join(self.notes.get(submission, ()))
            lines.append(f"  {submission}: {notes or ', '.join(who.name or who.known_by for who in people)}")
        lines += [f"  handed in nothing: {person.label}" for person in self.absent]
        return "\n".join(map(shown, lines))

    def called(self, submission: str) -> str:
        """The names of the people who share a submission; empty if nobody is known."""
        return ", ".join(who.name or who.known_by for who in self.submitters.get(submission, ()))

    def names(self, submission: str) -> tuple[str, ...]:
        """Each name and identifier of those who share a submission."""
        people = self.submitters.get(submission, ())
        return tuple(name for who in people for name in (who.name, *(one.value for one in who.ids)))

    def applied(self, grade: Grade) -> Grade:
        """The grade with the names and identifiers of the roster, and with notes on doubts."""
        notes = (*grade.review, *self.notes.get(grade.submission, ()))
        people = self.submitters.get(grade.submission)
        if people is None:
            return replace(grade, review=notes)
        origin = replace(grade.origin, submitters=people, group=self.groups.get(grade.submission, grade.origin.group))
        student = self.called(grade.submission) or grade.student
        student_id = ", ".join(filter(None, (who.known_by for who in people))) or grade.student_id
        return replace(grade, student=student, student_id=student_id, origin=origin, review=notes)


def identify(claims: Mapping[str, tuple[Submitter, ...]], roster: Roster, decisions: Mapping[_Key, str]) -> Identified:
    """Match each submitter with the roster; a decision of a person counts before everything."""
    submitters: dict[str, tuple[Submitter, ...]] = {}
    groups: dict[str, str] = {}
    notes: dict[str, list[str]] = defaultdict(list)
    review: list[Mapping[str, str]] = []
    handed_in: dict[int, list[str]] = defaultdict(list)
    for submission, claimed in claims.items():
        owners: list[Submitter] = []
        for who in claimed:
            decision = decisions.get((submission, who.name), "")
            match = roster.match(who)
            if decision:
                chosen = None if decision == _NOBODY else roster.named(decision)
                match = Match((chosen,) if chosen else (), 1.0, "decided by a person")
            # The name of a group is not the name of a member.
            own = who if len(match.people) == 1 else Submitter("")
            for person in match.people:
                owners.append(Submitter(person.name or own.name, tuple(dict.fromkeys((*person.ids, *own.ids)))))
                handed_in[person.line].append(submission)
            if not match.people:
                owners.append(who)
            if len(match.people) > 1:
                groups[submission] = who.name
            if decision or not match.people:
                ids, suggested = "; ".join(map(str, who.ids)), match.suggestion.label if match.suggestion else ""
                values = (submission, who.name, ids, f"{match.confidence:.2f}", match.why, suggested, decision)
                review.append(dict(zip(_COLUMNS, values, strict=True)))
            elif match.doubt:
                notes[submission].append(match.doubt)
            if not decision and not match.people:
                perhaps = f", perhaps {match.suggestion.label}" if match.suggestion else ""
                notes[submission].append(f"not found on the roster: {match.why}{perhaps}; decide in {REVIEW}")
        submitters[submission] = tuple(owners)
    people = {person.line: person for person in roster.people}
    for line, several in handed_in.items():
        for one in several if len(set(several)) > 1 else ():
            what = f"{len(several)} submissions are of {people[line].label} on the roster: {', '.join(several)}"
            notes[one].append(what)
    absent = tuple(person for person in roster.people if person.line not in handed_in)
    sentences = {submission: tuple(lines) for submission, lines in notes.items()}
    return Identified(submitters, groups, sentences, absent, tuple(review))


def review_text(rows: Sequence[Mapping[str, str]]) -> str:
    """The review list as a table. It begins with a byte order mark: without it Excel reads no UTF-8."""
    return "\ufeff" + text_of([_COLUMNS, *([cell(row[column]) for column in _COLUMNS] for row in rows)])


def roster_decisions(path: Path, roster: Roster) -> dict[_Key, str]:
    """The decisions in a review list; empty without the file.

    Raises UsageError, with row and column, for a decision that matches nobody on the roster, or several people.
    """
    if not path.exists():
        return {}
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        raise UsageError("cannot be read", place=str(path), hint="save it as CSV in UTF-8") from fault
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator_of(text))
    if not {"submission", "student", "decision"} <= set(reader.fieldnames or ()):
        raise UsageError("has not its columns any more", place=str(path), hint="move it away, and it is written anew")
    decisions = {}
    for row in reader:
        texts = ((row[name] or "").strip().removeprefix("'") for name in ("submission", "student", "decision"))
        submission, student, decision = texts
        if decision not in ("", _NOBODY) and roster.named(decision) is None:
            hint = "give one identifier or name of the roster, or - for nobody"
            place = f"{path}: line {reader.line_num}, column decision"
            raise UsageError(f"“{decision}” must name exactly one person of the roster", place=place, hint=hint)
        if decision:
            decisions[submission, student] = decision
    return decisions


def roster_of(path: Path | None, out: Path | None) -> tuple[Roster | None, dict[tuple[str, str], str]]:
    """The roster, if one is named, and the decisions on it beside the grades. Raises UsageError."""
    if path is None:
        return None, {}
    roster = Roster(load_roster(path))
    return roster, roster_decisions(out / REVIEW, roster) if out else {}


def identified_in(store: Store, out: Path) -> Identified | None:
    """The owners by the roster of the call; None without a roster. Raises UsageError if the file is gone."""
    roster = Path(store.call.roster) if store.call.roster else None
    if roster and not roster.exists():
        hint = "call `grader batch` with its new place"
        raise UsageError("the roster is no longer there", place=str(roster), hint=hint)
    people, decisions = roster_of(roster, out)
    if people is None:
        return None
    numbers = store.student_ids()  # the number may only have been found inside a submission
    claims = {
        o.submission: _claimed(o.student, numbers.get(o.submission, o.student_id), origin_of(o.origin))
        for o in store.owners()
    }
    return identify(claims, people, decisions)


def matched(planned: Plan, roster: Roster) -> Identified:
    """The owners by the roster, from names alone, before anything is graded."""
    claims = {entry.id: _claimed(entry.student, entry.student_id, entry.origin) for entry in planned.entries}
    return identify(claims, roster, {})
