"""A new spec: a folder with the spec, the text for students, a reference and a fixture, which lints clean and grades at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from textwrap import indent
from typing import Literal

from grader.authoring.pasted import LAST, read_pasted
from grader.authoring.programs import program, reference
from grader.authoring.recording import play, quoted
from grader.build.chosen import SUFFIXES
from grader.errors import UsageError
from grader.machines import families
from grader.source import SourceFile
from grader.spec.expectations import Script
from grader.spec.hints import near
from grader.spec.languages import LANGUAGES, Language
from grader.spec.loader import load_assignment
from grader.spec.model import TextRules
from grader.spec.script_text import write_script
from grader.values import dataclass

SAMPLES: Mapping[Language, str] = {"lc3": "Press a key: ‹k›\nThank you."}
"""The sample run of a spec that is made of none: keys on an LC-3, lines elsewhere."""
LINES = "What is your name? ‹Ada›\nHello."

FILES: Mapping[Language, str] = {
    "c": "main.c",
    "cpp": "main.cpp",
    "java": "Main.java",
    "python": "main.py",
    "lc3": "{}.asm",
    "mips": "{}.asm",
}
"""What a program is called where the author does not say."""

SOLUTION = "solution"
"""The folder of the course's own solution."""

FIXTURE = Path("fixtures/accepted/sample-run")
_MACHINE_LIMITS = "{instructions: 1M, output: 64 KiB}"
_CAGE_LIMITS = "{cpu: 1 s, wall: 5 s, output: 64 KiB}"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
_TEMPLATES = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Wish:
    """What an author says of a new spec: its name, the language, and the rest, where it is not to be as usual.

    ``sample`` is a pasted sample run, in which ``typed`` are the marks of what is typed; ``file`` is what the program is called. With a
    ``solution``, a source file of the course, that is the reference; with ``inputs`` the sample run is what it prints. ``keys`` says that an LC-3 program
    reads keys without Enter, also where several are typed.
    """

    name: str
    language: Language
    sample: str = ""
    typed: str = ""
    title: str = ""
    points: int = 20
    file: str = ""
    solution: Path | None = None
    inputs: tuple[str, ...] | None = None
    keys: bool = False

    @property
    def echo(self) -> Literal["program", "terminal"]:
        """Who shows what is typed: an LC-3 program its keys, elsewhere the terminal its lines."""
        return "program" if self.language == "lc3" else "terminal"


@dataclass(frozen=True, slots=True)
class Made:
    """What was made: the folder, the spec in it, and a submission with which it can be tried at once."""

    folder: Path
    spec: Path
    submission: Path


def make(wish: Wish, where: Path) -> Made:
    """Make the folder of a new spec in the folder ``where``.

    Raises UsageError where the name or the sample cannot be used, or such a folder is there already.
    """
    folder = folder_for(wish.name, where)
    if wish.language not in LANGUAGES:
        hint = near(wish.language, LANGUAGES, "languages")
        raise UsageError(f"no programs are graded in `{wish.language}`", hint=hint)
    if wish.inputs is not None and (wish.solution is None or wish.sample):
        raise UsageError("--input is for a --solution without --from: it makes the sample run")
    if wish.solution is not None and wish.inputs is None and not wish.sample:
        hint = "--input '4 q' says what is typed in it, --input '' that nothing is"
        raise UsageError("a solution needs a sample run", place=str(wish.solution), hint=hint)
    script = _sample(wish) if wish.inputs is None else _played(wish, wish.inputs)
    _write(_files(wish, script), folder)
    return Made(folder, folder / f"{wish.name}.yaml", folder / FIXTURE / "submission")


def folder_for(name: str, where: Path) -> Path:
    """The folder of a new spec of this name. Raises UsageError where the name cannot be used, or the folder is there already."""
    folder = where / name
    if not _NAME.fullmatch(name):
        raise UsageError(f"`{name}` is no name of a spec", hint="a name is made of a-z, 0-9 and -, such as even-odd")
    if folder.exists():
        hint = "take another name, or remove it"
        raise UsageError("it is there already, and nothing is overwritten", place=str(folder), hint=hint)
    return folder


def language_of(solution: Path) -> str:
    """The language of a solution, by its name, and for assembly by what it looks like. Raises UsageError."""
    suffix = solution.suffix.casefold()
    if suffix in (".asm", ".s"):
        return families.language_of(SourceFile.from_bytes(solution.name, _solution(solution)))
    named = [language for language, suffixes in SUFFIXES.items() if suffix in suffixes]
    if not named:
        raise UsageError("its name does not tell its language", place=str(solution), hint="--language tells it")
    return named[0]


def _rules(wish: Wish) -> TextRules:
    return TextRules(echo=wish.echo, choices={LAST: ("\n", "")})


def _sample(wish: Wish) -> Script:
    """The sample run that the author pasted, or one of ours."""
    return read_pasted(wish.sample or SAMPLES.get(wish.language, LINES), _rules(wish), wish.typed, keys=wish.keys)


def _played(wish: Wish, inputs: tuple[str, ...]) -> Script:
    """What the solution prints when this is typed. Raises UsageError where it does not build, breaks, or ends before that."""
    with TemporaryDirectory() as place:
        folder = Path(place) / wish.name
        _write(_files(wish, _sample(wish)), folder)
        recorded = play(load_assignment(folder / f"{wish.name}.yaml"), None, inputs)
    if recorded.left:
        raise UsageError(f"the solution has ended before the last of {len(inputs)} inputs", place=str(wish.solution))
    return recorded.script


def _write(files: Mapping[Path, str | bytes], folder: Path) -> None:
    """Write a folder. Raises UsageError where that fails."""
    try:
        for path, data in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data.encode() if isinstance(data, str) else data)
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror}", place=str(folder)) from error


def _solution(path: Path) -> bytes:
    """The bytes of a solution. Raises UsageError."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"the solution cannot be read: {error.strerror}", place=str(path)) from error


def _files(wish: Wish, script: Script) -> dict[Path, str | bytes]:
    rules = _rules(wish)
    title = wish.title or wish.name.replace("-", " ").capitalize()
    file = wish.file or (wish.solution.name if wish.solution else FILES[wish.language].format(wish.name))
    solution = _solution(wish.solution) if wish.solution else None
    form = max(1, wish.points // 5)  # a silent program has no slip of form: more would be too much for it
    own = f"{SOLUTION}/{file}"
    keys_are_shown = "the program prints the keys itself"
    lines_are_shown = "the terminal shows each line, and its Enter"
    right = f"says what is right; or your own solution, such as {own}"
    words = {
        "name": wish.name,
        "title": title,
        "file": file,
        "language": wish.language,
        "limits": _MACHINE_LIMITS if wish.language in ("lc3", "mips") else _CAGE_LIMITS,
        "reference": quoted(own) if solution is not None else "reference.py",
        "what": "prints what is right" if solution is not None else right,
        "echo": wish.echo,
        "shown": keys_are_shown if wish.echo == "program" else lines_are_shown,
        "form": str(form),
        "works": str(wish.points - form),
        "transcript": indent(write_script(script, rules), " " * 6),
        "sample": indent("".join(turn.text({}) + (turn.typed or "") for turn in script.turns), " " * 4),
    }
    files: dict[Path, str | bytes] = {
        Path(f"{wish.name}.yaml"): _filled(
            "spec.template.yaml", {**words, "title": quoted(title), "file": quoted(file)}
        ),
        Path("TEXT.md"): _filled("text.template.md", words),
        FIXTURE / "submission" / file: program(wish.language, file, script) if solution is None else solution,
        FIXTURE / "expected.yaml": f"score: {wish.points}\ncriteria: {{}}\ncases: {{}}\n",
    }
    if solution is not None:
        return files | {Path(own): solution}
    return files | {Path("reference.py"): reference(title, script, by_line=wish.echo == "terminal")}


def _filled(name: str, words: Mapping[str, str]) -> str:
    return Template((_TEMPLATES / name).read_text(encoding="utf-8")).substitute(words)
