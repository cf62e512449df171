"""``grader doctor``: what this machine can grade, and the command that adds what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from grader.doctor import Part


@click.command()
def doctor() -> int:
    """Say what this machine can grade, and the command that adds what is missing.

    Exit code 0: every bundled spec can be graded here; 1: one of them cannot.
    """
    from grader.doctor import diagnose
    from grader.errors import EXIT_OK

    diagnosis = diagnose()
    for part in diagnosis.parts:
        _show(part)
    click.echo()
    for spec in diagnosis.specs:
        _show(spec)
    return EXIT_OK if diagnosis.well else 1


def _show(part: Part) -> None:
    click.echo(f"{part.name:<16}{part.state}{': ' if part.trouble else ''}{part.trouble}")
    if part.remedy:
        click.echo(f"{'':<16}→ {part.remedy}")
