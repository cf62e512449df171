"""``grader doctor`` as a user meets it."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader import bundled
from grader.bundled import bundled_specs
from grader.cli.about import doctor


def test_the_machine_of_the_tests_grades_everything() -> None:
    """Where ``make`` installed what was missing, doctor finds each part and spec ready and exits with 0."""
    done = subprocess.run([sys.executable, "-m", "grader", "doctor"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for name in ("Python", "run loop", "gcc", "javac", "sandbox", *bundled_specs()):
        assert name in done.stdout
    assert "→" not in done.stdout


def test_what_is_missing_comes_with_its_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part that is missing is followed by the command that adds it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    printed = CliRunner().invoke(doctor, standalone_mode=False).output
    missing = printed[printed.index("javac") :].splitlines()
    assert "missing: no programs in" in missing[0]
    assert missing[1].strip() == "→ install, by their Debian names: default-jdk-headless"


def test_a_spec_that_cannot_be_graded_is_exit_code_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The exit code is 1 where a bundled spec cannot be graded."""
    monkeypatch.setattr(bundled, "_CHECKOUT", tmp_path)
    assert CliRunner().invoke(doctor, standalone_mode=False).return_value == 1
