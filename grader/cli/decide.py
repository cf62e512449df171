"""``grader decide``: the mistakes that several have, and one decision for all who have one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.errors import EXIT_OK, UsageError

if TYPE_CHECKING:
    from grader.batch.decisions import Group
    from grader.grading.deciding import Decisions

_LISTED = 40


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("key", required=False)
@click.option("--accept", is_flag=True, help="It is no mistake.")
@click.option("--price", default=None, help="It costs so many points of its criterion, in place of what it lost.")
@click.option("--comment", default="", help="What all who have it read beside it.")
@click.option("--why", default="", help="The reason, which the grades give.")
@click.option("--spec", default=None, help="Another spec than the one of the last call.")
def decide(
    folder: Path, key: str | None, accept: bool, price: str | None, comment: str, why: str, spec: str | None
) -> int:
    """List the mistakes in DIR, the folder of a batch, the most frequent first; or decide about the one called KEY.

    A decision is kept in decisions.yaml, holds for every submission that has this mistake, now and in later calls, and is
    said in each grade. Nothing is run.
    """
    from grader.batch.crew import cores
    from grader.batch.decisions import FILE_NAME, Groups, add_decision
    from grader.batch.opening import opened_batch
    from grader.batch.runner import write_again
    from grader.bundled import spec_path
    from grader.grading.deciding import Decision
    from grader.spec.values import read_fraction

    path, groups = spec_path(spec) if spec else None, Groups()
    with opened_batch(folder, path) as opened:
        for final in opened.finals():
            groups.add(final.grade.submission, final.mistakes)
        decisions = opened.decisions
    if key is None:
        click.echo("\n".join(_listed(groups.listed(), decisions)) or "no mistakes were found")
        return EXIT_OK
    group = groups.get(key)
    if group is None:
        raise UsageError(f"no mistake is called {key}", place=str(folder), hint="`grader decide DIR` lists them")
    if not (accept or price is not None or comment) or (accept and price is not None):
        raise UsageError("nothing is decided", hint="give one of `--accept` and `--price`, or a `--comment`")
    try:
        points = None if price is None else read_fraction(price)
    except ValueError as fault:
        raise UsageError(f"--price: {fault}") from fault
    add_decision(folder / FILE_NAME, group, Decision(accept, points, comment, why))
    write_again(folder, path, jobs=cores())
    click.echo(f"decided for {group.count} {'submission' if group.count == 1 else 'submissions'}: {group.named}")
    return EXIT_OK


def _listed(groups: list[Group], decisions: Decisions) -> Iterator[str]:
    from grader.report import shown

    for group in groups[:_LISTED]:
        finding, case = group.first.finding, group.first.case
        number = f"{group.count} {'submission' if group.count == 1 else 'submissions'}"
        yield f"{group.first.key}  {number}: {shown.line(finding.message)}"
        yield f"          {finding.code} in {case.id}, {case.criterion or 'no criterion'}: {group.named}"
        if finding.expected or finding.actual:
            texts = (shown.line(shown.exposed(text)) or "(nothing)" for text in (finding.expected, finding.actual))
            yield "          expected {} │ found {}".format(*texts)
        if group.first.key in decisions:
            yield f"          decided: {decisions[group.first.key].sentence}"
    if len(groups) > _LISTED:
        yield f"and {len(groups) - _LISTED} more"
