"""``grader``: the group of commands, and the one place where an error becomes a message and an exit code."""

from __future__ import annotations

import errno
import gc
import sys
from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from typing import NoReturn

import click

from grader import __version__
from grader.cli import streams
from grader.errors import EXIT_INTERRUPTED, EXIT_JUDGE, GraderError, UsageError, lack_of

COMMANDS = {
    "check": "Try your own program before you hand it in.",
    "grade": "Grade one submission: every case, for staff and CI.",
    "batch": "Grade a whole download of submissions.",
    "merge": "Put the parts of a batch together that several machines graded.",
    "regrade": "Show whose grade would change, before it does.",
    "mark": "Read what staff gave by hand, or ask for it.",
    "compare": "Show whose grade differs between two batches.",
    "decide": "Decide once about a mistake that several have.",
    "similar": "List pairs of programs that are more alike than chance.",
    "export": "Fill scores into the file of a learning platform.",
    "kit": "Make a folder with which students check themselves.",
    "new": "Make a new spec from the sample run of a handout.",
    "import": "Make a spec of the tests of GitHub Classroom.",
    "record": "Write a case of a spec by playing a program.",
    "lint": "Find every problem of a spec.",
    "fixtures": "Grade programs that must get the grades that they declare.",
    "explore": "Say how a program that talks in its own words is understood.",
    "assemble": "Assemble an LC-3 or MIPS program, and show what became of it.",
    "run": "Play a program by hand or from a pipe.",
    "call": "Call one routine of an LC-3 or MIPS program.",
    "specs": "List the specs that come with the grader, and worked examples.",
    "docs": "Print a page of the documentation, or list them.",
    "doctor": "Say what this machine can grade, and what is missing.",
    "schema": "Print the JSON schema of specs, for editors.",
}
# The modules of commands that share one; each other command has the module of its name.
_SHARED = {
    "about": ("specs", "docs", "doctor", "schema"),
    "authoring": ("new", "import", "record", "fixtures", "kit"),
    "batch": ("merge", "regrade", "compare", "similar"),
    "check": ("grade",),
    "mark": ("decide", "export"),
    "program": ("assemble",),
}
_MODULES = {command: module for module, commands in _SHARED.items() for command in commands}


class Commands(click.Group):
    """A group that imports a command only when it is called: the help must not pay for them."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of the first word. Raises UsageError, with the nearest command as a hint."""
        # click alone says only that there is no such command.
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from grader.spec.problem import near

            ctx.fail(f"there is no command `{args[0]}`; {near(args[0], COMMANDS, 'commands')}")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- click's signature
        """The commands in the order in which the help shows them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 -- click's signature
        """The command of that name, or None."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"grader.cli.{_MODULES.get(cmd_name, cmd_name)}")
        # No function can be called `import`.
        command: click.Command = getattr(module, f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 -- click's signature
        """List the commands by their sentences, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="grader")
def cli() -> None:
    """Grade student console programs by a spec: how many points they earn, and why.

    Programs in LC-3 and MIPS assembly, C, C++, Java and Python. SPEC is a path or the name of a bundled spec (`grader specs`);
    SUBMISSION is a file, a folder or an archive.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    gc.set_threshold(50_000, 20, 100)  # a command ends before there is garbage worth its search
    # Before anything can be printed: CI systems start commands with closed streams, and `| head` closes one early.
    streams.prepare()
    try:
        code = cli.main(arguments, prog_name="grader", standalone_mode=False)
    except click.exceptions.Abort as ended:
        if isinstance(ended.__cause__, EOFError):  # click takes any for the end of what is typed
            _tell_our_fault(ended.__cause__)
        sys.exit(EXIT_INTERRUPTED)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except GraderError as error:
        # A SpecError has a line for each problem, which editors jump to by its place at the beginning.
        click.echo(f"grader: {error}" if "\n" not in str(error) else str(error), err=True)
        sys.exit(error.exit_code)
    except Exception as error:  # noqa: BLE001 -- a fault of ours is loud, and never looks like a verdict
        _tell_our_fault(error)
    sys.exit(code if isinstance(code, int) else 0)


def _tell_our_fault(error: BaseException) -> NoReturn:
    lack: GraderError | None = lack_of(error)
    # Whatever looks for a file of such a name gets this from the system, and it is a name that was typed.
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        lack = UsageError(
            f"no file has a name of {len(Path(str(error.filename)).name)} characters", hint="is it a path?"
        )
    if lack is not None:
        click.echo(f"grader: {lack}", err=True)
        sys.exit(lack.exit_code)
    import traceback

    traceback.print_exception(error)
    click.echo(f"grader: internal error: {error!r}; this is our fault, not the submission's", err=True)
    sys.exit(EXIT_JUDGE)
