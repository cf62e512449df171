"""Options of commands, declared once. A command is a function of one frozen value, whose fields are its options.

The fields stand in the order of the help, under the names that the function uses. Options of several commands are
functions here, so that they read alike everywhere.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, cast

import click

from grader.languages import CODES

PLACE = click.Path(exists=True, path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path)
FILE_HERE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
FOLDER_HERE = click.Path(exists=True, file_okay=False, path_type=Path)
_MADE_BY = "made by"
T = TypeVar("T")


def argument(**settings: Any) -> Any:
    """A field that is an argument of a command, with the settings that click knows."""
    return dataclasses.field(metadata={_MADE_BY: lambda name: click.Argument([name], **settings)})


def option(names: str, sentence: str, notes: Mapping[str, str] = MappingProxyType({}), **settings: Any) -> Any:
    """A field that is an option of a command, by its ``names`` with blanks between; ``notes`` are the command's own.

    ``sentence`` is its line in the help; ``settings`` go to click.
    """
    made = {"help": sentence, **settings}
    return dataclasses.field(metadata={**notes, _MADE_BY: lambda name: click.Option([*names.split(), name], **made)})


flag = partial(option, is_flag=True)
"""A field that is true where the option is given."""

text = partial(option, default="")
"""A field that is a text, and empty if the option is not given."""


def command(
    values: type[T], context_settings: dict[str, Any] | None = None
) -> Callable[[Callable[[T], int | None]], click.Command]:
    """Make a command of a function with one parameter, whose class has the options. Its docstring is the help.

    The function returns the exit code, or None for 0.
    """
    # click shows them in this order, so that the class reads like the help.
    parameters = [one.metadata[_MADE_BY](one.name) for one in dataclasses.fields(cast(Any, values))]

    def made(function: Callable[[T], int | None]) -> click.Command:
        def called(**given: Any) -> int:
            return function(values(**given)) or 0

        return click.Command(function.__name__, context_settings, called, params=parameters, help=function.__doc__)

    return made


def batch_folder() -> Any:
    """The folder that `grader batch` wrote."""
    return argument(metavar="DIR", type=FOLDER_HERE)


def another_spec(sentence: str = "Another spec than the one of the last call.") -> Any:
    """The path of another spec for a batch, which may be given by its name."""

    def path_of(_context: object, _option: object, name: str | None) -> Path | None:
        from grader.bundled import spec_path

        return spec_path(name) if name else None

    return option("--spec", sentence, callback=path_of)


def jobs(by_default: str) -> Any:
    """The number of workers."""
    return option("-j --jobs", f"Worker processes; {by_default}.", type=click.IntRange(min=1))


def unsafe(programs: str = "programs") -> Any:
    """The permission to run programs without a sandbox."""
    them, has = ("they", "have") if programs == "programs" else ("it", "has")
    return flag("--unsafe", f"Run {programs} even if this machine has no sandbox: {them} then {has} your own rights.")


def quiet(prints: str) -> Any:
    """A flag to print less."""
    return flag("-q --quiet", prints)


def roster(sentence: str) -> Any:
    """A table of the people who should have handed in."""
    return option("--roster", sentence, type=FILE_HERE)


def drop_marks() -> Any:
    """The permission to lose marks that staff gave."""
    return flag("--drop-marks", "Go on although marks that staff gave would be lost.")


def language() -> Any:
    """A student's language. The environment is not asked: a report is the same everywhere."""
    sentence = "Speak to the student in this language, whatever the spec says: English, German, Chinese or Vietnamese."
    return option("--language", sentence, type=click.Choice(CODES))


def learned(sentence: str) -> Any:
    """Corrections of how a program is understood."""
    return option("--learned", sentence, type=FILE, metavar="FILE")


def handed_in_to(sentence: str) -> Any:
    """The batch to which a program was handed in."""
    return option("--batch", sentence, type=FOLDER_HERE, metavar="DIR")


def budget(sentence: str) -> Any:
    """The most instructions that a program may execute."""
    return option("--budget", sentence, type=click.IntRange(min=1), default=50_000_000, show_default=True)


def trace() -> Any:
    """A flag to show every step of a machine."""
    return flag("--trace", "Write every executed instruction, with the registers it changes, to standard error.")
