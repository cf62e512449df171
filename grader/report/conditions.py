"""Under what conditions the programs of a batch were judged: in which tier of the sandbox, and how their waits were told.

``Provenance.sandbox`` says both of one grade, in words: the tier, and after a comma what was guessed. It is empty where
nothing was run in a cage: for simulated programs, and where no program was found.

Submissions on which we failed again and again are a concern of their own: whoever can provoke that leaves points open.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from grader.report import shown
from grader.report.overview import Row
from grader.report.words import plural
from grader.results import MANY_ERRORS
from grader.values import dataclass

_BARE = "bare"
_RIGHTS = (
    f"ran with the rights of whoever called the grader (tier {_BARE}). "
    "They could read the expected output, reach the network and change files, these reports among them"
)
_MISUNDERSTOOD = "Perhaps what was handed in was not understood: `grader batch … --plan` shows how it was"

_TOLD = 5  # submissions with an alarm that the overview tells in full; it only names the others


@dataclass(frozen=True, slots=True)
class Concern:
    """What makes grades less certain than others: a sentence, and the submissions concerned, none where all are."""

    text: str
    submissions: tuple[str, ...]
    grave: bool


@dataclass(frozen=True, slots=True)
class Conditions:
    """Those of a whole batch: how many submissions were judged in which tier, and what to worry about, the gravest first.

    ``nothing_found`` says that no submission had a program: then it is more likely that the sources were misunderstood.
    """

    tiers: tuple[tuple[str, int], ...] = ()
    concerns: tuple[Concern, ...] = ()
    nothing_found: bool = False

    @classmethod
    def of_rows(cls, rows: Sequence[Row]) -> Conditions:
        """The conditions of a batch, and the submissions that were not judged as they should be."""
        conditions, total = cls.of((row.submission, row.sandbox) for row in rows), len(rows)
        failed = [row for row in rows if row.alarm]
        cut_short = [row.submission for row in rows if row.cut_short]
        empty = [row.submission for row in rows if row.without_program]
        faults: defaultdict[str, list[str]] = defaultdict(list)  # one concern for each fault of the course's files
        for row in rows:
            for fault in row.course_faults:
                faults[fault].append(row.submission)
        concerns: list[Concern] = []
        if failed:
            submissions = [row.submission for row in failed]
            alarms = "; ".join(f"{row.submission}, {shown.line(row.alarm)}" for row in failed[:_TOLD])
            text = f"the grader failed on {MANY_ERRORS} cases or more of {_share(submissions, total)}: {alarms}"
            concerns.append(Concern(text, tuple(submissions), grave=True))
        for fault, submissions in faults.items():
            open_by_it = f"The points of {_share(submissions, total)} stay open by it: mend the file, and call again"
            concerns.append(Concern(f"{shown.line(fault)}. {open_by_it}", _named(submissions, total), grave=True))
        # A class of which half has no program was more likely misunderstood: one download was taken for one
        # submission.
        if empty and 2 * len(empty) >= total:
            held = "the only submission" if total == 1 else _share(empty, total)
            text = f"no program was found in {held}. {_MISUNDERSTOOD}"
            concerns.append(Concern(text, _named(empty, total), grave=True))
        concerns += conditions.concerns
        if cut_short:
            text = f"{_share(cut_short, total)} used up the budget and had cases that were not judged: their points are open"
            concerns.append(Concern(text, tuple(cut_short), grave=False))
        nothing_found = bool(rows) and len(empty) == total
        return replace(conditions, concerns=tuple(concerns), nothing_found=nothing_found)

    @classmethod
    def of(cls, judged: Iterable[tuple[str, str]]) -> Conditions:
        """The conditions of submissions, each with what its provenance says of the sandbox."""
        tiers: defaultdict[str, list[str]] = defaultdict(list)
        guessed: defaultdict[str, list[str]] = defaultdict(list)
        for submission, sandbox in judged:
            tier, *guesses = sandbox.split(", ")
            if tier:
                tiers[tier].append(submission)
            for guess in guesses:
                guessed[guess].append(submission)
        counts = tuple((tier, len(held)) for tier, held in sorted(tiers.items()))
        total = sum(count for _, count in counts)
        concerns = []
        if _BARE in tiers:
            text = f"not caged: {_share(tiers[_BARE], total)} {_RIGHTS}"
            concerns.append(Concern(text, _named(tiers[_BARE], total), grave=True))
        for how, held in sorted(guessed.items()):
            text = f"{_share(held, total)} had their {how}, not by an event: grades that a busy machine may change"
            concerns.append(Concern(text, _named(held, total), grave=False))
        return cls(counts, tuple(concerns))

    def sentence(self) -> str:
        """Where the programs were run; empty where no program was."""
        if len(self.tiers) < 2:
            return "".join(f"run in the sandbox tier {tier}" for tier, _ in self.tiers)
        return f"run in the sandbox tiers {', '.join(f'{tier} ({count})' for tier, count in self.tiers)}"


def _share(submissions: list[str], total: int) -> str:
    count = len(submissions)
    return f"all {plural(total, 'submission')}" if count == total else f"{count} of {plural(total, 'submission')}"


def _named(submissions: list[str], total: int) -> tuple[str, ...]:
    return () if len(submissions) == total else tuple(submissions)
