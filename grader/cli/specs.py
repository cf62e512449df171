"""``grader specs``: what can be graded without writing a spec, and worked examples to copy."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
def specs() -> None:
    """List the specs that come with the grader: name, language, points, title, and where the file is.

    The worked examples behind them are small labs of other kinds, each a folder to copy: spec, text, and programs with their grades.
    """
    from grader.bundled import bundled_specs, examples, spec_path

    for name in bundled_specs():
        _tell(name, spec_path(name))
    found = examples()
    if found:
        click.echo("\nWorked examples, to copy and to change:\n")
    for path in found:
        _tell(path.stem, path)
    click.echo("\n`grader new NAME --from sample.txt` makes a spec of your own.")


def _tell(name: str, path: Path) -> None:
    from grader.spec.loader import load_assignment

    spec = load_assignment(path).spec
    languages = ", ".join(spec.program.language)
    points = float(sum(criterion.points for criterion in spec.rubric))
    click.echo(f"{name:<16}{languages:<24}{points:>4g} points  {spec.title}\n{'':<16}{path}")
