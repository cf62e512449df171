"""Finding the specs that come with the package."""

import re
from pathlib import Path

import pytest

from grader import bundled
from grader.bundled import bundled_specs, spec_path
from grader.errors import SpecError, UsageError
from grader.spec.loader import load_assignment


@pytest.fixture
def specs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of two bundled specs, in the place of a checkout's."""
    folder = tmp_path / "checkout" / "specs"
    folder.mkdir(parents=True)
    for name in ("lc3-nim.yaml", "c-nim.yaml", "schema.json"):
        (folder / name).touch()
    monkeypatch.setattr(bundled, "_HERE", tmp_path / "package")
    monkeypatch.setattr(bundled, "_CHECKOUT", folder.parent)
    return folder


def test_names_are_those_of_the_yaml_files(specs: Path) -> None:
    """Only YAML files are specs, and their names come sorted."""
    assert bundled.bundled_specs() == ("c-nim", "lc3-nim")


def test_a_bundled_name_is_a_file_of_the_checkout(specs: Path) -> None:
    """In a checkout a name means a file of the top-level specs folder."""
    assert bundled.spec_path("lc3-nim") == specs / "lc3-nim.yaml"


def test_the_name_of_an_example_is_its_file(specs: Path) -> None:
    """A worked example, which lies in a folder of its own, is named like a bundled spec."""
    example = specs / "examples" / "lab" / "lab.yaml"
    example.parent.mkdir(parents=True)
    example.touch()
    assert bundled.spec_path("lab") == example


def test_the_folder_of_a_wheel_comes_first(specs: Path, tmp_path: Path) -> None:
    """If the package carries specs of its own, a name means one of those."""
    shipped = tmp_path / "package" / "specs"
    shipped.mkdir(parents=True)
    (shipped / "java-nim.yaml").touch()
    assert bundled.bundled_specs() == ("java-nim",)
    assert bundled.spec_path("java-nim") == shipped / "java-nim.yaml"


def test_a_path_is_taken_as_it_is(specs: Path, tmp_path: Path) -> None:
    """The path of a file that exists is that file, whatever its name."""
    own = tmp_path / "mine.yaml"
    own.touch()
    assert bundled.spec_path(str(own)) == own


def test_a_bundled_name_wins_over_a_file_of_that_name(
    specs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bare name is the bundled spec even where the working directory has a file so called, and ./name is that file."""
    monkeypatch.chdir(tmp_path)
    Path("c-nim").touch()
    assert bundled.spec_path("c-nim") == specs / "c-nim.yaml"
    assert bundled.spec_path("./c-nim") == Path("c-nim")


@pytest.mark.parametrize("wrong", ["lc3nim", "LC3-nim", "lc3-nim.yml", "specs/lc3_nim.yaml"])
def test_a_near_miss_is_named(specs: Path, wrong: str) -> None:
    """A misspelt name is answered with the name that was meant and the list of all."""
    with pytest.raises(UsageError) as caught:
        bundled.spec_path(wrong)
    assert "did you mean lc3-nim?" in caught.value.hint
    assert "c-nim, lc3-nim" in caught.value.hint


def test_a_stranger_gets_the_list(specs: Path) -> None:
    """A name that is near none is answered with the list and no guess."""
    with pytest.raises(UsageError) as caught:
        bundled.spec_path("hangman")
    assert "did you mean" not in caught.value.hint
    assert "c-nim, lc3-nim" in caught.value.hint


def test_a_folder_is_no_spec(specs: Path) -> None:
    """A folder is refused with a message that says what a spec is."""
    with pytest.raises(UsageError, match="this is a folder"):
        bundled.spec_path(str(specs))


def test_an_installation_without_specs_says_so(specs: Path) -> None:
    """If no specs came along, the hint names the folder that should hold them."""
    for path in specs.iterdir():
        path.unlink()
    with pytest.raises(UsageError) as caught:
        bundled.spec_path("c-nim")
    assert str(specs) in caught.value.hint


@pytest.mark.parametrize("name", bundled_specs())
def test_every_case_has_a_hint(name):
    """A student who fails a case is told what to try."""
    cases = load_assignment(spec_path(name)).spec.cases
    assert [case.id for case in cases if not case.hint and case.manual is None] == []


@pytest.mark.parametrize("name", bundled_specs())
def test_a_copy_of_a_bundled_spec_works_where_it_lies(name: str, tmp_path: Path) -> None:
    """Its reference and its support files are found by their names, so that it grades as the bundled one does."""
    copy = tmp_path / "mine.yaml"
    copy.write_bytes(spec_path(name).read_bytes())
    mine, ours = load_assignment(copy), load_assignment(spec_path(name))
    assert (mine.fingerprint, mine.support) == (ours.fingerprint, ours.support)
    assert mine.reference is not None
    assert ours.reference is not None
    assert mine.reference.resolve() == ours.reference.resolve()


def test_a_reference_beside_the_copy_counts_before_the_bundled_one(tmp_path: Path) -> None:
    """A copied and changed reference is taken."""
    (tmp_path / "reference").mkdir()
    own = tmp_path / "reference/pile_nim.py"
    own.write_text("")
    assert bundled.reference_path(tmp_path / "specs", "../reference/pile_nim.py").name == "pile_nim.py"
    (tmp_path / "specs").mkdir()
    assert bundled.reference_path(tmp_path / "specs", "../reference/pile_nim.py").resolve() == own.resolve()


@pytest.mark.parametrize("name", ["../reference/nowhere.py", "..", "x" * 5000, "a\0b"])
def test_nothing_else_is_found_by_its_name(name: str, tmp_path: Path) -> None:
    """A name that no bundled reference has, or that no file can have, is looked for where the spec lies."""
    assert bundled.reference_path(tmp_path, name) == tmp_path / name


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("reference: nowhere\n", ["there is no file"]),
        (
            "",
            [
                "a `game` needs a reference that judges the moves, here and in ",
                "a `play` needs",
                "a `differential` needs",
            ],
        ),
    ],
)
def test_one_cause_is_told_once(line: str, said: list[str], tmp_path: Path) -> None:
    """Cases that lack the same reference are one problem, with the number of cases."""
    text = spec_path("lc3-nim").read_text("utf-8")
    copy = tmp_path / "mine.yaml"
    copy.write_text(re.sub("(?m)^reference:.*\n", line, text), "utf-8")
    with pytest.raises(SpecError) as refused:
        load_assignment(copy)
    problems = str(refused.value).splitlines()
    assert len(problems) == len(said)
    assert all(part in problem for part, problem in zip(said, problems, strict=True))
