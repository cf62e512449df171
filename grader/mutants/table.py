"""The figures of a proof as text in Markdown, which can be read as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import chain

from grader.lint.prices import markdown
from grader.mutants.record import Outcome, Result
from grader.report.page import render
from grader.spec.kinds import KINDS
from grader.spec.model import Spec
from grader.values import dataclass

UNEXPLAINED = "not explained yet"


@dataclass(frozen=True, slots=True)
class Figures:
    """Results of mutants under a spec, and the ``reasons`` of those that may survive, by their names."""

    spec: Spec
    results: tuple[Result, ...]
    reasons: Mapping[str, str]

    def number(self, *outcomes: Outcome) -> int:
        """The number of mutants with one of these outcomes."""
        return sum(result.outcome in outcomes for result in self.results)

    @property
    def visible(self) -> int:
        """The number of mutants that differ visibly from their original."""
        return sum(result.outcome.visible for result in self.results)

    @property
    def score(self) -> Fraction:
        """The share of the visible mutants that is charged; 1 where none is visible."""
        return Fraction(self.number(Outcome.CHARGED), self.visible) if self.visible else Fraction(1)

    @property
    def programs(self) -> int:
        """The number of right programs that were changed."""
        return len({result.program for result in self.results})

    @property
    def by_criterion(self) -> tuple[tuple[str, int, int], ...]:
        """For each criterion that is judged automatically: how many mutants it charges, and how many it alone does."""
        lost = [tuple(result.cold.points) for result in self.results if result.cold is not None]
        charged, alone = Counter(chain.from_iterable(lost)), Counter(names[0] for names in lost if len(names) == 1)
        names = [criterion.id for criterion in self.spec.rubric if not criterion.manual]
        return tuple((name, charged[name], alone[name]) for name in names)

    @property
    def idle(self) -> tuple[str, ...]:
        """The cases with a criterion that no mutant fails."""
        failed = {name for result in self.results if result.cold is not None for name in result.cold.cases}
        automatic = (case for case in self.spec.cases if case.criterion is not None and not KINDS[case.kind].by_hand)
        return tuple(case.id for case in automatic if case.id not in failed)

    @property
    def survivors(self) -> tuple[tuple[str, tuple[Result, ...]], ...]:
        """The visible mutants that are not charged, by the sentence that explains them; those without one first."""
        groups: dict[str, list[Result]] = {UNEXPLAINED: []}
        for result in self.results:
            if result.outcome.explained:
                groups.setdefault(self.reasons.get(result.name, UNEXPLAINED), []).append(result)
        return tuple((reason, tuple(group)) for reason, group in groups.items() if group)

    @property
    def seconds(self) -> float:
        """The computing that all mutants took, of ours alone: compilers and caged programs are not in it."""
        return sum(result.seconds for result in self.results)


def sentence(figures: Figures) -> str:
    """The proof in one line."""
    outcomes = (Outcome.CHARGED, Outcome.SURVIVES, Outcome.MISREAD, Outcome.OPEN, Outcome.JUDGE_ERROR)
    counts = (_counted(figures.number(one), one) for one in outcomes if figures.number(one) or one is Outcome.CHARGED)
    programs = f"{figures.programs} program{'s' if figures.programs != 1 else ''}"
    of = f"{figures.visible} of {len(figures.results)} mutants of {programs} are visible"
    return f"{figures.spec.assignment}: {of}: {', '.join(counts)} ({float(100 * figures.score):.1f} % charged)"


def _counted(number: int, outcome: Outcome) -> str:
    return f"{number} survive" if outcome is Outcome.SURVIVES and number != 1 else f"{number} {outcome}"


def text(figures: Figures) -> str:
    """The whole proof in Markdown."""
    return "\n".join(_lines(figures)) + "\n"


def page(figures: Figures) -> str:
    """The whole proof as a page, for who writes the spec."""
    title, summary = figures.spec.title, sentence(figures)
    criteria, idle, survivors = figures.by_criterion, figures.idle, figures.survivors
    return render("proof.html", title=title, summary=summary, criteria=criteria, idle=idle, survivors=survivors)


def _lines(figures: Figures) -> Iterator[str]:
    yield f"## {figures.spec.assignment}"
    yield ""
    yield f"{sentence(figures)}."
    equivalent, unbuilt = figures.number(Outcome.EQUIVALENT), figures.number(Outcome.UNBUILT)
    none = "is equivalent to its original" if equivalent == 1 else "are equivalent to their original"
    others = f"In all that was tried {equivalent} {none}; {unbuilt} {'does' if unbuilt == 1 else 'do'} not build."
    unsteady = figures.number(Outcome.UNSTEADY)
    yield others + (f" The originals of {unsteady} play by chance." if unsteady else "")
    yield ""
    rows = [(name, str(charged), str(alone)) for name, charged, alone in figures.by_criterion]
    yield markdown([("criterion", "charges", "alone"), *rows], right=(1, 2))
    yield ""
    if figures.idle:
        yield f"Cases that catch nothing: {', '.join(f'`{name}`' for name in figures.idle)}."
        yield ""
    for reason, group in figures.survivors:
        yield f"- **{reason}** ({len(group)})"
        for result in group:
            shown = result.shown
            free = ", which only changes the wording" if shown is not None and shown.free else ""
            game = f", shown by `{shown.typed or 'nothing typed'}`" if shown is not None else ""
            yield f"  - `{result.name}`: {result.outcome}{free}{f' ({result.note})' if result.note else game}"
    if not figures.survivors:
        yield "Every visible mutant is charged."
