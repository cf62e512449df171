"""Commands about the grader itself: its specs, its pages, the schema, and the languages that can be graded here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

    from grader.doctor import Part


@click.command()
def specs() -> None:
    """List the specs that come with the grader: name, language, points, title, and where the file is.

    The worked examples behind them are small labs of other kinds, each a folder to copy: spec, text, and programs with their grades.
    """
    from grader.bundled import bundled_specs, examples, spec_path
    from grader.spec.loader import load_assignment

    def tell(name: str, path: Path) -> None:
        spec = load_assignment(path).spec
        languages = ", ".join(spec.program.language)
        points = float(sum(criterion.points for criterion in spec.rubric))
        click.echo(f"{name:<18}{languages:<24}{points:>4g} points  {spec.title}\n{'':<18}{path}")

    for name in bundled_specs():
        tell(name, spec_path(name))
    worked = examples()
    if worked:
        click.echo("\nWorked examples, to copy and to change:\n")
    for path in worked:
        tell(path.stem, path)
    click.echo(
        "\n`grader docs gallery` shows how each begins. `grader new NAME --from sample.txt` makes a spec of your own."
    )


@click.command()
@click.argument("page", required=False)
def docs(page: str | None) -> None:
    """Print a PAGE of the documentation, or list all pages: name, title, and the folder in which they are.

    Any other word lists the sections that speak of it.
    """
    from grader.bundled import docs_folder
    from grader.errors import UsageError
    from grader.spec.problem import near

    pages = {path.stem: path for path in sorted(docs_folder().glob("*.md"))}
    if page is None:
        for name, path in pages.items():
            click.echo(f"{name:<18}{path.read_text(encoding='utf-8').partition(chr(10))[0].removeprefix('# ')}")
        click.echo(f"\n`grader docs NAME` prints one. They are Markdown, in {docs_folder()}")
        return
    name = page.removeprefix("docs/").removesuffix(".md")
    if name in pages:
        click.echo_via_pager(pages[name].read_text(encoding="utf-8"))
        return
    sections = {one: headings for one, path in pages.items() if (headings := _sections(path, page))}
    if not sections:
        message = f"there is no page `{name}`, and none speaks of “{page}”"
        raise UsageError(message, hint=near(name, pages, "pages"))
    for one, headings in sections.items():
        for number, heading in enumerate(headings):
            click.echo(f"{'' if number else one:<18}{heading}")
    click.echo(f"\nThese sections speak of “{page}”. `grader docs NAME` prints a page.")


def _sections(page: Path, word: str) -> tuple[str, ...]:
    """The headings of a page below which a word stands, in whatever case."""
    headings: dict[str, None] = {}
    heading, fenced = "", False
    for line in page.read_text(encoding="utf-8").splitlines():
        fenced ^= line.startswith("```")
        if line.startswith("#") and not fenced:  # in a block of YAML such a line is a comment
            heading = line.lstrip("#").strip()
        if word.casefold() in line.casefold():
            headings[heading] = None
    return tuple(headings)


@click.command()
def schema() -> None:
    """Print the JSON schema of specs, for editors.

    In a spec's first line: `# yaml-language-server: $schema=schema.json`.
    """
    from grader.spec.fields import schema_text

    click.echo(schema_text(), nl=False)


@click.command()
def doctor() -> int:
    """Say what this machine can grade, and the command that adds what is missing.

    Exit code 0: every bundled spec can be graded here; 1: one of them cannot.
    """
    from grader.doctor import diagnose
    from grader.errors import EXIT_OK

    def show(part: Part) -> None:
        click.echo(f"{part.name:<16}{part.state}{': ' if part.trouble else ''}{part.trouble}")
        if part.remedy:
            click.echo(f"{'':<16}→ {part.remedy}")

    diagnosis = diagnose()
    for part in diagnosis.parts:
        show(part)
    click.echo()
    for spec in diagnosis.specs:
        show(spec)
    return EXIT_OK if diagnosis.well else 1
