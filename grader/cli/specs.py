"""``grader specs``: what can be graded without writing a spec."""

from __future__ import annotations

import click


@click.command()
def specs() -> None:
    """List the specs that come with the grader: name, language, points, title, and where the file is."""
    from grader.bundled import bundled_specs, spec_path
    from grader.spec.loader import load_assignment

    for name in bundled_specs():
        path = spec_path(name)
        spec = load_assignment(path).spec
        languages = ", ".join(spec.program.language)
        points = float(sum(criterion.points for criterion in spec.rubric))
        click.echo(f"{name:<16}{languages:<24}{points:>4g} points  {spec.title}\n{'':<16}{path}")
