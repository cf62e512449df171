"""A new spec: a folder with the spec, the text for students, a reference and a fixture, which lints clean and grades at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from textwrap import indent
from typing import Literal

from grader.authoring.pasted import LAST, read_pasted
from grader.authoring.recording import play, quoted
from grader.build.chosen import SUFFIXES
from grader.bundled import examples
from grader.errors import UsageError, refusals
from grader.machines import families
from grader.machines.families import TRAITS
from grader.source import SourceFile
from grader.spec.contents import named_files
from grader.spec.expectations import Script
from grader.spec.languages import LANGUAGES, Language
from grader.spec.loader import Assignment, load_assignment, sources_of
from grader.spec.model import TextRules
from grader.spec.problem import near
from grader.spec.script_text import write_script
from grader.values import dataclass

SAMPLES: Mapping[Language, str] = {"lc3": "Press a key: ‹k›\nThank you."}
"""The sample run of a spec that is made of none: keys on an LC-3, lines elsewhere."""
LINES = "What is your name? ‹Ada›\nHello."

_FILES = {"c": "main.c", "cpp": "main.cpp", "java": "Main.java", "python": "main.py"}  # elsewhere NAME.asm
_SOLUTION = "solution"  # the folder of the course's own solution

FIXTURE = Path("fixtures/accepted/sample-run")
_MACHINE_LIMITS = "{instructions: 1M, output: 64 KiB}"
_CAGE_LIMITS = "{cpu: 1 s, wall: 5 s, output: 64 KiB}"
# Names of specs are names of files and parts of commands.
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
_HERE, _FORMS = Path(__file__).parent, ("spec.template.yaml", "text.template.md")


@dataclass(frozen=True, slots=True)
class Wish:
    """An author's wishes for a new spec: its name, the language, and other values if they are not the usual ones.

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
        """The way in which typed text appears: an LC-3 program shows its keys, elsewhere the terminal shows lines."""
        return "program" if self.language in TRAITS and TRAITS[self.language].echoes else "terminal"

    @property
    def rules(self) -> TextRules:
        """How a sample run of it is read and written."""
        return TextRules(echo=self.echo, choices={LAST: ("\n", "")})


@dataclass(frozen=True, slots=True)
class Made:
    """The new files: the folder, the spec in it, and a submission with which it can be tried at once."""

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
        raise UsageError(f"the grader has no language `{wish.language}`", hint=hint)
    # Such a name would lead out of the folder of the fixture: `../main.c` was written beside it.
    if wish.file and (Path(wish.file).name != wish.file or "\\" in wish.file or "*" in wish.file):
        raise UsageError(f"--file {wish.file}: a file is handed in under a plain name", hint="such as main.c")
    if wish.inputs is not None and (wish.solution is None or wish.sample):
        raise UsageError("--input is for a --solution without --from: it makes the sample run")
    # A solution without a run would make a spec without a case.
    if wish.solution is not None and wish.inputs is None and not wish.sample:
        hint = "--input '4 q' says what is typed in it, --input '' that nothing is"
        raise UsageError("a solution needs a sample run", place=str(wish.solution), hint=hint)
    script = _sample(wish) if wish.inputs is None else _played(wish, wish.inputs)
    write_folder(_files(wish, script), folder)
    return Made(folder, folder / f"{wish.name}.yaml", folder / FIXTURE / "submission")


def folder_for(name: str, where: Path) -> Path:
    """The folder of a new spec of this name. Raises UsageError where the name cannot be used, or the folder is there already."""
    folder = where / name
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"`{name}` cannot be the name of a spec", hint="a name is made of a-z, 0-9 and -, such as even-odd"
        )
    if folder.exists():
        hint = "take another name, or remove it"
        raise UsageError("it exists already, and the grader overwrites nothing", place=str(folder), hint=hint)
    return folder


def language_of(solution: Path) -> str:
    """The language of a solution, by its name, and for assembly by what it looks like. Raises UsageError."""
    suffix = solution.suffix.casefold()
    if suffix in (".asm", ".s"):
        return families.language_of(SourceFile.from_bytes(solution.name, _bytes(solution)))
    named = [language for language, suffixes in SUFFIXES.items() if suffix in suffixes]
    if not named:
        raise UsageError(
            "the name of the file does not show its language", place=str(solution), hint="--language tells it"
        )
    return named[0]


def _bytes(solution: Path) -> bytes:
    """The bytes of a solution. Raises UsageError."""
    with refusals("the solution cannot be read: {}", solution):
        return solution.read_bytes()


def _sample(wish: Wish) -> Script:
    """The sample run that the author pasted, or one of ours."""
    return read_pasted(wish.sample or SAMPLES.get(wish.language, LINES), wish.rules, wish.typed, keys=wish.keys)


def _played(wish: Wish, inputs: tuple[str, ...]) -> Script:
    """The output of the solution for this input. Raises UsageError where it does not build, breaks, or ends before that."""
    with TemporaryDirectory() as place:
        folder = Path(place) / wish.name
        write_folder(_files(wish, _sample(wish)), folder)
        recorded = play(load_assignment(folder / f"{wish.name}.yaml"), None, inputs)
    if recorded.left:
        raise UsageError(f"the solution has ended before the last of {len(inputs)} inputs", place=str(wish.solution))
    return recorded.script


def write_folder(files: Mapping[Path, str | bytes | Path], folder: Path) -> None:
    """Write a folder, of texts, bytes and copies of files. Raises UsageError where that fails."""
    with refusals("cannot be written: {}", folder):
        for path, data in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            whole = data.read_bytes() if isinstance(data, Path) else data
            target.write_bytes(whole.encode() if isinstance(whole, str) else whole)


def _files(wish: Wish, script: Script) -> dict[Path, str | bytes | Path]:
    title = wish.title or wish.name.replace("-", " ").capitalize()
    usual = _FILES.get(wish.language, f"{wish.name}.asm")
    file = wish.file or (wish.solution.name if wish.solution else usual)
    solution = _bytes(wish.solution) if wish.solution else None
    form = max(1, wish.points // 5)  # a silent program has no slip of form: more would be too much for it
    own = f"{_SOLUTION}/{file}"
    by_key, by_line = "the program prints the keys itself", "the terminal shows each line, and its Enter"
    right = f"says what is right; or your own solution, such as {own}"
    words = {
        "name": wish.name,
        "title": title,
        "file": file,
        "language": wish.language,
        "limits": _MACHINE_LIMITS if wish.language in TRAITS else _CAGE_LIMITS,
        "reference": quoted(own) if solution is not None else "reference.py",
        "what": "prints what is right" if solution is not None else right,
        "echo": wish.echo,
        "shown": by_key if wish.echo == "program" else by_line,
        "form": str(form),
        "works": str(wish.points - form),
        "transcript": indent(write_script(script, wish.rules), " " * 6),
        "sample": indent("".join(turn.text({}) + (turn.typed or "") for turn in script.turns), " " * 4),
    }
    in_yaml = {**words, "title": quoted(title), "file": quoted(file)}
    spec, text = (Template((_HERE / name).read_text(encoding="utf-8")) for name in _FORMS)
    files: dict[Path, str | bytes | Path] = {
        Path(f"{wish.name}.yaml"): spec.substitute(in_yaml),
        Path("TEXT.md"): text.substitute(words),
        FIXTURE / "submission" / file: sample_program(wish.language, file, script) if solution is None else solution,
        FIXTURE / "expected.yaml": f"score: {wish.points}\ncriteria: {{}}\ncases: {{}}\n",
    }
    if solution is not None:
        return files | {Path(own): solution}
    request = "Line" if wish.echo == "terminal" else "Keys"
    return files | {Path("reference.py"): sample_program("reference", file, script, title=title, request=request)}


def sample_program(form: str, file: str, script: Script, **words: str) -> str:
    """A program called ``file`` that says the sample run, whatever is typed; ``form`` is its language, or the reference."""
    from jinja2 import Environment, FileSystemLoader

    loader = FileSystemLoader(_HERE / "samples")
    # Sources are no HTML; a text in them is written by `in_source`.
    environment = Environment(loader=loader, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)  # noqa: S701
    environment.filters["quoted"] = in_source
    return environment.get_template(form).render(turns=script.turns, name=file, stem=Path(file).stem, **words)


def in_source(text: str) -> str:
    """The text between double quotes, as all these languages write it."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
    return '"' + "".join(escapes.get(char, char) for char in text) + '"'


# ------------------------------------------------------------------------------------------- a spec like another one

_REFERENCE = "reference"


def copy_spec(model: Assignment, name: str, where: Path) -> Path:
    """Copy a spec under a new name into a folder of that name; the new spec's path.

    Its reference comes to lie in the folder ``reference``, every other file where it lay beside the spec. Raises UsageError where the name
    cannot be used, or the folder is there.
    """
    folder = folder_for(name, where)
    spec = folder / f"{name}.yaml"
    named: dict[Path, str | bytes | Path] = {target: source for source, target in _named(model)}
    write_folder({**named, Path(spec.name): _renamed(model, name)}, folder)
    load_assignment(spec)
    return spec


LABS: Mapping[str, tuple[str, ...]] = {
    "routines": ("lc3-routines", "mips-routines"),
    "io": ("c-wordcount", "lc3-lines", "python-numbers"),
    "tests": ("python-pytest", "java-junit", "c-functions"),
    "game": ("tic-tac-toe",),
}
"""The worked labs of each kind that a new spec may begin as, the usual one first."""


def lab_of(kind: str, language: Language | None) -> Path:
    """The spec of a worked lab of a kind, for a language where one is named. Raises UsageError where no lab fits."""
    specs = {spec.stem: spec for spec in examples()}
    known = {name: load_assignment(specs[name]).spec.program.language for name in LABS[kind] if name in specs}
    name_of_lab = next((name for name, languages in known.items() if language is None or language in languages), None)
    if name_of_lab is None:
        hint = f"there are labs in {', '.join(dict.fromkeys(one for languages in known.values() for one in languages))}"
        raise UsageError(f"there is no lab of the kind `{kind}` in {language}", hint=hint)
    return specs[name_of_lab]


def copy_lab(lab: Path, name: str, where: Path) -> Path:
    """Copy a worked lab under a new name, with its text, its fixtures and all other files; the new spec's path.

    Raises UsageError where the name cannot be used, or the folder is there.
    """
    folder = folder_for(name, where)
    files: dict[Path, str | bytes | Path] = {}
    for path in sorted(path for path in lab.parent.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        own = path.parent == lab.parent and path.name.split(".")[0] == lab.stem
        place = path.name.replace(lab.stem, name, 1) if own else path.relative_to(lab.parent)
        files[Path(place)] = path
    spec = folder / f"{name}.yaml"
    write_folder({**files, Path(spec.name): _renamed(load_assignment(lab), name, moved=False)}, folder)
    return spec


def _named(model: Assignment) -> Iterator[tuple[Path, Path]]:
    """The files that a spec names, each with its place in the new folder. A secret is not copied: each course has its own."""
    beside, reference = model.path.parent.resolve(), model.reference
    secret = (beside / model.spec.secret).resolve() if model.spec.secret is not None else None
    own = {path.resolve() for path in sources_of(reference)} if reference is not None else set()
    for path in named_files(model):
        if path.resolve() in own and reference is not None:
            yield path, Path(_REFERENCE) / path.resolve().relative_to(reference.resolve().parent)
        elif path.resolve() != secret:
            yield path, path.resolve().relative_to(beside)


def _renamed(model: Assignment, name: str, *, moved: bool = True) -> str:
    """The text of the spec with its new name, and with the reference where it now lies if that was ``moved``."""
    text = model.path.read_text(encoding="utf-8-sig")
    text = re.sub(r"^assignment:[ \t]*\S+", f"assignment: {name}", text, count=1, flags=re.MULTILINE)
    if model.reference is None or not moved:
        return text
    new = quoted(f"{_REFERENCE}/{model.reference.name}")
    return re.sub(r"^reference:[ \t]*[^\s#]+", lambda _: f"reference: {new}", text, count=1, flags=re.MULTILINE)
