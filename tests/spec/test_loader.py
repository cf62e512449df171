"""A spec from its file: an Assignment, or every problem at once."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from grader.bundled import spec_path
from grader.errors import SpecError, UsageError
from grader.source import Diagnostic, Severity
from grader.spec.loader import LARGEST, MOST_PROBLEMS, load_assignment, read_assignment
from grader.spec.model import SlipKind

SpecFile = Callable[[str], Path]
Diagnose = Callable[[str], tuple[Diagnostic, ...]]


def test_a_right_spec_becomes_an_assignment(spec_file: SpecFile, small: str) -> None:
    """The model is filled, the reference is found beside the spec, and the digests are those of the files."""
    path = spec_file(small)
    found = load_assignment(path)
    assert (found.id, found.title, found.path) == ("small", "Small", path)
    assert found.spec.text.slips[SlipKind.CASE].price == Fraction(1)
    assert found.spec.max_points == 10
    assert found.reference == path.parent / "reference.py"
    assert found.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert read_assignment(path).diagnostics == ()


def test_the_bundled_spec_is_right() -> None:
    """Nothing is to be said against lc3-nim."""
    reading = read_assignment(spec_path("lc3-nim"))
    assert reading.diagnostics == ()
    assert reading.assignment is not None


def test_the_fingerprint_covers_the_reference(spec_file: SpecFile, small: str) -> None:
    """Another reference is another fingerprint, though the spec's digest stays."""
    path = spec_file(small)
    before = load_assignment(path)
    assert load_assignment(path) == before
    (path.parent / "reference.py").write_text("def play():\n    yield 'Bye'\n", encoding="utf-8")
    after = load_assignment(path)
    assert after.sha256 == before.sha256
    assert after.fingerprint != before.fingerprint


def test_an_assignment_travels_to_other_processes(spec_file: SpecFile, small: str) -> None:
    """Pickled and read again it is equal."""
    found = load_assignment(spec_file(small))
    assert pickle.loads(pickle.dumps(found)) == found


def test_a_byte_order_mark_is_forgiven(spec_file: SpecFile, small: str) -> None:
    """Windows editors write one; columns count from after it."""
    assert load_assignment(spec_file("\ufeff" + small)).id == "small"


@pytest.mark.parametrize("ends", ["\r\n", "\n"])
def test_line_ends_do_not_matter(spec_file: SpecFile, small: str, ends: str) -> None:
    """A spec written on Windows says the same."""
    assert load_assignment(spec_file(small.replace("\n", ends))).spec.case("text").transcript == (
        "Hello «gap»you ‹B2›\n\n  and bye«end»\n"
    )


def test_every_problem_is_told_at_once(spec_file: SpecFile, golden: Callable[[str, str], None]) -> None:
    """Wrong YAML, wrong types and broken rules of one file come in one error, in the order of the file."""
    broken = (Path(__file__).parent / "broken.yaml").read_text(encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        load_assignment(spec_file(broken))
    told = str(caught.value)
    places = [(d.span.line, d.span.column) for d in caught.value.diagnostics if d.span]
    assert places == sorted(places)
    golden("spec/problems.txt", told.replace(str(spec_file(broken).parent) + "/", "") + "\n")


def test_a_warning_stops_nothing(spec_file: SpecFile, small: str) -> None:
    """A spec with warnings alone loads; lint shows them."""
    path = spec_file(
        small.replace("facts: [{name: greeting, pattern: 'hello (?P<whom>\\w+)', lengths: [whom]}]", "facts: []")
    )
    reading = read_assignment(path)
    assert [(d.code, d.severity) for d in reading.diagnostics] == [("idle-slip", Severity.WARNING)]
    assert load_assignment(path) == reading.assignment


def test_a_flood_of_problems_is_counted(diagnose: Diagnose) -> None:
    """As many problems as the limit are all told; beyond, their number."""
    at_limit = diagnose("\n".join(f"k{n}: 1" for n in range(MOST_PROBLEMS - 5)))
    assert len(at_limit) == MOST_PROBLEMS
    assert at_limit[-1].code == "unknown-key"
    more = diagnose("\n".join(f"k{n}: 1" for n in range(MOST_PROBLEMS + 15)))
    assert len(more) == MOST_PROBLEMS + 1
    assert more[-1].message == "and 20 more problems"


@pytest.mark.parametrize(
    ("data", "code", "message"),
    [
        (b"", "empty", "the spec is empty"),
        (b"\x7fELF\x02\x01\x01\0\0\0", "unprintable", "U+007F"),
        (b"a: \xff\xfe\n", "encoding", "not UTF-8"),
        ("assignment: 尼姆".encode("gb18030"), "encoding", "not UTF-8"),
        (b"a: 1\x00\n", "unprintable", "U+0000"),
        ("a: 1\n".encode("utf-16"), "encoding", "not UTF-8"),
        (b"#" * (LARGEST + 1), "too-long", "at most 1 MiB"),
        (b"#" * LARGEST, "empty", "the spec is empty"),
        (b"[" * 200_000, "too-deep", "nested"),
        (b"just a text", "type", "a spec must be a mapping"),
        (b"[1, 2]", "type", "a spec must be a mapping"),
    ],
)
def test_what_is_no_spec_is_told_so(tmp_path: Path, data: bytes, code: str, message: str) -> None:
    """Whatever the bytes are, the first problem says what they are not."""
    path = tmp_path / "odd.yaml"
    path.write_bytes(data)
    with pytest.raises(SpecError, match=message.replace("+", r"\+")) as caught:
        load_assignment(path)
    assert caught.value.diagnostics[0].code == code


def test_bytes_that_are_not_utf_8_have_a_place(tmp_path: Path) -> None:
    """The first byte that cannot be decoded is pointed at."""
    path = tmp_path / "odd.yaml"
    path.write_bytes("a: 1\r\nb: ä".encode() + b"\xe9\n")
    with pytest.raises(SpecError, match=r"odd\.yaml:2:5: "):
        load_assignment(path)


def test_a_file_that_cannot_be_read_is_wrong_usage(tmp_path: Path, spec_file: SpecFile, small: str) -> None:
    """No file, a folder, and a name that no system has are no problems of a spec."""
    for path in (tmp_path / "missing.yaml", tmp_path, Path("a\0b")):
        with pytest.raises(UsageError, match="cannot be read"):
            load_assignment(path)


def test_values_that_are_wrong_do_not_hide_the_rules(diagnose: Diagnose, small: str) -> None:
    """A wrong type in one case and a broken rule in another are both told, and neither twice."""
    text = small.replace("title: Plain", "title: [Plain]").replace("requires: [text]", "requires: [texts]")
    assert [d.code for d in diagnose(text)] == ["type", "unknown-case"]


def test_names_of_wrong_parts_are_known(diagnose: Diagnose, small: str) -> None:
    """A criterion or case with a wrong value still exists for those that name it."""
    text = small.replace("{id: works, points: 3,", "{id: works, points: many,").replace("play: B2}", "play: [1]}")
    assert [d.code for d in diagnose(text)] == ["value", "value"]


def test_what_was_refused_is_complained_about_once(diagnose: Diagnose, small: str) -> None:
    """A key without a value is not a wrong type as well."""
    assert [d.code for d in diagnose(small.replace("title: Small", "title:"))] == ["no-value"]
