"""Programs for ``run`` and ``call``: read, assembled or built as for grading, with diagnostics; ``grader assemble``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import click

from grader.cli import options
from grader.errors import EXIT_OK, EXIT_POINTS_LOST, UsageError, refusals
from grader.machines.families import TRAITS, Family, family, language_of, language_with
from grader.machines.listing import as_json, hex_blocks, listing
from grader.source import Severity, SourceFile
from grader.values import dataclass

if TYPE_CHECKING:
    from grader.build.built import Built
    from grader.machines.image import Assembly
    from grader.sessions.session import Session, Setup
    from grader.sessions.simulated import SimulatedProgram
    from grader.spec.languages import Language
    from grader.spec.loader import Assignment
    from grader.spec.model import Limits, Spec
    from grader.submission import Submission

INCLUDED = (".s", ".asm", ".inc")


def profile_option() -> Any:
    """The edition of a machine."""
    profiles = tuple(name for traits in TRAITS.values() for name in traits.profiles)
    return options.option("--profile", "Edition of the machine; by default the usual one.", type=click.Choice(profiles))


@dataclass(frozen=True, slots=True)
class Simulated:
    """A program of a simulated machine, its sources, and the profile under which it is run."""

    program: SimulatedProgram
    sources: Sequence[SourceFile]
    profile: str


def read_bytes(path: Path) -> bytes:
    """The bytes of a file. Raises UsageError if it cannot be read."""
    with refusals("cannot read it: {}", path):
        return path.read_bytes()


def read_source(path: Path) -> SourceFile:
    """The source in a file; machine code as assembly text. Raises UsageError if it cannot be read."""
    coded = next((language for language, traits in TRAITS.items() if path.suffix.casefold() in traits.code), "")
    if not coded:
        return SourceFile.from_bytes(str(path), read_bytes(path))
    source, diagnostics = family(coded).read(str(path), read_bytes(path))
    error = next((one for one in diagnostics if one.severity is Severity.ERROR), None)
    if error is not None:
        raise UsageError(error.message, place=error.span.place if error.span else str(path), hint=error.hint)
    return source


def family_of(source: SourceFile, language: str | None) -> Family:
    """The machine of a source: that of the language asked for, or else of the language that it looks like."""
    return family(language or language_of(source))


def assembled(sources: Sequence[SourceFile], machine: Family, dialect: str, entry: str = "") -> Assembly:
    """The program of these sources, assembled; its diagnostics go to standard error.

    Raises UsageError for several sources where a program is one file.
    """
    first, *more = sources
    assembly = machine.assemble(first, dialect, _beside(sources) if machine.includes else {}, more, entry)
    for diagnostic in assembly.diagnostics:
        click.echo(diagnostic.render(), err=True)
    return assembly


def _beside(sources: Sequence[SourceFile]) -> dict[str, SourceFile]:
    """The other files in the folders of the sources, which the program may include; equal names: the first counts."""
    from grader.machines.assembler import SOURCE_LIMIT

    paths = [Path(source.name) for source in sources]
    beside: dict[str, SourceFile] = {}
    for folder in dict.fromkeys(path.parent for path in paths):
        for path in sorted(folder.iterdir()):
            # A folder of downloads may hold archives of gigabytes.
            wanted = path.suffix in INCLUDED and path not in paths and path.is_file()
            if wanted and path.stat().st_size <= SOURCE_LIMIT:
                beside.setdefault(path.name, read_source(path))
    return beside


def simulated(
    files: Sequence[Path], profile: str | None, limits: Limits, *, entry: str = "", bare: bool = False
) -> Simulated | None:
    """The program of these files; None, after a message, if they do not assemble. Raises UsageError."""
    from grader.sessions.simulated import SimulatedProgram

    sources = [read_source(file) for file in files]
    machine = family_of(sources[0], language_with(profile) if profile else None)
    edition = profile or machine.traits.profiles[0]
    assembly = assembled(sources, machine, machine.dialect_of(edition), entry)
    if assembly.image is None:
        return None
    return Simulated(SimulatedProgram(machine, assembly.image, limits, bare=bare), sources, edition)


def as_graded(handed_in: HandedIn, profile: str | None) -> Simulated | None:
    """The program built as for grading, under one of its spec's profiles; None, after a message, if it does not build.

    Raises UsageError if the spec has no such profile.
    """
    from grader.build.simulated import build_simulated
    from grader.sessions.simulated import SimulatedProgram

    support = handed_in.assignment.support if handed_in.assignment else ()
    built = build_simulated(handed_in.spec, handed_in.submission, support)
    say_built(built)
    # A spec may name several editions; a program may be built for some of them only.
    edition = profile or (built.usual if built.usual in built.programs else next(iter(built.programs), ""))
    program = built.programs.get(edition)
    if built.programs and program is None:
        raise click.UsageError(f"the program is not built for {edition}; --profile may be {', '.join(built.programs)}")
    if not isinstance(program, SimulatedProgram):
        return None
    sources = [*built.sources, *(SourceFile.from_bytes(file.path, file.data) for file in support)]
    return Simulated(program, sources, edition)


def say_built(built: Built) -> None:
    """Print the messages of the compiler or assembler, or why there is nothing to build, to standard error."""
    for message in built.diagnostics or [finding.message for finding in built.findings]:
        click.echo(message, err=True)


# ------------------------------------------------------------------------------------- programs of the computer itself


def is_native(files: tuple[Path, ...]) -> bool:
    """Whether the file name says that the program runs on this computer, and not on a simulated machine."""
    return _language(files[0]) is not None


def play_native(handed_in: HandedIn, play: Callable[[Session], int], setup: Setup, seed: int | None) -> int:
    """Build the program, print the compiler's messages, and let it be played; 1 if it does not build."""
    from grader.build.answer_key import answer_key
    from grader.build.native import build_native
    from grader.build.workshop import Workshop
    from grader.cli.submissions import warn
    from grader.results import Verdict

    assignment = handed_in.assignment
    hidden = (*(answer_key(assignment) if assignment else ()), *handed_in.hidden)
    # A user who plays a program by hand has chosen to run it.
    with Workshop.opened(unsafe=True, hidden=hidden) as workshop:
        if not workshop.caged:
            warn("this machine has no sandbox for programs: this one runs with your own rights")
        warn(workshop.unkept)
        built = build_native(handed_in.spec, assignment.support if assignment else (), handed_in.submission, workshop)
        say_built(built)
        if built.verdict is not Verdict.ACCEPTED:
            return EXIT_POINTS_LOST
        if not built.programs:
            hint = "its functions are called by tests: `grader check` runs these"
            raise UsageError("this program is not started by itself", hint=hint)
        *_, program = built.programs.values()
        try:
            return play(program.start("", seed=seed, setup=setup))
        finally:
            built.close()


@dataclass(frozen=True, slots=True)
class HandedIn:
    """A submission to run, the assignment that says how to build it, if any, and paths ``hidden`` from it."""

    submission: Submission
    spec: Spec
    assignment: Assignment | None = None
    hidden: tuple[Path, ...] = ()

    @classmethod
    def named(cls, files: tuple[Path, ...], spec: str | None) -> HandedIn:
        """The files on the command line."""
        from grader.cli.submissions import load

        assignment = load(spec) if spec else None
        described = assignment.spec if assignment else _usual(files)
        return cls(_submission(files, assignment), described, assignment, tuple(file.parent for file in files))

    @classmethod
    def in_batch(cls, folder: Path, wanted: str) -> HandedIn:
        """A submission of a batch. Raises UsageError."""
        from grader.batch.opening import handed_in

        assignment, submission, hidden = handed_in(folder, wanted)
        return cls(submission, assignment.spec, assignment, hidden)


def _language(file: Path) -> Language | None:
    """The language of a file, by its name; None for a simulated machine, and for an unknown ending."""
    from grader.build.chosen import SUFFIXES

    return next((language for language, suffixes in SUFFIXES.items() if file.suffix.casefold() in suffixes), None)


def _usual(files: tuple[Path, ...]) -> Spec:
    """A spec with only the language and files of the program, and generous limits."""
    from grader.spec.model import Case, Criterion, Limits, Program, Spec

    return Spec(
        assignment="run",
        title="Run",
        program=Program.model_validate(
            {"language": _language(files[0]), "sources": [PurePath(file).name for file in files]}
        ),
        # A user who plays a program by hand may think for an hour.
        limits=Limits(cpu=3600.0, wall=3600.0, output=1 << 30, memory=2 << 30, processes=200),
        rubric=(Criterion.model_validate({"id": "run", "title": "Run", "points": 1}),),
        cases=(Case.model_validate({"id": "run", "title": "Run", "source": {"builds": True}}),),
    )


def _submission(files: tuple[Path, ...], assignment: Assignment | None) -> Submission:
    """The submission in which a spec finds its sources: the one path that was named, or the files side by side."""
    from grader.cli.submissions import read_for
    from grader.submission import Form, Submission, SubmittedFile

    if assignment and len(files) == 1:
        return read_for(assignment, files[0])
    read = tuple(SubmittedFile(file.name, read_bytes(file)) for file in files)
    return Submission("run", "run", read, form=Form.FILE if len(read) == 1 else Form.FOLDER)


# ------------------------------------------------------------------------------------------------------ grader assemble

DIALECTS = {dialect: language for language, traits in TRAITS.items() for dialect in traits.dialects}


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--listing", "form", flag_value="listing", help="Each line with its address and word.")
@click.option("--hex", "form", flag_value="hex", help="Each block as `origin: word word …`.")
@click.option("--json", "form", flag_value="json", help="Blocks, symbols, lines and diagnostics as JSON.")
@click.option(
    "--dialect",
    type=click.Choice(tuple(DIALECTS)),
    help="The profile whose rules refuse a program; by default the usual one.",
)
def assemble(files: tuple[Path, ...], form: str | None, dialect: str | None) -> int:
    """Assemble FILES, LC-3 or MIPS by what the first looks like. Diagnostics go to standard error.

    Several MIPS files make one program, in their order. Labels belong to their file, except those declared .globl. The
    exit code is 1 when there is an error among them.
    """
    foreign = next((file for file in files if _language(file) is not None), None)
    if foreign is not None:
        hint = "`grader check SPEC FILE` builds and judges it, `grader run FILE` builds and runs it"
        raise UsageError("this is no LC-3 or MIPS assembly file", place=str(foreign), hint=hint)
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
