"""``grader assemble``: the words, the listing and the complaints of one source."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.program import assembled, family_of, read_source
from grader.errors import EXIT_OK, EXIT_POINTS_LOST
from grader.machines.families import DIALECTS_OF

DIALECTS = {dialect: language for language, dialects in DIALECTS_OF.items() for dialect in dialects}


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--listing", "form", flag_value="listing", help="Each line with its address and word.")
@click.option("--hex", "form", flag_value="hex", help="Each block as `origin: word word …`.")
@click.option("--json", "form", flag_value="json", help="Blocks, symbols, lines and diagnostics as JSON.")
@click.option("--dialect", type=click.Choice(tuple(DIALECTS)), help="Whose refusals; the usual ones if not said.")
def assemble(file: Path, form: str | None, dialect: str | None) -> int:
    """Assemble FILE, LC-3 or MIPS by what it looks like. Diagnostics go to standard error.

    The exit code is 1 when there is an error among them.
    """
    source = read_source(file)
    machine = family_of(source, DIALECTS[dialect] if dialect else None)
    assembly = assembled(source, machine, dialect or machine.dialects[0])
    if form == "json":
        click.echo(machine.as_json(assembly, source))
    if assembly.image is None:
        if form != "json":
            errors = len(assembly.errors)
            click.echo(f"{file}: not assembled, {errors} error{'' if errors == 1 else 's'}", err=True)
        return EXIT_POINTS_LOST
    if form == "listing":
        click.echo(machine.listing(assembly, source), nl=False)
    elif form == "hex":
        click.echo(machine.hex_blocks(assembly.image), nl=False)
    elif form is None:
        words = sum(len(block.words) for block in assembly.image.blocks)
        labels = len(assembly.image.symbols)
        start = machine.address(assembly.image.entry)
        click.echo(f"{file}: {words} words, {labels} label{'' if labels == 1 else 's'}, starts at {start}")
    return EXIT_OK
