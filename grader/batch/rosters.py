"""The roster of a batch: read, with what a person has decided beside it, and put to its submissions."""

from __future__ import annotations

from pathlib import Path

from grader.batch.identified import REVIEW, Claim, Identified, identify, roster_decisions
from grader.batch.rows import origin_of
from grader.batch.store import Store
from grader.errors import UsageError
from grader.intake.matching import Roster
from grader.intake.plan import Plan
from grader.intake.roster import load_roster


def roster_of(path: Path | None, out: Path | None) -> tuple[Roster | None, dict[tuple[str, str], str]]:
    """The roster, if one is named, and what a person has decided about it beside the grades. Raises UsageError."""
    if path is None:
        return None, {}
    roster = Roster(load_roster(path))
    return roster, roster_decisions(out / REVIEW, roster) if out else {}


def _claims(store: Store) -> list[Claim]:
    """What is known of each submission; the number may have been found inside of it only."""
    numbers = store.student_ids()
    return [
        Claim.of(o.submission, o.student, numbers.get(o.submission, o.student_id), origin_of(o.origin))
        for o in store.owners()
    ]


def identified_in(store: Store, out: Path) -> Identified | None:
    """Who is who by the roster of the call; None where it has none. Raises UsageError where that is gone."""
    roster = Path(store.call.roster) if store.call.roster else None
    if roster and not roster.exists():
        hint = "call `grader batch` with its new place"
        raise UsageError("the roster is no longer there", place=str(roster), hint=hint)
    people, decisions = roster_of(roster, out)
    return identify(_claims(store), people, decisions) if people else None


def matched(planned: Plan, roster: Roster) -> Identified:
    """Who is who by the roster, as far as names tell before anything is graded."""
    claims = [Claim.of(entry.id, entry.student, entry.student_id, entry.origin) for entry in planned.entries]
    return identify(claims, roster, {})
