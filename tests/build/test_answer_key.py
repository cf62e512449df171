"""The answer key of an assignment, and the places where it is looked for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from grader.build.answer_key import answer_key
from grader.spec.loader import load_assignment

SPEC = """
assignment: hello
title: Says hello
program: {language: c, sources: ['*.c']}
reference: ../keys/reference.py
rubric: [{id: talk, title: Says hello, points: 1}]
cases: [{id: talk, title: Says hello, criterion: talk, dialogue: [{expect: Hello}, {ends: true}]}]
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A spec and, in another folder, its reference."""
    for path, text in (
        ("specs/hello.yaml", SPEC),
        ("keys/reference.py", "import yaml, own_rules\nfrom json import dumps\n"),
    ):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


def key(course: Path) -> set[Path]:
    """The answer key of the spec there."""
    return {path.resolve() for path in answer_key(load_assignment(course / "specs" / "hello.yaml"))}


def test_the_folders_of_spec_and_reference_belong_to_it(course: Path) -> None:
    """With all that lies in them, and with the folders that links lead to."""
    assert {course / "specs", course / "keys"} <= key(course)
    elsewhere = course / "elsewhere"
    elsewhere.mkdir()
    for name in ("specs/hello.yaml", "keys/reference.py"):
        moved = (course / name).rename(elsewhere / Path(name).name)
        (course / name).symlink_to(moved)
    assert {course / "specs", course / "keys", elsewhere} <= key(course)


def test_the_modules_that_the_reference_imports_belong_to_it(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that these import, alone or as a package; not Python's own, nor what everybody finds on an index."""
    own, path = course / "elsewhere" / "own_rules", course / "elsewhere"
    own.mkdir(parents=True)
    (own / "__init__.py").touch()
    (own / "moves.py").write_text("import own_board\nimport click\nfrom . import moves\n", encoding="utf-8")
    (path / "own_board.py").write_text("import os, nowhere_at_all\nfrom own_rules.moves import os\n", encoding="utf-8")
    monkeypatch.syspath_prepend(path)
    beside = {course / "specs", course / "specs" / "hello.yaml", course / "keys", course / "keys" / "reference.py"}
    assert key(course) == {*beside, own, path / "own_board.py"}
    assert "own_board" not in sys.modules


def test_what_python_compiled_elsewhere_belongs_to_it(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If compiled modules are kept in a folder of their own, the reference lies there a second time."""
    monkeypatch.setattr(sys, "pycache_prefix", str(course / "compiled"))
    assert course / "compiled" in key(course)


def test_a_package_belongs_to_it_with_what_its_modules_import(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reference may be a folder: all of it, and what any file of it imports."""
    package, own = course / "keys" / "hello", course / "elsewhere"
    for path, text in (
        (package / "__init__.py", "from .rules import play"),
        (package / "rules.py", "import own_rules"),
    ):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    own.mkdir()
    (own / "own_rules.py").touch()
    monkeypatch.syspath_prepend(own)
    spec = course / "specs" / "hello.yaml"
    spec.write_text(SPEC.replace("keys/reference.py", "keys/hello"), encoding="utf-8")
    assert {package, own / "own_rules.py"} <= key(course)
