"""``grader schema``: what an editor needs to check a spec while it is written."""

from __future__ import annotations

import click


@click.command()
def schema() -> None:
    """Print the JSON schema of specs, for editors.

    In a spec's first line: `# yaml-language-server: $schema=schema.json`.
    """
    from grader.spec.schema import schema_text

    click.echo(schema_text(), nl=False)
