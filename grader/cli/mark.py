"""Commands on the grades of a batch: ``grader mark``, ``decide`` and ``export``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from grader.batch.computer import cores
from grader.batch.decisions import FILE_NAME, Group, Groups, Variant, add_decision
from grader.batch.export import LAYOUTS, feedback, filled, workbook_of, write_file
from grader.batch.files import read
from grader.batch.opening import Opened, opened_batch
from grader.batch.runner import write_again
from grader.batch.sheet import Line, complete_file, file_in, read_sheet, with_marks, write_sheet
from grader.cli import options
from grader.errors import EXIT_OK, EXIT_OPEN, UsageError
from grader.grading.deciding import Decision, Decisions, deciding
from grader.report import shown
from grader.report.waiting import notes_on_points
from grader.report.words import number, plural, score_line, sentence, why
from grader.results import CriterionResult, Grade
from grader.spec.values import read_fraction
from grader.values import dataclass

_QUIT = "q"


class _EnoughError(Exception):
    """The user ended the questions."""


@dataclass(frozen=True, slots=True)
class MarkOptions:
    """The arguments and options of `grader mark`."""

    folder: Path = options.batch_folder()
    spec: Path | None = options.another_spec()
    ask: bool | None = options.option(
        "--ask/--no-ask", "Ask for open points; by default if there is a terminal.", default=None
    )
    drop_marks: bool = options.drop_marks()


@options.command(MarkOptions)
def mark(asked: MarkOptions) -> None:
    """Read marks.csv (or marks.xlsx) in DIR, the folder of a batch, and write its reports again; ask for points that are open.

    Each answer is in marks.csv at once. An empty answer leaves points open, `q` ends the questions. Nothing is run.
    """
    folder = asked.folder
    if sys.stdin.isatty() if asked.ask is None else asked.ask:
        with opened_batch(folder, asked.spec, drop_marks=asked.drop_marks) as opened:
            _ask(opened)
    done = write_again(folder, asked.spec, jobs=cores(), drop_marks=asked.drop_marks)
    for note in done.marking.ignored:
        click.echo(note)
    count = len(done.marking.marks)
    click.echo(f"{count} {'submission has' if count == 1 else 'submissions have'} marks in {file_in(folder)}")
    click.echo(f"The report: {folder / 'index.html'}")


def _ask(opened: Opened) -> None:
    """Ask for the open points of one submission after another."""
    path = file_in(opened.out)
    most = {criterion.id: criterion.points for criterion in opened.assignment.spec.rubric}
    for final in opened.finals():
        grade = final.grade
        wanted = [criterion for criterion in grade.criteria if criterion.open]
        if not wanted:
            continue
        line = Line(grade.submission, grade.student, grade.student_id)
        # The row is written before the first question, so each answer is kept even if the user stops there.
        complete_file(path, [line], [one.id for one in wanted], list(most))
        click.echo(f"\n{grade.submission} {grade.student}: {score_line(grade)}")
        shown_below = notes_on_points(grade.criteria, grade.cases)
        for note in grade.review:
            if note not in shown_below:
                click.echo(f"  look at: {note}")
        try:
            for criterion in wanted:
                cells = _answer(grade, criterion, float(most[criterion.id]))
                if cells:
                    write_sheet(path, with_marks(read_sheet(path), {grade.submission: cells}))
        except _EnoughError:
            return


def _answer(grade: Grade, criterion: CriterionResult, most: float) -> dict[str, str]:
    """The cells that an answer fills in; none where it leaves the points open."""
    earned = f", {criterion.points:g} of them earned" if criterion.points is not None else ""
    click.echo(f"  {criterion.title} ({criterion.id}), {most:g} points{earned}. {sentence(why(criterion))}.")
    for case in grade.cases:
        if case.criterion == criterion.id and not case.met:
            click.echo(f"    {case.title}: {case.findings[0].message if case.findings else case.verdict}")
    while True:
        typed = _asked(f"    points, 0 to {most:g}")
        if not typed:
            return {}
        try:
            # In most of Europe a mark is 7,5.
            points = read_fraction(typed.replace(",", "."))
        except ValueError:
            click.echo("    write a number of points, such as 7 or 7.5")
            continue
        if points <= most:
            return {criterion.id: typed, f"{criterion.id} comment": _asked("    comment")}
        click.echo(f"    it is worth {most:g} at most")


def _asked(what: str) -> str:
    """An answer in one line. Raises _EnoughError if the user ends the questions."""
    try:
        typed = str(click.prompt(what, default="", show_default=False)).strip()
    except click.Abort as ended:
        raise _EnoughError from ended
    if typed == _QUIT:
        raise _EnoughError
    return typed


_LISTED = 40  # groups
_VARIANTS = 6  # of one group


@dataclass(frozen=True, slots=True)
class DecideOptions:
    """The arguments and options of `grader decide`."""

    folder: Path = options.batch_folder()
    key: str | None = options.argument(required=False)
    accept: bool = options.flag("--accept", "It is no mistake.")
    price: str | None = options.option("--price", "Points that the mistake costs, instead of those that it lost.")
    comment: str = options.text("--comment", "A comment that everybody with this mistake reads.")
    why: str = options.text("--why", "The reason, which the grades give.")
    whole: bool = options.flag("--all", "Decide every variant of its group.")
    yes: bool = options.flag("--yes", "Decide although a price lowers a grade.")
    spec: Path | None = options.another_spec()


@options.command(DecideOptions)
def decide(asked: DecideOptions) -> None:
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
        entry = groups.get(key)
        if entry is None:
            raise UsageError(f"no mistake is called {key}", place=str(folder), hint="`grader decide DIR` lists them")
        group, variant = entry
        if variant is None or asked.whole:
            name, first = group.key, group.listed[0]
        else:
            name, first = variant.first.key, variant
        decision = _decision(asked, first.first.finding.message)
        # A decision of an earlier version has that version's name of the mistake.
        old = first.first.old if name == first.first.key else ()
        if held := next((one for one in opened.decisions if one == name or one in old), None):
            place = str(folder / FILE_NAME)
            raise UsageError(f"there is a decision on {held} already", place=place, hint="change it there")
        changes = list(_changes(opened, grades, name, decision))
    click.echo("\n".join(line for line, _ in changes) or "no grade changes")
    # A slip of the keyboard must not lower a grade that was given out before.
    if any(lowered for _, lowered in changes) and decision.price is not None and not asked.yes:
        raise UsageError("this price lowers grades, so nothing was decided", hint="`--yes` decides it anyway")
    add_decision(folder / FILE_NAME, name, decision)
    write_again(folder, asked.spec, jobs=cores())
    decided = group if name == group.key else first
    click.echo(f"decided for {plural(decided.count, 'submission')}: {decided.named}")


def _decision(asked: DecideOptions, about: str) -> Decision:
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
    """The groups: mistakes that cost points, mistakes that cost nothing, and free ones of most of the class."""
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
    summary = f"{len(variants)} variants of {first.finding.code}, {first.criterion or 'no criterion'}{kind}"
    yield f"{group.key}  {_costs(group)}{plural(group.count, 'submission')}: {summary}"
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
    """The points that a group costs the class: ``18 points, ``; empty if it costs nothing."""
    lost, waiting = number(float(group.lost)), number(float(group.waiting))
    parts = [plural(lost, "point") if group.lost else "", f"{plural(waiting, 'open point')}" if group.waiting else ""]
    return "".join(f"{part}, " for part in parts if part)


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """The arguments and options of `grader export`."""

    folder: Path = options.batch_folder()
    system: str | None = options.option("--to", "Whose file it is.", type=click.Choice(tuple(LAYOUTS)))
    into: Path | None = options.option("--into", "The file to fill.", type=options.FILE_HERE)
    output: Path | None = options.option(
        "-o --output", "Write to this file, and leave the original alone.", type=options.FILE
    )
    column: str = options.text("--column", "The heading of the column of scores, if the grader cannot find it.")
    partial: bool = options.flag("--partial", "Also export grades that are not complete.")
    archive: Path | None = options.option(
        "--feedback", "Write the pages of students into an archive, for moodle and canvas.", type=options.FILE
    )
    book: Path | None = options.option(
        "--xlsx", "Write grades.csv as a workbook, for a spreadsheet program.", type=options.FILE
    )


@options.command(ExportOptions)
def export(asked: ExportOptions) -> int:
    """Fill the scores of DIR, the folder of a batch, into the file that a platform gave out.

    One column is changed, and every other byte is kept. Rows and submissions that fit nobody are named.

    Exit code 0: each grade has its row, or its student is excused; 2: wrong usage; 5: grades were left out, and are named.
    """
    from grader.batch.comparing import grades_in
    from grader.batch.opening import refuse_outdated

    if asked.into is None and asked.archive is None and asked.book is None:
        hint = "name a file with `--into`, an archive with `--feedback`, a workbook with `--xlsx`"
        raise UsageError("nothing to export into", hint=hint)
    if asked.system is None and (asked.into or asked.archive):
        raise click.UsageError("Missing option '--to': whose file it is.")
    refuse_outdated(asked.folder)
    if asked.book is not None:
        write_file(asked.book, workbook_of(asked.folder))
        click.echo(f"Workbook: {asked.book}")
    if asked.system is None:
        return EXIT_OK
    grades, code = grades_in(str(asked.folder)), EXIT_OK
    if asked.into is not None:
        place, target = str(asked.into), asked.output or asked.into
        done = filled(read(asked.into), place, asked.system, grades, column=asked.column, partial=asked.partial)
        write_file(target, done.data)
        click.echo(f"{plural(done.count, 'score')} written into {target}")
        for note in done.notes:
            click.echo(note)
        code = EXIT_OPEN if done.left_out else EXIT_OK
    if asked.archive is not None:
        for note in feedback(asked.system, grades, asked.folder / "students", asked.archive):
            click.echo(note)
        click.echo(f"Feedback: {asked.archive}")
    return code
