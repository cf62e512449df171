"""``grader assemble``: the words, the listing and the complaints of one program."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.program import assembled, family_of, read_source
from grader.errors import EXIT_OK, EXIT_POINTS_LOST
from grader.machines.families import TRAITS
from grader.machines.listing import as_json, hex_blocks, listing

DIALECTS = {dialect: language for language, traits in TRAITS.items() for dialect in traits.dialects}


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--listing", "form", flag_value="listing", help="Each line with its address and word.")
@click.option("--hex", "form", flag_value="hex", help="Each block as `origin: word word …`.")
@click.option("--json", "form", flag_value="json", help="Blocks, symbols, lines and diagnostics as JSON.")
@click.option("--dialect", type=click.Choice(tuple(DIALECTS)), help="Whose refusals; the usual ones if not said.")
def assemble(files: tuple[Path, ...], form: str | None, dialect: str | None) -> int:
    """Assemble FILES, LC-3 or MIPS by what the first looks like. Diagnostics go to standard error.

    Several MIPS files make one program, in their order, with labels of their own but for those declared .globl. The exit
    code is 1 when there is an error among them.
    """
    sources = [read_source(file) for file in files]
    # The first file decides: an included file of macros looks like neither language.
    machine = family_of(sources[0], DIALECTS[dialect] if dialect else None)
    assembly = assembled(sources, machine, dialect or machine.traits.dialects[0])
    if form == "json":
        click.echo(as_json(assembly, sources, machine.notation), nl=False)
    if assembly.image is None:
        if form != "json":
            errors = len(assembly.errors)
            click.echo(f"{files[0]}: not assembled, {errors} error{'' if errors == 1 else 's'}", err=True)
        return EXIT_POINTS_LOST
    if form == "listing":
        click.echo(listing(assembly, sources, machine.notation), nl=False)
    elif form == "hex":
        click.echo(hex_blocks(assembly.image, machine.notation), nl=False)
    elif form is None:
        words = sum(len(block.words) for block in assembly.image.blocks)
        labels = len(assembly.image.symbols)
        start = machine.address(assembly.image.entry)
        click.echo(f"{files[0]}: {words} words, {labels} label{'' if labels == 1 else 's'}, starts at {start}")
    return EXIT_OK
