"""The price lists: what each fixture of a spec loses, the dearest first."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from grader.bundled import bundled_specs, spec_path, specs_folder
from grader.errors import UsageError
from grader.lint.prices import Price, fixtures_of, prices, table
from grader.spec.loader import load_assignment

NIM = load_assignment(spec_path("lc3-nim")).spec
HEAD = """\
# What each mistake costs

This page has a list for each bundled spec and each worked example: its fixtures, programs with one defect each, and the points that
they lose, the highest loss first. `grader lint --prices SPEC` prints the list of any spec that has fixtures, and `make accept`
rewrites this page. *Open* points wait for a person.
"""


def declare(folder: Path, name: str, grade: str) -> None:
    """Add a fixture with a declared grade."""
    path = folder / name / "expected.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(grade, encoding="utf-8")


def test_the_page_is_fresh(golden: Callable[[str, str], None]) -> None:
    """docs/prices.md lists the fixtures of every bundled spec and worked example, by their declared grades."""
    pages = [HEAD]
    for path in (*map(spec_path, bundled_specs()), *sorted(specs_folder().glob("examples/*/*.yaml"))):
        spec = load_assignment(path).spec
        pages.append(f"## {path.stem}\n\n{table(spec, prices(spec, fixtures_of(path, spec)))}")
    golden("../../docs/prices.md", "\n".join(pages))


def test_a_price_is_what_is_missing_to_the_automatic_points(tmp_path):
    """Points that wait for a person are open and not lost; the dearest stands first."""
    declare(tmp_path, "form/a-slip", "score: 89.5\ncriteria: {format: 7.5}\ncases: {board: form}\n")
    declare(tmp_path, "needs-review/own-words", "score: 63\ncriteria: {moves: null}\ncases: {board: needs-review}\n")
    declare(tmp_path, "wrong-answer/zero-is-taken", "score: 61\ncriteria: {invalid: 0}\ncases: {zero: wrong-answer}\n")
    assert prices(NIM, tmp_path) == (
        Price("zero is taken", "wrong-answer", Fraction(29), Fraction(0), {"invalid": Fraction(29)}),
        Price("a slip", "form", Fraction(1, 2), Fraction(0), {"format": Fraction(1, 2)}),
        Price("own words", "needs-review", Fraction(0), Fraction(27), {"moves": None}),
    )
    lines = table(NIM, prices(NIM, tmp_path)).splitlines()
    assert lines[0] == "90 points are judged automatically:"
    assert lines[2:] == [
        "| lost | open | program       | verdict      | where |",
        "|-----:|-----:|---------------|--------------|---|",
        "|   29 |      | zero is taken | wrong-answer | invalid −29 |",
        "|  0.5 |      | a slip        | form         | format −0.5 |",
        "|    0 |   27 | own words     | needs-review | moves open |",
    ]


@pytest.mark.parametrize(
    ("grade", "message"),
    [
        ("", "declares no grade"),
        ("[1]", "declares no grade"),
        ("score: many\ncriteria: {}", "declares no grade"),
        ("score: 1\ncriteria: 5", "declares no grade"),
        ("score: 1\ncriteria: {moon: 5}", "no criterion `moon`"),
    ],
)
def test_what_declares_no_grade_is_named_with_its_file(tmp_path, grade, message):
    """It is wrong usage, not a traceback."""
    declare(tmp_path, "form/a-slip", grade)
    with pytest.raises(UsageError, match=message) as raised:
        prices(NIM, tmp_path)
    assert raised.value.place.endswith("a-slip/expected.yaml")


def test_a_folder_without_fixtures_is_wrong_usage(tmp_path):
    """Both where a spec has none, and where the given folder holds none."""
    with pytest.raises(UsageError, match="no fixtures are here"):
        prices(NIM, tmp_path)
    with pytest.raises(UsageError, match="`lc3-nim` has no fixtures"):
        fixtures_of(tmp_path / "specs" / "nim.yaml", NIM)
