"""The files in ci/, as a course copies them: what they run gives a grade where a grader is installed as they install it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from grader.bundled import spec_path
from grader.kit.folder import write_kit
from grader.spec.loader import load_assignment
from tests.grading.small import PROGRAM, assignment

FIXTURES = Path(__file__).parents[1] / "fixtures/lc3-nim"
CI = Path(__file__).parents[1] / "ci"
ROOT = CI.parent
WRONG = PROGRAM.replace('"got "', '"had "')
RUNNER = {
    "CLASSROOM": "cs1-2026",
    "ASSIGNMENT": "small",
    "SUBMISSION_TAG": "submit/1",
    "COMMIT_URL": "https://example.org/commit",
    "RELEASE_URL": "https://example.org/release",
}


def command(path: Path, line: str) -> None:
    """A program that stands in for an installed one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)


def installed(folder: Path) -> None:
    """The packages that the files install: the grader, and pip, which has nothing to do."""
    command(folder / "bin/grader", f'PYTHONPATH={ROOT} exec {sys.executable} -m grader "$@"')
    command(folder / "bin/pip", f'test -f "$(eval echo \\${{$#}})" && echo "$@" > {folder}/asked')


def run(*words: str | Path, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A command in a student's checkout."""
    environment = {**os.environ, **variables}
    return subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(params=[PROGRAM, WRONG], ids=["right", "wrong"])
def checkout(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A student's repository with the course's folder in it."""
    folder = tmp_path / "checkout"
    (folder / ".grader").mkdir(parents=True)
    assignment(folder / ".grader")
    (folder / ".grader/grader-0.1.0.tar.gz").touch()
    (folder / "p.asm").write_text(request.param)
    return folder


def is_right(checkout: Path) -> bool:
    """Whether the program in it is the right one."""
    return (checkout / "p.asm").read_text() == PROGRAM


RIGHT = "accepted/board-as-strings"
"""A program that gets all points of the kit; the other does not assemble, so that nothing has to be played."""


@pytest.fixture(params=[RIGHT, "compile-error/label-is-not-defined"], ids=["right", "wrong"])
def template(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, bool]:
    """A checkout of the template that the tutorial makes, with a program in it; and whether that is the right one."""
    folder = tmp_path / "template"
    write_kit(load_assignment(spec_path("lc3-nim")), folder / ".grader/kit", with_reference=False)
    (folder / ".grader/grader-0.1.0-cp312-cp312-linux_x86_64.whl").touch()
    (folder / "nim.asm").write_bytes((FIXTURES / request.param / "submission/nim.asm").read_bytes())
    return folder, request.param == RIGHT


def test_the_workflow_of_github_grades(template: tuple[Path, bool], tmp_path: Path) -> None:
    """Its own lines with its own environment install the wheel, and are red where points are lost; report and summary are there."""
    checkout, right = template
    workflow = yaml.safe_load((CI / "github.yml").read_text(encoding="utf-8"))
    [job] = workflow["jobs"].values()
    steps = {step.get("name"): step.get("run", "") for step in job["steps"]}
    installed(tmp_path / "grader")
    summary = tmp_path / "summary.md"
    variables = {"HOME": str(tmp_path), "GITHUB_STEP_SUMMARY": str(summary), **workflow["env"]}
    install = run("bash", "-e", "-c", steps["Install the grader"].splitlines()[-1], cwd=checkout, **variables)
    assert install.returncode == 0, install.stderr
    assert (tmp_path / "grader/asked").read_text().split() == [
        "install",
        next(checkout.glob(".grader/*.whl")).relative_to(checkout).as_posix(),
    ]
    done = run("bash", "-e", "-c", steps["Grade"], cwd=checkout, **variables)
    assert done.returncode == (0 if right else 1), done.stdout + done.stderr
    assert (checkout / "report.xml").stat().st_size
    assert ("90 of 100 points" if right else "0 of 100 points") in summary.read_text()
    assert ("::error file=nim.asm,line=16" in done.stdout) is not right


def test_the_pipeline_of_gitlab_grades(template: tuple[Path, bool]) -> None:
    """Its script ends with the code of the grade, and the report is where GitLab looks for it."""
    checkout, right = template
    pipeline = yaml.safe_load((CI / "gitlab.yml").read_text(encoding="utf-8"))
    job = pipeline["grade"]
    installed(checkout / ".grader-installed")
    done = run("bash", "-e", "-c", "\n".join(job["script"]), cwd=checkout, **pipeline["variables"])
    assert done.returncode == (0 if right else 1), done.stderr
    assert (checkout / job["artifacts"]["reports"]["junit"]).stat().st_size


@pytest.fixture
def autograder(checkout: Path, tmp_path: Path) -> Path:
    """The folders that Gradescope makes."""
    folder = tmp_path / "autograder"
    for name in ("source/spec", "results"):
        (folder / name).mkdir(parents=True)
    assignment(folder / "source/spec")
    (folder / "submission").symlink_to(checkout)
    installed(folder / "source/installed")
    return folder


def test_gradescope_gets_a_score(checkout: Path, autograder: Path) -> None:
    """Points that are lost are no failure of the run."""
    done = run(CI / "gradescope/run_autograder", cwd=autograder, AUTOGRADER=str(autograder))
    assert done.returncode == 0, done.stderr
    results = json.loads((autograder / "results/results.json").read_text())
    assert (results["score"] == 10) is is_right(checkout)


@pytest.mark.parametrize("end", ["kill -9 $$", "exit 4"])
def test_gradescope_gets_no_score_where_we_fail(autograder: Path, end: str) -> None:
    """A submission that is left has no score: the student loses nothing, and the code tells staff."""
    command(autograder / "source/installed/bin/grader", end)
    done = run(CI / "gradescope/run_autograder", cwd=autograder, AUTOGRADER=str(autograder))
    assert done.returncode not in (0, 1)
    results = json.loads((autograder / "results/results.json").read_text())
    assert results["tests"] == []
    assert "score" not in results


def test_classroom_50_gets_a_result(checkout: Path, tmp_path: Path) -> None:
    """Its runner calls the file in the checkout, and finds a result whatever the score."""
    bundle = tmp_path / "bundle"
    (bundle / "kit").mkdir(parents=True)
    assignment(bundle / "kit")
    (bundle / "autograder.py").write_bytes((CI / "classroom50/autograder.py").read_bytes())
    installed(bundle / "installed")
    done = run(sys.executable, bundle / "autograder.py", cwd=checkout, **RUNNER)
    assert done.returncode == 0, done.stderr
    result = json.loads((checkout / "result.json").read_text())
    assert (result["score"] == result["max-score"]) is is_right(checkout)


@pytest.mark.parametrize("script", ["gradescope/setup.sh", "gradescope/run_autograder"])
def test_a_script_can_be_called(script: str) -> None:
    """It is a program, and the shell understands it."""
    assert os.access(CI / script, os.X_OK)
    assert run("bash", "-n", CI / script, cwd=CI).stderr == ""
