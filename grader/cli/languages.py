"""The option that names a student's language. What the environment says of languages is not asked: a report is the same everywhere."""

from __future__ import annotations

import click

from grader.languages import CODES

LANGUAGE = click.option(
    "--language",
    type=click.Choice(CODES),
    help="Speak to the student in this language, whatever the spec says: English, German, Chinese or Vietnamese.",
)
