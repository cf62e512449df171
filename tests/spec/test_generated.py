"""Pages that are generated from the model: the JSON schema and the reference page."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from grader.bundled import bundled_specs, spec_path
from grader.source import Diagnostic, SourceFile
from grader.spec.document import read_document
from grader.spec.fields import describe, parts_below, schema_text, spec_schema, typed_keys
from grader.spec.kinds import KINDS
from grader.spec.model import Spec
from tests.spec.reference_page import anchor, page_text, title

SPECS = [spec_path(name) for name in bundled_specs()]


def data_of(text: str) -> object:
    """The data of a spec without problems."""
    document = read_document(SourceFile("s", text))
    assert document.problems == ()
    return document.data


def test_the_schema_of_the_repository_is_fresh(golden: Callable[[str, str], None]) -> None:
    """specs/schema.json is what ``grader schema`` prints."""
    golden("../../specs/schema.json", schema_text())


def test_the_reference_page_is_fresh(golden: Callable[[str, str], None]) -> None:
    """docs/spec-reference.md is what the model says."""
    golden("../../docs/spec-reference.md", page_text())


def test_the_schema_is_one() -> None:
    """It is valid under its own dialect, and survives JSON."""
    schema = json.loads(schema_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema == spec_schema()


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_bundled_specs_are_valid_under_the_schema(path: Path) -> None:
    """An editor has nothing to say against what the loader takes."""
    jsonschema.Draft202012Validator(spec_schema()).validate(data_of(path.read_text(encoding="utf-8")))


def test_the_small_spec_is_valid_under_the_schema(small: str) -> None:
    """It has every kind of case but two, both forms of a price, and every kind of criterion but one."""
    jsonschema.Draft202012Validator(spec_schema()).validate(data_of(small))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("title: Small\n", "titel: Small\n"),
        ("title: Small\n", "title: 5\n"),
        ("points: 3", "points: -3"),
        ("points: 3", "points: three"),
        ("case: 1,", "case: half,"),
        ("case: 1,", "caze: 1,"),
        ("games: 2", "games: 0"),
        ("play: B2}", "play: B2, manual: Why}"),
        ("criterion: works, play: B2}", "criterion: works}"),
        ("language: lc3", "language: lc4"),
    ],
)
def test_an_editor_sees_what_is_wrong(
    before: str, after: str, small: str, diagnose: Callable[[str], tuple[Diagnostic, ...]]
) -> None:
    """Schema and loader both refuse a mistake within one mapping."""
    text = small.replace(before, after, 1)
    assert text != small
    assert not jsonschema.Draft202012Validator(spec_schema()).is_valid(data_of(text))
    assert diagnose(text) != ()


def test_every_key_is_described() -> None:
    """A key without a description cannot be understood from the reference page."""
    silent = [
        f"{part.path}.{key}"
        for part in parts_below(Spec)
        for key in typed_keys(part.model)
        if not describe(part.model, key)
    ]
    assert silent == []


def test_every_part_has_a_section() -> None:
    """The page has a heading for each mapping that a spec can hold, and links only to headings."""
    page = page_text()
    parts = parts_below(Spec)
    assert {part.path for part in parts} >= {
        "",
        "text.facts[]",
        "text.slips.*",
        *(f"cases[].{k}" for k in ("machine", "files")),
    }
    for part in parts:
        assert f"\n## {title(part.path)}\n" in page
        assert not part.path or f"](#{anchor(part.path)})" in page
    assert all(f"`{kind}`" in page for kind in KINDS)
