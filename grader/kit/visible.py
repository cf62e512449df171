"""The part of a spec that a student may see, as a spec of its own.

It is made of the data of the spec, not of its text: a comment may tell what a hidden case tries.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any

import yaml

from grader.results import Visibility
from grader.source import SourceFile
from grader.spec.document import read_document
from grader.spec.model import Case, Criterion, Spec

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
    return called or any(getattr(case, key) is not None for case in cases for key in keys)


def needs_play(spec: Spec) -> bool:
    """Whether a visible case draws dialogues that the reference must play live, and so cannot be written out."""
    return any(case.differential is not None for case in visible_cases(spec))


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
        # Where hidden kinds have a price of their own, the points are those that can be lost here.
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


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    plain = _PLAIN.fullmatch(text) and text.casefold() not in _WORDS
    style = "|" if "\n" in text else None if plain else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)
