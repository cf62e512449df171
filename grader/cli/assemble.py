"""``grader assemble``: the words, the listing and the complaints of one source."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.program import assemble_file
from grader.errors import EXIT_OK, EXIT_POINTS_LOST
from grader.machines.lc3 import listing as forms
from grader.machines.lc3.dialect import DIALECTS


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--listing", "form", flag_value="listing", help="Each line with its address and word.")
@click.option("--hex", "form", flag_value="hex", help="Each block as `origin: word word …`.")
@click.option("--json", "form", flag_value="json", help="Blocks, symbols, lines and diagnostics as JSON.")
@click.option(
    "--dialect", type=click.Choice(tuple(DIALECTS)), default="default", show_default=True, help="Whose refusals."
)
def assemble(file: Path, form: str | None, dialect: str) -> int:
    """Assemble FILE. Diagnostics go to standard error; the exit code is 1 when there is an error among them."""
    source, assembly = assemble_file(file, dialect)
    if form == "json":
        click.echo(forms.as_json(assembly, source))
    if assembly.image is None:
        if form != "json":
            click.echo(f"{file}: not assembled, {len(assembly.errors)} errors", err=True)
        return EXIT_POINTS_LOST
    if form == "listing":
        click.echo(forms.listing(assembly, source), nl=False)
    elif form == "hex":
        click.echo(forms.hex_blocks(assembly.image), nl=False)
    elif form is None:
        words = sum(len(block.words) for block in assembly.image.blocks)
        click.echo(
            f"{file}: {words} words, {len(assembly.image.symbols)} labels, starts at x{assembly.image.entry:04X}"
        )
    return EXIT_OK
