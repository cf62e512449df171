"""``grader decide``: the mistakes of a class, the dearest first, and one decision for all who made one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from grader.batch.computer import cores
from grader.batch.decisions import FILE_NAME, Group, Groups, Variant, add_decision
from grader.batch.opening import Opened, opened_batch
from grader.batch.runner import write_again
from grader.cli import options
from grader.errors import UsageError
from grader.grading.deciding import Decision, Decisions, deciding
from grader.report import shown
from grader.report.words import number, plural
from grader.spec.values import read_fraction
from grader.values import dataclass

_LISTED = 40  # groups
_VARIANTS = 6  # of one group


@dataclass(frozen=True, slots=True)
class Options:
    """What `grader decide` is asked for."""

    folder: Path = options.batch_folder()
    key: str | None = options.argument(required=False)
    accept: bool = options.flag("--accept", "It is no mistake.")
    price: str | None = options.option("--price", "It costs so many points of its criterion, in place of what it lost.")
    comment: str = options.text("--comment", "What all who have it read beside it.")
    why: str = options.text("--why", "The reason, which the grades give.")
    whole: bool = options.flag("--all", "Decide every variant of its group.")
    yes: bool = options.flag("--yes", "Decide although a price lowers a grade.")
    spec: Path | None = options.another_spec()


@options.command(Options)
def decide(asked: Options) -> None:
    """List the mistakes in DIR, the folder of a batch, the dearest first; or decide about the one called KEY.

    Each submission whose grade changes is printed before anything is written. A decision is kept in decisions.yaml, holds for every
    submission that has this mistake, now and in later calls, and is said in each grade. Nothing is run.
    """
    folder, key, groups = asked.folder, asked.key, Groups()
    with opened_batch(folder, asked.spec) as opened:
        grades = []
        for final in opened.finals():
            groups.add(final.grade.submission, final.mistakes)
            grades.append((final.grade.submission, final.grade.score, final.grade.open_points))
        if key is None:
            click.echo("\n".join(_listed(groups, opened.decisions)) or "no mistakes were found")
            return
        found = groups.get(key)
        if found is None:
            raise UsageError(f"no mistake is called {key}", place=str(folder), hint="`grader decide DIR` lists them")
        group, variant = found
        if variant is None or asked.whole:
            name, first = group.key, group.listed[0]
        else:
            name, first = variant.first.key, variant
        decision = _decision(asked, first.first.finding.message)
        # A decision of an earlier version names the mistake as that did.
        old = first.first.old if name == first.first.key else ()
        if held := next((one for one in opened.decisions if one == name or one in old), None):
            place = str(folder / FILE_NAME)
            raise UsageError(f"there is a decision on {held} already", place=place, hint="change it there")
        changes = list(_changes(opened, grades, name, decision))
    click.echo("\n".join(line for line, _ in changes) or "no grade changes")
    # A grade that was given out before shall fall by no slip of the keyboard.
    if any(lowered for _, lowered in changes) and decision.price is not None and not asked.yes:
        raise UsageError("the price lowers grades, and nothing was decided", hint="`--yes` decides it in spite of that")
    add_decision(folder / FILE_NAME, name, decision)
    write_again(folder, asked.spec, jobs=cores())
    decided = group if name == group.key else first
    click.echo(f"decided for {plural(decided.count, 'submission')}: {decided.named}")


def _decision(asked: Options, about: str) -> Decision:
    """The decision that the options ask for. Raises UsageError."""
    if not (asked.accept or asked.price is not None or asked.comment) or (asked.accept and asked.price is not None):
        raise UsageError("nothing is decided", hint="give one of `--accept` and `--price`, or a `--comment`")
    try:
        points = None if asked.price is None else read_fraction(asked.price)
    except ValueError as fault:
        raise UsageError(f"--price: {fault}") from fault
    return Decision(asked.accept, points, asked.comment, asked.why, about)


def _changes(
    opened: Opened, before: Sequence[tuple[str, float, float]], name: str, decision: Decision
) -> Iterator[tuple[str, bool]]:
    """A line for each submission whose grade the decision changes, and whether the grade falls."""
    after = (final.grade for final in opened.finals({name: decision}))
    for (submission, score, waiting), grade in zip(before, after, strict=True):
        new, still = grade.score, grade.open_points
        if (score, waiting) != (new, still):
            was, now = (
                f"{number(points)}{f' ({number(left)} open)' if waiting != still else ''}"
                for points, left in ((score, waiting), (new, still))
            )
            yield f"{submission}: {was} → {now}", new < score


def _listed(groups: Groups, decisions: Decisions) -> Iterator[str]:
    """The groups: what costs points, what costs nothing, and what most of the class has at no cost."""
    heading = ""
    listed = groups.listed()
    for group in listed[:_LISTED]:
        costs = group.lost or group.waiting
        wanted = "" if costs else "most of the class, at no cost:" if groups.of_class(group) else "at no cost:"
        if wanted != heading:
            heading = wanted
            yield f"\n{heading}"
        yield from _group(group, decisions)
    if len(listed) > _LISTED:
        yield f"and {len(listed) - _LISTED} more"


def _group(group: Group, decisions: Decisions) -> Iterator[str]:
    """A group of one variant in one piece, or else a head with its variants below."""
    variants = group.listed
    if len(variants) == 1:
        yield from _variant(variants[0], decisions, f"{_costs(group)}{plural(group.count, 'submission')}", "")
        return
    first = group.first
    kind = f", {first.defect}" if first.defect else ""
    told = f"{len(variants)} variants of {first.finding.code}, {first.criterion or 'no criterion'}{kind}"
    yield f"{group.key}  {_costs(group)}{plural(group.count, 'submission')}: {told}"
    for variant in variants[:_VARIANTS]:
        yield from _variant(variant, decisions, plural(variant.count, "submission"), "  ")
    if len(variants) > _VARIANTS:
        yield f"  and {len(variants) - _VARIANTS} variants more"


def _variant(variant: Variant, decisions: Decisions, number: str, indent: str) -> Iterator[str]:
    finding = variant.first.finding
    yield f"{indent}{variant.first.key}  {number}: {shown.line(finding.message)}"
    indent += " " * 10
    yield f"{indent}{finding.code} in {', '.join(variant.cases)}, {variant.first.criterion or 'no criterion'}: {variant.named}"
    texts = tuple(shown.line(shown.exposed(text)) or "(nothing)" for text in (finding.expected, finding.actual))
    # Some mistakes, such as a missing label, have neither text.
    if texts[0] != texts[1]:
        yield "{}expected {} │ found {}".format(indent, *texts)
    for decision in deciding(variant.first, decisions).values():
        yield f"{indent}decided: {decision.sentence}"


def _costs(group: Group) -> str:
    """The points that a group costs the class: ``18 points, ``; empty where it costs nothing."""
    lost, waiting = number(float(group.lost)), number(float(group.waiting))
    parts = [plural(lost, "point") if group.lost else "", f"{plural(waiting, 'open point')}" if group.waiting else ""]
    return "".join(f"{part}, " for part in parts if part)
