"""A kit for the command line: the visible spec, what it rests on, and a README for students."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path, PurePosixPath
from string import Template
from types import MappingProxyType
from typing import Any, cast

import yaml

from grader import __version__
from grader.errors import SpecError, UsageError, refusals
from grader.grading.scripts import Scripts, model_of
from grader.intake.course import MARK
from grader.kit.referee import silent_name, silent_reference
from grader.languages import language
from grader.results import Visibility
from grader.source import SourceFile
from grader.spec.contents import contents_of
from grader.spec.document import read_document
from grader.spec.loader import Assignment, load_assignment, read_assignment, sources_of
from grader.spec.model import Case, Criterion, Spec
from grader.spec.script_text import write_script
from grader.values import dataclass

REFERENCE = "reference"
SUPPORT = "support"
_README = "README{}.template.md"


@dataclass(frozen=True, slots=True)
class Kit:
    """The written kit: the place of the spec, the number of cases that it shows, and of those that it leaves out."""

    spec: Path
    shown: int
    left_out: int


def empty_folder(folder: Path) -> None:
    """Make a folder that is empty; one that holds an earlier kit is emptied. Raises UsageError where it holds anything else."""
    if folder.is_dir() and any(folder.iterdir()):
        if not (folder / MARK).is_file():
            message = "this folder holds something that is no kit"
            raise UsageError(message, place=str(folder), hint="name a new or empty folder")
        # Only a folder with the mark of a kit, so that `-o .` in the wrong place removes nothing.
        shutil.rmtree(folder)
    with refusals("cannot make the folder: {}", folder):
        folder.mkdir(parents=True, exist_ok=True)


def refuse(assignment: Assignment, *, with_reference: bool) -> None:
    """Raise UsageError where a kit would give the answer away, or would check nothing."""
    spec, reference = assignment.spec, assignment.reference
    if not visible_cases(spec):
        raise UsageError("every case of this spec is hidden, so a kit has nothing to check", place=str(assignment.path))
    rests = needs_play(spec) or (model_of(assignment) is not None and needs_reference(spec, written=True))
    if reference is not None and rests and _given_away(assignment) and not with_reference:
        message = "the visible cases rest on the reference, and a kit with it gives away a correct program"
        raise UsageError(message, place=str(reference), hint="--with-reference puts it into the kit anyway")


def _given_away(assignment: Assignment) -> bool:
    """Whether the reference is a correct program: a model program, or one in Python where the assignment is not about a machine."""
    return model_of(assignment) is not None or assignment.spec.program.simulated is None


def write_visible(assignment: Assignment, folder: Path, *, with_reference: bool = False) -> Kit:
    """Write the visible spec, the reference where it is needed, and the files of the course into a folder.

    What a reference that would give the answer away prints is written out, and of its sources the referee alone is given out. Raises UsageError where the visible cases alone make no spec.
    """
    spec = assignment.spec
    written = model_of(assignment) is not None or (_given_away(assignment) and not with_reference)
    reference = assignment.reference if needs_reference(spec, written=written) else None
    data = cast(Mapping[str, Any], read_assignment(assignment.path).document.data)  # no spec is anything else
    names = [f"{SUPPORT}/{file.path}" for file in assignment.support]
    inside = None if reference is None else f"{REFERENCE}/{silent_name(reference) if written else reference.name}"
    path = folder / f"{assignment.id}.yaml"
    transcripts = _transcripts(assignment) if written else {}
    path.write_bytes(as_yaml(visible_data(spec, data, inside, names, transcripts)).encode())
    files = {name: file.data for name, file in zip(names, assignment.support, strict=True)}
    for content in contents_of(spec.model_copy(update={"cases": visible_cases(spec)})):
        if content.path:
            files[content.path] = content.data
    files |= {there: assignment.tests[name].data for name, there in files_of_tests(data)}
    if reference is not None and written:
        files |= {f"{REFERENCE}/{name}": text.encode() for name, text in silent_reference(assignment).items()}
    elif reference is not None:  # its sources, and nothing that lies beside them
        beside = reference.parent
        files |= {f"{REFERENCE}/{one.relative_to(beside)}": one.read_bytes() for one in sources_of(reference)}
    for name, content_of in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content_of)
    try:
        load_assignment(path)
    except SpecError as error:
        message = f"the visible cases alone make no spec: {error.diagnostics[0].message}"
        raise UsageError(message, place=str(assignment.path)) from error
    return Kit(path, len(visible_cases(spec)), len(spec.cases) - len(visible_cases(spec)))


def _transcripts(assignment: Assignment) -> dict[str, dict[str, object]]:
    """The output of the reference in the visible cases that are inputs alone, and whether the program ends behind all of them."""
    if assignment.reference is None:
        return {}
    scripts = Scripts(assignment)
    transcripts: dict[str, dict[str, object]] = {}
    for case in visible_cases(assignment.spec):
        if case.play is not None or case.transcript is not None:
            script = scripts.dialogue(case)
            text = case.transcript or write_script(script, assignment.spec.text) + "\n"
            transcripts[case.id] = {"transcript": text, "ends": script.ends}
    return transcripts


def write_kit(assignment: Assignment, folder: Path, *, with_reference: bool) -> Kit:
    """Write a kit for the command line. Raises UsageError where it cannot be, or gives the answer away."""
    refuse(assignment, with_reference=with_reference)
    empty_folder(folder)
    kit = write_visible(assignment, folder, with_reference=with_reference)
    spoken = language(assignment.spec.language)
    code, source = assignment.spec.language, assignment.spec.program.sources[0]
    readme = Path(__file__).with_name(_README.format("" if code == "en" else f".{code}"))
    text = Template(readme.read_text(encoding="utf-8")).substitute(
        title=assignment.title,
        spec=kit.spec.name,
        program="my-folder" if "*" in source else source,
        version=__version__,
        cases=spoken.words("{number} case", "{number} cases", kit.shown),
        hidden=f"\n{spoken.word(_HIDDEN)}\n" if kit.left_out else "",
    )
    (folder / "README.md").write_text(text, encoding="utf-8", newline="\n")
    write_mark(folder, {"kit": assignment.id, "grader": __version__})
    return kit


def write_mark(folder: Path, about: Mapping[str, object]) -> None:
    """Write down that a folder is a kit, and which files it holds: a student's files in it are told from them."""
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    text = json.dumps({**about, "files": files}, ensure_ascii=False, indent=2) + "\n"
    (folder / MARK).write_text(text, encoding="utf-8")


_HIDDEN = (
    "Your course has further cases, which are not in this kit. A program that passes here can still lose points there."
)


# ------------------------------------------------------------------------------------------------------- the visible spec

# It is made of the data of the spec, not of its text: a comment may tell what a hidden case tries.

_BY_REFERENCE = ("play", "differential", "game")
_OF_STAFF = ("reference", "games", "late", "secret", "reveal")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z][A-Za-z0-9_.-]*)*")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})  # YAML readers take these for values


def visible_cases(spec: Spec) -> tuple[Case, ...]:
    """The cases that a student sees whole."""
    return tuple(case for case in spec.cases if case.visibility is Visibility.VISIBLE)


def needs_reference(spec: Spec, *, written: bool = False) -> bool:
    """Whether a visible case rests on the reference: it writes the text, unless that is ``written`` out, is the referee, or says what routines return."""
    keys = _BY_REFERENCE[1:] if written else _BY_REFERENCE
    cases = visible_cases(spec)
    called = any(case.call is not None and case.call.drawn for case in cases)
    called = called or any(output.checker for case in cases for output in case.printed)
    return called or any(getattr(case, key) is not None for case in cases for key in keys)


def needs_play(spec: Spec) -> bool:
    """Whether a visible case needs the reference at run time, for drawn dialogues or to check outputs. These cannot be written out."""
    cases = visible_cases(spec)
    return any(case.differential is not None or any(output.checker for output in case.printed) for case in cases)


def visible_data(
    spec: Spec,
    data: Mapping[str, Any],
    reference: str | None,
    support: Iterable[str],
    transcripts: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> dict[str, Any]:
    """The data of a spec with its visible cases only, and the criteria and games that these use.

    ``reference`` and ``support`` are the paths of these files in the kit. ``transcripts`` are the keys
    that are written into cases in place of `play`.
    """
    cases = visible_cases(spec)
    kept = {key: value for key, value in data.items() if key not in _OF_STAFF}
    if reference is not None:
        kept["reference"] = reference
    if spec.program.support:
        kept["program"] = {**data["program"], "support": list(support)}
    used = {case.game for case in cases}
    games = {name: games for name, games in data.get("games", {}).items() if name in used}
    if games:
        kept["games"] = games
    criteria = zip(spec.rubric, data["rubric"], strict=True)
    # a criterion means something to a student where a person decides it, a visible case does, or it pays for slips
    payers = {slip.criterion or spec.text.criterion for slip in spec.text.slips.values()}
    meant = {*payers, *(case.criterion for case in cases)}
    kept["rubric"] = [_criterion(one, text, cases) for one, text in criteria if one.manual or one.id in meant]
    kept["cases"] = []
    for written in _shown(data):
        case = dict(written)
        if files := case.get("tests", {}).get("files"):  # they are named as they lie in the kit
            case["tests"] = {**case["tests"], "files": [_inside(case["id"], name) for name in files]}
        if transcript := transcripts.get(case["id"]):  # it stands in place of `play`
            case = {key: value for key, value in case.items() if key not in ("play", *transcript)} | dict(transcript)
        kept["cases"].append(case)
    return {key: kept[key] for key in (*data, "reference") if key in kept}


def files_of_tests(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Each file of visible tests, by its path in the spec, with its place in a kit."""
    files = ((case["id"], name) for case in _shown(data) for name in case.get("tests", {}).get("files", ()))
    return [(name, _inside(case, name)) for case, name in files]


def _shown(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The visible cases as they are written: a case of unit tests is there once, whatever cases are made of it."""
    return [case for case in data["cases"] if case.get("visibility", "visible") == "visible"]


def _inside(case: str, name: str) -> str:
    return f"tests/{case}/{PurePosixPath(name).name}"


def _criterion(criterion: Criterion, written: Mapping[str, Any], cases: Iterable[Case]) -> dict[str, Any]:
    """A criterion without the kinds of defects that only hidden cases look for."""
    kept = dict(written)
    kinds = {case.defect for case in cases if case.criterion == criterion.id}
    for key in ("weights", "prices"):
        if key in kept:
            kept[key] = {kind: value for kind, value in kept[key].items() if kind in kinds}
    if criterion.prices:
        # If hidden kinds have a price of their own, the points are those that can be lost here.
        left = sum((criterion.prices[kind] for kind in kept["prices"]), Fraction(0))
        kept["points"] = str(min(criterion.points, left))
    return {key: value for key, value in kept.items() if value != {}}


def as_yaml(data: Mapping[str, Any]) -> str:
    """The data as YAML that the spec reader takes for the same; as JSON, which is YAML too, where PyYAML's would not be."""
    text = yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)
    # PyYAML folds long texts and writes some blanks in other ways than our reader takes them.
    if read_document(SourceFile("", text)).data == data:
        return text
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


class _Dumper(yaml.SafeDumper):
    """Texts in quotes or as blocks, so that no reader takes one for a number; no anchors, which specs do not have."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 -- PyYAML's signature
        """Write everything out."""
        return True


def _scalar(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    plain = _PLAIN.fullmatch(text) and text.casefold() not in _WORDS
    style = "|" if "\n" in text else None if plain else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _scalar)
