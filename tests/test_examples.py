"""Every worked example lints clean, is short, and grades its fixtures as they declare."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from grader.bundled import specs_folder
from grader.grading import Grading
from grader.intake.source import read_submission
from grader.spec.loader import load_assignment
from tests.declared import is_as_declared

EXAMPLES = sorted(path for path in (specs_folder() / "examples").iterdir() if path.is_dir())
FIXTURES = [fixture for example in EXAMPLES for fixture in sorted(example.glob("fixtures/*/*/"))]
LONGEST = 60
"""Lines of YAML in which a lab can be stated."""


def spec_of(example: Path) -> Path:
    """The spec of an example."""
    return example / f"{example.name}.yaml"


@pytest.mark.share(2)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_lints_clean_within_sixty_lines(example, grader):
    """Its spec has no problem, fewer than sixty lines, and a text and a correct program beside it."""
    lines = spec_of(example).read_text(encoding="utf-8").splitlines()
    assert len(lines) < LONGEST
    code, *said = grader("lint", spec_of(example))
    assert code == 0, said
    assert (example / "TEXT.md").is_file()
    assert [*example.glob("fixtures/accepted/*/")]
    assert len([*example.glob("fixtures/*/")]) >= 3


GALLERY = """\
# Ten worked labs

Small labs of all kinds, in `specs/examples`: a text for students, a spec of less than sixty lines, and right and wrong programs with the grade that each gets.
The tests grade all of them. `grader specs` lists them, and `grader new NAME --kind routines`, `io`, `tests` or `game`
copies one, to be changed ([all kinds](writing-a-spec.md)). These are their first ten lines.
"""


def test_the_gallery_shows_how_each_example_begins(golden):
    """docs/gallery.md has what the README of the examples says of each, its fixtures, and its first ten lines."""
    readme = (specs_folder() / "examples" / "README.md").read_text(encoding="utf-8")
    said = dict(re.findall(r"(?m)^\| `([a-z0-9-]+)` \| (.+) \|$", readme))
    assert sorted(said) == [example.name for example in EXAMPLES]
    parts = [GALLERY]
    for name, what in said.items():  # in the order of the README
        example = next(one for one in EXAMPLES if one.name == name)
        right, all_of_it = (len([*example.glob(f"fixtures/{verdict}/*/")]) for verdict in ("accepted", "*"))
        begins = "".join(
            f"    {line}".rstrip() + "\n" for line in spec_of(example).read_text(encoding="utf-8").splitlines()[:10]
        )
        linked = what.replace("`docs/tutorial-game.md`", "[a tutorial](tutorial-game.md)")
        files = f"[`{name}`](../specs/examples/{name}): {right} right programs and {all_of_it - right} others."
        parts.append(f"## {name}\n\n{linked[0].upper()}{linked[1:]}. {files}\n\n{begins}")
    golden("../../docs/gallery.md", "\n".join(parts))


@pytest.fixture(scope="module")
def gradings() -> Iterator[Callable[[Path], Grading]]:
    """A grading for the spec of an example; one for all its fixtures, since some start a compiler that serves many."""
    with ExitStack() as stack:
        yield cache(lambda example: stack.enter_context(Grading(load_assignment(spec_of(example)))))


def graded(fixture: Path) -> object:
    """A fixture as a parameter: a whole run grades one of four of those that start a process for a second, or some hundred processes.

    Right programs are in each run. Those of tic-tac-toe need not be: `test_tictactoe` reads cells by all their labels, `test_opening`
    gives names, and a right program that asks whether one is sure is played by `test_corrections`.
    """
    name = "/".join((fixture.parents[2].name, *fixture.parts[-2:]))
    right = fixture.parent.name == "accepted"
    starts = name.startswith("tic-tac-toe") or (
        name.startswith(("java-junit", "python-pytest", "python-numbers")) and not right
    )
    return pytest.param(fixture, id=name, marks=pytest.mark.share(4) if starts else ())


@pytest.mark.parametrize("fixture", [graded(one) for one in FIXTURES])
def test_a_fixture_of_an_example_gets_the_grade_that_it_declares(fixture, gradings):
    """Score, criteria and verdicts are those of expected.yaml; of a right program there is nothing to look at."""
    grade = gradings(fixture.parents[2]).grade(read_submission(fixture / "submission"))
    is_as_declared(grade, fixture)
    assert fixture.parent.name != "accepted" or grade.review == ()
