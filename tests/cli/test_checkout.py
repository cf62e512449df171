"""A checkout that is graded where it lies: the course's files in it are not the student's."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from grader.build.chosen import choose
from grader.bundled import bundled_specs, spec_path
from grader.cli.submissions import read_for
from grader.intake.course import CourseFiles
from grader.intake.plan import plan
from grader.intake.source import read_submission
from grader.kit.folder import write_kit
from grader.results import Verdict
from grader.spec.loader import Assignment, load_assignment
from tests.commands import run_text as grader
from tests.grading.small import PROGRAM, SPEC, assignment

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.fixture(scope="module", params=bundled_specs())
def kit(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The spec in a kit of a bundled assignment, with its reference."""
    folder = tmp_path_factory.mktemp("kits") / "kit"
    return write_kit(load_assignment(spec_path(request.param)), folder, with_reference=True).spec


@pytest.fixture(params=[".grader/kit", ".grader", "kit", "course/kit"])
def beside(request: pytest.FixtureRequest, kit: Path, tmp_path: Path) -> Path:
    """The spec of a kit within a checkout that holds nothing else."""
    folder = tmp_path / "checkout" / request.param
    shutil.copytree(kit.parent, folder)
    (tmp_path / "checkout/.github/workflows").mkdir(parents=True)
    (tmp_path / "checkout/.github/workflows/check.py").write_text("print('a step of the workflow')\n")
    return folder / kit.name


def test_a_program_is_graded_and_not_the_kit_beside_it(beside: Path, tmp_path: Path) -> None:
    """What is chosen of a right program is what is chosen where no kit is there; without one a program is missing."""
    checkout, made = tmp_path / "checkout", load_assignment(beside)
    assert choose(made.spec.program, read_for(made, checkout)).verdict is Verdict.MISSING_FILE
    right = max((FIXTURES / made.id / "accepted").glob("*/submission"))
    alone = read_for(made, right)
    shutil.copytree(right, checkout, dirs_exist_ok=True)
    assert read_for(made, checkout).files == alone.files
    assert choose(made.spec.program, read_for(made, checkout)) == choose(made.spec.program, alone)


def test_a_right_program_in_ci_gets_all_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And without a program every point is lost: the reference of the kit is nobody's answer."""
    monkeypatch.chdir(tmp_path)
    write_kit(load_assignment(spec_path("pile-nim")), Path(".grader/kit"), with_reference=True)
    none = grader("grade", ".grader/kit/pile-nim.yaml", ".")
    assert (none.returncode, "there is no program" in none.stdout) == (1, True)
    shutil.copytree(FIXTURES / "pile-nim/accepted/python-no-functions/submission", ".", dirs_exist_ok=True)
    done = grader("grade", ".grader/kit/pile-nim.yaml", ".")
    assert done.returncode == 0, done.stdout
    assert "100 of 100 points" in done.stdout


def with_model(folder: Path) -> Assignment:
    """A small spec in a folder, with a program as its reference in another."""
    (folder / "model").mkdir()
    (folder / "model/p.asm").write_text(PROGRAM)
    made = assignment(folder, SPEC.replace("reference.py", "model/p.asm"))
    (folder / "reference.py").unlink()
    return made


def test_a_spec_beside_the_program_hides_its_own_files_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``grader grade ./lab.yaml .``: the spec and the reference that it names are left out, all else is the student's."""
    made = with_model(tmp_path)
    (tmp_path / "p.asm").write_text(PROGRAM)
    (tmp_path / "notes.yaml").write_text("mine: true\n")
    monkeypatch.chdir(tmp_path)
    assert [file.path for file in read_for(made, Path()).files] == ["notes.yaml", "p.asm"]
    assert [file.path for file in read_for(made, Path("model")).files] == ["p.asm"]  # whoever names it means it


def test_a_class_beside_its_spec_is_the_submissions_alone(tmp_path: Path) -> None:
    """Neither the reference, nor a kit, nor a hidden folder is somebody's submission; all of it is where git tells clones."""
    made = with_model(tmp_path)
    write_kit(load_assignment(spec_path("lc3-nim")), tmp_path / "lc3-nim-kit", with_reference=False)
    for name in ("lab04-ada", "lab04-bob", ".lab04-tools"):
        (tmp_path / name / ".github").mkdir(parents=True)
        (tmp_path / name / "p.asm").write_text(PROGRAM)
    found = plan([tmp_path], course=CourseFiles.of(made))
    assert [(entry.handed_in_as, entry.origin.system) for entry in found.entries] == [
        ("lab04-ada", "GitHub"),
        ("lab04-bob", "GitHub"),
    ]


@pytest.mark.parametrize("zipped", [False, True])
def test_what_a_student_puts_into_the_folder_of_a_kit_is_handed_in(tmp_path: Path, *, zipped: bool) -> None:
    """The kit says which files it wrote: all others are the student's, in a folder and in an archive around it."""
    folder = tmp_path / "PB07210340"
    write_kit(load_assignment(spec_path("pile-nim")), folder / "pile-nim-kit", with_reference=True)
    (folder / "pile-nim-kit/nim.py").write_text("print('mine')\n")
    path = folder
    if zipped:
        path = tmp_path / "PB07210340.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for file in folder.rglob("*"):
                archive.write(file, file.relative_to(tmp_path))
    assert [file.name for file in read_submission(path).files] == ["nim.py"]


def test_a_kit_of_an_older_version_is_left_out_whole(tmp_path: Path) -> None:
    """It does not list its files; a ``kit.json`` that no kit wrote is a student's file."""
    for name, mark in (("old", {"kit": "pile-nim", "grader": "0.1.0"}), ("own", {"drums": 5})):
        (tmp_path / name).mkdir()
        (tmp_path / name / "kit.json").write_text(json.dumps(mark))
        (tmp_path / name / "pile.py").write_text("print()\n")
    assert [file.path for file in read_submission(tmp_path).files] == ["own/kit.json", "own/pile.py"]
